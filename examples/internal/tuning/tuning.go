// Package tuning chooses how boosted trees are trained by what is certified of rows held out.
//
// Few rows in a leaf fit the training rows and their noise, many only what is plain. Which is best
// for inputs within a radius is asked of the exact search: trees are trained on some rows, and the
// accuracy that is certified of the others decides. Folds are taken from one random division of the
// rows into five after another, until enough rows have been held out.
package tuning

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// Options say what is tried.
type Options struct {
	Boosted classifier.BoostedOptions // but for MinLeaf
	Radius  float64                   // at which rows are certified
	Seed    uint32                    // of the folds
	Workers int                       // trainings at a time; 0: one per core
	// Begin is told how many trainings there are, and returns what is called after each, maybe by
	// several goroutines at once; nil: nobody is told.
	Begin func(trainings int) (done func())
}

// Tried is a setting and what it comes to.
type Tried struct {
	MinLeaf int // of all rows
	Judged
	Chosen bool
}

// shares are the least parts of the rows that are tried for a leaf, of leastRows at least.
var shares = [...]float64{0, 0.01, 0.04, 0.16}

const (
	leastRows = 5
	folds     = 5
	// enough is how many rows are held out in all, where there is more than one fold.
	enough = 1500
)

// MinLeaf returns the options with the MinLeaf of which most is certified, the smallest of equal
// ones, and all that were tried.
func MinLeaf(
	ctx context.Context, x *mat.Dense, y []int, o Options,
) (classifier.BoostedOptions, []Tried, error) {
	n := len(y)
	if n < 2*folds {
		return o.Boosted, nil, fmt.Errorf("%d rows are too few to hold some of them out", n)
	}
	held, shares := heldOut(y, o.Seed), distinct(n)
	judged := make([]Judged, len(shares)*len(held))
	done := func() {}
	if o.Begin != nil {
		done = o.Begin(len(judged))
	}
	err := rows.Each(ctx, o.Workers, len(judged), func(job int) (err error) {
		defer done()
		options := o.Boosted
		fold := held[job%len(held)]
		options.MinLeaf = minLeaf(shares[job/len(held)], n-len(fold))
		options.Workers = 1
		judged[job], err = trainedWithout(ctx, x, y, fold, options, o.Radius)
		return err
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return o.Boosted, nil, err
	}
	tried, best := make([]Tried, len(shares)), 0
	for k := range tried {
		tried[k].MinLeaf = minLeaf(shares[k], n)
		for _, j := range judged[k*len(held) : (k+1)*len(held)] {
			tried[k].Add(j)
		}
		if tried[k].Certified > tried[best].Certified {
			best = k
		}
	}
	tried[best].Chosen = true
	o.Boosted.MinLeaf = tried[best].MinLeaf
	return o.Boosted, tried, nil
}

func minLeaf(share float64, n int) int { return max(leastRows, int(share*float64(n))) }

// distinct returns the shares that differ of n rows.
func distinct(n int) []float64 {
	return slices.CompactFunc(slices.Clone(shares[:]), func(a, b float64) bool {
		return minLeaf(a, n) == minLeaf(b, n)
	})
}

// Folds returns a division of the rows into five, each of which has its part of each label.
func Folds(y []int, seed uint32) [][]int {
	return divide(y, rand.New(rand.NewPCG(uint64(seed), 1)))
}

func divide(y []int, rng *rand.Rand) [][]int {
	next, division := map[int]int{}, make([][]int, folds)
	for _, i := range rng.Perm(len(y)) {
		fold := next[y[i]] % folds
		division[fold] = append(division[fold], i)
		next[y[i]]++
	}
	return division
}

// heldOut returns folds of one division after another.
func heldOut(y []int, seed uint32) (held [][]int) {
	rng := rand.New(rand.NewPCG(uint64(seed), 0))
	for count := 0; count < enough; {
		for _, fold := range divide(y, rng) {
			if count >= enough {
				break
			}
			held = append(held, fold)
			count += len(fold)
		}
	}
	return held
}

// trainedWithout trains on all rows but some, and judges these.
func trainedWithout(
	ctx context.Context, x *mat.Dense, y, held []int, o classifier.BoostedOptions, radius float64,
) (Judged, error) {
	out := make([]bool, len(y))
	for _, i := range held {
		out[i] = true
	}
	var in []int
	for i := range y {
		if !out[i] {
			in = append(in, i)
		}
	}
	trainX, trainY := Select(x, y, in)
	c, err := classifier.TrainBoosted(ctx, trainX, trainY, o)
	if err != nil {
		return Judged{}, err
	}
	testX, testY := Select(x, y, held)
	return Judge(ctx, c, testX, testY, radius, 1)
}

// Select returns some rows and their labels.
func Select(x *mat.Dense, y, of []int) (*mat.Dense, []int) {
	_, dim := x.Dims()
	some, labels := mat.NewDense(len(of), dim, nil), make([]int, len(of))
	for k, i := range of {
		some.SetRow(k, x.RawRowView(i))
		labels[k] = y[i]
	}
	return some, labels
}
