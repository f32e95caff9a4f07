"""Pages and pictures that show what a model does."""
