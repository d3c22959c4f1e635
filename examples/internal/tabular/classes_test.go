package tabular_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// labelled returns a table of rows with these labels.
func labelled(labels ...string) *tabular.Table {
	return &tabular.Table{
		Path:      "file",
		X:         make([]float64, len(labels)),
		Rows:      len(labels),
		Dim:       1,
		Labels:    labels,
		LabelName: "c",
	}
}

func TestLearned(t *testing.T) {
	many := func(n int, format string) (texts []string) {
		for i := range n {
			texts = append(texts, fmt.Sprintf(format, i))
		}
		return texts
	}
	for _, c := range []struct {
		texts []string
		want  string // the labels in JSON, and the notes
	}{
		{[]string{"10", "+1", "1.0", "-2", "1e1"}, `[-2,1,10]`},
		{[]string{"0.5", "-0", "0"}, `[0,0.5]`},
		{[]string{"y", "x", "y"}, `["x","y"]`},
		{[]string{"1", "01", "x", "y"}, `["01","1","x","y"]`},
		{[]string{"1", "2", "3", "3o"}, "[\"1\",\"2\",\"3\",\"3o\"]\nThe labels of file are " +
			"words, numbers too, because of \"3o\"."},
		{[]string{"a<b", "é"}, `["a<b","é"]`},
		{[]string{"x", "x"}, "[\"x\"]\nAll rows of file have the label x, so no input gets " +
			"another one: is that the column of the labels?"},
		{many(19, "%d"), `[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]`},
		{many(20, "%d"), `file: the label's column, "c", holds 20 different numbers in 20 rows, ` +
			`from 0 to 19: it looks like measurements or an index, not like labels. Say with ` +
			`--label which column they are in`},
		{slices.Repeat(many(21, "%d.5"), 3),
			`holds 21 different numbers in 63 rows, from 0.5 to 20.5: it looks like measurements`},
		{many(20, "r%02d"), "\nThe label's column, \"c\", of file holds 20 different words in 20 " +
			"rows: are these the labels? --label chooses the column."},
	} {
		table := labelled(c.texts...)
		classes, err := tabular.Learned(table)
		got := fmt.Sprint(err)
		if err == nil {
			var text strings.Builder
			encoder := json.NewEncoder(&text)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(classes.Labels()); err != nil {
				t.Fatal(err)
			}
			got = text.String() + strings.Join(table.Notes, "\n")
		}
		if got = strings.TrimSpace(got); !strings.Contains(got, c.want) ||
			!strings.ContainsAny(c.want, "\n:") && got != c.want {
			t.Errorf("%q: %s, want %s", c.texts, got, c.want)
		}
	}
}

// TestOf: labels in any spelling have their class, and unknown ones are an error or Unknown.
func TestOf(t *testing.T) {
	numbers, err := tabular.Numbered([]float64{3, -1})
	if err != nil {
		t.Fatal(err)
	}
	words, err := tabular.Named([]string{"malignant", "benign"})
	if err != nil {
		t.Fatal(err)
	}
	digits, err := tabular.Named([]string{"01", "2"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		classes *tabular.Classes
		texts   []string
		allow   bool
		want    string
	}{
		{numbers, []string{"-1.0", "+3", "3e0"}, false, "[1 0 0]"},
		{words, []string{"benign", "malignant"}, false, "[1 0]"},
		{digits, []string{"1", "2.0"}, false, "[0 1]"},
		{words, []string{"benign", "Benign"}, false,
			`file: 1 of 2 rows have a label that is none of the classes: "Benign". The classes ` +
				`are "malignant" and "benign". --classes names the classes of a model in its ` +
				`order; --unknown-labels wrong counts test rows like these as errors`},
		{numbers, []string{"M", "B", "M"}, false, `file: 3 of 3 rows have a label that is none ` +
			`of the classes: "M" and "B". The classes are "3" and "-1". --label says where the ` +
			`labels stand, --classes names the classes of a model in its order`},
		{words, []string{"benign", "0", "0.0"}, true,
			`[1 -1 -1]file: 2 of 3 rows have a label that is none of the classes and count as ` +
				`errors: "0" and "0.0".`},
		{numbers, []string{"3", "4", "4.0"}, true,
			`[0 -1 -1]file: 2 of 3 rows have a label that is none of the classes and count as ` +
				`errors: "4".`},
	} {
		table := labelled(c.texts...)
		y, err := c.classes.Of(table, c.allow)
		got := fmt.Sprint(y) + strings.Join(table.Notes, "\n")
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.texts, got, c.want)
		}
	}
	if _, err := tabular.Named([]string{"1", "1.0"}); err == nil ||
		err.Error() != "the label 1 is listed twice" {
		t.Error(err)
	}
}

// TestLabelJSON: a label comes back, and only labels are read.
func TestLabelJSON(t *testing.T) {
	classes, err := tabular.Named([]string{"1", "-2.5", "1e300"})
	if err != nil {
		t.Fatal(err)
	}
	words, err := tabular.Named([]string{"1", "x\"<"})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range slices.Concat(classes.Labels(), words.Labels()) {
		text, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		var back tabular.Label
		if err := json.Unmarshal(text, &back); err != nil || back != l {
			t.Errorf("%s comes back as %v, %v", text, back, err)
		}
	}
	for _, text := range []string{"null", "true", "[]", "1e999"} {
		var l tabular.Label
		if err := json.Unmarshal([]byte(text), &l); err == nil {
			t.Errorf("%s is label %v", text, l)
		}
	}
}

// TestLargeLabels: whole numbers beyond 2⁵³ that float64 does not hold are words, so that two
// labels do not become one.
func TestLargeLabels(t *testing.T) {
	for _, tt := range []struct {
		texts []string
		json  string
	}{
		{[]string{"9007199254740992", "9007199254740993"},
			`["9007199254740992","9007199254740993"]`},
		{[]string{"-9007199254740993", "1e20"}, `["-9007199254740993","1e20"]`},
		{[]string{"9007199254740992", "1152921504606846976"},
			`[9007199254740992,1152921504606847000]`},
		{[]string{"9007199254740991", "100000000000000000000"},
			`[9007199254740991,100000000000000000000]`},
	} {
		c, err := tabular.Named(tt.texts)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(c.Labels())
		if err != nil || string(text) != tt.json {
			t.Errorf("%q: labels %s, %v, want %s", tt.texts, text, err, tt.json)
		}
		for want, label := range tt.texts {
			if class, known := c.Class(label); !known || class != want {
				t.Errorf("%s of %q is class %d, %v", label, tt.texts, class, known)
			}
		}
	}
}
