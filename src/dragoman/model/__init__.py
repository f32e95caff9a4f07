"""The model a search uses: features, weights, and the files they come from."""
