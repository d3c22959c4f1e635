package metrics_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
	"github.com/seed-1a7dc1f9/facet/metrics"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// printedTable reads one of the paper's tables: a row a set, by the names in its head.
func printedTable(t *testing.T, name string) map[string]map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join(os.Getenv("FACET_DATA"), "..", "paper", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]map[string]string)
	for _, record := range records[1:] {
		row := make(map[string]string)
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows[record[0]] = row
	}
	return rows
}

// pulled are the robustness cells that the paper's examples, pulled inside their cells,
// leave one unit of the last digit off the exact minimum.
var pulled = map[string]bool{
	"1nn halfmoon er":      true,
	"1nn diabetes er_r0.5": true,
	"dt halfmoon er_r0.3":  true,
}

// TestPaperTables recomputes the 1-NN and decision tree tables: pruned at the printed
// separations, trained, attacked exactly.
func TestPaperTables(t *testing.T) {
	trainers := map[string]classifier.Trainer{
		"1nn": classifier.KNNOptions{K: 1},
		"dt":  classifier.TreeOptions{MaxDepth: 5},
	}
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		if _, err := os.Stat(filepath.Join(os.Getenv("FACET_DATA"), "..", "paper", "table_1nn_pruning.csv")); err != nil {
			t.Skip("the printed tables do not lie in ../paper beside FACET_DATA: ", err)
		}
		for name, trainer := range trainers {
			printed := printedTable(t, "table_"+name+"_pruning.csv")[c.Set.Name]
			base := 0.0
			for _, suffix := range []string{"", "_r0.1", "_r0.3", "_r0.5"} {
				cell := name + " " + c.Set.Name + " er" + suffix
				// The paper leaves a cell empty when the classifier predicts one
				// label for the whole test set, but for 1-NN on diabetes at 0.5.
				rows, accuracy, er := measure(t, c.Set, trainer, suffix, cell == "1nn diabetes er_r0.5")
				if got := strconv.Itoa(rows); got != printed["train"+suffix] {
					t.Errorf("%s: %s rows, printed %s", cell, got, printed["train"+suffix])
				}
				checkPrinted(t, cell+": accuracy", accuracy, printed["accuracy"+suffix], 0)
				slack := 0.0
				if pulled[cell] {
					slack = 0.001
				}
				checkPrinted(t, cell, er, printed["er"+suffix], slack)
				if suffix == "" {
					base = er
				} else if slack == 0 && !pulled[name+" "+c.Set.Name+" er"] {
					checkPrinted(t, cell+": defscore", defscore(t, er, base), printed["defscore"+suffix], 0)
				}
			}
		}
	})
}

// measure prunes at the separation that the suffix names, trains, and attacks the
// paper's points; er is NaN for a constant classifier, unless it is attacked all the same.
func measure(t *testing.T, set *protocol.Set, trainer classifier.Trainer, suffix string, attackConstant bool) (rows int, accuracy, er float64) {
	t.Helper()
	x, y := set.Train, set.TrainY
	if suffix != "" {
		r, err := strconv.ParseFloat(suffix[2:], 64)
		if err != nil {
			t.Fatal(err)
		}
		keep, err := prune.Adversarial{Radius: r / 2}.Prune(t.Context(), x, y)
		if err != nil {
			t.Fatal(err)
		}
		x, y = protocol.Select(x, y, keep)
	}
	model, err := trainer.Train(t.Context(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	predicted, err := metrics.Predict(t.Context(), model, set.Test)
	if err != nil {
		t.Fatal(err)
	}
	correct, constant := make([]bool, len(predicted)), true
	hits := 0
	for i, label := range predicted {
		constant = constant && label == predicted[0]
		if correct[i] = label == set.TestY[i]; correct[i] {
			hits++
		}
	}
	accuracy = float64(hits) / float64(len(predicted))
	attacked, err := set.Attacked(correct)
	if err != nil {
		t.Fatal(err)
	}
	if (constant && !attackConstant) || attacked == nil {
		return len(y), accuracy, math.NaN()
	}
	points, err := metrics.Evaluate(t.Context(), model, set.Test, set.TestY, metrics.Options{Rows: attacked})
	if err != nil {
		t.Fatal(err)
	}
	robustness, err := metrics.EmpiricalRobustness(points)
	if err != nil {
		t.Fatal(err)
	}
	return len(y), accuracy, robustness.Mean
}

// defscore is the quotient of the rounded robustnesses, as in print.
func defscore(t *testing.T, defended, undefended float64) float64 {
	t.Helper()
	if math.IsNaN(defended) {
		return defended
	}
	score, err := metrics.Defscore(math.Round(defended*1000)/1000, math.Round(undefended*1000)/1000)
	if err != nil {
		t.Fatal(err)
	}
	return score
}

// checkPrinted compares a number rounded to three decimals with print, "" for none.
func checkPrinted(t *testing.T, name string, got float64, printed string, slack float64) {
	t.Helper()
	if printed == "" || math.IsNaN(got) {
		if printed != "" || !math.IsNaN(got) {
			t.Errorf("%s = %v, printed %q", name, got, printed)
		}
		return
	}
	want, err := strconv.ParseFloat(printed, 64)
	if err != nil {
		t.Fatal(err)
	}
	if slack > 0 {
		if math.Abs(got-want) > slack {
			t.Errorf("%s = %v, printed %s", name, got, printed)
		}
		return
	}
	if fmt.Sprintf("%.3f", got) != fmt.Sprintf("%.3f", want) {
		t.Errorf("%s = %.5f, printed %s", name, got, printed)
	}
}
