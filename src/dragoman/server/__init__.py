"""Models over HTTP: an API, and a page to question a translation."""
