"""Permutation trees the slow way, and the paper's pseudo-code with its steps counted."""

from __future__ import annotations

from functools import cache


def pattern(values):
    """The permutation 0..k-1 in the same order as the values."""
    places = {value: rank for rank, value in enumerate(sorted(values))}
    return tuple(places[value] for value in values)


@cache
def smallest_rank(permutation):
    """The least possible width of the widest node, over all trees: every way to cut a permutation
    into intervals is tried, and every way to cut those."""
    n = len(permutation)
    if n == 1:
        return 1
    # best[end] maps a number of children covering [0, end) to the smallest rank among them.
    best = [{} for _ in range(n + 1)]
    best[0] = {0: 1}
    for begin in range(n):
        if not best[begin]:
            continue
        low = high = permutation[begin]
        for end in range(begin + 1, n + 1):
            low, high = min(low, permutation[end - 1]), max(high, permutation[end - 1])
            if high - low != end - begin - 1 or end - begin == n:
                continue
            rank = smallest_rank(pattern(permutation[begin:end]))
            for count, widest in best[begin].items():
                known = best[end].get(count + 1, n)
                best[end][count + 1] = min(known, max(widest, rank))
    return min(max(count, widest) for count, widest in best[n].items())


def as_printed(permutation, watch=lambda event, *state: None):
    """KARIZE, MERGE, SCAN and REDUCE of Gildea, Satta & Zhang (2006), figures 3 and 5.

    Only the misprints are mended: line 20 of SCAN reads y <= newtop, and a scan beyond the
    merged piece fails. Returns the reductions (left, right) and the number of array cells that
    SCAN and REDUCE touched. `watch` sees what figures 6 and 7 show: h, hmin and hmax once a level
    is sorted, and the bounds after each scan.
    """
    n = len(permutation)
    h, hmin, hmax = list(range(n)), list(range(n)), list(range(n))
    v, vmin, vmax = [0] * n, [0] * n, [0] * n
    reductions = []
    steps = 0

    def scan(div, low, high):
        nonlocal steps
        if div < low or div + 1 > high:
            return None
        left = right = top = bottom = None
        newleft, newright, newtop, newbot = div, div + 1, -1, n
        watch("begin", newleft, newright)
        while True:
            x = newleft
            while x <= newright:
                steps += 1
                newtop, newbot = max(newtop, vmax[x]), min(newbot, vmin[x])
                x = hmax[vmin[x]] + 1
                if x == left:
                    x = right + 1
            left, right = newleft, newright
            watch("horizontal", newbot, newtop)
            if newtop - newbot < permutation[h[newtop]] - permutation[h[newbot]]:
                return None
            y = newbot
            while y <= newtop:
                steps += 1
                newright, newleft = max(newright, hmax[y]), min(newleft, hmin[y])
                y = vmax[hmin[y]] + 1
                if y == bottom:
                    y = top + 1
            top, bottom = newtop, newbot
            watch("vertical", newleft, newright)
            if newright == right and newleft == left:
                return left, right, bottom, top

    def reduce(left, right, bottom, top):
        nonlocal steps
        for row in range(bottom, top + 1):
            hmin[row], hmax[row] = left, right
        for column in range(left, right + 1):
            vmin[column], vmax[column] = bottom, top
        steps += 2 * (right - left + 1)
        reductions.append((left, right))
        watch("reduce", left, right, bottom, top)

    watch("sorted", *h)
    size = 1
    while size < n:
        for low in range(0, n - size, 2 * size):
            high = min(n, low + 2 * size) - 1
            rows = sorted(range(low, high + 1), key=lambda row: permutation[h[row]])
            for array in (h, hmin, hmax):
                array[low : high + 1] = [array[row] for row in rows]
            for row in range(low, high + 1):
                v[h[row]] = row
                if row == low or hmin[row] != hmin[row - 1]:
                    first = row
                vmin[h[row]] = first
            for row in range(high, low - 1, -1):
                if row == high or hmax[row] != hmax[row + 1]:
                    last = row
                vmax[h[row]] = last
            found = scan(low + size - 1, low, high)
            while found:
                reduce(*found)
                left, right = found[0], found[1]
                rivals = [scan(left - 1, low, high), scan(right, low, high)]
                rivals = [rival for rival in rivals if rival]
                found = min(rivals, key=lambda rival: rival[1] - rival[0]) if rivals else None
        size *= 2
        watch("sorted", *h)
    return reductions, steps
