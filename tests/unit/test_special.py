"""Special functions in f64, against numbers of forty digits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scellis.graph import special

# From mpmath 1.3.0 at 40 digits, rounded to f64.
KNOWN: dict[str, list[tuple[float, float]]] = {
    "erf": [
        (1e-20, 1.1283791670955125e-20), (0.001, 0.0011283787909692365), (0.46875, 0.49261347321793797),
        (0.5, 0.5204998778130465), (1.0, 0.8427007929497149), (-2.5, -0.999593047982555),
        (5.5, 0.9999999999999927),
    ],
    "erfc": [
        (-3.0, 1.9999779095030015), (0.1, 0.887537083981715), (0.46875, 0.507386526782062),
        (0.5, 0.4795001221869535), (2.0, 0.004677734981047266), (4.0, 1.541725790028002e-08),
        (4.5, 1.9661604415428876e-10), (10.0, 2.088487583762545e-45), (26.0, 5.663192408856143e-296),
    ],
    "erfinv": [
        (1e-20, 8.86226925452758e-21), (0.001, 0.0008862271574665521), (-0.5, -0.4769362762044699),
        (0.50001, 0.4769474021116977), (0.9, 1.1630871536766743), (0.999999, 3.458910737275499),
        (-0.9999999999999, -5.261483331372676),
    ],
    "lgamma": [
        (1e-300, 690.7755278982137), (0.1, 2.252712651734206), (0.5, 0.5723649429247001),
        (0.9999999, 5.772157468444193e-08), (1.0000001, -5.772155829918507e-08),
        (1.4, -0.1196129141723713), (1.9999999, -4.2278430309861296e-08),
        (2.0000001, 4.227843666532498e-08), (2.5, 0.2846828704729192), (9.9, 12.57717990421988),
        (10.1, 13.027526738633236), (10000000000.0, 220258509288.81058), (-1e-10, 23.025850929998178),
        (-0.4, 1.31452458994339), (-0.6, 1.3075034414677744), (-2.457, 3.7496305958099786e-05),
        (-2.7477, 3.322312413865517e-05), (-5.5, -4.517832174007741),
    ],
    "digamma": [
        (1e-10, -10000000000.577215), (0.5, -1.9635100260214235), (1.0, -0.5772156649015329),
        (1.4616321, -4.3514636958769774e-08), (1.4616322, 5.325258698206045e-08),
        (2.0, 0.42278433509846713), (2.5, 0.7031566406452432), (9.9, 2.2411803166063815),
        (10.1, 2.262214357094148), (10000000000.0, 23.025850929890456), (-0.1, 9.245073050052948),
        (-0.5041, -0.00015190292676457303), (-3.3, 3.620353460592126),
    ],
    "trigamma": [
        (1e-10, 1e+20), (0.5, 4.934802200544679), (1.0, 1.6449340668482264), (3.0, 0.39493406684822646),
        (9.9, 0.1062830416287406), (10.1, 0.10407283129749605), (10000000000.0, 1.00000000005e-10),
        (-0.1, 101.92253995947719), (-0.5, 8.934802200544679), (-3.3, 14.817739525515929),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_known_values(name: str) -> None:
    x, expected = np.array(KNOWN[name]).T
    found = getattr(special, name)(x)
    # Of digamma and lgamma on the left the larger of two terms counts; there it is below 10.
    scale = np.where((name == "digamma") | ((name == "lgamma") & (x < 0.0)), 10.0, np.abs(expected))
    assert np.all(np.abs(found - expected) <= 1e-14 * np.maximum(scale, np.abs(expected)))


@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_error_functions_against_python(name: str) -> None:
    x = np.linspace(-6.0, 26.0, 5001)
    expected = np.array([getattr(math, name)(value) for value in x])
    np.testing.assert_allclose(getattr(special, name)(x), expected, rtol=1e-14)


def test_erfinv_inverts() -> None:
    y = np.linspace(-1.0, 1.0, 1001)  # beyond, erf itself has lost digits
    np.testing.assert_allclose(special.erfinv(special.erf(y)), y, rtol=1e-14, atol=1e-300)


def test_lgamma_against_python() -> None:
    x = np.concatenate([np.linspace(-20.05, 40.0, 3001), np.geomspace(1e-300, 1e300, 601)])
    expected = np.array([math.lgamma(value) for value in x])
    terms = np.maximum(np.abs(expected), np.abs(special.lgamma(np.abs(x))))
    assert np.all(np.abs(special.lgamma(x) - expected) <= 3e-14 * np.maximum(terms, 1.0))


def test_the_type_is_kept() -> None:
    for dtype in (np.float16, np.float32, np.float64):
        assert special.lgamma(np.array([2.5], dtype)).dtype == dtype
