package weighted

import "slices"

// goal is a label that answers the query where its sum beats that of every
// rival.
type goal struct {
	label  int32
	rivals []int32
}

// listGoals lists the labels that answer the query.
func (s *instance) listGoals() (goals []goal) {
	for label := range s.table.Classes {
		if !s.q.Reaches(label) || s.table.Count(label) == 0 {
			continue
		}
		t := goal{label: int32(label)}
		for rival := range s.table.Classes {
			if rival != label && (s.q.Target >= 0 || rival == s.q.From) {
				t.rivals = append(t.rivals, int32(rival))
			}
		}
		goals = append(goals, t)
	}
	return goals
}

// margin returns by how much a row adds to the label's votes over the rival's.
func (s *instance) margin(row, label, rival int32) int32 {
	switch s.table.Labels[row] {
	case label:
		return 1
	case rival:
		return -1
	}
	return 0
}

// wanted reports whether a row of a group may win a goal.
func (s *instance) wanted(g int32) bool {
	return slices.ContainsFunc(s.groups.rows[g],
		func(row int32) bool { return s.q.Reaches(int(s.table.Labels[row])) })
}

// term is a share of a label's sum minus a rival's: net/‖u−P‖.
type term struct{ group, net int32 }

// net returns the sum of the margins of some rows.
func (s *instance) net(rows []int32, label, rival int32) (net int32) {
	for _, row := range rows {
		net += s.margin(row, label, rival)
	}
	return net
}

// appendTerm appends the term of some rows of a group, unless they cancel.
func (s *instance) appendTerm(terms []term, group int32, rows []int32, label, rival int32) []term {
	if net := s.net(rows, label, rival); net != 0 {
		terms = append(terms, term{group, net})
	}
	return terms
}
