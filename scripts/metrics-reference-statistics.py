"""Writes the reference values of intervals and tests, computed with SciPy and statsmodels.

Usage: python scripts/metrics-reference-statistics.py > crates/lydian-metrics/tests/data/statistics.json
"""

import json
import math
import sys

import numpy
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

PROPORTIONS = [
    (0, 1), (1, 1), (0, 10), (10, 10), (3, 10), (12, 39), (47, 100), (1, 1000), (999, 1000),
    (5000, 10000), (0, 10000), (250, 251), (7, 1000000),
]
LEVELS = [0.9, 0.95, 0.99]
BINOMIAL = [
    (3, 10, 0.5), (0, 10, 0.5), (7, 10, 0.5), (10, 10, 0.3), (52, 100, 0.5), (1, 20, 0.25), (5, 5, 0.9),
    (4900, 10000, 0.5), (5, 10, 0.5), (3, 12, 0.25), (0, 1, 0.25), (260, 1000, 0.25), (0, 4, 0.0), (4, 4, 1.0),
]
MCNEMAR = [(5, 15), (0, 6), (6, 0), (10, 10), (121, 59), (1, 0), (1000, 1100), (3, 4)]
HOLM = [[0.01, 0.04, 0.03, 0.005, 0.5], [0.02, 0.02, 0.9], [1.0, 1.0], [0.3], [0.04, 0.001, 0.0499, 0.012, 0.0002]]
QUANTILES = [0.975, 0.8, 0.5, 0.001, 1e-10, 0.9, 0.999999, 0.5000001, 1e-300]


def interval(k, n, level, method):
    return [float(bound) for bound in proportion_confint(k, n, 1 - level, method)]


def mcnemar_p(b, c, exact):
    return float(mcnemar([[7, b], [c, 9]], exact=exact, correction=True).pvalue)


document = {
    "tools": {
        "python": sys.version.split()[0],
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        "statsmodels": statsmodels.__version__,
    },
    "proportions": [
        {
            "successes": k,
            "trials": n,
            "level": level,
            "wilson": interval(k, n, level, "wilson"),
            "clopper_pearson": interval(k, n, level, "beta"),
        }
        for k, n in PROPORTIONS
        for level in LEVELS
    ],
    "binomial_tests": [
        {"successes": k, "trials": n, "share": p, "p_value": float(stats.binomtest(k, n, p).pvalue)}
        for k, n, p in BINOMIAL
    ],
    "mcnemar_tests": [
        {"only_first": b, "only_second": c, "exact": mcnemar_p(b, c, True), "chi_squared": mcnemar_p(b, c, False)}
        for b, c in MCNEMAR
    ],
    "holm": [{"raw": p, "adjusted": multipletests(p, method="holm")[1].tolist()} for p in HOLM],
    "normal_quantiles": [{"probability": q, "value": float(stats.norm.ppf(q))} for q in QUANTILES],
}
assert not any(math.isnan(row["value"]) for row in document["normal_quantiles"])
json.dump(document, sys.stdout, indent=1)
print()
