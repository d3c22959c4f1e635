// Package polytope holds the geometry under every attack: norms, half-spaces,
// boxes and convex polyhedra, and the point of a polyhedron closest to a given
// one in ℓ∞, ℓ1 or ℓ2.
//
// # Definitions
//
// A HalfSpace is {z : a·z ≤ b}, or {z : a·z < b} when it is open. A Box is a
// product of intervals whose ends may be open. A Polyhedron is the intersection
// of a box, half-spaces, and any more half-spaces that a Separator names on
// demand.
//
// Displacements may have Prices by coordinate and direction. A Problem
// may have them, and then all its distances are costs. They are meant to differ by a factor of a
// million or less; where they differ by more, rounding may leave a problem unanswered, or its
// bound short of the distance.
//
// # Open and closed sides
//
// Distances are distances to the closure: the infimum over the open set is the
// same number. A caller that needs a point strictly inside asks again with a
// Margin.
//
// # Exactness
//
// A Solver returns the closest point and, apart from it, a certified lower bound
// on the distance. The bound is rounded down and never above the truth; Distance
// and Bound agree to 1e-9·max(1, distance), unless sides that are nearly parallel
// (to 1e-6 or so) make rounding errors decide: then the two show how far they are
// apart, or the solver returns ErrNumerical. Package polytope/native, the default, is
// pure Go; package polytope/lpsolve answers the same question with lp_solve.
//
// # Concurrency
//
// Norm, HalfSpace, Box and Polyhedron are plain values. A Solver may be used by any
// number of goroutines at once.
package polytope
