"""Runs the walk of docs/python.md and writes the page: its text, its code, and what the code prints.

    pip install scikit-learn pandas matplotlib
    go install ./examples/facet
    python docs/python_walk.py              (--check compares instead, but for the times)
"""
import contextlib
import io
import os
import re
import sys
import tempfile

DOCS = os.path.dirname(os.path.abspath(__file__))
PAGE, PICTURE = os.path.join(DOCS, "python.md"), os.path.join(DOCS, "python-walk.png")

WALK = '''\
# facet from a notebook

How far is each test row from being misclassified by *your* scikit-learn model? This walk trains a forest, exports it, asks facet, and plots the answer.
It takes a minute. [`python_walk.py`](python_walk.py) runs it and writes this page.

## Install

    pip install scikit-learn pandas matplotlib
    go install github.com/seed-1a7dc1f9/facet/examples/facet@latest
    curl -O https://raw.githubusercontent.com/seed-1a7dc1f9/facet/main/examples/python/facet_robust/export_sklearn.py

The second line needs [Go](https://go.dev/dl/) 1.26 and gives a program called `facet`. The third is the exporter, one Python file.

## Train

The labels are words, and an area ranges a thousand times wider than a smoothness. A scaler brings each feature to [0, 1] first, so that a distance
means the same in each of them.

```python
import subprocess

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

data = load_breast_cancer(as_frame=True)
features = data.feature_names.tolist()
frame = data.data.assign(diagnosis=data.target_names[data.target])
train, test = train_test_split(frame, test_size=0.3, random_state=0)

model = make_pipeline(MinMaxScaler(), RandomForestClassifier(max_depth=5, random_state=0))
model.fit(train[features], train.diagnosis)
print("accuracy", round(model.score(test[features], test.diagnosis), 4))
```

## Export

The last step of the pipeline is the model. The rows go into CSV files with `index=False`, the label in the last column.

```python
import export_sklearn

export_sklearn.write(model[-1], "model.json")
train.to_csv("train.csv", index=False)
test.to_csv("test.csv", index=False)
```

## Attack

`--scale minmax` does what the scaler does; it learns the ranges from `--train`. `--timeout` is a limit for each row: one that reaches it has a distance that is too
large and a proven bound that is too small, and `status` says so. The same line works in a shell.

```python
command = "facet attack --model model.json --train train.csv --test test.csv --scale minmax --timeout 10s --out rows.jsonl"
run = subprocess.run(command.split(), capture_output=True, text=True)
print(run.stdout or run.stderr)
run.check_returncode()
```

## Read the rows

One JSON object a line, in the order of the test file. `precise_float=True` matters: without it pandas changes the last digits, and an example that lies just beyond
a border falls back.

```python
rows = pd.read_json("rows.jsonl", lines=True, precise_float=True)
print(rows[["row", "label", "predicted", "status", "distance", "bound", "adversarial_label"]].head().to_string(index=False))
print(rows.status.value_counts().to_string())
```

`optimal`: no input with another label is nearer than `bound`. `misclassified` rows are wrong already and were not attacked.

## Check

The examples are in the units of the file, so the whole pipeline can be asked about them. All of them get the other label.

```python
attacked = rows[rows.adversarial.notna()]
examples = pd.DataFrame(attacked.adversarial.tolist(), columns=features, index=attacked.row)
print("flipped", (model.predict(examples) == attacked.adversarial_label.to_numpy()).sum(), "of", len(examples))
```

## Look at the weakest row

What has to change, and by how much? The largest step, as a share of the feature's range in the training rows, is the distance.

```python
weakest = attacked.loc[attacked.distance.idxmin()]
before, after = test[features].iloc[weakest.row], examples.loc[weakest.row]
span = train[features].max() - train[features].min()
change = pd.DataFrame({"before": before, "after": after, "of range": (after - before) / span})
change = change[before != after].sort_values("of range", key=abs, ascending=False)
print(f"row {weakest.row}: {weakest.label}, at distance {weakest.distance:.4f} {weakest.adversarial_label}")
print(change.head().round(4).to_string())
```

## Plot

The share of test rows that are classified correctly and stay so within a distance.

```python
robust = attacked.bound.sort_values()
share = [(robust > r).sum() / len(rows) for r in robust]
plt.figure(figsize=(6, 3.5))
plt.step(robust, share, where="post")
plt.title(f"random forest, {len(rows)} test rows")
plt.xlabel(r"$\\ell_\\infty$ distance, features scaled to [0, 1]")
plt.ylabel("certified accuracy")
plt.ylim(0, 1)
plt.tight_layout()
plt.savefig("python-walk.png", dpi=110)
```

![Certified accuracy of the forest falls from 0.96 at distance 0 to 0 at 0.37](python-walk.png)

## Only yes or no

If the question is one radius, `certify` is faster than `attack`: it stops at the first proof.

```python
command = "facet certify --model model.json --train train.csv --test test.csv --scale minmax --radius 0.01,0.02,0.05 --timeout 10s"
print(subprocess.run(command.split(), capture_output=True, text=True, check=True).stdout)
```

## When something is in the way

facet says what it does not understand in one sentence, and what to do.

```python
test.drop(columns="mean area").to_csv("narrow.csv", index=False)
print(subprocess.run("facet attack --train train.csv --test narrow.csv".split(), capture_output=True, text=True).stderr)
test.replace({"diagnosis": {"benign": "harmless"}}).to_csv("renamed.csv", index=False)
print(subprocess.run("facet attack --train train.csv --test renamed.csv".split(), capture_output=True, text=True).stderr)
```

More: [other libraries' models](models.md), `facet attack --help`.
'''


def walk():
    """Returns the page: each block of Python is run and followed by what it prints."""
    names, parts = {}, []
    for part in re.split(r"(```python\n.*?```\n)", WALK, flags=re.S):
        parts.append(part)
        if part.startswith("```python\n"):
            code, printed = part[len("```python\n"):-len("```\n")], io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, "python.md", "exec"), names)
            text = "\n".join(line.rstrip() for line in printed.getvalue().strip().splitlines())
            if text:
                parts.append(f"\n```text\n{text}\n```\n")
    return "".join(parts)


def timeless(page):
    return re.sub(r"(?m)^time.*$", "time", page)


def main():
    import matplotlib

    matplotlib.use("Agg")
    sys.path.insert(0, DOCS)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        page, picture = walk(), open("python-walk.png", "rb").read()
        os.chdir(DOCS)
    if "--check" in sys.argv:
        sys.exit(timeless(page) != timeless(open(PAGE).read()) and f"{PAGE} is not what the walk prints")
    with open(PAGE, "w") as f:
        f.write(page)
    with open(PICTURE, "wb") as f:
        f.write(picture)


if __name__ == "__main__":
    main()
