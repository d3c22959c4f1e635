//go:build unix

package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// catboostModel asks whether x₀ > 0.5 and whether x₁ > 0.
const catboostModel = `{"features_info":{"float_features":[{"feature_index":0,"flat_feature_index":0,"nan_value_treatment":"AsIs","borders":[0.5]},
 {"feature_index":1,"flat_feature_index":1,"nan_value_treatment":"AsIs","borders":[0]}]},
 "model_info":{"class_params":{"class_names":[0,1],"class_to_label":[0,1]},"params":{"loss_function":{"type":"Logloss"}}},
 "oblivious_trees":[{"splits":[{"split_type":"FloatFeature","float_feature_index":0,"border":0.5,"split_index":0},
 {"split_type":"FloatFeature","float_feature_index":1,"border":0,"split_index":1}],"leaf_values":[-3,-1,2,4]}],"scale_and_bias":[1,[0]]}`

// TestProofs: facet check replays the proofs of facet attack --proofs.
func TestProofs(t *testing.T) {
	f := newFolder(t)
	f.write("train", clusters(80, 3).libsvm(1))
	f.write("test", clusters(12, 3).libsvm(1))
	mustProcess(t, "train", "--train", f.file("train"), "--model", "forest", "--trees", "5",
		"--save", f.file("saved.json"))
	f.write("catboost.json", catboostModel)
	tests := []struct {
		name, model string // the model's file
		args        []string
	}{
		{"proofs", "proofs.model.json", []string{"--k", "3", "--scale", "minmax"}},
		{"proofs.gz", "proofs.model.json", []string{"--model", "tree", "--norm", "2"}},
		{"pruned", "pruned.model.json",
			[]string{"--prune", "0.05", "--norm", "1", "--domain", "-9,9"}},
		{"limits", "limits.model.json",
			[]string{"--model", "forest", "--trees", "20", "--max-nodes", "2"}},
		{"own", "saved.json", []string{"--model", f.file("saved.json")}},
		// which checkers do not read
		{"foreign", "foreign.model.json", []string{"--model", f.file("catboost.json")}},
	}
	for _, tt := range tests {
		args := []string{"attack", "--train", f.file("train"), "--test", f.file("test"),
			"--include-misclassified", "--proofs", f.file(tt.name)}
		table := mustProcess(t, append(args, tt.args...)...)
		want := fmt.Sprintf("facet check %s --model %s replays them",
			f.file(tt.name), f.file(tt.model))
		if !strings.Contains(table, want) {
			t.Errorf("%s: the table does not say how to check:\n%s", tt.name, table)
		}
		table = mustProcess(t, "check", f.file(tt.name), "--model", f.file(tt.model), "--out",
			f.file("list"), "--overwrite")
		checkTable(t, table, map[string]string{"proofs": "12, all true"})
		if list := f.read("list"); strings.Count(list, "row ") != 12 {
			t.Errorf("%s: not a line for each proof:\n%s", tt.name, list)
		}
	}
}

// TestProofsResumed: a run that is killed and resumed has one proof of each row.
func TestProofsResumed(t *testing.T) {
	t.Parallel() // it waits for a process
	f := newFolder(t)
	f.write("train", clusters(200, 4).libsvm(1))
	f.write("test", clusters(150, 4).libsvm(1))
	for _, name := range []string{"proofs", "proofs.gz"} {
		args := []string{"--train", f.file("train"), "--test", f.file("test"),
			"--include-misclassified", "--model", "forest", "--norm", "1", "--out",
			f.file(name + ".jsonl"), "--proofs", f.file(name)}
		for i := range 4 {
			if i > 0 {
				args = append(args, "--resume")
			}
			p := start(t, args...)
			time.Sleep(time.Duration(i+1) * 125 * time.Millisecond)
			p.Process.Signal(syscall.SIGKILL)
			p.end()
		}
		mustProcess(t, append([]string{"attack", "--resume"}, args[:14]...)...)
		table := mustProcess(t, "check", f.file(name), "--model", f.file("proofs.model.json"))
		checkTable(t, table, map[string]string{"proofs": "150, all true"})
	}
}

// TestCertificate: facet check replays the certificate of facet prune --proofs.
func TestCertificate(t *testing.T) {
	f := newFolder(t)
	f.write("train", clusters(120, 3).libsvm(1))
	for _, scale := range []string{"none", "minmax"} {
		mustProcess(t, "prune", "--train", f.file("train"), "--prune", "0.1", "--scale", scale,
			"--proofs", f.file("why"))
		table := mustProcess(t, "check", f.file("why"), "--model", f.file("why.rows.json"))
		if !strings.Contains(table, "and no separated rows weigh more") {
			t.Errorf("scale %s: %s", scale, table)
		}
	}
	f.write("why.gz", zip(t, f.read("why")))
	mustProcess(t, "check", f.file("why.gz"), "--model", f.file("why.rows.json"))
	f.write("less", strings.Replace(f.read("why"), "\nkeep 0 ", "\nkeep ", 1))
	if status, _, stderr := callProcess(
		t, "check", f.file("less"), "--model", f.file("why.rows.json"),
	); status != 1 || !strings.Contains(stderr, "is refused: ") {
		t.Errorf("a row fewer: status %d, %s", status, stderr)
	}
}

// TestCheckErrors: an error is a sentence, with the place in the file.
func TestCheckErrors(t *testing.T) {
	f := newFolder(t)
	mustProcess(t, "attack",
		"--train", f.file("train"), "--test", f.file("test"), "--proofs", f.file("proofs"))
	mustProcess(t, "attack", "--train", f.file("train"), "--test", f.file("test"), "--model",
		"tree", "--proofs", f.file("other"))
	proofs, model := f.read("proofs"), f.file("proofs.model.json")
	f.write("cut", proofs[:len(proofs)-20])
	f.write("glued", proofs+proofs)
	tests := []struct {
		name   string
		args   []string
		status int
		says   string
	}{
		{"another model", []string{f.file("proofs"), "--model", f.file("other.model.json")}, 2,
			"is about another model than "},
		{"cut", []string{f.file("cut"), "--model", model}, 1, "is refused: "},
		{"glued", []string{f.file("glued"), "--model", model}, 1, "is refused: "},
		{"no proofs", []string{f.file("train"), "--model", model}, 2,
			"is no file of proofs"},
		{"no model", []string{f.file("proofs")}, 2, "--model FILE is missing"},
		{"two models", []string{f.file("proofs"), "--model", model, "--train", f.file("train")}, 2,
			"--model and --train"},
		{"no file", []string{"--model", model}, 2, "which file of proofs?"},
		{"two files", []string{f.file("proofs"), f.file("cut"), "--model", model}, 2,
			"2 files are named, one is wanted"},
		{"a model that is none", []string{f.file("proofs"), "--model", f.file("train")}, 2,
			"a training set is named by --train"},
		{"a file that is not there", []string{f.file("nowhere"), "--model", model}, 2,
			"nowhere: there is no such file"},
	}
	for _, tt := range tests {
		if status, _, stderr := callProcess(
			t, append([]string{"check"}, tt.args...)...,
		); status != tt.status || !strings.Contains(stderr, tt.says) {
			t.Errorf("%s: status %d, %s, want %d, %q", tt.name, status, stderr, tt.status, tt.says)
		}
	}
	for _, flags := range [][]string{{"--attack", "direct"}, {"--weights", "distance"}} {
		args := append(
			[]string{"attack", "--train", f.file("train"), "--test", f.file("test"), "--proofs",
				f.file("p")}, flags...,
		)
		if status, _, stderr := callProcess(t, args...); status != 2 ||
			!strings.Contains(stderr, "--proofs") {
			t.Errorf("%v: status %d, %s", flags, status, stderr)
		}
	}
}
