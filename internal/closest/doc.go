// Package closest finds the shortest displacement that satisfies linear
// inequalities:
//
//	minimise ‖u‖_p  subject to  a_i·u ≤ b_i
//
// for p = ∞, 1 and 2. Rows are added one at a time; each Solve continues from the
// optimum before it, so a caller that names only the rows its last answer
// violates (lazy constraint generation) pays for few of them.
//
// All three norms are solved from the dual side. A Program keeps a set of active
// rows with multipliers λ ≥ 0, and every such λ proves a lower bound, because the
// combination Σλ_i a_i·u ≤ Σλ_i b_i is a half-space that contains the feasible
// set and a half-space lies at distance −Σλ_i b_i / ‖Σλ_i a_i‖_q, q dual to p.
// The objective grows with each pivot, so a search can stop as soon as it passes
// its cutoff. λ is the certificate: whoever checks it needs neither the pivots
// nor the basis.
//
//   - ℓ∞ and ℓ1: a dual simplex on a compact basis. At a vertex with q active
//     rows all but q−1 (ℓ∞) or q (ℓ1) coordinates are fixed by the norm (at ±t, or
//     at 0), so the basis matrix is q × q and not d × d. It is factorised
//     anew at each pivot: q is small, and nothing drifts. A tiny
//     deterministic perturbation of the costs keeps degenerate input (grids,
//     duplicates) from cycling; it enters neither the point nor the bound.
//   - ℓ2: the dual active-set method of Goldfarb and Idnani, "A numerically
//     stable dual method for solving strictly convex quadratic programs",
//     Mathematical Programming 27 (1983), on a thin QR factorisation.
//
// A Program is not safe for concurrent use; make one for each goroutine and Reset
// it between problems, which keeps its memory.
package closest
