#!/usr/bin/python3
"""Writes covtype.json, the answers that TestLoadCovtype compares with.

    /usr/bin/python3 covtype.py        (numpy 1.24, scikit-learn 1.2.1)

The rows are noise that both sides draw: RandomState(2), first the labels, then
three features a row.
"""
import json

import numpy as np
from sklearn.preprocessing import MinMaxScaler

rs = np.random.RandomState(2)
y = rs.randint(1, 3, 3000)
x = rs.randint(0, 100, (3000, 3)).astype(float)

np.random.seed(0)
drawn = np.concatenate([np.random.choice(np.where(y == label)[0], 1100, replace=False) for label in (1, 2)])
x, y = x[drawn], y[drawn] - 1

rs = np.random.RandomState(0)
order = np.arange(len(x))
rs.shuffle(order)
train, test = order[:-200], order[-200:]
scaler = MinMaxScaler().fit(x[train])
correct = np.arange(0, 200, 2)
rs.shuffle(correct)
with open("covtype.json", "w") as f:
    json.dump({
        "rows": len(train), "train": scaler.transform(x[train[:10]]).ravel().tolist(), "test": scaler.transform(x[test[:10]]).ravel().tolist(),
        "train_y": y[train[:30]].tolist(), "test_y": y[test[:30]].tolist(), "attacked": correct[:100].tolist(),
    }, f)
    f.write("\n")
