package classifier

import "math"

// obliqueContrast is what the leaves add to the lead of one label over another.
type obliqueContrast struct {
	base  float64   // the lead without any tree
	gains []float64 // by leaf
	// need is the sum of gains below which the label cannot win: a tie, less what
	// rounding in another order than the vote's own may hide.
	need float64
}

// contrast compares a label with the one predicted for X, which it must beat to be
// predicted instead, or with every other one when no other answer will do.
func (s *obliqueSearch) contrast(label int) []obliqueContrast {
	var all []obliqueContrast
	for rival := range s.e.classes {
		if rival == s.q.From || (s.q.Target >= 0 && rival != label) {
			all = append(all, s.e.contrast(label, rival))
		}
	}
	return all
}

// contrast compares two labels. Hard votes are counted without rounding, and a tie
// goes to the smaller label. Any other vote of T trees rounds T times in its own
// arithmetic, and so does a sum of gains in float64, whose terms are rounded
// themselves; as the radius grows it rounds once more for each leaf taken.
func (e *ObliqueEnsemble) contrast(label, rival int) obliqueContrast {
	base := e.opts.Base
	c := obliqueContrast{base: base[label] - base[rival], gains: make([]float64, len(e.grid.leaves))}
	size := math.Abs(base[label]) + math.Abs(base[rival])
	for t := range e.trees {
		most := 0.0
		for l := e.grid.first[t]; l < e.grid.first[t+1]; l++ {
			v := e.grid.leaves[l].value
			c.gains[l] = v[label] - v[rival]
			most = max(most, math.Abs(v[label])+math.Abs(v[rival]))
		}
		size += most
	}
	if e.opts.Vote == HardVote {
		if label > rival {
			c.need = 1
		}
		return c
	}
	unit := 0x1p-50
	if e.opts.Single {
		unit = 0x1p-24
	}
	c.need = -(unit*float64(len(e.trees)+2)+0x1p-51*float64(len(c.gains)))*size - e.opts.blur()
	return c
}
