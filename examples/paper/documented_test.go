package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
)

// entries are the cells of the tables of a page of -markdown, as they stand there.
func entries(t *testing.T, page string) map[place]string {
	t.Helper()
	found := make(map[place]string)
	for _, part := range strings.Split(page, "\n## Table ")[1:] {
		number, _, _ := strings.Cut(part, ":")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		var sets []string
		for line := range strings.Lines(part) {
			fields := strings.Split(line, " | ")
			switch {
			case len(fields) < 2:
			case sets == nil:
				sets = fields[1:]
			case strings.HasPrefix(line, "| `"):
				for i, set := range sets {
					name := strings.Trim(set, " |\n")
					found[place{n, name, strings.Split(line, "`")[1]}] = strings.Trim(fields[i+1], " |\n")
				}
			}
		}
	}
	return found
}

// published is docs/results.md.
func published(t *testing.T) map[place]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "results.md"))
	if err != nil {
		t.Fatal(err)
	}
	page, _, _ := strings.Cut(string(text), "\n## Deviations")
	return entries(t, page)
}

// checkPublished compares the cells of a page with docs/results.md.
func checkPublished(t *testing.T, page string) {
	t.Helper()
	want, compared := published(t), 0
	page, _, _ = strings.Cut(page, "\n## Deviations")
	for p, got := range entries(t, page) {
		compared++
		// Without -as-printed another cause is found, or none: marks may differ.
		if strip := strings.NewReplacer("~", "", `\*`, ""); strip.Replace(got) != strip.Replace(want[p]) {
			t.Errorf("table %d, %s %s: %q, in docs/results.md %q", p.table, p.set, p.column, got, want[p])
		}
	}
	if compared < 20 {
		t.Errorf("%d cells were compared", compared)
	}
}

// TestRoundedThresholds tries the cause of the cells of cancer's forests: thresholds
// rounded to float32.
func TestRoundedThresholds(t *testing.T) {
	t.Parallel()
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		if c.Set.Name != "cancer" {
			return
		}
		lab, err := experiment.New(experiment.Options{Folders: protocol.Folders()})
		if err != nil {
			t.Fatal(err)
		}
		for separation, want := range map[float64]string{0: "0.3833", 0.3: "0.4656", 0.5: "0.4956"} {
			s := experiment.Subject{Set: "cancer", Classifier: experiment.Forest}
			if separation > 0 {
				s.Defence = experiment.Defence{Method: experiment.Pruning, Strength: separation}
			}
			m, err := lab.Model(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			tests, err := lab.Test(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			rba := &attack.RegionBased{
				Classifier: rounded32(t, m.Classifier.(*classifier.Ensemble)), Points: m.X,
				Options: attack.Options{Mode: attack.Approx, Regions: 100},
			}
			sum := 0.0
			for _, i := range tests.Attacked {
				r, err := rba.Perturb(t.Context(), c.Set.Test.RawRowView(i))
				if err != nil {
					t.Fatal(err)
				}
				sum += r.Distance
			}
			if got := (&cell{value: sum / 100, column: column{quantity: robustness{}}}).ours(); got != want {
				t.Errorf("separation %v: %s, want %s", separation, got, want)
			}
		}
	})
}

// rounded32 rounds the thresholds of a forest to float32.
func rounded32(t *testing.T, e *classifier.Ensemble) *classifier.Ensemble {
	t.Helper()
	var members []*classifier.Tree
	for i := range e.Len() {
		tree := e.Tree(i)
		nodes := tree.Nodes()
		for k := range nodes {
			nodes[k].Threshold = float64(float32(nodes[k].Threshold))
		}
		member, err := classifier.NewTree(e.Dim(), tree.Comparison(), nodes)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, member)
	}
	other, err := classifier.NewEnsemble(members, classifier.EnsembleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return other
}
