package robust

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// images draws rows whose features mostly are zero: some of few values, one of one and one of many.
func images(rng *rand.Rand) instance {
	in := instance{table: &rows.Table{Len: 60 + rng.IntN(200), Dim: 12}, classes: 2 + rng.IntN(3)}
	for i := range in.table.Len {
		in.y = append(in.y, i%in.classes)
		for j := range in.table.Dim {
			value := 0.
			switch {
			case j == 3:
			case j == 5:
				value = rng.Float64()
			case rng.IntN(3) == 0:
				value = float64(1+(rng.IntN(16)+in.y[i]*j)%16) / 16
			}
			in.table.Data = append(in.table.Data, value)
		}
	}
	for range in.table.Dim {
		in.reach = append(in.reach, Reach{rng.Float64() / 4, rng.Float64() / 4})
	}
	return in
}

// TestBlocks: blocks of any size, and features one by one, grow the same trees.
func TestBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	splits := 0
	for trial := range racetest.Scale(30) {
		in := images(rng)
		d := in.data(t, 1)
		o := Options{Depth: 1 + rng.IntN(6), MinSplit: 2, MinLeaf: 1 + rng.IntN(4),
			MaxFeatures: in.table.Dim, Workers: 1}
		var want string
		for _, most := range []int{0, 17, 40, mostCells} {
			d.blocks = newBlocks(d.columns, most)
			tree, err := Tree(t.Context(), d, slices.Repeat([]int32{1}, in.table.Len), nil, o)
			if err != nil {
				t.Fatal(err)
			}
			boosted, err := Boost(t.Context(), d, 0, Boosting{Options: o, Rounds: 6, Rate: 0.5})
			if err != nil {
				t.Fatal(err)
			}
			splits += len(tree) / 2
			got := fmt.Sprint(tree, boosted)
			if want == "" {
				want = got
			}
			if got != want {
				t.Fatalf("trial %d: blocks of %d cells grow other trees than features one by one",
					trial, most)
			}
		}
	}
	if splits < racetest.Scale(300) {
		t.Errorf("%d splits were compared, want more", splits)
	}
}

// TestBlocksHold: every value is in its cell or the commonest of its feature, and all features are
// in one block, in order.
func TestBlocksHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	in := images(rng)
	d := in.data(t, 1)
	for _, most := range []int{0, 1, 17, 60, mostCells} {
		next, filled := 0, 0
		for _, b := range newBlocks(d.columns, most) {
			if b.from != next || b.to <= b.from {
				t.Fatalf("a block from %d to %d follows feature %d", b.from, b.to, next)
			}
			next = b.to
			if b.begin == nil {
				continue
			}
			filled++
			if cells := b.first[b.to-b.from]; cells > most {
				t.Errorf("%d cells, want %d at most", cells, most)
			}
			for i := range in.table.Len {
				var want []uint16
				for j := b.from; j < b.to; j++ {
					rank := d.columns[j].rank[i]
					if d.columns[j].cells() > 0 && rank != b.common[j-b.from] {
						want = append(want, uint16(b.first[j-b.from]+int(rank)))
					}
				}
				if got := b.cells[b.begin[i]:b.begin[i+1]]; !slices.Equal(got, want) {
					t.Fatalf("row %d has the cells %v, want %v", i, got, want)
				}
			}
		}
		if next != in.table.Dim || most > 16 && filled == 0 {
			t.Errorf("%d of %d features are in blocks, %d of which have cells", next,
				in.table.Dim, filled)
		}
	}
}

// TestSumsAreExact: no sum of weights is rounded, in whichever order.
func TestSumsAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	margins := make([]float64, 5000)
	for i := range margins {
		margins[i] = 40 * rng.NormFloat64()
	}
	weight := make([]float64, len(margins))
	weigh(weight, margins)
	up, down := 0., 0.
	for i := range weight {
		up += weight[i]
		down += weight[len(weight)-1-i]
	}
	if up != down || up < 0.999 || up > 1.001 {
		t.Errorf("weights add up to %v and %v", up, down)
	}
}
