"""Live models as files that the command reads, and what their libraries know besides: labels, names of features, categories."""
from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, field, replace
from typing import Any, Callable

import numpy as np

from .command import FacetError, run


@dataclass
class Subject:
    """A model as the command takes it."""

    path: str  # the file, for --model
    name: str  # of its class, for people
    classes: np.ndarray | None = None  # labels of the classes 0, 1, …; None: those that the file lists
    names: list[str] | None = None  # of the features; None: columns are taken in their order
    dim: int | None = None  # features; None: as the file says
    words: dict[int, list] = field(default_factory=dict)  # feature: its categories, by their codes
    in_turn: list[list] | None = None  # LightGBM's: the categories of each categorical column of the training data, in their order
    coded: bool = False  # a category that has no words counts by its place among those of the rows, else by its own value
    missing: float = math.nan  # what stands for a missing value
    library: str = ""  # that wrote the file, if it is not scikit-learn or ONNX
    hashed: tuple = ()  # CatBoost's categories, of which the file has nothing but hashes; those of words are known with rows
    with_words: Callable[[Any], "Subject"] | None = None  # the same with the words of a data frame of rows
    scalers: list = field(default_factory=list)  # steps before neighbours, which see rows after them
    slopes: np.ndarray | None = None  # by feature, how far a row moves after the scalers as it moves by 1 before them
    zeros: bool = False  # LightGBM was told that zeros are missing values
    regressor: bool = False
    trees: bool = True  # follows rules of moves
    live: Callable[[Any], Any] | None = None  # predicts rows

    def scaled(self, x: np.ndarray) -> np.ndarray:
        """Returns rows as the neighbours see them."""
        from . import export_sklearn

        return export_sklearn.passed(self.scalers, x)

    def unscaled(self, z: np.ndarray) -> np.ndarray:
        """Returns rows before the scalers, but for rounding."""
        for step in reversed(self.scalers):
            z = step.inverse_transform(z)
        return z

    def only_scaled(self, what: str) -> None:
        """Refuses what is not asked of neighbours after scalers."""
        if self.slopes is not None:
            raise FacetError(f"{what} of a Pipeline that scales rows before neighbours is not made: ask pipeline[-1] about pipeline[:-1].transform(X)")

    def same_name(self, name: str) -> str:
        """Returns the name as the library compares it: LightGBM keeps an underscore for each space."""
        return name.replace(" ", "_") if self.name.startswith("LGBM") else name


def save(model: Any, folder: str, vote: str | None = None, arrays: bool = False) -> Subject:
    """Writes a model into a folder. vote: "logistic" or "softmax", of a model whose file does not say how its sums make a label. arrays:
    trees of scikit-learn are written as arrays, which are written and read sooner than JSON, but not by checkers of proofs.

    Raises FacetError for what is no fitted model that the command reads.
    """
    if isinstance(model, (str, os.PathLike)):
        path = os.path.abspath(model)
        if not os.path.isfile(path):
            raise FacetError(f"there is no file {os.fspath(model)}: a model is a live one, or the path of its file")
        return own(Subject(path, os.path.basename(path)), folder, vote) if vote else Subject(path, os.path.basename(path))
    steps, last, wrapper = [], model, None
    if library(model) is sklearn:
        from . import export_sklearn

        try:
            steps, last, wrapper = export_sklearn.opened(model)
        except export_sklearn.ExportError as e:
            raise FacetError(str(e)) from None
    write = library(last)
    if write is sklearn:
        return sklearn(model, folder, arrays)
    if isinstance(model, type):
        raise FacetError(f"{model.__name__} is a class: fit a model first, {model.__name__}().fit(X, y)")
    if write is None:
        raise FacetError(
            f"a {type(last).__name__} is no model that facet reads: those of scikit-learn, XGBoost, LightGBM and CatBoost are, and onnx.ModelProto and paths of files")
    subject = write(last, folder)
    if steps or vote or wrapper is not None:
        subject = own(subject, folder, vote)
    if wrapper is not None:
        subject = within(wrapper, subject, last, model)
    return before(steps, subject, model) if steps else subject


def library(model: Any) -> Callable[[Any, str], Subject] | None:
    """Returns what writes models of the library that has made this one, None for others."""
    made = [kind.__module__.split(".")[0] for kind in type(model).__mro__]
    return next((write for write in (xgboost, lightgbm, catboost, onnx, sklearn) if write.__name__ in made), None)


def own(subject: Subject, folder: str, vote: str | None) -> Subject:
    """Writes a model in facet's own format, with a vote that its file does not say."""
    path = os.path.join(folder, "own.json")
    beside = os.path.dirname(subject.path) == folder
    flags = [f"--vote={vote}"] if vote else []
    run(["info", os.path.basename(subject.path) if beside else subject.path, "--save=own.json", *flags], folder)
    return replace(subject, path=path)


def within(wrapper: Any, subject: Subject, last: Any, model: Any) -> Subject:
    """Has a model of another library give the labels that wrappers of scikit-learn choose by its probabilities."""
    from . import export_sklearn

    try:
        if subject.classes is None or len(subject.classes) != 2:
            raise export_sklearn.ExportError(f"a {type(wrapper).__name__} of {subject.name} with other than two labels: only two are taken")
        with open(subject.path) as f:
            file = json.load(f)
        kind = export_sklearn.Decision if hasattr(last, "decision_function") else export_sklearn.Response  # LightGBM's since 4.7
        response = kind(last, probabilities(last, subject))
        response.single = file.get("single", False)
        file = export_sklearn.decided(file, wrapper, last, response)
    except export_sklearn.ExportError as e:
        raise FacetError(str(e)) from None
    with open(subject.path, "w") as f:
        f.write(json.dumps(file, allow_nan=False))
    return replace(subject, name=type(model).__name__, live=model.predict)


def probabilities(model: Any, subject: Subject) -> Callable[[np.ndarray], np.ndarray]:
    """Returns what makes the probabilities of a classifier of two classes of the sums of its trees, by its own library."""
    def both(of_second: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
        return lambda S: np.stack([1 - (p := of_second(S)), p], axis=1)

    if subject.library == "xgboost":
        import xgboost

        objective = json.loads(model.get_booster().save_config())["learner"]["objective"]["name"]
        if objective != "binary:logistic":
            raise FacetError(f"an XGBClassifier of {objective} within another model, which is taken of binary:logistic alone")
        row = xgboost.DMatrix(np.zeros((1, 1)), label=[0])
        nothing = xgboost.train({"objective": objective}, row, 0)
        return both(lambda S: nothing.predict(xgboost.DMatrix(np.zeros((len(S), 1)), base_margin=S.ravel())))
    if subject.library == "lightgbm":
        slope = model.get_params().get("sigmoid", 1.0)

        def logistic(s: float) -> float:
            try:
                return 1 / (1 + math.exp(-slope * s))
            except OverflowError:
                return 0.0
        return both(lambda S: np.array([logistic(s) for s in S.ravel().tolist()]))
    raise FacetError(f"a {subject.name} within another model, whose probabilities are not known to the last bit: take one of scikit-learn, XGBoost or LightGBM")


def before(steps: list, subject: Subject, model: Any) -> Subject:
    """Has a model of another library take rows as they are before the steps of a pipeline of scikit-learn."""
    from . import export_sklearn

    if subject.missing == subject.missing:
        raise FacetError(f"a Pipeline before an {subject.name} whose missing is {subject.missing:g}: leave that NaN, which scalers keep")
    with open(subject.path) as f:
        file = json.load(f)
    try:
        file = export_sklearn.before(steps, file, subject.library == "xgboost", subject.library == "lightgbm" and not subject.zeros)
    except export_sklearn.ExportError as e:
        raise FacetError(str(e)) from None
    with open(subject.path, "w") as f:
        f.write(json.dumps(file, allow_nan=False))
    return replace(
        subject, name=type(model).__name__, names=file.get("feature_names"), dim=file["n_features"], words=words_of(file), in_turn=None, coded=False, live=model.predict)


def words_of(file: dict) -> dict[int, list]:
    """Returns the names of categories that the exporter has written."""
    return {at: names for at, names in enumerate(file.get("category_names", [])) if names}


def must_be_fitted(model: Any, fitted: bool) -> None:
    if not fitted:
        raise FacetError(f"the {type(model).__name__} is not fitted: call fit(X, y) first")


def sklearn(model: Any, folder: str, arrays: bool = False) -> Subject:
    from . import export_sklearn

    scalers, slopes = [], None
    try:
        steps, last, wrapper = export_sklearn.opened(model)
        if steps and wrapper is None and isinstance(last, export_sklearn.KNeighborsClassifier):
            scalers, slopes = steps, export_sklearn.slopes(steps)
        file = export_sklearn.export(last if scalers else model, places=True)
        if scalers and hasattr(steps[0], "feature_names_in_"):
            file["feature_names"] = steps[0].feature_names_in_.tolist()
    except export_sklearn.ExportError as e:
        raise FacetError(str(e)) from None
    path = os.path.join(folder, "model.facet" if arrays and export_sklearn.fits_arrays(file) else "model.json")
    with open(path, "wb") as f:
        f.write(export_sklearn.contents(file, path))
    classes = getattr(model, "classes_", None)
    if classes is None and file.get("kind") == "ensemble":  # an isolation forest
        classes = np.asarray(file["classes"], dtype=int)
    return Subject(
        path, type(model).__name__, None if classes is None else np.asarray(classes), file.get("feature_names"), file["n_features"], words_of(file),
        regressor=classes is None, trees="trees" in file, live=model.predict, scalers=scalers, slopes=slopes)


def xgboost(model: Any, folder: str) -> Subject:
    wrapped = hasattr(model, "get_booster")
    must_be_fitted(model, not wrapped or model.__sklearn_is_fitted__())
    booster = model.get_booster() if wrapped else model
    path = os.path.join(folder, "model.json")
    model.save_model(path)
    words, kinds = {}, booster.feature_types or []
    if "c" in kinds:
        with open(path) as f:
            words = categories_of_xgboost(json.load(f)["learner"]["gradient_booster"])
    missing = getattr(model, "missing", None)
    return Subject(
        path, type(model).__name__, labels_of(model), booster.feature_names, booster.num_features(), words, coded=True,
        missing=math.nan if missing is None else float(missing), library="xgboost", regressor=wrapped and not hasattr(model, "predict_proba"), live=model.predict if wrapped else None)


def labels_of(model: Any) -> np.ndarray | None:
    """Returns the labels of a classifier of a wrapper, None of others."""
    return np.asarray(model.classes_) if hasattr(model, "predict_proba") else None


def categories_of_xgboost(booster: dict) -> dict[int, list]:
    """Returns the categories of a model's training data, which versions 3.1 and later keep: words by their ends in UTF-8, or numbers."""
    known, words = booster.get("gbtree", booster)["model"].get("cats", {}).get("enc", []), {}
    for at, column in enumerate(known):
        values, ends = column["values"], column.get("offsets")
        if ends:
            if all(0 <= v < 128 for v in values):  # else XGBoost cuts them at wrong places
                words[at] = [bytes(values[a:b]).decode() for a, b in zip(ends, ends[1:])]
        elif values:
            words[at] = values
    return words


def lightgbm(model: Any, folder: str) -> Subject:
    wrapped = hasattr(model, "fit")
    booster = getattr(model, "booster_", None) if wrapped else model
    must_be_fitted(model, booster is not None)
    path = os.path.join(folder, "model.txt")
    booster.save_model(path)
    names = booster.feature_name()
    if names == [f"Column_{i}" for i in range(len(names))]:
        names = None
    with open(path) as f:
        lines = [line.strip().partition("=")[::2] for line in f]
    kinds = [int(kind) >> 2 & 3 for key, value in lines if key == "decision_type" for kind in value.split()]
    lists, columns = booster.pandas_categorical or [], booster.params.get("categorical_column") or booster.params.get("categorical_feature") or []
    known = sure_of_lightgbm(lists, columns if isinstance(columns, list) else [], dict(lines)["feature_infos"].split())
    return Subject(
        path, "LGBM" + type(model).__name__.removeprefix("LGBM"), labels_of(model), names, booster.num_feature(),
        known, in_turn=lists if len(known) < len(lists) else None, coded=True,
        library="lightgbm", zeros=1 in kinds, regressor=wrapped and not hasattr(model, "predict_proba"), live=model.predict)


def sure_of_lightgbm(lists: list[list], trained: list[int], infos: list[str]) -> dict[int, list]:
    """Returns the lists of categories that can be those of one feature alone, by features. Ordered columns have lists too, and are
    trained on as numbers; integers may be trained on as categories, and have none."""
    def fits(words: list, f: int) -> bool:
        ends = [float(end) for end in infos[f].strip("[]").split(":") if end != "none"]
        return all(end < len(words) and (f in trained or end >= 0 and end.is_integer()) for end in ends)

    last = [len(infos)]  # the last column that each list can be of, if those behind have theirs
    for words in reversed(lists):
        may = [f for f in range(last[0]) if fits(words, f)]
        if not may:
            return {}
        last.insert(0, may[-1])
    known, first = {}, -1
    for words, end in zip(lists, last[1:]):
        may = [f for f in range(first + 1, end) if fits(words, f)]
        first = may[0]
        if len(may) == 1 and first in trained:
            known[first] = words
    return known


def catboost(model: Any, folder: str) -> Subject:
    must_be_fitted(model, model.is_fitted())
    path = os.path.join(folder, "model.json")
    model.save_model(path, format="json")
    names = list(model.feature_names_)
    if names == [str(i) for i in range(len(names))]:
        names = None
    classes = np.asarray(model.classes_)
    hashed = tuple(model.get_cat_feature_indices())
    subject = Subject(
        path, type(model).__name__, classes if len(classes) else None, names, len(model.feature_names_), hashed=hashed, library="catboost",
        regressor=not len(classes), live=model.predict)
    return replace(subject, with_words=lambda frame: words_of_catboost(model, subject, folder, frame)) if hashed else subject


def words_of_catboost(model: Any, subject: Subject, folder: str, frame: Any) -> Subject:
    """Returns a model of CatBoost that knows the words of its categories in a data frame of rows, in facet's own format: CatBoost's file
    lists words, but not of which column they are."""
    import catboost

    try:
        text = frame.iloc[:, list(subject.hashed)].astype(object)
        pool = frame.astype(object)
        pool.iloc[:, list(subject.hashed)] = text.where(text.isna(), text.astype(str))
        model.save_model(subject.path, format="json", pool=catboost.Pool(pool, cat_features=list(subject.hashed)))
    except (catboost.CatBoostError, TypeError, ValueError) as e:
        raise FacetError(f"{subject.name} does not take the rows of X: {str(e).strip().splitlines()[0]}") from None
    with open(subject.path) as f:
        info = json.load(f)["features_info"]
    known, tested = {w["hash"] & 0xFFFFFFFF: w["value"] for w in info.get("cat_features_hash", [])}, {}
    for feature in info["categorical_features"]:
        tested[feature["flat_feature_index"]] = {known.get(hash & 0xFFFFFFFF) for hash in feature.get("values", [])}
    counted = {element["cat_feature_index"] for ctr in info.get("ctrs", []) for element in ctr["elements"] if "cat_feature_index" in element}
    whole = {f["flat_feature_index"] for f in info["categorical_features"] if f["feature_index"] in counted}
    own_one = own(subject, folder, None)
    with open(own_one.path) as f:
        file = json.load(f)
    for at, names in words_of(file).items():
        if at not in whole:
            there = {str(v) for v in frame.iloc[:, at]}
            names = [w for w in names if w in tested[at]] + [w for w in names if w not in tested[at] and w in there]
            file["category_names"][at], file["categories"][at] = names, len(names)
    with open(own_one.path, "w") as f:
        f.write(json.dumps(file, allow_nan=False))
    return replace(own_one, words=words_of(file), with_words=None)


def onnx(model: Any, folder: str) -> Subject:
    path = os.path.join(folder, "model.onnx")
    with open(path, "wb") as f:
        f.write(model.SerializeToString())
    return Subject(path, "onnx.ModelProto")
