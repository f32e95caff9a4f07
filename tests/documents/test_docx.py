"""DOCX files: paragraphs are translated, formatting goes along, the rest stays."""

import io
import re
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.documents.made import LANGUAGES, backwards, body, docx, echo, part, shout
from tests.documents.made import W as NAMESPACE

from dragoman.documents.docx import translate_docx
from dragoman.documents.docx_text import PartText
from dragoman.documents.xml_file import document_of
from dragoman.errors import InputError

BOLD = "<w:rPr><w:b/></w:rPr>"


def run(text, style="", attributes=""):
    return f'<w:r{attributes}>{style}<w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*runs, properties=""):
    return f"<w:p>{properties}{''.join(runs)}</w:p>"


def translated(write, content, translate=shout):
    return translate_docx(write("a.docx", content), LANGUAGES, translate, False)


def test_runs_that_look_alike_are_one_sentence(write):
    ours = paragraph(
        run("Where is ", attributes=' w:rsidR="1"'),
        "<w:proofErr w:type='gramStart'/>",
        run("the", style='<w:rPr><w:lang w:val="en-US"/></w:rPr>'),
        run(" station?"),
        properties='<w:pPr><w:jc w:val="center"/></w:pPr>',
    )
    done = translated(write, docx(ours))
    assert done.filled == 1
    assert body(done.content) == paragraph(
        run("WHERE IS THE STATION?"), properties='<w:pPr><w:jc w:val="center"/></w:pPr>'
    )


def test_formatting_goes_with_the_words_it_marks(write):
    ours = paragraph(run("a "), run("b", BOLD), run(" c d e &amp; f"))
    assert body(translated(write, docx(ours)).content) == paragraph(
        run("A "), run("B", BOLD), run(" C D E &amp; F")
    )
    # The end of the bold words came before their beginning: it is turned round.
    turned = body(translated(write, docx(ours), backwards).content)
    assert run("b", BOLD) in turned
    assert turned.count("<w:b/>") == 1


def test_links_breaks_pictures_and_notes_keep_their_places(write):
    link = '<w:hyperlink r:id="rId4">'
    note = '<w:r><w:rPr/><w:footnoteReference w:id="2"/></w:r>'
    ours = paragraph(
        '<w:bookmarkStart w:id="0" w:name="x"/>',
        run("see "),
        link + run("this page", BOLD) + "</w:hyperlink>",
        note,
        "<w:r><w:br/></w:r>",
        run("more text here, and more"),
        '<w:bookmarkEnd w:id="0"/>',
    )
    assert body(translated(write, docx(ours)).content) == paragraph(
        '<w:bookmarkStart w:id="0" w:name="x"/>',
        run("SEE "),
        link + run("THIS PAGE", BOLD) + "</w:hyperlink>",
        note,
        "<w:r><w:br/></w:r>",
        run("MORE TEXT HERE, AND MORE"),
        '<w:bookmarkEnd w:id="0"/>',
    )


def test_words_that_a_translation_brings_along_are_plain(write):
    # Most letters are bold, and yet the plain ones need no marks.
    ours = paragraph(run("My father. "), run("He is much richer than him.", BOLD))
    assert body(translated(write, docx(ours)).content) == paragraph(
        run("MY FATHER. "), run("HE IS MUCH RICHER THAN HIM.", BOLD)
    )
    hardly = paragraph(run("a", BOLD), run(" b c d e f g", "<w:rPr><w:i/></w:rPr>"), run(" h"))
    passage = PartText(document_of(part(docx(hardly)).encode(), write("x", "")), "x").passages()[0]
    (sentence,) = passage.cut().sentences
    assert re.fullmatch(r"(\S)a(\S) b c d e f g \S?h", sentence.text.replace("\U000f0003", ""))


def test_marks_of_notes_stay_behind_their_words(write):
    note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    deleted = '<w:del w:id="1"><w:r><w:delText>old </w:delText></w:r></w:del>'
    ours = paragraph(run("One ends."), note, run(" Two"), note, run(" is "), deleted, run("here."))
    passages = []

    def seen(given):
        passages.extend(given)
        return shout(given)

    done = translated(write, docx(ours + paragraph(run("Three."), note)), seen)
    sentences = [s for one in passages for s in one.cut().sentences]
    # A note behind a sentence is no part of it.
    assert [len(one.text.split()) for one in sentences] == [2, 3, 1]
    assert [one.text for one in sentences][::2] == ["One ends.", "Three."]
    assert body(done.content) == paragraph(
        run("ONE ENDS."), note, run(" TWO"), note, run(" IS "), deleted, run("HERE.")
    ) + paragraph(run("THREE."), note)


def test_paragraphs_inside_paragraphs(write):
    inner = paragraph(run("inner text"))
    box = f"<w:r><w:pict><w:txbxContent>{inner}</w:txbxContent></w:pict></w:r>"
    done = translated(write, docx(paragraph(run("outer text"), box)))
    assert done.filled == 2
    assert body(done.content) == paragraph(
        run("OUTER TEXT"), box.replace("inner text", "INNER TEXT")
    )


def test_fields_are_kept_but_the_text_of_links(write):
    def field(kind):
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    def whole(instruction, result):
        told = f"<w:r><w:instrText>{instruction}</w:instrText></w:r>"
        return field("begin") + told + field("separate") + result + field("end")

    page = whole(" PAGE ", run("seven"))
    link = whole(' HYPERLINK "http://a.b" ', run("the page"))
    ours = paragraph(run("on "), page, run(" see "), link)
    assert body(translated(write, docx(ours)).content) == paragraph(
        run("ON "), page, run(" SEE "), link.replace("the page", "THE PAGE")
    )


def test_what_has_no_words_stays_byte_by_byte(write):
    kept = paragraph(run("— 12 —".replace("12", "")), "<w:proofErr/>") + "<w:p/>"
    table = f"<w:tbl><w:tr><w:tc>{paragraph(run('cell'))}</w:tc></w:tr></w:tbl>"
    content = docx(kept + table, header=paragraph(run("head")), extra={"word/a.png": b"\0\1" * 99})
    done = translated(write, content)
    assert body(done.content) == kept + table.replace("cell", "CELL")
    assert "HEAD" in part(done.content, "word/header1.xml")
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(io.BytesIO(done.content)) as new,
    ):
        assert old.namelist() == new.namelist()
        assert new.read("word/a.png") == b"\0\1" * 99
        assert [one.date_time for one in old.infolist()] == [
            one.date_time for one in new.infolist()
        ]
    assert translated(write, content).content == done.content


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.text(st.sampled_from("ab .!<&"), max_size=6),
            st.sampled_from(["", BOLD, "<w:rPr><w:i/></w:rPr>"]),
            st.booleans(),
        ),
        max_size=6,
    ),
    st.sampled_from([echo, shout, backwards]),
)
def test_no_text_is_lost_whatever_the_runs(tmp_path_factory, runs, translate):
    from html import escape

    path = tmp_path_factory.mktemp("docx") / "a.docx"
    inside = "".join(
        f"<w:hyperlink>{run(escape(text), style)}</w:hyperlink>"
        if linked
        else run(escape(text), style)
        for text, style, linked in runs
    )
    path.write_bytes(docx(paragraph(inside)))
    out = body(translate_docx(path, LANGUAGES, translate, False).content)
    for name in ("<w:hyperlink>", "</w:hyperlink>"):
        words = any(any(map(str.isalnum, text)) for text, _, _ in runs)
        assert out.count(name) == sum(linked for _, _, linked in runs) or not words

    def letters(xml):
        return sorted(re.sub(r"<[^<>]*>|&\w+;|\s", "", xml).lower())

    assert letters(out) == letters(body(docx(paragraph(inside))))


def test_damaged_files_and_bombs(write):
    sound = docx(paragraph(run("a")))
    with pytest.raises(InputError, match=r"a\.docx: no DOCX file, or cut"):
        translated(write, sound[: len(sound) // 2])
    with pytest.raises(InputError, match="no DOCX file, or cut"):
        translated(write, b"")
    with pytest.raises(InputError, match="old format or with a password"):
        translated(write, b"\xd0\xcf\x11\xe0" + bytes(100))
    flipped = bytearray(sound)
    place = sound.index(b"word/document.xml") + 40
    flipped[place] ^= 0xFF
    with pytest.raises(InputError, match=r"a\.docx"):
        translated(write, bytes(flipped))
    with pytest.raises(InputError, match="malformed XML"):
        translated(write, docx("<w:p>"))
    with pytest.raises(InputError, match="entities"):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("[Content_Types].xml", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
        translated(write, out.getvalue())
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a", "b")
    with pytest.raises(InputError, match="a ZIP archive, but no DOCX file"):
        translated(write, out.getvalue())
    deep = "<w:ins>" * 3000 + run("a") + "</w:ins>" * 3000
    with pytest.raises(InputError, match="nested too deep"):
        translated(write, docx(paragraph(deep)))


def test_what_unpacks_to_too_much_is_refused(write, monkeypatch):
    from dragoman.documents import docx as module

    monkeypatch.setattr(module, "MOST_PART", 10_000)
    monkeypatch.setattr(module, "MOST_WHOLE", 10_000)
    with pytest.raises(InputError, match=r"word/document\.xml in it unpacks to more than 10,000"):
        translated(write, docx(" " * 100_000 + paragraph(run("a"))))
    monkeypatch.setattr(module, "MOST_ELEMENTS", 100)
    with pytest.raises(InputError, match=r"a\.docx: has more than 100 elements in one part"):
        translated(write, docx("<w:p/>" * 101))
    with pytest.raises(InputError, match=r"word/b in it unpacks to more than"):
        translated(write, docx(paragraph(run("a")), extra={"word/b": bytes(100_000)}))


def test_another_prefix_and_drawings_own_paragraphs(write):
    content = docx(paragraph(run("text")) + '<a:p xmlns:a="urn:a"><a:t>kept</a:t></a:p>')
    done = body(translated(write, content).content)
    assert "TEXT" in done
    assert "kept" in done
    assert NAMESPACE in part(content)
    assert not re.search("<w:t[^>]*>text", done)
