package boxtree_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree"
	"github.com/seed-1a7dc1f9/facet/internal/boxtree/potentials"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/internal/search"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/racetest"
)

// drawLarge draws an ensemble and a norm.
func drawLarge(t *testing.T, number uint64) (in instance.Ensemble, o attack.Options, ok bool) {
	rng := rand.New(rand.NewPCG(number, 840))
	if number%4 == 3 {
		in = drawForest(t, rng)
	} else {
		in = instance.DrawEnsemble(t, rng)
	}
	o = attack.Options{
		Norm: instance.Norms()[number%3], Target: in.Target, Domain: in.Box, Workers: 1,
	}
	return in, o, in.Target == nil || *in.Target != in.Ensemble.Predict(in.Query)
}

// forgetful is a search whose nodes lose their caches, each with a probability, as it writes down
// the nodes that they open into.
type forgetful struct {
	search.Search
	rng   *rand.Rand
	most  float64 // 1: all of them do
	lost  int
	heard strings.Builder
}

type forgetfulOpener struct {
	*forgetful
	search.Opener
}

func (f *forgetful) NewOpener() search.Opener { return &forgetfulOpener{f, f.Search.NewOpener()} }

func (o *forgetfulOpener) Open(
	ctx context.Context, n search.Node, cutoff float64,
) (search.Opened, error) {
	if n.Cache != nil && o.rng.Float64() < o.most {
		n.Cache = nil
		o.lost++
	}
	opened, err := o.Opener.Open(ctx, n, cutoff)
	fmt.Fprintf(&o.heard, "%x %d %x:", n.Bound, n.Order, cutoff)
	for _, c := range opened.Children {
		fmt.Fprintf(&o.heard, " %x %d", c.Bound, c.Order)
		if c.Cache != nil {
			d := c.Cache.Value.(*potentials.Decomposition)
			fmt.Fprintf(&o.heard, " %d %v %x %x", c.Cache.Bytes, d.Box(), d.Margin(math.Inf(1)),
				d.Margin(c.Bound))
		}
	}
	o.heard.WriteString("\n")
	return opened, err
}

// TestPotentialsAgain: a node that has lost its potentials opens into the nodes that it would have
// opened into, with the potentials that they would have had, for all other losses.
func TestPotentialsAgain(t *testing.T) {
	t.Parallel()
	lost := 0
	for number := range uint64(racetest.Scale(instance.Count(2000, 40000))) {
		in, o, ok := drawLarge(t, number)
		if !ok {
			continue
		}
		open := func(most float64) string {
			q := search.Query{
				X: in.Query, From: in.Ensemble.Predict(in.Query), Target: -1,
				Cost: geometry.In(o.Norm), Domain: o.Domain,
			}
			if o.Target != nil {
				q.Target = *o.Target
			}
			s, err := instance.SearchOf(t.Context(), in.Ensemble, q)
			if err != nil {
				t.Fatal(err)
			}
			f := &forgetful{
				Search: boxtree.Large(s, int(number/3)%4), most: most,
				rng: rand.New(rand.NewPCG(number, 841)),
			}
			r, err := bestfirst.Run(t.Context(), f, bestfirst.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&f.heard, "%+v\n", r)
			if r.Answer != nil {
				fmt.Fprintf(&f.heard, "%+v\n", *r.Answer)
			}
			lost += f.lost
			text, _, _ := strings.Cut(f.heard.String(), "{Answer")
			return text
		}
		want := open(0)
		for _, most := range []float64{1, 0.3} {
			if got := open(most); got != want {
				t.Fatalf("instance %d: potentials lost with probability %v:\n%s\nnone lost:\n%s",
					number, most, got, want)
			}
		}
	}
	if lost == 0 {
		t.Error("no node had any potentials to lose")
	}
}

// heavy is an ensemble whose nodes say that their knowledge takes so many times as much memory.
type heavy struct {
	large
	factor int
}

func (h heavy) Search(ctx context.Context, q search.Query) (search.Search, error) {
	s, err := h.large.Search(ctx, q)
	return heavySearch{s, h.factor}, err
}

type heavySearch struct {
	search.Search
	factor int
}

func (s heavySearch) NewOpener() search.Opener {
	return heavyOpener{s.Search.NewOpener(), s.factor}
}

type heavyOpener struct {
	search.Opener
	factor int
}

func (o heavyOpener) Open(
	ctx context.Context, n search.Node, cutoff float64,
) (search.Opened, error) {
	opened, err := o.Opener.Open(ctx, n, cutoff)
	for _, c := range opened.Children {
		if c.Cache != nil {
			c.Cache.Bytes = min(1<<20, o.factor*c.Cache.Bytes)
		}
	}
	return opened, err
}

// TestLittleMemory: where there is no memory for potentials, answers, bounds, counts of nodes and
// proofs are those of searches with enough of it.
func TestLittleMemory(t *testing.T) {
	t.Parallel()
	proofs := 0
	for number := range uint64(racetest.Scale(instance.Count(1500, 30000))) {
		in, o, ok := drawLarge(t, number)
		if !ok {
			continue
		}
		ask := func(factor, workers int) (attack.Result, string) {
			c := heavy{large{in.Ensemble, int(number/3) % 4}, factor}
			a := &attack.RegionBased{Classifier: c, Options: o}
			a.MaxMemory, a.Workers = 1<<20, workers // enough for the nodes
			r, err := a.Perturb(t.Context(), in.Query)
			if err != nil || workers > 1 {
				return r, fmt.Sprint(err)
			}
			var text bytes.Buffer
			_, err = instance.Prove(t.Context(), a, in.Query, &text)
			if err != nil && !errors.Is(err, attack.ErrUnproven) &&
				!errors.Is(err, errors.ErrUnsupported) {
				t.Fatalf("instance %d: %v", number, err)
			}
			return r, text.String()
		}
		want, proven := ask(1, 1)
		if proven != "" {
			proofs++
		}
		for _, factor := range []int{1 << 20, 500} {
			got, text := ask(factor, 1)
			if fmt.Sprint(got) != fmt.Sprint(want) || text != proven {
				t.Fatalf("instance %d: of %d times the size %+v\n%s\nelse %+v\n%s",
					number, factor, got, text, want, proven)
			}
		}
		got, _ := ask(1<<20, 4)
		if !slices.Equal(got.Example, want.Example) || got.Bound != want.Bound ||
			got.Optimal() != want.Optimal() {
			t.Fatalf("instance %d: four workers %+v, one %+v", number, got, want)
		}
	}
	if proofs == 0 {
		t.Error("nothing was proven")
	}
}
