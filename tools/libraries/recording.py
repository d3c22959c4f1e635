"""The parts that the scripts beside this one share: data to train on, rows around a model's thresholds, and records of predictions on them.

A record holds the rule of the rows (see rows), the predicted labels as a string of digits, the
CRC-32 of all margins (little-endian, row by row) and the first margins themselves.
"""
import gzip
import json
import os
import sys
import zlib

import numpy as np

TESTDATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "internal", "modelfile", "testdata")


class Draws:
    """The linear congruential generator that the Go tests have too."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n


def rows(seed, count, cuts, special=(), codes=None):
    """Rows on, beside and between the thresholds of each feature, and special values. A
    feature with codes has one of these, 0, 1, … and one more."""
    draws, x = Draws(seed), np.zeros((count, len(cuts)))
    for row in x:
        for f, near in enumerate(cuts):
            kind, which, shift = draws.below(10), draws.below(max(len(near), 1)), draws.below(2**20)
            cut = near[which] if near else 0.0
            if codes and codes[f]:
                row[f] = shift % (codes[f] + 1)
            elif kind == 9 and special:
                row[f] = special[shift % len(special)]
            else:
                row[f] = beside(kind, cut, shift)
    return x


def beside(kind, cut, shift):
    single = np.float32(cut)
    above, below = (float(np.nextafter(single, np.float32(s * np.inf))) for s in (1, -1))
    over, under = (float(single) + above) / 2, (float(single) + below) / 2
    return [
        cut, cut, above, below, over, under, np.nextafter(over, np.inf),
        cut + (shift / 2**19 - 1) / 2, np.nextafter(cut, np.inf), np.nextafter(under, -np.inf),
    ][kind]


def record(name, file, cuts, predict, special=(), codes=None, count=2000):
    """predict returns labels, None for those of a regressor, and margins, one or one for each class."""
    seed = zlib.crc32(name.encode())
    cuts = [sorted(set(c)) for c in cuts]
    labels, margins = predict(rows(seed, count, cuts, special, codes))
    labels = "" if labels is None else "".join(str(int(v)) for v in labels)
    assert len(set(labels)) != 1 or name.startswith("tied"), name
    flat = margins.reshape(count, -1)
    r = {
        "name": name, "file": file, "rows": count, "seed": seed, "cuts": cuts,
        "special": [None if np.isnan(v) else v for v in special],
        "labels": labels, "single": margins.dtype == np.float32,
        "crc": zlib.crc32(flat.astype(margins.dtype.newbyteorder("<")).tobytes()),
        "first": flat[:10].astype(float).tolist(),
    }
    return {**r, "codes": codes} if codes else r


def save(folder, records):
    with open(os.path.join(TESTDATA, folder, "recorded.json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(r, separators=(",", ":")) for r in records) + "\n]\n")


def zipped(path, content):
    """Writes bytes as path.gz, the same ones whenever it is called."""
    with gzip.GzipFile(path + ".gz", "wb", mtime=0) as f:
        f.write(content)


def data(rng, classes, rows, codes, inside, features=4, digits=2, zeros=0.0):
    """Rows, some of their values 0, and labels; the first columns are categories of so many
    codes, of which those inside count more. No classes: outputs."""
    x = np.round(rng.normal(size=(rows, features)), digits)
    if zeros:
        x[rng.random(x.shape) < zeros] = 0
    for f, n in enumerate(codes):
        x[:, f] = rng.integers(0, n, size=rows)
    score = sum(np.where(np.isin(x[:, f], inside), 1.0, -0.5) if f < len(codes) else x[:, f] * (1 + f % 2) for f in range(features))
    if zeros:
        score = score + (x[:, -1] == 0)
    score = score + rng.normal(size=rows) * 0.4
    return x, np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score) if classes else score


def main(record, make, predict):
    """Runs the command of the script. make writes models into a folder, from data of a seed; predict
    returns the labels, or None, and the margins of rows, of the model of a name in a folder."""
    if sys.argv[1] == "record":
        return record()
    folder = sys.argv[2]
    if sys.argv[1] == "make":
        return make(folder, int(sys.argv[3]) if len(sys.argv) > 3 else 2)
    answers = {}
    for name, rows in json.load(sys.stdin).items():
        if rows:
            x = np.array([[np.nan if v is None else v for v in row] for row in rows], dtype=float)
            labels, margins = predict(name, os.path.join(folder, name), x)
            answers[name] = {"Labels": [] if labels is None else labels.tolist(), "Margins": margins.reshape(len(x), -1).astype(float).tolist()}
    json.dump(answers, sys.stdout)
