"""The `scellis` command."""
