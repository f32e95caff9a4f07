"""What text is: languages, normalisation, tokens, case, what must not be translated."""
