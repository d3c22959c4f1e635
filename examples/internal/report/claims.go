package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// claims are words about the inputs that the page makes claims about, and about their property.
type claims struct {
	About    string // the inputs
	All      string // of them
	AboutAll string // with what the files say
	None     string // of these inputs
	Sought   string // what an example has
	Kept     string // what a row keeps that has no example
	Certify  bool   // radii were asked about
	Proves   bool   // bounds are proven
}

func newClaims(m *results.Meta) *claims {
	c := &claims{
		About: m.About(), All: "all " + strings.TrimPrefix(m.About(), "all "),
		AboutAll: m.AboutAll(), None: m.None(), Sought: m.Sought(),
		Kept: "keep their prediction", Certify: m.Program == results.Certifying,
		Proves: m.Proves(),
	}
	if change := m.Flags["change"]; change != "" {
		c.Kept = "keep their output to within " + change
	}
	return c
}

// meaning explains a status.
type meaning struct{ status, means string }

// statuses are explained where they occur.
func (c *claims) statuses() []meaning {
	return []meaning{
		{results.Optimal, fmt.Sprintf("the example is proven to be a nearest one with %s, of %s",
			c.Sought, c.About)},
		{results.Limit, "a limit ended the search; the bound is proven, for " + c.All},
		{results.Coarse, "the bound is proven, for " + c.All + "; float64 is too coarse for an " +
			"example at it"},
		{results.None, fmt.Sprintf("proven: %s has %s", c.None, c.Sought)},
		{results.Attack, "an attack that proves nothing"},
		{results.Misclassified, "not attacked, because the prediction is not the row's label"},
		{results.Reached, "not attacked, because the prediction is the label to reach"},
		{results.Decided, "robust or not at each radius, for " + c.All},
		{results.Undecided, "not known at some radius, for " + c.All},
	}
}

// proven writes the bound of a row: in digits that do not exceed it.
func (c *claims) proven(a *answer) string {
	switch {
	case !c.Proves:
		return "–"
	case a.Optimal:
		return "proven"
	}
	return number(below(a.bound))
}

// printed is a number as number writes it, so that sentences are true of what people read.
func printed(v float64) float64 {
	p, err := strconv.ParseFloat(fmt.Sprintf("%.6g", v), 64)
	if err != nil {
		return v
	}
	return p
}

// below is the same, but no larger than v.
func below(v float64) float64 {
	p := printed(v)
	if p > v {
		p = printed(p - math.Pow(10, math.Floor(math.Log10(v))-5))
	}
	return p
}

// atRadius is the answer of facet certify about a radius.
type atRadius struct {
	Radius, Certified, Possible string
	Yes, No, Undecided, Wrong   int

	certified int // rows that are right and yes
}

// radiiOf counts the answers at each radius.
func radiiOf(answers []answer) (list []atRadius) {
	var radii []float64
	for _, a := range answers {
		if a.Radii != nil {
			radii = a.Radii
		}
	}
	for i, r := range radii {
		at := atRadius{Radius: strconv.FormatFloat(r, 'g', -1, 64)}
		yes, maybe := 0, 0
		for _, a := range answers {
			if i >= len(a.Robust) {
				at.Wrong++
				continue
			}
			robust := a.Robust[i]
			*map[string]*int{"yes": &at.Yes, "no": &at.No, "undecided": &at.Undecided}[robust]++
			if a.correct && robust == "yes" {
				yes++
			}
			if a.correct && robust != "no" {
				maybe++
			}
		}
		at.certified = yes
		at.Certified, at.Possible = share(yes, len(answers)), share(maybe, len(answers))
		list = append(list, at)
	}
	return list
}
