#!/usr/bin/env python3
"""Makes several hundred files of proofs of eight sets, and gives each to all three checkers: attack/proof (facet check),
tools/check_proofs/check_proofs.py, and examples/checker, which is proven in Coq.

    go build -o facet ./examples/facet && make -C examples/checker facet-checked
    FACET_DATA=folder PYTHONPATH=examples/python python3 tools/proof_corpus.py corpus --facet ./facet

The folder holds the models and proofs afterwards; what is there is not made again, so that a run goes on where another
ended. Models are facet's own trees, forests, boosted trees, oblique forests and nearest neighbours, forests and boosted
trees of scikit-learn, XGBoost and LightGBM, and regressors; questions are attacks in three norms, with targets, domains,
prices and categories, reasons with boxes, ranges of outputs, properties of all inputs, and pruning. The table has,
of each kind of proofs, the files, the claims, how many of them facet-checked covers, and what the checkers accept and
take. It ends with an error where a checker refuses, where verdicts differ, or where less than four fifths of the claims
about trees, or of the properties, are covered.
"""
import argparse
import collections
import gzip
import json
import os
import random
import re
import resource
import subprocess
import sys

import lightgbm
import numpy
import sklearn.ensemble
import xgboost

from facet_robust import export_sklearn

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS, TESTS = 240, 40


def libsvm(name, base):
    """The rows and labels of a file of FACET_DATA."""
    rows, labels = [], []
    with open(os.path.join(os.environ["FACET_DATA"], name)) as lines:
        for line in lines:
            label, *entries = line.split()
            labels.append(label)
            rows.append({int(j) - base: float(v) for j, v in (e.split(":") for e in entries)})
    table = numpy.zeros((len(rows), 1 + max(max(row, default=0) for row in rows)))
    for i, row in enumerate(rows):
        for j, v in row.items():
            table[i, j] = v
    return table, numpy.unique(labels, return_inverse=True)[1]


def digits(folder):
    """Images of two classes, 784 features from 0 to 1."""
    def content(name, skip):
        with gzip.open(os.path.join(os.environ["FACET_DATA"], folder, name)) as file:
            return numpy.frombuffer(file.read(), numpy.uint8)[skip:]

    y = content("t10k-labels-idx1-ubyte.gz", 8)
    x = content("t10k-images-idx3-ubyte.gz", 16).reshape(len(y), -1) / 255
    some = numpy.isin(y, (2, 6))
    return x[some], (y[some] == 6).astype(int)


def halfmoon(rng):
    """Two arcs, on a lattice, so that rows and thresholds tie."""
    angle = rng.uniform(0, numpy.pi, 400)
    y = rng.integers(0, 2, 400)
    x = numpy.stack([numpy.cos(angle) * (1 - 2 * y) + y, numpy.sin(angle) * (1 - 2 * y) + y / 2], axis=1)
    return numpy.round((x + rng.normal(0, 0.2, x.shape)) * 16) / 16, y


def shops(rng):
    """Five columns, two of which are categories."""
    x = numpy.stack([rng.integers(0, 12, 400), rng.integers(0, 5, 400), rng.integers(18, 80, 400),
                     numpy.round(rng.lognormal(7, 1, 400)), rng.integers(0, 4, 400)], axis=1).astype(float)
    score = (x[:, 0] % 3 == 1) + (x[:, 1] > 2) + x[:, 2] / 50 + numpy.log(x[:, 3]) / 5 - x[:, 4] / 2
    return x, (score + rng.normal(0, 0.4, 400) > numpy.median(score)).astype(int)


def sets():
    rng = numpy.random.default_rng(1)
    yield "fourclass", *libsvm("fourclass", 1)
    yield "diabetes", *libsvm("diabetes", 1)
    yield "breast-cancer", *libsvm("breast-cancer", 1)
    yield "australian", *libsvm("australian", 1)
    yield "covtype", *libsvm("covtype500.scale01", 0)
    yield "fashion", *digits("fashion-mnist")
    yield "halfmoon", *halfmoon(rng)
    yield "shops", *shops(rng)


# The features of a set that are categories.
CATEGORIES = {"australian": [3, 4, 5, 11], "shops": [0, 1, 4]}


def has_proofs(path):
    with open(path) as lines:
        return any(line.startswith(("proof", "property", "keep")) for line in lines)


class Corpus:
    """The files of one set."""

    def __init__(self, folder, facet, name, x, y):
        self.folder, self.facet, self.name, self.files = os.path.join(folder, name), facet, name, []
        os.makedirs(self.folder, exist_ok=True)
        order = numpy.random.default_rng(2).permutation(len(x))
        x, y = x[order], y[order]
        known = numpy.isin(y, y[:ROWS])
        self.x, self.y = x[known], numpy.unique(y[known], return_inverse=True)[1]
        self.dim = x.shape[1]
        self.output = numpy.round(self.x @ numpy.linspace(-1, 1, self.dim) / self.dim + self.y, 3)
        for part, rows in ("train", slice(0, ROWS)), ("test", slice(ROWS, ROWS + TESTS)):
            self.write(part + ".csv", self.x[rows], self.y[rows])
            self.write(part + ".outputs.csv", self.x[rows], self.output[rows])
        self.costs = self.path("costs.json")
        features = {f"f{j}": {"up": random.Random(j).choice([0.5, 1, 2]), "down": random.Random(-j).choice([0.5, 1, 3, "inf"])}
                    for j in range(self.dim)}
        for file, prices in (self.costs, features), (self.path("codes.json"), {
                key: value for key, value in features.items() if int(key[1:]) not in CATEGORIES.get(name, [])}):
            with open(file, "w") as to:
                json.dump({"features": prices}, to)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, x, y):
        with open(self.path(name), "w") as file:
            print(*(f"f{j}" for j in range(self.dim)), "label", sep=",", file=file)
            for row, label in zip(x, y):
                print(*(repr(float(v)) for v in row), label, sep=",", file=file)

    def run(self, *words):
        """Runs facet. A question that it refuses has no proofs, and it has no proof of a false claim."""
        done = subprocess.run([self.facet, *words], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            print(*words, done.stderr, file=sys.stderr, flush=True)

    def trained(self, kind, *flags):
        model = self.path(kind + ".model.json")
        if not os.path.exists(model):
            self.run("train", "--train", self.path("train.csv"), "--model", kind.split("-")[0], "--save", model, *flags)
        return model

    def ask(self, kind, name, model, *words):
        """Asks a question, and notes the proofs."""
        proofs = self.path(name + ".proofs")
        command, *rest = words
        if not os.path.exists(proofs):
            about = [model] if command == "verify" else ["--model", model] if model else []
            self.run(command, *about, *rest, "--proofs", proofs, "--overwrite")
        beside = proofs + (".rows.json" if command == "prune" else ".model.json")
        if os.path.exists(proofs) and has_proofs(proofs):
            self.files.append((kind, proofs, beside if os.path.exists(beside) else model))

    def about(self, kind, model, regressor=False, points=3, codes=False):
        """Asks all questions about a model of trees."""
        costs = ["--costs", self.path("codes.json") if codes else self.costs]
        test = ["--test", self.path("test.outputs.csv" if regressor else "test.csv"), "--points", str(points), "--timeout", "2s"]
        out = ["--out", self.path("answers.jsonl"), "--overwrite"]
        to = ["--target", f"output:{numpy.median(self.output)}"] if regressor else []
        few = ["--ignores", "0,1", "--monotone", "0:up,1:down", "--timeout", "4s"]
        for norm in "inf", "1", "2":
            self.ask(f"norm {norm}", f"{kind}-{norm}", model, "attack", *test, "--norm", norm, *to)
            self.ask("codes" if codes else "costs", f"{kind}-{norm}-costs", model, "attack", *test, "--norm", norm, *costs, *to)
        if not regressor:
            self.ask("targets", f"{kind}-target", model, "attack", *test, "--target", "1", "--norm", "1")
            self.ask("targets", f"{kind}-target-0", model, "attack", *test, "--target", "0", "--domain", "-1,2000")
        self.ask("explain", f"{kind}-reason", model, "explain", *test, "--box", *to, *out)
        self.ask("verify", f"{kind}-verify", model, "verify", *few)
        self.ask("verify", f"{kind}-verify-costs", model, "verify", *few, *costs)
        wide = ["--output-at-most", "30", "--output-at-least", "-30", "--monotone", "0:up,1:down", "--by", "20", "--timeout", "4s"]
        if self.dim < 100:  # of images they take minutes
            self.ask("verify", f"{kind}-verify-wide", model, "verify", *wide)
            self.ask("verify", f"{kind}-verify-domain", model, "verify", *wide, "--domain", "0,1")
        if regressor:
            self.ask("verify", f"{kind}-most", model, "verify", "--output-at-most", "1.5", "--output-at-least", "-100",
                     "--timeout", "4s")
            self.ask("range", f"{kind}-range", model, "range", *test, "--radius", "0.05", *out)

    def libraries(self):
        """Trains models of other libraries, and asks about them."""
        x, y, output = self.x[:ROWS], self.y[:ROWS], self.output[:ROWS]
        made = {
            "xgboost.json": lambda p: xgboost.XGBClassifier(n_estimators=20, max_depth=4).fit(x, y).save_model(p),
            "lightgbm.txt": lambda p: lightgbm.LGBMClassifier(n_estimators=20, num_leaves=12, verbose=-1).fit(x, y).booster_.save_model(p),
            "sklearn-forest.json": lambda p: export_sklearn.write(
                sklearn.ensemble.RandomForestClassifier(20, max_depth=5, random_state=1).fit(x, y), p),
            "sklearn-boosted.json": lambda p: export_sklearn.write(
                sklearn.ensemble.GradientBoostingClassifier(n_estimators=15, random_state=1).fit(x, y), p),
        }
        outputs = {
            "xgboost-outputs.json": lambda p: xgboost.XGBRegressor(n_estimators=20, max_depth=4).fit(x, output).save_model(p),
            "lightgbm-outputs.txt": lambda p: lightgbm.LGBMRegressor(n_estimators=20, num_leaves=12, verbose=-1).fit(
                x, output).booster_.save_model(p),
        }
        for regressor, models in (False, made), (True, outputs):
            for name, save in models.items():
                if not os.path.exists(self.path(name)):
                    save(self.path(name))
                self.about(os.path.splitext(name)[0], self.path(name), regressor)

    def categories(self):
        """Trains models some of whose features are categories, which tests of sets ask for."""
        x, y, some = self.x[:ROWS], self.y[:ROWS], sorted(CATEGORIES[self.name])
        types = ["c" if j in some else "q" for j in range(self.dim)]
        made = {
            "xgboost-sets.json": lambda p: xgboost.XGBClassifier(
                n_estimators=15, max_depth=4, enable_categorical=True, feature_types=types, max_cat_to_onehot=1).fit(x, y).save_model(p),
            "lightgbm-sets.txt": lambda p: lightgbm.LGBMClassifier(n_estimators=15, num_leaves=10, min_data_per_group=1, verbose=-1).fit(
                x, y, categorical_feature=some).booster_.save_model(p),
            "histogram.json": lambda p: export_sklearn.write(
                sklearn.ensemble.HistGradientBoostingClassifier(max_iter=15, categorical_features=some).fit(x, y), p),
        }
        for name, save in made.items():
            if not os.path.exists(self.path(name)):
                save(self.path(name))
            self.about(os.path.splitext(name)[0], self.path(name), codes=True)

    def neighbours(self):
        test = ["--test", self.path("test.csv"), "--points", "3", "--timeout", "4s"]
        for k in "1", "3", "5":
            for norm in "inf", "1", "2":
                self.ask("k-NN", f"knn-{k}-{norm}", None, "attack", "--train", self.path("train.csv"), *test,
                         "--model", "knn", "--k", k, "--norm", norm)
        self.ask("pruning", "pruning", None, "prune", "--train", self.path("train.csv"), "--prune", "0.05",
                 "--out", self.path("pruned.csv"), "--overwrite")

    def make(self):
        self.about("tree", self.trained("tree", "--depth", "6"), points=6)
        self.about("forest", self.trained("forest", "--trees", "25", "--depth", "5"))
        self.about("boosted", self.trained("boosted", "--trees", "20", "--depth", "4"))
        self.libraries()
        if self.name in CATEGORIES:
            self.categories()
        self.neighbours()
        oblique = self.trained("oblique", "--trees", "3", "--depth", "3")
        for norm in "inf", "1", "2":
            self.ask("oblique", f"oblique-{norm}", oblique, "attack", "--test", self.path("test.csv"), "--points", "2",
                     "--timeout", "4s", "--norm", norm)


CHECKERS = "facet check", "check_proofs.py", "facet-checked"
COVERED = re.compile(r"facet-checked checks (all of them|no such claims|(\d+) of them)")


def timed(words, limit=None):
    """Runs a program: its status, its output, and the seconds of a processor that it takes. After a limit of seconds there is no
    status."""
    began = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, "", "", limit
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = ended.ru_utime - began.ru_utime + ended.ru_stime - began.ru_stime
    return done.returncode, done.stdout, done.stderr.strip(), seconds


def check(options, proofs, model, python_too):
    """The checkers' verdicts on a file: the claims, how many are covered, and of each checker whether it accepts, and its seconds."""
    python = os.path.join(HERE, "check_proofs", "check_proofs.py")
    told = [timed([options.facet, "check", proofs, "--model", model]),
            timed([sys.executable, python, proofs, "--model", model], options.limit) if python_too else (None, "", "", 0),
            timed([options.checked, proofs, "--model", model])]
    claims = covered = 0
    if told[0][0] == 0:
        said = dict(line.split(None, 1) for line in told[0][1].splitlines() if line)
        claims = int(said["proofs" if "proofs" in said else "properties"].split(",")[0]) if "pruning" not in said else 1
        some = COVERED.search(told[0][1])
        covered = 0 if not some else claims if some[1].startswith("all") else int(some[2] or 0)
    return claims, covered, told


def report(options, files):
    """Prints the table, and returns how many files have verdicts that should not be."""
    kinds, faults = collections.defaultdict(lambda: [0] * 6 + [0.0] * 3), 0
    for i, (kind, proofs, model) in enumerate(files):
        claims, covered, told = check(options, proofs, model, i % options.every == 0)
        for row in kinds[kind], kinds["all"], kinds[group_of(proofs, kind)]:
            row[0], row[1], row[2] = row[0] + 1, row[1] + claims, row[2] + covered
            for which, (code, _, _, seconds) in enumerate(told):
                row[3 + which] += code == 0
                row[6 + which] += seconds if covered or which < 2 else 0
        if told[0][0] != 0 or told[1][0] not in (0, None) or told[2][0] not in ((0,) if covered == claims else (0, 3)):
            faults += 1
            print(proofs, *(f"{name}: {code} {error}" for name, (code, _, error, _) in zip(CHECKERS, told)), sep="\n  ", flush=True)
    print(f"{'kind':12} files claims covered  accepted by {'  '.join(CHECKERS)}, and seconds")
    for kind, row in kinds.items():
        print(f"{kind:12} {row[0]:5} {row[1]:6} {row[2]:7} {row[3]:13} {row[4]:16} {row[5]:15} {row[6]:8.1f} {row[7]:8.1f} {row[8]:8.1f}")
    for group in "trees", "properties":
        row = kinds[group]
        share = row[2] / max(row[1], 1)
        print(f"{group}: {share:.1%} of {row[1]} claims are covered")
        faults += share < 0.8
    return faults


def group_of(proofs, kind):
    """Sums besides those of the kinds: claims about inputs of trees that test one feature, and properties of all inputs."""
    with open(proofs) as file:
        if file.readline().startswith("facet-properties"):
            return "properties"
    return "others" if kind in ("k-NN", "oblique", "pruning") else "trees"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="where models and proofs go")
    parser.add_argument("--facet", default="./facet", help="the program (./facet)")
    parser.add_argument("--checked", default=os.path.join(HERE, "../examples/checker/facet-checked"), help="facet-checked")
    parser.add_argument("--sets", help="some of the sets, with commas between them")
    parser.add_argument("--every", type=int, default=1, help="give every so manieth file to check_proofs.py (1)")
    parser.add_argument("--limit", type=int, default=600, help="seconds of check_proofs.py a file (600)")
    parser.add_argument("--only-make", action="store_true", help="check nothing")
    options = parser.parse_args()
    files = []
    for name, x, y in sets():
        if not options.sets or name in options.sets.split(","):
            corpus = Corpus(options.folder, os.path.abspath(options.facet), name, x, y)
            corpus.make()
            files += corpus.files
            print(name, len(corpus.files), "files", file=sys.stderr, flush=True)
    with open(os.path.join(options.folder, "corpus.tsv"), "w") as index:
        for kind, *paths in files:
            print(kind, *(os.path.relpath(path, options.folder) for path in paths), sep="\t", file=index)
    if not options.only_make:
        sys.exit(1 if report(options, files) else 0)


if __name__ == "__main__":
    main()
