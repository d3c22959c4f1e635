package explain_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// TestJSON: a number that is infinite or NaN is a word, and a status, too.
func TestJSON(t *testing.T) {
	inf := math.Inf(1)
	for want, result := range map[string]any{
		`{"Found":null,"Status":"none","Bound":"+Inf","Checks":2,"Nodes":0,"Solves":0}`://
		explain.Reasons{Status: attack.StatusNone, Bound: inf, Checks: 2},
		`{"Box":[["-Inf",0.5],[2,"+Inf"]],"Fixed":[1],"Status":"optimal","Undecided":null,` +
			`"Size":"NaN","Checks":4,"Nodes":7,"Solves":1}`: //
		explain.LabelBox{
			Box:   polytope.Box{{Lo: -inf, Hi: 0.5}, {Lo: 2, Hi: inf}},
			Fixed: []int{1}, Status: attack.StatusOptimal,
			Size: math.NaN(), Checks: 4, Nodes: 7, Solves: 1,
		},
	} {
		if got, err := json.Marshal(result); err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}
