"""Searching for the best translation."""
