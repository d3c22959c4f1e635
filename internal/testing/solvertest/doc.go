// Package solvertest holds the conformance tests that every polytope.Solver
// passes.
//
// Run is all of them. Check compares one small problem with internal/testing/oracle,
// which shares no code with the solvers; Proved checks one problem of any size
// without an oracle: a point of the region whose distance equals the certified
// bound is a closest point.
//
// Random instances come from fixed seeds, and a failure prints the problem.
package solvertest
