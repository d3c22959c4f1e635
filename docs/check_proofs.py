#!/usr/bin/env python3
"""Checks proofs that no input nearer than a bound has another label: docs/proof-format.md.

    python3 docs/check_proofs.py PROOFS --model FILE
    python3 docs/check_proofs.py PROOFS --train FILE -k K

Every distance and every sum is computed anew from the model's or the training set's own file, in
integers: all numbers of a proof are multiples of one power of two. The only arithmetic in floating
point is the model's own, where it is what the proof is about. Needs Python 3.8 or later and nothing
else. Exit status: 0 if all proofs hold, 1 if one is refused, 2 if nothing could be checked.
"""
import argparse
import csv
import gzip
import hashlib
import json
import math
import re
import struct
import sys
import time
import zlib
from fractions import Fraction


class Refused(Exception):
    """The proofs are wrong, at the line that is being read."""


def demand(condition, reason, *details):
    if not condition:
        raise Refused(reason % details if details else reason)


# Numbers


FLOAT = re.compile(r"[+-]?(0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)([pP][+-]?[0-9]{1,6})?"
                   r"|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,6})?|inf)", re.ASCII)
NATURAL = re.compile(r"0|[1-9][0-9]{0,17}", re.ASCII)


def parse_float(word):
    demand(FLOAT.fullmatch(word), "%r is no number", word)
    try:
        return float.fromhex(word) if "x" in word.lower() else float(word)
    except OverflowError:
        raise Refused("%r is no float64" % word) from None


def parse_natural(word, below, what):
    demand(NATURAL.fullmatch(word) and int(word) < below, "%r is no %s below %d", word, what, below)
    return int(word)


def binary_places(values):
    """How many binary digits behind the point these floats have at most, infinities aside."""
    places = 0
    for v in values:
        if v - v == 0:
            places = max(places, v.as_integer_ratio()[1].bit_length() - 1)
    return places


def scaled(v, places):
    """The integer v·2^places; infinities stay what they are."""
    if v - v != 0:
        return v
    numerator, denominator = v.as_integer_ratio()
    return numerator << places - (denominator.bit_length() - 1)


# The file of proofs


class Lines:
    """Reads a file line by line, or token by token, and knows the number of the line."""

    def __init__(self, path):
        self.file = gzip.open(path) if path.endswith(".gz") else open(path, "rb")
        self.number = 0
        self.ahead = None

    def _read(self, limit=-1):
        try:
            return self.file.readline(limit)
        except (EOFError, gzip.BadGzipFile, zlib.error) as fault:
            raise Refused("the file is damaged: %s" % fault) from None

    def words(self):
        """The words of the next line; none at the end of the file."""
        if self.ahead is not None:
            words, self.ahead = self.ahead, None
            return words
        line = self._read()
        if not line:
            return []
        self.number += 1
        demand(line.endswith(b"\n"), "the file ends within a line")
        try:
            words = line[:-1].decode("utf-8").split(" ")
        except UnicodeDecodeError:
            raise Refused("this is not UTF-8") from None
        return words

    def line(self, key):
        """The words behind the key of the next line, which must begin with it."""
        words = self.words()
        demand(words, "the file ends where %r should follow", key)
        demand(words[0] == key, "%r should begin this line", key)
        return words[1:]

    def optional(self, key):
        words = self.words()
        if words and words[0] == key:
            return words[1:]
        self.ahead = words
        return None

    def more(self):
        """Whether the file goes on."""
        if self.ahead is None:
            self.ahead = self.words()
        return bool(self.ahead)

    def tokens(self):
        """The tokens of a tree, which the next line holds, without reading it at once."""
        self.number += 1
        rest = ""
        while True:
            chunk = self._read(1 << 16)
            demand(chunk, "the file ends within a tree")
            demand(chunk.isascii(), "there is a byte that belongs to no token")
            text = rest + chunk.decode("ascii")
            whole = len(text) - 1 if text[-1] == "\n" else text.rfind(".") + 1
            yield from TOKEN.findall(text[:whole])
            rest = text[whole:]
            if rest == "\n":
                return


TOKEN = re.compile(r"\.|[a-z]+[0-9]+|.", re.DOTALL)
SPLIT = re.compile(r"(a|[b-z][a-z]*)(0|[1-9][0-9]*)")


def parse_split(token):
    """The feature and the last slot of the first part, counted from the first of the box."""
    match = SPLIT.fullmatch(token)
    demand(match and len(token) < 40, "%.40r is no token", token)
    feature = 0
    for letter in match[1]:
        feature = 26 * feature + ord(letter) - ord("a")
    return feature, int(match[2])


EPSILON = Fraction(1e-9)


class Proof:
    """The head of a proof: what it claims."""

    def __init__(self, lines, model):
        self.name = " ".join(lines.line("proof"))
        self.norm = self.one(lines.line("norm"))
        demand(self.norm in ("1", "2", "inf"), "the norm is 1, 2 or inf, not %r", self.norm)
        self.source = parse_natural(self.one(lines.line("from")), model.classes, "label")
        target = lines.optional("target")
        self.target = None if target is None else parse_natural(self.one(target), model.classes, "label")
        self._read_domain(lines.optional("domain"), model.dim)
        self.x = [parse_float(w) for w in lines.line("x")]
        demand(len(self.x) == model.dim, "x has %d coordinates, the model %d features", len(self.x), model.dim)
        demand(all(v - v == 0 for v in self.x), "x is not finite")
        self.bound = parse_float(self.one(lines.line("bound")))
        demand(self.bound >= 0, "the bound is negative")
        self.settled = self.bound == math.inf
        self._scale(model)
        example = lines.optional("example")
        if example is not None:
            self._check_example(example, model)

    @staticmethod
    def one(words):
        demand(len(words) == 1, "one word should follow the first, not %d", len(words))
        return words[0]

    def answers(self, label):
        return label == self.target if self.target is not None else label != self.source

    def rivals(self, label, classes):
        """The labels that one of must be shown to beat this one, which answers."""
        return [self.source] if self.target is None else [r for r in range(classes) if r != label]

    def _read_domain(self, words, dim):
        if words is None:
            self.lo, self.hi = [-math.inf] * dim, [math.inf] * dim
            return
        ends = [parse_float(w) for w in words]
        demand(len(ends) == 2 * dim, "the domain has %d ends, should have %d", len(ends), 2 * dim)
        self.lo, self.hi = ends[::2], ends[1::2]
        demand(all(l <= h and l < math.inf and h > -math.inf for l, h in zip(self.lo, self.hi)),
               "a side of the domain is empty")

    def _scale(self, model):
        """Everything as integers, in units of 2^-places."""
        numbers = self.x + self.lo + self.hi + [self.bound]
        self.places = max(model.places, binary_places(numbers))
        self.X = [scaled(v, self.places) for v in self.x]
        self.LO = [scaled(v, self.places) for v in self.lo]
        self.HI = [scaled(v, self.places) for v in self.hi]
        self.B = scaled(self.bound, self.places)

    def _check_example(self, words, model):
        demand(len(words) == model.dim + 1, "the example has %d words, should have %d", len(words), model.dim + 1)
        label = parse_natural(words[0], model.classes, "label")
        demand(self.answers(label), "label %d of the example does not answer", label)
        z = [parse_float(w) for w in words[1:]]
        demand(all(v - v == 0 for v in z), "the example is not finite")
        demand(all(l <= v <= h for l, v, h in zip(self.lo, z, self.hi)), "the example lies outside the domain")
        demand(model.gives(z, label), "the model does not give the example label %d", label)
        demand(self.bound < math.inf, "the example lies nearer than the bound")
        gaps = [abs(Fraction(v) - Fraction(w)) for v, w in zip(self.x, z)]
        bound, power = Fraction(self.bound), 1
        length = max(gaps) if self.norm == "inf" else sum(gaps)
        if self.norm == "2":
            length, power = sum(g * g for g in gaps), 2
        demand(length >= bound ** power, "the example lies nearer than the bound")
        self.settled = length <= (bound + EPSILON * max(bound, 1)) ** power


# Combinations of half-spaces a·u ≤ β


TERM = re.compile(r"(?:([1-9][0-9]{0,999})\*)?([^*]+)", re.ASCII)


def far(a, beta, proof):
    """Whether the half-space a·u ≤ beta has no interior nearer than the bound. Units as in Proof;
    beta has them squared."""
    if not any(a):
        return beta < 0
    if beta >= 0 or proof.bound == math.inf:
        return False
    if proof.norm == "2":
        return beta * beta >= proof.B * proof.B * sum(v * v for v in a)
    return -beta >= proof.B * (sum if proof.norm == "inf" else max)(map(abs, a))


def check_combination(words, proof, term):
    """Refuses a combination that does not show that nothing nearer than the bound satisfies all its
    terms; term(word) gives the half-space of a term."""
    demand(words, "a combination has at least one term")
    total, right, proper = [0] * len(proof.x), 0, False
    for word in words:
        match = TERM.fullmatch(word)
        demand(match, "%r is no term", word)
        a, beta = side(match[2], proof) if match[2][0] in "+-" else term(match[2])
        m = int(match[1] or 1)
        total = [t + m * v for t, v in zip(total, a)]
        right += m * beta
        proper = proper or any(a)
    demand(far(total, right, proof) or proper and right == 0 and not any(total),
           "the combination does not show that nothing nearer than the bound is left")


def side(word, proof):
    """A side of the domain."""
    feature = parse_natural(word[1:], len(proof.x), "feature")
    a = [0] * len(proof.x)
    a[feature] = (1 if word[0] == "+" else -1) << proof.places
    room = proof.HI[feature] - proof.X[feature] if word[0] == "+" else proof.X[feature] - proof.LO[feature]
    demand(room < math.inf, "the domain is open at %r", word)
    return a, room << proof.places


# Trees that test one feature


class Boxes:
    """The slots of a proof, and the boxes of its trees."""

    def __init__(self, model, proof):
        self.model, self.proof = model, proof
        shift = proof.places - model.places
        self.below, self.above, self.root = [], [], []
        for f, borders in enumerate(model.borders):
            self._add_feature(f, [(e << shift, closed) for e, closed in borders])
        self.limit = proof.B ** 2 if proof.norm == "2" else proof.B

    def _add_feature(self, f, borders):
        """What the slots of a feature cost: the gap of lo…hi is the larger of below[lo] and above[hi]."""
        p = self.proof
        # Ends are (place, 0 or 1): (e, 1) is just behind e. A slot reaches from start to stop.
        ends = [(p.LO[f], 0)] + [(e, int(closed)) for e, closed in borders] + [(p.HI[f], 1)]
        starts = [max(e, ends[0]) for e in ends[:-1]]
        stops = [min(e, ends[-1]) for e in ends[1:]]
        below = [max(start[0] - p.X[f], 0) for start in starts]
        above = [max(p.X[f] - stop[0], 0) for stop in stops]
        kept = [s for s in range(len(starts)) if starts[s] < stops[s] and max(below[s], above[s]) < p.B]
        power = 2 if p.norm == "2" else 1
        self.below.append([v ** power for v in below])
        self.above.append([v ** power for v in above])
        self.root.append((kept[0], kept[-1]) if kept else None)

    def total(self, costs):
        return max(costs) if self.proof.norm == "inf" else sum(costs)

    def meeting(self, tree, label, rivals):
        """The leaves of a tree that meet the root, as (gain, ranges, leaf), best first."""
        root, found = self.root, []
        for leaf in tree.leaves:
            if all(lo <= root[f][1] and hi >= root[f][0] for f, (lo, hi) in leaf.ranges.items()):
                found.append((leaf.values[label] - leaf.values[rivals[0]], leaf.ranges, leaf))
        found.sort(key=lambda entry: -entry[0])
        return found

    def check(self, lines):
        """The body."""
        if None in self.root:
            return
        for label in filter(self.proof.answers, range(self.model.classes)):
            words = lines.line("label")
            demand(words == [str(label)], "label %d should follow", label)
            self.check_tree(lines, label)

    def check_tree(self, lines, label):
        rivals = self.proof.rivals(label, self.model.classes)
        lo, hi = [r[0] for r in self.root], [r[1] for r in self.root]
        costs = [max(self.below[f][lo[f]], self.above[f][hi[f]]) for f in range(len(lo))]
        leaves = [self.meeting(tree, label, rivals) for tree in self.model.trees]
        stack = [(lo, hi, costs, leaves)]
        for token in lines.tokens():
            demand(stack, "the tree goes on behind its end")
            box = stack.pop()
            if token == ".":
                self.check_leaf(box, label, rivals)
            else:
                first, second = self.split(box, *parse_split(token))
                stack += (second, first)
        demand(not stack, "the tree ends before its last part")

    def split(self, box, f, r):
        lo, hi, costs, leaves = box
        demand(f < len(lo), "there is no feature %d", f)
        demand(r < hi[f] - lo[f], "the split cuts nothing off: feature %d has the slots %d to %d", f, lo[f], hi[f])
        cut = lo[f] + r
        return self.part(box, f, lo[f], cut), self.part(box, f, cut + 1, hi[f])

    def part(self, box, f, first, last):
        lo, hi, costs, leaves = box
        lo, hi, costs = lo[:], hi[:], costs[:]
        lo[f], hi[f], costs[f] = first, last, max(self.below[f][first], self.above[f][last])
        kept, everything = [], (first, last)
        for tree, entries in zip(self.model.trees, leaves):
            if f in tree.features:
                entries = [e for e in entries
                           if e[1].get(f, everything)[0] <= last and e[1].get(f, everything)[1] >= first]
            kept.append(entries)
        return lo, hi, costs, kept

    def near(self, box, total, ranges):
        """Whether the leaf with these ranges, which meets the box, does so nearer than the bound."""
        lo, hi, costs, _ = box
        if self.proof.norm == "inf":
            return True  # the slots of the root all are
        for f, (first, last) in ranges.items():
            first, last = max(first, lo[f]), min(last, hi[f])
            total += max(self.below[f][first], self.above[f][last]) - costs[f]
        return total < self.limit

    def check_leaf(self, box, label, rivals):
        total = self.total(box[2])
        if total >= self.limit:
            return
        for rival in rivals:
            if self.lost(box, total, label, rival, sort=len(rivals) > 1):
                return
        left = [[leaf for _, ranges, leaf in entries if self.near(box, total, ranges)] for entries in box[3]]
        demand(all(len(leaves) == 1 for leaves in left), "a leaf is neither far, nor lost, nor evaluated")
        demand(self.model.loses([leaves[0] for leaves in left], label), "the model may give label %d in this box", label)

    def lost(self, box, total, label, rival, sort):
        difference = self.model.base[label] - self.model.base[rival]
        for entries in box[3]:
            if sort:
                entries = sorted(((e[2].values[label] - e[2].values[rival],) + e[1:] for e in entries),
                                 key=lambda entry: -entry[0])
            for gain, ranges, _ in entries:
                if self.near(box, total, ranges):
                    difference += gain
                    break
            else:
                return True
        return self.model.is_lost(difference, label, rival)


# Trees that test half-spaces


class Oblique:
    """The regions of a proof about oblique trees."""

    def __init__(self, model, proof):
        self.model, self.proof, self.half = model, proof, {}
        self.path = []

    def half_space(self, t, n, right):
        """What a test demands of displacements."""
        key = t, n, right
        if key not in self.half:
            p, shift = self.proof, self.proof.places - self.model.places
            weights, threshold = self.model.trees[t].halves[n]
            sign = -1 if right else 1
            a = [sign * w << shift for w in weights]
            room = sign * ((threshold << shift + p.places) - (sum(w * v for w, v in zip(weights, p.X)) << shift))
            self.half[key] = a, room
        return self.half[key]

    def check(self, lines):
        near = [[leaf for leaf in tree.leaves
                 if not any(far(*self.half_space(t, n, right), self.proof) for n, right in leaf.path.items())]
                for t, tree in enumerate(self.model.trees)]
        for label in filter(self.proof.answers, range(self.model.classes)):
            words = lines.line("label")
            demand(words == [str(label)], "label %d should follow", label)
            self.check_tree(lines, label, near)

    def check_tree(self, lines, label, near):
        self.path = []
        stack = [(0, None, near)]
        while stack:
            depth, decision, left = stack.pop()
            if depth:
                self.path[depth - 1:] = [decision]
            words = lines.words()
            demand(words, "the file ends within a tree")
            kind, words = words[0], words[1:]
            if kind == "s":
                t, n = self.inner(words)
                for right in (True, False):
                    kept = [leaf for leaf in left[t] if leaf.path.get(n, right) == right]
                    stack.append((depth + 1, (t, n, right), left[:t] + [kept] + left[t + 1:]))
            elif kind == "d":
                stack.append((depth, decision, self.without(words, left)))
            elif kind == "c":
                check_combination(words, self.proof, self.decision)
            else:
                demand(kind == "." and not words, "a node begins with s, c, d or .")
                self.check_leaf(label, left)

    def inner(self, words):
        demand(len(words) == 2, "a tree and a node should follow")
        t = parse_natural(words[0], len(self.model.trees), "tree")
        n = parse_natural(words[1], len(self.model.trees[t].tests), "node")
        demand(isinstance(self.model.trees[t].tests[n], tuple), "node %d of tree %d is no test", n, t)
        return t, n

    def decision(self, word):
        demand(word[0] == "@", "%r is no term of a combination here", word)
        return self.half_space(*self.path[parse_natural(word[1:], len(self.path), "decision")])

    def without(self, words, left):
        """The leaves that are left without the one that a line d leaves out."""
        demand(len(words) > 2, "a tree, a leaf and a combination should follow")
        t = parse_natural(words[0], len(self.model.trees), "tree")
        n = parse_natural(words[1], len(self.model.trees[t].tests), "node")
        leaf = self.model.trees[t].leaf_at.get(n)
        demand(leaf is not None, "node %d of tree %d is no leaf", n, t)

        def term(word):
            if word[0] != "#":
                return self.decision(word)
            node = parse_natural(word[1:], len(self.model.trees[t].tests), "node")
            demand(node in leaf.path, "node %d is not on the way to leaf %d", node, n)
            return self.half_space(t, node, leaf.path[node])

        check_combination(words[2:], self.proof, term)
        return left[:t] + [[other for other in left[t] if other is not leaf]] + left[t + 1:]

    def check_leaf(self, label, left):
        if not all(left):
            return
        for rival in self.proof.rivals(label, self.model.classes):
            best = sum(max(leaf.values[label] - leaf.values[rival] for leaf in leaves) for leaves in left)
            if self.model.is_lost(self.model.base[label] - self.model.base[rival] + best, label, rival):
                return
        demand(all(len(leaves) == 1 for leaves in left), "a leaf is neither lost nor evaluated")
        demand(self.model.loses([leaves[0] for leaves in left], label), "the model may give label %d in this region", label)


# k-nearest neighbours


class State:
    """What is decided on the way to a node: sets of rows, as in the format's page."""

    def __init__(self, before, after, first, later, inside, outside):
        self.A, self.F, self.J, self.Z, self.I, self.O = before, after, first, later, inside, outside

    def join(self, **sets):
        new = State(self.A, self.F, self.J, self.Z, self.I, self.O)
        for name, rows in sets.items():
            setattr(new, name, getattr(new, name).union(rows))
        return new


class Neighbors:
    """A proof about k-nearest neighbours."""

    def __init__(self, model, proof):
        self.model, self.proof = model, proof
        shift = proof.places - model.places
        self.rows = [[(v << shift) - c for v, c in zip(row, proof.X)] for row in model.rows]
        self.square = [sum(v * v for v in row) for row in self.rows]
        if proof.norm == "2":
            self.low = [math.isqrt(s) for s in self.square]
            self.high = [s + 1 for s in self.low]
        else:
            self.low = self.high = [self.dual(row) for row in self.rows]
        self.side = [r for r, label in enumerate(model.labels) if proof.answers(label)]
        self.answering = set(self.side)
        self.seats = self.least_seats()

    def dual(self, row):
        return (sum if self.proof.norm == "inf" else max)(map(abs, row))

    def least_seats(self):
        """The least number of rows of the side among k neighbours that answer; None if none do."""
        p, k = self.proof, self.model.k
        count = [self.model.labels.count(label) for label in range(self.model.classes)]
        if p.target is not None:
            for v in range(1, min(count[p.target], k) + 1):
                others = sum(min(n, v if p.target < l else v - 1) for l, n in enumerate(count) if l != p.target)
                if others >= k - v:
                    return v
            return None
        most = [min((k - (p.source < l)) // 2, n - (p.source < l)) for l, n in enumerate(count) if l != p.source and n]
        seats = k - max(most, default=0)
        return seats if most and seats <= min(k, len(self.side)) else None

    def half_space(self, p, q):
        """Row p at least as near as row q."""
        demand(p != q, "row %d is compared with itself", p)
        a = [2 * (w - v) for v, w in zip(self.rows[p], self.rows[q])]
        if not any(a) and p > q:
            return a, -1
        return a, self.square[q] - self.square[p]

    def apart(self, p, q):
        """Whether "row p at least as near as row q" lies at the bound or beyond."""
        lead, b = self.square[p] - self.square[q], self.proof.B
        if lead < 0 or lead > 0 and self.proof.bound == math.inf:
            return False
        # ‖q − p‖* lies between the difference and the sum of the rows' own lengths.
        if lead > 0 and lead >= 2 * b * (self.high[p] + self.high[q]):
            return True
        if lead < 2 * b * max(self.low[p] - self.high[q], self.low[q] - self.high[p], 0):
            return False
        return far(*self.half_space(p, q), self.proof)

    def check(self, lines):
        if self.seats is None:
            return
        self.spare = self.model.k - self.seats
        near = self.list_of(lines.line("near"))
        demand(near == sorted(near), "the rivals of near do not ascend")
        demand(not self.answering.intersection(near), "a row of near is no rival")
        near.sort(key=lambda r: self.square[r])
        crowded = {p for p in self.side if self.is_crowded(p, near)}
        self.M = [p for p in self.side if p not in crowded]
        last = -1
        while True:
            words = lines.optional("pivot")
            p = len(self.model.rows) if words is None else self.list_of(words)[0]
            demand(words is None or len(words) == 1 and p in self.answering and p > last,
                   "one row of the side should follow, greater than that of the pivot before")
            for row in self.M:
                demand(not last < row < p or self.is_lonely(row),
                       "the pivot %d should come before: it is neither crowded nor lonely", row)
            if words is None:
                return
            demand(p not in crowded, "row %d is crowded and should have no pivot", p)
            self.check_pivot(lines, p)
            last = p

    def list_of(self, words):
        rows = [parse_natural(w, len(self.model.rows), "row") for w in words]
        demand(len(set(rows)) == len(rows), "a row is listed twice")
        return rows

    def is_crowded(self, p, near):
        count = 0
        for r in near:
            count += self.apart(p, r)
            if count > self.spare:
                return True
        return False

    def is_lonely(self, p):
        count = 0
        for q in self.M:
            count += q != p and not self.apart(q, p)
            if count >= self.seats - 1:
                return False
        return self.seats > 1

    def check_pivot(self, lines, p):
        self.pivot, self.rests = p, {}
        self.E = {q for q in self.M if q != p and not self.apart(q, p)}
        none = frozenset()
        stack = [iter([State(none, none, none, none, frozenset([p]), none)])]
        kinds = {"r": self.rivals_split, "q": self.side_split, "m": self.members_split, "o": self.outer_split}
        while stack:
            state = next(stack[-1], None)
            if state is None:
                stack.pop()
                continue
            words = lines.words()
            demand(words, "the file ends within the tree of pivot %d", p)
            if words[0] == "c":
                check_combination(words[1:], self.proof, lambda word: self.term(word, state))
            else:
                demand(words[0] in kinds, "a node begins with c, r, q, m or o")
                stack.append(iter(kinds[words[0]](self.list_of(words[1:]), state)))

    def rivals_split(self, rows, s):
        demand(not any(r in self.answering or r in s.A or r in s.F for r in rows), "a row is no open rival")
        demand(len(s.A) + len(rows) > self.spare, "all of these rivals may come before the pivot")
        return (s.join(A=rows[:i], I=rows[:i], F=[r]) for i, r in enumerate(rows))

    def side_split(self, rows, s):
        demand(all(q in self.E and q not in s.J and q not in s.Z for q in rows), "a row is no open one of the side")
        left = len(self.E - s.J - s.Z) - len(rows)
        demand(left < self.seats - 1 - len(s.J), "none of these rows need come before the pivot")
        return (s.join(Z=rows[:i], J=[q], I=[q]) for i, q in enumerate(rows))

    def members_split(self, rows, s):
        demand(not any(r in s.I or r in s.O for r in rows), "a row is in or out already")
        missing = self.model.k - len(s.I)
        demand(len(rows) >= missing, "all of these rows may be in")
        parts = [s.join(I=rows[:i], O=[r]) for i, r in enumerate(rows)]
        if len(rows) == missing and self.proof.answers(self.model.vote(s.I.union(rows))):
            parts.append(s.join(I=rows))
        return parts

    def outer_split(self, rows, s):
        demand(rows and rows[0] in s.O, "a row that is out should follow")
        r, rows = rows[0], rows[1:]
        demand(not any(row in s.I or row in s.O for row in rows), "a row is in or out already")
        if r not in self.rests:
            self.rests[r] = {row for row in range(len(self.rows)) if row != r and not self.apart(row, r)}
        rest = self.rests[r] - s.I - s.O
        demand(len(s.I) + len(rest.difference(rows)) < self.model.k, "all of these rows may be out")
        return (s.join(O=rows[:i], I=[row]) for i, row in enumerate(rows))

    def term(self, word, s):
        ends = word.split("<")
        demand(len(ends) == 2 and word != "<", "%r is no term of a combination here", word)
        a, b = (self.pivot if w == "" else parse_natural(w, len(self.model.rows), "row") for w in ends)
        demand(self.usable(a, b, s), "nothing that is decided says %r", word)
        return self.half_space(a, b)

    def usable(self, a, b, s):
        pivot, rival = self.pivot, b not in self.answering
        return (b == pivot and (a in s.J or a in s.A)
                or a == pivot and (b in s.F or b in s.Z)
                or a == pivot and rival and b not in s.A and len(s.A) == self.spare
                or a == pivot and not rival and b not in s.J and len(s.J) == self.seats - 1
                or a in s.I and (b in s.O or b not in s.I and len(s.I) == self.model.k))


# Models: floating point as their own libraries compute


def round32(v):
    try:
        return struct.unpack("<f", struct.pack("<f", v))[0]
    except OverflowError:
        return math.copysign(math.inf, v)


def order(v, kind="dq"):
    """Numbers the float64 in ascending order; the float32 with kind "fi"."""
    n = struct.unpack("<" + kind[1], struct.pack("<" + kind[0], v))[0]
    return n if n >= 0 else -(n & (1 << 8 * struct.calcsize(kind[1]) - 1) - 1)


def at(n, kind="dq"):
    """The float with that number."""
    v = struct.unpack("<" + kind[0], struct.pack("<" + kind[1], abs(n)))[0]
    return -v if n < 0 else v


def largest(holds):
    """The largest float64 for which a condition holds that ceases once; None if there is none."""
    lo, hi = order(-sys.float_info.max), order(sys.float_info.max)
    if not holds(at(lo)):
        return None
    while lo < hi:
        middle = (lo + hi + 1) // 2
        lo, hi = (middle, hi) if holds(at(middle)) else (lo, middle - 1)
    return at(lo)


def border32(p):
    """The border of the real numbers that round to the float32 p or less."""
    if p == math.inf:
        return math.inf, False
    q = at(order(p, "fi") + 1, "fi")
    e = (max(p, -2.0 ** 128) + min(q, 2.0 ** 128)) / 2
    return e, round32(e) == p


def border(comparison, t):
    """The border (e, closed) of a threshold."""
    if comparison == "float32(x) <= t" or comparison == "float32(x) < t":
        p, strict = round32(t), comparison.endswith("< t")
        if strict and t == -math.inf:
            return -math.inf, False
        if p > t or strict and p == t:
            p = at(order(p, "fi") - 1, "fi")
        return border32(p)
    need(t > -math.inf, "a threshold is -inf")
    if comparison == "lightgbm":
        zero = round32(1e-35)
        t = zero if 0 <= t < zero else math.nextafter(-zero, -math.inf) if -zero <= t < 0 else t
    else:
        need(comparison in ("x <= t", "x < t"), "comparison %r is unknown", comparison)
    return t, comparison != "x < t"


class BadModel(Exception):
    """The model or the training set is not one that can be checked with."""


def need(condition, reason, *details):
    if not condition:
        raise BadModel(reason % details if details else reason)


class Leaf:
    """A leaf of a tree: its values as floats, and as multiples of 2^-places of the votes."""

    def __init__(self, given):
        self.given, self.values, self.ranges, self.path = given, None, {}, {}


class Tree:
    """A tree: tests[n] is None for a leaf, a bool if node n sends all right or all left, a border
    (feature, e, closed), or a half-space (weights, threshold) as floats."""

    def __init__(self, tests, left, right, value, complete=True):
        self.tests, self.left, self.right = tests, left, right
        self.leaf_at, self.leaves, self.features = {}, [], set()
        seen, stack = set(), [(0, True, [])]
        while stack:
            n, reached, path = stack.pop()
            need(0 <= n < len(tests) and n not in seen, "a node has no parent, or two")
            seen.add(n)
            if left[n] < 0 and right[n] < 0:
                tests[n] = None
                self.leaf_at[n] = leaf = Leaf(value(n))
                if reached:
                    self.leaves.append(leaf)
                    leaf.path = dict(path)
                continue
            for child, right_side in ((right[n], True), (left[n], False)):
                constant = isinstance(tests[n], bool)
                stack.append((child, reached and not (constant and tests[n] != right_side),
                              path if constant else path + [(n, right_side)]))
        need(not complete or len(seen) == len(tests), "a node has no parent")

    def reach(self, z):
        """The leaf of an input."""
        n = 0
        while self.tests[n] is not None:
            n = self.right[n] if goes_right(self.tests[n], z) else self.left[n]
        return self.leaf_at[n]


def goes_right(test, z):
    if isinstance(test, bool):
        return test
    if len(test) == 3:
        f, e, closed = test
        return z[f] > e or z[f] == e and not closed
    weights, threshold = test
    total = 0.0
    for w, v in zip(weights, z):
        total += w * v
    return not total <= threshold


class Trees:
    """Trees that vote."""

    def __init__(self, dim, classes, trees, vote="soft", base=None, single=False):
        self.dim, self.classes, self.trees, self.vote, self.single = dim, classes, trees, vote, single
        need(dim > 0 and classes > 0 and trees, "there is no feature, no class, or no tree")
        need(vote in ("hard", "soft", "sum", "logistic", "softmax"), "vote %r is unknown", vote)
        need(vote != "logistic" or classes == 2, "a logistic vote has two classes")
        rounded = round32 if single else float
        self.start = [rounded(v) for v in base or [0.0] * classes]
        need(len(self.start) == classes, "base should have %d numbers", classes)
        leaves = [leaf for tree in trees for leaf in tree.leaf_at.values()]
        for leaf in leaves:
            need(len(leaf.given) == classes, "a leaf has %d values, should have %d", len(leaf.given), classes)
            leaf.given = [rounded(v) for v in leaf.given]
            need(all(v - v == 0 for v in leaf.given), "a value is not finite")
            if vote == "hard":
                winner = leaf.given.index(max(leaf.given))
                leaf.given = [float(c == winner) for c in range(classes)]
        places = binary_places([v for leaf in leaves for v in leaf.given] + self.start)
        self.base = [scaled(v, places) for v in self.start]
        for leaf in leaves:
            leaf.values = [scaled(v, places) for v in leaf.given]
        self.sizes = [abs(self.base[c]) + sum(max(abs(leaf.values[c]) for leaf in tree.leaf_at.values())
                                              for tree in trees) for c in range(classes)]
        most = int(at(order(math.inf, "fi") - 1, "fi")) if single else 1 << 1022
        need(max(self.sizes) <= most << places, "the sums may overflow")
        self.value_places = places

    def is_lost(self, difference, label, rival):
        if self.vote == "hard":
            return difference < 0 or difference == 0 and rival < label
        count, size = len(self.trees), Fraction(self.sizes[label] + self.sizes[rival], 1 << self.value_places)
        error = Fraction(count, 1 << (24 if self.single else 53))
        if error >= Fraction(1, 2):
            return False
        slack = error / (1 - error) * size
        if self.vote == "soft":
            slack += size / 2 ** 52 + Fraction(count, 2 ** 1074)
        elif self.vote != "sum":
            slack += self.slip()
        return difference < -slack * 2 ** self.value_places

    def slip(self):
        """How far sums must be apart for exponentials to be told apart in any arithmetic."""
        return Fraction(1, 2 ** (21 if self.single else 50))

    def sums(self, leaves):
        total = self.start
        for leaf in leaves:
            total = [t + v for t, v in zip(total, leaf.given)]
            if self.single:
                total = [round32(t) for t in total]
        return [t / len(leaves) for t in total] if self.vote == "soft" else total

    def wins(self, leaves, label):
        """Whether the model gives this label for certain."""
        sums = self.sums(leaves)
        if self.vote == "softmax":
            return all(self.beats(sums, label, r) for r in range(self.classes) if r != label)
        return self.winner(sums) == label

    def loses(self, leaves, label):
        """Whether the model gives another label for certain."""
        sums = self.sums(leaves)
        if self.vote == "softmax":
            return any(self.beats(sums, r, label) for r in range(self.classes) if r != label)
        return self.winner(sums) != label

    def winner(self, sums):
        if self.vote == "logistic":
            return int(sums[1] - sums[0] > (1.5 * 2.0 ** -24 if self.single else 1.5 * 2.0 ** -53))
        return sums.index(max(sums))

    def beats(self, sums, a, b):
        return Fraction(sums[a]) - Fraction(sums[b]) > self.slip() or sums[a] >= sums[b] and a < b

    def gives(self, z, label):
        return self.wins([tree.reach(z) for tree in self.trees], label)


class BoxTrees(Trees):
    """Trees that test one feature a node."""

    checker = Boxes

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        tests = {test for tree in self.trees for test in tree.tests if isinstance(test, tuple)}
        need(all(f < self.dim for f, _, _ in tests), "a test is about a feature that is not there")
        self.places = binary_places(e for _, e, _ in tests)
        cuts = [sorted((e, closed) for f, e, closed in tests if f == feature) for feature in range(self.dim)]
        self.borders = [[(scaled(e, self.places), closed) for e, closed in cut] for cut in cuts]
        slot = {(f,) + border: i for f, cut in enumerate(cuts) for i, border in enumerate(cut)}
        for tree in self.trees:
            tree.features = {test[0] for test in tree.tests if isinstance(test, tuple)}
            for leaf in tree.leaves:
                for n, right in leaf.path.items():
                    f, cut = tree.tests[n][0], slot[tree.tests[n]]
                    lo, hi = leaf.ranges.get(f, (0, len(cuts[f])))
                    leaf.ranges[f] = (max(lo, cut + 1), hi) if right else (lo, min(hi, cut))
            tree.leaves = [leaf for leaf in tree.leaves if all(lo <= hi for lo, hi in leaf.ranges.values())]


class ObliqueTrees(Trees):
    """Trees that test half-spaces."""

    checker = Oblique

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        tests = [test for tree in self.trees for test in tree.tests if isinstance(test, tuple)]
        self.places = binary_places(v for weights, t in tests for v in weights + [t])
        for tree in self.trees:
            tree.halves = [([scaled(w, self.places) for w in test[0]], scaled(test[1], self.places))
                           if isinstance(test, tuple) else test for test in tree.tests]


class Rows:
    """A training set, of which the k nearest rows vote."""

    checker = Neighbors

    def __init__(self, points, labels, classes, k):
        self.points, self.labels, self.classes, self.k, self.dim = points, labels, classes, k, len(points[0])
        need(k is None or 1 <= k <= len(points), "k should be from 1 to %d", len(points))
        self.places = binary_places(v for row in points for v in row)
        self.rows = [[scaled(v, self.places) for v in row] for row in points]

    def vote(self, rows):
        count = [0] * self.classes
        for r in rows:
            count[self.labels[r]] += 1
        return count.index(max(count))

    def gives(self, z, label):
        places = max(self.places, binary_places(z))
        shift, z = places - self.places, [scaled(v, places) for v in z]
        far = [sum(((v << shift) - c) ** 2 for v, c in zip(row, z)) for row in self.rows]
        return self.vote(sorted(range(len(far)), key=lambda r: (far[r], r))[:self.k]) == label


# Model files


def number(text, single=False):
    """The nearest float64, or float32, of a decimal number."""
    need(isinstance(text, str) and FLOAT.fullmatch(text) and "x" not in text.lower(), "%r is no number", text)
    v = float(text)
    if single:
        near = round32(v)
        if v != near and abs(v) < 2.0 ** 129:
            # Ties of the float64 were decided without the digits behind it.
            other = at(order(near, "fi") + (1 if v > near else -1), "fi")
            low, high = sorted(max(-2.0 ** 128, min(w, 2.0 ** 128)) for w in (near, other))
            if v == (low + high) / 2 and Fraction(text) != Fraction(v):
                near = max(near, other) if Fraction(text) > Fraction(v) else min(near, other)
        v = near
    need(v - v == 0, "%s is not finite", text)
    return v


def integer(text):
    need(isinstance(text, str) and re.fullmatch("-?[0-9]{1,12}", text, re.ASCII), "%r is no integer", text)
    return int(text)


def numbers(values, single=False):
    need(isinstance(values, list), "a list of numbers should stand where %r does", values)
    return [number(v, single) for v in values]


KEYS = """format version kind n_features classes comparison vote base single trees feature threshold left right value
infinite weights k rows labels boosting init learning_rate class decision learner gradient_booster model name objective
tree_info left_children right_children split_indices split_conditions learner_model_param num_class num_feature
base_score attributes scikit_learn best_iteration num_parallel_tree gbtree_model_param split_type""".split()


def unique(pairs):
    keys = [key for key, _ in pairs]
    need(len(set(keys)) == len(keys), "an object has a key twice")
    for key in keys:
        need(key in KEYS or key.lower() not in KEYS, "key %r differs from %r in case", key, key.lower())
    return dict(pairs)


def no_constant(word):
    raise BadModel("%s is no number" % word)


def read_model(data):
    text = data.decode("utf-8")
    if text.lstrip().split("\n")[0].strip() == "tree":
        return read_lightgbm(text)
    top = json.loads(text, object_pairs_hook=unique, parse_float=str, parse_int=str, parse_constant=no_constant)
    if "learner" in top:
        return read_xgboost(top["learner"])
    need(top.get("version") == "1", "version %r is unknown", top.get("version"))
    formats = {"facet-model": read_facet, "sklearn-tree-ensemble": read_sklearn, "oblique-tree-ensemble": read_oblique}
    need(top.get("format") in formats, "format %r is unknown", top.get("format"))
    return formats[top["format"]](top)


def box_tree(tree, comparison, value):
    left, right = [integer(v) for v in tree["left"]], [integer(v) for v in tree["right"]]
    infinite = [integer(v) for v in tree.get("infinite") or ["0"] * len(left)]
    thresholds = [number(v) if not i else math.inf * i for v, i in zip(tree["threshold"], infinite)]
    features = [integer(v) for v in tree["feature"]]
    need(len(left) == len(right) == len(thresholds) == len(features) == len(tree["value"]), "a tree's arrays differ in length")
    tests = [box_test(comparison, f, t) if l >= 0 or r >= 0 else None
             for f, t, l, r in zip(features, thresholds, left, right)]
    return Tree(tests, left, right, value)


def box_test(comparison, feature, threshold):
    need(feature >= 0, "a test is about feature %d", feature)
    e, closed = border(comparison, threshold)
    return (feature, e, closed) if e - e == 0 else e < 0


def half_test(weights, threshold, dim):
    weights = numbers(weights)
    need(len(weights) == dim, "a test has %d weights, should have %d", len(weights), dim)
    used = [f for f, w in enumerate(weights) if w]
    if threshold - threshold != 0:
        return threshold < 0
    if not used:
        return threshold < 0
    if len(used) > 1:
        return weights, threshold
    f = used[0]
    v = largest(lambda v: abs(weights[f]) * v <= threshold)
    if v is None or v == sys.float_info.max:
        return v is None
    return [math.copysign(1.0, weights[f]) if g == f else 0.0 for g in range(dim)], v


def class_count(top):
    return len(top["classes"] if top.get("classes") else top["trees"][0]["value"][0])


def read_facet(top):
    kind = top["kind"]
    if kind == "knn":
        labels = [integer(v) for v in top["labels"]]
        points = [numbers(row) for row in top["rows"]]
        need(points and len(labels) == len(points) and {len(p) for p in points} == {integer(top["n_features"])}
             and min(labels) >= 0, "rows and labels do not fit together")
        return Rows(points, labels, max(max(labels) + 1, len(top.get("classes") or [])), integer(top["k"]))
    if kind in ("oblique-tree", "oblique-ensemble"):
        return read_oblique(top, "hard" if kind == "oblique-tree" else None)
    need(kind in ("tree", "ensemble"), "kind %r is unknown", kind)
    trees = [box_tree(t, top["comparison"], lambda n, t=t: numbers(t["value"][n])) for t in top["trees"]]
    return BoxTrees(integer(top["n_features"]), class_count(top), trees, "hard" if kind == "tree" else top["vote"],
                    numbers(top.get("base") or []), bool(top.get("single")))


def read_oblique(top, vote=None):
    dim, trees = integer(top["n_features"]), []
    for t in top["trees"]:
        left, right = [integer(v) for v in t["left"]], [integer(v) for v in t["right"]]
        infinite = [integer(v) for v in t.get("infinite") or ["0"] * len(left)]
        thresholds = [number(v) if not i else math.inf * i for v, i in zip(t["threshold"], infinite)]
        need(len(left) == len(right) == len(thresholds) == len(t["weights"]) == len(t["value"]), "a tree's arrays differ in length")
        tests = [half_test(w, v, dim) if l >= 0 or r >= 0 else None
                 for w, v, l, r in zip(t["weights"], thresholds, left, right)]
        trees.append(Tree(tests, left, right, lambda n, t=t: numbers(t["value"][n])))
    return ObliqueTrees(dim, class_count(top), trees, vote or top.get("vote") or "soft",
                        numbers(top.get("base") or []), bool(top.get("single")))


def read_sklearn(top):
    dim, classes = integer(top["n_features"]), len(top["classes"])
    comparison, boosting = "float32(x) <= t", top.get("boosting")
    if boosting is None:
        return BoxTrees(dim, classes, [box_tree(t, comparison, lambda n, t=t: numbers(t["value"][n])) for t in top["trees"]])
    rate, trees = number(boosting["learning_rate"]), []
    need(len(boosting["class"]) == len(top["trees"]), "class should have a number for each tree")
    for t, c in zip(top["trees"], boosting["class"]):
        trees.append(box_tree(t, comparison, lambda n, t=t, c=integer(c): one_class(rate * number(t["value"][n]), c, classes)))
    init, decision = numbers(boosting["init"]), boosting["decision"]
    need(decision in ("probability", "sum"), "decision %r is unknown", decision)
    vote = "sum" if decision == "sum" else "logistic" if classes == 2 else "softmax"
    if vote == "sum" and classes == 2:
        init[0] = -2.0 ** -1074
    return BoxTrees(dim, classes, trees, vote, init)


def one_class(v, c, classes):
    need(0 <= c < classes, "class %d is not there", c)
    return [v if i == c else 0.0 for i in range(classes)]


def read_xgboost(learner):
    booster, objective = learner["gradient_booster"], learner["objective"]["name"]
    votes = {"binary:logistic": "logistic", "multi:softmax": "sum", "multi:softprob": "softmax"}
    need(booster["name"] == "gbtree" and objective in votes, "booster %r with objective %r", booster["name"], objective)
    model, parameters = booster["model"], learner["learner_model_param"]
    groups = max(1, integer(parameters["num_class"]))
    dim, classes, count = integer(parameters["num_feature"]), max(2, groups), len(model["trees"])
    attributes = learner.get("attributes") or {}
    if "scikit_learn" in attributes and "best_iteration" in attributes:
        parallel = max(1, integer(model["gbtree_model_param"].get("num_parallel_tree", "1")))
        count = min(count, (integer(attributes["best_iteration"]) + 1) * groups * parallel)
    trees = []
    for t, c in list(zip(model["trees"], model["tree_info"]))[:count]:
        left, right = [integer(v) for v in t["left_children"]], [integer(v) for v in t["right_children"]]
        need(not any(integer(v) for v in t.get("split_type") or []), "a split is categorical")
        at_node = numbers(t["split_conditions"], single=True)
        tests = [box_test("float32(x) < t", integer(f), v) if l >= 0 else None
                 for f, v, l in zip(t["split_indices"], at_node, left)]
        c = integer(c) if groups > 1 else 1
        trees.append(Tree(tests, left, right, lambda n, v=at_node, c=c: one_class(v[n], c, classes), complete=False))
    return BoxTrees(dim, classes, trees, votes[objective], xgboost_base(parameters["base_score"], classes, objective), True)


def xgboost_base(text, classes, objective):
    scores = [number(word.strip(), single=True) for word in text.strip().strip("[]").split(",")]
    if objective != "binary:logistic":
        return scores * classes if len(scores) == 1 else scores
    need(len(scores) == 1 and 0 < scores[0] < 1, "base_score %s is no probability", text)
    return [0.0, -math.log(round32(round32(1 / scores[0]) - 1))]


def read_lightgbm(text):
    body, end, _ = text.replace("\r", "").partition("end of trees")
    need(end, "the line %r is missing", "end of trees")
    head, *parts = body.split("\nTree=")
    fields = dict(line.partition("=")[::2] for line in head.split("\n"))
    need("average_output" not in fields, "a random forest of LightGBM is not read")
    objective, groups = fields["objective"].split(), integer(fields["num_class"])
    need(objective[0] in ("binary", "multiclass"), "objective %r is unknown", objective[0])
    classes, trees, base = max(2, groups), [], None
    vote = "softmax" if objective[0] == "multiclass" else "logistic"
    for i, part in enumerate(parts):
        trees.append(lightgbm_tree(dict(line.partition("=")[::2] for line in part.split("\n")),
                                   i % groups if groups > 1 else 1, classes))
    sigmoid = number(dict(word.partition(":")[::2] for word in objective).get("sigmoid", "1"))
    if vote == "logistic" and sigmoid != 1:
        vote, base = "sum", [largest(lambda a: a * sigmoid <= 1.5 * 2.0 ** -53), 0.0]
    return BoxTrees(integer(fields["max_feature_idx"]) + 1, classes, trees, vote, base)


def lightgbm_tree(fields, c, classes):
    need(fields.get("num_cat", "0") == "0" and fields.get("is_linear", "0") == "0", "a tree is categorical or linear")
    column = {key: fields.get(key, "").split() for key in
              ("split_feature", "threshold", "decision_type", "left_child", "right_child", "leaf_value")}
    inner, tests = integer(fields["num_leaves"]) - 1, []
    need(all(len(column[key]) == inner for key in list(column)[:5]) and len(column["leaf_value"]) == inner + 1,
         "a tree's arrays differ in length")
    for f, t, kind in zip(column["split_feature"], column["threshold"], column["decision_type"]):
        need(integer(kind) & 1 == 0, "a split is categorical")
        tests.append(box_test("lightgbm", integer(f), threshold64(t)))
    # Leaf i is node inner+i.
    left, right = ([n if n >= 0 else inner - 1 - n for n in map(integer, column[key])] + [-1] * (inner + 1)
                   for key in ("left_child", "right_child"))
    return Tree(tests + [None] * (inner + 1), left, right,
                lambda n: one_class(number(column["leaf_value"][n - inner]), c, classes))


def threshold64(text):
    """LightGBM writes an infinite threshold as inf."""
    return math.inf if text.lower() in ("inf", "+inf", "infinity") else number(text)


# Training sets


def read_training(data, k):
    lines = [line.strip() for line in data.decode("utf-8-sig").split("\n")]
    lines = [line for line in lines if line]
    need(lines, "the file is empty")
    points, labels = (read_csv if "," in lines[0] else read_libsvm)(lines)
    need(points and points[0], "there is no row or no feature")
    if all(is_number(word) for word in labels):
        labels = [number(word) for word in labels]
    names = sorted(set(labels), key=lambda v: v.encode() if isinstance(v, str) else v)
    rank = {name: i for i, name in enumerate(names)}
    return Rows(points, [rank[v] for v in labels], len(names), k)


def is_number(word):
    return bool(FLOAT.fullmatch(word)) and "x" not in word.lower() and "inf" not in word


def read_csv(lines):
    table = [[cell.strip() for cell in row] for row in csv.reader(lines, skipinitialspace=True, strict=True)]
    if not any(is_number(cell) for cell in table[0]) and any(table[0]):
        del table[0]
    need(len({len(row) for row in table}) == 1, "lines have different numbers of cells, or there are none")
    return [numbers(row[:-1]) for row in table], [row[-1] for row in table]


def read_libsvm(lines):
    rows, labels = [], []
    for line in lines:
        words = line.partition("#")[0].split()
        if not words:
            continue
        pairs = [word.partition(":") for word in words[1:]]
        row = [(integer(index), number(value)) for index, _, value in pairs]
        need(all(a[0] < b[0] for a, b in zip(row, row[1:])) and (not row or row[0][0] >= 0), "indices do not ascend")
        rows.append(dict(row))
        labels.append(words[0])
    used = {index for row in rows for index in row}
    need(used, "there is no feature")
    first = 0 if 0 in used else 1
    return [[row.get(f, 0.0) for f in range(first, max(used) + 1)] for row in rows], labels


# Pruning


class Pruning:
    """A file about adversarial pruning."""

    def __init__(self, lines, rows):
        self.rows, self.count = rows, len(rows.points)
        self.norm = Proof.one(lines.line("norm"))
        demand(self.norm in ("1", "2", "inf"), "the norm is 1, 2 or inf, not %r", self.norm)
        self.reach = 2 * finite(Proof.one(lines.line("radius")))
        self.read_weights(lines.optional("weights"))
        self.read_kept(lines.line("keep"))
        self.weight, self.bound = finite(Proof.one(lines.line("weight"))), finite(Proof.one(lines.line("bound")))
        kept = Fraction(sum(self.weights[r] for r in self.keep), 1 << self.places)
        demand(self.weight == float(kept), "the rows to keep weigh %r", float(kept))
        self.settled = self.weight == self.bound
        self.check_cliques(lines)

    def read_weights(self, words):
        weights = [1.0] * self.count if words is None else [finite(w) for w in words]
        demand(len(weights) == self.count, "there are %d weights, should be %d", len(weights), self.count)
        # Amounts of cliques are floats as fine as any: units are the smallest that there are.
        self.places = 1074
        self.weights = [scaled(w, self.places) for w in weights]

    def read_kept(self, words):
        self.keep = [parse_natural(w, self.count, "row") for w in words]
        demand(all(a < b for a, b in zip(self.keep, self.keep[1:])), "the rows to keep do not ascend")
        points = self.rows.points
        spread = [max(column) - min(column) for column in zip(*points)]
        f = spread.index(max(spread))
        window, start = sorted(self.keep, key=lambda r: points[r][f]), 0
        for i, r in enumerate(window):
            # No distance is less than the difference in one feature by more than roundings.
            while points[r][f] - points[window[start]][f] > self.reach * (1 + 2.0 ** -40) + 2.0 ** -1000:
                start += 1
            for s in window[start:i]:
                demand(not self.conflict(r, s), "rows %d and %d to keep conflict", min(r, s), max(r, s))

    def conflict(self, r, s):
        if self.rows.labels[r] == self.rows.labels[s]:
            return False
        gaps = [abs(v - w) for v, w in zip(self.rows.points[r], self.rows.points[s])]
        if self.norm == "inf":
            return max(gaps) <= self.reach
        total = 0.0
        for g in gaps:
            total += g if self.norm == "1" else g * g
        if self.norm == "1":
            return total <= self.reach
        if 2.0 ** -900 < total < 2.0 ** 900:
            return math.sqrt(total) <= self.reach
        most, total = max(gaps), 0.0
        if 0 < most < math.inf:
            for g in gaps:
                total += (g / most) * (g / most)
            most *= math.sqrt(total)
        return most <= self.reach

    def check_cliques(self, lines):
        room, bound = self.weights[:], sum(self.weights)
        while True:
            words = lines.optional("clique")
            if words is None:
                break
            demand(len(words) > 1, "an amount and rows should follow")
            amount = scaled(finite(words[0]), self.places)
            demand(amount > 0, "the amount of a clique is not positive")
            rows = [parse_natural(w, self.count, "row") for w in words[1:]]
            for i, r in enumerate(rows):
                room[r] -= amount
                demand(room[r] >= 0, "row %d is in cliques of more than its weight", r)
                for s in rows[:i]:
                    demand(r != s and self.conflict(r, s), "rows %d and %d do not conflict", r, s)
            bound -= (len(rows) - 1) * amount
        demand(bound <= scaled(self.bound, self.places), "the cliques do not prove the bound")


def finite(word):
    v = parse_float(word)
    demand(0 <= v < math.inf, "%r is negative or not finite", word)
    return v


# The program


def check(path, model, digest, out):
    """Checks all proofs of a file."""
    lines = Lines(path)
    try:
        heads = {("facet-proofs", "1"): "model", ("facet-pruning", "1"): "data"}
        head = tuple(lines.words())
        demand(head in heads, "this is no file of proofs of version 1")
        words = lines.line(heads[head])
        demand(len(words) == 2 and words[0] == "sha256", "the SHA-256 of the model should follow")
        demand(words[1] == digest, "the proofs are about another file, not the one of SHA-256 %s", digest)
        if heads[head] == "data":
            need(isinstance(model, Rows), "a proof about pruning needs --train")
            pruning = Pruning(lines, model)
            finish(lines, last=True)
            print("weight %r, bound %r: %s" % (pruning.weight, pruning.bound, verdict(pruning)), file=out)
            return
        need(not isinstance(model, Rows) or model.k, "proofs about neighbours need -k")
        check_all(lines, model, out)
    except Refused as refusal:
        raise Refused("%s:%d: refused: %s" % (path, lines.number, refusal)) from None


def check_all(lines, model, out):
    count = settled = 0
    started = time.perf_counter()
    while not count or lines.more():
        proof = Proof(lines, model)
        model.checker(model, proof).check(lines)
        finish(lines)
        count += 1
        settled += proof.settled
        print("%s: norm %s, bound %r, %s" % (proof.name, proof.norm, proof.bound, verdict(proof)), file=out)
    print("%d proofs hold, %d settled, %.1f s" % (count, settled, time.perf_counter() - started), file=out)


def verdict(claim):
    return "settled" if claim.settled else "a bound"


def finish(lines, last=False):
    demand(not lines.line("end"), "nothing follows on this line")
    demand(not last or not lines.more(), "there is text after the end")


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Checks proofs of facet, as docs/proof-format.md describes them.")
    parser.add_argument("proofs", help="file of proofs, perhaps .gz")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--model", help="the model's file")
    source.add_argument("--train", help="the training set: LIBSVM, or CSV with the label last")
    parser.add_argument("-k", type=int, help="how many neighbours vote, with --train")
    chosen = parser.parse_args(arguments)
    path = chosen.model or chosen.train
    try:
        with open(path, "rb") as file:
            data = file.read()
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        model = read_training(data, chosen.k) if chosen.train else read_model(data)
    except (BadModel, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError,
            EOFError, zlib.error, OSError, csv.Error) as fault:
        print("%s: %s: %s" % (path, type(fault).__name__, fault), file=sys.stderr)
        return 2
    try:
        check(chosen.proofs, model, hashlib.sha256(data).hexdigest(), sys.stdout)
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except (BadModel, OSError) as fault:
        print("%s: %s" % (chosen.proofs, fault), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
