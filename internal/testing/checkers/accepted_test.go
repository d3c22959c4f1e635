package checkers

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/internal/testing/fixture"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
)

var seed = flag.Uint64("seed",
	1, "of the random classifiers, and of what is changed in their proofs")

// TestAccepted gives proofs that the attack writes to both checkers.
func TestAccepted(t *testing.T) {
	t.Parallel()
	t.Run("random", func(t *testing.T) {
		t.Parallel()
		rng, p, proofs := rand.New(rand.NewPCG(*seed, 1)), python.StartChecker(t, folder), 0
		for range instance.Count(10, 3000) {
			for _, s := range drawSubjects(t, rng) {
				proofs += s.accepted(t, p)
			}
		}
		if proofs == 0 {
			t.Error("nothing was proven")
		}
	})
	t.Run("large", func(t *testing.T) {
		t.Parallel()
		p := python.StartChecker(t, folder)
		for _, s := range largeSubjects(
			t, rand.New(rand.NewPCG(*seed, 4)), instance.Count(1, 100),
		) {
			s.accepted(t, p)
		}
	})
	t.Run("recorded", func(t *testing.T) {
		t.Parallel()
		p := python.StartChecker(t, folder)
		for _, s := range recordedSubjects(
			t, rand.New(rand.NewPCG(*seed, 2)), instance.Count(2, 40),
		) {
			if s.accepted(t, p) == 0 {
				t.Errorf("%s: nothing was proven", s.name)
			}
		}
	})
	fixture.Each(t, func(t *testing.T, c fixture.Case) {
		t.Parallel()
		p := python.StartChecker(t, folder)
		for _, s := range fixtureSubjects(t, c, instance.Count(1, 100)) {
			if s.accepted(t, p) == 0 {
				t.Errorf("%s: nothing was proven", s.name)
			}
		}
	})
}

// accepted gives the subject's proofs, in one file, to both checkers, and counts them.
func (s *subject) accepted(t *testing.T, p *python.Checker) int {
	t.Helper()
	if len(s.proofs) == 0 {
		return 0
	}
	file, start := append(header(s.file), bytes.Join(s.proofs, nil)...), time.Now()
	if err := proof.Check(
		bytes.NewReader(file), s.model, func(proof.Claim) error { return nil },
	); err != nil {
		t.Errorf("%s: attack/proof refuses: %v\n%.700s", s.name, err, file)
	}
	middle := time.Now()
	if verdict := p.Refuses(t, s.file, file); verdict != "" {
		t.Errorf("%s: check_proofs.py refuses: %s\n%.700s", s.name, verdict, file)
	}
	t.Logf("%s: %d proofs of %d bytes, attack/proof %v, check_proofs.py %v",
		s.name, len(s.proofs), len(file), middle.Sub(start), time.Since(middle))
	return len(s.proofs)
}
