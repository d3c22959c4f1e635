package checkers

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// together is an instance of several models, and a proof about it.
type together struct {
	*instance.Ruled
	of   []*subject
	text []byte // of the proof
}

// drawTogether draws one; false if there is no claim to prove.
func drawTogether(t *testing.T, rng *rand.Rand) (s together, ok bool) {
	kind := []string{"prices", "directions", "frozen", "limits", "category"}[rng.IntN(5)]
	draw := instance.DrawJoint
	if rng.IntN(2) == 0 {
		draw = instance.DrawQuorums
	}
	s.Ruled = draw(t, rng, kind, instance.Norms()[rng.IntN(3)])
	a := &attack.RegionBased{Classifier: s.C, Options: s.Options()}
	var text bytes.Buffer
	_, err := instance.Prove(t.Context(), a, s.X, &text)
	if err != nil && !errors.Is(err, errors.ErrUnsupported) { // a category without codes
		t.Fatal(err)
	}
	s.of, s.text = append(s.of, newSubject(t, "the model", s.C, nil)), text.Bytes()
	for _, c := range s.Others() {
		s.of = append(s.of, newSubject(t, "another model", c, nil))
	}
	return s, err == nil && len(s.text) > 0
}

// file returns a file of a proof about the models.
func (s *together) file(text []byte) []byte {
	var all bytes.Buffer
	var sums [][32]byte
	for _, of := range s.of {
		sums = append(sums, of.model.SHA256)
	}
	proof.NewWriter(&all, sums...).Write(text)
	return all.Bytes()
}

// check gives a proof to both checkers, which agree, or to attack/proof alone.
func (s *together) check(t *testing.T, p *python.Checker, text []byte) (c proof.Claim, err error) {
	t.Helper()
	var models []*proof.Model
	var files [][]byte
	for _, of := range s.of {
		models, files = append(models, of.model), append(files, of.file)
	}
	file := s.file(text)
	err = proof.Check(bytes.NewReader(file), models[0], func(claim proof.Claim) error {
		c = claim
		return nil
	}, models[1:]...)
	if p == nil {
		return c, err
	}
	if says := p.RefusesProperties(t, files, file); (says == "") != (err == nil) {
		t.Errorf("attack/proof says %v, check_proofs.py %q\n%s\n%+v", err, says, file, s.Ruled)
	}
	return c, err
}

// TestTogether: checkers accept proofs about several models, and changed ones only if they are true
// by all joint cells. Python looks at every fifth instance.
func TestTogether(t *testing.T) {
	t.Parallel()
	every, rng := python.StartChecker(t, folder), rand.New(rand.NewPCG(*seed, 6))
	counts := map[string]*tally{}
	for number := range instance.Count(900, 30_000) {
		s, ok := drawTogether(t, rng)
		if !ok {
			continue
		}
		p, truth := every, s.Nearest(func([]int) bool { return true })
		if number%5 > 0 {
			p = nil
		}
		if c, err := s.check(t, p, s.text); err != nil || c.Bound > truth+1e-12*max(1, truth) ||
			!math.IsInf(truth, 1) && !c.Settled || c.Covered && alsoLine.Match(s.text) {
			t.Fatalf("%v, the nearest is at %v\n%s\n%+v\n%+v", err, truth, s.text, c, s.Ruled)
		}
		for name, forge := range forgeries {
			n := counts[name]
			if n == nil {
				n = new(tally)
				counts[name] = n
			}
			changed := s
			in := *s.Ruled
			changed.Ruled = &in
			text := forge(rng, &changed)
			if text == nil {
				continue
			}
			n.made++
			c, err := changed.check(t, p, text)
			if err != nil {
				n.refused++
				continue
			}
			n.true++
			truth := changed.Nearest(func([]int) bool { return true })
			if c.Bound > truth+1e-9*max(1, truth) {
				t.Errorf("%s: bound %v is accepted, the nearest is at %v\n%s\n%+v",
					name, c.Bound, truth, text, changed.Ruled)
			}
		}
	}
	for name, n := range counts {
		t.Logf("%-10s %5d made, %5d refused, %5d true", name, n.made, n.refused, n.true)
		if n.refused == 0 && !racetest.Enabled { // which makes few
			t.Errorf("%s: none of %d was refused", name, n.made)
		}
	}
}

var (
	boundLine   = regexp.MustCompile(`\nbound .*`)
	exampleLine = regexp.MustCompile(`\nexample .*`)
	alsoLine    = regexp.MustCompile(`\nalso .*`)
	labelLine   = regexp.MustCompile(`\nlabel .*\n.*`)
)

// forgeries change a proof, and its instance if the claim is about another one then; nil if the
// proof has no such part.
var forgeries = map[string]func(rng *rand.Rand, s *together) []byte{
	"bound": func(_ *rand.Rand, s *together) []byte {
		truth := s.Nearest(func([]int) bool { return true })
		if math.IsInf(truth, 1) {
			return nil
		}
		beyond := fmt.Appendf(nil, "\nbound %x", truth*(1+1e-6))
		return exampleLine.ReplaceAll(boundLine.ReplaceAll(s.text, beyond), nil)
	},
	"fewer": func(rng *rand.Rand, s *together) []byte {
		at := alsoLine.FindAllIndex(s.text, -1)
		if len(at) == 0 || len(at) != len(s.Also) { // some accept everything
			return nil
		}
		i := rng.IntN(len(s.Also))
		line := at[i]
		least, err := strconv.Atoi(string(s.text[line[0]+len("\nalso ") : line[1]]))
		if err != nil || least != s.Also[i].Least {
			return nil
		}
		s.Also = slices.Clone(s.Also)
		s.Also[i].Least--
		return slices.Concat(s.text[:line[0]], fmt.Appendf(nil, "\nalso %d", least-1),
			s.text[line[1]:])
	},
	"without": func(rng *rand.Rand, s *together) []byte {
		at := labelLine.FindAllIndex(s.text, -1)
		if len(at) == 0 {
			return nil
		}
		line := at[rng.IntN(len(at))]
		return slices.Concat(s.text[:line[0]], s.text[line[1]:])
	},
	"leaf": func(rng *rand.Rand, s *together) []byte {
		at := labelLine.FindAllIndex(s.text, -1)
		if len(at) == 0 {
			return nil
		}
		line := at[rng.IntN(len(at))]
		end := bytes.IndexByte(s.text[line[0]+1:], '\n') + line[0] + 2
		return slices.Concat(s.text[:end], []byte("."), s.text[line[1]:])
	},
}
