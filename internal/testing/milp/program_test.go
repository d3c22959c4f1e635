//go:build lpsolve

package milp

import (
	"math"
	"slices"
	"testing"

	"github.com/draffensperger/golp"

	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// values returns what the columns are at a point and with these leaves reached.
func (p *program) valuesAt(q point, leaves []int) []float64 {
	v := make([]float64, p.penalty+1)
	for j, a := range p.space {
		for k := 1; k < len(a.intervals); k++ {
			if (a.home < k && k <= q.at[j]) || (q.at[j] < k && k <= a.home) {
				v[p.cut(j, k)] = 1
			}
		}
	}
	for t, leaf := range leaves {
		if c := p.leaves[t][leaf]; c >= 0 {
			v[c] = 1
		}
	}
	if p.reach >= 0 {
		for j, i := range q.at {
			v[p.reach] = max(v[p.reach], p.level(p.space[j].intervals[i]))
		}
	}
	return v
}

// violated returns the first row that does not hold, false when all do.
func (p *program) violated(v []float64) (row, bool) {
	const rounding = 1e-12
	for _, r := range p.rows {
		left := -r.right
		for _, e := range r.entries {
			left += e.Val * v[e.Col]
		}
		if (r.sense != golp.GE && left > rounding) || (r.sense != golp.LE && left < -rounding) {
			return r, true
		}
	}
	return row{}, false
}

// tuples lists every choice of one leaf a tree.
func (f forest) tuples() [][]int {
	all := [][]int{nil}
	for _, tree := range f.Trees {
		var longer [][]int
		for _, tuple := range all {
			for i := range tree.Len() {
				if tree.IsLeaf(i) {
					longer = append(longer, append(tuple[:len(tuple):len(tuple)], i))
				}
			}
		}
		all = longer
	}
	return all
}

// wins reports whether the leaves give the lead, summed up in the plain order.
func (f forest) wins(l lead, leaves []int) bool {
	sum := 0.0
	for t, leaf := range leaves {
		sum += l.Gain(f.Value(t, leaf))
	}
	return sum >= l.need-1e-13*l.size
}

// programs calls test with the program of every target of many instances,
// within a radius that leaves out about half of the intervals.
func programs(t *testing.T, n int, test func(s *search, p *program, leads []lead)) {
	t.Helper()
	for _, norm := range norms {
		for number := range uint64(n) {
			in := draw(t, number, 95+uint64(norm), norm)
			s, err := in.attack.search(in.x)
			if err != nil {
				t.Fatal(err)
			}
			if s.space == nil {
				continue
			}
			radius := s.space.farthest(norm) / 2
			near, ok := s.space.within(radius)
			if !ok {
				continue
			}
			s.radius, s.distance = radius, math.Inf(1)
			for i, leads := range s.targets {
				test(s, s.program(branch{space: near, target: i}), leads)
			}
		}
	}
}

// TestProgram goes through all points and all combinations of leaves: exactly
// those are solutions that go together, win every lead and, in ℓ1, lie within
// the radius.
func TestProgram(t *testing.T) {
	solutions, others := 0, 0
	programs(t, racetest.Scale(500), func(s *search, p *program, leads []lead) {
		tuples := s.forest.tuples()
		if len(tuples) > 100 {
			return
		}
		for _, q := range p.space.points(p.norm) {
			if q.distance > s.radius && q.distance < s.radius*(1+s.gap()) {
				continue // the program may round it down to the radius
			}
			answer := s.wins(leads, q) && (p.norm == polytope.LInf || q.distance <= s.radius)
			reached := s.forest.reached(q.z)
			for _, leaves := range tuples {
				want := answer && slices.Equal(leaves, reached)
				v := p.valuesAt(q, leaves)
				if r, violated := p.violated(v); violated == want {
					t.Fatalf("%+v, leaves %v: row %+v is violated: %v", q, leaves, r, violated)
				}
				if want {
					solutions++
					p.checkSolution(t, q, v)
				} else {
					others++
				}
			}
		}
	})
	if solutions < racetest.Scale(1000) || others < 10*solutions {
		t.Errorf("only %d solutions and %d others", solutions, others)
	}
}

// wins reports whether the leaves that q reaches give every lead.
func (s *search) wins(leads []lead, q point) bool {
	for _, l := range leads {
		if !s.forest.wins(l, s.forest.reached(q.z)) {
			return false
		}
	}
	return true
}

// checkSolution checks what a solution says about its point.
func (p *program) checkSolution(t *testing.T, q point, v []float64) {
	t.Helper()
	z, distance := p.point(v)
	if polytope.LInf.Distance(z, q.z) != 0 || distance != q.distance {
		t.Fatalf("point %v at distance %v, want %+v", z, distance, q)
	}
	cost := p.start
	for j, c := range p.cost {
		cost += c * v[j]
	}
	if low := float64(len(z)) / lattice; cost > distance/p.unit+1e-12 ||
		cost < distance/p.unit-low {
		t.Fatalf("cost %v of a point at distance %v in units of %v", cost, distance, p.unit)
	}
}

// TestOrder: of all values of the cuts only those of points go with the order.
func TestOrder(t *testing.T) {
	programs(t, racetest.Scale(100), func(s *search, p *program, _ []lead) {
		if p.cuts > 10 {
			return
		}
		ordered := &program{space: p.space, first: p.first, cuts: p.cuts}
		ordered.order()
		solutions := 0
		for bits := range 1 << p.cuts {
			v := make([]float64, p.cuts)
			for c := range v {
				v[c] = float64(bits >> c & 1)
			}
			if _, violated := ordered.violated(v); !violated {
				solutions++
			}
		}
		if want := len(p.space.points(p.norm)); solutions != want {
			t.Fatalf("%d values of the cuts of %+v for %d points", solutions, p.space, want)
		}
	})
}

// TestExclude: excluded leaves are no solution, others still are.
func TestExclude(t *testing.T) {
	count := 0
	programs(t, racetest.Scale(100), func(s *search, p *program, leads []lead) {
		points := p.space.points(p.norm)
		excluded := s.forest.reached(points[0].z)
		for _, q := range points {
			reached := s.forest.reached(q.z)
			v := p.valuesAt(q, reached)
			if _, violated := p.violated(v); violated {
				continue
			}
			before := len(p.rows)
			p.exclude(excluded)
			if _, violated := p.violated(v); violated != slices.Equal(reached, excluded) {
				t.Fatalf("leaves %v with %v excluded: violated %v", reached, excluded, violated)
			}
			p.rows = p.rows[:before]
			count++
		}
	})
	if count < racetest.Scale(100) {
		t.Errorf("only %d solutions", count)
	}
}

// TestLeads: a point that Predict gives to the target wins every lead, and
// where sums are exact no other point does.
func TestLeads(t *testing.T) {
	exact := 0
	for number := range uint64(racetest.Scale(1000)) {
		in := draw(t, number, 97, polytope.LInf)
		s, err := in.attack.search(in.x)
		if err != nil {
			t.Fatal(err)
		}
		e := in.attack.Ensemble
		for _, leads := range s.targets {
			for _, q := range s.space.points(polytope.LInf) {
				wins, grains := s.wins(leads, q), true
				for _, l := range leads {
					grains = grains && newTerms(s.forest, l.Margin).grain() > 2*l.Slack
				}
				label := e.Predict(q.z)
				if label == leads[0].Label && !wins {
					t.Fatalf("instance %d: %v has label %d but loses", number, q.z, label)
				}
				if grains && wins && !s.answers(q.z) {
					t.Fatalf("instance %d: %v wins but has label %d", number, q.z, label)
				}
				if grains {
					exact++
				}
			}
		}
	}
	if exact < racetest.Scale(1000) {
		t.Errorf("only %d points of exact sums", exact)
	}
}

func TestGrain(t *testing.T) {
	tests := []struct {
		name   string
		values []float64
		sum    float64
		want   float64 // 0 when there is none
	}{
		{"votes", []float64{0, 1, 1, 0}, 10, 1},
		{"nothing", []float64{0, 0}, 0, 1},
		{"quarters", []float64{0.5, 0.75, -1}, 3, 0.25},
		{"thirds", []float64{1. / 3}, 1, 0},
		{"tenths in float32", []float64{float64(float32(0.1))}, 1, 0},
		{"too fine", []float64{1, 0x1p-20}, 4, 0},
		{"large", []float64{0x1p40, 0x1.8p41}, 0x1p43, 0x1p40},
	}
	for _, test := range tests {
		if got := (terms{values: test.values, sum: test.sum}).grain(); got != test.want {
			t.Errorf("%s: grain of %v = %v, want %v", test.name, test.values, got, test.want)
		}
	}
}
