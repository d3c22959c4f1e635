package dataset

import (
	"errors"
	"slices"
	"testing"
)

func TestClasses(t *testing.T) {
	train := &Set{Labels: []float64{4, 2, 4}}
	test := &Set{Labels: []float64{-1, 2}}
	if got, want := Classes(train, test), []float64{-1, 2, 4}; !slices.Equal(got, want) {
		t.Errorf("Classes = %v, want %v", got, want)
	}
	if got := Classes(); len(got) != 0 {
		t.Errorf("Classes() = %v, want none", got)
	}
}

func TestClassIndices(t *testing.T) {
	for _, test := range []struct{ labels, classes []float64 }{
		{[]float64{4, -1, 2, 4}, []float64{-1, 2, 4}},
		{[]float64{4, -1, 2, 4}, []float64{4, 2, -1}},
		{nil, []float64{1}},
	} {
		got, err := ClassIndices(test.labels, test.classes)
		if err != nil {
			t.Fatal(err)
		}
		back := make([]float64, len(got))
		for i, c := range got {
			back[i] = test.classes[c]
		}
		if !slices.Equal(back, test.labels) {
			t.Errorf("ClassIndices(%v, %v) = %v", test.labels, test.classes, got)
		}
	}
}

func TestClassIndicesRefuses(t *testing.T) {
	got, err := ClassIndices([]float64{1, 0, 3}, []float64{0, 1})
	checkError(t, err, "row 2", "unknown label 3")
	if !errors.Is(err, ErrUnknownLabel) || got != nil {
		t.Errorf("ClassIndices = %v, %v, want nil, ErrUnknownLabel", got, err)
	}
	_, err = ClassIndices([]float64{1}, []float64{1, 2, 1})
	checkError(t, err, "1 is listed twice")
}
