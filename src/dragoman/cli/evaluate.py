"""``dragoman evaluate``: how good are these translations, and is the difference real?"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from dragoman.cli import options
from dragoman.errors import FileError, UsageError

if TYPE_CHECKING:
    from dragoman.evaluation.metric import MetricName, Score
    from dragoman.evaluation.scores import MetricResult

# The page shows this many of the worst and of the best sentences.
PAGE_SENTENCES = 100


def evaluate(
    hypothesis: Annotated[
        Path | None,
        typer.Option(
            "--hyp", metavar="FILE", help="The translations to score, a sentence a line."
        ),
    ] = None,
    reference: Annotated[
        list[Path] | None,
        typer.Option("--ref", metavar="FILE", help="Their references; may be repeated."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The source text, to be shown on the page.")
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Other translations to compare with.")
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="bleu, chrf, ter or ribes; all when not given.")
    ] = None,
    lowercase: Annotated[
        bool, typer.Option("--lowercase", help="Take no notice of capitals.")
    ] = False,
    tokenize: Annotated[
        str, typer.Option(help="sacrebleu's tokeniser for BLEU; none for tokens.")
    ] = "13a",
    trials: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="How often --baseline resamples.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the resampling.")] = 1,
    page: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Show the sentences side by side on a page."),
    ] = None,
    orders: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            metavar="ORDERS GOLD",
            help="Instead of translations: word orders (numbers, an order a line) and the right "
            "ones.",
        ),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Score translations against references, or word orders against the right ones.

    Example: dragoman evaluate --hyp out.fr --ref test.fr --baseline moses.fr --html page.html
    """
    from dragoman.corpus.read import read_lines
    from dragoman.evaluation import scores
    from dragoman.evaluation.metric import ALL_METRICS

    if orders is not None:
        if hypothesis is not None or reference:
            raise UsageError("--orders is scored by itself, without --hyp and --ref")
        _print_orders(*orders, as_json)
        return
    if hypothesis is None or not reference:
        raise UsageError("give translations with --hyp and references with --ref")
    hypotheses = list(read_lines(hypothesis))
    references = [list(read_lines(path)) for path in reference]
    rivals = list(read_lines(baseline)) if baseline else None
    sources = list(read_lines(source)) if source else None
    for path, lines in ((baseline, rivals), (source, sources)):
        if lines is not None and len(lines) != len(hypotheses):
            raise UsageError(
                f"{hypothesis} has {len(hypotheses):,} lines but {path} has {len(lines):,}"
            )

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
        typer.echo(
            json.dumps(
                [
                    asdict(one.score)
                    | ({"comparison": asdict(one.comparison)} if one.comparison else {})
                    for one in results
                ],
                indent=2,
            )
        )
    else:
        _print_table(results)
    if page is not None:
        _write_page(page, hypothesis.name, list(found), hypotheses, references, sources, rivals)


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
    title: str,
    scores: list[Score],
    hypotheses: list[str],
    references: list[list[str]],
    sources: list[str] | None,
    rivals: list[str] | None,
) -> None:
    from dragoman.evaluation.metrics import make_metric
    from dragoman.files import written_whole
    from dragoman.report.comparison_html import SentenceRow, comparison_page

    ranking = make_metric("chrf")
    per_sentence = [ranking.score(row) for row in ranking.rows(hypotheses, references)]
    order = sorted(range(len(hypotheses)), key=lambda i: (per_sentence[i], i))
    # Each sentence once: the worse half is the most that "worst" may take.
    worst = order[: min(PAGE_SENTENCES, (len(order) + 1) // 2)]
    best = order[len(worst) :][-PAGE_SENTENCES:][::-1]

    def row(i: int) -> SentenceRow:
        return SentenceRow(
            number=i + 1,
            score=per_sentence[i],
            hypothesis=hypotheses[i],
            reference=references[0][i],
            source=sources[i] if sources else None,
            baseline=rivals[i] if rivals else None,
        )

    sections = [("Worst", [row(i) for i in worst]), ("Best", [row(i) for i in best])]
    try:
        with written_whole(page) as temporary:
            temporary.write_text(
                comparison_page(f"Evaluation of {title}", scores, sections), "utf-8"
            )
    except OSError as problem:
        raise FileError.of(problem, page) from problem
