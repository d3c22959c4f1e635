package robustsplit

import "math/bits"

// column is a feature of the rows of a node, sorted together with their numbers.
type column struct {
	values []float32
	rows   []int
}

// sort sorts by value, equal ones in the order in which scikit-learn's introsort
// (Musser, "Introspective sorting and selection algorithms", 1997) leaves them.
func (c column) sort() {
	if n := len(c.values); n > 0 {
		c.introsort(2 * (bits.Len(uint(n)) - 1))
	}
}

func (c column) swap(i, j int) {
	c.values[i], c.values[j] = c.values[j], c.values[i]
	c.rows[i], c.rows[j] = c.rows[j], c.rows[i]
}

func (c column) from(i int) column { return column{c.values[i:], c.rows[i:]} }
func (c column) upTo(i int) column { return column{c.values[:i], c.rows[:i]} }

// introsort divides into smaller, equal and larger values until too many divisions
// were uneven.
func (c column) introsort(divisions int) {
	for len(c.values) > 1 {
		if divisions <= 0 {
			c.heapsort()
			return
		}
		divisions--
		pivot := c.medianOf3()
		i, less, more := 0, 0, len(c.values)
		for i < more {
			switch v := c.values[i]; {
			case v < pivot:
				c.swap(i, less)
				i++
				less++
			case v > pivot:
				more--
				c.swap(i, more)
			default:
				i++
			}
		}
		c.upTo(less).introsort(divisions)
		c = c.from(more)
	}
}

// medianOf3 is that of the first, middle and last value.
func (c column) medianOf3() float32 {
	n := len(c.values)
	a, b, last := c.values[0], c.values[n/2], c.values[n-1]
	return max(min(a, b), min(max(a, b), last))
}

func (c column) heapsort() {
	n := len(c.values)
	for start := (n - 2) / 2; start >= 0; start-- {
		c.siftDown(start, n)
	}
	for end := n - 1; end > 0; end-- {
		c.swap(0, end)
		c.siftDown(0, end)
	}
}

func (c column) siftDown(root, end int) {
	for {
		largest := root
		for child := 2*root + 1; child <= 2*root+2 && child < end; child++ {
			if c.values[largest] < c.values[child] {
				largest = child
			}
		}
		if largest == root {
			return
		}
		c.swap(root, largest)
		root = largest
	}
}
