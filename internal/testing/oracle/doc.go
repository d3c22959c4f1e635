// Package oracle is the tests' oracle: slow, obvious answers to the questions
// facet answers fast. Only tests import it, and it shares no code with the rest
// of the module.
//
// [Closest] finds the point of a polyhedron nearest to a given point. In ℓ∞ and
// ℓ1 it writes down the whole linear program and runs the two-phase simplex
// method on a dense dictionary with Bland's rule; in ℓ2 it tries every set of
// rows that may hold with equality. [CellsKNN] finds the
// robustness radius of a nearest-neighbour classifier by going through all its
// cells, each with all its bisectors.
//
// Both have a twin whose name ends in Rat. The twins run the same code
// on math/big rationals: no number is rounded and no tolerance is used, so their
// answer for the given float64 data is the true one.
//
// The float64 versions take a row for satisfied when it is broken by at most
// 1e-9, after the row was scaled by a power of two such that its largest
// coefficient lies in [½, 1); a cell counts as empty if no point keeps off its open
// sides by 1e-9. They are meant for data of moderate size (up to
// about 1e3); the twins have no such limit.
//
// Malformed input (lengths that do not match, NaN or infinite numbers) is a
// mistake in the test that calls, and panics.
package oracle
