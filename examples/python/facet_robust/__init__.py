"""facet: how far is an input from being misclassified? Exact answers about live models of k-NN, trees, forests and boosted trees.

    import facet_robust as facet
    facet.attack(model, X)                          # the nearest input with another label, for each row
    facet.certify(model, X, y, radius=[.02, .05])   # which rows keep their label within a radius, and the curve
    facet.counterfactuals(model, X, n=3)            # changes that lead to another label
    facet.output_range(regressor, box)              # the smallest and the largest output
    facet.explain(model, X)                         # the features that force a row's label
    facet.verify(model, ignores=["sex"])            # properties of all inputs
    facet.gate(model, X, y, policy)                 # raises unless a policy's checks pass
    facet.report(model, X, y)                       # one page of it all
    facet.prune(X, y, separation=.1)                # training rows whose classes lie apart; PrunedKNN fits neighbours to them
    facet.scorer(radius=.05)                        # certified accuracy as a score, for GridSearchCV
    facet.check(proofs, model)                      # replays proofs

What goes wrong is a FacetError, one sentence.
"""
from typing import Any

from .command import FacetError, FacetWarning
from .curves import CertifiedCurve, scorer
from .gating import GateFailed, gate
from .pruning import Pruned, check, prune
from .questions import Certified, attack, certify, counterfactuals, output_range
from .properties import explain, verify
from .report import Report, report

__all__ = [
    "Certified", "CertifiedCurve", "FacetError", "FacetWarning", "GateFailed", "PrunedKNN", "Pruned", "Report", "attack", "certify", "check", "counterfactuals",
    "explain", "gate", "output_range", "prune", "report", "scorer", "verify"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Imports PrunedKNN once it is named: it is the only part that needs scikit-learn."""
    if name == "PrunedKNN":
        from .estimators import PrunedKNN

        return PrunedKNN
    raise AttributeError(f"module {__name__} has no attribute {name}")
