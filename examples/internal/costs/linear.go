package costs

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
	"github.com/seed-1a7dc1f9/facet/internal/geometry"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Linear is a rule between features, such as "months <= 12 * (age - 18)".
type Linear struct {
	Text string
	polytope.HalfSpace
}

// HalfSpaces returns the half-spaces of all rules between features.
func (r *Rules) HalfSpaces() (all []polytope.HalfSpace) {
	for _, l := range r.Linear {
		all = append(all, l.HalfSpace)
	}
	return all
}

// Unknown returns the first rule between features that is about a missing value of an input, and
// that feature, or nil.
func (r *Rules) Unknown(z []float64) (*Linear, int) {
	for i := range r.Linear {
		if j := r.Linear[i].missing(z); j >= 0 {
			return &r.Linear[i], j
		}
	}
	return nil, -1
}

// missing returns the first missing value that the rule is about, or −1.
func (l *Linear) missing(z []float64) int {
	for j, a := range l.A {
		if a != 0 && math.IsNaN(z[j]) {
			return j
		}
	}
	return -1
}

func (f *file) readLinear(v any) error {
	list, ok := v.([]any)
	if !ok {
		return fmt.Errorf(`"linear": want a list of rules such as ["months <= 12 * (age - 18)"], `+
			`not %s`, describe(v))
	}
	for i, v := range list {
		text, ok := v.(string)
		if !ok {
			return fmt.Errorf(`"linear": rule %d (from 0): want a text such as `+
				`"months <= 12 * (age - 18)", not %s`, i, describe(v))
		}
		f.linear = append(f.linear, text)
	}
	return nil
}

// addLinear reads a rule between features of these names, or of none.
func (r *Rules) addLinear(text string, names []string) error {
	p := linearParser{text: text, names: names, dim: len(r.Features)}
	p.byLength()
	left, err := p.sum()
	if err != nil {
		return err
	}
	sign, open, err := p.relation()
	if err != nil {
		return err
	}
	right, err := p.sum()
	if err != nil {
		return err
	}
	if p.rest() != "" {
		return p.wrong("nothing more, or + or - or *")
	}
	h := polytope.HalfSpace{A: make([]float64, p.dim), Open: open}
	for j := range h.A {
		h.A[j] = sign * (left.of[j] - right.of[j])
	}
	h.B = sign * (right.plus - left.plus)
	if geometry.Length(polytope.LInf, h.A) == 0 {
		return errors.New("it says nothing about any feature")
	}
	r.Linear = append(r.Linear, Linear{text, h})
	return nil
}

// affine is a sum of features with coefficients, and a number.
type affine struct {
	of   map[int]float64
	plus float64
}

func (a affine) times(c float64) affine {
	for j := range a.of {
		a.of[j] *= c
	}
	a.plus *= c
	return a
}

// add adds sign times another sum.
func (a affine) add(sign float64, b affine) affine {
	for j, c := range b.of {
		a.of[j] += sign * c
	}
	a.plus += sign * b.plus
	return a
}

// linearParser reads sums of products of numbers and features.
type linearParser struct {
	text  string
	at    int
	depth int
	names []string
	order []int // of names, the longest first
	dim   int
}

// byLength orders names so that the first one that a text begins with is the one that is meant.
// One that is a number is none here: [2] stands for it.
func (p *linearParser) byLength() {
	for j, name := range p.names {
		if _, err := strconv.ParseFloat(name, 64); err != nil && name != "" {
			p.order = append(p.order, j)
		}
	}
	slices.SortStableFunc(p.order, func(i, j int) int {
		return cmp.Compare(len(p.names[j]), len(p.names[i]))
	})
}

// rest returns the text that is left to read.
func (p *linearParser) rest() string {
	left := strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace)
	p.at = len(p.text) - len(left)
	return left
}

// take reads one of several words, and returns it; "" if none of them comes next.
func (p *linearParser) take(words ...string) string {
	for _, w := range words {
		if strings.HasPrefix(p.rest(), w) {
			p.at += len(w)
			return w
		}
	}
	return ""
}

// wrong is the error of a word at a place where another is wanted.
func (p *linearParser) wrong(want string) error {
	if rest := p.rest(); rest != "" {
		return fmt.Errorf("at %.30q: want %s", rest, want)
	}
	return fmt.Errorf("it ends where it should have %s", want)
}

// relation reads ≤, ≥, < or >: a sign of −1 turns the rule around.
func (p *linearParser) relation() (sign float64, open bool, err error) {
	switch p.take("<=", "≤", ">=", "≥", "<", ">", "==", "=") {
	case "<=", "≤":
		return 1, false, nil
	case ">=", "≥":
		return -1, false, nil
	case "<":
		return 1, true, nil
	case ">":
		return -1, true, nil
	case "=", "==":
		return 0, false, errors.New("no = : few numbers keep an equation exactly; write two " +
			"rules, <= and >=, with the room that there may be")
	}
	return 0, false, p.wrong("<= or >= between two sums")
}

// sum reads terms.
func (p *linearParser) sum() (total affine, err error) {
	total = affine{of: map[int]float64{}}
	for op := "+"; op != ""; op = p.take("+", "-", "−") {
		term, err := p.product()
		if err != nil {
			return total, err
		}
		sign := 1.0
		if op != "+" {
			sign = -1
		}
		total = total.add(sign, term)
	}
	return total, nil
}

// product reads factors, of which all but one are numbers.
func (p *linearParser) product() (affine, error) {
	product, err := p.factor()
	for err == nil {
		op := p.take("*", "·", "/")
		if op == "" {
			break
		}
		var next affine
		if next, err = p.factor(); err != nil {
			break
		}
		switch {
		case op == "/" && (len(next.of) > 0 || next.plus == 0):
			err = errors.New("a rule divides by numbers only, not by features or 0")
		case op == "/":
			product = product.times(1 / next.plus)
		case len(next.of) == 0:
			product = product.times(next.plus)
		case len(product.of) == 0:
			product = next.times(product.plus)
		default:
			err = errors.New("a product of two features is no linear rule")
		}
	}
	return product, err
}

// deepestRule is how far parentheses may be nested.
const deepestRule = 50

// factor reads a number, a feature, or a sum in parentheses.
func (p *linearParser) factor() (affine, error) {
	if p.depth++; p.depth > deepestRule {
		return affine{}, errors.New("it is nested too deep")
	}
	defer func() { p.depth-- }()
	if j, ok := p.feature(); ok {
		return affine{of: map[int]float64{j: 1}}, nil
	}
	switch p.take("(", "-", "−", "[") {
	case "(":
		inner, err := p.sum()
		if err == nil && p.take(")") == "" {
			err = p.wrong(")")
		}
		return inner, err
	case "-", "−":
		f, err := p.factor()
		return f.times(-1), err
	case "[":
		number, _, ok := strings.Cut(p.rest(), "]")
		if !ok {
			return affine{}, p.wrong("the number of a feature, and ]")
		}
		j, err := find(strings.TrimSpace(number), nil, p.dim)
		p.at += len(number) + 1
		return affine{of: map[int]float64{j: 1}}, err
	}
	return p.number()
}

// feature reads the name of one.
func (p *linearParser) feature() (int, bool) {
	rest := p.rest()
	for _, j := range p.order {
		after, ok := strings.CutPrefix(rest, p.names[j])
		if ok && !continues(p.names[j], after) {
			p.at += len(p.names[j])
			return j, true
		}
	}
	return 0, false
}

// continues reports whether the text behind a name or a number belongs to the same word.
func continues(name, after string) bool {
	word := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' }
	return strings.IndexFunc(after, word) == 0 && strings.LastIndexFunc(name, word) >= 0
}

// longestNumber is how many characters of a number are looked at.
const longestNumber = 40

// number reads a number.
func (p *linearParser) number() (affine, error) {
	rest, end := p.rest(), 0
	for i := range min(len(rest), longestNumber) {
		if _, err := strconv.ParseFloat(rest[:i+1], 64); err == nil {
			end = i + 1
		}
	}
	v, err := strconv.ParseFloat(rest[:end], 64)
	if err != nil || !(math.Abs(v) <= math.MaxFloat64) || continues(rest[:end], rest[end:]) {
		return affine{}, p.wrong("a feature or a number" + p.known())
	}
	p.at += end
	return affine{plus: v}, nil
}

// known says how features are called.
func (p *linearParser) known() string {
	if p.names == nil {
		return fmt.Sprintf("; no file names the features, which are [0] to [%d]", p.dim-1)
	}
	word, _, _ := strings.Cut(p.rest(), " ")
	return cmp.Or(tabular.Suggest(word, p.names), "; the features are "+some(p.names))
}
