package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// perLabel is the rows of one label: how many are right, what the others are taken for, and what is
// certified of them.
type perLabel struct {
	Label, Right, Taken string
	Certified           []string // at each radius, of facet certify
	Median              string   // distance of those that are right, else
}

// labelsOf counts rows by their labels; nil where they have none.
func (p *page) labelsOf(answers []answer) (list []perLabel) {
	if !p.Labelled {
		return nil
	}
	byLabel := make(map[string][]answer)
	for _, a := range answers {
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
	l.Right, l.Taken, l.Median = share(right, len(answers)), counted(taken), median(distances)
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

// counted lists labels with how often they occur, the most frequent first.
func counted(counts map[string]int) string {
	labels := byCount(counts)
	for i, label := range labels {
		labels[i] = fmt.Sprintf("%s %d", label, counts[label])
	}
	return strings.Join(labels, ", ")
}

// byCount returns the keys, the most frequent first.
func byCount(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}
