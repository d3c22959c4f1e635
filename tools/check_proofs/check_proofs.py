#!/usr/bin/env python3
"""Checks proofs that no input nearer than a bound has another label, written as docs/reference/proof-format.md describes.

    python3 tools/check_proofs/check_proofs.py PROOFS --model FILE
    python3 tools/check_proofs/check_proofs.py PROOFS --train FILE -k K

Every distance and every sum is computed anew from the model's or the training set's own file, in integers: all numbers of
a proof are multiples of one power of two. Floating point is only the model's own arithmetic, where the proof is about it.
Needs Python 3.9 or later. Exit status: 0 if all proofs hold, 1 if one is refused, 2 if nothing could be checked.
"""
import argparse
import bisect
import ctypes
import functools
import hashlib
import io
import itertools
import json
import math
import operator
import re
import struct
import sys
import zlib
from array import array
from collections import Counter, namedtuple
from fractions import Fraction
from types import SimpleNamespace

try:
    import numpy
except ImportError:  # which only makes sweeps faster
    numpy = None

# The grammar of numbers: in proofs, in training sets and LightGBM's text, and of naturals and tokens.
FLOAT = re.compile(r"-?(inf|[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?|0x[0-9a-f]+(\.[0-9a-f]+)?p[+-]?[0-9]+)", re.ASCII)
MEASURED = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
PAIR = re.compile(r"([0-9]{1,1000}):(.*)", re.ASCII | re.DOTALL)
INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
NATURAL = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
TERM = re.compile(r"(?:([1-9][0-9]{0,999})\*)?([^*]+)", re.ASCII)
TOKEN = re.compile(r"\.|(a|[b-z][a-z]{0,8})(0|[1-9][0-9]{0,8})(?![0-9])|\*(0|[1-9][0-9]?)(?![0-9])|.", re.ASCII | re.DOTALL)
PLAIN = " \t\r\v\f"

# The limits of docs/reference/proof-format.md, in bytes and numbers. Some grow with the length of the file as it is stored.
LONGEST_NUMBER, LONGEST_NAME, LONGEST_LINE = 1000, 1 << 12, 1 << 22
MOST_BYTES, MOST_UNPACKED, MOST_FEATURES, DEEPEST, DEEPEST_JSON = 1 << 30, 1 << 23, 1 << 17, 100_000, 100

class Refused(Exception):
    """The file being read is wrong: the proofs or, before them, the model."""

def demand(condition, reason, *details):
    if not condition:
        raise Refused(reason % details)

def parse_float(word, least=-math.inf):
    fits = len(word) <= LONGEST_NUMBER and FLOAT.fullmatch(word)
    try:
        v = (float.fromhex(word) if "x" in word else float(word)) if fits else math.nan
    except OverflowError:
        v = math.nan
    demand(v >= least and (abs(v) < math.inf or "inf" in word), "%.40r is no number, or too small", word)
    return v

def parse_finite(words, count=None, least=-math.inf):
    values = [parse_float(word, least) for word in words]
    demand(count in (None, len(values)) and all(map(math.isfinite, values)), "%s finite numbers should follow", count)
    return values

def measured(word):
    """The number in a word of a training set, or of LightGBM's text."""
    v = float(word) if len(word) <= LONGEST_NUMBER and MEASURED.fullmatch(word) else math.nan
    demand(math.isfinite(v), "%.40r is no finite number", word)
    return v

def is_measured(word):
    return len(word) <= LONGEST_NUMBER and bool(MEASURED.fullmatch(word))

def parse_natural(word, below, what):
    demand(NATURAL.fullmatch(word) and int(word) < below, "%.40r is no %s below %d", word, what, below)
    return int(word)

def binary_places(values):
    """How many binary digits behind the point the finite ones of these floats need."""
    return max((v.as_integer_ratio()[1].bit_length() - 1 for v in values if math.isfinite(v)), default=0)

def scaled(v, places):
    """The integer v·2^places; infinities stay infinite."""
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
            line = self.decoded(self.file.readline(LONGEST_LINE + 1))
            demand(line[-1:] in ("", "\n"), "the file ends within a line, or a line is longer than %d bytes", LONGEST_LINE)
            words = line[:-1].split(" ") if line else []
        return words

    @staticmethod
    def decoded(line):
        demand(len(line) <= LONGEST_LINE, "a line is longer than %d bytes", LONGEST_LINE)
        try:
            return line.decode()
        except UnicodeDecodeError as fault:
            raise Refused(str(fault)) from fault

    def name(self, words):
        demand(len(" ".join(words).encode()) <= LONGEST_NAME, "a name is longer than %d bytes", LONGEST_NAME)
        return words

    def optional(self, key, count=None):
        """The words that follow the key on the next line, so many, or None if that line does not begin with it."""
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
            chunk = self.decoded(self.file.readline(1 << 16))
            demand(chunk, "the file ends within a tree")
            rest += chunk
            # A token of more bytes than these is none.
            end = len(rest) - (1 if rest[-1] == "\n" else 20)
            done = 0
            for token in TOKEN.finditer(rest, 0, len(rest) - (rest[-1] == "\n")):
                if token.start() >= end:
                    break
                done = token.end()
                yield token
            rest = rest[done:]

class Unzipped(io.RawIOBase):
    """The content of a gzip file: its members one after the other, and no bytes behind them."""
    def __init__(self, file):
        super().__init__()
        self.file, self.member, self.ahead = file, None, b""

    def readable(self):
        return True

    def readinto(self, buffer):
        while True:
            if self.member is None:
                while len(self.ahead) < 4 and (more := self.file.read(1 << 16)):
                    self.ahead += more
                if not self.ahead:
                    return 0
                demand(len(self.ahead) > 3 and self.ahead[3] < 32, "this is no member of gzip")
                self.member = zlib.decompressobj(31)
            packed = self.ahead or self.file.read(1 << 16)
            try:
                out = self.member.decompress(packed, len(buffer))
            except zlib.error as fault:
                raise Refused(str(fault)) from fault
            self.ahead = self.member.unconsumed_tail
            demand(out or packed or self.member.eof, "the file ends within what gzip packed")
            if self.member.eof:
                self.ahead, self.member = self.member.unused_data, None
            if out:
                buffer[:len(out)] = out
                return len(out)

def unzipped(file):
    """The file, or the content that gzip packed in it, which the first two bytes tell."""
    file = file if hasattr(file, "peek") else io.BufferedReader(file)
    return io.BufferedReader(Unzipped(file), 1 << 16) if file.peek(2)[:2] == b"\x1f\x8b" else file

def content(file):
    """The content of a whole file, and its length as it is stored."""
    data = file.read(MOST_BYTES + 1)
    stored = len(data)
    demand(stored <= MOST_BYTES, "the file is longer than %d bytes", MOST_BYTES)
    if data[:2] == b"\x1f\x8b":
        most = max(MOST_UNPACKED, 4 * stored)
        data = unzipped(io.BytesIO(data)).read(most + 1)
        demand(len(data) <= most, "gzip packs more than %d bytes: unpack the file first", most)
    return data, stored

def parse_codes(lines, dim, allowed=True):
    """How many codes each feature has that is a category, 0 of a number."""
    words = lines.optional("codes", dim)
    demand(words is None or allowed, "codes are for trees that test one feature")
    return [parse_natural(word, 10 ** 9, "number of codes") for word in words or ["0"] * dim]

def also_of(lines, others):
    """The labels that other models must have: (how many, [(the number of a model, its labels that accept)])."""
    quorums, words = [], lines.optional("also", 1)
    while words is not None:
        members, by = [], lines.optional("by")
        while by is not None:
            demand(len(by) > 1, "a model and a label are wanted")
            at = parse_natural(by[0], len(others) + 1, "model")
            demand(at, "the model that all claims are about is none of the others")
            labels = [parse_natural(word, others[at - 1].classes, "label") for word in by[1:]]
            demand(all(a < b for a, b in zip(labels, labels[1:])), "labels do not ascend")
            members.append((at, labels))
            by = lines.optional("by")
        quorums.append((parse_natural(words[0], len(members) + 1, "number of models"), members))
        demand(quorums[-1][0], "at least no model")
        words = lines.optional("also", 1)
    return quorums

class Proof:
    """The head of a proof, which states its claim. Integers are in units of 2^-places, X, LO, HI and B."""
    def __init__(self, lines, model, others=()):
        self.norm, self.source = lines.norm(), parse_natural(*lines.line("from", 1), model.classes, "label")
        target = lines.optional("target", 1)
        self.target = target and parse_natural(*target, model.classes, "label")
        self.labels = [label for label in range(model.classes) if label != self.source] if target is None else [self.target]
        self.also = also_of(lines, others)
        self.model = model = Joint.of(model, others, self.also) if self.also else model
        words = lines.optional("domain", 2 * model.dim)
        ends = [-math.inf, math.inf] * model.dim if words is None else list(map(parse_float, words))
        self.lo, self.hi = ends[::2], ends[1::2]
        demand(all(l <= h and l < math.inf and h > -math.inf for l, h in zip(self.lo, self.hi)), "this is no domain")
        words = lines.optional("prices", 2 * model.dim)
        prices = [1.0] * 2 * model.dim if words is None else parse_finite(words)
        demand(min(prices) > 0 and (words is None or isinstance(model, Boxes)), "prices are positive, and of trees that test one feature")
        self.up, self.down = prices[::2], prices[1::2]
        self.codes = parse_codes(lines, model.dim, isinstance(model, Boxes))
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
        demand(all(not codes or v == w or 0 <= w < codes and w == math.floor(w) for v, w, codes in zip(self.x, z, self.codes)),
               "a category of the example is no code")
        demand(model.gives(z, label), "the model does not give the example label %d, or others do not accept it", label)
        gaps = [(Fraction(v != w) if codes else abs(Fraction(v) - Fraction(w))) * Fraction(up if codes or w > v else down)
                for v, w, up, down, codes in zip(self.x, z, self.up, self.down, self.codes)]
        power = 2 if self.norm == "2" else 1
        length = max(gaps) if self.norm == "inf" else sum(g ** power for g in gaps)
        demand(self.bound < math.inf and length >= Fraction(self.bound) ** power, "the example lies nearer than the bound")
        return length <= (Fraction(self.bound) + Fraction(1e-9) * max(Fraction(self.bound), 1)) ** power

    def far(self, a, beta, is_open=False):
        """Whether the half-space a·u ≤ β of displacements, or a·u < β, with β in units of 2^-2·places, lies at the bound or beyond."""
        if not any(a):
            return beta < 0 or beta == 0 and is_open
        if beta >= 0 or self.bound == math.inf:
            return False
        if self.norm == "2":
            return beta * beta >= self.B * self.B * sum(v * v for v in a)
        return -beta >= self.B * (sum if self.norm == "inf" else max)(map(abs, a))

    def check_combination(self, words, half_space):
        """Refuses a combination unless it shows that no input nearer than the bound satisfies all of its terms."""
        a, beta, is_open, seen = [0] * len(self.x), 0, False, set()
        for word in words:
            match = TERM.fullmatch(word)
            demand(match and match[2] not in seen, "%.40r is no term, or there twice", word)
            seen.add(match[2])
            side, room, open_one = (self.domain_side if match[2][0] in "+-" else half_space)(match[2])
            m = int(match[1] or 1)
            a, beta, is_open = [v + m * w for v, w in zip(a, side)], beta + m * room, is_open or open_one
        demand(self.far(a, beta, is_open), "the combination does not show that nothing nearer than the bound is left")

    def domain_side(self, word):
        f, (sign, end) = parse_natural(word[1:], len(self.x), "feature"), (1, self.HI) if word[0] == "+" else (-1, self.LO)
        demand(abs(end[f]) < math.inf, "the domain is open at %r", word)
        return [sign << self.places if i == f else 0 for i in range(len(self.x))], sign * (end[f] - self.X[f]) << self.places, False

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

# Left goes an input with a sum of (feature, weight) at most the threshold, or below. If that is infinite there is no test.
# Of the test of a set, that is the first of several borders, and left goes an input beyond none, two, four and so on.
Test = namedtuple("Test", "weights threshold closed more", defaults=((),))

def set_test(comparison, feature, thresholds):
    """The test of a set, of which thresholds are the ends."""
    tests = [box_test(comparison, feature, t) for t in thresholds]
    borders = [(test.threshold, test.closed) for test in tests]
    demand(len(borders) > 1 and all(map(operator.lt, borders, borders[1:])), "thresholds of a set are one, or do not ascend")
    return tests[0]._replace(more=tuple(borders[1:]))

def borders_of(test):
    return (test.threshold, test.closed), *test.more

def box_test(comparison, feature, t):
    """The test of a node, which compares real numbers."""
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

class Leaf:
    """A leaf: the values that the file gives it, the same as integers, its ranges by feature, sets of slots of features that
    tests of sets ask for, as bits, and its number in the tree."""
    __slots__ = "given", "values", "ranges", "sets", "tree", "number"

class Tree:
    """A tree, from functions that give the test of a node and the values of a leaf."""
    def __init__(self, left, right, test, value, deleted=0):
        self.left, self.right, self.nodes = left, right, [None] * len(left)
        self.first, self.end, self.all_leaves, self.leaves = [0] * len(left), [0] * len(left), [], []
        visited, stack = [], [(0, True, 0)]
        while stack:
            n, reached, depth = stack.pop()
            demand(0 <= n < len(left) and self.nodes[n] is None and depth <= DEEPEST, "node %d has no parent, or two, or is too deep", n)
            visited.append(n)
            self.first[n] = len(self.all_leaves)
            if left[n] < 0 and right[n] < 0:
                self.nodes[n] = leaf = Leaf()
                leaf.given, leaf.ranges, leaf.number = value(n), None, len(self.all_leaves)
                self.all_leaves.append(leaf)
                if reached:
                    self.leaves.append(leaf)
                continue
            self.nodes[n] = made = test(n)
            for child, side in ((right[n], True), (left[n], False)):
                stack.append((child, reached and (math.isfinite(made.threshold) or side == (made.threshold < 0)), depth + 1))
        demand(len(visited) + deleted == len(left), "%d of %d nodes are below node 0", len(visited), len(left))
        for n in reversed(visited):
            self.end[n] = self.first[n] + 1 if isinstance(self.nodes[n], Leaf) else self.end[right[n]]

    def tests(self):
        """The tests that do not send all the same way, by node."""
        return {n: test for n, test in enumerate(self.nodes) if isinstance(test, Test) and math.isfinite(test.threshold)}

    def is_below(self, leaf, n):
        return self.first[n] <= leaf.number < self.end[n]

    def side(self, leaf, n):
        """Whether a leaf below node n is on its right."""
        return leaf.number >= self.end[self.left[n]]

    def reach(self, z):
        n = 0
        while isinstance(self.nodes[n], Test):
            total = rounded_sum([w * z[f] for f, w in self.nodes[n].weights])
            beyond = sum(total > threshold or not closed and total == threshold for threshold, closed in borders_of(self.nodes[n]))
            n = self.right[n] if beyond % 2 else self.left[n]
        return self.nodes[n]

class Trees:
    """Trees that vote, and the parts that proofs about them have in common."""
    def __init__(self, stored, dim, classes, trees, vote="soft", base=None, single=False, divisor=0.0):
        self.dim, self.classes, self.trees, self.vote, self.round = dim, classes, trees, vote, round32 if single else float
        self.stored = stored
        demand(0 < dim <= MOST_FEATURES and 0 < classes <= MOST_FEATURES, "%d features, %d classes", dim, classes)
        demand(trees and (vote in ("hard", "soft", "sum", "softmax") or vote == "logistic" and classes == 2),
               "no features, trees or vote")
        self.divisor = divisor or float(len(trees))
        demand(len(trees) / 2 < self.divisor <= len(trees) and (vote == "soft" or not divisor), "the divisor is %r", divisor)
        self.tests = {test for tree in trees for test in tree.tests().values()}
        self.places = binary_places(v for test in self.tests for v in [t for t, _ in borders_of(test)] + [w for _, w in test.weights])
        self.start = list(map(self.round, base or [0.0] * classes))
        leaves = [leaf for tree in trees for leaf in tree.all_leaves]
        demand(len(leaves) * classes <= (1 << 22) + stored, "the leaves have more values than a file of this length may have")
        for leaf in leaves:
            if type(leaf.given) is tuple:
                leaf.given = one_class(*leaf.given, classes)
            if vote == "hard":
                leaf.given = one_class(1.0, leaf.given.index(max(leaf.given)), len(leaf.given))
            else:
                leaf.given = list(map(self.round, leaf.given))
            demand(len(leaf.given) == len(self.start) == classes and all(map(math.isfinite, leaf.given + self.start)),
                   "%d finite values and as many of base are wanted", classes)
        different = set(self.start).union(*(leaf.given for leaf in leaves))
        self.value_places = binary_places(different)
        exact = {v: scaled(v, self.value_places) for v in different}.__getitem__
        self.base = list(map(exact, self.start))
        self.sizes = list(map(abs, self.base))
        for leaf in leaves:
            leaf.values = list(map(exact, leaf.given))
        for tree in trees:
            greatest = [0] * classes
            for leaf in tree.all_leaves:
                greatest = list(map(max, greatest, map(abs, leaf.values)))
            self.sizes = list(map(operator.add, self.sizes, greatest))
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
        slack = self.slack(label, rival)
        return -slack if slack == math.inf else math.ceil(-slack / unit)

    def slack(self, label, rival):
        """By how much a difference of the two may be negative and yet not lost."""
        if self.vote == "hard":
            return 0
        error, size = len(self.trees) * self.unit, Fraction(self.sizes[label] + self.sizes[rival], 1 << self.value_places)
        if 2 * error >= 1:
            return math.inf
        more = {"soft": size / 2 ** 52 + len(self.trees) * Fraction(1, 1 << 1074), "sum": 0}.get(self.vote, self.slip)
        return error / (1 - error) * size + more

    def totals(self, leaves):
        """The sums of these leaves, as they are compared."""
        total = self.start
        for leaf in leaves:
            total = list(map(self.round, map(operator.add, total, leaf.given)))
        return [t / self.divisor for t in total] if self.vote == "soft" else total

    def beats(self, total, a, b):
        """Whether sums decide for label a rather than b for certain."""
        if self.vote == "logistic":
            return a == (total[1] - total[0] > 1.5 * self.unit)
        first, second = total[a], total[b]
        return first >= second and a < b or first > second and (
            self.vote != "softmax" or Fraction(first) - Fraction(second) > self.slip)

    def gives(self, z, label):
        total = self.totals([tree.reach(z) for tree in self.trees])
        return all(self.beats(total, label, r) for r in range(self.classes) if r != label)

    def loses(self, leaves, label):
        total = self.totals(leaves)
        return any(self.beats(total, r, label) for r in range(self.classes) if r != label)

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

def bits(first, last):
    """The bits from the first to the last, if there are any."""
    return (1 << last + 1) - (1 << first) if first <= last else 0

class Boxes(Trees):
    """Trees that test one feature a node. A box is (lo, hi, cost, left): its slots, the sum of the costs of its gaps, and
    for each tree the leaves that meet it nearer than the bound, each with the cost of its own gaps beyond those of the
    box. Costs are gaps, in ℓ2 their squares, in ℓ∞ zero: there no slot of the root is too far."""
    def __init__(self, *args):
        super().__init__(*args)
        demand(all(0 <= test.weights[0][0] < self.dim for tree in self.trees for test in tree.nodes if isinstance(test, Test)),
               "a test is about a feature that is not there")
        self.borders = [[] for _ in range(self.dim)]
        for f, border in sorted({(test.weights[0][0], border) for test in self.tests for border in borders_of(test)}):
            self.borders[f].append(border)
        self.slots = [{border: slot for slot, border in enumerate(borders)} for borders in self.borders]
        self.listed, self.held = {test.weights[0][0] for test in self.tests if test.more}, 0
        for index, tree in enumerate(self.trees):
            tree.features = {test.weights[0][0] for test in tree.nodes if isinstance(test, Test)}
            for leaf, ranges, sets in self.leaves(tree, {}, {}):
                leaf.ranges, leaf.sets, leaf.tree = ranges, sets, index
                self.keep(ranges, sets, (1 << 20) + self.stored // 2)

    def keep(self, ranges, sets, most):
        """Counts the ranges and sets of a leaf."""
        self.held += len(ranges) + sum(len(self.borders[f]) // 64 + 1 for f in sets)
        demand(self.held <= most, "trees so deep are not checked: there are too many features above leaves, or words of sets")

    def leaves(self, tree, ranges, sets, homes=None):
        """The leaves of a tree with their ranges and sets, within those given. With homes, the features whose place those of the
        tree take, it leaves out leaves without slots."""
        stack = [(0, ranges, sets)]
        while stack:
            n, ranges, sets = stack.pop()
            if isinstance(tree.nodes[n], Leaf):
                yield tree.nodes[n], ranges, sets
                continue
            f = tree.nodes[n].weights[0][0]
            home = homes[f] if homes else f
            stack += [part for part in self.sides(tree, n, home, ranges, sets) if not homes or part[1][home][0] <= part[1][home][1]]

    def sides(self, tree, n, f, ranges, sets):
        """The children of a node about a feature, each with the ranges and sets of the leaves that go there."""
        test = tree.nodes[n]
        last = len(self.borders[f])
        if f not in self.listed:
            lo, hi = ranges.get(f, (0, last))
            cut = self.rank(f, borders_of(test)[0])
            return (tree.right[n], {**ranges, f: (max(lo, cut + 1), hi)}, sets), (tree.left[n], {**ranges, f: (lo, min(hi, cut))}, sets)
        goes, begin = 0, 0
        for i, border in enumerate([*borders_of(test), (math.inf, True)]):
            end = self.rank(f, border)
            if i % 2 == 0:
                goes |= bits(begin, end)
            begin = end + 1
        whole = sets.get(f, bits(0, last))
        return [(child, {**ranges, f: ((kept & -kept).bit_length() - 1, kept.bit_length() - 1) if kept else (last, 0)}, {**sets, f: kept})
                for child, kept in ((tree.right[n], whole & ~goes), (tree.left[n], whole & goes))]

    def rank(self, f, border):
        """The last slot below a border; -1, or the last of all, if it is infinite."""
        return self.slots[f].get(border, -1 if border[0] < 0 else len(self.borders[f]))

    def root(self, p):
        factor, power = {"1": (1, 1), "2": (1, 2), "inf": (0, 1)}[p.norm]
        bound = p.B if p.bound == math.inf else p.B << p.price_places
        self.limit, self.below, self.above, self.codes, lo, hi = bound ** power, [], [], {}, [], []
        for f, (borders, *first, x, last, up, down) in enumerate(zip(self.borders, p.LO, p.X, p.HI, p.UP, p.DOWN)):
            # Ends are (place, side): (e, 1) is just behind e.
            first, last = (first[0], 0), (last, 1)
            ends = [first] + [max(first, min((scaled(e, p.places), int(closed)), last)) for e, closed in borders] + [last]
            below, above = [up * (e - x) if e > x else 0 for e, _ in ends[:-1]], [down * (x - e) if e < x else 0 for e, _ in ends[1:]]
            kept = [s for s in range(len(below)) if ends[s] < ends[s + 1] and max(below[s], above[s]) < bound]
            if p.codes[f]:
                own, others = self.reached(p, f, up << p.places < bound)
                self.codes[f] = own, others, factor * (up << p.places) ** power
                kept = [s for s in range(len(below)) if (own | others) >> s & 1]
            if not kept:
                return None
            lo.append(kept[0])
            hi.append(kept[-1])
            self.below.append([factor * v ** power for v in below])
            self.above.append([factor * v ** power for v in above])
        self.home = list(map(self.slot_of, range(self.dim), p.x))
        cost = sum(map(self.cost, range(len(lo)), lo, hi))
        return lo, hi, cost, [[entry for leaf in tree.leaves for entry in self.entry(leaf, lo, hi) if cost + entry[1] < self.limit]
                              for tree in self.trees]

    def slot_of(self, f, x):
        """The slot that holds a number."""
        at = bisect.bisect_left(self.borders[f], (x, False))
        return at + (at < len(self.borders[f]) and self.borders[f][at] == (x, False))

    def reached(self, p, f, near):
        """Of a category the slot that holds the value of x, and those that hold codes, if a change is near, as bits."""
        borders, others, lo, hi = self.borders[f], 0, p.lo[f], min(p.hi[f], p.codes[f] - 1)
        for s in range(len(borders) + 1 if near else 0):
            code = math.ceil(max(lo, 0, borders[s - 1][0] if s else 0))
            if s and borders[s - 1] == (code, True):
                code += 1
            if code <= hi and (s == len(borders) or (code, True) <= borders[s]):
                others |= 1 << s
        return p.lo[f] <= p.x[f] <= p.hi[f] and p.B > 0 and 1 << self.slot_of(f, p.x[f]), others

    def entry(self, leaf, lo, hi):
        """A leaf, and the cost of its own gaps beyond those of a box; none if it does not meet it."""
        more = 0
        for f, (a, b) in leaf.ranges.items():
            cost = self.cost(f, max(a, lo[f]), min(b, hi[f]), leaf.sets.get(f))
            if cost is None:
                return
            more += cost - self.cost(f, lo[f], hi[f])
        yield leaf, more

    def cost(self, f, first, last, kept=None):
        """The cost of the gap of some slots, or of those that are kept; None if the claim is about none of them."""
        if first > last:
            return None
        if f in self.codes:
            own, others, price = self.codes[f]
            kept = bits(first, last) & (-1 if kept is None else kept)
            return 0 if kept & own else price if kept & others else None
        if kept is None:
            return max(self.below[f][first], self.above[f][last])
        at = min(max(self.home[f], first), last)
        up, down = (kept & bits(at, last)) >> at, kept & bits(first, at)
        nearest = [at + (up & -up).bit_length() - 1] * (up > 0) + [down.bit_length() - 1] * (down > 0)
        return min((max(self.below[f][s], self.above[f][s]) for s in nearest), default=None)

    def check_tree(self, lines, label, root):
        stack = [(root, 0)]
        for token in lines.tokens():
            demand(stack, "the tree goes on behind its end")
            box, depth = stack.pop()
            demand(depth <= DEEPEST, "a path has more than %d nodes", DEEPEST)
            if token[0] == ".":
                if not self.vacant(*box[:2]):
                    self.check_leaf(label, [[leaf for leaf, _ in entries] for entries in box[3]])
                continue
            f, lo, cut, hi = self.cut(token, box[0], box[1])
            stack += (self.part(box, f, cut + 1, hi), depth + 1), (self.part(box, f, lo, cut), depth + 1)
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
        self.check_swept(lines, label, root, Potentials(
            self, root, lambda leaf: round_up(leaf.given[label], leaf.given[rival]), round_up(self.start[label], self.start[rival]),
            lambda unit: self.first_open(label, rival, unit)))

    def vacant(self, lo, hi):
        """Whether the claim is about no input of a box, besides that of categories."""
        return False

    def meeting(self, left, lo, hi):
        """The leaves left of those that are left to each tree, in the box."""
        if not self.listed and not self.codes:
            return left
        holds = None not in map(self.cost, self.codes, *([ends[f] for f in self.codes] for ends in (lo, hi)))
        return [[leaf for leaf in leaves if holds and any(self.entry(leaf, lo, hi))] for leaves in left]

    def check_swept(self, lines, label, root, first):
        first = PotentialArrays.of(first, *root[:2]) or first
        stack = [(*root[:2], first, 0)]
        for token in lines.tokens():
            demand(stack, "the tree goes on behind its end")
            lo, hi, known, depth = stack.pop()
            demand(depth <= DEEPEST, "a path has more than %d nodes", DEEPEST)
            if token[0] == ".":
                if known and not known.refuted(lo, hi) and not self.vacant(lo, hi):
                    left = known.settled + [[leaf for leaf, _, _ in entries] for entries in known.left(lo, hi)]
                    left.sort(key=lambda leaves: leaves[0].tree)
                    self.check_leaf(label, self.meeting(left, lo, hi))
                continue
            demand(known, "nothing is left here, and a leaf should follow")
            if token[3]:
                lo, hi = lo[:], hi[:]
                known = known.narrowed(lo, hi)
                if known:
                    known.sweep(lo, hi, int(token[3]))
                stack.append((lo, hi, known, depth + 1))
                continue
            f, low, cut, high = self.cut(token, lo, hi)
            stack += [(lo[:f] + [cut + 1] + lo[f + 1:], hi, known, depth + 1), (lo, hi[:f] + [cut] + hi[f + 1:], known, depth + 1)]
        demand(not stack, "the tree ends before its last part")

    def part(self, box, f, first, last):
        lo, hi, cost, left = box[0][:], box[1][:], box[2], []
        now, change = self.cost(f, first, last), 0
        if now is not None:
            change = now - self.cost(f, lo[f], hi[f])
        for tree, entries in zip(self.trees, box[3]):
            if now is None:
                entries = []
            elif f in tree.features:
                entries = self.narrowed(entries, f, lo[f], hi[f], first, last, change)
            left.append([entry for entry in entries if cost + change + entry[1] < self.limit])
        lo[f], hi[f] = first, last
        return lo, hi, cost + change, left

    def narrowed(self, entries, f, lo, hi, first, last, change):
        """The rest of these leaves where only some slots of a feature are."""
        for leaf, more in entries:
            if f not in leaf.ranges:
                yield leaf, more
                continue
            (a, b), kept = leaf.ranges[f], leaf.sets.get(f)
            if a <= last and b >= first:
                now = self.cost(f, a if a > first else first, b if b < last else last, kept)
                if now is not None:
                    yield leaf, more - change + now - self.cost(f, a if a > lo else lo, b if b < hi else hi, kept)

class Potentials:
    """The state of a part of a tree with sweeps. All is counted in units. For each tree that is not settled it has the leaves left
    as (leaf, value, shares by feature). Gains of leaves, and the base, are float64, rounded up; first_open returns the least number
    of units that is not lost. Trees that add 0 may rest: they are settled from the beginning."""
    def __init__(self, model=None, root=None, gain=None, base=None, first_open=None, rests=False):
        if model is None:
            return
        lo, hi = root[:2]
        trees = [[(leaf, gain(leaf)) for leaf, _ in entries] for entries in root[3]]
        most = max((abs(gain) for leaves in trees for _, gain in leaves), default=0.0)
        demand(2.0 ** -900 < most < 2.0 ** 900 and abs(base) < 2.0 ** 30 * most, "values of up to %r have no potentials", most)
        unit = Fraction(2) ** (math.frexp(most)[1] - 22)
        self.limit = first_open(unit)
        demand(abs(self.limit) < 1 << 53, "the slack is too great for potentials")
        adds = [not rests or any(gain for _, gain in leaves) for leaves in trees]
        idle, trees = itertools.compress(trees, map(operator.not_, adds)), list(itertools.compress(trees, adds))
        self.floor = -((1 << 28) // max([1] + [
            sum(a > lo[f] or b < hi[f] for f, (a, b) in leaf.ranges.items()) for leaves in trees for leaf, _ in leaves]))
        self.base, self.constants = math.ceil(Fraction(base) / unit), [0] * model.dim
        self.settled = [[leaf for leaf, _ in leaves] for leaves in idle]
        self.trees = [[(leaf, math.ceil(Fraction(gain) / unit), {}) for leaf, gain in leaves] for leaves in trees]

    def left(self, lo, hi):
        """The leaves left to each tree that meet the box."""
        return [[entry for entry in entries if all(a <= hi[f] and b >= lo[f] for f, (a, b) in entry[0].ranges.items())]
                for entries in self.trees]

    def bound(self, trees):
        """A bound on every lead within these leaves."""
        return self.base + sum(self.constants) + sum(max(value for _, value, _ in entries) for entries in trees)

    def refuted(self, lo, hi):
        trees = self.left(lo, hi)
        return not all(trees) or self.bound(trees) < self.limit

    def narrowed(self, lo, hi):
        """The potentials of the leaves that can win in the box, which is shrunk to them; None if there are none."""
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
        entries, begins, sides = list(itertools.chain(*trees)), [0], [{} for _ in lo]
        for tree in trees:
            begins.append(begins[-1] + len(tree))
        for i, entry in enumerate(entries):
            for f, (a, b) in entry[0].ranges.items():
                if a > lo[f] or b < hi[f] or entry[2].get(f):
                    sides[f][i] = max(a, lo[f]), min(b, hi[f])
        users = [self.members(lo[f], hi[f], begins, within) for f, within in enumerate(sides)]
        for _ in range(times):
            for f, (bins, members) in enumerate(users):
                self.constants[f] = self.level(f, bins, [
                    [(entries[i], first, last) for i, first, last in member] for member in members]) if members else 0
        self.trees = trees

    @staticmethod
    def members(lo, hi, begins, within):
        """How many bins a feature has, and of each tree that uses it the leaves, each with its first and its last bin."""
        cuts, bins = thinned(sorted({end for a, b in within.values() for end in (a - 1, b) if lo <= end < hi})), {}
        for i, (a, b) in within.items():
            bins[i] = bisect.bisect_left(cuts, a), bisect.bisect_left(cuts, b)
        trees = sorted({bisect.bisect_right(begins, i) - 1 for i in within})
        return len(cuts) + 1, [[(i, *bins.get(i, (0, len(cuts)))) for i in range(begins[t], begins[t + 1])] for t in trees]

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

def thinned(ends):
    """The ends of at most fifteen bins of sixteen, spread among these."""
    return [end for i, end in enumerate(ends, 1) if 16 * i // (len(ends) + 1) > 16 * (i - 1) // (len(ends) + 1)]

class PotentialArrays(Potentials):
    """The same in arrays of whole numbers, which all of these are: a row for each leaf left, by tree, a column for each feature in
    which the box of the root is not within all leaves."""
    @classmethod
    def of(cls, known, lo, hi):
        """The arrays of a root; None without numpy, or where they would be large."""
        leaves = [leaf for entries in known.trees for leaf, _, _ in entries]
        tests = [(i, f, a, b) for i, leaf in enumerate(leaves) for f, (a, b) in leaf.ranges.items() if a > lo[f] or b < hi[f]]
        features = sorted({f for _, f, _, _ in tests})
        if not numpy or not tests or len(leaves) * len(features) > 1 << 24:
            return None
        made, column = cls(), {f: k for k, f in enumerate(features)}
        made.limit, made.floor, made.base, made.constants, made.settled = (
            known.limit, known.floor, known.base, known.constants, known.settled)
        made.leaves, made.features, made.count, shape = leaves, features, len(known.trees), (len(leaves), len(features))
        # Their ends, of which an end beyond the box is none.
        made.first, made.last = numpy.full(shape, -1, dtype=numpy.int32), numpy.full(shape, (1 << 31) - 1, dtype=numpy.int32)
        rows, columns = [i for i, _, _, _ in tests], [column[f] for _, f, _, _ in tests]
        made.first[rows, columns] = [max(a, lo[f]) for _, f, a, _ in tests]
        made.last[rows, columns] = [min(b, hi[f]) for _, f, _, b in tests]
        made.rows, made.shares = numpy.arange(len(leaves)), numpy.zeros(shape, dtype=numpy.int32)
        made.tree = numpy.repeat(numpy.arange(made.count), [len(entries) for entries in known.trees])
        made.values = numpy.array([value for entries in known.trees for _, value, _ in entries], dtype=numpy.int64)
        return made

    def within(self, lo, hi):
        """Which rows meet the box."""
        low, high = (numpy.array([ends[f] for f in self.features]) for ends in (lo, hi))
        return ((self.first[self.rows] <= high) & (self.last[self.rows] >= low)).all(axis=1)

    def chosen(self, which):
        """These rows alone."""
        kept = PotentialArrays()
        kept.__dict__.update(self.__dict__)
        kept.rows, kept.tree, kept.values, kept.shares = self.rows[which], self.tree[which], self.values[which], self.shares[which]
        return kept

    def starts(self):
        """Where the rows of each tree begin, and how many they are."""
        starts = numpy.flatnonzero(numpy.diff(self.tree, prepend=-1))
        return starts, numpy.diff(starts, append=len(self.tree))

    def left(self, lo, hi):
        met, trees = self.chosen(self.within(lo, hi)), {}
        for tree, row in zip(met.tree.tolist(), met.rows.tolist()):
            trees.setdefault(tree, []).append((self.leaves[row], None, None))
        return list(trees.values())

    def lead(self):
        """A bound on every lead within the rows; None if a tree has none."""
        starts, _ = self.starts()
        if len(starts) < self.count:
            return None
        return self.base + sum(self.constants) + (int(numpy.maximum.reduceat(self.values, starts).sum()) if self.count else 0)

    def refuted(self, lo, hi):
        lead = self.chosen(self.within(lo, hi)).lead()
        return lead is None or lead < self.limit

    def narrowed(self, lo, hi):
        kept, whole = self.chosen(self.within(lo, hi)), None
        lead = kept.lead()
        if lead is None or lead < self.limit:
            return None
        while self.count and whole != (lo, hi):
            whole = lo[:], hi[:]
            starts, lengths = kept.starts()
            least = numpy.maximum.reduceat(kept.values, starts) - (lead - self.limit)
            kept = kept.chosen(kept.values >= numpy.repeat(least, lengths))
            starts, lengths = kept.starts()
            firsts = numpy.minimum.reduceat(self.first[kept.rows], starts).max(axis=0)
            lasts = numpy.maximum.reduceat(self.last[kept.rows], starts).min(axis=0)
            for f, first, last in zip(self.features, firsts.tolist(), lasts.tolist()):
                lo[f], hi[f] = max(lo[f], first), min(hi[f], last)
            kept = kept.chosen(kept.within(lo, hi))
            starts, lengths = kept.starts()
            if len(starts) < self.count or any(map(int.__gt__, lo, hi)):
                return None
        return kept.settle(*kept.starts())

    def settle(self, starts, lengths):
        """The same with the trees of one row settled."""
        alone = starts[lengths == 1]
        kept = self.chosen(numpy.repeat(lengths > 1, lengths))
        kept.count, kept.constants = self.count - len(alone), self.constants[:]
        kept.settled = self.settled + [[self.leaves[row]] for row in self.rows[alone].tolist()]
        shares = self.shares[alone].sum(axis=0, dtype=numpy.int64)
        kept.base += int(self.values[alone].sum() - shares.sum())
        for f, share in zip(self.features, shares.tolist()):
            kept.constants[f] += share
        return kept

    def sweep(self, lo, hi, times):
        if not times:
            return
        users = []
        for k, f in enumerate(self.features):
            first, last = numpy.maximum(self.first[self.rows, k], lo[f]), numpy.minimum(self.last[self.rows, k], hi[f])
            moved = (first > lo[f]) | (last < hi[f]) | (self.shares[:, k] != 0)
            self.constants[f] = 0
            if moved.any():
                ends = numpy.unique(numpy.concatenate((first[moved] - 1, last[moved])))
                cuts = thinned(ends[(ends >= lo[f]) & (ends < hi[f])].tolist())
                users.append((f, k, *self.cells(moved, len(cuts) + 1, *(numpy.searchsorted(cuts, side) for side in (first, last)))))
        for _ in range(times):
            for f, k, count, bins, rows, of, pairs, cells, starts, filled, begin, vacant in users:
                raw = self.values[rows] - self.shares[rows, k]
                most = numpy.full(count * bins, -1 << 62, dtype=numpy.int64)
                most[filled] = numpy.maximum.reduceat(raw[pairs], starts)
                most = most.reshape(count, bins)
                part = -(-numpy.where(vacant, 0, most).sum(axis=0) // count)
                potentials = numpy.where(vacant, -1 << 29, part - most)
                top = potentials.max(axis=1)
                self.constants[f] = int(top.sum())
                shares = numpy.maximum(numpy.maximum.reduceat(potentials.reshape(-1)[cells], begin) - top[of], self.floor)
                self.values[rows] = raw + shares
                self.shares[rows, k] = shares

    def cells(self, moved, bins, first, last):
        """Of the trees in which a row moved: how many, and bins; their rows, and the tree of each; and the rows of each cell, a bin of
        a tree, by cell, and the cells by row, with the places where they begin; the cells that have rows, and the bins where one has none."""
        starts, lengths = self.starts()
        uses = numpy.logical_or.reduceat(moved, starts)
        rows = numpy.flatnonzero(numpy.repeat(uses, lengths))
        count, of = int(uses.sum()), numpy.repeat(numpy.arange(uses.sum()), lengths[uses])
        first, lengths = first[rows], last[rows] - first[rows] + 1
        begin = numpy.cumsum(lengths) - lengths
        pairs = numpy.repeat(numpy.arange(len(rows)), lengths)
        cells = numpy.repeat(of * bins + first - begin, lengths) + numpy.arange(len(pairs))
        order = numpy.argsort(cells, kind="stable")
        filled, places = numpy.unique(cells[order], return_index=True)
        vacant = numpy.ones(count * bins, dtype=bool)
        vacant[filled] = False
        return count, bins, rows, of, pairs[order], cells, places, filled, begin, vacant.reshape(count, bins).any(axis=0)

def round_up(a, b):
    """The least float64 that is no less than a - b."""
    return a - b if Fraction(a) - Fraction(b) <= a - b else math.nextafter(a - b, math.inf)

def upward(n, places):
    """The least float64 that is no less than n·2^-places."""
    exact = Fraction(n, 1 << places)
    try:
        v = float(exact)
    except OverflowError:
        v = math.inf if n > 0 else -sys.float_info.max
    return v if v >= exact else math.nextafter(v, math.inf)

class Pairs(Boxes):
    """The trees that a property is about: their leaves are pairs of those that inputs x and x' reach, x in the first model, x' in
    the last. Their gains, or the starts of sums, are a list of integers: those of the terms or, without, of all labels of both."""
    def __init__(self, models, head):
        self.of, self.one, self.head = (models[0], models[-1]), len(models) == 1, head
        self.borders, self.slots, self.listed = [], [], set()
        for f in range(models[0].dim):
            borders = sorted({border for model in models for border in model.borders[f]})
            self.borders.append(borders)
            self.slots.append({border: slot for slot, border in enumerate(borders)})
            self.listed |= {f} if any(f in model.listed for model in models) else set()
        homes = [list(range(models[0].dim)), list(range(models[0].dim))]
        for at, (f, *_) in enumerate(head.copies, models[0].dim):
            homes[1][f] = at
            self.borders.append(self.borders[f])
            self.slots.append(self.slots[f])
            self.listed |= {at} if f in self.listed else set()
        self.dim, self.stored, self.held = len(self.borders), sum(model.stored for model in models), 0
        self.value_places = max(model.value_places for model in models)
        self.base = self.row(*(model.base for model in self.of))
        reads = [not head.terms or any(reading == term[1] for term in head.terms) for reading in (0, 1)]
        self.trees = []
        for index in range(max(len(model.trees) for model in self.of)):
            both = [model.trees[index] if reads[i] and index < len(model.trees) else None for i, model in enumerate(self.of)]
            if None not in both and self.pair(*both, homes):
                continue
            for reading, tree in enumerate(both):
                if tree:
                    leaves = []
                    for leaf, ranges, sets in self.leaves(tree, {}, {}, homes[reading]):
                        self.add(leaves, (leaf, None) if reading == 0 else (None, leaf), ranges, sets)
                    self.tree(leaves)

    def row(self, x, other):
        """The integers that count, of values of both models."""
        sides = [[v << self.value_places - model.value_places for v in values] if values else [0] * model.classes
                 for values, model in zip((x, other), self.of)]
        return [sides[reading][label] for _, reading, label in self.head.terms] if self.head.terms else sides[0] + sides[1]

    def pair(self, tree, other, homes):
        """Adds the pairs of leaves of two trees that have slots, unless they are too many."""
        pairs, most, held = [], 16 * (len(tree.all_leaves) + len(other.all_leaves)), self.held
        for leaf, ranges, sets in self.leaves(tree, {}, {}, homes[0]):
            for second, both, kinds in self.leaves(other, ranges, sets, homes[1]):
                self.add(pairs, (leaf, second), both, kinds)
                if len(pairs) > most:
                    self.held = held
                    return False
        self.tree(pairs)
        return True

    def add(self, leaves, own, ranges, sets):
        made = Leaf()
        made.given, made.ranges, made.sets, made.tree = own, ranges, sets, len(self.trees)
        made.values = self.row(*(leaf and leaf.values for leaf in own))
        leaves.append(made)
        self.keep(ranges, sets, (1 << 22) + 2 * self.stored)

    def tree(self, leaves):
        self.trees.append(SimpleNamespace(leaves=leaves, features=set().union(*(leaf.ranges for leaf in leaves))))

    def meeting(self, left, lo, hi):
        if self.codes:
            return super().meeting(left, lo, hi)
        return [[leaf for leaf in leaves if any(self.entry(leaf, lo, hi))] for leaves in left]

    def vacant(self, lo, hi):
        for at, (f, least, most) in enumerate(self.head.copies, len(self.head.lo)):
            if least is None:
                if hi[f] + 1 < lo[at] or lo[f] + 1 > hi[at]:
                    return True
            elif self.falls(lo[f], hi[at], f, least) or self.falls(lo[at], hi[f], f, -most):
                return True
        places = {f: at for at, (f, *_) in enumerate(self.head.copies, len(self.head.lo))}
        return any(self.cold([(f, homes.get(f, f)) for f in members], lo, hi) for members in self.head.one_hot for homes in ({}, places))

    def cold(self, members, lo, hi):
        """Whether of these features, each with its place, none can be 1 in the box while the others are 0."""
        zero, one = ([self.head.lo[f] <= z <= self.head.hi[f] and lo[at] <= self.slot_of(f, z) <= hi[at] for f, at in members] for z in (0, 1))
        return zero.count(False) > 1 or not any(one) or not all(map(operator.or_, zero, one))

    def falls(self, low, high, f, by):
        """Whether a value up to the end of a slot exceeds all from the beginning of another on by less than so much."""
        borders, (first, last) = self.borders[f], (self.head.lo[f], self.head.hi[f])
        begin = max(first, borders[low - 1][0]) if low else first
        end = min(last, borders[high][0]) if high < len(borders) else last
        if math.inf in (abs(begin), abs(end), abs(by)):
            return False
        off = Fraction(end) - Fraction(begin) - Fraction(by)
        opened = low and borders[low - 1] == (begin, True) or high < len(borders) and borders[high] == (end, False)
        return off < 0 or off == 0 and bool(opened)

    def check(self, lines):
        head = self.head
        lo, hi = ([*ends, *(ends[f] for f, *_ in head.copies)] for ends in (head.lo, head.hi))
        places = binary_places(lo + hi + [e for borders in self.borders for e, _ in borders])
        ends = [[scaled(v, places) for v in vector] for vector in (lo, hi)]
        ones, zeros = [1] * self.dim, [0] * self.dim
        root = self.root(SimpleNamespace(
            norm="inf", bound=math.inf, B=math.inf, places=places, price_places=0, LO=ends[0], HI=ends[1], lo=lo, hi=hi, X=zeros,
            x=[0.0] * self.dim, UP=ones, DOWN=ones, codes=head.codes + [head.codes[f] for f, *_ in head.copies]))
        demand(root, "a category has no code in the domain")
        if head.terms:
            places = binary_places([w for w, _, _ in head.terms] + [head.above])
            form = Form([(column, scaled(w, places)) for column, (w, _, _) in enumerate(head.terms)],
                        scaled(head.above, places) << self.value_places, places, lambda unit: 1)
            self.check_part(lines, None, form, root)
            return
        swaps = self.one and all(least is not None and least == -most for _, least, most in head.copies)
        classes = range(self.of[0].classes)
        for a, b in itertools.product(classes if head.label is None else [head.label], classes):
            if a != b and (head.label is not None or a > b or not swaps):
                self.check_part(lines, (a, b), self.both(a, b), root)

    def over(self, reading, label, rival):
        first, model = reading * self.of[0].classes, self.of[reading]
        return Form([(first + label, 1), (first + rival, -1)], 0, 0, lambda unit: model.first_open(label, rival, unit))

    def both(self, a, b):
        """The lead of a over b at x, and that of b over a at x', added up."""
        slack = self.of[0].slack(a, b) + self.of[1].slack(b, a)
        strict = self.of[0].vote == "hard" and b < a or self.of[1].vote == "hard" and a < b

        def first_open(unit):
            if slack == math.inf:
                return -math.inf
            return math.floor(-slack / unit) + 1 if strict else math.ceil(-slack / unit)

        return Form(self.over(0, a, b).terms + self.over(1, b, a).terms, 0, 0, first_open)

    def check_part(self, lines, labels, form, root):
        swept = lines.optional("swept", 0) is not None
        if not swept:
            lines.line("tree", 0)
        self.form, places = form, self.value_places + form.places
        if not swept:
            self.check_tree(lines, labels, root)
            return
        demand(form.first_open(Fraction(1)) > -math.inf, "there are no sweeps of so many trees")
        self.check_swept(lines, labels, root, Potentials(
            self, root, lambda leaf: upward(form.of(leaf.values), places), upward(form.of(self.base) - form.less, places),
            form.first_open, True))

    def check_leaf(self, labels, left):
        if not all(left) or self.lost(self.form, left):
            return
        demand(labels, "the sum may be greater here")
        for reading, label in enumerate(labels):
            for rival in range(self.of[0].classes):
                if rival != label and self.lost(self.over(reading, label, rival), left):
                    return
        if self.one and all(leaf.given[0] is leaf.given[1] for leaves in left for leaf in leaves):
            return
        demand(all(len(leaves) == 1 for leaves in left), "labels may differ here")
        own = [[leaf.given[reading] for leaf, in left if leaf.given[reading]] for reading in (0, 1)]
        demand(any(map(Boxes.loses, self.of, own, labels)), "the models may give these labels here")

    def lost(self, form, left):
        first = form.first_open(Fraction(1, 1 << self.value_places + form.places))
        return form.of(self.base) - form.less + sum(max(form.of(leaf.values) for leaf in leaves) for leaves in left) < first

class Joint(Boxes):
    """The trees of a model and of others that are to accept, one after the other, over the slots of all of them. Labels are one of the
    model and one of each requirement."""
    known = {}  # the last one

    @classmethod
    def of(cls, model, others, quorums):
        models = {at: others[at - 1] if at else model for at in sorted({0}.union(at for _, members in quorums for at, _ in members))}
        joint = cls.known.get(0)
        if joint is None or joint.models != models:
            joint = cls.known[0] = cls(models)
        joint.quorums = quorums
        return joint

    def __init__(self, models):
        demand(all(type(model) is Boxes and model.dim == models[0].dim for model in models.values()),
               "other models are trees that test one feature, of as many features")
        self.models, self.dim, self.classes, self.held = models, models[0].dim, models[0].classes, 0
        self.stored = sum(model.stored for model in models.values())
        self.places = max(model.places for model in models.values())
        self.borders = [sorted({border for model in models.values() for border in model.borders[f]}) for f in range(self.dim)]
        self.slots = [{border: slot for slot, border in enumerate(borders)} for borders in self.borders]
        self.listed = set().union(*(model.listed for model in models.values()))
        self.trees, self.parts = [], {}
        for at, model in models.items():
            first = len(self.trees)
            for tree in model.trees:
                leaves = []
                for leaf, ranges, sets in self.leaves(tree, {}, {}):
                    made = Leaf()
                    made.given, made.values, made.ranges, made.sets, made.tree = leaf.given, leaf.values, ranges, sets, len(self.trees)
                    leaves.append(made)
                    self.keep(ranges, sets, (1 << 22) + 2 * self.stored)
                self.trees.append(SimpleNamespace(leaves=leaves, features=set().union(*(leaf.ranges for leaf in leaves))))
            self.parts[at] = slice(first, len(self.trees))

    def gives(self, z, label):
        return self.models[0].gives(z, label) and self.enough(
            lambda at, labels: any(self.models[at].gives(z, accepted) for accepted in labels))

    def enough(self, met):
        """Whether so many requirements of each quorum are met."""
        return all(sum(met(at, labels) for at, labels in members) >= least for least, members in self.quorums)

    def check(self, lines, proof):
        root = self.root(proof)
        accepted = [labels for _, members in self.quorums for _, labels in members]
        for labels in itertools.product(proof.labels, *accepted) if root else ():
            words = lines.line("label", len(labels))
            demand(words == list(map(str, labels)), "label %s should follow", " ".join(map(str, labels)))
            self.over = [proof.source] if proof.target is None else [r for r in range(self.classes) if r != labels[0]]
            self.check_tree(lines, labels, root)

    def check_leaf(self, labels, left):
        chosen = iter(labels[1:])
        if not all(left) or self.refuted(0, labels[0], self.over, left):
            return
        demand(not self.enough(lambda at, accepted: not self.refuted(
            at, next(chosen), [r for r in range(self.models[at].classes) if r not in accepted], left)),
            "a leaf is neither far, nor lost, nor evaluated, by the model or by enough of the others")

    def refuted(self, at, label, rivals, left):
        """Whether a model does not give a label in the leaves that are left."""
        model, left = self.models[at], left[self.parts[at]]
        for rival in rivals:
            if model.base[label] - model.base[rival] + sum(
                    max(leaf.values[label] - leaf.values[rival] for leaf in leaves) for leaves in left) <= model.lost(label, rival):
                return True
        return all(len(leaves) == 1 for leaves in left) and model.loses([leaves[0] for leaves in left], label)

# A sum of columns times integers, less another integer, of so many more binary places than the columns, and the least number of a
# unit from which on it is not lost.
class Form(namedtuple("Form", "terms less places first_open")):
    def of(self, values):
        return sum(values[column] * weight for column, weight in self.terms)

class Oblique(Trees):
    """Trees that test half-spaces. Decisions are (tree, node, whether right)."""

    def root(self, proof):
        self.half_space = functools.cache(self.half_space_of)
        return [list(self.within_reach(proof, t, tree)) for t, tree in enumerate(self.trees)]

    def within_reach(self, proof, t, tree):
        """The leaves of a tree none of whose half-spaces lies at the bound or beyond."""
        stack = [0]
        while stack:
            n = stack.pop()
            test = tree.nodes[n]
            if isinstance(test, Leaf):
                yield test
                continue
            for child, right in ((tree.right[n], True), (tree.left[n], False)):
                if not proof.far(*self.half_space(t, n, right)) if math.isfinite(test.threshold) else right == (test.threshold < 0):
                    stack.append(child)

    def half_space_of(self, t, n, right):
        p, sign, a = self.proof, -1 if right else 1, [0] * self.dim
        weights, threshold, *_ = self.trees[t].nodes[n]
        for f, w in weights:
            a[f] = sign * scaled(w, p.places)
        return a, (sign * scaled(threshold, p.places) << p.places) - sum(w * v for w, v in zip(a, p.X)), right

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
                tree = self.trees[t]
                demand(len(words) == 2 and self.is_test(tree, n) and depth < DEEPEST, "node %d of tree %d is no test, or too deep", n, t)
                for right in (True, False):
                    kept = [leaf for leaf in left[t] if not tree.is_below(leaf, n) or tree.side(leaf, n) == right]
                    stack.append((depth + 1, (t, n, right), left[:t] + [kept] + left[t + 1:]))
            elif kind == "d":
                demand(isinstance(gone, Leaf), "node %d of tree %d is no leaf", n, t)
                self.proof.check_combination(words[2:], lambda word: self.term(word, t, gone))
                kept = [leaf for leaf in left[t] if leaf is not gone]
                stack.append((depth, decision, left[:t] + [kept] + left[t + 1:]))
            elif kind == "c":
                self.proof.check_combination(words, self.term)
            else:
                demand(kind == "." and not words, "a node begins with s, d or c, or is a single .")
                self.check_leaf(label, left)

    @staticmethod
    def is_test(tree, n):
        return isinstance(tree.nodes[n], Test) and math.isfinite(tree.nodes[n].threshold)

    def node(self, tree="", node=""):
        t = parse_natural(tree, len(self.trees), "tree")
        return t, parse_natural(node, len(self.trees[t].nodes), "node")

    def term(self, word, t=None, gone=None):
        if word[0] == "#" and gone:
            t, n = self.node(str(t), word[1:])
            tree = self.trees[t]
            demand(self.is_test(tree, n) and tree.is_below(gone, n), "node %d is no test on the way to this leaf", n)
            return self.half_space(t, n, tree.side(gone, n))
        demand(word[0] == "@", "%r is no term here", word)
        return self.half_space(*self.path[parse_natural(word[1:], len(self.path), "decision")])

class Rows:
    """A training set, of which the k nearest rows vote, and proofs about it."""
    def __init__(self, points, labels, classes, k):
        self.points, self.labels, self.classes, self.k, self.dim = points, labels, classes, k, len(points[0]) if points else 0
        demand(0 < self.dim <= MOST_FEATURES and all(len(row) == self.dim for row in points) and len(labels) == len(points), "rows differ")
        demand(k is None or 1 <= k <= len(points), "k should be from 1 to %d", len(points))
        demand(min(labels) >= 0 and max(labels) < classes <= MOST_FEATURES, "labels are from 0 to %d", MOST_FEATURES - 1)
        self.places = binary_places(v for row in points for v in set(row))
        self.count = Counter(labels)

    @functools.cached_property
    def scaled(self):
        return [[scaled(v, self.places) for v in row] for row in self.points]

    def around(self, center, places):
        """The rows as seen from a point, and the squares of their distances, in units of 2^-places."""
        rows = [[(v << places - self.places) - c for v, c in zip(row, center)] for row in self.scaled]
        return rows, [sum(v * v for v in row) for row in rows]

    def vote(self, rows):
        votes = Counter(self.labels[r] for r in rows)
        return min(votes, key=lambda label: (-votes[label], label))

    def gives(self, z, label):
        places = max(self.places, binary_places(z))
        squares = self.around([scaled(v, places) for v in z], places)[1]
        return self.vote(sorted(range(len(squares)), key=squares.__getitem__)[:self.k]) == label

    def least_required(self, p):
        """The least number of supporting rows among k neighbours that answer; None if none do."""
        k, count = self.k, [self.count[label] for label in range(self.classes)]
        if p.target is not None:
            return next((v for v in range(1, count[p.target] + 1) if k - v <= sum(
                min(n, v if p.target < l else v - 1) for l, n in enumerate(count) if l != p.target)), None)
        most = [min((k - (p.source < l)) // 2, n - (p.source < l)) for l, n in enumerate(count) if l != p.source and n]
        return k - max(most) if most and k - max(most) <= min(k, sum(count) - count[p.source]) else None

    def half_space(self, p, q):
        """Row p before row q. Where they tie the first in the file is."""
        return [2 * (w - v) for v, w in zip(self.rows[p], self.rows[q])], self.square[q] - self.square[p], p > q

    def apart(self, p, q):
        """Whether "row p before row q" lies at the bound or beyond."""
        lead, b, length = self.square[p] - self.square[q], 2 * self.proof.B, self.lengths
        # ‖q − p‖* lies between the difference and the sum of the rows' own lengths.
        if lead < 0 or b < math.inf and lead < b * (abs(length[p] - length[q]) - 1):
            return False
        return b < math.inf and 0 < lead >= b * (length[p] + length[q] + 2) or self.proof.far(*self.half_space(p, q))

    def check(self, lines, proof):
        demand(self.k, "how many neighbours vote is not known: -k says it")
        self.proof, self.required = proof, self.least_required(proof)
        if self.required is None:
            return
        self.rows, self.square = self.around(proof.X, proof.places)
        # The dual norm of each row, rounded down.
        self.lengths = list(map(math.isqrt, self.square)) if proof.norm == "2" else [
            (sum if proof.norm == "inf" else max)(map(abs, row)) for row in self.rows]
        self.side = {r for r, label in enumerate(self.labels) if label in proof.labels}
        self.allowed, near, last = self.k - self.required, self.list_of(lines.line("near")), -1
        demand(self.side.isdisjoint(near), "a row of near is no rival")
        near.sort(key=self.square.__getitem__)
        self.M = [p for p in sorted(self.side) if not self.reaches(self.allowed + 1, (self.apart(p, r) for r in near))]
        while last < len(self.rows):
            words = lines.optional("pivot", 1)
            p = parse_natural(*words, len(self.rows), "row") if words else len(self.rows)
            for row in self.M:
                demand(not last < row < p or not self.reaches(self.required - 1, (q != row and not self.apart(q, row) for q in self.M)),
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
        """Those of the rows that come before row r somewhere nearer than the bound."""
        return {row for row in rows if row != r and not self.apart(row, r)}

    def check_pivot(self, lines, p):
        """The decisions have the names of the page: A, F, J, Z, I and O."""
        self.pivot, self.E = p, self.nearer(self.M, p)
        self.rest = functools.cache(lambda r: self.nearer(range(len(self.rows)), r))
        stack = [iter([{**dict.fromkeys("AFJZO", frozenset()), "I": frozenset([p])}])]
        while stack:
            demand(len(stack) <= DEEPEST + 1, "a path has more than %d nodes", DEEPEST)
            state = next(stack[-1], None)
            if state is None:
                stack.pop()
                continue
            kind, *words = lines.words() or ["end"]
            if kind == "c":
                self.proof.check_combination(words, lambda word: self.term(word, **state))
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
            demand(len(A) + len(rows) > self.allowed, "all of these rivals may come before the pivot")
            return self.parts(state, rows, "AI", "F")
        if kind == "q":
            left = self.E - J - Z
            demand(left.issuperset(rows), "a row is no open one of the side")
            demand(len(left) - len(rows) < self.required - 1 - len(J), "none of these rows need come before the pivot")
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

    def term(self, word, A, F, J, Z, I, O):
        """The half-space of "a<b", if the decisions say that a comes before b."""
        ends = word.split("<")
        demand(len(ends) == 2, "%r is no term here", word)
        a, b = (parse_natural(w, len(self.rows), "row") if w else self.pivot for w in ends)
        before, behind, full = (J, Z, self.required - 1) if b in self.side else (A, F, self.allowed)
        demand(a != b and (
            b == self.pivot and (a in J or a in A)
            or a == self.pivot and (b in behind or b not in before and len(before) == full)
            or a in I and (b in O or b not in I and len(I) == self.k)), "nothing decides %r", word)
        return self.half_space(a, b)

class Number(str):
    """A number of JSON, but for short integers; or a name that XGBoost writes for one that is not finite."""
    __slots__ = ()

NAMES = ("NaN", "Infinity", "-Infinity")

def parse_json(data):
    """The content of a text of JSON, in which no object has a key twice. Names for numbers are XGBoost's."""
    def number(text):
        demand(len(text) <= LONGEST_NUMBER, "a number has more than %d bytes", LONGEST_NUMBER)
        return int(text) if len(text) < 19 and text.lstrip("-").isdigit() else Number(text)

    def unique(pairs):
        # A surrogate that stands alone is no character.
        members = {re.sub("[\ud800-\udfff]", "\ufffd", key): v for key, v in pairs}
        demand(len(members) == len(pairs), "an object has a key twice")
        return members

    names = []
    try:
        top = json.loads(data.decode(), object_pairs_hook=unique, parse_float=number, parse_int=number,
                         parse_constant=lambda text: names.append(text) or Number(text))
    except RecursionError:
        raise Refused("arrays and objects are too deep within each other") from None
    level = [top]
    for _ in range(DEEPEST_JSON):
        level = [v for v in level if type(v) in (list, dict)]
        if not level:
            break
        level = [v for inside in level for v in (inside.values() if type(inside) is dict else inside) if type(v) in (list, dict)]
    demand(not level, "more than %d arrays and objects within each other", DEEPEST_JSON)
    demand(not names or b'"learner"' in data, "a number is %s", *names[:1])
    return top

def members_of(v, keys):
    """The members of an object, none of None. All keys are among those that are read or do not matter: what a library adds to its
    files may change their predictions."""
    demand(v is None or type(v) is dict, "%.40r where an object is expected", v)
    for key in v or {}:
        demand(key in keys, "the key %.40r is unknown", key)
    return v or {}

def array_of(v, read=lambda v: v):
    demand(v is None or type(v) is list, "%.40r where an array is expected", v)
    return [read(e) for e in v or ()]

def real(v):
    if type(v) is int:
        return float(v)
    demand(type(v) is Number and v not in NAMES and abs(float(v)) < math.inf, "%.40r is no number", v)
    return float(v)

def reals(v):
    return array_of(v, real)

def whole_number(v):
    demand(type(v) is int and -1 << 31 <= v < 1 << 31, "%.40r is no integer", v)
    return v

def wholes(v):
    return array_of(v, whole_number)

def text_of(v):
    demand(v is None or type(v) is str, "%.40r where a text is expected", v)
    return v or ""

def truth_of(v):
    demand(v is None or type(v) is bool, "%.40r is neither true nor false", v)
    return v is True

def number32(text):
    """The nearest float32, by way of the float64 that is rounded to odd. Numbers beyond it are refused."""
    v = float(text)
    # From 2^-126 on only numbers half way between two float32 end so, and only those may be rounded the wrong way.
    doubtful = 1e-50 < abs(v) < 2.0 ** -126 or 1e-50 < abs(v) < 1e39 and order(v) & 0x1fffffff == 0x10000000
    if doubtful and order(v) % 2 == 0 and Fraction(text) != v:
        v = math.nextafter(v, math.inf if Fraction(text) > v else -math.inf)
    v = round32(v)
    demand(math.isfinite(v), "%.40r is no float32", text)
    return v

# The keys of objects and sections of files: those that are read, and then those that do not matter.
SKLEARN_KEYS = set("format version n_features feature_names classes class_names trees boosting sklearn".split())
FACET_KEYS = set("""format version kind n_features feature_names categories category_names classes class_names comparison vote base single
    divisor any_order probability scale curve link trees k rows labels""".split())
TREE_KEYS = set("feature weights threshold thresholds infinite left right missing_left value".split())
XGBOOST_KEYS = {key: set(names.split()) for key, names in {
    "the file": "learner version",
    "learner": "learner_model_param attributes gradient_booster feature_names objective feature_types",
    "learner_model_param": "num_class num_feature num_target base_score boost_from_average",
    "gradient_booster": "model name weight_drop gbtree",
    "model": "gbtree_model_param tree_info trees iteration_indptr weight_drop cats",
    "gbtree_model_param": "num_parallel_tree num_trees size_leaf_vector",
    "objective": "name reg_loss_param softmax_multiclass_param",
    "tree": """tree_param left_children right_children split_indices split_conditions default_left split_type base_weights id loss_changes parents
        sum_hessian leaf_child_counts categories categories_nodes categories_segments categories_sizes""",
    "tree_param": "size_leaf_vector num_nodes num_deleted num_feature"}.items()}
LIGHTGBM_LINES = set("""version num_class num_tree_per_iteration max_feature_idx objective average_output feature_names tree_sizes feature_infos
    label_index monotone_constraints""".split())
LIGHTGBM_TREE_LINES = set("""num_leaves num_cat is_linear split_feature threshold decision_type left_child right_child leaf_value cat_boundaries
    cat_threshold split_gain leaf_weight leaf_count internal_value internal_weight internal_count shrinkage leaf_const num_features
    leaf_features leaf_coeff""".split())

def read_model(data, stored=None):
    stored = len(data) if stored is None else stored
    if data.split(b"\n", 1)[0].strip(PLAIN.encode()) == b"tree":
        return read_lightgbm(data.decode(errors="surrogateescape"), stored)
    top = parse_json(data)
    demand(type(top) is dict, "no object")
    if "learner" in top:
        return read_xgboost(top, stored)
    members_of(top, SKLEARN_KEYS if top.get("format") == "sklearn-tree-ensemble" else FACET_KEYS)
    demand(whole_number(top.get("version")) == 1, "unknown version %r", top["version"])
    what, dim = text_of(top.get("format")), whole_number(top.get("n_features"))
    kind = {"sklearn-tree-ensemble": "sklearn", "oblique-tree-ensemble": "oblique-ensemble"}.get(what) or text_of(top.get("kind"))
    demand(kind == "sklearn" or what in ("facet-model", "oblique-tree-ensemble"), "unknown format %.40r", what)
    classes, names, columns = reals(top.get("classes")), array_of(top.get("class_names"), text_of), array_of(top.get("feature_names"), text_of)
    demand(all(v < w for v, w in zip(classes, classes[1:])), "the classes do not ascend")
    demand(not classes or len(names) in (0, len(classes)), "%d class_names for %d classes", len(names), len(classes))
    demand("" not in names and len(set(names)) == len(names) and len(columns) in (0, dim), "names are empty, or there twice, or too few")
    codes = wholes(top.get("categories")) if kind != "sklearn" else []  # where it is no key that counts
    demand(len(codes) in (0, dim) and all(0 <= n <= 1 << 20 for n in codes), "categories are not a number of codes for each feature")
    words = array_of(top.get("category_names"), lambda v: array_of(v, text_of)) if kind != "sklearn" else []
    demand(len(words) in (0, dim), "%d category_names", len(words))
    if kind == "knn":
        return read_rows(top, dim, max(len(classes), len(names)), len(names), stored)
    demand(re.fullmatch("sklearn|(oblique-)?(tree|ensemble)|regressor", kind), "unknown kind %.40r", kind)
    return read_arrays(top, kind, dim, len(classes), len(names), stored)

def read_rows(top, dim, classes, names, stored):
    room, labels, rows = (1 << 23) + 3 * stored, wholes(top.get("labels")), []
    for row in array_of(top.get("rows")):
        rows.append(array("d", reals(row)))
        demand(len(rows[-1]) == dim and len(rows) * dim <= room, "a row has %d features, or there are too many numbers", len(rows[-1]))
    demand(not names or max(labels, default=0) < names, "a label has no name")
    return Rows(rows, labels, max(classes, max(labels, default=0) + 1), whole_number(top.get("k")))

def read_arrays(top, kind, dim, classes, names, stored):
    """The files of scikit-learn, facet, and oblique trees: arrays over the nodes of each tree."""
    oblique, single_tree, trees = "oblique" in kind, kind.endswith("tree"), array_of(top.get("trees"), lambda t: members_of(t, TREE_KEYS))
    if kind == "regressor":
        demand(text_of(top.get("link")) in ("", "exp", "sigmoid", "signed-square", "rest", "sigmoid-rest", "sigmoid-folded", "isolation", "curve", "curve-rest") and not classes and not names
               and text_of(top.get("vote")) in ("soft", "sum"), "link, vote or classes of a regressor")
        classes = 1
    boosting = top.get("boosting") if kind == "sklearn" else None
    comparison = None if oblique else "float32(x) <= t" if kind == "sklearn" else text_of(top.get("comparison"))
    demand(comparison in (None, "x <= t", "x < t", "float32(x) <= t", "float32(x) < t"), "unknown comparison %.40r", comparison)
    demand(trees and (len(trees) == 1 or not single_tree), "%d trees", len(trees))
    demand(classes or kind != "sklearn" and top["format"] != "oblique-tree-ensemble", "no classes")
    vote, base, divisor, single = "soft", None, 0.0, False
    if kind != "sklearn":
        vote, single = text_of(top.get("vote")) or "soft", truth_of(top.get("single"))
        truth_of(top.get("any_order"))  # of the library that predicts: claims are about the order of the file
        base, divisor = None if top.get("base") is None else reals(top["base"]), real(top["divisor"]) if "divisor" in top else 0.0
        demand(vote in ("soft", "hard", "sum", "logistic", "softmax"), "unknown vote %.40r", vote)
        if single_tree:
            vote, base, divisor, single = "hard", None, 0.0, False
        demand(base is None or base and vote not in ("soft", "hard"), "base values of a vote that has none")
    classes = classes or names
    adds = rate = None
    if boosting is not None:
        members_of(boosting, ("init", "learning_rate", "class", "decision", "scale"))
        adds, base, rate = wholes(boosting.get("class")), reals(boosting.get("init")), real(boosting.get("learning_rate"))
        vote = {"probability": "logistic" if classes == 2 else "softmax", "sum": "sum"}.get(text_of(boosting.get("decision")))
        demand(vote and len(base) == classes > 1 and len(adds) == len(trees), "boosting does not fit the classes and trees")
        if classes == 2:
            demand(base[0] == 0 and 0 not in adds, "class 0 of two has a sum")
            base[0] = -2.0 ** -1074 if vote == "sum" else 0.0
    width = 1 if boosting is not None else classes

    def tree(i, t):
        feature, weights, infinite = wholes(t.get("feature")), array_of(t.get("weights"), reals), wholes(t.get("infinite"))
        threshold, left, right, value = reals(t.get("threshold")), wholes(t.get("left")), wholes(t.get("right")), array_of(t.get("value"), reals)
        sets, n = array_of(t.get("thresholds"), reals), len(left)
        demand(len(sets) == 0 or len(sets) == n and not oblique, "%d lists of thresholds in tree %d", len(sets), i)
        demand(len(weights if oblique else feature) == n == len(feature) + len(weights) == len(threshold) == len(right) == len(value)
               and len(infinite) in (0, n) and len(array_of(t.get("missing_left"), truth_of)) in (0, n), "arrays of tree %d differ", i)
        nonlocal width, classes
        for j, v in enumerate(value):
            if width == 0:
                width = classes = len(v)
            demand(len(v) == width > 0, "%d values of node %d, not %d", len(v), j, width)
            leaf = left[j] < 0 and right[j] < 0
            demand(leaf or left[j] > j and right[j] > j, "a child of node %d comes before it", j)
            demand(not (leaf and (oblique and weights[j] or sets and sets[j])), "leaf %d has weights, or thresholds", j)
        for j, sign in enumerate(infinite):
            if sign:
                demand(not sets or not sets[j], "thresholds and infinite at node %d", j)
                threshold[j] = math.copysign(math.inf, sign)

        def test(j):
            if sets and sets[j]:
                return set_test(comparison, feature[j], sets[j])
            if not oblique:
                return box_test(comparison, feature[j], threshold[j])
            demand(len(weights[j]) == dim, "%d weights, not %d", len(weights[j]), dim)
            return half_test(weights[j], threshold[j])

        return Tree(left, right, test, lambda j: (rate * value[j][0], adds[i]) if rate is not None else value[j])

    grown = [tree(*pair) for pair in enumerate(trees)]
    return (Oblique if oblique else Boxes)(stored, dim, classes, grown, vote, base, single, divisor)

def one_class(v, c, classes):
    demand(0 <= c < classes, "class %d is not there", c)
    values = [0.0] * classes
    values[c] = v
    return values

def given(members, key, kind):
    """The value in an object of XGBoost's file for a key, which may be absent, but no null; or an empty one."""
    demand(type(members.get(key, kind())) is kind, "%r is no %s", key, kind.__name__)
    found = members.get(key, kind())
    return members_of(found, XGBOOST_KEYS[key]) if key in XGBOOST_KEYS else found

def texts(members, key):
    found = given(members, key, dict)
    demand(all(type(v) is str for v in found.values()), "%r has what is no text", key)
    return found

def integer(members, key, missing):
    """An integer in a text, where a plus and leading zeros do not matter."""
    if key not in members:
        return missing
    demand(len(members[key]) <= LONGEST_NUMBER and INTEGER.fullmatch(members[key]), "%s: %.40r is no integer", key, members[key])
    return whole_number(int(members[key]))

def read_xgboost(top, stored):
    members_of(top, XGBOOST_KEYS["the file"])
    learner, version = given(top, "learner", dict), [whole_number(v) for v in given(top, "version", list)]
    demand(version and 1 <= version[0] <= 3, "version is %s", version)
    parameters, attributes, booster = texts(learner, "learner_model_param"), texts(learner, "attributes"), given(learner, "gradient_booster", dict)
    model, objective = given(booster, "model", dict), given(given(learner, "objective", dict), "name", str)
    size, rounds_of = texts(model, "gbtree_model_param"), [whole_number(v) for v in given(model, "tree_info", list)]
    demand(all(type(v) is str for v in given(learner, "feature_names", list)), "a name is no text")
    vote = {"binary:logistic": "logistic", "multi:softmax": "sum", "multi:softprob": "softmax"}.get(objective)
    trees, groups = given(model, "trees", list), integer(parameters, "num_class", 0)
    demand(vote and given(booster, "name", str) == "gbtree" and "weight_drop" not in {**booster, **model} and integer(parameters, "num_target", 1) < 2
           and 0 <= groups <= max(len(trees), 1) and (vote == "logistic") == (groups < 2), "objective %.40r, another booster, or several targets", objective)
    classes, groups, dim = max(2, groups), max(1, groups), integer(parameters, "num_feature", 0)
    per_round = groups * max(1, integer(size, "num_parallel_tree", 1))
    rounds, rest = divmod(len(trees), per_round)
    for i, before in enumerate(given(model, "iteration_indptr", list)):
        demand(whole_number(before) == min(i * per_round, len(trees)), "%d trees before round %d", before, i)
    demand(trees and not rest and len(rounds_of) == len(trees) == integer(size, "num_trees", len(trees)), "%d trees", len(trees))
    demand(all(0 <= c < groups for c in rounds_of), "tree_info is of a class that is not there")
    best = rounds - 1
    if "scikit_learn" in attributes:
        best = integer(attributes, "best_iteration", best)
        after = attributes["scikit_learn"].partition('"missing":')[2]
        demand(not after or re.match(" *NaN *[,}]", after), "%.40r is missing", after)
    demand(0 <= best < rounds, "best_iteration is %d", best)
    base = base_of(given(parameters, "base_score", str), groups, version >= [3, 2])
    grown = [xgboost_tree(t, c if groups > 1 else 1, dim) for t, c in zip(trees, rounds_of)]
    return Boxes(stored, dim, classes, grown[:(best + 1) * per_round], vote, base, True)

def xgboost_tree(t, c, dim):
    demand(type(t) is dict, "a tree is no object")
    members_of(t, XGBOOST_KEYS["tree"])
    parameters, kinds = texts(t, "tree_param"), [whole_number(v) for v in given(t, "split_type", list)]
    demand(not any(kinds) and integer(parameters, "size_leaf_vector", 0) <= 1, "a split is categorical, or leaves have several values")
    left, right, features = ([whole_number(v) for v in given(t, key, list)] for key in ("left_children", "right_children", "split_indices"))
    conditions, missing, n = list(map(condition_of, given(t, "split_conditions", list))), given(t, "default_left", list), len(left)
    demand(all(v is True or v is False or type(v) is int and v in (0, 1) for v in missing), "default_left is neither 0 nor 1")
    demand(len(right) == len(features) == len(conditions) == len(missing) == n == integer(parameters, "num_nodes", n) and len(kinds) in (0, n),
           "arrays of a tree differ")
    demand(all(l < 0 and r < 0 or 0 <= f < dim for l, r, f in zip(left, right, features)), "there is no such feature")

    def test(n):
        demand(conditions[n] == conditions[n], "a condition is NaN")
        return box_test("float32(x) < t", features[n], conditions[n])

    return Tree(left, right, test, lambda n: (conditions[n], c), integer(parameters, "num_deleted", 0))

def condition_of(v):
    demand(type(v) is int or type(v) is Number, "%.40r is no number", v)
    return float(v) if v in NAMES else number32(str(v))

def base_of(text, groups, clamped):
    """The start of the sums. From version 3.2 on a probability next to 0 or 1 counts as the nearest that is not."""
    if text[:1] == "[":
        demand(text[-1:] == "]" and len(text) > 1, "base_score is %.40r", text)
        text = text[1:-1]
    words = [word.strip(PLAIN) for word in text.split(",")]
    demand(all(map(is_measured, words)), "base_score is %.40r", text)
    base = list(map(number32, words))
    base = base * groups if len(base) == 1 else base
    demand(len(base) == groups, "base_score has %d numbers for %d classes", len(base), groups)
    if groups > 1:
        return base
    nearest = round32(1e-6)
    within = min(max(base[0], nearest), round32(1 - nearest))
    demand(0 <= base[0] <= 1 and (within == base[0] or clamped), "base_score %r is no probability", base)
    return [0.0, -logf(round32(round32(1 / within) - 1))]

def logf(x):
    """The logarithm of a normal float32 as the C library rounds it that XGBoost calls."""
    def fused(a, b, c):
        return float(Fraction(a) * Fraction(b) + Fraction(c))

    bits, = struct.unpack("<I", struct.pack("<f", x))
    shifted = (bits - 0x3f330000) & 0xffffffff
    k = (shifted >> 23) - (512 if shifted >> 31 else 0)
    z, = struct.unpack("<f", struct.pack("<I", bits - (shifted & 0xff800000) & 0xffffffff))
    inverse, log = LOGS[(shifted >> 19) % 16]
    r = fused(z, inverse, -1.0)
    start, square = fused(k, float.fromhex("0x1.62e42fefa39efp-1"), log) + r, r * r
    y = fused(float.fromhex("0x1.5575b0be00b6ap-2"), r, float.fromhex("-0x1.ffffef20a4123p-2"))
    return round32(fused(fused(float.fromhex("-0x1.00ea348b88334p-2"), square, y), square, start))

# A reciprocal and a logarithm for each sixteenth of an octave.
LOGS = [tuple(map(float.fromhex, pair.split())) for pair in """
0x1.661ec79f8f3bep+0 -0x1.57bf7808caadep-2, 0x1.571ed4aaf883dp+0 -0x1.2bef0a7c06ddbp-2, 0x1.49539f0f010bp+0 -0x1.01eae7f513a67p-2,
0x1.3c995b0b80385p+0 -0x1.b31d8a68224e9p-3, 0x1.30d190c8864a5p+0 -0x1.6574f0ac07758p-3, 0x1.25e227b0b8eap+0 -0x1.1aa2bc79c81p-3,
0x1.1bb4a4a1a343fp+0 -0x1.a4e76ce8c0e5ep-4, 0x1.12358f08ae5bap+0 -0x1.1973c5a611cccp-4, 0x1.0953f419900a7p+0 -0x1.252f438e10c1ep-5,
0x1p+0 0x0p+0, 0x1.e608cfd9a47acp-1 0x1.aa5aa5df25984p-5, 0x1.ca4b31f026aap-1 0x1.c5e53aa362eb4p-4,
0x1.b2036576afce6p-1 0x1.526e57720db08p-3, 0x1.9c2d163a1aa2dp-1 0x1.bc2860d22477p-3, 0x1.886e6037841edp-1 0x1.1058bc8a07ee1p-2,
0x1.767dcf5534862p-1 0x1.4043057b6ee09p-2""".split(",")]

def read_lightgbm(text, stored):
    sections = [{}]
    for i, line in enumerate(text.split("\n")):
        line = line.strip(PLAIN)
        key, is_pair, value = line.partition("=")
        if i == 0 or not line:
            continue
        if line == "end of trees":
            break
        if key == "Tree":
            demand(value == str(len(sections) - 1), "tree %.40r comes out of order", value)
            sections.append({})
            continue
        demand((is_pair or len(sections) == 1) and key not in sections[-1], "%.40r is there twice, or has no =", key)
        demand(key in (LIGHTGBM_TREE_LINES if sections[1:] else LIGHTGBM_LINES), "line %d: %.40r is unknown", i + 1, key)
        sections[-1][key] = value
    else:
        raise Refused('the file ends before "end of trees"')
    head, *parts = sections
    groups, last = integer(head, "num_class", 0), integer(head, "max_feature_idx", -1)
    demand(head.get("version") in ("v3", "v4") and "average_output" not in head, "version %r, or a random forest", head.get("version"))
    demand(groups > 0 and integer(head, "num_tree_per_iteration", groups) == groups and parts and len(parts) % groups == 0, "%d trees", len(parts))
    for key, number in ("tree_sizes", len(parts)), ("feature_names", last + 1):
        demand(key not in head or len(words_of(head, key)) == number, "%s has not %d words", key, number)
    name, _, parameter = head.get("objective", "").strip(PLAIN).partition(" ")
    base, classes, vote = None, max(2, groups), "softmax"
    if name == "binary" and parameter.startswith("sigmoid:") and groups == 1:
        sigmoid, vote = measured(parameter[8:]), "logistic"
        demand(sigmoid > 0, "sigmoid is %r", sigmoid)
        if sigmoid != 1:
            vote, base = "sum", [min(largest(lambda a: a * sigmoid <= 1.5 * 2.0 ** -53), sys.float_info.max), 0.0]
    else:
        demand(name == "multiclass" and groups > 1 and parameter == "num_class:%d" % groups, "objective %.40r", name)
    trees = [lightgbm_tree(part, i % groups if groups > 1 else 1) for i, part in enumerate(parts)]
    return Boxes(stored, last + 1, classes, trees, vote, base)

def words_of(fields, key):
    return [word for word in fields.get(key, "").translate(str.maketrans(PLAIN, " " * len(PLAIN))).split(" ") if word]

def lightgbm_tree(fields, c):
    demand(integer(fields, "num_cat", -1) == integer(fields, "is_linear", 0) == 0, "a tree is categorical or linear")
    leaves, zero = integer(fields, "num_leaves", 0), round32(1e-35)

    def column(key, count, read):
        words = words_of(fields, key)
        demand(len(words) == count, "%s has %d words, not %d", key, len(words), count)
        return list(map(read, words))

    demand(leaves > 0, "num_leaves is %d", leaves)
    number = lambda word: integer({"a number": word}, "a number", 0)
    features, kinds = column("split_feature", leaves - 1, number), column("decision_type", leaves - 1, number)
    thresholds = column("threshold", leaves - 1, lambda word: math.inf if word == "inf" else measured(word))
    values, children = column("leaf_value", leaves, measured), [column(key, leaves - 1, number) for key in ("left_child", "right_child")]
    demand(all(-leaves <= n < leaves - 1 for side in children for n in side), "there is no such child")

    def test(n):
        t, kind = thresholds[n], kinds[n]
        demand(0 <= kind < 12 and kind & 1 == 0 and (kind & 12 != 4 or (kind & 2 != 0) == (t >= 0)),
               "a split is categorical, or zeros are missing and go another way")
        t = zero if 0 <= t < zero else math.nextafter(-zero, -math.inf) if -zero <= t < 0 else t
        return box_test("x <= t", features[n], t)

    # Leaf i is node leaves - 1 + i.
    left, right = ([n if n >= 0 else leaves - 1 + ~n for n in side] + [-1] * leaves for side in children)
    return Tree(left, right, test, lambda n: (values[n - leaves + 1], c))

def read_training(data, k, stored=None):
    stored = len(data) if stored is None else stored
    text = data.decode("utf-8-sig")
    lines = [line for line in (line.strip(PLAIN) for line in text.split("\n")) if line]
    demand(lines, "there are no rows")
    points, labels = (read_csv if "," in lines[0] else read_libsvm)(lines, (1 << 23) + 3 * stored)
    if all(map(is_measured, labels)):
        labels = list(map(measured, labels))
    rank = {name: i for i, name in enumerate(sorted(set(labels)))}
    return Rows(points, [rank[label] for label in labels], len(rank), k)

def read_csv(lines, room):
    points, labels, width = [], [], 0
    for i, line in enumerate(lines):
        cells = cells_of(line)
        if i == 0:
            width = len(cells)
            if any(cells) and not any(map(is_measured, cells)):
                continue
        demand(1 < len(cells) == width, "%d cells", len(cells))
        points.append(array("d", map(measured, cells[:-1])))
        labels.append(cells[-1])
        demand(len(points) * (width - 1) <= room, "there are more numbers than a file of this length may have")
    return points, labels

CELL = re.compile(r'[ \t\r\v\f]*(?:"((?:[^"]|"")*)"[ \t\r\v\f]*|([^",]*))(,|$)')

def cells_of(line):
    """The cells of a line. Those in double quotes may have commas, and a quote for two."""
    cells, at, comma = [], 0, ","
    while comma:
        match = CELL.match(line, at)
        demand(match, "a quote is out of place")
        cells.append((match[2] if match[1] is None else match[1].replace('""', '"')).strip(PLAIN))
        at, comma = match.end(), match[3]
    return cells

def read_libsvm(lines, room):
    rows, labels, base, most = [], [], 1, 0
    for line in lines:
        words = [word for word in line.partition("#")[0].translate(str.maketrans(PLAIN, " " * len(PLAIN))).split(" ") if word]
        if not words:
            continue
        indices, values, last = array("l"), array("d"), -1
        demand(":" not in words[0], "%.40r where the label is expected", words[0])
        for word in words[1:]:
            match = PAIR.fullmatch(word)
            demand(match and last < int(match[1]) <= MOST_FEATURES, "%.40r: the index is no number above the one before", word)
            last = int(match[1])
            indices.append(last)
            values.append(measured(match[2]))
        base, most = min(base, indices[0] if indices else 1), max(most, last)
        rows.append((indices, values))
        labels.append(words[0])
    dim = most + 1 - base
    demand(dim <= MOST_FEATURES and len(rows) * dim <= room, "there are more numbers than a file of this length may have")
    points = []
    for indices, values in rows:
        row = array("d", bytes(8 * dim))
        for index, value in zip(indices, values):
            row[index - base] = value
        points.append(row)
    return points, labels

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

def property_of(lines, models):
    """The head of a proof about all inputs."""
    dim, classes = models[0].dim, [model.classes for model in (models[0], models[-1])]
    words = lines.optional("domain", 2 * dim)
    ends = [-math.inf, math.inf] * dim if words is None else list(map(parse_float, words))
    head = SimpleNamespace(lo=ends[::2], hi=ends[1::2], one_hot=[], copies=[], terms=[], above=None, label=None)
    demand(all(l <= h and l < math.inf and h > -math.inf for l, h in zip(head.lo, head.hi)), "this is no domain")
    head.codes = parse_codes(lines, dim)
    words = lines.optional("one-hot")
    while words is not None:
        head.one_hot.append([parse_natural(word, dim, "feature") for word in words])
        demand(words and all(a < b for a, b in zip(head.one_hot[-1], head.one_hot[-1][1:])), "features do not ascend")
        words = lines.optional("one-hot")
    words = lines.optional("copy")
    while words is not None:
        demand(len(words) in (2, 3) and (len(words) == 3 or words[1] == "next"), "a copy is next, or has two ends")
        f = parse_natural(words[0], dim, "feature")
        demand(not head.copies or f > head.copies[-1][0], "copies do not ascend")
        least, most = (None, None) if len(words) == 2 else map(parse_float, words[1:])
        demand(least is None or least <= most and least < math.inf and most > -math.inf, "a copy that exceeds by %s to %s", least, most)
        head.copies.append((f, least, most))
        words = lines.optional("copy")
    words = lines.optional("above")
    if words is None:
        words = lines.line("labels")
        demand(len(words) < 2 and classes[0] == classes[1] > 1, "there are no such labels")
        head.label = parse_natural(words[0], classes[0], "label") if words else None
        return head
    demand(len(words) > 1 and len(words) % 3 == 1, "a number and terms should follow")
    head.above, = parse_finite(words[:1])
    for weight, reading, label in zip(words[1::3], words[2::3], words[3::3]):
        weight, reading = *parse_finite([weight]), parse_natural(reading, 2, "reading")
        term = weight, reading, parse_natural(label, classes[reading], "class")
        demand(weight and (not head.terms or term[1:] > head.terms[-1][1:]), "terms do not ascend, or have no weight")
        head.terms.append(term)
    return head

def check_properties(lines, models):
    """Checks the proofs of a file about all inputs."""
    demand(all(type(model) is Boxes for model in models), "proofs about all inputs are of trees that test one feature")
    demand(len({model.dim for model in models}) == 1, "the models have different features")
    name, count = lines.name(lines.line("property")), 0
    while name is not None:
        head = property_of(lines, models)
        Pairs(models, head).check(lines)
        lines.line("end", 0)
        print("%s: %s" % (" ".join(name), "labels do not differ" if not head.terms else "at most %r" % head.above))
        count, name = count + 1, lines.optional("property")
        lines.name(name or [])
    demand(not lines.words(), "there is text after the end, where nothing, or 'property', should begin a line")
    print("%d proofs hold" % count)

def check(lines, models, digests):
    """Checks all proofs of a file, and prints their claims."""
    head, count, settled = lines.words(), 0, 0
    kinds = [[kind, "1"] for kind in ("facet-proofs", "facet-pruning", "facet-properties")]
    demand(head in kinds, "this is no file of proofs of version 1")
    if head[0] == "facet-properties":
        demand(len(models) < 3, "%d models", len(models))
        for digest in digests:
            demand(lines.line("model") == ["sha256", digest], "the proofs are about another file than %s", digest)
        check_properties(lines, models)
        return
    pruning = head[0] == "facet-pruning"
    demand(len(models) == 1 or not pruning, "these proofs are about one training set")
    for digest in digests:
        demand(lines.line("data" if pruning else "model") == ["sha256", digest], "the proofs are about another file than %s", digest)
    model, *others = models
    name = ["pruning"] if pruning else lines.name(lines.line("proof"))
    while name is not None:
        proof = check_pruning(lines, model) if pruning else Proof(lines, model, others)
        if not pruning:
            proof.model.check(lines, proof)
        lines.line("end", 0)
        print("%s: norm %s, bound %r, %s" % (" ".join(name), proof.norm, proof.bound, "settled" if proof.settled else "not settled"))
        count, settled, name = count + 1, settled + proof.settled, None if pruning else lines.optional("proof")
        lines.name(name or [])
    demand(not lines.words(), "there is text after the end, where nothing or, but for pruning, 'proof' should begin a line")
    print("%d proofs hold, %d are settled" % (count, settled))

def main(arguments=None):
    parser = argparse.ArgumentParser(description="Checks proofs of facet, as docs/reference/proof-format.md describes them.")
    parser.add_argument("proofs", help="file of proofs, perhaps gzipped")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--model", action="append", help="file of the model; of several as often, in the order of the proofs")
    source.add_argument("--train", help="training set: LIBSVM, or CSV with the label last")
    parser.add_argument("-k", type=int, help="how many neighbours vote (with --train)")
    chosen = parser.parse_args(arguments)
    models, digests = [], []
    try:
        for path in chosen.model or [chosen.train]:
            with open(path, "rb") as file:
                data, stored = content(file)
            models.append(read_training(data, chosen.k, stored) if chosen.train else read_model(data, stored))
            digests.append(hashlib.sha256(data).hexdigest())
        file = open(chosen.proofs, "rb")
    except Exception as fault:  # of any fault in it
        instead = "" if chosen.train else "; facet attack --proofs F writes a model that can be read beside the proofs, F.model.json"
        print("%s cannot be read: %s: %s%s" % (path, type(fault).__name__, fault, instead), file=sys.stderr)
        return 2
    lines = Lines(unzipped(file))
    try:
        with file:
            check(lines, models, digests)
    except Refused as refusal:
        print("%s:%d: refused: %s" % (chosen.proofs, lines.number, refusal), file=sys.stderr)
        return 1
    return 0

if __name__ == "__main__":
    sys.exit(main())
