"""Models learnt from what the decoder does with them."""
