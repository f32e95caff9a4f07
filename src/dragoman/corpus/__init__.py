"""From files of parallel text to a clean bitext of word ids."""
