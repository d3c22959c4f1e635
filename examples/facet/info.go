package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/internal/access"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// describing are the flags of facet info.
type describing struct {
	flags  *pflag.FlagSet
	path   string
	values int
	vote   *classifier.Vote
	save   string

	overwrite bool
}

func beginInfo(f *pflag.FlagSet) command.Work {
	d := &describing{flags: f}
	f.StringVar(&d.save, "save", "", "write the model in facet's own format to this `file`, with "+
		"the vote of --vote")
	command.Overwrite(f, &d.overwrite)
	subject.AddVote(f, &d.vote)
	command.Var(f, &d.values, "max-values", strconv.Itoa(dataset.DefaultValues),
		command.AtLeast(1), "refuse files of more than 16·`N` bytes of contents")
	return d.run
}

// run describes a model file, and saves it, or describes a table.
func (d *describing) run(ctx context.Context, stdout, _ io.Writer) error {
	d.path = d.flags.Arg(0)
	err := outfile.Check([]string{d.path}, d.overwrite,
		outfile.Output{Flag: "save", Path: d.save})
	if err != nil {
		return command.Misuse(err)
	}
	if t, is, err := d.readTable(ctx); is {
		if err == nil && d.save != "" {
			err = fmt.Errorf("--save writes models, and %s is a table", d.path)
		}
		if err != nil {
			return command.Misuse(err)
		}
		return printRows(t, stdout)
	}
	m, classes, err := d.read(ctx)
	if err != nil {
		return command.Misuse(err)
	}
	if d.save != "" {
		err := outfile.Write(d.save, func(w io.Writer) error { return modelfile.Write(w, m) })
		if err != nil {
			return fmt.Errorf("--save: %w", err)
		}
		if outfile.IsStdout(d.save) {
			return nil
		}
	}
	return d.print(m, classes, stdout)
}

// print describes the file.
func (d *describing) print(m *models.Model, classes []string, stdout io.Writer) error {
	t := command.NewTable(stdout)
	t.Row("file", "%s", d.path)
	t.Row("format", "%s", m.Format)
	t.Row("kind", "%s", kindOf(m))
	t.Row("features", "%s", listed(m.Dim, m.FeatureNames))
	if text := categories(m); text != "" {
		t.Row("categories", "%s", text)
	}
	if m.Kind == models.Regressor {
		t.Row("output", "%s", outputs[m.Link])
	} else {
		t.Row("classes", "%s", listed(len(classes), classes))
	}
	describeTrees(m, t)
	return t.Flush()
}

// read reads the file, and the labels of the classes. A model that no command can use is an error.
func (d *describing) read(ctx context.Context) (m *models.Model, labels []string, err error) {
	var fault error // of the file's contents
	err = subject.ReadWith(ctx, d.path, dataset.Limits{Values: d.values}, func(r io.Reader) {
		m, labels, fault = d.readLabels(r)
	})
	switch {
	case errors.Is(err, os.ErrNotExist):
		err = fmt.Errorf("%s: there is no such file", d.path)
	case errors.Is(err, syscall.EISDIR):
		err = fmt.Errorf("%s is a folder, not a model", d.path)
	case err == nil && fault != nil:
		err = fmt.Errorf("%s: %w", d.path, fault)
	}
	return m, labels, err
}

// readLabels reads a model once, and the labels of its classes, none of a regressor.
func (d *describing) readLabels(r io.Reader) (m *models.Model, labels []string, err error) {
	var vote trees.Rule
	if d.vote != nil {
		vote = trees.Rule(*d.vote)
	}
	m, model, err := access.File(r, vote)
	switch {
	case err != nil && d.vote != nil:
		return nil, nil, fmt.Errorf("--vote: %w", err)
	case err != nil:
		return nil, nil, err
	}
	c, ok := model.(classifier.Classifier)
	if !ok {
		return m, nil, nil
	}
	classes, err := subject.ClassesOf(c)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range classes.Labels() {
		labels = append(labels, l.String())
	}
	return m, labels, nil
}

// kindOf names the kind of the model.
func kindOf(m *models.Model) string {
	switch m.Kind {
	case models.KNN:
		return fmt.Sprintf("%d-nearest neighbours of %d training rows", m.K, len(m.Rows))
	case models.WeightedKNN:
		return fmt.Sprintf("%d-nearest neighbours of %d training rows, weighted by distance",
			m.K, len(m.Rows))
	case models.ObliqueTree:
		return "oblique decision tree"
	case models.ObliqueEnsemble:
		return plural(len(m.Trees), "oblique decision tree")
	case models.Tree:
		return "decision tree"
	}
	return plural(len(m.Trees), "decision tree")
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// describeTrees says how large trees are and how they decide.
func describeTrees(m *models.Model, t command.Table) {
	if len(m.Trees) == 0 {
		return
	}
	nodes, leaves, depth := 0, 0, 0
	for _, tree := range m.Trees {
		l, d := measure(tree)
		nodes, leaves, depth = nodes+tree.Len(), leaves+l, max(depth, d)
	}
	t.Row("nodes", "%d, of them %d leaves", nodes, leaves)
	t.Row("depth", "%d, the longest path", depth)
	if m.Kind == models.Regressor {
		t.Row("sum", "%s",
			map[trees.Rule]string{trees.Soft: "the mean of the trees", trees.Sum: "the sum of " +
				"the trees"}[m.Vote.Rule])
	}
	if m.Kind == models.Ensemble || m.Kind == models.ObliqueEnsemble {
		t.Row("vote", "%s", votes[m.Vote.Rule])
	}
	if m.Kind.IsAxis() {
		t.Row("goes left", "%s", comparisons[m.Comparison])
	}
}

// outputs explain the function of the sum s of a regressor's trees, or their mean.
var outputs = map[trees.Link]string{
	trees.Identity:      "s, a number",
	trees.Exponential:   "e^s, a positive number",
	trees.Sigmoid:       "1/(1+e^-s), a number from 0 to 1",
	trees.SignedSquare:  "s·|s|, a number",
	trees.Rest:          "1+s, a number from 0 to 1",
	trees.SigmoidRest:   "1-1/(1+e^s), a number from 0 to 1",
	trees.FoldedSigmoid: "1/(1+e^-s), a number from 0 to 1",
	trees.Isolation:     "-2^-s, a number from -1 to 0: the score of an isolation forest",
	trees.Curved:        "a calibrated probability, a number from 0 to 1",
	trees.CurveRest:     "1 less a calibrated probability, a number from 0 to 1",
}

// votes explain how trees decide together.
var votes = map[trees.Rule]string{
	trees.Soft:     "soft: the class frequencies of the leaves are averaged",
	trees.Hard:     "hard: the label that most trees predict",
	trees.Sum:      "sum: leaf values are added, the largest sum wins",
	trees.Logistic: "logistic: leaf values are added, label 1 wins with a probability above 1/2",
	trees.Softmax:  "softmax: leaf values are added, the largest probability wins",
}

// comparisons explain which rows go left at a split.
var comparisons = map[trees.Comparison]string{
	trees.AtMostFloat32: "float32(x) ≤ threshold",
	trees.AtMostFloat64: "x ≤ threshold",
	trees.BelowFloat32:  "float32(x) < threshold",
	trees.BelowFloat64:  "x < threshold",
}

// measure counts the leaves of a tree, and the splits on its longest path. Children come after
// their parents.
func measure(tree trees.Plain) (leaves, depth int) {
	above, n := make([]int32, tree.Len()), trees.Node{}
	for i := range above {
		tree.Read(i, &n)
		if n.Left < 0 {
			leaves++
			depth = max(depth, int(above[i]))
			continue
		}
		above[n.Left], above[n.Right] = above[i]+1, above[i]+1
	}
	return leaves, depth
}

// categories names the features that are categories, and the names of their codes or how many there
// are.
func categories(m *models.Model) string {
	var names []string
	for f, codes := range m.Categories {
		if codes == 0 {
			continue
		}
		text := costs.Name(m.FeatureNames, f)
		if m.CategoryNames == nil || len(m.CategoryNames[f]) == 0 {
			names = append(names, fmt.Sprintf("%s (%d codes)", text, codes))
			continue
		}
		names = append(names, fmt.Sprintf("%s (%s)", text, first(m.CategoryNames[f])))
	}
	if names == nil {
		return ""
	}
	return listed(len(names), names)
}

// first lists some of several names.
func first(names []string) string {
	const most = 12
	text := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		text += ", …"
	}
	return text
}

// listed is a number and the first of its names.
func listed(n int, names []string) string {
	text := strconv.Itoa(n)
	if len(names) > 0 {
		text += ": " + first(names)
	}
	return text
}
