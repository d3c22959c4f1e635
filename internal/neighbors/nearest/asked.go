package nearest

import (
	"math"

	"github.com/seed-1a7dc1f9/facet/internal/cellpoint"
	"github.com/seed-1a7dc1f9/facet/internal/neighbors"
	"github.com/seed-1a7dc1f9/facet/internal/search"
)

const (
	// played is how many candidates play.
	played = 11
	// fewRivals is how many rivals bound candidates first where a radius is all that is asked.
	fewRivals = 5
)

// openAsked opens the only root where all that is asked is whether there is an answer within a
// radius. One that comes to hand will do, wherever its cell begins.
func (o *opener) openAsked(n search.Node, radius float64) search.Opened {
	few := o.table.Rivals(o.rivals, &o.Query, fewRivals)
	within := radius * (1 + neighbors.Spread)
	if radius >= math.MaxFloat64 {
		if z := o.table.AnswerAnywhere(&o.Query, 1, o.candidates, o.rivals); z != nil {
			return search.Opened{Answer: cellpoint.Answer(&o.Query, n, z)}
		}
	}
	first := o.candidates.FirstWithin(o.X, played, few.Horizon(0, within))
	if len(first) == 0 {
		return search.Opened{}
	}
	z := o.table.PlayFictitiously(&o.Query, 1, first, few.First, radius, neighbors.FewRounds)
	if z != nil {
		return search.Opened{Answer: cellpoint.Answer(&o.Query, n, z)}
	}
	o.bound(&few, within, radius)
	return search.Opened{Children: o.children}
}

// bound makes nodes of the candidates that may come before all rivals within a radius.
func (o *opener) bound(few *neighbors.Rivals, within, radius float64) {
	var refuter *neighbors.Refuter
	for _, t := range o.candidates {
		few.Sift(t, 0, within, func(i int, squared, bound float64) bool {
			if refuter == nil {
				o.prepare()
				refuter = o.near.Refuter(0, within)
			}
			if o.Prices == nil {
				if _, refuted := refuter.Row(t.Point(i), squared); refuted {
					return true
				}
			}
			id := int64(t.IDs[i])
			o.push(search.Node{Bound: bound, Order: id, Item: id}, radius)
			return true
		})
	}
}
