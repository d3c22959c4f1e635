#!/usr/bin/env python3
"""Compares the probabilities of facet with those of the libraries that trained the models, for every kind of model it reads.

    python check_probabilities.py FACET [PART]      a program facet, and part of the names of kinds
    python check_probabilities.py record FILE       small models, and the libraries' answers for rows, gzipped

Each kind is trained with two, three and ten classes where it can be. Of every model and label it compares

- the probabilities that `facet predict` and lines of `facet attack` print with the library's own, to the last places,
- whether each example of `facet attack --target probability:LABEL:P` is on the side of P that it claims, by the library,
- whether random inputs strictly within each bound are on the side of their row, by the library.

A kind may be refused, by a sentence; it prints a line a model, and ends with 1 if anything differs. Needs scikit-learn, and tries
XGBoost, LightGBM, CatBoost and skl2onnx with onnxmltools and onnxruntime where they are installed.
"""
import base64
import gzip
import inspect
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import sklearn
from sklearn import ensemble, neighbors, tree
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "libraries"), os.path.join(HERE, "..", "examples", "python", "facet_robust")]
import export_sklearn

warnings.simplefilter("ignore")
FEATURES = 4
BASE = "estimator" if "estimator" in inspect.signature(ensemble.BaggingClassifier).parameters else "base_estimator"
KINDS = []


def data(classes, rows=300, missing=0.0):
    rng = np.random.default_rng(classes)
    x = np.round(rng.normal(size=(rows, FEATURES)), 2).astype(np.float32)
    score = x @ [1, 2, 1, 2] + rng.normal(size=rows) * 1.5
    return x, np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score)


class Model:
    """A file, and the library's answers for rows."""

    def __init__(self, write, proba, single=False):
        self.write, self.proba, self.single = write, proba, single


def kind(name, classes=(2, 3, 10), needs="sklearn", single=False):
    """Adds a kind for each number of classes: a function of rows and labels that returns the writer of a file, and predict_proba."""
    def add(make):
        try:
            __import__(needs)
        except ImportError:
            return
        for count in classes:
            KINDS.append((f"{name}, {count} classes", count, make, single))
    return add


def of_sklearn(name, make, **how):
    def fit(x, y):
        model = make().fit(x, y)
        return lambda path: export_sklearn.write(model, path + ".json"), getattr(model, "predict_proba", None)
    kind("scikit-learn " + name, **how)(fit)


def forest(n=7, **how):
    return ensemble.RandomForestClassifier(n, max_depth=4, random_state=1, **how)


def shallow(depth=3, **how):
    return tree.DecisionTreeClassifier(max_depth=depth, random_state=1, **how)


of_sklearn("tree", shallow)
of_sklearn("tree with weights", lambda: shallow(class_weight="balanced"))
of_sklearn("tree after a scaler", lambda: make_pipeline(StandardScaler(), shallow()))
of_sklearn("forest", forest)
of_sklearn("extra trees", lambda: ensemble.ExtraTreesClassifier(7, max_depth=4, random_state=1))
of_sklearn("forest after a scaler", lambda: make_pipeline(StandardScaler(), forest()))
of_sklearn("bagging", lambda: ensemble.BaggingClassifier(**{BASE: shallow()}, n_estimators=6, random_state=1))
of_sklearn("bagging of small samples", lambda: ensemble.BaggingClassifier(**{BASE: shallow()}, n_estimators=6, max_samples=12, random_state=1))
of_sklearn("bagging of forests", lambda: ensemble.BaggingClassifier(**{BASE: forest(3)}, n_estimators=4, random_state=1))
of_sklearn("bagging of scaled forests", lambda: ensemble.BaggingClassifier(**{BASE: make_pipeline(StandardScaler(), forest(3))}, n_estimators=3, random_state=1))
of_sklearn("soft voting", lambda: ensemble.VotingClassifier([(str(d), shallow(d)) for d in (2, 3, 4)], voting="soft"))
of_sklearn("soft voting with weights", lambda: ensemble.VotingClassifier([(str(d), shallow(d)) for d in (2, 3, 4)], voting="soft", weights=[1, 5, 2.5]))
of_sklearn("soft voting of forests", lambda: ensemble.VotingClassifier([("a", forest(3)), ("b", forest(4))], voting="soft", weights=[1, 3]))
of_sklearn("hard voting", lambda: ensemble.VotingClassifier([(str(d), shallow(d)) for d in (2, 3, 4)]))
of_sklearn("hard voting with weights", lambda: ensemble.VotingClassifier([(str(d), shallow(d)) for d in (2, 3, 4)], weights=[1, 1.5, 1]))
for algorithm in ("SAMME", "SAMME.R"):
    if algorithm in str(inspect.signature(ensemble.AdaBoostClassifier)) or algorithm == "SAMME":
        how = {"algorithm": algorithm} if "algorithm" in inspect.signature(ensemble.AdaBoostClassifier).parameters else {}
        of_sklearn("AdaBoost " + algorithm, lambda how=how: ensemble.AdaBoostClassifier(**{BASE: shallow(2)}, n_estimators=8, random_state=1, **how))
of_sklearn("gradient boosting", lambda: ensemble.GradientBoostingClassifier(n_estimators=8, max_depth=2))
of_sklearn("gradient boosting after a scaler", lambda: make_pipeline(StandardScaler(), ensemble.GradientBoostingClassifier(n_estimators=8, max_depth=2)))
of_sklearn("gradient boosting, exponential", lambda: ensemble.GradientBoostingClassifier(n_estimators=8, max_depth=2, loss="exponential"), classes=(2,))
of_sklearn("gradient boosting, exponential, after a scaler", lambda: make_pipeline(StandardScaler(), ensemble.GradientBoostingClassifier(n_estimators=8, max_depth=2, loss="exponential")), classes=(2,))
of_sklearn("histograms", lambda: ensemble.HistGradientBoostingClassifier(max_iter=8, max_depth=2))
of_sklearn("k-NN", lambda: neighbors.KNeighborsClassifier(5, algorithm="kd_tree"))
of_sklearn("weighted k-NN", lambda: neighbors.KNeighborsClassifier(5, weights="distance", algorithm="kd_tree"))


def of_facet(vote):
    def fit(x, y):
        """A forest of scikit-learn whose trees vote for labels, as facet's own do."""
        model = forest().fit(x, y)

        def write(path):
            file = export_sklearn.as_facet(export_sklearn.export(model))
            with open(path + ".json", "w") as f:
                json.dump({**file, "vote": vote}, f)
        shares = lambda x: np.mean([np.eye(len(model.classes_))[np.argmax(t.predict_proba(x), axis=1)] for t in model.estimators_], axis=0)
        return write, shares if vote == "hard" else model.predict_proba
    kind(f"facet's own, {vote}")(fit)


of_facet("hard")
of_facet("soft")


def of_xgboost(name, classes=(2,), **how):
    def fit(x, y):
        import xgboost
        model = xgboost.XGBClassifier(n_estimators=8, max_depth=3, n_jobs=1, **how).fit(x, y)
        return lambda path: model.save_model(path + ".json"), model.predict_proba
    kind("XGBoost " + name, classes, "xgboost", True)(fit)


of_xgboost("binary:logistic")
of_xgboost("base_score", base_score=0.2)
of_xgboost("binary:logitraw", objective="binary:logitraw")
of_xgboost("binary:hinge", objective="binary:hinge")
of_xgboost("multi:softprob", (3, 10))
of_xgboost("multi:softmax", (3, 10), objective="multi:softmax")
of_xgboost("dart", (2, 3), booster="dart", rate_drop=0.3)
of_xgboost("random forest", (2, 3), num_parallel_tree=4, subsample=0.7, colsample_bynode=0.7)
of_xgboost("steep", (2,), learning_rate=1.5, min_child_weight=0, reg_lambda=0)


def of_lightgbm(name, classes=(2, 3, 10), **how):
    def fit(x, y):
        import lightgbm
        if how.get("objective") == "cross_entropy":
            model = lightgbm.train({"verbose": -1, "num_leaves": 5, **how}, lightgbm.Dataset(x, y * 0.8 + 0.1), 8)
            proba = lambda x: np.stack([1 - model.predict(x), model.predict(x)], axis=1)
            return lambda path: model.save_model(path + ".txt"), proba
        model = lightgbm.LGBMClassifier(n_estimators=8, num_leaves=5, n_jobs=1, verbose=-1, **how).fit(x, y)
        return lambda path: model.booster_.save_model(path + ".txt"), model.predict_proba
    kind("LightGBM " + name, classes, "lightgbm")(fit)


RF = {"boosting_type": "rf", "subsample": 0.7, "subsample_freq": 1}
of_lightgbm("gbdt")
of_lightgbm("sigmoid", (2,), sigmoid=2.7)
of_lightgbm("rf", **RF)
of_lightgbm("rf with sigmoid", (2,), sigmoid=0.3, **RF)
of_lightgbm("dart", boosting_type="dart")
of_lightgbm("multiclassova", (3,), objective="multiclassova")
of_lightgbm("cross_entropy", (2,), objective="cross_entropy")


def of_catboost(name, classes=(2,), **how):
    def fit(x, y):
        import catboost
        model = catboost.CatBoostClassifier(iterations=8, depth=3, verbose=False, allow_writing_files=False, thread_count=1, **how).fit(x, y)
        return lambda path: model.save_model(path + ".json", format="json"), model.predict_proba
    kind("CatBoost " + name, classes, "catboost")(fit)


of_catboost("Logloss")
of_catboost("Logloss, steep", learning_rate=2, l2_leaf_reg=0)
of_catboost("CrossEntropy", loss_function="CrossEntropy")
of_catboost("Focal", loss_function="Focal:focal_alpha=0.4;focal_gamma=2")
of_catboost("MultiClass", (2, 3, 10), loss_function="MultiClass")
of_catboost("MultiClassOneVsAll", (2, 3, 10), loss_function="MultiClassOneVsAll")


def of_onnx(name, convert, classes=(2, 3, 10)):
    def fit(x, y):
        import onnxruntime
        model = convert(x, y)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3  # an ensemble says that it has one row, and may be asked of many
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])

        def write(path):
            with open(path + ".onnx", "wb") as f:
                f.write(model.SerializeToString())

        def proba(x):
            p = session.run(None, {session.get_inputs()[0].name: np.asarray(x, dtype=np.float32)})[1]
            return np.array([list(row.values()) for row in p]) if isinstance(p, list) else p
        return write, proba
    kind("ONNX " + name, classes, "skl2onnx" if name.startswith("scikit") else "onnxmltools", True)(fit)


def skl2onnx(make):
    def convert(x, y):
        from skl2onnx import to_onnx
        model = make().fit(x, y)
        return to_onnx(model, x[:1], options={id(model): {"zipmap": False}})
    return convert


def onnxmltools(to, make):
    def convert(x, y):
        import onnxmltools
        from onnxmltools.convert.common.data_types import FloatTensorType
        return getattr(onnxmltools, to)(make().fit(x, y), initial_types=[("X", FloatTensorType([None, FEATURES]))])
    return convert


def transformed(transform, positive=False):
    """Random trees, with every post_transform that there is."""
    def convert(x, y):
        from make_onnx import drawn
        return drawn(np.random.default_rng(3), len(set(y)), ["BRANCH_LEQ"], positive=positive, transform=transform, features=FEATURES, trees=3)
    return convert


def xgboost(**how):
    import xgboost
    return xgboost.XGBClassifier(n_estimators=8, max_depth=3, n_jobs=1, **how)


def lightgbm(**how):
    import lightgbm
    return lightgbm.LGBMClassifier(n_estimators=8, num_leaves=5, n_jobs=1, verbose=-1, **how)


of_onnx("scikit-learn tree", skl2onnx(shallow))
of_onnx("scikit-learn forest", skl2onnx(forest))
of_onnx("scikit-learn gradient boosting", skl2onnx(lambda: ensemble.GradientBoostingClassifier(n_estimators=8, max_depth=2)))
of_onnx("scikit-learn histograms", skl2onnx(lambda: ensemble.HistGradientBoostingClassifier(max_iter=8, max_depth=2)))
of_onnx("XGBoost", onnxmltools("convert_xgboost", xgboost))
of_onnx("LightGBM", onnxmltools("convert_lightgbm", lightgbm))
of_onnx("XGBoost, steep", onnxmltools("convert_xgboost", lambda: xgboost(learning_rate=1.5, min_child_weight=0, reg_lambda=0)), (2, 3))
of_onnx("LightGBM, sigmoid", onnxmltools("convert_lightgbm", lambda: lightgbm(sigmoid=2.7)), (2,))
for post in ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT"):
    of_onnx(f"post_transform {post}", transformed(post), (2, 3))
    of_onnx(f"post_transform {post} of positive weights", transformed(post, True), (2, 3))


class Refused(Exception):
    pass


def run(*arguments):
    done = subprocess.run([FACET, *arguments], capture_output=True, text=True)
    if done.returncode not in (0, 2):
        raise AssertionError(f"facet {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
    if done.returncode == 2:
        raise Refused(done.stderr.strip().splitlines()[-1])
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def near(a, b, single):
    unit = 2.0 ** -23 if single else 2.0 ** -52
    return abs(a - b) <= 64 * unit * abs(b) + 8 * 2.0 ** -60


def levels(values, parts):
    """Numbers between those that occur, at such parts of them."""
    values = np.unique(values)
    if len(values) < 2:
        return [float(values[0]) + 0.01]
    at = {int(q * (len(values) - 1)) for q in parts} - {len(values) - 1}
    at = [i for i in sorted(at) if values[i + 1] - values[i] > 1e-9 * abs(values[i])]  # not by rounding alone
    return [float(values[i]) / 2 + float(values[i + 1]) / 2 for i in at]


class Check:
    """The parts of a model that are compared."""

    def __init__(self, write, proba, x, classes, single, folder):
        self.proba, self.classes, self.single, self.faults, self.count = proba, classes, single, [], 0
        self.rng, base = np.random.default_rng(5), os.path.join(folder, "model")
        write(base)
        self.model = next(os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("model."))
        self.x = np.concatenate([x[:6], self.rng.choice(x.ravel(), size=(6, FEATURES))]).astype(float)
        self.rows = os.path.join(folder, "rows.csv")
        np.savetxt(self.rows, self.x, delimiter=",", fmt="%.17g")
        self.all = np.concatenate([x, self.x])

    def fault(self, text):
        self.faults.append(text)

    def predictions(self):
        told, want = run("predict", "--model", self.model, "--test", self.rows, "--label", "none", "--header", "no"), self.proba(self.x)
        for i, line in enumerate(told):
            p = line["probabilities"]
            if p is None:
                raise Refused("facet predict prints null")
            for c in range(self.classes):
                self.count += 1
                if not near(p[str(c)], want[i][c], self.single):
                    self.fault(f"predict: row {i}, label {c}: {p[str(c)]}, and {want[i][c]} by the library")

    def attacks(self, label):
        for level in levels(self.proba(self.all)[:, label], (0.1, 0.5, 0.9) if self.classes < 10 else (0.7,)):
            lines = run("attack", "--model", self.model, "--test", self.rows, "--label", "none", "--header", "no", "--target", f"probability:{label}:{level!r}", "--out", "-", "--timeout", "1s")
            known, within = self.proba(self.x)[:, label], [self.within(line) for line in lines]
            told = self.proba(np.concatenate(within))[:, label] if lines else []  # of all lines at once: a call costs as much as its rows
            for line, inputs in zip(lines, within):  # as rows finish
                self.line(line, known[line["row"]], told[:len(inputs)], label, level)
                told = told[len(inputs):]

    def within(self, line):
        """The example of a line, if it has one, and 1000 inputs strictly within its bound, if that is above 0."""
        example, bound = line.get("adversarial"), line["bound"]
        if bound is None:
            bound = 5 if line["status"] == "none" else 0
        examples = [] if example is None else [[example[k] for k in example] if isinstance(example, dict) else example]
        inputs = self.x[line["row"]] + self.rng.uniform(-1, 1, size=(1000 * (bound > 0), FEATURES)) * bound * (1 - 1e-6)
        return np.concatenate([np.array(examples, dtype=float).reshape(-1, FEATURES), inputs])

    def line(self, line, p, told, label, level):
        """Compares a line with p, the library's probability of its row, and with those of the inputs within it."""
        self.count += 1
        name = f"label {label}, above {level}, row {line['row']}"
        if "output" in line and not near(line["output"], p, self.single):
            self.fault(f"{name}: the output is {line['output']}, and {p} by the library")
        if (p >= level) != (line["predicted"] == "above"):
            self.fault(f"{name}: predicted {line['predicted']}, and {p} by the library")
            return
        if line.get("adversarial") is not None:
            if (told[0] >= level) == (p >= level):
                self.fault(f"{name}: the example has {told[0]} by the library, on the side of the row")
            told = told[1:]
        others = (told >= level) != (p >= level)
        if others.any():
            self.fault(f"{name}: {others.sum()} of 1000 inputs within {line['bound']} are on the other side by the library")


def recorded(classes, make, single):
    """A model with the probabilities of rows; None for no probabilities, or none that is read."""
    x, y = data(classes, 60)
    with tempfile.TemporaryDirectory() as folder:
        write, proba = make(x, y)
        try:
            write(os.path.join(folder, "model"))
        except export_sklearn.ExportError:
            return None
        path = os.path.join(folder, os.listdir(folder)[0])
        with open(path, "rb") as f:
            text = f.read()
    text = {"base64": base64.b64encode(text).decode()} if path.endswith(".onnx") else {"text": text.decode()}
    rows = x[:12]
    return {**text, "single": single, "rows": rows.tolist(), "probabilities": proba and np.asarray(proba(rows), dtype=float).tolist()}


def record(path):
    """Writes models of two and three classes."""
    models = {}
    for name, classes, make, single in KINDS:
        if classes <= 3 and not any(part in name for part in ("scaler", "CatBoost Logloss, steep", "PROBIT")):
            try:
                models[f"{name}, {'old' if export_sklearn.COUNTS else 'new'}"] = recorded(classes, make, single)
            except Exception as e:
                print(f"{name}: {e}")
    with gzip.GzipFile(path, "wb", mtime=0) as f:
        f.write(json.dumps({name: m for name, m in models.items() if m}).encode())


def check(name, classes, make, single):
    x, y = data(classes)
    with tempfile.TemporaryDirectory() as folder:
        try:
            write, proba = make(x, y)
        except ImportError:
            raise
        except Exception as e:
            return f"not made: {type(e).__name__}: {str(e).splitlines()[0][:100]}", True
        refused, c = [], None
        try:
            c = Check(write, proba or (lambda x: np.full((len(x), classes), np.nan)), x, classes, single, folder)
            if proba is None:
                c.predictions()
                return "WRONG: probabilities, and the library has none", False
        except (export_sklearn.ExportError, Refused) as e:
            return f"refused: {e}", True
        try:
            c.predictions()
        except Refused as e:
            refused.append(str(e))
        try:
            for label in range(min(classes, 3)):
                c.attacks(label)
        except Refused as e:
            refused.append(str(e))
    if c.faults:
        return f"WRONG: {len(c.faults)} of {c.count}: {c.faults[0]}" + (f" (and refused: {refused})" if refused else ""), False
    return "; ".join([f"equal, {c.count} compared"] * (c.count > 0) + [f"refused: {text}" for text in refused]), True


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    if sys.argv[1] == "record":
        record(sys.argv[2])
        sys.exit()
    FACET, wrong = sys.argv[1], 0
    print("scikit-learn", sklearn.__version__)
    for name, *how in KINDS:
        if len(sys.argv) == 3 and sys.argv[2] not in name:
            continue
        said, fine = check(name, *how)
        wrong += not fine
        print(f"{name}: {said}", flush=True)
    print(f"{wrong} models are wrong")
    sys.exit(wrong > 0)
