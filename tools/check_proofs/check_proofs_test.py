#!/usr/bin/env python3
"""Tests check_proofs.py: small proofs written by hand, and random ones.

    python3 tools/check_proofs/check_proofs_test.py
"""
import contextlib
import gzip
import hashlib
import io
import itertools
import json
import os
import random
import tempfile
import unittest

import check_proofs


def facet(kind, n_features, **rest):
    return json.dumps({"format": "facet-model", "version": 1, "kind": kind, "n_features": n_features, **rest})


def stump(feature, threshold, left, right):
    return {"feature": [feature, 0, 0], "threshold": [threshold, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1],
            "value": [[0] * len(left), left, right]}


# A test of each feature at 1; label 1 if both go right, or one, which is a tie and goes to the smaller label.
PAIR = facet("ensemble", 2, comparison="x <= t", vote="soft",
             trees=[stump(0, 1, [1, 0], [0, 1]), stump(1, 1, [1, 0], [0, 1])])
SLANT = facet("oblique-tree", 2, trees=[{"weights": [[1, 1], None, None], "threshold": [1, 0, 0], "left": [1, -1, -1],
                                         "right": [2, -1, -1], "value": [[1, 1], [1, 0], [0, 1]]}])
# Five rows on a line: labels 0 0 0 1 1.
LINE = "0,0\n1,0\n2,0\n4,1\n5,1\n"


def proof(*body, x="0 0", norm="inf", bound="1", head=()):
    return "\n".join(["proof of a test", "norm " + norm, "from 0", *head[:1], "x " + x, "bound " + bound, *head[1:], *body, "end", ""])


class Case(unittest.TestCase):
    def run_on(self, text, model, *options, header=None, suffix=""):
        """The exit status, and the output."""
        data = model.encode()
        if header is None:
            header = "facet-proofs 1\nmodel sha256 %s\n" % hashlib.sha256(data).hexdigest()
        out, err = io.StringIO(), io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, "proofs" + suffix), os.path.join(folder, "model")]
            content = (header + text).encode("latin-1")
            for path, bytes_ in zip(paths, (gzip.compress(content) if suffix == ".gz" else content, data)):
                with open(path, "wb") as file:
                    file.write(bytes_)
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = check_proofs.main([paths[0], *(options or ("--model",)), paths[1]])
        return status, out.getvalue() + err.getvalue()

    def holds(self, text, model, *options, **kwargs):
        status, printed = self.run_on(text, model, *options, **kwargs)
        self.assertEqual(status, 0, printed)
        return printed

    def refused(self, reason, text, model, *options, **kwargs):
        status, printed = self.run_on(text, model, *options, **kwargs)
        self.assertEqual(status, 1, printed)
        self.assertIn(reason, printed)


class TestFile(Case):
    """The file around a proof."""

    good = proof("label 1", ".")

    def test_holds(self):
        self.assertIn("of a test: norm inf, bound 1.0, not settled\n1 proofs hold, 0 are settled", self.holds(self.good, PAIR))
        self.holds(self.good * 3, PAIR)
        self.holds(self.good, PAIR, suffix=".gz")

    def test_refused(self):
        for reason, text in {
            "line 3": "", "'proof' should": "x" + self.good, "ends within a line": self.good[:-1],
            "'end' should": self.good[:-4], "'proof' should begin": self.good + "\n",
            "'utf-8' codec": self.good.replace("test", "\xff"),
            "'norm' should": self.good.replace("norm", "Norm"), "the norm is": self.good.replace("inf", "3"),
            "no label below 2": self.good.replace("from 0", "from 2"), "no label": self.good.replace("from 0", "from +0"),
            "1 words should follow": self.good.replace("from 0", "from 0 1"), "2 finite": self.good.replace("x 0 0", "x 0"),
            "no number": self.good.replace("x 0 0", "x 0 nan"), "finite": self.good.replace("x 0 0", "x 0 inf"),
            "'' is no number": self.good.replace("x 0 0", "x 0  0"), "too small": self.good.replace("bound 1", "bound -1"),
            "'bound' should": self.good.replace("x 0 0", "x 0 0\nx 0 0"), "0 words should follow": self.good.replace("end", "end "),
            "is no number,": self.good.replace("bound 1", "bound 1_0"),
        }.items():
            if text:
                with self.subTest(reason):
                    self.refused(reason, text, PAIR)
        self.refused("'proof' should", "", PAIR)
        self.refused("'proof' should", self.good + "facet-proofs 1\n", PAIR)
        self.refused("another file", self.good, PAIR, header="facet-proofs 1\nmodel sha256 00\n")
        self.refused("of version 1", self.good, PAIR, header="facet-proofs 2\n")

    def test_damaged_gzip(self):
        with tempfile.TemporaryDirectory() as folder:
            path, model = os.path.join(folder, "p.gz"), os.path.join(folder, "m")
            text = "facet-proofs 1\nmodel sha256 %s\n%s" % (hashlib.sha256(PAIR.encode()).hexdigest(), self.good)
            with open(path, "wb") as file:
                file.write(gzip.compress(text.encode())[:-5])
            with open(model, "w") as file:
                file.write(PAIR)
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as err:
                self.assertEqual(check_proofs.main([path, "--model", model]), 1)
            self.assertIn("p.gz:", err.getvalue())

    def test_wrong_use(self):
        self.assertEqual(self.run_on(self.good, "{}")[0], 2)
        self.assertEqual(self.run_on(self.good, LINE, "-k", "6", "--train")[0], 2)
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as stop:
            check_proofs.main(["proofs"])
        self.assertEqual(stop.exception.code, 2)

    def test_domain_and_example(self):
        above = "0x1.0000000000001p+00"
        near = self.good.replace("bound 1", "bound 1\nexample 1 %s %s" % (above, above))
        self.assertIn(", settled", self.holds(near, PAIR))
        example = proof("label 1", ".", head=("domain 0 2 0 2", "example 1 2 2"))
        self.assertIn("not settled", self.holds(example, PAIR))
        self.refused("does not give", example.replace("example 1 2 2", "example 1 2 1"), PAIR)
        self.refused("outside", example.replace("example 1 2 2", "example 1 2 3"), PAIR)
        self.refused("does not answer", example.replace("example 1", "example 0"), PAIR)
        self.refused("nearer", example.replace("bound 1", "bound inf"), PAIR)
        self.refused("no domain", example.replace("domain 0 2", "domain 2 0"), PAIR)
        self.refused("4 words should follow", example.replace("domain 0 2", "domain 0"), PAIR)
        # No slot above 1 is left in a feature: no bound is too high. But no proof is settled without an example.
        self.assertIn(", not settled", self.holds(proof("label 1", "b0..", bound="inf", head=("domain 0 1 0 2",)), PAIR))


class TestBoxes(Case):
    def test_split(self):
        self.holds(proof("label 1", ".", bound="0x1p+00"), PAIR)
        self.refused("neither", proof("label 1", ".", bound="0x1.0000000000001p+00"), PAIR)
        body = "label 1", "a0b0..."
        self.refused("neither", proof(*body, bound="0x1.0000000000001p+00"), PAIR)
        # In ℓ1 both steps cost.
        self.holds(proof(*body, bound="2", norm="1"), PAIR)
        self.refused("neither", proof(*body, bound="0x1.0000000000001p+01", norm="1"), PAIR)
        self.holds(proof(*body, bound="0x1.6a09e667f3bccp+00", norm="2"), PAIR)
        self.refused("neither", proof(*body, bound="0x1.6a09e667f3bcdp+00", norm="2"), PAIR)

    def test_refused(self):
        for reason, tokens in {
            "ends before": "a0b0..", "goes on": "a0b0....", "no feature 2": "c0..", "only the slots": "a1..",
            "'?' is no token": "a0b0?", "'A' is": "A0..", "' ' is": "a0b0. .",
        }.items():
            with self.subTest(tokens):
                self.refused(reason, proof("label 1", tokens, bound="2", norm="1"), PAIR)
        self.refused("label 1 should", proof("label 0", "."), PAIR)
        self.refused("'label' should", proof(), PAIR)
        self.refused("'end' should", proof("label 1", ".", "label 1", "."), PAIR)

    def test_sweeps_without_numpy(self):
        module, check_proofs.numpy = check_proofs.numpy, None
        try:
            self.test_sweeps()
        finally:
            check_proofs.numpy = module

    def test_sweeps(self):
        # Label 1 needs two of three trees, which want different slots of one feature.
        between = {"feature": [0, 0, 0, 0, 0], "threshold": [-1, 0, 1, 0, 0], "left": [1, -1, 3, -1, -1], "right": [2, -1, 4, -1, -1],
                   "value": [[0, 0], [0, 0], [0, 0], [0, 0.375], [0, 0]]}
        torn = facet("ensemble", 1, classes=[0, 1], comparison="x <= t", vote="sum", base=[0.5, 0],
                     trees=[stump(0, 1, [0, 0], [0, 0.375]), stump(0, -1, [0, 0.375], [0, 0]), between])
        for tree in "*1.", "*0*1.", "*99.", "a0.*0.":
            self.holds(proof("label 1 0", tree, x="0", bound="inf"), torn)
        for reason, tree in {
            "neither far": "*0.", "neither far,": ".", "no token": "*100.", "'*' is no token": "*.", "is no token": "*01.", "nothing is left": "*1*0a0..",
            "goes on": "*1..",
        }.items():
            with self.subTest(reason):
                self.refused(reason, proof("label 1 0", tree, x="0", bound="inf"), torn)
        for reason, text in {
            "no token here": proof("label 1", "*1.", x="0"), "this norm": proof("label 1 0", "*1.", x="0", norm="1"),
            "this rival": proof("label 1 1", "*1.", x="0"), "no label": proof("label 1 2", "*1.", x="0"),
            "should follow": proof("label 1 0 0", "*1.", x="0"),
        }.items():
            with self.subTest(reason):
                self.refused(reason, text, torn)
        self.refused("no potentials", proof("label 1 0", "*1.", x="0"), torn.replace("0.375", "0"))
        self.refused("no sweeps", proof("label 1 0", "."), SLANT)

    def test_nothing_in_reach(self):
        self.holds(proof(bound="0"), PAIR)
        self.refused("'end' should", proof("label 1", ".", bound="0"), PAIR)

    def test_long_lines(self):
        """Tokens that the reader's pieces cut in two."""
        class Pieces:
            def __init__(self, text):
                self.text = text

            def readline(self, limit=-1):
                piece, self.text = self.text[:7], self.text[7:]
                return piece

        lines = check_proofs.Lines(Pieces(b"a10.bc20.b3.c45678901..\n"))
        self.assertEqual([token[0] for token in lines.tokens()], ["a10", ".", "bc20", ".", "b3", ".", "c45678901", ".", "."])

    def test_borders(self):
        """float32(x) <= t ends half-way between two float32, and even ones own the middle."""
        def border(comparison, t):
            return check_proofs.box_test(comparison, 0, t)[1:3]

        one, over = 1.0, 1 + 2.0 ** -23
        self.assertEqual(border("float32(x) <= t", one), ((one + over) / 2, True))
        self.assertEqual(border("float32(x) < t", over), ((one + over) / 2, True))
        self.assertEqual(border("float32(x) <= t", over), ((over + 1 + 2.0 ** -22) / 2, False))
        self.assertEqual(border("float32(x) <= t", 1.0 - 2.0 ** -53), (1 - 2.0 ** -25, False))
        self.assertEqual(border("float32(x) <= t", 0.0), (2.0 ** -150, True))
        self.assertEqual(border("float32(x) < t", 0.0), (-2.0 ** -150, False))
        self.assertEqual(border("float32(x) <= t", 1e300), (2.0 ** 128 - 2.0 ** 103, False))
        self.assertEqual(border("float32(x) <= t", -1e300), (2.0 ** 103 - 2.0 ** 128, True))
        self.assertEqual(border("x <= t", 0.5), (0.5, True))
        self.assertEqual(border("x < t", 0.5), (0.5, False))
        self.assertEqual(border("float32(x) < t", float("-inf")), (float("-inf"), False))
        self.assertEqual(border("float32(x) <= t", float("inf")), (float("inf"), True))

    def test_hard_votes(self):
        """Values of a leaf are compared as they stand, also where sums are float32."""
        for single, winner in (False, 1), (True, 1):
            text = facet("ensemble", 1, comparison="x <= t", vote="hard", single=single,
                         trees=[stump(0, 0.5, [0.6666666666666616, 0.6666666666666666], [1, 0])])
            self.assertTrue(check_proofs.read_model(text.encode()).gives([0.0], winner))

    def test_numbers(self):
        middle = 1 + 2.0 ** -24
        self.assertEqual(check_proofs.number32("%.40f" % middle), 1)
        self.assertEqual(check_proofs.number32("1.000000059604644775390625000000000000000000001"), 1 + 2.0 ** -23)
        self.assertEqual(check_proofs.number32("-1.000000059604644775390625000000000000000000001"), -1 - 2.0 ** -23)
        self.assertEqual(check_proofs.number32("1.000000178813934326171874999999999999999999999"), 1 + 2.0 ** -23)
        self.assertRaises(check_proofs.Refused, check_proofs.number32, "3.5e38")


class TestReaders(unittest.TestCase):
    text = """tree
version=v4
num_class=1
max_feature_idx=1
objective=binary sigmoid:1

Tree=0
num_leaves=2
num_cat=0
split_feature=1
threshold=0.5
decision_type=2
left_child=-1
right_child=-2
leaf_value=-1 1

end of trees
"""

    def test_lightgbm(self):
        model = check_proofs.read_model(self.text.encode())
        self.assertEqual(model.borders, [[], [(0.5, True)]])
        self.assertTrue(model.gives([9.0, 0.5], 0) and model.gives([9.0, 0.75], 1))
        for old, new in [
            ("decision_type=2", "decision_type=3"), ("decision_type=2", "decision_type=4"), ("objective=binary", "objective=rank"),
            ("end of", "end"), ("leaf_value=-1", "leaf_value=nan"), ("left_child=-1", "left_child=0"), ("feature=1", "feature=2"),
        ]:
            with self.subTest(new):
                self.assertRaises(check_proofs.Refused, check_proofs.read_model, self.text.replace(old, new).encode())
        # Zeros count as missing, and go left as the threshold says.
        check_proofs.read_model(self.text.replace("decision_type=2", "decision_type=6").encode())

    def test_training(self):
        rows = check_proofs.read_training(b"b, a ,label\n1, 2 ,x\n\n3,4e0,w\n", 1)
        self.assertEqual((list(map(list, rows.points)), rows.labels, rows.classes), ([[1, 2], [3, 4]], [1, 0], 2))
        rows = check_proofs.read_training(b"+1 1:0.5 3:2 # 9:9\n-1 2:1\n", 1)
        self.assertEqual((list(map(list, rows.points)), rows.labels), ([[0.5, 0, 2], [0, 1, 0]], [1, 0]))
        self.assertEqual(list(map(list, check_proofs.read_training(b"1 0:5\n2 1:6\n", 1).points)), [[5, 0], [0, 6]])
        for wrong in b"1 2:1 1:1\n", b"1,2\n1,2,3\n", b"1,nan,2\n", b"1 1:x\n":
            self.assertRaises(check_proofs.Refused, check_proofs.read_training, wrong, 1)


class TestPotentials(unittest.TestCase):
    @unittest.skipUnless(check_proofs.numpy, "without numpy there are no arrays")
    def test_arrays(self):
        """Arrays and lists know the same of random leaves, for any boxes and sweeps that follow."""
        rng = random.Random(1)
        for _ in range(150):
            dim, ends = rng.randint(1, 4), rng.choice([3, 9, 40])
            lists = check_proofs.Potentials()
            lists.base, lists.limit, lists.floor = rng.randint(-20, 20), rng.randint(-9, 9) * 9, -rng.choice([30, 1 << 25])
            lists.constants, lists.settled, lists.trees = [0] * dim, [], []
            for _ in range(rng.randint(1, 6)):
                lists.trees.append([])
                for _ in range(rng.randint(1, 9)):
                    leaf = check_proofs.Leaf()
                    leaf.ranges = {f: sorted(rng.choices(range(ends), k=2)) for f in range(dim) if rng.random() < 0.6}
                    lists.trees[-1].append((leaf, rng.randint(-99, 99), {}))
            lo, hi = [rng.randint(0, 1) for _ in range(dim)], [ends - rng.randint(1, 2) for _ in range(dim)]
            lists.trees = lists.left(lo, hi)
            if not all(lists.trees):
                continue
            arrays = check_proofs.PotentialArrays.of(lists, lo, hi)
            while arrays and lists:
                f, times = rng.randrange(dim), rng.randrange(4)
                if rng.random() < 0.5:
                    lo, hi = lo[:], hi[:]
                    lo[f] = hi[f] = rng.randint(lo[f], hi[f])
                self.assertEqual(arrays.refuted(lo, hi), lists.refuted(lo, hi))
                if lo == hi:
                    break
                one, other = (lo[:], hi[:]), (lo[:], hi[:])
                arrays, lists = arrays.narrowed(*one), lists.narrowed(*other)
                self.assertEqual(one if arrays else None, other if lists else None)
                if lists:
                    (lo, hi), left = one, lambda known: [[leaf for leaf, *_ in entries] for entries in known.left(*one)]
                    arrays.sweep(lo, hi, times)
                    lists.sweep(lo, hi, times)
                    self.assertEqual((arrays.base, arrays.constants, left(arrays)), (lists.base, lists.constants, left(lists)))
                    self.assertEqual(arrays.values.tolist(), [value for entries in lists.trees for _, value, _ in entries])
                    self.assertCountEqual(map(str, arrays.settled), map(str, lists.settled))

class TestOblique(Case):
    def test_tree(self):
        # From 0 it is 1/2 to the line in ℓ∞, √½ in ℓ2, 1 in ℓ1.
        for norm, bound in ("inf", "0.5"), ("2", "0x1.6a09e667f3bccp-1"), ("1", "1"):
            above = check_proofs.parse_float(bound) * (1 + 2.0 ** -52)
            for body in (["."], ["s 0 0", ".", "c @0"], ["s 0 0", ".", "c 7*@0"], ["s 0 0", ".", "."], ["d 0 2 3*#0", "."]):
                self.holds(proof("label 1", *body, norm=norm, bound=bound), SLANT)
                self.assertEqual(self.run_on(proof("label 1", *body, norm=norm, bound=repr(above)), SLANT)[0], 1)

    def test_refused(self):
        for reason, body in {
            "no decision": ["c @0"], "no tree below 1": ["s 1 0"], "no node below 3": ["s 0 3"], "no test": ["s 0 1"],
            "no leaf": ["d 0 0 #0"], "no test on the way": ["d 0 2 #1"], "does not show": ["d 0 1 #0"],
            "no term here": ["s 0 0", ".", "c #0"], "begins with": ["x"], "is open": ["c +0"], "is no term": ["c -1*+0"],
        }.items():
            with self.subTest(body):
                self.refused(reason, proof("label 1", *body, bound="0.5"), SLANT)
        self.refused("begins with", proof("label 1", "s 0 0", ".", bound="0.5"), SLANT)

    def test_domain(self):
        head = ("domain 0 0.75 0 0.25",)
        self.holds(proof("label 1", "s 0 0", ".", "c @0 +0 +1", head=head, bound="inf"), SLANT)
        self.refused("does not show", proof("label 1", "s 0 0", ".", "c @0 +0", head=head, bound="inf"), SLANT)
        self.refused("does not show", proof("label 1", "s 0 0", ".", "c @0 +0 +1", head=("domain 0 0.75 0 0.5",), bound="inf"), SLANT)
        # Sides are closed: a point on both counts. So does one left of a test, but not one right of it.
        self.refused("does not show", proof("label 1", "c +1 -1", head=("domain 0 9 0 0",)), SLANT)
        head = ("domain 0 0.5 0 0.5",)
        self.holds(proof("label 1", "s 0 0", ".", "c @0 +0 +1", head=head, bound="inf"), SLANT)
        left = SLANT.replace("[1, 1], [1, 0], [0, 1]]}", "[1, 1], [0, 1], [1, 0]]}")
        self.assertNotEqual(left, SLANT)
        self.refused("does not show", proof("label 1", "s 0 0", "c @0 -0 -1", ".", head=("domain 0.5 1 0.5 1",), bound="inf"), left)

    def test_one_weight(self):
        self.assertEqual(check_proofs.half_test([0.0, -2.0], 1.0)[:3], (((1, -1.0),), 0.5, True))
        self.assertEqual(check_proofs.half_test([3.0], 1.0)[1], 0.33333333333333337)
        self.assertEqual(check_proofs.half_test([0.0], -1.0)[1], float("-inf"))
        self.assertEqual(check_proofs.half_test([2.0], float("-inf"))[1], float("-inf"))
        self.assertEqual(check_proofs.half_test([5e-324], 1.0)[:3], (((0, 5e-324),), 1.0, True))
        self.assertEqual(check_proofs.half_test([0.5], -1.7e308)[:3], (((0, 0.5),), -1.7e308, True))
        self.assertEqual(check_proofs.half_test([-20.0], -2.0)[:3], (((0, -20.0),), -2.0, True))


class TestNeighbors(Case):
    def test_one(self):
        one = proof("near 0 1 2", x="0", bound="3")
        self.holds(one, LINE, "-k", "1", "--train")
        self.refused("pivot 3 should", one.replace("bound 3", "bound 3.1"), LINE, "-k", "1", "--train")
        self.holds(proof("near", "pivot 3", "r 2", "c 5*<2", "pivot 4", "r 2", "c <2", x="0", bound="3"), LINE, "-k", "1", "--train")
        self.holds(one.replace("0 1 2", "2 0"), LINE, "-k", "1", "--train")
        self.refused("twice", one.replace("0 1 2", "1 1"), LINE, "-k", "1", "--train")
        self.refused("no rival", one.replace("0 1 2", "2 3"), LINE, "-k", "1", "--train")

    def test_three(self):
        # Rows 3 and 4 must be nearer than row 1: behind 3.
        options = LINE, "-k", "3", "--train"
        self.holds(proof("near 0 1 2", x="0", bound="3"), *options)
        good = proof("near", "pivot 4", "q 3", "r 1 2", "c 3*<1", "c <2", x="0", bound="3")
        self.holds(good, *options)
        for reason, old, new in [
            ("does not show", "bound 3", "bound 3.0001"), ("may come before", "r 1 2", "r 1"), ("no open rival", "r 1 2", "r 1 3"),
            ("twice", "r 1 2", "r 1 1"), ("begins with", "r 1 2\n", "r 1 2 0\n"), ("need come before", "q 3", "q"),
            ("no open one", "q 3", "q 2"), ("nothing decides", "c <2", "c 0<2"), ("no term", "<2", "2"), ("no term", "3*", "-3*"),
            ("no row below 5", "pivot 4", "pivot 5"), ("no pivot here", "pivot 4", "pivot 2"), ("no term", "3*", "0*"),
            ("may be in", "q 3", "m 1"), ("that is out", "q 3", "o 2"),
        ]:
            with self.subTest(new):
                self.refused(reason, good.replace(old, new), *options)

    def test_ties(self):
        # Rows 0 and 1 tie at 0, the end of the domain, or everywhere. The first one comes first.
        for rows, domain, body in ("1,%s\n-1,%s\n", "domain 0 5", "c <%d 4*-0"), ("1,%s\n1,%s\n", "domain -5 5", "c <%d"):
            later = proof("near", "pivot 1", body % 0, x="1", head=(domain,), bound="inf")
            self.holds(later, rows % (0, 1), "-k", "1", "--train")
            first = proof("near", "pivot 0", body % 1, x="1", head=(domain,), bound="inf").replace("-0", "+0")
            for forged in first, first.replace("+0", "-0"):
                self.refused("does not show", forged, rows % (1, 0), "-k", "1", "--train")

    def test_in_and_out(self):
        # Pivot 4, row 3 before it: 2 is out, so that 4 is nearer than 2; or in, and the vote answers.
        options = LINE, "-k", "3", "--train"
        good = proof("near", "pivot 4", "q 3", "m 2", "c 4<2", "m", "c 4<1", x="0", bound="3")
        self.holds(good, *options)
        for reason, old, new in [
            ("in or out already", "m 2", "m 3"), ("nothing decides", "c 4<2", "c 4<0"), ("does not show", "c 4<1", "c 4<0"),
            ("that is out", "c 4<2", "o 1"), ("may be out", "c 4<2", "o 2"), ("does not show", "bound 3", "bound 3.01"),
        ]:
            with self.subTest(new):
                self.refused(reason, good.replace(old, new), *options)
        # A row that is out, and has fewer than k rows that can be nearer, leaves no input.
        self.holds(good.replace("c 4<2", "o 2 0 1\nc 4<2\nc <2"), *options)

    def test_seats(self):
        rows = check_proofs.Rows([[float(i)] for i in range(9)], [0, 0, 0, 0, 1, 1, 1, 2, 2], 3, 5)

        class Claim:
            source, target = 0, None

        def seats(source, target, k):
            Claim.source, Claim.target = source, target
            rows.k = k
            return rows.least_required(Claim)

        for k in range(1, 10):
            for source, target in [(0, None), (1, None), (2, None), (0, 1), (1, 0), (0, 2)]:
                answer = [sum(label == target if target is not None else label != source for label in chosen)
                          for chosen in {tuple(rows.labels[r] for r in c) for c in itertools.combinations(range(9), k)}
                          if (w := max(range(3), key=lambda c: (chosen.count(c), -c))) == target
                          or target is None and w != source]
                got = seats(source, target, k)
                if target is not None or got is None:
                    self.assertEqual(got, min(answer, default=None), (source, target, k))
                else:
                    self.assertLessEqual(got, min(answer, default=99), (source, target, k))


class TestPruning(Case):
    def file(self, *lines):
        return "\n".join(["norm 1", "radius 1", *lines, "end", ""])

    def test(self):
        def header(rows):
            return "facet-pruning 1\ndata sha256 %s\n" % hashlib.sha256(rows.encode()).hexdigest()

        good = self.file("keep 0 1 2 4", "weight 4", "bound 4", "clique 1 2 3")
        self.assertIn("bound 4.0, settled", self.holds(good, LINE, "--train", header=header(LINE)))
        for reason, old, new in [
            ("rows 2 and 3 to keep conflict", "keep 0 1 2 4", "keep 0 2 3 4"), ("not ascend", "keep 0 1", "keep 1 0"),
            ("weigh 3", "keep 0 1", "keep 1"), ("do not conflict", "clique 1 2 3", "clique 1 1 2"),
            ("do not prove", "clique 1 2 3", "clique 0x1p-1 2 3"), ("no whole number", "clique 1 2 3", "clique 0x1.fffffp-1 2 3"), ("do not prove", "clique 1 2 3\n", ""),
            ("twice", "clique 1 2 3", "clique 1 2 2"), ("more than its weight", "clique 1 2 3", "clique 1.5 2 3"), ("too small", "clique 1", "clique 0"),
            ("text after the end", "end\n", "end\nnorm 1\n"), ("do not conflict", "radius 1", "radius 0.9999"),
            ("do not prove", "bound 4", "bound 3.9"),
        ]:
            with self.subTest(new):
                self.refused(reason, good.replace(old, new), LINE, "--train", header=header(LINE))
        weighted = self.file("weights 1 1 1 2 3", "keep 0 1 3 4", "weight 7", "bound 7.5", "clique 0.5 2 3")
        self.holds(weighted, LINE, "--train", header=header(LINE))


def read_claim(text, model):
    lines = check_proofs.Lines(io.BytesIO(text.encode()))
    lines.line("proof")
    return check_proofs.Proof(lines, model)


def prove(boxes, box, label):
    """A tree of tokens, by splitting wrong ones in the middle; None if that does not help."""
    try:
        boxes.check_leaf(label, [[leaf for leaf, _ in entries] for entries in box[3]])
        return "."
    except check_proofs.Refused:
        wide = [f for f in range(len(box[0])) if box[0][f] < box[1][f]]
        if not wide:
            return None
        f = max(wide, key=lambda f: box[1][f] - box[0][f])
        lo, hi = box[0][f], box[1][f]
        cut = (lo + hi) // 2
        parts = [prove(boxes, boxes.part(box, f, *ends), label) for ends in ((lo, cut), (cut + 1, hi))]
        return None if None in parts else "%s%d%s%s" % ("abc"[f], cut - lo, *parts)


class TestRandomForests(Case):
    """Proofs of random forests, and the verdicts on them when they are changed."""

    def forest(self, draw):
        def tree(depth):
            nodes = {key: [] for key in ("feature", "threshold", "left", "right", "value")}

            def grow(depth):
                n, leaf = len(nodes["left"]), depth == 0 or draw.random() < 0.2
                for key, v in zip(nodes, (draw.randrange(2), draw.randrange(9) / 4, -1, -1,
                                          [draw.randrange(5) / 4 for _ in range(3)])):
                    nodes[key].append(v)
                if not leaf:
                    nodes["left"][n], nodes["right"][n] = grow(depth - 1), grow(depth - 1)
                return n

            grow(depth)
            return nodes

        return facet("ensemble", 2, comparison=draw.choice(["x <= t", "x < t", "float32(x) <= t"]),
                     vote=draw.choice(["soft", "hard", "sum", "softmax"]), trees=[tree(3) for _ in range(4)])

    def nearest(self, model, claim):
        """The infimum of the distances of inputs that answer, as Boxes counts it: over all cells one by one."""
        best = float("inf")
        claim.bound = claim.B = best
        norm, claim.norm = claim.norm, "1"  # for the gaps of cells
        root = model.root(claim)
        if root is None:
            return best
        for cell in itertools.product(*(range(a, b + 1) for a, b in zip(root[0], root[1]))):
            box = root
            for f, s in enumerate(cell):
                box = model.part(box, f, s, s)
            if any(not model.loses([leaves[0][0] for leaves in box[3]], label) for label in claim.labels):
                gaps = [model.cost(f, s, s) for f, s in enumerate(cell)]
                best = min(best, max(gaps) if norm == "inf" else sum(gap ** (2 if norm == "2" else 1) for gap in gaps))
        return best

    def test_random(self):
        draw, counts = random.Random(1), {"proven": 0, "refused": 0, "still true": 0}
        for _ in range(30):
            text = self.forest(draw)
            model, digest = check_proofs.read_model(text.encode()), hashlib.sha256(text.encode()).hexdigest()
            norm, target = draw.choice(["1", "2", "inf"]), draw.choice([None, "target 1"])
            head = "norm %s\nfrom 0\n%sx %r %r\n" % (norm, target + "\n" if target else "", draw.randrange(9) / 4, draw.randrange(20) / 8)
            def claim_of(bound):
                return read_claim("proof\n%sbound %r\n\n" % (head, bound), model)

            claim = claim_of(2.0)
            best = self.nearest(model, claim)
            scale = 2 * claim.places if norm == "2" else claim.places
            bound = best if best == float("inf") else (best / 2 ** scale) ** (0.5 if norm == "2" else 1) * (1 - 2.0 ** -50)
            claim = claim_of(bound)
            model.proof, root, body = claim, model.root(claim), ""
            if root:
                for label in claim.labels:
                    tokens = prove(model, root, label)
                    self.assertIsNotNone(tokens)
                    body += "label %d\n%s\n" % (label, tokens)
            good = "proof\n%sbound %r\n%send\n" % (head, bound, body)
            self.holds(good, text)
            counts["proven"] += 1
            for _ in range(20):
                i, bad = draw.randrange(len(good)), good
                if draw.randrange(2):
                    bad = bad[:i] + draw.choice(".ab0123\n") + bad[i + draw.randrange(2):]
                else:
                    bad = bad.replace("bound %r" % bound, "bound %r" % (bound * (1 + 1e-6) + 1e-9))
                status = self.again(bad, model, digest)
                counts["refused"] += status
                if status == 0:
                    counts["still true"] += 1
                    self.still_true(bad, model)
        self.assertGreater(counts["refused"], 250, counts)

    def again(self, text, model, digest):
        """The exit status of run_on, of a model that was read."""
        text = "facet-proofs 1\nmodel sha256 %s\n%s" % (digest, text)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                check_proofs.check(check_proofs.Lines(io.BytesIO(text.encode())), [model], [digest])
        except check_proofs.Refused:
            return 1
        return 0

    def still_true(self, text, model):
        claim = read_claim(text, model)
        bound, norm = claim.B, claim.norm
        self.assertGreaterEqual(self.nearest(model, claim), bound ** 2 if norm == "2" else bound, text)


if __name__ == "__main__":
    unittest.main()
