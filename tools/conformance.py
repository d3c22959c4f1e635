#!/usr/bin/env python3
"""Writes attack/proof/testdata: files that checkers of proofs accept or refuse, and a table of them.

    python3 tools/conformance.py

Most are one small file with a part of it replaced. internal/testing/checkers runs them.
"""
import gzip
import hashlib
import json
import os
import shutil
import zlib

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "attack", "proof", "testdata")


def dump(**members):
    return json.dumps(members, separators=(",", ":"))


def stump(feature, threshold, left, right, **more):
    return dict(feature=[feature, -2, -2], threshold=[threshold, 0, 0], left=[1, -1, -1], right=[2, -1, -1],
                value=[[0] * len(left), left, right], **more)


FACET = dump(format="facet-model", version=1, kind="ensemble", n_features=2, comparison="x <= t", vote="sum", base=[0.5, 0],
             trees=[stump(0, 0.5, [1, 0], [0, 2]), stump(1, 0.25, [1, 0], [0, 1])])
SETS = dump(format="facet-model", version=1, kind="ensemble", n_features=2, categories=[4, 0], comparison="float32(x) <= t", vote="sum", base=[0.5, 0],
            trees=[stump(0, 0, [1, 0], [0, 2], thresholds=[[0.5, 1.5, 2.5, 3.5], [], []]), stump(1, 0.25, [1, 0], [0, 1])])
REGRESSOR = dump(format="facet-model", version=1, kind="regressor", n_features=2, comparison="x <= t", vote="sum",
                 trees=[stump(0, 0.5, [1], [2]), stump(1, 0.25, [1], [0])])
SOFT = FACET.replace('"vote":"sum","base":[0.5,0]', '"vote":"soft"')
TREE = dump(format="facet-model", version=1, kind="tree", n_features=1, classes=[-1, 1], comparison="float32(x) < t",
            trees=[stump(0, 0.5, [1, 0], [0, 2])])
OBLIQUE = dump(format="facet-model", version=1, kind="oblique-tree", n_features=2, trees=[dict(
    weights=[[1, 1], None, []], threshold=[1, 0, 0], left=[1, -1, -1], right=[2, -1, -1], value=[[1, 1], [1, 0], [0, 1]])])
KNN = dump(format="facet-model", version=1, kind="knn", n_features=2, k=1, rows=[[0, 0], [1, 0], [0, 4]], labels=[0, 0, 1])
SKLEARN = dump(format="sklearn-tree-ensemble", version=1, n_features=1, classes=[0, 1], trees=[stump(0, 0.5, [3, 1], [0, 2])])
BOOSTED = dump(format="sklearn-tree-ensemble", version=1, n_features=1, classes=[0, 1], boosting=dict(
    init=[0, 0.25], learning_rate=0.5, decision="probability", **{"class": [1]}), trees=[stump(0, 0.5, [3], [-1])])
XGBOOST = json.dumps(dict(learner=dict(
    attributes={}, feature_names=[], feature_types=[], learner_model_param=dict(base_score="5E-1", num_class="0", num_feature="2", num_target="1"),
    objective=dict(name="binary:logistic", reg_loss_param=dict(scale_pos_weight="1")),
    gradient_booster=dict(name="gbtree", model=dict(gbtree_model_param=dict(num_parallel_tree="1", num_trees="1"), tree_info=[0], trees=[dict(
        tree_param=dict(num_deleted="0", num_feature="2", num_nodes="3", size_leaf_vector="1"), left_children=[1, -1, -1], right_children=[2, -1, -1],
        split_indices=[1, 0, 0], split_conditions=[0.1, -0.3, 0.7], default_left=[0, 0, 0], split_type=[0, 0, 0], loss_changes=[1.5, 0, 0])]))), version=[2, 1, 0]),
    separators=(",", ":"))
LIGHTGBM = """tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=1
objective=binary sigmoid:1
feature_names=Column_0 Column_1
feature_infos=[0:1] [0:1]
tree_sizes=300

Tree=0
num_leaves=2
num_cat=0
split_feature=1
split_gain=3
threshold=0.25
decision_type=2
left_child=-1
right_child=-2
leaf_value=-0.5 0.75
is_linear=0
shrinkage=0.1


end of trees

pandas_categorical:null
"""
LIBSVM = "+1 1:0.5 3:2 # a comment\n-1 2:1\n"
CSV = "a,b,label\n0.5,1,no\n1,2,yes\n"

BOTH, NONE = ("accept", "accept"), ("refuse", "refuse")
CASES = []  # verdict of checkers, of the reader, kind, name, content, about, reason


def case(kind, name, content, verdict, reason, reader="-", about="-", k="-"):
    CASES.append((verdict, reader, kind, name, content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"), about, str(k), reason))


def model(name, base, old, new, verdict, reason, reader=None):
    assert old in base, (name, old)
    case("model", "models/" + name, base.replace(old, new, 1), verdict, reason, reader or verdict)


def models(prefix, suffix, base, rows):
    case("model", "models/%s%s" % (prefix, suffix), base, "accept", "what the others of its kind are made from", "accept")
    for name, old, new, verdict, reason, *reader in rows:
        model("%s-%s%s" % (prefix, name, suffix), base, old, new, verdict, reason, *reader)


A, R = "accept", "refuse"
models("facet", ".json", FACET, [
    ("spaces", '"version":1', ' "version"\t:\r\n1 ', A, "white space of JSON"),
    ("number-exponent", "[0.5,0]", "[5E-1,-0.0e+00]", A, "numbers of JSON"),
    ("number-long", "[0.5,0]", "[0.5" + "0" * 990 + ",0]", A, "a number of 993 bytes"),
    ("number-too-long", "[0.5,0]", "[0.5" + "0" * 1000 + ",0]", R, "a number of more than 1000 bytes", A),
    ("number-large", "[0.5,0]", "[1e400,0]", R, "beyond float64"),
    ("number-tiny", "[0.5,0]", "[1e-999,0]", A, "0 is the nearest float64"),
    ("number-plus", "[0.5,0]", "[+0.5,0]", R, "JSON has no plus"),
    ("number-point", "[0.5,0]", "[.5,0]", R, "JSON wants a digit before the point"),
    ("number-point-behind", "[0.5,0]", "[5.,0]", R, "JSON wants a digit behind the point"),
    ("number-zeros", "[0.5,0]", "[00.5,0]", R, "JSON has no leading zeros"),
    ("number-hex", "[0.5,0]", "[0x1p-1,0]", R, "JSON has no hexadecimal numbers"),
    ("number-nan", "[0.5,0]", "[NaN,0]", R, "JSON has no NaN"),
    ("number-inf", "[0.5,0]", "[Infinity,0]", R, "JSON has no Infinity"),
    ("number-string", "[0.5,0]", '["0.5",0]', R, "a string for a number"),
    ("number-null", "[0.5,0]", "[null,0]", R, "a null for a number"),
    ("number-true", "[0.5,0]", "[true,0]", R, "a truth for a number"),
    ("integer-fraction", '"version":1', '"version":1.0', R, "an integer is written as one"),
    ("integer-exponent", '"n_features":2', '"n_features":2e0', R, "an integer is written as one"),
    ("integer-string", '"version":1', '"version":"1"', R, "a string for an integer"),
    ("integer-null", '"version":1', '"version":null', R, "a null for an integer"),
    ("integer-minus", "[0,-2,-2]", "[-0,-2,-2]", A, "-0 is 0"),
    ("version", '"version":1', '"version":2', R, "another version"),
    ("version-none", '"version":1,', "", R, "no version"),
    ("key-twice", '"vote":"sum"', '"vote":"sum","vote":"sum"', R, "a key twice"),
    ("key-twice-unused", '"vote":"sum"', '"vote":"sum","a":{"b":1,"b":1}', R, "a key twice, anywhere"),
    ("key-twice-escaped", '"vote":"sum"', '"vote":"sum","v\\u006fte":"sum"', R, "a key twice, once with an escape"),
    ("key-escaped", '"vote":"sum"', '"v\\u006fte":"sum"', A, "a key with an escape"),
    ("key-case", '"vote":"sum"', '"vote":"sum","Vote":"hard"', R, "an unknown key, which differs from one that counts in case alone"),
    ("key-case-tree", '"left"', '"LEFT"', R, "an unknown key, which differs from one that counts in case alone"),
    ("key-unknown", '"vote":"sum"', '"vote":"sum","unknown":[{}]', R, "an unknown key"),
    ("key-unknown-tree", '"left"', '"unknown":[],"left"', R, "an unknown key of a tree"),
    ("string-control", '"vote":"sum"', '"vote":"sum","link":"\n"', R, "a line end within a string"),
    ("string-escape", '"vote":"sum"', '"vote":"sum","link":"\\x"', R, "no escape of JSON"),
    ("string-escapes", '"vote":"sum"', '"vote":"s\\u0075m","feature_names":["\\"\\\\\\/\\b\\f\\n\\r\\t\\ud83d\\ude00","b"]', A, "all escapes of JSON"),
    ("string-surrogate", '"vote":"sum"', '"vote":"sum","feature_names":["\\ud800","b"]', A, "half a surrogate where it does not count"),
    ("comma", "[0.5,0]", "[0.5,0,]", R, "a comma too many"),
    ("comma-none", "[0.5,0]", "[0.5 0]", R, "no comma"),
    ("bracket", "[0.5,0]", "[0.5,0}", R, "another bracket"),
    ("behind", "}]}", "}]}{}", R, "more behind the end"),
    ("behind-zero", "}]}", "}]}\0", R, "a zero byte behind the end"),
    ("mark", "{", "\ufeff{", R, "a byte order mark"),
    ("null-array", '"base":[0.5,0]', '"base":null', A, "a null for an array is none"),
    ("null-vote", '"vote":"sum","base":[0.5,0]', '"vote":null', A, "a null for a text is none: soft"),
    ("null-trees", '"trees":[', '"trees":null,"feature_names":[', R, "a null for the trees: there are none"),
    ("null-truth", '"vote"', '"single":null,"vote"', A, "a null for a truth is false"),
    ("truth-number", '"vote"', '"single":1,"vote"', R, "a number for a truth"),
    ("single", '"vote"', '"single":true,"vote"', A, "sums in float32"),
    ("vote-none", '"vote":"sum","base":[0.5,0],', "", A, "no vote is soft"),
    ("vote-unknown", '"vote":"sum"', '"vote":"Sum"', R, "an unknown vote"),
    ("vote-logistic", '"vote":"sum"', '"vote":"logistic"', A, "two classes"),
    ("base-short", "[0.5,0]", "[0.5]", R, "a number of base for each class"),
    ("base-empty", "[0.5,0]", "[]", R, "a number of base for each class"),
    ("base-soft", '"vote":"sum"', '"vote":"soft"', R, "base values of a soft vote"),
    ("base-hard", '"vote":"sum"', '"vote":"hard"', R, "base values of a hard vote"),
    ("divisor-sum", '"vote":"sum"', '"vote":"sum","divisor":2', R, "a divisor of a sum"),
    ("divisor-zero", '"vote":"sum"', '"vote":"sum","divisor":0', A, "a divisor of 0 is none"),
    ("divisor-null", '"vote":"sum"', '"vote":"sum","divisor":null', R, "a null for a number"),
    ("any-order", '"vote":"sum"', '"vote":"sum","any_order":true', A, "sums in any order are checked in that of the file"),
    ("comparison-none", '"comparison":"x <= t",', "", R, "no comparison"),
    ("comparison-unknown", '"x <= t"', '"x<=t"', R, "an unknown comparison"),
    ("features", '"n_features":2', '"n_features":1', R, "a test of a feature that is not there"),
    ("features-none", '"n_features":2', '"n_features":0', R, "no features"),
    ("features-many", '"n_features":2', '"n_features":131073', R, "more than 131,072 features", A),
    ("features-more", '"n_features":2', '"n_features":131072', A, "131,072 features"),
    ("feature-names", '"vote"', '"feature_names":["a","b"],"vote"', A, "names of features"),
    ("feature-names-few", '"vote"', '"feature_names":["a"],"vote"', R, "one name for two features"),
    ("category-names", '"vote"', '"category_names":[[],[]],"vote"', A, "no codes have names"),
    ("category-names-few", '"vote"', '"category_names":[[]],"vote"', R, "one list of names for two features"),
    ("category-names-number", '"vote"', '"category_names":[null,["x","x"]],"vote"', A, "names of codes change nothing"),
    ("category-names-case", '"vote"', '"Category_names":[],"vote"', R, "a key that differs in case"),
    ("category-names-text", '"vote"', '"category_names":[[],"x"],"vote"', R, "a text for names"),
    ("classes", '"vote"', '"classes":[-1,1],"vote"', A, "classes"),
    ("classes-equal", '"vote"', '"classes":[1,1],"vote"', R, "classes ascend"),
    ("classes-more", '"vote"', '"classes":[0,1,2],"vote"', R, "values are too few for the classes"),
    ("class-names", '"vote"', '"class_names":["no","yes"],"vote"', A, "names of classes"),
    ("class-names-twice", '"vote"', '"class_names":["a","a"],"vote"', R, "a name twice"),
    ("class-names-empty", '"vote"', '"class_names":["a",""],"vote"', R, "an empty name"),
    ("class-names-more", '"vote"', '"class_names":["a","b","c"],"vote"', R, "values are too few for the names"),
    ("trees-none", '"trees":[', '"trees":[],"feature_names":[', R, "no trees"),
    ("child-self", '"left":[1,', '"left":[0,', R, "a child that is its parent"),
    ("child-shared", '"left":[1,', '"left":[2,', R, "a child of two"),
    ("child-beyond", '"left":[1,', '"left":[3,', R, "a child that is not there"),
    ("child-one", '"left":[1,', '"left":[-1,', R, "one child alone"),
    ("child-very-negative", '"left":[1,-1,-1]', '"left":[1,-7,-1]', A, "a leaf has two negative children"),
    ("lengths", '"left":[1,-1,-1]', '"left":[1,-1]', R, "arrays of different lengths"),
    ("values-inner", '"value":[[0,0],', '"value":[[0],', R, "too few values of a node that is no leaf"),
    ("values-inner-null", '"value":[[0,0],', '"value":[null,', R, "no values of a node that is no leaf"),
    ("threshold-leaf", '"threshold":[0.5,0,', '"threshold":[0.5,null,', R, "a null for the threshold of a leaf"),
    ("infinite-right", '"left":[1', '"infinite":[1,0,0],"left":[1', A, "an infinite threshold"),
    ("infinite-left", '"left":[1', '"infinite":[-1,0,0],"left":[1', R, "a threshold of -inf, where float64 are compared"),
    ("infinite-short", '"left":[1', '"infinite":[1],"left":[1', R, "arrays of different lengths"),
    ("missing-left", '"left":[1', '"missing_left":[true,false,false],"left":[1', A, "where missing values go is of no interest"),
    ("missing-left-number", '"left":[1', '"missing_left":[1,0,0],"left":[1', R, "a number for a truth"),
    ("overflow", '[0,2]]', '[0,1e308]]', R, "sums can overflow"),
    ("kind", '"kind":"ensemble"', '"kind":"forest"', R, "an unknown kind"),
    ("kind-weighted", '"kind":"ensemble"', '"kind":"weighted-knn"', R, "another kind, without rows"),
    ("format", "facet-model", "facet", R, "an unknown format"),
    ("format-case", '"format"', '"Format"', R, "no format"),
    ("oblique-kind", '"kind":"ensemble"', '"kind":"oblique-ensemble"', R, "features where weights are wanted"),
])
TESTED = '"threshold":[0,0,0]'
models("sets", ".json", SETS, [
    ("two", "[0.5,1.5,2.5,3.5]", "[0.5,1.5]", A, "two thresholds"),
    ("one", "[0.5,1.5,2.5,3.5]", "[0.5]", R, "one threshold is no set"),
    ("equal", "[0.5,1.5,2.5,3.5]", "[0.5,0.5]", R, "thresholds ascend"),
    ("descending", "[0.5,1.5,2.5,3.5]", "[1.5,0.5]", R, "thresholds ascend"),
    ("border", "[0.5,1.5,2.5,3.5]", "[0.5,0.500000001]", R, "two thresholds of one border, as float32 are compared"),
    ("large", "[0.5,1.5,2.5,3.5]", "[0.5,1e300]", A, "a threshold beyond float32, whose border is finite"),
    ("large-two", "[0.5,1.5,2.5,3.5]", "[1e299,1e300]", R, "two thresholds beyond float32: one border"),
    ("small", "[0.5,1.5,2.5,3.5]", "[-1e300,1]", A, "a threshold below float32"),
    ("too-large", "[0.5,1.5,2.5,3.5]", "[0.5,1e400]", R, "beyond float64"),
    ("null", "[0.5,1.5,2.5,3.5]", "null", A, "a null for a list: an ordinary test"),
    ("null-within", "[0.5,1.5,2.5,3.5]", "[0.5,null]", R, "a null for a number"),
    ("word", "[0.5,1.5,2.5,3.5]", '[0.5,"1.5"]', R, "a text for a number"),
    ("number", "[0.5,1.5,2.5,3.5]", "0.5", R, "a number for a list"),
    ("none", '"thresholds":[[0.5,1.5,2.5,3.5],[],[]]', '"thresholds":null', A, "a null for the lists: ordinary tests"),
    ("empty", '"thresholds":[[0.5,1.5,2.5,3.5],[],[]]', '"thresholds":[]', A, "no lists: ordinary tests"),
    ("short", "[[0.5,1.5,2.5,3.5],[],[]]", "[[0.5,1.5,2.5,3.5]]", R, "one list for each node"),
    ("leaf", "[],[]", "[1,2],[]", R, "a leaf with thresholds"),
    ("infinite", TESTED, TESTED + ',"infinite":[1,0,0]', R, "thresholds and an infinite one"),
    ("infinite-zero", TESTED, TESTED + ',"infinite":[0,0,0]', A, "which is not infinite"),
    ("threshold", TESTED, '"threshold":[7,0,0]', A, "the threshold of a test of a set means nothing"),
    ("missing", TESTED, TESTED + ',"missing_left":[true,false,false]', A, "where a missing value goes"),
    ("feature", '"feature":[0,', '"feature":[2,', R, "a feature that is not there"),
    ("key-case", '"thresholds"', '"Thresholds"', R, "a key that differs from one that counts in case alone"),
    ("codes-none", '"categories":[4,0],', "", A, "no feature is a category"),
    ("codes-short", "[4,0]", "[4]", R, "one number of codes for each feature"),
    ("codes-negative", "[4,0]", "[-4,0]", R, "a negative number of codes"),
    ("codes-most", "[4,0]", "[1048576,0]", A, "2^20 codes"),
    ("codes-too-many", "[4,0]", "[1048577,0]", R, "more than 2^20 codes"),
    ("codes-fraction", "[4,0]", "[4.5,0]", R, "no integer"),
    ("codes-null", "[4,0]", "null", A, "a null for an array is none"),
])
for name, old, new, verdict, reason in [
        ("regressor", '"vote"', '"vote"', A, "facet's own regressor"),
        ("regressor-link", '"vote"', '"link":"exp","vote"', A, "claims are about sums before the link"),
        ("regressor-link-unknown", '"vote"', '"link":"log","vote"', R, "there is no such link"),
        ("regressor-vote-none", '"vote":"sum",', "", R, "no vote"),
        ("regressor-vote-hard", '"vote":"sum"', '"vote":"hard"', R, "a vote of labels"),
        ("regressor-soft", '"vote":"sum"', '"vote":"soft"', A, "a mean"),
        ("regressor-classes", '"vote"', '"classes":[0],"vote"', R, "a class"),
        ("regressor-names", '"vote"', '"class_names":["a"],"vote"', R, "a name of a class"),
        ("regressor-names-empty", '"vote"', '"class_names":[],"vote"', A, "no names of classes"),
        ("regressor-values", "[2]", "[2,1]", R, "two values of a node")]:
    model(name + ".json", REGRESSOR, old, new, verdict, reason, "-")
models("soft", ".json", SOFT, [
    ("divisor", '"vote"', '"divisor":1.5,"vote"', A, "more than half of the trees"),
    ("divisor-small", '"vote"', '"divisor":1,"vote"', R, "half of the trees"),
    ("divisor-large", '"vote"', '"divisor":2.5,"vote"', R, "more than the trees"),
])
models("tree", ".json", TREE, [
    ("two", '"trees":[', '"trees":[' + json.dumps(stump(0, 0.5, [1, 0], [0, 2])) + ",", R, "two trees in a tree"),
    ("vote", '"trees"', '"vote":"sum","base":[1,0],"trees"', A, "a lone tree votes hard, whatever the file says"),
    ("vote-unknown", '"trees"', '"vote":"none","trees"', R, "an unknown vote"),
    ("infinite-left", '"left":[1', '"infinite":[-1,0,0],"left":[1', A, "a threshold of -inf, where float32 are compared"),
    ("leaf", json.dumps(stump(0, 0.5, [1, 0], [0, 2]), separators=(",", ":")),
     '{"feature":[0],"threshold":[0],"left":[-1],"right":[-1],"value":[[1,0]]}', A, "a tree of one leaf"),
    ("leaf-comparison", TREE[TREE.index('"comparison"'):], '"comparison":"<","trees":[{"feature":[0],"threshold":[0],"left":[-1],"right":[-1],"value":[[1,0]]}]}',
     R, "an unknown comparison, which no test needs"),
])
models("oblique", ".json", OBLIQUE, [
    ("thresholds", '"threshold"', '"thresholds":[[],[],[]],"threshold"', R, "no tests of sets in oblique trees"),
    ("leaf-weights", "[1,1],null", "[1,1],[1,1]", R, "a leaf with weights"),
    ("weights-short", "[1,1],null", "[1],null", R, "a weight for each feature"),
    ("weights-zero", "[1,1],null", "[0,0],null", A, "a test without weights"),
    ("old", '"format":"facet-model","version":1,"kind":"oblique-tree"', '"format":"oblique-tree-ensemble","version":1,"classes":[0,1]', A, "from before there were kinds"),
    ("old-classes", '"format":"facet-model","version":1,"kind":"oblique-tree"', '"format":"oblique-tree-ensemble","version":1', R, "no classes"),
])
models("knn", ".json", KNN, [
    ("categories", '"n_features":2', '"n_features":2,"categories":[1]', R, "one number of codes for each feature"),
    ("k-all", '"k":1', '"k":3', A, "as many neighbours as rows"),
    ("k-more", '"k":1', '"k":4', R, "more neighbours than rows"),
    ("k-zero", '"k":1', '"k":0', R, "no neighbour"),
    ("k-none", '"k":1,', "", R, "k is not said"),
    ("labels-few", "[0,0,1]", "[0,0]", R, "too few labels"),
    ("label-negative", "[0,0,1]", "[0,0,-1]", R, "a negative label"),
    ("label-beyond", "[0,0,1]", "[0,0,5]", A, "labels beyond 1 make more classes"),
    ("classes-less", '"k":1', '"k":1,"classes":[7]', A, "a label beyond the classes makes more"),
    ("names-less", '"k":1', '"k":1,"class_names":["a"]', R, "a label beyond the names"),
    ("row-short", "[1,0]", "[1]", R, "a row of another length"),
    ("row-null", "[1,0]", "null", R, "a row of none"),
    ("rows-none", '"rows":[[0,0],[1,0],[0,4]],"labels":[0,0,1]', '"rows":[],"labels":[]', R, "no rows"),
])
models("sklearn", ".json", SKLEARN, [
    ("thresholds", '"threshold":[0.5,0,0]', '"threshold":[0,0,0],"thresholds":[[0.5,1.5],[],[]]', A, "a test of a set"),
    ("categories", '"n_features":1', '"n_features":1,"categories":[4]', R, "a key of another format"),
    ("library", '"n_features":1', '"n_features":1,"sklearn":"1.2.1"', A, "the version that trained the model"),
    ("classes-none", '"classes":[0,1],', "", R, "no classes"),
    ("features-many", '"n_features":1', '"n_features":3', A, "features that no test asks for"),
    ("boosting-null", '"trees"', '"boosting":null,"trees"', A, "a null for an object is none"),
    ("kind", '"trees"', '"kind":"tree","trees"', R, "a key of another format"),
])
models("boosted", ".json", BOOSTED, [
    ("rate-none", '"learning_rate":0.5,', "", R, "no learning rate"),
    ("rate-null", '"learning_rate":0.5', '"learning_rate":null', R, "a null for a number"),
    ("init", '"init":[0,0.25]', '"init":[0.5,0.25]', R, "the sum of class 0 of two stays 0"),
    ("class-zero", '"class":[1]', '"class":[0]', R, "the sum of class 0 of two stays 0"),
    ("class-beyond", '"class":[1]', '"class":[2]', R, "a class that is not there"),
    ("class-short", '"class":[1]', '"class":[]', R, "a class for each tree"),
    ("decision", '"probability"', '"sum"', A, "a sum"),
    ("decision-unknown", '"probability"', '"vote"', R, "an unknown decision"),
    ("value-two", "[3]", "[3,4]", R, "one value a node"),
    ("key-case", '"init"', '"Init"', R, "a key that differs from one that counts in case alone"),
])
models("xgboost", ".json", XGBOOST, [
    ("deep", '"feature_types":[]', '"feature_types":' + "[" * 98 + "]" * 98, A, "100 arrays and objects within each other"),
    ("too-deep", '"feature_types":[]', '"feature_types":' + "[" * 99 + "]" * 99, R, "101 arrays and objects within each other", A),
    ("string", '"num_feature":"2"', '"num_feature":2', R, "a number where XGBoost has a text"),
    ("plus", '"num_feature":"2"', '"num_feature":"+2"', A, "a plus in a text"),
    ("zeros", '"num_feature":"2"', '"num_feature":"002"', A, "leading zeros in a text"),
    ("space", '"num_feature":"2"', '"num_feature":" 2"', R, "a space in a text"),
    ("underscore", '"num_feature":"2"', '"num_feature":"2_0"', R, "an underscore in a text"),
    ("class-many", '"num_class":"0"', '"num_class":"7"', R, "more classes than trees"),
    ("base-array", '"5E-1"', '"[5E-1]"', A, "base_score of versions 3.1 and later"),
    ("base-spaces", '"5E-1"', '"[ 5E-1 ]"', A, "spaces within the brackets"),
    ("base-two", '"5E-1"', '"[5E-1,5E-1]"', R, "two numbers for one margin"),
    ("base-one", '"5E-1"', '"1"', R, "a probability of 1 before version 3.2"),
    ("base-hex", '"5E-1"', '"0x1p-1"', R, "no decimal number"),
    ("base-open", '"5E-1"', '"[5E-1"', R, "no end of the array"),
    ("version-none", ',"version":[2,1,0]', "", R, "no version"),
    ("version-four", '"version":[2,1,0]', '"version":[4,0,0]', R, "an unknown version"),
    ("condition-nan", "[0.1,", "[NaN,", R, "a condition that is NaN"),
    ("condition-infinity", "[0.1,", "[Infinity,", A, "all go left"),
    ("condition-large", "[0.1,", "[1e39,", R, "beyond float32"),
    ("leaf-infinity", "-0.3", "-Infinity", R, "a leaf that is not finite"),
    ("loss-nan", '"loss_changes":[1.5', '"loss_changes":[NaN', A, "a NaN where it does not count, as XGBoost writes it"),
    ("deleted", '"num_deleted":"0"', '"num_deleted":"1"', R, "no node is deleted"),
    ("nodes", '"num_nodes":"3"', '"num_nodes":"4"', R, "another number of nodes"),
    ("feature", '"split_indices":[1,', '"split_indices":[2,', R, "a feature that is not there"),
    ("feature-leaf", '"split_indices":[1,0,0]', '"split_indices":[1,9,0]', A, "the feature of a leaf does not count"),
    ("info", '"tree_info":[0]', '"tree_info":[1]', R, "a class that is not there"),
    ("default", '"default_left":[0,0,0]', '"default_left":[true,false,0]', A, "truths"),
    ("default-two", '"default_left":[0,', '"default_left":[2,', R, "neither 0 nor 1"),
    ("default-short", '"default_left":[0,0,0]', '"default_left":[0,0]', R, "arrays of different lengths"),
    ("type-none", '"split_type":[0,0,0],', "", A, "no types of splits"),
    ("objective", "binary:logistic", "binary:hinge", R, "an objective that checkers do not know", A),
    ("objective-null", '"name":"binary:logistic"', '"name":null', R, "a null"),
    ("attributes-null", '"attributes":{}', '"attributes":null', R, "a null"),
    ("best", '"attributes":{}', '"attributes":{"scikit_learn":"{}","best_iteration":"0"}', A, "the best iteration"),
    ("best-beyond", '"attributes":{}', '"attributes":{"scikit_learn":"{}","best_iteration":"1"}', R, "a best iteration that is not there"),
    ("best-booster", '"attributes":{}', '"attributes":{"best_iteration":"7"}', A, "a Booster's does not count"),
    ("missing", '"attributes":{}', '"attributes":{"scikit_learn":"{\\"missing\\": NaN}"}', A, "NaN is missing"),
    ("missing-zero", '"attributes":{}', '"attributes":{"scikit_learn":"{\\"missing\\": 0.0}"}', R, "0 is missing"),
    ("dart", '"name":"gbtree"', '"name":"dart"', R, "a dart"),
    ("dart-beside", '"name":"gbtree"', '"name":"gbtree","weight_drop":[1]', R, "weights of a dart"),
    ("dart-within", '"tree_info"', '"weight_drop":[1],"tree_info"', R, "weights of a dart within the model"),
    ("rounds", '"tree_info"', '"iteration_indptr":[0,1],"tree_info"', A, "where rounds begin"),
    ("rounds-other", '"tree_info"', '"iteration_indptr":[0,2],"tree_info"', R, "rounds of another number of trees"),
    ("names", '"feature_names":[]', '"feature_names":[7]', R, "a name that is no text"),
    ("attributes-own", '"attributes":{}', '"attributes":{"mine":"7"}', A, "attributes are the user's own"),
    ("loss-large", '"loss_changes":[1.5', '"loss_changes":[1e400', A, "beyond float64 where it does not count"),
    ("key-unknown", '"learner_model_param"', '"link":"exp","learner_model_param"', R, "an unknown key"),
    ("key-unknown-model", '"tree_info"', '"tree_weights":[2],"tree_info"', R, "an unknown key of the model"),
    ("key-unknown-tree", '"split_type"', '"leaf_weights":[0,1,2],"split_type"', R, "an unknown key of a tree"),
    ("key-unknown-parameter", '"num_target"', '"scale":"2","num_target"', R, "an unknown parameter"),
    ("key-unknown-objective", '"reg_loss_param"', '"calibration":{},"reg_loss_param"', R, "an unknown key of the objective"),
    ("key-twice", '"tree_info":[0]', '"tree_info":[0],"tree_info":[0]', R, "a key twice"),
])
model("xgboost-base-one-clamped.json", XGBOOST.replace('"version":[2,1,0]', '"version":[3,2,0]'), '"5E-1"', '"1E0"', A, "a probability of 1 since version 3.2")
models("lightgbm", ".txt", LIGHTGBM, [
    ("crlf", LIGHTGBM, LIGHTGBM.replace("\n", "\r\n"), A, "lines end with CR LF"),
    ("cut", "end of trees", "end", R, "no end of trees"),
    ("end-spaces", "end of trees", " end of trees\t", A, "spaces around a line"),
    ("end-longer", "end of trees", "end of trees.", R, "another line"),
    ("last-line", "end of trees\n\npandas_categorical:null\n", "end of trees", A, "no line end at the end"),
    ("version", "version=v4", "version=v5", R, "an unknown version"),
    ("features", "max_feature_idx=1", "max_feature_idx=0", R, "too many names of features"),
    ("class", "num_class=1", "num_class=2", R, "one tree for two classes"),
    ("plus", "split_feature=1", "split_feature=+1", A, "a plus"),
    ("zeros", "split_feature=1", "split_feature=" + "0" * 30 + "1", A, "leading zeros"),
    ("threshold-point", "threshold=0.25", "threshold=.25", A, "no digit before the point"),
    ("threshold-inf", "threshold=0.25", "threshold=inf", A, "all go left"),
    ("threshold-minus-inf", "threshold=0.25", "threshold=-inf", R, "-inf"),
    ("threshold-nan", "threshold=0.25", "threshold=nan", R, "NaN"),
    ("threshold-large", "threshold=0.25", "threshold=1e400", R, "beyond float64"),
    ("threshold-hex", "threshold=0.25", "threshold=0x1p-2", R, "no decimal number"),
    ("threshold-two", "threshold=0.25", "threshold=0.25 0.5", R, "two thresholds of one split"),
    ("threshold-tab", "threshold=0.25", "threshold=\t0.25 ", A, "white space between numbers"),
    ("value-inf", "leaf_value=-0.5 0.75", "leaf_value=-0.5 inf", R, "a leaf that is not finite"),
    ("key-twice", "num_cat=0", "num_cat=0\nnum_cat=0", R, "a key twice"),
    ("key-none", "num_cat=0", "num_cat=0\nsomething", R, "a line of a tree without ="),
    ("key-unknown", "num_cat=0", "num_cat=0\nleaf_bias=1", R, "an unknown line of a tree"),
    ("key-unknown-head", "label_index=0", "tree_weights=2", R, "an unknown line of the head"),
    ("key-none-head", "label_index=0", "something", R, "an unknown line of the head, without ="),
    ("coefficients", "is_linear=0", "is_linear=0\nleaf_coeff=1", A, "what LightGBM does not look at without is_linear"),
    ("cat-none", "num_cat=0\n", "", R, "no num_cat"),
    ("linear", "is_linear=0", "is_linear=1", R, "linear leaves"),
    ("names-spaces", "=Column_0 Column_1", "= Column_0\t  Column_1 ", A, "white space between names"),
    ("tree-number", "Tree=0", "Tree=1", R, "trees count from 0"),
    ("tree-sizes", "tree_sizes=300", "tree_sizes=300 300", R, "two sizes for one tree"),
    ("child", "left_child=-1", "left_child=-3", R, "a leaf that is not there"),
    ("child-twice", "right_child=-2", "right_child=-1", R, "a leaf twice"),
    ("sigmoid", "sigmoid:1", "sigmoid:2.5", A, "another sigmoid"),
    ("sigmoid-zero", "sigmoid:1", "sigmoid:0", R, "a sigmoid of 0"),
    ("objective", "objective=binary sigmoid:1", "objective=cross_entropy", R, "an objective of a regressor"),
    ("decision-nan", "decision_type=2", "decision_type=8", A, "NaN is missing"),
    ("decision-zero", "decision_type=2", "decision_type=6", A, "0 is missing, and goes where the threshold sends it"),
    ("decision-large", "decision_type=2", "decision_type=12", R, "no type of a decision"),
    ("latin", "Column_0", "Column_\udce4", A, "a name that is not UTF-8"),
])


def rows(name, text, verdict, reason, k=1):
    case("rows", "rows/" + name, text, verdict, reason, k=k)


rows("libsvm", LIBSVM, A, "LIBSVM, with a comment")
rows("libsvm-crlf", LIBSVM.replace("\n", "\r\n"), A, "lines end with CR LF")
rows("libsvm-zero", "1 0:1\n2 1:2\n", A, "features count from 0")
rows("libsvm-sparse", "1 5:1\n2\n", A, "a row of zeros")
rows("libsvm-numbers", "1 1:+.5 2:5. 3:05e-01 4:1E+2\n2 1:1\n", A, "numbers of people")
rows("libsvm-words", "no 1:1\nyes 1:2\n", A, "labels that are words")
rows("libsvm-mark", "\ufeff1 1:1\n2 1:2\n", A, "a byte order mark")
rows("libsvm-blank", "\n \t\n1 1:1\n\n2 1:2", A, "blank lines, and no line end at the end")
rows("libsvm-index", "1 2:1 1:1\n2 1:2\n", R, "indices ascend")
rows("libsvm-index-twice", "1 1:1 1:1\n2 1:2\n", R, "an index twice")
rows("libsvm-index-large", "0 1:0\n1 999999999:1\n", R, "more than 131,072 features")
rows("libsvm-index-most", "0 1:0\n1 131072:1\n", A, "131,072 features")
rows("libsvm-index-plus", "1 +1:1\n2 1:2\n", R, "an index with a plus")
rows("libsvm-index-zeros", "1 " + "0" * 30 + "1:1\n2 1:2\n", A, "leading zeros of an index")
rows("libsvm-label", "1:1 1:1\n2 1:2\n", R, "no label")
rows("libsvm-value", "1 1:\n2 1:2\n", R, "no value")
rows("libsvm-hex", "1 1:0x1p0\n2 1:2\n", R, "a hexadecimal number")
rows("libsvm-large", "1 1:1e400\n2 1:2\n", R, "beyond float64")
rows("libsvm-nan", "1 1:nan\n2 1:2\n", R, "NaN")
rows("libsvm-label-large", "1e400 1:1\n2 1:2\n", R, "a label beyond float64")
rows("libsvm-label-inf", "inf 1:1\n2 1:2\n", A, "inf is a word")
rows("libsvm-none", "1\n2\n", R, "no features")
rows("libsvm-underscore", "1 1:1_0\n2 1:2\n", R, "an underscore")
rows("libsvm-arabic", "1 1:\u0661\n2 1:2\n", R, "digits of another script")
rows("libsvm-nbsp", "1\u00a01:1\n2 1:2\n", R, "a space of Unicode is none here")
rows("empty", "", R, "no rows")
rows("latin", b"1,\xe4\n", R, "not UTF-8")
rows("csv", CSV, A, "CSV, with a header")
rows("csv-quotes", '"0.5" , "1","the, ""one"""\n1,2,no\n', A, "cells in quotes")
rows("csv-quote-within", '1,a"b"\n2,c\n', R, "a quote within a cell")
rows("csv-quote-behind", '1,"a"b\n2,c\n', R, "something behind a quote")
rows("csv-quote-open", '1,"a\n2,c\n', R, "a quote that does not end on its line")
rows("csv-empty", "1,,a\n2,3,b\n", R, "an empty cell")
rows("csv-empty-label", "1,2,\n2,3,b\n", A, "an empty label is a word")
rows("csv-width", "1,2,a\n2,b\n", R, "lines of different widths")
rows("csv-one", "1,2\n3\n", R, "one cell")
rows("csv-header-only", "a,b\n", R, "no rows")
rows("csv-header-empty", ",,\n1,2,3\n", R, "a first line of empty cells is no header")
rows("csv-header-inf", "inf,a\n1,2\n", A, "inf is no number, and this a header")
rows("csv-header-twice", "a,b\nc,d\n1,2\n", R, "one header at most")
rows("csv-labels", "1,007\n2,7.0\n3,-0\n4,0\n", A, "labels are the same number however written")
rows("csv-k", "1,0\n2,1\n", A, "as many neighbours as rows", k=2)
rows("csv-k-more", "1,0\n2,1\n", R, "more neighbours than rows", k=3)
rows("csv-plus", "+1,0\n2,1\n", A, "a plus")
rows("csv-separator", "1;0\n2;1\n", R, "semicolons: LIBSVM without features")
rows("csv-form-feed", "1,\f0\v\n2,1\n", A, "white space around cells")


def proofs(name, text, verdict, reason, about="models/facet.json", k="-", head=None, base=None):
    base = (FACET if base is None else base).encode()
    if head is None:
        head = "facet-proofs 1\nmodel sha256 %s\n" % hashlib.sha256(base).hexdigest()
    case("proofs", "proofs/" + name, head + text, verdict, reason, about=about, k=k)


# x = (0, 0) has sums 2.5 and 0; the nearest input of label 1 has x0 > 0.5 and x1 > 0.25 (0.5 against 3), 1.5 against 2 at x0 > 0.5 alone.
GOOD = "proof of a small one\nnorm inf\nfrom 0\nx 0 0\nbound 0.5\nexample 1 0x1.0000000000001p-1 0\nlabel 1\n.\nend\n"
proofs("good", GOOD, A, "what the others are made from")
for name, old, new, verdict, reason in [
    ("name-none", "proof of a small one", "proof", A, "a proof without a name"),
    ("name-space", "proof of a small one", "proof ", A, "an empty name"),
    ("name-utf8", "a small one", "ein kleiner, \u2260 0", A, "a name in UTF-8"),
    ("name-long", "of a small one", "a" * 4096, A, "a name of 4096 bytes"),
    ("name-too-long", "of a small one", "a" * 4097, R, "a name of more than 4096 bytes"),
    ("name-latin", "of a small one", "\udce4", R, "a name that is not UTF-8"),
    ("line-end", "end\n", "end", R, "no line end at the end"),
    ("line-crlf", "norm inf\n", "norm inf\r\n", R, "a line that ends with CR LF"),
    ("line-blank", "end\n", "end\n\n", R, "an empty line"),
    ("space-two", "x 0 0", "x  0 0", R, "two spaces"),
    ("space-behind", "norm inf", "norm inf ", R, "a space at the end of a line"),
    ("space-tab", "x 0 0", "x\t0 0", R, "a tab"),
    ("order", "norm inf\nfrom 0\n", "from 0\nnorm inf\n", R, "lines in another order"),
    ("number-hex", "bound 0.5", "bound 0x1p-1", A, "a hexadecimal number"),
    ("number-hex-long", "bound 0.5", "bound 0x1." + "0" * 900 + "p-1", A, "a number of 907 bytes"),
    ("number-hex-round", "bound 0.5", "bound 0x1.00000000000000000000001p-1", A, "rounded to the nearest float64"),
    ("number-too-long", "bound 0.5", "bound 0.5" + "0" * 998, R, "a number of more than 1000 bytes"),
    ("number-hex-exponent", "bound 0.5", "bound 0x1", R, "a hexadecimal number without an exponent"),
    ("number-hex-upper", "bound 0.5", "bound 0X1P-1", R, "a hexadecimal number in upper case"),
    ("number-hex-point", "bound 0.5", "bound 0x.8p0", R, "no digit before the point"),
    ("number-plus", "bound 0.5", "bound +0.5", R, "a plus"),
    ("number-point", "bound 0.5", "bound .5", R, "no digit before the point"),
    ("number-point-behind", "x 0 0", "x 0. 0", R, "no digit behind the point"),
    ("number-zeros", "bound 0.5", "bound 000.5", A, "leading zeros of a decimal number"),
    ("number-exponent", "bound 0.5", "bound 5E-01", A, "an exponent"),
    ("number-exponent-long", "x 0 0", "x 0e" + "9" * 900 + " 0", A, "a long exponent of 0"),
    ("number-tiny", "x 0 0", "x 1e-999 0", A, "0 is the nearest float64"),
    ("number-large", "bound 0.5", "bound 1e400", R, "beyond float64"),
    ("number-large-x", "x 0 0", "x -1e400 0", R, "beyond float64"),
    ("number-inf", "x 0 0", "x inf 0", R, "x is finite"),
    ("number-nan", "x 0 0", "x nan 0", R, "NaN"),
    ("number-underscore", "x 0 0", "x 0_0 0", R, "an underscore"),
    ("number-minus", "x 0 0", "x -0 -0.0", A, "-0 is 0"),
    ("natural-zeros", "from 0", "from 00", R, "leading zeros"),
    ("natural-plus", "from 0", "from +0", R, "a plus"),
    ("natural-beyond", "from 0", "from 2", R, "a label that is not there"),
    ("bound-zero", "bound 0.5", "bound 0", R, "of a bound of 0 no slot lies in reach, and the body is empty"),
    ("bound-zero-empty", GOOD[GOOD.index("bound"):], "bound 0\nend\n", A, "an empty body"),
    ("bound-tiny", "bound 0.5", "bound 0x1p-1074", A, "the least bound"),
    ("bound-large", "bound 0.5", "bound 0.6", R, "the example lies nearer than the bound"),
    ("bound-negative", "bound 0.5", "bound -0.5", R, "a negative bound"),
    ("example-label", "example 1", "example 0", R, "a label that does not answer"),
    ("example-none", "example 1 0x1.0000000000001p-1 0\n", "", A, "no example: not settled"),
    ("example-wrong", "0x1.0000000000001p-1 0", "0.5 0", R, "the model gives it another label"),
    ("target", "from 0\n", "from 0\ntarget 1\n", A, "a target"),
    ("target-from", "from 0\n", "from 0\ntarget 0\n", R, "the tree of another label should follow"),
    ("domain", "x 0 0\n", "domain -1 1 -inf inf\nx 0 0\n", A, "a domain"),
    ("domain-empty", "x 0 0\n", "domain 1 -1 0 0\nx 0 0\n", R, "lo > hi"),
    ("domain-inf", "x 0 0\n", "domain inf inf 0 0\nx 0 0\n", R, "a domain at infinity"),
    ("domain-short", "x 0 0\n", "domain -1 1\nx 0 0\n", R, "two numbers for each feature"),
    ("prices", "x 0 0\n", "prices 2 1 1 1\nx 0 0\n", A, "prices"),
    ("prices-zero", "x 0 0\n", "prices 0 1 1 1\nx 0 0\n", R, "a price of 0"),
    ("prices-inf", "x 0 0\n", "prices inf 1 1 1\nx 0 0\n", R, "a price that is not finite"),
    ("label", "label 1", "label 0", R, "a label that does not answer"),
    ("rival", "label 1", "label 1 0", A, "potentials, never computed"),
    ("rival-self", "label 1", "label 1 1", R, "a label is no rival of itself"),
    ("sweep", "label 1\n.", "label 1 0\n*0.", A, "nothing is left"),
    ("sweep-many", "label 1\n.", "label 1 0\n*100.", R, "more than 99 sweeps"),
    ("sweep-zeros", "label 1\n.", "label 1 0\n*00.", R, "leading zeros"),
    ("sweep-rival", "label 1\n.", "label 1\n*1.", R, "sweeps without a rival"),
    ("tree-longer", "label 1\n.", "label 1\n..", R, "more than one tree"),
    ("tree-shorter", "label 1\n.", "label 1\n", R, "no tree"),
    ("tree-space", "label 1\n.", "label 1\n. ", R, "a space behind a tree"),
    ("split", "label 1\n.", "label 1\nb0..", R, "the box has one slot of this feature in reach, or more"),
    ("split-zeros", "label 1\n.", "label 1\nb00..", R, "leading zeros"),
    ("split-letters", "label 1\n.", "label 1\nab0..", R, "a leading a"),
    ("split-feature", "label 1\n.", "label 1\nc0..", R, "a feature that is not there"),
    ("behind", "end\n", "end\nend\n", R, "a line behind the end"),
]:
    if name == "split":
        verdict, reason = A, "two slots of feature 1 lie in reach"
    proofs(name, GOOD.replace(old, new, 1), verdict, reason)
proofs("twice", GOOD * 2, A, "two proofs")
proofs("none", "", R, "no proof")
proofs("version", GOOD, R, "an unknown version", head="facet-proofs 2\nmodel sha256 %s\n" % hashlib.sha256(FACET.encode()).hexdigest())
proofs("sum", GOOD, R, "about another model", head="facet-proofs 1\nmodel sha256 %s\n" % ("0" * 64))
proofs("sum-upper", GOOD, R, "a sum in upper case", head="facet-proofs 1\nmodel sha256 %s\n" % hashlib.sha256(FACET.encode()).hexdigest().upper())
HEAD = "facet-proofs 1\nmodel sha256 %s\n" % hashlib.sha256(FACET.encode()).hexdigest()
whole = (HEAD + GOOD).encode()
half = len(whole) // 2


SIDES = "proof\nnorm inf\nfrom 0\ndomain -inf 0.5 -inf inf\nx 1 -1\nbound 0.5\nlabel 1\nc +0\nend\n"
for name, old, new, verdict, reason in [
    ("", "", "", A, "a side of the domain alone, which is about one feature, ends at the bound"),
    ("-1", "norm inf", "norm 1", A, "the same, as all norms have the same bound in one feature"),
    ("-2", "norm inf", "norm 2", A, "the same"),
    ("-raised", "bound 0.5", "bound 0.5000000000000001", R, "nearer than the bound"),
    ("-inf", "bound 0.5", "bound inf", R, "no half-space is infinitely far"),
    ("-other", "-inf 0.5 -inf inf\nx 1 -1", "-inf inf -inf -1.5\nx 0 -1", R, "that side is not there"),
    ("-point", "-inf 0.5 -inf inf\nx 1 -1\nbound 0.5\nlabel 1\nc +0", "1 1 -inf inf\nx 1 -1\nbound inf\nlabel 1\nc +0 -0", R,
     "both sides leave a point"),
]:
    proofs("oblique-sides" + name, SIDES.replace(old, new, 1), verdict, reason, "models/oblique.json", base=OBLIQUE)

# Left is closed and right is open: of one tree in a domain that touches its test, and of two trees that have it.


def slant(weights, threshold, left, right):
    return dict(weights=[weights, None, None], threshold=[threshold, 0, 0], left=[1, -1, -1], right=[2, -1, -1], value=[[1, 1], left, right])


for name, trees, claim, body, verdict, reason in [
    ("right", [slant([1, 1], 1, [1, 0], [0, 1])], "domain -inf 0.5 -inf 0.5\nx 0 0", "s 0 0\n.\nc @0 +0 +1", A, "a test ends where the domain does, and goes left there"),
    ("left", [slant([1, 1], 1, [0, 1], [1, 0])], "domain 0.5 inf 0.5 inf\nx 1 1", "s 0 0\nc @0 -0 -1\n.", R, "what the domain touches goes left, and answers"),
    ("none", [slant([1, 1], 1, [0, 1], [1, 0]), slant([2, 2], 2, [1, 0], [0, 1])], "x 0 0", "s 0 0\ns 1 0\n.\nc 2*@0 @1\n.", A, "left of a test and right of it is nothing"),
    ("plane", [slant([1, 1], 1, [0, 1], [1, 0]), slant([-1, -1], -1, [0, 1], [1, 0])], "x 0 0", "s 0 0\ns 1 0\nc @0 @1\n.\n.", R, "left of two tests is a line"),
]:
    base = dump(format="facet-model", version=1, kind="oblique-ensemble", n_features=2, vote="hard", trees=trees)
    case("model", "models/slant-%s.json" % name, base, A, "of proofs about what lies on a test", "accept")
    proofs("slant-" + name, "proof\nnorm 2\nfrom 0\n%s\nbound inf\nlabel 1\n%s\nend\n" % (claim, body), verdict, reason, "models/slant-%s.json" % name, base=base)


def zipped(name, content, verdict, reason):
    case("proofs", "proofs/" + name, content, verdict, reason, about="models/facet.json")


def pack(data):
    return gzip.compress(data, mtime=0)


zipped("gzip", pack(whole), A, "gzip, whatever the name")
zipped("gzip-members", pack(whole[:half]) + pack(b"") + pack(whole[half:]), A, "several members")
zipped("gzip-padding", pack(whole) + b"\0" * 8, R, "zero bytes behind the last member")
zipped("gzip-behind", pack(whole) + b"x", R, "something behind the last member")
zipped("gzip-cut", pack(whole)[:-4], R, "a member that is cut off")
zipped("gzip-sum", pack(whole)[:-8] + b"\0\0\0\0" + pack(whole)[-4:], R, "another check sum")
zipped("gzip-twice", pack(pack(whole)), R, "packed twice")
zipped("gzip-flag", pack(whole)[:3] + b"\x20" + pack(whole)[4:], R, "a flag that is reserved")
zipped("gzip-name", pack(whole)[:3] + b"\x08" + pack(whole)[4:10] + b"name\0" + pack(whole)[10:], A, "a member with a name")
zipped("plain.gz", whole, A, "not packed, whatever the name")
# 4 MB of zeros.
zipped("line-long", pack(HEAD.encode() + GOOD.replace("x 0 0", "x 0 0" + " 0" * (1 << 21)).encode()), R, "a line of more than 4,194,304 bytes")
case("model", "models/facet.json.gz", pack(FACET.encode()), A, "a model in gzip: its sum is that of what is packed", "-")
case("proofs", "proofs/good-packed-model", HEAD + GOOD, A, "about a model in gzip", about="models/facet.json.gz")

# A sweep, traced in README.md: three trees, each of which adds 1 for label 1 in a third of the line, against a base of 1.5 for label 0.
MIDDLE = dict(feature=[0, -2, 0, -2, -2], threshold=[1, 0, 2, 0, 0], left=[1, -1, 3, -1, -1], right=[2, -1, 4, -1, -1],
              value=[[0, 0], [0, 0], [0, 0], [0, 1], [0, 0]])
SWEPT = dump(format="facet-model", version=1, kind="ensemble", n_features=1, comparison="x <= t", vote="sum", base=[1.5, 0], trees=[
    stump(0, 1, [0, 1], [0, 0]), MIDDLE, stump(0, 2, [0, 0], [0, 1])])
case("model", "models/swept.json", SWEPT, A, "of the sweep that is traced in README.md", "accept")
SWEEP = "proof a sweep\nnorm inf\nfrom 0\nx 1.5\nbound inf\nlabel 1 0\n*1.\nend\n"
proofs("sweep-traced", SWEEP, A, "traced in README.md", "models/swept.json", base=SWEPT)
proofs("sweep-traced-none", SWEEP.replace("*1.", "."), R, "without the sweep the leaves could all be had", "models/swept.json", base=SWEPT)
proofs("sweep-traced-zero", SWEEP.replace("*1.", "*0."), R, "no sweep", "models/swept.json", base=SWEPT)

# Of three labels: 2 answers from 0.5 on, 1 from 1 on. The last box of label 1 is far, the only one of label 2 is not.
THREE = dump(format="facet-model", version=1, kind="ensemble", n_features=2, comparison="x <= t", vote="sum", base=[0.25, 0, 0], trees=[dict(
    feature=[0, -2, 1, -2, -2], threshold=[0.5, 0, 0.5, 0, 0], left=[1, -1, 3, -1, -1], right=[2, -1, 4, -1, -1],
    value=[[0, 0, 0], [1, 0, 0], [0, 0, 0], [0.5, 0, 1], [0, 1, 0]])])
case("model", "models/three.json", THREE, A, "of three labels", "accept")
for name, bound, verdict, reason in (("", "0.5", A, "one box of each label suffices"), ("-far", "0.75", R, "what was far in one tree is not in the next")):
    proofs("three" + name, "proof\nnorm 1\nfrom 0\nx 0 0\nbound %s\nlabel 1\n%s\nlabel 2\n.\nend\n" % (bound, "a0.b0.." if name else "."), verdict, reason,
           "models/three.json", base=THREE)

# Other models: OTHER says 1 where feature 1 is above 0.25, LATER where feature 0 is above 0.75. FACET says so at (0.5, 0.25) and beyond.
OTHER = dump(format="facet-model", version=1, kind="ensemble", n_features=2, comparison="x <= t", vote="sum", trees=[stump(1, 0.25, [1, 0], [0, 1])])
LATER = OTHER.replace('"feature":[1,', '"feature":[0,').replace("0.25", "0.75")
case("model", "models/other.json", OTHER, A, "of proofs about several", "accept")
case("model", "models/later.json", LATER, A, "of proofs about several", "accept")
SEVERAL = "models/facet.json models/other.json models/later.json"
ALSO = "proof\nnorm inf\nfrom 0\nalso 2\nby 1 1\nby 2 1\nx 0 0\nbound 0.75\nexample 1 0x1.8000000000001p-1 0.5\nlabel 1 1 1\n.\nend\n"
ONE = "proof\nnorm inf\nfrom 0\nalso 1\nby 1 1\nby 2 1\nx 0 0\nbound 0.5\nexample 1 0x1.0000000000001p-1 0.5\nlabel 1 1 1\n.\nend\n"
for name, text, verdict, reason, about in [
    ("all", ALSO, A, "all three from 0.75 on", SEVERAL),
    ("beyond", ALSO.replace("bound 0.75\nexample 1 0x1.8000000000001p-1 0.5", "bound 1"), R, "all three say 1 before", SEVERAL),
    ("some", ONE, A, "the model from 0.5 on, where one of the others does", SEVERAL),
    ("some-raised", ONE.replace("bound 0.5\nexample 1 0x1.0000000000001p-1 0.5", "bound 0.75"), R, "one of the others suffices", SEVERAL),
    ("example", ALSO.replace("0x1.8000000000001p-1", "0x1.8p-1"), R, "one of the others does not accept the example", SEVERAL),
    ("example-nearer", ALSO.replace("bound 0.75", "bound 0.76"), R, "the example lies nearer", SEVERAL),
    ("none", ALSO.replace("also 2", "also 0"), R, "at least one of a quorum", SEVERAL),
    ("more", ALSO.replace("also 2", "also 3"), R, "more than there are", SEVERAL),
    ("two", ALSO.replace("also 2\nby 1 1\n", "also 1\nby 1 1\nalso 1\n"), A, "two quorums of one each", SEVERAL),
    ("empty", ALSO.replace("also 2\nby 1 1\nby 2 1\n", "also 1\n"), R, "a quorum without members", SEVERAL),
    ("itself", ALSO.replace("by 1 1", "by 0 1"), R, "other models count from 1", SEVERAL),
    ("missing", ALSO.replace("by 2 1", "by 3 1"), R, "a model that the file does not name", SEVERAL),
    ("labels", ALSO.replace("by 1 1", "by 1 1 0"), R, "labels that do not ascend", SEVERAL),
    ("no-labels", ALSO.replace("by 1 1", "by 1"), R, "no label", SEVERAL),
    ("any", ALSO.replace("by 1 1", "by 1 0 1").replace("label 1 1 1\n.", "label 1 0 1\n.\nlabel 1 1 1\n."), A, "a tree for each choice of labels", SEVERAL),
    ("any-one", ALSO.replace("by 1 1", "by 1 0 1"), R, "a tree is missing", SEVERAL),
    ("sweep", ALSO.replace("label 1 1 1\n.", "label 1 1 1 0\n*1."), R, "no sweeps", SEVERAL),
    ("domain-first", ALSO.replace("also 2\nby 1 1\nby 2 1\n", "domain -1 1 -1 1\nalso 2\nby 1 1\nby 2 1\n"), R, "lines in another order", SEVERAL),
    ("slots", ALSO.replace("\n.\n", "\na1..\n"), R, "in reach are two slots, below 0.5 and up to 0.75", SEVERAL),
    ("slot", ALSO.replace("\n.\n", "\na0..\n"), A, "slots are those of all models", SEVERAL),
    ("unnamed", "proof\nnorm inf\nfrom 0\nx 0 0\nbound 0.5\nlabel 1\n.\nend\n", A, "a claim about the first model alone", SEVERAL),
    ("order", ALSO, R, "the files in another order than in the header", "models/facet.json models/later.json models/other.json"),
    ("fewer", ALSO, R, "a model of the header is missing", "models/facet.json models/other.json"),
    ("dim", ALSO, R, "another number of features", "models/facet.json models/other.json models/tree.json"),
    ("oblique", ALSO, R, "an oblique tree", "models/facet.json models/other.json models/oblique.json"),
]:
    bases = {"models/facet.json": FACET, "models/other.json": OTHER, "models/later.json": LATER, "models/tree.json": TREE, "models/oblique.json": OBLIQUE}
    told = (SEVERAL if name in ("order", "fewer") else about).split()
    head = "facet-proofs 1\n" + "".join("model sha256 %s\n" % hashlib.sha256(bases[file].encode()).hexdigest() for file in told)
    case("proofs", "proofs/also-" + name, head + text, verdict, reason, about=about)

# k-NN, worked in README.md: rows 0 1 2 of label 0, 4 5 of label 1 on a line.
LINE = "0,0\n1,0\n2,0\n4,1\n5,1\n"
rows("line.csv", LINE, A, "of the proofs that are worked in README.md", k=3)
for name, k, text, verdict, reason in [
    ("knn-one", 1, "proof 1-NN\nnorm inf\nfrom 0\nx 0\nbound 3\nexample 1 0x1.8000000000001p+1\nnear 0 2\nend\n", A, "worked in README.md"),
    ("knn-one-near", 1, "proof 1-NN\nnorm inf\nfrom 0\nx 0\nbound 3\nnear\npivot 3\nr 2\nc <2\npivot 4\nr 2\nc <2\nend\n", A, "the same without near"),
    ("knn-one-raised", 1, "proof 1-NN\nnorm inf\nfrom 0\nx 0\nbound 3.5\nnear 0 2\nend\n", R, "a bound that is too large"),
    ("knn-k", 3, "proof 1-NN\nnorm inf\nfrom 0\nx 0\nbound 3\nnear 0 2\nend\n", R, "of three neighbours row 4 may be the pivot, and has no tree"),
    ("knn-near-twice", 1, "proof\nnorm inf\nfrom 0\nx 0\nbound 3\nnear 0 0\nend\n", R, "a row twice"),
    ("knn-near-side", 1, "proof\nnorm inf\nfrom 0\nx 0\nbound 3\nnear 3\nend\n", R, "no rival"),
    ("knn-prices", 1, "proof\nnorm inf\nfrom 0\nprices 1 1\nx 0\nbound 3\nnear 0 2\nend\n", R, "prices are for trees"),
    ("knn-term-twice", 1, "proof 1-NN\nnorm inf\nfrom 0\nx 0\nbound 3\nnear\npivot 3\nr 2\nc <2 <2\npivot 4\nr 2\nc <2\nend\n", R, "a term twice"),
    ("knn-multiplier", 1, "proof 1-NN\nnorm inf\nfrom 0\nx 0\nbound 3\nnear\npivot 3\nr 2\nc 7*<2\npivot 4\nr 2\nc <2\nend\n", A, "a multiplier"),
    ("knn-multiplier-zeros", 1, "proof 1-NN\nnorm inf\nfrom 0\nx 0\nbound 3\nnear\npivot 3\nr 2\nc 07*<2\npivot 4\nr 2\nc <2\nend\n", R, "leading zeros of a multiplier"),
]:
    proofs(name, text, verdict, reason, "rows/line.csv", k, base=LINE)

# Where two rows tie the first one comes first: at an end of the domain, in all of it, at one place.
for name, base, k, claim, body, verdict, reason in [
    ("later", "1,0\n-1,1\n", 1, "domain 0 5\nx 1", "near\npivot 1\nc <0 4*-0", A, "at the end of the domain row 1 is as near as row 0, and comes behind it"),
    ("first", "-1,1\n1,0\n", 1, "domain 0 5\nx 1", "near\npivot 0\nc <1 4*-0", R, "at the end of the domain row 0 is as near as row 1, and comes first"),
    ("flat", "0,1,0\n0,-1,1\n", 1, "domain -5 5 0 0\nx 1 0", "near 0", R, "far is what a half-space shows without the domain"),
    ("flat-later", "0,1,0\n0,-1,1\n", 1, "domain -5 5 0 0\nx 1 0", "near\npivot 1\nc <0 4*-1", A, "the rows tie in all of the domain"),
    ("flat-first", "0,1,1\n0,-1,0\n", 1, "domain -5 5 0 0\nx 1 0", "near\npivot 0\nc <1 4*+1", R, "the rows tie in all of the domain"),
    ("place-later", "0,0\n0,1\n", 1, "x 3", "near 0", A, "row 1 is where row 0 is, and nowhere the nearest"),
    ("place-first", "0,1\n0,0\n", 1, "x 3", "near 1", R, "row 0 is where row 1 is, and comes first"),
    ("place-term", "0,0\n0,1\n", 1, "x 3", "near\npivot 1\nc <0", A, "the same, as a combination"),
    ("plane-later", "0,1,0\n0,-1,0\n1,0,1\n-1,0,1\n", 2, "x 0 2", "near\npivot 2\nq 3\nc <0 3< <1\npivot 3\nq 2\nc <0 2< <1", A, "rows 2 and 3 are two nearest at 0 only, and come last there"),
    ("plane-first", "1,0,1\n-1,0,1\n0,1,0\n0,-1,0\n", 2, "x 0 2", "near\npivot 0\nq 1\nc <2 1< <3\npivot 1\nq 0\nc <2 0< <3", R, "rows 0 and 1 are the nearest two at 0"),
]:
    case("rows", "rows/tie-%s.csv" % name, base.encode(), A, "of proofs about ties", k=k)
    proofs("knn-tie-" + name, "proof\nnorm inf\nfrom 0\n%s\nbound inf\n%s\nend\n" % (claim, body), verdict, reason, "rows/tie-%s.csv" % name, k, base=base)


# Tests of sets: codes 1 and 3 of feature 0 go right, so that at x = (0, 0) any change of feature 0 to one of them answers.
proofs("sets", "proof\nnorm inf\nfrom 0\nx 0 0\nbound 0.5\nexample 1 0x1.000002p-1 0\nlabel 1\n.\nend\n", A, "numbers, 0.5 from what goes right",
       "models/sets.json", base=SETS)
for name, old, new, verdict, reason in [
    ("good", "", "", A, "what the others are made from"),
    ("gap", "bound 1", "bound 1.5", R, "another code is one unit away"),
    ("example-own", "example 1 1 0", "example 1 1.25 0", R, "no code, and not that of x"),
    ("example-beyond", "example 1 1 0", "example 1 5 0", R, "a code beyond those that there are"),
    ("example-nearer", "bound 1\nexample 1 1 0", "bound 1\nexample 1 3 0", A, "all codes are one unit away"),
    ("none", "codes 4 0\n", "", R, "without codes the example lies at 1, and 0.6 answers"),
    ("number", "codes 4 0", "codes 0 0", R, "the feature is a number"),
    ("short", "codes 4 0", "codes 4", R, "one for each feature"),
    ("negative", "codes 4 0", "codes -4 0", R, "no natural"),
    ("inf", "codes 4 0", "codes inf 0", R, "no natural"),
    ("most", "codes 4 0", "codes 999999999 0", A, "a number of 9 digits"),
    ("order", "codes 4 0\nx 0 0\n", "x 0 0\ncodes 4 0\n", R, "lines in another order"),
    ("price", "codes 4 0\nx 0 0\nbound 1\nexample 1 1 0\n", "prices 3 1 1 1\ncodes 4 0\nx 0 0\nbound 3\nexample 1 1 0\n", A, "a change costs the price up"),
    ("price-more", "codes 4 0\nx 0 0\nbound 1\nexample 1 1 0\n", "prices 3 9 1 1\ncodes 4 0\nx 0 0\nbound 4\n", R, "a change costs the price up"),
    ("price-down", "codes 4 0\nx 0 0\nbound 1\nexample 1 1 0\n", "prices 3 1 1 1\ncodes 4 0\nx 2 0\nbound 3\nexample 1 1 0\n", A,
     "a change costs the price up, also to a smaller code"),
    ("one", "codes 4 0\nx 0 0\nbound 1\nexample 1 1 0\n", "codes 1 0\nx 0 0\nbound inf\n", A, "there is no other code"),
    ("fraction", "codes 4 0\nx 0 0\nbound 1\nexample 1 1 0\n", "codes 1 0\nx 0.25 0\nbound inf\n", A, "code 0, and that of x"),
    ("fraction-right", "codes 4 0\nx 0 0\nbound 1\nexample 1 1 0\n", "codes 1 0\nx 0.75 0\nbound inf\n", R, "that of x answers itself"),
    ("all", "bound 1\nexample 1 1 0\n", "bound inf\n", R, "codes 1 and 3 answer"),
    ("split", "x 0 0\nbound 1\nexample 1 1 0\nlabel 1\n.", "x 0 0\nbound 1\nexample 1 1 0\nlabel 1\na0..", R, "one slot of the feature is in reach"),
    ("rival", "label 1\n.", "label 1 0\n*1.", A, "a sweep"),
    ("norm-1", "norm inf", "norm 1", A, "in norm 1, in which the slots of codes are in reach where their own gap is less than the bound: none"),
]:
    text = "proof\nnorm inf\nfrom 0\ncodes 4 0\nx 0 0\nbound 1\nexample 1 1 0\nlabel 1\n.\nend\n"
    proofs("codes-" + name, text.replace(old, new, 1) if old else text, verdict, reason, "models/sets.json", base=SETS)
proofs("codes-domain-two", "proof\nnorm 2\nfrom 0\ndomain 1.75 2.25 -inf inf\ncodes 4 0\nx 0 0\nbound inf\nlabel 1\n.\nend\n", A,
       "code 2 alone lies in the domain, which x does not", "models/sets.json", base=SETS)
proofs("codes-knn", "proof 1-NN\nnorm inf\nfrom 0\ncodes 2\nx 0\nbound 3\nnear 0 2\nend\n", R, "codes are for trees", "rows/line.csv", 1, base=LINE)
# The right side holds no code.
BETWEEN = SETS.replace("[0.5,1.5,2.5,3.5]", "[0.25,0.75]")
case("model", "models/sets-between.json", BETWEEN, A, "a set without a code", "accept")
for name, head, verdict, reason in [
    ("codes", "codes 4 0\n", A, "no code goes right"), ("numbers", "", R, "0.5 goes right"),
    ("far", "prices 1e100 1 1 1\ncodes 4 0\n", A, "codes in reach, whatever they cost"),
]:
    proofs("between-" + name, "proof\nnorm inf\nfrom 0\n%sx 0 0\nbound inf\nlabel 1\n.\nend\n" % head, verdict, reason, "models/sets-between.json", base=BETWEEN)
    proofs("between-sweep-" + name, "proof\nnorm inf\nfrom 0\n%sx 0 0\nbound inf\nlabel 1 0\n*1.\nend\n" % head, verdict, reason + ", and sweeps", "models/sets-between.json",
           base=BETWEEN)


# A condition of -Infinity sends all right, where label 1 is.
RIGHT = XGBOOST.replace("[0.1,", "[-Infinity,")
case("model", "models/xgboost-right.json", RIGHT, A, "a condition of -Infinity", "accept")
for label, verdict in (0, R), (1, A):
    proofs("right-%d" % label, "proof\nnorm inf\nfrom %d\nx 0 0\nbound inf\nlabel %d\n.\nend\n" % (label, 1 - label), verdict, "all inputs have label 1",
           "models/xgboost-right.json", base=RIGHT)


def pruning(name, text, verdict, reason):
    case("pruning", "pruning/" + name, "facet-pruning 1\ndata sha256 %s\n" % hashlib.sha256(LINE.encode()).hexdigest() + text, verdict, reason,
         about="rows/line.csv", k=1)


PRUNED = "norm inf\nradius 1\nkeep 0 1 3 4\nweight 4\nbound 4\nclique 1 2 3\nend\n"
pruning("good", PRUNED, A, "rows 2 and 3 are 2 apart, and conflict")
for name, old, new, verdict, reason in [
    ("weights", "keep", "weights 1 1 1 1 1\nkeep", A, "weights"),
    ("weights-fraction", "keep", "weights 1 1 0.5 1 1\nkeep", R, "weights are whole"),
    ("half", "clique 1 2 3", "clique 0.5 2 3\nclique 0.5 3 2", A, "halves of a clique"),
    ("quarter", "clique 1 2 3", "clique 0.25 2 3", R, "no multiple of a half"),
    ("none", "clique 1 2 3\n", "", R, "the bound is not proven"),
    ("no-conflict", "clique 1 2 3", "clique 1 1 3", R, "rows that do not conflict"),
    ("more", "clique 1 2 3", "clique 2 2 3", R, "more than a row weighs"),
    ("descending", "keep 0 1 3 4", "keep 1 0 3 4", R, "rows ascend"),
    ("conflict", "keep 0 1 3 4", "keep 0 2 3 4", R, "rows to keep that conflict"),
    ("weight", "weight 4", "weight 5", R, "another weight"),
    ("radius-inf", "radius 1", "radius inf", R, "a radius that is not finite"),
    ("keep-none", "keep 0 1 3 4\nweight 4", "keep\nweight 0", A, "no row kept: not settled"),
    ("behind", "end\n", "end\n\n", R, "an empty line"),
]:
    pruning(name, PRUNED.replace(old, new, 1), verdict, reason)


def properties(name, text, verdict, reason, about="models/facet.json", base=None, head="facet-properties 1\nmodel sha256 %s\n"):
    digest = hashlib.sha256((FACET if base is None else base).encode()).hexdigest()
    case("properties", "properties/" + name, head.replace("%s", digest) + text, verdict, reason, about=about)


# The margin of label 1 at x less that at x', which has its own value of feature 0: at most 3.
PROPERTY = "property p\ncopy 0 -inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\n.\nend\n"
properties("good", PROPERTY, A, "3 where x is right of the border and x' left of it")
for name, old, new, verdict, reason in [
        ("low", "above 3", "above 2.9", R, "the difference may be 3"),
        ("swept", "tree\n.", "swept\n*1.", A, "the second tree adds nothing, and is settled"),
        ("swept-leaf", "tree\n.", "swept\n.", A, "a leaf without sweeps"),
        ("swept-low", "above 3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\n.", "above 2.9 -1 0 0 1 0 1 1 1 0 -1 1 1\nswept\n*1.", R, "sweeps do not help"),
        ("swept-tree", "tree\n.", "tree\n*1.", R, "sweeps in a tree that is not swept"),
        ("next", "-inf inf", "next", A, "less is claimed"),
        ("next-void", "-inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\n.", "next\nabove -3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\na0c0...", A,
         "x lies in the first slot, and x' in the second"),
        ("next-none", "copy 0 -inf inf\nabove 3", "domain 0 0.25 0 1\ncopy 0 next\nabove -9", A, "the domain has one slot, and none is next"),
        ("next-none-swept", "copy 0 -inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree",
         "domain 0 0.25 0 1\ncopy 0 next\nabove -9 -1 0 0 1 0 1 1 1 0 -1 1 1\nswept", R, "values of 0 have no potentials"),
        ("next-same", "-inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\n.", "next\nabove -3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\na0..", R,
         "the first box has pairs in one slot, which it does not show apart"),
        ("next-more", "-inf inf", "next 1", R, "next and a number"),
        ("apart", "-inf inf", "-0.25 0.25", A, "less is claimed"),
        ("apart-void", "-inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\n.", "0 inf\nabove 0 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\na0.c0..", A,
         "x' > 0.5 >= x where x is greater"),
        ("apart-touch", "-inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\n.", "-0 0\nabove 0 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\na0c0..c0..", A,
         "an end that does not lie in its slot"),
        ("apart-attained", "copy 0 -inf inf\nabove 3", "domain 0 1 0 1\ncopy 0 1 inf\nabove -9", R, "x = 0 and x' = 1 are a pair"),
        ("apart-order", "-inf inf", "1 -1", R, "the least is more than the most"),
        ("apart-inf", "-inf inf", "inf inf", R, "infinitely far apart"),
        ("apart-one", "-inf inf", "-inf", R, "one end"),
        ("copy-twice", "above", "copy 0 -inf inf\nabove", R, "a feature is copied twice"),
        ("codes", "copy 0 -inf inf\nabove 3", "codes 1 0\ncopy 0 -inf inf\nabove 0", A, "the only code lies left of the border"),
        ("codes-two", "copy 0 -inf inf\nabove 3", "codes 2 0\ncopy 0 -inf inf\nabove 2.9", R, "1 lies right of it"),
        ("codes-domain", "copy 0 -inf inf\nabove 3", "domain 0.25 0.75 0 1\ncodes 2 0\ncopy 0 -inf inf\nabove 3", R, "the domain has no code"),
        ("codes-low", "copy 0 -inf inf\nabove 3", "domain -1 0.75 0 1\ncodes 2 0\ncopy 0 -inf inf\nabove 0", A, "the domain has one code"),
        ("codes-short", "copy 0", "codes 2\ncopy 0", R, "a number of codes is missing"),
        ("codes-late", "property p\ncopy 0 -inf inf\n", "property p\ncopy 0 -inf inf\ncodes 2 0\n", R, "codes come before copies"),
        ("codes-swept", "copy 0 -inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\n.",
         "codes 2 0\ncopy 0 -inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1\nswept\n*1.", A, "codes on both sides"),
        ("one-hot", "copy 0 -inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\n.",
         "domain 0 1 0 0\none-hot 0 1\ncopy 0 -inf inf\nabove 0 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\na0.c0..", A, "feature 0 is 1"),
        ("one-hot-three", "copy 0 -inf inf", "one-hot 0 2\ncopy 0 -inf inf", R, "there is no feature 2"),
        ("one-hot-order", "copy 0 -inf inf", "one-hot 1 0\ncopy 0 -inf inf", R, "features do not ascend"),
        ("one-hot-twice", "copy 0 -inf inf", "one-hot 0 0\ncopy 0 -inf inf", R, "features ascend"),
        ("one-hot-none", "copy 0 -inf inf", "one-hot\ncopy 0 -inf inf", R, "no feature"),
        ("one-hot-free", "copy 0 -inf inf\nabove 3", "one-hot 0 1\ncopy 0 -inf inf\ncopy 1 -inf inf\nabove 2.9", R, "x is right of the border"),
        ("one-hot-two", "copy 0 -inf inf\nabove 3", "one-hot 0\none-hot 1\ncopy 0 -inf inf\nabove 3", A, "less is claimed"),
        ("copy-both", "above", "copy 1 -inf inf\nabove", R, "more may differ: 5"),
        ("copy-beyond", "copy 0", "copy 2", R, "there is no feature 2"),
        ("copy-late", "property p\ncopy 0 -inf inf\n", "property p\ncopy 0 -inf inf\ndomain 0 1 0 1\n", R, "the domain comes before copies"),
        ("domain", "copy 0", "domain 0 0.5 0 1\ncopy 0", A, "less is claimed"),
        ("domain-low", "copy 0 -inf inf\nabove 3", "domain 0 0.5 0 1\ncopy 0 -inf inf\nabove 0", A, "nothing differs left of the border"),
        ("domain-short", "copy 0", "domain 0 0.5\ncopy 0", R, "two ends are missing"),
        ("weight-zero", "-1 1 1\n", "0 1 1\n", R, "a weight of 0"),
        ("weight-half", "above 3 -1 0 0 1 0 1 1 1 0 -1 1 1", "above 1.5 -0.5 0 0 0.5 0 1 0.5 1 0 -0.5 1 1", A, "half of it"),
        ("weight-inf", "-1 1 1\n", "-inf 1 1\n", R, "an infinite weight"),
        ("terms-order", "1 1 0 -1 1 1\n", "-1 1 1 1 1 0\n", R, "terms do not ascend"),
        ("terms-twice", "1 1 0 -1 1 1\n", "-1 1 1 -1 1 1\n", R, "a term is there twice"),
        ("terms-none", "above 3 -1 0 0 1 0 1 1 1 0 -1 1 1", "above 3", R, "no term"),
        ("terms-half", "-1 1 1\n", "-1 1\n", R, "half a term"),
        ("class-beyond", "-1 1 1\n", "-1 1 2\n", R, "there is no class 2"),
        ("input-beyond", "-1 1 1\n", "-1 2 1\n", R, "there is no third input"),
        ("above-inf", "above 3", "above inf", R, "nothing is claimed"),
        ("parts-two", "tree\n.\n", "tree\n.\ntree\n.\n", R, "a part too many"),
        ("parts-none", "tree\n.\n", "", R, "no part"),
        ("end-none", "end\n", "", R, "no end"),
        ("twice", "end\n", "end\n" + PROPERTY, A, "two properties"),
        ("text", "end\n", "end\nproof\n", R, "a proof of another kind"),
        ("labels", "above 3 -1 0 0 1 0 1 1 1 0 -1 1 1", "labels", R, "x may have label 1, and x' label 0"),
        ("labels-same", "copy 0 -inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1", "labels", A, "one input has one label"),
        ("labels-swept", "copy 0 -inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree", "labels\nswept", R, "leads of 0 have no potentials"),
        ("labels-one", "copy 0 -inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1", "labels 1", A, "of x"),
        ("labels-next", "copy 0 -inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\n.", "copy 0 next\nlabels 1\ntree\na0c0...", A,
         "x has label 0"),
        ("labels-next-zero", "copy 0 -inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\n.", "copy 0 next\nlabels 0\ntree\na0c0...", R,
         "x has label 0, and x' label 1"),
        ("labels-beyond", "copy 0 -inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1", "labels 2", R, "there is no label 2"),
        ("labels-domain", "copy 0 -inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1", "domain 0 1 0.5 1\ncopy 1 -inf inf\nlabels", A,
         "x and x' lie in one slot of feature 1")]:
    assert old in PROPERTY, name
    properties(name, PROPERTY.replace(old, new, 1), verdict, reason)
properties("version", PROPERTY, R, "another version", head="facet-properties 2\nmodel sha256 %s\n")
properties("model-two", PROPERTY, R, "two models, of which one is at hand", head="facet-properties 1\nmodel sha256 %s\nmodel sha256 %s\n")
properties("model-other", PROPERTY, R, "another model", base=SOFT)
properties("oblique", PROPERTY, R, "not of trees that test one feature", about="models/oblique.json", base=OBLIQUE)
properties("sets", "property p\ncopy 0 -inf inf\nabove 3 -1 0 0 1 0 1 1 1 0 -1 1 1\ntree\n.\nend\n", A, "tests of sets", about="models/sets.json", base=SETS)
properties("regressor", "property p\nabove 3 1 0 0\ntree\n.\nend\n", A, "at most 2 + 1", about="models/regressor.json", base=REGRESSOR)
properties("regressor-labels", "property p\nlabels\ntree\n.\nend\n", R, "a regressor has no labels", about="models/regressor.json", base=REGRESSOR)


def main():
    for folder in ("models", "rows", "proofs", "properties", "pruning"):
        shutil.rmtree(os.path.join(FOLDER, folder), ignore_errors=True)
        os.makedirs(os.path.join(FOLDER, folder))
    lines = ["verdict\treader\twhat\tfile\tabout\tk\treason\n"]
    for verdict, reader, kind, name, content, about, k, reason in CASES:
        with open(os.path.join(FOLDER, name), "wb") as file:
            file.write(content)
        lines.append("\t".join((verdict, reader, kind, name, about, k, reason)) + "\n")
    with open(os.path.join(FOLDER, "cases.tsv"), "w", encoding="utf-8") as file:
        file.writelines(lines)
    print("%d cases" % len(CASES))


if __name__ == "__main__":
    main()
