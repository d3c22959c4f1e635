package attack_test

import (
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
