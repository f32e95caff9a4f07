"""Pages about models in Chromium: light and dark, on a desk and on a phone."""

import warnings

import pytest
from selenium import webdriver
from tests.report.test_pages import PAGES
from tests.server.axe import SCHEMES, WIDTHS, needs_axe, show, violations
from tests.server.test_page import CHROMIUM, CONTRAST, DRIVER

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="NO BROWSER TESTS: no Chromium"),
]
# Texts of charts and tables that stick out of what they are drawn in.
CLIPPED = """
const out = [];
for (const text of document.querySelectorAll("svg text")) {
  const box = text.getBoundingClientRect(), frame = text.closest("svg").getBoundingClientRect();
  if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1
      || box.bottom > frame.bottom + 1) out.push(text.textContent);
}
for (const cell of document.querySelectorAll("th, td.n")) {
  if (cell.getBoundingClientRect().height > 60) out.push(cell.textContent);
}
return out;
"""


@pytest.fixture(scope="module")
def driver():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # selenium's own
        found = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield found
    found.quit()


@pytest.mark.parametrize("name", PAGES)
def test_pages_can_be_read(driver, tmp_path, name):
    path = tmp_path / name
    path.write_text(PAGES[name](), "utf-8")
    for scheme in SCHEMES:
        backs = set()
        for width in WIDTHS:
            show(driver, scheme, width)
            driver.get(path.as_uri())
            assert driver.execute_script(CONTRAST) == []
            assert driver.execute_script(CLIPPED) == []
            assert driver.execute_script("return document.documentElement.scrollWidth") <= width
            backs.add(
                driver.execute_script("return getComputedStyle(document.body).backgroundColor")
            )
        assert backs == {"rgb(251, 250, 247)" if scheme == "light" else "rgb(20, 25, 27)"}


@needs_axe
@pytest.mark.parametrize("name", PAGES)
def test_pages_keep_nobody_out(driver, tmp_path, name):
    path = tmp_path / name
    path.write_text(PAGES[name](), "utf-8")
    for scheme in SCHEMES:
        for width in WIDTHS:
            show(driver, scheme, width)
            driver.get(path.as_uri())
            assert violations(driver) == []


@needs_axe
def test_axe_would_say_so(driver, tmp_path):
    path = tmp_path / "bad.html"
    path.write_text("<p style='color: #ccc; background: #fff'>Faint</p><input>", "utf-8")
    driver.get(path.as_uri())
    found = " ".join(violations(driver))
    assert "color-contrast" in found and "html-has-lang" in found and "<input>" in found
