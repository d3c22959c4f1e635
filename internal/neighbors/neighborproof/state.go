package neighborproof

// Decisions on a row, as bits.
const (
	before = 1 << iota // it comes before the pivot
	after              // the pivot comes before it
	in                 // it is one of the k neighbours
	out                // it is not
)

// state is the decisions on the path to a node.
type state struct {
	pivot     int32
	marks     []uint8 // by row
	decided   []mark  // in order
	preceding int     // rivals that come before: |A|
	joined    int     // supporting rows that do: |J|
	inside    int     // neighbours: |I|
	outside   int     // |O|
}

// mark is a decision on a row: the bits that are new.
type mark struct {
	row  int32
	bits uint8
}

// decide takes up a decision on a row, a rival or not.
func (s *state) decide(row int32, bits uint8, rival bool) {
	bits &^= s.marks[row]
	s.marks[row] |= bits
	s.decided = append(s.decided, mark{row, bits})
	s.count(bits, rival, 1)
}

// back takes back all decisions but the first n.
func (s *state) back(n int, rival func(row int32) bool) {
	for _, m := range s.decided[n:] {
		s.marks[m.row] &^= m.bits
		s.count(m.bits, rival(m.row), -1)
	}
	s.decided = s.decided[:n]
}

func (s *state) count(bits uint8, rival bool, one int) {
	if bits&before != 0 {
		if rival {
			s.preceding += one
		} else {
			s.joined += one
		}
	}
	if bits&in != 0 {
		s.inside += one
	}
	if bits&out != 0 {
		s.outside += one
	}
}
