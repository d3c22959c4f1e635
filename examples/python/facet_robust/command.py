"""The command facet as a child process: its files lie in a private folder that is always removed."""
from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, Callable, Iterable

LINE = Callable[[bytes], None]
EXPECTED = ("The model has no names of features", "has no labels: each row is asked about")  # notes about what a package does on purpose


class FacetError(ValueError):
    """Says in one sentence what was wrong with a model, with rows or with the question, mostly the command's own."""


class FacetWarning(UserWarning):
    """A note of the command that is worth reading."""


def program() -> str:
    """Returns the path of the command: that of the package, or what the environment variable FACET_COMMAND names."""
    path = os.environ.get("FACET_COMMAND")
    if path is None:
        path = str(Path(__file__).parent / "bin" / ("facet.exe" if os.name == "nt" else "facet"))
    if not os.path.isfile(path):
        raise FacetError(f"there is no command {path}: pip install facet-robust brings it, and so does pip install ./examples/python of a clone, where Go is")
    return path


def run(
    arguments: Iterable[str], folder: str, line: LINE | None = None, fine: tuple[int, ...] = (0,), worded: Callable[[str], str] = lambda text: worded_for_python(text),
) -> list[bytes]:
    """Runs the command in a folder, to which relative paths refer, and hands over each line of its standard output as it comes; without
    a function these are returned. fine are the exit statuses that are no failure. worded puts what the command says into words of Python.
    The command never outlives this call, whatever ends it.

    Raises FacetError with the command's own sentence if it fails.
    """
    arguments, lines = list(arguments), []
    said, child = os.path.join(folder, "said.txt"), None
    try:
        with open(said, "wb") as errors:
            child = subprocess.Popen([program(), *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
        with child.stdout:
            for text in child.stdout:
                (line or lines.append)(text)
        status = child.wait()
    except BaseException:
        if child is not None:
            child.kill()
            child.wait()
        raise
    spoken = Path(said).read_text("utf-8", "replace").splitlines()
    if status not in fine:
        raise FacetError(worded(sentence(arguments[0], spoken)) or f"facet {arguments[0]} ended with status {status}")
    for note in spoken:
        if note.startswith("note: ") and not any(known in note for known in EXPECTED):
            warnings.warn(worded(note[len("note: "):]), FacetWarning, stacklevel=outside())
    return lines


KINDS = {"KNN": "nearest neighbours", "WeightedKNN": "nearest neighbours weighted by distance", "ObliqueTree": "an oblique tree", "ObliqueEnsemble": "oblique trees"}
WORDS = [(re.compile(pattern), word) for pattern, word in (  # of the command, and of Python
    (r"; facet \w+ --help lists the flags", ""),
    (r'^invalid value "output:(.*?)" for flag --target: ', r"above is \1: "),
    (r'^invalid value "change:(.*?)" for flag --target: ', r"change is \1: "),
    (r"--target output:\S+", "above"),
    (r"--target change:\S+", "change"),
    (r'^invalid value "(.*?)" for flag --([\w-]+): ', r"--\2 is \1: "),
    (r", and there is no file of this name", ""),
    (r"--costs costs\.json", "costs"),
    (r"--domain (domain\.csv|[-+.\deinf]+,[-+.\deinf]+)", "domain"),
    (r": --overwrite replaces it", ": name another file, or remove that one"),
    (r": name a file with the limits of the features that are numbers", ": say {feature: (lo, hi)} of those that are numbers"),
    (r"--near:? near\.npy", "near"),
    (r"--units( range)?", "scale"),
    (r"--missing drop leaves such rows out", "leave such rows out"),
    (r"--missing keep", "a missing value"),
    (r"--norm (inf|[012])\b", r"norm=\1"),
    (r"--test-labels", "y"),
    (r"--test", "X"),
    (r"--train", "scale"),
    (r"--prune-local", "local"),
    (r"--prune", "separation"),
    (r"--([a-z]+)((?:-[a-z]+)*)", lambda said: said[0][2:].replace("-", "_")),
    (r"(?<![\w/.\"-])(X|y|scale|near|costs|domain)\.(npy|txt|json|csv)\b", r"\1"),
    (r": unsupported operation\b", ""),
    (r"\b(property|attack|polytope|classifier|proof): ", ""),
)]


def worded_for_python(text: str, model: str = "the model", columns: list = (), index: Any = ()) -> str:
    """Returns a sentence of the command in words of Python: arguments for flags, names of columns and rows for their numbers, and
    the name of the model's class for that of its file."""
    for pattern, word in WORDS:
        text = pattern.sub(word, text)
    text = re.sub(r"(?<![\w/.\"-])(model|own)\.(json|facet|txt|onnx)\b", lambda _: model, text)
    text = re.sub(r"\*classifier\.(\w+)", lambda said: KINDS.get(said[1], "the model"), text)
    text = re.sub(r"\b(?:feature|coordinate) (\d+)\b", lambda said: f"column {numbered(columns, said[1])}", text)
    return re.sub(r"\brow (\d+)\b", lambda said: f"row {numbered(index, said[1])}", text)


def numbered(names: Any, number: str) -> str:
    """Returns the name of a column or a row, or its number if there is none."""
    return repr(names[int(number)]) if int(number) < len(names) else number


def sentence(command: str, spoken: list[str]) -> str:
    """Returns what the command said last, without its name and that of a file made here."""
    last = [text for text in spoken if text.strip() and not text.startswith("note: ")][-1:]
    return re.sub(r"^--model (model|own)\.\w+: (classifier: )?", "", "".join(last).removeprefix(f"facet {command}: "))


def outside() -> int:
    """Returns how many frames the caller of the package is away, for a warning that names a line of the user's."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(__package__):
        depth, frame = depth + 1, frame.f_back
    return depth - 1


class Progress:
    """A bar of tqdm while lines come in, if tqdm is there: on terminals and in notebooks, once a second has passed."""

    def __init__(self, total: int, shown: bool | None):
        self.bar = None
        if shown is None:
            shown = "ipykernel" in sys.modules or sys.stderr is not None and sys.stderr.isatty()
        if shown:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self.bar = tqdm(total=total, unit="row", delay=1, leave=False)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()

    def step(self) -> None:
        if self.bar is not None:
            self.bar.update()
