"""A page fed with recorded view models: for tests that look at the page alone."""
