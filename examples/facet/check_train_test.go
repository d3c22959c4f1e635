package main

import (
	"strings"
	"testing"
)

// TestCheckTrain: proofs of nearest neighbours are checked against the training set itself, read
// with the flags of the attack, and pruning likewise. The files that facet wrote are not needed.
func TestCheckTrain(t *testing.T) {
	f := newFolder(t)
	rows := clusters(60, 3)
	f.write("train", rows.libsvm(1))
	f.write("test", clusters(6, 3).libsvm(1))
	f.write("wide", clusters(6, 3).libsvm(1)+"1 7:0.5\n")
	named := strings.NewReplacer(",0\n", ",no\n", ",1\n", ",yes\n")
	f.write("words.csv", named.Replace(rows.csv("a,b,what\n")))
	f.write("words.test.csv", named.Replace(clusters(6, 3).csv("a,b,what\n")))
	f.write("train.csv.gz", zip(t, strings.Replace(rows.csv(""), "\n", "\n?,1,1\n", 1)))
	f.write("plain.csv", rows.csv(""))
	x, y := rows.npy()
	f.write("x.npy", x)
	f.write("y.npy", y)
	tests := []struct {
		name, train string
		flags       []string // of the attack and of the check
		attack      []string // of the attack alone
	}{
		{"LIBSVM", "train", nil, nil},
		{"scaled, three neighbours", "train", []string{"--k", "3", "--scale", "minmax"},
			[]string{"--norm", "2"}},
		{"words", "words.csv", []string{"--scale", "minmax"}, []string{"--norm", "1"}},
		{"the label's name", "words.csv", []string{"--label", "what", "--k", "5"}, nil},
		{"classes", "words.csv", []string{"--classes", "yes,no,perhaps"}, nil},
		{"zipped, a row dropped", "train.csv.gz", []string{"--missing", "drop"}, nil},
		{"an array", "x.npy", []string{"--train-labels", f.file("y.npy")}, nil},
		{"pruned", "plain.csv", []string{"--prune", "0.1", "--norm", "1", "--k", "3"}, nil},
		{"more features in the test set", "train", []string{"--test", f.file("wide")}, nil},
	}
	for _, tt := range tests {
		test := f.file("plain.csv")
		switch {
		case tt.train == "train":
			test = f.file("test")
		case tt.train == "words.csv":
			test = f.file("words.test.csv")
		}
		args := []string{"attack", "--train", f.file(tt.train), "--test", test, "--points", "4",
			"--proofs", f.file("proofs")}
		if tt.train == "x.npy" {
			args = append(args, "--test-labels", f.file("y.npy"))
			args[4] = f.file("x.npy")
		}
		if status, _, stderr := callProcess(t,
			append(append(args, tt.flags...), tt.attack...)...); status != 0 {
			t.Fatalf("%s: %s", tt.name, stderr) // which has notes otherwise
		}
		check := []string{"check", f.file("proofs"), "--train", f.file(tt.train)}
		status, table, stderr := callProcess(t, append(check, tt.flags...)...)
		if status != 0 || !strings.Contains(table, ", all true") {
			t.Errorf("%s:\n%s%s", tt.name, table, stderr)
		}
		status, _, stderr = callProcess(t, append(check, append(tt.flags, "--k", "7")...)...)
		if status != 2 || !strings.Contains(stderr, "give all flags of facet attack") {
			t.Errorf("%s, another k: status %d, %s", tt.name, status, stderr)
		}
	}
	for _, flags := range [][]string{nil, {"--scale", "minmax"}} {
		mustProcess(t, append([]string{"prune", "--train", f.file("words.csv"), "--prune", "0.1",
			"--proofs", f.file("why")}, flags...)...)
		table := mustProcess(t,
			append([]string{"check", f.file("why"), "--train", f.file("words.csv")}, flags...)...)
		if !strings.Contains(table, "and no separated rows weigh more") {
			t.Errorf("%v: %s", flags, table)
		}
	}
}

// TestNothingToProve: where no row has a bound above 0 there is no file of proofs, not one that is
// refused.
func TestNothingToProve(t *testing.T) {
	f := newFolder(t)
	f.write("wrong", "1 1:0 2:0\n-1 1:4 2:1\n") // misclassified
	for _, name := range []string{"proofs", "proofs.gz"} {
		f.write(name, "of another run")
		table := mustProcess(t, "attack", "--train", f.file("train"), "--test", f.file("wrong"),
			"--proofs", f.file(name))
		if !strings.Contains(table, "none to write") || f.exists(name) {
			t.Errorf("%s is there, %t:\n%s", name, f.exists(name), table)
		}
	}
}
