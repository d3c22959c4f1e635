package report

import (
	"maps"
	"math"
	"slices"
)

// perLabel is the rows of one label: how many are right, the predictions of the others, and the
// part that is certified.
type perLabel struct {
	Label, Right, Taken string
	Certified           []string // at each radius, of facet certify
	Median              string   // distance of those that are right, else
}

// Labels counts rows by their labels; nil where they have none.
func (p *page) Labels() (list []perLabel) {
	if !p.Labelled() {
		return nil
	}
	byLabel := make(map[string][]answer)
	for _, a := range p.answers {
		if a.Label != nil {
			byLabel[a.Label.String()] = append(byLabel[a.Label.String()], a)
		}
	}
	for _, label := range slices.Sorted(maps.Keys(byLabel)) {
		list = append(list, p.labelOf(label, byLabel[label]))
	}
	return list
}

func (p *page) labelOf(label string, answers []answer) perLabel {
	l, right, taken := perLabel{Label: label}, 0, make(map[string]int)
	var distances []float64
	for _, a := range answers {
		if !a.correct {
			taken[a.Predicted.String()]++
			continue
		}
		if right++; a.Attacked() && !math.IsInf(a.distance, 1) {
			distances = append(distances, a.distance)
		}
	}
	l.Right, l.Median = share(right, len(answers)), median(distances)
	l.Taken = mostOf(taken, len(taken))
	for i := range p.Radii {
		yes := 0
		for _, a := range answers {
			if a.correct && i < len(a.Robust) && a.Robust[i] == "yes" {
				yes++
			}
		}
		l.Certified = append(l.Certified, share(yes, len(answers)))
	}
	return l
}
