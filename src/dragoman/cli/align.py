"""``dragoman align``: which words translate each other?"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from dragoman.alignment.config import AlignConfig
from dragoman.cli import options
from dragoman.cli.declared import Given, Offer, offering
from dragoman.errors import FileError, UsageError

if TYPE_CHECKING:
    from dragoman.alignment import Links
    from dragoman.progress import Progress


@offering(
    "given",
    Offer(
        AlignConfig,
        only=("symmetry", "posterior_threshold", "model1_iterations", "hmm_iterations"),
        flags={"posterior_threshold": "--threshold"},
    ),
)
def align(
    source: Annotated[
        Path,
        typer.Option("--source", "-s", metavar="FILE", help="Tokenised sentences, one a line."),
    ],
    target: Annotated[
        Path,
        typer.Option("--target", "-t", metavar="FILE", help="Their translations, line by line."),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file to write, instead of standard output."
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="An aligner to use instead of training one."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="The folder to keep the trained aligner in, for --model."
        ),
    ] = None,
    examples: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Links of the first pairs, made by hand; the aligner keeps to them and learns "
            "from them.",
        ),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Links of the last pairs, made by hand, to print the error rate against.",
        ),
    ] = None,
    show: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Draw the links of pair N and print nothing else."),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw into this SVG file instead (with --show)."),
    ] = None,
    given: Given = {},  # noqa: B006 - stands for declared options
    threads: options.Threads = options.ALL_THREADS,
    cluster: options.Cluster = None,
    quiet: options.Quiet = False,
) -> None:
    """Link the words of sentence pairs: a line of links such as 0-0 1-2 for each pair.

    Example: dragoman align -s train.en -t train.fr -o train.links --save aligner
    """
    from dragoman.corpus.read import ParallelFile, read_pairs
    from dragoman.declared import from_mapping
    from dragoman.files import require_place
    from dragoman.progress import to_terminal

    if model is not None and save is not None:
        raise UsageError("--save keeps a trained aligner; with --model none is trained")
    if model is not None and examples is not None:
        raise UsageError("--examples are for training; with --model nothing is trained")
    if cluster is not None and (model is not None or examples is not None):
        raise UsageError("--cluster is for training without --examples")
    if svg is not None and show is None:
        raise UsageError("--svg draws one pair; say which with --show")
    for path in (output, svg):
        if path is not None:
            require_place(path)
    sweeps = given.keys() & {"model1_iterations", "hmm_iterations"}
    if model is not None and sweeps:
        raise UsageError("sweeps are for training; with --model nothing is trained")
    config = from_mapping(AlignConfig, given, "option")
    pairs = read_pairs([ParallelFile.plain(source, target)])
    progress = to_terminal(quiet)
    if model is not None:
        from dragoman.alignment import Aligner, Links

        parts = list(
            Aligner.load(model).align_text(
                pairs,
                symmetry=config.symmetry,
                threshold=config.posterior_threshold,
                threads=threads,
            )
        )
        links = Links.concatenate(parts)
    else:
        links = _train(pairs, config, examples, save, output, threads, cluster, progress)
    if gold is not None:
        _print_score(links, gold)
    if show is not None:
        _draw(source, target, links, show, svg)
    elif output is not None or gold is None:
        with _opened(output) as file:
            links.write(file)


def _train(
    pairs: Iterator[tuple[str, str]],
    config: AlignConfig,
    examples: Path | None,
    save: Path | None,
    output: Path | None,
    threads: int,
    cluster: str | None,
    progress: Progress,
) -> Links:
    from dragoman.alignment import read_gold, train
    from dragoman.alignment.aligner import train_with
    from dragoman.corpus.bitext import BitextFiles, write_bitext

    if cluster is not None:
        # Workers must see it; where the output goes is the best guess.
        place = output.parent if output is not None else Path.cwd()
        trained = train_with(cluster, pairs, config, place, threads=threads, progress=progress)
    else:
        with tempfile.TemporaryDirectory(prefix="dragoman-align-") as directory:
            own = Path(directory)
            files = BitextFiles(*(own / name for name in ("bitext", "source", "target")))
            write_bitext(pairs, files.bitext, files.source_vocabulary, files.target_vocabulary)
            trained = train(
                files.open(),
                config,
                examples=read_gold(examples) if examples is not None else (),
                threads=threads,
                progress=progress,
            )
    if save is not None:
        trained.aligner.save(save)
    return trained.links


def _print_score(links: Links, gold: Path) -> None:
    from dragoman.alignment import read_gold, score

    hand_made = read_gold(gold)
    if len(hand_made) > len(links):
        raise UsageError(
            f"{gold} has {len(hand_made):,} pairs, but only {len(links):,} are aligned"
        )
    result = score(links.slice(len(links) - len(hand_made), len(links)), hand_made)
    print(
        f"AER {result.aer:.4f}  precision {result.precision:.4f}  recall {result.recall:.4f}  "
        f"({result.links:,} links, {result.sure:,} sure ones by hand)",
        file=sys.stderr,
    )


def _draw(source: Path, target: Path, links: Links, number: int, svg: Path | None) -> None:
    from itertools import islice

    from dragoman.alignment.matrix import matrix
    from dragoman.corpus.read import read_lines
    from dragoman.files import written_whole
    from dragoman.report.alignment_svg import alignment_svg

    if number > len(links):
        raise UsageError(f"--show {number}: there are only {len(links):,} pairs")
    words = [next(islice(read_lines(path), number - 1, None)).split() for path in (source, target)]
    pairs = [(int(i), int(j)) for i, j in links[number - 1]]
    if svg is None:
        typer.echo(matrix(words[0], words[1], pairs), nl=False)
        return
    try:
        with written_whole(svg) as temporary:
            temporary.write_text(alignment_svg(words[0], words[1], pairs), "utf-8")
    except OSError as problem:
        raise FileError.of(problem, svg) from problem


@contextmanager
def _opened(path: Path | None) -> Iterator[TextIO]:
    """Standard output, or a file that appears when it is whole."""
    from dragoman.files import written_whole

    if path is None:
        yield sys.stdout
        return
    try:
        with written_whole(path) as temporary, temporary.open("w", encoding="utf-8") as file:
            yield file
    except OSError as problem:
        raise FileError.of(problem, path) from problem
