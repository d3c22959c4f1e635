"""facet: how far is an input from being misclassified? Exact answers about live models of k-NN, trees, forests and boosted trees.

    import facet_robust as facet
    facet.attack(model, X)                          # the nearest input with another label, for each row
    facet.certify(model, X, y, radius=[.02, .05])   # which rows keep their label within a radius, and the curve
    facet.counterfactuals(model, X, n=3)            # what to change for another label
    facet.output_range(regressor, box)              # the smallest and the largest output

What goes wrong is a FacetError, one sentence.
"""
from .command import FacetError, FacetWarning
from .questions import Certified, attack, certify, counterfactuals, output_range

__all__ = ["Certified", "FacetError", "FacetWarning", "attack", "certify", "counterfactuals", "output_range"]
__version__ = "0.1.0"
