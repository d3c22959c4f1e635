"""Properties of all inputs: pairs that the library contradicts, and pairs drawn that none may beat."""
import json

import numpy as np

from .about_rows import tied
from .asked import Rules, Wrong, demand, question, shown, values
from .command import facet

SLACK = 1e-6  # between a library's float32 and the sums of the command


class Pairs:
    """A question of facet verify about two inputs, or one input and two models."""

    def __init__(self, a, loose=(), rules=None, other=None, by=0.0, label=None, probability=False, near=None, apart=0.0, ordered=False):
        self.a, self.loose, self.other, self.by, self.label, self.near = a, list(loose), other or a.given, by, label, near
        self.rules = rules or Rules("inf", **inside(a))
        self.probability, self.apart, self.ordered = probability, apart, ordered

    def ask(self, *flags):
        """Returns the lines of facet verify."""
        rules = self.rules.ask(self.a.folder)
        more = [flag for flag in rules if not flag.startswith("--norm") or self.near]
        more += [f"--target=label:{self.label}"] * (self.label is not None) + [f"--by={self.by!r}"] * (self.by > 0) + ["--target=probability"] * self.probability
        more += [f"--apart={self.apart!r}"] * (self.apart > 0) + ["--ordered"] * self.ordered
        if self.near:
            np.save(f"{self.a.folder}/near.npy", self.a.rows)
            more += ["--near=near.npy", f"--radius={self.near!r}"]
        said = facet("verify", self.a.given.path, *flags, *more, "--out=-", "--max-nodes=50000", folder=self.a.folder, fine=(0, 1, 4))
        return [json.loads(text) for text in said.splitlines() if text.startswith("{")]

    def outputs(self, given, z):
        """Returns all outputs: rows × classes, or × 1 of two classes and of a regressor."""
        if self.probability:
            demand(given.probabilities, "the library has no probabilities, and the command has")
            shares = given.probabilities(given.frame(z))
            return shares[:, 1:] if given.classes == 2 else shares
        return given.out(z)

    def shown(self, given, z):
        """Returns all outputs as they are shown: of a regressor its predictions, of which the differences are those of its sums."""
        if given.above is not None and not self.probability:
            return given.outputs(given.frame(z))
        return self.outputs(given, z)

    def of_class(self, given, row, number):
        """Returns the output of a class as it is shown. Of two classes that of label 1 is there alone, but where both are averages."""
        outputs = self.shown(given, row)[0]
        if len(outputs) > 1:
            return outputs[number or 0]
        if number != 0 or given.classes != 2:
            return outputs[0]
        both = given.outputs(given.frame(row))[0]
        return 1 - outputs[0] if self.probability else both[0] if len(both) > 1 else -outputs[0]

    def out(self, given, z):
        """Returns the output in question."""
        return self.outputs(given, z)[:, self.label or 0]

    def apart_by(self, x, z):
        """Returns by how much the outputs in question differ, at most."""
        by = np.abs(self.outputs(self.a.given, x) - self.outputs(self.other, z))
        return by.max(1) if self.label is None or by.shape[1] == 1 else by[:, self.label]

    def drawn(self):
        """Draws pairs that the rules allow."""
        a, many = self.a, self.a.many * 40
        base = np.concatenate([a.rows, a.given.x])
        if np.isnan(base).any() and not np.isnan(a.rows).all():
            base = np.where(np.isnan(base), np.nanmedian(a.given.x, 0), base)
        x = base[a.rng.integers(0, len(base), many)]
        if self.near:
            x, _ = self.rules.around(a.given, a.rows, np.full(len(a.rows), self.near * (1 + 1e-12)), max(many // len(a.rows), 1), a.rng)
        else:
            x, _ = self.rules.anywhere(a.given, x, a.rng)
        if not self.loose:
            return x, x
        loose = np.zeros(x.shape, bool)
        loose[:, self.loose] = True
        z, of = self.rules.anywhere(a.given, x, a.rng, loose)
        x = x[of]
        if self.apart:
            z = x + np.clip(z - x, -self.apart, self.apart)
        if self.ordered:
            z = np.maximum(x, z)
        fine = self.rules.allowed(x, z, a.given.codes)
        return x[fine], z[fine]

    def pair(self, line):
        """Returns the two inputs of a line, and confirms its claims about them."""
        x = values(line["x"])[None]
        z = values(line["other"])[None] if line["other"] is not None else x
        a, fixed = self.a, [f for f in range(self.a.given.dim) if f not in self.loose]
        demand(np.array_equal(x[:, fixed], z[:, fixed], equal_nan=True), f"{shown(x[0])} and {shown(z[0])} differ in other features")
        demand(not self.ordered or (x <= z).all(), f"{shown(z[0])} is no larger than {shown(x[0])}")
        demand(not self.apart or np.abs(x - z).max() <= self.apart * (1 + 1e-12), f"{shown(x[0])} and {shown(z[0])} are farther apart than {self.apart}")
        for row in x, z:
            demand(self.rules.allowed(row, row, a.given.codes).all(), f"{shown(row[0])} breaks the rules")
        if self.near:
            demand(any(self.near_to(row, x[0]) for row in a.rows), f"{shown(x[0])} is near to no row")
        for given, row, label, out in zip((a.given, self.other), (x, z), line["labels"] or (None, None), line["outputs"]):
            demand(label is None or given.above is not None or given.said(row)[0] == str(label), f"{shown(row[0])} is said to be {label}, the library says {given.said(row)[0]}")
            there = self.of_class(given, row, line.get("class"))
            demand(abs(there - out) <= SLACK * max(1, abs(there)) + given.exact, f"{shown(row[0])} is said to have the output {out}, the library says {there}")
        return x, z

    def near_to(self, row, x):
        kept = [f for f in range(len(row)) if f not in self.loose]
        moved = row.copy()
        moved[kept] = x[kept]
        return self.rules.price(row[None], moved[None], self.a.given.codes)[0] <= self.near * (1 + 1e-9)

    def breaks(self, x, z):
        """Says which pairs contradict that no label depends on the features, or that two models agree."""
        given, other = self.a.given, self.other
        if self.ordered:
            fall = self.out(given, x) - self.out(other, z)
            if given.above is not None:
                return fall > self.by + SLACK
            label = str(1 if self.label is None else self.label)
            return (given.said(x) == label) & (other.said(z) != label)
        far = np.abs(self.outputs(given, x) - self.outputs(other, z)).max(1)
        if given.above is not None:
            return far > self.by + SLACK
        return (given.said(x) != other.said(z)) & ((far > self.by + SLACK) | (self.by == 0))

    def confirm(self, line):
        """Confirms a line: its pairs are as it says, one contradicts the property if that does not hold, and none that is drawn does if it
        holds, or has outputs that differ by more than the bound. Returns how many were drawn."""
        pairs = [self.pair(part) for part in (line, line.get("changing")) if part is not None and part["x"] is not None]
        demand(line["holds"] is not False or pairs, f"{line['property']}: does not hold, and no pair is shown")
        if line["holds"] is False:
            by, self.by = self.by, max(self.by - 2 * SLACK, 0 if self.a.given.above is None else -2 * SLACK)
            broken = [self.breaks(*pair)[0] for pair in pairs]
            self.by = by
            demand(any(broken), f"{line['property']}: said not to hold, and no pair contradicts it by {by}: {[[shown(x[0]), shown(z[0]), *self.a.given.said(x), *self.other.said(z), *self.apart_by(x, z)] for x, z in pairs]}")
        x, z = self.drawn()
        broken, by = self.breaks(x, z), self.apart_by(x, z)
        if line["holds"] and broken.any():
            i = int(np.flatnonzero(broken)[np.argmax(by[broken])])
            raise Wrong(f"{line['property']}: said to hold, and {broken.sum()} of {len(x)} pairs contradict it: {shown(x[i])} is {self.a.given.said(x[i:i + 1])[0]} and {shown(z[i])} {self.other.said(z[i:i + 1])[0]}, outputs differ by {by[i]!r}")
        if line["bound"] is not None and len(by):
            fall = self.out(self.a.given, x) - self.out(self.other, z) if self.ordered else by
            demand(fall.max() <= line["bound"] + (line["rounding"] or 0) + SLACK, f"{line['property']}: outputs of {shown(x[fall.argmax()])} and {shown(z[fall.argmax()])} differ by {fall.max()!r}, said to be {line['bound']!r} at most")
        return len(x)

    def confirm_steps(self, line, way):
        """Confirms a line about an output that is monotone."""
        def fall(x, z):
            by = self.out(self.a.given, x) - self.out(self.a.given, z)
            return np.where((z > x)[:, self.loose[0]] == (way == "up"), by, -by)
        if line["holds"] is False:
            x, z = self.pair(line)
            demand(fall(x, z)[0] > self.by - SLACK, f"{line['property']}: said not to hold, and from {shown(x[0])} to {shown(z[0])} the output falls by {fall(x, z)[0]!r}")
        x, z = self.drawn()
        by = fall(x, z) * (x != z).any(1)
        demand(not line["holds"] or by.max() <= self.by + SLACK, f"{line['property']}: said to hold, and from {shown(x[by.argmax()])} to {shown(z[by.argmax()])} the output falls by {by.max()!r}")
        return len(x)


def inside(a):
    """The domain of questions about all inputs: that of the training."""
    with np.errstate(all="ignore"):
        return {"low": np.nanmin(a.given.x, 0), "high": np.nanmax(a.given.x, 0)}


def label(a):
    """Returns the label whose output counts, of more than two."""
    return a.given.classes - 1 if a.given.classes > 2 else None


def some(a):
    """Features that a property is about: numbers and a category."""
    return [[a.given.numbers[-1]], [a.given.numbers[0]], *[[f] for f in list(a.given.codes)[:1]], a.given.numbers[:2]]


def ignores(a, features=None, **more):
    """Asks of several features whether anything depends on them, and returns how many pairs have confirmed the answers."""
    count = 0
    for loose in some(a) if features is None else [features[:1], features]:
        pairs = Pairs(a, loose, **more)
        count += pairs.confirm(pairs.ask("--ignores=" + ",".join(map(str, loose)))[0])
    return count


@question("All inputs", "ignores")
def ignores_labels(a):
    return ignores(a)


@question("All inputs", "ignores, of the output of a class")
def ignores_output(a):
    return ignores(a, label=a.given.classes - 1 if a.given.classes else 0)


@question("All inputs", "ignores, linear rules, frozen steps")
def ignores_ruled(a):
    rules = Rules("inf", {a.given.numbers[0]: {"integer": True}}, linear=tied(a), **inside(a))
    return ignores(a, rules=rules)


def known(pairs, *flags):
    """Asks once where the model has no outputs by which pairs could differ, so that it is refused."""
    if pairs.a.given.outputs is None:
        pairs.ask(*flags)
    return pairs


@question("All inputs", "ignores, --by")
def by(a):
    """By numbers below, between and above the differences that labels have."""
    def ask(loose):
        pairs, count = known(Pairs(a, loose), "--ignores=" + ",".join(map(str, loose))), 0
        x, z = pairs.drawn()
        differ, far = pairs.breaks(x, z), pairs.apart_by(x, z)
        most, changing = far.max(initial=0.0), far[differ].max(initial=0.0)
        for least in (changing * 0.5, (changing + most) / 2, changing * 0.98, most * 1.5):
            if least > 0:
                pairs.by = float(least)
                count += pairs.confirm(pairs.ask("--ignores=" + ",".join(map(str, loose)))[0])
        return count or len(x)
    return sum(ask(loose) for loose in some(a))


@question("All inputs", "ignores, near rows")
def near(a):
    return ignores(a, near=0.5)


@question("All inputs", "ignores, near rows, norm 2, prices")
def near_priced(a):
    rules = Rules("2", {a.given.numbers[0]: {"up": 2, "down": 2}}, **inside(a))
    return ignores(a, near=0.75, rules=rules)


@question("All inputs", "ignores, --apart")
def apart(a):
    return ignores(a, features=a.given.numbers[:2], apart=1.5)


@question("All inputs", "ignores, --apart, --ordered")
def ordered(a):
    return ignores(a, features=a.given.numbers[:2], apart=3.0, ordered=True, label=label(a))


@question("All inputs", "ignores, of probabilities")
def ignores_probability(a):
    return ignores(a, label=label(a), probability=True)


@question("All inputs", "monotone")
def monotone(a):
    def ask(f):
        pairs, count = Pairs(a, [f], label=label(a)), 0
        for way in "up", "down":
            count += pairs.confirm_steps(pairs.ask(f"--monotone={f}:{way}")[0], way)
        return count
    return sum(ask(f) for f in a.given.numbers)


@question("All inputs", "same as another model")
def same_as(a):
    pairs = Pairs(a, other=a.given.other)
    return pairs.confirm(pairs.ask(f"--same-as={a.given.other.path}")[0])


@question("All inputs", "same as another model, --by")
def same_as_by(a):
    pairs, count = known(Pairs(a, other=a.given.other), f"--same-as={a.given.other.path}"), 0
    x, z = pairs.drawn()
    differ, far = pairs.breaks(x, z), pairs.apart_by(x, z)
    for least in (far[differ].max(initial=0.0) * 0.7, far.max(initial=0.0) * 1.5):
        if least > 0:
            pairs.by = float(least)
            count += pairs.confirm(pairs.ask(f"--same-as={a.given.other.path}")[0])
    return count or len(x)


@question("All inputs", "same as itself in facet's format")
def same_as_own(a):
    facet("info", a.given.path, "--save=own.json", folder=a.folder)
    pairs = Pairs(a)
    line = pairs.ask("--same-as=own.json")[0]
    demand(line["holds"] is True, f"the same model in facet's own format: {line}")
    return pairs.confirm(line)


@question("All inputs", "ranges of outputs")
def ranges(a):
    return ranged(a)


@question("All inputs", "ranges of probabilities")
def ranges_of_probabilities(a):
    return ranged(a, probability=True)


def ranged(a, **more):
    pairs = Pairs(a, label=label(a), **more)
    known = a.given.probabilities if pairs.probability else a.given.outputs
    x, _ = pairs.drawn()
    out, count = pairs.shown(a.given, x)[:, pairs.label or 0] if known else np.zeros(1), 0
    for at in np.quantile(out, [0.2, 0.8]).tolist():
        for flag, sign in (("--output-at-most", 1), ("--output-at-least", -1)):
            for line in pairs.ask(f"{flag}={at!r}"):
                worst = sign * (sign * out).max()
                demand(sign * (worst - line["bound"]) <= (line["rounding"] or 0) + SLACK, f"{line['property']}: an output is {worst!r}, said to be {line['bound']!r} at the utmost")
                demand(line["holds"] is not True or sign * (worst - at) <= SLACK, f"{line['property']}: said to hold, and an output is {worst!r}")
                if line["x"] is not None:
                    shows = values(line["x"])[None]
                    there = pairs.shown(a.given, shows)[0][pairs.label or 0]
                    demand(abs(there - line["outputs"][0]) <= SLACK * max(1, abs(there)) + a.given.exact, f"{shown(shows[0])} is said to have the output {line['outputs'][0]}, the library says {there}")
                    demand(line["holds"] is not False or sign * (there - at) > -SLACK, f"{line['property']}: said not to hold, and {shown(shows[0])} has the output {there!r}")
                count += len(out)
    return count
