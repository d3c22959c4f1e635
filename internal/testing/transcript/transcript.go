// Package transcript writes down small searches, step by step, as documentation that
// tests compare: go test -run Transcript -update writes the files anew.
package transcript

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/bestfirst"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

var update = flag.Bool("update", false, "write transcripts anew")

// Run runs a search on one goroutine and writes down the nodes that it opens; name describes a
// node, and why, if there is one, writes the reason why it was opened in this way.
func Run(
	t *testing.T, w *strings.Builder, s search.Search, name func(n search.Node) string,
	why ...func(n search.Node, cutoff float64, opened search.Opened),
) {
	t.Helper()
	r, err := bestfirst.Run(t.Context(), &recorded{Search: s, w: w, name: name, why: why},
		bestfirst.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Answer == nil {
		fmt.Fprintf(w, "\nNo answer, after %d nodes and %d programs.\n", r.Nodes, r.Solves)
		return
	}
	fmt.Fprintf(w, "\nNearest answer %.5f, distance %.6g, bound %.6g, proven: %t, after %d nodes "+
		"and %d programs.\n",
		r.Answer.Example, r.Answer.Distance, r.Bound, r.Complete, r.Nodes, r.Solves)
}

// Compare compares a text with a file.
func Compare(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s differs (-update writes it anew); got\n%s", file, text)
	}
}

// recorded is a search that is written down.
type recorded struct {
	search.Search
	w    *strings.Builder
	name func(n search.Node) string
	why  []func(n search.Node, cutoff float64, opened search.Opened)
	step int
}

func (r *recorded) NewOpener() search.Opener { return &opener{r, r.Search.NewOpener()} }

type opener struct {
	*recorded
	search.Opener
}

func (o *opener) Open(ctx context.Context, n search.Node, cutoff float64) (search.Opened, error) {
	opened, err := o.Opener.Open(ctx, n, cutoff)
	o.step++
	fmt.Fprintf(o.w, "\n%d. Open %s, bound %.5g.\n", o.step, o.name(n), n.Bound)
	for _, explain := range o.why {
		explain(n, cutoff, opened)
	}
	if opened.Solves > 0 {
		fmt.Fprintf(o.w, "   programs solved: %d\n", opened.Solves)
	}
	if a := opened.Answer; a != nil {
		fmt.Fprintf(o.w, "   answer %.5f at distance %.6g, bound %.6g\n",
			a.Example, a.Distance, a.Bound)
	}
	for _, child := range opened.Children {
		fmt.Fprintf(o.w, "   %s, bound %.5g\n", o.name(child), child.Bound)
	}
	if opened.Answer == nil && len(opened.Children) == 0 {
		fmt.Fprintf(o.w, "   nothing there within %.6g\n", cutoff)
	}
	return opened, err
}
