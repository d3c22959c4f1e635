"""Estimators of scikit-learn that facet makes robust."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_X_y, column_or_1d

from .pruning import prune


class PrunedKNN(KNeighborsClassifier):
    """Nearest neighbours of the training rows that adversarial pruning keeps, which leaves classes well apart.

    separation: rows of different labels that are kept are farther than this from each other, in the units of X.
    local: makes it less where labels meet, as in prune. norm: of that distance, "inf", 1 or 2; the neighbours are nearest in the Euclidean one.
    The other parameters are those of KNeighborsClassifier. After fit, kept_ holds the positions of the rows kept.
    """

    def __init__(self, n_neighbors: int = 1, *, separation: float = 0.1, local: float | None = None, norm: Any = "inf", weights: str = "uniform", algorithm: str = "auto", n_jobs: int | None = None):
        super().__init__(n_neighbors, weights=weights, algorithm=algorithm, n_jobs=n_jobs)
        self.separation = separation
        self.local = local
        self.norm = norm

    def fit(self, X: Any, y: Any) -> PrunedKNN:
        """Prunes and keeps the rows, samples × features, and their labels."""
        check_classification_targets(y)
        rows, labels = check_X_y(X, y, estimator=self)
        labels = column_or_1d(labels)
        self.kept_ = prune(rows, labels, self.separation, local=self.local, norm=self.norm).keep if len(np.unique(labels)) > 1 else np.arange(len(labels))
        return super().fit(X.iloc[self.kept_] if hasattr(X, "iloc") else rows[self.kept_], labels[self.kept_])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.target_tags.multi_output = False
        tags.classifier_tags.multi_label = False
        return tags

    def _more_tags(self) -> dict:  # before scikit-learn 1.6
        return {"multioutput": False, "multilabel": False}
