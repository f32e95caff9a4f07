"""``dragoman lm``: estimate, convert and mix language models, and score text with them."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from dragoman.cli import options
from dragoman.errors import UsageError

if TYPE_CHECKING:
    from dragoman.lm import Estimate, LanguageModel

app = typer.Typer(
    no_args_is_help=True,
    help="Estimate, convert and mix language models, and score text with them.\n\n"
    "Example: dragoman lm estimate train.en -o lm.bin",
)

_PIECE = 1 << 20  # bytes scored at once
# What separates tokens; str.split would also split at other white space, e.g. U+3000.
_ASCII_SPACE = re.compile(r"[ \t\n\r\v\f]+")
Number = TypeVar("Number", int, float)

Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A language model file.")]
Output = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="The language model to write.")
]


@app.command()
def estimate(
    texts: Annotated[
        list[Path],
        typer.Argument(
            metavar="TEXT", help="Text in tokens, a sentence a line; - is standard input."
        ),
    ],
    output: Output,
    order: Annotated[
        int, typer.Option(min=1, max=8, help="How many words the longest n-grams have.")
    ] = 5,
    arpa: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the model as an ARPA file as well.")
    ] = None,
    prune: Annotated[
        str,
        typer.Option(
            metavar="N,N,...",
            help="Leave out n-grams that occur this often or less: a number for each order, of "
            "which the first is 0 and the last holds for higher orders as well.",
        ),
    ] = "0",
    fallback: Annotated[
        str,
        typer.Option(
            "--discount-fallback",
            metavar="D1,D2,D3",
            help="The discounts of smoothing where the text is too small to estimate them.",
        ),
    ] = "0.5,1,1.5",
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="How much memory counts may take, e.g. 2G, before they go through files; "
            "without it, half of the machine's.",
        ),
    ] = None,
    spool: Annotated[
        Path | None,
        typer.Option(
            "--temporary", metavar="DIR", help="The folder for the files that counts go through."
        ),
    ] = None,
    threads: options.Threads = options.ALL_THREADS,
    cluster: options.Cluster = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Estimate an n-gram model with modified Kneser-Ney smoothing, as KenLM's lmplz does.

    Example: dragoman lm estimate --order 5 train.en -o lm.bin --arpa lm.arpa.gz
    """
    from dragoman import lm
    from dragoman.files import require_place
    from dragoman.progress import to_terminal

    progress = to_terminal(quiet or as_json)
    discounts = _numbers(fallback, "--discount-fallback", float)
    if len(discounts) != 3:
        raise UsageError(f"--discount-fallback takes three numbers, not {fallback!r}")
    if arpa is not None:
        require_place(arpa)
    result = lm.estimate(
        [sys.stdin.buffer if text == Path("-") else text for text in texts],
        output,
        order=order,
        prune=_numbers(prune, "--prune", int),
        fallback=(discounts[0], discounts[1], discounts[2]),
        memory=options.parse_size(memory) if memory is not None else None,
        spool=spool,
        threads=threads,
        cluster=cluster,
        progress=progress,
    )
    if arpa is not None:
        lm.write_arpa(lm.LanguageModel.open(output), arpa, progress=progress)
    if as_json:
        typer.echo(json.dumps({**asdict(result), "path": str(output)}, indent=2))
    elif not quiet:
        _print_estimate(result)


@app.command()
def score(
    model: Model,
    words: Annotated[bool, typer.Option("--words", help="Print the score of every word.")] = False,
    summary: Annotated[bool, typer.Option("--summary", help="Print the perplexity only.")] = False,
    threads: options.Threads = options.ALL_THREADS,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Score the lines of standard input; the perplexity follows on standard error.

    Prints, tab-separated, each line's log-probability (natural logarithm) and how many of its
    words are unknown; with --words, each word with the length of its n-gram and its score.

    Example: dragoman lm score lm.bin < test.en
    """
    from dragoman.lm import LanguageModel

    opened = LanguageModel.open(model)
    total = [0, 0, 0.0, 0.0]
    first_line = 1
    for piece in _pieces_of_stdin():
        scores = opened.native.score_text(piece, "standard input", first_line, threads)
        log_probs, unknowns = scores.log_probs, scores.unknowns
        first_line += len(log_probs)
        total[0] += scores.words
        total[1] += int(unknowns.sum())
        total[2] += float(log_probs.sum())
        total[3] += float(scores.unknown_log_probs.sum())
        if words:
            _print_words(opened, piece.decode().removesuffix("\n").split("\n"))
        elif not (summary or as_json):
            pairs = zip(log_probs.tolist(), unknowns.tolist(), strict=True)
            sys.stdout.write("".join(f"{value:.6f}\t{count}\n" for value, count in pairs))
    _print_perplexity(total, summary, as_json, quiet)


@app.command()
def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="FROM", help="A language model file, or an ARPA file, perhaps compressed."
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file to write; one that ends in .arpa or .arpa.gz becomes ARPA.",
        ),
    ],
    threads: options.Threads = options.ALL_THREADS,
    quiet: options.Quiet = False,
) -> None:
    """Turn ARPA of any toolkit into a model, or a model into ARPA.

    Example: dragoman lm convert srilm.arpa.gz -o lm.bin
    """
    from dragoman import lm
    from dragoman.progress import to_terminal

    progress = to_terminal(quiet)
    if output.suffixes[-1:] == [".arpa"] or output.suffixes[-2:] == [".arpa", ".gz"]:
        lm.write_arpa(lm.LanguageModel.open(source), output, progress=progress)
    else:
        lm.read_arpa(source, output, threads=threads, progress=progress)


@app.command()
def mix(
    models: Annotated[list[Path], typer.Argument(metavar="MODEL", help="Language model files.")],
    output: Output,
    heldout: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="Text in tokens; the weights are those under which it is likeliest.",
        ),
    ],
    weights: Annotated[
        str | None, typer.Option(metavar="W,W,...", help="Weights to use instead of tuned ones.")
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="How much memory n-grams may take, e.g. 2G, before they go through files; "
            "without it, half of the machine's.",
        ),
    ] = None,
    spool: Annotated[
        Path | None,
        typer.Option(
            "--temporary", metavar="DIR", help="The folder for the files that n-grams go through."
        ),
    ] = None,
    threads: options.Threads = options.ALL_THREADS,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Mix models into one, with weights tuned on held-out text.

    Example: dragoman lm mix small.bin large.bin --heldout dev.en -o lm.bin
    """
    from dragoman import lm
    from dragoman.corpus.read.lines import read_lines
    from dragoman.progress import to_terminal

    result = lm.mix(
        [lm.LanguageModel.open(model) for model in models],
        list(read_lines(heldout)),
        output,
        weights=_numbers(weights, "--weights", float) if weights is not None else None,
        memory=options.parse_size(memory) if memory is not None else None,
        spool=spool,
        threads=threads,
        progress=to_terminal(quiet or as_json),
    )
    if as_json:
        report = {
            "weights": result.weights,
            "perplexities": result.perplexities,
            "perplexity": result.perplexity.including_unknown,
        }
        typer.echo(json.dumps(report, indent=2))
    elif not quiet:
        for model, weight, value in zip(models, result.weights, result.perplexities, strict=True):
            typer.echo(f"{model}: weight {weight:.4f}, held-out perplexity {value:.2f}")
        typer.echo(f"{output}: held-out perplexity {result.perplexity.including_unknown:.2f}")


@app.command()
def info(
    model: Model,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Has no effect any more: the checksum is compared in any case."
        ),
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Say what a language model holds.

    Example: dragoman lm info lm.bin
    """
    from dragoman.lm import LanguageModel

    opened = LanguageModel.open(model)
    size = model.stat().st_size
    if as_json:
        report = {"order": opened.order, "counts": opened.counts, "bytes": size}
        typer.echo(json.dumps(report, indent=2))
        return
    typer.echo(f"order {opened.order}, {len(opened):,} words")
    for order, count in enumerate(opened.counts, 1):
        typer.echo(f"{order}-grams: {count:,}")
    typer.echo(f"{size:,} bytes, {size / sum(opened.counts):.1f} per n-gram")


def _numbers(text: str, option: str, kind: type[Number]) -> list[Number]:
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError as problem:
        raise UsageError(f"{option} takes numbers with commas between, not {text!r}") from problem


def _pieces_of_stdin() -> Iterator[bytes]:
    """Standard input in pieces of whole lines."""
    while piece := sys.stdin.buffer.read(_PIECE):
        yield piece + sys.stdin.buffer.readline()


def _print_words(model: LanguageModel, lines: list[str]) -> None:
    scores = model.score_words(lines)
    for line, begin, end in zip(lines, scores.offsets, scores.offsets[1:], strict=False):
        parts = [
            f"{word}\t{matched}\t{log_prob:.6f}\n"
            for word, matched, log_prob in zip(
                [*filter(None, _ASCII_SPACE.split(line)), "</s>"],
                scores.matched[int(begin) : int(end)],
                scores.log_probs[int(begin) : int(end)],
                strict=True,
            )
        ]
        sys.stdout.write("".join(parts) + "\n")


def _print_perplexity(total: list[float], summary: bool, as_json: bool, quiet: bool) -> None:
    from dragoman.lm import Perplexity

    result = Perplexity(int(total[0]), int(total[1]), total[2], total[3])
    if as_json:
        values = asdict(result) | {
            "perplexity": result.including_unknown if result.words else None,
            "perplexity_of_known": (
                result.excluding_unknown if result.words > result.unknown else None
            ),
        }
        typer.echo(json.dumps(values, indent=2))
    elif summary or not quiet:
        typer.echo(
            f"perplexity {result.including_unknown:.2f} including unknown words, "
            f"{result.excluding_unknown:.2f} without; {result.words:,} words, "
            f"{result.unknown:,} unknown",
            err=not summary,
        )


def _print_estimate(result: Estimate) -> None:
    typer.echo(f"{result.tokens:,} words in {result.sentences:,} sentences")
    for order, (count, values) in enumerate(zip(result.counts, result.discounts, strict=False), 1):
        typer.echo(
            f"{order}-grams: {count:,}  discounts {values.one:.3f} {values.two:.3f} "
            f"{values.more:.3f}"
        )
