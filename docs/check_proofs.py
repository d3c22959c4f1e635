#!/usr/bin/env python3
"""Checks proofs that no input nearer than a bound has another label, written as docs/proof-format.md describes.

    python3 docs/check_proofs.py PROOFS --model FILE
    python3 docs/check_proofs.py PROOFS --train FILE -k K

Every distance and every sum is computed anew from the model's or the training set's own file, in integers: all
numbers of a proof are multiples of one power of two. Floating point is only the model's own arithmetic, where the
proof is about it. Needs Python 3.9 or later and nothing else. Exit status: 0 if all proofs hold, 1 if one is
refused, 2 if nothing could be checked.
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
from collections import namedtuple
from fractions import Fraction


class Refused(Exception):
    """What is being read is wrong: the proofs or, before them, the model."""


def demand(condition, reason, *details):
    if not condition:
        raise Refused(reason % details)


# Numbers

DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,6})?", re.ASCII)
HEXADECIMAL = re.compile(r"[+-]?0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)([pP][+-]?[0-9]{1,6})?", re.ASCII)
NATURAL = re.compile(r"[0-9]{1,18}", re.ASCII)


def parse_float(word, least=-math.inf):
    """A float of a file of proofs, infinities included."""
    try:
        v = float.fromhex(word) if HEXADECIMAL.fullmatch(word) else float(word)
    except (ValueError, OverflowError):
        v = math.nan
    demand(v >= least and (DECIMAL.fullmatch(word) or HEXADECIMAL.fullmatch(word) or word in ("inf", "-inf")),
           "%r is no number, or too small", word)
    return v


def finite(values):
    return all(v - v == 0 for v in values)


def parse_natural(word, below, what):
    demand(NATURAL.fullmatch(word) and int(word) < below, "%r is no %s below %d", word, what, below)
    return int(word)


def binary_places(values):
    """How many binary digits behind the point the finite ones of these floats need."""
    return max((v.as_integer_ratio()[1].bit_length() - 1 for v in values if v - v == 0), default=0)


def scaled(v, places):
    """The integer v·2^places; infinities stay what they are."""
    if v - v != 0:
        return v
    numerator, denominator = v.as_integer_ratio()
    return numerator << places - denominator.bit_length() + 1


# The file of proofs


class Lines:
    """Reads a file of proofs line by line, or token by token, and knows the number of the line."""

    def __init__(self, file):
        self.file, self.number, self.ahead = file, 0, None

    def read(self, limit=-1):
        try:
            return self.file.readline(limit)
        except (EOFError, gzip.BadGzipFile, zlib.error) as fault:
            raise Refused("the file is damaged: %s" % fault) from None

    def words(self):
        """The words of the next line; none at the end of the file."""
        words, self.ahead = self.ahead, None
        if words is None:
            line = self.read()
            self.number += 1
            try:
                words = line.decode().split(" ") if line else []
            except UnicodeDecodeError:
                raise Refused("this is not UTF-8") from None
            if words:
                demand(words[-1][-1:] == "\n", "the file ends within a line")
                words[-1] = words[-1][:-1]
        return words

    def optional(self, key):
        """What follows the key on the next line, or None if that line does not begin with it."""
        words = self.words()
        if words and words[0] == key:
            return words[1:]
        self.ahead = words
        return None

    def line(self, key):
        words = self.optional(key)
        demand(words is not None, "%r should begin this line", key)
        return words

    def word(self, key):
        words = self.line(key)
        demand(len(words) == 1, "one word should follow %r, not %d", key, len(words))
        return words[0]

    def more(self):
        self.ahead = self.words()
        return bool(self.ahead)

    def tokens(self):
        """The tokens of the tree on the next line, which may be long."""
        self.number, rest = self.number + 1, ""
        while rest != "\n":
            chunk = self.read(1 << 16).decode("latin-1")
            demand(chunk, "the file ends within a tree")
            rest += chunk
            whole = len(rest) - 1 if rest[-1] == "\n" else rest.rfind(".") + 1
            yield from TOKEN.findall(rest[:whole])
            rest = rest[whole:]


TOKEN = re.compile(r"\.|[a-z]+[0-9]+|.", re.DOTALL)
SPLIT = re.compile(r"([a-z]{1,99})([0-9]{1,99})", re.ASCII)
EPSILON = Fraction(1e-9)


class Proof:
    """The head of a proof: what it claims. Integers are in units of 2^-places, X, LO, HI and B."""

    def __init__(self, lines, model):
        self.name, self.norm = " ".join(lines.line("proof")), lines.word("norm")
        demand(self.norm in ("1", "2", "inf"), "the norm is 1, 2 or inf, not %r", self.norm)
        self.source = parse_natural(lines.word("from"), model.classes, "label")
        self.target = lines.optional("target")
        if self.target is not None:
            demand(len(self.target) == 1, "one label should follow")
            self.target = parse_natural(self.target[0], model.classes, "label")
        self.labels = [self.target] if self.target is not None else [
            label for label in range(model.classes) if label != self.source]
        ends = [parse_float(w) for w in lines.optional("domain") or ["-inf", "inf"] * model.dim]
        self.lo, self.hi = ends[::2], ends[1::2]
        demand(len(ends) == 2 * model.dim and all(l <= h and l < math.inf and h > -math.inf
                                                  for l, h in zip(self.lo, self.hi)), "this is no domain")
        self.x = [parse_float(w) for w in lines.line("x")]
        demand(len(self.x) == model.dim and finite(self.x), "x should have %d finite coordinates", model.dim)
        self.bound = parse_float(lines.word("bound"), least=0)
        self.places = max(model.places, binary_places(self.x + ends + [self.bound]))
        self.X, self.LO, self.HI = ([scaled(v, self.places) for v in vector] for vector in (self.x, self.lo, self.hi))
        self.B = scaled(self.bound, self.places)
        example = lines.optional("example")
        self.settled = self.bound == math.inf if example is None else self.check_example(example, model)

    def check_example(self, words, model):
        """Refuses an example that is none. Whether it lies at the bound."""
        label, z = parse_natural(words[0] if words else "", model.classes, "label"), [parse_float(w) for w in words[1:]]
        demand(len(z) == model.dim and finite(z), "the example should have %d finite coordinates", model.dim)
        demand(label in self.labels, "label %d of the example does not answer", label)
        demand(all(l <= v <= h for l, v, h in zip(self.lo, z, self.hi)), "the example lies outside the domain")
        demand(model.gives(z, label), "the model does not give the example label %d", label)
        gaps = [abs(Fraction(v) - Fraction(w)) for v, w in zip(self.x, z)]
        power = 2 if self.norm == "2" else 1
        length = max(gaps) if self.norm == "inf" else sum(g ** power for g in gaps)
        demand(self.bound < math.inf and length >= Fraction(self.bound) ** power, "the example lies nearer than the bound")
        return length <= (Fraction(self.bound) + EPSILON * max(Fraction(self.bound), 1)) ** power


# Combinations of half-spaces a·u ≤ β, with β in units of 2^-2·places

TERM = re.compile(r"(?:(0*[1-9][0-9]{0,999})\*)?([^*]+)", re.ASCII)


def far(a, beta, proof):
    """Whether the half-space has no point nearer than the bound."""
    if not any(a):
        return beta < 0
    if beta >= 0 or proof.bound == math.inf:
        return False
    if proof.norm == "2":
        return beta * beta >= proof.B * proof.B * sum(v * v for v in a)
    return -beta >= proof.B * (sum if proof.norm == "inf" else max)(map(abs, a))


def check_combination(words, proof, half_space):
    """Refuses a combination unless it shows that nothing nearer than the bound satisfies all of its terms."""
    a, beta, proper = [0] * len(proof.x), 0, False
    for word in words:
        match = TERM.fullmatch(word)
        demand(match, "%r is no term", word)
        side, room = domain_side(match[2], proof) if match[2][0] in "+-" else half_space(match[2])
        m = int(match[1] or 1)
        a, beta, proper = [v + m * w for v, w in zip(a, side)], beta + m * room, proper or any(
            v for v, lo, hi in zip(side, proof.lo, proof.hi) if lo < hi)
    demand(far(a, beta, proof) or proper and beta == 0 and not any(a),
           "the combination does not show that nothing nearer than the bound is left")


def domain_side(word, proof):
    f = parse_natural(word[1:], len(proof.x), "feature")
    demand(finite([proof.hi[f] if word[0] == "+" else proof.lo[f]]), "the domain is open at %r", word)
    a = [0] * len(proof.x)
    a[f] = (1 if word[0] == "+" else -1) << proof.places
    return a, (proof.HI[f] - proof.X[f] if word[0] == "+" else proof.X[f] - proof.LO[f]) << proof.places


# Trees


class Regions:
    """What proofs about trees have in common."""

    def __init__(self, model, proof):
        self.model, self.proof = model, proof

    def check(self, lines):
        root = self.root()
        for label in self.proof.labels if root else ():
            demand(parse_natural(lines.word("label"), label + 1, "label") == label, "label %d should follow", label)
            self.check_tree(lines, label, root)

    def check_leaf(self, label, left):
        """Refuses a leaf of a proof unless the leaves that are left to each tree are lost or evaluated."""
        if not all(left):
            return
        model, p = self.model, self.proof
        for rival in [p.source] if p.target is None else [r for r in range(model.classes) if r != label]:
            best = sum(max(leaf.values[label] - leaf.values[rival] for leaf in leaves) for leaves in left)
            if model.is_lost(model.base[label] - model.base[rival] + best, label, rival):
                return
        demand(all(len(leaves) == 1 for leaves in left), "a leaf is neither far, nor lost, nor evaluated")
        demand(model.loses([leaves[0] for leaves in left], label), "the model may give label %d in this leaf", label)


class Boxes(Regions):
    """Trees that test one feature a node. A box is (lo, hi, cost, left): its slots, the sum of the costs of its gaps, and
    for each tree the leaves that meet it nearer than the bound, each with what its own gaps cost beyond those of the
    box. Costs are gaps, in ℓ2 their squares, in ℓ∞ nothing: there no slot of the root is too far."""

    def root(self):
        p, shift, power = self.proof, self.proof.places - self.model.places, {"1": 1, "2": 2}.get(self.proof.norm)
        self.limit = p.B ** (power or 1)
        self.below, self.above, lo, hi = [], [], [], []
        for f, borders in enumerate(self.model.borders):
            # Ends are (place, side): (e, 1) is just behind e.
            ends = [(p.LO[f], 0)] + [(e << shift, int(closed)) for e, closed in borders] + [(p.HI[f], 1)]
            starts, stops, x = [max(e, ends[0]) for e in ends[:-1]], [min(e, ends[-1]) for e in ends[1:]], p.X[f]
            below, above = [e - x if e > x else 0 for e, _ in starts], [x - e if e < x else 0 for e, _ in stops]
            kept = [s for s, start in enumerate(starts) if start < stops[s] and max(below[s], above[s]) < p.B]
            if not kept:
                return None
            lo, hi = lo + [kept[0]], hi + [kept[-1]]
            self.below.append([v ** power if power else 0 for v in below])
            self.above.append([v ** power if power else 0 for v in above])
        cost = sum(self.cost(f, lo[f], hi[f]) for f in range(len(lo)))
        left = [[(leaf, sum(self.cost(f, max(a, lo[f]), min(b, hi[f])) - self.cost(f, lo[f], hi[f])
                            for f, (a, b) in leaf.ranges.items()))
                 for leaf in tree.leaves if all(max(a, lo[f]) <= min(b, hi[f]) for f, (a, b) in leaf.ranges.items())]
                for tree in self.model.trees]
        return lo, hi, cost, [[entry for entry in entries if cost + entry[1] < self.limit] for entries in left]

    def cost(self, f, first, last):
        return max(self.below[f][first], self.above[f][last])

    def check_tree(self, lines, label, root):
        stack = [root]
        for token in lines.tokens():
            demand(stack, "the tree goes on behind its end")
            box = stack.pop()
            if token == ".":
                self.check_leaf(label, [[leaf for leaf, _ in entries] for entries in box[3]])
                continue
            match, f = SPLIT.fullmatch(token), 0
            demand(match, "%.40r is no token", token)
            for letter in match[1]:
                f = 26 * f + ord(letter) - ord("a")
            demand(f < len(box[0]), "there is no feature %d", f)
            lo, hi, cut = box[0][f], box[1][f], box[0][f] + int(match[2])
            demand(cut < hi, "this part has only the slots %d to %d of feature %d", lo, hi, f)
            stack += self.part(box, f, cut + 1, hi), self.part(box, f, lo, cut)
        demand(not stack, "the tree ends before its last part")

    def part(self, box, f, first, last):
        lo, hi, cost, left = box[0][:], box[1][:], box[2], []
        was, now = self.cost(f, lo[f], hi[f]), self.cost(f, first, last)
        cost += now - was
        for tree, entries in zip(self.model.trees, box[3]):
            if f in tree.features:
                entries = list(self.narrowed(entries, f, lo[f], hi[f], first, last, was - now))
            left.append([entry for entry in entries if cost + entry[1] < self.limit])
        lo[f], hi[f] = first, last
        return lo, hi, cost, left

    def narrowed(self, entries, f, lo, hi, first, last, change):
        """What is left of these leaves where only some slots of a feature are."""
        for leaf, more in entries:
            if f not in leaf.ranges:
                yield leaf, more
                continue
            a, b = leaf.ranges[f]
            if a <= last and b >= first:
                before = self.cost(f, a if a > lo else lo, b if b < hi else hi)
                yield leaf, more + change + self.cost(f, a if a > first else first, b if b < last else last) - before


class Oblique(Regions):
    """Trees that test half-spaces. Decisions are (tree, node, whether right)."""

    def half_space(self, t, n, right):
        key, p, shift = (t, n, right), self.proof, self.proof.places - self.model.places
        if key not in self.halves:
            weights, threshold = self.model.trees[t].halves[n]
            sign = -1 if right else 1
            self.halves[key] = ([sign * w << shift for w in weights], sign * (
                (threshold << shift + p.places) - (sum(w * v for w, v in zip(weights, p.X)) << shift)))
        return self.halves[key]

    def root(self):
        self.halves = {}
        return [[leaf for leaf in tree.leaves if not any(far(*self.half_space(t, n, right), self.proof)
                                                         for n, right in leaf.path.items())]
                for t, tree in enumerate(self.model.trees)]

    def check_tree(self, lines, label, root):
        stack, self.path = [(0, None, root)], []
        while stack:
            depth, decision, left = stack.pop()
            self.path[max(depth - 1, 0):] = [decision] if depth else []
            kind, *words = lines.words() or ["end"]
            if kind == "s":
                t, n = self.node(words)
                demand(n in self.model.trees[t].halves, "node %d of tree %d is no test", n, t)
                for right in (True, False):
                    kept = [leaf for leaf in left[t] if leaf.path.get(n, right) == right]
                    stack.append((depth + 1, (t, n, right), left[:t] + [kept] + left[t + 1:]))
            elif kind == "d":
                t, n = self.node(words[:2])
                gone = self.model.trees[t].leaf_at.get(n)
                demand(gone, "node %d of tree %d is no leaf", n, t)
                check_combination(words[2:], self.proof, lambda word: self.term(word, t, gone))
                kept = [leaf for leaf in left[t] if leaf is not gone]
                stack.append((depth, decision, left[:t] + [kept] + left[t + 1:]))
            elif kind == "c":
                check_combination(words, self.proof, self.term)
            else:
                demand(kind == "." and not words, "a node begins with s, d or c, or is a single .")
                self.check_leaf(label, left)

    def node(self, words):
        demand(len(words) == 2, "a tree and a node should follow")
        t = parse_natural(words[0], len(self.model.trees), "tree")
        return t, parse_natural(words[1], len(self.model.trees[t].tests), "node")

    def term(self, word, t=None, gone=None):
        if word[0] == "#" and gone:
            n = parse_natural(word[1:], len(self.model.trees[t].tests), "node")
            demand(n in gone.path, "node %d is no test on the way to this leaf", n)
            return self.half_space(t, n, gone.path[n])
        demand(word[0] == "@", "%r is no term here", word)
        return self.half_space(*self.path[parse_natural(word[1:], len(self.path), "decision")])


# k-nearest neighbours

# What is decided: rivals before the pivot and after it, rows of the side before and after it, rows in and out.
State = namedtuple("State", "A F J Z I O")


class Neighbors:
    def __init__(self, model, proof):
        self.model, self.proof, self.k = model, proof, model.k
        shift = proof.places - model.places
        self.rows = [[(v << shift) - c for v, c in zip(row, proof.X)] for row in model.rows]
        self.square = [sum(v * v for v in row) for row in self.rows]
        # The dual norm of each row lies between these two.
        self.low = [math.isqrt(s) for s in self.square] if proof.norm == "2" else [
            (sum if proof.norm == "inf" else max)(map(abs, row)) for row in self.rows]
        self.high = [v + 1 for v in self.low] if proof.norm == "2" else self.low
        self.side = [r for r, label in enumerate(model.labels) if label in proof.labels]
        self.answering = set(self.side)

    def least_seats(self):
        """The least number of rows of the side among k neighbours that answer; None if none do."""
        p, k, count = self.proof, self.k, [self.model.labels.count(label) for label in range(self.model.classes)]
        if p.target is not None:
            return next((v for v in range(1, count[p.target] + 1) if k - v <= sum(
                min(n, v if p.target < l else v - 1) for l, n in enumerate(count) if l != p.target)), None)
        most = [min((k - (p.source < l)) // 2, n - (p.source < l)) for l, n in enumerate(count) if l != p.source and n]
        return k - max(most) if most and k - max(most) <= min(k, len(self.side)) else None

    def half_space(self, p, q):
        """Row p at least as near as row q."""
        a = [2 * (w - v) for v, w in zip(self.rows[p], self.rows[q])]
        return a, self.square[q] - self.square[p] if any(a) or p < q else -1

    def apart(self, p, q):
        """Whether "row p at least as near as row q" lies at the bound or beyond."""
        lead, b = self.square[p] - self.square[q], self.proof.B
        if lead < 0:
            return False
        if self.proof.bound < math.inf and lead:
            # ‖q − p‖* lies between the difference and the sum of the rows' own lengths.
            if lead >= 2 * b * (self.high[p] + self.high[q]):
                return True
            if lead < 2 * b * max(self.low[p] - self.high[q], self.low[q] - self.high[p]):
                return False
        return far(*self.half_space(p, q), self.proof)

    def check(self, lines):
        self.seats = self.least_seats()
        if self.seats is None:
            return
        self.spare, near = self.k - self.seats, self.list_of(lines.line("near"))
        demand(not self.answering.intersection(near), "a row of near is no rival")
        near.sort(key=self.square.__getitem__)
        self.M = [p for p in self.side if not self.reaches(self.spare + 1, (self.apart(p, r) for r in near))]
        crowded, last, p = self.answering.difference(self.M), -1, -1
        while p < len(self.rows):
            words = lines.optional("pivot")
            p = parse_natural(words[0] if len(words) == 1 else "", len(self.rows), "row") if words is not None else len(self.rows)
            for row in self.M:
                demand(not last < row < p or self.seats > 1 and not self.reaches(
                    self.seats - 1, (q != row and not self.apart(q, row) for q in self.M)),
                    "pivot %d should come before: it is neither crowded nor lonely", row)
            if words is not None:
                demand(last < p and p in self.answering and p not in crowded, "row %d is no pivot here", p)
                self.check_pivot(lines, p)
            last = p

    @staticmethod
    def reaches(count, truths):
        """Whether so many of these are true."""
        for truth in truths:
            count -= truth
            if count <= 0:
                return True
        return count <= 0

    def list_of(self, words):
        rows = [parse_natural(w, len(self.rows), "row") for w in words]
        demand(len(set(rows)) == len(rows), "a row is listed twice")
        return rows

    def check_pivot(self, lines, p):
        self.pivot, self.rests, none = p, {}, frozenset()
        self.E = {q for q in self.M if q != p and not self.apart(q, p)}
        kinds = {"r": self.rivals_split, "q": self.side_split, "m": self.members_split, "o": self.outer_split}
        stack = [iter([State(none, none, none, none, frozenset([p]), none)])]
        while stack:
            state = next(stack[-1], None)
            if state is None:
                stack.pop()
                continue
            kind, *words = lines.words() or ["end"]
            if kind == "c":
                check_combination(words, self.proof, lambda word: self.half_space(*self.pair(word, state)))
            else:
                demand(kind in kinds, "a node begins with c, r, q, m or o")
                stack.append(iter(kinds[kind](self.list_of(words), state)))

    def rivals_split(self, rows, s):
        demand(not any(r in self.answering or r in s.A or r in s.F for r in rows), "a row is no open rival")
        demand(len(s.A) + len(rows) > self.spare, "all of these rivals may come before the pivot")
        return (s._replace(A=s.A.union(rows[:i]), I=s.I.union(rows[:i]), F=s.F | {r}) for i, r in enumerate(rows))

    def side_split(self, rows, s):
        left = self.E - s.J - s.Z
        demand(left.issuperset(rows), "a row is no open one of the side")
        demand(len(left) - len(rows) < self.seats - 1 - len(s.J), "none of these rows need come before the pivot")
        return (s._replace(Z=s.Z.union(rows[:i]), J=s.J | {q}, I=s.I | {q}) for i, q in enumerate(rows))

    def members_split(self, rows, s):
        demand(not any(r in s.I or r in s.O for r in rows), "a row is in or out already")
        demand(len(s.I) + len(rows) >= self.k, "all of these rows may be in")
        parts = [s._replace(I=s.I.union(rows[:i]), O=s.O | {r}) for i, r in enumerate(rows)]
        if len(s.I) + len(rows) == self.k and self.model.vote(s.I.union(rows)) in self.proof.labels:
            parts.append(s._replace(I=s.I.union(rows)))
        return parts

    def outer_split(self, rows, s):
        demand(rows and rows[0] in s.O, "a row that is out should follow")
        r, *rows = rows
        demand(not any(row in s.I or row in s.O for row in rows), "a row is in or out already")
        if r not in self.rests:
            self.rests[r] = {row for row in range(len(self.rows)) if row != r and not self.apart(row, r)}
        rest = (self.rests[r] - s.I - s.O).difference(rows)
        demand(len(s.I) + len(rest) < self.k, "all of these rows may be out")
        return (s._replace(O=s.O.union(rows[:i]), I=s.I | {row}) for i, row in enumerate(rows))

    def pair(self, word, s):
        """The rows of a term, whose order is decided."""
        ends = word.split("<")
        demand(len(ends) == 2, "%r is no term here", word)
        a, b = (parse_natural(w, len(self.rows), "row") if w else self.pivot for w in ends)
        rival = b not in self.answering
        demand(a != b and (
            b == self.pivot and (a in s.J or a in s.A)
            or a == self.pivot and (b in s.F or b in s.Z)
            or a == self.pivot and rival and b not in s.A and len(s.A) == self.spare
            or a == self.pivot and not rival and b not in s.J and len(s.J) == self.seats - 1
            or a in s.I and (b in s.O or b not in s.I and len(s.I) == self.k)), "nothing decides %r", word)
        return a, b


# Models: floating point as their own libraries compute


def round32(v):
    try:
        return struct.unpack("<f", struct.pack("<f", v))[0]
    except OverflowError:
        return math.copysign(math.inf, v)


def order(v, float_kind="d", kind="q"):
    """Numbers the floats in ascending order."""
    n = struct.unpack("<" + kind, struct.pack("<" + float_kind, abs(v)))[0]
    return n if v >= 0 else -n


def at(n, float_kind="d", kind="q"):
    """The float of that number."""
    return math.copysign(struct.unpack("<" + float_kind, struct.pack("<" + kind, abs(n)))[0], n)


def largest(holds):
    """The largest float64 for which a condition holds that ceases once; None if there is none."""
    lo, hi = order(-sys.float_info.max), order(sys.float_info.max)
    if not holds(at(lo)):
        return None
    while lo < hi:
        middle = (lo + hi + 1) // 2
        lo, hi = (middle, hi) if holds(at(middle)) else (lo, middle - 1)
    return at(lo)


def box_test(comparison, feature, t):
    """The test of a node: a border (feature, e, closed), or whether all go right."""
    demand(comparison in ("x <= t", "x < t", "float32(x) <= t", "float32(x) < t"), "unknown comparison %r", comparison)
    strict = comparison.endswith("< t")
    if comparison[0] == "x":
        demand(t > -math.inf, "a threshold is -inf")
        return (feature, t, not strict) if t < math.inf else False
    p = round32(t)
    if p > t or strict and p == t:
        if p == -math.inf:
            return True
        p = at(order(p, "f", "i") - 1, "f", "i")
    if p == math.inf:
        return False
    q = at(order(p, "f", "i") + 1, "f", "i")
    e = (max(p, -2.0 ** 128) + min(q, 2.0 ** 128)) / 2
    return feature, e, round32(e) == p


def half_test(weights, t):
    """The test of a node: a half-space (weights, threshold), or whether all go right."""
    used = [f for f, w in enumerate(weights) if w]
    if not used or t - t != 0:
        return t < 0
    if len(used) > 1:
        return weights, t
    w = weights[used[0]]
    v = largest(lambda v: abs(w) * v <= t)
    if v is None or v == sys.float_info.max:
        return v is None
    return [math.copysign(1.0, w) if f == used[0] else 0.0 for f in range(len(weights))], v


class Leaf:
    """A leaf: values as floats and, scaled, as integers; the tests on its path, {node: whether right}; its slots."""

    def __init__(self, given, path):
        self.given, self.path, self.ranges = given, path, {}


class Tree:
    """A tree, from functions that give the test of an inner node and the values of a leaf."""

    def __init__(self, left, right, test, value, complete=True):
        self.left, self.right, self.tests, self.leaf_at, self.leaves = left, right, {}, {}, []
        stack = [(0, True, {})]
        while stack:
            n, reached, path = stack.pop()
            demand(0 <= n < len(left) and n not in self.tests, "node %d has no parent, or two", n)
            if left[n] < 0 and right[n] < 0:
                self.tests[n], self.leaf_at[n] = None, Leaf(value(n), path)
                self.leaves += [self.leaf_at[n]] if reached else []
                continue
            self.tests[n] = constant = test(n)
            for child, side in ((right[n], True), (left[n], False)):
                if isinstance(constant, bool):
                    stack.append((child, reached and side == constant, path))
                else:
                    stack.append((child, reached, {**path, n: side}))
        demand(not complete or len(self.tests) == len(left), "a node has no parent")

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
    total = 0.0
    for w, v in zip(test[0], z):
        total += w * v
    return not total <= test[1]


class Trees:
    """Trees that vote."""

    def __init__(self, dim, classes, trees, vote="soft", base=None, single=False):
        self.dim, self.classes, self.trees, self.vote, self.single = dim, classes, trees, vote, single
        demand(dim > 0 and trees and vote in ("hard", "soft", "sum", "logistic", "softmax"), "no features, trees or vote")
        demand(vote != "logistic" or classes == 2, "a logistic vote has two classes")
        self.start = [round32(v) if single else v for v in base or [0.0] * classes]
        leaves = [leaf for tree in trees for leaf in tree.leaf_at.values()]
        for leaf in leaves:
            leaf.given = [round32(v) if single and vote != "hard" else v for v in leaf.given]
            demand(len(leaf.given) == len(self.start) == classes and finite(leaf.given + self.start), "values do not fit")
            if vote == "hard":
                winner = leaf.given.index(max(leaf.given))
                leaf.given = [float(c == winner) for c in range(classes)]
        self.value_places = binary_places([v for leaf in leaves for v in leaf.given] + self.start)
        self.base = [scaled(v, self.value_places) for v in self.start]
        for leaf in leaves:
            leaf.values = [scaled(v, self.value_places) for v in leaf.given]
        self.sizes = [abs(self.base[c]) + sum(max(abs(leaf.values[c]) for leaf in tree.leaf_at.values())
                                              for tree in trees) for c in range(classes)]
        most = (2 ** 24 - 1) << 104 if single else 1 << 1022
        demand(max(self.sizes) <= most << self.value_places, "sums may overflow")
        # How far sums must be apart for exponentials to be told apart in any arithmetic.
        self.slip = Fraction(1, 2 ** (21 if single else 50))

    def is_lost(self, difference, label, rival):
        if self.vote == "hard":
            return difference < 0 or difference == 0 and rival < label
        count, size = len(self.trees), Fraction(self.sizes[label] + self.sizes[rival], 1 << self.value_places)
        error = Fraction(count, 1 << (24 if self.single else 53))
        if 2 * error >= 1:
            return False
        more = {"soft": size / 2 ** 52 + Fraction(count, 2 ** 1074), "sum": 0}.get(self.vote, self.slip)
        return difference < -(error / (1 - error) * size + more) * 2 ** self.value_places

    def sums(self, leaves):
        total = self.start
        for leaf in leaves:
            total = [t + v for t, v in zip(total, leaf.given)]
            if self.single:
                total = [round32(t) for t in total]
        return [t / len(leaves) for t in total] if self.vote == "soft" else total

    def wins(self, sums, label):
        """Whether sums decide for a label for certain."""
        if self.vote == "logistic":
            return label == (sums[1] - sums[0] > (1.5 * 2.0 ** -24 if self.single else 1.5 * 2.0 ** -53))
        return all(self.beats(sums, label, r) for r in range(self.classes) if r != label)

    def beats(self, sums, a, b):
        lead = Fraction(sums[a]) - Fraction(sums[b])
        return lead >= 0 and a < b or lead > (self.slip if self.vote == "softmax" else 0)

    def loses(self, leaves, label):
        """Whether other labels than this one are certain where these leaves meet."""
        sums = self.sums(leaves)
        if self.vote == "logistic":
            return not self.wins(sums, label)
        return any(self.beats(sums, r, label) for r in range(self.classes) if r != label)

    def gives(self, z, label):
        return self.wins(self.sums([tree.reach(z) for tree in self.trees]), label)


class BoxTrees(Trees):
    """Trees that test one feature a node."""

    checker = Boxes

    def __init__(self, *args):
        super().__init__(*args)
        tests = {test for tree in self.trees for test in tree.tests.values() if isinstance(test, tuple)}
        demand(all(0 <= f < self.dim for f, _, _ in tests), "a test is about a feature that is not there")
        cuts = [sorted((e, closed) for f, e, closed in tests if f == feature) for feature in range(self.dim)]
        self.places = binary_places(e for _, e, _ in tests)
        self.borders = [[(scaled(e, self.places), closed) for e, closed in cut] for cut in cuts]
        slot = {(f, e, closed): i for f, cut in enumerate(cuts) for i, (e, closed) in enumerate(cut)}
        for tree in self.trees:
            tree.features = {test[0] for test in tree.tests.values() if isinstance(test, tuple)}
            for leaf in tree.leaves:
                for n, right in leaf.path.items():
                    f, cut = tree.tests[n][0], slot[tree.tests[n]]
                    lo, hi = leaf.ranges.get(f, (0, len(cuts[f])))
                    leaf.ranges[f] = (max(lo, cut + 1), hi) if right else (lo, min(hi, cut))


class ObliqueTrees(Trees):
    """Trees that test half-spaces."""

    checker = Oblique

    def __init__(self, *args):
        super().__init__(*args)
        for tree in self.trees:
            tree.halves = {n: test for n, test in tree.tests.items() if isinstance(test, tuple)}
        self.places = binary_places(v for tree in self.trees for w, t in tree.halves.values() for v in w + [t])
        for tree in self.trees:
            tree.halves = {n: ([scaled(v, self.places) for v in w], scaled(t, self.places))
                           for n, (w, t) in tree.halves.items()}


class Rows:
    """A training set, of which the k nearest rows vote."""

    checker = Neighbors

    def __init__(self, points, labels, classes, k):
        self.points, self.labels, self.classes, self.k, self.dim = points, labels, classes, k, len(points[0])
        demand(self.dim and all(len(row) == self.dim for row in points) and len(labels) == len(points), "rows differ")
        demand(k is None or 1 <= k <= len(points), "k should be from 1 to %d", len(points))
        self.places = binary_places(v for row in points for v in row)
        self.rows = [[scaled(v, self.places) for v in row] for row in points]

    def vote(self, rows):
        labels = [self.labels[r] for r in rows]
        return max(range(self.classes), key=labels.count)

    def gives(self, z, label):
        places = max(self.places, binary_places(z))
        shift, z = places - self.places, [scaled(v, places) for v in z]
        squares = [sum(((v << shift) - c) ** 2 for v, c in zip(row, z)) for row in self.rows]
        return self.vote(sorted(range(len(squares)), key=squares.__getitem__)[:self.k]) == label


# Files of models. Numbers in JSON are read as texts.


def number(text):
    """The nearest float64 of a decimal number."""
    demand(isinstance(text, str) and DECIMAL.fullmatch(text) and finite([float(text)]), "%r is no finite number", text)
    return float(text)


def number32(text):
    """The nearest float32, by way of the float64 that is rounded to odd."""
    v = number(text)
    if order(v) % 2 == 0 and Fraction(text) != v:
        v = math.nextafter(v, math.inf if Fraction(text) > v else -math.inf)
    demand(finite([round32(v)]), "%s is not finite", text)
    return round32(v)


def integers(texts):
    demand(all(re.fullmatch("-?[0-9]{1,12}", text, re.ASCII) for text in texts), "%.99r are no integers", texts)
    return [int(text) for text in texts]


def unique(pairs):
    demand(len({key for key, _ in pairs}) == len(pairs), "an object has a key twice")
    return dict(pairs)


def read_model(data):
    text = data.decode()
    if text.split("\n", 1)[0].strip() == "tree":
        return read_lightgbm(text)
    top = json.loads(text, object_pairs_hook=unique, parse_float=str, parse_int=str, parse_constant=str)
    if "learner" in top:
        return read_xgboost(top["learner"])
    demand(top["version"] == "1", "unknown version %r", top["version"])
    if top.get("kind") == "knn":
        labels, (k, dim) = integers(top["labels"]), integers([top["k"], top["n_features"]])
        classes = max(max(labels) + 1, len(top.get("classes") or []))
        demand(min(labels) >= 0 and len(top["rows"][0]) == dim, "a label is negative, or rows have not %d features", dim)
        return Rows([[number(v) for v in row] for row in top["rows"]], labels, classes, k)
    return read_arrays(top)


def read_arrays(top):
    """The files of scikit-learn, facet, and oblique trees: arrays over the nodes of each tree."""
    kinds = {"facet-model": ("tree", "ensemble", "oblique-tree", "oblique-ensemble"),
             "sklearn-tree-ensemble": (None,), "oblique-tree-ensemble": (None,)}
    kind, boosting = top.get("kind"), top.get("boosting")
    demand(kind in kinds.get(top["format"], ()), "unknown format %r or kind %r", top["format"], kind)
    oblique, (dim,) = "oblique" in (kind or top["format"]), integers([top["n_features"]])
    names = [number(v) for v in top.get("classes") or []]
    demand(names == sorted(set(names)), "the classes do not ascend")
    classes = len(names or top["trees"][0]["value"][0])
    trees = [array_tree(t, top.get("comparison", "float32(x) <= t"), oblique, dim, boosting and boosted(boosting, i, t, classes))
             for i, t in enumerate(top["trees"])]
    vote, base = top.get("vote") or "soft", [number(v) for v in top.get("base") or []]
    if kind in ("tree", "oblique-tree"):
        vote = "hard"
    elif boosting:
        demand(boosting["decision"] in ("probability", "sum"), "unknown decision %r", boosting["decision"])
        base = [number(v) for v in boosting["init"]]
        vote = "sum" if boosting["decision"] == "sum" else "logistic" if classes == 2 else "softmax"
        if vote == "sum" and classes == 2:
            base[0] = -2.0 ** -1074
    return (ObliqueTrees if oblique else BoxTrees)(dim, classes, trees, vote, base, top.get("single") is True)


def array_tree(t, comparison, oblique, dim, value):
    infinite = integers(t.get("infinite") or ["0"] * len(t["threshold"]))

    def test(n):
        threshold = number(t["threshold"][n]) if not infinite[n] else math.inf * infinite[n]
        if not oblique:
            return box_test(comparison, *integers([t["feature"][n]]), threshold)
        demand(len(t["weights"][n]) == dim, "node %d has %d weights, should have %d", n, len(t["weights"][n]), dim)
        return half_test([number(v) for v in t["weights"][n]], threshold)

    return Tree(integers(t["left"]), integers(t["right"]), test, value or (lambda n: [number(v) for v in t["value"][n]]))


def boosted(boosting, i, t, classes):
    (c,), rate = integers([boosting["class"][i]]), number(boosting["learning_rate"])
    return lambda n: one_class(rate * number(t["value"][n][0]), c, classes)


def one_class(v, c, classes):
    demand(0 <= c < classes, "class %d is not there", c)
    return [v if i == c else 0.0 for i in range(classes)]


def read_xgboost(learner):
    booster, objective, parameters = learner["gradient_booster"], learner["objective"]["name"], learner["learner_model_param"]
    votes = {"binary:logistic": "logistic", "multi:softmax": "sum", "multi:softprob": "softmax"}
    demand(booster["name"] == "gbtree" and objective in votes, "booster %r, objective %r", booster["name"], objective)
    demand(integers([parameters.get("num_target", "1")]) < [2], "there are several targets")
    model, attributes = booster["model"], learner.get("attributes") or {}
    dim, groups = integers([parameters["num_feature"], parameters["num_class"]])
    classes, count, trees = max(2, groups), len(model["trees"]), []
    if "scikit_learn" in attributes and "best_iteration" in attributes:
        best, parallel = integers([attributes["best_iteration"], model["gbtree_model_param"].get("num_parallel_tree", "1")])
        count = (best + 1) * max(1, groups) * max(1, parallel)
    for t, c in zip(model["trees"][:count], integers(model["tree_info"])):
        demand(not any(integers(t.get("split_type") or [])), "a split is categorical")
        conditions, c = [number32(v) for v in t["split_conditions"]], c if groups > 1 else 1
        trees.append(Tree(integers(t["left_children"]), integers(t["right_children"]),
                          lambda n: box_test("float32(x) < t", *integers([t["split_indices"][n]]), conditions[n]),
                          lambda n: one_class(conditions[n], c, classes), complete=False))
    scores = [number32(word.strip()) for word in parameters["base_score"].strip("[]").split(",")]
    base = scores * classes if len(scores) == 1 else scores
    if objective == "binary:logistic":
        demand(len(scores) == 1 and 0 < scores[0] < 1, "base_score %r is no probability", scores)
        base = [0.0, -math.log(round32(round32(1 / scores[0]) - 1))]
    return BoxTrees(dim, classes, trees, votes[objective], base, True)


def read_lightgbm(text):
    body, end, _ = text.replace("\r", "").partition("\nend of trees")
    head, *parts = [dict(line.partition("=")[::2] for line in part.split("\n")) for part in body.split("\nTree=")]
    objective, *settings = head["objective"].split()
    demand(end and objective in ("binary", "multiclass") and "average_output" not in head, "no end, or objective %r", objective)
    groups, feature = integers([head["num_class"], head["max_feature_idx"]])
    classes, base, vote = max(2, groups), None, "softmax" if objective == "multiclass" else "logistic"
    trees = [lightgbm_tree(part, i % groups if groups > 1 else 1, classes) for i, part in enumerate(parts)]
    sigmoid = number(dict(word.partition(":")[::2] for word in settings).get("sigmoid", "1"))
    if vote == "logistic" and sigmoid != 1:
        vote, base = "sum", [largest(lambda a: a * sigmoid <= 1.5 * 2.0 ** -53), 0.0]
    return BoxTrees(feature + 1, classes, trees, vote, base)


def lightgbm_tree(fields, c, classes):
    demand(fields.get("num_cat", "0") == "0" and fields.get("is_linear", "0") == "0", "a tree is categorical or linear")
    thresholds, values, zero = fields["threshold"].split(), fields["leaf_value"].split(), round32(1e-35)

    kinds = integers(fields["decision_type"].split())

    def test(n):
        t = math.inf if thresholds[n] == "inf" else number(thresholds[n])
        demand(kinds[n] & 1 == 0, "a split is categorical")
        demand(kinds[n] & 12 != 4 or (kinds[n] & 2 != 0) == (t >= 0), "zeros count as missing, and go another way")
        t = zero if 0 <= t < zero else math.nextafter(-zero, -math.inf) if -zero <= t < 0 else t
        return box_test("x <= t", *integers([fields["split_feature"].split()[n]]), t)

    # Leaf i is node len(thresholds) + i.
    left, right = ([n if n >= 0 else len(thresholds) + ~n for n in integers(fields[key].split())] + [-1] * len(values)
                   for key in ("left_child", "right_child"))
    return Tree(left, right, test, lambda n: one_class(number(values[n - len(thresholds)]), c, classes))


# Training sets


def read_training(data, k):
    lines = [line.strip() for line in data.decode("utf-8-sig").split("\n") if line.strip()]
    points, labels = (read_csv if "," in lines[0] else read_libsvm)(lines)
    if all(DECIMAL.fullmatch(label) for label in labels):
        labels = [number(label) for label in labels]
    names = sorted(set(labels), key=lambda label: label.encode() if isinstance(label, str) else label)
    rank = {name: i for i, name in enumerate(names)}
    return Rows(points, [rank[label] for label in labels], len(names), k)


def read_csv(lines):
    table = [[cell.strip() for cell in row] for row in csv.reader(lines, skipinitialspace=True, strict=True)]
    if any(table[0]) and not any(DECIMAL.fullmatch(cell) for cell in table[0]):
        del table[0]
    return [[number(cell) for cell in row[:-1]] for row in table], [row[-1] for row in table]


def read_libsvm(lines):
    table = [words for words in (line.partition("#")[0].split() for line in lines) if words]
    rows = [[word.partition(":")[::2] for word in words[1:]] for words in table]
    indices = [integers([index for index, _ in row]) for row in rows]
    demand(all(a < b for row in indices for a, b in zip([-1] + row, row)), "indices do not ascend")
    features = range(0 if [0] in [row[:1] for row in indices] else 1, max(max(row, default=0) for row in indices) + 1)
    values = [dict(zip(places, (number(value) for _, value in row))) for places, row in zip(indices, rows)]
    return [[row.get(f, 0.0) for f in features] for row in values], [words[0] for words in table]


# Pruning


class Pruning:
    """A proof that the rows to keep weigh as much as can be kept, or nearly."""

    places = 1074  # an amount is any float64

    def __init__(self, lines, rows):
        self.points, self.labels, count = rows.points, rows.labels, len(rows.points)
        self.norm = lines.word("norm")
        demand(self.norm in ("1", "2", "inf"), "the norm is 1, 2 or inf, not %r", self.norm)
        self.reach = 2 * parse_float(lines.word("radius"), least=0)
        weights = [parse_float(w, least=0) for w in lines.optional("weights") or ["1"] * count]
        demand(len(weights) == count and finite(weights), "there should be %d finite weights", count)
        self.weights = [scaled(w, self.places) for w in weights]
        keep = [parse_natural(w, count, "row") for w in lines.line("keep")]
        demand(all(a < b for a, b in zip(keep, keep[1:])), "the rows to keep do not ascend")
        self.check_kept(keep)
        self.weight, self.bound = parse_float(lines.word("weight")), parse_float(lines.word("bound"))
        exact = float(Fraction(sum(self.weights[r] for r in keep), 1 << self.places))
        demand(self.weight == exact, "the rows to keep weigh %r", exact)
        demand(self.check_cliques(lines) <= scaled(self.bound, self.places), "the cliques do not prove the bound")
        self.settled = self.weight == self.bound

    def check_kept(self, keep):
        """Compares rows that are near each other in the feature of greatest extent."""
        column = max(zip(*self.points), key=lambda column: max(column) - min(column))
        window, start = sorted(keep, key=column.__getitem__), 0
        for i, r in enumerate(window):
            # Roundings make no distance less than the difference in one feature, but by a unit or so.
            while column[r] - column[window[start]] > self.reach * (1 + 2.0 ** -40) + 2.0 ** -1000:
                start += 1
            for s in window[start:i]:
                demand(not self.conflict(r, s), "rows %d and %d to keep conflict", min(r, s), max(r, s))

    def conflict(self, r, s):
        if self.labels[r] == self.labels[s]:
            return False
        gaps, total = [abs(v - w) for v, w in zip(self.points[r], self.points[s])], 0.0
        most = max(gaps)
        for g in gaps:
            total += g if self.norm == "1" else g * g
        if self.norm != "2":
            return (most if self.norm == "inf" else total) <= self.reach
        if 2.0 ** -900 < total < 2.0 ** 900:
            return math.sqrt(total) <= self.reach
        if 0 < most < math.inf:
            total = 0.0
            for g in gaps:
                total += (g / most) * (g / most)
            most *= math.sqrt(total)
        return most <= self.reach

    def check_cliques(self, lines):
        """What the cliques leave of the weight of all rows."""
        room, left = self.weights[:], sum(self.weights)
        while (words := lines.optional("clique")) is not None:
            amount = scaled(parse_float(words[0] if words else "", least=2.0 ** -1074), self.places)
            demand(amount < math.inf and len(words) > 1, "an amount and rows should follow")
            rows = [parse_natural(w, len(room), "row") for w in words[1:]]
            for i, r in enumerate(rows):
                room[r] -= amount
                demand(room[r] >= 0, "row %d is in cliques of more than its weight", r)
                for s in rows[:i]:
                    demand(self.conflict(r, s), "rows %d and %d do not conflict", r, s)
            left -= (len(rows) - 1) * amount
        return left


# The program


def check(lines, model, digest):
    """Checks all proofs of a file, and prints what they claim."""
    head = lines.words()
    demand(head in (["facet-proofs", "1"], ["facet-pruning", "1"]), "this is no file of proofs of version 1")
    pruning = head[0] == "facet-pruning"
    demand(lines.line("data" if pruning else "model") == ["sha256", digest], "the proofs are about another file than %s", digest)
    count, settled, started = 0, 0, time.perf_counter()
    while count == 0 or lines.more():
        demand(count == 0 or not pruning, "there is text after the end")
        if pruning:
            proof = Pruning(lines, model)
        else:
            proof = Proof(lines, model)
            model.checker(model, proof).check(lines)
        demand(lines.line("end") == [], "nothing follows 'end' on its line")
        count, settled = count + 1, settled + proof.settled
        print("%s: norm %s, bound %r, %s" % ("pruning" if pruning else proof.name, proof.norm, proof.bound,
                                             "settled" if proof.settled else "not settled"))
    print("%d proofs hold, %d are settled, %.1f s" % (count, settled, time.perf_counter() - started))


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
    except (Refused, ValueError, LookupError, TypeError, AttributeError, RecursionError, EOFError, OSError,
            zlib.error, csv.Error) as fault:
        print("%s cannot be read: %s: %s" % (path, type(fault).__name__, fault), file=sys.stderr)
        return 2
    lines = Lines(file)
    try:
        with file:
            check(lines, model, hashlib.sha256(data).hexdigest())
    except Refused as refusal:
        print("%s:%d: refused: %s" % (chosen.proofs, lines.number, refusal), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
