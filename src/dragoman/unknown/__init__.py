"""Words never seen: translated by their parts, relatives, spelling or sound, or copied."""
