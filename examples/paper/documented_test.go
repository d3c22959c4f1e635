package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
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
					found[place{n, name, strings.Split(line, "`")[1]}] = strings.Trim(fields[i+1],
						" |\n")
				}
			}
		}
	}
	return found
}

// published is docs/inside/results.md.
func published(t *testing.T) map[place]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "inside", "results.md"))
	if err != nil {
		t.Fatal(err)
	}
	page, _, _ := strings.Cut(string(text), "\n## Deviations")
	return entries(t, page)
}

// checkPublished compares the cells of a page with docs/inside/results.md.
func checkPublished(t *testing.T, page string) {
	t.Helper()
	want, compared := published(t), 0
	page, _, _ = strings.Cut(page, "\n## Deviations")
	for p, got := range entries(t, page) {
		compared++
		// Without -as-printed another cause is found, or none: marks may differ.
		if strip := strings.NewReplacer(
			"~", "", `\*`, "",
		); strip.Replace(got) != strip.Replace(want[p]) {
			t.Errorf("table %d, %s %s: %q, in docs/inside/results.md %q",
				p.table, p.set, p.column, got, want[p])
		}
	}
	if compared < 20 {
		t.Errorf("%d cells were compared", compared)
	}
}

// hybrid is the table of pruning followed by robust splits in docs/use/defences.md.
func hybrid(t *testing.T) map[place]string {
	t.Helper()
	_, table, _ := strings.Cut(defencesPage(t), "<!-- hybrid -->")
	table, _, found := strings.Cut(table, "<!-- end -->")
	if !found {
		t.Fatal("docs/use/defences.md has no table of the hybrid")
	}
	return entries(t, "\n## Table 2:"+table)
}

func defencesPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "use", "defences.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDefencesPage compares the prose of docs/use/defences.md about the paper's code with
// docs/inside/results.md.
func TestDefencesPage(t *testing.T) {
	documented := published(t)
	page := strings.Join(strings.Fields(defencesPage(t)), " ") // wherever lines break
	equal := func(column string) string {
		count := 0
		for _, set := range []string{"australian", "cancer", "diabetes", "fourclass", "halfmoon"} {
			if ours := documented[place{2, set, column}]; ours != "" &&
				!strings.ContainsAny(ours, `*~`) {
				count++
			}
		}
		return [...]string{"none", "one", "two", "three", "four", "all five"}[count]
	}
	where := func(set, column string) string {
		ours, theirs, _ := strings.Cut(documented[place{2, set, column}], " / ")
		return strings.TrimRight(ours, `~\*`) + " where " + theirs + " is printed"
	}
	for _, want := range []string{
		fmt.Sprintf("small sets %s of five cells of the tree's AT follow to the printed digit, "+
			"%s of the forest's RS, and %s of the tree's RS.",
			equal("dt_at_as_printed"), equal("rf_rs_as_printed"), equal("dt_rs_as_printed")),
		"The fifth of the forest's RS, cancer, is " + where("cancer", "rf_rs_as_printed"),
		"The tree on halfmoon becomes " + where("halfmoon", "dt_rs_as_printed"),
		"diabetes, " + strings.TrimPrefix(where("diabetes", "dt_at_as_printed"), "0"),
	} {
		if !strings.Contains(page, want) {
			t.Errorf("docs/use/defences.md does not say %q, as docs/inside/results.md does", want)
		}
	}
}

// TestHybridWins compares where pruning and robust splits together are best, as
// docs/use/defences.md says, with its table and docs/inside/results.md.
func TestHybridWins(t *testing.T) {
	cells := published(t)
	maps.Copy(cells, hybrid(t))
	value := func(set, column string) float64 {
		text, _, _ := strings.Cut(cells[place{2, set, column}], " / ")
		v, err := strconv.ParseFloat(strings.TrimRight(text, `~\*`), 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for columns, want := range map[[3]string][]string{
		{"dt_aprs", "dt_ap", "dt_rs"}: {"australian", "diabetes", "halfmoon"},
		{"rf_aprs_exact", "rf_ap_exact", "rf_rs_exact"}: {"australian", "cancer", "diabetes",
			"halfmoon"},
	} {
		var wins []string
		for _, set := range []string{"australian", "cancer", "diabetes", "fourclass", "halfmoon"} {
			if value(set, columns[0]) > max(value(set, columns[1]), value(set, columns[2])) {
				wins = append(wins, set)
			}
		}
		if !slices.Equal(wins, want) {
			t.Errorf("%s is largest on %v, docs/use/defences.md says on %v", columns[0], wins, want)
		}
	}
}

// settledCells computes the cells of the tables of settings that do not depend on chance.
func settledCells(t *testing.T, set string, s *settings) map[place]*cell {
	t.Helper()
	lab, err := experiment.New(experiment.Options{Folders: protocol.Folders()})
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[place]*cell)
	for _, table := range s.tables {
		columns, err := s.columns(table)
		if err != nil {
			t.Fatal(err)
		}
		for _, column := range columns {
			if !settled(column.name) {
				continue
			}
			c := &cell{table: table, set: set, column: column}
			if err := c.fill(t.Context(), lab); err != nil {
				t.Fatal(err)
			}
			found[place{table, c.set, column.name}] = c
		}
	}
	return found
}

// TestLargeSets compares the columns of the large sets in docs/inside/results.md with computed
// ones: of covtype those of a tree, and with -full all of it and the sets of images, which take
// minutes of a processor each: -timeout 0 lets them finish.
func TestLargeSets(t *testing.T) {
	t.Parallel()
	fixture.TestImages(t)
	if racetest.Enabled {
		return
	}
	sets, s := []string{"covtype"}, &settings{tables: []int{3, 6}}
	if racetest.Count(0, 1) == 1 {
		sets = append(sets, "mnist17", "f-mnist06", "f-mnist35")
		s = &settings{tables: everyTable(), exact: true, printed: true}
	}
	documented := published(t)
	for _, set := range sets {
		for p, c := range settledCells(t, set, s) {
			if want := documented[p]; c.beside() != want {
				t.Errorf("table %d, %s %s: %q, in docs/inside/results.md %q",
					p.table, set, p.column, c.beside(), want)
			}
		}
	}
}

func everyTable() []int {
	tables, _ := numbers(printed.Tables)("all")
	return tables
}

// TestWaysOfThePapersCode computes cells as the paper's code did, which explains them: the step of
// the largest budget alone, and cells of forests with margins.
func TestWaysOfThePapersCode(t *testing.T) {
	t.Parallel()
	fixture.Open(t, "cancer")
	lab, err := experiment.New(experiment.Options{Folders: protocol.Folders()})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		table  int
		column string
		run    experiment.Run
	}{
		{1, "1nn_direct", direct("australian", experiment.OneNN)},
		{1, "3nn_direct", direct("australian", experiment.ThreeNN)},
		{1, "1nn_direct", direct("halfmoon", experiment.OneNN)},
		{1, "3nn_direct", direct("halfmoon", experiment.ThreeNN)},
		{7, "er", forest(0)},
		{7, "er_r0.3", forest(0.3)},
		{7, "er_r0.5", forest(0.5)},
	} {
		v, err := lab.Robustness(t.Context(), c.run)
		if err != nil {
			t.Fatal(err)
		}
		if want := printedCell(t, c.table, c.run.Set, c.column, v).printed; !want.Equals(v) {
			t.Errorf("%v: %v, printed %v", c.run, v, want)
		}
	}
}

func direct(set string, c experiment.Classifier) experiment.Run {
	return experiment.Run{
		Subject: experiment.Subject{Set: set, Classifier: c}, Attack: experiment.DirectOnce,
	}
}

// forest is cancer's after pruning, none with 0.
func forest(separation float64) experiment.Run {
	s := experiment.Subject{Set: "cancer", Classifier: experiment.Forest}
	if separation > 0 {
		s.Defence = experiment.Defence{Method: experiment.Pruning, Strength: separation}
	}
	return experiment.Run{Subject: s, Attack: experiment.RBAShrunk}
}
