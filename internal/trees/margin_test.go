package trees

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// drawEnsemble makes trees of one leaf each: their gains are the drawn numbers.
func drawEnsemble(t *testing.T, rng *rand.Rand) *Ensemble[*Axis] {
	t.Helper()
	return drawSized(t, rng, 1)
}

// drawSized draws an ensemble whose trees contribute about as much as size.
func drawSized(t *testing.T, rng *rand.Rand, size float64) *Ensemble[*Axis] {
	t.Helper()
	classes := 2 + rng.IntN(2)
	v := Vote{Rule: Rule(rng.IntN(5)), Single: rng.IntN(2) == 0}
	if v.Rule == Logistic {
		classes = 2
	}
	var members []*Axis
	for range 1 + rng.IntN(8) {
		value := make([]float64, classes)
		for c := range value {
			value[c] = float64(rng.IntN(4)) / 3 * size // sums tie but for rounding
		}
		tree, err := NewAxis(1, AtMostFloat64, Nodes{{Left: -1, Right: -1, Value: value}})
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, tree)
	}
	e, err := NewEnsemble(members, v)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestMarginsAllowForRounding: the label that wins has no margin that seems lost, in any order of
// adding the gains, and one whose margins are all sure wins.
func TestMarginsAllowForRounding(t *testing.T) {
	sure := 0
	for number := range uint64(racetest.Scale(5000)) {
		rng := rand.New(rand.NewPCG(number, 2))
		e := drawEnsemble(t, rng)
		winner := e.Predict([]float64{0})
		for label := range e.Classes {
			least, most := wins(rng, e, Whole(e), label)
			if label == winner && !least || label != winner && most {
				t.Fatalf("instance %d: %d wins; label %d may %v, must %v",
					number, winner, label, least, most)
			}
			if most {
				sure++
			}
			if e.Vote.Rule == Hard && least != most {
				t.Fatalf("instance %d: hard votes leave label %d in doubt", number, label)
			}
		}
	}
	if sure < racetest.Scale(1000) {
		t.Errorf("only %d sure of their label", sure)
	}
}

// wins says whether all margins of a label of a part may be won, and must.
func wins(rng *rand.Rand, joint *Ensemble[*Axis], p Part, label int) (least, most bool) {
	least, most = true, true
	for _, l := range p.Margins(&search.Query{From: -1, Target: label}, label) {
		l = p.Margin(l)
		sum, slack := l.Base, l.Slack
		for _, i := range rng.Perm(p.Len()) {
			sum += l.Gain(joint.Value(p.Tree+i, 0))
			slack += l.Change
		}
		least, most = least && sum >= -slack, most && sum > slack
	}
	return least, most
}

// TestJoinedMarginsAllowForRounding: of ensembles that are asked together, and whose trees have
// large gains or tiny ones, too.
func TestJoinedMarginsAllowForRounding(t *testing.T) {
	sure := 0
	for number := range uint64(racetest.Scale(5000)) {
		rng := rand.New(rand.NewPCG(number, 4))
		var members []*Ensemble[*Axis]
		for range 2 + rng.IntN(2) {
			size := math.Ldexp(1, rng.IntN(80)-40)
			if rng.IntN(8) == 0 {
				size = 0x1p-1060
			}
			members = append(members, drawSized(t, rng, size))
		}
		joint, parts := Join(members)
		for i, e := range members {
			winner := e.Predict([]float64{0})
			for label := range e.Classes {
				least, most := wins(rng, joint, parts[i], label)
				if label == winner && !least || label != winner && most {
					t.Fatalf("instance %d, part %d: %d wins; label %d may %v, must %v",
						number, i, winner, label, least, most)
				}
				if most {
					sure++
				}
			}
		}
	}
	if sure < racetest.Scale(2000) {
		t.Errorf("only %d sure of their label", sure)
	}
}

// TestMarginsOfAQuery: to be anything else, a label must beat the one predicted; to be
// predicted itself, all others.
func TestMarginsOfAQuery(t *testing.T) {
	e := drawEnsemble(t, rand.New(rand.NewPCG(3, 3)))
	for label := range e.Classes {
		for from := range e.Classes {
			if got := len(e.Margins(&search.Query{From: from, Target: -1}, label)); got != 1 {
				t.Errorf("%d margins of label %d over the predicted one, want 1", got, label)
			}
			if got := len(e.Margins(&search.Query{From: from, Target: label}, label)); from !=
				label && got != e.Classes-1 {
				t.Errorf("%d margins of the target, want %d", got, e.Classes-1)
			}
		}
	}
}
