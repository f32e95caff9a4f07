"""Documents of other programs: cut into sentences, translated, filled in again."""
