"""From links to rules: phrase tables, reordering models, bilingual tokens, Moses' formats."""
