package lightgbmfile

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
)

// bits returns the sets of categories of a tree, each as the bits of words.
func (s *section) bits(sets int) [][]uint32 {
	if s.err != nil || sets == 0 {
		return nil
	}
	if sets < 0 || sets >= s.integer("num_leaves") {
		s.note(s.errorf("num_cat", "%d", sets))
		return nil
	}
	ends := list(s, "cat_boundaries", sets+1, nil, strconv.Atoi)
	if s.err != nil {
		return nil
	}
	for i, end := range ends {
		if i == 0 && end != 0 || i > 0 && end < ends[i-1] || end > models.MostCodes/32 {
			s.note(
				s.errorf("cat_boundaries", "%d of set %d: want numbers from 0 on, none smaller "+
					"than the one before, to %d", end, i, models.MostCodes/32),
			)
			return nil
		}
	}
	words := list(s, "cat_threshold", ends[sets], nil, func(word string) (uint32, error) {
		v, err := strconv.ParseUint(word, 10, 32)
		return uint32(v), err
	})
	all := make([][]uint32, sets)
	for i := range all {
		if s.err == nil {
			all[i] = words[ends[i]:ends[i+1]]
		}
	}
	return all
}

// test is the test of a split.
type test struct {
	threshold   float64
	parted      bool // by parts, thresholds in place of the one
	parts       []float64
	left        bool // values before the first of these go left
	missingLeft bool
	codes       int // of its feature, at least; 0 for a number
}

// decide reads the test of a split. Bit 0 of its decision type says that it is categorical,
// bit 1 that missing values go left, bits 2 and 3 which values are missing: none, zeros or NaN. A
// NaN that is not missing counts as 0; where zeros are missing, it is, too.
func decide(decision int, threshold float64, sets [][]uint32) (test, error) {
	defaultLeft, zeroLeft := decision&2 != 0, 0 <= threshold
	switch {
	case decision < 0 || decision >= 12:
		return test{}, errors.New("want 0 to 11")
	case decision&1 != 0:
		return category(threshold, sets)
	case decision>>2 == 0:
		return test{threshold: flushed(threshold), missingLeft: zeroLeft}, nil
	case decision>>2 == 1 && defaultLeft != zeroLeft:
		return test{
			parted: true, parts: aroundZero(flushed(threshold)), left: true,
			missingLeft: defaultLeft,
		}, nil
	}
	return test{threshold: flushed(threshold), missingLeft: defaultLeft}, nil
}

// category returns the test of a set, whose number is the threshold: codes in the set go left, all
// others and NaN right. A value counts as the code that it is cut off to, so that −0.5 is 0.
func category(set float64, sets [][]uint32) (test, error) {
	if set < 0 || set >= float64(len(sets)) || set != math.Trunc(set) {
		return test{}, fmt.Errorf("threshold %v, want the number of one of %d sets", set, len(sets))
	}
	var codes []int
	for w, word := range sets[int(set)] {
		for ; word != 0; word &= word - 1 {
			codes = append(codes, 32*w+bits.TrailingZeros32(word))
		}
	}
	t := test{parted: true, parts: models.Ends(codes, func(code int) float64 {
		if code < 0 {
			return -1
		}
		return math.Nextafter(float64(code+1), 0)
	})}
	if len(codes) > 0 {
		t.codes = codes[len(codes)-1] + 1
	}
	return t, nil
}

// aroundZero returns the thresholds of a test with a flushed threshold that sends values that count
// as zero the other way than the threshold does.
func aroundZero(threshold float64) []float64 {
	below := math.Nextafter(-zero, math.Inf(-1))
	switch {
	case threshold == zero:
		return []float64{below}
	case threshold == below:
		return []float64{zero}
	case threshold > zero:
		return []float64{below, zero, threshold}
	}
	return []float64{threshold, below, zero}
}

// zero is the size up to which LightGBM reads an input as 0.
const zero = float64(float32(1e-35))

// flushed returns the threshold that sends inputs left as LightGBM sends them with
// threshold t after it has read small ones as 0.
func flushed(t float64) float64 {
	switch {
	case t >= 0 && t < zero:
		return zero
	case t < 0 && t >= -zero:
		return math.Nextafter(-zero, math.Inf(-1))
	}
	return t
}
