// Package tied finds the cheapest values of the features that linear rules tie together, in a box.
//
//	r := tied.New(moves) // nil without linear rules
//	bound, z := r.Closest(sides)
//
// Relax is one program over the real numbers: its bound holds for the whole box. Closest divides
// the box where whole steps, or prices that differ by direction in ℓ2, differ from those of the
// program (branch and bound, the lowest bound first), and rounds its answer to float64 numbers that
// keep all rules in exact arithmetic. Other features cost as much as on their own, so they play no
// part.
package tied
