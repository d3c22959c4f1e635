package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestProgram: a line for each classifier and norm, all proofs accepted.
func TestProgram(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   []string
	}{
		{"--points 3", 0, []string{"halfmoon 1nn inf 3 3 ", "halfmoon forest 2 3 3 "}},
		{"--models large --norms inf --points 1", 0, []string{"halfmoon large inf 1 1 "}},
		{"--models tree --norms 1 --points 2", 0, []string{"halfmoon tree 1 2 2 "}},
		{"--data nowhere", 2, nil},
		{"--models svm", 2, nil},
	} {
		var out, errs bytes.Buffer
		status := program().Run(t.Context(), strings.Fields(c.args), &out, &errs)
		plain := strings.Join(strings.Fields(out.String()), " ")
		if status != c.status {
			t.Errorf("%s: status %d, %s", c.args, status, errs.String())
		}
		for _, want := range c.want {
			if !strings.Contains(plain, want) {
				t.Errorf("%s: no line %q in\n%s", c.args, want, out.String())
			}
		}
	}
}
