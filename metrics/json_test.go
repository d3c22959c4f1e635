package metrics_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// TestJSON: a point is written with what is known of its row, and not as its Result alone.
func TestJSON(t *testing.T) {
	const want = `{"Row":4,"TrueLabel":1,"Predicted":1,"Attacked":true,"Result":{"Example":null,` +
		`"Label":-1,"Distance":"+Inf","Bound":0.5,"Status":"limit","Nodes":0,"Solves":0},"Time":7}`
	p := metrics.Point{
		Row: 4, TrueLabel: 1, Predicted: 1, Attacked: true, Time: 7 * time.Nanosecond,
		Result: attack.Result{Label: -1, Distance: inf, Bound: 0.5, Status: attack.StatusLimit},
	}
	if got, err := json.Marshal(p); err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

// TestRobustnessJSON: the means of no example are no numbers.
func TestRobustnessJSON(t *testing.T) {
	nan := math.NaN()
	r := metrics.Robustness{Mean: nan, MeanBound: nan, Attacked: 2, Optimal: 2, None: 2}
	want := `{"Mean":"NaN","MeanBound":"NaN","Attacked":2,"Found":0,"Optimal":2,"None":2}`
	if got, err := json.Marshal(r); err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}
