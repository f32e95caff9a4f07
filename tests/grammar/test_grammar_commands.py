"""``dragoman factor`` and ``dragoman parse`` from the shell."""

import gzip
import json

import pytest

pytestmark = pytest.mark.slow

TOY = """\
# German and English
S -> NP[1] V[2] NP[3] nicht | NP[1] does not V[2] NP[3] | 0.5
S -> NP[1] V[2] NP[3] | NP[1] V[2] NP[3] | 0.5
NP -> die Katze | the cat | 0.5
NP -> den Hund | the dog | 0.5
V -> sieht | see | 0.25
"""


def test_a_permutation(run):
    result = run("factor", "--permutation", "7 1 4 6 3 5 8 2")
    assert (result.returncode, result.stdout) == (0, "(7 1 (4 6 3 5) 8 2)\trank 5\n")
    result = run("factor", "--json", "--permutation", "7,1,4,6,3,5,8,2")
    found = json.loads(result.stdout)
    assert found["rank"] == 5
    assert [len(node["children"]) for node in found["nodes"]] == [4, 5]
    assert found["nodes"][0]["order"] == [2, 4, 1, 3]


def test_many_permutations(run, write):
    lines = "1\n3 2 1\n2 4 1 3\n"
    expected = "1\trank 1\n((3 2) 1)\trank 2\n(2 4 1 3)\trank 4\n"
    assert run("factor", "--permutations", write("many", lines)).stdout == expected
    assert run("factor", "--permutations", "-", input=lines).stdout == expected
    wide = run("factor", "--permutation", "3 2 1", "--canonical").stdout
    assert wide == "(3 2 1)\trank 2\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [("1 2\n1 1\n", ":2: not a permutation: 1 comes twice"), ("1 x\n", "is not a row of whole")],
)
def test_bad_permutations_name_their_line(run, write, text, message):
    result = run("factor", "--permutations", write("bad", text))
    assert result.returncode == 1
    assert message in result.stderr


def test_factor_and_parse_a_grammar(run, write, tmp_path):
    toy = write("toy", TOY)
    result = run("factor", toy, "-o", tmp_path / "small")
    assert result.returncode == 0
    assert "rank 3 to 2, size times 1.16, 2 fresh nonterminals" in result.stdout
    printed = run("factor", toy, "-o", "-")
    assert printed.stdout == (tmp_path / "small").read_text()
    assert "rank 3 to 2" in printed.stderr
    source, target = "die Katze sieht den Hund nicht", "the cat does not see the dog"
    whole = run("parse", toy, "--no-factor", "-s", source, "-t", target)
    assert whole.returncode == 0
    assert "inside 0.03125" in whole.stdout
    assert "V -> sieht | see   [2,3) [4,5)" in whole.stdout
    # Factored behind the scenes, told in the user's own rules.
    assert run("parse", toy, "-s", source, "-t", target).stdout == whole.stdout
    small = run("parse", tmp_path / "small", "-s", source, "-t", target, "--json")
    assert json.loads(small.stdout)["generated"]


def test_pairs_that_are_not_generated_have_their_own_exit_code(run, write):
    toy = write("toy", TOY)
    pairs = "die Katze\tthe cat\ndie Katze sieht den Hund\tthe cat see the dog\n"
    result = run("parse", toy, "--pairs", "-", input=pairs)
    assert result.returncode == 3
    assert result.stdout.splitlines()[0] == "not generated"
    assert result.stdout.splitlines()[1].startswith("generated: inside 0.03125")


def test_tables_in_and_out(run, tmp_path):
    table = tmp_path / "rules.gz"
    with gzip.open(table, "wt") as file:
        file.write(
            "[X][X] a [X][X] [X][X] [X] ||| [X][X] [X][X] b [X][X] [X] ||| 0.5 0.25 "
            "||| 0-1 1-2 2-3 3-0 ||| 1 2\nc [X] ||| d [X] ||| 1 1 ||| 0-0\n"
        )
    result = run("factor", table, "-o", "-")
    assert result.returncode == 0
    assert "||| 0.5 0.25 ||| 0-1 1-0 ||| 1 2\n" in result.stdout
    assert "||| 1 1 ||| 0-0 2-2\n" in result.stdout
    hiero = run("factor", table, "-o", "-", "--to", "hiero").stdout
    assert hiero.startswith("[X] ||| [@")
    parsed = run("parse", table, "--score", "2", "-s", "c a c c", "-t", "d d b d")
    assert "inside 0.25" in parsed.stdout


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("S -> A[1] | b", "toy:1: link 1 is missing on the target side"),
        ("S -> a | b\nS -> A[1] A[1] | A[1]", "toy:2: link 1 comes twice"),
        ("S -> a | b | 0", "toy:1: the probability 0"),
        ("S -> a | b | 2", "toy:1: the probability 2"),
        ("S -> | b", "toy:1: the source side is empty"),
        ("", "no rule in it"),
    ],
)
def test_bad_grammars_name_the_line(run, write, rules, message):
    toy = write("toy", rules)
    for command in (["factor", toy], ["parse", toy, "-s", "a", "-t", "b"]):
        result = run(*command)
        assert result.returncode == 1
        assert message in result.stderr
        assert "Traceback" not in result.stderr


def test_endless_cycles_name_their_lines(run, write):
    toy = write("toy", "S -> A[1] | A[1]\nA -> S[1] | S[1]\nA -> a | a")
    result = run("parse", toy, "-s", "a", "-t", "a")
    assert result.returncode == 1
    assert "lines 1, 2 form a cycle" in result.stderr
    assert run("factor", toy).returncode == 0


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("S -> a | b\nS -> A[1] | A[1]", "toy:2: A has no rule"),
        ("S -> a | b\nA -> x A[1] | A[1] x", "toy:2: A never derives"),
    ],
)
def test_partial_grammars_are_factored_and_parsed_on_request(run, write, rules, message):
    toy = write("toy", rules)
    assert run("factor", toy).returncode == 0  # rule by rule: it needs no others
    refused = run("parse", toy, "-s", "a", "-t", "b")
    assert refused.returncode == 1
    assert message in refused.stderr
    assert run("parse", toy, "--partial", "-s", "a", "-t", "b").returncode == 0


def test_the_papers_own_rule_is_factored_as_it_stands(run, write):
    """Section 2: A to H have no rules there."""
    toy = write(
        "toy",
        "X -> A[1] B[2] C[3] D[4] E[5] F[6] G[7] H[8] | B[2] A[1] C[3] D[4] G[7] E[5] H[8] F[6]",
    )
    result = run("factor", toy, "--json")
    assert result.returncode == 0
    report = json.loads(result.stdout)
    assert report["ranks"]["after"] == [0, 0, 4, 0, 1]
    assert report["fresh"] == 4


def test_parsing_takes_no_rule_that_is_empty_on_both_sides(run, write):
    toy = write("toy", 'S -> a X[1] | b X[1]\nX -> "" | ""')
    assert run("factor", toy).returncode == 0
    refused = run("parse", toy, "-s", "a", "-t", "b")
    assert refused.returncode == 1
    assert "toy:2: both sides are empty" in refused.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["factor"],
        ["factor", "x", "--permutation", "1"],
        ["factor", "--permutation", "1", "-o", "x"],
        ["factor", "x", "--format", "xml"],
        ["factor", "x", "--to", "xml"],
        ["parse", "x"],
        ["parse", "x", "-s", "a"],
        ["parse", "x", "-s", "a", "-t", "b", "--pairs", "y"],
        ["parse", "-", "--pairs", "-"],
    ],
)
def test_wrong_use(run, arguments):
    result = run(*arguments)
    assert result.returncode == 2
    assert "error" in result.stderr.lower()


def test_missing_files(run):
    assert run("factor", "nowhere").returncode == 1
    assert "nowhere" in run("parse", "nowhere", "-s", "a", "-t", "b").stderr


def test_bad_pairs_name_their_line(run, write):
    result = run("parse", write("toy", TOY), "--pairs", write("pairs", "a\tb\nc\n"))
    assert result.returncode == 1
    assert "pairs:2: found 1 columns" in result.stderr
