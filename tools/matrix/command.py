"""The command facet, and its refusals."""
import json
import os
import re
import subprocess

from facet_robust import command


class Refusal(Exception):
    """A sentence by which a question was refused."""


class Wrong(Exception):
    """An answer that the library contradicts."""


def facet(*arguments, folder=".", fine=(0,)):
    """Runs the command in a folder and returns its standard output, or raises its refusal."""
    run = subprocess.run([command.program(), *arguments], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600)
    if run.returncode in fine:
        return run.stdout
    said = [line for line in run.stderr.splitlines() if not line.startswith("note: ")]
    sentence = re.sub(r"^facet \S+: ", "", said[-1]) if said else ""
    if run.returncode != 2 or not sentence or "panic" in run.stderr or "goroutine " in run.stderr:
        raise Wrong(f"facet {' '.join(arguments)} ends with status {run.returncode}: {run.stderr[-400:].strip()}")
    raise Refusal(without_paths(sentence))


def without_paths(sentence):
    """Returns a sentence without the parts that differ from run to run, and without the property that was asked about."""
    sentence = re.sub(r"^(ignores|monotone|same as|output at (most|least)) [^:]*(:up|:down)?: (property: )?(\w+: )?", "", sentence)
    return re.sub(r"(--model )?(\S*/)(model|other|own)\.(json|txt|onnx|ubj)", "MODEL", sentence)


def lines(*arguments, folder, fine=(0,)):
    return [json.loads(text) for text in facet(*arguments, folder=folder, fine=fine).splitlines()]
