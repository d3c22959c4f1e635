package tabular_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// inPieces reads a text line by line.
func inPieces(c *tabular.Columns, text string) (x []float64, labels, faults []string) {
	for line := range strings.Lines(text[c.Offset:]) {
		if c.Blank([]byte(line)) {
			continue
		}
		cells, err := c.Cells([]byte(line))
		var row []float64
		label := ""
		if err == nil {
			row, label, err = c.Row(cells)
		}
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		x, labels = append(x, row...), append(labels, label)
	}
	return x, labels, faults
}

// TestPiecesAreTheWhole: rows read one by one are those that Load reads, led by a training set.
func TestPiecesAreTheWhole(t *testing.T) {
	const train = "a,b,c\n1,2,x\n3,4,y\n"
	for name, c := range map[string]struct {
		train, test string
		o           tabular.Options
	}{
		"alike":         {train, "a,b,c\n5,6,x\n7,8,y\n", tabular.Options{}},
		"another order": {train, "c,b,a\nx,6,5\ny,8,7\n", tabular.Options{}},
		"more columns":  {train, "a,id,b,city,c\n5,1,6,Rome,x\n", tabular.Options{}},
		"an index more": {train, ",a,b,c\n7,5,6,x\n8,7,8,y\n", tabular.Options{}},
		"no header":     {"1,2,x\n3,4,y\n", "0,1,x\n1,2,y\n", tabular.Options{}},
		"no names here": {train, "5,6,x\n", tabular.Options{}},
		"semicolons":    {train, "a;b;c\n5;6;x\n", tabular.Options{}},
		"tabs":          {train, "a\tb\tc\n5\t6\tx\n", tabular.Options{}},
		"spaces":        {train, "a b c\n5 6 x \n 7  8 y\n", tabular.Options{}},
		"blank lines":   {train, "\n\na,b,c\r\n\r\n5,6,x\r\n   \n7,8,y", tabular.Options{}},
		"marked":        {train, "\ufeffa,b,c\n5,6,x\n", tabular.Options{}},
		"quotes":        {train, "\"q, r\",b,a,\"c\"\n\"q,\",6,5,\"x\"\n", tabular.Options{}},
		"label first":   {"c,a,b\nx,1,2\ny,3,4\n", "c,a,b\nx,5,6\n", tabular.Options{Label: "c"}},
		"LIBSVM before": {"1 1:1 2:2\n0 2:1\n", "5,6,1\n7,8,0\n", tabular.Options{}},
	} {
		files := folder(t, map[string]string{"train": c.train, "test": c.test})
		tables, err := tabular.Load(t.Context(), c.o, tabular.Model{},
			tabular.Source{Path: filepath.Join(files, "train")}, tabular.Source{
				Path: filepath.Join(files, "test"),
			})
		if err != nil {
			t.Fatal(name, err)
		}
		columns, err := tabular.ReadColumns(
			tabular.Beginning{Path: filepath.Join(files, "test"), Text: []byte(c.test)}, c.o,
			tabular.Model{}, tables[0],
		)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		x, labels, faults := inPieces(columns, c.test)
		want := tables[1]
		if faults != nil || !reflect.DeepEqual(x, want.X) ||
			!reflect.DeepEqual(labels, want.Labels) ||
			!reflect.DeepEqual(columns.Names, want.Names) {
			t.Errorf("%s: %v %q %q, faults %q, want %v %q %q",
				name, x, labels, columns.Names, faults, want.X, want.Labels, want.Names)
		}
	}
}

// TestFaultsOfPieces: a fault in a row is an error of that row alone.
func TestFaultsOfPieces(t *testing.T) {
	const text = "a,b,c\n1,2,x\n1,NaN,x\n1,2\n1,2,3,x\n1,2e,x\n1,2,\n1,1e999,x\n1,+Inf,x\n1,\"2," +
		"x\n3,4,y\n"
	columns, err := tabular.ReadColumns(tabular.Beginning{Path: "FILE", Text: []byte(text)},
		tabular.Options{}, tabular.Model{Dim: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, labels, faults := inPieces(columns, text)
	if want := []float64{
		1, 2, 3, 4,
	}; !reflect.DeepEqual(x, want) || !reflect.DeepEqual(labels, []string{"x", "y"}) {
		t.Errorf("%v %q, want %v", x, labels, want)
	}
	want := []string{
		`column "b" has no value: "NaN"`,
		"it has 2 cells where the first line has 3",
		"it has 4 cells where the first line has 3",
		`column "b": "2e" is not a number`,
		`column "c" has no value: ""`,
		`column "b": "1e999" is beyond the range of a float64`,
		`column "b": "+Inf" is not a finite number`,
		`extraneous or missing " in quoted-field (cells are separated by ',')`,
	}
	if !reflect.DeepEqual(faults, want) {
		t.Errorf("faults %q, want %q", faults, want)
	}
}

// TestColumnsOfPieces: files that cannot be read row by row are refused, and names alone are
// enough.
func TestColumnsOfPieces(t *testing.T) {
	model := tabular.Model{Dim: 2, Names: []string{"a", "b"}}
	for name, c := range map[string]struct {
		b    tabular.Beginning
		want string
	}{
		"LIBSVM": {tabular.Beginning{Text: []byte("1 1:2 2:3\n")},
			"FILE: rows of libsvm cannot be read in parts, only those of CSV and its relatives"},
		"too few": {tabular.Beginning{Text: []byte("1,2\n3,4\n")},
			"FILE: the rows have 1 features where the model has 2"},
		"nothing": {tabular.Beginning{Text: []byte("\n")},
			"FILE: no data: there are no rows"},
		"a column less": {tabular.Beginning{Names: []string{"a", "c"}},
			`FILE: the file lacks column "b" of the model`},
	} {
		c.b.Path = "FILE"
		if _, err := tabular.ReadColumns(c.b, tabular.Options{}, model, nil); err == nil ||
			!strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	columns, err := tabular.ReadColumns(
		tabular.Beginning{Path: "FILE", Names: []string{"label", "b", "a"}},
		tabular.Options{Label: "label"}, model, nil,
	)
	if err != nil {
		t.Fatal(err)
	}
	if x, label, err := columns.Row([]string{"no", "2", "1"}); err != nil || label != "no" ||
		!reflect.DeepEqual(x, []float64{1, 2}) {
		t.Errorf("%v %q %v", x, label, err)
	}
}
