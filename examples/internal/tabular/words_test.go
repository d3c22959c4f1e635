package tabular

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestWords: rows may say the words of categories, as libraries and data frames spell them.
func TestWords(t *testing.T) {
	m := Model{Dim: 4, Names: []string{"age", "city", "kind", "member"}, Words: Words{
		nil, {" Oslo", "New York, NY", "?", "NA"}, {"3", "7", "20.5"}, {"False", "True"},
	}}
	for row, want := range map[string][]float64{
		`1,Oslo,3,False`:              {1, 0, 0, 0},
		`1, Oslo ,7.0,true`:           {1, 0, 1, 1},
		`1,"New York, NY",20.50,TRUE`: {1, 1, 2, 1},
		`1,?,2.05e1,0`:                {1, 2, 2, 0}, // words that look like missing values
		`1,NA,3,1`:                    {1, 3, 0, 1},
		`?,,nan,null`:                 {math.NaN(), math.NaN(), math.NaN(), math.NaN()},
		`1,2,3,0`:                     {1, 2, 0, 0}, // a code, where no word is a number
		`1,17.5,3,0`:                  {1, 17.5, 0, 0},
		`True,Oslo,3,0`:               {1, 0, 0, 0},
	} {
		text := "age,city,kind,member,label\n" + row + ",a\n"
		o := Options{Missing: Keep, Header: Yes}
		l := &loader{o: &o, model: m}
		table, err := l.read(t.Context(), Source{Path: "t.csv"}, strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", row, err)
			continue
		}
		same := func(v, w float64) bool { return v == w || math.IsNaN(v) && math.IsNaN(w) }
		if !slices.EqualFunc(table.X, want, same) {
			t.Errorf("%s is read as %v, want %v", row, table.X, want)
		}
		if codes := strings.Contains(strings.Join(table.Notes, ""), "codes"); codes !=
			(want[1] == 17.5 || strings.HasPrefix(row, "1,2,")) {
			t.Errorf("%s: notes %q", row, table.Notes)
		}
		if slices.ContainsFunc(want, math.IsNaN) {
			continue
		}
		c, err := ReadColumns(Beginning{Path: "t.csv", Text: []byte(text)}, o, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		cells, err := c.Cells([]byte(row + ",a"))
		if err != nil {
			t.Fatal(err)
		}
		if x, _, err := c.Row(cells); err != nil || !slices.Equal(x, want) {
			t.Errorf("%s is read as %v in a pipeline, %v; want %v", row, x, err, want)
		}
	}
}

// TestUnknownWords: a word that the model does not know is an error, which names its place, the
// word and some that are known.
func TestUnknownWords(t *testing.T) {
	m := Model{Dim: 2, Names: []string{"city", "kind"}, Words: Words{
		{"Oslo", "Bergen", "Stavanger"}, {"3", "7"},
	}}
	for row, want := range map[string]string{
		"Bregen,3": `column "city": "Bregen" is none of the categories that the model knows in ` +
			`this column: "Oslo", "Bergen" and "Stavanger". Is "Bergen" meant?`,
		"oslo,3": `Is "Oslo" meant?`,
		"Oslo,8": `column "kind": "8" is none of the categories that the model knows in this ` +
			`column: "3" and "7"`,
		"Oslo,0":    `column "kind": "0" is none`, // a code, where words are numbers
		"Oslo,True": `column "kind": "True" is none`,
		"False,7":   `column "city": "False" is none`,
		"inf,7":     `column "city": "inf" is none`,
	} {
		text := "city,kind,label\nOslo,3,a\n" + row + ",a\nOslo,3,b\n"
		o := Options{}
		l := &loader{o: &o, model: m}
		_, err := l.read(t.Context(), Source{Path: "t.csv"}, strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "t.csv: line 3, ") {
			t.Errorf("%s: %v, want %q in line 3", row, err, want)
		}
		c, err := ReadColumns(Beginning{Path: "t.csv", Text: []byte(text)}, o, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		cells, err := c.Cells([]byte(row + ",a"))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.Row(cells); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v in a pipeline, want %q", row, err, want)
		}
	}
	several := "city,kind,label\nA,3,a\nB,3,a\nOslo,8,a\n"
	l := &loader{o: &Options{}, model: m}
	_, err := l.read(t.Context(), Source{Path: "t.csv"}, strings.NewReader(several))
	if err == nil || !strings.Contains(err.Error(), `line 2, column "city": "A"`) ||
		!strings.Contains(err.Error(), "2 such cells in all") ||
		!strings.Contains(err.Error(), `line 4, column "kind": "8"`) {
		t.Errorf("%v, want the first of 2, and of the other column", err)
	}
}

// TestAmbiguousWords: words that are one but for spaces, or one number, are told apart by their
// very spelling alone.
func TestAmbiguousWords(t *testing.T) {
	v := newVocabulary([]string{"a", " a", " b", "b ", "07", "7", "1", "True", "c", "c"})
	for cell, want := range map[string]float64{
		"a": 0, " a": 1, "b": -1, " b": 2, "07": 4, "7": 5, "7.0": -1, "1": 6, "True": 7,
		"true": -1, "1.0": -1, "c": -1,
	} {
		code, known := v.code(cell)
		if !known {
			code = -1
		}
		if code != want {
			t.Errorf("%q is code %v, want %v", cell, code, want)
		}
	}
	if _, known := (*vocabulary)(nil).code("a"); known {
		t.Error("a feature without words knows one")
	}
}
