"""The page of facet report, for notebooks and files."""
from __future__ import annotations

import html
import os
import re
from pathlib import Path
from typing import Any, Mapping, Sequence

from .command import run
from .questions import Box, Question
from .rows import whole


class Report:
    """One HTML page, which a notebook shows inline."""

    def __init__(self, page: str):
        self.html = page

    def save(self, path: str | os.PathLike) -> None:
        """Writes the page to a file, to read, print or send."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.html)}" style="width: 100%; height: 45em; border: 0"></iframe>'


def report(
    model: Any, X: Any, y: Any = None, *, norm: Any = "inf", costs: Mapping | None = None, domain: Box | Sequence[float] | None = None, target: Any = None,
    scale: Any = None, above: float | None = None, counterfactuals: int = 0, vote: str | None = None, timeout: float | None = None,
    n_jobs: int | None = None,
) -> Report:
    """Attacks the rows and makes one page of the questions and answers, with the certified curve and the weakest rows.

    y: the labels of the rows; those that the model mistakes are not attacked. counterfactuals: how many ways to another label the page
    has for a row. The other arguments are those of attack.
    """
    with Question(model, vote, words=True) as q:
        q.subject.only_scaled("a page")
        rows = q.about(X, norm, n_jobs, timeout, domain, costs, scale, target, above)
        if y is not None:
            q.labels(y, rows)
        if counterfactuals:
            q.flags["counterfactuals"] = whole("counterfactuals", counterfactuals)
        q.ask("attack", out="rows.jsonl")
        run(["report", "rows.jsonl", "--out=report.html"], q.folder, worded=q.worded)
        page = Path(q.at("report.html")).read_text("utf-8")
        return Report(re.sub(r"\b(X|y|scale|costs|domain)\.(npy|txt|json|csv)\b", r"\1", page))  # files that nobody has
