//go:build !(lpsolve && cgo)

package main

import "testing"

func TestLPSolveIsMissing(t *testing.T) {
	f := newFolder(t)
	status, stdout, stderr := call(t, f.base("--solver", "lpsolve")...)
	checkComplaint(t, status, 2, stdout, stderr, "built without lp_solve", "-tags lpsolve")
	if f.exists("out") {
		t.Error("--out was written")
	}
}
