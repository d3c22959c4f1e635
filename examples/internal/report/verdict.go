package report

import (
	"fmt"
	"math"

	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
)

// Verdict says in a few sentences how many rows are right, and how many of these are proven robust,
// proven not, and open.
func (p *page) Verdict() (sentences []string) {
	say := func(format string, values ...any) {
		sentences = append(sentences, fmt.Sprintf(format, values...))
	}
	if shard := p.Meta.Shard; shard != nil {
		say("These are the rows of shard %s alone: facet merge joins the shards of a run.", shard)
	}
	right, asked := 0, 0
	for _, a := range p.answers {
		if a.correct {
			right++
		}
		if a.Attacked() {
			asked++
		}
	}
	if p.Labelled() {
		say("%s have the label that is predicted.", of(right, len(p.answers)))
	}
	switch {
	case asked == 0:
		say("No row was asked about.")
	case p.Certify():
		for i, r := range p.Radii {
			if i > 0 && i < len(p.Radii)-1 {
				continue // the smallest and the largest say enough
			}
			what := fmt.Sprint("keep their prediction within ", r.Radius)
			if p.Labelled() {
				what = "are right and " + what
			}
			say("%s %s: proven for %s, %s open.", of(r.Certified, len(p.answers)), what, p.All(),
				isOrAre(r.Undecided))
		}
	case !p.Meta.Proves():
		say("Nothing is proven: other examples may be nearer than those that were found.")
	default:
		p.distances(asked, say)
	}
	return sentences
}

// distances sums up the proven distances.
func (p *page) distances(asked int, say func(string, ...any)) {
	settled, none := 0, 0
	for _, a := range p.answers {
		if a.Status == results.Optimal || a.Status == results.None {
			settled++
		}
		if a.Status == results.None {
			none++
		}
	}
	found := byDistance(p.answers,
		func(a answer) bool { return a.Attacked() && !math.IsInf(a.distance, 1) })
	if settled == asked {
		say("All of these answers are proven, for %s.", p.All())
	} else {
		say("%d of %d answers are proven, for %s; of the others a lower bound is.", settled, asked,
			p.All())
	}
	if none > 0 {
		say("%s no example among %s.", many(none, "row has", "rows have"), p.Meta.About())
	}
	if len(found) == 0 {
		return
	}
	say("Half of the rows with an example have %s within %s, among %s; the nearest, row %d, "+
		"within %s.", p.Meta.Sought(), found[(len(found)-1)/2].Far(), p.Meta.About(),
		found[0].Row, found[0].Far())
}

// of writes a part of all rows.
func of(section, rows int) string {
	return fmt.Sprintf("%d of %s (%.1f %%)", section, rowsOf(rows),
		100*float64(section)/float64(max(rows, 1)))
}

// isOrAre counts rows that are something.
func isOrAre(n int) string {
	if n == 0 {
		return "none is"
	}
	return many(n, "is", "are")
}
