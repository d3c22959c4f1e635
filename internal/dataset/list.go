package dataset

// A list grows block by block, each as long as all before it up to longestBlock, so that nothing
// is copied, and no copy has to be held, until its length is known.
type list[T any] struct {
	full [][]T
	last []T
	len  int
}

const firstBlock, longestBlock = 1 << 4, 1 << 18

func (l *list[T]) add(v T) {
	if len(l.last) == cap(l.last) {
		if l.last != nil {
			l.full = append(l.full, l.last)
		}
		l.last = make([]T, 0, min(max(l.len, firstBlock), longestBlock))
	}
	l.last = append(l.last, v)
	l.len++
}

// join returns the elements and empties the list.
func (l *list[T]) join() []T {
	all := make([]T, 0, l.len)
	for i, block := range l.full {
		all = append(all, block...)
		l.full[i] = nil
	}
	all = append(all, l.last...)
	*l = list[T]{}
	return all
}
