"""The command line as a user meets it: exit codes, messages, help."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def corpus(write):
    source = write("s", "".join(f"the house number {n}\n" for n in range(100)))
    target = write("t", "".join(f"das Haus Nummer {n}\n" for n in range(100)))
    return "-s", source, "-t", target


def test_help_and_version(run):
    for arguments in ([], ["--help"], ["-h"]):
        result = run(*arguments)
        assert "Usage: dragoman" in result.stdout + result.stderr
    assert run("--version").stdout.startswith("dragoman ")
    for command in ("train", "corpus prepare"):
        shown = run(*command.split(), "--help").stdout
        assert "Example: dragoman" in " ".join(shown.split())


def test_prepare_and_show(run, corpus, tmp_path):
    model = tmp_path / "m"
    result = run("corpus", "prepare", *corpus, "-o", model, "--from", "en", "--to", "de")
    assert result.returncode == 0
    assert "train 90, dev 5, test 5 pairs" in result.stdout
    behind = run("corpus", "show", model, "--first", 9999)
    assert behind.returncode == 2 and "--first 9,999: there are only" in behind.stderr
    shown = run("corpus", "show", model, "--first", 2, "--count", 3)
    assert shown.stdout.count("\n") == 3
    assert "\tdas Haus Nummer" in shown.stdout


def test_json_is_json(run, corpus, tmp_path):
    result = run("corpus", "prepare", *corpus, "-o", tmp_path / "m", "--json")
    assert json.loads(result.stdout)["kept"] == 100
    assert result.stderr == ""
    plan = run("train", *corpus, "-o", tmp_path / "new", "--dry-run", "--json")
    assert json.loads(plan.stdout)[0] == {
        "stage": "prepare",
        "ran": True,
        "reason": "has not run yet",
        "seconds": 0.0,
        "bytes_written": 0,
        "peak_memory": 0,
        "processor": 0.0,
    }
    assert not (tmp_path / "new").exists()


def test_train_twice(run, corpus, tmp_path):
    assert "has not run yet" in run("train", *corpus, "-o", tmp_path / "m").stdout
    again = run("train", *corpus, "-o", tmp_path / "m")
    assert "up to date" in again.stdout
    quiet = run("train", *corpus, "-o", tmp_path / "m", "--quiet")
    assert quiet.stdout == quiet.stderr == ""


def test_configuration_file(run, corpus, tmp_path, write):
    config = write("c.toml", "[prepare]\ntokeniser = 'char'\n")
    assert run("train", *corpus, "-o", tmp_path / "m", "--config", config).returncode == 0
    assert "d a s ▁ H" in run("corpus", "show", tmp_path / "m").stdout
    # what is said on the command line goes before what is written in the file
    run("train", *corpus, "-o", tmp_path / "m", "--config", config, "--tokeniser", "whitespace")
    assert "das Haus" in run("corpus", "show", tmp_path / "m").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["train", "-o", "m"], 2, "no parallel text given"),
        (["train", "-s", "a", "-o", "m"], 2, "-s and -t are given 1 and 0 times"),
        (["train", "-s", "a", "-t", "a", "-o", "m"], 2, "a: is given as source and as target"),
        (["train", "-s", "s", "-t", "t", "-o", "m", "--lm-text", "absent"], 1, "absent: No such"),
        (["train", "-s", "absent", "-t", "t", "-o", "m"], 1, "absent: No such file"),
        (["train", "-s", "s", "-t", "t", "-o", "m", "--tokeniser", "x"], 2, "must be one of"),
        (["train", "-s", "s", "-t", "t", "-o", "m", "--from-stage", "x"], 2, "no stage 'x'"),
        (["train", "-s", "s", "-t", "t", "-o", "m", "--threads", "0"], 2, "threads"),
        (["corpus", "prepare", "--tsv", "s", "--columns", "one", "-o", "m"], 2, "two numbers"),
        (["corpus", "prepare", "--tsv", "s", "--columns", "0,1", "-o", "m"], 2, "from 1"),
        (["corpus", "prepare", "-s", "s", "-t", "t", "-o", "m", "--max-words", "0"], 2, "between"),
        (["corpus", "show", "s"], 1, "s"),
        (["nonsense"], 2, "nonsense"),
    ],
)
def test_mistakes_are_one_line_and_an_exit_code(run, tmp_path, write, arguments, code, message):
    write("s", "a\n")
    write("t", "x\n")
    result = run(*arguments, cwd=tmp_path, env={**os.environ, "COLUMNS": "200"})
    assert result.returncode == code
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "m" / "model.toml").exists()


def test_interrupt(tmp_path, write):
    line = "one two three four five six seven eight nine ten\n"
    source = write("s", "".join(f"{n} {line}" for n in range(300_000)))
    target = write("t", "".join(f"{n} or {line}" for n in range(300_000)))
    # Where a script runs tests in its background, the signal is ignored unless asked for.
    program = """
import runpy, signal

signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("dragoman", run_name="__main__")
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program, "train", "-s", source, "-t", target]
        + ["-o", str(tmp_path / "m")],
        stderr=subprocess.PIPE,
        text=True,
    )
    # Something has been written: it is at work and no longer importing what it works with.
    spool = tmp_path / "m" / ".unfinished" / "prepare" / "spool.tsv"
    while not (spool.exists() and spool.stat().st_size):
        time.sleep(0.01)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert "dragoman: stopped; nothing was done yet; the same command goes on" in errors
    assert not (tmp_path / "m" / ".unfinished").exists()


def test_interrupt_while_loading():
    program = """
import runpy, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "dragoman.cli.run":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
runpy.run_module("dragoman", run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


SAMPLES = {
    "--tsv": ("p.tsv", "hello\tbonjour\nbye\tsalut\n"),
    "--tmx": (
        "m.tmx",
        '<tmx><body><tu><tuv xml:lang="en"><seg>hello</seg></tuv>'
        '<tuv xml:lang="fr"><seg>bonjour</seg></tuv></tu></body></tmx>',
    ),
    "--po": ("m.po", 'msgid "hello"\nmsgstr "bonjour"\n'),
    "--xliff": (
        "x.xlf",
        '<xliff version="2.0" srcLang="en" trgLang="fr"><file><unit><segment>'
        "<source>hello</source><target>bonjour</target></segment></unit></file></xliff>",
    ),
}


@pytest.mark.parametrize("option", SAMPLES)
def test_every_format_is_prepared(run, tmp_path, write, option):
    path = write(*SAMPLES[option])
    model = tmp_path / "m"
    result = run("corpus", "prepare", option, path, "--from", "en", "--to", "fr", "-o", model)
    assert result.returncode == 0, result.stderr
    assert run("corpus", "show", model, "--count", 1).stdout == "hello\tbonjour\n"
