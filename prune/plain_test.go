package prune

import (
	"slices"
)

// plain is the paper's algorithm, and the oracle for problems with two labels: every pair of rows
// is compared, every conflict stored, and the matching found by Hopcroft and Karp's algorithm on
// the lists.
type plain struct {
	left, right []int     // rows of the larger and of the smaller label
	adjacent    [][]int32 // right vertices of each left one
	toRight     []int32   // partners, −1: free
	toLeft      []int32
	level       []int32
	next        []int32
	size        int
}

func newPlain(in *instance) *plain {
	p := &plain{}
	for i, label := range in.y {
		if label == slices.Max(in.y) {
			p.left = append(p.left, i)
		} else {
			p.right = append(p.right, i)
		}
	}
	r := newBall(in.norm, 2*in.radius)
	for _, i := range p.left {
		var row []int32
		for v, j := range p.right {
			if r.within(in.x.RawRowView(i), in.x.RawRowView(j)) {
				row = append(row, int32(v))
			}
		}
		p.adjacent = append(p.adjacent, row)
	}
	p.toRight, p.toLeft = slices.Repeat([]int32{-1}, len(p.left)), slices.Repeat([]int32{-1},
		len(p.right))
	p.level, p.next = make([]int32, len(p.left)), make([]int32, len(p.left))
	return p
}

func (p *plain) edges() int {
	n := 0
	for _, row := range p.adjacent {
		n += len(row)
	}
	return n
}

// match finds a largest matching.
func (p *plain) match() {
	for p.layer() {
		clear(p.next)
		for u := range p.left {
			if p.toRight[u] < 0 && p.augment(int32(u)) {
				p.size++
			}
		}
	}
}

// layer gives left vertices their distance from the free ones, and reports whether
// a free right one was reached.
func (p *plain) layer() (found bool) {
	var queue []int32
	for u := range p.level {
		p.level[u] = -1
		if p.toRight[u] < 0 {
			p.level[u] = 0
			queue = append(queue, int32(u))
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		for _, v := range p.adjacent[u] {
			w := p.toLeft[v]
			if w < 0 {
				found = true
			} else if p.level[w] < 0 {
				p.level[w] = p.level[u] + 1
				queue = append(queue, w)
			}
		}
	}
	return found
}

func (p *plain) augment(u int32) bool {
	for ; int(p.next[u]) < len(p.adjacent[u]); p.next[u]++ {
		v := p.adjacent[u][p.next[u]]
		w := p.toLeft[v]
		if w < 0 || p.level[w] == p.level[u]+1 && p.augment(w) {
			p.toLeft[v], p.toRight[u] = u, v
			return true
		}
	}
	p.level[u] = -1
	return false
}

// keep returns the rows that König's cover leaves: the left rows that alternating paths reach and
// the right rows that they do not.
func (p *plain) keep() []int {
	p.match()
	p.layer()
	reached := make([]bool, len(p.right))
	var rows []int
	for u, level := range p.level {
		if level < 0 {
			continue
		}
		rows = append(rows, p.left[u])
		for _, v := range p.adjacent[u] {
			reached[v] = true
		}
	}
	for v, in := range reached {
		if !in {
			rows = append(rows, p.right[v])
		}
	}
	slices.Sort(rows)
	return rows
}
