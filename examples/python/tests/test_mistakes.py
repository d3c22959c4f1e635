"""What a newcomer does wrong is one sentence, a FacetError without an exception behind it."""
import os
import pickle
import tempfile
import unittest
import warnings

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import facet_robust as facet
from kinds import columns, forest, mixed, numbers, words

X, MIXED = numbers(), mixed()
Y = words(X)
TREE = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, Y)
NEAR = KNeighborsClassifier(1).fit(X, Y)
ONE_HOT = make_pipeline(columns(OneHotEncoder()), forest()).fit(MIXED, words(MIXED))
REGRESSOR = RandomForestRegressor(3, max_depth=3, random_state=0).fit(X, X.age)
GAPS = X.copy()
GAPS.loc["customer 3"] = np.nan


class OtherFrame:
    """A data frame of another library, as Polars makes them, which does not go to pandas without Arrow."""

    def __init__(self, frame):
        self.frame, self.columns = frame, list(frame)

    def to_pandas(self):
        raise ModuleNotFoundError("no pyarrow")

    def __getitem__(self, name):
        return self.frame[name].to_numpy()


class TestMistakes(unittest.TestCase):
    def refused(self, *says, of, **how):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with self.assertRaises(facet.FacetError) as raised:
                of(**how)
        said = str(raised.exception)
        for text in says:
            self.assertIn(text, said)
        self.assertNotIn("\n", said)
        self.assertTrue(raised.exception.__suppress_context__ or raised.exception.__context__ is None, said)
        return said

    def attack(self, *says, model=TREE, X=X[:3], **how):
        return self.refused(*says, of=lambda: facet.attack(model, X, **how))

    def test_models(self):
        import catboost
        import lightgbm
        import xgboost

        for model in (DecisionTreeClassifier(), make_pipeline(StandardScaler(), DecisionTreeClassifier()), KNeighborsClassifier(),
                      xgboost.XGBClassifier(), lightgbm.LGBMClassifier(), catboost.CatBoostClassifier()):
            self.attack("is not fitted: call fit(X, y) first", model=model)
        self.attack("is a class", model=DecisionTreeClassifier)
        self.attack("LogisticRegression is none of what can be exported", model=LogisticRegression().fit(X, Y))
        self.attack("KMeans is none of what can be exported", model=KMeans(2, n_init=1).fit(X))
        self.attack("a dict is no model that facet reads", model={})
        self.attack("there is no file model.json", model="model.json")
        self.attack("say above=t", model=REGRESSOR)
        turned = make_pipeline(PCA(), xgboost.XGBClassifier(n_estimators=2)).fit(X, Y == "yes")
        self.attack("a Pipeline that changes the features first (PCA)", "pipeline[:-1].transform(X)", model=turned)
        marked = make_pipeline(StandardScaler(), xgboost.XGBClassifier(n_estimators=2, missing=-1)).fit(X, Y == "yes")
        self.attack("XGBClassifier", "missing", model=marked)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.pkl")
            with open(path, "wb") as f:
                pickle.dump(TREE, f)
            self.attack("a pickle of Python", model=path)

    def test_columns(self):
        self.attack("X lacks column 'debt', which DecisionTreeClassifier was fitted to", X=X.drop(columns="debt"))
        self.attack("X has column 'label', which DecisionTreeClassifier was not fitted to", X=X.assign(label=Y))
        self.attack("X lacks columns 'age', ", X=pd.DataFrame(np.eye(5), columns=list("abcde")))
        self.attack("X has 4 columns where DecisionTreeClassifier takes 5", X=X.to_numpy()[:, :4])
        self.attack("X has several columns named 'age'", X=X.rename(columns={"debt": "age"}))
        self.attack("column 'debt' of X holds str, 'much' for example, where DecisionTreeClassifier takes numbers", X=X.assign(debt="much"))
        self.attack("column 'debt' of X holds Timestamp", X=X.assign(debt=pd.Timestamp("2026-01-01")))
        same = facet.attack(TREE, X[:3])
        pd.testing.assert_frame_equal(facet.attack(TREE, X[:3][X.columns[::-1]]), same)
        pd.testing.assert_frame_equal(facet.attack(TREE, X[:3].astype(object)), same)
        pd.testing.assert_frame_equal(facet.attack(TREE, X[:3].astype("Float64")), same)
        self.assertEqual(list(facet.attack(TREE, X[:3].to_numpy()).distance), list(same.distance))

    def test_words_of_catboost(self):
        """It takes words for categories, which rows bring along: its file has hashes of them."""
        import catboost

        words_of = MIXED[["colour", "age"]].assign(colour=MIXED.colour.astype(str))
        model = catboost.CatBoostClassifier(iterations=3, depth=2, verbose=0, allow_writing_files=False, cat_features=["colour"], one_hot_max_size=9)
        model.fit(words_of, MIXED.colour == "red")
        self.assertEqual(list(facet.attack(model, words_of[:20]).predicted.astype(str)), list(np.ravel(model.predict(words_of[:20])).astype(str)))
        self.attack("CatBoostClassifier does not take the rows of X: ", "old", model=model, X=words_of.assign(age="old"))
        with self.assertRaisesRegex(facet.FacetError, "has a category that is no whole number .* the file has nothing but its hash"):
            facet.verify(model, ignores=["age"])
        self.attack("column 'age' of X holds str", "where CatBoostClassifier takes numbers", model=model, X=words_of.assign(colour=1, age="old"))

    def test_shapes(self):
        self.attack("X is a sparse matrix: pass X.toarray()", X=csr_matrix(X.to_numpy()))
        self.attack("X has shape (5,) where rows × features are expected", X=X.iloc[0])
        self.attack("X has shape (5,)", X=X.to_numpy()[0])
        self.attack("X has no rows", X=X[:0])
        self.attack("X is 'rows.csv'", X="rows.csv")
        self.attack("its rows differ in length", X=[[1, 2], [3]])
        for odd in (None, X[:3].to_dict("records"), X[:3].to_dict("list"), X[:3].to_records(index=False)):
            self.attack(f"X is a {type(odd).__name__}: pass a data frame", X=odd)
        same = facet.attack(TREE, X[:3])
        masked = np.ma.masked_array(X[:3].to_numpy(), np.eye(3, 5))
        gaps = HistGradientBoostingClassifier(max_iter=3).fit(X, Y)
        pd.testing.assert_frame_equal(facet.attack(gaps, masked), facet.attack(gaps, masked.filled(np.nan)))
        pd.testing.assert_frame_equal(facet.attack(TREE, OtherFrame(X[:3][X.columns[::-1]])).set_axis(same.index), same)
        self.attack("is not a finite number", X=X[:3].replace(X.age.iloc[0], np.inf))

    def test_missing(self):
        self.attack("KNeighborsClassifier does not predict row 'customer 3' of X, which has a missing value in column 'age'", model=NEAR, X=GAPS[:5])
        self.attack("does not predict row 'customer 0' of X, which has 'pink' in column 'colour'", X=MIXED[:4].assign(colour="pink"), model=ONE_HOT)
        answer = facet.attack(HistGradientBoostingClassifier(max_iter=3).fit(GAPS, Y), GAPS[:5])
        self.assertTrue(answer.filter(like="adv_").loc["customer 3"].isna().all())

    def test_labels(self):
        def certify(*says, y, X=X[:3], model=TREE):
            self.refused(*says, of=lambda: facet.certify(model, X, y))
        certify("y has 2 labels for the 3 rows of X", y=["yes", "no"])
        certify("y has 'maybe', which is none of the labels of the model: 'no', 'yes'", y=["yes", "no", "maybe"])
        certify("y lacks the label of row 'customer 1'", y=["yes", None, "no"])
        certify("y has 1, which is none of the labels", y=[1, 0, 1])
        self.attack("target is 'maybe', which is none of the labels of the model: 'no', 'yes'", target="maybe")

    def test_words(self):
        """Sentences name arguments, columns and rows of Python, and no flags, files or numbers of the command."""
        array = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X.to_numpy(), Y)
        odd = X[:3].replace(X.age.iloc[0], np.inf)
        gaps = HistGradientBoostingClassifier(max_iter=3).fit(GAPS, Y)
        linear = {"features": {}, "linear": ["age <= debt"]}
        for says, ask in (
            ("row 'customer 0' of X has inf in column 'age'", lambda: facet.attack(TREE, odd)),
            ("row 0 of X has inf in column 0", lambda: facet.attack(array, odd.to_numpy())),
            ("row 'customer 0' of scale has inf in column 'age'", lambda: facet.attack(TREE, X[:3], scale=odd)),
            ("row 'customer 0' of near has inf", lambda: facet.verify(TREE, ignores="age", near=odd, within=1)),
            ('scale: feature "age" ranges from 0 to 5e-324', lambda: facet.attack(TREE, X[:3], scale=X.assign(age=np.where(X.age > 0, 5e-324, 0)))),
            ('costs: feature "age": "min" 3 is above "max" 1', lambda: facet.attack(TREE, X[:3], costs={"age": {"min": 3, "max": 1}})),
            ("n_jobs is 0: it is a number of cores from 1, or -1", lambda: facet.attack(TREE, X[:3], n_jobs=0)),
            ("domain says (3, 1) of all features: no number lies between 3 and 1", lambda: facet.verify(TREE, ignores="age", domain=(3, 1))),
            ("radius is -1: it is a finite number from 0", lambda: facet.certify(TREE, X[:3], radius=-1)),
            ("separation is -1: it is a finite number from 0", lambda: facet.prune(X, Y, -1)),
            ("local is 0.4: it is a finite number from 0.5, or None", lambda: facet.prune(X, Y, local=0.4)),
            ("local does not go with certificate", lambda: facet.prune(X, Y, local=1, certificate="pruned")),
            ("above is nan: it is a number", lambda: facet.attack(REGRESSOR, X[:3], above=np.nan)),
            ("scale does not go with norm=0", lambda: facet.attack(TREE, X[:3], norm=0, scale=X)),
            ("change does not go with target", lambda: facet.attack(REGRESSOR, X[:3], change=1, target=1)),
            ("proofs: by costs, feature \"age\"", lambda: facet.attack(TREE, X[:3], costs={"age": {"integer": True}}, proofs="rows.proofs")),
            ("apart['age'] is -1: it is a distance from 0", lambda: facet.verify(TREE, ignores="age", apart={"age": -1})),
            ("apart: ignores does not name debt, which both inputs share", lambda: facet.verify(TREE, ignores="age", apart={"debt": 1})),
            ("within names 'agee', which is no column", lambda: facet.verify(TREE, ignores="age", near=X[:3], within={"agee": 1})),
            ("within needs near", lambda: facet.verify(TREE, ignores="age", within=1)),
            ("missing in row 'customer 3'", lambda: facet.attack(gaps, GAPS[2:5], costs=linear)),
            ("prices of column 'age', 2 up and 1 down, differ", lambda: facet.attack(NEAR, X[:3], norm=2, costs={"age": {"up": 2, "down": 1}})),
            ("same_as is a KNeighborsClassifier, of nearest neighbours: questions about all inputs are for trees", lambda: facet.verify(TREE, same_as=NEAR)),
            ("norm=0: KNeighborsClassifier: only attacks on trees", lambda: facet.report(NEAR, X[:3], norm=0)),
            ("costs has 'colour' in a group", lambda: facet.attack(ONE_HOT, MIXED[:3], costs={"groups": [{"members": ["rooms", "colour"]}]})),
        ):
            said = self.refused(says, of=ask)
            for word in ("--", ".npy", ".json", ".csv", "feature 0", "coordinate", "classifier.", "unsupported operation", "flag"):
                self.assertNotIn(word, said)
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            facet.attack(TREE, X[:3], costs={"age": {"integer": True}})
        self.assertIn('by costs, "age" is not a whole step in 3 of 3 rows', str(notes[-1].message))

    def test_questions(self):
        self.attack("norm is 3", norm=3)
        self.attack("timeout is -1", timeout=-1)
        self.attack("costs names 'salary', which is no column; the columns are 'age', ", costs={"salary": {"frozen": True}})
        self.attack('feature "age": "up": ', costs={"age": {"up": -1}})
        self.attack("domain names 'salary'", domain={"salary": (0, 1)})
        self.attack("no number lies between 1 and 0", domain={"age": (1, 0)})
        self.attack("norm=0: KNeighborsClassifier: only attacks on trees count", model=NEAR, norm=0)
        self.refused("X and radius go together", of=lambda: facet.output_range(REGRESSOR, X=X[:2]))
        self.refused("say box, or X and radius", of=lambda: facet.output_range(REGRESSOR))
        self.refused("box names 'salary'", of=lambda: facet.output_range(REGRESSOR, {"salary": (0, 1)}))
        self.refused("predicts labels: output_range is for regressors", of=lambda: facet.output_range(TREE, (0, 1)))
        self.attack("predicts labels: above is asked of regressors", above=0.5)
        self.attack("norm is [1]", norm=[1])
        self.attack("timeout is '10s': it is a number", timeout="10s")
        self.attack("above is 'x': it is a number", model=REGRESSOR, above="x")
        for box in (3, {"age": 1}, {"age": ("x", "y")}, {"age": (0, 1, 2)}):
            self.attack("domain says ", "where a smallest and a largest value are expected", domain=box)
        for costs in ([1, 2], "costs.json"):
            self.attack("pass rules by feature", costs=costs)
        self.attack("target is ['yes'], which is none of the labels", target=["yes"])
        self.refused("radius is '5%': it is a number", of=lambda: facet.certify(TREE, X[:3], radius="5%"))
        for n in (0, 1.5, "3"):
            self.refused(f"n is {n!r}: it is a whole number from 1", of=lambda: facet.counterfactuals(TREE, X[:3], n=n))
        for monotone in (["age"], {"age": 1}, {"age": "increasing"}):
            self.refused("pass \"up\" or \"down\" by feature", of=lambda: facet.verify(TREE, monotone=monotone))
        one = DecisionTreeClassifier().fit(X[["age"]], Y)
        self.refused("same as DecisionTreeClassifier: ", 'only the first has a feature "', of=lambda: facet.verify(TREE, same_as=one))
        self.refused("X has missing values in column 'age'", of=lambda: facet.prune(GAPS, Y))
        square = facet.attack(TREE, X[:3], domain=[(-1, 1)] * 5)
        pd.testing.assert_frame_equal(square, facet.attack(TREE, X[:3], domain=(-1, 1), timeout=np.inf))
        self.assertEqual(facet.verify(DecisionTreeClassifier(max_depth=2).fit(X.to_numpy(), Y), ignores=0).property[0], "ignores 0")
        self.assertEqual(list(facet.certify(TREE, X[:3], pd.DataFrame({"y": Y[:3]})).rows.label), list(Y[:3]))


if __name__ == "__main__":
    unittest.main()
