package checkers

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
)

// TestEndsOfDomains: where rows tie at an end of the domain that is an input like any other, both
// checkers take a proof that there is no answer only if the order of the rows says so.
func TestEndsOfDomains(t *testing.T) {
	t.Parallel()
	p := python.StartChecker(t, folder)
	const head = "proof\nnorm inf\nfrom 0\ndomain %s\nx %s\nbound inf\nnear\n"
	const modelOf = `{"format":"facet-model","version":1,"kind":"knn",` +
		`"n_features":%d,"k":%d,"rows":[%s],"labels":[%s]}`
	tests := []struct {
		name, rows, labels string
		k                  int
		domain, x, body    string
		refused            string // the error of attack/proof
	}{
		{"the later row answers", "[1],[-1]", "0,1", 1, "0 5", "1", "pivot 1\nc <0 4*-0\n", ""},
		{"the earlier row answers", "[-1],[1]", "1,0", 1, "0 5", "1",
			"pivot 0\nc <1 4*-0\n", "does not show"},
		{"beyond the end", "[-1],[1]", "1,0", 1, "1 5", "2", "pivot 0\nc <1 4*-0\n", ""},
		{"a corner", "[-1,-1],[1,1]", "1,0", 1, "0 5 0 5", "1 1",
			"pivot 0\nc <1 4*-0 4*-1\n", "does not show"},
		{"rows alone", "[1,0],[-1,0],[0,1],[0,-1]", "1,1,0,2", 2, "-1 1 0 9", "0 2",
			"pivot 0\nq 1\nm\npivot 1\nq 0\nm\n", "too few"},
		{"in the plane of a flat domain", "[0,1],[0,-1]", "0,1", 1, "-5 5 0 0", "1 0",
			"pivot 1\nc <0 4*-1\n", ""},
		{"the later row of three", "[2],[-1],[1],[-2],[9]", "0,1,0,1,0", 3, "0 5", "1",
			"pivot 1\nq 3\nc 3< 2*-0\npivot 3\nq 1\nr 2 0\nc <2 6*-0\nc <0 8*-0\n", ""},
		{"the later row before others", "[2],[-1],[1],[-2],[9]", "0,1,0,1,0", 3, "0 5", "1",
			"pivot 1\nq 3\nc 3< 2*-0\npivot 3\nq 1\nr 0 2\nc <0 8*-0\nc <2 6*-0\n", ""},
		{"an earlier row of three", "[3],[-1],[1],[-2],[2]", "0,1,0,1,0", 3, "0 5", "1",
			"pivot 1\nq 3\nc 3< 2*-0\npivot 3\nq 1\nr 2 4\nc <2 6*-0\nc <4 8*-0\n",
			"does not show"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			model := fmt.Appendf(nil, modelOf, len(strings.Fields(tt.x)), tt.k, tt.rows, tt.labels)
			text := fmt.Sprintf(head, tt.domain, tt.x) + tt.body + "end\n"
			file := append(header(model), text...)
			m, err := proof.ReadModel(bytes.NewReader(model))
			if err != nil {
				t.Fatal(err)
			}
			err = proof.Check(bytes.NewReader(file), m, func(proof.Claim) error { return nil })
			says := fmt.Sprint(err)
			if (err != nil) != (tt.refused != "") || !strings.Contains(says, tt.refused) {
				t.Errorf("attack/proof: %v, want %q", err, tt.refused)
			}
			if verdict := p.Refuses(t, model, file); (verdict != "") != (tt.refused != "") {
				t.Errorf("check_proofs.py: %q, want %q", verdict, tt.refused)
			}
		})
	}
}
