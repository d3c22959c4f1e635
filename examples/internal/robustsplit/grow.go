package robustsplit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/numpyrand"
)

// Options are the parameters of growing.
type Options struct {
	MaxDepth int
	Trees    int     // on bootstrap samples; 0 for one tree on all rows
	Epsilon  float64 // how far features may be moved
	Seed     uint32  // of a forest
	Workers  int     // trees grown at a time; 0 for one a core
}

var _ classifier.Trainer = Options{}.Train

var errClasses = errors.New("the rows must have the labels 0 and 1")

// Train is a classifier.Trainer.
func (o Options) Train(ctx context.Context, x mat.Matrix, y []int) (classifier.Classifier, error) {
	n, dim := x.Dims()
	if n != len(y) || n == 0 || slices.Min(y) != 0 || slices.Max(y) != 1 {
		return nil, fmt.Errorf("robust splitting as printed: %d rows, %d labels: %w",
			n, len(y), errClasses)
	}
	data := grower{
		options: o,
		dim:     dim,
		y:       y,
		x:       make([]float32, n*dim),
		weights: make([]float64, n),
	}
	for i := range n {
		data.weights[i] = 1
		for j := range dim {
			data.x[i*dim+j] = float32(x.At(i, j))
		}
	}
	if o.Trees == 0 {
		return data.grow(ctx)
	}
	members := make([]*classifier.Tree, o.Trees)
	rng := numpyrand.New(o.Seed)
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(cmp.Or(o.Workers, runtime.GOMAXPROCS(0)))
	for i := range members {
		g, seed := data, uint32(rng.Randint(0, math.MaxInt32))
		workers.Go(func() (err error) {
			g.bootstrap(numpyrand.New(seed))
			members[i], err = g.grow(ctx)
			return err
		})
	}
	if err := workers.Wait(); err != nil {
		return nil, err
	}
	return classifier.NewEnsemble(members, classifier.EnsembleOptions{})
}

// grower grows trees depth first, left child first.
type grower struct {
	options Options
	dim     int
	x       []float32
	y       []int
	weights []float64 // how often each row was drawn
	rows    []int     // that were drawn, those of a node in one run
	nodes   []classifier.TreeNode
}

func (g *grower) bootstrap(rng *numpyrand.Rand) {
	g.weights = make([]float64, len(g.y))
	for range g.weights {
		g.weights[rng.Randint(0, int64(len(g.weights)))]++
	}
}

func (g *grower) grow(ctx context.Context) (*classifier.Tree, error) {
	g.rows, g.nodes = g.rows[:0], nil
	for i, w := range g.weights {
		if w > 0 {
			g.rows = append(g.rows, i)
		}
	}
	if _, err := g.node(ctx, 0, len(g.rows), 0); err != nil {
		return nil, err
	}
	return classifier.NewTree(g.dim, classifier.AtMostFloat32, g.nodes)
}

// node grows the node of the rows first ≤ i < end, and the tree below it.
func (g *grower) node(ctx context.Context, first, end, depth int) (id int, err error) {
	id = len(g.nodes)
	of := g.count(g.rows[first:end])
	all := of[0] + of[1]
	g.nodes = append(g.nodes, classifier.TreeNode{
		Feature: -1,
		Left:    -1,
		Right:   -1,
		Value:   []float64{of[0] / all, of[1] / all},
	})
	if depth == g.options.MaxDepth || end-first < 2 || of[0] == 0 || of[1] == 0 {
		return id, ctx.Err()
	}
	s := g.bestSplit(first, end)
	if !s.found {
		return id, ctx.Err()
	}
	g.divide(first, end, s)
	if g.worse(first, first+s.left, end, of) {
		return id, ctx.Err()
	}
	left, err := g.node(ctx, first, first+s.left, depth+1)
	if err != nil {
		return id, err
	}
	right, err := g.node(ctx, first+s.left, end, depth+1)
	n := &g.nodes[id]
	n.Feature, n.Threshold, n.Left, n.Right = s.feature, float64(s.threshold), left, right
	return id, err
}

// count returns how many rows of each class there are, as often as drawn.
func (g *grower) count(rows []int) (of [2]float64) {
	for _, i := range rows {
		of[g.y[i]] += g.weights[i]
	}
	return of
}

// divide moves the rows that a split sends left in front of the others.
func (g *grower) divide(first, end int, s split) {
	for p := first; p < end; {
		if i := g.rows[p]; g.x[i*g.dim+s.feature] <= s.threshold {
			p++
			continue
		}
		end--
		g.rows[p], g.rows[end] = g.rows[end], g.rows[p]
	}
}

// worse reports whether children add impurity to the node, whose class counts are given.
func (g *grower) worse(first, middle, end int, of [2]float64) bool {
	const rounding = 0x1p-52
	weighted := func(of [2]float64) float64 {
		return (of[0] + of[1]) * (part(of[0], of[0]+of[1]) + part(of[1], of[0]+of[1]))
	}
	gain := weighted(of) - weighted(g.count(g.rows[first:middle])) -
		weighted(g.count(g.rows[middle:end]))
	return gain < -rounding*float64(len(g.rows))
}

// part is the contribution to the entropy of a class that has k of n rows.
func part(k, n float64) float64 {
	if k <= 0 {
		return 0
	}
	return -k / n * math.Log2(k/n)
}
