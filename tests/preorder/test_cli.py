"""``dragoman preorder`` as a user runs it."""

import json

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def files(write):
    trees = [f"(VP (NP (A a{k % 3}) (N n{k % 5})) (V v{k % 7}))\n" for k in range(40)]
    write("text", "".join(f"a{k % 3} n{k % 5} v{k % 7}\n" for k in range(40)))
    write("links", "0-1 1-2 2-0\n" * 40)
    return write("trees", "".join(trees)).parent


def test_train_apply_evaluate(files, run):
    text, links, trees = (files / name for name in ("text", "links", "trees"))
    made = run(
        "preorder", "train", "-s", text, "-l", links, "--trees", trees, "-o", files / "p", "--json"
    )
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["turned"] == 40
    new = files / "new"
    new.write_text("a1 n1 v1\n")
    (files / "new.trees").write_text("(VP (NP (A a1) (N n1)) (V v1))\n")
    applied = run(
        "preorder", "apply", files / "p", "-i", new, "--trees", files / "new.trees",
        "--orders", files / "orders",
    )  # fmt: skip
    assert applied.stdout == "v1 a1 n1\n", applied.stderr
    assert (files / "orders").read_text() == "2 0 1\n"
    score = run("preorder", "evaluate", files / "p", "-s", text, "-l", links, "--trees", trees)
    assert "before  tau -0.3333" in score.stdout
    assert "after   tau 1.0000  fuzzy reordering 1.0000" in score.stdout
    assert "accuracy 100.00 %" in score.stdout


def test_oracle_and_parser_free(files, run):
    text, links, trees = (files / name for name in ("text", "links", "trees"))
    best = run("preorder", "oracle", "-s", text, "-l", links, "--trees", trees)
    assert best.stdout.splitlines()[0] == "v0 a0 n0", best.stderr
    made = run("preorder", "train", "-s", text, "-l", links, "-o", files / "p", "-q")
    assert made.returncode == 0, made.stderr
    applied = run("preorder", "apply", files / "p", input="a1 n1 v1\n")
    assert applied.stdout == "v1 a1 n1\n", applied.stderr


def test_mistakes_are_one_line(files, run):
    text, links, trees = (files / name for name in ("text", "links", "trees"))
    trees.write_text("(S (N a\n")
    for arguments, message in (
        (("train", "-s", text, "-l", links, "--trees", trees, "-o", files / "p"), "trees:1: "),
        (("train", "-s", text, "-o", files / "p"), "give one of them"),
        (("apply", files), "there is no preordering in it"),
    ):
        result = run("preorder", *arguments)
        assert result.returncode in (1, 2)
        assert message in result.stderr
        assert result.stderr.count("\n") == 1
