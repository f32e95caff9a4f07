"""Finding the weights under which a model translates best."""
