package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestReadLIBSVM(t *testing.T) {
	const text = "\ufeff# a comment\r\n" +
		"+1 1:0.5 3:-2e3\r\n" +
		"\n" +
		"-1\t2:4 \t 4:0 # the rest 9:9\n" +
		"2.5\n" +
		"  1 4:7"
	s, err := ReadLIBSVM(strings.NewReader(text), "a", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if s.MinIndex != 1 || s.MaxIndex != 4 {
		t.Errorf("indices = %d to %d, want 1 to 4", s.MinIndex, s.MaxIndex)
	}
	labels := []float64{1, -1, 2.5, 1}
	for _, test := range []struct {
		base, dim int
		data      []float64
	}{
		{1, 4, []float64{0.5, 0, -2000, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7}},
		{0, 5, []float64{0, 0.5, 0, -2000, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7}},
		{1, 5, []float64{0.5, 0, -2000, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0}},
	} {
		set, err := s.Dense(test.base, test.dim)
		if err != nil {
			t.Fatal(err)
		}
		checkSet(t, set, test.dim, test.data, labels)
	}
}

func TestReadLIBSVMWithoutFeatures(t *testing.T) {
	s, err := ReadLIBSVM(strings.NewReader("1\n0\n"), "a", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Dim(1); got != 0 {
		t.Errorf("Dim(1) = %d, want 0", got)
	}
	set, err := s.Dense(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	checkSet(t, set, 2, []float64{0, 0, 0, 0}, []float64{1, 0})
	_, err = s.Dense(1, 0)
	checkError(t, err, "no features")
}

func TestDenseRefuses(t *testing.T) {
	s, err := ReadLIBSVM(strings.NewReader("1 0:1 5:1\n"), "a", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		base, dim int
		want      string
	}{
		{1, 9, "indices 0 to 5 do not fit 9 features counted from 1"},
		{0, 5, "indices 0 to 5 do not fit 5 features counted from 0"},
		{0, MaxFeatures + 1, "too large"},
	} {
		set, err := s.Dense(test.base, test.dim)
		checkError(t, err, test.want)
		if set != nil {
			t.Errorf("Dense(%d, %d) returned a set with its error", test.base, test.dim)
		}
	}
}

func TestDenseRefusesManyRows(t *testing.T) {
	rows := DefaultValues/MaxFeatures + 1
	text := fmt.Sprintf("1 %d:1\n", MaxFeatures) + strings.Repeat("0\n", rows-1)
	s, err := ReadLIBSVM(strings.NewReader(text), "a", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Dense(1, s.Dim(1))
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("Dense of %d rows of %d features: %v, want ErrTooLarge", rows, MaxFeatures, err)
	}
}

func TestReadLIBSVMRefuses(t *testing.T) {
	const good = "1 1:1\n\n"
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{"file.txt: no data", "no rows"}},
		{"blank", " \n\t\n# nothing\n", []string{"file.txt: no data"}},
		{"label", good + "x 1:1", []string{"file.txt:3: label", `"x" is not a number`}},
		{"label NaN", good + "nan 1:1", []string{":3:", `label "nan" is not a finite number`}},
		{"two labels", good + "1,2 1:1", []string{":3:", `"1,2"`}},
		{"missing label", good + "1:1 2:1", []string{":3:", `starts with "1:1" where its label`}},
		{"no colon", good + "1 2", []string{":3:", `"2" is not of the form`}},
		{"value", good + "1 2:x", []string{":3:", `value of feature 2: "x" is not a number`}},
		{"no value", good + "1 2:", []string{":3:", `value of feature 2: "" is not a number`}},
		{"two colons", good + "1 2:3:4", []string{":3:", `"3:4" is not a number`}},
		{"NaN", good + "1 2:NaN", []string{":3:", `"NaN" is not a finite`}},
		{"Inf", good + "1 2:-inf", []string{":3:", `"-inf" is not a finite`}},
		{"overflow", good + "1 2:1e999", []string{":3:", `"1e999" is beyond the range`}},
		{"duplicate", good + "1 2:1 2:1", []string{":3:", "feature 2 is given twice", `"2:1"`}},
		{"decreasing", good + "1 3:1 2:5", []string{":3:", "feature 2 follows feature 3", `"2:5"`}},
		{"negative index", good + "1 -1:5", []string{":3:", `"-1" is not a whole number`}},
		{"signed index", good + "1 +1:5", []string{":3:", `"+1" is not a whole number`}},
		{"index", good + "1 qid:5", []string{":3:", `"qid" is not a whole number`}},
		{"no index", good + "1 :5", []string{":3:", `"" is not a whole number`}},
		{"fractional index", good + "1 1.5:5", []string{":3:", `"1.5" is not a whole number`}},
		{"large index", good + "1 1048577:5", []string{":3:", "too large", `"1048577:5"`}},
		{"larger index", good + "1 99999999999999999999:5",
			[]string{":3:", "too large", `"99999999999999999999:5"`}},
		{"long token", good + "1 " + strings.Repeat("y", 1000),
			[]string{":3:", strings.Repeat("y", 40) + `"…`}},
		{"long line", good + strings.Repeat("1", maxLine+1), []string{":3:", "too large", "bytes"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := ReadLIBSVM(strings.NewReader(test.text), "file.txt", Limits{})
			checkError(t, err, test.want...)
			if s != nil {
				t.Errorf("rows were returned with the error: %v", s)
			}
			if len(err.Error()) > 300 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

func TestErrorsAreTyped(t *testing.T) {
	_, err := ReadLIBSVM(strings.NewReader("1 1:1\n1 9999999:1\n"), "f", Limits{})
	var input *InputError
	if !errors.As(err, &input) || input.File != "f" || input.Row != 2 ||
		!errors.Is(err, ErrTooLarge) {
		t.Errorf("error = %#v, want an InputError of f, line 2, wrapping ErrTooLarge", err)
	}
	_, err = ReadLIBSVM(strings.NewReader(""), "g", Limits{})
	if !errors.As(err, &input) || input.File != "g" || input.Row != 0 || !errors.Is(err, ErrEmpty) {
		t.Errorf("error = %#v, want an InputError of g wrapping ErrEmpty", err)
	}
}

// TestReadErrorsPassThrough checks that a failing reader's error is kept and
// placed after the last complete line.
func TestReadErrorsPassThrough(t *testing.T) {
	broken := errors.New("the disk is broken")
	if _, err := ReadLIBSVM(&failing{"1 1:1\n", broken}, "f", Limits{}); !errors.Is(err, broken) ||
		!strings.HasPrefix(err.Error(), "f:2: ") {
		t.Errorf("error = %v, want f:2: %v", err, broken)
	}
	if _, err := ReadNPY(&failing{"\x93NUM", broken}, "f", Limits{}); !errors.Is(err, broken) {
		t.Errorf("error = %v, want %v", err, broken)
	}
}

// failing yields a text and then an error.
type failing struct {
	text string
	err  error
}

func (f *failing) Read(p []byte) (int, error) {
	if f.text == "" {
		return 0, f.err
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}

func TestRowAppendDoesNotReachTheNextRow(t *testing.T) {
	s := &Set{Data: []float64{1, 2, 3, 4}, Rows: 2, Dim: 2}
	_ = append(s.Row(0), 9)
	if got, want := s.Row(1), []float64{3, 4}; !slices.Equal(got, want) {
		t.Errorf("row 1 = %v, want %v", got, want)
	}
}
