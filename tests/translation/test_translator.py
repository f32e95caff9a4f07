"""The one way a sentence takes: what is kept, what is refused, what comes of a problem."""

from types import SimpleNamespace

import pytest

from dragoman.errors import InputError, UsageError
from dragoman.search.options import ChartOptions, SearchOptions
from dragoman.translation.demands import Demands
from dragoman.translation.result import Wants
from dragoman.translation.source import text_passage
from dragoman.translation.terms import Terms
from dragoman.translation.translator import Translator


@pytest.fixture(scope="module")
def translator(trained):
    return Translator.open(trained)


QUESTION = "Where is the station?"


def test_the_last_few_searches_are_kept(translator):
    translator = translator.twin(threads=1)
    options = [SearchOptions(beam_limit=number + 1) for number in range(12)]
    made = [translator.search_with(one) for one in options]
    assert translator.search_with(options[-1]) is made[-1]
    kept = len(translator._searches)
    assert 1 < kept < 12
    # Those used last; what is used again is last again.
    oldest = options[-kept]
    assert translator.search_with(oldest) is made[-kept]
    translator.search_with(SearchOptions(beam_limit=99))
    assert translator.search_with(oldest) is made[-kept]
    assert translator.search_with(options[-kept + 1]) is not made[-kept + 1]
    assert len(translator._searches) == kept


def test_a_sentence_without_a_translation_stays_as_it_is(translator, monkeypatch):
    plain = translator.translate([QUESTION, "Good morning."])
    lines = translator.translate_lines([QUESTION])
    find = translator.search

    def refused(sentences, wants=None, **options):
        results = find(sentences, wants or Wants(), **options)
        broken = SimpleNamespace(error="cannot be done", found=False)
        return [
            broken if "station" in one.line.text else result
            for one, result in zip(sentences, results, strict=True)
        ]

    monkeypatch.setattr(translator, "search", refused)
    assert translator.translate([QUESTION, "Good morning."]) == [QUESTION, plain[1]]
    assert translator.translate(f"Good morning. {QUESTION}") == f"{plain[1]} {QUESTION}"
    assert translator.translate_lines([QUESTION]) == [""] != lines
    with pytest.raises(InputError, match="cannot be done"):
        translator.nbest(QUESTION)
    (found,) = translator.find([translator.source_of(QUESTION)])
    assert found.best.problem == "cannot be done"
    assert found.prepared.line.text == translator.prepare(translator.source_of(QUESTION)).line.text
    assert found.best.text == ""


def test_what_was_not_found_and_has_no_error_has_a_problem(translator):
    prepared = translator.prepare(translator.source_of(QUESTION))
    found = translator.finish(prepared, SimpleNamespace(error="", found=False))
    assert found.best.problem == "no translation found"
    assert found.nbest == ()


def test_lists_have_the_size_asked_for(trained):
    # A list has no more than its search has kept.
    translator = Translator.open(trained, options=SearchOptions(ttable_threshold=100))
    best = translator.translate_lines([QUESTION])[0]
    for size in (1, 3):
        found = translator.nbest(QUESTION, size)
        assert len(found) == size
        assert found[0].text == best
        assert [one.score for one in found] == sorted((o.score for o in found), reverse=True)
    assert len(translator.nbest(QUESTION)) == 10
    texts = [one.text for one in translator.nbest(QUESTION, 10)]
    assert len(set(texts)) == 10
    for wrong in (0, -1):
        with pytest.raises(UsageError, match=f"at least 1, not {wrong}"):
            translator.nbest(QUESTION, wrong)


def test_terms_in_every_form(translator, write):
    expected = translator.translate(QUESTION, terms={"station": "Zentrale"})
    assert "Zentrale" in expected
    path = write("terms.tsv", "station\tZentrale\n")
    made = Terms.of([("station", "Zentrale", None)], translator.form)
    for terms in (
        [("station", "Zentrale")],
        [["station", "Zentrale"]],
        (("station", "Zentrale", None),),
        path,
        str(path),
        made,
    ):
        assert translator.translate(QUESTION, terms=terms) == expected
    assert "Zentrale" not in translator.translate(QUESTION, terms=[("station", "Zentrale", 1e-9)])
    for wrong in (3, [("a",)], [("a", "b", 0.5, 1)], [("a", 3)], ["ab"], [(3, "a")]):
        with pytest.raises(UsageError):
            translator.translate(QUESTION, terms=wrong)


def test_options_of_the_wrong_kind_are_refused(trained):
    with pytest.raises(UsageError, match="options must be"):
        Translator.open(trained, options={"beam_limit": 3})
    with pytest.raises(UsageError):
        Translator.open(trained, options=ChartOptions())


def test_markup_and_corrections_only_when_asked(translator):
    marked = '<t term="Zentrale">station</t>'
    assert "Zentrale" in translator.translate(marked, markup=True)
    assert "<t term" in translator.translate(marked)
    assert translator.demands() == Demands()
    assert translator.demands(corrections=True).corrections is translator.corrections
    assert translator.demands(markup=True).markup is True
    # Markup that goes over a line's sentences is not cut through.
    both = '<t term="X Y">One. Two</t> three.'
    assert "X Y" in translator.translate(both, markup=True)


def test_one_text_is_a_text_and_many_are_many(translator):
    one = translator.translate(QUESTION)
    assert translator.translate([QUESTION]) == [one]
    assert translator.translate([]) == []
    assert translator.translate_passages([text_passage(QUESTION)]) == [one]
