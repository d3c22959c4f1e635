package main

import (
	"strings"
	"testing"
)

// TestWrongUse checks that everything a user can get wrong is answered by status 2 and one
// sentence, and leaves --out and --summary as they were.
func TestWrongUse(t *testing.T) {
	f := newFolder(t)
	x, y := square.npy()
	files := map[string]string{
		"x.npy": x, "y.npy": y, "x.csv": square.csv(""), "wide.csv": "1,2,3,1\n",
		"wide": "1 1:1 2:2 3:3\n",
		"nan":  "1 1:NaN\n", "inf": "1 1:inf\n", "empty": "", "torn": "1 1:\n", "torn.csv": "1," +
			"2\n1\n", "torn.npy": x[:len(x)-1], "torn.gz": "no gzip",
		"huge": "-1 1:-1e308\n1 1:1e308\n", "zero or one": "0 1:1\n1 1:2\n", "three": "0 1:1\n1 " +
			"1:2\n2 1:3\n", "other labels": "8 1:1\n9 1:2\n",
		"tree": exportedTree(2, "[-1,1]"), "other": exportedTree(2, "[0,1]"),
		"broken": exportedTree(2, "[-1,1]")[:100],
		"forest.json": strings.Replace(exportedTree(2, "[-1,1]"), `"trees":[`,
			`"trees":[{"feature":[-2],"threshold":[-2],"left":[-1],"right":[-1],"value":[[1]]},`,
			1),
		"types": `{"learner":{"gradient_booster":3},"version":[2,0,3]}`, "array": "[]",
		"linear":   `{"learner":{"gradient_booster":{"name":"gblinear"}},"version":[2,0,3]}`,
		"lightgbm": "tree\nversion=v4\n", "junk": "\x80\x04pickle",
		"letters": "0\none\n", "minus": "-1\n", "beyond": "5\n", "twice": "3\n3\n", "blank": "\n\n",
	}
	for name, text := range files {
		f.write(name, text)
	}
	f.write("long", strings.Repeat("\n", 1601))
	f.write("out", "kept")
	f.write("summary", "kept")

	train, test := f.file("train"), f.file("test")
	with := func(flags ...string) []string {
		return append([]string{"--train", train, "--test", test}, flags...)
	}
	model := func(name string, flags ...string) []string {
		return append([]string{"--test", test, "--model", f.file(name)}, flags...)
	}
	type wrong struct {
		name string
		args []string
		says string
	}
	tests := []wrong{
		{"no flags", nil, "--test"},
		{"unknown flag", with("--frobnicate"), "frobnicate"},
		{"no number", with("--k", "x"), "--k"},
		{"argument", with("extra"), `"extra" is not a flag`},
		{"no test", []string{"--train", train}, "--test FILE is missing"},
		{"no train", []string{"--test", test}, "--model knn needs --train"},
		{"no train for a tree", []string{"--test", test, "--model", "tree"},
			"--model tree needs --train"},
		{"missing file", []string{"--train", train, "--test", f.file("nowhere")}, "nowhere"},
		{"folder", []string{"--train", f.path, "--test", test}, f.path},
		{"empty file", []string{"--train", f.file("empty"), "--test", test}, "no rows"},
		{"NaN", []string{"--train", f.file("nan"), "--test", test},
			`nan:1: value of feature 1: "NaN"`},
		{"Inf", []string{"--train", train, "--test", f.file("inf")}, "inf:1"},
		{"torn line", []string{"--train", f.file("torn"), "--test", test}, "torn:1"},
		{"too many rows", with("--max-values", "7"),
			"too large: 2 rows, at most 1 are allowed within the limit of 7 values; --max-values " +
				"raises the limit"},
		{"too large a model", model("tree", "--max-values", "4"),
			"too large: more than 64 bytes of contents, at most so many are allowed within the " +
				"limit of 4 values; --max-values raises the limit"},
		{"torn CSV", []string{"--train", f.file("torn.csv"), "--test", test},
			"torn.csv: line 2 has 1 cells"},
		{"torn NPY",
			[]string{"--train", f.file("torn.npy"), "--train-labels", f.file("y.npy"), "--test",
				test}, "torn.npy"},
		{"no gzip", []string{"--train", f.file("torn.gz"), "--test", test}, "torn.gz"},
		{"NPY without labels", []string{"--train", f.file("x.npy"), "--test", test}, "labels"},
		{"labels for LIBSVM", with("--train-labels", f.file("y.npy")), "y.npy"},
		{"labels without train", model("tree", "--train-labels", f.file("y.npy")),
			"--train-labels needs --train"},
		{"no label in common", []string{"--train", train, "--test", f.file("other labels")},
			`other labels: 2 of 2 rows have a label that is none of the classes: "8" and "9". ` +
				`The classes are "-1" and "1".`},
		{"features differ", []string{"--train", f.file("x.csv"), "--test", f.file("wide.csv")},
			"wide.csv: the file has 4 columns where "},
		{"unknown model", with("--model", "svm"),
			"svm: neither knn, tree, forest, boosted nor oblique"},
		{"empty model", with("--model", ""), "--model"},
		{"trees that do not fit", model("forest.json"), "tree 0: node 0: 1 class frequencies"},
		{"a linear model of XGBoost", model("linear"), "a linear model (gblinear)"},
		{"torn LightGBM", model("lightgbm"), "line 2"},
		{"broken model", model("broken"), "broken"},
		{"pickle", model("junk"), "junk"},
		{"model of other types", model("types"), `byte 31: '3', want an object`},
		{"model that is an array", model("array"),
			"the file is a JSON array, as XGBoost's dump_model writes"},
		{"model and CSV of other widths",
			[]string{"--test", f.file("wide.csv"), "--model", f.file("tree")},
			"wide.csv: the rows have 3 features where the model has 2"},
		{"labels not the model's", model("other"),
			`test: 3 of 5 rows have a label that is none of the classes: "-1". The classes are ` +
				`"0" and "1".`},
		{"training labels not the model's",
			[]string{"--model", f.file("tree"), "--test", test, "--train", f.file("zero or one")},
			"zero or one: 1 of 2 rows have a label that is none of the classes"},
		{"too few classes for a model", model("tree", "--classes", "-1"),
			"--classes lists 1 labels, the model "},
		{"scale without train", model("tree", "--scale", "minmax"), "--scale minmax needs --train"},
		{"prune without train", model("tree", "--prune", "0.1"), "--prune needs --train"},
		{"approx without train", model("tree", "--attack", "approx"),
			"--attack approx needs --train"},
		{"weighted tree", with("--weights", "distance", "--model", "tree"),
			"--weights is for --model knn, not tree"},
		{"weighted cells", with("--weights", "distance", "--attack", "approx"), "approx"},
		{"k beyond the rows", with("--k", "5"), "k = 5 with 4 rows"},
		{"k beyond the pruned rows", with("--k", "4", "--prune", "2"), "k = 4 with 2 rows"},
		{"criterion", with("--criterion", "mse"), "mse"},
		{"range that cannot be scaled",
			[]string{"--train", f.file("huge"), "--test", test, "--scale", "minmax"},
			"--scale minmax: feature 0"},
		{"robust splits of 1-NN", with("--robust", "0.1"),
			"--robust is for --model tree, forest, boosted, not knn"},
		{"adversarial training of a file", model("tree", "--adversarial-training", "1"),
			"--adversarial-training is for --model knn, tree, forest, boosted, oblique, not "},
		{"adversarial training that cannot train", with("--k", "5", "--adversarial-training", "1"),
			"--adversarial-training: adversarial training: k-NN: k = 5"},
		{"k of a tree", with("--model", "tree", "--k", "3"), "--k is for --model knn, not tree"},
		{"depth of 1-NN", with("--depth", "3"),
			"--depth is for --model tree, forest, boosted, oblique, not knn"},
		{"trees of a tree", with("--model", "tree", "--trees", "3"),
			"--trees is for --model forest, boosted, oblique, not tree"},
		{"k of a file", model("tree", "--k", "3"), "--k is for --model knn, not "},
		{"pruning for a file", model("tree", "--train", train, "--prune", "1"),
			"--prune is for --model knn, tree, forest, boosted, oblique, not "},
		{"regions of an exact attack", with("--regions", "3"),
			"--regions is for --attack approx, not exact"},
		{"nodes of a baseline", with("--attack", "direct", "--max-nodes", "3"),
			"--max-nodes is for --attack exact, approx, not direct"},
		{"solver of a tree", with("--model", "tree", "--solver", "lpsolve"),
			"--solver lpsolve does not go with --model tree: the solver is for cells that are no " +
				"boxes"},
		{"shard", with("--shard", "3/2"), `"3/2" is no shard`},
		{"direct on a box", with("--attack", "direct", "--domain", "0,1"),
			"--domain is for --attack exact, approx, not direct"},
		{"blackbox with a deadline", with("--attack", "blackbox", "--timeout", "1s"),
			"--timeout is for --attack exact, approx, not blackbox"},
		{"kernel in ℓ1", with("--attack", "kernel", "--norm", "1"),
			"--attack kernel is for --norm inf, 2, not 1"},
		{"papernot on 1-NN", with("--attack", "papernot"),
			"--attack papernot searches a single tree"},
		{"norm", with("--norm", "3"), `"3"`},
		{"target", with("--target", "x"), "--target x is no label"},
		{"label that training does not know",
			[]string{"--train", f.file("zero or one"), "--test", f.file("three")},
			`three: 1 of 3 rows have a label that is none of the classes: "2".`},
		{"target without rows to train on",
			[]string{"--train", f.file("zero or one"), "--test", f.file("zero or one"), "--classes",
				"0,1,2", "--target", "2"}, "--target 2 is no label"},
		{"domain of one number", with("--domain", "1"), "got 1 numbers, want 2"},
		{"domain of letters", with("--domain", "0,x"), `"x" is not a number`},
		{"empty domain", with("--domain", "1,0"), "flag --domain: no number lies between 1 and 0"},
		{"NaN domain", with("--domain", "NaN,1"), "is not a number"},
		{"domain at infinity", with("--domain", "inf,inf"), "--domain"},
		{"points and rows", with("--points", "1", "--rows", f.file("beyond")),
			"--points does not go with --rows"},
		{"too long a list", with("--max-values", "100", "--rows", f.file("long")),
			"more than 1600 bytes of contents, at most so many are allowed within the limit of " +
				"100 values; --max-values raises the limit"},
		{"missing list", with("--rows", f.file("nowhere")), "--rows"},
		{"letters in the list", with("--rows", f.file("letters")), `letters:2: "one"`},
		{"negative row", with("--rows", f.file("minus")), "minus:1"},
		{"row beyond the file", with("--rows", f.file("beyond")), "beyond:1"},
		{"row twice", with("--rows", f.file("twice")), "twice:2: row 3 is listed twice"},
		{"empty list", with("--rows", f.file("blank")), "lists no rows"},
		{"classes", with("--classes", "a,b"), `train: 4 of 4 rows have a label that is none of ` +
			`the classes: "-1" and "1". The classes are "a" and "b".`},
		{"class twice", with("--classes", "-1,1,1"), "--classes: the label 1 is listed twice"},
		{"class left out", with("--classes", "-1,2"),
			`2 of 4 rows have a label that is none of the classes: "1"`},
		{"solver and norm", with("--solver", "lpsolve", "--norm", "2"),
			"--solver lpsolve is for --norm inf, 1, not 2"},
		{"resume without out", with("--resume"), "--resume needs --out"},
		{"out and summary", with("--out", f.file("o"), "--summary", f.path+"/./o"),
			"--out and --summary are both"},
		{"out in no folder", with("--out", f.file("no/o")), "cannot be written"},
		{"summary in no folder", with("--summary", f.file("no/s")), "cannot be written"},
		{"out is a folder", with("--out", f.path), "it is a folder"},
		{"summary is a folder", with("--summary", f.path), "it is a folder"},
	}
	for _, flag := range []string{"--max-values 0", "--k 0", "--k -3", "--trees 0", "--depth -1",
		"--seed -1", "--seed 4294967296", "--prune -1", "--prune NaN", "--prune Inf", "--robust -1",
		"--robust Inf", "--adversarial-training -1", "--adversarial-training NaN", "--regions 0",
		"--target 3", "--target NaN", "--points -1", "--timeout -1s", "--timeout 1", "--workers -1",
		"--weights heavy", "--scale standard", "--attack magic", "--solver cplex"} {
		words := strings.Fields(flag)
		tests = append(tests, wrong{flag, with(words...), words[0]})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := tt.args
			if tt.name != "resume without out" && len(args) > 0 && tt.name != "argument" {
				args = append([]string{"--out", f.file("out"), "--summary", f.file("summary")},
					args...)
			}
			attackRefused(t, tt.says, args...)
			if f.read("out") != "kept" || f.read("summary") != "kept" {
				t.Error("--out or --summary has changed")
			}
		})
	}
}
