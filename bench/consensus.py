"""`train --best` on the real corpora: BLEU of the consensus and of its members, what it costs.

    python bench/consensus.py [--corpora multi30k kftt libreoffice tatoeba] [--seeds 1 2 3]
                              [--threads 1] [--keep DIRECTORY] [--parts]
                              [--extra joint reestimated]

Data: DRAGOMAN_DATA or ../shared/data beside the checkout; the tokenised text as it is
(`--tokeniser whitespace`), BLEU with `--tokenize none`. The first seed trains everything, the
others only tune again: all models and the consensus. Beside the consensus stand its members
alone, each with the significance (approximate randomisation) of the consensus against it; words
per second of processor time with one thread, loading excluded; the processor time of all
trainings by that of the plain model alone; and how many different translations each model lists.

`--parts`: also what each part brings, with the first seed. The lists of the dev and the test set
are made once, and every choice of members agrees on them: all alike, tuned, and tuned with the
network. `--extra`: also what further members bring beside all of them, a model whose rules and
weights were learnt in one loop (`--method joint`) or one that was re-estimated from the plain one.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import tomli_w

import dragoman
from dragoman._core import DecodeResult
from dragoman.evaluation.metrics import make_metric
from dragoman.model.directory import ModelDirectory
from dragoman.search.consensus import Agreement, Opinion
from dragoman.translation.result import Wants
from dragoman.tuning.consensus import tune_consensus
from train import DATA, LANGUAGES

CORPORA = LANGUAGES | {"tatoeba": ("de", "en")}
LISTED = 100
EXTRA = ("joint", "reestimated")


def text(corpus: str, part: str) -> tuple[Path, Path]:
    source, target = CORPORA[corpus]
    return DATA / corpus / f"{part}.{source}", DATA / corpus / f"{part}.{target}"


def processor_time() -> float:
    """Of all processes that have ended."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def train(corpus: str, model: Path, seed: int, threads: int, *options: str) -> float:
    """Run `dragoman train`; seconds of processor time."""
    source, target = CORPORA[corpus]
    config = model.with_suffix(".toml")
    config.write_text(
        tomli_w.dumps({"tune": {"seed": seed}, "consensus": {"seed": seed}}), "utf-8"
    )
    files = [str(path) for part in ("train", "dev") for path in text(corpus, part)]
    command = [sys.executable, "-m", "dragoman", "train", "-s", files[0], "-t", files[1]]
    command += ["--dev", files[2], files[3], "--from", source, "--to", target, "-q", *options]
    command += ["--tokeniser", "whitespace", "--config", str(config), "-o", str(model)]
    begun = processor_time()
    subprocess.run([*command, "--threads", str(threads)], check=True)
    return processor_time() - begun


def translated(translator: dragoman.Translator, lines: list[str]) -> tuple[list[str], float]:
    """The translations, and words per second of processor time."""
    translator.translate_lines(lines[:1])
    begun = time.process_time()
    found = translator.translate_lines(lines)
    return found, sum(len(line.split()) for line in lines) / (time.process_time() - begun)


def train_extra(corpus: str, model: Path, kind: str, seed: int, threads: int) -> Path:
    """A further member beside the models of a consensus."""
    place = model.with_name(f"{model.name}.{kind}")
    if kind == "joint":
        train(corpus, place, seed, threads, "--method", "joint")
        return place
    command = [sys.executable, "-m", "dragoman", "reestimate", str(model), "-o", str(place), "-q"]
    subprocess.run([*command, "--threads", str(threads)], check=True)
    return place


def listed(
    corpus: str, part: str, model: Path, extra: Sequence[Path]
) -> tuple[list[list[DecodeResult]], Opinion]:
    """What the models of a consensus and further ones list, and what its network must know."""
    best = dragoman.Translator.open(model)
    assert best.consensus is not None and best.consensus.network is not None
    lines = text(corpus, part)[0].read_text("utf-8").splitlines()
    prepared = [best.prepare(best.source_of(line)) for line in lines]
    wants = Wants(nbest=best.consensus.agreement.list_size, distinct=True)
    found, orders = [], []
    further = [dragoman.Translator.open(one, alone=True) for one in extra]
    for member in (*best.consensus.members, *further):
        own = [replace(one, line=replace(one.line)) for one in prepared]
        found.append(member.search_alone(own, wants))
        orders.append([one.line.order for one in own])
    of_sentences = [
        [list(order) if order is not None else None for order in each]
        for each in zip(*orders, strict=True)
    ]
    sources = [one.line.text for one in prepared]
    return found, Opinion(best.consensus.network, sources, of_sentences)


def measure_parts(corpus: str, model: Path, seed: int, extra: dict[str, Path]) -> None:
    """Print what every choice of members reaches on the dev and the test set, and what further
    ones bring beside all of them."""
    agreed = ["plain", *(directory.path.name for directory in ModelDirectory(model).members)]
    names = [*agreed, *extra]
    of_agreed, of_extra = _choices(range(len(agreed))), _choices(range(len(agreed), len(names)))
    choices = [
        (*first, *more)
        for first, more in product(of_agreed, of_extra)
        if first and (len(first) == len(agreed) or not more)
    ]
    references = {
        part: text(corpus, part)[1].read_text("utf-8").splitlines() for part in ("dev", "test")
    }
    lists = {part: listed(corpus, part, model, list(extra.values())) for part in references}
    for chosen in choices:
        called = tuple(names[one] for one in chosen)
        here = {part: [found[one] for one in chosen] for part, (found, _) in lists.items()}
        opinions = {
            part: Opinion(
                opinion.network,
                opinion.sources,
                [[orders[one] for one in chosen] for orders in opinion.orders],
            )
            for part, (_, opinion) in lists.items()
        }

        def score(
            agreement: Agreement,
            part: str,
            own: dict[str, Opinion] | None = None,
            here: dict[str, list[list[DecodeResult]]] = here,
        ) -> float:
            opinion = own[part] if own is not None else None
            results = agreement.choose(here[part], opinion=opinion)
            said = [result.best.target if result.found else "" for result in results]
            scores = dragoman.evaluate(said, references[part], metrics=["bleu"], tokenize="none")
            return scores["bleu"]

        untuned = Agreement.untuned(called)
        told = [f"all alike {score(untuned, 'dev'):.2f}, {score(untuned, 'test'):.2f}"]
        for what, own in (("tuned", None), ("with the network", opinions)):
            tuned = tune_consensus(
                here["dev"],
                [references["dev"]],
                make_metric("bleu", tokenize="none"),
                opinion=own["dev"] if own is not None else None,
                seed=seed,
            )
            agreement = replace(
                untuned, weights=tuned.weights, scale=tuned.scale, network=own is not None
            )
            told.append(
                f"{what} {score(agreement, 'dev', own):.2f}, "
                f"{score(agreement, 'test', own):.2f} (scale {tuned.scale:g})"
            )
        print(f"{corpus}: {', '.join(called)}: {'; '.join(told)} (dev, test)", flush=True)


def _choices(members: range) -> list[tuple[int, ...]]:
    """All sets of them, the empty one first."""
    return [one for size in range(len(members) + 1) for one in combinations(members, size)]


def measure(corpus: str, model: Path, seed: int) -> tuple[float, float]:
    """Print all there is to say about one model; BLEU of the plain model and of the consensus."""
    source, reference = (path.read_text("utf-8").splitlines() for path in text(corpus, "test"))
    best = dragoman.Translator.open(model)
    agreed, speed = translated(best, source)
    directories = [ModelDirectory(model), *ModelDirectory(model).members]
    names = ["plain", *(directory.path.name for directory in directories[1:])]
    alone: dict[str, float] = {}
    for name, directory in zip(names, directories, strict=True):
        one = dragoman.Translator.open(directory, alone=True)
        said, own_speed = translated(one, source)
        scores = dragoman.evaluate(
            agreed, reference, metrics=["bleu"], baseline=said, tokenize="none"
        )
        against = scores.results["bleu"].comparison
        assert against is not None
        wants = Wants(nbest=LISTED, distinct=True)
        found = one.find([one.source_of(line) for line in source], wants=wants)
        full = sum(len(sentence.nbest) == LISTED for sentence in found) / len(found)
        alone[name] = against.baseline
        print(
            f"{corpus} seed {seed}: {name} alone {alone[name]:.2f}, the consensus "
            f"{against.system - against.baseline:+.2f} (p = {against.p_randomisation:.3f}); "
            f"{own_speed:,.0f} words/s; {full:.0%} of the sentences have {LISTED} different "
            "translations"
        )
    score = dragoman.evaluate(agreed, reference, metrics=["bleu"], tokenize="none")["bleu"]
    print(f"{corpus} seed {seed}: consensus {score:.2f}; {speed:,.0f} words/s", flush=True)
    return alone["plain"], score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpora", nargs="+", default=list(CORPORA), choices=CORPORA)
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="where models stay, to go on with later")
    parser.add_argument("--parts", action="store_true", help="also what each part brings")
    parser.add_argument("--extra", nargs="+", default=[], choices=EXTRA, help="further members")
    arguments = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as temporary:
        place = arguments.keep if arguments.keep is not None else Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        for corpus in arguments.corpora:
            if not text(corpus, "train")[0].exists():
                print(f"{corpus}: no data in {DATA}, left out")
                continue
            model, scores = place / corpus, []
            for number, seed in enumerate(arguments.seeds):
                plain = train(corpus, model, seed, arguments.threads)
                more = train(corpus, model, seed, arguments.threads, "--best")
                if number == 0:
                    print(
                        f"{corpus}: {plain:.0f} s of processor time for the plain model, "
                        f"{more:.0f} s more with --best: {(plain + more) / plain:.1f} times"
                    )
                scores.append(measure(corpus, model, seed))
                if (arguments.parts or arguments.extra) and number == 0:
                    extra = {
                        kind: train_extra(corpus, model, kind, seed, arguments.threads)
                        for kind in arguments.extra
                    }
                    measure_parts(corpus, model, seed, extra)
            plains, bests = zip(*scores, strict=True)
            print(
                f"{corpus} mean of {len(scores)} seeds: plain {statistics.mean(plains):.2f}, "
                f"consensus {statistics.mean(bests):.2f}\n",
                flush=True,
            )


if __name__ == "__main__":
    main()
