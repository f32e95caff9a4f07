"""Writes native/core/text/lower_case.inc: the small letter of each capital.

    python3 native/generate/lower_case.py > native/core/text/lower_case.inc

Runs of capitals that lie as far from their small letters, side by side or every second one; from
Python's unicodedata, whose version of Unicode the file names. Capitals that become more than one
character are left out.
"""

from __future__ import annotations

import sys
import unicodedata


def main() -> None:
    runs: list[list[int]] = []  # first, last, step, distance
    for code in range(sys.maxunicode + 1):
        small = chr(code).lower()
        if len(small) != 1 or ord(small) == code:
            continue
        distance = ord(small) - code
        if runs and runs[-1][3] == distance:
            first, last, step, _ = runs[-1]
            gap = code - last
            if gap in (1, 2) and (first == last or gap == step):
                runs[-1][1:3] = [code, gap]
                continue
        runs.append([code, code, 1, distance])
    print(f"// Unicode {unicodedata.unidata_version}; written by native/generate/lower_case.py.")
    for first, last, step, distance in runs:
        print(f"{{0x{first:04X}, 0x{last:04X}, {step}, {distance}}},")


main()
