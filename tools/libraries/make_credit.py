"""Writes the example of docs/use/properties.md: credit.json, an XGBoost classifier of made-up applications for a loan, which saw
the sex of the applicants and was told that income is in their favour; and
credit16.json, the same with its thresholds rounded to float16; and credit.csv, 200 other applications, for docs/use/gate.md.

    python3 tools/libraries/make_credit.py docs/use/models
"""
import json
import sys

import numpy as np
import xgboost

NAMES = ["amount", "months", "income", "age", "sex", "savings"]


def applications(rng, count):
    income = rng.gamma(6, 400, count).round()
    age = rng.integers(18, 76, count)
    sex = rng.integers(0, 2, count)
    amount = (rng.gamma(2, 1500, count) + 250).round(-1)
    months = rng.integers(1, 13, count) * 6
    savings = rng.integers(0, 5, count)
    burden = amount / months / income
    good = 1.2 + 0.5 * savings - 9 * burden + 0.02 * (age - 40) - 0.35 * sex + rng.logistic(size=count) * 0.6
    return np.stack([amount, months, income, age, sex, savings], 1).astype(np.float32), (good > 0).astype(int)


def write_rows(path):
    x, y = applications(np.random.default_rng(32), 200)
    with open(path, "w") as file:
        file.write(",".join(NAMES) + ",granted\n")
        for row, label in zip(x, y):
            file.write(",".join(f"{v:g}" for v in row) + f",{label}\n")


def main():
    folder = sys.argv[1]
    x, y = applications(np.random.default_rng(31), 4000)
    model = xgboost.XGBClassifier(n_estimators=60, max_depth=3, learning_rate=0.2, n_jobs=1,
                                  monotone_constraints=(0, 0, 1, 0, 0, 0))
    model.fit(x, y)
    model.get_booster().feature_names = NAMES
    model.save_model(folder + "/credit.json")
    write_rows(folder + "/credit.csv")
    with open(folder + "/credit.json") as file:
        rounded = json.load(file)
    for tree in rounded["learner"]["gradient_booster"]["model"]["trees"]:
        inner = [left >= 0 for left in tree["left_children"]]
        tree["split_conditions"] = [float(np.float16(c)) if i else c
                                    for i, c in zip(inner, tree["split_conditions"])]
    with open(folder + "/credit16.json", "w") as file:
        json.dump(rounded, file, separators=(",", ":"))


if __name__ == "__main__":
    main()
