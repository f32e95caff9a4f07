"""The example corpus: counts, shape, splits, and that the committed files are current."""

import re
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "phrasebook"
LANGUAGES = ("en", "fr", "ja")
SPLITS = ("train", "dev", "test")
# Characters of the notation; none may survive into a token.
STRAY = re.compile(r"[/^\[\]{}()*@#|_+]")


def lines(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


def written_sentences() -> set[tuple[str, ...]]:
    """The hand-written triples with their glosses, tags and brackets taken off."""
    found: set[tuple[str, ...]] = set()
    for path in sorted((FOLDER / "sentences").glob("*.txt")):
        text = re.sub(r"^#.*\n", "", path.read_text(encoding="utf-8"), flags=re.M)
        for block in re.split(r"\n\s*\n", text.strip()):
            found.add(
                tuple(
                    " ".join(
                        re.sub(r"[/^].*", "", word)
                        for word in re.sub(r"[\[\]]", " ", line).split()
                    )
                    for line in block.strip().splitlines()
                )
            )
    return found


def leaves(tree: str) -> list[str]:
    """The words of a bracketed tree; fails unless every inner node has two children."""
    stack: list[list[str | None]] = [[]]
    found: list[str] = []
    for piece in re.findall(r"\(|\)|[^\s()]+", tree):
        if piece == "(":
            stack.append([])
        elif piece == ")":
            node = stack.pop()
            words = [child for child in node[1:] if child is not None]
            assert len(node) >= 2, tree
            if words:
                assert len(node) == 2, f"a preterminal has one word: {tree}"
                found.extend(words)
            else:
                assert len(node) == 3, f"an inner node has two children: {tree}"
            stack[-1].append(None)
        else:
            stack[-1].append(piece)
    assert stack == [[None]], tree
    return found


def test_the_leaf_reader_knows_a_bad_tree() -> None:
    assert leaves("(S (N a) (V b))") == ["a", "b"]
    for bad in ("(S (N a))", "(S (N a) (V b) (V c))", "(N a b)", "(S (N a) (V b)"):
        with pytest.raises(AssertionError):
            leaves(bad)


def test_counts() -> None:
    triples = [
        triple
        for split in SPLITS
        for triple in zip(*(lines(f"{split}.{language}") for language in LANGUAGES), strict=True)
    ]
    assert len(set(triples)) == len(triples) >= 7000
    written = written_sentences()
    assert len(written) >= 650
    assert written <= set(triples)
    english = {word.lower() for triple in triples for word in triple[0].split()}
    assert len(english) >= 1500


@pytest.mark.parametrize("split", SPLITS)
def test_files_of_a_split_have_the_same_number_of_lines(split: str) -> None:
    names = [path.name for path in FOLDER.glob(f"{split}.*")]
    assert len(names) == 7
    assert len({len(lines(name)) for name in names}) == 1
    if split != "train":
        assert len(lines(f"{split}.en")) == 500


@pytest.mark.parametrize("split", ["dev", "test"])
def test_held_out_sets_have_written_and_generated_sentences(split: str) -> None:
    written = {triple[0] for triple in written_sentences()}
    count = sum(line in written for line in lines(f"{split}.en"))
    assert 50 <= count <= 150


@pytest.mark.parametrize("language", LANGUAGES)
def test_splits_share_no_sentence(language: str) -> None:
    for one, other in combinations(SPLITS, 2):
        assert not set(lines(f"{one}.{language}")) & set(lines(f"{other}.{language}"))


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("language", ["fr", "ja"])
def test_links_are_sorted_distinct_and_in_range(split: str, language: str) -> None:
    files = (f"{split}.en", f"{split}.{language}", f"{split}.en-{language}.links")
    for english, foreign, links in zip(*map(lines, files), strict=True):
        pairs = [tuple(map(int, link.split("-"))) for link in links.split()]
        assert pairs == sorted(set(pairs))
        assert pairs, english
        for i, j in pairs:
            assert 0 <= i < len(english.split()), (english, links)
            assert 0 <= j < len(foreign.split()), (foreign, links)


@pytest.mark.parametrize("language", ["fr", "ja"])
def test_most_words_are_linked(language: str) -> None:
    """A slip in the glossary shows as a drop here; particles and articles stay unlinked."""
    linked = total = 0
    for foreign, links in zip(
        lines(f"train.{language}"), lines(f"train.en-{language}.links"), strict=True
    ):
        linked += len({link.split("-")[1] for link in links.split()})
        total += len(foreign.split())
    assert linked / total > {"fr": 0.85, "ja": 0.6}[language]


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_trees_are_binary_and_spell_the_sentence(split: str, language: str) -> None:
    for text, tree in zip(
        lines(f"{split}.{language}"), lines(f"{split}.{language}.trees"), strict=True
    ):
        assert leaves(tree) == text.split()


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_tokens_are_clean(split: str, language: str) -> None:
    for line in lines(f"{split}.{language}"):
        assert line == " ".join(line.split())
        assert not STRAY.search(line), line
        if language == "ja":
            assert not re.search(r"[a-zA-Z]", line.replace("ATM", "")), line


def test_committed_files_are_current() -> None:
    run = subprocess.run(
        [sys.executable, str(FOLDER / "generate.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
