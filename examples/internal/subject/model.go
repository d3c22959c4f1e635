package subject

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// Model is a model that was read, not trained here.
type Model struct {
	path    string
	sum     string // SHA-256
	classes *tabular.Classes
	classifier.Classifier
	regressor *classifier.Regressor // that the classifier is made of, if it is
}

// readModel reads the file of --model in any of the formats that classifier.Read knows.
func (s *Flags) readModel(ctx context.Context) (*Model, error) {
	path, limits := s.Model, dataset.Limits{Values: s.MaxValues}
	m := &Model{path: path}
	err := s.readInto(ctx, m, limits)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf(
			"--model %s: neither knn, tree, forest, boosted nor oblique, and there is no such "+
				"file%s", path, command.Meant(path, "", models),
		)
	case err != nil:
		return nil, fmt.Errorf("--model %w", err)
	}
	return m, nil
}

// readInto reads the model that answers the question, of a regressor or of labels.
func (s *Flags) readInto(ctx context.Context, m *Model, limits dataset.Limits) (err error) {
	switch {
	case s.asks() && s.Of == "":
		m.regressor, m.sum, err = ReadFile[*classifier.Regressor](ctx, m.path, limits, nil)
	case s.asks():
		m.Classifier, m.sum, err = ReadFile[classifier.Classifier](ctx, m.path, limits, nil)
	default:
		m.Classifier, m.sum, err = ReadFile[classifier.Classifier](ctx, m.path, limits, s.Vote)
	}
	if err != nil {
		return err
	}
	if s.asks() {
		err = s.answer(m, s.Classes)
	} else {
		m.classes, err = ClassesOf(m.Classifier)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", m.path, err)
	}
	return nil
}

// ReadWith gives a file within the limits to read, which reads it to its end unless it is faulty.
// Its error is one of reading.
func ReadWith(
	ctx context.Context, path string, limits dataset.Limits, read func(io.Reader),
) error {
	_, err := command.UnlessEnded(ctx, func() (none struct{}, err error) {
		file, err := os.Open(path)
		if err != nil {
			return none, err
		}
		defer file.Close()
		r := &failing{r: dataset.Guard(ctx, file, limits)}
		if read(r); r.err != io.EOF {
			return none, r.err
		}
		return none, nil
	})
	if errors.Is(err, dataset.ErrLimit) {
		return fmt.Errorf("%s: %w; --max-values raises the limit", path, err)
	}
	return err
}

// failing remembers why reading ended.
type failing struct {
	r   io.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	f.err = err
	return n, err
}

// ReadAll reads a file within the limits.
func ReadAll(ctx context.Context, path string, limits dataset.Limits) ([]byte, error) {
	var text []byte
	err := ReadWith(ctx, path, limits, func(r io.Reader) { text, _ = io.ReadAll(r) })
	return text, err
}

// ReadInput reads the file of a flag within the limits, and keeps its sum.
func (d *Data) ReadInput(
	ctx context.Context, flag, path string, limits dataset.Limits,
) ([]byte, error) {
	text, err := ReadAll(ctx, path, limits)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	d.Sums[flag] = fmt.Sprintf("%x", sha256.Sum256(text))
	return text, nil
}

// ClassesOf returns the labels that a model lists, or the numbers of its classes.
func ClassesOf(c classifier.Classifier) (*tabular.Classes, error) {
	names := classifier.NamesOf(c)
	if names.Classes != nil {
		return tabular.Named(names.Classes)
	}
	values := names.ClassValues
	for class := len(values); class < c.Classes(); class++ {
		values = append(values, float64(class))
	}
	return tabular.Numbered(values)
}

// features are those that the model takes.
func (m *Model) features() tabular.Model {
	names := classifier.NamesOf(m.Classifier)
	return tabular.Model{Dim: m.Dim(), Names: names.Features, Words: names.Categories}
}

// categories returns of each feature how many codes the model declares, nil if it declares none.
func (m *Model) categories() []int {
	if c, ok := m.Classifier.(interface{ Categories() []int }); ok {
		return c.Categories()
	}
	return nil
}

// widen lets the trees take rows with more features than they were trained on, which
// LIBSVM files may have; they never look at them.
func (m *Model) widen(dim int) error {
	if dim == m.Dim() {
		return nil
	}
	model, ok := m.Classifier.(*classifier.Ensemble)
	if !ok {
		return fmt.Errorf("the rows have %d features, the model %s %d", dim, m.path, m.Dim())
	}
	at := make([]int, m.Dim())
	for j := range at {
		at[j] = j
	}
	wide, err := Moved(model, at, dim)
	if err != nil {
		return err
	}
	m.Classifier = wide
	return nil
}

// Moved returns a vote of trees over so many features, which finds its own feature j in at[j].
func Moved(model *classifier.Ensemble, at []int, dim int) (*classifier.Ensemble, error) {
	trees := make([]*classifier.Tree, model.Len())
	for i := range trees {
		tree := model.Tree(i)
		nodes := tree.Nodes()
		for n := range nodes {
			if nodes[n].Left >= 0 {
				nodes[n].Feature = at[nodes[n].Feature]
			}
		}
		moved, err := classifier.NewTree(dim, tree.Comparison(), nodes)
		if err != nil {
			return nil, err
		}
		trees[i] = moved
	}
	opts := model.Options()
	if own := opts.Categories; own != nil {
		opts.Categories = make([]int, dim)
		for j, n := range own {
			opts.Categories[at[j]] = n
		}
	}
	return classifier.NewEnsemble(trees, opts)
}
