#!/usr/bin/env python3
"""Compares counterfactuals of the same forest under the same rules: facet, OCEAN, DiCE and alibi.

    go run ./examples/credit --out work/tables
    python -m venv work/ocean && work/ocean/bin/pip install oceanpy          (Python 3.12 or later)
    python -m venv work/dice && work/dice/bin/pip install dice-ml
    python -m venv work/alibi && work/alibi/bin/pip install alibi[tensorflow] (Python 3.8 to 3.11)

    work/ocean/bin/python tools/compare_costs.py prepare work/credit --tables work/tables
    work/ocean/bin/python tools/compare_costs.py facet work/credit
    work/ocean/bin/python tools/compare_costs.py ocean work/credit             (--integer needs gurobipy besides)
    work/dice/bin/python tools/compare_costs.py dice work/credit
    work/alibi/bin/python tools/compare_costs.py alibi work/credit
    work/ocean/bin/python tools/compare_costs.py table work/credit

prepare --australian FILE takes the Statlog file "australian" instead of the tables, prepare --table FOLDER/NAME one that tools/costs/tables.py
wrote. facet itself needs none of these packages.

The task is one that all tools can be told most of: the shortest move in l1 from a refused row to the other label. Each feature is in
steps of its own, so that a price of 1 means something everywhere; another category costs 1, as OCEAN has it. Some
features are frozen, some only rise or only fall, some are whole numbers. facet is told by its file of costs; OCEAN knows kinds of features, and
is told the rest as constraints added to its CP-SAT model; DiCE knows kinds, frozen features and ranges, which are set anew for each
row; alibi's prototypes know categories and one range for all rows. A tool's answer is judged here, by one function: is it predicted the other label by the forest
that scikit-learn trained, which rules does it break, how far is it?
"""
import argparse
import csv
import importlib.metadata
import json
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path
from statistics import median

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
ACCEPTED = 0  # the label to reach
ROUNDING = 1e-5  # the rounding that is not an answer's fault
SAME = 1e-4  # the part of a distance that a tool's rounding to float32 may add to it

# The tables of examples/credit: feature, unit of a step, rules.
CREDIT = [
    ("age", 1, {"whole": True, "frozen": True}), ("months", 1, {"whole": True, "falls": False}), ("income", 500, {"falls": False}),
    ("savings", 5000, {"falls": False}), ("loans", 1, {"whole": True, "rises": False, "least": 0}), ("amount", 1000, {}),
    ("duration", 12, {"whole": True, "least": 1}),
]
# Units of the tables of tools/costs/tables.py, which are no whole numbers then.
UNITS = {"amount": 1000, "duration": 12, "gain": 5000, "loss": 1000, "hours": 10}
# The Statlog file: its features have no names. Feature 2 is taken for an age, 10 counts; the rest is made up of ranges cut in ten steps.
AUSTRALIAN = {"flags": [1, 8, 9, 11], "categories": [4, 5, 6, 12], "whole": [10], "frozen": [2]}


class Task:
    """A question: the rows, the rules of each column, the forest."""

    def __init__(self, folder, most=None):
        self.folder = Path(folder)
        saved = json.loads((self.folder / "task.json").read_text())
        self.columns, self.trees, self.depth = saved["columns"], saved["trees"], saved["depth"]
        self.train, self.labels = np.array(saved["train"]), np.array(saved["labels"])
        self.rows = np.array(saved["rows"])[:most]

    def groups(self):
        """Returns the columns of each category."""
        groups = {}
        for j, c in enumerate(self.columns):
            if "group" in c:
                groups.setdefault(c["group"], []).append(j)
        return groups

    def frozen(self):
        """Returns the names of the features and categories that stay."""
        return {c.get("group", c["name"]) for c in self.columns if c.get("frozen")}

    def forest(self):
        """Trains the forest, the same one in every venv or none."""
        sys.path.append(str(ROOT / "examples" / "python" / "facet_robust"))
        import export_sklearn
        from sklearn.ensemble import RandomForestClassifier
        model = RandomForestClassifier(self.trees, max_depth=self.depth, random_state=0).fit(self.train, self.labels)
        path, export = self.folder / "model.json", export_sklearn.export(model)
        if not path.exists():
            path.write_text(json.dumps(export))
        if json.loads(path.read_text())["trees"] != json.loads(json.dumps(export["trees"])):
            sys.exit("this scikit-learn trains another forest than the one prepared: install the same version in every venv")
        return model

    def distance(self, x, z):
        """Returns the length of a move: a change of category is two columns that move by 1, and costs 1."""
        return float(np.abs(z - x) @ [0.5 if "group" in c else 1 for c in self.columns])

    def tidy(self, x, z):
        """Returns z without the moves that are a tool's rounding alone, in float32 or to some digits."""
        z = np.array(z, dtype=float)
        for j, c in enumerate(self.columns):
            if c.get("whole") or "group" in c:
                z[j] = np.round(z[j]) if abs(z[j] - np.round(z[j])) < ROUNDING else z[j]
            wrong = not c.get("rises", True) and z[j] > x[j] or not c.get("falls", True) and z[j] < x[j]
            if abs(z[j] - x[j]) < ROUNDING and (c.get("frozen") or wrong):
                z[j] = x[j]
        return z

    def broken(self, x, z):
        """Returns the rules that z breaks."""
        found = set()
        for j, c in enumerate(self.columns):
            if "group" in c:
                continue
            if c.get("frozen") and z[j] != x[j]:
                found.add("frozen")
            if c.get("whole") and z[j] != np.round(z[j]):
                found.add("whole")
            if not c.get("rises", True) and z[j] > x[j] or not c.get("falls", True) and z[j] < x[j]:
                found.add("direction")
            if z[j] < c.get("least", -np.inf) or z[j] > c.get("most", np.inf):
                found.add("limit")
        for members in self.groups().values():
            if sorted(z[members]) != [0] * (len(members) - 1) + [1]:
                found.add("category")
            elif self.columns[members[0]].get("frozen") and not np.array_equal(z[members], x[members]):
                found.add("frozen")
        return found

    def word(self, j):
        """Returns the category that a column stands for."""
        return self.columns[j]["name"].removeprefix(self.columns[j]["group"] + "_")

    def frame(self, x):
        """Returns rows as a data frame in which a category is one column of words."""
        import pandas as pd
        x, data, done = np.atleast_2d(x), {}, set()
        for j, c in enumerate(self.columns):
            group = c.get("group")
            if group is None:
                data[c["name"]] = x[:, j].astype(int) if c.get("whole") else x[:, j]
            elif group not in done:
                done.add(group)
                members = self.groups()[group]
                words = np.array([self.word(m) for m in members])
                data[group] = words[np.argmax(x[:, members], axis=1)]
        return pd.DataFrame(data)

    def matrix(self, frame):
        """Is the inverse of frame."""
        out = np.zeros((len(frame), len(self.columns)))
        for j, c in enumerate(self.columns):
            if "group" in c:
                out[:, j] = frame[c["group"]].astype(str).to_numpy() == self.word(j)
            else:
                out[:, j] = frame[c["name"]].astype(float).to_numpy()
        return out


def prepare(args):
    """Writes the task, the forest, and the files of facet."""
    columns, train, labels, test = australian(args.australian) if args.australian else table_of(args.table) if args.table else credit(args.tables)
    if args.kinds:
        columns = [{key: v for key, v in c.items() if key in ("name", "group", "whole", "least", "most")} for c in columns]
    args.folder.mkdir(parents=True, exist_ok=True)
    for old in args.folder.glob("*.json*"):
        old.unlink()
    task = {"columns": columns, "trees": args.trees, "depth": args.depth, "train": train.tolist(), "labels": labels.tolist(), "rows": []}
    (args.folder / "task.json").write_text(json.dumps(task))
    model = Task(args.folder).forest()
    low, high = train.min(axis=0), train.max(axis=0)  # beyond which OCEAN has no values
    refused = test[(model.predict(test) != ACCEPTED) & (test >= low).all(axis=1) & (test <= high).all(axis=1)]
    task["rows"] = refused[:args.points].tolist()
    (args.folder / "task.json").write_text(json.dumps(task))
    features, groups = {}, {}
    for c in columns:
        if "group" in c:
            groups.setdefault(c["group"], []).append(c["name"])
            continue
        rule = {"frozen": True} if c.get("frozen") else {}
        rule |= {"integer": True} if c.get("whole") else {}
        rule |= {key: "inf" for key, moves in (("up", "rises"), ("down", "falls")) if not c.get(moves, True)}
        rule |= {key: c[limit] for key, limit in (("min", "least"), ("max", "most")) if limit in c}
        features[c["name"]] = rule
    frozen = Task(args.folder).frozen()
    rules = {"features": features, "groups": [{"members": m, **({"frozen": True} if g in frozen else {"cost": 1})} for g, m in groups.items()]}
    (args.folder / "costs.json").write_text(json.dumps(rules, indent=1))
    with open(args.folder / "test.csv", "w", newline="") as f:
        out = csv.writer(f)
        out.writerow([c["name"] for c in columns] + ["label"])
        out.writerows([*row, 1 - ACCEPTED] for row in task["rows"])
    print(f"{len(task['rows'])} rows, {len(columns)} columns, {args.trees} trees of depth {args.depth}, accuracy on training rows {model.score(train, labels):.3f}")


def credit(folder):
    """Returns columns, training rows, their labels and test rows of examples/credit."""
    def read(name):
        with open(Path(folder) / name, newline="") as f:
            rows = list(csv.DictReader(f))
        members = sorted(n for n in rows[0] if n.startswith("purpose_"))
        x = [[float(r[n]) / unit for n, unit, _ in CREDIT] + [float(r[n]) for n in members] for r in rows]
        return members, np.array(x), np.array([int(r["outcome"] == "default") for r in rows])
    members, train, labels = read("train.csv")
    _, test, _ = read("test.csv")
    columns = [{"name": n, **rule} for n, _, rule in CREDIT] + [{"name": n, "group": "purpose"} for n in members]
    return columns, train, labels, test


def table_of(path):
    """Returns the same of a table of tools/costs/tables.py, of whose rules it takes the frozen columns, the directions, and the counted columns."""
    rules = json.loads(Path(path + ".json").read_text())
    groups = {m: g for g in rules["groups"] for m in g["members"]}

    def read(part):
        with open(f"{path}-{part}.csv", newline="") as f:
            (*names, _), *rows = csv.reader(f)
        unit = [UNITS.get(n, 1) for n in names]
        return names, np.array([r[:-1] for r in rows], dtype=float) / unit, [r[-1] for r in rows]
    names, train, labels = read("train")
    _, test, _ = read("all")  # the test rows, then the others
    least = np.where([len(set(v)) == 2 for v in train.T], train.min(axis=0), 0)  # OCEAN takes two values for 0 and 1
    train, test = train - least, test - least
    columns = []
    for n in names:
        if n in groups:
            frozen = {"frozen": True} if groups[n].get("frozen") else {}
            columns.append({"name": n.replace("=", "_", 1), "group": groups[n]["name"], **frozen})
            continue
        rule = rules["features"].get(n, {})
        c = {"name": n} | {key: False for key, way in (("rises", "up"), ("falls", "down")) if rule.get(way) == "inf"}
        c |= {"frozen": True} if rule.get("frozen") else {}
        if rule.get("integer") and n not in UNITS:
            c |= {"whole": True} | {key: rule[limit] for key, limit in (("least", "min"), ("most", "max")) if limit in rule}
        columns.append(c)
    refused = {"german": "bad", "adult": "<=50K", "compas": "again"}[Path(path).name]
    return columns, train, np.array([int(v == refused) for v in labels]), test


def australian(path):
    """Returns the same of the Statlog file: two thirds of its rows train the forest."""
    x, y = [], []
    for line in Path(path).read_text().splitlines():
        label, *cells = line.split()
        y.append(int(float(label) < 0))  # refused
        x.append([float(cell.split(":")[1]) for cell in cells])
    x, y = np.array(x), np.array(y)
    columns, parts = [], []
    for n in range(1, x.shape[1] + 1):
        v = x[:, n - 1]
        if n in AUSTRALIAN["categories"]:
            for code in sorted(set(v), key=lambda code: f"{code:g}"):
                columns.append({"name": f"A{n}_{code:g}", "group": f"A{n}"})
                parts.append(v == code)
        elif n in AUSTRALIAN["flags"]:
            columns.append({"name": f"A{n}", "whole": True, "least": 0, "most": 1})
            parts.append(v)
        else:
            c = {"name": f"A{n}"}
            c |= {"whole": True, "least": 0} if n in AUSTRALIAN["whole"] else {}
            c |= {"frozen": True} if n in AUSTRALIAN["frozen"] else {}
            columns.append(c)
            parts.append(v if n in AUSTRALIAN["whole"] else 10 * (v - v.min()) / (v.max() - v.min()))
    data, order = np.array(parts, dtype=float).T, np.random.RandomState(0).permutation(len(y))
    cut = 2 * len(y) // 3
    return columns, data[order[:cut]], y[order[:cut]], data[order[cut:]]


class Answers:
    """Writes the answers of a tool, a line a row."""

    def __init__(self, task, tool, package):
        self.task, self.model = task, task.forest()
        self.file = open(task.folder / f"answers-{tool}.jsonl", "w")
        version = f"{package} {importlib.metadata.version(package)}" if package else "facet"
        self.write({"tool": tool, "version": version})

    def begin(self):
        """Starts the clocks of a row."""
        self.wall, self.processor = time.perf_counter(), time.process_time()

    def write(self, line):
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()

    def end(self):
        """Stops them."""
        self.wall, self.processor = time.perf_counter() - self.wall, time.process_time() - self.processor

    def add(self, i, z, proven=False, proven_none=False):
        """Takes an answer, None for none."""
        self.write({
            "row": i, "seconds": self.wall, "processor": self.processor, "proven": proven, "none": proven_none,
            "z": None if z is None else np.asarray(z, dtype=float).tolist(),
        })
        print(f"row {i}: {self.wall:.3g} s", "no answer" if z is None else "", file=sys.stderr)


def facet(args):
    task = Task(args.folder)
    out = Answers(task, "facet", None)
    rows, summary = args.folder / "rows.jsonl", args.folder / "summary.json"
    command = [
        "go", "run", "./examples/facet", "attack", "--model", str(task.folder.resolve() / "model.json"), "--test", str(task.folder.resolve() / "test.csv"),
        "--costs", str(task.folder.resolve() / "costs.json"), "--norm", "1", "--target", str(ACCEPTED), "--include-misclassified",
        "--workers", "1", "--timeout", f"{args.timeout}s", "--overwrite", "--out", str(rows.resolve()), "--summary", str(summary.resolve()),
    ]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    processor = json.loads(summary.read_text())["processor_seconds"] / len(task.rows)  # of all rows together; the rest of a row's time is other programs'
    for line in map(json.loads, rows.read_text().splitlines()):
        out.wall, out.processor = line["seconds"], processor
        out.add(line["row"], line["adversarial"], line["status"] == "optimal", line["status"] == "none")


def ocean(args):
    from ocean import ConstraintProgrammingExplainer, MixedIntegerProgramExplainer
    from ocean.feature import parse_features
    task = Task(args.folder, args.points)
    out = Answers(task, "ocean-integer" if args.integer else "ocean", "oceanpy")
    flags = {c["name"] for c in task.columns if c.get("least") == 0 and c.get("most") == 1}
    whole = tuple(c["name"] for c in task.columns if c.get("whole") and c["name"] not in flags)
    data, mapper = parse_features(task.frame(task.train), discretes=whole, encoded=tuple(task.groups()), scale=False)
    if not np.array_equal(data.to_numpy(dtype=float), task.train):
        sys.exit("OCEAN orders or scales the columns in another way")
    explainer = (MixedIntegerProgramExplainer if args.integer else ConstraintProgrammingExplainer)(out.model, mapper=mapper)
    names = {c["name"]: c for c in task.columns}
    for i, x in enumerate(task.rows):
        out.begin()
        if args.integer:
            found = explainer.explain(x, y=ACCEPTED, norm=1, max_time=args.timeout)
            out.end()
            out.add(i, None if found is None else found.to_numpy(), explainer.get_solving_status() == "OPTIMAL")
            continue
        for j, (name, v) in enumerate(zip(explainer.mapper.names, map(explainer.mapper.__getitem__, explainer.mapper.names))):
            c = names.get(name)
            if c is None:
                if name in task.frozen():
                    here = next(m for m in task.groups()[name] if x[m] == 1)
                    explainer.add_garbage(explainer.Add(v.xget(code=task.word(here)) == 1))
                continue
            here = int(np.searchsorted(v.levels, x[j], side="left")) - 1 if v.is_continuous else int(x[j])
            if c.get("frozen"):
                explainer.add_garbage(explainer.Add(v.xget() == here))
            if not c.get("falls", True):
                explainer.add_garbage(explainer.Add(v.xget() >= here))
            if not c.get("rises", True):
                explainer.add_garbage(explainer.Add(v.xget() <= here))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = explainer.explain(x, y=ACCEPTED, norm=1, max_time=args.timeout)
        out.end()
        status = explainer.get_solving_status()
        out.add(i, None if found is None else found.to_numpy(), status == "OPTIMAL", status == "INFEASIBLE")


def dice(args):
    import dice_ml
    task = Task(args.folder, args.points)
    for method in "genetic", "random":
        dice_with(task, method, dice_ml)


def dice_with(task, method, dice_ml):
    out = Answers(task, f"dice-{method}", "dice-ml")

    class Model:
        """The forest, of data frames."""
        classes_ = np.array([0, 1])

        def predict_proba(self, frame):
            return out.model.predict_proba(task.matrix(frame))

        def predict(self, frame):
            return out.model.predict(task.matrix(frame))

    frame = task.frame(task.train)
    numbers = [n for n in frame.columns if n not in task.groups()]
    vary = [n for n in frame.columns if n not in task.frozen()]
    digits = {n: 6 for n in numbers if frame[n].dtype == float}
    data = dice_ml.Data(dataframe=frame.assign(label=task.labels), continuous_features=numbers, outcome_name="label", continuous_features_precision=digits)
    explainer = dice_ml.Dice(data, dice_ml.Model(model=Model(), backend="sklearn"), method=method)
    for i, x in enumerate(task.rows):
        ranges = {}
        for j, c in enumerate(task.columns):
            low, high = frame[c["name"]].agg(["min", "max"]) if c["name"] in numbers else (0, 0)
            if not c.get("falls", True):
                ranges[c["name"]] = [x[j], max(high, x[j])]
            if not c.get("rises", True):
                ranges[c["name"]] = [min(low, x[j]), x[j]]
        out.begin()
        found = None
        try:
            options = {"random_seed": 0} if method == "random" else {}
            e = explainer.generate_counterfactuals(task.frame(x), total_CFs=1, desired_class=ACCEPTED, features_to_vary=vary, permitted_range=ranges, verbose=False, **options)
            if e.cf_examples_list[0].final_cfs_df is not None and len(e.cf_examples_list[0].final_cfs_df) > 0:
                found = task.matrix(e.cf_examples_list[0].final_cfs_df)[0]
        except Exception as fault:  # DiCE raises when it finds no answer, and its own faults are its answer
            print(f"row {i}: {type(fault).__name__}: {fault}", file=sys.stderr)
        out.end()
        out.add(i, found)


def alibi(args):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf
    tf.compat.v1.disable_v2_behavior()
    from alibi.explainers import CounterfactualProto
    task = Task(args.folder, args.points)
    out = Answers(task, "alibi", "alibi")
    groups = list(task.groups().values())
    low, high = task.train.min(axis=0), task.train.max(axis=0)
    number = np.array(["group" not in c for c in task.columns])
    half = np.where(number, (high - low) / 2, 1)  # the numbers go to [-1, 1], as alibi advises; members stay 0 and 1
    middle = np.where(number, (high + low) / 2, 0)
    explainer = CounterfactualProto(
        lambda z: out.model.predict_proba(z * half + middle), (1, len(half)), use_kdtree=True, theta=10, ohe=True,
        feature_range=(-np.ones((1, number.sum() + len(groups))), np.ones((1, number.sum() + len(groups)))),
        cat_vars={g[0]: len(g) for g in groups}, max_iterations=args.iterations, c_init=1, c_steps=5)
    explainer.fit((task.train - middle) / half, d_type="abdm", disc_perc=[25, 50, 75])
    for i, x in enumerate(task.rows):
        out.begin()
        found = explainer.explain(((x - middle) / half)[None], target_class=[ACCEPTED]).cf
        out.end()
        z = None
        if found is not None:
            z = found["X"][0].astype(float) * half + middle
        out.add(i, z)


def judge(task, model, r):
    """Adds to an answer whether it is of the other label, the rules it breaks and its distance."""
    if r["z"] is not None:
        x = task.rows[r["row"]]
        z = task.tidy(x, r["z"])
        r |= {"flips": model.predict([z])[0] == ACCEPTED, "broken": task.broken(x, z), "distance": task.distance(x, z)}
    return r


def table(args):
    """Prints the tools' answers, as a table of Markdown, and which rules they broke."""
    task, lines = Task(args.folder), {}
    model = task.forest()
    for path in sorted(args.folder.glob("answers-*.jsonl")):
        head, *rows = map(json.loads, path.read_text().splitlines())
        if rows:
            lines[head["tool"]] = head["version"], [judge(task, model, r) for r in rows]
    best = {r["row"]: r.get("distance", np.inf) for r in lines["facet"][1]}
    print("| tool | answers | accepted by the forest | and within the rules | proven nearest | farther than facet's | nearer | median ratio | seconds, median | most | of processors, mean |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for tool in sorted(lines, key=lambda t: (t != "facet", t)):
        version, rows = lines[tool]
        found = [r for r in rows if r["z"] is not None]
        good = [r for r in found if r["flips"] and not r["broken"]]
        ratios = [r["distance"] / best[r["row"]] for r in good]
        farther, nearer = sum(v > 1 + SAME for v in ratios), sum(v < 1 - SAME for v in ratios)
        seconds, processor = [r["seconds"] for r in rows], np.mean([r["processor"] for r in rows])
        cells = [
            f"{tool} ({version})", f"{len(found)} of {len(rows)}", sum(r["flips"] for r in found), len(good), sum(r["proven"] or r["none"] for r in rows), farther, nearer,
            f"{median(ratios):.3g}" if ratios else "–", f"{median(seconds):.2g}", f"{max(seconds):.2g}", f"{processor:.2g}",
        ]
        print("|", " | ".join(map(str, cells)), "|")
    for tool, (_, rows) in lines.items():
        broken = [what for r in rows for what in r.get("broken", ())]
        if broken:
            print(f"{tool} breaks:", ", ".join(f"{what} {broken.count(what)}" for what in sorted(set(broken))))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("step", choices=["prepare", "facet", "ocean", "dice", "alibi", "table"])
    p.add_argument("folder", type=Path)
    p.add_argument("--tables", help="the folder that examples/credit wrote")
    p.add_argument("--australian", help="the Statlog file")
    p.add_argument("--table", help="FOLDER/german, adult or compas that tools/costs/tables.py wrote")
    p.add_argument("--kinds", action="store_true", help="prepare kinds of features only, no frozen ones and no directions")
    p.add_argument("--integer", action="store_true", help="ask OCEAN's integer programs, of Gurobi, which can be told kinds only")
    p.add_argument("--trees", type=int, default=100)
    p.add_argument("--depth", type=int, default=8)
    p.add_argument("--points", type=int, default=20, help="rows to prepare, or the first ones to answer")
    p.add_argument("--timeout", type=int, default=60, help="seconds a row, of facet and OCEAN")
    p.add_argument("--iterations", type=int, default=500, help="of alibi")
    args = p.parse_args()
    globals()[args.step](args)


if __name__ == "__main__":
    main()
