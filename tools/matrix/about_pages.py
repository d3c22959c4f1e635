"""Proofs that both checkers accept, pages of reports, and other units of distances."""
import contextlib
import html
import importlib.util
import io
import os
import re

import numpy as np

from . import about_rows
from .about_all import Pairs
from .about_reasons import boxed
from .asked import Asking, Rules, confirm, demand, question
from .command import facet

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def checker():
    """Imports tools/check_proofs/check_proofs.py."""
    spec = importlib.util.spec_from_file_location("check_proofs", os.path.join(TOOLS, "check_proofs", "check_proofs.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def checked(a, models=None):
    """Has both checkers read a file of proofs, and returns how many there are."""
    own = f"{a.folder}/proofs.model.json"
    models = models or [own if os.path.exists(own) else a.given.path]
    said = facet("check", "proofs.gz", *(f"--model={m}" for m in models), folder=a.folder)
    out, wrong = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(wrong):
        status = checker().main([f"{a.folder}/proofs.gz", *(f"--model={m}" for m in models)])
    demand(status == 0, f"tools/check_proofs/check_proofs.py: {wrong.getvalue().strip() or status}")
    count = int(re.search(r"(\d+) proofs? holds?", out.getvalue())[1])
    demand(re.search(rf"\b{count}\b", said), f"facet check: {said}")
    return count


def proven(a, rules, *flags, command="attack"):
    for name in "proofs.gz", "proofs.model.json":
        with contextlib.suppress(FileNotFoundError):
            os.remove(f"{a.folder}/{name}")
    said = a.lines(command, "--proofs=proofs.gz", *(["--out=-"] if command == "attack" else []), *flags, *rules.ask(a.folder))
    if command == "attack":
        confirm(a, said, rules, next((f.partition("=")[2] for f in flags if re.match("--target=(?!output:|probability:|change:)", f)), None))
    return said


def claims(said):
    """Counts the rows with a proven bound: one of 0 is no claim."""
    return sum(line["status"] != "reached" and line["bound"] != 0 for line in said)


for norm in "inf", "1", "2":
    @question("Proofs", f"of attacks, norm {norm}")
    def of_attacks(a, norm=norm):
        said = proven(a, Rules(norm), *a.given.flags)
        demand(checked(a) == claims(said), f"{claims(said)} rows with a claim, and another number of proofs")
        return len(said)


@question("Proofs", "of attacks, target, domain, frozen, prices")
def of_attacks_within(a):
    features = {a.given.numbers[0]: {"frozen": True}, a.given.numbers[1]: {"up": 2, "down": 0.5}}
    said = proven(a, Rules("1", features, **about_rows.box(a)), *a.given.flags, f"--target={about_rows.goal(a)}")
    demand(checked(a) == claims(said), f"{claims(said)} rows with a claim, and another number of proofs")
    return len(said)


@question("Proofs", "of reasons")
def of_reasons(a):
    said = proven(a, Rules("inf"), *a.given.flags, command="explain")
    checked(a)
    return len(said)


@question("Proofs", "of properties")
def of_properties(a):
    for name in "proofs.gz", "proofs.model.json":
        with contextlib.suppress(FileNotFoundError):
            os.remove(f"{a.folder}/{name}")
    f = a.given.numbers[0]
    pairs = Pairs(a, [f])
    line = pairs.ask(f"--ignores={f}", "--proofs=proofs.gz")[0]
    count = pairs.confirm(line)
    demand(checked(a) >= 1, "a property without proofs")
    return count


def page(a, *flags):
    """Returns the text of a page."""
    facet("attack", *a.about, *a.given.flags, *flags, "--out=page.jsonl", "--overwrite", folder=a.folder)
    facet("report", "page.jsonl", "--out=page.html", "--overwrite", folder=a.folder)
    with open(f"{a.folder}/page.html") as f:
        return f.read()


def certified_on(text):
    """Returns the distances of a page's table of rows that keep their prediction, and how many rows are certified at each."""
    found = re.search(r'<th scope="col">distance</th><th scope="col">certified</th>.*?</table>', text, re.S)
    rows = re.findall(r"<td>([^<]*)</td><td>[^<(]*\((\d+) of (\d+)\)", found[0]) if found else []
    return [(float(distance.replace("−", "-")), int(count), int(of)) for distance, count, of in rows]


def nearest_on(text):
    """Returns the table of the rows nearest to another label."""
    begin = text.find(">becomes<")
    return text[begin:text.find("</table>", begin)] if begin >= 0 else ""


def reported(a, rules, target=None):
    """Confirms a page: no more rows keep their prediction than the library lets, for any change where the page says so."""
    flags = [*rules.ask(a.folder), *([f"--target={target}"] if target else [])]
    text = page(a, *flags)
    words = html.unescape(re.sub(r"<[^>]*>", "", text))
    own = a.given.said(a.rows)
    if "whatever is changed" in words or not target and "keep that label" in words:
        rules, target = Rules(rules.norm), None
    least = np.full(len(a.rows), np.inf)
    for r in (0.25, 0.5, 1, 2, 4, 8):
        z, of = rules.around(a.given, a.rows, np.full(len(a.rows), float(r)), a.many, a.rng)
        now = a.given.said(z) if len(z) else own[of]
        answers = now == target if target else now != own[of]
        np.minimum.at(least, of[answers], rules.price(a.rows[of[answers]], z[answers], a.given.codes))
    for distance, count, rows in certified_on(text):
        demand(rows == len(a.rows) and count <= (least >= distance * (1 - 1e-4)).sum(), f"the page certifies {count} of {rows} rows at {distance}, and {(least < distance * (1 - 1e-4)).sum()} rows have another label nearer")
    for said in re.findall(r'<tr><th scope="row">(\d+)</th><td>([^<]*)</td><td>', nearest_on(text)):
        demand(own[int(said[0])] == said[1].partition(" ")[0], f"the page says that row {said[0]} is predicted {said[1]}, the library says {own[int(said[0])]}")
    return len(a.rows)


@question("Pages", "of attacks")
def of_attack(a):
    return reported(a, Rules("inf"))


@question("Pages", "of attacks, target")
def of_target(a):
    return reported(a, Rules("inf"), about_rows.goal(a))


@question("Pages", "of attacks, domain, frozen")
def of_domain(a):
    return reported(a, Rules("inf", {a.given.numbers[0]: {"frozen": True}}, **about_rows.box(a)))


@question("Pages", "of counterfactuals, norm 1")
def of_ways(a):
    text = page(a, "--counterfactuals=2", "--norm=1")
    demand("<table" in text, "the page has no table")
    return len(a.rows)


def scaled(a, rules):
    """Writes rows of the training, whose range in each feature is the unit of distances."""
    np.save(f"{a.folder}/train.npy", a.given.x)
    with np.errstate(all="ignore"):
        span = np.nanmax(a.given.x, 0) - np.nanmin(a.given.x, 0)
    span[list(a.given.codes)] = 1
    rules.unit = np.where(span > 0, span, 1)
    return rules


def in_scale(a):
    """Asks about rows of which --scale minmax makes those that the model takes: their numbers are four times as large."""
    by = np.full(a.given.dim, 4.0)
    by[list(a.given.codes)] = 1
    train = np.stack([np.zeros(a.given.dim), by])
    for f, codes in a.given.codes.items():
        train[1, f] = codes - 1
    scaled = Asking(a.given.scaled(by), a.folder, a.rng, a.many)
    np.save(f"{a.folder}/train.npy", train)
    return scaled, by, ["--scale=minmax", TRAIN]


TRAIN = "--train=train.npy"


@question("Units", "--scale minmax")
def scale(a):
    return scaled_attack(a, Rules("inf"))


@question("Units", "--scale minmax, prices, norm 1")
def scale_priced(a):
    return scaled_attack(a, Rules("1", about_rows.prices(a)))


@question("Units", "--scale minmax, domain, steps, norm 2")
def scale_ruled(a):
    a, by, flags = in_scale(a)
    rules = Rules("2", {a.given.numbers[0]: {"integer": True}}, unit=by, **about_rows.box(a))
    return about_rows.asked(a, rules, flags=flags)


def scaled_attack(a, rules):
    a, rules.unit, flags = in_scale(a)
    return about_rows.asked(a, rules, flags=flags)


@question("Units", "--scale minmax, certify")
def scale_certify(a):
    a, by, flags = in_scale(a)
    return about_rows.certified(a, Rules("inf", unit=by), *flags)


@question("Units", "--scale minmax, boxes")
def scale_boxes(a):
    a, by, flags = in_scale(a)
    return boxed(a, Rules("inf", unit=by), [*a.given.flags, *flags])


@question("Units", "--units range")
def units(a):
    rules = scaled(a, Rules("inf"))
    return confirm(a, a.lines("attack", "--out=-", "--units=range", TRAIN, *a.given.flags, *rules.ask(a.folder)), rules)


@question("Units", "--units range, prices, frozen, norm 1")
def units_ruled(a):
    rules = scaled(a, Rules("1", {**about_rows.prices(a), a.given.numbers[1]: {"frozen": True}}))
    return confirm(a, a.lines("attack", "--out=-", "--units=range", TRAIN, *a.given.flags, *rules.ask(a.folder)), rules)
