package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// summaryOf runs the program and returns its summary, without the times.
func (f folder) summaryOf(args ...string) map[string]any {
	f.t.Helper()
	if status, _, stderr := call(
		f.t, append(args, "--summary", f.file("summary"))...,
	); status != 0 {
		f.t.Fatalf("status %d, %s", status, stderr)
	}
	var s map[string]any
	if err := json.Unmarshal([]byte(f.read("summary")), &s); err != nil {
		f.t.Fatal(err)
	}
	for _, key := range []string{"seconds", "wall_seconds", "processor_seconds"} {
		if seconds, ok := s[key].(float64); !ok || seconds < 0 {
			f.t.Errorf("%s is %v, want a number", key, s[key])
		}
		delete(s, key)
	}
	if peak, ok := s["peak_bytes"].(float64); !ok || peak < 1<<20 {
		f.t.Errorf("peak_bytes is %v, want more than a MiB", s["peak_bytes"])
	}
	for _, key := range []string{"seconds_quantiles", "peak_bytes", "peak_of"} {
		delete(s, key)
	}
	if left, _ := filepath.Glob(f.file("summary?*")); left != nil {
		f.t.Errorf("%v was left behind", left)
	}
	return s
}

func TestSummary(t *testing.T) {
	f := newFolder(t)
	f.write("one class", table{{-1, 0, 0}, {-1, 1, 1}}.libsvm(1))
	f.write("wrong", table{{1, 0, 0}}.libsvm(1))
	f.write("tree", exportedTree(2, "[-1,1]"))
	// One row at distance 0.5 in ℓ∞ and 0.7 in ℓ2 from its enemies.
	f.write("apart", square.libsvm(1)+"1 1:0.5 2:0.5\n")
	apart := func(flags ...string) []string {
		return append([]string{"--train", f.file("apart"), "--test", f.file("test")}, flags...)
	}
	type numbers = map[string]any
	tests := []struct {
		name string
		args []string
		want numbers
	}{
		{"exact", f.base(), numbers{
			"points":               4.0,
			"accuracy":             0.8,
			"test_rows":            5.0,
			"train_rows":           4.0,
			"empirical_robustness": 1.0,
			"mean_bound":           1.0,
			"found":                4.0,
			"optimal":              4.0,
			"none":                 0.0,
			"limit":                0.0,
			"attack":               0.0,
		}},
		{"misclassified too", f.base("--include-misclassified"), numbers{
			"points":               5.0,
			"accuracy":             0.8,
			"empirical_robustness": 1.1,
			"optimal":              5.0,
		}},
		{"some", f.base("--points", "1"), numbers{
			"points":               1.0,
			"accuracy":             0.8,
			"empirical_robustness": 1.0,
		}},
		{"approx", f.base("--attack", "approx"), numbers{
			"points":               4.0,
			"empirical_robustness": 1.0,
			"mean_bound":           nil,
			"attack":               4.0,
			"optimal":              0.0,
			"found":                4.0,
		}},
		{
			"none", []string{"--train", f.file("one class"), "--test", f.file("test"), "--out",
				f.file("out"), "--unknown-labels", "wrong"}, numbers{
				"points":               3.0,
				"accuracy":             0.6,
				"train_rows":           2.0,
				"empirical_robustness": nil,
				"mean_bound":           nil,
				"none":                 3.0,
				"optimal":              0.0,
				"found":                0.0,
			},
		},
		{"limit", f.base("--timeout", "1ns"), numbers{
			"points":               4.0,
			"empirical_robustness": nil,
			"mean_bound":           nil,
			"limit":                4.0,
			"undecided":            4.0,
			"misclassified":        1.0,
			"optimal":              0.0,
		}},
		{"none in the domain", f.base("--points", "1", "--domain", "-5,1"), numbers{"none": 1.0}},
		{"approx without an example",
			f.base("--points", "1", "--attack", "approx", "--domain", "-5,1"),
			numbers{"attack": 1.0, "found": 0.0}},
		{"nothing to attack", []string{"--train", f.file("train"), "--test", f.file("wrong")},
			numbers{
				"points":               0.0,
				"accuracy":             0.0,
				"empirical_robustness": nil,
				"mean_bound":           nil,
				"optimal":              0.0,
			}},
		{"pruned", f.base("--prune", "2"), numbers{
			"train_rows": 2.0,
			"points":     3.0,
			"accuracy":   0.6,
			"none":       3.0,
		}},
		{"pruned in ℓ∞", apart("--prune", "0.3"), numbers{"train_rows": 4.0}},
		{"pruned in ℓ2", apart("--prune", "0.3", "--norm", "2"), numbers{"train_rows": 5.0}},
		{"adversarial training", f.base("--adversarial-training", "2.1"), numbers{
			"train_rows": 8.0,
		}},
		{"adversarial training nearby", f.base("--adversarial-training", "1.9"), numbers{
			"train_rows":           4.0,
			"empirical_robustness": 1.0,
		}},
		{"pruned, then trained adversarially",
			f.base("--prune", "2", "--adversarial-training", "9"), numbers{
				"train_rows": 2.0,
				"none":       3.0,
			}},
		{"splits too near to the rows", f.base("--model", "tree", "--robust", "2"), numbers{
			"train_rows": 4.0,
			"points":     3.0,
			"none":       3.0,
		}},
		{"without training rows", []string{"--test", f.file("test"), "--model", f.file("tree")},
			numbers{"train_rows": nil, "points": 4.0, "accuracy": 0.8}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := f.summaryOf(tt.args...)
			if slices.Contains(tt.args, "--out") {
				f.checkStatuses()
			}
			for key, want := range tt.want {
				value, ok := got[key]
				if g, isNumber := value.(float64); isNumber && want != nil &&
					math.Abs(g-want.(float64)) < 1e-7 {
					continue
				}
				if !ok || !reflect.DeepEqual(value, want) {
					t.Errorf("%s is %v, want %v", key, value, want)
				}
			}
		})
	}
}

// checkStatuses checks that lines are those that a run writes: that their numbers fit their status,
// which the reader of results does, and that there is an example where there is a distance.
func (f folder) checkStatuses() {
	f.t.Helper()
	_, lines, err := results.Read[results.Line](f.file("out"))
	if err != nil {
		f.t.Error(err)
	}
	for _, l := range lines {
		if some := l.Distance != nil; (l.Adversarial != nil) != some ||
			(l.AdversarialLabel != nil) != some {
			f.t.Errorf("%+v has a distance or an example alone", l)
		}
	}
}

// TestQuantiles: each is the value of a row, null where that is infinite.
func TestQuantiles(t *testing.T) {
	f := newFolder(t)
	for _, tt := range []struct {
		args              []string
		distances, bounds []any // of 0, 0.5 and 1
	}{
		{f.base(), []any{0.5, 1.0, 1.5}, []any{0.5, 1.0, 1.5}},
		{f.base("--target", "1"), []any{1.0, 1.0, 1.5}, []any{1.0, 1.0, 1.5}},
		{f.base("--domain", "-5,1"), []any{1.5, 2.0, nil}, []any{1.5, 2.0, nil}},
		{f.base("--attack", "direct"), nil, []any{nil, nil, nil}},
		{f.base("--timeout", "1ns"), []any{nil, nil, nil}, []any{0.0, 0.0, 0.0}},
	} {
		s := f.summaryOf(tt.args...)
		for key, want := range map[string][]any{
			"distance_quantiles": tt.distances,
			"bound_quantiles":    tt.bounds,
		} {
			q, _ := s[key].(map[string]any)
			for i, name := range []string{"0", "0.5", "1"} {
				got, ok := q[name]
				if !ok || want == nil {
					continue
				}
				v, isNumber := got.(float64)
				w, wantNumber := want[i].(float64)
				if isNumber != wantNumber || math.Abs(v-w) > 1e-7 {
					t.Errorf("%v: %s of %s is %v, want %v", tt.args[6:], name, key, got, want[i])
				}
			}
		}
	}
}

// TestWorkers checks that lines and summary do not depend on the number of workers,
// or on the run being made in two parts.
func TestWorkers(t *testing.T) {
	for _, model := range [][]string{
		{"--k", "1"}, {"--k", "3"}, {"--model", "tree"},
		{"--k", "3", "--attack", "approx", "--norm", "1"},
	} {
		t.Run(strings.Join(model, " "), func(t *testing.T) {
			f := newFolder(t)
			grid(f)
			flags := f.base(model...)
			want := f.summaryOf(append(flags, "--workers", "1")...)
			lines := timeless(f.lines("out"))
			if len(lines) != 12 {
				t.Fatalf("%d lines, want 12", len(lines))
			}
			for _, workers := range []string{"0", "2", "5", "100"} {
				if got := f.summaryOf(append(flags, "--workers", workers)...); !reflect.DeepEqual(
					got, want,
				) {
					t.Errorf("%s workers: summary %v, want %v", workers, got, want)
				}
				if got := timeless(f.lines("out")); !reflect.DeepEqual(got, lines) {
					t.Errorf("%s workers: lines %v, want %v", workers, got, lines)
				}
			}
			text := f.read("out")
			f.write("out", text[:len(text)/2])
			if got := f.summaryOf(append(flags, "--resume")...); !reflect.DeepEqual(got, want) {
				t.Errorf("continued: summary %v, want %v", got, want)
			}
		})
	}
}

func TestTable(t *testing.T) {
	f := newFolder(t)
	tests := []struct {
		name string
		args []string
		says []string
	}{
		{"exact", f.base("--summary", f.file("summary")), []string{
			"1-nearest neighbour", "training rows         4\n", "0.8, of 5 rows", "exact, norm inf",
			"rows attacked         4\n", "4 with an example, 0 without any, 0 at a limit",
			"rows written to       " + f.file("out") + "\n",
			"summary written to    " + f.file("summary") + "\n",
		}},
		{"approx", f.base("--attack", "approx", "--regions", "7", "--norm", "2", "--target", "1"),
			[]string{"approx, 7 regions, norm 2, target 1", "found"}},
		{"tree", f.base("--model", "tree", "--timeout", "1ns"),
			[]string{"decision tree, depth 5, entropy",
				"0 with an example, 0 without any, 4 at a limit (4 of them undecided: no example " +
					"yet)\n", "empirical robustness  -\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, stdout, stderr := call(t, tt.args...)
			if status != 0 || stderr != "" {
				t.Fatalf("status %d, %s", status, stderr)
			}
			for _, text := range tt.says {
				if !strings.Contains(stdout, text) {
					t.Errorf("output\n%s\nwant %q", stdout, text)
				}
			}
		})
	}
}
