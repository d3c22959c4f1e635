package neighborproof_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/polytope"
)

// claim is what a proof says before its body, with the rows that it is about.
type claim struct {
	rows   [][]float64
	labels []int
	k      int

	norm         polytope.Norm
	from, target int
	lo, hi, x    []float64
	bound        float64
}

// check checks a proof in rational arithmetic, slowly, as docs/proof-format.md says.
func check(rows [][]float64, labels []int, k int, proof string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	c := &claim{rows: rows, labels: labels, k: k, target: -1}
	lines := strings.Split(strings.TrimSuffix(proof, "\n"), "\n")
	if lines[0] != "proof" || lines[len(lines)-1] != "end" {
		return errors.New("no proof")
	}
	body := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "near") })
	if body < 0 {
		body = len(lines) - 1
	}
	for _, l := range lines[1:body] {
		c.header(strings.Fields(l))
	}
	o := &oracle{claim: c, lines: lines[body : len(lines)-1]}
	return o.body()
}

func (c *claim) header(f []string) {
	switch f[0] {
	case "norm":
		c.norm = map[string]polytope.Norm{"inf": polytope.LInf, "1": polytope.L1, "2": polytope.L2}[f[1]]
	case "from":
		c.from = number(f[1])
	case "target":
		c.target = number(f[1])
	case "domain":
		for i := 1; i < len(f); i += 2 {
			c.lo, c.hi = append(c.lo, float(f[i])), append(c.hi, float(f[i+1]))
		}
	case "x":
		for _, e := range f[1:] {
			c.x = append(c.x, float(e))
		}
	case "bound":
		c.bound = float(f[1])
	case "example":
	default:
		panic("header " + f[0])
	}
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func float(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return v
}

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func (c *claim) answers(label int) bool {
	if c.target >= 0 {
		return label == c.target
	}
	return label != c.from
}

func (c *claim) vote(members []int) int {
	votes := map[int]int{}
	best := -1
	for _, m := range members {
		votes[c.labels[m]]++
	}
	for l, n := range votes {
		if best < 0 || n > votes[best] || (n == votes[best] && l < best) {
			best = l
		}
	}
	return best
}

// seats are the least number of rows of the side among k neighbours that answer, by counting.
func (c *claim) seats() int {
	count := make([]int, slices.Max(c.labels)+1)
	for _, l := range c.labels {
		count[l]++
	}
	least := 0
	var draw func(label, left, side int, votes []int)
	draw = func(label, left, side int, votes []int) {
		if label == len(count) {
			if left == 0 && c.answers(slices.Index(votes, slices.Max(votes))) && (least == 0 || side < least) {
				least = side
			}
			return
		}
		for n := 0; n <= min(left, count[label]); n++ {
			s := side
			if c.answers(label) {
				s += n
			}
			draw(label+1, left-n, s, append(votes[:label:label], n))
		}
	}
	draw(0, c.k, 0, nil)
	return least
}

// half returns that row p is at least as near as row q.
func (c *claim) half(p, q int) (a []*big.Rat, b *big.Rat) {
	b = new(big.Rat)
	for j := range c.x {
		xp, xq := rat(c.rows[p][j]), rat(c.rows[q][j])
		d := new(big.Rat).Sub(xq, xp)
		a = append(a, d.Add(d, d))
		sp, sq := xp.Sub(xp, rat(c.x[j])), xq.Sub(xq, rat(c.x[j]))
		b.Add(b, sq.Mul(sq, sq)).Sub(b, sp.Mul(sp, sp))
	}
	if slices.Equal(c.rows[p], c.rows[q]) && p > q {
		b.SetInt64(-1)
	}
	return a, b
}

// shows reports whether a·u ≤ b lies at the distance of the bound, strict says how ties count.
func (c *claim) shows(a []*big.Rat, b *big.Rat, strict bool) bool {
	length := new(big.Rat)
	for _, e := range a {
		e := new(big.Rat).Abs(e)
		switch c.norm {
		case polytope.LInf:
			length.Add(length, e)
		case polytope.L1:
			if e.Cmp(length) > 0 {
				length = e
			}
		default:
			length.Add(length, e.Mul(e, e))
		}
	}
	if length.Sign() == 0 {
		return b.Sign() < 0 || (b.Sign() == 0 && strict)
	}
	if b.Sign() >= 0 || math.IsInf(c.bound, 1) {
		return false
	}
	left, bound := new(big.Rat).Neg(b), rat(c.bound)
	if c.norm == polytope.L2 {
		left.Mul(left, left)
		bound.Mul(bound, bound)
	}
	return left.Cmp(bound.Mul(bound, length)) >= 0
}

func (c *claim) far(p, q int) bool {
	a, b := c.half(p, q)
	return c.shows(a, b, false)
}

// oracle goes through the lines of a body.
type oracle struct {
	*claim
	lines        []string
	s, spare     int
	side, others []int
	m            []int // rows of the side that are not crowded
	pivot        int
	e            []int
}

func (o *oracle) line() []string {
	if len(o.lines) == 0 {
		panic("a line is missing")
	}
	l := o.lines[0]
	o.lines = o.lines[1:]
	return strings.Split(l, " ")
}

func (o *oracle) body() error {
	if o.s = o.seats(); o.s == 0 {
		if len(o.lines) > 0 {
			return errors.New("a body where nothing answers")
		}
		return nil
	}
	o.spare = o.k - o.s
	for i, l := range o.labels {
		if o.answers(l) {
			o.side = append(o.side, i)
		} else {
			o.others = append(o.others, i)
		}
	}
	near := o.line()[1:]
	for _, p := range o.side {
		n := 0
		for _, r := range near {
			if r := number(r); o.answers(o.labels[r]) {
				panic("a near row is no rival")
			} else if n <= o.spare && o.far(p, r) {
				n++
			}
		}
		if n <= o.spare {
			o.m = append(o.m, p)
		}
	}
	for _, p := range o.m {
		o.e = nil
		for _, q := range o.m {
			if q != p && !o.far(q, p) {
				o.e = append(o.e, q)
			}
		}
		if len(o.lines) > 0 && o.lines[0] == fmt.Sprint("pivot ", p) {
			o.line()
			o.pivot = p
			o.node(known{in: []int{p}})
		} else if len(o.e) >= o.s-1 {
			return fmt.Errorf("row %d has no pivot", p)
		}
	}
	if len(o.lines) > 0 {
		return errors.New("lines are left")
	}
	return nil
}

// known is what is decided.
type known struct{ a, f, j, z, in, out []int }

func with(list []int, more ...int) []int {
	list = slices.Clone(list)
	for _, e := range more {
		if !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return list
}

func need(ok bool, why string, f []string) {
	if !ok {
		panic(why + ": " + strings.Join(f, " "))
	}
}

func (o *oracle) node(k known) {
	f := o.line()
	if f[0] == "c" {
		o.combination(k, f)
		return
	}
	var list []int
	for _, e := range f[1:] {
		list = append(list, number(e))
	}
	first := -1
	if f[0] == "o" {
		first, list = list[0], list[1:]
	}
	for i, e := range list {
		need(!slices.Contains(list[:i], e), "twice", f)
	}
	has := slices.Contains[[]int]
	switch f[0] {
	case "r":
		need(len(k.a)+len(list) > o.spare, "too few", f)
		for i, r := range list {
			need(!o.answers(o.labels[r]) && !has(k.a, r) && !has(k.f, r), "no free rival", f)
			o.node(known{with(k.a, list[:i]...), with(k.f, r), k.j, k.z, with(k.in, list[:i]...), k.out})
		}
	case "q":
		left := 0
		for _, q := range o.e {
			if !has(k.j, q) && !has(k.z, q) && !has(list, q) {
				left++
			}
		}
		need(left < o.s-1-len(k.j), "too few", f)
		for i, q := range list {
			need(has(o.e, q) && !has(k.j, q) && !has(k.z, q), "no free row", f)
			o.node(known{k.a, k.f, with(k.j, q), with(k.z, list[:i]...), with(k.in, q), k.out})
		}
	case "m":
		need(len(k.in)+len(list) >= o.k, "too few", f)
		for i, m := range list {
			need(!has(k.in, m) && !has(k.out, m), "no free row", f)
			o.node(known{k.a, k.f, k.j, k.z, with(k.in, list[:i]...), with(k.out, m)})
		}
		if all := with(k.in, list...); len(all) == o.k && o.answers(o.vote(all)) {
			o.node(known{k.a, k.f, k.j, k.z, all, k.out})
		}
	case "o":
		need(has(k.out, first), "a row that is not out", f)
		rest := 0
		for r := range o.rows {
			if r != first && !has(k.in, r) && !has(k.out, r) && !has(list, r) && !o.far(r, first) {
				rest++
			}
		}
		need(len(k.in)+rest < o.k, "too few", f)
		for i, r := range list {
			need(!has(k.in, r) && !has(k.out, r), "no free row", f)
			o.node(known{k.a, k.f, k.j, k.z, with(k.in, r), with(k.out, list[:i]...)})
		}
	default:
		need(false, "no such line", f)
	}
}

func (o *oracle) combination(k known, f []string) {
	sum, right, strict := []*big.Rat{}, new(big.Rat), false
	for range o.x {
		sum = append(sum, new(big.Rat))
	}
	for _, term := range f[1:] {
		factor := big.NewRat(1, 1)
		if m, rest, ok := strings.Cut(term, "*"); ok {
			factor.SetString(m)
			term = rest
		}
		need(factor.Sign() > 0 && factor.IsInt(), "multiplier", f)
		a, b := o.term(k, term, f)
		for j, e := range a {
			strict = strict || (e.Sign() != 0 && (o.lo == nil || o.lo[j] < o.hi[j]))
			sum[j].Add(sum[j], e.Mul(e, factor))
		}
		right.Add(right, b.Mul(b, factor))
	}
	need(o.shows(sum, right, strict), "shows nothing", f)
}

func (o *oracle) term(k known, term string, f []string) (a []*big.Rat, b *big.Rat) {
	if term[0] == '+' || term[0] == '-' {
		j := number(term[1:])
		for range o.x {
			a = append(a, new(big.Rat))
		}
		if term[0] == '+' {
			a[j].SetInt64(1)
			return a, new(big.Rat).Sub(rat(o.hi[j]), rat(o.x[j]))
		}
		a[j].SetInt64(-1)
		return a, new(big.Rat).Sub(rat(o.x[j]), rat(o.lo[j]))
	}
	left, rightmost, ok := strings.Cut(term, "<")
	need(ok, "term", f)
	p, q := o.pivot, o.pivot
	if left != "" {
		p = number(left)
	}
	if rightmost != "" {
		q = number(rightmost)
	}
	need(o.usable(k, p, q), "may not be used: "+term, f)
	return o.half(p, q)
}

func (o *oracle) usable(k known, p, q int) bool {
	has := slices.Contains[[]int]
	if q == o.pivot && (has(k.j, p) || has(k.a, p)) {
		return true
	}
	if p == o.pivot && q != p {
		if o.answers(o.labels[q]) {
			if has(k.z, q) || (len(k.j) == o.s-1 && !has(k.j, q)) {
				return true
			}
		} else if has(k.f, q) || (len(k.a) == o.spare && !has(k.a, q)) {
			return true
		}
	}
	return has(k.in, p) && (has(k.out, q) || (len(k.in) == o.k && !has(k.in, q)))
}
