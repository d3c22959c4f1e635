//go:build lpsolve

package milp

import (
	"github.com/draffensperger/golp"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// program is the mixed-integer program of one box of intervals. Its columns are
//
//   - a cut for each border inside the box: 1 when the point lies beyond it,
//     seen from home, else 0;
//   - a leaf for each leaf that an interval of the box reaches, between 0 and 1;
//   - in ℓ∞ the distance;
//   - the penalty, which is 0 in every solution of the program: the relaxation
//     may buy what it lacks with it, and so has a solution always.
//
// Distances are in the unit, the radius of the search.
type program struct {
	forest  forest
	space   space
	norm    polytope.Norm
	unit    float64
	first   []int     // the column of cut 1 of each feature
	cuts    int       // the columns before this one are cuts
	leaves  [][]int   // the columns of the leaves by tree and node, −1 for others
	reach   int       // the column of the distance, −1 in ℓ1
	penalty int       // the last column
	away    []float64 // what each cut adds to the distance
	start   float64   // the distance without any cut, in ℓ1
	rows    []row
	cost    []float64 // of the columns; start comes on top
	asked   []int     // how many leaves hang on each cut
}

// row is a linear constraint.
type row struct {
	entries []golp.Entry
	sense   golp.ConstraintType
	right   float64
}

func newProgram(f forest, s space, norm polytope.Norm, radius float64) *program {
	p := &program{forest: f, space: s, norm: norm, unit: radius, reach: -1}
	if p.unit == 0 {
		p.unit = 1
	}
	for _, a := range s {
		p.first = append(p.first, p.cuts)
		p.cuts += len(a.intervals) - 1
	}
	p.asked = make([]int, p.cuts)
	p.order()
	p.penalty = p.cuts
	for _, t := range f.Trees {
		p.tree(t)
	}
	if norm == polytope.LInf {
		p.reach = p.penalty
		p.penalty++
	}
	p.distances()
	return p
}

func (p *program) add(sense golp.ConstraintType, right float64, entries ...golp.Entry) {
	p.rows = append(p.rows, row{entries, sense, right})
}

// cut returns the column of cut k of feature j.
func (p *program) cut(j, k int) int { return p.first[j] + k - 1 }

// order has the cuts of a feature crossed one after the other, to one side
// only.
func (p *program) order() {
	for j, a := range p.space {
		for k := 1; k+1 < len(a.intervals); k++ {
			left, right := golp.Entry{Col: p.cut(j, k), Val: 1}, golp.Entry{
				Col: p.cut(j, k+1),
				Val: 1,
			}
			switch {
			case k < a.home:
				right.Val = -1
				p.add(golp.LE, 0, left, right)
			case k > a.home:
				left.Val = -1
				p.add(golp.LE, 0, left, right)
			default:
				p.add(golp.LE, 1, left, right)
			}
		}
	}
}

// win demands a lead.
func (p *program) win(l lead) {
	entries := []golp.Entry{{Col: p.penalty, Val: 1}}
	for t, columns := range p.leaves {
		for i, c := range columns {
			if c < 0 {
				continue
			}
			if g := l.Gain(p.forest.Value(t, i)); g != 0 {
				entries = append(entries, golp.Entry{Col: c, Val: g / l.size})
			}
		}
	}
	p.add(golp.GE, l.need/l.size, entries...)
}

// exclude forbids to reach all of these leaves, one a tree, at once.
func (p *program) exclude(leaves []int) {
	entries := []golp.Entry{{Col: p.penalty, Val: -1}}
	for t, leaf := range leaves {
		c := p.leaves[t][leaf]
		if c < 0 {
			return // the box holds no such point
		}
		entries = append(entries, golp.Entry{Col: c, Val: 1})
	}
	p.add(golp.LE, float64(len(leaves)-1), entries...)
}
