package robust

// gini is Gini's index, weighted by rows, that the adversary can make of a split.
type gini struct{}

func (gini) leaf(rows []float64) float64 {
	all, loss := 0.0, 0.0
	for _, w := range rows {
		all += w
	}
	for _, w := range rows {
		loss += mixed(w, all-w)
	}
	return loss
}

// mixed returns Gini's index of one class against the rest, times the rows, halved.
func mixed(class, rest float64) float64 {
	if class <= 0 || rest <= 0 {
		return 0
	}
	return class * rest / (class + rest)
}

func (gini) split(left, between, right []float64) float64 {
	var l, b, r, loss float64
	for class := range left {
		l, b, r = l+left[class], b+between[class], r+right[class]
	}
	for c := range left {
		loss += worstMixed(
			placed{left[c], between[c], right[c]},
			placed{l - left[c], b - between[c], r - right[c]},
		)
	}
	return loss
}

// placed are the weights of rows that must go left, may go both ways, and must go right.
type placed struct{ left, between, right float64 }

func (s placed) all() float64 { return s.left + s.between + s.right }

// worstMixed returns the most that the adversary can make of the sum of mixed on both sides. It is
// concave in the weights that go left. Along a line on which one of them is fixed it is largest
// where the shares on both sides are equal.
func worstMixed(class, rest placed) (worst float64) {
	for _, end := range [2]float64{0, 1} {
		worst = max(worst,
			mixedAtEnd(class, rest, class.left+end*class.between),
			mixedAtEnd(rest, class, rest.left+end*rest.between))
	}
	return worst
}

// mixedAtEnd is that sum when so much of the one goes left, and of the other the worst number.
func mixedAtEnd(one, other placed, left float64) float64 {
	moved := other.left + other.between
	if all := one.all(); all > 0 {
		moved = min(max(left/all*other.all(), other.left), moved)
	}
	return mixed(left, moved) + mixed(one.all()-left, other.all()-moved)
}
