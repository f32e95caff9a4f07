"""``dragoman evaluate``: how good are these translations, and is the difference real?"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from dragoman.cli import options
from dragoman.errors import FileError, UsageError

if TYPE_CHECKING:
    from dragoman.evaluation.metric import MetricName
    from dragoman.evaluation.scores import MetricResult
    from dragoman.evaluation.unknown_words import UnknownWords
    from dragoman.progress import Progress


def _named_by_option(files: list[str]) -> str:
    return (
        f"{files[0]}: say what this file is by an option: -s for source text, -r for references, "
        "--hyp for translations that are there already"
    )


# The page shows this many of the worst and of the best sentences.
PAGE_SENTENCES = 100


def evaluate(
    model: Annotated[
        Path | None,
        typer.Argument(
            metavar="MODEL",
            help="A model to score, which translates --source first; without it, give --hyp.",
            show_default=False,
        ),
    ] = None,
    hypothesis: Annotated[
        Path | None, typer.Option("--hyp", metavar="FILE", help="Translations to score.")
    ] = None,
    reference: Annotated[
        list[Path] | None,
        typer.Option(
            "--ref",
            "-r",
            metavar="FILE",
            help="Translations by people (references); may be repeated.",
        ),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(
            "--source",
            "-s",
            metavar="FILE",
            help="The source text, for MODEL to translate or for the page to show.",
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Translations, or another model, to compare with."),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[bleu|chrf|ter|ribes]",
            help="A score to compute, all of them unless you say; may be repeated.",
        ),
    ] = None,
    lowercase: Annotated[bool, typer.Option("--lowercase", help="Ignore capitals.")] = False,
    tokenize: Annotated[
        str,
        typer.Option(help="How sacrebleu tokenises text for BLEU; none: it is tokenised already."),
    ] = "13a",
    trials: Annotated[
        int,
        typer.Option(
            min=1,
            max=1_000_000,
            help="How often the test set is drawn anew to compare with --baseline.",
        ),
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The seed of these drawings.")] = 1,
    page: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", help="Write a page that shows sentences side by side."
        ),
    ] = None,
    output_file: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the translations of MODEL to this file."
        ),
    ] = None,
    orders: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            metavar="ORDERS GOLD",
            help="Score word orders (numbers, an order a line) against the right ones, instead of "
            "translations.",
        ),
    ] = None,
    threads: options.Threads = 1,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    misplaced: Annotated[list[str] | None, options.misplaced(_named_by_option)] = None,
) -> None:
    """Score a model, translations or word orders against references.

    Example: dragoman evaluate model -s test.en -r test.fr --baseline other --html page.html

    Example: dragoman evaluate --hyp out.fr --ref test.fr --baseline moses.fr
    """
    from dragoman.corpus.read import read_lines
    from dragoman.evaluation import scores
    from dragoman.evaluation.metric import ALL_METRICS
    from dragoman.files import require_place, written_whole
    from dragoman.model.directory import ModelDirectory
    from dragoman.progress import to_terminal

    if orders is not None:
        if hypothesis is not None or reference or model is not None:
            raise UsageError("--orders is scored by itself, without MODEL, --hyp and --ref")
        _print_orders(*orders, as_json)
        return
    if not reference:
        raise UsageError("give references with --ref")
    if model is None and hypothesis is None:
        raise UsageError("give a model and its --source, or translations with --hyp")
    if model is not None and (hypothesis is not None or source is None):
        raise UsageError("a model translates --source: give that, and no --hyp")
    if model is None and output_file is not None:
        raise UsageError("--output is for what a model translates")
    for place in (page, output_file):
        if place is not None:
            require_place(place)
    references = [list(read_lines(path)) for path in reference]
    sources = list(read_lines(source)) if source else None
    bar = to_terminal(quiet or as_json)
    if tokenize != "none" and _looks_tokenised(references[0]):
        bar.message(f"{reference[0]} looks tokenised; --tokenize none scores tokens as they are")
    unknown = None
    if model is not None and sources is not None:
        for path, lines in zip(reference, references, strict=True):
            _same_length(source, sources, path, lines)
        hypotheses, unknown = _translated(model, sources, threads, bar)
        if output_file is not None:
            with written_whole(output_file) as temporary:
                temporary.write_text("".join(f"{line}\n" for line in hypotheses), "utf-8")
    elif hypothesis is not None:
        hypotheses = list(read_lines(hypothesis))
        if sources is not None:
            _same_length(hypothesis, hypotheses, source, sources)
    rivals = None
    if baseline is not None:
        if ModelDirectory(baseline).exists():
            if sources is None:
                raise UsageError(f"{baseline} is a model: give the --source to translate")
            rivals, _ = _translated(baseline, sources, threads, bar)
        else:
            rivals = list(read_lines(baseline))
            _same_length(hypothesis or model, hypotheses, baseline, rivals)
    found = scores.evaluate(
        hypotheses,
        references,
        metrics=cast("list[MetricName]", metric or list(ALL_METRICS)),
        baseline=rivals,
        lowercase=lowercase,
        tokenize=tokenize,
        trials=trials,
        seed=seed,
    )
    results = list(found.results.values())
    if as_json:
        typer.echo(json.dumps(_as_mapping(results, unknown), indent=2))
    else:
        _print_table(results)
        if unknown is not None:
            typer.echo(str(unknown))
    if page is not None:
        name = (hypothesis or model or Path()).resolve().name
        rival = baseline.resolve().name if baseline is not None else ""
        told = _Told(name, hypotheses, references, sources, rivals, rival, unknown)
        _write_page(page, results, told)


def _looks_tokenised(lines: list[str]) -> bool:
    """Whether most sentences that end in a full stop have a space before it."""
    ends = [line[-2:] for line in map(str.rstrip, lines) if line.endswith(".")]
    return 2 * sum(end == " ." for end in ends) > len(ends)


@dataclass(frozen=True)
class _Told:
    """What was scored."""

    name: str
    hypotheses: list[str]
    references: list[list[str]]
    sources: list[str] | None
    rivals: list[str] | None
    rival: str  # the name of the baseline
    unknown: UnknownWords | None


def _translated(
    model: Path, sources: list[str], threads: int, progress: Progress
) -> tuple[list[str], UnknownWords]:
    from dragoman.evaluation.model_scores import translated_by_model

    return translated_by_model(model, sources, threads=threads, progress=progress)


def _same_length(
    one: Path | None, lines: list[str], other: Path | None, others: list[str]
) -> None:
    if len(lines) != len(others):
        raise UsageError(f"{one} has {len(lines):,} lines but {other} has {len(others):,}")


def _as_mapping(results: list[MetricResult], unknown: UnknownWords | None) -> Any:
    found = [
        asdict(one.score) | ({"comparison": asdict(one.comparison)} if one.comparison else {})
        for one in results
    ]
    return found if unknown is None else {"scores": found, "unknown": asdict(unknown)}


def _print_orders(orders: Path, gold: Path, as_json: bool) -> None:
    from dragoman.evaluation.reorder_scores import compare_orders

    tau, fuzzy = compare_orders(orders, gold)
    if as_json:
        typer.echo(json.dumps({"kendall_tau": tau, "fuzzy_reordering_score": fuzzy}, indent=2))
        return
    typer.echo(f"Kendall's tau           {tau:.4f}\nfuzzy reordering score  {fuzzy:.4f}")


def _print_table(results: list[MetricResult]) -> None:
    from rich.console import Console
    from rich.table import Table

    compared = any(one.comparison for one in results)
    table = Table("metric", box=None, pad_edge=False)
    headings = ["score"] + (["baseline", "difference (95 %)", "p AR", "p boot"] * compared)
    for heading in headings:
        table.add_column(heading, justify="right")
    for one in results:
        score, against = one.score, one.comparison
        row = [score.metric, f"{score.value:.2f}"]
        if against is not None:
            low, high = against.interval
            row += [
                f"{against.baseline:.2f}",
                f"{against.system - against.baseline:+.2f} ({low:+.2f} to {high:+.2f})",
                f"{against.p_randomisation:.3f}",
                f"{against.p_bootstrap:.3f}",
            ]
        table.add_row(*row)
    console = Console()
    console.print(table)
    for one in results:
        signature = f"{one.score.metric}: {one.score.signature}"
        console.print(signature, style="dim", highlight=False)


def _write_page(
    page: Path,
    results: list[MetricResult],
    told: _Told,
) -> None:
    from dragoman.evaluation.metrics import make_metric
    from dragoman.files import written_whole
    from dragoman.report.comparison_html import SentenceRow, comparison_page

    ranking = make_metric("chrf")
    rows = ranking.rows(told.hypotheses, told.references)
    per_sentence = [ranking.score(row) for row in rows]
    order = sorted(range(len(told.hypotheses)), key=lambda i: (per_sentence[i], i))
    # Each sentence once: the worse half is the most that "worst" may take.
    worst = order[: min(PAGE_SENTENCES, (len(order) + 1) // 2)]
    best = order[len(worst) :][-PAGE_SENTENCES:][::-1]

    def row(i: int) -> SentenceRow:
        return SentenceRow(
            number=i + 1,
            score=per_sentence[i],
            hypothesis=told.hypotheses[i],
            reference=told.references[0][i],
            source=told.sources[i] if told.sources else None,
            baseline=told.rivals[i] if told.rivals else None,
        )

    sections = [("Worst", [row(i) for i in worst]), ("Best", [row(i) for i in best])]
    text = comparison_page(
        f"Evaluation of {told.name}", results, sections, baseline=told.rival, unknown=told.unknown
    )
    try:
        with written_whole(page) as temporary:
            temporary.write_text(text, "utf-8")
    except OSError as problem:
        raise FileError.of(problem, page) from problem
