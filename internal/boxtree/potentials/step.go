package potentials

// lanes hold a number for each bin of a feature, that above unreachable: none is negative, and 0
// stands for no leaf. Of maxBins as many are in use as the width of a step says.
type lanes [maxBins]int32

// step is a block step on a feature, in lanes for a processor that calculates with many at once.
// Its assembly knows the order of its fields.
type step struct {
	users    []user
	entries  []entry
	bins     []bin
	values   []int32 // of all leaves
	first    []int32
	rests    []int32
	profiles []int32 // of each user, as wide as the step

	totals [maxBins]int64 // of all profiles
	below  [maxBins]int64 // losses of the trees without the bins beyond this one
	beyond [maxBins]int64 // without those before it
	barred lanes          // −1 where some tree has no leaf
	parts  lanes          // of the totals, one a tree
	floor  int32
	width  int32 // bins, or half of maxBins where these suffice
}

// profile is that of a user.
func (k *step) profile(user int) []int32 {
	return k.profiles[user*int(k.width):][:k.width]
}

// gatherPlain fills the profiles of all users, and adds them. Until level the values of leaves that
// have an entry are those of no leaf, so that the others, which lie in all bins, can be told by
// their values.
func (k *step) gatherPlain() {
	i := int32(0)
	for n, u := range k.users {
		p := k.profile(n)
		clear(p)
		for ; i < u.end; i++ {
			e, b := &k.entries[i], k.bins[i]
			k.rests[i] = k.values[e.leaf] - e.contribution
			k.values[e.leaf] = unreachable
			v := k.rests[i] - unreachable
			for j := b.lo; j <= b.hi; j++ {
				p[j] = max(p[j], v)
			}
		}
		free := int32(unreachable)
		for _, v := range k.values[k.first[u.tree]:k.first[u.tree+1]] {
			free = max(free, v)
		}
		for j := range p {
			p[j] = max(p[j], free-unreachable)
		}
		k.add(p)
	}
}

// add adds a profile, and its losses on either side of each bin.
func (k *step) add(p []int32) {
	best := p[0]
	for i, v := range p {
		best = max(best, v)
		k.totals[i] += int64(v)
		if v == 0 {
			k.barred[i] = -1
		}
	}
	most := p[0]
	for i := 0; i < len(p); i++ {
		if most = max(most, p[i]); most == best {
			break
		}
		k.below[i] += int64(best - most)
	}
	most = p[len(p)-1]
	for i := len(p) - 1; i >= 0; i-- {
		if most = max(most, p[i]); most == best {
			break
		}
		k.beyond[i] += int64(best - most)
	}
}

// levelPlain makes the potentials of all users, adds them to the values of their leaves, and sums
// up the largest ones.
func (k *step) levelPlain() (constant int64) {
	i := int32(0)
	for n, u := range k.users {
		var p lanes
		largest := int32(0)
		for j, v := range k.profile(n) {
			if k.barred[j] == 0 { // or no input is there
				p[j] = k.parts[j] - v
				largest = max(largest, p[j])
			}
		}
		constant += int64(largest)
		for ; i < u.end; i++ {
			e, b, most := &k.entries[i], k.bins[i], int32(0)
			for _, v := range p[b.lo : b.hi+1] {
				most = max(most, v)
			}
			e.contribution = max(most-largest, k.floor)
			k.values[e.leaf] = k.rests[i] + e.contribution
		}
	}
	return constant
}
