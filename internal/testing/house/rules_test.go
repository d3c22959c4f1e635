package house_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// ruleKinds are the rules of moves by kind, each as one question.
var ruleKinds = []struct {
	kind  search.Rules
	says  string
	opts  attack.Options
	x     []float64
	proof bool
}{
	{0, "limits, frozen features, directions that do not exist",
		attack.Options{Features: []attack.Feature{{Frozen: true}, {MaxUp: 9, Down: math.Inf(1)}}},
		nil, false},
	{rules.Prices, "",
		attack.Options{Norm: polytope.L1, Features: []attack.Feature{{Up: 2}, {Down: 3}}}, nil,
		false},
	{rules.Directions, "",
		attack.Options{Norm: polytope.L2, Features: []attack.Feature{{Up: 2}, {Down: 3}}}, nil,
		false},
	{rules.Steps, "", attack.Options{Features: []attack.Feature{{Step: 1}, {}}}, nil, false},
	{rules.Groups, "", attack.Options{Features: []attack.Feature{{Group: 1}, {Group: 1}}}, nil,
		false},
	{rules.Categories, "", attack.Options{Features: []attack.Feature{{}, {Categorical: true}}},
		nil, false},
	{rules.Missing, "", attack.Options{}, []float64{0, math.NaN()}, false},
	{rules.Changes, "", attack.Options{Changes: true}, nil, false},
	{rules.Linear, "",
		attack.Options{Linear: []polytope.HalfSpace{{A: []float64{1, -1}, B: 2}}}, nil, false},
	{rules.Proofs, "",
		attack.Options{Norm: polytope.L1, Features: []attack.Feature{{Up: 2}, {Down: 3}}}, nil,
		true},
}

// ownCells is a user's own classifier, which lists its cells and declares no rules.
type ownCells struct{ classifier.Decomposable }

// TestRulesTable asks classifiers by each kind of rules of moves, compares the rules that they
// follow with those that they declare, and the table of docs/use/costs.md with both.
func TestRulesTable(t *testing.T) {
	t.Chdir(root)
	x, y := mat.NewDense(6, 2, []float64{0, 0, 0, 1, 1, 0, 3, 1, 4, 0, 3, 3}), []int{0, 0, 0, 1, 1,
		1}
	trained := func(trainers ...classifier.Trainer) (list []classifier.Classifier) {
		for _, trainer := range trainers {
			c, err := trainer(t.Context(), x, y)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, c)
		}
		return list
	}
	near := trained(classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{}),
		classifier.TrainerOf(classifier.TrainKNN, classifier.KNNOptions{K: 3}))
	oblique := trained(classifier.TrainerOf(classifier.TrainOblique, classifier.ObliqueOptions{}))
	one := oblique[0].(*classifier.ObliqueEnsemble)
	tree := instance.ObliqueTree(t, one.Dim(), one.Tree(0)...)
	columns := []struct {
		name string
		list []classifier.Classifier
	}{
		{"trees, forests, boosted trees",
			trained(classifier.TrainerOf(classifier.TrainTree, classifier.TreeOptions{}),
				classifier.TrainerOf(classifier.TrainForest, classifier.ForestOptions{Trees: 3}))},
		{"k-NN", near},
		{"oblique trees and votes of them", append(oblique, tree)},
		{"weighted k-NN", trained(
			classifier.TrainerOf(classifier.TrainWeightedKNN, classifier.KNNOptions{K: 3}))},
		{"your own cells", []classifier.Classifier{ownCells{near[0].(classifier.Decomposable)}}},
	}
	var table strings.Builder
	fmt.Fprint(&table, "| rules |")
	for _, column := range columns {
		fmt.Fprintf(&table, " %s |", column.name)
	}
	fmt.Fprintf(&table, "\n|---|%s\n", strings.Repeat("---|", len(columns)))
	for _, row := range ruleKinds {
		if row.says == "" {
			row.says = row.kind.String()
		}
		fmt.Fprintf(&table, "| %s |", row.says)
		for _, column := range columns {
			says := ""
			for _, c := range column.list {
				followed := follows(t, c, row.opts, row.x, row.proof)
				if f, ok := access.Searcher(c); ok &&
					followed != (f.Follows()&row.kind == row.kind) {
					t.Errorf("%T declares %v, and %s are followed: %t",
						c, f.Follows(), row.says, followed)
				}
				if now := map[bool]string{true: "exact", false: "refused"}[followed]; says == "" ||
					says == now {
					says = now
				} else {
					t.Errorf("%s: %s of %T, and %s of others", row.says, now, c, says)
				}
			}
			fmt.Fprintf(&table, " %s |", says)
		}
		table.WriteByte('\n')
	}
	compareTable(t, "docs/use/costs.md", table.String())
}

// follows asks for an example, or a proof, by rules, and reports whether it is answered or refused.
func follows(
	t *testing.T, c classifier.Classifier, opts attack.Options, x []float64, prove bool,
) bool {
	t.Helper()
	a := &attack.RegionBased{Classifier: c, Options: opts}
	if x == nil {
		x = []float64{1, 0}
	}
	_, err := a.Perturb(t.Context(), x)
	if prove {
		a.Proof = proof.NewWriter(io.Discard)
		_, err = a.Perturb(t.Context(), x)
	}
	for _, refusal := range []error{
		errors.ErrUnsupported, polytope.ErrNorm, polytope.ErrNotFinite,
	} {
		if errors.Is(err, refusal) {
			return false
		}
	}
	if err != nil {
		t.Errorf("%T, %+v: %v", c, opts, err)
	}
	return true
}
