package neighbors

import "github.com/seed-1a7dc1f9/facet/internal/search"

// Quota is necessary for the vote of k neighbours to answer a query: at least Required of them are
// supporting rows.
type Quota struct {
	Required int
	Allowed  int // k − Required, as many rivals as there may be
}

// Quota returns the quota of a query, with Required = 0 when no vote answers it.
//
// A label is reached with v votes when the others can share the remaining k − v
// without beating it. Any label but From is reached unless From has the most
// votes, so then rows of all other labels support.
func (t *Table) Quota(k int, q search.Query) Quota {
	if q.Target >= 0 {
		required := t.fewestVotes(q.Target, k)
		return Quota{required, k - required}
	}
	required := k - t.mostLosing(q.From, k)
	if required > min(k, t.Len()-t.Count(q.From)) {
		required = 0
	}
	return Quota{required, k - required}
}

// fewestVotes returns the fewest votes with which a label can win, 0 if none.
func (t *Table) fewestVotes(label, k int) int {
	for v := 1; v <= min(k, t.Count(label)); v++ {
		others := 0
		for l := range t.Classes {
			if l != label {
				others += min(t.Count(l), v-t.winningMargin(l, label))
			}
		}
		if others >= k-v {
			return v
		}
	}
	return 0
}

// mostLosing returns the most votes that a label can have without winning, −1 if
// there is no other.
func (t *Table) mostLosing(label, k int) int {
	most := -1
	for l := range t.Classes {
		if n := t.Count(l); l != label && n > 0 {
			margin := t.winningMargin(label, l)
			most = max(most, min((k-margin)/2, n-margin))
		}
	}
	return most
}

// winningMargin returns by how many votes label b must lead a to win: 1 when a wins ties. Share
// makes other margins.
func (t *Table) winningMargin(a, b int) int {
	if a < b {
		return t.margin
	}
	return 1 - t.margin
}
