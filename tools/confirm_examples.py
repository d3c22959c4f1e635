#!/usr/bin/python3
"""Asks XGBoost and scikit-learn whether adversarial examples change their predictions.

    go test ./internal/boxtree -run TestConfirmedExamples -record     (makes the examples)
    /usr/bin/python3 tools/confirm_examples.py               (adds the libraries' labels)

Writes the labels that the library gives to each point and to its example into
internal/boxtree/testdata/confirmed/*.json and fails if any two of them are the same.
"""
import json
import os
import sys
import warnings

import numpy as np

import record_models  # finds export_sklearn
import export_sklearn

CONFIRMED = os.path.join(record_models.TESTDATA, "..", "..", "boxtree", "testdata", "confirmed")


def sklearn_predict(trained, file, x):
    """Predicts with the model that the file was exported from."""
    model = trained[os.path.basename(file)[:-len(".json")]]
    assert export_sklearn.export(model) == json.load(open(file)), f"{file} is of another model"
    return record_models.sklearn_predict(model, x)[0]


def confirm(name, predict):
    path = os.path.join(CONFIRMED, name + ".json")
    examples, failed = json.load(open(path)), 0
    for e in examples:
        file = os.path.join(record_models.TESTDATA, e["model"])
        e["from"], e["label"] = (int(v) for v in predict(file, np.array([e["x"], e["example"]])))
        if e["from"] == e["label"]:
            failed += 1
            print("not confirmed:", json.dumps(e))
    print(f"{name}: {len(examples) - failed} of {len(examples)} examples confirmed")
    with open(path, "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(e, separators=(",", ":")) for e in examples) + "\n]\n")
    return failed


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    trained = record_models.sklearn_models()
    failed = confirm("xgboost", lambda file, x: record_models.xgboost_predict(file, x)[0])
    failed += confirm("boosting", lambda file, x: sklearn_predict(trained, file, x))
    sys.exit(failed > 0)
