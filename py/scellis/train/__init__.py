"""Training: from a record to steps on a device, checkpoints and what they found."""
