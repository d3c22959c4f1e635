package gate

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
)

// Policy is the list of demands on a model before it goes out.
type Policy struct {
	Accuracy  *Limits     // of the test rows
	Classes   []Class     // in the order of the file
	Certified []Certified // in the order of the file
	Ignores   []Ignored   // in the order of the file
	Monotone  []Way
	SameAs    *SameAs
	Output    *Limits // of all inputs
	NoWorse   *NoWorse
	// Domain and Costs bound all inputs: a box, as --domain takes it, and the file of --costs.
	Domain, Costs string

	path   string
	folder string // that files are named from
}

// Limits are the least and the most that a number may be; nil for any.
type Limits struct{ AtLeast, AtMost *float64 }

// Class is a label, and the share of the rows that is right.
type Class struct {
	Label             string
	Recall, Precision *Limits // of the rows of this label, and of those predicted so
}

// Certified is the share of test rows that are right and stay so within a radius.
type Certified struct {
	Radius, Norm, Costs, Domain string
	AtLeast                     float64
}

// Ignored is a set of features that no label depends on: no two inputs that differ in these alone
// have two labels.
type Ignored struct {
	Names []string
	Apart []float64 // by how much at most, +Inf for any; nil for any of all
}

// Way says that outputs never fall, or never rise, as a feature rises.
type Way struct{ Feature, Direction string }

// SameAs is another model that labels alike.
type SameAs struct {
	Model      string
	DiffersAt  *float64 // most share of the test rows
	Everywhere bool     // all inputs
}

// NoWorse is how much worse than that in service the model may be.
type NoWorse struct{ Accuracy, Certified *float64 }

// Read reads a policy of YAML or JSON. Files that it names are found from its own folder.
func Read(path string) (*Policy, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := parse(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p.path, p.folder = path, filepath.Dir(path)
	return p, nil
}

func parse(r io.Reader) (*Policy, error) {
	var root yaml.Node
	d := yaml.NewDecoder(io.LimitReader(r, 1<<20))
	switch err := d.Decode(&root); {
	case errors.Is(err, io.EOF):
		return nil, errors.New("the policy is empty: it lists checks, such as accuracy")
	case err != nil:
		return nil, fmt.Errorf("no YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one document: a policy is one")
	}
	p := new(Policy)
	if n := root.Content[0]; n.Kind != yaml.MappingNode {
		return nil, at(n, "no policy: it lists checks, such as accuracy: {at_least: 0.9}")
	}
	if err := p.read(root.Content[0]); err != nil {
		return nil, err
	}
	if !p.AboutRows() && !p.aboutInputs() {
		return nil, errors.New("the policy has no check")
	}
	return p, nil
}

func (p *Policy) read(n *yaml.Node) error {
	return section(n, "a policy", map[string]func(*yaml.Node) error{
		"accuracy":               limits(&p.Accuracy, "accuracy", 0, 1),
		"classes":                p.readClasses,
		"certified":              p.readCertified,
		"ignores":                p.readIgnores,
		"monotone":               p.readMonotone,
		"same_as":                p.readSameAs,
		"output":                 limits(&p.Output, "output", -math.MaxFloat64, math.MaxFloat64),
		"no_worse_than_baseline": p.readNoWorse,
		"domain":                 text(&p.Domain, "domain"),
		"costs":                  text(&p.Costs, "costs"),
	})
}

// limits returns a function that reads {at_least: 0.9, at_most: 1}.
func limits(to **Limits, of string, least, most float64) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		l := new(Limits)
		*to = l
		if n.Kind == yaml.ScalarNode {
			return at(n, "%s is %q, want limits, such as {at_least: 0.9}", of, n.Value)
		}
		err := section(n, of, map[string]func(*yaml.Node) error{
			"at_least": some(&l.AtLeast, of+": at_least", least, most),
			"at_most":  some(&l.AtMost, of+": at_most", least, most),
		})
		switch {
		case err != nil:
			return err
		case l.AtLeast == nil && l.AtMost == nil:
			return at(n, "%s has neither at_least nor at_most", of)
		case l.AtLeast != nil && l.AtMost != nil && *l.AtLeast > *l.AtMost:
			return at(n, "%s: nothing is at least %v and at most %v", of, *l.AtLeast, *l.AtMost)
		}
		return nil
	}
}

func (p *Policy) readClasses(n *yaml.Node) error {
	return each(n, "classes", func(label string, value *yaml.Node) error {
		c, of := Class{Label: label}, "classes: "+label
		err := section(value, of, map[string]func(*yaml.Node) error{
			"recall":    limits(&c.Recall, of+": recall", 0, 1),
			"precision": limits(&c.Precision, of+": precision", 0, 1),
		})
		if err == nil && c.Recall == nil && c.Precision == nil {
			err = at(value, "%s has neither recall nor precision", of)
		}
		p.Classes = append(p.Classes, c)
		return err
	})
}

func (p *Policy) readCertified(n *yaml.Node) error {
	if n.Kind == yaml.MappingNode { // one alone
		n = &yaml.Node{Kind: yaml.SequenceNode, Line: n.Line, Content: []*yaml.Node{n}}
	}
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return at(n, "certified is a list, of radius and at_least")
	}
	for _, value := range n.Content {
		c := Certified{Norm: "inf", AtLeast: math.NaN()}
		if err := section(value, "certified", map[string]func(*yaml.Node) error{
			"radius":   checked(&c.Radius, "certified: radius", checkRadius),
			"norm":     checked(&c.Norm, "certified: norm", checkNorm),
			"costs":    text(&c.Costs, "certified: costs"),
			"domain":   text(&c.Domain, "certified: domain"),
			"at_least": number(&c.AtLeast, "certified: at_least", 0, 1),
		}); err != nil {
			return err
		}
		if c.Radius == "" || math.IsNaN(c.AtLeast) {
			return at(value, "certified needs radius and at_least")
		}
		p.Certified = append(p.Certified, c)
	}
	return nil
}

// checkRadius returns an error for a text that is no radius.
func checkRadius(text string) error {
	if _, _, err := command.Part(text); err != nil {
		return errors.New("a number from 0, or a percentage such as 2%")
	}
	return nil
}

// checkNorm returns an error for a text that is no norm.
func checkNorm(text string) error {
	if _, err := subject.ParseMeasure(text); err != nil {
		return errors.New("inf, 1, 2, or 0 for the number of features that change")
	}
	return nil
}

func (p *Policy) readIgnores(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return at(n, "ignores is a list of features, or of lists of them")
	}
	for _, value := range n.Content {
		var set Ignored
		err := set.read(value)
		if err == nil && len(set.Names) == 0 {
			err = at(value, "ignores has an empty list of features")
		}
		if err != nil {
			return err
		}
		p.Ignores = append(p.Ignores, set)
	}
	return nil
}

// read reads a feature, a list of features, or a mapping of features to how much they may differ.
func (i *Ignored) read(n *yaml.Node) error {
	if n.Kind == yaml.MappingNode {
		return each(n, "ignores", func(feature string, value *yaml.Node) error {
			apart := math.Inf(1)
			if value.Value != "any" {
				what := fmt.Sprintf("ignores: %s: any, or by how much it may differ,", feature)
				if err := number(&apart, what, 0, math.MaxFloat64)(value); err != nil {
					return err
				}
			}
			i.Names, i.Apart = append(i.Names, feature), append(i.Apart, apart)
			return nil
		})
	}
	features := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		features = n.Content
	}
	for _, f := range features {
		var name string
		if err := text(&name, "a feature of ignores")(f); err != nil {
			return err
		}
		i.Names = append(i.Names, name)
	}
	return nil
}

func (p *Policy) readMonotone(n *yaml.Node) error {
	return each(n, "monotone", func(feature string, value *yaml.Node) error {
		if value.Value != "up" && value.Value != "down" {
			return at(value, "monotone: %s is %q, want up or down", feature, value.Value)
		}
		p.Monotone = append(p.Monotone, Way{feature, value.Value})
		return nil
	})
}

func (p *Policy) readSameAs(n *yaml.Node) error {
	s := new(SameAs)
	p.SameAs = s
	if err := section(n, "same_as", map[string]func(*yaml.Node) error{
		"model":           text(&s.Model, "same_as: model"),
		"differs_at_most": some(&s.DiffersAt, "same_as: differs_at_most", 0, 1),
		"everywhere": func(n *yaml.Node) error {
			if err := n.Decode(&s.Everywhere); err != nil {
				return at(n, "same_as: everywhere is %q, want true or false", n.Value)
			}
			return nil
		},
	}); err != nil {
		return err
	}
	switch {
	case s.Model == "":
		return at(n, "same_as needs the file of a model")
	case s.DiffersAt == nil && !s.Everywhere:
		return at(n, "same_as needs differs_at_most, a share of the rows, or everywhere: true")
	}
	return nil
}

func (p *Policy) readNoWorse(n *yaml.Node) error {
	w := new(NoWorse)
	p.NoWorse = w
	of := "no_worse_than_baseline"
	err := section(n, of, map[string]func(*yaml.Node) error{
		"accuracy":  some(&w.Accuracy, of+": accuracy", 0, 1),
		"certified": some(&w.Certified, of+": certified", 0, 1),
	})
	if err == nil && w.Accuracy == nil && w.Certified == nil {
		err = at(n, "%s has neither accuracy nor certified: how much lower may they be?", of)
	}
	return err
}

// check looks at the combinations of keys.
func (p *Policy) check(baseline string) error {
	if (p.Costs != "" || p.Domain != "") && !p.aboutInputs() {
		return errors.New("costs and domain say what all inputs are, and no check is about all: " +
			"those of certified stand there")
	}
	if p.NoWorse == nil {
		return nil
	}
	if baseline == "" {
		return errors.New("no_worse_than_baseline needs --baseline, the model in service")
	}
	if p.NoWorse.Certified != nil && len(p.Certified) == 0 {
		return errors.New("no_worse_than_baseline: certified compares what certified asks, and " +
			"there is none: its at_least may be 0")
	}
	return nil
}

// AboutRows reports whether there is a check that needs test rows.
func (p *Policy) AboutRows() bool {
	return p.Accuracy != nil || p.Classes != nil || p.Certified != nil || p.NoWorse != nil ||
		p.SameAs != nil && p.SameAs.DiffersAt != nil
}

// aboutInputs reports whether there is a check about all inputs.
func (p *Policy) aboutInputs() bool {
	return p.Ignores != nil || p.Monotone != nil || p.Output != nil ||
		p.SameAs != nil && p.SameAs.Everywhere
}

// Files returns the files that the policy names.
func (p *Policy) Files() (paths []string) {
	names := []string{p.Costs}
	if p.SameAs != nil {
		names = append(names, p.SameAs.Model)
	}
	for _, c := range p.Certified {
		names = append(names, c.Costs)
	}
	for _, name := range names {
		if name != "" {
			paths = append(paths, p.file(name))
		}
	}
	return paths
}

// file returns the path of a file that the policy names.
func (p *Policy) file(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.folder, name)
}
