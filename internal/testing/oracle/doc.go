// Package oracle is the tests' oracle: slow, obvious answers to the questions
// facet answers fast. Only tests import it, and it shares no code with the rest
// of the module.
//
// A [Solver] finds the shortest vector in some half-spaces. In ℓ∞ and ℓ1 it writes down the whole
// linear program and runs the dual simplex method in integers; in ℓ2 it goes from one set of
// active rows to another. Some half-spaces are open: their borders lie an infinitesimal inwards.
// [Closest] asks about a polyhedron, [CellsKNN] finds the robustness radius of a nearest-neighbour
// classifier by going through all its cells, each with all its bisectors, and [Ruled] does so under
// rules of moves.
//
// All of it is exact: no number is rounded and no tolerance is used, so that the answer for the
// given float64 data is the true one. Those that are returned as float64 are rounded once.
//
// Malformed input (lengths that do not match, NaN or infinite numbers) is a
// mistake in the test that calls, and panics.
package oracle
