package robust

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// Reach is how far an adversary may move a feature down and up.
type Reach struct{ Down, Up float64 }

// rounding is by how much more a value may be moved, in parts of itself and of the way. Values and
// the ends of their reaches are rounded to float32, by up to 2^−24 of them each, so that of ends
// that are equal but for rounding no threshold lies between.
const rounding = 0x1p-22

// low and high return where a value may be moved to at most.
func (r Reach) low(v float32) float64 { return -Reach{Up: r.Down}.high(-v) }

func (r Reach) high(v float32) float64 {
	if r.Up == 0 {
		return float64(v)
	}
	return float64(v) + r.Up + rounding*(math.Abs(float64(v))+r.Up)
}

// Data are the rows that trees are grown on. Growing does not change them.
type Data struct {
	columns []column
	blocks  []block
	y       []int
	classes int
}

// mostWeights is how many weights a scan of a feature may keep, one for each value and class.
const mostWeights = 1 << 26

// column is a feature of every row, and the thresholds that may split them.
type column struct {
	values int      // different ones
	rank   []uint32 // of each row's value among them
	// Those that leave rows on both sides, wherever rows are moved.
	thresholds []float32
	// At each threshold: of how many of the smallest values rows may go left, and must.
	may, must []uint32
}

// NewData prepares labelled rows, whose values float32 can hold, on so many goroutines.
func NewData(
	ctx context.Context, t *rows.Table, y []int, classes int, reach []Reach, workers int,
) (*Data, error) {
	if t.Len*classes > mostWeights {
		return nil, fmt.Errorf("%w: robust splits of %d rows by %d classes, whose product may be "+
			"%d at most", rows.ErrSize, t.Len, classes, mostWeights)
	}
	d := &Data{columns: make([]column, t.Dim), y: y, classes: classes}
	err := rows.Each(ctx, workers, t.Dim, func(j int) error {
		feature := make([]float32, t.Len)
		for i := range feature {
			feature[i] = float32(t.Data[i*t.Dim+j])
		}
		d.columns[j] = newColumn(feature, reach[j])
		return nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	d.blocks = newBlocks(d.columns, mostCells)
	return d, nil
}

func newColumn(feature []float32, r Reach) column {
	values := slices.Clone(feature)
	slices.Sort(values)
	values = slices.Compact(values)
	c := column{values: len(values), rank: make([]uint32, len(feature))}
	for i, v := range feature {
		at, _ := slices.BinarySearch(values, v)
		c.rank[i] = uint32(at)
	}
	may, must := uint32(0), uint32(0)
	for _, t := range middles(values, r) {
		for int(may) < len(values) && r.low(values[may]) < float64(t) {
			may++
		}
		for int(must) < len(values) && r.high(values[must]) < float64(t) {
			must++
		}
		if must > 0 && int(may) < len(values) {
			c.thresholds = append(c.thresholds, t)
			c.may, c.must = append(c.may, may), append(c.must, must)
		}
	}
	return c
}

// middles returns the middle of each interval in which no end of a value's reach lies, if
// float32 has a number there.
func middles(values []float32, r Reach) (middles []float32) {
	ends := make([]float64, 0, 2*len(values))
	for _, v := range values {
		ends = append(ends, r.low(v), r.high(v))
	}
	slices.Sort(ends)
	for i := 1; i < len(ends); i++ {
		t := float32(ends[i-1]/2 + ends[i]/2)
		if ends[i-1] < float64(t) && float64(t) < ends[i] {
			middles = append(middles, t)
		}
	}
	return middles
}

// Splits reports whether some threshold leaves a row on either side, wherever rows are moved.
func (d *Data) Splits() bool {
	return slices.ContainsFunc(d.columns, func(c column) bool { return len(c.thresholds) > 0 })
}
