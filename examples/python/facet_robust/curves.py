"""Certified accuracy where scikit-learn expects scores and pictures."""
from __future__ import annotations

from typing import Any, Callable

from .command import FacetError
from .questions import Certified, certify


def scorer(radius: float, **how: Any) -> Callable[[Any, Any, Any], float]:
    """Returns a scorer for GridSearchCV and cross_val_score: the share of rows that are right and proven to stay so within the radius.

    how: the other arguments of certify, such as norm, scale, timeout and n_jobs. A row that a limit leaves undecided does not count.
    """
    if isinstance(radius, (list, tuple)):
        raise FacetError(f"radius is {radius!r}: a score is one number, of one radius")

    def score(estimator: Any, X: Any, y: Any) -> float:
        return float(certify(estimator, X, y, radius=radius, **{"progress": False, **how}).curve.certified.iloc[0])
    return score


class CertifiedCurve:
    """The certified share of rows against the radius, as a display of scikit-learn: from_estimator asks and draws.

    certified: what was asked. ax_ and figure_: where it is drawn.
    """

    def __init__(self, certified: Certified, name: str | None = None):
        self.certified, self.name = certified, name

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any = None, *, radius: Any, name: str | None = None, ax: Any = None, **how: Any) -> CertifiedCurve:
        """Asks about a fitted model and draws the curve. radius: several. how: the other arguments of certify."""
        return cls(certify(estimator, X, y, radius=radius, **how), name or type(estimator).__name__).plot(ax)

    def plot(self, ax: Any = None) -> CertifiedCurve:
        """Draws the curve, with the name of the model."""
        self.ax_ = self.certified.plot(ax)
        self.ax_.get_lines()[-1].set_label(f"{self.name}: certified" if self.name else "certified")
        self.ax_.legend()
        self.figure_ = self.ax_.figure
        return self
