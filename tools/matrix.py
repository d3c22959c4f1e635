#!/usr/bin/env python3
"""Asks every question of every kind of model, has the model's own library confirm each answer, and writes docs/reference/matrix.md.

    python3 tools/matrix.py                    all kinds, and the page
    python3 tools/matrix.py --short            some kinds, and compares them with the page
    python3 tools/matrix.py --kind 'XGBoost: dart' --ask ignores --seed 7

Needs the package facet_robust and the libraries of docs/use/models.md. A cell is confirmed, or refused by a sentence; any
other is a fault, and the exit status 1.
"""
import argparse
import concurrent.futures
import importlib.metadata
import os
import sys
import tempfile
import time
import traceback
import warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two kinds are asked at a time, and threads that wait for one another are slow

import numpy as np

from matrix import asked, page
from matrix.asked import Asking, all_questions
from matrix.command import Refusal, Wrong
from matrix.kinds import all_kinds

PAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "reference", "matrix.md")
LEAST = 20  # rows that confirm a cell


def cell(question, given, folder, seed, many):
    """Returns the outcome of a cell, and how many rows or inputs confirmed it or a sentence."""
    try:
        count = question(Asking(given, folder, np.random.default_rng(seed), many))
        return ("confirmed", count) if count >= LEAST else ("wrong", f"only {count} rows were confirmed")
    except Refusal as refusal:
        return "refused", str(refusal)
    except Wrong as wrong:
        return "wrong", str(wrong)
    except Exception:
        return "wrong", traceback.format_exc()


def column(number, chosen, seed, many):
    """Returns the cells of a kind, by chapter and question."""
    warnings.simplefilter("ignore")
    kind, cells, seconds = all_kinds()[number], {}, {}
    with tempfile.TemporaryDirectory(prefix="matrix-") as folder:
        try:
            given = kind.given(folder)
        except Exception as e:
            sentence, failed = str(e) if type(e).__name__ == "ExportError" else None, traceback.format_exc()
            for chapter, questions in all_questions().items():
                for name in questions:
                    if chosen in (None, name):
                        cells[chapter, name] = ("refused", sentence) if sentence else ("wrong", failed)
            return number, cells, seconds
        for chapter, questions in all_questions().items():
            for name, question in questions.items():
                if chosen in (None, name):
                    begin = time.monotonic()
                    cells[chapter, name] = cell(question, given, folder, seed, many)
                    seconds[chapter, name] = time.monotonic() - begin
    return number, cells, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="some kinds alone, and no page")
    parser.add_argument("--kind", help="one kind, such as 'XGBoost: dart'")
    parser.add_argument("--ask", help="one question")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--many", type=int, help="inputs that are drawn for each row")
    parser.add_argument("--write", action="store_true", help="with --kind: puts the kind into the page")
    parser.add_argument("--slow", action="store_true", help="say what took longest")
    chosen = parser.parse_args()
    kinds = all_kinds()
    at = [i for i, k in enumerate(kinds) if (k.short or not chosen.short) and chosen.kind in (None, f"{k.library}: {k.name}", k.library)]
    if chosen.short:
        asked.LIMIT = 0.3
    many, begin, cells, seconds = chosen.many or (60 if chosen.short else 150), time.monotonic(), {}, {}
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for number, found, took in pool.map(column, at, *([v] * len(at) for v in (chosen.ask, chosen.seed, many))):
            kind = kinds[number]
            cells[kind.library, kind.name] = found
            for (chapter, name), (status, said) in found.items():
                if status == "wrong":
                    print(f"{kind.library}: {kind.name}: {chapter}: {name}: {said}", flush=True)
                elif chosen.kind:
                    print(f"{chapter}: {name}: {status} {said}")
            for key, t in took.items():
                seconds[kind.library, kind.name, *key] = t
    counts = {status: sum(s == status for found in cells.values() for s, _ in found.values()) for status in ("confirmed", "refused", "wrong")}
    print(", ".join(f"{count} {status}" for status, count in counts.items()), f"in {time.monotonic() - begin:.0f} s")
    if chosen.slow:
        for key, t in sorted(seconds.items(), key=lambda item: -item[1])[:25]:
            print(f"{t:.1f} s", *key, sep=": ")
    stale = page.differs(PAGE, cells, [(k.library, k.name) for k in kinds]) if chosen.short else []
    for line in stale:
        print(line + ": python3 tools/matrix.py writes the page")
    if len(at) == len(kinds) and not chosen.ask or chosen.write:
        write(cells, kinds)
    sys.exit(int(counts["wrong"] > 0 or bool(stale)))


def write(cells, kinds):
    """Writes the page: cells that were asked now, and those that the page has of other kinds."""
    order = [(chapter, name) for chapter, questions in all_questions().items() for name in questions]
    with open(PAGE, encoding="utf-8") as f:
        all_cells = {**page.kept(f.read(), order), **cells}
    ordered = {(k.library, k.name): all_cells[k.library, k.name] for k in kinds if (k.library, k.name) in all_cells}
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(page.written({kind: {key: found[key] for key in order} for kind, found in ordered.items()}, versions()))


def versions():
    """Names the libraries that answered."""
    names = {"scikit-learn": "scikit-learn", "XGBoost": "xgboost", "LightGBM": "lightgbm", "CatBoost": "catboost", "onnxruntime": "onnxruntime"}
    return ", ".join(f"{name} {importlib.metadata.version(package)}" for name, package in names.items())


if __name__ == "__main__":
    main()
