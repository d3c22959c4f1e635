package plotting

// Frame is the part of the plane that a panel shows.
type Frame struct {
	MinX, MaxX, MinY, MaxY float64
}

// Unit returns a frame around all points whose coordinates are scaled to [0,1].
func Unit() Frame { return Frame{MinX: -0.04, MaxX: 1.04, MinY: -0.04, MaxY: 1.04} }

// Contains reports whether the point lies in the frame.
func (f Frame) Contains(x, y float64) bool {
	return x >= f.MinX && x <= f.MaxX && y >= f.MinY && y <= f.MaxY
}

// node returns corner (i, j) of the frame cut into n×n, or the corner nearest to
// it for i or j outside 0…n.
func (f Frame) node(i, j, n int) point {
	at := func(k int, lo, hi float64) float64 {
		return lo + (hi-lo)*float64(min(max(k, 0), n))/float64(n)
	}
	return point{at(i, f.MinX, f.MaxX), at(j, f.MinY, f.MaxY)}
}

// The contour of a set in the plane, by marching squares (Lorensen and Cline,
// 1987, in two dimensions): the set is sampled at the corners of a grid, and
// where an edge of the grid joins a corner inside and one outside, the border
// crosses it. Inside every square the crossings are joined by straight lines,
// which make closed loops.

// point is a point of the plane.
type point struct{ x, y float64 }

// grid is a set and its samples. Corners (0,0)…(n,n) span the frame; those around
// them count as outside, so that every loop closes along the frame.
type grid struct {
	frame    Frame
	n        int
	sampled  func(i, j int) bool
	contains func(p point) bool
}

type corner struct{ i, j int }

// crossing is an edge of the grid that the border crosses.
type crossing struct{ inside, outside corner }

// loops returns the contour as closed loops, the set to their left. Filled by the
// non-zero rule they cover the set and leave its holes out.
func (g *grid) loops() [][]point {
	next := make(map[crossing]crossing)
	var starts []crossing
	for j := -1; j <= g.n; j++ {
		for i := -1; i <= g.n; i++ {
			g.square(i, j, func(from, to crossing) {
				next[from] = to
				starts = append(starts, from)
			})
		}
	}
	var loops [][]point
	for _, start := range starts {
		if loop := g.follow(start, next); loop != nil {
			loops = append(loops, loop)
		}
	}
	return loops
}

// square joins the crossings of the square with lower left corner (i, j). On a
// walk round it, counterclockwise, the contour leads from where the walk leaves
// the set to where it enters the set next.
func (g *grid) square(i, j int, join func(from, to crossing)) {
	corners := [4]corner{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}
	var in [4]bool
	for k, c := range corners {
		in[k] = g.holds(c)
	}
	step := 1
	if saddle := in[0] == in[2] && in[1] == in[3] && in[0] != in[1]; saddle &&
		!g.contains(g.middle(corners)) {
		step = 3 // backwards, to where the walk entered: the inside corners are apart
	}
	for k := range corners {
		after := (k + 1) % 4
		if !in[k] || in[after] {
			continue
		}
		m := k
		for in[m] || !in[(m+1)%4] {
			m = (m + step) % 4
		}
		join(crossing{corners[k], corners[after]}, crossing{corners[(m+1)%4], corners[m]})
	}
}

func (g *grid) holds(c corner) bool {
	return c.i >= 0 && c.j >= 0 && c.i <= g.n && c.j <= g.n && g.sampled(c.i, c.j)
}

func (g *grid) middle(corners [4]corner) point {
	a, b := g.place(corners[0]), g.place(corners[2])
	return point{(a.x + b.x) / 2, (a.y + b.y) / 2}
}

// place returns the point of a corner; those around the frame are moved onto it.
func (g *grid) place(c corner) point { return g.frame.node(c.i, c.j, g.n) }

// follow returns the loop that begins at start and takes it out of next; nil when
// it has been taken out before.
func (g *grid) follow(start crossing, next map[crossing]crossing) []point {
	var loop []point
	for at := start; ; {
		to, ok := next[at]
		if !ok {
			return loop
		}
		delete(next, at)
		loop = append(loop, g.locate(at))
		at = to
	}
}

// halvings narrow a crossing down to a millionth of the grid's step, far below the resolution of
// the eye.
const halvings = 20

// locate returns the point at which the border crosses an edge.
func (g *grid) locate(c crossing) point {
	in, out := g.place(c.inside), g.place(c.outside)
	if in == out {
		return in
	}
	for range halvings {
		m := point{(in.x + out.x) / 2, (in.y + out.y) / 2}
		if g.contains(m) {
			in = m
		} else {
			out = m
		}
	}
	return in
}
