package proof

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// value is a value of JSON as it stands in the file, which is valid; "" is none.
type value string

// deepestJSON is how many arrays and objects may be open.
const deepestJSON = 100

// longestNumber is how many bytes a number may have, anywhere.
const longestNumber = 1000

// parseJSON checks that a text is a value of JSON, in which no object has a key twice. Where
// XGBoost wrote it, NaN and Infinity may stand for numbers.
func parseJSON(text string) value {
	demand(utf8.ValidString(text), "the file is not UTF-8")
	p := &grammar{text: text}
	p.space()
	begin := p.at
	p.value(0)
	v := value(text[begin:p.at])
	p.space()
	p.demand(p.at == len(text), "more follows")
	p.demand(!p.names || strings.Contains(text, `"learner"`), "NaN or Infinity")
	return v
}

// grammar reads JSON.
type grammar struct {
	text  string
	at    int
	names bool // NaN or Infinity were met
}

func (p *grammar) demand(holds bool, what string) {
	if !holds {
		demand(false, "neither LightGBM's text nor JSON: byte %d: %s", p.at, what)
	}
}

func (p *grammar) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\n\r", p.text[p.at]) >= 0 {
		p.at++
	}
}

// is uses up a byte if it is the next one.
func (p *grammar) is(c byte) bool {
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

// value reads a value, within so many arrays and objects.
func (p *grammar) value(depth int) {
	p.demand(p.at < len(p.text), "the file ends")
	switch c := p.text[p.at]; c {
	case '[', '{':
		p.demand(depth < deepestJSON, "more than 100 arrays and objects within each other")
		p.at++
		p.members(c+2, depth+1) // in ASCII
	case '"':
		p.str()
	case 't', 'f', 'n', 'N', 'I':
		p.name()
	default:
		p.number()
	}
}

// members reads what is within brackets, and the last one.
func (p *grammar) members(end byte, depth int) {
	var seen map[string]bool
	if p.space(); p.is(end) {
		return
	}
	for {
		p.space()
		if end == '}' {
			key := unquoted(p.str())
			p.demand(!seen[key], "the key "+strconv.Quote(key)+" again")
			if seen == nil {
				seen = make(map[string]bool)
			}
			seen[key] = true
			p.space()
			p.demand(p.is(':'), "want a colon")
			p.space()
		}
		p.value(depth)
		if p.space(); p.is(end) {
			return
		}
		p.demand(p.is(','), "want a comma or a bracket")
	}
}

// str reads a string and returns it, quotes included.
func (p *grammar) str() string {
	begin := p.at
	p.demand(p.is('"'), "want a string")
	for !p.is('"') {
		p.demand(p.at < len(p.text) && p.text[p.at] >= ' ', "the string does not end")
		if p.is('\\') {
			p.demand(p.at < len(p.text), "the file ends")
			c := p.text[p.at]
			p.demand(strings.IndexByte(`"\/bfnrtu`, c) >= 0, "no escape")
			if c == 'u' {
				p.demand(p.at+4 < len(p.text) && strings.Trim(p.text[p.at+1:p.at+5],
					"0123456789abcdefABCDEF") == "", "no escape")
			}
		}
		p.at++
	}
	return p.text[begin:p.at]
}

// unquoted returns what a string says.
func unquoted(quoted string) (s string) {
	if strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	json.Unmarshal([]byte(quoted), &s) // is valid
	return s
}

func (p *grammar) name() {
	for _, name := range []string{"true", "false", "null", "NaN", "Infinity"} {
		if strings.HasPrefix(p.text[p.at:], name) {
			p.at += len(name)
			p.names = p.names || name[0] < 'a'
			return
		}
	}
	p.demand(false, "want a value")
}

func (p *grammar) number() {
	begin := p.at
	if p.is('-') && p.at < len(p.text) && p.text[p.at] == 'I' {
		p.name()
		return
	}
	if !p.is('0') {
		p.digits()
	}
	if p.is('.') {
		p.digits()
	}
	if p.is('e') || p.is('E') {
		_ = p.is('+') || p.is('-')
		p.digits()
	}
	p.demand(p.at-begin <= longestNumber, "a number of more than 1000 bytes")
}

func (p *grammar) digits() {
	begin := p.at
	for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
		p.at++
	}
	p.demand(p.at > begin, "want a digit")
}

// missing reports whether there is nothing, or a null.
func (v value) missing() bool { return v == "" || v == "null" }

// inside calls item with each value within brackets, and its key in an object.
func (v value) inside(item func(key string, v value)) {
	p := &grammar{text: string(v), at: 1}
	for {
		if p.space(); p.at == len(p.text)-1 {
			return
		}
		key := ""
		if v[0] == '{' {
			key = unquoted(p.str())
			p.space()
			p.at++ // the colon
			p.space()
		}
		begin := p.at
		p.skip()
		item(key, v[begin:p.at])
		p.space()
		p.is(',')
	}
}

// skip passes over a value.
func (p *grammar) skip() {
	for open := 0; p.at < len(p.text); {
		switch c := p.text[p.at]; c {
		case '"':
			p.str()
		case '[', '{':
			open++
			p.at++
		case ']', '}':
			if open--; open < 0 {
				return
			}
			p.at++
		case ',', ' ', '\t', '\n', '\r':
			if open == 0 {
				return
			}
			p.at++
		default:
			p.at++
			continue
		}
		if open == 0 && p.text[p.at-1] != ',' {
			return
		}
	}
}

// object returns the members of an object, none of nothing. All keys are among those that are read
// or do not matter: what a library adds to its files may change what they predict.
func object(v value, keys ...string) map[string]value {
	if v.missing() {
		return nil
	}
	demand(v[0] == '{', "%.40q where an object is expected", v)
	members := map[string]value{}
	v.inside(func(key string, v value) {
		if !slices.Contains(keys, key) {
			demand(false, "the key %.40q is unknown: %w", key, errors.ErrUnsupported)
		}
		members[key] = v
	})
	return members
}

// list reads the elements of an array, none of nothing.
func list[T any](v value, read func(value) T) []T {
	if v.missing() {
		return nil
	}
	demand(v[0] == '[', "%.40q where an array is expected", v)
	all := make([]T, 0, strings.Count(string(v[:min(len(v), 1<<16)]), ",")+1)
	v.inside(func(_ string, e value) { all = append(all, read(e)) })
	return all
}

// same returns a value itself.
func same(v value) value { return v }

// decimal returns a finite number, rounded to so many bits.
func decimal(v value, bits int) float64 {
	f, err := strconv.ParseFloat(string(v), bits)
	isNumber := v != "" && (v[0] == '-' || '0' <= v[0] && v[0] <= '9')
	if !isNumber || err != nil || !finite(f) {
		demand(false, "%.40q is no number", string(v))
	}
	return f
}

func float(v value) float64    { return decimal(v, 64) }
func single(v value) float64   { return decimal(v, 32) }
func floats(v value) []float64 { return list(v, float) }
func integers(v value) []int   { return list(v, integer) }

// integer returns a whole number, which is written as one.
func integer(v value) int {
	n, err := strconv.ParseInt(string(v), 10, 32)
	if err != nil || v[0] == '+' {
		demand(false, "%.40q is no integer", string(v))
	}
	return int(n)
}

// optional returns a number, or another where there is nothing.
func optional(v value, missing int) int {
	if v == "" {
		return missing
	}
	return integer(v)
}

// word returns what a string says, "" for nothing.
func word(v value) string {
	if v.missing() {
		return ""
	}
	demand(v[0] == '"', "%.40q where a string is expected", string(v))
	return unquoted(string(v))
}

// truth returns true or false, false for nothing.
func truth(v value) bool {
	demand(v.missing() || v == "true" || v == "false", "%.40q is neither true nor false", string(v))
	return v == "true"
}
