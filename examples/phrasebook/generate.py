"""Writes the phrasebook corpus from its hand-written sources.

Run ``python examples/phrasebook/generate.py`` to write the files next to this script, and
with ``--check`` to learn whether those there are current.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from links import Glossary, link, read_glossary
from notation import LANGUAGES, NotationError, parse_side, read_triples, words
from slots import read_slots
from templates import Sides, expand, order_key, read_templates
from trees import Parser, read_grammar

HERE = Path(__file__).resolve().parent

# At most this many sentences per template: under 1 % of the corpus.
PER_TEMPLATE = 40
# Held-out sets; so many of each are hand-written sentences, the rest generated.
HELD_OUT = {"test": 500, "dev": 500}
HELD_OUT_WRITTEN = 75

TREE_LANGUAGES = ("en", "ja")
LINK_LANGUAGES = ("fr", "ja")


@dataclass(frozen=True)
class Entry:
    """One sentence in three languages, with what is known about it."""

    texts: tuple[str, str, str]
    links: dict[str, str]
    trees: dict[str, str]
    written: bool


class Sources:
    """The hand-written files."""

    def __init__(self, folder: Path) -> None:
        self.glossary: Glossary = read_glossary(folder / "glossary.txt")
        self.parsers = {
            language: Parser(
                language, read_grammar(folder / f"grammar.{language}.txt"), self.glossary
            )
            for language in TREE_LANGUAGES
        }
        self.slots = read_slots(folder / "slots.txt")
        self.templates = read_templates(folder / "templates.txt", self.slots)
        self.sentences = sorted((folder / "sentences").glob("*.txt"))

    def entry(self, sides: Sides, written: bool) -> Entry:
        tokens = [words(side) for side in sides]
        links: dict[str, str] = {}
        for language in LINK_LANGUAGES:
            foreign = tokens[LANGUAGES.index(language)]
            found = sorted(link(tokens[0], foreign, language, self.glossary))
            links[language] = " ".join(f"{i}-{j}" for i, j in found)
        trees = {
            language: parser.tree(sides[LANGUAGES.index(language)])
            for language, parser in self.parsers.items()
        }
        english, french, japanese = (" ".join(word.text for word in side) for side in tokens)
        return Entry((english, french, japanese), links, trees, written)

    def entries(self) -> Iterator[Entry]:
        """Hand-written sentences first, then the templates, each triple once."""
        seen: set[tuple[str, ...]] = set()
        for sides, written, origin in self._sides():
            try:
                entry = self.entry(sides, written)
            except NotationError as error:
                raise NotationError(f"{origin}: {error}") from error
            if entry.texts not in seen:
                seen.add(entry.texts)
                yield entry

    def _sides(self) -> Iterator[tuple[Sides, bool, str]]:
        for path in self.sentences:
            for triple in read_triples(path):
                yield tuple(parse_side(line) for line in triple.lines), True, triple.origin
        for template in self.templates:
            for sides in expand(template, self.slots, PER_TEMPLATE):
                yield sides, False, template.origin


def _families(entries: list[Entry]) -> list[list[Entry]]:
    """Entries that share a sentence in some language, directly or through others.

    A family goes to one split as a whole: that is what keeps the splits disjoint on
    every side although, say, "my foot hurts" and "my leg hurts" are one in Japanese.
    """
    parent = list(range(len(entries)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    first: dict[tuple[str, str], int] = {}
    for index, entry in enumerate(entries):
        for side in zip(LANGUAGES, entry.texts, strict=True):
            other = first.setdefault(side, index)
            parent[root(index)] = root(other)
    families: dict[int, list[Entry]] = defaultdict(list)
    for index, entry in enumerate(entries):
        families[root(index)].append(entry)
    return list(families.values())


def split(entries: list[Entry]) -> dict[str, list[Entry]]:
    """Test, dev and train, chosen by hash; only families of one are held out."""
    families = _families(entries)
    single = sorted((f[0] for f in families if len(f) == 1), key=lambda e: order_key(e.texts[0]))
    pools = {
        True: iter([entry for entry in single if entry.written]),
        False: iter([entry for entry in single if not entry.written]),
    }
    parts: dict[str, list[Entry]] = {}
    for name, size in HELD_OUT.items():
        sizes = {True: HELD_OUT_WRITTEN, False: size - HELD_OUT_WRITTEN}
        parts[name] = [next(pools[kind]) for kind in (True, False) for _ in range(sizes[kind])]
    held_out = {entry.texts for part in parts.values() for entry in part}
    parts["train"] = [entry for entry in entries if entry.texts not in held_out]
    for part in parts.values():
        part.sort(key=lambda entry: order_key("|".join(entry.texts)))
    return parts


def render(folder: Path) -> dict[str, str]:
    """The text of every output file, by name."""
    files: dict[str, str] = {}
    for name, part in split(list(Sources(folder).entries())).items():
        columns = {
            f"{name}.{language}": [entry.texts[LANGUAGES.index(language)] for entry in part]
            for language in LANGUAGES
        }
        for language in LINK_LANGUAGES:
            columns[f"{name}.en-{language}.links"] = [entry.links[language] for entry in part]
        for language in TREE_LANGUAGES:
            columns[f"{name}.{language}.trees"] = [entry.trees[language] for entry in part]
        files |= {file: "".join(f"{line}\n" for line in lines) for file, lines in columns.items()}
    return files


def stale(files: dict[str, str], folder: Path) -> list[str]:
    """Names of the files that are missing or differ from what would be written."""
    return [
        name
        for name, text in files.items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the phrasebook corpus.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    arguments = parser.parse_args()
    try:
        files = render(HERE)
    except NotationError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if arguments.check:
        different = stale(files, HERE)
        for name in different:
            print(f"not current: {name} (run generate.py)")
        if not different:
            print(f"{len(files)} files are current")
        return 1 if different else 0
    for name, text in files.items():
        (HERE / name).write_text(text, encoding="utf-8", newline="\n")
    for name in ("train", *HELD_OUT):
        print(f"{name}: {files[f'{name}.en'].count(chr(10))} sentences")
    return 0


if __name__ == "__main__":
    sys.exit(main())
