"""Phrase tables from the shell: made, looked into, sorted, sent to Moses and fetched back."""

import json

import pytest

pytestmark = pytest.mark.slow

ARPA = """\\data\\
ngram 1=3

\\1-grams:
-1\t<unk>
-1\t</s>
-0.5\tthe

\\end\\
"""


@pytest.fixture
def model(run, write, tmp_path):
    source = write("s", "das haus\ndas buch\nein haus\n" * 4)
    target = write("t", "the house\nthe book\na house\n" * 4)
    links = write("links", "0-0 1-1\n" * 12)
    place = tmp_path / "model"
    prepared = run(
        *["corpus", "prepare", "-s", source, "-t", target, "-o", place, "-q"],
        *["--tokeniser", "whitespace", "--keep-duplicates", "--dev-size", "0"],
        *["--test-size", "0"],
    )
    assert prepared.returncode == 0, prepared.stderr
    return place, links


def test_extract_inspect_sort(run, model, tmp_path):
    place, links = model
    result = run("rules", "extract", place, "--links", links, "-j", "2", "--memory", "10M")
    assert result.returncode == 0, result.stderr
    assert "rules" in result.stdout
    assert "up to date" in run("rules", "extract", place, "--links", links).stdout
    shown = run("inspect", "phrases", place, "das haus")
    assert "the house" in shown.stdout
    assert "0-0 1-1" in shown.stdout
    found = json.loads(run("inspect", "phrases", place, "das", "--json").stdout)
    assert [entry["target"] for entry in found] == ["the"]
    assert found[0]["count"] == 8
    assert "there are some of: das" in run("inspect", "phrases", place, "das zeug").stdout
    table = place / "rules" / "phrases.table"
    result = run("rules", "sort", table, "-o", tmp_path / "new", "-w", "tm.fwd=1", "--limit", "1")
    assert result.returncode == 0, result.stderr
    assert "phrase pairs written" in result.stdout


def test_moses_both_ways(run, model, tmp_path):
    place, links = model
    run("rules", "extract", place, "-l", links, "--reordering", "word,hierarchical", "-q")
    out = tmp_path / "moses"
    weights = "tm.fwd = 0.3\nlm.classes = 0.2\nunknown.copy = 0\nbilm = -0.1\n"
    (place / "weights.toml").write_text(weights, "utf-8")
    result = run("export", "moses", place, "-o", out)
    assert result.returncode == 0, result.stderr
    assert "a model without lm.classes, bilm;" in " ".join(result.stderr.split())
    assert sorted(path.name for path in out.iterdir()) == [
        "moses.ini",
        "phrase-table.gz",
        "reordering-table.hier-msd-bidirectional-fe.gz",
        "reordering-table.wbe-msd-bidirectional-fe.gz",
    ]
    back = tmp_path / "back"
    result = run("import", "moses", "--ini", out / "moses.ini", "-o", back)
    assert result.returncode == 0, result.stderr
    ours, theirs = (
        json.loads(run("inspect", "phrases", where, "haus", "--json").stdout)
        for where in (place, back)
    )
    assert [entry["target"] for entry in ours] == [entry["target"] for entry in theirs]
    assert ours[0]["scores"] == pytest.approx(theirs[0]["scores"], abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--links", "LINKS", "--memory", "much"], "a size such as 500M"),
        (["--links", "LINKS", "--smoothing", "laplace"], "smoothing must be one of"),
        (["--links", "LINKS", "--reordering", "word,words"], "reordering must be one of"),
        (["--links", "LINKS", "--max-length", "0"], "between 1 and 255"),
        (["--links", "absent"], "absent"),
    ],
)
def test_wrong_options_are_one_line(run, model, arguments, message):
    place, links = model
    arguments = [links if argument == "LINKS" else argument for argument in arguments]
    result = run("rules", "extract", place, *arguments)
    assert result.returncode in (1, 2)
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0-0 1-1\n" * 13, "12 sentence pairs but 13 lines of links"),
        ("0-0 1-1\n" * 11, "12 sentence pairs but 11 lines of links"),
        ("0-0\n" * 5 + "0-0 5-1\n" + "0-0\n" * 6, "sentence pair 6: the link 5-1 points outside"),
        ("0-0\n" * 3 + "0:0\n", "bad:4:"),
    ],
)
def test_bad_links(run, model, write, text, message):
    place, _ = model
    result = run("rules", "extract", place, "--links", write("bad", text), "-q")
    assert result.returncode == 1
    assert message in result.stderr
    assert not (place / "rules").exists()


def test_a_bilingual_model(run, model):
    place, links = model
    result = run("rules", "extract", place, "-l", links, "--bilingual", "3", "-q")
    assert result.returncode == 0, result.stderr
    for name in ("rules/bilingual.vocab", "lm/bilingual.bin"):
        assert (place / name).is_file()


def test_a_language_model_comes_along(run, model, write, tmp_path):
    place, links = model
    run("rules", "extract", place, "-l", links, "-q")
    out, back = tmp_path / "moses", tmp_path / "back"
    run("export", "moses", place, "-o", out)
    arpa = write("lm.arpa", ARPA)
    result = run("import", "moses", "--ini", out / "moses.ini", "--lm", arpa, "-o", back)
    assert result.returncode == 0, result.stderr
    assert (back / "lm" / "target.bin").is_file()
    assert "tm.fwd" in (back / "weights.toml").read_text()


def test_no_table_and_nothing_to_import(run, model, tmp_path):
    assert "no phrase table" in run("inspect", "phrases", model[0], "x").stderr
    assert "no model there" in run("inspect", "phrases", tmp_path, "x").stderr
    result = run("import", "moses", "-o", tmp_path / "m")
    assert "use --ini or --phrase-table" in result.stderr
    assert result.returncode == 2


def test_extract_needs_a_prepared_corpus(run, tmp_path):
    result = run("rules", "extract", tmp_path / "absent")
    assert result.returncode == 1
    assert "dragoman corpus prepare" in result.stderr
    assert not (tmp_path / "absent").exists()
