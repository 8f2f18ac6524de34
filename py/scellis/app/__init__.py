"""What the page shows: view models and the session behind it. No arithmetic of its own."""
