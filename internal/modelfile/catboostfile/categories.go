package catboostfile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
)

// word is a category of the training data, which the file lists if it was saved with a pool.
type word struct {
	Hash  uint32 `json:"hash"`
	Value string `json:"value"`
}

// categories are those of a feature that the file tells apart.
type categories struct {
	names  []string       // of codes 0, 1, …; nil where these are numbers
	own    int            // how many of these are sure to be of the feature, or stand for others
	hashes map[int]uint32 // of each code
	all    bool           // a table has all categories of the training data
}

// asked are the hashes of categories that tests of a feature know.
type asked struct {
	values map[uint32]bool // of one-hot tests
	tables map[uint64]bool // of statistics
}

func (a *asked) knows(hash uint32) bool { return a.values[hash] || a.tables[inTables(hash)] }

// categories finds those of each feature: the words that the file lists, or whole numbers that have
// the hashes. Where not all hashes are those of numbers, and no words are there, it is an error.
func (f *file) categories(c *columns) (map[int]*categories, error) {
	known, of := make(map[int]*categories), make(map[int]*asked)
	for _, v := range f.Features.Cat {
		a := &asked{make(map[uint32]bool), make(map[uint64]bool)}
		for _, hash := range v.Values {
			a.values[uint32(hash)] = true
		}
		known[v.Index], of[v.Index] = &categories{hashes: make(map[int]uint32)}, a
	}
	for _, s := range c.statistics {
		a, ok := of[s.category]
		if !ok {
			return nil, fmt.Errorf("ctrs: feature %d, which is no category", s.category)
		}
		for hash := range s.counts {
			a.tables[hash] = true
		}
	}
	for _, v := range f.Features.Cat {
		i, a := v.Index, of[v.Index]
		known[i].all = len(a.tables) > 0
		if words, tested := f.words(a); words != nil {
			known[i].name(words, tested)
			continue
		}
		for code, hash := range hashesOfNumbers() {
			if a.knows(hash) {
				known[i].hashes[code] = hash
			}
		}
		if len(f.Features.Words) == 0 && !known[i].explain(a) {
			return nil, models.Unsupported(fmt.Sprintf("feature %.40q has a category that is no "+
				"whole number from 0 to %d, and the file has nothing but its hash: "+
				"save_model(..., pool=pool) writes the words of the pool, too",
				c.cat[i].name, mostCodes-1))
		}
	}
	return known, nil
}

// inWords reports whether a word is none of the numbers that are their own codes.
func inWords(w word) bool {
	code, err := strconv.Atoi(w.Value)
	return err != nil || code < 0 || code >= mostCodes || strconv.Itoa(code) != w.Value
}

// words returns those of a feature in the file, first those that its tests know, and how many these
// are; nil where these are numbers. The file does not say of which column a word is: where no table
// has all of a column, any other word of the file may be of it, and is none of those that the tests
// know.
func (f *file) words(a *asked) (words []word, tested int) {
	words = slices.Clone(f.Features.Words)
	rank := func(w word) int {
		if a.knows(w.Hash) {
			return 0
		}
		return 1
	}
	slices.SortFunc(words, func(v, w word) int {
		return cmp.Or(rank(v)-rank(w), strings.Compare(v.Value, w.Value))
	})
	words = slices.CompactFunc(words, func(v, w word) bool { return v.Value == w.Value })
	tested = slices.IndexFunc(words, func(w word) bool { return rank(w) > 0 })
	if tested < 0 {
		tested = len(words)
	}
	if len(a.tables) > 0 {
		words = words[:tested]
	}
	if !slices.ContainsFunc(words[:tested], inWords) && tested+len(a.tables) > 0 ||
		!slices.ContainsFunc(words, inWords) {
		return nil, 0
	}
	return words, tested
}

// anyOther stands for the categories that no test of a feature knows.
const anyOther = "any other"

// name gives the categories codes in the order of their words. Where no table has them all, one
// code stands for all that no test knows, and answers have that: the words behind it, of which rows
// may have some, may be those of another column.
func (c *categories) name(words []word, tested int) {
	other := anyOther
	for slices.ContainsFunc(words, func(w word) bool { return w.Value == other }) {
		other = "(" + other + ")"
	}
	if c.own = tested; !c.all {
		c.own++
	}
	for at, w := range words {
		if at == tested {
			c.names = append(c.names, other)
		}
		c.hashes[len(c.names)] = w.Hash
		c.names = append(c.names, w.Value)
	}
	if len(c.names) < c.own {
		c.names = append(c.names, other)
	}
}

// explain reports whether numbers have all hashes that are asked for.
func (c *categories) explain(a *asked) bool {
	values, tables := make(map[uint32]bool), make(map[uint64]bool)
	for _, hash := range c.hashes {
		values[hash], tables[inTables(hash)] = true, true
	}
	for hash := range a.values {
		if !values[hash] {
			return false
		}
	}
	for hash := range a.tables {
		if !tables[hash] {
			return false
		}
	}
	return true
}

// holding returns the codes of categories of which something holds, ascending.
func (c *categories) holding(holds func(hash uint32) bool) []int {
	var codes []int
	for code, hash := range c.hashes {
		if holds(hash) {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}
