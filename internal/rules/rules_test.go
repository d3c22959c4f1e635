package rules_test

import (
	"errors"
	"math"
	"strings"
	"testing"

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
		rule  rules.Feature
		x     float64
		side  polytope.Interval
		price float64
		value float64
		ok    bool
	}{
		{"x itself", rules.Feature{Up: 2}, 1, closed(0, 2), 0, 1, true},
		{"up", rules.Feature{Up: 2, Down: 5}, 1, closed(3, 4), 4, 3, true},
		{"down", rules.Feature{Up: 2, Down: 5}, 1, closed(-4, 0), 5, 0, true},
		{"never up", rules.Feature{Up: inf}, 1, closed(3, 4), 0, 0, false},
		{"frozen", rules.Feature{Frozen: true}, 1, closed(3, 4), 0, 0, false},
		{"limit", rules.Feature{MaxUp: 1.5}, 1, closed(3, 4), 0, 0, false},
		{"within the limit", rules.Feature{MaxUp: 1.5}, 1, closed(2, 4), 1, 2, true},
		{"part", rules.Feature{MaxDownPart: 0.5}, -4, closed(-9, -6), 2, -6, true},
		{"beyond the part", rules.Feature{MaxDownPart: 0.25}, -4, closed(-9, -6), 0, 0, false},
		{"grid", rules.Feature{Step: 1}, 1, closed(1.5, 4), 1, 2, true},
		{"no grid value", rules.Feature{Step: 1}, 1, closed(1.5, 1.9), 0, 0, false},
		{"off the grid, the cheaper side", rules.Feature{Step: 1, Up: 3}, 0.5, closed(-9, 9), 0.5,
			0, true},
		{"a decimal grid", rules.Feature{Step: 0.1}, 0.3, closed(0, 0.3), 0, 0.3, true},
		{"the limit of a decimal grid", rules.Feature{Step: 0.1, MaxDown: 0.1}, third,
			closed(0, 0.25), third - 0.2, 0.2, true},
		{"rounded down, up", rules.Feature{}, -0x1.8p-53, closed(1, 9), 1, 1, true},
		{"rounded down, down", rules.Feature{}, 0x1.8p-53, closed(-9, -1), 1, -1, true},
		{"two values on either side", rules.Feature{Step: 0.0625, Origin: 0.03125}, 2e-40,
			closed(-1, 1), math.Nextafter(0.03125, 0), 0.03125, true},
		{"close to a grid value, at any price", rules.Feature{Step: 1, Up: inf, Down: inf},
			1 + 1.5e-9, closed(-9, 9), 0, 0, false},
		{"beyond all numbers", rules.Feature{Step: 1}, 1, closed(1e30, inf), 0, 0, false},
		{"origin", rules.Feature{Step: 2, Origin: 0.5}, 0.5, closed(1, 9), 2, 2.5, true},
		{"a code", rules.Feature{Categorical: true, Up: 3}, 1, closed(1.5, 9), 3, 2, true},
		{"no code", rules.Feature{Categorical: true}, 1, closed(-9, -0.5), 0, 0, false},
		{"its own category, beyond the codes", rules.Feature{Categorical: true, Codes: 3}, 5,
			closed(4.5, 9), 0, 5, true},
		{"its own category, no code", rules.Feature{Categorical: true}, -1.5, closed(-9, 9), 0,
			-1.5, true},
		{"from beyond the codes", rules.Feature{Categorical: true, Codes: 3, Up: 2}, 1e300,
			closed(1.5, 9), 2, 2, true},
		{"other codes than those known", rules.Feature{Categorical: true, Codes: 3}, 5,
			closed(2.5, 4.5), 0, 0, false},
		{"a code beside its own category", rules.Feature{Categorical: true}, 2 - 1e-10,
			closed(2, 2.5), 1, 2, true},
		{"a missing category",
			rules.Feature{Categorical: true, Codes: 3, Missing: rules.FillMissing}, nan,
			closed(1.5, 9), 1, 2, true},
		{"missing, stays", rules.Feature{}, nan, closed(0, 1), 0, 0, false},
		{"missing, filled", rules.Feature{Missing: rules.FillMissing, Up: 4}, nan, closed(2, 9), 4,
			2, true},
		{"missing, filled on a grid", rules.Feature{Missing: rules.FillMissing, Step: 1}, nan,
			closed(-2.5, -0.5), 1, -1, true},
	}
	for _, test := range tests {
		q := rules.Rules{
			X:        []float64{test.x},
			Features: []rules.Feature{test.rule},
			Norm:     polytope.L1,
		}
		m := q.Moves().Each[0]
		price, ok := m.Price(test.side)
		value, valueOK := m.Value(test.side)
		if ok != test.ok || valueOK != test.ok ||
			(ok && (price != test.price || value != test.value)) {
			t.Errorf("%s: price %v, %t, value %v, %t, want %v at %v, %t",
				test.name, price, ok, value, valueOK, test.price, test.value, test.ok)
		}
		if ok && (m.Broken(value) != nil || m.Cost(value) < price) {
			t.Errorf("%s: value %v: %v, cost %v below the price %v",
				test.name, value, m.Broken(value), m.Cost(value), price)
		}
	}
}

// TestHull: the numbers of a step lie between the first and the last of them, for any ends of an
// interval, however near they are.
func TestHull(t *testing.T) {
	r := rules.Rules{X: []float64{7}, Features: []rules.Feature{{Step: 1}}}
	for _, open := range []bool{false, true} {
		beyond := math.Nextafter(1, 2)
		side := polytope.Interval{Lo: -1, LoOpen: open, Hi: beyond, HiOpen: open}
		want := polytope.Interval{Lo: -1, Hi: 1}
		if open {
			want.Lo = 0
		}
		if got := r.Moves().Each[0].Hull(side); got != want {
			t.Errorf("%+v: %+v, want %+v", side, got, want)
		}
	}
}

// TestPricesOfChanges: where any change has a price, that of the direction counts, from the very
// next value on.
func TestPricesOfChanges(t *testing.T) {
	q := rules.Rules{
		X:        []float64{1},
		Features: []rules.Feature{{Up: 5, Down: 2}},
		Changes:  true,
	}
	m := q.Moves().Each[0]
	for want, side := range map[float64]polytope.Interval{
		5: {Lo: 1, LoOpen: true, Hi: 9},
		2: {Lo: -9, Hi: 1, HiOpen: true},
		0: {Lo: 1, Hi: 9},
	} {
		if price, ok := m.Price(side); !ok || price != want {
			t.Errorf("%+v costs %v, %t, want %v", side, price, ok, want)
		}
	}
}

// TestGridFarFromOrigin: where numbers of the grid are rounded, the one of a value may be two
// beside it.
func TestGridFarFromOrigin(t *testing.T) {
	q := rules.Rules{
		X:        []float64{0},
		Features: []rules.Feature{{Step: 0.6633165442152671, Origin: -3.607462604751086e+15}},
		Norm:     polytope.L1,
	}
	m := q.Moves().Each[0]
	side := polytope.Interval{Lo: -1.168862059257621e+15, Hi: -1.1688620592576202e+15}
	if z, ok := m.Value(side); !ok || !side.Contains(z) {
		t.Errorf("Value(%+v) = %v, %t", side, z, ok)
	}
}

// TestMissingPrice: a value that may be missing costs as much as a move up, and may not be
// missing where moves up are forbidden.
func TestMissingPrice(t *testing.T) {
	for _, test := range []struct {
		x     float64
		rule  rules.Feature
		price float64
		ok    bool
	}{
		{1, rules.Feature{Missing: rules.MayMiss, Up: 3}, 3, true},
		{1, rules.Feature{Missing: rules.MayMiss, Up: inf}, 0, false},
		{1, rules.Feature{Up: 3}, 0, false},
		{nan, rules.Feature{Missing: rules.MayMiss, Up: inf}, 0, true},
	} {
		q := rules.Rules{X: []float64{test.x}, Features: []rules.Feature{test.rule}}
		m := q.Moves().Each[0]
		if price, ok := m.MissingPrice(); price != test.price || ok != test.ok {
			t.Errorf("from %v by %+v: %v, %t, want %v, %t",
				test.x, test.rule, price, ok, test.price, test.ok)
		}
	}
}

// TestGroupInDomain: a member can become the 1 only where all others may be 0.
func TestGroupInDomain(t *testing.T) {
	q := rules.Rules{
		X:        []float64{1, 0, 0},
		Features: []rules.Feature{{Group: 1}, {Group: 1}, {Group: 1}},
		Domain:   polytope.NewBox(3),
	}
	g := q.Moves().Groups[0]
	if price, ok := g.Price(1); !ok || price != 1 {
		t.Errorf("member 1 costs %v, %t, want 1", price, ok)
	}
	q.Domain[0].Lo = 0.5
	if _, ok := q.Moves().Groups[0].Price(1); ok {
		t.Error("member 1 may become the 1, and member 0 must not become 0")
	}
}

// TestRefused: a rule is refused by who does not follow its kind, in a sentence about the first
// feature that has it.
func TestRefused(t *testing.T) {
	for _, test := range []struct {
		kind rules.Kinds
		rule rules.Rules
		want string
	}{
		{rules.Steps, rules.Rules{Features: []rules.Feature{{}, {Step: 2}}},
			"feature 1 may take multiples of 2 only"},
		{rules.Groups, rules.Rules{Features: []rules.Feature{{Group: 3}, {Group: 3}}},
			"feature 0 is a member of one-hot group 3"},
		{rules.Categories, rules.Rules{Features: []rules.Feature{{}, {Categorical: true}}},
			"feature 1 is a category"},
		{rules.Missing, rules.Rules{Features: []rules.Feature{{Missing: rules.MayMiss}, {}}},
			"feature 0 has the rule \"may miss\""},
		{rules.Missing, rules.Rules{X: []float64{0, nan}}, "missing values are for trees"},
		{rules.Changes, rules.Rules{Changes: true}, "only attacks on trees"},
	} {
		if test.rule.X == nil {
			test.rule.X = make([]float64, 2)
		}
		moves := test.rule.Moves()
		if err := moves.Refused(rules.All); err != nil {
			t.Errorf("%v: %v, and all are followed", test.kind, err)
		}
		if err := moves.Refused(rules.All &^ test.kind); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("without %v: %v, want %q", test.kind, err, test.want)
		}
	}
	frozen := rules.Rules{X: []float64{2}, Features: []rules.Feature{{Step: 1, Frozen: true}}}
	if err := frozen.Moves().Refused(0); err != nil {
		t.Errorf("whole steps of what stays: %v", err)
	}
	if err := (rules.Rules{Norm: 7}).Moves().Refused(rules.All); !errors.Is(err, polytope.ErrNorm) {
		t.Errorf("norm 7: %v", err)
	}
}

// TestBroken: each rule is named when it is broken.
func TestBroken(t *testing.T) {
	groups := []rules.Feature{{Group: 1}, {Group: 1}, {Group: 1, Up: inf}}
	frozen := []rules.Feature{{Group: 1, Frozen: true}, {Group: 1, Frozen: true}}
	within := polytope.Box{{Lo: 0, Hi: 3}}
	category := []rules.Feature{{Categorical: true, Codes: 3}}
	tests := []struct {
		x, z   []float64
		given  []rules.Feature
		domain polytope.Box
		breach rules.Breach
		want   string
	}{
		{[]float64{1}, []float64{2}, []rules.Feature{{Frozen: true}}, nil,
			rules.FrozenMoved, "is to stay"},
		{[]float64{1}, []float64{2}, []rules.Feature{{Up: inf}}, nil, rules.Moved, "at any price"},
		{[]float64{1}, []float64{4}, []rules.Feature{{MaxUp: 2}}, nil,
			rules.Moved, "must lie between"},
		{[]float64{1600}, []float64{1440}, []rules.Feature{{MaxDownPart: 0.1}}, nil, 0, ""},
		{[]float64{1600}, []float64{1439}, []rules.Feature{{MaxDownPart: 0.1}}, nil,
			rules.Moved, "must lie between 1440"},
		{[]float64{-40}, []float64{-36}, []rules.Feature{{MaxUpPart: 0.1}}, nil, 0, ""},
		{[]float64{-40}, []float64{-35}, []rules.Feature{{MaxUpPart: 0.1}}, nil,
			rules.Moved, "and -36"},
		{[]float64{1}, []float64{3}, []rules.Feature{{}}, within, 0, ""},
		{[]float64{1}, []float64{4}, []rules.Feature{{}}, within, rules.Outside, "and 3"},
		{[]float64{nan}, []float64{-1}, []rules.Feature{{Missing: rules.FillMissing}}, within,
			rules.Outside, "between 0"},
		{[]float64{1}, []float64{1.5}, []rules.Feature{{Step: 1}}, nil,
			rules.OffGrid, "multiple of 1"},
		{[]float64{2}, []float64{0}, category, nil, 0, ""},
		{[]float64{2}, []float64{1.5}, category, nil, rules.OffGrid, "multiple of 1"},
		{[]float64{2}, []float64{3}, category, nil, rules.OffGrid, "must lie between 0 and 2"},
		{[]float64{2.5}, []float64{2.5}, category, nil, 0, ""}, // its own value, of any kind
		{[]float64{-1}, []float64{-1}, category, nil, 0, ""},
		{[]float64{5}, []float64{-2}, category, nil, rules.OffGrid, "must lie between"},
		{[]float64{1}, []float64{nan}, []rules.Feature{{}}, nil,
			rules.MissingMoved, "may not be missing"},
		{[]float64{nan}, []float64{1}, []rules.Feature{{}}, nil, rules.MissingMoved, "is to stay"},
		{[]float64{1, 0, 0}, []float64{1, 1, 0}, groups, nil, rules.NotOneHot, "exactly one"},
		{[]float64{1, 0, 0}, []float64{0.5, 0, 0}, groups, nil, rules.NotOneHot, "exactly one"},
		{[]float64{1, 0, 0}, []float64{0, 0, 1}, groups, nil, rules.Moved, "feature 2 must not"},
		{[]float64{0, 0, 1}, []float64{0, 0, 1}, groups, nil, 0, ""}, // its own
		{[]float64{1, 0, 0}, []float64{0, 1, 0}, groups, nil, 0, ""},
		{[]float64{1}, []float64{nan}, []rules.Feature{{Missing: rules.MayMiss}}, nil, 0, ""},
		{[]float64{nan}, []float64{nan}, []rules.Feature{{Step: 1}}, nil, 0, ""},
		{[]float64{nan, 1}, []float64{nan, 1}, frozen, nil, 0, ""},
		{[]float64{nan, 1}, []float64{0, 1}, frozen, nil, rules.FrozenMoved, "is frozen"},
		{[]float64{0.3}, []float64{0.2}, []rules.Feature{{Step: 0.1}}, nil, 0, ""},
		// Whose number division rounds to another one: −3.840000000000002e15.
		{[]float64{1}, []float64{-3.0000000000000044e12},
			[]rules.Feature{{Step: 0.00078125, Origin: -0.0023437500000000003}}, nil, 0, ""},
	}
	for _, test := range tests {
		err := rules.Rules{X: test.x, Features: test.given, Domain: test.domain}.Moves().
			Broken(test.z)
		broken := (*rules.RuleError)(nil)
		if test.want == "" && err != nil || test.want != "" && (!errors.As(err, &broken) ||
			broken.Breach != test.breach || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%v to %v by %+v: %v, want %v: %q",
				test.x, test.z, test.given, err, test.breach, test.want)
		}
	}
}

// TestDistances: costs add up in every norm.
func TestDistances(t *testing.T) {
	q := rules.Rules{
		X: []float64{0, 1, 5, 1, 0, nan},
		Features: []rules.Feature{{Up: 3}, {Down: 2}, {Categorical: true, Up: 7}, {Group: 1},
			{Group: 1, Up: 4}, {Missing: rules.FillMissing, Up: 6}},
	}
	z := []float64{2, 0.5, 1, 0, 1, 8} // at 6, 1, 7, 4 and 6
	for norm, want := range map[polytope.Norm]float64{
		polytope.LInf: 7,
		polytope.L1:   24,
		polytope.L2:   math.Sqrt(36 + 1 + 49 + 16 + 36),
	} {
		q.Norm = norm
		if got := q.Moves().Distance(z); math.Abs(got-want) > 1e-12 {
			t.Errorf("norm %v: distance %v, want %v", norm, got, want)
		}
		if got := q.Moves().Distance(q.X); got != 0 {
			t.Errorf("norm %v: x is %v away from itself", norm, got)
		}
	}
	if q.Changes = true; q.Moves().Distance(z) != 3+2+7+4+6 || q.Moves().Distance(q.X) != 0 {
		t.Errorf("changes are %v, want 22", q.Moves().Distance(z))
	}
}

// TestBrokenAt: x breaks the rules of a group that is not one of it, or may not stay; a frozen one
// is as it is.
func TestBrokenAt(t *testing.T) {
	free, frozen := []rules.Feature{{Group: 1}, {Group: 1}}, []rules.Feature{
		{Group: 1, Frozen: true}, {Group: 1, Frozen: true},
	}
	box := polytope.NewBox(2)
	box[1].Lo = 0.5
	for _, test := range []struct {
		q    rules.Rules
		want bool
	}{
		{rules.Rules{X: []float64{1, 0}, Features: free}, false},
		{rules.Rules{X: []float64{0, 0}, Features: free}, true},
		{rules.Rules{X: []float64{0, 0}, Features: frozen}, false},
		{rules.Rules{X: []float64{1, 0}, Features: free, Domain: box}, true},
		{rules.Rules{X: []float64{0, 2}, Features: []rules.Feature{{}, {Step: 1}}}, false},
		{rules.Rules{X: []float64{0, 2.5}, Features: []rules.Feature{{}, {Step: 1}}}, true},
	} {
		if got := test.q.Moves().BrokenAt(1); got != test.want {
			t.Errorf("BrokenAt(%v) = %t, want %t", test.q.X, got, test.want)
		}
	}
}
