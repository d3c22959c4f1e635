#!/usr/bin/env python3
"""Fails if a library has a newer release than those that docs/use/models.md names as tried.

    python tools/newest_releases.py

pip says what the newest release is, of any Python. A note says which of them this Python does not have.
"""
import importlib.metadata
import os
import re
import subprocess
import sys

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "use", "models.md")
ROWS = {"scikit-learn": "scikit-learn", "xgboost": "XGBoost", "lightgbm": "LightGBM", "catboost": "CatBoost", "onnxruntime": "ONNX"}


def numbers(version):
    return [int(n) for n in version.split(".")]


def tried(row):
    """The last version in the second column of the table."""
    with open(MODELS, encoding="utf-8") as f:
        line, = (line for line in f if line.startswith(f"| {row}") and line.count("|") > 6 and re.search(r"\d\.\d", line.split("|")[2]))
    return re.findall(r"\d+(?:\.\d+)+", line.split("|")[2])[-1]


def newest(package):
    command = [sys.executable, "-m", "pip", "index", "versions", "--disable-pip-version-check", "--ignore-requires-python", package]
    first = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[0]
    return re.search(r"\(([\d.]+)", first)[1]


def main():
    behind = 0
    for package, row in ROWS.items():
        named, release, here = tried(row), newest(package), importlib.metadata.version(package)
        # 3.4 stands for all of 3.4.1, 3.4.2 …
        if numbers(release)[: len(numbers(named))] > numbers(named):
            print(f"{package} {release} is newer than {named}, the newest in docs/use/models.md: try it (tools/sweep_versions.py), and name it there")
            behind += 1
        if here != release:
            print(f"note: {package} is {here} here, and {release} is the newest")
    return behind > 0


if __name__ == "__main__":
    sys.exit(main())
