// Package neighbors is the data of nearest-neighbour classifiers, and the parts that their exact
// searches share: rows in k-d trees, votes, order-k Voronoi cells, and the arithmetic
// of bisectors.
//
// # Terms
//
//   - A row is a training point. Rows are numbered as the caller gave them; of two at
//     the same distance the smaller number is the nearer.
//   - The bisector of rows p and q, {z : ‖z−p‖² ≤ ‖z−q‖²}, is the half-space in which p
//     is at least as near as q. Seen from a query x, with z = x+u, it is a·u ≤ b
//     for a = q−p and b = ½ Σ a_j (p_j + q_j − 2x_j).
//   - The members of an order-k cell are the k rows nearest to its points. The cell is
//     the intersection of the k(n−k) bisectors between members and other rows; they
//     are named one at a time, as a point violates them (Separate).
//   - A supporting row holds a label that answers a query, a rival any other. The quota of the
//     query is how many of k neighbours must be supporting rows, and how many may be rivals.
//   - A share asks whether so many of k neighbours hold a label, whoever else wins (Table.Share): a
//     vote of two labels, in which label 1 must lead by another number than 1.
//
// # Arithmetic
//
// The terms of b cancel where rows are far from x, so Bisector adds them up in twice
// the precision, and in rational numbers where that is not enough. A bisector bounds
// the distance of the points behind it (BisectorBound, rounded down). Where
// floating point cannot tell whether bisectors leave an input that counts, as between
// rows of a grid or at an end of a domain, an ExactSystem does in exact arithmetic.
//
// # Example
//
// Rows 0 at −1, 1 at 1 and 2 at 4 have the order-2 cells {0, 1}, up to 1.5, and
// {1, 2} from there on. {0, 2} is the cell of no point: 1 lies between the two. With
// labels 0, 1, 1 the vote of {0, 1} is a tie, which the smaller label wins; so label 1
// begins at 1.5, and two rows are required.
//
// Sources: Shamos and Hoey, "Closest-point problems", FOCS 1975 (order-k diagrams);
// Bentley, "Multidimensional binary search trees", CACM 18 (1975).
package neighbors
