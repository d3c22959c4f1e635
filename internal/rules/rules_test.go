package rules_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier/search"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var inf, nan = math.Inf(1), math.NaN()

// TestPrices: the price of an interval, and the value that has it.
func TestPrices(t *testing.T) {
	closed := func(lo, hi float64) polytope.Interval { return polytope.Interval{Lo: lo, Hi: hi} }
	third := 0.30000000000000004 // 3·0.1, rounded
	tests := []struct {
		name  string
		rule  search.Feature
		x     float64
		side  polytope.Interval
		price float64
		value float64
		ok    bool
	}{
		{"x itself", search.Feature{Up: 2}, 1, closed(0, 2), 0, 1, true},
		{"up", search.Feature{Up: 2, Down: 5}, 1, closed(3, 4), 4, 3, true},
		{"down", search.Feature{Up: 2, Down: 5}, 1, closed(-4, 0), 5, 0, true},
		{"never up", search.Feature{Up: inf}, 1, closed(3, 4), 0, 0, false},
		{"frozen", search.Feature{Frozen: true}, 1, closed(3, 4), 0, 0, false},
		{"limit", search.Feature{MaxUp: 1.5}, 1, closed(3, 4), 0, 0, false},
		{"within the limit", search.Feature{MaxUp: 1.5}, 1, closed(2, 4), 1, 2, true},
		{"part", search.Feature{MaxDownPart: 0.5}, -4, closed(-9, -6), 2, -6, true},
		{"beyond the part", search.Feature{MaxDownPart: 0.25}, -4, closed(-9, -6), 0, 0, false},
		{"grid", search.Feature{Step: 1}, 1, closed(1.5, 4), 1, 2, true},
		{"no grid value", search.Feature{Step: 1}, 1, closed(1.5, 1.9), 0, 0, false},
		{"off the grid, the cheaper side", search.Feature{Step: 1, Up: 3}, 0.5, closed(-9, 9), 0.5, 0, true},
		{"a decimal grid", search.Feature{Step: 0.1}, 0.3, closed(0, 0.3), 0, 0.3, true},
		{"the limit of a decimal grid", search.Feature{Step: 0.1, MaxDown: 0.1}, third, closed(0, 0.25), third - 0.2, 0.2, true},
		{"rounded down, up", search.Feature{}, -0x1.8p-53, closed(1, 9), 1, 1, true},
		{"rounded down, down", search.Feature{}, 0x1.8p-53, closed(-9, -1), 1, -1, true},
		{"two values on either side", search.Feature{Step: 0.0625, Origin: 0.03125}, 2e-40, closed(-1, 1), math.Nextafter(0.03125, 0), 0.03125, true},
		{"close to a grid value, at any price", search.Feature{Step: 1, Up: inf, Down: inf}, 1 + 1.5e-9, closed(-9, 9), 0, 0, false},
		{"beyond all numbers", search.Feature{Step: 1}, 1, closed(1e30, inf), 0, 0, false},
		{"origin", search.Feature{Step: 2, Origin: 0.5}, 0.5, closed(1, 9), 2, 2.5, true},
		{"a code", search.Feature{Categorical: true, Up: 3}, 1, closed(1.5, 9), 3, 2, true},
		{"no code", search.Feature{Categorical: true}, 1, closed(-9, -0.5), 0, 0, false},
		{"its own category, beyond the codes", search.Feature{Categorical: true, Codes: 3}, 5, closed(4.5, 9), 0, 5, true},
		{"its own category, no code", search.Feature{Categorical: true}, -1.5, closed(-9, 9), 0, -1.5, true},
		{"from beyond the codes", search.Feature{Categorical: true, Codes: 3, Up: 2}, 1e300, closed(1.5, 9), 2, 2, true},
		{"other codes than those known", search.Feature{Categorical: true, Codes: 3}, 5, closed(2.5, 4.5), 0, 0, false},
		{"a code beside its own category", search.Feature{Categorical: true}, 2 - 1e-10, closed(2, 2.5), 1, 2, true},
		{"a missing category", search.Feature{Categorical: true, Codes: 3, Missing: search.FillMissing}, nan, closed(1.5, 9), 1, 2, true},
		{"missing, stays", search.Feature{}, nan, closed(0, 1), 0, 0, false},
		{"missing, filled", search.Feature{Missing: search.FillMissing, Up: 4}, nan, closed(2, 9), 4, 2, true},
		{"missing, filled on a grid", search.Feature{Missing: search.FillMissing, Step: 1}, nan, closed(-2.5, -0.5), 1, -1, true},
	}
	for _, test := range tests {
		q := search.Query{X: []float64{test.x}, Features: []search.Feature{test.rule}, Norm: polytope.L1}
		m := rules.Of(&q, 0)
		price, ok := m.Price(test.side)
		value, valueOK := m.Value(test.side)
		if ok != test.ok || valueOK != test.ok || (ok && (price != test.price || value != test.value)) {
			t.Errorf("%s: price %v, %t, value %v, %t, want %v at %v, %t", test.name, price, ok, value, valueOK, test.price, test.value, test.ok)
		}
		if ok && (m.Broken(value) != nil || m.Cost(value) < price) {
			t.Errorf("%s: value %v: %v, cost %v below the price %v", test.name, value, m.Broken(value), m.Cost(value), price)
		}
	}
}

// TestPricesOfChanges: where any change has a price, that of the direction counts, from the very next value on.
func TestPricesOfChanges(t *testing.T) {
	q := search.Query{X: []float64{1}, Features: []search.Feature{{Up: 5, Down: 2}}, Norm: polytope.L0}
	m := rules.Of(&q, 0)
	for want, side := range map[float64]polytope.Interval{5: {Lo: 1, LoOpen: true, Hi: 9}, 2: {Lo: -9, Hi: 1, HiOpen: true}, 0: {Lo: 1, Hi: 9}} {
		if price, ok := m.Price(side); !ok || price != want {
			t.Errorf("%+v costs %v, %t, want %v", side, price, ok, want)
		}
	}
}

// TestGridFarFromOrigin: where numbers of the grid are rounded, the one of a value may be two beside it.
func TestGridFarFromOrigin(t *testing.T) {
	q := search.Query{X: []float64{0}, Features: []search.Feature{{Step: 0.6633165442152671, Origin: -3.607462604751086e+15}}, Norm: polytope.L1}
	m := rules.Of(&q, 0)
	side := polytope.Interval{Lo: -1.168862059257621e+15, Hi: -1.1688620592576202e+15}
	if z, ok := m.Value(side); !ok || !side.Contains(z) {
		t.Errorf("Value(%+v) = %v, %t", side, z, ok)
	}
}

// TestMissingPrice: a value that may be missing costs what a move up does, and may not where that is not to be had.
func TestMissingPrice(t *testing.T) {
	for _, test := range []struct {
		x     float64
		rule  search.Feature
		price float64
		ok    bool
	}{
		{1, search.Feature{Missing: search.MayMiss, Up: 3}, 3, true},
		{1, search.Feature{Missing: search.MayMiss, Up: inf}, 0, false},
		{1, search.Feature{Up: 3}, 0, false},
		{nan, search.Feature{Missing: search.MayMiss, Up: inf}, 0, true},
	} {
		m := rules.Of(&search.Query{X: []float64{test.x}, Features: []search.Feature{test.rule}}, 0)
		if price, ok := m.MissingPrice(); price != test.price || ok != test.ok {
			t.Errorf("from %v by %+v: %v, %t, want %v, %t", test.x, test.rule, price, ok, test.price, test.ok)
		}
	}
}

// TestGroupInDomain: a member can become the 1 only where all others may be 0.
func TestGroupInDomain(t *testing.T) {
	q := search.Query{X: []float64{1, 0, 0}, Features: []search.Feature{{Group: 1}, {Group: 1}, {Group: 1}}, Domain: polytope.NewBox(3)}
	g := rules.Groups(q.Features)[0]
	if price, ok := g.Price(&q, 1); !ok || price != 1 {
		t.Errorf("member 1 costs %v, %t, want 1", price, ok)
	}
	q.Domain[0].Lo = 0.5
	if _, ok := g.Price(&q, 1); ok {
		t.Error("member 1 may become the 1, and member 0 must not become 0")
	}
}

// TestProvable: proofs are given finite prices; the domain says which ways are closed.
func TestProvable(t *testing.T) {
	q := search.Query{X: []float64{1, 1}, Features: []search.Feature{{Up: inf, Down: 2}, {Up: 3, Down: inf}}, Norm: polytope.L1}
	got, err := rules.Provable(q)
	if err != nil || !slices.Equal(got.Prices.Up, []float64{1, 3}) || !slices.Equal(got.Prices.Down, []float64{2, 1}) || got.Domain[0].Hi != 1 || got.Domain[1].Lo != 1 {
		t.Errorf("Provable = %+v, %+v, %v", got.Prices, got.Domain, err)
	}
}

// TestBroken: each rule is named when it is broken.
func TestBroken(t *testing.T) {
	groups := []search.Feature{{Group: 1}, {Group: 1}, {Group: 1, Up: inf}}
	tests := []struct {
		x, z  []float64
		rules []search.Feature
		want  string
	}{
		{[]float64{1}, []float64{2}, []search.Feature{{Frozen: true}}, "is to stay"},
		{[]float64{1}, []float64{2}, []search.Feature{{Up: inf}}, "at any price"},
		{[]float64{1}, []float64{4}, []search.Feature{{MaxUp: 2}}, "must lie between"},
		{[]float64{1}, []float64{1.5}, []search.Feature{{Step: 1}}, "multiple of 1"},
		{[]float64{1}, []float64{nan}, []search.Feature{{}}, "may not be missing"},
		{[]float64{nan}, []float64{1}, []search.Feature{{}}, "is to stay"},
		{[]float64{1, 0, 0}, []float64{1, 1, 0}, groups, "exactly one"},
		{[]float64{1, 0, 0}, []float64{0, 0, 1}, groups, "feature 2 must not"},
		{[]float64{1, 0, 0}, []float64{0, 1, 0}, groups, ""},
		{[]float64{1}, []float64{nan}, []search.Feature{{Missing: search.MayMiss}}, ""},
		{[]float64{nan}, []float64{nan}, []search.Feature{{Step: 1}}, ""},
		{[]float64{nan, 1}, []float64{nan, 1}, []search.Feature{{Group: 1, Frozen: true}, {Group: 1, Frozen: true}}, ""},
		{[]float64{nan, 1}, []float64{0, 1}, []search.Feature{{Group: 1, Frozen: true}, {Group: 1, Frozen: true}}, "which is frozen"},
		{[]float64{0.3}, []float64{0.2}, []search.Feature{{Step: 0.1}}, ""},
		// Whose number division rounds to another one: −3.840000000000002e15.
		{[]float64{1}, []float64{-3.0000000000000044e12}, []search.Feature{{Step: 0.00078125, Origin: -0.0023437500000000003}}, ""},
	}
	for _, test := range tests {
		err := rules.Broken(&search.Query{X: test.x, Features: test.rules}, test.z)
		if (err == nil) != (test.want == "") || (err != nil && !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%v to %v by %+v: %v, want %q", test.x, test.z, test.rules, err, test.want)
		}
	}
}

// TestDistances: costs add up in every norm.
func TestDistances(t *testing.T) {
	q := search.Query{
		X:        []float64{0, 1, 5, 1, 0, nan},
		Features: []search.Feature{{Up: 3}, {Down: 2}, {Categorical: true, Up: 7}, {Group: 1}, {Group: 1, Up: 4}, {Missing: search.FillMissing, Up: 6}},
	}
	z := []float64{2, 0.5, 1, 0, 1, 8} // at 6, 1, 7, 4 and 6
	for norm, want := range map[polytope.Norm]float64{polytope.LInf: 7, polytope.L1: 24, polytope.L2: math.Sqrt(36 + 1 + 49 + 16 + 36), polytope.L0: 3 + 2 + 7 + 4 + 6} {
		q.Norm = norm
		if got := rules.Distance(&q, z); math.Abs(got-want) > 1e-12 {
			t.Errorf("norm %v: distance %v, want %v", norm, got, want)
		}
		if got := rules.Distance(&q, q.X); got != 0 {
			t.Errorf("norm %v: x is %v away from itself", norm, got)
		}
	}
}

// TestBrokenAt: x breaks the rules of a group that is not one of it, or may not stay; a frozen one is as it is.
func TestBrokenAt(t *testing.T) {
	free, frozen := []search.Feature{{Group: 1}, {Group: 1}}, []search.Feature{{Group: 1, Frozen: true}, {Group: 1, Frozen: true}}
	box := polytope.NewBox(2)
	box[1].Lo = 0.5
	for _, test := range []struct {
		q    search.Query
		want bool
	}{
		{search.Query{X: []float64{1, 0}, Features: free}, false},
		{search.Query{X: []float64{0, 0}, Features: free}, true},
		{search.Query{X: []float64{0, 0}, Features: frozen}, false},
		{search.Query{X: []float64{1, 0}, Features: free, Domain: box}, true},
		{search.Query{X: []float64{0, 2}, Features: []search.Feature{{}, {Step: 1}}}, false},
		{search.Query{X: []float64{0, 2.5}, Features: []search.Feature{{}, {Step: 1}}}, true},
	} {
		if got := rules.BrokenAt(&test.q, 1); got != test.want {
			t.Errorf("BrokenAt(%v) = %t, want %t", test.q.X, got, test.want)
		}
	}
}
