"""A gate for models: a policy's checks, each passed, failed or open by proof."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Mapping

import pandas as pd

from .command import FacetError
from .models import save
from .questions import Question, plain, ranges
from .rows import Rows, real, write_matrix


class GateFailed(AssertionError):
    """A check fails, or is open. checks are all of them, as gate returns them, and text the output of the command."""

    def __init__(self, text: str, checks: pd.DataFrame):
        super().__init__(text)
        self.text, self.checks = text, checks


def gate(
    model: Any, X: Any = None, y: Any = None, policy: Mapping | str | os.PathLike = "", *, baseline: Any = None, above: float | None = None, scale: Any = None,
    vote: str | None = None, timeout: float | None = None, allow_open: bool = False,
) -> pd.DataFrame:
    """Asks the checks of a policy, and raises GateFailed if one fails or is open: one line of a test.

    X, y: test rows and their labels; a policy about all inputs alone needs none. policy: the file of one (docs/use/gate.md), or the same
    as a dict, in which same_as may name a live model and costs may be a dict. baseline: the model in service. above: of a regressor, the output
    that is asked about. scale: rows whose ranges a radius such as "2%" goes by; X by default. timeout: seconds for a check. allow_open:
    checks that are open do not raise.

    Returns a DataFrame with a line for each check: check, status (pass, fail, open), found, wanted, low, high (the proven ends of the number
    in question), worst (a case that fails, in words) and seconds.
    """
    with Question(model, vote, words=True) as q:
        q.subject.only_scaled("a gate")
        if X is not None:
            q.number(above)
            rows = q.rows(X)
            if y is not None:
                q.labels(y, rows)
        else:
            q.flags.pop("classes", None)
        if scale is not None:
            reference = Rows(scale, q.subject, "scale")
            write_matrix(q.at("scale.npy"), ranges(reference), reference.names())
            q.flags["train"] = "scale.npy"
        if timeout is not None:
            if not real("timeout", timeout) > 0:
                raise FacetError(f"timeout is {timeout!r}: it is a number of seconds above 0")
            q.flags["timeout"] = f"{max(1, int(real('timeout', timeout) * 1e9))}ns"
        if baseline is not None:
            q.flags["baseline"] = other(q, baseline, "baseline", vote)
        path = written(q, policy, vote)
        text = b"".join(q.ask("gate", first=(path,), fine=(0, 1, 4), out="gate.json")).decode()
        with open(q.at("gate.json"), encoding="utf-8") as f:
            report = json.load(f)
        checks = pd.DataFrame([{
            "check": c["name"], "status": c["status"], "found": c["found"], "wanted": c["wants"], "low": c["low"], "high": c["high"],
            "worst": c.get("worst"), "seconds": c["seconds"]} for c in report["checks"]])
        if report["status"] == "fail" or report["status"] == "open" and not allow_open:
            raise GateFailed(q.worded(text), checks)
        return checks


def other(q: Question, model: Any, name: str, vote: str | None) -> str:
    """Writes another model, and returns its path."""
    os.mkdir(q.at(name))
    saved = save(model, q.at(name), vote)
    q.named[saved.path] = saved.name
    return saved.path


def written(q: Question, policy: Mapping | str | os.PathLike, vote: str | None) -> str:
    """Returns the file of a policy, which is written if it is none."""
    if not isinstance(policy, Mapping):
        if not policy or not Path(policy).is_file():
            raise FacetError(f"policy is {policy!r}: it is a dict, or the file of one")
        return os.path.abspath(policy)
    policy = {str(key): value for key, value in policy.items()}
    same = policy.get("same_as")
    if isinstance(same, Mapping) and "model" in same:
        policy["same_as"] = {**same, "model": other(q, same["model"], "same", vote)}
    if "costs" in policy:
        policy["costs"] = costs(q, policy["costs"], 0)
    certified = policy.get("certified")
    if isinstance(certified, Mapping):
        certified = [certified]
    if isinstance(certified, (list, tuple)):
        policy["certified"] = [
            {**part, "costs": costs(q, part["costs"], i)} if isinstance(part, Mapping) and "costs" in part else part
            for i, part in enumerate(certified, 1)]
    path = q.at("policy.json")
    q.named[path], q.named["policy.json"] = "policy", "policy"
    with open(path, "w", encoding="utf-8") as f:
        json.dump(plain(policy), f)
    return path


def costs(q: Question, given: Any, number: int) -> str:
    """Returns the file of costs, which is written if it is none."""
    if not isinstance(given, Mapping):
        return os.path.abspath(given)
    path = q.at(f"costs-{number}.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(plain(given), f)
    return path
