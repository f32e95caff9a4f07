"""``dragoman preorder``: source sentences in the order of the target language."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import options
from dragoman.cli.declared import Given, Offer, offering
from dragoman.errors import UsageError
from dragoman.preorder.config import PreorderConfig

if TYPE_CHECKING:
    from dragoman._core import Trees
    from dragoman.preorder.orders import Orders

app = typer.Typer(
    no_args_is_help=True,
    help="Put source sentences into the order of the target language.\n\n"
    "Example: dragoman preorder train -s train.ja -t train.en -o order",
)

Source = Annotated[
    Path, typer.Option("--source", "-s", metavar="FILE", help="Tokenised sentences, one a line.")
]
TreeFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Their parse trees: in brackets, one a line, or dependencies (CoNLL-U).",
    ),
]
LinkFile = Annotated[
    Path,
    typer.Option(
        "--links", "-l", metavar="FILE", help="Links to their translations, lines such as 0-0 1-2."
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="The file to write, instead of standard output."
    ),
]
OrderFile = Annotated[
    Path | None,
    typer.Option(
        "--orders",
        metavar="FILE",
        help="Write the orders to this file: the positions of the original words, from 0.",
    ),
]
Directory = Annotated[
    Path,
    typer.Argument(
        metavar="DIR", help="A folder that 'dragoman preorder train' has made, or a model."
    ),
]


_FORM = ("binarisation", "head_side")
_TRAINING = ("features", "weighting", "symmetry", "posterior_threshold", *_FORM)
_FLAGS = {"binarisation": "--binarise"}


@app.command()
@offering("given", Offer(PreorderConfig, only=_TRAINING, flags=_FLAGS))
def train(
    source: Source,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="DIR", help="The folder to write what is learnt to."
        ),
    ],
    target: Annotated[
        Path | None,
        typer.Option(
            "--target", "-t", metavar="FILE", help="Their translations, which are aligned first."
        ),
    ] = None,
    links: Annotated[
        Path | None,
        typer.Option(
            "--links",
            "-l",
            metavar="FILE",
            help="Links to their translations (0-0 1-2), instead of the translations.",
        ),
    ] = None,
    examples: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Links of the first pairs, made by hand (0-0 sure, 0?0 possible), to align by.",
        ),
    ] = None,
    trees: TreeFile = None,
    given: Given = {},  # noqa: B006 - stands for declared options
    threads: options.Threads = options.ALL_THREADS,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Learn how to reorder: from trees with --trees, without a parser otherwise.

    Example: dragoman preorder train -s train.ja -t train.en --trees train.ja.conllu -o order
    """
    from dragoman.alignment.links import Links
    from dragoman.alignment.score import read_gold
    from dragoman.corpus.read import read_lines
    from dragoman.declared import from_mapping
    from dragoman.preorder import learn_preordering, read_trees
    from dragoman.progress import to_terminal

    settings = given | {"method": "trees" if trees is not None else "btg"}
    config = from_mapping(PreorderConfig, settings, "option")
    read: Trees | None = None
    if trees is not None:
        read = read_trees(trees, binarisation=config.binarisation, head_side=config.head_side)
    report = learn_preordering(
        list(read_lines(source)),
        output,
        config,
        target=list(read_lines(target)) if target is not None else None,
        links=Links.read(links) if links is not None else None,
        examples=read_gold(examples) if examples is not None else (),
        trees=read,
        threads=threads,
        progress=to_terminal(quiet or as_json),
    )
    if report is None:
        return
    if as_json:
        typer.echo(json.dumps(asdict(report), indent=2))
    elif not quiet:
        if report.remark:
            print(f"dragoman: warning: {report.remark}", file=sys.stderr)
        print(
            f"{report.nodes:,} nodes: {report.turned:,} to turn over, {report.kept:,} to keep, "
            f"{report.ties:,} undecided; {report.features:,} features",
            file=sys.stderr,
        )


@app.command()
def apply(
    directory: Directory,
    input_file: Annotated[
        Path | None,
        typer.Option(
            "--input", "-i", metavar="FILE", help="The file to read, instead of standard input."
        ),
    ] = None,
    output: Output = None,
    trees: TreeFile = None,
    parser: Annotated[
        str, typer.Option(metavar="NAME", help="A spaCy pipeline that parses, instead of --trees.")
    ] = "",
    orders: OrderFile = None,
    threads: options.Threads = 1,
) -> None:
    """Put tokenised sentences into the learnt order.

    Example: dragoman preorder apply order -i test.ja --trees test.ja.trees -o test.reordered
    """
    from dragoman.corpus.read import read_lines
    from dragoman.preorder import load_preorderer

    preorderer = load_preorderer(directory, parser)
    lines = list(read_lines(input_file)) if input_file else sys.stdin.read().splitlines()
    read = preorderer.read_trees(trees) if trees is not None else None
    _write(lines, preorderer.orders(lines, read, threads=threads), output, orders)


@app.command()
@offering("given", Offer(PreorderConfig, only=_FORM, flags=_FLAGS))
def oracle(
    source: Source,
    links: LinkFile,
    trees: Annotated[Path, typer.Option(metavar="FILE", help="Their parse trees.")],
    output: Output = None,
    orders: OrderFile = None,
    given: Given = {},  # noqa: B006 - stands for declared options
) -> None:
    """Reorder aligned sentences as well as their trees allow.

    Example: dragoman preorder oracle -s dev.ja -l dev.links --trees dev.ja.trees -o dev.oracle
    """
    from dragoman.alignment.links import Links
    from dragoman.corpus.read import read_lines
    from dragoman.declared import from_mapping
    from dragoman.preorder import oracle_orders, oracle_scores, read_trees

    config = from_mapping(PreorderConfig, given, "option")
    lines = list(read_lines(source))
    read = read_trees(trees, binarisation=config.binarisation, head_side=config.head_side)
    if read.check_words(lines, str(trees)).any():
        raise UsageError(f"{trees}: some trees are empty; an oracle needs them all")
    _write(lines, oracle_orders(read, oracle_scores(read, Links.read(links))), output, orders)


@app.command()
def evaluate(
    directory: Directory,
    source: Source,
    links: LinkFile,
    trees: TreeFile = None,
    threads: options.Threads = 1,
    as_json: options.Json = False,
) -> None:
    """Measure how near orders come to the target's: Kendall's tau and the fuzzy reordering score.

    Example: dragoman preorder evaluate order -s dev.ja -l dev.links --trees dev.ja.trees
    """
    from dragoman.alignment.links import Links
    from dragoman.corpus.read import read_lines
    from dragoman.preorder import examine, load_preorderer

    preorderer = load_preorderer(directory)
    read = preorderer.read_trees(trees) if trees is not None else None
    result = examine(
        preorderer, list(read_lines(source)), Links.read(links), read, threads=threads
    )
    if as_json:
        typer.echo(json.dumps(asdict(result), indent=2))
        return
    for name, score in (
        ("before", result.before),
        ("after", result.after),
        ("oracle", result.oracle),
    ):
        if score is not None:
            typer.echo(f"{name:8}tau {score.tau:.4f}  fuzzy reordering {score.fuzzy:.4f}")
    if result.accuracy is not None:
        typer.echo(f"accuracy {100 * result.accuracy:.2f} %")
    typer.echo(f"{result.after.sentences:,} sentences with at least two aligned words")


def _write(lines: list[str], orders: Orders, output: Path | None, order_file: Path | None) -> None:
    from dragoman.files import written_whole

    text = "".join(f"{orders.apply(line, index)}\n" for index, line in enumerate(lines))
    if output is None:
        sys.stdout.write(text)
    else:
        with written_whole(output) as temporary:
            temporary.write_text(text, "utf-8")
    if order_file is not None:
        rows = "".join(
            f"{' '.join(map(str, orders[index].tolist()))}\n" for index in range(len(lines))
        )
        with written_whole(order_file) as temporary:
            temporary.write_text(rows, "utf-8")
