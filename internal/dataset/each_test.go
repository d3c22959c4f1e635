package dataset

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestEach reads rows one at a time, as ReadLIBSVM keeps them, and records.
func TestEach(t *testing.T) {
	var got []string
	err := EachRow(strings.NewReader("1 1:5 3:-2.5\n# none\n2\n"),
		"a", func(y float64, index []int, value []float64) error {
			got = append(got, fmt.Sprint(y, index, value))
			return nil
		})
	if want := "1 [1 3] [5 -2.5]; 2 [] []"; err != nil || strings.Join(got, "; ") != want {
		t.Errorf("rows %q, %v, want %q", got, err, want)
	}
	got = nil
	err = EachRecord(strings.NewReader("1, 22,-3\n\n4e1\n"), "a", func(values []float64) error {
		got = append(got, fmt.Sprint(values))
		return nil
	})
	if want := "[1 22 -3]; [40]"; err != nil || strings.Join(got, "; ") != want {
		t.Errorf("records %q, %v, want %q", got, err, want)
	}
}

func TestEachRefuses(t *testing.T) {
	refuse := errors.New("refused")
	row := func(float64, []int, []float64) error { return refuse }
	record := func([]float64) error { return refuse }
	checkError(t, EachRow(strings.NewReader("\n1 1:x\n"), "a", row), `a:2: value of feature 1: "x"`)
	checkError(t, EachRow(strings.NewReader("1 1:1\n"), "a", row), "a:1: refused")
	checkError(t, EachRecord(strings.NewReader("1,,2\n"), "a", record), `a:1: "" is not a number`)
	checkError(t, EachRecord(strings.NewReader("1,2\n"), "a", record), "a:1: refused")
}
