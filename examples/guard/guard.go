package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
)

// radii are those that are asked about.
var radii = []float64{0.02, 0.05, 0.1}

// patience and nodes are the limits of an answer.
const (
	patience = 2 * time.Millisecond
	nodes    = 1000
)

// verdict is the answer to a request.
type verdict struct {
	Label int `json:"label"`
	// RobustWithin is the largest of the radii within which no input has another label, 0 for none.
	RobustWithin float64 `json:"robust_within"`
	// Open says that a larger one may be as well: there was no time to decide.
	Open bool `json:"open,omitempty"`
}

// guard answers requests, as many at a time as there are processors.
type guard struct {
	attack attack.RegionBased
	free   chan struct{}
}

func newGuard(c classifier.Classifier) *guard {
	return &guard{
		attack: attack.RegionBased{Classifier: c, Options: attack.Options{
			Workers: 1, MaxNodes: nodes, Timeout: patience,
		}},
		free: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
}

// ServeHTTP answers a point, an array of numbers.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var x []float64
	body := http.MaxBytesReader(w, r.Body, 1<<16)
	if err := json.NewDecoder(body).Decode(&x); err != nil {
		http.Error(w, fmt.Sprintf("the request is no array of numbers: %v", err),
			http.StatusBadRequest)
		return
	}
	select {
	case g.free <- struct{}{}:
		defer func() { <-g.free }()
	case <-r.Context().Done():
		return // nobody waits any more
	}
	v, took, err := g.certify(r.Context(), x)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Server-Timing", fmt.Sprintf("judge;dur=%.4f", took.Seconds()*1e3))
	json.NewEncoder(w).Encode(v) // of an error the client hears as well
}

// certify returns the verdict about a point, and how long it takes.
func (g *guard) certify(
	ctx context.Context, x []float64,
) (v verdict, took time.Duration, err error) {
	start := time.Now()
	r, err := g.attack.RobustAt(ctx, x, radii...)
	if err != nil {
		return v, 0, err
	}
	v.Label = g.attack.Classifier.Predict(x)
	for _, radius := range radii {
		switch r.Verdict(radius) {
		case attack.Holds:
			v.RobustWithin = radius
		case attack.Undecided:
			v.Open = true
		}
	}
	return v, time.Since(start), nil
}
