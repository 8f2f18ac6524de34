"""From the op graph to WGSL, and from what a kernel leaves back to numbers."""
