package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// series are certified shares by radius: of one file of facet certify, or of several models on the
// same rows.
type series struct {
	Lines []seriesLine
	Axis  []tick
	Radii []string
	Many  bool
}

// seriesLine is the certified share of a model.
type seriesLine struct {
	Name   string
	Points string // a polyline
	Dots   []dot
	Shares []string // at each of the radii; "–" where it was not asked
	Style  int      // from 0
}

// dot is a radius that was asked about.
type dot struct {
	X, Y  float64
	Title string
}

// Compare adds results of another model about the same rows, to be drawn in one picture.
func (s *Source) Compare(other *Source) error {
	const most = 4 // that a picture tells apart
	a, b := s.Meta, other.Meta
	switch {
	case len(s.Beside)+2 > most:
		return fmt.Errorf("a picture shows %d models at most", most)
	case a.Program != b.Program:
		return fmt.Errorf("%s was asked by %s, %s by %s: a picture shows one of them", named(a),
			a.Program, named(b), b.Program)
	case a.Targeted() || b.Targeted():
		return errors.New("answers about one label to reach have no certified share")
	case a.Inputs["test"].Sum != b.Inputs["test"].Sum || len(s.Lines) != len(other.Lines):
		return fmt.Errorf("%s and %s were asked about different test rows: a picture compares "+
			"models on the same", named(a), named(b))
	}
	for _, input := range []string{"costs", "domain"} {
		if a.Inputs[input].Sum != b.Inputs[input].Sum {
			return fmt.Errorf("%s and %s were asked with another file of --%s: distances are not "+
				"the same", named(a), named(b), input)
		}
	}
	for _, flag := range []string{"norm", "units", "scale", "domain"} {
		if a.Flags[flag] != b.Flags[flag] {
			return fmt.Errorf("%s was asked with --%s %s, %s with %s: distances are not the same",
				named(a), flag, a.Flags[flag], named(b), b.Flags[flag])
		}
	}
	for i := range s.Lines {
		if s.Lines[i].Row != other.Lines[i].Row {
			return fmt.Errorf("%s and %s were asked about different rows", named(a), named(b))
		}
	}
	s.Beside = append(s.Beside, other)
	return nil
}

// Series draws the results of facet certify, or of several models; nil where there are none.
func (p *page) Series() *series {
	if !p.Certify() && p.Beside == nil {
		return nil
	}
	sources := append([]*Source{p.Source}, p.Beside...)
	list, radii := make([][]answer, len(sources)), []float64{0}
	for i, source := range sources {
		list[i] = answersOf(source.Lines)
		if p.Certify() {
			for _, a := range list[i] {
				radii = append(radii, a.Radii...)
			}
		} else if all := finiteDistances(list[i]); len(all) > 0 {
			for _, q := range []float64{0.1, 0.25, 0.5, 0.75, 0.9, 1} {
				radii = append(radii, printed(all[int(q*float64(len(all)-1))]))
			}
		}
	}
	slices.Sort(radii)
	radii = slices.Compact(radii)
	end := radii[len(radii)-1] * 1.05
	if end == 0 {
		return nil
	}
	d := &series{Axis: ticks(end), Many: len(sources) > 1}
	for _, r := range radii {
		d.Radii = append(d.Radii, number(r))
	}
	for i, source := range sources {
		l := seriesLine{Name: fmt.Sprintf("%s: %s", letters[i], named(source.Meta)), Style: i}
		if !d.Many {
			l.Name = named(source.Meta)
		}
		l.draw(list[i], radii, end, p.Certify())
		d.Lines = append(d.Lines, l)
	}
	return d
}

// letters name models that may have the same name.
var letters = []string{"A", "B", "C", "D"}

// draw draws the share of rows that are certified: at the radii that were asked about, or at all.
func (l *seriesLine) draw(answers []answer, radii []float64, end float64, certify bool) {
	var points line
	if !certify {
		for x, r := range radiiTo(end) {
			yes, _ := kept(answers, r)
			points.step(x, height(yes, len(answers)))
		}
	}
	for _, r := range radii {
		yes := certifiedAt(answers, r, certify)
		if yes < 0 {
			l.Shares = append(l.Shares, "–")
			continue
		}
		l.Shares = append(l.Shares, share(yes, len(answers)))
		if certify {
			x, y := plotWidth*r/end, height(yes, len(answers))
			points.point(x, y)
			l.Dots = append(l.Dots, dot{math.Round(x), math.Round(y),
				fmt.Sprintf("%s: %s", number(r), share(yes, len(answers)))})
		}
	}
	l.Points = points.String()
}

// certifiedAt counts the rows that are right and proven to stay so within a radius; −1 where that
// was not asked. At 0 these are the rows that are right.
func certifiedAt(answers []answer, r float64, certify bool) (yes int) {
	if !certify {
		yes, _ = kept(answers, r)
		return yes
	}
	asked := r == 0
	for _, a := range answers {
		at := slices.Index(a.Radii, r)
		asked = asked || at >= 0
		if a.correct && (at >= 0 && a.Robust[at] == "yes" || at < 0 && r == 0) {
			yes++
		}
	}
	if !asked {
		return -1
	}
	return yes
}
