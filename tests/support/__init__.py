"""What tests of several folders share: servers, built sites, watchers."""
