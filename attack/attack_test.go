package attack_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
)

func TestStatus(t *testing.T) {
	z := []float64{1}
	for want, r := range map[string]attack.Result{
		"optimal":   {Example: z, Distance: 1, Bound: 1, Status: attack.StatusOptimal},
		"none":      {Label: -1, Status: attack.StatusNone},
		"limit":     {Example: z, Distance: 1, Bound: .5, Status: attack.StatusLimit},
		"unknown":   {Example: z, Distance: 1},
		"Status(9)": {},
	} {
		got := r.Status
		if want == "Status(9)" {
			got = 9
		}
		if got.String() != want {
			t.Errorf("%+v: %v, want %s", r, got, want)
		}
	}
}

// TestJSON: results are written by the names of their fields, and words stand for values that JSON
// has no number for.
func TestJSON(t *testing.T) {
	for want, v := range map[string]any{
		`{"Example":null,"Label":-1,"Distance":"+Inf","Bound":"+Inf","Status":"none","Nodes":3,` +
			`"Solves":0}`: attack.Result{
			Label: -1, Distance: math.Inf(1), Bound: math.Inf(1), Nodes: 3,
			Status: attack.StatusNone,
		},
		`{"Example":[0.5,"NaN","-Inf"],"Label":1,"Distance":0.25,"Bound":0,"Status":"unknown",` +
			`"Nodes":0,"Solves":2}`: attack.Result{
			Example: []float64{0.5, math.NaN(), math.Inf(-1)}, Label: 1, Distance: 0.25, Solves: 2,
		},
		`{"Found":null,"Status":"none","Bound":"+Inf","Nodes":1,` +
			`"Solves":0}`: attack.Counterfactuals{
			Status: attack.StatusNone, Bound: math.Inf(1), Nodes: 1,
		},
		`["undecided","yes","no"]`: []attack.Verdict{
			attack.Undecided, attack.Holds, attack.Refuted,
		},
	} {
		if got, err := json.Marshal(v); err != nil || string(got) != want {
			t.Errorf("%+v: %s, %v, want %s", v, got, err, want)
		}
	}
}
