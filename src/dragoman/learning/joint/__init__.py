"""Rules and weights learnt in one loop (paper 003)."""
