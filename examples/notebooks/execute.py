"""Runs the code of notebooks from top to bottom, without Jupyter; --write keeps what it shows.

Run as  python examples/notebooks/execute.py [--write] [NOTEBOOK ...]; models are made in the
folder where it is run, and what is up to date there is not made again.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def run_cell(code: str, names: dict[str, Any], where: str) -> list[dict[str, Any]]:
    """What a cell prints, and the value of its last line, as a notebook keeps them."""
    tree = ast.parse(code, where)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, where, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        lines = printed.getvalue().splitlines(keepends=True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines})
    if value is not None:
        kind = "image/svg+xml" if hasattr(value, "_repr_svg_") else "text/plain"
        shown = value._repr_svg_() if hasattr(value, "_repr_svg_") else repr(value)
        data = {kind: shown.splitlines(keepends=True)}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    return outputs


def run(path: Path) -> dict[str, Any]:
    """A notebook with what its cells show."""
    notebook: dict[str, Any] = json.loads(path.read_text("utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            where = f"{path.name}, cell {count}"
            cell["outputs"] = run_cell("".join(cell["source"]), names, where)
            cell["execution_count"] = count
    return notebook


def main() -> None:
    """Run notebooks, perhaps keep what they show."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    for path in options.notebooks or sorted(HERE.glob("*.ipynb")):
        notebook = run(path)
        print(f"{path.name}: {len(notebook['cells'])} cells")
        if options.write:
            text = json.dumps(notebook, ensure_ascii=False, indent=1)
            path.write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main()
