package classifier

import "github.com/seed-1a7dc1f9/facet/classifier/search"

// quota is what a set of k neighbours must hold, whatever else, for its vote to
// answer a query: at least seats rows of one side.
type quota struct {
	side  []bool // by label
	seats int
	spare int // k − seats, the rows of other labels that it may hold
}

// quota returns the quota of a query, with seats = 0 when no vote answers it.
//
// A label is reached with v votes when the others can share the remaining k − v
// without beating it. Any label but From is reached unless From has the most
// votes, so then the side is all other labels.
func (c *KNN) quota(q search.Query) quota {
	g := quota{side: make([]bool, c.classes)}
	for label := range g.side {
		g.side[label] = q.Reaches(label)
	}
	if q.Target >= 0 {
		g.seats = c.fewestVotes(q.Target)
	} else {
		g.seats = c.k - c.mostLosing(q.From)
	}
	if g.seats > c.k {
		g.seats = 0
	}
	g.spare = c.k - g.seats
	return g
}

// count returns how many training rows hold a label.
func (c *KNN) count(label int) int {
	if t := c.trees[label]; t != nil {
		return len(t.IDs)
	}
	return 0
}

// fewestVotes returns the fewest votes with which a label can win, 0 if none.
func (c *KNN) fewestVotes(label int) int {
	for v := 1; v <= min(c.k, c.count(label)); v++ {
		others := 0
		for l := range c.classes {
			if l != label {
				others += min(c.count(l), v-ahead(l, label))
			}
		}
		if others >= c.k-v {
			return v
		}
	}
	return 0
}

// mostLosing returns the most votes that a label can have without winning, −1 if
// there is no other.
func (c *KNN) mostLosing(label int) int {
	most := -1
	for l := range c.classes {
		if n := c.count(l); l != label && n > 0 {
			lead := ahead(label, l)
			most = max(most, min((c.k-lead)/2, n-lead))
		}
	}
	return most
}

// ahead returns by how many votes label b must lead a to win: 1 when a wins ties.
func ahead(a, b int) int {
	if a < b {
		return 1
	}
	return 0
}

// winner returns the label most of the rows hold, the smaller one of a tie. votes
// is overwritten.
func (c *KNN) winner(votes []int, members []int32) int {
	clear(votes)
	for _, m := range members {
		votes[c.labels[m]]++
	}
	best := 0
	for label, n := range votes {
		if n > votes[best] {
			best = label
		}
	}
	return best
}
