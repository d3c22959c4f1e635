package checkers

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

var (
	mutants  = flag.Int("mutants", 0, "how many changed proofs to check; 0 means a few")
	byPython = flag.Int("python", 16, "give every so manieth to the checker in Python, too")
)

// tally counts the verdicts about the changed proofs of a kind.
type tally struct {
	made, refused, python int
	same                  int // accepted, and they claim no more than the proof that was changed
	true                  int // accepted, and the attack proves their claims
	// accepted, and the attack neither proves it nor finds an example that is clearly nearer
	open int
}

// hunt checks changed proofs.
type hunt struct {
	t      *testing.T
	rng    *rand.Rand
	p      *python.Checker
	counts map[string]*tally
}

// TestMutants changes proofs: one that is still accepted must be true.
func TestMutants(t *testing.T) {
	t.Parallel()
	h := &hunt{t, rand.New(rand.NewPCG(*seed, 3)), python.StartChecker(t, folder),
		map[string]*tally{}}
	total := *mutants
	if total == 0 {
		total = instance.Count(2400, 80_000)
	}
	fixed, draw := slices.DeleteFunc(corpusSubjects(t),
		func(s *subject) bool { return s.properties }), drawSubjects
	if fixed != nil {
		draw = func(*testing.T, *rand.Rand) []*subject { return nil }
	} else {
		fixed = append(recordedSubjects(t, h.rng, 3),
			largeSubjects(t, h.rng, instance.Count(1, 30))...)
		fixture.Each(t, func(t *testing.T, c fixture.Case) {
			fixed = append(fixed, fixtureSubjects(t, c, 1)...)
		})
	}
	// -timeout ends it early, with the counts until then.
	end, limited := t.Deadline()
	for done := 0; done < total && (!limited || time.Until(end) > 20*time.Second); {
		some := append(draw(t, h.rng), fixed[h.rng.IntN(len(fixed))])
		for _, s := range some {
			for range 20 * min(1, len(s.proofs)) {
				h.change(s)
				done++
			}
		}
	}
	for _, c := range changes {
		n := h.counts[c.kind]
		t.Logf("%-18s %6d made, %6d refused, %5d claim no more, %4d true by the attack, %3d "+
			"open, %5d in Python too", c.kind, n.made, n.refused, n.same, n.true, n.open, n.python)
		if n.refused == 0 && !racetest.Enabled { // which makes few
			t.Errorf("%s: none of %d was refused", c.kind, n.made)
		}
	}
}

// change changes one proof of a subject, and looks at the checkers' verdicts.
func (h *hunt) change(s *subject) {
	c := changes[h.rng.IntN(len(changes))]
	p := s.proofs[h.rng.IntN(len(s.proofs))]
	model, file := c.do(h.rng, s, p)
	n := h.counts[c.kind]
	if n == nil {
		n = new(tally)
		h.counts[c.kind] = n
	}
	if file == nil {
		return
	}
	n.made++
	var claims []proof.Claim
	m, err := s.model, error(nil)
	if !bytes.Equal(model, s.file) {
		m, err = proof.ReadModel(bytes.NewReader(model))
	}
	if err == nil {
		err = proof.Check(bytes.NewReader(file), m,
			func(c proof.Claim) error { claims = append(claims, c); return nil })
	}
	// Python takes a second to read a large forest.
	if n.made%*byPython == 0 && (len(model) < 20_000 || n.made%(4**byPython) == 0) {
		n.python++
		if verdict := h.p.Refuses(h.t, model, file); (verdict == "") != (err == nil) {
			h.t.Errorf("%s, %s: attack/proof says %v, check_proofs.py %q\n%.1500s\n%.1500s",
				s.name, c.kind, err, verdict, model, file)
		}
	}
	if err != nil {
		n.refused++
		return
	}
	for _, claim := range claims {
		h.judge(s, model, p, claim, n)
	}
}

// judge finds out whether an accepted claim is true.
func (h *hunt) judge(s *subject, model, p []byte, claim proof.Claim, n *tally) {
	c := s.c
	if !bytes.Equal(model, s.file) {
		var err error
		if c, err = classifier.Read[classifier.Classifier](bytes.NewReader(model),
			classifier.ReadOptions{}); err != nil {
			n.open++ // attack/proof overlooks where missing values go, say
			return
		}
	} else if h.original(s, p).covers(claim) {
		n.same++
		return
	}
	if slices.ContainsFunc(claim.X, func(v float64) bool { return math.Abs(v) > 1e9 }) {
		n.open++ // the attack rounds where the checkers do not
		return
	}
	least, nearest := h.radius(c, claim)
	switch {
	case claim.Bound <= least:
		n.true++
	case claim.Bound > nearest+rounding(claim, nearest):
		h.t.Errorf("%s: the claim is wrong: bound %v, an example lies at %v\n%.1500s\n%+v",
			s.name, claim.Bound, nearest, model, claim)
	default:
		n.open++
		if n.open < 4 {
			h.t.Logf("%s: bound %v is claimed, %v proven by the attack, an example at %v",
				s.name, claim.Bound, least, nearest)
		}
	}
}

// rounding is how much nearer than exact arithmetic has it an example may seem to the classifiers'
// own.
func rounding(claim proof.Claim, distance float64) float64 {
	scale := max(1, distance)
	for _, v := range claim.X {
		scale = max(scale, math.Abs(v))
	}
	return 1e-9 * scale
}

type original proof.Claim

// original returns the claim of the unchanged proof.
func (h *hunt) original(s *subject, p []byte) (o original) {
	err := proof.Check(bytes.NewReader(append(header(s.file), p...)),
		s.model, func(c proof.Claim) error {
			o = original(c)
			return nil
		})
	if err != nil {
		h.t.Fatalf("%s: %v", s.name, err)
	}
	return o
}

// covers reports whether a claim follows from this one.
func (o original) covers(c proof.Claim) bool {
	return c.Bound <= o.Bound && c.Norm == o.Norm && c.From == o.From && c.Target == o.Target &&
		slices.Equal(c.X, o.X) && slices.Equal(c.Domain, o.Domain) &&
		slices.Equal(c.Prices, o.Prices) && slices.Equal(c.Codes, o.Codes)
}

// radius asks the attack about a claim: no example is nearer than least, and there is one at
// nearest.
func (h *hunt) radius(c classifier.Classifier, claim proof.Claim) (least, nearest float64) {
	least, nearest = math.Inf(1), math.Inf(1)
	o := attack.Options{
		Norm: map[string]polytope.Norm{
			"inf": polytope.LInf,
			"1":   polytope.L1,
			"2":   polytope.L2,
		}[claim.Norm],
		MaxNodes: 50_000,
	}
	o.Features = features(claim)
	for _, d := range claim.Domain {
		o.Domain = append(o.Domain, polytope.Interval{Lo: d[0], Hi: d[1]})
	}
	for label := range c.(interface{ Classes() int }).Classes() {
		if label != claim.Target && (claim.Target >= 0 || label == claim.From) {
			continue
		}
		o.Target = &label
		a := attack.RegionBased{Classifier: c, Options: o}
		r, err := a.Perturb(h.t.Context(), claim.X)
		switch {
		case errors.Is(err, attack.ErrTarget):
			// x has the label, and is an example unless it lies outside the domain.
			least = 0
			if inside(claim) {
				nearest = 0
			}
		case err != nil:
			h.t.Logf("no third way: %v", err)
			least = 0
		default:
			least, nearest = min(least, r.Bound), min(nearest, r.Distance)
		}
	}
	return least, nearest
}

// features returns the part of a claim that is about features.
func features(claim proof.Claim) []attack.Feature {
	all := make([]attack.Feature, len(claim.X))
	for j, p := range claim.Prices {
		all[j].Up, all[j].Down = p[0], p[1]
	}
	for j, n := range claim.Codes {
		if n > 0 {
			all[j].Categorical, all[j].Codes, all[j].Down = true, min(n, 1<<20), 0
		}
	}
	return all
}

func inside(claim proof.Claim) bool {
	for j, d := range claim.Domain {
		if claim.X[j] < d[0] || claim.X[j] > d[1] {
			return false
		}
	}
	return true
}
