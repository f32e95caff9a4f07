"""The command line: it parses, the library works."""
