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

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

const (
	mostNear    = 20 // rows that are shown
	mostColumns = 10 // features that have a column
	mostUsed    = 30 // features in the plot of uses
)

// nearRow is one of the rows nearest to another label.
type nearRow struct {
	Row                int
	Label, Predicted   string
	Becomes            string
	Distance, Bound    string
	Status             string
	Changes            []string // what the example changes
	Alike              int      // rows whose examples cross the same thresholds
	Cells              []cell
	More               int // changed features that have no column
	Options            []option
	Others             string
	Output, NextOutput string
}

// cell is a feature of a row.
type cell struct {
	From, To string
	Changed  bool
}

// option is a counterfactual.
type option struct {
	Label, Distance string
	Proven          string
	Changes         []string
}

// otherRow is a row that is not among the nearest.
type otherRow struct {
	Row                      int
	What, Predicted, Becomes string
	Distance                 string
}

// others returns rows around the median of the distances, and the farthest ones: the typical rows,
// and the strongest.
func others(answers []answer) (list []otherRow) {
	order := byDistance(answers, func(a answer) bool { return a.Adversarial != nil })
	const each = 3
	if len(order) < mostNear+2*each {
		return nil
	}
	middle := len(order)/2 - each/2
	add := func(what string, some []answer) {
		for _, a := range some {
			o := otherRow{Row: a.Row, What: what, Predicted: a.Predicted.String(),
				Distance: number(a.distance)}
			if a.AdversarialLabel != nil {
				o.Becomes = a.AdversarialLabel.String()
			}
			list = append(list, o)
		}
	}
	add("typical", order[middle:middle+each])
	add("strongest", order[len(order)-each:])
	return list
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
	Share   string
	Median  string  // of the change
	Ways    string  // how often it rises and falls, or from which category to which
	Alone   int     // rows where nothing else changes
	Width   float64 // of the bar
	number  int
}

// usesOf counts changed features; nil where the rows are not at hand.
func usesOf(s *Source, answers []answer, names []string) *usage {
	if s.Row == nil {
		return nil
	}
	u, counts := &usage{}, make([]changeCount, len(names))
	for _, a := range answers {
		if a.Adversarial != nil {
			u.Rows++
			s.count(s.Row(a.Row), a.Adversarial, counts)
		}
	}
	for j, c := range counts {
		if c.rows == 0 {
			continue
		}
		u.List = append(u.List, use{
			Feature: names[j], Rows: c.rows, Share: share(c.rows, u.Rows), Median: median(c.sizes),
			Ways: mostOf(c.ways), Alone: c.alone,
			Width: 400 * float64(c.rows) / float64(u.Rows), number: j,
		})
	}
	slices.SortStableFunc(u.List, func(a, b use) int { return cmp.Compare(b.Rows, a.Rows) })
	if len(u.List) > mostUsed {
		u.Left = len(u.List) - mostUsed
		u.List = u.List[:mostUsed]
	}
	return u
}

// changeCount is how examples change a feature.
type changeCount struct {
	rows, alone int            // that change it, and nothing else
	sizes       []float64      // of the changes of a number
	ways        map[string]int // where it goes
}

// count counts what the example z of a row changes.
func (s *Source) count(x, z []tabular.Value, counts []changeCount) {
	last, changed := 0, 0
	for j := range counts {
		if z[j].Same(x[j]) {
			continue
		}
		c := &counts[j]
		c.rows++
		last, changed = j, changed+1
		if c.ways == nil {
			c.ways = make(map[string]int)
		}
		c.ways[s.way(j, x[j], z[j])]++
		if !s.category(j) {
			c.sizes = append(c.sizes, math.Abs(z[j].Number-x[j].Number))
		}
	}
	if changed == 1 {
		counts[last].alone++
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

// mostOf lists the most frequent ways.
func mostOf(ways map[string]int) string {
	const most = 3
	list := byCount(ways)
	more := len(list) - most
	for i, way := range list[:min(len(list), most)] {
		list[i] = fmt.Sprintf("%s %d", way, ways[way])
	}
	if more > 0 {
		list = append(list[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
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
func (p *page) nearest(s *Source, answers []answer, names []string) {
	order := byDistance(answers, func(a answer) bool { return a.Adversarial != nil })
	shown := shownFeatures(len(names), p.Uses)
	if s.Row != nil {
		p.Left = len(names) - len(shown)
		for _, j := range shown {
			p.Features = append(p.Features, names[j])
		}
	}
	whole, moved := s.wholes(answers, len(names)), make(map[string]bool)
	var alike map[string]int
	order, alike = s.byThresholds(order)
	for _, a := range order[:min(len(order), mostNear)] {
		n := nearRow{
			Row: a.Row, Predicted: a.Predicted.String(), Status: a.Status,
			Distance: number(a.distance), Bound: p.proven(&a), Others: a.Others,
		}
		if a.Label != nil {
			n.Label = a.Label.String()
		}
		if a.AdversarialLabel != nil {
			n.Becomes = a.AdversarialLabel.String()
		}
		if a.Output != nil && a.AdversarialOutput != nil {
			n.Output, n.NextOutput = number(*a.Output), number(*a.AdversarialOutput)
		}
		if s.Row != nil {
			x := s.Row(a.Row)
			z := s.held(x, &a, whole)
			n.Cells, n.More = cells(x, z, shown)
			n.Alike = alike[s.crossed(&a)]
			for j := range z {
				if !z[j].Same(a.Adversarial[j]) {
					moved[brief(names[j])] = true
				}
			}
			n.Changes = changesOf(x, z, names)
		}
		n.Options = options(a.Counterfactuals)
		p.Nearest = append(p.Nearest, n)
	}
	p.Whole = sayWhole(few(slices.Sorted(maps.Keys(moved))))
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

// shownFeatures returns the numbers of the features that have a column, ascending.
func shownFeatures(dim int, u *usage) (shown []int) {
	if dim <= mostColumns || u == nil {
		for j := range min(dim, mostColumns) {
			shown = append(shown, j)
		}
		return shown
	}
	for _, use := range u.List[:min(len(u.List), mostColumns)] {
		shown = append(shown, use.number)
	}
	slices.Sort(shown)
	return shown
}

// cells returns what a row says in some columns, and counts the changes elsewhere.
func cells(x, z []tabular.Value, shown []int) (list []cell, more int) {
	for j := range x {
		if !x[j].Same(z[j]) && !slices.Contains(shown, j) {
			more++
		}
	}
	for _, j := range shown {
		list = append(list, cell{written(x[j]), apart(x[j], z[j]), !x[j].Same(z[j])})
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

func options(list []results.Counterfactual) (out []option) {
	for i, c := range list {
		o := option{Label: c.Label.String(), Distance: number(c.Distance)}
		switch {
		case !c.Optimal:
			o.Proven = "a limit ended the search for nearer ones"
		case i == 0:
			o.Proven = "the nearest"
		default:
			o.Proven = "the nearest that changes other features"
		}
		for _, change := range c.Changes {
			o.Changes = append(o.Changes,
				fmt.Sprintf("%s: %s → %s", change.Feature, said(change.From), said(change.To)))
		}
		out = append(out, o)
	}
	return out
}

// said writes a value to which something is to be changed: with all its digits, for fewer would be
// another value.
func said(v any) string {
	if f, ok := v.(float64); ok {
		return strings.Replace(strconv.FormatFloat(f, 'g', -1, 64), "-", "−", 1)
	}
	return fmt.Sprint(v)
}
