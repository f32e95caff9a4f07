"""One module for each stage of training."""
