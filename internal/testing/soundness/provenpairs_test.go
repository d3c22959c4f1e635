package soundness

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/internal/exact"
	"github.com/seed-1a7dc1f9/facet/internal/testing/instance"
	"github.com/seed-1a7dc1f9/facet/internal/testing/proven"
	"github.com/seed-1a7dc1f9/facet/internal/testing/python"
)

// proofs are those of an instance, about its models as they are saved.
type proofs struct {
	*Pairs
	models []property.Model
	files  [][]byte
	read   []*proof.Model
	text   bytes.Buffer
	third  *proven.Checker // nil if it is not at hand
}

// newProofs begins proofs about the first models of an instance.
func (in *Pairs) newProofs(t *testing.T) *proofs {
	t.Helper()
	p := &proofs{Pairs: in, third: proven.Find(t)}
	var sums [][32]byte
	for i := range 2 {
		m, err := in.model(i)
		if err != nil {
			t.Fatal(err)
		}
		if p.models = append(p.models, m); i == 1 && !in.two() {
			break
		}
		var file bytes.Buffer
		if err := classifier.Save(&file, m); err != nil {
			t.Fatal(err)
		}
		read, err := proof.ReadModel(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatalf("%v\n%s", err, file.Bytes())
		}
		p.files, p.read = append(p.files, file.Bytes()), append(p.read, read)
		sums = append(sums, read.SHA256)
		if sha256.Sum256(file.Bytes()) != read.SHA256 {
			t.Fatal("another sum")
		}
	}
	in.Options.Proof = proof.NewWriter(&p.text, sums...)
	return p
}

// checked returns the verdicts of all checkers about a file.
func (p *proofs) checked(
	t *testing.T, c *python.Checker, file []byte,
) (list []proof.Property, err error) {
	t.Helper()
	err = proof.CheckProperties(bytes.NewReader(file), func(q proof.Property) error {
		list = append(list, q)
		return nil
	}, p.read...)
	if says := c.RefusesProperties(t, p.files, file); (says == "") != (err == nil) {
		t.Fatalf("attack/proof says %v, check_proofs.py %q of\n%s\nabout\n%s",
			err, says, file, bytes.Join(p.files, []byte("\n")))
	}
	if p.third == nil {
		return list, err
	}
	says, covered := p.third.Refuses(t, file, p.files...)
	if covered && (says == "") != (err == nil) {
		t.Fatalf("attack/proof says %v, facet-checked %q of\n%s\nabout\n%s",
			err, says, file, bytes.Join(p.files, []byte("\n")))
	}
	return list, err
}

// slot counts the borders of a feature, of all models of the file, that lie below a number.
func (p *proofs) slot(j int, v real) int {
	type border struct {
		end    string
		closed bool
	}
	below := map[border]bool{}
	for _, trees := range p.Trees[:len(p.files)] {
		for _, nodes := range trees {
			for i := range nodes {
				if nodes[i].Left < 0 || nodes[i].Feature != j {
					continue
				}
				for _, t := range thresholds(&nodes[i]) {
					end, closed := p.end(t)
					if c := v.Cmp(end); c > 0 || (c == 0 && !closed) {
						below[border{end.RatString(), closed}] = true
					}
				}
			}
		}
	}
	return len(below)
}

// cells are inputs of all cells, by number, and the models' labels of them.
type cells struct {
	*proofs
	choices [][]real // by feature
	slots   [][]int  // of the choices
	labels  [2]map[int]int
	exactly map[float64]real     // values of leaves, once they were asked for
	sides   map[float64]leftSide // of tests, by threshold, likewise
}

// leftSide is that of a test: where it ends, and whether that number is on it.
type leftSide struct {
	end    real
	closed bool
}

// cells returns the inputs that a property is about.
func (p *proofs) cells(q *proof.Property) *cells {
	c := &cells{proofs: p, exactly: map[float64]real{}, sides: map[float64]leftSide{}}
	for j := range p.Dim {
		var choices []real
		var slots []int
		for _, v := range p.numbers(j, q) {
			slot := p.slot(j, v)
			last := len(slots) - 1
			if alike := last >= 0 && slots[last] == slot && !p.tells(j, q); !alike {
				choices, slots = append(choices, v), append(slots, slot)
			} else if _, ok := v.Float64(); ok {
				choices[last] = v
			}
		}
		c.choices, c.slots = append(c.choices, choices), append(c.slots, slots)
	}
	c.labels = [...]map[int]int{{}, {}}
	return c
}

// tells reports whether numbers of a slot are not all the same to a property: how far they are
// apart matters, or which is 1.
func (p *proofs) tells(j int, q *proof.Property) bool {
	return slices.ContainsFunc(q.Copies, isFinite) ||
		slices.ContainsFunc(q.OneHot, func(m []int) bool { return slices.Contains(m, j) })
}

func isFinite(d proof.Copy) bool { return !math.IsInf(d.Least, 0) || !math.IsInf(d.Most, 0) }

// number numbers an input.
func (c *cells) number(at []int) (n int) {
	for j, i := range at {
		n = n*len(c.choices[j]) + i
	}
	return n
}

func (c *cells) input(at []int) (x []real) {
	for j, i := range at {
		x = append(x, c.choices[j][i])
	}
	return x
}

// labelOf returns the label of an input, −1 if it is no float64.
func (c *cells) labelOf(model int, at []int) int {
	n := c.number(at)
	l, known := c.labels[model][n]
	if !known {
		l = -1
		if z, ok := floatsOf(c.input(at)); ok {
			l = c.label(c.models[model], 0, z)
		}
		c.labels[model][n] = l
	}
	return l
}

// pairs enumerates the pairs of inputs that a property is about.
func (c *cells) pairs(q *proof.Property, yield func(x, other []int)) {
	at, allowed := make([]int, c.Dim), make([][][]bool, len(q.Copies))
	for k, d := range q.Copies {
		j := d.Feature
		for a, v := range c.choices[j] {
			var row []bool
			for b, u := range c.choices[j] {
				off := new(big.Rat).Sub(u, v)
				apart := func(end float64, sign int) bool {
					return !math.IsInf(end, 0) && off.Cmp(exact.Float(end)) == sign
				}
				row = append(row, d.Next && c.slots[j][b] == c.slots[j][a]+1 ||
					!d.Next && !apart(d.Least, -1) && !apart(d.Most, 1))
			}
			allowed[k] = append(allowed[k], row)
		}
	}
	var copies func(k int, other []int)
	copies = func(k int, other []int) {
		if k == len(q.Copies) {
			if q.OneHot == nil || isHot(q, c.input(at)) && isHot(q, c.input(other)) {
				yield(at, other)
			}
			return
		}
		d := q.Copies[k]
		j := d.Feature
		for i, may := range allowed[k][at[j]] {
			if may {
				other[j] = i
				copies(k+1, other)
				other[j] = at[j]
			}
		}
	}
	for {
		copies(0, slices.Clone(at))
		j := 0
		for ; j < c.Dim; j++ {
			if at[j]++; at[j] < len(c.choices[j]) {
				break
			}
			at[j] = 0
		}
		if j == c.Dim {
			return
		}
	}
}

// sumsOf returns the sums of all classes, exactly.
func (c *cells) sumsOf(model int, x []real) []real {
	sums := make([]real, c.Classes)
	for class := range sums {
		sums[class] = new(big.Rat)
		if c.Votes.Base != nil {
			sums[class].Set(c.real(c.rounded(c.Votes.Base[class])))
		}
	}
	for _, nodes := range c.Trees[model] {
		i := 0
		for nodes[i].Left >= 0 {
			left := true
			for _, t := range thresholds(&nodes[i]) {
				s := c.leftSide(t)
				if order := x[nodes[i].Feature].Cmp(s.end); order > 0 || order == 0 && !s.closed {
					left = !left
				}
			}
			if left {
				i = nodes[i].Left
			} else {
				i = nodes[i].Right
			}
		}
		best := 0
		for class, v := range nodes[i].Value {
			if v > nodes[i].Value[best] {
				best = class
			}
			if c.Regressor || c.Votes.Vote != classifier.HardVote {
				sums[class].Add(sums[class], c.real(c.rounded(v)))
			}
		}
		if !c.Regressor && c.Votes.Vote == classifier.HardVote {
			sums[best].Add(sums[best], big.NewRat(1, 1))
		}
	}
	return sums
}

// real is exact.Float, remembered: the same leaves are added for many inputs.
func (c *cells) real(v float64) real {
	if c.exactly[v] == nil {
		c.exactly[v] = exact.Float(v)
	}
	return c.exactly[v]
}

// leftSide is end, remembered.
func (c *cells) leftSide(threshold float64) leftSide {
	s, ok := c.sides[threshold]
	if !ok {
		s.end, s.closed = c.end(threshold)
		c.sides[threshold] = s
	}
	return s
}

// thresholds returns those of a test: one, or those of a set.
func thresholds(n *classifier.TreeNode) []float64 {
	if n.Thresholds != nil {
		return n.Thresholds
	}
	return []float64{n.Threshold}
}

// numbers lists numbers of a feature in the domain: all ends, with numbers beside and between.
func (p *proofs) numbers(j int, q *proof.Property) (list []real) {
	var ends []real
	for _, trees := range p.Trees[:len(p.files)] {
		for _, nodes := range trees {
			for i := range nodes {
				if nodes[i].Left >= 0 && nodes[i].Feature == j {
					for _, t := range thresholds(&nodes[i]) {
						end, _ := p.end(t)
						ends = append(ends, end)
					}
				}
			}
		}
	}
	domain := [2]float64{math.Inf(-1), math.Inf(1)}
	if q.Domain != nil {
		domain = q.Domain[j]
	}
	for _, e := range domain {
		if !math.IsInf(e, 0) {
			ends = append(ends, exact.Float(e))
		}
	}
	if slices.ContainsFunc(q.OneHot, func(m []int) bool { return slices.Contains(m, j) }) {
		ends = append(ends, new(big.Rat), big.NewRat(1, 1))
	}
	if q.Codes != nil && q.Codes[j] > 0 {
		first := max(0, math.Ceil(domain[0])) // codes a few behind are like those after them
		for v := first; v <= min(domain[1], float64(q.Codes[j]-1), first+12); v++ {
			list = append(list, exact.Float(v))
		}
		return list
	}
	if len(ends) == 0 {
		return []real{new(big.Rat)}
	}
	if slices.ContainsFunc(q.Copies, isFinite) { // values may be as near as both sides of an end
		ends = around(ends)
	}
	slices.SortFunc(ends, (*big.Rat).Cmp)
	ends = slices.CompactFunc(ends, func(a, b real) bool { return a.Cmp(b) == 0 })
	one := big.NewRat(1, 1)
	list = append(list, new(big.Rat).Sub(ends[0], one))
	for i, e := range ends {
		if i > 0 {
			middle := new(big.Rat).Add(ends[i-1], e)
			list = append(list, middle.Mul(middle, big.NewRat(1, 2)))
		}
		list = append(list, e)
	}
	list = append(list, new(big.Rat).Add(ends[len(ends)-1], one))
	return slices.DeleteFunc(list, func(v real) bool {
		return !math.IsInf(domain[0], -1) && v.Cmp(exact.Float(domain[0])) < 0 ||
			!math.IsInf(domain[1], 1) && v.Cmp(exact.Float(domain[1])) > 0
	})
}

// floatsOf returns an input of float64, if it is one.
func floatsOf(x []real) (z []float64, ok bool) {
	for _, v := range x {
		number, ok := v.Float64()
		if !ok {
			return nil, false
		}
		z = append(z, number)
	}
	return z, true
}

// largestOf returns the largest sum of a property's terms; nil if there is no pair.
func (c *cells) largestOf(q *proof.Property) (most real) {
	last := len(c.files) - 1
	parts := [2]map[int]real{{}, {}} // of x and x′, by number
	part := func(reading, model int, at []int) real {
		n := c.number(at)
		if parts[reading][n] == nil {
			total, sums := new(big.Rat), c.sumsOf(model, c.input(at))
			for _, term := range q.Terms {
				if term.Input == reading {
					total.Add(total, new(big.Rat).Mul(sums[term.Class], exact.Float(term.Weight)))
				}
			}
			parts[reading][n] = total
		}
		return parts[reading][n]
	}
	var x0, other0 real
	c.pairs(q, func(x, other []int) {
		a, b := part(0, 0, x), part(1, last, other)
		if a == x0 && b == other0 {
			return
		}
		x0, other0 = a, b
		most = larger(most, new(big.Rat).Add(a, b))
	})
	return most
}

// sameLabels reports whether a property about labels is true of all float64.
func (c *cells) sameLabels(q *proof.Property) bool {
	same, last := true, len(c.files)-1
	c.pairs(q, func(x, other []int) {
		a, b := c.labelOf(0, x), c.labelOf(last, other)
		same = same && (a < 0 || b < 0 || a == b || q.Label >= 0 && a != q.Label)
	})
	return same
}

// TestProofsAgainstEnumeration: proven claims about all inputs are true of all pairs of cells, and
// both checkers accept them, and refuse false ones.
func TestProofsAgainstEnumeration(t *testing.T) {
	c, counts := python.StartChecker(t, "../../../tools/check_proofs"), map[string]int{}
	total := instance.Count(60, 20000)
	for number := range uint64(total) {
		question := questions[number%uint64(len(questions))]
		rng := rand.New(rand.NewPCG(number, 57))
		in := drawPairs(rng, question)
		in.present()
		in.Order = []int{0, 1, 2}[:in.Dim]
		in.Options.Probability = question == "outputs" && in.Classes == 2 && in.Options.Probability
		p := in.newProofs(t)
		begin := p.text.Len()
		var err error
		opts, ctx := in.Options, t.Context()
		if in.Rows != nil {
			opts.Near = mat.NewDense(len(in.Rows), in.Dim, slices.Concat(in.Rows...))
		}
		opts.Labels = question == "flips" || question == "disagree"
		switch question {
		case "depends", "flips":
			_, err = property.Depends(ctx, p.models[0], in.Free, opts)
		case "differ", "disagree":
			_, err = property.Differ(ctx, p.models[0], p.models[1], opts)
		case "monotone":
			opts.Falling = in.Falling
			_, err = property.Monotone(ctx, p.models[0], in.Free[0], opts)
		default:
			_, _, err = property.Range(ctx, p.models[0], opts)
		}
		if errors.Is(err, attack.ErrUnproven) || errors.Is(err, classifier.ErrNoInput) {
			counts[question+" unproven"]++
			continue
		}
		if err != nil {
			t.Fatalf("instance %d: %s: %v", number, question, err)
		}
		if p.text.Len() == begin {
			counts[question+" none"]++
			if opts.Labels { // which differ
				p.forgeLabels(t, c, fmt.Sprintf("instance %d: %s", number, question), counts)
			}
			continue
		}
		counts[question]++
		p.judge(t, rng, c, fmt.Sprintf("instance %d: %s", number, question), counts)
	}
	t.Log(counts)
	if counts["depends"] == 0 || counts["forged"] < total/3 ||
		counts["changed and true"] < total/9 {
		t.Error("too few")
	}
}

// present rules out missing values, of which proofs do not speak, and sums in any order.
func (in *Pairs) present() {
	in.Votes.AnyOrder = false
	for j := range in.Options.Features {
		in.Options.Features[j].Missing = attack.KeepMissing
	}
	for _, row := range in.Rows {
		for j, v := range row {
			if math.IsNaN(v) {
				row[j] = 1
			}
		}
	}
}

// excess returns by how much the truth exceeds the claim of a property, 1 if labels differ; nil if
// no input is allowed.
func (p *proofs) excess(q *proof.Property) real {
	c := p.cells(q)
	if q.Terms == nil {
		if c.sameLabels(q) {
			return new(big.Rat)
		}
		return big.NewRat(1, 1)
	}
	most := c.largestOf(q)
	if most != nil {
		most.Sub(most, exact.Float(q.Above))
	}
	return most
}

// judge compares the claims of the file with the truth, and forges it.
func (p *proofs) judge(
	t *testing.T, rng *rand.Rand, c *python.Checker, name string, counts map[string]int,
) {
	t.Helper()
	list, err := p.checked(t, c, p.text.Bytes())
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", name, err, p.text.Bytes(), p.files[0])
	}
	for _, q := range list {
		p.covers(t, &q)
		excess := p.excess(&q)
		if excess != nil && excess.Sign() > 0 {
			t.Fatalf("%s: %+v, the truth is greater by %v\n%s", name, q, excess, p.text.Bytes())
		}
		if excess == nil || q.Terms == nil {
			continue
		}
		below, _ := excess.Add(excess, exact.Float(q.Above)).Float64()
		if exact.Float(below).Cmp(excess) >= 0 {
			below = math.Nextafter(below, math.Inf(-1))
		}
		lines := strings.Split(p.text.String(), "\n")
		at := slices.IndexFunc(lines[q.Line:],
			func(line string) bool { return strings.HasPrefix(line, "above ") }) + q.Line
		words := strings.Fields(lines[at])
		words[1] = fmt.Sprintf("%x", below)
		lines[at] = strings.Join(words, " ")
		counts["forged"]++
		if _, err := p.checked(t, c, []byte(strings.Join(lines, "\n"))); err == nil {
			t.Fatalf("%s: %s is accepted, the truth is %v", name, lines[at], excess)
		}
	}
	head, body, _ := bytes.Cut(p.text.Bytes(), []byte("\nproperty "))
	for range 4 {
		p.settle(t, c, name, slices.Concat(head, []byte("\nproperty "), changed(rng, body)), counts)
	}
	if p.two() {
		return
	}
	other := *p.Pairs
	other.Trees[0], other.Trees[1] = other.Trees[1], other.Trees[0]
	q := other.newProofs(t)
	q.settle(t, c, name, slices.Concat(q.text.Bytes(), []byte("property "), body), counts)
}

// covers makes sure that a property is about all inputs of the question, near a row if its name
// says so.
func (p *proofs) covers(t *testing.T, q *proof.Property) {
	t.Helper()
	row := 0
	if _, number, near := strings.Cut(q.Name, "near row "); near {
		row, _ = strconv.Atoi(number)
	}
	o := p.truths()[row]
	o.each(func(at []int) {
		if z, ok := o.floats(at); ok && !claims(q, z) {
			t.Fatalf("%v is an input of the question, and none of %+v\n%s", z, q, p.text.Bytes())
		}
	})
}

// claims reports whether a property is about an input.
func claims(q *proof.Property, z []float64) bool {
	for j, v := range z {
		step := len(q.Copies) > 0 && q.Copies[0].Next && q.Copies[0].Feature == j
		if q.Domain != nil && (v < q.Domain[j][0] || v > q.Domain[j][1]) ||
			q.Codes != nil && q.Codes[j] > 0 &&
				(step || v < 0 || v >= float64(q.Codes[j]) || v != math.Trunc(v)) {
			return false
		}
	}
	return isHot(q, realsOf(z))
}

// isHot reports whether of features of which one is to be 1 that is so.
func isHot(q *proof.Property, x []real) bool {
	for _, members := range q.OneHot {
		ones := 0
		for _, j := range members {
			one := x[j].Cmp(big.NewRat(1, 1)) == 0
			if ones += bit(one); !one && x[j].Sign() != 0 {
				return false
			}
		}
		if ones != 1 {
			return false
		}
	}
	return true
}

// forgeLabels claims that labels are the same, and shows it by leaves alone.
func (p *proofs) forgeLabels(
	t *testing.T, c *python.Checker, name string, counts map[string]int,
) {
	t.Helper()
	p.text.WriteString("property forged\n")
	if !p.two() {
		fmt.Fprintf(&p.text, "copy %d -inf inf\n", p.Free[0])
	}
	p.text.WriteString("labels\n")
	parts := p.Classes * (p.Classes - 1)
	if !p.two() {
		parts /= 2
	}
	p.text.WriteString(strings.Repeat("tree\n.\n", parts) + "end\n")
	p.settle(t, c, name, p.text.Bytes(), counts)
}

// settle makes sure that both checkers say the same of a file, and that it is true if they accept
// it.
func (p *proofs) settle(
	t *testing.T, c *python.Checker, name string, file []byte, counts map[string]int,
) {
	t.Helper()
	counts["changed"]++
	list, err := p.checked(t, c, file)
	if err != nil {
		return
	}
	counts["changed and true"]++
	for _, q := range list {
		if excess := p.excess(&q); excess != nil && excess.Sign() > 0 {
			t.Fatalf("%s: %+v is accepted, the truth is greater by %v\n%s", name, q, excess, file)
		}
	}
}

// changed changes a few bytes of proofs.
func changed(rng *rand.Rand, text []byte) []byte {
	text = slices.Clone(text)
	for range 1 + rng.IntN(2) {
		const odd = "0123456789.*abcd \n-xpinft"
		i := rng.IntN(len(text))
		switch b := odd[rng.IntN(len(odd))]; rng.IntN(4) {
		case 0:
			text = slices.Delete(text, i, min(len(text), i+1+rng.IntN(3)))
		case 1:
			text = slices.Insert(text, i, b)
		case 2:
			text = slices.Insert(text, i, text[i:min(len(text), i+1+rng.IntN(20))]...)
		default:
			text[i] = b
		}
	}
	return text
}
