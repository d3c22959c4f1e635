package explain_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/explain"
)

// TestJSON: a bound that is infinite is a word, and a status, too.
func TestJSON(t *testing.T) {
	all := explain.Reasons{Status: attack.StatusNone, Bound: math.Inf(1), Checks: 2}
	want := `{"Found":null,"Status":"none","Bound":"+Inf","Checks":2,"Nodes":0,"Solves":0}`
	if got, err := json.Marshal(all); err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}
