package robust

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/rows"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// TestStumpsAreTheBest compares boosted stumps with all others, each judged by enumeration of the
// places that the adversary can bring each row to: the margins of all stumps before are those of
// the worst place, and so is the loss of a stump.
func TestStumpsAreTheBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	compared := 0
	for range racetest.Count(125, 3000) {
		in := drawBands(rng)
		check := newPlaces(t, &in, Boosting{
			Options: Options{Depth: 1, MinLeaf: 1 + rng.IntN(2), MaxFeatures: in.table.Dim},
			Rounds:  6, Rate: 0.25 * float64(1+rng.IntN(4)),
		})
		compared += check.all(t)
	}
	if compared < racetest.Count(500, 12000) {
		t.Errorf("%d stumps were compared, want more", compared)
	}
}

// TestStumpsTogether: the first feature goes down and up again within the reach of a row, which no
// place brings to the worst leaves of all stumps. Few sets have such stumps.
func TestStumpsTogether(t *testing.T) {
	in := instance{
		table: &rows.Table{Len: 8, Dim: 2, Data: []float64{
			.8, .2, .6, .6, 0, .8, .8, 0, .4, .4, .8, .2, 0, 0, .4, .4,
		}},
		y: []int{1, 0, 0, 1, 0, 0, 1, 0}, classes: 2,
		reach: slices.Repeat([]Reach{{.1875, .1875}}, 2),
	}
	check := newPlaces(t, &in, Boosting{
		Options: Options{Depth: 1, MinLeaf: 1, MaxFeatures: 2}, Rounds: 12, Rate: 1,
	})
	check.all(t)
	if check.together() == 0 {
		t.Error("all margins are sums of the worst leaves")
	}
}

// drawBands draws a small set whose labels change more than once along the first feature, so that
// stumps of one feature add up to more than one step up or down.
func drawBands(rng *rand.Rand) instance {
	n, d := 4+rng.IntN(12), 1+rng.IntN(2)
	in := instance{table: &rows.Table{Len: n, Dim: d}, classes: 2}
	for range n {
		for range d {
			in.table.Data = append(in.table.Data, float64(rng.IntN(16))/16)
		}
	}
	bands, reach := float64(2+rng.IntN(4)), rng.Float64()/4
	for i := range n {
		in.y = append(in.y, int(in.table.Row(i)[0]*bands)%2)
	}
	for range d {
		in.reach = append(in.reach, Reach{reach * rng.Float64(), reach * rng.Float64()})
	}
	return in
}

// places are all that the adversary can do with the rows of a small set, as far as thresholds tell
// it apart.
type places struct {
	*instance
	options    Boosting
	ensemble   []trees.Nodes
	thresholds [][]float64   // of each feature
	of         [][][]float64 // each row's
	sums       [][]float64   // the sums of the stumps before, there
	weight     []float64
	margins    []float64
	prior      float64
}

// newPlaces boosts stumps, and takes the thresholds between all ends of reaches.
func newPlaces(t *testing.T, in *instance, o Boosting) *places {
	ensemble, err := Boost(t.Context(), in.data(t, 1), 1, o)
	if err != nil {
		t.Fatal(err)
	}
	p := &places{
		instance: in, options: o, ensemble: ensemble, of: make([][][]float64, in.table.Len),
		sums:   make([][]float64, in.table.Len),
		weight: make([]float64, in.table.Len), margins: make([]float64, in.table.Len),
		prior: prior * float64(o.MinLeaf) / float64(in.table.Len),
	}
	for feature := range in.table.Dim {
		all := in.everyThreshold(feature)
		for k := range all {
			for _, tree := range ensemble {
				if tree[0].Feature == feature && math.Abs(tree[0].Threshold-all[k]) < 1e-5 {
					all[k] = tree[0].Threshold // the same but for rounding
				}
			}
		}
		p.thresholds = append(p.thresholds, all)
	}
	for i := range p.of {
		all := [][]float64{nil}
		for feature, v := range in.table.Row(i) {
			values := []float64{v - in.reach[feature].Down, v + in.reach[feature].Up}
			for _, t := range p.thresholds[feature] {
				if values[0] < t && t <= values[1] {
					values = append(values, t)
				}
			}
			var more [][]float64
			for _, place := range all {
				for _, v := range values {
					more = append(more, append(place[:feature:feature], v))
				}
			}
			all = more
		}
		p.of[i] = all
	}
	return p
}

// all compares all stumps with others, and returns how many there are.
func (p *places) all(t *testing.T) (compared int) {
	for round, tree := range p.ensemble {
		p.weigh(p.ensemble[:round])
		if err := p.stump(tree); err != nil {
			t.Fatalf("round %d, %+v, %+v: %v", round, p.instance, p.options, err)
		}
		compared += len(tree) / 2
	}
	return compared
}

// margin returns the sum of trees at a place, for a label.
func margin(ensemble []trees.Nodes, place []float64, label int) (sum float64) {
	for _, tree := range ensemble {
		id := 0
		for tree[id].Left >= 0 {
			if place[tree[id].Feature] < tree[id].Threshold {
				id = tree[id].Left
			} else {
				id = tree[id].Right
			}
		}
		sum += float64(2*label-1) * tree[id].Value[1]
	}
	return sum
}

// weigh computes margins at the worst places, and weights.
func (p *places) weigh(before []trees.Nodes) {
	sum := 0.0
	for i, all := range p.of {
		p.sums[i] = nil
		for _, place := range all {
			p.sums[i] = append(p.sums[i], margin(before, place, p.y[i]))
		}
		p.margins[i] = slices.Min(p.sums[i])
		p.weight[i] = 1 / (1 + math.Exp(p.margins[i]))
		sum += p.weight[i]
	}
	for i := range p.weight {
		p.weight[i] /= sum
	}
}

// loss returns the weights that count for the labels when the right value is larger by so much,
// and the left one is 0: each row at its worst place.
func (p *places) loss(feature int, threshold, difference float64) (weights [2]float64) {
	weights[0] = p.prior * (1 + math.Exp(difference))
	weights[1] = p.prior * (1 + math.Exp(-difference))
	for i, all := range p.of {
		worst := 0.0
		for k, place := range all {
			m := p.sums[i][k]
			if place[feature] >= threshold {
				m += float64(2*p.y[i]-1) * difference
			}
			worst = max(worst, math.Exp(p.margins[i]-m))
		}
		weights[p.y[i]] += p.weight[i] * worst
	}
	return weights
}

// least returns the least loss of a threshold, and the difference of values that has it.
func (p *places) least(feature int, threshold float64) float64 {
	const golden = 0.6180339887498949
	low, high := -6., 6.
	loss := func(difference float64) float64 {
		w := p.loss(feature, threshold, difference)
		return 2 * math.Sqrt(w[0]*w[1])
	}
	for range 24 {
		a, b := high-golden*(high-low), low+golden*(high-low)
		if loss(a) > loss(b) {
			low = a
		} else {
			high = b
		}
	}
	return loss((low + high) / 2)
}

// stump says how a stump is not the best.
func (p *places) stump(tree trees.Nodes) error {
	const rounding = 1e-5
	total := [2]float64{p.prior, p.prior}
	for i, w := range p.weight {
		total[p.y[i]] += w
	}
	leaf := 2 * math.Sqrt(total[0]*total[1])
	least := leaf
	for feature := range p.table.Dim {
		for _, threshold := range p.thresholds[feature] {
			left, right, mustLeft, mustRight := 0, 0, 0, 0
			for i := range p.y {
				switch l, r := p.sidesOf(i, feature, threshold); {
				case l && r:
					left, right = left+1, right+1
				case l:
					left, mustLeft = left+1, mustLeft+1
				default:
					right, mustRight = right+1, mustRight+1
				}
			}
			if min(left, right) >= p.options.MinLeaf && min(mustLeft, mustRight) > 0 {
				loss := p.least(feature, threshold)
				least = min(least, loss)
			}
		}
	}
	if len(tree) == 1 {
		if least < leaf-rounding {
			return fmt.Errorf("no stump is made, and one has the loss %v, not %v", least, leaf)
		}
		return nil
	}
	feature, threshold := tree[0].Feature, tree[0].Threshold
	got := p.least(feature, threshold)
	if math.Abs(got-least) > rounding {
		return fmt.Errorf("the stump has the loss %v, another one %v", got, least)
	}
	left, right := tree[1].Value[1]/p.options.Rate, tree[2].Value[1]/p.options.Rate
	if max(math.Abs(left), math.Abs(right)) > mostValue-rounding {
		return nil // its values were cut down
	}
	w := p.loss(feature, threshold, right-left)
	if loss := w[1]*math.Exp(-left) + w[0]*math.Exp(left); loss > least+rounding {
		return fmt.Errorf("the values %v and %v have the loss %v, others %v",
			left, right, loss, least)
	}
	return nil
}

// together counts the rows whose margin is more than the sum of the worst leaves of all stumps.
func (p *places) together() (count int) {
	p.weigh(p.ensemble)
	for i := range p.of {
		sum := 0.0
		for _, tree := range p.ensemble {
			worst := math.Inf(1)
			for _, leaf := range p.leaves(tree, i) {
				worst = min(worst, float64(2*p.y[i]-1)*tree[leaf].Value[1])
			}
			sum += worst
		}
		if p.margins[i] > sum+1e-6 {
			count++
		}
	}
	return count
}
