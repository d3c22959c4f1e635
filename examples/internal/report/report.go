// Package report makes one HTML page of a file of results: the question, how robust the rows are,
// which lie nearest to another label, and the changes that reach it. The page needs no network and
// no script, can be printed, and follows the reader's choice of light or dark.
package report

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// Source is the material of a page.
type Source struct {
	Meta  *results.Meta
	Lines []results.Line
	// Row returns a row of the test file in its own units; nil where the file is not at hand.
	Row func(row int) []tabular.Value
	// Missing says why there are no rows; empty where there are.
	Missing string
	// Categories says of each feature how many codes the model has, 0 for a number.
	Categories []int
	Proofs     *Proofs // nil where no file of proofs was named
	// Model is that of the file of --model; nil where it was trained, or is gone. Date is when the
	// file was written.
	Model classifier.Model
	Date  string
	// Predict returns the model's prediction; nil where it cannot be asked. Words are those of
	// categories.
	Predict func(x []float64) tabular.Label
	Words   tabular.Words
	About   string // the user's words about the model
	// Beside are the results of other models about the same rows.
	Beside []*Source
	// First are sections that stand before all others, More those that stand after the rows.
	First, More []Section
}

// Section is a part of a page with the results of another command.
type Section struct {
	Title  string
	Says   []string // sentences
	Tables []Table
	Code   string // a command; "" for none
}

// Table is a table of a section.
type Table struct {
	About string // its title, for readers who do not see it
	Head  []string
	Rows  [][]string
}

// page is the data of the template: a source, and the values that are computed from it once.
type page struct {
	*Source
	answers []answer
	names   []string // of the features

	Asked, Files []fact // files with their checksums
	Radii        []atRadius
	Groups       []group
	Cut          string // the values that histograms leave out, in words; "" for none
	Uses         *usage
	Nearest      []nearRow
	Features     []string // the columns of Nearest
	Left         int      // features that have no column
	Whole        string   // which features are shown at whole numbers; "" for none
}

// fact is a line of a table of facts.
type fact struct{ Name, Value string }

// answer is a row, as the page looks at it.
type answer struct {
	*results.Line
	distance, bound float64 // +Inf for none
	correct         bool    // the label is the one that is predicted, or there is none
}

// Far writes the distance.
func (a answer) Far() string { return number(a.distance) }

// newPage makes a page.
func newPage(s *Source) *page {
	p := &page{
		Source: s, answers: answersOf(s.Lines),
		names: costs.Names(s.Meta.Features, s.Meta.Dimension),
	}
	p.Asked, p.Files = asked(s.Meta)
	if p.Certify() {
		p.Radii = p.radii()
		return p
	}
	p.Groups, p.Cut = groups(p.answers)
	p.Uses = p.uses()
	p.nearest()
	return p
}

func answersOf(lines []results.Line) []answer {
	list := make([]answer, len(lines))
	for i := range lines {
		l := &lines[i]
		a := answer{Line: l, correct: l.Label == nil || *l.Label == l.Predicted}
		a.distance, a.bound = l.Known()
		list[i] = a
	}
	return list
}

// Title names the model.
func (p *page) Title() string { return "Robustness of " + named(p.Meta) }

// Unit is that of axes.
func (p *page) Unit() string {
	if p.Meta.Inputs["costs"].Path != "" {
		return "cost"
	}
	return "distance"
}

// Labelled reports whether labels of rows are known.
func (p *page) Labelled() bool {
	return p.Meta.Flags["change"] == "" &&
		slices.ContainsFunc(p.Lines, func(l results.Line) bool { return l.Label != nil })
}

// named names the model.
func named(m *results.Meta) string {
	if model, ok := m.Inputs["model"]; ok {
		return filepath.Base(model.Path)
	}
	switch kind := m.Flags["model"]; kind {
	case "", "knn":
		return m.Flags["k"] + "-NN trained on " + filepath.Base(m.Inputs["train"].Path)
	default:
		return "a " + kind + " trained on " + filepath.Base(m.Inputs["train"].Path)
	}
}

// asked lists the question and the files that it is about; checksums of files are apart.
func asked(m *results.Meta) (facts, files []fact) {
	facts = []fact{{"asked by", m.Program + " " + m.Version}}
	if m.Shard != nil {
		facts = append(facts, fact{"rows", "shard " + m.Shard.String() + " of the run"})
	}
	for _, name := range []string{"model", "train", "test", "costs", "domain", "rows"} {
		if in, ok := m.Inputs[name]; ok {
			facts = append(facts, fact{name, in.Path})
			files = append(files, fact{filepath.Base(in.Path), in.Sum})
		}
	}
	facts = append(facts, fact{"norm", normOf(m)})
	facts = append(facts, fact{"inputs", m.AboutAll()})
	plain := map[string]string{
		"prune": "0", "target": "", "timeout": "0s", "max-nodes": "0", "scale": "none",
		"above": "", "probability-of": "", "change": "", "points": "0", "vote": "",
		"include-misclassified": "false", "counterfactuals": "0",
		"attack": "exact", "missing": "refuse",
		"units": "file",
	}
	for _, name := range slices.Sorted(maps.Keys(plain)) {
		if v, ok := m.Flags[name]; ok && v != plain[name] {
			facts = append(facts, fact{"--" + name, v})
		}
	}
	return facts, files
}

// ModelFacts are the facts about the model.
func (s *Source) ModelFacts() (facts []fact) {
	m := s.Meta
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, fact{name, value})
		}
	}
	add("about", s.About)
	add("kind", kindOf(s.Model))
	if m.Dimension > 0 {
		text := strconv.Itoa(m.Dimension)
		if len(m.Features) > 0 {
			short := make([]string, len(m.Features))
			for i, name := range m.Features {
				short[i] = brief(name)
			}
			text += ": " + few(short)
		}
		add("features", text)
	}
	var names []string
	for _, label := range m.Classes {
		names = append(names, label.String())
	}
	if len(names) > 0 {
		add("labels", few(names))
	}
	add("file written", s.Date)
	return facts
}

// few joins names, and counts those that are too many.
func few(names []string) string { return strings.Join(some(names, 12), ", ") }

// some returns the first of a list, and how many more there are.
func some(list []string, most int) []string {
	if more := len(list) - most; more > 0 {
		list = append(list[:most:most], fmt.Sprintf("and %d more", more))
	}
	return list
}

// normOf explains the norm of a distance.
func normOf(m *results.Meta) string {
	change := "change"
	if m.Inputs["costs"].Path != "" {
		change = "cost"
	}
	switch m.Flags["norm"] {
	case "1":
		return "ℓ1: the " + change + "s of all features added up"
	case "2":
		return "ℓ2: the root of the sum of squared " + change + "s"
	case "0":
		return "the number of features that change, each at its price if it has one"
	}
	return "ℓ∞: the largest " + change + " of a feature"
}

// Distance names the unit of distances.
func (s *Source) Distance() string {
	m, costs := s.Meta, s.Meta.Inputs["costs"].Path
	text := "Distances are in the units of the file."
	switch {
	case m.Flags["norm"] == "0" && costs == "":
		text = "Distances are numbers of features that change."
	case m.Flags["units"] == "range" && costs != "":
		text = "Distances are costs, by the prices and rules of " + costs + ", in parts of the " +
			"range of each feature."
	case costs != "":
		text = "Distances are costs, by the prices and rules of " + costs + "."
	case m.Flags["units"] == "range":
		text = "Distances are in parts of the range of each feature."
	case m.Scaling != nil:
		text = "Distances are in scaled units: 1 is the range of a feature in the training set. " +
			"Values of features are in the units of the file."
	}
	if s.Categories != nil {
		text += " Another category has one price, whichever it is, 1 if no rule says otherwise."
	}
	return text
}

// Found lists the results in numbers. Those of facet certify have no distances: its examples are
// any that decided a radius.
func (p *page) Found() []fact {
	n, right, counts := len(p.answers), 0, map[string]int{}
	for _, a := range p.answers {
		counts[a.Status]++
		if a.correct {
			right++
		}
	}
	facts := []fact{{"rows", fmt.Sprintf("%d of %d in the file", n, p.Meta.TestRows)}}
	if p.Labelled() {
		facts = append(facts, fact{"accuracy", share(right, n)})
	}
	if distances := finiteDistances(p.answers); len(distances) > 0 && !p.Certify() {
		of := fmt.Sprintf(" to %s, of %s with an example", p.Meta.Sought(), rowsOf(len(distances)))
		facts = append(facts,
			fact{"mean distance", number(stat.Mean(distances, nil)) + of},
			fact{"median distance", median(distances) + " of these rows"},
			fact{"smallest distance", number(distances[0])})
	}
	for _, s := range p.statuses() {
		if counts[s.status] > 0 {
			facts = append(facts, fact{s.status, rowsOf(counts[s.status]) + ": " + s.means})
		}
	}
	return facts
}

// rowsOf counts rows in words.
func rowsOf(n int) string { return many(n, "row", "rows") }

// share writes a part of n.
func share(section, n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %% (%d of %d)", 100*float64(section)/float64(n), section, n)
}

// number writes a value as people read it: six digits at most.
func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "missing"
	case math.IsInf(v, 1):
		return "∞"
	}
	return strings.Replace(fmt.Sprintf("%.6g", v), "-", "−", 1)
}
