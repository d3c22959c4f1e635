#!/usr/bin/env python3
"""Makes models of CatBoost, and prints CatBoost's predictions. Needs catboost and numpy.

    python make_catboost.py record                  internal/modelfile/testdata/catboost anew
    python make_catboost.py make FOLDER [SEED]      the same kinds of models, from other data
    python make_catboost.py predict FOLDER          their predictions

The last reads rows from standard input, {"model": [[0.5, null], …], …}, null for a missing
value, and prints {"model": {"Labels": [0, …], "Margins": [[-0.3], …]}, …}. The binary model beside each JSON is asked, since CatBoost rounds leaf values anew, to other
last places, when it reads its own JSON.
"""
import json
import os

import catboost
import numpy as np

import recording

COMMON = dict(allow_writing_files=False, verbose=0, thread_count=1)


def data(rng, classes, missing, codes):
    x, y = recording.data(rng, classes, 240, codes, [1, 2, 5])
    if missing:
        holes = rng.random(x.shape) < missing
        holes[:, : len(codes)] = False
        x[holes] = np.nan
    return x, y


def with_codes(x, codes):
    """Rows as CatBoost takes them: categories are whole numbers or words, never floats."""
    if not codes:
        return x
    table = x.astype(object)
    for f, n in enumerate(codes):
        if n:
            assert (x[:, f] == np.floor(x[:, f])).all()
            table[:, f] = [int(v) for v in x[:, f]]
    return table


def models(seed):
    """Models and the codes of their categories, by name."""
    rng = np.random.default_rng(seed)

    def train(name, classes=2, missing=0.0, codes=(), label=None, after=None, **params):
        params = {"iterations": 12, "depth": 4, "learning_rate": 0.4, "random_seed": seed, **COMMON, **params}
        x, y = data(rng, classes, missing, codes)
        kind = catboost.CatBoostRegressor if "regressor" in name else catboost.CatBoostClassifier
        model = kind(cat_features=list(range(len(codes))), **params)
        model.fit(with_codes(x, codes), y if label is None else label(y))
        if after:
            after(model)
        return name, model, list(codes) + [0] * (x.shape[1] - len(codes)) if codes else None

    one_hot = {"codes": (6, 3), "one_hot_max_size": 10}
    yield train("depth3", depth=3)
    yield train("depth6", depth=6, iterations=6)
    yield train("stumps", depth=1, iterations=40, border_count=254)
    yield train("depthwise", grow_policy="Depthwise", depth=5)
    yield train("lossguide", grow_policy="Lossguide", max_leaves=9, depth=8)
    yield train("missing_min", missing=0.2)
    yield train("missing_max", missing=0.2, nan_mode="Max")
    yield train("missing_depthwise", missing=0.2, nan_mode="Max", grow_policy="Depthwise")
    yield train("forbidden", nan_mode="Forbidden")
    yield train("average", boost_from_average=True)
    yield train("scaled", after=lambda m: m.set_scale_and_bias(0.5, 0.3))
    yield train("weights", class_weights=[1, 4])
    yield train("words", label=lambda y: np.where(y, "yes", "no"))
    yield train("reversed", class_names=[1, 0])
    yield train("cross_entropy", loss_function="CrossEntropy", label=lambda y: y * 0.8 + 0.1)
    yield train("focal", loss_function="Focal:focal_alpha=0.5;focal_gamma=0.5")
    yield train("three", classes=3, loss_function="MultiClass", depth=3)
    yield train("four_missing", classes=4, missing=0.1, loss_function="MultiClass", depth=3)
    yield train("five_lossguide", classes=5, loss_function="MultiClass", grow_policy="Lossguide", max_leaves=6, iterations=6)
    yield train("one_vs_all", classes=3, loss_function="MultiClassOneVsAll", depth=3)
    yield train("one_hot", **one_hot)
    yield train("one_hot_missing", missing=0.2, **one_hot)
    yield train("one_hot_depthwise", grow_policy="Depthwise", **one_hot)
    yield train("one_hot_three", classes=3, loss_function="MultiClass", depth=3, **one_hot)
    outputs = {"classes": 40, "depth": 3, "label": lambda y: y / 7}
    yield train("regressor", **outputs)
    yield train("regressor_missing", missing=0.2, grow_policy="Lossguide", loss_function="MAE", **outputs)
    for loss in "Quantile:alpha=0.7", "Expectile:alpha=0.3", "Huber:delta=1.5", "MAPE", "Lq:q=3", "LogCosh":
        yield train("regressor_" + loss.split(":")[0].lower(), loss_function=loss, **outputs)
    yield train("regressor_one_hot", **outputs, **one_hot)


def write(model, path):
    """Leaves out a part that no reader needs: how the model was trained."""
    model.save_model(path, format="json")
    document = json.load(open(path))
    info = document["model_info"]
    kept = {"loss_function": info["params"]["loss_function"]}
    document["model_info"] = {"class_params": info.get("class_params"), "params": kept}
    for tree in document.get("oblivious_trees", []):
        tree.pop("leaf_weights", None)
    json.dump(document, open(path, "w"), separators=(",", ":"))
    return document


def predict(name, model, x):
    codes = [int(f in model.get_cat_feature_indices()) for f in range(len(x[0]))]
    table = with_codes(x, codes if any(codes) else None)
    margins = model.predict(table, prediction_type="RawFormulaVal", thread_count=1)
    if "regressor" in name:
        assert np.array_equal(model.predict(table), margins)
        return None, margins
    names = [str(c) for c in model.classes_]
    labels = [names.index(str(c)) for c in np.ravel(model.predict(table))]
    return np.array(labels), margins


def cuts(document):
    """The borders of each column."""
    info = document["features_info"]
    all = {c["flat_feature_index"]: c["borders"] for c in info["float_features"]}
    all.update({c["flat_feature_index"]: [] for c in info.get("categorical_features", [])})
    return [all[f] for f in range(len(all))]


def record():
    folder, records = os.path.join(recording.TESTDATA, "catboost"), []
    os.makedirs(folder, exist_ok=True)
    for name, model, codes in models(1):
        path = os.path.join(folder, name + ".json")
        document = write(model, path)
        special = [np.nan] if "missing" in name else []
        records.append(recording.record(name, name + ".json.gz", cuts(document), lambda x: predict(name, model, x), special, codes))
        recording.zipped(path, open(path, "rb").read())
        os.remove(path)
    recording.save("catboost", records)


def make(folder, seed):
    for name, model, _ in models(seed):
        model.save_model(os.path.join(folder, name + ".json"), format="json")
        model.save_model(os.path.join(folder, name + ".cbm"))


def loaded(name, path):
    model = catboost.CatBoostRegressor() if "regressor" in name else catboost.CatBoostClassifier()
    return model.load_model(path + ".cbm")


if __name__ == "__main__":
    recording.main(record, make, lambda name, path, x: predict(name, loaded(name, path), x))
