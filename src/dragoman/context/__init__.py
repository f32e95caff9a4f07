"""How words are translated beside others: a lexicon that looks at the words around them."""
