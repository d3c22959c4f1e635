package robust

// block is features next to each other, and their values row by row. Of each feature the commonest
// value is left out: its sum is that of the node less those of the others. So a block takes the
// time of the values that are different, which of images most are not.
//
// Weights are multiples of a power of two, and no sum of them is rounded (weigh sees to that). So
// a block comes to the same sums as its features one by one.
type block struct {
	from, to int      // features
	first    []int    // cell of the least value of each, and the number of cells
	common   []uint32 // rank of the commonest value of each
	begin    []int    // of each row in cells, and the end; nil if there are too many cells
	cells    []uint16
}

// mostCells is how many cells a block may have. Their sums stay near to the processor.
const mostCells = 1 << 14

// newBlocks divides features into blocks of at most so many cells. A feature with more is a block
// of its own, without cells.
func newBlocks(columns []column, most int) (blocks []block) {
	next := block{first: []int{0}}
	for j := range columns {
		cells := columns[j].cells()
		if all := next.first[len(next.first)-1]; next.to > next.from && all+cells > most {
			blocks = append(blocks, next)
			next = block{from: j, first: []int{0}}
		}
		next.to, next.first = j+1, append(next.first, next.first[len(next.first)-1]+cells)
	}
	blocks = append(blocks, next)
	for k := range blocks {
		if b := &blocks[k]; b.first[b.to-b.from] <= most {
			b.fill(columns)
		}
	}
	return blocks
}

// cells returns how many different values of a feature count: none where the feature cannot be
// split.
func (c *column) cells() int {
	if len(c.thresholds) == 0 {
		return 0
	}
	return c.values
}

// fill finds the commonest values, and the cells of all others.
func (b *block) fill(columns []column) {
	rows := len(columns[b.from].rank)
	b.begin, b.common = make([]int, rows+1), make([]uint32, b.to-b.from)
	for j := b.from; j < b.to; j++ {
		c := &columns[j]
		if c.cells() == 0 {
			continue
		}
		count, common := make([]int, c.values), uint32(0)
		for _, rank := range c.rank {
			if count[rank]++; count[rank] > count[common] {
				common = rank
			}
		}
		b.common[j-b.from] = common
		for i, rank := range c.rank {
			if rank != common {
				b.begin[i+1]++
			}
		}
	}
	for i := range rows {
		b.begin[i+1] += b.begin[i]
	}
	b.cells = make([]uint16, b.begin[rows])
	next := make([]int, rows)
	copy(next, b.begin)
	for j := b.from; j < b.to; j++ {
		c := &columns[j]
		if c.cells() == 0 {
			continue
		}
		for i, rank := range c.rank {
			if rank != b.common[j-b.from] {
				b.cells[next[i]] = uint16(b.first[j-b.from] + int(rank))
				next[i]++
			}
		}
	}
}

// worthwhile reports whether a node has rows enough for a block: not fewer than values of a feature
// in the mean.
func (b *block) worthwhile(rows int) bool {
	return b.begin != nil && rows*(b.to-b.from) >= b.first[b.to-b.from]
}

// sums are those of a block of features at a node.
type sums struct {
	weight [][]float64 // of each class, by cell
	count  []int32
}

// add adds up the rows of a node by cells.
func (s *sums) add(g *grower, b *block, of []uint32) {
	cells := b.first[b.to-b.from]
	if s.count == nil {
		s.count, s.weight = make([]int32, mostCells), make([][]float64, g.Data.classes)
		for class := range s.weight {
			s.weight[class] = make([]float64, mostCells)
		}
	}
	clear(s.count[:cells])
	for class := range s.weight {
		clear(s.weight[class][:cells])
	}
	count := s.count[:mostCells]
	for k, i := range of {
		weight, w := s.weight[g.classes[k]][:mostCells], g.weights[k]
		for _, cell := range b.cells[b.begin[i]:b.begin[i+1]] {
			weight[cell%mostCells] += w
			count[cell%mostCells]++
		}
	}
}

// scanBlock looks for a better split of rows by the features of a block.
func (s *scanner) scanBlock(g *grower, b *block, of []uint32, total []float64, best *split) {
	whole := b.worthwhile(len(of))
	if whole {
		s.sums.add(g, b, of)
	}
	for j := b.from; j < b.to; j++ {
		switch {
		case len(g.columns[j].thresholds) == 0:
		case whole:
			s.score(g, j, s.pick(b, j-b.from, len(of), total), total, best)
		default:
			s.score(g, j, s.add(g, of, &g.columns[j]), total, best)
		}
	}
}

// pick adds up a block's counts of a feature, as add does.
func (s *scanner) pick(b *block, feature, rows int, total []float64) ends {
	var low, high uint32
	first, end := b.first[feature], b.first[feature+1]
	common := first + int(b.common[feature])
	classes := len(total)
	count := s.sums.count[first:end]
	rest := rows
	for _, n := range count {
		rest -= int(n)
	}
	s.sums.count[common] = int32(rest)
	for count[low] == 0 {
		low++
	}
	for high = uint32(len(count) - 1); count[high] == 0; {
		high--
	}
	s.reset(int(high-low)+2, classes)
	for k := range int(high-low) + 1 {
		s.count[k+1] = s.count[k] + int(count[int(low)+k])
	}
	for class, all := range total {
		weight := s.sums.weight[class][first:end]
		for _, w := range weight {
			all -= w
		}
		s.sums.weight[class][common] = all
		upto := 0.0
		for k, w := range weight[low : high+1] {
			upto += w
			s.weight[(k+1)*classes+class] = upto
		}
	}
	return ends{low, high}
}
