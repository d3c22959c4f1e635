#!/usr/bin/python3
"""Writes images.json, the answers that TestLoadImages compares with.

    /usr/bin/python3 images.py        (scikit-learn 1.2.1, numpy 1.24)

The pictures are noise that both sides draw: RandomState(part), first the labels of
all pictures, then their 8 x 8 pixels.
"""
import json

import numpy as np
from sklearn.decomposition import PCA
from sklearn.preprocessing import MinMaxScaler

SIZES = {"train": 1500, "t10k": 2500}


def load(part, classes):
    rs = np.random.RandomState(["train", "t10k"].index(part))
    y = rs.randint(0, 10, SIZES[part])
    x = rs.randint(0, 256, (SIZES[part], 64))
    return np.vstack([x[y == c] for c in classes]) / 255, np.concatenate([np.full((y == c).sum(), i) for i, c in enumerate(classes)])


def reduced(*parts):
    together = PCA(25, random_state=0).fit_transform(np.vstack([x for x, _ in parts]))
    ends = np.cumsum([len(y) for _, y in parts])
    return [(x, y) for x, (_, y) in zip(np.split(together, ends[:-1]), parts)]


def shuffled(rs, n):
    order = np.arange(n)
    rs.shuffle(order)
    return order


def answer(train, test, rs):
    scaler = MinMaxScaler().fit(train[0])
    a, b = scaler.transform(train[0]), scaler.transform(test[0])
    correct = np.arange(0, 200, 2)
    rs.shuffle(correct)
    return {
        "rows": len(a), "train": a[:3].ravel().tolist(), "test": b[:3].ravel().tolist(),
        "train_y": train[1][:30].tolist(), "test_y": test[1][:30].tolist(),
        "attacked": correct[:100].tolist(),
    }


answers = {}
for name, classes in {"mnist17": (1, 7), "f-mnist35": (3, 5), "f-mnist06": (0, 6)}.items():
    rs = np.random.RandomState(0)
    (x, y), (tx, ty) = reduced(load("train", classes), load("t10k", classes))
    t = shuffled(rs, len(tx))[:200]
    o = shuffled(rs, len(x))
    answers[name] = answer((x[o], y[o]), (tx[t], ty[t]), rs)

rs = np.random.RandomState(0)
((x, y),) = reduced(load("t10k", (1, 7)))
o = shuffled(rs, len(x))
answers["mnist17 of the test images"] = answer((x[o[:-200]], y[o[:-200]]), (x[o[-200:]], y[o[-200:]]), rs)

with open("images.json", "w") as f:
    json.dump(answers, f)
    f.write("\n")
