// Package milp answers the question of the exact attack on ensembles of trees a
// second time, by mixed-integer linear programming: how near is the nearest
// input that is labelled differently? It shares no search and no bound on distances with
// attack.RegionBased, which is hundreds of times faster, and is there to check
// it; only what an ensemble is, borders and what leaves add to the votes, comes from
// internal/trees for both.
//
// # Building
//
// Attack exists only in builds with cgo and the tag lpsolve, because lp_solve
// 5.5 solves its linear programs, through github.com/draffensperger/golp;
// without them the package is empty. On Debian and Ubuntu, with
// liblpsolve55-dev installed:
//
//	CGO_CFLAGS=-I/usr/include/lpsolve CGO_LDFLAGS="-llpsolve55 -lm -ldl -lcolamd" \
//		go test -tags lpsolve ./internal/testing/milp
//
// Package polytope/lpsolve tells what lp_solve's licence asks of a program
// linked with it.
//
// # The program
//
// The formulation is that of Kantchelian, Tygar and Joseph, "Evasion and
// Hardening of Tree Ensemble Classifiers" (ICML 2016), arXiv:1509.07892. The
// borders that the trees set on a feature, where rounding to float32 is the
// model's own, cut its line into intervals. There is a 0-1 variable for each
// border, with which those farther out agree; a share for each leaf, of which
// each tree has one; a constraint on each side of each node that ties the
// shares below it to its border; the distance, as a sum of what lies between
// neighbouring borders, or in ℓ∞ the largest such sum; and the lead that a
// label must have over its rivals. The differences:
//
//   - A variable says whether the point lies beyond a border, seen from x, not
//     whether it lies left of it. That is the same up to a complement, and no
//     cost is negative.
//   - There may be any number of classes: a program for each label that
//     answers, in one search with one incumbent. An untargeted answer has to
//     beat the label of x, a targeted one every other label.
//   - Intervals that no float64 of the domain lies in are left out, and so are
//     those beyond the incumbent. The search begins with the 8 nearest intervals
//     and doubles their number until they hold an answer, so that most programs
//     are small.
//   - Where all sums are exact (hard votes, pure leaves) a lead is half a unit
//     of theirs more or less than a tie, as the tie goes to the rival or not.
//     Elsewhere it gives way by what rounding may do to the votes, and leaves
//     that come up and that Predict does not confirm are excluded by one more
//     constraint. So Predict decides every tie.
//
// # Proofs
//
// lp_solve is given linear relaxations only and is not believed. Its own branch
// and bound called a solution optimal that was not, and its simplex method a
// program infeasible that was not, on about one in a thousand of our random
// programs of up to four trees (5.5.2.5, with the default settings, which golp
// cannot change). Hence the branch and bound here is ours, best bound first, on
// boxes of intervals, and all it takes from lp_solve are numbers that can be used
// whatever they are: values, to round to a point that Predict judges and to
// choose where to branch, and multipliers, from which a lower bound on the
// program is computed anew, with a bound on the rounding errors taken off. A
// program that lp_solve fails on, or is stalled by for more than a second, is
// split unsolved.
//
// The example always flips Predict. Result.Bound holds to within rounding and
// lies below the robustness radius by a share of at most (d+2)·2⁻³⁰, about 1e-9
// a feature, because distances are rounded down to 2⁻³⁰ of the radius of the
// search; by as much may the example be farther than the nearest one. Optimal
// says that the search was finished.
//
// Distances agreed with those of attack.RegionBased to 1e-7 on 300,000 random
// ensembles of up to four trees and on 20,000 of up to nine, in both norms,
// with and without targets and domains; the tests repeat 6,000 of them.
//
// # Speed
//
// Mean time for a point of a set of 300 points with 4 features and 2 classes,
// one core of an Intel Xeon, shared (go test -tags lpsolve -bench .
// ./internal/testing/milp):
//
//	trees  depth  ℓ∞: milp  RegionBased  ℓ1: milp  RegionBased
//	   10      4     4 ms      0.03 ms      5 ms      0.03 ms
//	   20      5    14 ms      0.07 ms     19 ms      0.07 ms
//	   50      6   600 ms      0.17 ms    160 ms      0.3 ms
//
// The worst point took about ten times the mean.
//
// # Limits
//
// ℓ2 is not linear and is refused with errors.ErrUnsupported. A search runs in
// one goroutine. Contexts and timeouts are looked at between two linear
// programs, each of which may take a second. Results do not depend on timing,
// except the counters, which of several examples as near is returned, and what
// a limit leaves unfinished.
package milp
