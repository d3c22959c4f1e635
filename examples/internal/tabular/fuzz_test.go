package tabular_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// FuzzRead: of any bytes there comes a table that holds together, or an error about the file.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"a,b,c\n1,2,x\n", ",a;b\tc\r\n\"1\n\",2\n", "1 1:2\n", "0,1,2\n3,4,5\n",
		"\ufeff#a b\n 1  2 \n", "\x93NUMPY\x01\x00", "\x1f\x8b", "a,b\n?,NA\n1,2\n",
		array([]float64{1, math.NaN()}, "2, 1"), "\x00\x00\x08\x01\x00\x00\x00\x01\x05",
	} {
		f.Add(text, "", "", byte(0), byte(0))
	}
	formats := []tabular.Format{"", tabular.LIBSVM, tabular.CSV, tabular.TSV, tabular.NPY,
		tabular.IDX}
	f.Fuzz(func(t *testing.T, text, label, ignore string, sep, flags byte) {
		o := tabular.Options{
			Format: formats[int(flags>>2)%len(formats)], Sep: rune(sep), Label: label,
			MaxValues: 1 << 12, Missing: []string{tabular.Refuse, tabular.Drop}[flags&1],
			Unlabeled: flags&2 > 0,
		}
		if ignore != "" {
			o.Ignore = strings.Split(ignore, ",")
		}
		got, err := read(t, text, o)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "file:") {
				t.Fatalf("%v: about no file", err)
			}
			return
		}
		if got.Rows < 1 || got.Dim < 1 || len(got.X) != got.Rows*got.Dim || len(got.X) > 1<<12 ||
			got.Labels != nil && len(got.Labels) != got.Rows ||
			got.Names != nil && len(got.Names) != got.Dim {
			t.Fatalf("%d rows of %d features: %s", got.Rows, got.Dim, show(got))
		}
		if slices.ContainsFunc(
			got.X, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) },
		) || slices.Contains(got.Labels, "") {
			t.Fatalf("no number or no label: %s", show(got))
		}
		if got.Labels == nil {
			return
		}
		classes, err := tabular.Learned(got)
		if err != nil {
			return
		}
		if y, err := classes.Of(got, false); err != nil || slices.Contains(y, tabular.Unknown) {
			t.Fatalf("classes %v of %v, %v", classes.Labels(), y, err)
		}
	})
}

// TestManyTables writes random tables in random ways and reads them back.
func TestManyTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		w := written{
			rows:  1 + rng.IntN(5),
			dim:   1 + rng.IntN(4),
			sep:   []string{",", ";", "\t", "|"}[rng.IntN(4)],
			named: rng.IntN(2) > 0,
		}
		w.label = rng.IntN(w.dim + 1)
		text, want := w.text(rng)
		o := tabular.Options{Label: fmt.Sprint(w.label)}
		if rng.IntN(2) > 0 {
			o.Sep = rune(w.sep[0])
		}
		got, err := read(t, text, o)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got.Rows != w.rows || got.Dim != w.dim || !slices.Equal(got.X, want.X) ||
			!slices.Equal(got.Labels, want.Labels) || !slices.Equal(got.Names, want.Names) {
			t.Fatalf("%q: %s, want %s", text, show(got), show(want))
		}
	}
}

// written says how a table is written.
type written struct {
	rows, dim, label int
	sep              string
	named            bool
}

// text writes a random table, of quoted and padded cells, and returns the table that is to be read.
func (w *written) text(rng *rand.Rand) (string, *tabular.Table) {
	var b strings.Builder
	want := &tabular.Table{}
	cell := func(text string) string {
		if rng.IntN(4) == 0 || strings.ContainsAny(text, ",;\t|\"\n") {
			return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
		return text
	}
	line := func(cells []string) {
		for i, text := range cells {
			cells[i] = cell(text)
		}
		b.WriteString(strings.Join(cells, w.sep) + []string{"\n", "\r\n", "\n\n"}[rng.IntN(3)])
	}
	if w.named {
		var names []string
		for j := range w.dim {
			names = append(names, fmt.Sprintf("name %c", 'a'+j))
		}
		want.Names, want.LabelName = names, "the label"
		line(slices.Insert(slices.Clone(names), w.label, "the label"))
	}
	for range w.rows {
		var cells []string
		for range w.dim {
			v := math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20)
			want.X = append(want.X, v)
			cells = append(cells, fmt.Sprint(v))
		}
		label := []string{"x", "y z", "1", `q"t`, "ü"}[rng.IntN(5)]
		want.Labels = append(want.Labels, label)
		line(slices.Insert(cells, w.label, label))
	}
	return b.String(), want
}
