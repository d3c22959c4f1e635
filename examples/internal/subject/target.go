package subject

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

// What --target may begin with, and asks about then.
const (
	ofOutput      = "output"
	ofProbability = "probability"
	ofChange      = "change"
	ofLabel       = "label"
)

// AddTarget adds the flag of the goal: questions about outputs and, if the command
// asks for one label, that label.
func (r *regression) AddTarget(f *pflag.FlagSet) {
	f.Var(&target{of: r}, "target", "`WHAT` to reach: a label, or label:L (default any other "+
		"than the predicted one); for the file of a regressor output:T, which labels rows above "+
		"if their output is at least T, else below, or change:D, an output that differs from "+
		"that of the row by more than D; for that of a classifier probability:L:P, which labels "+
		"rows above if the probability of label L is at least P; may be given twice, as "+
		"output:3 and above")
}

// AddThreshold adds the same to a command that asks about no single label, and no change.
func (r *regression) AddThreshold(f *pflag.FlagSet) {
	f.Var(&target{of: r, only: []string{ofOutput, ofProbability}}, "target",
		"`WHAT` to ask about: output:T, for the file of a regressor, labels rows above if their "+
			"output is at least T, else below; probability:L:P, for that of a classifier, labels "+
			"rows above if the probability of label L is at least P")
}

// target is the value of --target.
type target struct {
	of   *regression
	only []string // the values that it may have; nil: all
	text []string
}

func (t *target) String() string { return strings.Join(t.text, " ") }

func (t *target) Type() string { return "value" }

// Set adds a question to those asked before.
func (t *target) Set(text string) error {
	kind, rest := kindOfTarget(text)
	if t.only != nil && !slices.Contains(t.only, kind) {
		return fmt.Errorf("only facet attack looks for a label or a change: say output:T or " +
			"probability:LABEL:P")
	}
	var err error
	switch kind {
	case ofOutput:
		t.of.Above, err = command.Optional(command.Number)(rest)
	case ofChange:
		t.of.Change, err = command.Optional(command.Radius)(rest)
	case ofProbability:
		at := strings.LastIndexByte(rest, ':')
		if at < 1 {
			return fmt.Errorf("%q names no label and probability: say probability:LABEL:P", text)
		}
		t.of.Of = rest[:at]
		t.of.Above, err = command.Optional(probability)(rest[at+1:])
	default:
		t.of.Reach = strings.TrimSpace(rest)
	}
	if err == nil && text != "" {
		t.text = append(t.text, text)
	}
	return err
}

// probability reads a number from 0 to 1, or about that: the rounding of a share may exceed 1, and
// no input has a probability beyond that.
func probability(text string) (float64, error) {
	const about = 1
	p, err := command.Number(text)
	if err != nil || p < -about || p > 1+about {
		return 0, fmt.Errorf("%q is no probability: a number from 0 to 1", text)
	}
	return p, nil
}

// kindOfTarget returns the kind of question in a text, and the rest of it.
func kindOfTarget(text string) (kind, rest string) {
	kind, rest, some := strings.Cut(text, ":")
	if kinds := []string{ofOutput, ofProbability, ofChange, ofLabel}; some &&
		slices.Contains(kinds, kind) {
		return kind, rest
	}
	return ofLabel, text
}

// kinds returns the kinds of questions of a value of --target.
func (t *target) kinds() (list []string) {
	for _, text := range t.text {
		kind, _ := kindOfTarget(text)
		list = append(list, kind)
	}
	return list
}

// first returns the first text that is about one of some things.
func (t *target) first(kinds []string) string {
	for _, text := range t.text {
		if kind, _ := kindOfTarget(text); slices.Contains(kinds, kind) {
			return text
		}
	}
	return t.String()
}

// Recorded returns the questions as files of results record them, by their names.
func (r *regression) Recorded() map[string]string {
	said := map[string]string{"target": r.Reach, "probability-of": r.Of, "above": "", "change": ""}
	if r.Above != nil {
		said["above"] = fmt.Sprint(*r.Above)
	}
	if r.Change != nil {
		said["change"] = fmt.Sprint(*r.Change)
	}
	return said
}

// recall takes up the result of Recorded.
func (r *regression) recall(said map[string]string) error {
	var err error
	if text := said["above"]; text != "" {
		r.Above, err = command.Optional(command.Number)(text)
	}
	if text := said["change"]; text != "" && err == nil {
		r.Change, err = command.Optional(command.Radius)(text)
	}
	r.Of, r.Reach = said["probability-of"], said["target"]
	return err
}
