package soundness

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Failure is a claim that is wrong, or for the letters E, U and G one that is missing.
type Failure struct {
	Letter byte
	Text   string
}

// Wrong tells whether it is a wrong proof.
func (f Failure) Wrong() bool { return !strings.ContainsRune("EUGT", rune(f.Letter)) }

// tolerance is the difference that the documentation allows between Distance and Bound, relative to
// max(1, Distance).
const tolerance = 1e-9

// Truth answers a query about one classifier exactly.
type Truth struct {
	// Infimum is the distance of the nearest cell that answers a point labelled from;
	// nil if it is not known.
	Infimum func(from int) Infimum
	// Within is Infimum for the part of cells that is so far from their sides, as a
	// power of two; nil if there are no thin cells.
	Within func(from int, margin float64) Infimum
	// Apart is Infimum for inputs that do not change all that one of the sets has, of features and
	// first members of groups; nil if it is not known.
	Apart func(from int, sets [][]int) Infimum
	// Label classifies exactly. sure is false on a border, and where an answer does
	// not count.
	Label func(z []float64) (label int, sure bool)
	// Inputs lists inputs within a reach that are tried besides; nil for none.
	Inputs func(reach float64) iter.Seq[[]float64]
	// Toward are points toward which inputs are drawn, besides the example.
	Toward [][]float64
	// Gap is the tolerance between Distance and Bound; 0 stands for the default.
	Gap float64
	// Limit is the number of nodes a search may open; 0 for none.
	Limit int
}

// trial compares the claims of an attack with the truth.
type trial struct {
	attack *attack.RegionBased
	q      *Query
	truth  Truth
	from   int
	result attack.Result
	inf    Infimum
	known  bool
	slow   bool // a search came near its Timeout
	fails  []Failure
}

// checkAttack attacks a classifier. What it tries besides follows from seed.
func checkAttack(c classifier.Classifier, q *Query, truth Truth, seed uint64) []Failure {
	t := &trial{q: q, truth: truth, from: c.Predict(q.X)}
	if t.from == q.Target {
		return nil
	}
	t.attack = newAttack(c, q, truth.Limit, 1)
	random := rand.New(rand.NewPCG(seed, 1))
	start := time.Now()
	var err error
	t.result, err = t.attack.Perturb(context.Background(), q.X)
	t.late(start, "Perturb")
	if err != nil {
		t.failed("Perturb", err)
		t.result = attack.Result{Label: -1, Distance: math.Inf(1)}
	}
	if truth.Infimum != nil {
		t.inf, t.known = truth.Infimum(t.from), true
	}
	t.example()
	t.bound(err == nil)
	t.nearer(random)
	t.radii(random)
	if random.IntN(20) == 0 && truth.Limit == 0 {
		t.workers(c)
	}
	if random.IntN(10) == 0 && truth.Apart != nil {
		t.counterfactuals(3)
	}
	return t.fails
}

// failed takes up an error: one that blames a classifier of the library is letter x, a panic p.
// Cells that are listed may be too thin for the rounding of who lists them.
func (t *trial) failed(what string, err error) {
	letter := byte('E')
	_, listed := t.attack.Classifier.(listed)
	_, custom := t.attack.Classifier.(*partition)
	if errors.Is(err, attack.ErrClassifier) && !listed && !custom {
		letter = 'x'
	}
	if _, panicked := errors.AsType[*polytope.PanicError](err); panicked {
		letter = 'p'
	}
	t.fail(letter, "%s: %v", what, err)
}

// late takes up a search that its Timeout ended: letter T.
func (t *trial) late(start time.Time, what string) {
	took := time.Since(start)
	t.slow = t.slow || took > patient/2
	if took > patient*9/10 {
		t.fail('T', "%s took %v", what, took)
	}
}

func newAttack(c classifier.Classifier, q *Query, limit, workers int) *attack.RegionBased {
	a := &attack.RegionBased{Classifier: c, Options: instance.Measure(q.Norm, attack.Options{
		Domain: q.Domain, Features: q.Rules, Linear: q.Linear, Workers: workers, MaxNodes: limit,
		Timeout: patient,
	})}
	if q.Target >= 0 {
		a.Target = &q.Target
	}
	return a
}

func (t *trial) fail(letter byte, format string, args ...any) {
	t.fails = append(t.fails, Failure{letter, fmt.Sprintf(format, args...)})
}

// example checks letter d.
func (t *trial) example() {
	r := t.result
	if r.Example == nil {
		if r.Label != -1 || !math.IsInf(r.Distance, 1) {
			t.fail('d', "no example, yet label %d and distance %v", r.Label, r.Distance)
		}
		return
	}
	if t.q.plain() && !finite(r.Example) {
		t.fail('d', "the example %v is not finite", r.Example)
		t.result.Example = nil
		return
	}
	label := t.attack.Classifier.Predict(r.Example)
	if label != r.Label || !t.q.reaches(t.from, label) {
		t.fail('d', "the example %v is labelled %d, not %d; x is %d",
			r.Example, label, r.Label, t.from)
	}
	cost, allowed := t.q.distance(r.Example)
	if !allowed {
		t.fail('d', "the example %v lies outside the domain or breaks a rule", r.Example)
		return
	}
	exact := Infimum{Norm: t.q.Norm, Cost: cost}
	// A cost next to the largest number may round to it, and may not.
	if got := min(exact.Float(), math.MaxFloat64); math.IsInf(r.Distance, 1) ||
		math.Abs(got-r.Distance) > 4*min(math.Nextafter(got, math.Inf(1))-got, 0x1p971) {
		t.fail('d', "the example %v lies at %v, not %v", r.Example, got, r.Distance)
	}
}

func finite(z []float64) bool {
	return !slices.ContainsFunc(z,
		func(v float64) bool { return math.IsInf(v, 0) || math.IsNaN(v) })
}

// bound checks letters b, c and e.
func (t *trial) bound(answered bool) {
	r := t.result
	switch {
	case !answered:
	case math.IsNaN(r.Bound):
		t.fail('b', "Bound is NaN")
	case t.known && math.IsInf(r.Bound, 1) && !t.inf.None:
		t.fail('c', "none, optimal %v, yet the infimum is %v%s",
			r.Optimal(), t.inf.Float(), t.severity())
	case t.known && t.inf.Compare(r.Bound) < 0:
		t.fail('b', "Bound %v, optimal %v, distance %v, yet the infimum is %v: too large by %.2g%s",
			r.Bound, r.Optimal(), r.Distance, t.inf.Float(), r.Bound-t.inf.Float(), t.severity())
	case !r.Optimal():
		t.fail('U', "unproven: Bound %v, distance %v", r.Bound, r.Distance)
	case r.Example != nil && r.Distance > r.Bound+max(tolerance, t.truth.Gap)*max(1, r.Distance):
		t.fail(t.tooFar(), "optimal, Bound %v, but distance %v", r.Bound, r.Distance)
	}
}

// tooFar returns letter G where the coordinates of the example are so large that
// their own rounding explains its distance, else e.
func (t *trial) tooFar() byte {
	if t.result.Distance-t.result.Bound <= t.grid(t.result.Example) {
		return 'G'
	}
	return 'e'
}

// grid returns four times the sum of the gaps between float64 at the coordinates, at the highest
// price.
func (t *trial) grid(z []float64) float64 {
	sum := 0.0
	for _, v := range z {
		// no missing value
		if gap := math.Nextafter(math.Abs(v), math.Inf(1)) - math.Abs(v); gap > 0 {
			sum += 4 * gap
		}
	}
	return sum * t.q.dearest()
}

// severity says how much room the cells have that prove letter b or c.
func (t *trial) severity() string {
	if t.truth.Within == nil {
		return ""
	}
	size := t.inf.Float()
	for _, v := range t.q.X {
		size = max(size, math.Abs(v))
	}
	_, e := math.Frexp(size)
	for room := -5; room >= -60; room -= 5 {
		if inf := t.truth.Within(t.from, math.Ldexp(1, e+room)); inf.Compare(t.result.Bound) < 0 {
			return fmt.Sprintf(" (still so for cells that hold a cube of 2^%d of the coordinates)",
				room)
		}
	}
	return " (cells thinner than 2^-60 of the coordinates)"
}

// nearer checks letter a, and the oracle: inputs drawn within the bound must not
// answer, nor within the infimum.
func (t *trial) nearer(random *rand.Rand) {
	reach := t.result.Bound
	if t.known && (t.inf.Float() < reach || !(reach > 0)) {
		reach = t.inf.Float()
	}
	for z := range t.inputs(random, reach) {
		if !finite(z) {
			continue
		}
		cost, allowed := t.q.distance(z)
		if !allowed {
			continue
		}
		label, sure := t.truth.Label(z)
		if !sure || !t.q.reaches(t.from, label) {
			continue
		}
		if t.known && (t.inf.None || t.inf.Cost.Cmp(cost) > 0) {
			t.fail('!', "the oracle's infimum %v is too large: %v is labelled %d",
				t.inf.Float(), z, label)
		}
		at := Infimum{Norm: t.q.Norm, Cost: cost}
		if at.Compare(t.result.Bound) < 0 && t.attack.Classifier.Predict(z) == label {
			t.fail('a', "%v at %v is labelled %d, nearer than Bound %v",
				z, at.Float(), label, t.result.Bound)
			return
		}
	}
}

// inputs lists points that are tried.
func (t *trial) inputs(random *rand.Rand, reach float64) iter.Seq[[]float64] {
	return func(yield func([]float64) bool) {
		tries := 2
		if !t.known {
			tries = 100
		}
		for range tries {
			if !yield(t.draw(random, reach)) {
				return
			}
		}
		if t.truth.Inputs != nil {
			t.truth.Inputs(reach)(yield)
		}
	}
}

// draw returns a point of the domain, mostly within reach of x.
func (t *trial) draw(random *rand.Rand, reach float64) []float64 {
	if math.IsInf(reach, 1) {
		reach = math.Exp(20 * (random.Float64() - 0.5))
	}
	z := slices.Clone(t.q.X)
	toward := t.result.Example
	if n := len(t.truth.Toward); n > 0 && random.IntN(2) == 0 {
		toward = t.truth.Toward[random.IntN(n)]
	}
	for j := range z {
		if t.q.rule(j).Categorical {
			if random.IntN(2) == 0 {
				z[j] = float64(random.IntN(6))
			}
			continue
		}
		if toward != nil && random.IntN(2) == 0 {
			z[j] += (toward[j] - z[j]) * (1 - random.Float64()*random.Float64())
			continue
		}
		z[j] += reach * (2*random.Float64() - 1)
	}
	for j, side := range t.q.box() {
		z[j], _ = geometry.Inside(side, z[j])
	}
	return z
}

// radii checks letter f.
func (t *trial) radii(random *rand.Rand) {
	radii := t.radiiToTry(random)
	t.together(radii)
	for _, r := range radii {
		start := time.Now()
		found, err := t.attack.RobustAt(context.Background(), t.q.X, r)
		verdict := found.Verdict(r)
		t.late(start, "RobustAt")
		robust := verdict == attack.Holds
		switch {
		case err == nil && verdict == attack.Undecided:
			t.fail('U', "RobustAt(%v): undecided", r)
		case err != nil:
			t.failed("RobustAt", err)
		case robust && t.known && t.inf.Compare(r) < 0:
			t.fail('f', "RobustAt(%v) is true, yet the infimum is %v", r, t.inf.Float())
		case robust && t.result.Example != nil && t.result.Distance < r && t.sureExample():
			t.fail('f', "RobustAt(%v) is true, yet %v at %v answers",
				r, t.result.Example, t.result.Distance)
		case !robust && t.known && t.inf.Compare(r+tolerance*max(1, r)+t.grid(t.q.X)) > 0 &&
			!(t.result.Distance <= r):
			t.fail('f', "RobustAt(%v) is false, yet the infimum is %v", r, t.inf.Float())
		}
	}
}

// sureExample reports whether the example surely answers in exact arithmetic, too: beside a border
// Predict may round sums so that it does.
func (t *trial) sureExample() bool {
	label, sure := t.truth.Label(t.result.Example)
	return sure && t.q.reaches(t.from, label)
}

// radiiToTry returns some finite positive radii around the infimum.
func (t *trial) radiiToTry(random *rand.Rand) []float64 {
	at := t.result.Distance
	if t.known {
		at = t.inf.Float()
	}
	scale := math.Exp(12 * (random.Float64() - 0.5))
	if math.IsInf(at, 1) {
		return []float64{scale}
	}
	up, down := math.Nextafter(at, math.Inf(1)), math.Nextafter(at, 0)
	near := []float64{up, math.Nextafter(up, math.Inf(1)), at, down, at * (1 + 1e-8),
		at * (1 - 1e-8), at + tolerance*2}
	radii := []float64{near[random.IntN(len(near))], at * random.Float64() * 2}
	if random.IntN(3) == 0 {
		radii = append(radii, at*0.999, scale)
	}
	return slices.DeleteFunc(radii, func(r float64) bool { return !(r > 0) || math.IsInf(r, 1) })
}

// workers checks letter g.
func (t *trial) workers(c classifier.Classifier) {
	start := time.Now()
	r, err := newAttack(c, t.q, 0, 4).Perturb(context.Background(), t.q.X)
	s := t.result
	if err != nil || t.slow || time.Since(start) > patient/2 {
		return // the rest of a Timeout may differ
	}
	if !instance.SameInput(r.Example, s.Example) || r.Label != s.Label || r.Bound != s.Bound ||
		r.Optimal() != s.Optimal() {
		t.fail('g', "with 4 workers %v at %v, Bound %v, optimal %v; with one %v at %v, Bound %v, "+
			"optimal %v", r.Example, r.Distance, r.Bound, r.Optimal(), s.Example, s.Distance,
			s.Bound, s.Optimal())
	}
}
