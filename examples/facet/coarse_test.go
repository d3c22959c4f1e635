package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestCoarseRows: a row on a threshold where float64 is coarse met no limit, and its status, the
// summary and the page say so.
func TestCoarseRows(t *testing.T) {
	f := newFolder(t)
	f.write("model.json", `{"format":"facet-model","version":1,"kind":"ensemble","n_features":1,`+
		`"comparison":"x <= t","vote":"sum","trees":[{"feature":[0,-1,-1],`+
		`"threshold":[1e9,0,0],"left":[1,-1,-1],"right":[2,-1,-1],`+
		`"value":[[0,0],[1,0],[0,1]]}]}`)
	f.write("rows.csv", "1e9,0\n2,0\n1000000002,1\n")
	args := []string{"attack", "--model", f.file("model.json"), "--test", f.file("rows.csv"),
		"--out", f.file("out"), "--summary", f.file("summary")}
	status, stdout, stderr := callFacet(t, args...)
	if status != 0 || !strings.Contains(stdout, "0 at a limit; 1 where float64 is too coarse") {
		t.Errorf("facet %q = %d: %s%s", args, status, stdout, stderr)
	}
	for i, want := range []string{"coarse", "optimal", "optimal"} {
		if got := f.lines("out")[i].Status; got != want {
			t.Errorf("row %d: status %v, want %s", i, got, want)
		}
	}
	var s map[string]any
	if err := json.Unmarshal([]byte(f.read("summary")), &s); err != nil || s["coarse"] != 1.0 ||
		s["limit"] != 0.0 {
		t.Errorf("summary: %v, %v coarse, %v at a limit", err, s["coarse"], s["limit"])
	}
	mustReport(t, f.file("out"), "--out", f.file("page.html"))
	if page := f.page("page.html"); !strings.Contains(page, "coarse 1 row: the bound is proven") ||
		!strings.Contains(page, "float64 is too coarse for an example at it") {
		t.Errorf("the page:\n%s", page)
	}
}
