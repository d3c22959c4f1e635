package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// TestRun: all requests are answered, and no goroutine stays.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), &out, 3*clients); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"192 requests, 64 at a time", "p99.9", "robust within"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestWrongUse: an unknown flag is refused, before anything is printed.
func TestWrongUse(t *testing.T) {
	for _, arg := range []string{"--requests", "9"} {
		var out, stderr strings.Builder
		status := program().Run(t.Context(), []string{arg}, &out, &stderr)
		if status != 2 || out.Len() > 0 || !strings.Contains(stderr.String(), arg) {
			t.Errorf("%s: status %d, %s%s", arg, status, &out, &stderr)
		}
	}
}

// trained is a forest on halfmoon, and test points.
func trained(t *testing.T) (forest *classifier.Ensemble, points [][]float64) {
	t.Helper()
	set, err := protocol.Load(t.Context(), "halfmoon")
	if err != nil {
		t.Fatal(err)
	}
	forest, err = classifier.TrainForest(t.Context(), set.Train, set.TrainY,
		classifier.ForestOptions{Trees: 20, TreeOptions: classifier.TreeOptions{MaxDepth: 4}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		points = append(points, set.Test.RawRowView(i))
	}
	return forest, points
}

// TestBurden: verdicts are the forest's labels, and true of the exact distances; the bounds that
// are not open are as large as can be.
func TestBurden(t *testing.T) {
	forest, points := trained(t)
	f, err := burden(t.Context(), newGuard(forest), points, 2*len(points))
	if err != nil {
		t.Fatal(err)
	}
	if f.after > f.before {
		t.Errorf("%d goroutines before, %d after", f.before, f.after)
	}
	if f.bytes > 4096 && !racetest.Enabled { // which takes memory from pools
		t.Errorf("a verdict allocates %d bytes", f.bytes)
	}
	exact := &attack.RegionBased{Classifier: forest}
	want := map[verdict]int{}
	for _, x := range points {
		r, err := exact.Perturb(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		v := verdict{Label: forest.Predict(x)}
		for _, radius := range radii {
			if r.Distance > radius {
				v.RobustWithin = radius
			}
		}
		got, _, err := newGuard(forest).certify(t.Context(), x)
		if err != nil || got.Label != v.Label || got.RobustWithin > v.RobustWithin ||
			!got.Open && got.RobustWithin < v.RobustWithin {
			t.Errorf("%v: %+v, %v, want %+v", x, got, err, v)
		}
		want[v] += 2
	}
	for v, n := range f.verdicts {
		if !v.Open && n > want[v] {
			t.Errorf("%d verdicts %+v, want %d", n, v, want[v])
		}
	}
}

// TestRefused: a request without a point is the client's mistake.
func TestRefused(t *testing.T) {
	forest, _ := trained(t)
	for _, body := range []string{"", `{"x": 1}`, "[1]", "[1, 1e999]", strings.Repeat("[", 1<<17)} {
		w := httptest.NewRecorder()
		newGuard(forest).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(),
			http.MethodPost, "/", strings.NewReader(body)))
		if w.Code != http.StatusBadRequest || w.Body.Len() == 0 {
			t.Errorf("%.20q: %d %s", body, w.Code, w.Body)
		}
	}
}
