#!/usr/bin/env python3
"""Checks proofs that no input nearer than a bound has another label, written as docs/proof-format.md describes.

    python3 docs/check_proofs.py PROOFS --model FILE
    python3 docs/check_proofs.py PROOFS --train FILE -k K

Every distance and every sum is computed anew from the model's or the training set's own file, in integers: all numbers of
a proof are multiples of one power of two. Floating point is only the model's own arithmetic, where the proof is about it.
Needs Python 3.9 or later. Exit status: 0 if all proofs hold, 1 if one is refused, 2 if nothing could be checked.
"""
import argparse
import bisect
import csv
import ctypes
import functools
import gzip
import hashlib
import itertools
import json
import math
import re
import struct
import sys
import zlib
from collections import namedtuple
from fractions import Fraction
from types import SimpleNamespace

DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,6})?", re.ASCII)
FLOAT = re.compile(r"[-+.0-9a-fA-FpPxX]+|-?inf")
TERM = re.compile(r"(?:(0*[1-9][0-9]{0,999})\*)?([^*]+)", re.ASCII)
TOKEN = re.compile(r"\.|([a-z]{1,99})([0-9]{1,99})|\*([0-9]{1,99})|.", re.ASCII | re.DOTALL)

class Refused(Exception):
    """What is being read is wrong: the proofs or, before them, the model."""

def demand(condition, reason, *details):
    if not condition:
        raise Refused(reason % details)

def parse_float(word, least=-math.inf):
    try:
        v = float.fromhex(word) if "x" in word.lower() else float(word)
    except (ValueError, OverflowError):
        v = math.nan
    demand(v >= least and FLOAT.fullmatch(word), "%.40r is no number, or too small", word)
    return v

def parse_finite(words, count=None, least=-math.inf):
    values = [parse_float(str(word), least) for word in words]
    demand(count in (None, len(values)) and all(map(math.isfinite, values)), "%s finite numbers should follow", count)
    return values

def parse_natural(word, below, what):
    demand(re.fullmatch("[0-9]{1,18}", word) and int(word) < below, "%.40r is no %s below %d", word, what, below)
    return int(word)

def binary_places(values):
    """How many binary digits behind the point the finite ones of these floats need."""
    return max((v.as_integer_ratio()[1].bit_length() - 1 for v in values if math.isfinite(v)), default=0)

def scaled(v, places):
    """The integer v·2^places; infinities stay what they are."""
    if math.isinf(v):
        return v
    numerator, denominator = v.as_integer_ratio()
    return numerator << places - denominator.bit_length() + 1

class Lines:
    """Reads a file of proofs line by line, or token by token, and knows the number of the line."""
    def __init__(self, file):
        self.file, self.number, self.ahead = file, 0, None

    def words(self):
        """The words of the next line; none at the end of the file."""
        words, self.ahead = self.ahead, None
        if words is None:
            self.number += 1
            line = self.file.readline().decode()
            demand(line[-1:] in ("", "\n"), "the file ends within a line")
            words = line[:-1].split(" ") if line else []
        return words

    def optional(self, key, count=None):
        """What follows the key on the next line, so many words, or None if that line does not begin with it."""
        words = self.words()
        if words[:1] != [key]:
            self.ahead = words
            return None
        demand(count in (None, len(words) - 1), "%s words should follow %r, not %d", count, key, len(words) - 1)
        return words[1:]

    def line(self, key, count=None):
        words = self.optional(key, count)
        demand(words is not None, "%r should begin this line", key)
        return words

    def norm(self):
        words = self.line("norm", 1)
        demand(words[0] in ("1", "2", "inf"), "the norm is 1, 2 or inf, not %r", *words)
        return words[0]

    def tokens(self):
        """The tokens of the tree on the next line, which may be long."""
        self.number, rest = self.number + 1, ""
        while rest != "\n":
            chunk = self.file.readline(1 << 16).decode()
            demand(chunk, "the file ends within a tree")
            rest += chunk
            whole = len(rest) - 1 if rest[-1] == "\n" else rest.rfind(".") + 1
            yield from TOKEN.finditer(rest[:whole])
            rest = rest[whole:]

class Proof:
    """The head of a proof: what it claims. Integers are in units of 2^-places, X, LO, HI and B."""
    def __init__(self, lines, model):
        self.ends_count = isinstance(model, Rows)
        self.norm, self.source = lines.norm(), parse_natural(*lines.line("from", 1), model.classes, "label")
        target = lines.optional("target", 1)
        self.target = target and parse_natural(*target, model.classes, "label")
        self.labels = [label for label in range(model.classes) if label != self.source] if target is None else [self.target]
        ends = [parse_float(w) for w in lines.optional("domain", 2 * model.dim) or ["-inf", "inf"] * model.dim]
        self.lo, self.hi = ends[::2], ends[1::2]
        demand(all(l <= h and l < math.inf and h > -math.inf for l, h in zip(self.lo, self.hi)), "this is no domain")
        words = lines.optional("prices", 2 * model.dim)
        prices = [1.0] * 2 * model.dim if words is None else parse_finite(words)
        demand(min(prices) > 0 and (words is None or isinstance(model, Boxes)), "prices are positive, and of trees that test one feature")
        self.up, self.down = prices[::2], prices[1::2]
        self.x = parse_finite(lines.line("x"), model.dim)
        self.bound = parse_float(*lines.line("bound", 1), least=0)
        self.places = max(model.places, binary_places(self.x + ends + [self.bound]))
        # Prices are in units of 2^-price_places.
        self.price_places = binary_places(prices)
        self.UP, self.DOWN = ([scaled(v, self.price_places) for v in vector] for vector in (self.up, self.down))
        self.X, self.LO, self.HI, (self.B,) = (
            [scaled(v, self.places) for v in vector] for vector in (self.x, self.lo, self.hi, [self.bound]))
        example = lines.optional("example", 1 + model.dim)
        self.settled = example is not None and self.check_example(example, model)

    def check_example(self, words, model):
        """Refuses an example that is none. Whether it lies at the bound."""
        label, z = parse_natural(words[0], model.classes, "label"), parse_finite(words[1:], model.dim)
        demand(label in self.labels, "label %d of the example does not answer", label)
        demand(all(l <= v <= h for l, v, h in zip(self.lo, z, self.hi)), "the example lies outside the domain")
        demand(model.gives(z, label), "the model does not give the example label %d", label)
        gaps = [abs(Fraction(v) - Fraction(w)) * Fraction(up if w > v else down) for v, w, up, down in zip(self.x, z, self.up, self.down)]
        power = 2 if self.norm == "2" else 1
        length = max(gaps) if self.norm == "inf" else sum(g ** power for g in gaps)
        demand(self.bound < math.inf and length >= Fraction(self.bound) ** power, "the example lies nearer than the bound")
        return length <= (Fraction(self.bound) + Fraction(1e-9) * max(Fraction(self.bound), 1)) ** power

    def far(self, a, beta):
        """Whether the half-space a·u ≤ β of displacements, with β in units of 2^-2·places, lies at the bound or beyond."""
        if not any(a):
            return beta < 0
        if beta >= 0 or self.bound == math.inf:
            return False
        if self.norm == "2":
            return beta * beta >= self.B * self.B * sum(v * v for v in a)
        return -beta >= self.B * (sum if self.norm == "inf" else max)(map(abs, a))

    def check_combination(self, words, half_space):
        """Refuses a combination unless it shows that nothing nearer than the bound satisfies all of its terms."""
        a, beta, proper, open_one, end = [0] * len(self.x), 0, False, False, False
        for word in words:
            match = TERM.fullmatch(word)
            demand(match, "%r is no term", word)
            is_side = match[2][0] in "+-"
            side, room, *is_open = self.domain_side(match[2]) if is_side else half_space(match[2])
            m = int(match[1] or 1)
            a, beta = [v + m * w for v, w in zip(a, side)], beta + m * room
            about = any(v for v, lo, hi in zip(side, self.lo, self.hi) if lo < hi)
            proper, open_one, end = proper or about, open_one or any(is_open), end or about and is_side and self.ends_count
        demand(self.far(a, beta) or (open_one or proper and not end) and beta == 0 and not any(a),
               "the combination does not show that nothing nearer than the bound is left")

    def domain_side(self, word):
        f, (sign, end) = parse_natural(word[1:], len(self.x), "feature"), (1, self.HI) if word[0] == "+" else (-1, self.LO)
        demand(abs(end[f]) < math.inf, "the domain is open at %r", word)
        return [sign << self.places if i == f else 0 for i in range(len(self.x))], sign * (end[f] - self.X[f]) << self.places

def round32(v):
    return ctypes.c_float(v).value

def rounded_sum(values):
    """The sum from the first to the last, rounded each time."""
    return list(itertools.accumulate(values))[-1] if values else 0.0

def order(v, kinds="dq"):
    """Numbers the float64, or with "fi" the float32, in ascending order."""
    n, = struct.unpack("<" + kinds[1], struct.pack("<" + kinds[0], abs(v)))
    return n if v >= 0 else -n

def at(n, kinds="dq"):
    return math.copysign(*struct.unpack("<" + kinds[0], struct.pack("<" + kinds[1], abs(n))), n)

def largest(holds):
    """The largest float64 for which a condition holds that ceases once; -inf if there is none, inf if it holds for all."""
    lo, hi = order(-math.inf), order(sys.float_info.max)
    while lo < hi:
        middle = (lo + hi + 1) // 2
        lo, hi = (middle, hi) if holds(at(middle)) else (lo, middle - 1)
    return at(lo) if at(lo) < sys.float_info.max else math.inf

# Left goes what has a sum of (feature, weight) at most the threshold, or below. If that is infinite there is nothing to test.
Test = namedtuple("Test", "weights threshold closed")

def box_test(comparison, feature, t):
    """The test of a node, which compares real numbers."""
    demand(comparison in ("x <= t", "x < t", "float32(x) <= t", "float32(x) < t"), "unknown comparison %r", comparison)
    strict, weights = comparison.endswith("< t"), ((feature, 1.0),)
    demand(comparison[0] != "x" or t > -math.inf, "a threshold is -inf")
    if comparison[0] == "x" or math.isinf(t) and strict == (t < 0):
        return Test(weights, t, not strict)
    p = round32(t)
    if p > t or strict and p == t:
        p = at(order(p, "fi") - 1, "fi")
    q = at(order(p, "fi") + 1, "fi")
    e = (max(p, -2.0 ** 128) + min(q, 2.0 ** 128)) / 2
    return Test(weights, e, round32(e) == p)

def half_test(weights, t):
    """The test of a node of an oblique tree."""
    used = tuple((f, w) for f, w in enumerate(weights) if w)
    if not used or math.isinf(t):
        return Test((), math.inf if t >= 0 else -math.inf, True)
    if len(used) == 1:
        (f, w), = used
        v = min(largest(lambda v: abs(w) * v <= t), sys.float_info.max)
        if math.isfinite(v) and Fraction(abs(w)) * Fraction(v) >= Fraction(t):
            used, t = ((f, math.copysign(1.0, w)),), v
    return Test(used, t, True)

class Tree:
    """A tree, from functions that give the test of a node and the values of a leaf. A path is {node: whether right}."""
    def __init__(self, left, right, test, value, complete=True):
        self.left, self.right, self.nodes, self.leaves, stack = left, right, {}, [], [(0, True, {})]
        while stack:
            n, reached, path = stack.pop()
            demand(0 <= n < len(left) and n not in self.nodes, "node %d has no parent, or two", n)
            if left[n] < 0 and right[n] < 0:
                self.nodes[n] = SimpleNamespace(given=value(n), path=path, ranges={})
                self.leaves += [self.nodes[n]] if reached else []
                continue
            self.nodes[n] = made = test(n)
            for child, side in ((right[n], True), (left[n], False)):
                met = reached and (math.isfinite(made.threshold) or side == (made.threshold < 0))
                stack.append((child, met, {**path, n: side} if math.isfinite(made.threshold) else path))
        demand(not complete or len(self.nodes) == len(left), "a node has no parent")
        self.tests = {n: node for n, node in self.nodes.items() if isinstance(node, Test) and math.isfinite(node.threshold)}
        self.all_leaves = [node for node in self.nodes.values() if not isinstance(node, Test)]

    def reach(self, z):
        n = 0
        while isinstance(self.nodes[n], Test):
            weights, threshold, closed = self.nodes[n]
            total = rounded_sum([w * z[f] for f, w in weights])
            n = self.left[n] if total < threshold or closed and total == threshold else self.right[n]
        return self.nodes[n]

class Trees:
    """Trees that vote, and what proofs about them have in common."""
    def __init__(self, dim, classes, trees, vote="soft", base=None, single=False, divisor=0.0):
        self.dim, self.classes, self.trees, self.vote, self.round = dim, classes, trees, vote, round32 if single else float
        demand(dim > 0 and trees and (vote in ("hard", "soft", "sum", "softmax") or vote == "logistic" and classes == 2),
               "no features, trees or vote")
        self.divisor = divisor or float(len(trees))
        demand(len(trees) / 2 < self.divisor <= len(trees) and (vote == "soft" or not divisor), "the divisor is %r", divisor)
        self.tests = {test for tree in trees for test in tree.tests.values()}
        demand(all(0 <= f < dim for test in self.tests for f, _ in test.weights), "a test is about a feature that is not there")
        self.places = binary_places(v for test in self.tests for v in [test.threshold] + [w for _, w in test.weights])
        self.start = list(map(self.round, base or [0.0] * classes))
        leaves = [leaf for tree in trees for leaf in tree.all_leaves]
        for leaf in leaves:
            if vote == "hard":
                leaf.given = one_class(1.0, leaf.given.index(max(leaf.given)), len(leaf.given))
            else:
                leaf.given = list(map(self.round, leaf.given))
            demand(len(leaf.given) == len(self.start) == classes and all(map(math.isfinite, leaf.given + self.start)),
                   "%d finite values and as many of base are wanted", classes)
        self.value_places = binary_places([v for leaf in leaves for v in leaf.given] + self.start)
        self.base = [scaled(v, self.value_places) for v in self.start]
        for leaf in leaves:
            leaf.values = [scaled(v, self.value_places) for v in leaf.given]
        self.sizes = [abs(self.base[c]) + sum(max(abs(leaf.values[c]) for leaf in tree.all_leaves) for tree in trees)
                      for c in range(classes)]
        demand(max(self.sizes) <= ((2 ** 24 - 1) << 104 if single else 1 << 1022) << self.value_places, "sums may overflow")
        # How much rounding changes, and by how much exponentials must differ to be told apart in any arithmetic.
        self.unit = Fraction(1, 1 << (24 if single else 53))
        self.slip, self.lost = 8 * self.unit, functools.cache(self.lost_at)

    def lost_at(self, label, rival):
        """Differences of the two, in units of 2^-value_places, are lost up to this one."""
        return self.first_open(label, rival, Fraction(1, 1 << self.value_places)) - 1

    def first_open(self, label, rival, unit):
        """The least number of units from which on a difference of the two is not lost."""
        if self.vote == "hard":
            return 0 if label < rival else math.ceil(1 / unit)
        error, size = len(self.trees) * self.unit, Fraction(self.sizes[label] + self.sizes[rival], 1 << self.value_places)
        if 2 * error >= 1:
            return -math.inf
        more = {"soft": size / 2 ** 52 + len(self.trees) * Fraction(1, 1 << 1074), "sum": 0}.get(self.vote, self.slip)
        return math.ceil(-(error / (1 - error) * size + more) / unit)

    def beats(self, leaves, a, b):
        """Whether the sums of these leaves decide for label a rather than b for certain."""
        total = self.start
        for leaf in leaves:
            total = [self.round(t + v) for t, v in zip(total, leaf.given)]
        if self.vote == "logistic":
            return a == (total[1] - total[0] > 1.5 * self.unit)
        first, second = (Fraction(total[c] / self.divisor if self.vote == "soft" else total[c]) for c in (a, b))
        return first >= second and a < b or first - second > (self.slip if self.vote == "softmax" else 0)

    def gives(self, z, label):
        leaves = [tree.reach(z) for tree in self.trees]
        return all(self.beats(leaves, label, r) for r in range(self.classes) if r != label)

    def loses(self, leaves, label):
        return any(self.beats(leaves, r, label) for r in range(self.classes) if r != label)

    def check(self, lines, proof):
        self.proof = proof
        root = self.root(proof)
        for label in proof.labels if root else ():
            words = lines.line("label")
            demand(len(words) in (1, 2) and parse_natural(words[0], label + 1, "label") == label, "label %d should follow", label)
            if len(words) == 1:
                self.check_tree(lines, label, root)
            else:
                self.check_sweeps(lines, label, parse_natural(words[1], self.classes, "label"), root)

    def check_sweeps(self, lines, label, rival, root):
        demand(False, "label %d has a rival, and trees that test half-spaces no sweeps", label)

    def rivals(self, label):
        """The labels to one of which it suffices that this one loses."""
        return [self.proof.source] if self.proof.target is None else [r for r in range(self.classes) if r != label]

    def check_leaf(self, label, left):
        """Refuses a leaf of a proof unless the leaves that are left to each tree are lost or evaluated."""
        for rival in self.rivals(label):
            if not all(left) or self.base[label] - self.base[rival] + sum(
                    max(leaf.values[label] - leaf.values[rival] for leaf in leaves) for leaves in left) <= self.lost(label, rival):
                return
        demand(all(len(leaves) == 1 for leaves in left), "a leaf is neither far, nor lost, nor evaluated")
        demand(self.loses([leaves[0] for leaves in left], label), "the model may give label %d in this leaf", label)

class Boxes(Trees):
    """Trees that test one feature a node. A box is (lo, hi, cost, left): its slots, the sum of the costs of its gaps, and
    for each tree the leaves that meet it nearer than the bound, each with what its own gaps cost beyond those of the
    box. Costs are gaps, in ℓ2 their squares, in ℓ∞ nothing: there no slot of the root is too far."""
    def __init__(self, *args):
        super().__init__(*args)
        self.borders = [sorted(test[1:] for test in self.tests if test.weights[0][0] == f) for f in range(self.dim)]
        slot = {(f, *border): i for f, borders in enumerate(self.borders) for i, border in enumerate(borders)}
        for index, tree in enumerate(self.trees):
            tree.features = {test.weights[0][0] for test in tree.tests.values()}
            for leaf in tree.leaves:
                leaf.tree = index
                for n, right in leaf.path.items():
                    ((f, _),), *border = tree.tests[n]
                    cut, (lo, hi) = slot[(f, *border)], leaf.ranges.get(f, (0, len(self.borders[f])))
                    leaf.ranges[f] = (max(lo, cut + 1), hi) if right else (lo, min(hi, cut))

    def root(self, p):
        factor, power = {"1": (1, 1), "2": (1, 2), "inf": (0, 1)}[p.norm]
        bound = p.B if p.bound == math.inf else p.B << p.price_places
        self.limit, self.below, self.above, lo, hi = bound ** power, [], [], [], []
        for borders, *first, x, last, up, down in zip(self.borders, p.LO, p.X, p.HI, p.UP, p.DOWN):
            # Ends are (place, side): (e, 1) is just behind e.
            first, last = (first[0], 0), (last, 1)
            ends = [first] + [max(first, min((scaled(e, p.places), int(closed)), last)) for e, closed in borders] + [last]
            below, above = [up * (e - x) if e > x else 0 for e, _ in ends[:-1]], [down * (x - e) if e < x else 0 for e, _ in ends[1:]]
            kept = [s for s in range(len(below)) if ends[s] < ends[s + 1] and max(below[s], above[s]) < bound]
            if not kept:
                return None
            lo, hi = lo + [kept[0]], hi + [kept[-1]]
            self.below.append([factor * v ** power for v in below])
            self.above.append([factor * v ** power for v in above])
        cost = sum(map(self.cost, range(len(lo)), lo, hi))
        left = [[(leaf, sum(self.cost(f, max(a, lo[f]), min(b, hi[f])) - self.cost(f, lo[f], hi[f])
                            for f, (a, b) in leaf.ranges.items()))
                 for leaf in tree.leaves if all(max(a, lo[f]) <= min(b, hi[f]) for f, (a, b) in leaf.ranges.items())]
                for tree in self.trees]
        return lo, hi, cost, [[entry for entry in entries if cost + entry[1] < self.limit] for entries in left]

    def cost(self, f, first, last):
        return max(self.below[f][first], self.above[f][last])

    def check_tree(self, lines, label, root):
        stack = [root]
        for token in lines.tokens():
            demand(stack, "the tree goes on behind its end")
            box = stack.pop()
            if token[0] == ".":
                self.check_leaf(label, [[leaf for leaf, _ in entries] for entries in box[3]])
                continue
            f, lo, cut, hi = self.cut(token, box[0], box[1])
            stack += self.part(box, f, cut + 1, hi), self.part(box, f, lo, cut)
        demand(not stack, "the tree ends before its last part")

    def cut(self, token, lo, hi):
        """The feature that a token splits, its first slot, the last one of the first part, and its last slot."""
        demand(token[1], "%r is no token here", token[0])
        f = functools.reduce(lambda f, letter: 26 * f + ord(letter) - ord("a"), token[1], 0)
        demand(f < self.dim, "there is no feature %d", f)
        cut = lo[f] + int(token[2])
        demand(cut < hi[f], "this part has only the slots %d to %d of feature %d", lo[f], hi[f], f)
        return f, lo[f], cut, hi[f]

    def check_sweeps(self, lines, label, rival, root):
        demand(self.proof.norm == "inf" and rival in self.rivals(label), "there are no sweeps in this norm, or over this rival")
        first = Potentials(self, label, rival, root)
        stack = [(*root[:2], first)]
        for token in lines.tokens():
            demand(stack, "the tree goes on behind its end")
            lo, hi, known = stack.pop()
            if token[0] == ".":
                if known and not known.refuted(lo, hi):
                    left = known.settled + [[leaf for leaf, _, _ in entries] for entries in known.left(lo, hi)]
                    self.check_leaf(label, sorted(left, key=lambda leaves: leaves[0].tree))
                continue
            demand(known, "nothing is left here, and a leaf should follow")
            if token[3]:
                demand(int(token[3]) < 100, "%s sweeps are more than 99", token[3])
                lo, hi = lo[:], hi[:]
                known = known.narrowed(lo, hi)
                if known:
                    known.sweep(lo, hi, int(token[3]))
                stack.append((lo, hi, known))
                continue
            f, low, cut, high = self.cut(token, lo, hi)
            stack += [(lo[:f] + [cut + 1] + lo[f + 1:], hi, known), (lo, hi[:f] + [cut] + hi[f + 1:], known)]
        demand(not stack, "the tree ends before its last part")

    def part(self, box, f, first, last):
        lo, hi, cost, left = box[0][:], box[1][:], box[2], []
        change = self.cost(f, first, last) - self.cost(f, lo[f], hi[f])
        for tree, entries in zip(self.trees, box[3]):
            if f in tree.features:
                entries = self.narrowed(entries, f, lo[f], hi[f], first, last, change)
            left.append([entry for entry in entries if cost + change + entry[1] < self.limit])
        lo[f], hi[f] = first, last
        return lo, hi, cost + change, left

    def narrowed(self, entries, f, lo, hi, first, last, change):
        """What is left of these leaves where only some slots of a feature are."""
        for leaf, more in entries:
            if f not in leaf.ranges:
                yield leaf, more
                continue
            a, b = leaf.ranges[f]
            if a <= last and b >= first:
                before = self.cost(f, a if a > lo else lo, b if b < hi else hi)
                yield leaf, more - change + self.cost(f, a if a > first else first, b if b < last else last) - before

class Potentials:
    """What a part of a tree with sweeps knows. All is counted in units. For each tree that is not settled it has the leaves left
    as (leaf, value, shares by feature)."""
    def __init__(self, model=None, label=None, rival=None, root=None):
        if model is None:
            return
        lo, hi = root[:2]
        base = round_up(model.start[label], model.start[rival])
        trees = [[(leaf, round_up(leaf.given[label], leaf.given[rival])) for leaf, _ in entries] for entries in root[3]]
        most = max((abs(gain) for leaves in trees for _, gain in leaves), default=0.0)
        demand(2.0 ** -900 < most < 2.0 ** 900 and abs(base) < 2.0 ** 30 * most, "values of up to %r have no potentials", most)
        unit = Fraction(2) ** (math.frexp(most)[1] - 22)
        self.limit = model.first_open(label, rival, unit)
        demand(abs(self.limit) < 1 << 53, "the slack is too great for potentials")
        self.floor = -((1 << 28) // max([1] + [
            sum(a > lo[f] or b < hi[f] for f, (a, b) in leaf.ranges.items()) for leaves in trees for leaf, _ in leaves]))
        self.base, self.constants, self.settled = math.ceil(Fraction(base) / unit), [0] * model.dim, []
        self.trees = [[(leaf, math.ceil(Fraction(gain) / unit), {}) for leaf, gain in leaves] for leaves in trees]

    def left(self, lo, hi):
        """The leaves left to each tree that meet the box."""
        return [[entry for entry in entries if all(a <= hi[f] and b >= lo[f] for f, (a, b) in entry[0].ranges.items())]
                for entries in self.trees]

    def bound(self, trees):
        """What no lead within these leaves exceeds."""
        return self.base + sum(self.constants) + sum(max(value for _, value, _ in entries) for entries in trees)

    def refuted(self, lo, hi):
        trees = self.left(lo, hi)
        return not all(trees) or self.bound(trees) < self.limit

    def narrowed(self, lo, hi):
        """The potentials of what can win in the box, which is shrunk to it; None if that is nothing."""
        trees, whole = self.left(lo, hi), None
        if not all(trees) or self.bound(trees) < self.limit:
            return None
        room = self.bound(trees) - self.limit
        while whole != (lo, hi):
            whole = lo[:], hi[:]
            for i, entries in enumerate(trees):
                least = max(value for _, value, _ in entries) - room
                trees[i] = entries = [entry for entry in entries if entry[1] >= least]
                for f in set.intersection(*(set(leaf.ranges) for leaf, _, _ in entries)):
                    lo[f] = max(lo[f], min(leaf.ranges[f][0] for leaf, _, _ in entries))
                    hi[f] = min(hi[f], max(leaf.ranges[f][1] for leaf, _, _ in entries))
            trees = [[entry for entry in entries if all(a <= hi[f] and b >= lo[f] for f, (a, b) in entry[0].ranges.items())]
                     for entries in trees]
            if not all(trees) or any(map(int.__gt__, lo, hi)):
                return None
        kept = Potentials()
        kept.limit, kept.floor, kept.base, kept.constants = self.limit, self.floor, self.base, self.constants[:]
        kept.settled, kept.trees = self.settled[:], [entries for entries in trees if len(entries) > 1]
        for (leaf, value, shares), in (entries for entries in trees if len(entries) == 1):
            kept.settled.append([leaf])
            kept.base += value - sum(shares.values())
            for f, share in shares.items():
                kept.constants[f] += share
        return kept

    def sweep(self, lo, hi, times):
        """Makes new potentials of one feature after the other, so many times."""
        trees = [[[leaf, value, dict(shares)] for leaf, value, shares in entries] for entries in self.trees]
        users = [[] for _ in lo]
        for f, whole in enumerate(zip(lo, hi)):
            inner = [[(max(a, lo[f]), min(b, hi[f])) for a, b in (entry[0].ranges.get(f, whole) for entry in entries)] for entries in trees]
            used = [any(entry[2].get(f) or r != whole for entry, r in zip(entries, ranges)) for entries, ranges in zip(trees, inner)]
            ends = sorted({end for user, ranges in zip(used, inner) if user for a, b in ranges for end in (a - 1, b) if lo[f] <= end < hi[f]})
            cuts = [end for i, end in enumerate(ends, 1) if 16 * i // (len(ends) + 1) > 16 * (i - 1) // (len(ends) + 1)]
            users[f] = len(cuts) + 1, [
                [(entry, bisect.bisect_left(cuts, a), bisect.bisect_left(cuts, b)) for entry, (a, b) in zip(entries, ranges)]
                for user, entries, ranges in zip(used, trees, inner) if user]
        for _ in range(times):
            for f, (bins, members) in enumerate(users):
                self.constants[f] = self.level(f, bins, members) if members else 0
        self.trees = trees

    def level(self, f, bins, members):
        """Makes new potentials of one feature. Members are its users: their leaves, each with its first and its last bin."""
        profiles = []
        for leaves in members:
            profile = [-math.inf] * bins
            for (_, value, shares), first, last in leaves:
                value -= shares.get(f, 0)
                for j in range(first, last + 1):
                    if profile[j] < value:
                        profile[j] = value
            profiles.append(profile)
        sums = [None if -math.inf in column else -(-sum(column) // len(members)) for column in zip(*profiles)]
        constant = 0
        for leaves, profile in zip(members, profiles):
            potentials = [-(1 << 29) if part is None else part - m for part, m in zip(sums, profile)]
            top = max(potentials)
            constant += top
            for entry, first, last in leaves:
                share = max(self.floor, max(potentials[first:last + 1]) - top)
                entry[1] += share - entry[2].get(f, 0)
                entry[2][f] = share
        return constant

def round_up(a, b):
    """The least float64 that is no less than a - b."""
    return a - b if Fraction(a) - Fraction(b) <= a - b else math.nextafter(a - b, math.inf)

class Oblique(Trees):
    """Trees that test half-spaces. Decisions are (tree, node, whether right)."""

    def root(self, proof):
        self.half_space = functools.cache(self.half_space_of)
        return [[leaf for leaf in tree.leaves if not any(proof.far(*self.half_space(t, *step)) for step in leaf.path.items())]
                for t, tree in enumerate(self.trees)]

    def half_space_of(self, t, n, right):
        p, sign, a = self.proof, -1 if right else 1, [0] * self.dim
        weights, threshold, _ = self.trees[t].tests[n]
        for f, w in weights:
            a[f] = sign * scaled(w, p.places)
        return a, (sign * scaled(threshold, p.places) << p.places) - sum(w * v for w, v in zip(a, p.X))

    def check_tree(self, lines, label, root):
        stack, self.path = [(0, None, root)], []
        while stack:
            depth, decision, left = stack.pop()
            self.path[max(depth - 1, 0):] = [decision] if depth else []
            kind, *words = lines.words() or ["end"]
            if kind in ("s", "d"):
                t, n = self.node(*words[:2])
                gone = self.trees[t].nodes[n]
            if kind == "s":
                demand(len(words) == 2 and n in self.trees[t].tests, "node %d of tree %d is no test", n, t)
                for right in (True, False):
                    kept = [leaf for leaf in left[t] if leaf.path.get(n, right) == right]
                    stack.append((depth + 1, (t, n, right), left[:t] + [kept] + left[t + 1:]))
            elif kind == "d":
                demand(not isinstance(gone, Test), "node %d of tree %d is no leaf", n, t)
                self.proof.check_combination(words[2:], lambda word: self.term(word, t, gone))
                kept = [leaf for leaf in left[t] if leaf is not gone]
                stack.append((depth, decision, left[:t] + [kept] + left[t + 1:]))
            elif kind == "c":
                self.proof.check_combination(words, self.term)
            else:
                demand(kind == "." and not words, "a node begins with s, d or c, or is a single .")
                self.check_leaf(label, left)

    def node(self, tree="", node=""):
        t = parse_natural(tree, len(self.trees), "tree")
        return t, parse_natural(node, len(self.trees[t].nodes), "node")

    def term(self, word, t=None, gone=None):
        if word[0] == "#" and gone:
            t, n = self.node(str(t), word[1:])
            demand(n in gone.path, "node %d is no test on the way to this leaf", n)
            return self.half_space(t, n, gone.path[n])
        demand(word[0] == "@", "%r is no term here", word)
        return self.half_space(*self.path[parse_natural(word[1:], len(self.path), "decision")])

class Rows:
    """A training set, of which the k nearest rows vote, and proofs about it."""
    def __init__(self, points, labels, classes, k):
        self.points, self.labels, self.classes, self.k, self.dim = points, labels, classes, k, len(points[0])
        demand(self.dim and all(len(row) == self.dim for row in points) and len(labels) == len(points), "rows differ")
        demand(k is None or 1 <= k <= len(points), "k should be from 1 to %d", len(points))
        self.places = binary_places(v for row in points for v in row)
        self.scaled = [[scaled(v, self.places) for v in row] for row in points]

    def around(self, center, places):
        """The rows as seen from a point, and the squares of their distances, in units of 2^-places."""
        rows = [[(v << places - self.places) - c for v, c in zip(row, center)] for row in self.scaled]
        return rows, [sum(v * v for v in row) for row in rows]

    def vote(self, rows):
        return max(range(self.classes), key=[self.labels[r] for r in rows].count)

    def gives(self, z, label):
        places = max(self.places, binary_places(z))
        squares = self.around([scaled(v, places) for v in z], places)[1]
        return self.vote(sorted(range(len(squares)), key=squares.__getitem__)[:self.k]) == label

    def least_seats(self, p):
        """The least number of rows of the side among k neighbours that answer; None if none do."""
        k, count = self.k, [self.labels.count(label) for label in range(self.classes)]
        if p.target is not None:
            return next((v for v in range(1, count[p.target] + 1) if k - v <= sum(
                min(n, v if p.target < l else v - 1) for l, n in enumerate(count) if l != p.target)), None)
        most = [min((k - (p.source < l)) // 2, n - (p.source < l)) for l, n in enumerate(count) if l != p.source and n]
        return k - max(most) if most and k - max(most) <= min(k, sum(count) - count[p.source]) else None

    def half_space(self, p, q):
        """Row p at least as near as row q."""
        a = [2 * (w - v) for v, w in zip(self.rows[p], self.rows[q])]
        return a, self.square[q] - self.square[p] if any(a) or p < q else -1

    def apart(self, p, q):
        """Whether "row p at least as near as row q" lies at the bound or beyond."""
        lead, b, length = self.square[p] - self.square[q], 2 * self.proof.B, self.lengths
        # ‖q − p‖* lies between the difference and the sum of the rows' own lengths.
        if lead < 0 or b < math.inf and lead < b * (abs(length[p] - length[q]) - 1):
            return False
        return b < math.inf and 0 < lead >= b * (length[p] + length[q] + 2) or self.proof.far(*self.half_space(p, q))

    def check(self, lines, proof):
        self.proof, self.seats = proof, self.least_seats(proof)
        if self.seats is None:
            return
        self.rows, self.square = self.around(proof.X, proof.places)
        # The dual norm of each row, rounded down.
        self.lengths = list(map(math.isqrt, self.square)) if proof.norm == "2" else [
            (sum if proof.norm == "inf" else max)(map(abs, row)) for row in self.rows]
        self.side = {r for r, label in enumerate(self.labels) if label in proof.labels}
        self.spare, near, last = self.k - self.seats, self.list_of(lines.line("near")), -1
        demand(self.side.isdisjoint(near), "a row of near is no rival")
        near.sort(key=self.square.__getitem__)
        self.M = [p for p in sorted(self.side) if not self.reaches(self.spare + 1, (self.apart(p, r) for r in near))]
        while last < len(self.rows):
            words = lines.optional("pivot", 1)
            p = parse_natural(*words, len(self.rows), "row") if words else len(self.rows)
            for row in self.M:
                demand(not last < row < p or not self.reaches(self.seats - 1, (q != row and not self.apart(q, row) for q in self.M)),
                       "pivot %d should come before: it is neither crowded nor lonely", row)
            if words:
                demand(last < p and p in self.M, "row %d is no pivot here", p)
                self.check_pivot(lines, p)
            last = p

    def list_of(self, words):
        rows = [parse_natural(w, len(self.points), "row") for w in words]
        demand(len(set(rows)) == len(rows), "a row is listed twice")
        return rows

    def nearer(self, rows, r):
        """Those of the rows that are at least as near as row r somewhere nearer than the bound."""
        return {row for row in rows if row != r and not self.apart(row, r)}

    def check_pivot(self, lines, p):
        """What is decided has the names of the page: A, F, J, Z, I and O."""
        self.pivot, self.E = p, self.nearer(self.M, p)
        self.rest = functools.cache(lambda r: self.nearer(range(len(self.rows)), r))
        stack = [iter([{**dict.fromkeys("AFJZO", frozenset()), "I": frozenset([p])}])]
        while stack:
            state = next(stack[-1], None)
            if state is None:
                stack.pop()
                continue
            kind, *words = lines.words() or ["end"]
            if kind == "c":
                self.proof.check_combination(words, lambda word: self.term(word, state))
            else:
                demand(kind in ("r", "q", "m", "o"), "a node begins with c, r, q, m or o")
                stack.append(self.split(kind, self.list_of(words), state))

    @staticmethod
    def reaches(count, truths):
        return sum(itertools.islice(filter(None, truths), count)) == count

    @staticmethod
    def parts(state, rows, before, own):
        """A part for each row, which joins the sets named own, after those before it joined others."""
        for i, r in enumerate(rows):
            yield state | {name: state[name].union(rows[:i]) for name in before} | {name: state[name] | {r} for name in own}

    def split(self, kind, rows, state):
        A, F, J, Z, I, O = map(state.get, "AFJZIO")
        if kind == "r":
            demand(not any(r in self.side or r in A or r in F for r in rows), "a row is no open rival")
            demand(len(A) + len(rows) > self.spare, "all of these rivals may come before the pivot")
            return self.parts(state, rows, "AI", "F")
        if kind == "q":
            left = self.E - J - Z
            demand(left.issuperset(rows), "a row is no open one of the side")
            demand(len(left) - len(rows) < self.seats - 1 - len(J), "none of these rows need come before the pivot")
            return self.parts(state, rows, "Z", "JI")
        out = rows.pop(0) if kind == "o" and rows else None
        demand(I.isdisjoint(rows) and O.isdisjoint(rows), "a row is in or out already")
        if kind == "o":
            demand(out in O, "a row that is out should follow")
            demand(len(I) + len((self.rest(out) - I - O).difference(rows)) < self.k, "all of these rows may be out")
            return self.parts(state, rows, "O", "I")
        demand(len(I) + len(rows) >= self.k, "all of these rows may be in")
        chosen = I.union(rows)
        answers = len(chosen) == self.k and self.vote(chosen) in self.proof.labels
        return itertools.chain(self.parts(state, rows, "I", "O"), [state | {"I": chosen}] if answers else [])

    def term(self, word, state):
        """The half-space of "a<b", and whether inputs where the two rows tie do not count."""
        a, b = self.pair(word, **state)
        return *self.half_space(a, b), a > b and self.parted(a, b, state["I"], state["O"])

    def parted(self, a, b, I, O):
        return a in I and (b in O or b not in I and len(I) == self.k)

    def pair(self, word, A, F, J, Z, I, O):
        ends = word.split("<")
        demand(len(ends) == 2, "%r is no term here", word)
        a, b = (parse_natural(w, len(self.rows), "row") if w else self.pivot for w in ends)
        before, behind, full = (J, Z, self.seats - 1) if b in self.side else (A, F, self.spare)
        demand(a != b and (
            b == self.pivot and (a in J or a in A)
            or a == self.pivot and (b in behind or b not in before and len(before) == full)
            or self.parted(a, b, I, O)), "nothing decides %r", word)
        return a, b

def number32(text):
    """The nearest float32, by way of the float64 that is rounded to odd."""
    v, = parse_finite([text])
    if order(v) % 2 == 0 and Fraction(text) != v:
        v = math.nextafter(v, math.inf if Fraction(text) > v else -math.inf)
    return parse_finite([round32(v)])[0]

def unique(pairs):
    demand(len(dict(pairs)) == len(pairs), "an object has a key twice")
    return dict(pairs)

def read_model(data):
    text = data.decode()
    if text.split("\n", 1)[0].strip() == "tree":
        return read_lightgbm(text)
    top = json.loads(text, object_pairs_hook=unique, parse_float=str, parse_constant=str)
    if "learner" in top:
        return read_xgboost(top["learner"])
    demand(top["version"] == 1, "unknown version %r", top["version"])
    if top.get("kind") == "knn":
        labels, classes = top["labels"], max(max(top["labels"]) + 1, len(top.get("classes") or []))
        demand(min(labels) >= 0 and len(top["rows"][0]) == top["n_features"], "a label is negative, or features are wrong")
        return Rows(list(map(parse_finite, top["rows"])), labels, classes, top["k"])
    return read_arrays(top)

def read_arrays(top):
    """The files of scikit-learn, facet, and oblique trees: arrays over the nodes of each tree."""
    kind, boosting, names = top.get("kind") or top["format"], top.get("boosting"), parse_finite(top.get("classes") or [])
    demand(re.fullmatch("(oblique-)?(tree|ensemble)|(sklearn|oblique)-tree-ensemble", kind), "unknown kind %r", kind)
    comparison = None if "oblique" in kind else top.get("comparison", "float32(x) <= t")
    demand(names == sorted(set(names)), "the classes do not ascend")
    classes = len(names or top["trees"][0]["value"][0])

    def tree(i, t):
        def test(n):
            infinite = t["infinite"][n] if t.get("infinite") else 0
            limit = infinite * math.inf if infinite else parse_finite([t["threshold"][n]])[0]
            return box_test(comparison, t["feature"][n], limit) if comparison else half_test(parse_finite(t["weights"][n]), limit)

        def value(n):
            values = parse_finite(t["value"][n])
            return one_class(rate * values[0], boosting["class"][i], classes) if boosting else values

        return Tree(t["left"], t["right"], test, value)

    vote, base = "hard" if kind in ("tree", "oblique-tree") else top.get("vote") or "soft", parse_finite(top.get("base") or [])
    divisor, = parse_finite([0 if kind in ("tree", "oblique-tree") else top.get("divisor") or 0])
    if boosting:
        vote = {"probability": "logistic" if classes == 2 else "softmax", "sum": "sum"}[boosting["decision"]]
        base, (rate,) = parse_finite(boosting["init"]), parse_finite([boosting["learning_rate"]])
        if vote == "sum" and classes == 2:
            base[0] = -2.0 ** -1074
    return (Boxes if comparison else Oblique)(
        top["n_features"], classes, [tree(*pair) for pair in enumerate(top["trees"])], vote, base, top.get("single") is True, divisor)

def one_class(v, c, classes):
    demand(0 <= c < classes, "class %d is not there", c)
    return [v if i == c else 0.0 for i in range(classes)]

def read_xgboost(learner):
    booster, objective, parameters = learner["gradient_booster"], learner["objective"]["name"], learner["learner_model_param"]
    vote = {"binary:logistic": "logistic", "multi:softmax": "sum", "multi:softprob": "softmax"}.get(objective)
    demand(vote and booster["name"] == "gbtree" and int(parameters.get("num_target", 1)) < 2,
           "booster %r, objective %r, or several targets", booster["name"], objective)
    model, attributes, groups = booster["model"], learner.get("attributes") or {}, int(parameters["num_class"])
    classes, count, trees = max(2, groups), len(model["trees"]), []
    if "scikit_learn" in attributes and "best_iteration" in attributes:
        count = max(1, groups) * max(1, int(model["gbtree_model_param"].get("num_parallel_tree", 1)))
        count *= int(attributes["best_iteration"]) + 1
    for t, c in zip(model["trees"][:count], model["tree_info"]):
        demand(not any(t.get("split_type") or []), "a split is categorical")
        conditions, c = list(map(number32, t["split_conditions"])), c if groups > 1 else 1
        trees.append(Tree(t["left_children"], t["right_children"],
                          lambda n: box_test("float32(x) < t", t["split_indices"][n], conditions[n]),
                          lambda n: one_class(conditions[n], c, classes), complete=False))
    base = [number32(word.strip()) for word in parameters["base_score"].strip("[]").split(",")]
    base = base * classes if len(base) == 1 else base
    if vote == "logistic":
        demand(0 < base[0] == base[-1] < 1, "base_score %r is no probability", base)
        base = [0.0, -math.log(round32(round32(1 / base[0]) - 1))]
    return Boxes(int(parameters["num_feature"]), classes, trees, vote, base, True)

def read_lightgbm(text):
    body, end, _ = text.replace("\r", "").partition("\nend of trees")
    head, *parts = [dict(line.partition("=")[::2] for line in part.split("\n")) for part in body.split("\nTree=")]
    objective, groups, base = head["objective"].split(), int(head["num_class"]), None
    vote, classes = {"multiclass": "softmax", "binary": "logistic"}.get(objective[0]), max(2, groups)
    demand(end and vote and "average_output" not in head, "no end, or averages, or objective %r", objective[0])
    trees = [lightgbm_tree(part, i % groups if groups > 1 else 1, classes) for i, part in enumerate(parts)]
    sigmoid, = parse_finite([dict(word.partition(":")[::2] for word in objective).get("sigmoid", 1)])
    if vote == "logistic" and sigmoid != 1:
        vote, base = "sum", [largest(lambda a: a * sigmoid <= 1.5 * 2.0 ** -53), 0.0]
    return Boxes(int(head["max_feature_idx"]) + 1, classes, trees, vote, base)

def lightgbm_tree(fields, c, classes):
    demand(fields.get("num_cat", "0") == fields.get("is_linear", "0") == "0", "a tree is categorical or linear")
    thresholds, features = fields["threshold"].split(), fields["split_feature"].split()
    values, kinds, zero = parse_finite(fields["leaf_value"].split()), fields["decision_type"].split(), round32(1e-35)

    def test(n):
        t, kind = math.inf if thresholds[n] == "inf" else parse_finite([thresholds[n]])[0], int(kinds[n])
        demand(kind & 1 == 0 and (kind & 12 != 4 or (kind & 2 != 0) == (t >= 0)),
               "a split is categorical, or zeros are missing and go another way")
        t = zero if 0 <= t < zero else math.nextafter(-zero, -math.inf) if -zero <= t < 0 else t
        return box_test("x <= t", int(features[n]), t)

    # Leaf i is node len(thresholds) + i.
    left, right = ([n if n >= 0 else len(thresholds) + ~n for n in map(int, fields[key].split())] + [-1] * len(values)
                   for key in ("left_child", "right_child"))
    return Tree(left, right, test, lambda n: one_class(values[n - len(thresholds)], c, classes))

def read_training(data, k):
    lines = [line.strip() for line in data.decode("utf-8-sig").split("\n") if line.strip()]
    points, labels = (read_csv if "," in lines[0] else read_libsvm)(lines)
    if all(DECIMAL.fullmatch(label) for label in labels):
        labels = parse_finite(labels)
    rank = {name: i for i, name in enumerate(sorted(set(labels)))}
    return Rows(points, [rank[label] for label in labels], len(rank), k)

def read_csv(lines):
    table = [[cell.strip() for cell in row] for row in csv.reader(lines, skipinitialspace=True, strict=True)]
    if any(table[0]) and not any(DECIMAL.fullmatch(cell) for cell in table[0]):
        del table[0]
    return [parse_finite(row[:-1]) for row in table], [row[-1] for row in table]

def read_libsvm(lines):
    table = [words for words in (line.partition("#")[0].split() for line in lines) if words]
    rows = [[word.partition(":")[::2] for word in words[1:]] for words in table]
    values = [dict(zip((int(index) for index, _ in row), parse_finite(value for _, value in row))) for row in rows]
    demand(all(len(v) == len(row) and list(v) == sorted(v) for v, row in zip(values, rows)), "indices do not ascend")
    features = range(min({1}.union(*values)), max(set().union(*values)) + 1)
    return [[row.get(f, 0.0) for f in features] for row in values], [words[0] for words in table]

def conflict(rows, norm, reach, r, s):
    """Whether two rows that both are kept conflict; distances are rounded as the page says."""
    if rows.labels[r] == rows.labels[s]:
        return False
    gaps = [abs(v - w) for v, w in zip(rows.points[r], rows.points[s])]
    most, total = max(gaps), rounded_sum(gaps if norm == "1" else [g * g for g in gaps])
    if norm == "2" and 0 < most < math.inf and not 2.0 ** -900 < total < 2.0 ** 900:
        return most * math.sqrt(rounded_sum([(g / most) * (g / most) for g in gaps])) <= reach
    return {"1": total, "2": math.sqrt(total), "inf": most}[norm] <= reach

def whole(v):
    """The integer v."""
    demand(v == math.floor(v), "%r is no whole number", v)
    return int(v)

def check_pruning(lines, rows):
    """A proof that the rows to keep weigh as much as can be kept, or nearly. Weights are counts, and here and
    below twice as much, since the amounts of cliques are multiples of a half."""
    norm, count, reach = lines.norm(), len(rows.points), 2 * parse_float(*lines.line("radius", 1), least=0)
    weights = [2 * whole(w) for w in parse_finite(lines.optional("weights") or ["1"] * count, count, least=0)]
    demand(sum(weights) <= 2 ** 53, "the rows weigh more than 2^52")
    keep, clash = rows.list_of(lines.line("keep")), functools.partial(conflict, rows, norm, reach)
    demand(keep == sorted(keep), "the rows to keep do not ascend")
    # Roundings make no distance less than the difference in one feature, but by a unit or so.
    window, column = reach * (1 + 2.0 ** -40) + 2.0 ** -1000, max(zip(*rows.points), key=lambda column: max(column) - min(column))
    keep.sort(key=column.__getitem__)
    for i, r in enumerate(keep):
        for s in itertools.takewhile(lambda s: column[r] - column[s] <= window, reversed(keep[:i])):
            demand(not clash(r, s), "rows %d and %d to keep conflict", min(r, s), max(r, s))
    weight, bound = parse_float(*lines.line("weight", 1)), parse_float(*lines.line("bound", 1))
    kept = sum(weights[r] for r in keep)
    demand(2 * weight == kept, "the rows to keep weigh %d", kept // 2)
    left = sum(weights)
    while (words := lines.optional("clique")) is not None:
        amount, members = whole(2 * parse_finite(words[:1], 1, least=0.5)[0]), rows.list_of(words[1:])
        demand(members, "rows should follow")
        for r, s in itertools.combinations(members, 2):
            demand(clash(r, s), "rows %d and %d do not conflict", r, s)
        for r in members:
            weights[r] -= amount
            demand(weights[r] >= 0, "row %d is in cliques of more than its weight", r)
        left -= (len(members) - 1) * amount
    demand(left <= 2 * bound, "the cliques do not prove the bound")
    return SimpleNamespace(norm=norm, bound=bound, settled=weight >= math.floor(bound))

def check(lines, model, digest):
    """Checks all proofs of a file, and prints what they claim."""
    head, count, settled = lines.words(), 0, 0
    demand(head in (["facet-proofs", "1"], ["facet-pruning", "1"]), "this is no file of proofs of version 1")
    pruning = head[0] == "facet-pruning"
    demand(lines.line("data" if pruning else "model") == ["sha256", digest], "the proofs are about another file than %s", digest)
    name = ["pruning"] if pruning else lines.line("proof")
    while name is not None:
        proof = check_pruning(lines, model) if pruning else Proof(lines, model)
        if not pruning:
            model.check(lines, proof)
        lines.line("end", 0)
        print("%s: norm %s, bound %r, %s" % (" ".join(name), proof.norm, proof.bound, "settled" if proof.settled else "not settled"))
        count, settled, name = count + 1, settled + proof.settled, None if pruning else lines.optional("proof")
    demand(not lines.words(), "there is text after the end, where nothing or, but for pruning, 'proof' should begin a line")
    print("%d proofs hold, %d are settled" % (count, settled))

def main(arguments=None):
    parser = argparse.ArgumentParser(description="Checks proofs of facet, as docs/proof-format.md describes them.")
    parser.add_argument("proofs", help="file of proofs; gzip if it ends in .gz")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--model", help="file of the model")
    source.add_argument("--train", help="training set: LIBSVM, or CSV with the label last")
    parser.add_argument("-k", type=int, help="how many neighbours vote (with --train)")
    chosen = parser.parse_args(arguments)
    path = chosen.model or chosen.train
    try:
        with open(path, "rb") as file:
            data = file.read()
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        model = read_training(data, chosen.k) if chosen.train else read_model(data)
        file = gzip.open(chosen.proofs) if chosen.proofs.endswith(".gz") else open(chosen.proofs, "rb")
    except Exception as fault:  # whatever is wrong with it
        instead = "" if chosen.train else "; facet attack --proofs F writes a model that can be read beside the proofs, F.model.json"
        print("%s cannot be read: %s: %s%s" % (path, type(fault).__name__, fault, instead), file=sys.stderr)
        return 2
    lines = Lines(file)
    try:
        with file:
            check(lines, model, hashlib.sha256(data).hexdigest())
    except (Refused, EOFError, gzip.BadGzipFile, zlib.error, UnicodeDecodeError) as refusal:
        print("%s:%d: refused: %s" % (chosen.proofs, lines.number, refusal), file=sys.stderr)
        return 1
    return 0

if __name__ == "__main__":
    sys.exit(main())
