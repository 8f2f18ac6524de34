"""What computes: the oracle, and GPUs in a tab or of this machine."""
