"""A translated sentence, explained on the terminal."""

from __future__ import annotations

from typing import Any

SHOWN_RIVALS = 3
SHOWN_FEATURES = 4


def print_sentence(told: dict[str, Any], weights: dict[str, float]) -> None:
    """Both lines, the alignment, phrases with their reasons and rivals, n-best, searches."""
    from rich.console import Console
    from rich.text import Text

    from dragoman.alignment.matrix import matrix

    console = Console()
    console.print(Text(told["source"], style="bold"))
    console.print(Text(told["target"], style="bold green"))
    score = f"score {told['score']:.3f}, {told['evaluated']:,} hypotheses evaluated"
    console.print(Text(score + (", dictated" if told["dictated"] else ""), style="dim"))
    console.print()
    picture = matrix(told["source_tokens"], told["target_tokens"], told["alignment"])
    console.print(picture, markup=False, highlight=False)
    console.print(_phrases(told, weights))
    if told["nbest"]:
        console.print(_table("next best", [(e["target"], e["score"]) for e in told["nbest"]]))
    console.print(_searches(told["searches"]))


def _phrases(told: dict[str, Any], weights: dict[str, float]) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, style in (("words", "dim"), ("phrase", "bold"), ("", "green")):
        table.add_column(name, style=style)
    table.add_column("score", justify="right", style="cyan")
    table.add_column("mostly from")
    table.add_column("rivals, and how much worse the sentence is with them")
    for phrase in told["phrases"]:
        begin, end = phrase["source_span"]
        worth = {name: weights[name] * value for name, value in phrase["features"].items()}
        reasons = sorted(worth, key=lambda name: -abs(worth[name]))[:SHOWN_FEATURES]
        rivals = [
            f"{rival['target'] or '∅'} "
            + ("(lost)" if rival["behind"] is None else f"({rival['behind']:.2f})")
            for rival in phrase["rivals"][:SHOWN_RIVALS]
        ]
        mark = "†" if phrase["given"] else "?" if phrase["unknown"] else ""
        table.add_row(
            f"{begin}-{end}",
            Text(phrase["source"] + _never_seen(phrase)),
            Text((phrase["target"] or "∅") + mark),
            f"{phrase['score']:.2f}",
            " ".join(f"{name} {worth[name]:+.2f}" for name in reasons),
            Text(", ".join(rivals)),
        )
    return table


def _never_seen(phrase: dict[str, Any]) -> str:
    """Behind a word that training never saw, how it was translated."""
    why = phrase["never_seen"]
    if not why or phrase["unknown"]:
        return ""
    return f" = {why}" if " + " in why else f" ({why})"


def _searches(searches: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("search")
    for name in ("evaluated", "kept", "score"):
        table.add_column(name, justify="right")
    table.add_column("evaluated by covered words", style="dim")
    for one in searches:
        table.add_row(
            one["search"],
            f"{one['evaluated']:,}",
            f"{sum(stack['survived'] for stack in one['stacks']):,}",
            "-" if one["score"] is None else f"{one['score']:.3f}",
            " ".join(str(stack["evaluated"]) for stack in one["stacks"][1:]),
        )
    return table


def _table(title: str, rows: list[tuple[str, float]]) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(title)
    table.add_column("score", justify="right", style="cyan")
    for text, score in rows:
        table.add_row(Text(text), f"{score:.3f}")
    return table
