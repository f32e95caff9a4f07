"""Dragoman: from parallel text to a translator, on your own machine, in minutes."""
