package dataset

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

func TestSplit(t *testing.T) {
	// RandomState(0) shuffles 0..9 to 2 8 4 9 1 6 7 3 0 5.
	for _, test := range []struct {
		size        int
		train, test []int
	}{
		{0, []int{2, 8, 4, 9, 1, 6, 7, 3, 0, 5}, nil},
		{3, []int{2, 8, 4, 9, 1, 6, 7}, []int{3, 0, 5}},
		{10, nil, []int{2, 8, 4, 9, 1, 6, 7, 3, 0, 5}},
	} {
		trainRows, testRows, err := Split(10, test.size, numpyrand.New(0))
		if err != nil || !slices.Equal(trainRows, test.train) ||
			!slices.Equal(testRows, test.test) {
			t.Errorf("Split(10, %d) = %v, %v, %v, want %v, %v",
				test.size, trainRows, testRows, err, test.train, test.test)
		}
		if cap(trainRows) != len(trainRows) {
			t.Errorf("Split(10, %d): appending to the training rows would overwrite the test rows",
				test.size)
		}
	}
	for _, size := range []int{-1, 11} {
		_, _, err := Split(10, size, numpyrand.New(0))
		checkError(t, err, "10 rows")
	}
}

func TestAttacked(t *testing.T) {
	correct := make([]bool, 20)
	for i := 0; i < len(correct); i += 2 {
		correct[i] = true
	}
	// The correct positions 0, 2, …, 18 in the order of RandomState(0).
	order := []int{4, 16, 8, 18, 2, 12, 14, 6, 0, 10}
	for _, test := range []struct{ n, want int }{{-1, 0}, {0, 0}, {4, 4}, {10, 10}, {11, 10}} {
		got := Attacked(correct, test.n, numpyrand.New(0))
		if want := order[:test.want]; !slices.Equal(got, want) {
			t.Errorf("Attacked(…, %d) = %v, want %v", test.n, got, want)
		}
	}
	if got := Attacked(make([]bool, 5), 3, numpyrand.New(0)); len(got) != 0 {
		t.Errorf("Attacked without correct points = %v, want none", got)
	}
}

func TestNumber(t *testing.T) {
	got := Number(&Set{Labels: []float64{4, 2, 4}}, &Set{Labels: []float64{-1, 2}})
	if want := "[[2 1 2] [0 1]]"; fmt.Sprint(got) != want {
		t.Errorf("Number = %v, want %v", got, want)
	}
	if got := Number(); len(got) != 0 {
		t.Errorf("Number() = %v, want none", got)
	}
}
