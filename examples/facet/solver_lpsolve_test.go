//go:build lpsolve && cgo

package main

import "testing"

func TestLPSolve(t *testing.T) {
	f := newFolder(t)
	lines := f.mustRun(f.base("--solver", "lpsolve")...)
	if len(lines) != 4 {
		t.Errorf("%d lines, want 4", len(lines))
	}
	for _, l := range lines {
		if d := *l.Distance - radii[l.Row]; d > 2e-7 || d < -2e-7 || l.Solves == 0 {
			t.Errorf("row %d: distance %v after %d programs, want %v",
				l.Row, *l.Distance, l.Solves, radii[l.Row])
		}
	}
}
