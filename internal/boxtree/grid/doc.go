// Package grid holds the common grid of an ensemble of axis-parallel trees, on which searches count
// instead of computing, and distances on it.
//
// # Terms
//
//   - border, interval: the thresholds of all trees cut the line of each feature into intervals.
//     A [Box] is a [Span] of intervals of each feature, a [Cut] the border behind one.
//   - [Set]: intervals of a feature that the test of a set sends left, which need not lie next
//     to each other. Boxes are products of spans all the same; leaves below such tests have a set
//     within their span.
//   - [View]: a grid seen from the input X of a query, which lies at one interval of each
//     feature.
//   - gap, reach: the gap of a feature is its distance from X, and the [Metric] adds gaps up to a
//     reach, which is a distance in ℓ∞ and ℓ1 and its square, in some unit, in ℓ2.
//   - price: under rules of moves the gap is the cost of the cheapest allowed move into intervals,
//     from a table ([Prices]). A closed interval has no allowed value.
//
// # Invariants
//
//   - Intersections of boxes are exact, and no answer lies between intervals.
//   - A gap is rounded down. A distance made of a reach never exceeds that of the real numbers; a
//     reach made of a distance never falls short.
package grid
