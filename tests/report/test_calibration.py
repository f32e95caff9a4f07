"""The picture of how sure a model is against how often it is right."""

from xml.etree import ElementTree

from dragoman.report.calibration_svg import calibration_svg


def test_points_lie_where_they_should():
    picture = ElementTree.fromstring(calibration_svg([(10, 0.0, 0.0), (40, 0.5, 0.75), (5, 1, 1)]))
    dots = [
        (float(one.attrib["cx"]), float(one.attrib["cy"]), float(one.attrib["r"]))
        for one in picture.iter("circle")
    ]
    (left, bottom, _), (middle, above, large), (right, top, small) = dots
    assert middle == (left + right) / 2 and above == bottom + 0.75 * (top - bottom)
    assert large > small
    assert "50% sure, 75% right" in picture.attrib["aria-label"]
    assert list(ElementTree.fromstring(calibration_svg([])).iter("circle")) == []
