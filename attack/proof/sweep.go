package proof

import "slices"

// mostBins is how many bins a feature has at most.
const mostBins = 16

// user is a tree that uses a feature, with those of its leaves that have a range there which does
// not contain the box, or a contribution.
type user struct {
	tree   []leaf
	placed []placed
	best   [mostBins]int64 // in each bin: without the feature's contributions, then its potentials
}

// placed is a leaf's place in its tree, its contribution of a feature, and its range there: slots
// of the box, and then bins.
type placed struct {
	leaf         int
	contribution *int64
	first, last  int32
}

// sweeps computes potentials so many times.
func (p *potentials) sweeps(b *boxes, count int) {
	users, bins := make([][]user, len(b.low)), make([]int32, len(b.low))
	for _, tree := range p.trees {
		for i := range tree {
			for j, r := range b.e.ranges[tree[i].number] {
				f, contribution := r.feature, &tree[i].contributions[j]
				if *contribution == 0 && b.within(r) {
					continue
				}
				if last := len(users[f]) - 1; last < 0 || &users[f][last].tree[0] != &tree[0] {
					users[f] = append(users[f], user{tree: tree})
				}
				u := &users[f][len(users[f])-1]
				u.placed = append(u.placed,
					placed{i, contribution, max(r.low, b.low[f]), min(r.high, b.high[f])})
			}
		}
	}
	for f, all := range users {
		bins[f] = divide(all, b.low[f], b.high[f])
	}
	for range count {
		for f, all := range users {
			p.constants[f] = 0
			if len(all) > 0 {
				p.constants[f] = sweep(all, bins[f], b.floor)
			}
		}
	}
}

// divide divides the slots of a box into bins, which the ranges have then, and returns how many
// there are.
func divide(users []user, low, high int32) (bins int32) {
	ends, of := make([]bool, high-low+1), make([]int32, high-low+1)
	for _, u := range users {
		for _, s := range u.placed {
			if s.first > low {
				ends[s.first-1-low] = true
			}
			if s.last < high {
				ends[s.last-low] = true
			}
		}
	}
	count, seen := 0, 0
	for _, end := range ends {
		if end {
			count++
		}
	}
	for slot, end := range ends {
		if of[slot] = bins; end {
			seen++
			if mostBins*seen/(count+1) > mostBins*(seen-1)/(count+1) {
				bins++
			}
		}
	}
	for _, u := range users {
		for i := range u.placed {
			s := &u.placed[i]
			s.first, s.last = of[s.first-low], of[s.last-low]
		}
	}
	return bins + 1
}

// sweep makes new potentials of a feature, and with them new contributions of at least a floor. It
// returns the feature's constant.
func sweep(users []user, bins int32, floor int64) (constant int64) {
	var parts [mostBins]int64
	var vacant [mostBins]bool // some user has no leaf there
	for i := range users {
		users[i].measure(bins)
		for bin, v := range users[i].best[:bins] {
			parts[bin] += v
			vacant[bin] = vacant[bin] || v == minusInfinity
		}
	}
	for bin, sum := range parts[:bins] {
		if parts[bin] = sum / int64(len(users)); sum > parts[bin]*int64(len(users)) {
			parts[bin]++ // rounded up
		}
	}
	for i := range users {
		u := &users[i]
		for bin := range bins {
			if u.best[bin] = parts[bin] - u.best[bin]; vacant[bin] {
				u.best[bin] = -1 << 29
			}
		}
		top := slices.Max(u.best[:bins])
		constant += top
		for _, s := range u.placed {
			contribution := max(slices.Max(u.best[s.first:s.last+1])-top, floor)
			u.tree[s.leaf].value += contribution - *s.contribution
			*s.contribution = contribution
		}
	}
	return constant
}

// measure computes the greatest value that a user has in each bin, but for its contributions.
func (u *user) measure(bins int32) {
	everywhere, next := int64(minusInfinity), 0
	own := u.best[:bins]
	for bin := range own {
		own[bin] = minusInfinity
	}
	for i := range u.tree {
		v := u.tree[i].value
		if next == len(u.placed) || u.placed[next].leaf != i {
			everywhere = max(everywhere, v)
			continue
		}
		s := &u.placed[next]
		for bin := s.first; bin <= s.last; bin++ {
			own[bin] = max(own[bin], v-*s.contribution)
		}
		next++
	}
	for bin := range own {
		own[bin] = max(own[bin], everywhere)
	}
}
