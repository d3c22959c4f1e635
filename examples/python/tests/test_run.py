"""How the command runs: it never outlives its question, and leaves nothing behind."""
import os
import signal
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

import facet_robust as facet
from facet_robust import command
from kinds import numbers, words

LONG = """
import numpy as np, facet_robust as facet
from facet_robust import command
from sklearn.ensemble import RandomForestClassifier
command.Progress.step = lambda self: print("a row", flush=True)
rng = np.random.default_rng(0)
X = rng.random((3000, 40))
model = RandomForestClassifier(200, random_state=0).fit(X, rng.random(3000) < 0.5)
facet.attack(model, X, norm=2, timeout=0.1, progress=False)
"""


class TestRun(unittest.TestCase):
    def test_interrupt(self):
        """Ctrl-C ends Python with KeyboardInterrupt, and the command with it; no files stay."""
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "TMPDIR": folder, "FACET_COMMAND": command.program(), "PYTHONPATH": os.pathsep.join(sys.path)}
            child = subprocess.Popen([sys.executable, "-c", LONG], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertEqual(child.stdout.readline(), "a row\n")
            self.assertTrue(attacks(folder))
            child.send_signal(signal.SIGINT)
            _, said = child.communicate()
            self.assertIn("KeyboardInterrupt", said)
            self.assertEqual(os.listdir(folder), [])
            self.assertFalse(attacks(folder))

    def test_nothing_stays(self):
        X = numbers()
        model = RandomForestClassifier(3, max_depth=3, random_state=0).fit(X, words(X))
        with tempfile.TemporaryDirectory() as folder:
            before, tempfile.tempdir = tempfile.tempdir, folder
            try:
                facet.attack(model, X[:3])
                self.assertEqual(os.listdir(folder), [])
                for wrong in ({"norm": 3}, {"costs": {"age": {"up": -1}}}, {"X": "X"}):
                    with self.assertRaises(facet.FacetError):
                        facet.attack(model, **{"X": X[:3], **wrong})
                    self.assertEqual(os.listdir(folder), [])
            finally:
                tempfile.tempdir = before

    def test_progress(self):
        """A bar of tqdm counts the rows, if tqdm is there and it is asked for, and is closed."""
        X = numbers()[:7]
        model = RandomForestClassifier(3, max_depth=3, random_state=0).fit(X, words(X))

        class Bar:
            made = []

            def __init__(self, total, **_):
                self.total, self.done, self.closed = total, 0, False
                self.made.append(self)

            def update(self):
                self.done += 1

            def close(self):
                self.closed = True

        for modules, shown, bars in (({"tqdm": types.ModuleType("tqdm"), "tqdm.auto": types.SimpleNamespace(tqdm=Bar)}, True, 1), ({"tqdm": None, "tqdm.auto": None}, True, 0), ({}, False, 0)):
            Bar.made.clear()
            with mock.patch.dict(sys.modules, modules):
                facet.attack(model, X, progress=shown)
            self.assertEqual([(bar.total, bar.done, bar.closed) for bar in Bar.made], [(7, 7, True)] * bars)

    def test_many_columns(self):
        """Names that need quotes, and so many that they are a long header."""
        rng = np.random.default_rng(0)
        odd = ["it's", 'a "b"', "tab\tand, comma", "Größe", "\\n", " spaces ", "#5", "𝛼", "Unnamed: 0"]
        X = pd.DataFrame(rng.random((40, 3000)), columns=odd + [f"a long name of a column, number {i}" for i in range(3000 - len(odd))])
        y = X["it's"] + X["Größe"] + X[" spaces "] > 1.5
        model = RandomForestClassifier(5, random_state=0, max_features=None).fit(X, y)
        answer = facet.attack(model, X[:3], costs={name: {"up": 2.0} for name in odd})
        self.assertEqual([c for c in answer if c.startswith("adv_")], [f"adv_{c}" for c in X])
        near = answer[[f"adv_{c}" for c in X]].rename(columns=lambda c: c[4:])
        self.assertEqual(list(model.predict(near)), list(answer.adversarial_label))
        changed = set(facet.counterfactuals(model, X[:3]).feature)
        self.assertTrue(changed and changed <= set(X))

    def test_sentences(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(facet.FacetError, "^X FILE is missing"):
                command.run(["attack"], folder)
            with self.assertRaisesRegex(facet.FacetError, "^there is no flag nothing"):
                command.run(["attack", "--nothing"], folder)


def attacks(folder):
    """The commands that are at work in a folder."""
    found = []
    for process in os.listdir("/proc"):
        try:
            if process.isdigit() and os.readlink(f"/proc/{process}/cwd").startswith(folder):
                found.append(process)
        except OSError:
            pass
    return found


if __name__ == "__main__":
    unittest.main()
