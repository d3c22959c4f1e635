#!/usr/bin/env python3
"""Defscores of adversarial training as the paper's code makes them, with its solver and margins.

    python3 -m venv venv && venv/bin/pip install gurobipy numpy scipy scikit-learn
    FACET_DATA=DIR venv/bin/python tools/train_with_gurobi.py fourclass:1nn halfmoon:1nn

Of equally near examples the code adds the one that Gurobi returns. It solves for cells of which
every side is moved in by a margin: 5e-6 of a raw bisector row for 1-NN, 1e-6 for forests. The
licence that comes with gurobipy allows programs of 2,000 rows, enough for sets of fewer training
rows; on halfmoon bisectors are added as they are violated.
"""
import os
import sys

import gurobipy
import numpy as np
from gurobipy import GRB
from scipy.sparse import csr_matrix
from sklearn.datasets import load_svmlight_file, make_moons
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KDTree, KNeighborsClassifier

RADIUS, MOST_ROWS = 0.3, 1990
ENV = gurobipy.Env(params={"OutputFlag": 0})


def load(name):
    """Returns the training and the test part, scaled, and the generator that split them."""
    if name == "halfmoon":
        x, y = make_moons(2200, noise=0.25, random_state=0)
    else:
        file = {"cancer": "breast-cancer"}.get(name, name)
        x, y = load_svmlight_file(os.path.join(os.environ["FACET_DATA"], file))
        x, y = x.toarray(), (y == y.max()).astype(int)
    rng, order = np.random.RandomState(0), np.arange(len(x))
    rng.shuffle(order)
    train, test = order[:-200], order[-200:]
    low, width = x[train].min(0), np.ptp(x[train], axis=0)
    scale = 1 / np.where(width == 0, 1, width)
    return (x[train] * scale - low * scale, y[train]), (x[test] * scale - low * scale, y[test]), rng.get_state()


def nearest(g, h, x, margin):
    """Minimises the maximum norm of z - x for g·z <= h - margin. Rows beyond MOST_ROWS are added when violated."""
    d, side = len(x), np.ones((len(x), 1))
    active = np.zeros(len(g), bool)
    order = np.argsort(-(g @ x - h) / np.maximum(np.abs(g).sum(1), 1e-300), kind="stable")
    active[order[: len(g) if len(g) + 2 * d <= MOST_ROWS else 30]] = True
    while True:
        cell = np.hstack([g[active], 0 * h[active, None]])
        rows = np.vstack([cell, np.hstack([np.eye(d), -side]), np.hstack([-np.eye(d), -side])])
        with gurobipy.Model(env=ENV) as model:
            z = model.addMVar(d + 1, lb=-GRB.INFINITY, obj=np.r_[np.zeros(d), 1.0])
            model.addMConstr(csr_matrix(rows), z, "<", np.concatenate([h[active], x, -x]) - margin)
            model.optimize()
            if model.Status != GRB.OPTIMAL:
                return None
            z = z.X[:d]
        excess = np.where(active, 0, g @ z - h + margin)
        if (excess <= 1e-7).all():
            return z
        active[np.argsort(-excess)[:30]] = True


class Neighbor:
    """1-NN, attacked exactly: every cell of another label."""
    margin = 5e-6

    def __init__(self, x, y):
        self.x, self.y, self.empty = x, y, set()
        self.model = KNeighborsClassifier(1).fit(x, y)

    def attack(self, x, y, most):
        cells = np.setdiff1d(np.where(self.y != y)[0], list(self.empty))
        own = np.where(self.y == y)[0]
        own = own[np.argsort(((self.x[own] - x) ** 2).sum(1), kind="stable")[:30]]
        least = np.zeros(len(cells))  # distances to bisectors bound those of cells
        for s in own:
            w = self.x[s] - self.x[cells]
            c = (w * (self.x[s] + self.x[cells])).sum(1) / 2
            least = np.maximum(least, (w @ x - c + self.margin) / np.maximum(np.abs(w).sum(1), 1e-300))
        found = []
        for k in np.argsort(least, kind="stable"):
            if least[k] > min([most] + [e for e, _, _ in found]) + 1e-6:
                break
            b = cells[k]
            w = np.delete(self.x, b, 0) - self.x[b]
            z = nearest(w, (w * (np.delete(self.x, b, 0) + self.x[b])).sum(1) / 2, x, self.margin)
            if z is None:
                self.empty.add(b)
            else:
                found.append((np.abs(z - x).max(), b, z))
        return min(found, key=lambda f: f[:2])[2] - x if found else None


class Forest:
    """The forest, attacked in the cells of 100 training points; the point stands in for no example."""
    margin = 1e-6

    def __init__(self, x, y):
        self.x, self.tree = x, KDTree(x)
        self.model = RandomForestClassifier(100, criterion="entropy", max_depth=5, random_state=0).fit(x, y)
        self.labels = self.model.predict(x)
        self.hi, self.lo = np.full(x.shape, np.inf), np.full(x.shape, -np.inf)
        for tree in self.model.estimators_:
            paths, leaves, t = tree.decision_path(x), tree.apply(x), tree.tree_
            for i in range(len(x)):
                for n in paths.indices[paths.indptr[i]:paths.indptr[i + 1]]:
                    if n != leaves[i]:
                        j, v = t.feature[n], t.threshold[n]
                        if x[i, j] <= v:
                            self.hi[i, j] = min(self.hi[i, j], v)
                        else:
                            self.lo[i, j] = max(self.lo[i, j], v + 1e-9)

    def attack(self, x, y, most):
        x = x.astype(np.float32).astype(float)
        points = self.tree.query(x[None], k=len(self.x), return_distance=False)[0]
        points = points[self.labels[points] != y][:100]
        hi, lo = self.hi[points] - self.margin, self.lo[points] + self.margin
        least = np.where((lo > hi).any(1), np.inf, np.maximum(0, np.maximum(lo - x, x - hi)).max(1))
        moves, nearer = {}, most
        for k in np.argsort(least, kind="stable"):
            if least[k] > nearer + 1e-9:
                break
            i, sides = points[k], np.eye(len(x))
            up, down = np.isfinite(self.hi[i]), np.isfinite(self.lo[i])
            z = nearest(np.vstack([sides[up], -sides[down]]), np.r_[self.hi[i][up], -self.lo[i][down]], x, self.margin)
            if z is not None:
                moves[k] = (self.x[i] if self.model.predict(z[None])[0] == y else z) - x
                nearer = min(nearer, np.abs(moves[k]).max())
        if not moves:
            return None
        return moves[min(sorted(moves), key=lambda k: np.abs(moves[k]).max())].astype(np.float32).astype(float)


def robustness(c, train, test, state):
    rng = np.random.RandomState()
    rng.set_state(state)
    rows = np.where(c.model.predict(test[0]) == test[1])[0]
    rng.shuffle(rows)
    others, total = c.model.predict(train[0]), 0.0
    for x, y in zip(test[0][rows[:100]], test[1][rows[:100]]):
        move = c.attack(x, y, np.inf)
        if move is None or c.model.predict((x + move)[None])[0] == y:
            total += np.abs(train[0][others != y] - x).max(1).min()
        else:
            total += np.abs(move).max()
    return total / 100


def main():
    for name in sys.argv[1:]:
        name, kind = name.split(":")
        make = {"1nn": Neighbor, "rf": Forest}[kind]
        train, test, state = load(name)
        c = make(*train)
        before = robustness(c, train, test, state)
        right = np.where(c.model.predict(train[0]) == train[1])[0]
        moves = [c.attack(train[0][i], train[1][i], RADIUS) for i in right]
        near = [m is not None and 0 < np.abs(m).max() <= RADIUS for m in moves]
        added = [(train[0][i] + m, train[1][i]) for i, m, n in zip(right, moves, near) if n]
        more = np.vstack([train[0], [x for x, _ in added]]), np.r_[train[1], [y for _, y in added]]
        after = robustness(make(*more), train, test, state)
        score = round(after, 3) / round(before, 3)
        print(f"{name} {kind}: {before:.4f} -> {after:.4f}, defscore {score:.3f}", flush=True)


if __name__ == "__main__":
    main()
