#!/usr/bin/env python3
"""Makes models that libraries trained on data frames with words, and asks these about rows in words.

    python make_words.py make FOLDER SEED     models, NAME.model, and rows with the labels that they give them, NAME.csv
    python make_words.py ask FOLDER           holds {"NAME": {"Rows": [[30, "Oslo", …], …], "Labels": [0, …]}, …} of
                                              standard input against what the models predict, and says what differs
"""
import json
import os
import pickle
import sys

import lightgbm
import numpy as np
import pandas as pd
import sklearn.ensemble
import xgboost

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "python", "facet_robust"))
import export_sklearn

WORDS = {
    "city": ["Oslo", "New York, NY", 'the "old" town', "?", "NA", "nowhere"],
    "code": [3, 7, 20, 100],
    "grade": ["10", "9", "A"],
    "share": [0.5, 2.25, 1000000.0],
    "member": [False, True],
}
KEPT = {  # the columns of each library
    "xgboost": ["age", "city", "code", "grade"],
    "lightgbm": ["age", "city", "code", "grade", "share", "member"],
    "lightgbm_dump": ["age", "city", "member"],
    "sklearn": ["age", "city", "grade"],
}


def frame(rng, count, missing):
    table = {"age": rng.integers(18, 80, count).astype(float)}
    for name, words in WORDS.items():
        codes = rng.integers(-1 if missing else 0, len(words), count)
        table[name] = pd.Categorical.from_codes(codes, words)
    return pd.DataFrame(table)


def fit(name, x, y, seed):
    if name == "xgboost":
        return xgboost.XGBClassifier(n_estimators=12, max_depth=4, max_cat_to_onehot=1, n_jobs=1, enable_categorical=True).fit(x, y)
    if name == "sklearn":
        return sklearn.ensemble.HistGradientBoostingClassifier(
            max_iter=12, min_samples_leaf=5, categorical_features=["city", "grade"], random_state=seed).fit(x, y)
    return lightgbm.LGBMClassifier(n_estimators=12, min_child_samples=5, min_data_per_group=5, cat_smooth=1, n_jobs=1, verbose=-1).fit(x, y)


def save(name, model, path):
    if name == "xgboost":
        model.save_model(path + ".json")
        os.rename(path + ".json", path)
    elif name == "lightgbm":
        model.booster_.save_model(path)
    elif name == "lightgbm_dump":
        json.dump(model.booster_.dump_model(), open(path, "w"))
    else:
        export_sklearn.write(model, path)


def make(folder, seed):
    rng = np.random.default_rng(seed)
    x, odd = frame(rng, 600, True), rng.normal(size=600)
    score = (x["city"].cat.codes % 2) + (x["code"].cat.codes == 1) + (x["grade"].cat.codes > 0) - (x["age"] > 50) + (x["member"].cat.codes == 1)
    y = (score + 0.5 * odd > 1.2).astype(int)
    for name, columns in KEPT.items():
        model = fit(name, x[columns], y, seed)
        save(name, model, os.path.join(folder, name + ".model"))
        rows = frame(rng, 60, True)[columns]
        table = rows.astype(object).assign(label=model.predict(rows))
        table.to_csv(os.path.join(folder, name + ".csv"), index=False)
        with open(os.path.join(folder, name + ".pickle"), "wb") as f:
            pickle.dump(model, f)


def ask(folder):
    for name, said in json.load(sys.stdin).items():
        with open(os.path.join(folder, name + ".pickle"), "rb") as f:
            model = pickle.load(f)
        table = {}
        for at, column in enumerate(KEPT[name]):
            values = [row[at] for row in said["Rows"]]
            if column in WORDS:  # a word is spelled as text
                spelled = {str(w) if not isinstance(w, float) or w % 1 else str(int(w)): i for i, w in enumerate(WORDS[column])}
                values = pd.Categorical.from_codes([-1 if v is None else spelled[v] for v in values], WORDS[column])
            table[column] = values
        for row, label, got in zip(said["Rows"], said["Labels"], model.predict(pd.DataFrame(table))):
            if got != label:
                print(f"{name}: {row} has label {label}, and {got} as the library has it")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]))
    else:
        ask(sys.argv[2])
