"""Predictions: labels, outputs, probabilities."""
import numpy as np

from .asked import Refusal, demand, question, shown


def nearly(a, b, exact):
    return np.abs(a - b) <= exact * np.maximum(1, np.abs(b))


def predicted(a, *flags):
    return a.lines("predict", "--out=-", *flags)


@question("Predictions", "labels")
def labels(a):
    a.test(a.given.x[:a.many] if a.many > len(a.rows) else a.rows)
    found = predicted(a, *a.given.flags)
    for line, row, label in zip(found, a.rows, a.given.said(a.rows)):
        demand(str(line["predicted"]) == label, f"row {shown(row)} is said to be {line['predicted']}, the library says {label}")
    return len(found)


@question("Predictions", "outputs")
def outputs(a):
    """Sums and shares: of a regressor, those that attacks say."""
    g = a.given
    if g.above is not None:
        found = a.lines("attack", "--out=-", *g.flags)
        said = np.array([[line["output"]] for line in found])
    else:
        found = predicted(a)
        if any(line["scores"] is None for line in found):
            raise Refusal("`scores` of `facet predict` is null: the model has none, and --target probability:L:P asks about shares")
        said = np.array([[line["scores"][c] for c in sorted(line["scores"], key=float)] for line in found])
    wanted = g.outputs(g.frame(a.rows))
    if wanted.shape[1] == 1 and said.shape[1] == 2:
        said = said[:, 1:]  # beside it is the sum that label 1 has to reach
    for line, row, here, there in zip(found, a.rows, said, wanted):
        demand(nearly(here, there, g.exact).all(), f"row {shown(row)} is said to have the outputs {here}, the library says {there}")
    return len(found)


def probability(a, label, quantile=0.5):
    """Returns the flags that ask about the probability of a label, the threshold between two that rows have, and the library's predictions of rows."""
    g = a.given
    if g.probabilities is None:
        flags = [f"--target=probability:{label}:0.4"]
        return flags, lambda rows: (np.full(len(rows), "?"), np.zeros(len(rows), bool))
    seen = np.unique(np.round(g.probabilities(g.frame(a.rows))[:, label], 5))
    at = min(int(quantile * len(seen)), len(seen) - 2)
    threshold = float(seen[at] + seen[at + 1]) / 2 if len(seen) > 1 else 0.4

    def labels(rows):
        shares = g.probabilities(g.frame(rows))[:, label]
        return np.where(shares >= threshold, "above", "below"), np.abs(shares - threshold) > g.apart
    return [f"--target=probability:{label}:{threshold!r}"], labels


@question("Predictions", "probabilities")
def probabilities(a):
    g, label = a.given, max(a.given.classes - 1, 1)
    flags, labels = probability(a, label)
    found = a.lines("attack", "--out=-", *flags)
    demand(g.probabilities is not None, f"the library has no probabilities, and {len(found)} rows have")
    said, sure = labels(a.rows)
    shares = g.probabilities(g.frame(a.rows))[:, label]
    for line, row, side, certain, share in zip(found, a.rows, said, sure, shares):
        demand(not certain or line["predicted"] == side, f"row {shown(row)} is said to be {line['predicted']} {flags[0]}, the library says {share!r}")
        if line.get("output") is not None:
            demand(nearly(line["output"], share, max(g.exact, 1e-6)), f"row {shown(row)} is said to have the probability {line['output']!r}, the library says {share!r}")
    return len(found)
