"""The nearest inputs with another label, by all norms and rules."""
import numpy as np

from .about_predictions import probability
from .asked import Refusal, Rules, confirm, demand, question, shown, values
from .asked import examples as confirm_examples
from .asked import kept, side


def attack(a, rules, *flags, target=None, labels=None):
    """Asks for the nearest examples, and has them confirmed."""
    said = a.lines("attack", "--out=-", *flags, *([f"--target={target}"] if target is not None else []), *rules.ask(a.folder))
    return confirm(a, said, rules, target, labels)


def asked(a, rules, flags=(), **more):
    return attack(a, rules, *a.given.flags, *flags, **more)


def goal(a):
    return "above" if a.given.above is not None else str(max(a.given.classes - 1, 1))


def box(a, part=0.1):
    """Returns the ends of a domain that leaves out some of the values of each feature, and so some rows."""
    with np.errstate(all="ignore"):
        low, high = np.nanquantile(a.given.x, part, 0), np.nanquantile(a.given.x, 1 - part, 0)
    for f in a.given.codes:
        low[f], high[f] = -np.inf, np.inf
    return {"low": np.floor(low), "high": np.ceil(high)}


def flat(a):
    """Returns the ends of a domain in which a number has one value alone."""
    ends, at = box(a, 0), a.given.numbers[1]
    ends["low"][at] = ends["high"][at] = np.round(np.nanmedian(a.given.x[:, at]))
    return ends


def prices(a, even=False):
    """Prices that differ by feature, and by direction unless they are even, and a way that does not exist."""
    found = {f: {"up": 2.0 - 0.5 * i, "down": 2.0 - 0.5 * i if even else 0.5 + i} for i, f in enumerate(a.given.numbers[:3])}
    found[a.given.numbers[-1]] = {"up": 1.0, "down": "inf"}
    return found


def steps(a):
    return {f: {"integer": True, "min": -2, "max": 11} for f in a.given.numbers[:2]}


def groups(a):
    members = a.given.one_hot or a.given.numbers[:2]
    return [{"name": "kind", "members": [str(m) for m in members], "cost": 0.75}]


def tied(a):
    """A rule between two numbers that some rows break."""
    f, g = a.given.numbers[0], a.given.numbers[-1]
    most = float(np.ceil(np.nanquantile(a.given.x[:, f] + a.given.x[:, g], 0.8)))
    return [(f"[{f}] + [{g}] <= {most!r}", lambda z: z[:, f] + z[:, g] - most)]


for norm in "inf", "1", "2", "0":
    question("Nearest inputs", f"attack, norm {norm}")(lambda a, norm=norm: asked(a, Rules(norm)))


@question("Nearest inputs", "target")
def to_target(a):
    return asked(a, Rules("inf"), target=goal(a))


@question("Nearest inputs", "target, norm 2, domain")
def to_target_within(a):
    return asked(a, Rules("2", **box(a)), target=goal(a))


@question("Nearest inputs", "target, accepted by one of two others")
def to_target_also(a):
    itself = f"{a.given.path}={goal(a) if a.given.above is None else f'output:{a.given.above!r}'}"
    return asked(a, Rules("inf"), [f"--also=1 of {itself}, {itself}"], target=goal(a))


@question("Nearest inputs", "radii")
def radii(a):
    return certified(a, Rules("inf"))


@question("Nearest inputs", "radii, norm 1, domain, frozen")
def radii_within(a):
    return certified(a, Rules("1", {a.given.numbers[0]: {"frozen": True}}, **box(a)))


def certified(a, rules, *flags, labels=None):
    """Confirms certified rows: no input within a radius that is proven, and an example within one that is not."""
    asked = [0.25, 1.0, 2.0, 4.0]
    said = a.lines("certify", "--out=-", f"--radius={','.join(map(repr, asked))}", *a.given.flags, *flags, *rules.ask(a.folder))
    labels = labels or side(a)
    own, sure = labels(a.rows)
    for line in said:
        demand(not sure[line["row"]] or str(line["predicted"]) == own[line["row"]], f"row {shown(a.rows[line['row']])} is said to be {line['predicted']}, the library says {own[line['row']]}")
    yes = np.array([max([r for r, robust in zip(line["radii"], line["robust"]) if robust == "yes"], default=0) for line in said])
    for line in said:
        far = [r for r, robust in zip(line["radii"], line["robust"]) if robust == "no"]
        demand(not far or line["adversarial"] is not None and line["distance"] <= min(far) + 1e-9 * max(1, line["distance"]), f"row {shown(a.rows[line['row']])}: no at {far}, and no example that near")
    confirm_examples(a, [line for line in said if line["adversarial"] is not None], rules, None, labels, own)
    z, of = rules.around(a.given, a.rows, np.nextafter(yes, np.inf), a.many, a.rng)
    kept(a, z, of, own, None, labels, rules, yes)
    return len(said)


@question("Nearest inputs", "counterfactuals")
def counterfactuals(a):
    return ways(a, Rules("1"))


@question("Nearest inputs", "counterfactuals, prices, groups, norm 0")
def counterfactuals_counted(a):
    return ways(a, Rules("0", prices(a, even=True), groups(a) if a.given.one_hot else []))


def ways(a, rules):
    """Confirms several answers a row: each is one, and no input that lacks a change of each earlier one is cheaper."""
    said = a.lines("attack", "--out=-", "--counterfactuals=3", *a.given.flags, *rules.ask(a.folder))
    confirm(a, said, rules)
    own = a.given.said(a.rows)
    for line in said:
        x, earlier = a.rows[line["row"]:line["row"] + 1], []
        for way in line.get("counterfactuals") or []:
            to = values(way["example"])[None]
            demand(a.given.said(to)[0] == str(way["label"]) != own[line["row"]], f"the way from {shown(x[0])} to {shown(to[0])} is said to lead to {way['label']}")
            if way["optimal"]:
                z, _ = rules.around(a.given, x, np.array([way["bound"] if way["bound"] is not None else np.inf]), a.many, a.rng, to)
                fresh = np.ones(len(z), bool)
                for changed in earlier:
                    fresh &= ~(z != x)[:, changed].all(1)
                kept(a, z[fresh], np.full(fresh.sum(), line["row"]), own, None, side(a), rules, np.full(len(a.rows), way["distance"]))
            earlier.append(np.flatnonzero((to != x)[0] & ~(np.isnan(to) & np.isnan(x))[0]))
    return len(said)


@question("Nearest inputs", "a probability reaches a number")
def reaching(a):
    flags, labels = probability(a, max(a.given.classes - 1, 1))
    return attack(a, Rules("inf"), *flags, labels=labels)


@question("Nearest inputs", "a probability, norm 1, target above, domain")
def reaching_above(a):
    flags, labels = probability(a, 1, 0.7)
    return attack(a, Rules("1", **box(a)), *flags, target="above", labels=labels)


@question("Nearest inputs", "an output changes")
def changing(a):
    g = a.given
    now = g.outputs(g.frame(a.rows))[:, 0] if g.outputs else np.zeros(len(a.rows))
    by = float(np.std(now)) * 0.6 or 0.1
    said = a.lines("attack", "--out=-", f"--target=change:{by!r}")
    rules, at = Rules("inf"), {}

    def labels(rows):
        out, base = g.outputs(g.frame(rows))[:, 0], now[at["of"]]
        return np.where(out > base + by, "larger", np.where(out < base - by, "smaller", "within")), np.abs(np.abs(out - base) - by) > 1e-6
    for line in said:
        demand(line["predicted"] == "within" and abs(line["output"] - now[line["row"]]) <= 1e-6, f"row {shown(a.rows[line['row']])} has the output {now[line['row']]}, not {line['output']}")
    own = np.full(len(a.rows), "within")
    found = [line for line in said if line["adversarial"] is not None]
    at["of"] = np.array([line["row"] for line in found], int)
    confirm_examples(a, found, rules, None, labels, own)
    bounds = np.array([np.inf if line["bound"] is None else line["bound"] for line in said])
    z, at["of"] = rules.around(g, a.rows, bounds, a.many, a.rng)
    kept(a, z, at["of"], own, None, labels, rules, bounds)
    return len(said)


@question("Nearest inputs", "the range of outputs")
def ranged(a):
    return output_range(a, Rules("inf"))


@question("Nearest inputs", "the range of outputs, norm 2, domain")
def ranged_within(a):
    return output_range(a, Rules("2", low=np.nanmin(a.given.x, 0), high=np.nanmax(a.given.x, 0)))


def output_range(a, rules):
    g, radius = a.given, 1.0
    said = a.lines("range", "--out=-", f"--radius={radius}", *rules.ask(a.folder))
    z, of = rules.around(g, a.rows, np.full(len(a.rows), radius), a.many, a.rng)
    out = g.outputs(g.frame(z))[:, 0]
    for line in said:
        here = out[of == line["row"]]
        demand(not len(here) or here.min() >= line["min_bound"] - 1e-6 and here.max() <= line["max_bound"] + 1e-6, f"row {shown(a.rows[line['row']])}: outputs from {here.min()} to {here.max()}, said {line['min_bound']}, {line['max_bound']}")
        for end in "min", "max":
            if line[end] is not None:
                at = values(line[f"{end}_example"])[None]
                demand(abs(g.outputs(g.frame(at))[0, 0] - line[end]) <= 1e-6, f"{shown(at[0])} has another output than {line[end]}")
                demand(rules.price(a.rows[line["row"]:line["row"] + 1], at, g.codes)[0] <= radius * (1 + 1e-9), f"{shown(at[0])} is too far")
    return len(said)


RULES = {
    "domain": lambda a: Rules("inf", **box(a)),
    "flat domain": lambda a: Rules("inf", **flat(a)),
    "prices, norm 1": lambda a: Rules("1", prices(a)),
    "prices, norm inf": lambda a: Rules("inf", prices(a)),
    "even prices, norm 2": lambda a: Rules("2", prices(a, even=True)),
    "prices, norm 2": lambda a: Rules("2", prices(a)),
    "prices, norm 0": lambda a: Rules("0", prices(a)),
    "frozen": lambda a: Rules("inf", {f: {"frozen": True} for f in [a.given.numbers[0], *list(a.given.codes)[:1]]}),
    "frozen, norm 2, domain": lambda a: Rules("2", {a.given.numbers[1]: {"frozen": True}}, **box(a)),
    "steps": lambda a: Rules("inf", steps(a)),
    "one-hot groups": lambda a: Rules("1", groups=groups(a)),
    "linear rules": lambda a: Rules("1", linear=tied(a)),
    "linear rules, norm inf, frozen": lambda a: Rules("inf", {a.given.numbers[1]: {"frozen": True}}, linear=tied(a)),
}
for name, rules in RULES.items():
    question("Rules of moves", name)(lambda a, rules=rules: asked(a, rules(a)))


@question("Rules of moves", "values may be missing")
def missing(a):
    takes_missing(a)
    return asked(a, Rules("1", {f: {"missing": "may", "up": 0.75, "down": 0.75} for f in a.given.numbers[:2]}))


def takes_missing(a):
    """Refuses a rule that the library applies itself, for which a file has no words."""
    rows = a.given.rows[:1].copy()
    rows[0, a.given.numbers[0]] = np.nan
    try:
        a.given.said(rows)
    except ValueError as e:
        raise Refusal(f"the library takes no missing values in this model, which its file does not say: {str(e).splitlines()[0]}") from None


@question("Rules of moves", "all at once, target")
def at_once(a):
    features = {**prices(a), **{a.given.numbers[0]: {"frozen": True}}, a.given.numbers[1]: steps(a)[a.given.numbers[1]]}
    return asked(a, Rules("1", features, groups(a) if a.given.one_hot else [], **box(a, 0.02)), target=goal(a))


@question("Rules of moves", "linear rules, a probability, radii")
def tied_probability(a):
    flags, labels = probability(a, max(a.given.classes - 1, 1))
    return certified(a, Rules("1", linear=tied(a)), *flags, labels=labels)


@question("Rules of moves", "limits, radii")
def limits(a):
    features = {f: {"min": float(np.nanmin(a.given.x[:, f])), "max": float(np.nanquantile(a.given.x[:, f], 0.8))} for f in a.given.numbers}
    return certified(a, Rules("inf", features))


