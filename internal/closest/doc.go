// Package closest finds the shortest displacement that satisfies linear
// inequalities:
//
//	minimise ‖u‖_p  subject to  a_i·u ≤ b_i
//
// for p = ∞, 1 and 2. Rows are added one at a time; each Solve continues from the
// optimum before it, so a caller that names only the rows its last answer
// violates (lazy constraint generation, package rowgen) pays for few of them.
//
// # Method
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
//     anew at each pivot: q is small, and errors do not add up. A tiny deterministic perturbation
//     of the costs keeps degenerate input (grids, duplicates) from cycling; it enters neither the
//     point nor the bound. In ℓ∞ coordinates that t has taken to a face of a box (Program.AddFace)
//     stop there, without a row in the basis: any number at once, as the multipliers of the other
//     rows stay in proportion.
//   - ℓ2: the dual active-set method of Goldfarb and Idnani, "A numerically
//     stable dual method for solving strictly convex quadratic programs",
//     Mathematical Programming 27 (1983), on a thin QR factorisation; within a box, package boxqp.
//
// Displacements may have prices (Program.Price). In ℓ2 coordinates are multiplied by them; in ℓ∞ a
// tied coordinate is as long as the move that t pays for, and in ℓ1 the gradient of one at zero
// lies between the prices of its directions. The bound that a combination of rows proves is then
// computed in twice the precision, from multipliers that are refined to it: prices may differ by a
// factor of a million, and the rest of a sum that cancels in a cheap coordinate has to be that much
// smaller.
//
// # Invariants
//
//   - Bound never exceeds the minimum over all points that satisfy the rows, however pivots, point
//     and multipliers were rounded.
//   - The point is the shortest one under the active rows; Value grows from pivot to
//     pivot up to the perturbation.
//   - The result of Solve does not depend on cutoffs on the way.
//
// # Example
//
// The nearest point with u_1 + u_2 ≥ 2 and u_1 ≤ 1/2 in ℓ2. The origin violates the
// first row, which alone gives u = (1, 1) and the bound √2; that violates the second,
// and both give u = (1/2, 3/2). The multipliers are (3/√2, 1) of rows of length 1, and
// prove (3/√2·√2 − 1/2)/‖(−3/2+1, −3/2)‖ = √2.5, the length of u: it is optimal.
// Package rowgen has a transcript of this and other runs, row by row.
//
// A Program is not safe for concurrent use; make one for each goroutine and Reset
// it between problems, which keeps its memory.
package closest
