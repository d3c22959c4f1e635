package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

const (
	mostNear    = 20 // rows that are shown
	mostColumns = 10 // features that have a column
	mostUsed    = 30 // features in the plot of uses
)

// nearRow is one of the rows nearest to another label.
type nearRow struct {
	answer
	Changes []string // the changes of the example
	Alike   int      // rows whose examples cross the same thresholds
	Cells   []cell
	More    int // changed features that have no column
}

// cell is the value of a feature of a row, and whether the example changes it.
type cell struct {
	Value   string
	Changed bool
}

// other is a row that is not among the nearest.
type other struct {
	What string
	answer
}

// Others returns rows around the median of the distances, and the farthest ones: the typical rows,
// and the strongest.
func (p *page) Others() (list []other) {
	const each = 3
	order := p.exampled()
	if p.Certify() || len(order) < mostNear+2*each {
		return nil
	}
	middle := len(order)/2 - each/2
	for _, a := range order[middle : middle+each] {
		list = append(list, other{"typical", a})
	}
	for _, a := range order[len(order)-each:] {
		list = append(list, other{"strongest", a})
	}
	return list
}

// exampled returns the rows that have an example, the nearest first.
func (p *page) exampled() []answer {
	return byDistance(p.answers, func(a answer) bool { return a.Adversarial != nil })
}

// byDistance returns some of the answers, the nearest first.
func byDistance(answers []answer, of func(answer) bool) []answer {
	order := slices.DeleteFunc(slices.Clone(answers), func(a answer) bool { return !of(a) })
	slices.SortStableFunc(order,
		func(a, b answer) int { return cmp.Compare(a.distance, b.distance) })
	return order
}

// usage is how often the nearest examples change each feature.
type usage struct {
	Rows int
	List []use
	Left int // features that are changed and not listed
}

// use is how often a feature is changed.
type use struct {
	Feature string
	Rows    int
	Alone   int // rows where no other feature changes

	number int
	sizes  []float64      // of the changes of a number
	ways   map[string]int // where it goes
}

// Median writes that of the changes.
func (u use) Median() string { return median(u.sizes) }

// Ways says how often the feature rises and falls, or from which category to which.
func (u use) Ways() string { return mostOf(u.ways, 3) }

// uses counts changed features; nil where the rows are not at hand.
func (p *page) uses() *usage {
	if p.Row == nil {
		return nil
	}
	u, all := &usage{}, make([]use, len(p.names))
	for j, name := range p.names {
		all[j] = use{Feature: name, number: j, ways: make(map[string]int)}
	}
	for _, a := range p.answers {
		if a.Adversarial != nil {
			u.Rows++
			p.count(p.Row(a.Row), a.Adversarial, all)
		}
	}
	u.List = slices.DeleteFunc(all, func(u use) bool { return u.Rows == 0 })
	slices.SortStableFunc(u.List, func(a, b use) int { return cmp.Compare(b.Rows, a.Rows) })
	if len(u.List) > mostUsed {
		u.Left = len(u.List) - mostUsed
		u.List = u.List[:mostUsed]
	}
	return u
}

// count counts the changes of the example z of a row.
func (s *Source) count(x, z []tabular.Value, all []use) {
	var changed []*use
	for j := range all {
		if z[j].Same(x[j]) {
			continue
		}
		u := &all[j]
		u.Rows++
		u.ways[s.way(j, x[j], z[j])]++
		if !s.category(j) {
			u.sizes = append(u.sizes, math.Abs(z[j].Number-x[j].Number))
		}
		changed = append(changed, u)
	}
	if len(changed) == 1 {
		changed[0].Alone++
	}
}

// way says where a feature goes.
func (s *Source) way(j int, from, to tabular.Value) string {
	_, word := to.Word()
	switch {
	case s.category(j) || word:
		return written(from) + " → " + written(to)
	case math.IsNaN(from.Number) || math.IsNaN(to.Number):
		return "missing or not"
	case to.Number > from.Number:
		return "rises"
	}
	return "falls"
}

// mostOf lists names with how often they occur, the most frequent first, and how many more there
// are.
func mostOf(counts map[string]int, most int) string {
	list := byCount(counts)
	more := len(list) - most
	for i, name := range list[:min(len(list), most)] {
		list[i] = fmt.Sprintf("%s %d", name, counts[name])
	}
	if more > 0 {
		list = append(list[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}

// byCount returns the keys, the most frequent first.
func byCount(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

// category reports whether the model says that a feature is one, whose codes have no sizes.
func (s *Source) category(j int) bool { return j < len(s.Categories) && s.Categories[j] > 0 }

// median writes that of the sizes of changes. One word and another have no distance.
func median(sizes []float64) string {
	if len(sizes) == 0 {
		return "–"
	}
	slices.Sort(sizes)
	return number(stat.Quantile(0.5, stat.Empirical, sizes, nil))
}

// nearest fills in the rows nearest to another label, one of those whose examples cross the same
// thresholds, and the features that are shown of them: all, or those that examples change most
// often.
func (p *page) nearest() {
	order, alike := p.byThresholds(p.exampled())
	order = order[:min(len(order), mostNear)]
	if p.Row == nil {
		for _, a := range order {
			p.Nearest = append(p.Nearest, nearRow{answer: a})
		}
		return
	}
	shown := p.shown()
	p.Left = len(p.names) - len(shown)
	for _, j := range shown {
		p.Features = append(p.Features, p.names[j])
	}
	whole, moved := p.wholes(), make(map[string]bool)
	for _, a := range order {
		x := p.Row(a.Row)
		z := p.held(x, &a, whole)
		n := nearRow{answer: a, Alike: alike[p.crossed(&a)], Changes: changesOf(x, z, p.names)}
		n.Cells, n.More = cells(x, z, shown)
		for j := range z {
			if !z[j].Same(a.Adversarial[j]) {
				moved[brief(p.names[j])] = true
			}
		}
		p.Nearest = append(p.Nearest, n)
	}
	p.Whole = few(slices.Sorted(maps.Keys(moved)))
}

// brief shortens a name, which the heads of columns have in full.
func brief(name string) string {
	const most, end = 40, 12
	if letters := []rune(name); len(letters) > most {
		return string(letters[:most-end-1]) + "…" + string(letters[len(letters)-end:])
	}
	return name
}

// byThresholds leaves of rows whose examples cross the same thresholds the first, and counts them.
func (s *Source) byThresholds(order []answer) (first []answer, alike map[string]int) {
	alike = make(map[string]int)
	for _, a := range order {
		key := s.crossed(&a)
		if alike[key]++; key == "" || alike[key] == 1 {
			first = append(first, a)
		}
	}
	return first, alike
}

// crossed says which thresholds the example of a row crosses: the features that it changes, and
// the values that they get; "" where the row is not at hand.
func (s *Source) crossed(a *answer) string {
	if s.Row == nil {
		return ""
	}
	var key strings.Builder
	x := s.Row(a.Row)
	for j, z := range a.Adversarial {
		if !z.Same(x[j]) {
			fmt.Fprintf(&key, "%d %t %s\n", j, z.Number > x[j].Number, written(z))
		}
	}
	return key.String()
}

// changesOf lists the changes of an example.
func changesOf(x, z []tabular.Value, names []string) (list []string) {
	for j := range x {
		if !x[j].Same(z[j]) {
			list = append(list, fmt.Sprintf("%s %s → %s", brief(names[j]),
				written(x[j]), apart(x[j], z[j])))
		}
	}
	return some(list, 5)
}

// shown returns the numbers of the features that have a column, ascending.
func (p *page) shown() (shown []int) {
	if len(p.names) <= mostColumns {
		for j := range p.names {
			shown = append(shown, j)
		}
		return shown
	}
	for _, use := range p.Uses.List[:min(len(p.Uses.List), mostColumns)] {
		shown = append(shown, use.number)
	}
	slices.Sort(shown)
	return shown
}

// cells returns the cells of a row in some columns, and counts the changes elsewhere.
func cells(x, z []tabular.Value, shown []int) (list []cell, more int) {
	for j := range x {
		if !x[j].Same(z[j]) && !slices.Contains(shown, j) {
			more++
		}
	}
	for _, j := range shown {
		list = append(list, cell{written(x[j]), !x[j].Same(z[j])})
	}
	return list, more
}

// written writes a value as people read it.
func written(v tabular.Value) string {
	if word, is := v.Word(); is {
		return word
	}
	return number(v.Number)
}

// apart writes z with as many digits as tell it from x.
func apart(x, z tabular.Value) string {
	text := written(z)
	for digits := 7; text == written(x) && !x.Same(z) && digits <= 17; digits++ {
		longer := fmt.Sprintf("%.*g", digits, z.Number)
		if longer != fmt.Sprintf("%.*g", digits, x.Number) {
			return longer
		}
	}
	return text
}

// said writes a value to which something is to be changed: with all its digits, for fewer would be
// another value.
func said(v any) string {
	if f, ok := v.(float64); ok {
		return strings.Replace(strconv.FormatFloat(f, 'g', -1, 64), "-", "−", 1)
	}
	return fmt.Sprint(v)
}
