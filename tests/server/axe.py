"""axe-core, which looks for what keeps people from using a page; who has it brings it along.

DRAGOMAN_AXE names its axe.min.js; without, it is where this puts it:

    npm install --prefix build/axe axe-core
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
AXE = Path(os.environ.get("DRAGOMAN_AXE", ROOT / "build/axe/node_modules/axe-core/axe.min.js"))
needs_axe = pytest.mark.skipif(
    not AXE.is_file(),
    reason="NO ACCESSIBILITY TESTS: no axe-core (npm install --prefix build/axe axe-core)",
)
_RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, { resultTypes: ["violations"] }).then(
  (found) => done(found.violations.map((one) =>
    `${one.id} (${one.impact}): ${one.help}: ${one.nodes[0].html}`)),
  (problem) => done([String(problem)]));
"""


@cache
def _script() -> str:
    return AXE.read_text("utf-8")


def violations(driver) -> list[str]:
    """What axe finds wrong with the page that a browser shows, all its rules together."""
    driver.set_script_timeout(120)
    driver.execute_script(_script())
    return driver.execute_async_script(_RUN)


def show(driver, scheme: str, width: int) -> None:
    """Have the browser show pages by day or night, on a desk or on a phone."""
    wanted = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


SCHEMES, WIDTHS = ("light", "dark"), (1200, 390)
