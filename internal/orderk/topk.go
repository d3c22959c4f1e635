package orderk

import "cmp"

// ranked is a row with what it is ranked by.
type ranked struct {
	value float64
	id    int32
}

// ascending orders rows by what they are ranked by.
func ascending(a, b ranked) int {
	return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.id, b.id))
}

func (r ranked) before(o ranked) bool {
	return r.value > o.value || (r.value == o.value && r.id < o.id)
}

// topK keeps the rows of the largest values, in descending order; of equal values
// the smaller row comes first.
type topK struct {
	most int
	rows []ranked
}

func (t *topK) reset(most int) { t.most, t.rows = most, t.rows[:0] }

// full reports whether as many values as asked for are held.
func (t *topK) full() bool { return len(t.rows) == t.most }

// least returns the least value held, 0 as long as there is room.
func (t *topK) least() float64 {
	if !t.full() {
		return 0
	}
	return t.rows[len(t.rows)-1].value
}

func (t *topK) offer(r ranked) {
	i := len(t.rows)
	if i < t.most {
		t.rows = append(t.rows, r)
	} else if i--; !r.before(t.rows[i]) {
		return
	}
	for ; i > 0 && r.before(t.rows[i-1]); i-- {
		t.rows[i] = t.rows[i-1]
	}
	t.rows[i] = r
}
