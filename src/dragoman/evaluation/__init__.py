"""Measuring translations: scores, their significance, and orders of words."""
