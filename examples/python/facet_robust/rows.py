"""Rows of data frames and arrays as numbers for the command, and its answers as they were: names, categories, booleans, missing values."""
from __future__ import annotations

import copy
import math
import operator
import os
import re
import warnings
from typing import Any, Hashable

import numpy as np
import pandas as pd

from .command import FacetError
from .models import Subject

DESCRIPTION = "{{'descr': {}, 'fortran_order': False, 'shape': {}, }}"


class Rows:
    """Rows as the command takes them: a matrix of float64, rows × features, in the order of the model's features."""

    def __init__(self, X: Any, subject: Subject, what: str = "X", blank: bool = False):
        self.what, self.subject, self.blank = what, subject, blank
        frame, self.named = as_frame(X, what)
        self.frame = self.in_order(frame)
        self.index, self.columns = self.frame.index, list(self.frame.columns)
        self.words = dict(subject.words)
        if subject.in_turn and not blank:  # a row that stands for the names of columns has no categories
            self.take_in_turn()
        self.known: dict[int, list] = {}  # the categories of columns of them, by their codes, as the rows have them
        self.said: dict[int, list] = {}  # the same as the command spells them
        self.booleans: list[int] = []
        self.integers: dict[int, dict] = {}  # columns of whole numbers, and the limits of their dtype that numbers may reach
        self.whole: set[int] = set()  # those of which answers are whole numbers, too
        self.matrix = np.empty(self.frame.shape)
        for at in range(len(self.columns)):
            self.matrix[:, at] = self.numbers(at)
        self.whole |= set(subject.hashed) & set(self.integers)  # codes of categories
        if subject.missing == subject.missing:
            self.matrix[self.matrix == subject.missing] = np.nan
        self.must_be_finite()
        if subject.slopes is not None:
            self.before, self.matrix = self.matrix, subject.scaled(self.matrix)
            self.after, self.ends = self.matrix, np.array([[-np.inf], [np.inf]])
        self.asked: dict[int, np.ndarray] = {}  # columns of the matrix, once it is forgotten

    def must_be_finite(self) -> None:
        """Refuses infinite values."""
        if np.isinf(self.matrix).any():
            at, column = (int(place[0]) for place in np.nonzero(np.isinf(self.matrix)))
            raise FacetError(f"row {self.index[at]!r} of {self.what} has {self.matrix[at, column]} in column {self.columns[column]!r}, which is not a finite number")

    def in_order(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Returns the columns in the order of the model's features, matched by name where both have names."""
        names, dim, given = self.subject.names, self.subject.dim, [str(column) for column in frame.columns]
        if len(set(given)) < len(given):
            raise FacetError(f"{self.what} has several columns named {listed([name for name in given if given.count(name) > 1])}: rename them")
        if names is not None and not isinstance(frame.columns, pd.RangeIndex):
            spelled = {self.subject.same_name(name): i for i, name in enumerate(given)}
            lacking = [name for name in names if name not in spelled]
            if lacking:
                raise FacetError(f"{self.what} lacks {plural(len(lacking), 'column')} {listed(lacking)}, which {self.subject.name} was fitted to")
            at = [spelled[name] for name in names]
            extra = [given[i] for i in range(len(given)) if i not in set(at)]
            if extra:
                raise FacetError(f"{self.what} has {plural(len(extra), 'column')} {listed(extra)}, which {self.subject.name} was not fitted to: leave out what is no feature")
            if at != list(range(len(given))):
                frame = frame.iloc[:, at]
        if dim is not None and len(given) != dim:
            raise FacetError(f"{self.what} has {len(given)} {plural(len(given), 'column')} where {self.subject.name} takes {dim}")
        return frame

    def take_in_turn(self) -> None:
        """Gives the categorical columns, in their order, the categories of the training data, as LightGBM does. Rows without any have codes."""
        at = [i for i, dtype in enumerate(self.frame.dtypes) if isinstance(dtype, pd.CategoricalDtype)]
        if at and len(at) != len(self.subject.in_turn):
            raise FacetError(f"{self.what} has {len(at)} columns of the dtype category where {self.subject.name} was fitted to {len(self.subject.in_turn)}")
        self.words.update(zip(at, self.subject.in_turn))

    def numbers(self, at: int) -> np.ndarray:
        """Returns a column as numbers: codes for categories, NaN for missing values."""
        column = self.frame.iloc[:, at]
        categorical = isinstance(column.dtype, pd.CategoricalDtype)
        if at in self.words or categorical and self.subject.coded:
            words = self.words.get(at, column.cat.categories if categorical else [])
            self.said[at] = [spelled(word) for word in words]
            if pd.api.types.is_numeric_dtype(column.dtype) or self.blank and whole_words(words):
                self.known[at] = self.as_numbers(at, words)
            else:
                self.known[at] = own_words(words, column.cat.categories if categorical else pd.unique(column.dropna()))
            return self.codes(column, pd.Index(words))
        if categorical:
            column = uncategorical(column)
        if pd.api.types.is_bool_dtype(column.dtype) or column.dtype == object and pd.api.types.infer_dtype(column, skipna=True) == "boolean":
            self.booleans.append(at)
        elif self.named and pd.api.types.is_integer_dtype(column.dtype):
            self.integers[at] = limits_of(column.dtype)
        if isinstance(column.dtype, pd.SparseDtype):
            column = column.sparse.to_dense()
        try:
            if column.dtype.kind in "mMc":
                raise TypeError
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        except (TypeError, ValueError):
            first = next((v for v in column if isinstance(v, str)), next(iter(column), None))
            holds = f"column {self.columns[at]!r} of {self.what} holds {type(first).__name__}, {str(first)[:40]!r} for example"
            raise FacetError(f"{holds}, where {self.subject.name} takes numbers") from None

    def as_numbers(self, at: int, words: Any) -> list[float]:
        """Returns the categories of a column of numbers, which they are, too."""
        try:
            return [float(word) for word in words]
        except ValueError:
            raise FacetError(
                f"column {self.columns[at]!r} of {self.what} holds numbers where {self.subject.name} knows {listed(list(words))}: pass its words, not their codes") from None

    def codes(self, column: pd.Series, known: pd.Index) -> np.ndarray:
        """Returns the places of values among the categories; a value that is none of these comes after the last one, and NaN is missing."""
        values = uncategorical(column) if isinstance(column.dtype, pd.CategoricalDtype) else column
        if pd.api.types.is_numeric_dtype(values.dtype):
            places = pd.Index(pd.to_numeric(known, errors="coerce")).get_indexer(values)
        else:
            places = known.astype(str).get_indexer(values.astype(str))
        places = np.where(places < 0, len(known), places).astype(float)
        places[column.isna().to_numpy()] = np.nan
        return places

    def ask_live(self) -> None:
        """Has the model predict one row for each column with missing values or unknown categories, of which it may take none."""
        odd = np.isnan(self.matrix)
        for at, known in self.known.items():
            odd[:, at] |= self.matrix[:, at] == len(known)
        if self.subject.live is None or not odd.any():
            return
        asked = sorted({int(np.argmax(odd[:, at])) for at in np.flatnonzero(odd.any(axis=0))})
        rows = self.frame.iloc[asked]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # such as that columns have no names
                self.subject.live(rows if self.named else rows.to_numpy())
        except Exception as e:
            at = int(np.flatnonzero(odd[asked[0]])[0])
            what = "a missing value" if np.isnan(self.matrix[asked[0], at]) else f"{self.frame.iat[asked[0], at]!r}"
            said = re.sub(r"^\[[\d:]+\] \S+: ", "", str(e).strip()).splitlines()[:1] or [type(e).__name__]
            raise FacetError(
                f"{self.subject.name} does not predict row {self.index[asked[0]]!r} of {self.what}, which has {what} in column {self.columns[at]!r}: {said[0]}") from None

    def names(self) -> list[str] | None:
        """Returns names for the command: those of the data frame, or of the model."""
        names = self.columns if self.named else self.subject.names
        return names and [str(name).strip() for name in names]

    def place(self, name: Hashable, where: str) -> int:
        """Returns the place of the column of a name, or of a number if columns have no names."""
        spelled = self.names() or [str(i) for i in range(len(self.columns))]
        try:
            return spelled.index(str(name).strip())
        except ValueError:
            raise FacetError(f"{where} names {name!r}, which is no column; the columns are {listed(spelled)}") from None

    def restored(self, matrix: np.ndarray, prefix: str) -> dict[str, Any]:
        """Returns the columns of a matrix, in which a row that is all NaN stands for none, as those of the rows."""
        out = {}
        for at, column in enumerate(self.columns):
            values = matrix[:, at]
            if self.subject.missing == self.subject.missing:
                values = np.where(np.isnan(values) & np.isnan(self.asked[at]), self.subject.missing, values)
            if at in self.known:
                values = self.categories(at, values)
            elif isinstance(self.frame.dtypes.iloc[at], pd.CategoricalDtype):
                values = categorical(values, self.frame.iloc[:, at])
            elif at in self.booleans and self.subject.trees:
                values = pd.array([pd.NA if v != v else bool(v) for v in values], dtype="boolean")
                values = values if values.isna().any() else values.astype(bool)
            elif at in self.whole:
                values = integers(values, self.frame.dtypes.iloc[at])
            out[f"{prefix}{column}"] = values
        return out

    def categories(self, at: int, codes: np.ndarray) -> Any:
        """Returns categories by their codes; one that the model does not know stays that of the row."""
        column, known = self.frame.iloc[:, at], self.known[at]
        own = column.astype(object).to_numpy()
        words = np.array([*known, None], dtype=object)
        kept = codes == self.asked[at]
        place = np.where(np.isnan(codes) | (codes >= len(known)), len(known), codes).astype(int)
        values = np.where(kept, own, words[place])
        return categorical(values, column) if isinstance(column.dtype, pd.CategoricalDtype) else values

    def unscaled(self, examples: np.ndarray, labels: Any) -> np.ndarray:
        """Returns examples for neighbours after scalers in the units before them: features that have not moved are as they were, the rest is moved on by a
        few units in the last place where the model would else round it back."""
        if self.subject.slopes is None:
            return examples
        x, labels = self.subject.unscaled(examples), np.asarray(labels, dtype=object)
        first = x = np.clip(np.where(examples == self.after, self.before, x), *self.ends)
        todo, x, way = np.flatnonzero(~np.isnan(x).any(axis=1)), x.copy(), np.sign(x - self.before)
        for far in 2.0 ** np.arange(20):
            if not len(todo):
                return x
            todo = todo[self.predicted(x[todo]) != labels[todo]]
            x[todo] = np.clip(x[todo] + far * np.spacing(np.abs(x[todo])) * way[todo], *self.ends)
        x[todo] = first[todo]
        return x

    def beyond(self, examples: np.ndarray, labels: Any, part: float) -> tuple[np.ndarray, np.ndarray]:
        """Returns examples, of which those that the model itself denies are farther by a part of their way from the rows if it gives them
        their label there, and which these are."""
        labels, denied = np.asarray(labels, dtype=object), np.flatnonzero(~np.isnan(examples).any(axis=1))
        denied = denied[self.predicted(examples[denied]) != labels[denied]]
        x = self.frame.to_numpy(dtype=float)[denied]
        there = examples[denied] + part * (examples[denied] - x)
        accepted = self.predicted(there) == labels[denied]
        examples, moved = examples.copy(), denied[accepted]
        examples[moved] = there[accepted]
        return examples, moved

    def predicted(self, x: np.ndarray) -> np.ndarray:
        """Returns the labels that the model itself gives inputs."""
        if not len(x):
            return np.empty(0, dtype=object)
        return np.asarray(self.subject.live(pd.DataFrame(x, columns=self.columns) if self.named else x), dtype=object)

    def value(self, at: int, value: float, back: bool = False) -> float:
        """Returns a value of a feature after the scalers, or before them."""
        if not np.isfinite(value):
            return value
        row = np.zeros((1, len(self.columns)))
        row[0, at] = value
        return float((self.subject.unscaled(row) if back else self.subject.scaled(row))[0, at])

    def ends_before(self, name: str, pair: tuple[float, float]) -> tuple[float, float]:
        """Returns an interval of a feature before the scalers."""
        return pair if self.subject.slopes is None else tuple(self.change(name, end)[1] for end in pair)

    def change(self, name: str, *values: Any, row: int | None = None) -> tuple:
        """Returns the column that a change is about, and values that the command printed of it as the column has them."""
        if self.subject.slopes is not None:
            at = (self.names() or [str(i) for i in range(len(self.columns))]).index(name)
            back = [self.value(at, value, back=True) for value in values]
            return (self.columns[at], *(back if row is None else [float(self.before[row, at]), *back[1:]]))
        names = self.names() or [str(i) for i in range(len(self.columns))]
        if name not in names:  # a group of columns
            return (name, *values)
        at = names.index(name)
        return (self.columns[at], *(self.word(at, value) for value in values))

    def codes_said(self, values: list) -> list[float]:
        """Returns an input that the command printed, with codes for words and NaN for missing values."""
        return [np.nan if v is None else self.code(at, v) for at, v in enumerate(values)]

    def code(self, at: int, value: Any) -> float:
        if not isinstance(value, str):
            return value
        return self.said[at].index(value)

    def word(self, at: int, value: Any) -> Any:
        if value == "missing" and (at not in self.known or "missing" not in self.known[at]):
            return np.nan
        value = self.code(at, value)
        if at in self.known and float(value).is_integer() and 0 <= value < len(self.known[at]):
            return self.known[at][int(value)]
        if at in self.booleans and value in (0, 1):
            return bool(value)
        return int(value) if at in self.whole and float(value).is_integer() else value

    def first(self) -> Rows:
        """Returns the first of these rows, which shows the kinds of the features."""
        one = copy.copy(self)
        one.frame, one.index, one.matrix = self.frame.iloc[:1], self.index[:1], self.matrix[:1]
        one.forget()
        return one

    def forget(self) -> None:
        """Keeps no column of the matrix but those that answers are compared with."""
        compared = set(self.known) if self.subject.missing != self.subject.missing else range(len(self.columns))
        self.asked = {at: self.matrix[:, at].copy() for at in compared}
        del self.matrix

    def write(self, path: str) -> None:
        """Writes the matrix as NPY, with names of columns if there are any."""
        write_matrix(path, self.matrix, self.names())


def limits_of(dtype: Any) -> dict:
    """Returns the limits that a dtype of whole numbers has, if numbers may reach them."""
    info = np.iinfo(getattr(dtype, "numpy_dtype", dtype))
    ends = {"min": int(info.min)} if info.min > -1 << 31 else {}
    return {**ends, "max": int(info.max)} if info.max < (1 << 31) - 1 else ends


def integers(values: np.ndarray, dtype: Any) -> Any:
    """Returns whole numbers in a dtype of these, where it holds them."""
    if np.isnan(values).any():
        return pd.array(np.where(np.isnan(values), None, values), dtype="Int64")
    whole = values.astype(np.int64)
    return pd.array(whole, dtype=dtype) if pd.api.types.is_extension_array_dtype(dtype) else whole.astype(dtype) if (whole.astype(dtype) == whole).all() else whole


def spelled(category: Any) -> str:
    """Returns a category as the command writes it."""
    return str(int(category)) if isinstance(category, float) and category.is_integer() else str(category)


def whole_words(words: Any) -> bool:
    """Says whether all words are whole numbers, "2" or "2.0"."""
    return all(isinstance(w, str) and w.lstrip("-").removesuffix(".0").isdigit() for w in words)


def own_words(words: Any, values: Any) -> list:
    """Returns the words of a model as the values of a column that they are. Whole numbers are words such as "1.0" where rows of the training
    lacked some."""
    own = {str(v): v for v in values}
    if pd.api.types.is_numeric_dtype(pd.Index(values)):
        numbers = {float(v): v for v in values}
        for word in words:
            number = pd.to_numeric(word, errors="coerce")
            if number in numbers:
                own.setdefault(str(word), numbers[number])
    return [own.get(str(word), word) for word in words]


def uncategorical(column: pd.Series) -> pd.Series:
    """Returns a column of categories as one of their own type. Whole numbers and truth values have no missing one among them."""
    kind = column.cat.categories.dtype
    if column.isna().any() and kind.kind in "iub":
        kind = np.dtype(object if kind.kind == "b" else float)
    return column.astype(kind)


def categorical(values: np.ndarray, like: pd.Series) -> pd.Categorical:
    """Returns values as a column of categories: those of another column, and the new ones."""
    known = list(like.cat.categories)
    others = [v for v in pd.unique(values[~pd.isna(values)]) if v not in set(known)]
    return pd.Categorical(values, categories=known + others, ordered=bool(like.cat.ordered))


def as_frame(X: Any, what: str) -> tuple[pd.DataFrame, bool]:
    """Returns a data frame of rows, and whether its columns have names of their own, or says why there is none."""
    if type(X).__name__ == "LazyFrame" or type(X).__module__.split(".")[0] in ("dask", "dask_expr"):
        call = "compute" if hasattr(X, "compute") else "collect"
        raise FacetError(f"{what} is not computed yet: pass {what}.{call}()")
    if hasattr(X, "to_pandas"):  # of Polars, say, which wants Arrow for that
        try:
            X = X.to_pandas()
        except ImportError:
            X = pd.DataFrame({name: np.asarray(X[name]) for name in X.columns})
    if isinstance(X, np.ma.MaskedArray):
        X = X.astype(float).filled(np.nan)
    if named := isinstance(X, pd.DataFrame):
        frame = X
    elif type(X).__module__.startswith("scipy.sparse"):
        raise FacetError(f"{what} is a sparse matrix: pass {what}.toarray()")
    elif isinstance(X, (str, bytes, os.PathLike)):
        raise FacetError(f"{what} is {str(X)!r}: pass a data frame or an array, such as pandas.read_csv of a file")
    else:
        try:
            values = np.asarray(X)
        except ValueError:
            raise FacetError(f"{what} is no table: its rows differ in length") from None
        if values.ndim < 2 and (values.dtype == object or values.dtype.names) and not isinstance(X, pd.Series):
            raise FacetError(f"{what} is a {type(X).__name__}: pass a data frame, such as pandas.DataFrame({what}), or an array of rows × features")
        if isinstance(X, pd.Series) or values.ndim != 2:
            raise FacetError(f"{what} has shape {values.shape} where rows × features are expected: a single row is X.iloc[[i]], or x.reshape(1, -1)")
        frame = pd.DataFrame(values, copy=False)
    if len(frame) == 0:
        raise FacetError(f"{what} has no rows")
    return frame, named


def write_matrix(path: str, matrix: np.ndarray, names: list[str] | None = None) -> None:
    """Writes an array of NumPy, whose columns have names if there are any."""
    if names is None:
        np.save(path, matrix)
        return
    kind = matrix.dtype.str
    head = DESCRIPTION.format([(name, kind) for name in names], matrix.shape[:1]).encode()
    head += b" " * (-(12 + len(head) + 1) % 64) + b"\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x03\x00" + len(head).to_bytes(4, "little") + head)
        np.ascontiguousarray(matrix).tofile(f)


def labels_of(classes: np.ndarray | None, y: Any, rows: Rows) -> np.ndarray:
    """Returns labels by the numbers of their classes, or as they are if the model lists none."""
    given = np.ravel(np.asarray(y, dtype=object if classes is None else None))
    if len(given) != len(rows.index):
        raise FacetError(f"y has {len(given)} {plural(len(given), 'label')} for the {len(rows.index)} rows of X")
    if pd.isna(given).any():
        raise FacetError(f"y lacks the label of row {rows.index[int(np.argmax(pd.isna(given)))]!r}")
    if classes is None:
        return given
    places = pd.Index(classes).get_indexer(given)
    if (places < 0).any():
        raise FacetError(f"y has {given.tolist()[int(np.argmax(places < 0))]!r}, which is none of the labels of the model: {listed(classes.tolist())}")
    return places


def as_labels(classes: np.ndarray, codes: np.ndarray) -> Any:
    """Returns labels by the numbers of their classes; a negative number is a missing one."""
    if (codes >= 0).all():
        return classes[codes]
    if classes.dtype.kind in "biu":
        return pd.array(classes).take(codes, allow_fill=True)
    return np.where(codes >= 0, classes.astype(object)[codes], None)


def real(what: str, value: Any) -> float:
    """Returns a number, or says that it is none."""
    try:
        if (number := float(value)) == number:
            return number
    except (TypeError, ValueError):
        pass
    raise FacetError(f"{what} is {value!r}: it is a number") from None


def distance(what: str, value: Any) -> float:
    """Returns a finite number from 0, or says that it is none."""
    number = real(what, value)
    if not 0 <= number < math.inf:
        raise FacetError(f"{what} is {value!r}: it is a finite number from 0")
    return number


def whole(what: str, value: Any) -> str:
    """Returns a number of things, or says that it is none."""
    try:
        if operator.index(value) > 0:
            return str(operator.index(value))
    except TypeError:
        pass
    raise FacetError(f"{what} is {value!r}: it is a whole number from 1")


def plural(n: int, noun: str) -> str:
    return noun if n == 1 else noun + "s"


def listed(names: list, most: int = 8) -> str:
    """Returns names as a sentence has them, the first ones of many."""
    text = ", ".join(repr(name) for name in names[:most])
    return f"{text} and {len(names) - most} more" if len(names) > most else text
