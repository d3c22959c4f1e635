#!/usr/bin/env python3
"""Makes tree ensembles of ONNX, and prints onnxruntime's predictions.

Needs onnx, onnxruntime, scikit-learn and skl2onnx, xgboost, lightgbm and onnxmltools.

    python make_onnx.py record                  internal/modelfile/testdata/onnx anew
    python make_onnx.py make FOLDER [SEED]      the same kinds of models, from other data
    python make_onnx.py predict FOLDER          their predictions

The last reads rows from standard input, {"model": [[0.5, null], …], …}, null for a missing value, and
prints {"model": {"Labels": [0, …], "Margins": [[-0.3], …], "Threads": …}, …}: labels and
the sums before they become probabilities, of one thread, and the same sums of four.
"""
import gzip
import json
import os
import sys
import warnings

import lightgbm
import numpy as np
import onnx
import onnxmltools
import onnxruntime
import sklearn.ensemble
import sklearn.tree
import xgboost
from onnx import helper
from onnxmltools.convert.common.data_types import FloatTensorType
from skl2onnx import to_onnx

import recording


def data(rng, classes=2, rows=260, features=4, missing=0.0):
    x = np.round(rng.normal(size=(rows, features)), 2).astype(np.float32)
    score = sum(x[:, f] * (1 + f % 2) for f in range(features)) + rng.normal(size=rows) * 0.4
    y = np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score)
    if missing:
        x[rng.random(x.shape) < missing] = np.nan
    return x, y


def of_sklearn(rng, seed):
    def convert(model, classes=2, label=None, **options):
        x, y = data(rng, classes)
        model.set_params(random_state=seed)
        model.fit(x, y if label is None else label(y))
        return to_onnx(model, x[:1], options={id(model): options} if options else None)

    yield "tree", convert(sklearn.tree.DecisionTreeClassifier(max_depth=5))
    yield "tree_three", convert(sklearn.tree.DecisionTreeClassifier(max_depth=5), 3)
    yield "forest", convert(sklearn.ensemble.RandomForestClassifier(20, max_depth=4))
    yield "forest_words", convert(sklearn.ensemble.RandomForestClassifier(7, max_depth=4), label=lambda y: np.where(y, "yes", "no"), zipmap=False)
    yield "forest_four", convert(sklearn.ensemble.RandomForestClassifier(10, max_depth=4), 4)
    yield "extra_trees", convert(sklearn.ensemble.ExtraTreesClassifier(15, max_depth=5), 3, lambda y: y * 3 - 2)
    yield "boosting", convert(sklearn.ensemble.GradientBoostingClassifier(n_estimators=20, max_depth=3))
    yield "boosting_three", convert(sklearn.ensemble.GradientBoostingClassifier(n_estimators=8, max_depth=3), 3)
    yield "regressor_tree", convert(sklearn.tree.DecisionTreeRegressor(max_depth=5), 40)
    yield "regressor_forest", convert(sklearn.ensemble.RandomForestRegressor(12, max_depth=4), 40)
    yield "regressor_extra", convert(sklearn.ensemble.ExtraTreesRegressor(9, max_depth=4), 40)
    yield "regressor_boosting", convert(sklearn.ensemble.GradientBoostingRegressor(n_estimators=15), 40)


def of_boosters(rng, seed):
    def convert(convert, model, classes=2, missing=0.0):
        x, y = data(rng, classes, missing=missing)
        return convert(model.fit(x, y), initial_types=[("X", FloatTensorType([None, x.shape[1]]))])

    xgb = lambda kind, rounds=12, **params: kind(n_estimators=rounds, max_depth=3, random_state=seed, n_jobs=1, **params)
    lgb = lambda kind, rounds=12, **params: kind(n_estimators=rounds, num_leaves=7, random_state=seed, n_jobs=1, verbose=-1, **params)
    for name, to, make, classifier, regressor in (
        ("xgboost", onnxmltools.convert_xgboost, xgb, xgboost.XGBClassifier, xgboost.XGBRegressor),
        ("lightgbm", onnxmltools.convert_lightgbm, lgb, lightgbm.LGBMClassifier, lightgbm.LGBMRegressor),
    ):
        yield name, convert(to, make(classifier))
        yield name + "_missing", convert(to, make(classifier), missing=0.2)
        yield name + "_three", convert(to, make(classifier, 6), 3)
        yield name + "_three_missing", convert(to, make(classifier, 6), 3, missing=0.2)
        yield name + "_many", convert(to, make(classifier, 120))
        yield name + "_many_three", convert(to, make(classifier, 40), 3)
        yield "regressor_" + name, convert(to, make(regressor), 40)
        yield "regressor_missing_" + name, convert(to, make(regressor), 40, missing=0.2)


MODES = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GT", "BRANCH_GTE", "BRANCH_EQ", "BRANCH_NEQ"]


def drawn(rng, classes, modes, positive=False, bases=0, trees=6, depth=3, features=3, transform="NONE", element=1):
    """Random trees with tests of some modes."""
    a = {k: [] for k in "treeids nodeids featureids truenodeids falsenodeids missing_value_tracks_true modes values".split()}
    w = {k: [] for k in "treeids nodeids ids weights".split()}
    for tree in range(trees):
        def grow(depth):
            node = len([t for t in a["treeids"] if t == tree])
            row = len(a["nodeids"])
            leaf = depth == 0 or node > 0 and rng.random() < 0.15
            for k, v in zip(a, [tree, node, 0 if leaf else int(rng.integers(features)), 0, 0, int(rng.random() < 0.5),
                                "LEAF" if leaf else str(rng.choice(modes)), 0.0 if leaf else float(np.float32(rng.integers(-4, 5) / 3))]):
                a[k].append(v)
            if leaf:
                for c in range(max(classes, 1)) if classes != 2 else [0]:
                    value = float(np.float32(rng.random() / 3 if positive else rng.normal()))
                    for k, v in zip(w, [tree, node, c, value]):
                        w[k].append(v)
                return node
            a["truenodeids"][row] = grow(depth - 1)
            a["falsenodeids"][row] = grow(depth - 1)
            return node
        grow(depth)
    of, op = ("target", "TreeEnsembleRegressor") if classes == 1 else ("class", "TreeEnsembleClassifier")
    attributes = {"nodes_" + k: v for k, v in a.items()} | {f"{of}_{k}": v for k, v in w.items()}
    attributes |= {"n_targets": 1} if classes == 1 else {"classlabels_int64s": list(range(classes))}
    if transform != "NONE":
        attributes["post_transform"] = transform
    if bases:
        attributes["base_values"] = [float(np.float32(v)) for v in rng.normal(size=bases) / 4]
    outputs = ["variable"] if classes == 1 else ["label", "scores"]
    node = helper.make_node(op, ["X"], outputs, domain="ai.onnx.ml", **attributes)
    made = [helper.make_tensor_value_info("variable", 1, [None, 1])] if classes == 1 else [
        helper.make_tensor_value_info("label", 7, [None]), helper.make_tensor_value_info("scores", 1, [None, classes])]
    graph = helper.make_graph([node], "drawn", [helper.make_tensor_value_info("X", element, [None, features])], made)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 18)], ir_version=8)


def models(seed):
    rng = np.random.default_rng(seed)
    yield from of_sklearn(rng, seed)
    yield from of_boosters(rng, seed)
    for mode in MODES:
        yield "missing_" + mode.lower(), drawn(rng, 2, [mode])
    yield "missing_mixed", drawn(rng, 2, MODES, bases=1)
    yield "missing_mixed_positive", drawn(rng, 2, MODES, positive=True, trees=3)
    yield "missing_mixed_four", drawn(rng, 4, MODES, bases=4)
    yield "regressor_missing_mixed", drawn(rng, 1, MODES, bases=1)
    yield "missing_logistic_positive", drawn(rng, 2, MODES, positive=True, trees=3, transform="LOGISTIC")
    yield "missing_softmax_zero", drawn(rng, 3, MODES, transform="SOFTMAX_ZERO")
    yield "missing_double", drawn(rng, 2, MODES, bases=1, element=11)
    yield "missing_double_three", drawn(rng, 3, MODES, bases=3, element=11)
    x, _ = data(rng, rows=400)
    forest = sklearn.ensemble.IsolationForest(n_estimators=12, max_samples=96, contamination=0.2, random_state=seed).fit(x)
    yield "isolation", to_onnx(forest, x[:1], target_opset={"": 18, "ai.onnx.ml": 3})


def ensembles(model):
    return [n for n in model.graph.node if n.op_type.startswith("TreeEnsemble")]


def ensemble(model):
    return ensembles(model)[0]


def attributes(node):
    return {a.name: helper.get_attribute_value(a) for a in node.attribute}


def session(model, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # which costs more than these models do
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def sums(model, x, threads, at_once=None):
    """The sums before they become probabilities: of the same node, alone and without a transform; of so many rows at once."""
    node = onnx.NodeProto()
    node.CopyFrom(ensemble(model))
    for a in node.attribute:
        if a.name == "post_transform":
            a.s = b"NONE"
    made = [helper.make_tensor_value_info(node.output[-1], 1, None)]
    graph = helper.make_graph([node], "sums", [helper.make_tensor_value_info(node.input[0], 11 if x.dtype == float else 1, [None, x.shape[1]])], made)
    alone = helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)
    run, at_once = session(alone, threads).run, at_once or len(x)
    out = np.concatenate([run([node.output[-1]], {node.input[0]: x[i : i + at_once]})[0] for i in range(0, len(x), at_once)])
    return out[:, 1:] if out.shape[1] == 2 else out


def tensor(model, rows):
    return np.array(rows, dtype=float if model.graph.input[0].type.tensor_type.elem_type == 11 else np.float32)


def depths(model, x, threads):
    """The labels of an isolation forest, 0 for -1, and the sums of its depths."""
    with_sums, total = onnx.ModelProto(), next(n for n in model.graph.node if n.op_type == "Sum")
    with_sums.CopyFrom(model)
    with_sums.graph.output.append(helper.make_tensor_value_info(total.output[0], 1, None))
    labels, _, found = session(with_sums, threads).run(None, {model.graph.input[0].name: x})
    return (np.ravel(labels) + 1) // 2, found


def predict(model, rows):
    x, node = tensor(model, rows), ensemble(model)
    if len(ensembles(model)) > 1:
        return depths(model, x, 1)
    margins = sums(model, x, 1)
    if node.op_type == "TreeEnsembleRegressor":
        return None, margins
    labels = attributes(node)
    labels = [l.decode() for l in labels["classlabels_strings"]] if labels.get("classlabels_strings") else labels["classlabels_int64s"]
    out = session(model, 1).run(None, {model.graph.input[0].name: x})[0]
    return np.array([list(labels).index(v) for v in out.tolist()]), margins


def cuts(model, features):
    all = [[] for _ in range(features)]
    for node in ensembles(model):
        a = attributes(node)
        for f, cut, mode in zip(a["nodes_featureids"], a["nodes_values"], a["nodes_modes"]):
            if mode != b"LEAF":
                all[f].append(cut)
    return all


def record():
    folder, records = os.path.join(recording.TESTDATA, "onnx"), []
    os.makedirs(folder, exist_ok=True)
    for name, model in models(1):
        if "many" in name:
            continue
        features = model.graph.input[0].type.tensor_type.shape.dim[1].dim_value
        special = [np.nan] if "missing" in name else []
        records.append(recording.record(name, name + ".onnx.gz", cuts(model, features), lambda x: predict(model, x), special))
        with gzip.GzipFile(os.path.join(folder, name + ".onnx.gz"), "wb", mtime=0) as f:
            f.write(model.SerializeToString())
    recording.save("onnx", records)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "record":
        record()
    elif sys.argv[1] == "make":
        for name, model in models(int(sys.argv[3]) if len(sys.argv) > 3 else 2):
            onnx.save(model, os.path.join(sys.argv[2], name + ".onnx"))
    else:
        answers = {}
        for name, rows in json.load(sys.stdin).items():
            model = onnx.load(os.path.join(sys.argv[2], name + ".onnx"))
            x = [[np.nan if v is None else v for v in row] for row in rows]
            if x:
                labels, margins = predict(model, x)
                ten, many = tensor(model, x[:10]), len(ensembles(model)) > 1
                threads = depths(model, ten, 4)[1] if many else sums(model, ten, 4, 1)
                answers[name] = {"Labels": [] if labels is None else labels.tolist(), "Margins": margins.tolist(), "Threads": threads.tolist()}
        json.dump(answers, sys.stdout)
