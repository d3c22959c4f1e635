package proof

import (
	"encoding/hex"
	"fmt"
	"io"
	"math"
)

// Claim is what a proof claims: in the domain no input nearer to X than Bound has a label that
// answers, Target or, if that is −1, any but From.
type Claim struct {
	Name         string // what the proof says of itself
	Line         int    // where it begins
	X            []float64
	Norm         string // "inf", "1" or "2"
	From, Target int
	Domain       [][2]float64 // the least and the greatest value of each feature, nil for all
	Bound        float64
	Example      []float64 // an input that answers, at least at Bound; nil if none is given
	Label        int       // of Example
	Settled      bool      // Example lies at Bound, but for 1e-9
}

// Begin writes the first two lines of a file of proofs about the model whose file has this SHA-256.
func Begin(w io.Writer, model [32]byte) error {
	_, err := fmt.Fprintf(w, "facet-proofs 1\nmodel sha256 %x\n", model)
	return err
}

// Check checks a file of proofs, plain or gzipped, about a model. It calls each with every
// claim as soon as it is proven, and ends with the error that it returns, if any. That all claims
// stand, and the file is whole, is known when Check returns nil; what is wrong is an *Error.
func Check(r io.Reader, m *Model, each func(Claim) error) error {
	plain, err := uncompressed(r)
	if err != nil {
		return fmt.Errorf("proof: %w", err)
	}
	s := &scanner{r: plain}
	s.head("facet-proofs", "model", m.SHA256)
	c := newChecker(s, m)
	for first := true; s.err == nil && (first || !s.ended); first = false {
		c.claim()
		c.body()
		s.expect("end")
		s.done()
		if s.err == nil {
			if err := each(c.Claim); err != nil {
				return err
			}
		}
	}
	if s.err != nil {
		return fmt.Errorf("proof: %w", s.err)
	}
	return nil
}

// head reads the first two lines.
func (s *scanner) head(format, key string, sum [32]byte) {
	s.advance()
	s.expect(format)
	if version := s.word(); version != "1" {
		s.fail("version %.40q, want 1", version)
	}
	s.done()
	s.expect(key)
	if word := s.word(); word != "sha256" {
		s.fail("%.40q where sha256 is expected", word)
	}
	if word := s.word(); word != hex.EncodeToString(sum[:]) {
		s.fail("this is about another file: its SHA-256 is %.64s, and that of the file at hand %x", word, sum)
	}
	s.done()
}

// checker checks one proof after another about a model.
type checker struct {
	*scanner
	Claim
	m     *Model
	norm  norm
	bound *dyadic // nil if infinite
	trees *treeBody
	rows  *rowBody
	total []float64 // memory of combinations
}

func newChecker(s *scanner, m *Model) *checker {
	c := &checker{scanner: s, m: m, total: make([]float64, m.dim)}
	if m.trees != nil {
		c.trees = newTreeBody(c, m.trees)
	} else {
		c.rows = newRowBody(c, m.table)
	}
	return c
}

// claim reads what stands above the body.
func (c *checker) claim() {
	c.Claim = Claim{Line: c.number, Target: -1, Label: -1}
	c.expect("proof")
	if c.more() {
		c.Name = c.line[c.at:]
	}
	c.advance()
	c.expect("norm")
	c.Norm = c.word()
	if c.norm = norm(c.Norm); !c.norm.known() {
		c.fail("norm %.40q, want inf, 1 or 2", c.Norm)
	}
	c.done()
	c.expect("from")
	c.From = c.integer(c.m.classes)
	c.done()
	if c.key() == "target" {
		c.expect("target")
		c.Target = c.integer(c.m.classes)
		c.done()
	}
	if c.key() == "domain" {
		c.domain()
	}
	c.expect("x")
	c.X = c.floats(c.m.dim)
	c.done()
	c.expect("bound")
	if c.Bound = c.float(); !(c.Bound >= 0) {
		c.fail("the bound is %v", c.Bound)
	}
	if c.bound = nil; finite(c.Bound) {
		c.bound = exactly(c.Bound)
	}
	c.done()
	if c.key() == "example" {
		c.example()
	}
}

func (c *checker) domain() {
	c.expect("domain")
	for len(c.Domain) < c.m.dim && c.err == nil {
		low := c.float()
		high := c.float()
		if !(low <= high) || math.IsInf(low, 1) || math.IsInf(high, -1) {
			c.fail("a domain from %v to %v", low, high)
		}
		c.Domain = append(c.Domain, [2]float64{low, high})
	}
	c.done()
}

// limits returns the least and the greatest value of a feature.
func (c *checker) limits(f int) (low, high float64) {
	if c.Domain == nil {
		return math.Inf(-1), math.Inf(1)
	}
	return c.Domain[f][0], c.Domain[f][1]
}

// answers reports whether a label does.
func (c *checker) answers(label int) bool {
	return label == c.Target || (c.Target < 0 && label != c.From)
}

// example checks the input that is said to answer.
func (c *checker) example() {
	c.expect("example")
	if c.Label = c.integer(c.m.classes); !c.answers(c.Label) {
		c.fail("the label %d does not answer", c.Label)
	}
	c.Example = c.floats(c.m.dim)
	if c.err != nil {
		return
	}
	for f, v := range c.Example {
		if low, high := c.limits(f); v < low || v > high {
			c.fail("feature %d of the example is %v, outside the domain", f, v)
		}
	}
	has := false
	if c.m.trees != nil {
		has = c.m.trees.surely(c.Example, c.Label)
	} else {
		has = c.m.table.vote(c.Example) == c.Label
	}
	switch {
	case !has:
		c.fail("the example does not have the label %d", c.Label)
	case c.bound == nil, c.norm.compareDistance(c.Example, c.X, c.bound.copy()) < 0:
		c.fail("the example lies nearer than the bound")
	default:
		beyond := exactly(1e-9).times(exactly(max(1, c.Bound))).add(c.bound)
		c.Settled = c.norm.compareDistance(c.Example, c.X, beyond) <= 0
	}
	c.done()
}

// body checks the proof itself.
func (c *checker) body() {
	switch {
	case c.err != nil:
	case c.m.trees == nil:
		c.rows.check()
	default:
		for label := range c.m.classes {
			if c.err == nil && c.answers(label) {
				c.trees.check(label)
			}
		}
	}
}
