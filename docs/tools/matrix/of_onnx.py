"""Kinds of ONNX: what skl2onnx and onnxmltools convert, with the answers of onnxruntime."""
import os

import numpy as np
from sklearn import ensemble, tree

from . import tables
from .given import Given, matrix
from .kinds import add, data


def onnx(name, new, convert="skl2onnx", classes=2, holes=0.0, boosted=False, short=False, **options):
    """Adds a kind: new makes the model that is converted."""
    def make(folder, seed):
        x, y, rows = data(tables.numbers, classes, seed, holes)
        model = new().fit(x.astype(np.float32), y)
        converted = of(model, convert, x, options)
        path = os.path.join(folder, "model.onnx")
        with open(path, "wb") as f:
            f.write(converted.SerializeToString())
        run = session(converted)

        def probabilities(z):
            found = run(z)[1]
            return np.array([[row[c] for c in range(classes)] for row in found], float) if isinstance(found, list) else found.astype(float)

        def outputs(z):
            if not classes:
                return run(z)[0].astype(float)
            shares = probabilities(z)
            if not boosted:
                return shares
            sums = np.log(np.maximum(shares, 1e-300))
            return sums[:, 1:] - sums[:, :1] if classes == 2 else sums - sums.mean(1, keepdims=True)
        return Given(
            path, classes, x, rows, matrix, (lambda z: run(z)[0]) if classes else None, outputs,
            probabilities if classes else None, converted, exact=1e-5, apart=1e-5)
    add("ONNX", name, make, short)


def of(model, convert, x, options):
    if convert == "skl2onnx":
        from skl2onnx import to_onnx

        plain = {id(model): {"zipmap": False}} if hasattr(model, "predict_proba") else None
        return to_onnx(model, x[:1].astype(np.float32), options=plain)
    import onnxmltools
    from onnxmltools.convert.common.data_types import FloatTensorType

    return getattr(onnxmltools, convert)(model, initial_types=[("X", FloatTensorType([None, x.shape[1]]))], **options)


def session(model):
    """Returns a function that runs a model with one thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    made = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    name = made.get_inputs()[0].name
    return lambda z: made.run(None, {name: np.asarray(z, np.float32)})


def boosted(library, kind, **how):
    def new():
        module = __import__(library)
        return getattr(module, kind)(n_estimators=6, max_depth=3, n_jobs=1, random_state=0, **({"verbose": -1, "min_child_samples": 5} if library == "lightgbm" else {}), **how)
    return new


def forest(kind=ensemble.RandomForestClassifier, **how):
    return lambda: kind(6, max_depth=4, random_state=0, **how)


onnx("tree, 3", lambda: tree.DecisionTreeClassifier(max_depth=5, random_state=0), classes=3)
onnx("forest", forest(), short=True)
onnx("forest, 3", forest(), classes=3)
onnx("forest, 10", forest(), classes=10)
onnx("gradient boosting", lambda: ensemble.GradientBoostingClassifier(n_estimators=6, random_state=0), boosted=True)
onnx("gradient boosting, 3", lambda: ensemble.GradientBoostingClassifier(n_estimators=6, random_state=0), classes=3, boosted=True)
onnx("XGBoost", boosted("xgboost", "XGBClassifier"), "convert_xgboost", boosted=True, holes=0.1)
onnx("XGBoost, 3", boosted("xgboost", "XGBClassifier"), "convert_xgboost", 3, boosted=True)
onnx("LightGBM", boosted("lightgbm", "LGBMClassifier"), "convert_lightgbm", boosted=True)
onnx("LightGBM, 3", boosted("lightgbm", "LGBMClassifier"), "convert_lightgbm", 3, boosted=True, short=True)
onnx("LightGBM, no ZipMap", boosted("lightgbm", "LGBMClassifier"), "convert_lightgbm", 3, boosted=True, zipmap=False)
onnx("forest, regressor", forest(ensemble.RandomForestRegressor), classes=0)
onnx("gradient boosting, regressor", lambda: ensemble.GradientBoostingRegressor(n_estimators=6, random_state=0), classes=0)
