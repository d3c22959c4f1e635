"""Asks HiGHS, by scipy, how near the nearest input is that a vote of trees gives another label: the mixed-integer program
of Kantchelian, Tygar and Joseph, "Evasion and Hardening of Tree Ensemble Classifiers" (ICML 2016).

It looks within a radius, and prints a distance for each question, null for none. A label may lack as much of its lead as
the question says, since sums of votes are rounded.
"""
import json
import math
import sys

import numpy
from scipy.optimize import Bounds, LinearConstraint, milp


class Program:
    """The program of a question: a variable for each threshold within the radius, 1 where the input lies left of it, a
    share for each leaf, of which a tree has one, and last the distance."""

    def __init__(self, trees, x, norm, radius):
        self.x, self.radius = x, radius
        self.rows, self.lower, self.upper = [], [], []
        tests = {(n["feature"], n["threshold"]) for tree in trees for n in tree if n["left"] >= 0}
        tests = sorted(test for test in tests if self.away(test) <= self.radius)
        self.left = {test: column for column, test in enumerate(tests)}
        self.leaves = []  # their values
        for before, test in zip(tests, tests[1:]):
            if before[0] == test[0]:
                self.add({self.left[before]: 1, self.left[test]: -1}, upper=0)
        for tree in trees:
            self.add(dict.fromkeys(self.below(tree, tree[0]), 1), 1, 1)
        self.distance = len(tests) + len(self.leaves)
        self.reach(tests, norm)

    def away(self, test):
        feature, threshold = test
        return abs(threshold - self.x[feature])

    def add(self, row, lower=-math.inf, upper=math.inf):
        self.rows.append(row)
        self.lower.append(lower)
        self.upper.append(upper)

    def below(self, tree, n):
        """Returns the leaves below a node that the radius reaches, after it has tied them to the tests above them."""
        if n["left"] < 0:
            self.leaves.append(n["value"])
            return [len(self.left) + len(self.leaves) - 1]
        test = n["feature"], n["threshold"]
        if test not in self.left:
            side = "left" if self.x[n["feature"]] <= n["threshold"] else "right"
            return self.below(tree, tree[n[side]])
        left, right = self.below(tree, tree[n["left"]]), self.below(tree, tree[n["right"]])
        self.add({**dict.fromkeys(left, 1), self.left[test]: -1}, upper=0)
        self.add({**dict.fromkeys(right, 1), self.left[test]: 1}, upper=1)
        return left + right

    def reach(self, tests, norm):
        """Makes the last variable at least the distance. Where the input lies beyond a threshold, seen from x, that is
        at least how far the threshold lies away, and in l-1 what lies between it and the one before, summed up."""
        rows = {}
        for test in tests:
            feature, threshold = test
            low, column = threshold < self.x[feature], self.left[test]
            before = max((self.away(t) for t in tests if norm != "inf" and t[0] == feature and
                          (t[1] < self.x[feature]) == low and self.away(t) < self.away(test)), default=0)
            part = self.away(test) - before
            row, parts = rows.setdefault(column if norm == "inf" else 0, ({self.distance: -1}, []))
            row[column] = part if low else -part
            parts.append(0 if low else part)
        for row, parts in rows.values():
            self.add(row, upper=-sum(parts))

    def solve(self, leads):
        """Returns the least distance of an input with these leads: of a label over another one, by how much."""
        rows = self.rows + [{len(self.left) + i: value[label] - value[rival] for i, value in enumerate(self.leaves)}
                            for label, rival, _ in leads]
        lower = self.lower + [need for _, _, need in leads]
        upper = self.upper + [math.inf] * len(leads)
        matrix = numpy.zeros((len(rows), self.distance + 1))
        for i, row in enumerate(rows):
            for column, value in row.items():
                matrix[i, column] = value
        is_distance = numpy.arange(self.distance + 1) == self.distance
        found = milp(is_distance.astype(float), integrality=numpy.arange(self.distance + 1) < len(self.left),
                     bounds=Bounds(0, numpy.where(is_distance, self.radius, 1)),
                     constraints=LinearConstraint(matrix, lower, upper), options={"mip_rel_gap": 0})
        if found.status not in (0, 2):
            raise RuntimeError(found.message)
        return found.fun if found.status == 0 else None


def nearest(question):
    program = Program(question["trees"], question["x"], question["norm"], question["radius"])
    found = [program.solve(leads) for leads in question["answers"]]
    return min((d for d in found if d is not None), default=None)


if __name__ == "__main__":
    print(json.dumps([nearest(question) for question in json.load(sys.stdin)]))
