package neighbors

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/nnindex"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

const (
	// mostConfined is how many supporting rows are taken into the domain, and play with how many
	// rivals.
	mostConfined, confinedRivals = 48, 96
	// beyondRows is how much farther than the data they play in the end.
	beyondRows = 16
)

// AnswerAnywhere returns an answer to a query wherever in the domain it lies, nil if it finds none,
// for the vote of k neighbours. It tries the supporting rows that lie nearest to the domain, taken
// into it, then lines through X and these rows (sweep), and then plays with them
// (PlayFictitiously) within the extent of the data and beyond.
func (t *Table) AnswerAnywhere(q *search.Query, k int, own, rivals Trees) []float64 {
	side := t.nearDomain(q, own, mostConfined)
	if z := t.firstAnswer(q, k, side); z != nil {
		return z
	}
	extent := 0.0
	for _, row := range side {
		extent = max(extent, q.Norm.Distance(q.X, t.Row(row.ID)))
	}
	points := [][]float64{geometry.NearestIn(nil, q.Domain, q.X)}
	for _, row := range side {
		points = append(points, geometry.NearestIn(nil, q.Domain, t.Row(row.ID)))
	}
	if z := t.answerOnLines(q, k, own, rivals, points, extent); z != nil {
		return z
	}
	others := t.nearDomain(q, rivals, confinedRivals)
	z := t.PlayFictitiously(q, k, side, others, extent, ManyRounds)
	if z == nil {
		z = t.PlayFictitiously(q, k, side, others, beyondRows*extent, ManyRounds)
	}
	return z
}

// firstAnswer returns the first of some rows, taken into the domain, that answers a query.
func (t *Table) firstAnswer(q *search.Query, k int, rows []nnindex.Neighbor) []float64 {
	s := t.scratch()
	defer t.pool.Put(s)
	z := make([]float64, t.Dim)
	for _, row := range rows {
		copy(z, t.Row(row.ID))
		for j, i := range q.Domain {
			z[j] = max(i.Lo, min(z[j], i.Hi))
		}
		if _, surely := t.surelyAnswers(s, q, k, z); surely && q.Domain.Contains(z) &&
			q.Distance(z) <= math.MaxFloat64 {
			return z
		}
	}
	return nil
}

// nearDomain returns the rows of trees that lie nearest to the domain, with their squared distances
// from X.
func (t *Table) nearDomain(q *search.Query, trees Trees, most int) (near []nnindex.Neighbor) {
	var top TopK
	top.Reset(most)
	for _, tree := range trees {
		if tree == nil {
			continue
		}
		for i, id := range tree.IDs {
			squared := 0.0
			for j, e := range tree.Point(i)[:len(q.Domain)] {
				d := max(q.Domain[j].Lo-e, e-q.Domain[j].Hi, 0)
				squared += d * d
			}
			top.Offer(-squared, id)
		}
	}
	for _, row := range top.Rows {
		squared := nnindex.Squared(q.X, t.Row(row.ID))
		near = append(near, nnindex.Neighbor{Squared: squared, ID: row.ID})
	}
	return near
}
