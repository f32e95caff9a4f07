"""Trees in: brackets and CoNLL-U, binarised; and everything that is no tree."""

import gzip
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from tests.preorder.conftest import small_trees
from tests.reference import preordering as reference

from dragoman.errors import InputError, MissingExtraError, UsageError
from dragoman.preorder import SpacyParser, match_trees, parse_brackets, read_trees

FIGURE_1 = "(S (NN Reordering) (VP (VBZ is) (NP (JJ binary) (NN classification))))"


def one(line, **options):
    return parse_brackets([line], **options).brackets(0)


@settings(deadline=None)
@given(small_trees())
def test_binary_trees_come_back(tree):
    for binarisation in ("left", "right", "head"):
        line = reference.brackets(tree)
        assert one(line, binarisation=binarisation) == line


def test_nodes_of_the_papers_figure():
    trees = parse_brackets([FIGURE_1])
    assert trees.text(0) == "Reordering is binary classification"
    assert [node[:3] for node in trees.nodes(0)] == [(2, 3, 4), (1, 2, 4), (0, 1, 4)]
    assert [node[4] for node in trees.nodes(0)] == ["NP", "VP", "S"]


@pytest.mark.parametrize(
    ("binarisation", "expected"),
    [
        ("left", "(NP (NP* (NP* (D a) (A b)) (N c)) (P d))"),
        ("right", "(NP (D a) (NP* (A b) (NP* (N c) (P d))))"),
        # No part is called NP, so the last one is the head.
        ("head", "(NP (D a) (NP* (A b) (NP* (N c) (P d))))"),
    ],
)
def test_wide_constituents_are_binarised(binarisation, expected):
    assert one("(NP (D a) (A b) (N c) (P d))", binarisation=binarisation) == expected


def test_the_head_is_the_part_of_the_same_name():
    line = "(VP (ADV a) (VP (V b) (N c)) (PP d) (PP e))"
    expected = "(VP (ADV a) (VP* (VP* (VP (V b) (N c)) (PP d)) (PP e)))"
    assert one(line, binarisation="head") == expected
    [*_, top] = parse_brackets([line], binarisation="head", head_side="first").nodes(0)
    assert top[3] == 1  # the verb heads everything


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("(S (NP (NN cats)) (VP (VP (VBP sleep))))", "(S (NN cats) (VBP sleep))"),
        ("( (ROOT (S (N a) (V b))))", "(S (N a) (V b))"),
        ("(S (N a)(V b))", "(S (N a) (V b))"),
        ("(S (-NONE- *T*-1) (N a) (NP (-NONE- 0)) (V b))", "(S (N a) (V b))"),
        ("(NN alone)", "(NN alone)"),
        ("(X (N -LRB-) (N x))", "(X (N -LRB-) (N x))"),
        ("", "()"),
        ("()", "()"),
        ("(())", "()"),
    ],
)
def test_odd_trees(line, expected):
    assert one(line) == expected


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("(S (N a) (V b)", "trees:1: the bracket in column 1 is not closed"),
        ("(S (N a)) (V b))", "trees:1: column 11 begins a second tree"),
        ("(S (N a) (V b)))", "trees:1: the bracket in column 16 closes nothing"),
        (")", "column 1 closes nothing"),
        ("word", "'word' in column 1 stands outside the brackets"),
        ("(S (N) (V b))", r"\(N\) in column 4 holds no words"),
    ],
)
def test_what_is_no_tree(line, message):
    with pytest.raises(InputError, match=message):
        parse_brackets([line])


def test_lines_are_counted(write):
    path = write("t.trees", "(S (N a) (V b))\n(S (N a)\n")
    with pytest.raises(InputError, match="t.trees:2: "):
        read_trees(path)


def test_lines_are_counted_beyond_those_read_at_once(write, monkeypatch):
    monkeypatch.setattr("dragoman.preorder.trees._LINES_AT_ONCE", 2)
    with pytest.raises(InputError, match="t.trees:6: "):
        read_trees(write("t.trees", "(S a)\n" * 5 + "(S (N a)\n(S a)\n"))
    with pytest.raises(InputError, match="d.conllu:10: "):
        read(write, [*conllu(("a", "X", 0, "root")), ""] * 4 + ["", *conllu(("a", "X", "x", "y"))])


def test_words_must_be_those_of_the_text():
    trees = parse_brackets([FIGURE_1, "(X (N -LRB-) (N x))", ""])
    missing = trees.check_words(["Reordering is binary classification", "( x", "no tree"], "t")
    assert missing.tolist() == [0, 0, 1]
    with pytest.raises(InputError, match=r"t:2: word 2 of the tree is 'x', but of sentence 2"):
        trees.check_words(["Reordering is binary classification", "( y", ""], "t")
    with pytest.raises(InputError, match=r"t:1: the tree has 4 words, but sentence 1 has 5"):
        trees.check_words(["Reordering is binary classification .", "", ""], "t")
    with pytest.raises(InputError, match="t: 3 trees for 1 sentences"):
        trees.check_words(["a"], "t")


def test_trees_are_found_by_their_words():
    trees = parse_brackets(["(S (N a) (V b))", "(S (N c) (V -RRB-))"])
    found = match_trees(trees, ["c )", "", "a b"], "t")
    assert [found.brackets(k) for k in range(3)] == [
        "(S (N c) (V -RRB-))",
        "()",
        "(S (N a) (V b))",
    ]
    with pytest.raises(InputError, match="t: no tree has the words of sentence 2: b a"):
        match_trees(trees, ["a b", "b a"], "t")


def conllu(*rows):
    """Rows of word, tag, head, relation."""
    return [
        f"{number}\t{word}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_"
        for number, (word, tag, head, relation) in enumerate(rows, 1)
    ]


SHE_READ = conllu(
    ("彼女", "PRON", 5, "nsubj"),
    ("は", "ADP", 1, "case"),
    ("本", "NOUN", 5, "obj"),
    ("を", "ADP", 3, "case"),
    ("読ん", "VERB", 0, "root"),
    ("だ", "AUX", 5, "aux"),
    ("。", "PUNCT", 5, "punct"),
)


def read(write, lines, **options):
    return read_trees(write("d.conllu", "\n".join(lines) + "\n"), **options)


def test_dependencies_become_constituents(write):
    trees = read(write, ["# a comment", *SHE_READ, "", *conllu(("はい", "INTJ", 0, "root"))])
    assert trees.brackets(0) == (
        "(VERB/punct (VERB/nsubj (PRON/case (PRON 彼女) (ADP は)) "
        "(VERB/obj (NOUN/case (NOUN 本) (ADP を)) (VERB/aux (VERB 読ん) (AUX だ)))) (PUNCT 。))"
    )
    assert trees.brackets(1) == "(INTJ はい)"
    assert trees.nodes(0)[-1][3] == 4  # the verb heads the sentence


def test_order_of_attachment_by_option(write):
    lines = conllu(("a", "N", 2, "nsubj"), ("b", "V", 0, "root"), ("c", "N", 2, "obj"))
    assert read(write, lines).brackets(0) == "(V/nsubj (N a) (V/obj (V b) (N c)))"
    left = read(write, lines, binarisation="left").brackets(0)
    assert left == "(V/obj (V/nsubj (N a) (V b)) (N c))"


def test_crossing_arcs_are_lifted(write):
    # b hangs on d, over the root c.
    lines = conllu(
        ("a", "X", 3, "dep"), ("b", "X", 4, "dep"), ("c", "X", 0, "root"), ("d", "X", 1, "dep")
    )
    trees = read(write, lines)
    assert trees.text(0) == "a b c d"
    assert len(trees.nodes(0)) == 3


def test_several_roots_and_words_in_several_parts(write):
    lines = [
        "1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_",
        *conllu(("a", "X", 0, "root"), ("b", "Y", 0, "root")),
    ]
    lines.append("2.1\tempty\t_\t_\t_\t_\t_\t_\t_\t_")
    assert read(write, lines).brackets(0) == "(X/root (X a) (Y b))"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1\ta\t_"], "d.conllu:1: only 3 columns"),
        (conllu(("a", "X", 7, "dep")), "d.conllu:1: head 7 in a sentence of 1 words"),
        (conllu(("a", "X", 1, "dep")), "word 1 is its own head"),
        (conllu(("a", "X", 2, "dep"), ("b", "X", 1, "dep")), "no word is the root"),
        (
            conllu(("a", "X", 0, "root"), ("b", "X", 3, "dep"), ("c", "X", 2, "dep")),
            "d.conllu:2: the heads of word 2 go in a circle",
        ),
        (conllu(("a", "X", "x", "dep")), "the head must be a number, not 'x'"),
        (["2\ta\t_\tX\t_\t_\t0\troot\t_\t_"], "word 2 where word 1 was expected"),
    ],
)
def test_what_is_no_dependency_parse(write, lines, message):
    with pytest.raises(InputError, match=message):
        read(write, lines)


def test_compressed_real_parses(data, tmp_path):
    with gzip.open(data("kftt/dev.ja.conllu.gz"), "rt", encoding="utf-8") as file:
        sentences = file.read().split("\n\n")[:200]
    path = tmp_path / "part.conllu.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("\n\n".join(sentences) + "\n\n")
    trees = read_trees(path)
    text = data("kftt/dev.ja").read_text("utf-8").splitlines()[:200]
    assert not trees.check_words(text, "dev").any()
    for index in range(len(trees)):
        assert len(trees.nodes(index)) == len(text[index].split()) - 1


def test_the_parser_is_an_extra(monkeypatch):
    import builtins

    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name == "spacy":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"\[spacy\]"):
        SpacyParser("ja_ginza")


def test_trees_of_a_parser(monkeypatch):
    """spaCy's part is played by a few lines: every word depends on the last one."""

    class Doc:
        def __init__(self, vocab, words):
            assert vocab == "vocabulary"
            self.tokens = [SimpleNamespace(i=i, text=word) for i, word in enumerate(words)]
            for token in self.tokens:
                token.head = self.tokens[-1]
                token.pos_, token.dep_ = token.text.upper(), ""

        def __len__(self):
            return len(self.tokens)

        def __iter__(self):
            return iter(self.tokens)

    class Pipeline:
        vocab = "vocabulary"

        def pipe(self, documents):
            return documents

    def load(name):
        if name != "one":
            raise OSError(name)
        return Pipeline()

    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=load))
    monkeypatch.setitem(sys.modules, "spacy.tokens", SimpleNamespace(Doc=Doc))
    trees = SpacyParser("one").parse(["a b", "", "c"])
    assert [trees.brackets(at) for at in range(len(trees))] == [
        "(B/dep (A a) (B b))",
        "()",
        "(C c)",
    ]
    with pytest.raises(UsageError, match="no pipeline 'two'"):
        SpacyParser("two")
