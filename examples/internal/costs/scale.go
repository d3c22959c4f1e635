package costs

import (
	"errors"
	"fmt"

	"github.com/seed-1a7dc1f9/facet/attack"
)

// Price makes the prices of a unit those of a scaled one: scaled = value·scale + a shift. All else
// stays in the units of the file. What has one price for any change keeps it.
func (r *Rules) Price(scale []float64) {
	price := func(p, scale float64) float64 {
		if p == 0 {
			p = 1
		}
		return p * scale
	}
	for j := range r.Features {
		if f := &r.Features[j]; f.Group == 0 && !f.Categorical {
			f.Up, f.Down = price(f.Up, scale[j]), price(f.Down, scale[j])
		}
	}
}

// Scale makes the rules those of scaled features, at the same prices: scaled = value·scale + shift.
// It returns an error for rules that have no such form, which names the feature.
func (r *Rules) Scale(scale, shift []float64, names []string) error {
	names = Names(names, len(scale))
	for j := range r.Features {
		if err := scaleRule(&r.Features[j], scale[j], shift[j]); err != nil {
			return fmt.Errorf("feature %.40q: %w", names[j], err)
		}
	}
	for j := range r.Domain {
		i := &r.Domain[j]
		i.Lo, i.Hi = float64(i.Lo*scale[j])+shift[j], float64(i.Hi*scale[j])+shift[j]
	}
	for i := range r.Linear {
		h := &r.Linear[i]
		for j, a := range h.A {
			if a != 0 {
				h.A[j] = a / scale[j]
				h.B += float64(h.A[j] * shift[j])
			}
		}
	}
	return nil
}

func scaleRule(f *attack.Feature, scale, shift float64) error {
	switch {
	case f.MaxUpPart > 0 || f.MaxDownPart > 0:
		return errors.New(`"max_increase" and "max_decrease": a part of a value has no meaning ` +
			`once it is scaled, except for trees: say how far it may move as a number`)
	case (f.Group > 0 || f.Categorical) && (scale != 1 || shift != 0):
		return errors.New("a category must not be scaled, as its column is by --scale minmax: " +
			"leave that out, --units range measures distances in parts of each range")
	case f.Step > 0 && (scale != 1 || shift != 0):
		return errors.New(`"integer": whole numbers are none once they are scaled, except for ` +
			"labels of trees: leave out --scale minmax, --units range measures distances in " +
			"parts of each range")
	}
	f.MaxUp, f.MaxDown = f.MaxUp*scale, f.MaxDown*scale
	return nil
}
