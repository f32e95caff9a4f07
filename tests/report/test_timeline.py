"""The page about what a cluster did."""

import re

from dragoman.cluster.crew import Deed
from dragoman.report.timeline import timeline_page


def deed(work, part, worker, begin, end, **more):
    facts = {"processor": end - begin, "sent": 2000, "received": 4000, "peak_memory": 5_000_000}
    return Deed(work, part, worker, begin, end, **(facts | more))


def text_of(cells):
    return [re.sub("<[^>]*>", "", cell).strip() for cell in cells]


def rows_of(page):
    rows = [re.findall(r"<td.*?>(.*?)(?=<td|</tbody|$)", row) for row in page.split("<tr>")]
    return [text_of(row) for row in rows if row]


def test_who_did_what_when():
    deeds = [
        deed("sweep_part", "pairs 1 to 20", "tcp://a:1", 100.0, 102.0),
        deed("sweep_part", "pairs 21 to 40", "tcp://b:1", 100.0, 106.0, peak_memory=9_000_000),
        deed("sweep_part", "pairs <41> to 60", "tcp://a:1", 102.0, 110.0),
        deed("align_part", "pairs 1 to 20", "tcp://b:1", 108.0, 109.0),
    ]
    page = timeline_page(deeds)
    assert "4 parts by 2 workers in 10.0 s" in page
    # What follows at once is one bar.
    bars = re.findall(r"<title>(.*?)</title></rect>", page)
    assert bars == [
        "sweep part: 2 parts, 0.0 to 10.0 s",
        "sweep part: 1 parts, 0.0 to 6.0 s",
        "align part: 1 parts, 8.0 to 9.0 s",
    ]
    rows = rows_of(page)
    assert rows[0][1:] == ["3", "16.0", "6.00", "8.00", "pairs &lt;41&gt; to 60", "6", "12"]
    assert rows[1][1:] == ["1", "1.0", "1.00", "1.00", "pairs 1 to 20", "2", "4"]
    assert rows[2] == ["tcp://a:1", "2", "10.0", "100%", "5"]
    assert rows[3] == ["tcp://b:1", "2", "7.0", "70%", "9"]
    assert "<41>" not in page


def test_one_moment():
    page = timeline_page([deed("x", "y", "w", 1.0, 1.0)])
    assert "1 parts by 1 workers in 0.0 s" in page
