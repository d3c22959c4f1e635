package neighbors

import (
	"cmp"
	"math"
)

// Ranked is a row with the value that ranks it.
type Ranked struct {
	Value float64
	ID    int32
}

// Compare orders rows by value, then by number.
func (r Ranked) Compare(o Ranked) int {
	return cmp.Or(cmp.Compare(r.Value, o.Value), cmp.Compare(r.ID, o.ID))
}

// after reports whether a row ranks behind another one.
func (r *Ranked) after(value float64, id int32) bool {
	return value > r.Value || (value == r.Value && id < r.ID)
}

// TopK keeps the rows of the k largest values offered.
type TopK struct {
	k    int
	Rows []Ranked // in descending order; of equal values the smaller row comes first
}

// Reset empties t for k ≥ 1 rows, keeping its memory.
func (t *TopK) Reset(k int) { t.k, t.Rows = k, t.Rows[:0] }

// Full reports whether k rows are held.
func (t *TopK) Full() bool { return len(t.Rows) == t.k }

// Least returns the least value held, −Inf as long as it is not full.
func (t *TopK) Least() float64 {
	if !t.Full() {
		return math.Inf(-1)
	}
	return t.Rows[t.k-1].Value
}

// Offer keeps a row if it is among the first k.
func (t *TopK) Offer(value float64, id int32) {
	rows := t.Rows
	i := len(rows)
	if i < t.k {
		rows = append(rows, Ranked{})
		t.Rows = rows
	} else if i--; !rows[i].after(value, id) {
		return
	}
	for ; i > 0 && rows[i-1].after(value, id); i-- {
		rows[i] = rows[i-1]
	}
	rows[i] = Ranked{value, id}
}
