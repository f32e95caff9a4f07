"""The web page, used as a person would, in headless Chromium.

Screenshots are kept in build/screenshots (or where DRAGOMAN_ARTEFACTS says).
"""

import os
import shutil
import subprocess
import sys
import warnings
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from tests.server.axe import SCHEMES, WIDTHS, needs_axe, show, violations

from dragoman.files import sealed

ROOT = Path(__file__).resolve().parents[2]
ARTEFACTS = Path(os.environ.get("DRAGOMAN_ARTEFACTS", ROOT / "build" / "screenshots"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER),
    reason="NO BROWSER TESTS: no Chromium; on Debian: apt-get install chromium chromium-driver",
)
STATION = "Where is the station?"
# Text whose contrast with what is behind it is too low (WCAG 2, AA).
CONTRAST = Path(__file__).with_name("contrast.js").read_text("utf-8")


@pytest.fixture(scope="module")
def address(trained, tmp_path_factory):
    """A copy of the model, since the page teaches it."""
    model = shutil.copytree(trained, tmp_path_factory.mktemp("page") / "phrasebook")
    with serving([model]) as found:
        yield found


@contextmanager
def serving(models):
    """A real server on a free port."""
    command = [sys.executable, "-m", "dragoman", "serve", *map(str, models), "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        line = server.stderr.readline()
        assert "serves at" in line, line + server.stderr.read()
        # Nobody reads the log; it must not fill the pipe.
        with Path(os.devnull).open("w") as nowhere:
            copier = subprocess.Popen(["cat"], stdin=server.stderr, stdout=nowhere)
        yield line.split()[3]
    finally:
        server.terminate()
        assert server.wait(30) == 0
        copier.wait(30)
        server.stderr.close()


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1280,1400", "--hide-scrollbars"):  # fmt: skip
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # selenium's own
        driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    yield driver
    driver.quit()


class Page:
    """What a person does and sees."""

    def __init__(self, driver, address):
        self.driver = driver
        driver.get_log("browser")
        driver.get(address)
        self.wait(lambda: self.find("#model option"))

    def find(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        (element,) = self.find(selector)
        return element

    def wait(self, condition, what="the page to answer"):
        return WebDriverWait(self.driver, 30, 0.05, ignored_exceptions=[Exception]).until(
            lambda _: condition(), what
        )

    def write(self, text):
        self.one("#source").clear()
        self.one("#source").send_keys(text)
        self.wait(lambda: self.find("#target .sentence-button"))
        self.settle()

    def settle(self):
        """Wait until the translation belongs to the text."""
        self.wait(lambda: not self.find("#target.stale") and self.find("#story .phrase"))

    @property
    def target(self):
        return self.one("#target").text

    def point_at(self, element):
        webdriver.ActionChains(self.driver).move_to_element(element).perform()

    def picture(self, name):
        self.driver.save_screenshot(str(ARTEFACTS / f"{name}.png"))

    def complaints(self):
        return [entry for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]


@pytest.fixture
def page(browser, address):
    browser.set_window_size(1280, 1400)
    page = Page(browser, address)
    yield page
    assert page.complaints() == []
    # Nothing came from anywhere else.
    loaded = browser.execute_script(
        "return performance.getEntriesByType('resource').map(entry => entry.name)"
    )
    assert all(name.startswith(address) for name in loaded), loaded


def test_a_document_is_translated(page, tmp_path):
    letter = tmp_path / "letter.md"
    letter.write_text(f"# {STATION}\n")
    page.one("#file-form button").click()
    page.wait(lambda: "Choose a file" in page.one("#file-said").text)
    page.one("#file").send_keys(str(letter))
    page.one("#file-form button").click()
    link = page.wait(lambda: page.one("#file-said a"))
    said = page.driver.execute_async_script(
        "fetch(arguments[0]).then((answer) => answer.text()).then(arguments[1])",
        link.get_attribute("href"),
    )
    assert said.startswith("# Où est")
    assert link.get_attribute("download") == "letter.md"


def test_translate_as_you_type_and_look_at_a_phrase(page):
    page.write(f"{STATION} I would like a ticket.")
    assert len(page.find("#target .sentence-button")) == 2
    assert "gare" in page.target
    source = [word.text for word in page.find("#story .source-phrase .word")]
    assert source == ["where", "is", "the", "station", "?"]
    assert len(page.find("#story svg path")) >= len(source) - 1
    phrase = page.find("#story .phrase")[-1]
    page.point_at(phrase)
    page.wait(lambda: "on" in phrase.get_attribute("class"))
    assert page.find("#story .source-phrase.on")
    assert page.find("#story svg path.on")
    panel = page.one("#story .panel")
    assert phrase.text.split()[-1] in panel.text
    assert "lm" in panel.text
    page.picture("translate")
    page.find("#target .sentence-button")[1].click()
    page.wait(lambda: "ticket" in page.one("#story").text)


def test_a_rival_is_used_when_clicked(page):
    page.write(STATION)
    best = page.target
    for phrase in page.find("#story .phrase"):
        page.point_at(phrase)
        if page.find("#story .rivals button"):
            break
    rival = page.find("#story .rivals button")[0]
    wanted = rival.find_element(By.CSS_SELECTOR, "span").text
    rival.click()
    page.wait(lambda: page.find("#forced button"))
    page.settle()
    given = page.one("#story .phrase.given")
    assert given.text.replace("\n", " ").split() == wanted.split()
    page.picture("forced")
    page.find("#forced button")[0].click()
    page.wait(lambda: page.target == best)


def test_the_keyboard_alone_is_enough(page):
    page.write(STATION)
    first = page.find("#story .phrase")[0]
    page.one("#source").send_keys(Keys.TAB)
    for _ in range(6):
        active = page.driver.switch_to.active_element
        if "phrase" in (active.get_attribute("class") or "").split():
            break
        active.send_keys(Keys.TAB)
    assert page.driver.switch_to.active_element == first
    first.send_keys(Keys.ARROW_RIGHT)
    if len(page.find("#story .phrase")) > 1:
        assert page.driver.switch_to.active_element == page.find("#story .phrase")[1]
    page.one("#tab-translate").send_keys(Keys.ARROW_RIGHT)
    page.wait(lambda: page.one("#view-search").is_displayed())
    assert page.driver.switch_to.active_element == page.one("#tab-search")


def test_nbest_and_alternatives(page):
    page.write(STATION)
    entries = page.find("#nbest li")
    assert 2 <= len(entries) <= 10
    assert entries[0].text.startswith(page.target)


def test_searches_side_by_side(page):
    page.write("Where is the old station , please ?")
    page.one("#tab-search").click()
    page.wait(lambda: len(page.find(".search-card")) == 3)
    page.picture("search")

    def evaluated():
        return [
            int(card.find_element(By.CSS_SELECTOR, ".big").text.replace(",", ""))
            for card in page.find(".search-card")
        ]

    before = page.wait(evaluated)
    assert before[2] < before[0]
    assert all(
        card.find_elements(By.CSS_SELECTOR, "path.best") for card in page.find(".search-card")
    )
    slider = page.one("#s-beam")
    page.driver.execute_script(
        "arguments[0].value = 2; arguments[0].dispatchEvent(new Event('input'))", slider
    )
    page.wait(lambda: evaluated()[0] < before[0])
    assert page.one("#o-beam").text == "2"


def test_the_model_tab(page):
    page.one("#tab-model").click()
    page.wait(lambda: page.find("#model-view .weights tbody tr"))
    text = page.one("#model-view").text
    for piece in ("tm.fwd", "Phrase pairs", "rules/phrases.table", "prepare"):
        assert piece in text
    page.picture("model")


def test_teaching(page, address):
    page.write(STATION)
    page.one("#term-source").send_keys("station")
    page.one("#term-target").send_keys("halte")
    page.one("#term button").click()
    page.wait(lambda: "halte" in page.target)
    page.wait(lambda: "halte" in page.one("#corrections").text)
    field = page.one("#correct-target")
    field.clear()
    field.send_keys("La gare, c'est où ?")
    page.one("#correct button").click()
    page.wait(lambda: page.target == "La gare, c'est où ?")
    page.picture("corrections")
    assert "format=tmx" in page.one("#export-tmx").get_attribute("href")
    while page.find("#corrections button"):
        left = len(page.find("#corrections button"))
        page.find("#corrections button")[0].click()
        page.wait(lambda left=left: len(page.find("#corrections button")) < left)
    page.wait(lambda: "gare" in page.target and "halte" not in page.target)


def test_typing_a_translation(page):
    page.write(STATION)
    field = page.one("#correct-target")
    page.wait(lambda: field.get_attribute("data-suggestion") == page.target)
    assert page.one("#ghost").text == page.target
    field.send_keys(page.target[0])
    page.wait(lambda: field.get_attribute("data-suggestion") == page.target[1:])
    field.send_keys(Keys.TAB)  # a word
    first = page.target.split(" ")[0]
    page.wait(lambda: field.get_attribute("value") == first)
    page.wait(lambda: field.get_attribute("data-suggestion") == page.target[len(first) :])
    page.picture("typing")
    field.send_keys(Keys.ENTER)  # all
    page.wait(lambda: field.get_attribute("value") == page.target)
    # With nothing to take, or after Escape, Tab goes where it always goes.
    page.wait(lambda: field.get_attribute("data-suggestion") == "")
    field.send_keys(Keys.TAB)
    page.wait(lambda: page.driver.switch_to.active_element != field)


def test_matches_of_the_memory(page):
    page.write("Where is the xylophone?")
    page.wait(lambda: page.find("#matches li"))
    assert page.find("#matches del") and page.find("#matches ins")
    text = page.find("#matches li p")[1].text
    page.find("#matches li button")[0].click()
    assert page.one("#correct-target").get_attribute("value") == text


def test_features_are_explained_and_actions_look_like_such(page):
    page.write(STATION)
    page.wait(lambda: page.find(".features .meaning"))
    assert "target language" in page.one(".features").text
    always = page.one(".always")
    assert always.value_of_css_property("border-top-color") != "rgba(0, 0, 0, 0)"


def test_too_long_to_be_explained(page):
    page.one("#source").send_keys("the station and " * 40)
    page.wait(lambda: "too long to be explained" in page.one("#pace").text)
    assert page.one("#problem").text == "" and len(page.target) > 100
    # That the server refused is no complaint of the page.
    assert all("/inspect" in entry["message"] for entry in page.complaints())


def test_phone_and_dark(page):
    # Chromium has no narrower window than 500 points, but a phone it can play.
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False},
    )
    page.write(STATION)
    for theme in ("dark", "light"):
        page.driver.execute_script(f"document.documentElement.dataset.theme = '{theme}'")
        width = page.driver.execute_script(
            "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert width[0] <= width[1]  # nothing sticks out
        page.picture(f"phone-{theme}")
        assert page.driver.execute_script(CONTRAST) == []
    page.one("#tab-search").click()
    page.wait(lambda: len(page.find(".search-card")) == 3)
    assert page.driver.execute_script(CONTRAST) == []
    page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_everything_has_a_name(page):
    page.write(STATION)
    nameless = page.driver.execute_script(
        """
        return [...document.querySelectorAll('button, input, select, textarea, a, [role]')].filter(
          (node) => !(node.labels?.length || node.getAttribute('aria-label') ||
            node.getAttribute('aria-labelledby') || node.textContent.trim()) &&
            !['status', 'alert', 'img'].includes(node.getAttribute('role')))
          .map((node) => node.outerHTML)
        """
    )
    assert nameless == []
    assert page.driver.execute_script("return document.documentElement.lang") == "en"


@pytest.fixture
def shown(browser):
    """Sets how pages are shown, for one test."""
    yield lambda scheme, width: show(browser, scheme, width)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@needs_axe
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_nobody_is_kept_out(page, address, shown, scheme, width):
    shown(scheme, width)
    page.write("Where is the xylophone?")
    page.find("#story .phrase")[0].click()
    page.wait(lambda: page.find("#matches li") and page.find(".features .meaning"))
    assert violations(page.driver) == []
    page.one("#tab-search").click()
    page.wait(lambda: len(page.find(".search-card")) == 3)
    assert violations(page.driver) == []
    page.one("#tab-model").click()
    page.wait(lambda: page.find("#model-view .weights tbody tr"))
    assert violations(page.driver) == []
    page.driver.get(address + "/docs")
    page.wait(lambda: len(page.find(".endpoint")) >= 12)
    page.driver.execute_script(
        "document.querySelectorAll('details').forEach((d) => d.open = true)"
    )
    assert violations(page.driver) == []


def test_the_documentation_of_the_api(page, address):
    page.driver.get(address + "/docs")
    page.wait(lambda: len(page.find(".endpoint")) >= 12)
    assert "alternatives" in page.one("#api").text
    page.picture("docs")
    assert page.driver.execute_script(CONTRAST) == []
    trying = next(one for one in page.find(".endpoint details") if one.text == "Try it")
    trying.click()
    trying.find_element(By.CSS_SELECTOR, "button").click()
    page.wait(lambda: "translatedText" in trying.text)


def test_a_pair_of_languages_is_picked(browser, trained, tmp_path_factory):
    place = tmp_path_factory.mktemp("pairs")
    models = [shutil.copytree(trained, place / name) for name in ("one", "two", "three")]
    manifest = models[2] / "model.toml"
    # Its first line is the seal of the rest.
    text = manifest.read_text("utf-8").partition("\n")[2]
    manifest.write_text(sealed(text.replace('"fr"', '"de"')), "utf-8")
    with serving(models) as address:
        page = Page(browser, address)
        page.wait(lambda: page.one("#pair").is_displayed())
        assert [one.text for one in page.find("#pair option")] == [
            "English → French",
            "English → German",
        ]
        assert len(page.find("#model option")) == 2
        page.find("#pair option")[1].click()
        page.wait(lambda: not page.one("#model").is_displayed())
        page.wait(lambda: "German" in page.one("#target-label").text)


def test_the_exported_page(browser, trained, tmp_path, run):
    path = tmp_path / "why.html"
    done = run("inspect", "sentence", trained, "Where is the station? </script>", "--html", path)
    assert done.returncode == 0, done.stderr
    browser.get(path.as_uri())
    assert len(browser.find_elements(By.CSS_SELECTOR, ".search-card")) >= 3
    assert browser.find_elements(By.CSS_SELECTOR, ".lines svg path")
    assert "gare" in browser.find_element(By.ID, "explained").text
    browser.save_screenshot(str(ARTEFACTS / "exported.png"))


@needs_axe
def test_the_exported_page_keeps_nobody_out(browser, shown, trained, tmp_path, run):
    path = tmp_path / "why.html"
    done = run("inspect", "sentence", trained, f"{STATION} A xylophone!", "--html", path)
    assert done.returncode == 0, done.stderr
    for scheme in SCHEMES:
        for width in WIDTHS:
            shown(scheme, width)
            browser.get(path.as_uri())
            assert violations(browser) == []
            assert browser.execute_script(CONTRAST) == []
