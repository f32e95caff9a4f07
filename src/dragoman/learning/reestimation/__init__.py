"""A model learns from how it would best translate its own bitext (paper 002)."""
