package tabular

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
)

// Load reads the tables of a run. The others follow the first: they have its features, matched by
// name where both files have names, and its label column. If there is a model, the first follows
// that; LIBSVM rows may have more features, which the model does not look at.
func Load(ctx context.Context, o Options, m Model, sources ...Source) ([]*Table, error) {
	if inputs(sources) > 1 {
		return nil, errors.New("only one of the files can be standard input")
	}
	l := &loader{o: &o, model: m}
	tables := make([]*Table, len(sources))
	for i, source := range sources {
		file, err := o.open(source.Path)
		if err != nil {
			return nil, err
		}
		tables[i], err = l.read(ctx, source, file)
		file.Close()
		if err != nil {
			return nil, err
		}
	}
	if last := tables[len(tables)-1]; o.ID != "" && last.IDs == nil {
		return nil, in(last.Path, fmt.Errorf("--id: there is no column %q", o.ID))
	}
	return tables, l.join(tables)
}

// inputs counts the files that are standard input.
func inputs(sources []Source) (n int) {
	for _, source := range sources {
		for _, path := range []string{source.Path, source.Labels} {
			if path == standardInput {
				n++
			}
		}
	}
	return n
}

// loader carries the decisions of the files read so far over to the next ones.
type loader struct {
	o          *Options
	model      Model
	leader     *layout // the columns of the first file, nil if that is no text in columns
	leaderPath string
	sparse     []*dataset.Sparse // of each table, nil unless its lines are LIBSVM's
}

func (o *Options) limits() dataset.Limits { return dataset.Limits{Values: o.MaxValues} }

// read reads a table of any format. Its path, or that of its labels, begins the errors about it.
func (l *loader) read(ctx context.Context, source Source, r io.Reader) (*Table, error) {
	t := &Table{Path: nameOf(source.Path)}
	matrix, err := l.readFile(ctx, t, source, r)
	switch {
	case err != nil:
		return nil, in(t.Path, err)
	case !matrix && source.Labels != "":
		return nil, in(t.Path,
			fmt.Errorf("the file holds its labels itself: leave out %s", source.Labels))
	case !matrix:
		return t, nil
	case source.Labels == "" && !l.o.Unlabeled && t.Labels == nil:
		return nil, in(t.Path,
			errors.New(
				"the file holds no labels: name theirs too, with --train-labels or --test-labels",
			))
	case source.Labels != "":
		if err := t.readLabels(ctx, source.Labels, l.o); err != nil {
			return nil, in(nameOf(source.Labels), err)
		}
	}
	return t, in(t.Path, t.dropGaps(l.o))
}

// in puts the name of the file before an error, unless it is there already.
func in(name string, err error) error {
	if errors.Is(err, dataset.ErrLimit) {
		err = fmt.Errorf("%w; --max-values raises the limit", err)
	}
	if named := (*dataset.InputError)(nil); err == nil || errors.As(err, &named) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// readFile reads the rows, and reports whether they are a matrix whose labels are in another file.
func (l *loader) readFile(
	ctx context.Context, t *Table, source Source, r io.Reader,
) (matrix bool, err error) {
	path := source.Path
	s, err := begin(ctx, r, l.o.limits())
	if err != nil {
		return false, err
	}
	head, err := s.head()
	if err != nil {
		return false, err
	}
	f := l.o.Format
	switch {
	case f == "" && l.o.Sep != 0:
		f = CSV
	case f == "":
		if f, err = formatOf(path, head); err != nil {
			return false, err
		}
	}
	var sparse *dataset.Sparse
	switch f {
	case NPY, IDX:
		matrix, err = true, l.readMatrix(t, s, f, source.Labels)
	case LIBSVM:
		sparse, err = t.readSparse(s, t.Path, l.o)
	default:
		err = l.readText(t, s, head, f)
	}
	if err != nil {
		return matrix, err
	}
	l.sparse = append(l.sparse, sparse)
	t.Sum, err = s.checksum()
	return matrix, err
}

// readText reads a file of cells, of which the first leads the others.
func (l *loader) readText(t *Table, s *stream, head []byte, f Format) error {
	x := &text{
		Table: t, cells: newCells(s, separator(l.o, f, head), l.o), top: top{known: l.names()},
		labels: make(map[string]string), spelled: l.model.Words.vocabularies(),
	}
	return x.read(func(columns *layout) error { return l.decide(t, columns, l.o, l.model.Dim) })
}

// names returns those of the columns of the leader, or of the model's features.
func (l *loader) names() []string {
	if l.leader != nil {
		return l.leader.names()
	}
	return l.model.Names
}

// decide finds the meaning of the columns of a file. Where labels are not needed, those of the
// first file may be so many features.
func (l *loader) decide(t *Table, columns *layout, o *Options, dim int) error {
	t.columns = columns
	leader, path := l.leader, l.leaderPath
	if leader == nil {
		l.leader, l.leaderPath = columns, t.Path
		if leader, path = l.model.layout(columns), "the model"; leader == nil {
			l.noteOrder(t)
			return columns.lead(o, dim)
		}
	}
	notes, err := columns.follow(leader, t.Path, path, o)
	t.Notes = append(t.Notes, notes...)
	return err
}

// noteOrder says that the columns of a table are taken for a model's in their order although they
// have names.
func (l *loader) noteOrder(t *Table) {
	switch {
	case l.model.Dim == 0 || !t.columns.named:
	case l.model.Names == nil:
		t.note("The model has no names of features, so the columns of %s are taken in their order.",
			t.Path)
	default:
		t.note("No column of %s has a name of the model's, so they are matched in their order.",
			t.Path)
	}
}

func separator(o *Options, f Format, head []byte) rune {
	switch {
	case o.Sep != 0:
		return o.Sep
	case f == TSV:
		return '\t'
	}
	return separatorOf(head, o.Decimal == ",")
}

// join gives all tables the same features. LIBSVM indices count from 1 unless a 0 occurs in one of
// the files.
func (l *loader) join(tables []*Table) error {
	if err := l.checkOptions(tables); err != nil {
		return err
	}
	base, dim := 1, l.model.Dim
	for _, s := range l.sparse {
		if s != nil {
			base = min(base, s.MinIndex)
		}
	}
	for i, t := range tables {
		if s := l.sparse[i]; s != nil {
			dim = max(dim, s.Dim(base))
		} else {
			dim = max(dim, t.Dim)
		}
	}
	for i, t := range tables {
		if s := l.sparse[i]; s != nil {
			set, err := s.Dense(base, dim)
			if err != nil {
				return in(t.Path, err)
			}
			if least := s.Dim(base); least < dim {
				t.note("The rows of %s end with feature %d of %d; the others count as 0.",
					t.Path, least, dim)
			}
			t.X, t.Dim = set.Data, dim
		} else if err := l.checkDim(t, tables[0], dim); err != nil {
			return in(t.Path, err)
		}
	}
	return nil
}

// checkOptions refuses options about columns if no file has any.
func (l *loader) checkOptions(tables []*Table) error {
	if l.leader != nil || len(tables) == 0 ||
		(l.o.Label == "" || l.o.Label == None) && l.o.Ignore == nil {
		return nil
	}
	flag := "--label chooses"
	if l.o.Label == "" {
		flag = "--ignore leaves out"
	}
	return in(tables[0].Path,
		fmt.Errorf("%s a column of CSV and its relatives, which this file is none of", flag))
}

// checkDim compares the features of a table with those that all have.
func (l *loader) checkDim(t, first *Table, dim int) error {
	switch {
	case l.model.Dim > 0 && t.Dim != l.model.Dim:
		return fmt.Errorf("the rows have %d features where the model has %d", t.Dim, l.model.Dim)
	case t.Dim != dim && t != first:
		return fmt.Errorf("the rows have %d features where those of %s have %d",
			t.Dim, first.Path, dim)
	case t.Dim != dim:
		return fmt.Errorf("the rows have %d features where those of the other files have %d",
			t.Dim, dim)
	}
	return nil
}
