package attacking

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/rules"
)

// also are the models of --also, which are to accept examples, too.
type also struct {
	texts  []string
	of     []accepting
	counts []count
	asked  []attack.Requirement
	files  []alsoFile
}

// alsoFile is a model as checkers of proofs are to read it: its file, "" if that is about other
// features or is no classifier.
type alsoFile struct {
	path string
	classifier.Classifier
}

// accepting is one of them: its file, and the label with which it accepts; "" for that of --target.
type accepting struct{ path, label string }

// count says that so many of the models from one to another are to accept.
type count struct{ least, first, last int }

func (a *also) add(f *pflag.FlagSet) {
	f.StringArrayVar(&a.texts, "also", nil, "the example is to have this label in another model, "+
		"too: `MODEL[=LABEL]`, or MODEL=output:T for the file of a regressor whose output is to "+
		"be at least T; without a label it is that of --target; may be given more than once, "+
		"and MODEL may be a pattern, as 'boot-*.json'; '3 of MODEL, MODEL' asks that at "+
		"least so many of those accept")
}

// find finds the files.
func (a *also) find() error {
	a.of, a.counts = nil, nil
	for _, text := range a.texts {
		c := count{first: len(a.of)}
		models := []string{text}
		if some := atLeast.FindStringSubmatch(text); some != nil {
			c.least, _ = strconv.Atoi(some[1])
			models = strings.Split(some[2], ", ")
		}
		for _, model := range models {
			if err := a.expand(model); err != nil {
				return err
			}
		}
		if c.last = len(a.of); len(models) == 1 && models[0] == text {
			continue
		}
		if c.least < 1 || c.least > c.last-c.first {
			return fmt.Errorf("--also %s: ask for at least 1 model and at most %d, as many as are "+
				"named", text, c.last-c.first)
		}
		a.counts = append(a.counts, c)
	}
	return nil
}

// atLeast is how --also asks for some of several models.
var atLeast = regexp.MustCompile(`^([0-9]{1,9}) of (.+)$`)

// expand adds the files of a model, or of a pattern.
func (a *also) expand(text string) error {
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
	a.asked, a.files = nil, nil
	var all []attack.Requirement
	for i, of := range a.of {
		if of.label == "" {
			of.label = goal
		}
		r, file, sum, err := of.read(ctx, s, dataset.Limits{Values: values})
		if err != nil {
			return fmt.Errorf("--also %w", err)
		}
		s.Sums[alsoName(i)] = sum
		all, a.files = append(all, r), append(a.files, file)
	}
	for _, r := range append(all, attack.Requirement{Classifier: s.Classifier}) {
		if len(all) > 0 && access.Follows(r.Classifier)&rules.Joint == 0 {
			return errors.New("--also: nearest neighbours and oblique trees cannot be asked " +
				"together with other models, as trees that test one feature at a time can: leave " +
				"out --also")
		}
	}
	at := 0
	for _, c := range a.counts {
		some := attack.Requirement{Least: c.least, Of: all[c.first:c.last]}
		a.asked, at = append(append(a.asked, all[at:c.first]...), some), c.last
	}
	a.asked = append(a.asked, all[at:]...)
	return nil
}

// read reads the model, and which of its labels accepts.
func (of accepting) read(
	ctx context.Context, s *subject.Subject, limits dataset.Limits,
) (r attack.Requirement, file alsoFile, sum string, err error) {
	if of.label == "" {
		return r, file, "", fmt.Errorf("%s: with which label does it accept? Say --also "+
			"%s=LABEL, or --target LABEL", of.path, of.path)
	}
	own, class, sum, err := of.open(ctx, limits)
	if err != nil {
		return r, file, "", err
	}
	c, err := inFeaturesOf(s, own)
	if err != nil {
		return r, file, "", fmt.Errorf("%s: %w", of.path, err)
	}
	if file.Classifier = c; c == own && !strings.HasPrefix(of.label, "output:") {
		file.path = of.path
	}
	return attack.Requirement{Classifier: c, Labels: []int{class}}, file, sum, nil
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
