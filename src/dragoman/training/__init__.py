"""From parallel text to a model: the stages, their order, and the engine that runs them."""
