// Package lpsolve answers polytope's question, the closest point of a polyhedron in ℓ∞
// or ℓ1, with lp_solve 5.5 through github.com/draffensperger/golp. It is a
// second opinion on native.Solver, which is faster and needs neither a C compiler nor a library.
//
// # Building
//
// Solver exists only in builds with cgo and the tag lpsolve; without them the package
// is empty. On Debian and Ubuntu, with liblpsolve55-dev installed:
//
//	CGO_CFLAGS=-I/usr/include/lpsolve CGO_LDFLAGS="-llpsolve55 -lm -ldl -lcolamd" \
//		go test -tags lpsolve ./polytope/...
//
// # Licence
//
// lp_solve is free software under the GNU Lesser General Public License, golp
// is under the MIT licence. Nothing of either is part of this module; a
// program built with the tag links lp_solve, dynamically with the flags
// above, and has to respect its licence.
//
// # How it works
//
// The program is posed in the displacement u = z − x, with rows of dual length 1 and in
// units of the largest violation at x, because lp_solve's tolerances (1e-9) are
// absolute. Half-spaces are handed over only when the point reached violates
// them, the deepest few at a time.
//
// Distances agree with those of native.Solver to 1e-7·max(1, distance). The Bound rests on no
// tolerance: it is recomputed from the dual values, each non-negative combination of the rows being
// a half-space around the region, and rounded down. A region counts as empty only when dual values
// prove it likewise; a failure of lp_solve is polytope.ErrNumerical and never a verdict.
//
// # Limits
//
// ℓ2 is not linear: it is refused with errors.ErrUnsupported.
// lp_solve cannot be interrupted. A context is looked at between two programs; its deadline is
// passed on in whole seconds, rounded up, so that an answer may come up to a second late, and a
// cancellation without deadline takes effect only after the current program.
package lpsolve
