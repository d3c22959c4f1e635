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
