"""Terms against a line, by trying every span."""

from __future__ import annotations


def fits(begin, end, taken, walls, zones):
    """Whether a term may stand there: on free words, across no wall, and no zone cut in two."""
    if any(place in taken for place in range(begin, end)):
        return False
    if any(wall in range(begin + 1, end) for wall in walls):
        return False
    span = set(range(begin, end))
    for zone_begin, zone_end in zones:
        zone = set(range(zone_begin, zone_end))
        if span & zone and not (span <= zone or zone <= span):
            return False
    return True


def applied(tokens, terms, taken=(), walls=(), zones=()):
    """Spans that get a term: from the left, the longest that fits, none overlapping."""
    taken, spans = set(taken), []
    for begin in range(len(tokens)):
        for end in range(len(tokens), begin, -1):
            if tuple(tokens[begin:end]) in terms and fits(begin, end, taken, walls, zones):
                spans.append((begin, end))
                taken |= set(range(begin, end))
                break
    return spans
