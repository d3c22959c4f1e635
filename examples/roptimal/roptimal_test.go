package main

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// small is the experiment with fewer rows and squares.
var small = experiment{sizes: []int{100, 1000, 4000}, repeats: 1, tested: 500, squares: 64}

// TestExperiment: pruning takes astuteness near the optimum as the sample grows, and
// no sample takes it beyond by more than three standard errors.
func TestExperiment(t *testing.T) {
	rule, err := optimalRule(t.Context(), small.squares)
	if err != nil {
		t.Fatal(err)
	}
	if !(0.45 < rule.least && rule.least < rule.most && rule.most < 0.7) {
		t.Fatalf("the r-optimal astuteness is between %v and %v", rule.least, rule.most)
	}
	results, err := small.measureAll(t.Context(), rule)
	if err != nil {
		t.Fatal(err)
	}
	deviation := math.Sqrt(0.25 / float64(small.tested))
	for _, r := range results {
		if r.pruned.astuteness > rule.most+3*deviation {
			t.Errorf("%d points: astuteness %v, the optimum is at most %v",
				r.size, r.pruned.astuteness, rule.most)
		}
	}
	last := results[len(results)-1]
	if last.pruned.astuteness < rule.least-3*deviation || last.plain.astuteness > rule.least/2 {
		t.Errorf("%d points: astuteness %v with pruning, %v without, optimum %v at least",
			last.size, last.pruned.astuteness, last.plain.astuteness, rule.least)
	}
	if optimal := results[0].pruned.astuteness; optimal < rule.least-3*deviation {
		t.Errorf("the rule's astuteness is %v, not %v at least", optimal, rule.least)
	}
	checkReport(t, rule, results)
}

func checkReport(t *testing.T, rule *rule, results []*result) {
	t.Helper()
	folder := t.TempDir()
	var stdout bytes.Buffer
	if err := small.report(t.Context(), rule, results, folder, &stdout); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"roptimal-regions.png", "roptimal-regions.svg", "roptimal-growth.png",
		"roptimal-growth.svg",
	} {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); err != nil || info.Size() < 10_000 {
			t.Errorf("picture %s: %v, %v", path, info, err)
		}
		if !strings.Contains(stdout.String(), path+"\n") {
			t.Errorf("%s is not announced", path)
		}
	}
	for _, line := range []string{"    4000 ", "r-optimal rule ", "no classifier's is larger"} {
		if !strings.Contains(stdout.String(), line) {
			t.Errorf("no %q in\n%s", line, &stdout)
		}
	}
}

func TestMassSumsToOne(t *testing.T) {
	_, _, masses := grid(50, (upper-lower)/50)
	if share := float64(sum(masses)) / units; share > 1 || share < 1-1e-4 {
		t.Errorf("the squares have %v of the mixture", share)
	}
}

func TestWrongUse(t *testing.T) {
	for _, tt := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"-h"}, 0, ""},
		{[]string{"-nonsense"}, 2, "-nonsense"},
		{[]string{"more"}, 2, `"more"`},
		{[]string{"--out", "/dev/null/x"}, 1, "folder"},
	} {
		var stdout, stderr bytes.Buffer
		if status := program().Run(t.Context(), tt.args, &stdout, &stderr); status != tt.status ||
			!strings.Contains(stderr.String(), tt.says) {
			t.Errorf("%v: status %d, %q, want %d, %q", tt.args, status, &stderr, tt.status, tt.says)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := small.run(ctx, t.TempDir(), &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
