package attacking

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// also are the models of --also, which are to accept examples, too.
type also struct {
	texts []string
	of    []accepting
	asked []attack.Requirement
}

// accepting is one of them: its file, and the label with which it accepts; "" for that of --target.
type accepting struct{ path, label string }

func (a *also) add(f *pflag.FlagSet) {
	f.StringArrayVar(&a.texts, "also", nil, "the example is to have this label in another model, "+
		"too: `MODEL[=LABEL]`, or MODEL=output:T for the file of a regressor whose output is to "+
		"be at least T; without a label it is that of --target; may be given more than once, "+
		"and MODEL may be a pattern, as 'boot-*.json'")
}

// find finds the files.
func (a *also) find() error {
	a.of = nil
	for _, text := range a.texts {
		path, label := text, ""
		if _, err := os.Stat(text); err != nil {
			if at := strings.LastIndexByte(text, '='); at >= 0 {
				path, label = text[:at], text[at+1:]
			}
		}
		paths := []string{path}
		if _, err := os.Stat(path); err != nil && strings.ContainsAny(path, "*?[") {
			if paths, err = filepath.Glob(path); err != nil || len(paths) == 0 {
				return fmt.Errorf("--also %s: no file has such a name", text)
			}
		}
		for _, path := range paths {
			a.of = append(a.of, accepting{path, label})
		}
	}
	return nil
}

// inputs adds the files by names of their own.
func (a *also) inputs(files map[string]string) {
	for i, of := range a.of {
		files[alsoName(i)] = of.path
	}
}

func alsoName(i int) string { return fmt.Sprintf("also-%d", i+1) }

// read reads the models, for the features of the subject.
func (a *also) read(ctx context.Context, s *subject.Subject, goal string, values int) error {
	a.asked = nil
	for i, of := range a.of {
		if of.label == "" {
			of.label = goal
		}
		r, sum, err := of.read(ctx, s, dataset.Limits{Values: values})
		if err != nil {
			return fmt.Errorf("--also %w", err)
		}
		s.Sums[alsoName(i)] = sum
		a.asked = append(a.asked, r)
	}
	return nil
}

// read reads the model, and which of its labels accepts.
func (of accepting) read(
	ctx context.Context, s *subject.Subject, limits dataset.Limits,
) (r attack.Requirement, sum string, err error) {
	if of.label == "" {
		return r, "", fmt.Errorf("%s: with which label does it accept? Say --also %s=LABEL, or "+
			"--target LABEL", of.path, of.path)
	}
	c, class, sum, err := of.open(ctx, limits)
	if err != nil {
		return r, "", err
	}
	if c, err = inFeaturesOf(s, c); err != nil {
		return r, "", fmt.Errorf("%s: %w", of.path, err)
	}
	return attack.Requirement{Classifier: c, Labels: []int{class}}, sum, nil
}

// open reads the file.
func (of accepting) open(
	ctx context.Context, limits dataset.Limits,
) (c classifier.Classifier, class int, sum string, err error) {
	if output, ok := strings.CutPrefix(of.label, "output:"); ok {
		r, sum, err := subject.ReadFile[*classifier.Regressor](ctx, of.path, limits, nil)
		if err != nil {
			return nil, 0, "", err
		}
		threshold, err := command.Number(output)
		if err == nil {
			c, err = r.Above(threshold)
		}
		if err != nil {
			return nil, 0, "", fmt.Errorf("%s=%s: %w", of.path, of.label, err)
		}
		return c, 1, sum, nil
	}
	c, sum, err = subject.ReadFile[classifier.Classifier](ctx, of.path, limits, nil)
	if err != nil {
		return nil, 0, "", err
	}
	classes, err := subject.ClassesOf(c)
	if err != nil {
		return nil, 0, "", fmt.Errorf("%s: %w", of.path, err)
	}
	class, ok := classes.Class(of.label)
	if !ok {
		return nil, 0, "", fmt.Errorf("%s: %s is no label of it; its labels are %s",
			of.path, of.label, tabular.Quoted(classes.Labels()))
	}
	return c, class, sum, nil
}

// inFeaturesOf returns a classifier that takes the features of a subject: those of its own names
// where both have names, otherwise the same ones in the same order.
func inFeaturesOf(s *subject.Subject, c classifier.Classifier) (classifier.Classifier, error) {
	names, dim := classifier.NamesOf(c), s.Classifier.Dim()
	if names.Features == nil || s.Names == nil {
		if c.Dim() != dim {
			return nil, fmt.Errorf("it has %d features, the rows have %d, and no names say which "+
				"they are", c.Dim(), dim)
		}
		return c, sameWords(s, names.Categories, nil)
	}
	at := make([]int, len(names.Features))
	for j, name := range names.Features {
		if at[j] = slices.Index(s.Names, name); at[j] < 0 {
			return nil, fmt.Errorf("the rows have no feature %q", name)
		}
	}
	if err := sameWords(s, names.Categories, at); err != nil {
		return nil, err
	}
	moves := c.Dim() != dim
	for j, to := range at {
		moves = moves || j != to
	}
	e, ok := c.(*classifier.Ensemble)
	switch {
	case !moves:
		return c, nil
	case !ok:
		return nil, fmt.Errorf("its features are in another order than those of the rows")
	}
	return subject.Moved(e, at, dim)
}

// sameWords returns an error for a model whose categories have other codes than those of a subject.
func sameWords(s *subject.Subject, words [][]string, at []int) error {
	own := classifier.NamesOf(s.Classifier).Categories
	for j, list := range words {
		to := j
		if at != nil {
			to = at[j]
		}
		if list != nil && (own == nil || !slices.Equal(list, own[to])) {
			return fmt.Errorf("its feature %d has other categories than --model, or in another "+
				"order", j)
		}
	}
	return nil
}
