package orderk

import "slices"

// conflict says that supporting rows all come before all of some rivals nowhere within the radius
// of a decision.
type conflict struct{ rows, rivals []int32 }

// conflict returns the one that the program has shown.
func (d *decision) conflict() (c conflict) {
	needed, _ := d.program.Needed(d.radius)
	for _, i := range needed {
		b := &d.added[i]
		if b.Before < 0 {
			continue // a side of the domain
		}
		if !slices.Contains(c.rows, b.Before) {
			c.rows = append(c.rows, b.Before)
		}
		if !slices.Contains(c.rivals, b.After) {
			c.rivals = append(c.rivals, b.After)
		}
	}
	return c
}

// conflictsOf returns the conflicts that are known between some of the rows and rivals.
func (d *decision) conflictsOf(rows []int32) (of []conflict) {
	for _, c := range d.conflicts {
		if !slices.ContainsFunc(c.rows, func(r int32) bool { return !slices.Contains(rows, r) }) {
			of = append(of, c)
		}
	}
	return of
}

// mostTried is how many sets of rivals are tried to find a few that take part in all conflicts.
const mostTried = 1 << 12

// fewest looks for no more rivals than are allowed, such that one takes part in each conflict. It
// is undecided where that takes long, and refuted where there are none.
func (d *decision) fewest(conflicts []conflict) (rivals []int32, v verdict) {
	tried := 0
	var choose func(chosen []int32) verdict
	choose = func(chosen []int32) verdict {
		if tried++; tried > mostTried {
			return undecided
		}
		rest, disjoint := unmet(conflicts, chosen)
		if len(rest) == 0 {
			rivals = chosen
			return answered
		}
		if disjoint > d.Allowed-len(chosen) {
			return refuted
		}
		smallest := slices.MinFunc(rest, func(a, b conflict) int {
			return len(a.rivals) - len(b.rivals)
		})
		for _, r := range smallest.rivals {
			if v := choose(append(slices.Clone(chosen), r)); v != refuted {
				return v
			}
		}
		return refuted
	}
	v = choose(nil)
	return rivals, v
}

// unmet returns the conflicts in which none of the chosen rivals takes part, and how many of
// them can be told that share no rival.
func unmet(conflicts []conflict, chosen []int32) (rest []conflict, disjoint int) {
	used := slices.Clone(chosen)
	isUsed := func(r int32) bool { return slices.Contains(used, r) }
	for _, c := range conflicts {
		if slices.ContainsFunc(c.rivals, func(r int32) bool { return slices.Contains(chosen, r) }) {
			continue
		}
		if rest = append(rest, c); !slices.ContainsFunc(c.rivals, isUsed) {
			used = append(used, c.rivals...)
			disjoint++
		}
	}
	return rest, disjoint
}
