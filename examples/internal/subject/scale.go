package subject

import (
	"fmt"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// noteScale says where a model asks about numbers that scaled rows hardly have, since it was
// trained on rows as they are in the file.
func (s *Flags) noteScale(m *Model, d *Data) {
	outside, all := 0, 0
	for _, tree := range treesOf(m.Classifier) {
		for _, n := range tree.Nodes() {
			if n.Left < 0 || d.category(n.Feature) {
				continue
			}
			if all++; n.Threshold < 0 || n.Threshold > 1 {
				outside++
			}
		}
	}
	if outside > 0 {
		s.note(fmt.Sprintf("--scale minmax: %d of the %d thresholds of %s are not between 0 and "+
			"1, "+
			"where scaled training rows are. If it was trained on rows as they are in the file, "+
			"its answers are wrong: leave out --scale (--units range measures distances in parts "+
			"of each range).", outside, all, m.path))
	}
}

// treesOf returns those of a classifier that tests one feature at a time.
func treesOf(c classifier.Classifier) (trees []*classifier.Tree) {
	switch c := c.(type) {
	case *classifier.Tree:
		trees = append(trees, c)
	case *classifier.Ensemble:
		for i := range c.Len() {
			trees = append(trees, c.Tree(i))
		}
	}
	return trees
}
