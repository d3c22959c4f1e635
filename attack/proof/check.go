// Package proof checks proofs of facet's claims: that no input nearer than a bound is predicted a
// label that answers.
//
// docs/reference/proof-format.md defines the claims of a file of proofs and their form; this
// package is written from that page. It imports the standard library alone and shares no code with
// the searches: it reads the model's own file, or the training set, with readers of its own,
// and recomputes every bound from it exactly. A proof that is not as the page says, or that proves
// less than it claims, is an error that wraps [ErrProof]. Proofs are read as a stream, in memory of
// their depth. [CheckPruning] does the same for rows that adversarial pruning keeps. [NewWriter] is
// for those who write proofs.
package proof

import (
	"io"
	"iter"
	"math"
	"slices"
	"unicode/utf8"
)

// Claim is the claim of a proof: in the domain no input nearer to X than Bound has a label that
// answers, Target or, if that is −1, any but From.
type Claim struct {
	Name         string // by which the proof calls itself
	Line         int    // where it begins
	X            []float64
	Norm         string // "inf", "1" or "2"
	From, Target int
	Also         []Quorum     // labels that other models give an input that answers, too
	Domain       [][2]float64 // the least and the greatest value of each feature, nil for all
	Prices       [][2]float64 // of a unit up and down, by feature; nil for 1
	// Codes is nil, or has for each feature that is a category how many codes 0, 1, 2, … it has: it
	// holds one of these, or the value that X has, and a change is one unit up. 0 is a number.
	Codes   []int
	Bound   float64
	Example []float64 // an input that answers, at least at Bound; nil if none is given
	Label   int       // of Example
	Settled bool      // Example lies at Bound, but for 1e-9
	// Covered says that examples/checker, a program that is proven in Coq, checks such claims, too:
	// about nearest neighbours, and about trees that test one feature, of a vote whose divisor is
	// whole, with fewer codes than 65,537.
	Covered bool
}

// Check checks a file of proofs, plain or gzipped, about a model, and about others that its claims
// name, in the order of the file. It calls each with every claim as soon as it is proven, and ends
// with the error that it returns, if any. That all claims stand, and the file is whole, is known
// when Check returns nil; errors about a fault wrap ErrProof.
func Check(r io.Reader, m *Model, each func(Claim) error, also ...*Model) (err error) {
	defer recovered(&err, "proof")
	demand(r != nil && m != nil && each != nil && !slices.Contains(also, nil),
		"no file, no model or nobody to tell its claims")
	c := &checker{
		scanner: newScanner(r, "facet-proofs", "model", m.SHA256),
		m:       m,
		others:  also,
		total:   make([]num, m.dim),
	}
	for _, other := range also {
		c.about("model", other.SHA256)
	}
	for !c.ended {
		c.claim()
		switch {
		case m.table != nil:
			c.checkRows()
		case m.trees.oblique:
			c.checkRegions()
		default:
			c.checkBoxes()
		}
		c.expect("end")
		c.key()
		c.Covered = c.Also == nil && c.m.covered(c.Codes)
		if err := each(c.Claim); err != nil {
			return err
		}
	}
	return nil
}

// checker checks one proof after another about a model.
type checker struct {
	*scanner
	Claim
	m      *Model
	others []*Model
	joint  joint
	norm   norm
	origin []float64 // X as seen from its moves: 0 for categories
	total  []num     // memory of combinations
}

// claim reads the lines above the body.
func (c *checker) claim() {
	c.expect("proof")
	c.Claim = Claim{Line: c.number, Target: -1, Label: -1, Name: c.name()}
	c.Norm = c.readNorm()
	c.norm = norm(c.Norm)
	c.expect("from")
	c.From = c.integer(c.m.classes)
	if c.has("target") {
		c.Target = c.integer(c.m.classes)
	}
	c.also()
	c.Domain = c.domain(c.m.dim)
	one := c.m.table == nil && !c.m.trees.oblique
	c.demand(one || c.key() != "prices", "prices are for trees that test one feature")
	c.Prices = c.pairs("prices", c.m.dim, func(up, down float64) bool {
		return up > 0 && down > 0 && finite(up) && finite(down)
	})
	c.demand(one || c.key() != "codes", "codes are for trees that test one feature")
	c.Codes = c.codes(c.m.dim)
	c.expect("x")
	c.X = c.floats(c.m.dim)
	c.origin = c.moved(c.X)
	c.expect("bound")
	c.Bound = c.float()
	c.demand(c.Bound >= 0, "the bound is %v", c.Bound)
	if c.has("example") {
		c.example()
	}
}

// name reads the name of a proof.
func (s *scanner) name() (name string) {
	if s.more {
		name, s.more = s.rest, false
		s.demand(len(name) <= longestName && utf8.ValidString(name),
			"a name of more than %d bytes, or not UTF-8", longestName)
	}
	return name
}

// domain reads the ends of so many features, if they are there.
func (s *scanner) domain(dim int) [][2]float64 {
	return s.pairs("domain", dim, func(low, high float64) bool {
		return low <= high && !math.IsInf(low, 1) && !math.IsInf(high, -1)
	})
}

// pairs reads two numbers of so many features, if they are there.
func (s *scanner) pairs(key string, dim int, fit func(a, b float64) bool) (pairs [][2]float64) {
	if s.has(key) {
		pairs = make([][2]float64, dim)
		for f := range pairs {
			a, b := s.float(), s.float()
			s.demand(fit(a, b), "%s of feature %d: %v and %v", key, f, a, b)
			pairs[f] = [2]float64{a, b}
		}
	}
	return pairs
}

// codes reads how many codes each of so many features has, if that is there.
func (s *scanner) codes(dim int) (codes []int) {
	if s.has("codes") {
		codes = make([]int, dim)
		for f := range codes {
			codes[f] = s.integer(1_000_000_000)
		}
	}
	return codes
}

func (s *scanner) readNorm() string {
	s.expect("norm")
	n := s.word()
	s.demand(n == "inf" || n == "1" || n == "2", "norm %.40q, want inf, 1 or 2", n)
	return n
}

// limits returns the least and the greatest value of a feature.
func (c *checker) limits(f int) (low, high float64) {
	if c.Domain == nil {
		return math.Inf(-1), math.Inf(1)
	}
	return c.Domain[f][0], c.Domain[f][1]
}

// prices returns those of one feature, in a slice; nil for 1.
func (c *checker) prices(f int) [][2]float64 {
	if c.Prices == nil {
		return nil
	}
	return c.Prices[f : f+1]
}

// isCategory reports whether a feature holds codes.
func (c *checker) isCategory(f int) bool { return c.Codes != nil && c.Codes[f] > 0 }

// moved returns an input as seen from its moves: a category is 0 where it is that of X, otherwise
// 1, one unit up.
func (c *checker) moved(z []float64) []float64 {
	z = slices.Clone(z)
	for f := range z {
		switch {
		case !c.isCategory(f):
		case z[f] == c.X[f]:
			z[f] = 0
		default:
			z[f] = 1
		}
	}
	return z
}

// answers reports whether a label does.
func (c *checker) answers(label int) bool {
	return label == c.Target || (c.Target < 0 && label != c.From)
}

// answering reads the line that begins the part about a label, for each that answers, and yields
// it.
func (c *checker) answering() iter.Seq[int] {
	return func(yield func(int) bool) {
		for label := range c.m.classes {
			if c.answers(label) {
				c.expect("label")
				c.demand(c.integer(c.m.classes) == label, "another label, want %d", label)
				yield(label)
			}
		}
	}
}

// example checks the input that is said to answer.
func (c *checker) example() {
	c.Label = c.integer(c.m.classes)
	c.demand(c.answers(c.Label), "the label %d does not answer", c.Label)
	c.Example = c.floats(c.m.dim)
	for f, v := range c.Example {
		low, high := c.limits(f)
		c.demand(low <= v && v <= high, "feature %d of the example is %v, outside the domain", f, v)
		c.demand(!c.isCategory(f) || v == c.X[f] || v >= 0 && v < float64(c.Codes[f]) &&
			v == math.Trunc(v), "feature %d of the example is %v, which is no code", f, v)
	}
	c.demand(c.m.surely(c.Example, c.Label), "the example does not have the label %d", c.Label)
	c.demand(enough(c.Also, c.accepts), "too few other models accept the example")
	z := c.moved(c.Example)
	c.demand(c.norm.compare(z, c.origin, c.Prices, c.Bound, 0) >= 0,
		"the example lies nearer than the bound")
	c.Settled = c.norm.compare(z, c.origin, c.Prices, c.Bound, 1e-9) <= 0
}

// deepest is how many nodes a path of a tree may have, of a model or of a proof.
const deepest = 100_000
