package gate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// question is one about all inputs, which facet verify answers.
type question struct {
	name    string
	flags   []string                   // of facet verify
	says    func(*results.Pair) string // puts the inputs that it shows in words
	columns []string                   // names of the features
}

// askInputs runs the checks about all inputs.
func (g *Gate) askInputs(ctx context.Context) error {
	for _, q := range g.questions() {
		begun := time.Now()
		c, err := g.verify(ctx, q)
		if err != nil {
			return err
		}
		g.add(c, begun)
	}
	return nil
}

// questions are those that the policy asks about all inputs.
func (g *Gate) questions() (list []question) {
	p, pair := g.Policy, []string{"x", "other"}
	for _, set := range p.Ignores {
		list = append(list, question{"ignores " + set.String(), set.flags(),
			func(v *results.Pair) string { return dependence(set.String(), v) }, pair})
	}
	for _, way := range p.Monotone {
		list = append(list, question{"monotone " + way.Feature + " " + way.Direction,
			[]string{"--monotone=" + csv([]string{way.Feature}) + ":" + way.Direction},
			func(v *results.Pair) string { return g.wrongWay(way, v) }, pair})
	}
	if s := p.SameAs; s != nil && s.Everywhere {
		list = append(list,
			sameAs("same as "+filepath.Base(s.Model)+" everywhere", p.file(s.Model)))
	}
	if p.Output == nil {
		return list
	}
	for _, end := range []struct {
		flag   string
		limits Limits
		limit  *float64
	}{
		{"--output-at-least", Limits{AtLeast: p.Output.AtLeast}, p.Output.AtLeast},
		{"--output-at-most", Limits{AtMost: p.Output.AtMost}, p.Output.AtMost},
	} {
		if end.limit != nil {
			list = append(list, question{"output " + end.limits.String(),
				[]string{fmt.Sprintf("%s=%v", end.flag, *end.limit)}, outputOf, []string{"input"}})
		}
	}
	return list
}

// sameAs asks whether another model labels all inputs alike.
func sameAs(name, model string) question {
	return question{name, []string{"--same-as=" + model}, func(v *results.Pair) string {
		return disagreement(filepath.Base(model), v)
	}, []string{"input"}}
}

// String names the features, and how far apart their values may be.
func (i Ignored) String() string {
	list := slices.Clone(i.Names)
	for k, apart := range i.Apart {
		if !math.IsInf(apart, 1) {
			list[k] = fmt.Sprintf("%s by at most %v", list[k], apart)
		}
	}
	return strings.Join(list, ", ")
}

// flags returns the flags of facet verify.
func (i Ignored) flags() []string {
	list := []string{"--ignores=" + csv(i.Names)}
	var limits []string
	for k, apart := range i.Apart {
		if !math.IsInf(apart, 1) {
			limits = append(limits, fmt.Sprintf("%s:%v", i.Names[k], apart))
		}
	}
	if limits != nil {
		list = append(list, "--apart="+csv(limits))
	}
	return list
}

// outputOf names the output of an input.
func outputOf(v *results.Pair) string {
	return fmt.Sprintf("An input has the output %.6g.", v.Outputs[0])
}

// csv joins names as a flag takes them.
func csv(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		if quoted[i] = name; strings.ContainsAny(name, `,"`) {
			quoted[i] = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return strings.Join(quoted, ",")
}

// verify returns a check that holds of all inputs, or does not, with a file of proofs if there are
// any of it.
func (g *Gate) verify(ctx context.Context, q question) (*Check, error) {
	args := g.verifying(q.flags...)
	c := &Check{
		Name: q.name, Wants: "holds of " + g.Policy.inputs(), Status: Open,
		Found: "a limit ended the search", Command: shell(args...),
	}
	if g.Timeout > 0 {
		args = append(args, "--timeout="+g.Timeout.String())
	}
	var line *results.Property
	var err error
	if line, c.Proofs, err = g.prove(ctx, q.name, args); err != nil || line.Holds == nil {
		return c, err
	}
	if c.Status, c.Found = Pass, "holds"; !*line.Holds {
		shown := line.Shown()
		c.Status, c.Found = Fail, "does not hold"
		c.Worst, c.Case = q.says(shown), g.paired(shown, q.columns)
	}
	return c, nil
}

// prove asks facet verify one question, and returns the file of proofs of the properties that hold,
// if there is to be one and there are proofs of such a question.
func (g *Gate) prove(
	ctx context.Context, name string, args []string,
) (*results.Property, string, error) {
	if g.Proofs == "" {
		line, err := g.ask(ctx, name, args)
		return line, "", err
	}
	file := filepath.Join(g.Proofs, fileName(name)+".gz")
	line, err := g.ask(ctx, name, append(args, "--proofs="+file, "--overwrite"))
	var r *refusal
	switch {
	case err == nil && line.Holds != nil && *line.Holds:
		return line, file, nil
	case err == nil: // the inputs that are shown say why
		return line, "", os.Remove(file)
	case !errors.As(err, &r) || r.status != command.Misused:
		return nil, "", err
	}
	if line, err = g.ask(ctx, name, args); err == nil {
		fmt.Fprintf(g.stderr, "note: %s: no proof is written: %s\n", name, r.says)
	}
	return line, "", err
}

// ask returns the only answer of facet verify.
func (g *Gate) ask(ctx context.Context, name string, args []string) (*results.Property, error) {
	lines, err := call[results.Property](ctx, g, name, args, Fails, IsOpen)
	if err == nil && len(lines) != 1 {
		err = fmt.Errorf("%s: %d answers", name, len(lines))
	}
	if err != nil {
		return nil, err
	}
	return &lines[0], nil
}

// fileName makes the name of a file of that of a check.
func fileName(name string) string {
	return strings.Trim(unsafe.ReplaceAllString(name, "-"), "-")
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9._]+`)

func (g *Gate) verifying(flags ...string) []string {
	p, args := g.Policy, append([]string{"verify", g.Model}, flags...)
	if p.Domain != "" {
		args = append(args, "--domain="+p.box(p.Domain))
	}
	if p.Costs != "" {
		args = append(args, "--costs="+p.file(p.Costs))
	}
	return args
}

// paired returns the inputs of a pair.
func (g *Gate) paired(v *results.Pair, columns []string) *Case {
	if v.X == nil {
		return nil
	}
	c := &Case{
		Columns: columns, Features: g.features(len(v.X)), Values: [][]tabular.Value{v.X},
		Outputs: v.Outputs,
	}
	for _, label := range v.Labels {
		c.Labels = append(c.Labels, label.String())
	}
	if len(columns) > 1 && v.Other != nil {
		c.Values = append(c.Values, v.Other)
	}
	return c
}

// dependence says that a pair differs in some features alone, and in its labels.
func dependence(features string, v *results.Pair) string {
	if len(v.Labels) == 2 {
		return fmt.Sprintf("Two inputs that differ in %s alone get different labels: %s and %s.",
			features, v.Labels[0], v.Labels[1])
	}
	return fmt.Sprintf("Two inputs that differ in %s alone get different outputs: %.6g and %.6g.",
		features, v.Outputs[0], v.Outputs[1])
}

// wrongWay says that an output falls where it is to rise, or rises.
func (g *Gate) wrongWay(way Way, v *results.Pair) string {
	from, to, outputs, goes, values := v.X, v.Other, slices.Clone(v.Outputs), "falls", ""
	if j, ok := costs.Find(way.Feature, g.names, len(v.X)); ok {
		if from[j].Number > to[j].Number {
			from, to = to, from
			slices.Reverse(outputs)
		}
		values = fmt.Sprintf(" from %v to %v", short(from[j]), short(to[j]))
	}
	if outputs[1] > outputs[0] {
		goes = "rises"
	}
	return fmt.Sprintf("As %s rises%s and all else stays, the output %s from %.6g to %.6g.",
		way.Feature, values, goes, outputs[0], outputs[1])
}

// disagreement says that two models see an input otherwise.
func disagreement(name string, v *results.Pair) string {
	if len(v.Labels) == 2 {
		return fmt.Sprintf("An input is %s, and %s by %s.", v.Labels[0], v.Labels[1], name)
	}
	if len(v.Outputs) == 2 {
		return fmt.Sprintf("An input has the output %.6g, and %.6g by %s.", v.Outputs[0],
			v.Outputs[1], name)
	}
	return ""
}

// features returns the names of features, or their numbers.
func (g *Gate) features(dim int) []string {
	if len(g.names) == dim {
		return g.names
	}
	return costs.Names(nil, dim)
}

// inputs names the inputs that checks about all are about.
func (p *Policy) inputs() string {
	said := "all inputs"
	if p.Costs != "" {
		said += " that " + filepath.Base(p.Costs) + " allows"
	}
	if p.Domain != "" {
		said += " within " + filepath.Base(p.Domain)
	}
	return said
}

// box returns a domain: two numbers as they are, a file from the folder of the policy.
func (p *Policy) box(domain string) string {
	var lo, hi float64
	if n, _ := fmt.Sscanf(domain, "%g,%g", &lo, &hi); n == 2 && !math.IsNaN(lo+hi) {
		return domain
	}
	return p.file(domain)
}
