#!/usr/bin/env python3
"""Draws models of a library with parameters of all kinds, and compares facet with the library.

    python sweep_versions.py xgboost|lightgbm|catboost|sklearn COUNT SEED FACET [FAULTS]

Of each model that facet reads, the labels and outputs of rows on and beside the values of the training data must be those
of the library, to the last bit but for exponentials; and of every fourth model, for a few rows, no input that is strictly
within the bound of facet attack may have another label, and the example must have one. FACET is the command. The library
is that of the Python that runs this, so that versions are swept one after the other; a model that differs is kept in FAULTS.
Prints what is refused and how often, and fails if anything differs.
"""
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
import warnings

import numpy as np

EQUAL, REFUSED, UNMADE = "equal", "refused", "not trained"


class Drawn:
    """A model of a library: its file, and the library's predictions of rows."""

    def __init__(self, path, predict, regressor=False, codes=(), exact=True):
        self.path, self.predict, self.regressor, self.codes, self.exact = path, predict, regressor, codes, exact


class Data:
    """Training data of a few features, of which the last are categories, and labels or outputs."""

    def __init__(self, rng, missing=True, categories=True):
        n, d = int(rng.integers(80, 300)), int(rng.integers(2, 6))
        self.rng, self.codes = rng, [0] * d
        self.x = np.round(rng.normal(size=(n, d)) * 10.0 ** rng.integers(-2, 3), int(rng.integers(1, 4)))
        if rng.random() < 0.3:
            self.x[rng.random(self.x.shape) < 0.3] = 0
        score = self.x.sum(axis=1) / (np.abs(self.x).max() + 1e-9)
        if categories and rng.random() < 0.35:
            for f in range(d - int(rng.integers(1, 3)), d):
                self.codes[f] = int(rng.integers(2, 12))
                self.x[:, f] = rng.integers(0, self.codes[f], size=n)
                score += np.isin(self.x[:, f], [1, 2, 5, 7]) - 0.5
        score += rng.normal(size=n) * 0.2
        self.missing = bool(missing and rng.random() < 0.3)
        if self.missing:
            self.x[rng.random(self.x.shape) < 0.15] = np.nan
        self.classes = int(rng.choice([2, 2, 2, 3, 4, 6]))
        self.label = np.searchsorted(np.quantile(score, np.arange(1, self.classes) / self.classes), score)
        self.output = np.round(score - score.min() + 0.5, 3)

    @property
    def categories(self):
        return [f for f, n in enumerate(self.codes) if n]

    def rows(self, count):
        """Rows on, beside and between the values of the training data."""
        rng, rows = self.rng, np.zeros((count, self.x.shape[1]))
        for f in range(self.x.shape[1]):
            if self.codes[f]:
                rows[:, f] = rng.integers(0, self.codes[f] + 1, size=count)
            else:
                near = np.unique(self.x[~np.isnan(self.x[:, f]), f])
                a, b = rng.choice(near, size=(2, count))
                single = a.astype(np.float32)
                after = np.searchsorted(near, a, side="right").clip(max=len(near) - 1)
                between = (a + near[after]) / 2
                up = np.nextafter(single, np.float32(np.inf) * rng.choice([-1, 1], size=count).astype(np.float32))
                rows[:, f] = np.choose(rng.integers(0, 7, size=count), [
                    a, single, up, between, between.astype(np.float32), (single + up) / 2.0, b + rng.normal(size=count)])
            if self.missing:
                rows[rng.random(count) < 0.1, f] = np.nan
        return rows


def pick(rng, chance, **choices):
    """Some of the parameters, each with one of its values."""
    return {key: values[rng.integers(len(values))] for key, values in choices.items() if rng.random() < chance}


def xgboost(rng, folder):
    import xgboost as xgb

    d = Data(rng)
    types = ["c" if n else "q" for n in d.codes]
    kind = rng.choice(["class", "class", "class", "regress", "wrapper", "wrapper"])
    p = {"max_depth": int(rng.integers(1, 6)), "eta": float(rng.choice([0.1, 0.3, 0.7, 1.0])), "seed": int(rng.integers(1000)), "nthread": 1, "verbosity": 0}
    p.update(pick(rng, 0.25, subsample=[0.6, 0.9], colsample_bytree=[0.6], colsample_bynode=[0.5], min_child_weight=[0, 3], gamma=[0.2], max_delta_step=[1],
                  reg_lambda=[0, 5], reg_alpha=[0.5], grow_policy=["lossguide"], max_leaves=[5], max_bin=[8, 64], max_cat_to_onehot=[1, 100],
                  base_score=[0.3, 0.5, 0.9], num_parallel_tree=[1, 3]))
    p["tree_method"] = str(rng.choice(["hist", "approx"] if d.categories else ["hist", "approx", "exact", "auto"]))
    if p["tree_method"] == "exact":
        p.pop("grow_policy", 0), p.pop("colsample_bynode", 0)
    if rng.random() < 0.15 and not d.categories:
        p["monotone_constraints"] = "(" + ",".join(str(v) for v in rng.integers(-1, 2, size=d.x.shape[1])) + ")"
    if rng.random() < 0.35:
        p.update(rate_drop=float(rng.choice([0.2, 0.6])), **pick(rng, 0.3, normalize_type=["forest"], sample_type=["weighted"], one_drop=[1], skip_drop=[0.3]))
        if rng.random() < 0.8:
            p["booster"] = "dart"
    rounds, path = int(rng.integers(1, 12)), os.path.join(folder, str(rng.choice(["model.json", "model.ubj"])))

    def matrix(x, y=None):
        return xgb.DMatrix(x, y, feature_types=types, enable_categorical=True)

    if kind == "wrapper":
        named = {"n_estimators": rounds, "n_jobs": 1, **({"enable_categorical": True, "feature_types": types} if d.categories else {})}
        named.update({k: v for k, v in p.items() if k not in ("seed", "nthread")})
        regressor = rng.random() < 0.2
        if rng.random() < 0.4 and not named.get("booster"):
            named.update(early_stopping_rounds=2, n_estimators=30)
        maker = xgb.XGBRegressor if regressor else xgb.XGBClassifier
        if rng.random() < 0.15 and "early_stopping_rounds" not in named and not named.get("rate_drop"):
            maker = xgb.XGBRFRegressor if regressor else xgb.XGBRFClassifier
            named.pop("subsample", 0), named.pop("colsample_bynode", 0), named.pop("num_parallel_tree", 0), named.pop("eta", 0)
        model, y = maker(**named), d.output if regressor else d.label
        fit = {"eval_set": [(d.x[::3], y[::3])], "verbose": False} if "early_stopping_rounds" in named else {}
        model.fit(d.x, y, **fit).save_model(path)
        if regressor:
            return d, Drawn(path, lambda x: (None, model.predict(x)), True, d.codes)
        return d, Drawn(path, lambda x: (model.predict(x), model.predict(x, output_margin=True)), codes=d.codes)
    if kind == "regress":
        p["objective"] = str(rng.choice("reg:squarederror reg:logistic reg:pseudohubererror reg:absoluteerror count:poisson reg:gamma reg:tweedie reg:squaredlogerror".split()))
        if p["objective"] != "reg:squarederror":
            p.pop("base_score", 0)
        y = d.output / (d.output.max() + 0.1) if p["objective"] == "reg:logistic" else d.output
    else:
        y = d.label
        p["objective"] = str(rng.choice(["multi:softprob", "multi:softmax"])) if d.classes > 2 or rng.random() < 0.1 else str(
            rng.choice(["binary:logistic", "binary:logistic", "binary:logistic", "binary:hinge"]))
        if p["objective"].startswith("multi"):
            p["num_class"] = d.classes
        else:
            p.update(pick(rng, 0.2, scale_pos_weight=[0.5, 3]))
    booster = xgb.train(p, matrix(d.x, y), rounds)
    if rng.random() < 0.1:
        booster = xgb.train(p, matrix(d.x, y), 3, xgb_model=booster)
    if rng.random() < 0.1 and rounds > 2:
        booster = booster[: rounds - 1]
    booster.save_model(path)
    loaded = xgb.Booster(model_file=path)  # as a user of the file has it
    loaded.set_param({"nthread": 1})
    if kind == "regress":
        exponential = p["objective"] in ("count:poisson", "reg:gamma", "reg:tweedie")
        return d, Drawn(path, lambda x: (None, loaded.predict(matrix(x))), True, d.codes, not exponential)

    def predict(x):
        out = loaded.predict(matrix(x))
        labels = np.argmax(out, axis=1) if out.ndim > 1 else out if p["objective"] == "multi:softmax" else out > 0.5
        return labels.astype(int), loaded.predict(matrix(x), output_margin=True)

    return d, Drawn(path, predict, codes=d.codes)


def lightgbm(rng, folder):
    import lightgbm as lgb

    d = Data(rng)
    p = {"num_leaves": int(rng.integers(2, 20)), "learning_rate": float(rng.choice([0.05, 0.1, 0.5])), "verbose": -1, "num_threads": 1, "seed": int(rng.integers(1000)), "min_data_in_leaf": int(rng.choice([1, 5, 20]))}
    p.update(pick(rng, 0.2, feature_fraction=[0.6], max_bin=[7, 63], lambda_l1=[0.5], lambda_l2=[0, 3], min_gain_to_split=[0.1], max_depth=[2, 4], extra_trees=[True],
                  path_smooth=[1.0], max_delta_step=[0.5], zero_as_missing=[True], use_missing=[False], boost_from_average=[False], cat_smooth=[1], cat_l2=[0],
                  max_cat_to_onehot=[1, 100], min_data_per_group=[1], use_quantized_grad=[True], feature_contri=[[0.5] * d.x.shape[1]], linear_tree=[True], deterministic=[True]))
    if rng.random() < 0.7:
        p.pop("linear_tree", 0)
    if tuple(map(int, lgb.__version__.split(".")[:2])) < (4, 4):
        p.pop("use_quantized_grad", 0)  # which ends the process of some versions
    p["boosting"] = str(rng.choice(["gbdt", "gbdt", "dart", "goss", "rf"]))
    if p["boosting"] == "rf" or rng.random() < 0.2 and p["boosting"] != "goss":
        p.update(bagging_freq=1, bagging_fraction=0.7)
    if p["boosting"] == "dart":
        p.update(pick(rng, 0.4, drop_rate=[0.5], uniform_drop=[True], xgboost_dart_mode=[True], skip_drop=[0.1]))
    if rng.random() < 0.15 and not d.categories:
        p["monotone_constraints"] = [int(v) for v in rng.integers(-1, 2, size=d.x.shape[1])]
        p.update(pick(rng, 0.5, monotone_constraints_method=["intermediate", "advanced"], monotone_penalty=[1.0]))
    regressor = rng.random() < 0.25
    if regressor:
        p["objective"], y = str(rng.choice("regression regression_l1 huber fair poisson quantile mape gamma tweedie cross_entropy".split())), d.output
        if p["objective"] == "regression_l1":
            p.pop("monotone_constraints", 0), p.pop("monotone_constraints_method", 0)
        if p["objective"] == "cross_entropy":
            y = d.output / (d.output.max() + 0.1)
        if p["objective"] == "regression":
            p.update(pick(rng, 0.3, reg_sqrt=[True]))
    elif d.classes > 2:
        p.update(objective=str(rng.choice(["multiclass", "multiclass", "multiclass", "multiclassova"])), num_class=d.classes)
        y = d.label
    else:
        p.update(objective="binary", **pick(rng, 0.2, sigmoid=[0.5, 2.0], is_unbalance=[True], scale_pos_weight=[3]))
        if "is_unbalance" in p:
            p.pop("scale_pos_weight", 0)
        y = d.label
    train = lgb.Dataset(d.x, y, categorical_feature=d.categories or "auto", params=p)
    callbacks, valid = [], {}
    if rng.random() < 0.2 and p["boosting"] not in ("dart", "rf"):
        callbacks, valid = [lgb.early_stopping(2, verbose=False)], {"valid_sets": [lgb.Dataset(d.x[::3], y[::3], reference=train, params=p)]}
    booster = lgb.train(p, train, int(rng.integers(1, 15)), callbacks=callbacks, **valid)
    path = os.path.join(folder, "model.txt")
    if rng.random() < 0.3:
        path = os.path.join(folder, "model.json")
        json.dump(booster.dump_model(), open(path, "w"))
    else:
        booster.save_model(path)

    def predict(x):
        out = booster.predict(x, num_threads=1)
        if regressor:
            return None, out
        raw = booster.predict(x, raw_score=True, num_threads=1)
        labels = np.argmax(out, axis=1) if out.ndim > 1 else (out > 0.5).astype(int)
        return labels, raw if p["boosting"] != "rf" else None

    return d, Drawn(path, predict, regressor, d.codes, p["objective"] not in ("poisson", "gamma", "tweedie", "cross_entropy"))


def catboost(rng, folder):
    import catboost as cb

    d = Data(rng)
    if d.missing and d.categories:
        d.missing = False
        d.x[np.isnan(d.x)] = 0
    p = {"iterations": int(rng.integers(1, 12)), "depth": int(rng.integers(1, 6)), "learning_rate": float(rng.choice([0.05, 0.3, 1.0])), "random_seed": int(rng.integers(1000)),
         "verbose": False, "allow_writing_files": False, "thread_count": 1}
    p.update(pick(rng, 0.2, l2_leaf_reg=[0, 10], random_strength=[0, 3], border_count=[4, 64], feature_border_type=["Uniform", "Median"], bootstrap_type=["No", "Bernoulli", "MVS"],
                  nan_mode=["Max"], leaf_estimation_iterations=[3], leaf_estimation_method=["Gradient"], model_shrink_rate=[0.1], boosting_type=["Ordered", "Plain"],
                  grow_policy=["Depthwise", "Lossguide"], rsm=[0.6], score_function=["L2"], auto_class_weights=["Balanced"], boost_from_average=[True, False], langevin=[True]))
    if p.get("boosting_type") == "Ordered":
        p.pop("grow_policy", 0)
    if p.get("grow_policy"):
        p.pop("score_function", 0)
    if rng.random() < 0.1 and not d.categories and "grow_policy" not in p:
        p["monotone_constraints"] = [int(v) for v in rng.integers(-1, 2, size=d.x.shape[1])]
    if d.categories:
        p["one_hot_max_size"] = int(rng.choice([255, 255, 255, 2]))
    regressor = rng.random() < 0.25
    if regressor:
        p.pop("auto_class_weights", 0)
        p["loss_function"] = str(rng.choice("RMSE MAE Quantile:alpha=0.3 Expectile:alpha=0.3 Huber:delta=1 MAPE Lq:q=3 LogCosh Poisson Tweedie:variance_power=1.5".split()))
        if p["loss_function"] != "RMSE":
            p.pop("boost_from_average", 0)
        maker, y = cb.CatBoostRegressor, d.output
    else:
        p.pop("boost_from_average", 0)
        if d.classes > 2:
            p["loss_function"] = str(rng.choice(["MultiClass", "MultiClassOneVsAll"]))
        else:
            p["loss_function"] = str(rng.choice(["Logloss", "Logloss", "CrossEntropy", "Focal:focal_alpha=0.3;focal_gamma=2"]))
            if p["loss_function"] == "CrossEntropy":
                p.pop("auto_class_weights", 0)
        maker, y = cb.CatBoostClassifier, d.label

    def pool(x, y=None):
        if not d.categories:
            return cb.Pool(x, y)
        return cb.Pool([[int(v) if d.codes[f] else v for f, v in enumerate(row)] for row in x], y, cat_features=d.categories)

    fit = {"eval_set": pool(d.x[::3], y[::3]), "use_best_model": True} if rng.random() < 0.2 else {}
    model = maker(**p).fit(pool(d.x, y), **fit)
    if rng.random() < 0.1 and not d.categories and not fit:
        p["iterations"] = 3
        model = maker(**p).fit(pool(d.x, y), init_model=model)
    path = os.path.join(folder, "model.json")
    model.save_model(path, format="json")

    def predict(x):
        raw = np.asarray(model.predict(pool(x), prediction_type="RawFormulaVal", thread_count=1))
        if regressor:
            return None, raw
        return np.ravel(model.predict(pool(x), thread_count=1)).astype(int), raw

    return d, Drawn(path, predict, regressor, d.codes)


def sklearn(rng, folder):
    import sklearn as sk
    from sklearn import ensemble, tree

    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "python", "facet_robust"))
    import export_sklearn

    kind = str(rng.choice("tree forest extra boosting histogram histogram bagging ada voting".split()))
    newer = tuple(map(int, sk.__version__.split(".")[:2]))
    d = Data(rng, missing=kind == "histogram" or newer >= (1, 4) and kind in ("tree", "forest"), categories=kind == "histogram")
    regressor = rng.random() < 0.2 and kind not in ("ada", "voting")
    y, small = d.output if regressor else d.label, {"max_depth": int(rng.integers(1, 6)), "random_state": int(rng.integers(1000))}
    grown = pick(rng, 0.2, min_samples_leaf=[3], max_leaf_nodes=[6], max_features=[0.6], ccp_alpha=[0.01])
    count = {"n_estimators": int(rng.integers(1, 12))}
    if not regressor and kind in ("tree", "forest", "extra"):
        grown.update(pick(rng, 0.3, class_weight=["balanced"], criterion=["entropy", "log_loss"]))
    if newer >= (1, 4) and kind in ("tree", "forest", "extra") and d.classes == 2 and not d.missing:
        grown.update(pick(rng, 0.2, monotonic_cst=[[int(v) for v in rng.integers(-1, 2, size=d.x.shape[1])]]))
        if "monotonic_cst" in grown and regressor:
            del grown["monotonic_cst"]
    end = "Regressor" if regressor else "Classifier"
    stump = getattr(tree, "DecisionTree" + end)(**small, **(grown if kind in ("bagging", "ada") else {}))
    if kind == "tree":
        model = getattr(tree, "DecisionTree" + end)(**small, **grown)
    elif kind in ("forest", "extra"):
        model = getattr(ensemble, {"forest": "RandomForest", "extra": "ExtraTrees"}[kind] + end)(**small, **count, **grown, **pick(rng, 0.2, bootstrap=[True, False]))
    elif kind == "boosting":
        extra = {} if regressor else pick(rng, 0.2, loss=["exponential"] if d.classes == 2 else ["log_loss"])
        extra.update(pick(rng, 0.3, loss=["absolute_error", "huber"]) if regressor else {})
        model = getattr(ensemble, "GradientBoosting" + end)(**small, **count, **grown, **extra, **pick(rng, 0.2, subsample=[0.6], init=["zero"], learning_rate=[1.0]))
    elif kind == "histogram":
        extra = pick(rng, 0.3, loss=["absolute_error", "poisson"]) if regressor else {}
        model = getattr(ensemble, "HistGradientBoosting" + end)(
            max_iter=int(rng.integers(1, 12)), **small, **extra, categorical_features=d.categories or None,
            **pick(rng, 0.3, max_bins=[8, 255], l2_regularization=[1.0], min_samples_leaf=[3], learning_rate=[0.5], early_stopping=[True], interaction_cst=["no_interactions"]))
    elif kind == "bagging":
        model = getattr(ensemble, "Bagging" + end)(stump, random_state=small["random_state"], **count, **pick(rng, 0.3, max_samples=[0.6], max_features=[0.7], bootstrap_features=[True]))
    elif kind == "ada":
        model = ensemble.AdaBoostClassifier(stump, random_state=small["random_state"], **count, **pick(rng, 0.3, learning_rate=[0.5]),
                                            **({"algorithm": "SAMME"} if newer < (1, 6) and rng.random() < 0.5 else {}))
    else:
        members = [(str(i), tree.DecisionTreeClassifier(max_depth=2, random_state=i, max_features=1)) for i in range(3)]
        model = ensemble.VotingClassifier(members, **pick(rng, 0.5, voting=["soft"], weights=[[1, 2, 0.5]]))
    model.fit(d.x, y)
    path = os.path.join(folder, str(rng.choice(["model.json", "model.facet"])))
    try:
        export_sklearn.write(model, path)
    except export_sklearn.ExportError as e:
        if "name the file model.json" not in str(e):
            return d, Drawn(e, None)
        path = os.path.join(folder, "model.json")
        export_sklearn.write(model, path)

    def predict(x):
        if regressor:
            return None, model.predict(x)
        return model.predict(x), None

    poisson = regressor and kind == "histogram" and model.loss == "poisson"
    return d, Drawn(path, predict, regressor, d.codes, not poisson)


def run(facet, *arguments):
    return subprocess.run([facet, *map(str, arguments)], capture_output=True, text=True)


def lines(text):
    return sorted(map(json.loads, text.splitlines()), key=lambda line: line["row"])


def same(ours, theirs):
    ours, theirs = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float).reshape(len(ours), -1)
    if theirs.shape[1] == 1 and ours.shape[1] == 2:
        ours = ours[:, 1:]
    return ours.shape == theirs.shape and np.array_equal(ours, theirs)


def compare(facet, folder, d, model, deep):
    """The outcome of a model in facet: EQUAL, REFUSED and why, or the difference."""
    if isinstance(model.path, Exception):
        return f"{REFUSED}: exporter: {model.path}"
    x, array = d.rows(150), os.path.join(folder, "rows.npy")
    if model.regressor:  # which facet range takes without missing values
        x = np.where(np.isnan(x), 0, x)
    np.save(array, x)
    labels, outputs = model.predict(x)
    common = ["--model", model.path, "--test", array, "--label", "none", "--missing", "keep"]
    above = []
    if model.regressor:
        done = run(facet, "range", "--model", model.path, "--test", array, "--label", "none", "--missing", "keep", "--radius", "0", "--out", "-", "--overwrite")
        if done.returncode and "unsupported" in done.stderr:
            return f"{REFUSED}: {done.stderr.split(': ', 4)[-1].strip()}"
        if done.returncode:
            return f"range fails: {done.stderr.strip()}"
        ours = [line["output"] for line in lines(done.stdout)]
        if model.exact and not same([[v] for v in ours], outputs) or not np.allclose(ours, np.ravel(outputs), rtol=1e-6):
            return "outputs differ"
        middle = float(np.median(ours))
        above = ["--target", f"output:{middle!r}"]
        labels = np.asarray(ours) >= middle
    else:
        done = run(facet, "predict", *common)
        if done.returncode and "unsupported" in done.stderr:
            return f"{REFUSED}: {done.stderr.split(': ', 4)[-1].strip()}"
        if done.returncode:
            return f"predict fails: {done.stderr.strip()}"
        said = lines(done.stdout)
        if [line["predicted"] for line in said] != [int(v) for v in labels]:
            return "labels differ"
        if outputs is not None and not same([list(line["scores"].values()) for line in said], outputs):
            return "outputs differ"
    return attack(facet, folder, d, model, x, labels, above, common) if deep else EQUAL


def distances(moves, norm):
    moves = np.nan_to_num(np.abs(moves))
    return {"inf": moves.max(axis=1), "1": moves.sum(axis=1), "2": np.sqrt((moves**2).sum(axis=1))}[norm]


def attack(facet, folder, d, model, x, labels, above, common):
    """EQUAL, or which bound or example the library refutes."""
    listed = os.path.join(folder, "rows.txt")
    with open(listed, "w") as f:
        f.writelines(f"{i}\n" for i in range(4))
    norm = str(d.rng.choice(["inf", "1", "2"]))
    done = run(facet, "attack", *common, *above, "--rows", listed, "--norm", norm, "--out", "-", "--untimed", "--max-nodes", "20000")
    if done.returncode:
        return f"{REFUSED}: attack: {done.stderr.strip().splitlines()[-1]}" if "unsupported" in done.stderr or "refus" in done.stderr else f"attack fails: {done.stderr.strip()}"
    middle = float(above[1]) if above else 0

    def label(rows):
        said, outputs = model.predict(rows)
        return np.ravel(outputs) >= middle if model.regressor else said

    for line in lines(done.stdout):
        row, bound = x[line["row"]], line["bound"]
        bound = 1e3 if bound is None or bound == "inf" else float(bound)
        inputs = np.repeat(row[None], 300, axis=0)
        for f in range(len(row)):
            if not d.codes[f] and not np.isnan(row[f]):
                inputs[:, f] += d.rng.choice([-1, 1, 0.999999, -0.999999, 0], size=300) * bound * d.rng.choice([1, 1, 0.5, 0.1], size=300)
        far = distances(inputs - row, norm) >= bound
        inputs[far] = row + (inputs[far] - row) * (bound * (1 - 1e-9) / np.maximum(distances(inputs[far] - row, norm), 1e-300))[:, None]
        inside = inputs[distances(inputs - row, norm) < bound * (1 - 1e-12)]  # rounding may have moved others beyond
        if len(inside) and (label(inside) != labels[line["row"]]).any():
            return f"bound of row {line['row']} in norm {norm}, {bound}, is refuted"
        example = line.get("adversarial")
        if example is not None:
            z = np.array([[np.nan if v is None else v for v in example]], dtype=float)
            if label(z)[0] == labels[line["row"]]:
                return f"the example of row {line['row']} in norm {norm} has the same label"
    return EQUAL


def main(library, count, seed, facet, faults=None):
    warnings.simplefilter("ignore")
    draw, told = {"xgboost": xgboost, "lightgbm": lightgbm, "catboost": catboost, "sklearn": sklearn}[library], collections.Counter()
    version, bad = __import__(library).__version__, 0
    for i in range(int(count)):
        with tempfile.TemporaryDirectory() as folder:
            try:
                d, model = draw(np.random.default_rng([int(seed), i]), folder)
            except Exception as e:
                told[f"{UNMADE}: {type(e).__name__}: {str(e).splitlines()[0][:90] if str(e) else ''}"] += 1
                continue
            verdict = compare(facet, folder, d, model, deep=i % 4 == 0)
            if verdict != EQUAL and not verdict.startswith(REFUSED):
                bad += 1
                print(f"{library} {version}, model {i} of seed {seed}: {verdict}", flush=True)
                if faults:
                    shutil.copytree(folder, os.path.join(faults, f"{library}-{version}-{seed}-{i}"), dirs_exist_ok=True)
            told[verdict[:160]] += 1
    print(f"{library} {version}: {told.pop(EQUAL, 0)} equal, " + f"{sum(n for k, n in told.items() if k.startswith(REFUSED))} refused, {bad} wrong, "
          + f"{sum(n for k, n in told.items() if k.startswith(UNMADE))} not trained")
    for verdict, n in told.most_common():
        print(f"    {n:4d} {verdict}")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
