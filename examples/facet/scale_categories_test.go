package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// TestScaleKeepsCodes: --scale minmax scales numbers, and no codes of categories: labels and
// examples are those of the model, another category costs 1, or as much as the file of costs says.
func TestScaleKeepsCodes(t *testing.T) {
	f := newWordy(t)
	f.write("model.txt", strings.Replace(wordy, "threshold=40", "threshold=0.5", 1))
	scaled := []string{"--train", f.file("people.csv"), "--scale", "minmax"}
	f.write("costs.json", `{"features": {"city": {"up": 0.25}, "member": {"up": 3}}}`)
	for name, tt := range map[string]struct {
		flags     []string
		distances []float64
		says      string
	}{
		"plain": {
			nil, []float64{0.5, 0.5, 0.5, 1},
			"of features scaled to [0,1], 1 for another category",
		},
		"costs": {
			[]string{"--costs", f.file("costs.json")}, []float64{0.25, 0.25, 0.5, 0.5},
			"prices of costs.json, of moves of features scaled to [0,1]",
		},
	} {
		out := f.file(name)
		stdout, stderr := f.asking("attack", append(append([]string{"--out", out}, scaled...),
			tt.flags...)...)
		if !strings.Contains(stdout, "0.8, of 5 rows") || !strings.Contains(stdout, tt.says) ||
			strings.Contains(stderr, "thresholds") {
			t.Errorf("%s: %s%s", name, stdout, stderr)
		}
		_, lines, err := results.Read[results.Line](out)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range tt.distances {
			if d := lines[i].Distance; d == nil || math.Abs(*d-want) > 1e-9 {
				t.Errorf("%s, row %d: distance %v, want %v", name, i, d, want)
			}
		}
		if got, _ := json.Marshal(lines[0].Adversarial); name == "costs" &&
			string(got) != `[30,"New York, NY","False"]` {
			t.Errorf("%s: %s", name, got)
		}
	}
	mustReport(t, f.file("plain"), "--out", f.file("page.html"))
	if page := f.page("page.html"); !strings.Contains(page, "1 is the range of a feature in the "+
		"training set. Values of features are in the units of the file. Another category has "+
		"one price") {
		t.Errorf("the page:\n%s", page)
	}
}

// TestRangesOfCategories: with --units range, too, codes of categories have no range: a part of a
// range reaches no other category, and a whole one all.
func TestRangesOfCategories(t *testing.T) {
	f := newWordy(t)
	stdout, _ := f.asking("certify", "--units", "range", "--radius", "0.4,0.51,100%")
	for _, want := range []string{
		"0.4     0.8                 0.8                4    0   0",
		"0.51    0.2                 0.2                1    3   0",
		"1       0                   0                  0    4   0",
		"in parts of each feature's range, 1 for another category",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	stdout, _ = f.asking("explain", "--units", "range")
	if strings.Count(stdout, `"distance":0.5`) != 4 || strings.Count(stdout, `"distance":1,`) != 1 {
		t.Errorf("explain:\n%s", stdout)
	}
	f.write("near.csv", "age,city,member\n30,Oslo,True\n")
	for within, want := range map[string]int{"0.99": 0, "1": 1} {
		status, stdout, stderr := callFacet(t, "verify", f.file("model.txt"), "--ignores", "age",
			"--near", f.file("near.csv"), "--radius", within, "--units", "range", "--train",
			f.file("people.csv"))
		if status != want {
			t.Errorf("verify --radius %s = %d: %s%s", within, status, stdout, stderr)
		}
	}
}

// TestNoLimitsOfCategories: two numbers are no limits of codes, and attacks that know none are
// refused.
func TestNoLimitsOfCategories(t *testing.T) {
	f := newWordy(t)
	for _, tt := range []struct {
		flags []string
		says  string
	}{
		{[]string{"--domain", "0,1"}, `--domain 0,1: feature "city" is a category, which lies ` +
			`between no numbers: name a file`},
		{[]string{"--attack", "blackbox"}, `--attack blackbox moves numbers, and feature "city" ` +
			`is a category: --attack exact changes these too`},
	} {
		refused(t, tt.says,
			append([]string{"attack", "--model",
				f.file("model.txt"), "--test", f.file("people.csv")}, tt.flags...)...)
	}
	f.asking("attack", "--domain", "0,100")
	f.write("domain.csv", "age,0,45\n")
	f.asking("attack", "--domain", f.file("domain.csv"))
}
