"""Takes the pictures of the guide from the real page and reports, so that they do not age.

Run as  make screenshots  ; needs Chromium and its driver (on Debian: apt-get install chromium
chromium-driver), and says so when they are not there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
# Seconds until nothing on a page moves any more.
SETTLED = 3.0
SIMILAR = "Where is the nearest bakery?"
SENTENCE = "My father is richer than my uncle."
COMMANDS = """
python examples/memory.py
dragoman train --tmx phrasebook.tmx --from en --to fr -o en-fr
dragoman inspect sentence en-fr "My father is richer than my uncle." --html why.html
"""
# A letter and its translation as a word processor shows them: LibreOffice, and poppler-utils.
LETTER = """
cd letters
soffice --headless --convert-to docx letter.fodt
dragoman translate ../en-fr letter.docx -o brief.docx
soffice --headless --convert-to pdf letter.docx brief.docx
for name in letter brief; do pdftoppm -singlefile -H 420 -r 90 -png $name.pdf $name; done
"""
BESIDE = "<body style='margin: 0; background: #ddd'>" + "".join(
    f"<img src={name}.png style='margin: 12px 0 0 12px; border: 1px solid #888'>"
    for name in ("letter", "brief")
)


def main() -> None:
    """Train on the phrasebook, serve, and photograph."""
    chromium, driver = (shutil.which(name) for name in ("chromium", "chromedriver"))
    if not (chromium and driver):
        sys.exit("no pictures: there is no Chromium (apt-get install chromium chromium-driver)")
    PICTURES.mkdir(exist_ok=True)
    # The dragoman of this Python, wherever it is called from.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory(prefix="dragoman-pictures-") as scratch:
        place = Path(scratch)
        (place / "examples").symlink_to(ROOT / "examples")
        subprocess.run(["bash", "-ec", COMMANDS], cwd=place, check=True)
        (place / "letters").mkdir()
        shutil.copy(ROOT / "tests" / "documents" / "word" / "letter.fodt", place / "letters")
        if shutil.which("soffice") and shutil.which("pdftoppm"):
            subprocess.run(["bash", "-ec", LETTER], cwd=place, check=True)
            (place / "letters" / "both.html").write_text(BESIDE, "utf-8")
        server = subprocess.Popen(
            ["dragoman", "serve", "en-fr", "--port", "0"],
            cwd=place,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert server.stderr is not None
        try:
            address = server.stderr.readline().split()[3]
            photograph(chromium, driver, address, place)
        finally:
            server.terminate()
            server.wait()


def photograph(chromium: str, driver: str, address: str, place: Path) -> None:
    """All pictures."""
    from selenium import webdriver
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))

    def wait(selector: str) -> Any:
        found = WebDriverWait(browser, 60, 0.1)
        return found.until(lambda it: it.find_elements(By.CSS_SELECTOR, selector), selector)

    def picture(name: str, width: int, height: int) -> None:
        browser.set_window_size(width, height)
        browser.save_screenshot(str(PICTURES / f"{name}.png"))

    def part(name: str, selector: str) -> None:
        # What is shown anew meanwhile is looked for again.
        found = WebDriverWait(browser, 60, 0.1, [StaleElementReferenceException])
        path = str(PICTURES / f"{name}.png")
        found.until(lambda it: it.find_element(By.CSS_SELECTOR, selector).screenshot(path))

    try:
        browser.set_window_size(1100, 900)
        browser.get(address)
        wait("#model option")
        browser.find_element(By.CSS_SELECTOR, "#source").send_keys(SENTENCE)
        phrases = wait("#story .phrase")
        wait("#target:not(.stale)")
        webdriver.ActionChains(browser).move_to_element(phrases[-2]).perform()
        picture("page", 1100, 900)

        # Of the same page: what the memory offers, and a translation as it is typed.
        browser.set_window_size(800, 1600)
        source = browser.find_element(By.CSS_SELECTOR, "#source")
        source.clear()
        source.send_keys(SIMILAR)
        time.sleep(SETTLED)
        part("memory", "#matches-section")
        field = browser.find_element(By.CSS_SELECTOR, "#correct-target")
        field.send_keys("Où ")
        time.sleep(SETTLED)
        part("typing", "#correct")
        browser.get((place / "en-fr" / "report.html").as_uri())
        picture("report", 1100, 900)
        part("calibration", "h2#confidence ~ .charts")
        if (place / "letters" / "both.html").exists():
            browser.get((place / "letters" / "both.html").as_uri())
            picture("letter", 1100, 460)
        browser.get((place / "why.html").as_uri())
        picture("why", 1100, 900)
    finally:
        browser.quit()


if __name__ == "__main__":
    main()
