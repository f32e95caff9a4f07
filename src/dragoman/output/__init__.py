"""From tokens to what people and programs read."""
