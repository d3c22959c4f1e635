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
	// mostFound is how many answers may come to hand, each within a smaller radius than the last.
	mostFound = 64
)

// openAsked opens the only root where all that is asked is whether there is an answer within a
// radius. One that comes to hand will do, wherever its cell begins: the node comes with it, and
// is opened again if a smaller radius is asked as well. Its Item counts the answers found.
func (o *opener) openAsked(n search.Node, found int, radius float64) search.Opened {
	few := o.table.Rivals(o.rivals, &o.Query, fewRivals)
	within := radius * (1 + neighbors.Spread)
	if found < mostFound {
		if radius >= math.MaxFloat64 {
			if z := o.table.AnswerAnywhere(&o.Query, 1, o.candidates, o.rivals); z != nil {
				return o.found(n, found, z)
			}
		}
		first := o.candidates.FirstWithin(o.X, played, few.Horizon(0, within))
		if len(first) == 0 {
			return search.Opened{}
		}
		z := o.table.PlayFictitiously(&o.Query, 1, first, few.First, radius, neighbors.FewRounds)
		if z != nil {
			return o.found(n, found, z)
		}
	}
	o.bound(&few, within, radius)
	return search.Opened{Children: o.children}
}

// found returns an answer that came to hand.
func (o *opener) found(n search.Node, found int, z []float64) search.Opened {
	n.Item = pack(stageAsked, found+1, 0)
	return search.Opened{
		Children: append(o.children, n),
		Answer:   cellpoint.AtHand(&o.Query, z),
	}
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
			id := int(t.IDs[i])
			o.push(bound, int64(id), pack(stageRow, 0, id), radius)
			return true
		})
	}
}
