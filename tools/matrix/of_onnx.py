"""Kinds of ONNX: models that skl2onnx and onnxmltools convert, with the answers of onnxruntime."""
import os

import numpy as np
from sklearn import ensemble, tree

from . import tables
from .given import Given, matrix
from .kinds import add, data


def onnx(name, new, convert="skl2onnx", classes=2, holes=0.0, short=False, **options):
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

        return Given(
            path, classes, x, rows, matrix, (lambda z: run(z)[0]) if classes else None, sums(converted),
            probabilities if classes else None, converted, exact=1e-5, apart=1e-5,
            sums=(lambda z: sums(converted)(z) - 0.5) if classes == 2 and unsigned(converted) else None)
    add("ONNX", name, make, short)


def of(model, convert, x, options):
    if convert == "skl2onnx":
        from skl2onnx import to_onnx

        plain = {id(model): {"zipmap": False}} if hasattr(model, "predict_proba") else None
        return to_onnx(model, x[:1].astype(np.float32), options=plain)
    import onnxmltools
    from onnxmltools.convert.common.data_types import FloatTensorType

    return getattr(onnxmltools, convert)(model, initial_types=[("X", FloatTensorType([None, x.shape[1]]))], **options)


def sums(model):
    """Returns a function that runs the trees alone, without the part that makes probabilities of their sums."""
    from onnx import NodeProto, helper

    node = NodeProto()
    node.CopyFrom(next(n for n in model.graph.node if n.op_type.startswith("TreeEnsemble")))
    for a in node.attribute:
        if a.name == "post_transform":
            a.s = b"NONE"
    made = [helper.make_tensor_value_info(node.output[-1], 1, None)]
    graph = helper.make_graph([node], "sums", [helper.make_tensor_value_info(node.input[0], 1, [None, None])], made)
    run = session(helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version))

    def found(z):
        out = run(z)[0].astype(float)
        return out[:, 1:] if out.shape[1] == 2 else out
    return found


def unsigned(model):
    """Says whether no weight is negative: then two classes have label 1 beyond 1/2, else beyond 0."""
    node = next(n for n in model.graph.node if n.op_type.startswith("TreeEnsemble"))
    return min(next(a.floats for a in node.attribute if a.name == "class_weights")) >= 0


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
onnx("gradient boosting", lambda: ensemble.GradientBoostingClassifier(n_estimators=6, random_state=0))
onnx("gradient boosting, 3", lambda: ensemble.GradientBoostingClassifier(n_estimators=6, random_state=0), classes=3)
onnx("XGBoost", boosted("xgboost", "XGBClassifier"), "convert_xgboost", holes=0.1)
onnx("XGBoost, 3", boosted("xgboost", "XGBClassifier"), "convert_xgboost", 3)
onnx("LightGBM", boosted("lightgbm", "LGBMClassifier"), "convert_lightgbm")
onnx("LightGBM, 3", boosted("lightgbm", "LGBMClassifier"), "convert_lightgbm", 3, short=True)
onnx("LightGBM, no ZipMap", boosted("lightgbm", "LGBMClassifier"), "convert_lightgbm", 3, zipmap=False)
onnx("forest, regressor", forest(ensemble.RandomForestRegressor), classes=0)
onnx("gradient boosting, regressor", lambda: ensemble.GradientBoostingRegressor(n_estimators=6, random_state=0), classes=0)
