"""The symmetrisation heuristics, transcribed from their published pseudo-code.

Koehn et al. (2005), with "English" the target and "foreign" the source side.
"""

from __future__ import annotations

NEIGHBOURS = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def grow_diag_final(forward, backward, final):
    """`final` is None, "or" or "and"; links are sets of (source, target)."""
    union = forward | backward
    alignment = forward & backward
    target_size = max((t for _, t in union), default=-1) + 1
    source_size = max((s for s, _ in union), default=-1) + 1

    def source_aligned(s):
        return any(a == s for a, _ in alignment)

    def target_aligned(t):
        return any(b == t for _, b in alignment)

    grown = True
    while grown:
        grown = False
        for t in range(target_size):
            for s in range(source_size):
                if (s, t) not in alignment:
                    continue
                for across, down in NEIGHBOURS:
                    new = (s + down, t + across)
                    if (
                        new not in alignment
                        and (not source_aligned(new[0]) or not target_aligned(new[1]))
                        and new in union
                    ):
                        alignment.add(new)
                        grown = True
    if final is not None:
        combine = all if final == "and" else any
        for direction in (forward, backward):
            for t in range(target_size):
                for s in range(source_size):
                    if (s, t) in direction and combine(
                        [not source_aligned(s), not target_aligned(t)]
                    ):
                        alignment.add((s, t))
    return alignment
