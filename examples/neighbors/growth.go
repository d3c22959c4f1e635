package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/memory"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
	"github.com/seed-1a7dc1f9/facet/examples/internal/progress"
	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/metrics"
)

// dim is the dimension of the points drawn.
const dim = 10

// size has the measurements with a number of training rows.
type size struct {
	rows  int
	build time.Duration // of the classifier
	metrics.Robustness
	median, mean, most float64 // milliseconds a point
	nodes, programs    float64 // means
	memory             uint64  // MiB
}

// series is the growth of one k.
type series struct {
	k     int
	sizes []size
	law   law
}

// measureGrowth measures all sizes, prints the table and draws the picture.
func (s *settings) measureGrowth(ctx context.Context, stdout, stderr io.Writer) error {
	if err := outfile.Folder(filepath.Dir(s.out)); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	var all []*series
	for _, k := range s.ks {
		grown := &series{k: k}
		for _, rows := range s.sizes {
			measured, err := s.measureSize(ctx, k, rows, stderr)
			if err != nil {
				return fmt.Errorf("k = %d, %d rows: %w", k, rows, err)
			}
			grown.sizes = append(grown.sizes, measured)
		}
		grown.law = fit(grown.sizes)
		all = append(all, grown)
	}
	if err := s.figure(all).Save(s.out); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return s.printGrowth(stdout, all)
}

func (s *settings) measureSize(ctx context.Context, k, rows int, stderr io.Writer) (size, error) {
	measured := size{rows: rows}
	peak := memory.New()
	queries, x, y := s.draw(rows)
	start := time.Now()
	knn, err := classifier.TrainKNN(ctx, x, y, classifier.KNNOptions{K: k})
	if err != nil {
		return measured, err
	}
	measured.build = time.Since(start)
	points, err := progress.Evaluate(ctx, knn, queries, nil, metrics.Options{
		Norm: s.norm, Workers: 1,
		Attack: &attack.RegionBased{
			Classifier: knn,
			Options:    attack.Options{Norm: s.norm, Workers: 1, Timeout: s.timeout},
		},
	}, fmt.Sprintf("k = %d, %d rows", k, rows), stderr)
	if err != nil {
		return measured, err
	}
	measured.memory = peak.Bytes() >> 20
	return measured, measured.sum(points)
}

// sum sums up the time and the counts of the points.
func (z *size) sum(points []metrics.Point) (err error) {
	var times []float64
	for _, p := range points {
		times = append(times, 1000*p.Time.Seconds())
		z.nodes += float64(p.Nodes) / float64(len(points))
		z.programs += float64(p.Solves) / float64(len(points))
	}
	slices.Sort(times)
	z.median, z.mean, z.most = stat.Quantile(0.5, stat.LinInterp, times, nil), stat.Mean(times,
		nil), times[len(times)-1]
	z.Robustness, err = metrics.EmpiricalRobustness(points)
	return err
}

// draw returns the queries and the training set. The queries are the first points of
// the stream: they and the first training rows are the same for every size.
func (s *settings) draw(rows int) (queries, x *mat.Dense, y []int) {
	points := dataset.Overlapping
	if s.clusters {
		points = dataset.Clusters
	}
	all, labels := points(rand.New(rand.NewPCG(1, dim)), s.queries+rows, dim)
	queries = mat.DenseCopyOf(all.Slice(0, s.queries, 0, dim))
	return queries, all.Slice(s.queries, s.queries+rows, 0, dim).(*mat.Dense), labels[s.queries:]
}

// printGrowth prints the measurements and where the picture is.
func (s *settings) printGrowth(w io.Writer, all []*series) error {
	fmt.Fprintf(w, "data: %s in %d dimensions, %d queries\n", s.distribution(), dim, s.queries)
	fmt.Fprintf(w, "attack: exact, norm %v, one core, %s\n\n", s.norm, s.limit())
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "k\trows\tproven\tmean distance\tmedian ms\tmean ms\tworst "+
		"ms\tnodes\tprograms\tbuild s\tMiB\t")
	for _, grown := range all {
		for _, z := range grown.sizes {
			fmt.Fprintf(table, "%d\t%d\t%d of %d\t%s\t%.4g\t%.4g\t%.4g\t%.4g\t%.4g\t%.3g\t%d\t\n",
				grown.k, z.rows, z.Optimal, z.Attacked, mean(z.Mean), z.median, z.mean, z.most,
				z.nodes, z.programs, z.build.Seconds(), z.memory)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, grown := range all {
		fmt.Fprintf(w, "k = %d: median time grows like %v\n", grown.k, grown.law)
	}
	_, err := fmt.Fprintf(w, "picture written to %s\n", s.out)
	return err
}

// limit describes the time limit.
func (s *settings) limit() string {
	if s.timeout == 0 {
		return "no time limit"
	}
	return fmt.Sprintf("at most %v a point", s.timeout)
}

// mean shows a mean, or that there is none.
func mean(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.6g", v)
}

// distribution says where the points come from.
func (s *settings) distribution() string {
	if s.clusters {
		return "16 clusters"
	}
	return "two overlapping normals"
}

// law is the power law factor·rows^exponent.
type law struct {
	factor, exponent float64 // of milliseconds; NaN when there are too few sizes
}

// fit returns the law with the least squares of the logarithms of the medians.
func fit(sizes []size) law {
	if len(sizes) < 2 {
		return law{math.NaN(), math.NaN()}
	}
	var rows, medians []float64
	for _, z := range sizes {
		rows = append(rows, math.Log(float64(z.rows)))
		medians = append(medians, math.Log(z.milliseconds()))
	}
	intercept, slope := stat.LinearRegression(rows, medians, nil, false)
	return law{math.Exp(intercept), slope}
}

// at returns the milliseconds.
func (l law) at(rows float64) float64 { return l.factor * math.Pow(rows, l.exponent) }

// String shows the exponent.
func (l law) String() string {
	if math.IsNaN(l.exponent) {
		return "n^? (one size is too few)"
	}
	return fmt.Sprintf("n^%.2f", l.exponent)
}

// milliseconds returns the median time, at least the nanosecond that a clock tells, so that
// it has a logarithm.
func (z *size) milliseconds() float64 { return max(z.median, 1e-6) }
