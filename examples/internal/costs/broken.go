package costs

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// The rules that a move can break.
const (
	Frozen   = "frozen feature moved"
	Moved    = "moved in a direction or so far as is not allowed"
	Limit    = "beyond min or max"
	Integer  = "not a whole step"
	Category = "not exactly one category"
	Missing  = "missing, or not, against the rules"
	Between  = "a rule between features that does not hold"
)

// Broken returns the rules that z, an answer for x, breaks: of each feature the first of these, of
// each group one.
func (r *Rules) Broken(x, z []float64) (list []string) {
	for j := range r.Features {
		if what := broken(&r.Features[j], r.limits(j), x[j], z[j]); what != "" {
			list = append(list, what)
		}
	}
	for _, g := range r.Groups {
		if r.Features[g.Members[0]].Group > 0 && !g.one(z) {
			list = append(list, Category)
		}
	}
	for range r.unkept(z) {
		list = append(list, Between)
	}
	return list
}

// Mended returns the rules that x breaks by itself, so that every answer mends them: of each
// feature or group one, by its name.
func (r *Rules) Mended(x []float64, names []string) map[string]string {
	what := make(map[string]string)
	for j := range r.Features {
		rule := ""
		if f := &r.Features[j]; f.Group > 0 {
			if g := &r.Groups[f.Group-1]; !g.one(x) {
				what[g.Name] = Category
			}
		} else if rule = broken(f, r.limits(j), x[j], x[j]); rule != "" {
			what[names[j]] = rule
		}
	}
	for _, l := range r.unkept(x) {
		what[l.Text] = Between
	}
	return what
}

// limits returns those of a feature, nil for none.
func (r *Rules) limits(j int) *polytope.Interval {
	if r.Domain == nil {
		return nil
	}
	return &r.Domain[j]
}

// one reports whether exactly one member is 1 and the others are 0.
func (g *Group) one(z []float64) bool {
	ones := 0
	for _, m := range g.Members {
		switch z[m] {
		case 0:
		case 1:
			ones++
		default:
			return false
		}
	}
	return ones == 1
}

func broken(f *attack.Feature, limits *polytope.Interval, x, z float64) string {
	const slack = 1e-9 // of a step
	switch {
	case f.Frozen:
		if !same(x, z) {
			return Frozen
		}
		return ""
	case math.IsNaN(x) && f.Missing == attack.KeepMissing && !same(x, z),
		math.IsNaN(z) && f.Missing != attack.MayMiss && !same(x, z):
		return Missing
	case math.IsNaN(z):
		return ""
	case f.Group > 0:
		if z == 1 && x != 1 && math.IsInf(f.Up, 1) {
			return Moved
		}
		return ""
	case limits != nil && !limits.Contains(z):
		return Limit
	case f.Step > 0:
		if k := (z - f.Origin) / f.Step; math.Abs(k-math.Round(k)) > slack {
			return Integer
		}
	case f.Categorical && z != x && !code(f, z):
		return Integer
	}
	if z > x && (math.IsInf(f.Up, 1) || z-x > most(f.MaxUp, f.MaxUpPart, x)) ||
		z < x && (math.IsInf(f.Down, 1) || x-z > most(f.MaxDown, f.MaxDownPart, x)) {
		return Moved
	}
	return ""
}

// code reports whether a value is a code of a category.
func code(f *attack.Feature, z float64) bool {
	return z >= 0 && z == math.Trunc(z) && (f.Codes == 0 || z < float64(f.Codes))
}

// most is how far a feature may move from x, a rounding error included.
func most(length, part, x float64) float64 {
	far := math.Inf(1)
	if length > 0 {
		far = length
	}
	if part > 0 {
		far = min(far, part*math.Abs(x))
	}
	return far * (1 + 1e-12)
}
