"""A small neural network that scores translations beside the models that made them."""
