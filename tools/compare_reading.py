"""Times how long libraries take to load their own models, of which it writes the files.

    venv/bin/python tools/compare_reading.py work/reading
    FACET_MODELS=$PWD/work/reading go test ./classifier -run '^$' -bench ReadFiles -cpu 1

The first prints milliseconds of a processor on one thread, the least of five; the second those of facet for the same files.
It needs scikit-learn, joblib, CatBoost, skl2onnx and onnxruntime.
"""
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"

import catboost  # noqa: E402
import joblib  # noqa: E402
import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
from skl2onnx import to_onnx  # noqa: E402
from sklearn.ensemble import RandomForestClassifier  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../examples/python/facet_robust"))
import export_sklearn  # noqa: E402


def least(load):
    """Returns the least of the times that a call takes."""
    times = []
    for _ in range(5):
        begin = time.process_time()
        load()
        times.append(1000 * (time.process_time() - begin))
    return min(times)


def main(folder):
    os.makedirs(folder, exist_ok=True)

    def path(name):
        return os.path.join(folder, name)

    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 20)).astype(np.float32)
    y = (X[:, :5].sum(axis=1) + rng.normal(size=5000) > 0).astype(int)
    forest = RandomForestClassifier(300, max_depth=10, random_state=0).fit(X, y)
    joblib.dump(forest, path("forest.joblib"))
    for name in ("forest.facet", "forest.json"):
        export_sklearn.write(forest, path(name))
    with open(path("forest.onnx"), "wb") as f:
        f.write(to_onnx(forest, X[:1], options={"zipmap": False}).SerializeToString())
    catboost.CatBoostClassifier(iterations=1000, depth=6, verbose=0, thread_count=1, random_seed=0, train_dir=path("catboost")).fit(X, y).save_model(
        path("catboost.json"), format="json")
    one = onnxruntime.SessionOptions()
    one.intra_op_num_threads = 1
    for name, load in (
            ("forest.joblib", lambda: joblib.load(path("forest.joblib"))),
            ("forest.onnx", lambda: onnxruntime.InferenceSession(path("forest.onnx"), one)),
            ("catboost.json", lambda: catboost.CatBoostClassifier().load_model(path("catboost.json"), format="json"))):
        print(f"{name:14} {os.path.getsize(path(name)) / 1e6:5.1f} MB {least(load):6.1f} ms")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    main(sys.argv[1])
