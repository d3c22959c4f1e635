package classifier

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/internal/precise"
)

// measure computes the interval of squared distances of a group from a box.
func (o *weightedOpener) measure(g int32, lo, hi []float64) {
	pad := o.pads[g]
	var near, far float64
	for j, p := range o.point(g) {
		below, above := lo[j]-p, hi[j]-p
		if gap := max(below, -above) - pad; gap > 0 {
			near += float64(gap * gap)
		}
		reach := max(above, -below) + pad
		far += float64(reach * reach)
	}
	eps := precise.Noise(len(lo))
	o.near[g], o.far[g] = near*(1-eps), far*(1+eps)
}

// survey measures the groups of a part, and drops those behind k rows wherever in
// the box.
func (o *weightedOpener) survey(part *weightedPart) {
	for _, g := range part.groups {
		o.measure(g, part.lo, part.hi)
	}
	reach := o.reach(part.groups)
	kept := 0
	for _, g := range part.groups {
		if o.near[g] <= reach {
			kept++
		}
	}
	if kept == len(part.groups) {
		return
	}
	groups := make([]int32, 0, kept)
	for _, g := range part.groups {
		if o.near[g] <= reach {
			groups = append(groups, g)
		}
	}
	part.groups = groups
}

// reach returns the squared distance within which k rows lie wherever in the box.
func (o *weightedOpener) reach(groups []int32) float64 {
	o.most.reset(o.c.K())
	for _, g := range groups {
		for range min(o.size(g), o.c.K()) {
			o.most.offer(-o.far[g])
		}
	}
	return -o.most.least()
}

// sortOut sorts the groups of a part by where they begin, and divides the k seats:
// the rows of certain groups are all among the k nearest wherever in the box, and
// those of open ones compete for the seats left.
func (o *weightedOpener) sortOut(groups []int32) (certain, open []int32, seats int) {
	o.sorted = append(o.sorted[:0], groups...)
	slices.SortFunc(o.sorted, func(g, h int32) int {
		return cmp.Or(cmp.Compare(o.near[g], o.near[h]), cmp.Compare(g, h))
	})
	o.before = append(o.before[:0], 0)
	for i, g := range o.sorted {
		o.before = append(o.before, o.before[i]+float64(o.size(g)))
	}
	seats = o.c.K()
	isCertain := func(g int32) bool {
		end, _ := slices.BinarySearchFunc(o.sorted, o.far[g], func(h int32, far float64) int {
			if o.near[h] <= far {
				return -1
			}
			return 1
		})
		return o.before[end] <= float64(o.c.K())
	}
	certain, open = o.certain[:0], o.open[:0]
	for _, g := range o.sorted {
		if isCertain(g) {
			certain = append(certain, g)
			seats -= o.size(g)
		} else {
			open = append(open, g)
		}
	}
	o.certain, o.open = certain, open
	return certain, open, seats
}

// contested reports whether some label may win somewhere in the box.
func (o *weightedOpener) contested(part *weightedPart) bool {
	certain, open, seats := o.sortOut(part.groups)
	return slices.ContainsFunc(o.contests, func(t contest) bool {
		return !slices.ContainsFunc(t.rivals, func(rival int32) bool {
			return o.beaten(certain, open, seats, t.label, rival)
		})
	})
}

// beaten reports whether the label's sum is less than the rival's all over the box,
// whichever of the open rows take the seats.
func (o *weightedOpener) beaten(certain, open []int32, seats int, label, rival int32) bool {
	total, size := 0.0, 0.0
	for _, g := range certain {
		v := o.most.value(o.net(g, int32(o.size(g)), label, rival), o.near[g], o.far[g])
		total += v
		size += math.Abs(v)
	}
	o.most.reset(seats)
	for _, g := range open {
		for i, row := range o.groups[g] {
			if i == seats {
				break
			}
			var net int32
			switch o.c.rows.table.Labels[row] {
			case label:
				net = 1
			case rival:
				net = -1
			}
			o.most.offer(o.most.value(net, o.near[g], o.far[g]))
		}
	}
	for _, v := range o.most.values {
		total += v
		size += math.Abs(v)
	}
	return total < -o.sumNoise()*size // false when a weight is infinite
}

// sumNoise bounds the relative rounding error of a sum of k weights, twice over.
func (o *weightedOpener) sumNoise() float64 { return precise.Noise(o.c.K() + 2) }

// topSum keeps the largest of the values offered.
type topSum struct {
	room   int
	values []float64 // descending
}

func (t *topSum) reset(room int) { t.room, t.values = room, t.values[:0] }

func (t *topSum) offer(v float64) {
	i := len(t.values)
	if i < t.room {
		t.values = append(t.values, v)
	} else if i--; i < 0 || v <= t.values[i] {
		return
	}
	for ; i > 0 && v > t.values[i-1]; i-- {
		t.values[i] = t.values[i-1]
	}
	t.values[i] = v
}

// least returns the smallest value kept, −Inf as long as there is room.
func (t *topSum) least() float64 {
	if len(t.values) < t.room {
		return math.Inf(-1)
	}
	return t.values[t.room-1]
}

// value returns the largest value of net/√s for s between near and far.
func (t *topSum) value(net int32, near, far float64) float64 {
	switch {
	case net > 0:
		return float64(net) / math.Sqrt(near)
	case net < 0:
		return float64(net) / math.Sqrt(far)
	}
	return 0
}

// measureSet measures the groups that a settled part depends on.
func (o *weightedOpener) measureSet(part *weightedPart) {
	for _, terms := range part.set.sums {
		for _, t := range terms {
			o.measure(t.group, part.lo, part.hi)
		}
	}
	for _, p := range part.pairs {
		o.measure(p.nearer, part.lo, part.hi)
		o.measure(p.farther, part.lo, part.hi)
	}
}

// settle drops the pairs that hold all over the box; false when one holds nowhere.
func (o *weightedOpener) settle(part *weightedPart) bool {
	sure := func(p precedence) bool { return o.far[p.nearer] < o.near[p.farther] }
	if slices.ContainsFunc(part.pairs, func(p precedence) bool { return o.near[p.nearer] > o.far[p.farther] }) {
		return false
	}
	if slices.ContainsFunc(part.pairs, sure) {
		part.pairs = slices.DeleteFunc(slices.Clone(part.pairs), sure)
	}
	return true
}

// loses reports whether a settled set's label loses to a rival all over the box.
func (o *weightedOpener) loses(set *neighborSet) bool {
	return slices.ContainsFunc(set.sums, func(terms []term) bool {
		total, size := 0.0, 0.0
		for _, t := range terms {
			v := o.most.value(t.net, o.near[t.group], o.far[t.group])
			total += v
			size += math.Abs(v)
		}
		return total < -o.sumNoise()*size
	})
}
