package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/experiment"
)

// exactness compares defences measured exactly with the results of the paper's approximation, in
// Markdown.
type exactness struct {
	Overstated string // table of robustness
	Factors    string
	Defscores  string // table
	Moves      string
	Winners    string // table
	Verdict    string
}

// Exactness returns nil unless there are exact values of Tables 2, 5 and 7.
func (all cells) Exactness() *exactness {
	r := &reader{values: make(map[place]float64)}
	for _, c := range all {
		r.add(c)
	}
	for table, column := range map[int]string{2: "rf_ap_exact", 5: "er_exact", 7: "er_exact"} {
		if !r.has(place{table, all[0].title, column}) {
			return nil
		}
	}
	e := &exactness{}
	e.Overstated, e.Factors = r.overstated()
	e.Defscores, e.Moves = r.defscores()
	e.Winners, e.Verdict = r.winners()
	return e
}

// place is where a number stands.
type place struct {
	table       int
	set, column string
}

// reader looks numbers up.
type reader struct {
	values  map[place]float64
	sets    []string
	columns []string // of Table 2, without companions
}

func (r *reader) add(c *cell) {
	r.values[place{c.table, c.title, c.column.name}] = c.value
	if !slices.Contains(r.sets, c.title) {
		r.sets = append(r.sets, c.title)
	}
	if c.table == 2 && !c.column.ours && c.column.like == "" &&
		!slices.Contains(r.columns, c.column.name) {
		r.columns = append(r.columns, c.column.name)
	}
}

func (r *reader) has(p place) bool {
	_, ok := r.values[p]
	return ok
}

// pair is a number as the paper measures it and the exact one.
type pair struct{ approximate, exact float64 }

func (r *reader) pair(table int, set, column string) pair {
	p := pair{approximate: r.values[place{table, set, column}]}
	p.exact = p.approximate
	if exact := (place{table, set, exactName(column)}); r.has(exact) {
		p.exact = r.values[exact]
	}
	return p
}

// known reports whether both are numbers.
func (p pair) known() bool { return !math.IsNaN(p.approximate) && !math.IsNaN(p.exact) }

func (p pair) text(digits int) string {
	if !p.known() {
		return "-"
	}
	if p.exact == p.approximate {
		return fmt.Sprintf("%.*f", digits, p.exact)
	}
	return fmt.Sprintf("%.*f → %.*f", digits, p.approximate, digits, p.exact)
}

func (r *reader) head(first ...string) []string { return append(first, r.sets...) }

// pruning is the column of a classifier's adversarial pruning in Table 2.
const pruning = "_" + string(experiment.Pruning)

// overstated is the table of robustness, and a clause about its quotients.
func (r *reader) overstated() (table, factors string) {
	rows := [][]string{r.head("", "r")}
	var clauses []string
	for _, t := range []int{5, 7} {
		least, largest := math.Inf(1), 0.0
		for _, at := range []string{"", "0.1", "0.3", "0.5"} {
			row := []string{names[t], at}
			for _, set := range r.sets {
				p := r.pair(t, set, strings.TrimSuffix("er_r"+at, "_r"))
				text := p.text(3)
				if p.known() {
					factor := p.approximate / p.exact
					least, largest = min(least, factor), max(largest, factor)
					text += fmt.Sprintf(" (%.1f)", factor)
				}
				row = append(row, text)
			}
			rows = append(rows, row)
		}
		clauses = append(clauses,
			fmt.Sprintf("of %s by factors from %.1f to %.1f", names[t], least, largest))
	}
	return markdownTable(rows), strings.Join(clauses, " and ")
}

// names are those of the classifiers whose tables hold approximate numbers.
var names = map[int]string{5: "3-NN", 7: "random forests"}

// defscores is the table of all defscores with their geometric means, and a clause
// about how exactness moves those of pruning.
func (r *reader) defscores() (table, moves string) {
	rows := [][]string{append(r.head(""), "geometric mean")}
	larger, smaller := 0, 0
	for _, column := range r.columns {
		row := []string{"`" + column + "`"}
		var pairs []pair
		for _, set := range r.sets {
			p := r.pair(2, set, column)
			row = append(row, p.text(2))
			pairs = append(pairs, p)
			switch {
			case !strings.HasSuffix(column, pruning):
			case p.exact > p.approximate:
				larger++
			case p.exact < p.approximate:
				smaller++
			}
		}
		rows = append(rows, append(row, geometricMean(pairs).text(2)))
	}
	moves = fmt.Sprintf("larger in %d cells and smaller in %d", larger, smaller)
	return markdownTable(rows), moves
}

// geometricMean leaves out pairs without numbers.
func geometricMean(pairs []pair) pair {
	var sum pair
	n := 0.0
	for _, p := range pairs {
		if p.known() {
			sum.approximate += math.Log(p.approximate)
			sum.exact += math.Log(p.exact)
			n++
		}
	}
	return pair{math.Exp(sum.approximate / n), math.Exp(sum.exact / n)}
}

// winners is the table of the best defences, and a sentence about it.
func (r *reader) winners() (table, verdict string) {
	rows := [][]string{r.head("")}
	alone, shared := 0, 0
	var lost []string
	for _, c := range experiment.Classifiers() {
		row := []string{string(c)}
		for _, set := range r.sets {
			exact := r.best(c, set, func(p pair) float64 { return p.exact })
			text := r.best(c, set, func(p pair) float64 { return p.approximate })
			if exact != text {
				text += " → " + exact
			}
			row = append(row, text)
			switch {
			case exact == "-":
			case strings.HasPrefix(exact, string(experiment.Pruning)+" "):
				alone++
			case strings.Contains(exact, string(experiment.Pruning)+" "):
				shared++
			default:
				lost = append(lost, fmt.Sprintf("%s on %s (%s)", c, set, exact))
			}
		}
		rows = append(rows, row)
	}
	verdict = fmt.Sprintf("Under the exact attack adversarial pruning is the best in %d of %d "+
		"cases, "+
		"and on a par with another in %d", alone, alone+shared+len(lost), shared)
	if lost != nil {
		verdict += ". Another defence is better for " + strings.Join(lost, ", ")
	}
	return markdownTable(rows), verdict + "."
}

// best names the defences of a classifier with the largest defscore, to two decimals,
// adversarial pruning last, and that defscore.
func (r *reader) best(c experiment.Classifier, set string, which func(pair) float64) string {
	largest, names := math.Inf(-1), []string(nil)
	for _, column := range r.columns {
		name, method, _ := strings.Cut(column, "_")
		if name != string(c) {
			continue
		}
		v := math.Round(which(r.pair(2, set, column))*100) / 100
		if v > largest {
			largest, names = v, nil
		}
		if v == largest {
			names = append(names, method)
		}
	}
	if names == nil {
		return "-"
	}
	return fmt.Sprintf("%s %.2f", strings.Join(names, " = "), largest)
}
