package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// All names all of the inputs that answers are about.
func (p *page) All() string { return "all " + strings.TrimPrefix(p.Meta.About(), "all ") }

// Kept names the label, or output, that a row without an example keeps.
func (p *page) Kept() string {
	if change := p.Meta.Flags["change"]; change != "" {
		return "keep their output to within " + change
	}
	return "keep their prediction"
}

// Certify reports whether radii were asked about.
func (p *page) Certify() bool { return p.Meta.Program == results.Certifying }

// meaning explains a status.
type meaning struct{ status, means string }

// statuses are explained where they occur.
func (p *page) statuses() []meaning {
	return []meaning{
		{results.Optimal, fmt.Sprintf("the example is proven to be a nearest one with %s, of %s",
			p.Meta.Sought(), p.Meta.About())},
		{results.Limit, "a limit ended the search; the bound is proven, for " + p.All()},
		{results.Coarse, "the bound is proven, for " + p.All() + "; float64 is too coarse for an " +
			"example at it"},
		{results.None, fmt.Sprintf("proven: %s has %s", p.Meta.None(), p.Meta.Sought())},
		{results.Attack, "an attack that proves nothing"},
		{results.Misclassified, "not attacked, because the prediction is not the row's label"},
		{results.Reached, "not attacked, because the prediction is the label to reach"},
		{results.Decided, "robust or not at each radius, for " + p.All()},
		{results.Undecided, "not known at some radius, for " + p.All()},
	}
}

// Proven writes the bound of a row: in digits that do not exceed it.
func (p *page) Proven(a nearRow) string {
	switch {
	case !p.Meta.Proves():
		return "–"
	case a.Optimal:
		return "proven"
	}
	return number(below(a.bound))
}

// printed is a number as number writes it, so that sentences are true of the numbers that people
// read.
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

// atRadius counts the answers of facet certify about a radius.
type atRadius struct {
	Radius                    float64
	Certified, Possible       int // rows that are right, and yes, or not no
	Yes, No, Undecided, Wrong int
}

// radii counts the answers at each radius.
func (p *page) radii() (list []atRadius) {
	for _, a := range p.answers {
		for i, r := range a.Radii {
			if i == len(list) {
				list = append(list, atRadius{Radius: r})
			}
		}
	}
	for i := range list {
		at := &list[i]
		for _, a := range p.answers {
			if i >= len(a.Robust) {
				at.Wrong++
				continue
			}
			robust := a.Robust[i]
			*map[string]*int{"yes": &at.Yes, "no": &at.No, "undecided": &at.Undecided}[robust]++
			if a.correct && robust == "yes" {
				at.Certified++
			}
			if a.correct && robust != "no" {
				at.Possible++
			}
		}
	}
	return list
}
