"""What models and training are made of: entries with an id, a schema and a text that is never executed."""
