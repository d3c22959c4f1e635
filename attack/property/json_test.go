package property_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/prune"
)

// TestJSON: results marshal by the names of their fields, and values that JSON has no number for
// are words.
func TestJSON(t *testing.T) {
	for want, of := range map[string]any{
		`{"X":[1,"NaN"],"Other":null,"Labels":[1,-1],"Outputs":[0.5,0],"Class":-1,` +
			`"Difference":0.5,"Bound":"+Inf","Rounding":0,"Status":"limit",` +
			`"Nodes":3}`: property.Result{
			X: []float64{1, math.NaN()}, Labels: [...]int{1, -1}, Outputs: [...]float64{0.5, 0},
			Class: -1, Difference: 0.5, Bound: math.Inf(1), Status: attack.StatusLimit, Nodes: 3,
		},
		`{"X":null,"Label":-1,"Class":-1,"Output":"NaN","Bound":"-Inf","Rounding":0,` +
			`"Status":"unknown","Nodes":0}`: property.End{
			Label: -1, Class: -1, Output: math.NaN(), Bound: math.Inf(-1),
		},
		`{"Keep":[0],"Weight":1,"Bound":2,"Status":"limit","Cliques":null,` +
			`"Certified":2.5}`: &prune.Result{
			Keep: []int{0}, Weight: 1, Bound: 2, Status: attack.StatusLimit, Certified: 2.5,
		},
	} {
		if got, err := json.Marshal(of); err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}
