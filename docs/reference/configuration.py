"""Writes the reference of options from their declarations (dragoman.declared).

Run as  python docs/reference/configuration.py > docs/reference/configuration.md
"""

from __future__ import annotations

from dragoman.declared import Options, declared
from dragoman.search.options import ChartOptions, SearchOptions
from dragoman.training.template import allowed, as_toml, sections
from dragoman.translation.config import MemoryOptions, SuggestOptions

BEGIN = """# Options

Written by `docs/reference/configuration.py` from the declarations that the program itself reads.
`dragoman train --config FILE` takes a TOML file with any of the tables below; what it does not say
has its default. Options of the search go into `search.toml` of a model, or to `dragoman translate`
as flags of the same names (`beam_limit` is `--beam-limit`); infinity is `inf` and none "none".
"""


def main() -> None:
    """Print the page."""
    print(BEGIN)
    for name, group in sections():
        print_table(f"[{name}]" if name else "The top of the file", group)
    print_table("search.toml of phrase models", SearchOptions)
    print_table("search.toml of hierarchical models", ChartOptions)
    print_table("Flags of commands that translate", MemoryOptions)
    print_table("Flags of dragoman suggest", SuggestOptions)


def print_table(title: str, group: type[Options]) -> None:
    """A section: what the group is for, and its options."""
    about = (group.__doc__ or "").strip().splitlines()[0]
    print(f"## {title}\n\n{about}\n\n| option | default | may be | |\n|---|---|---|---|")
    for one in declared(group):
        default = as_toml(one.default) if one.default is not None else "none"
        print(f"| `{one.name}` | {default} | {allowed(one)} | {escaped(one.help)} |")
    print()


def escaped(text: str) -> str:
    """A text that does not end a cell of a table."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main()
