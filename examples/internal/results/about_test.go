package results

import "testing"

func TestAboutAll(t *testing.T) {
	limits := []string{"of known categories: color", "frozen: age"}
	costs := map[string]Input{"costs": {Path: "rules.json"}}
	for _, tt := range []struct {
		meta Meta
		want string
	}{
		{Meta{}, "all inputs"},
		{Meta{Limits: limits[:1]}, "all inputs of known categories: color"},
		{Meta{Limits: limits, Inputs: costs},
			"inputs that rules.json allows: of known categories: color; frozen: age"},
	} {
		if got := tt.meta.AboutAll(); got != tt.want {
			t.Errorf("AboutAll of %v: %q, want %q", tt.meta.Limits, got, tt.want)
		}
	}
}
