package grid

// Meeting is the intersection of leaves, one of each tree, within a box.
type Meeting struct {
	// Box holds the intervals in common. Of a feature in which sets have some in common it is a run
	// of them.
	Box Box
	// Disjoint are the features in which the spans of the leaves have no interval in common. There
	// the span of Box ends at the first end of theirs, and begins at the last beginning.
	Disjoint []int32
	// SetsDisjoint are the features in which spans have intervals in common, and sets have none.
	SetsDisjoint []int32

	tested []bool // by feature, whether a set was kept; nil before the first one
	common []Set  // of these features
}

// Empty reports whether there is a feature without an interval in common.
func (m *Meeting) Empty() bool { return len(m.Disjoint) > 0 || len(m.SetsDisjoint) > 0 }

// Border returns one between two spans that have no interval in common; false if all do.
func (m *Meeting) Border() (between Cut, ok bool) {
	if len(m.Disjoint) == 0 {
		return between, false
	}
	f := m.Disjoint[0]
	return Cut{f, m.Box[f].Hi}, true
}

// Begin starts with all of a box, in the memory of the meeting before.
func (m *Meeting) Begin(box Box) {
	m.Box = append(m.Box[:0], box...)
	m.Disjoint, m.SetsDisjoint = m.Disjoint[:0], m.SetsDisjoint[:0]
	clear(m.tested)
}

// KeepSet leaves the intervals of a feature that are in a set, or those that are not.
func (m *Meeting) KeepSet(f int32, set Set, in bool) {
	if m.tested == nil {
		m.tested, m.common = make([]bool, len(m.Box)), make([]Set, len(m.Box))
	}
	if !m.tested[f] {
		m.tested[f] = true
		if m.common[f] == nil {
			m.common[f] = make(Set, len(set))
		}
		m.common[f].Fill()
	}
	m.common[f].Keep(set, in)
}

// KeepTest leaves the inputs that a node of a tree sends left, or right.
func (m *Meeting) KeepTest(g *Grid, n *Node, left bool) {
	switch now := &m.Box[n.Feature]; {
	case n.IsSet():
		m.KeepSet(n.Feature, g.SetOf(n), left)
	case left:
		now.Hi = min(now.Hi, n.Cut)
	default:
		now.Lo = max(now.Lo, n.Cut+1)
	}
}

// End collects the features without an interval in common. Of a set it leaves the run around the
// interval that choose names of those in a span that are in the set.
func (m *Meeting) End(choose func(f int32, span Span, set Set) int32) {
	for f, s := range m.Box {
		if s.Lo > s.Hi {
			m.Disjoint = append(m.Disjoint, int32(f))
			continue
		}
		if m.tested == nil || !m.tested[f] {
			continue
		}
		hull := m.common[f].Hull(s)
		if hull.Lo > hull.Hi {
			m.SetsDisjoint = append(m.SetsDisjoint, int32(f))
			continue
		}
		m.Box[f] = m.common[f].Run(choose(int32(f), hull, m.common[f]), hull)
	}
}
