package cart

// Ln is ln.
func Ln(x float64) float64 { return ln(x) }

// Score returns the score of a split that sends these classes left and right, in nodes of up to n
// rows, and how far apart two scores must be to count.
func (c Criterion) Score(left, right []int, n int) (score, slack float64) {
	s := newScores(c, n, len(left))
	sum := func(counts []int) (rows int, potentials int64) {
		for _, k := range counts {
			rows += k
			potentials += s.potential[k]
		}
		return rows, potentials
	}
	leftRows, leftSum := sum(left)
	rightRows, rightSum := sum(right)
	return s.of(leftRows, rightRows, leftSum, rightSum), s.slack
}
