"""Documents through the command line."""

import pytest
from tests.documents.made import body, docx

from dragoman.cli.main import app_for
from dragoman.errors import DragomanError


def test_a_document_is_translated_and_written_whole(trained, write, tmp_path, run):
    bold = "<w:rPr><w:b/></w:rPr>"
    text = '<w:p><w:r><w:t xml:space="preserve">Where is </w:t></w:r>'
    text += f"<w:r>{bold}<w:t>the station</w:t></w:r><w:r><w:t>?</w:t></w:r></w:p>"
    letter, out = write("letter.docx", docx(text)), tmp_path / "brief.docx"
    done = run("translate", trained, letter, "-o", out)
    assert done.returncode == 0, done.stderr
    assert "1 passage translated" in done.stderr
    found = body(out.read_bytes())
    assert "gare" in found
    assert bold in found
    quiet = run("translate", trained, letter, "-o", out, "--quiet")
    assert (quiet.stdout, quiet.stderr) == ("", "")
    lines = write("lines.en", "Where is the station?\n")
    named = run("translate", trained, lines)
    assert named.stdout == run("translate", trained, "-i", lines).stdout
    assert "gare" in named.stdout
    page = write("a.page", "<p>Where is the station?</p>\n")
    assert run("translate", trained, page, "--format", "html").stdout.startswith("<p>Où est")


def test_who_gives_a_document_as_lines_is_told(trained, write, run):
    page = write("a.html", "<p>Where is the station?</p>\n")
    done = run("translate", trained, "-i", page)
    assert done.returncode == 0
    assert f"{page} is read line by line" in done.stderr
    assert f"dragoman translate {trained} {page}" in done.stderr
    assert run("translate", trained, "-i", page, "-q").stderr == ""
    assert run("translate", trained, page, "--format", "lines").stderr == ""
    assert run("translate", trained, "-i", write("a.txt", "Where?\n")).stderr == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.md", "--nbest", 3], "--nbest is for lines"),
        (["a.md", "--tokenised"], "--tokenised is for lines"),
        (["a.md", "--final"], "only po, xliff, tmx files have marks for review"),
        (["a.md", "-i", "a.md"], "not both"),
        (["--format", "html"], "name it behind the model"),
        (["a.md", "-o", "a.md"], "cannot be written at the same time"),
        (["a.md", "--format", "srt"], "should be the number of a subtitle"),
        (["none.docx"], "none.docx"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(
    trained, tmp_path, monkeypatch, arguments, message
):
    (tmp_path / "a.md").write_text("# A title\n")
    monkeypatch.chdir(tmp_path)
    words = ["translate", str(trained), *map(str, arguments)]
    with pytest.raises(DragomanError, match=message):
        app_for(words)(words, standalone_mode=False)
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]
