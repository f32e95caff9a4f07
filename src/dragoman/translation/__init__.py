"""The one translator behind every door, and what can be demanded of it."""
