package oracle

// hasInterior tells whether some point of the cell satisfies the bisectors
// strictly. A linear program looks for the point that does so by the largest
// margin s: a·z + s‖a‖₁ ≤ b for the bisectors, which is to say that the cube of
// radius s around z is on the right side of them. (Any other norm of a would
// decide as well; this one is rational.) The sides of the box get no margin, and
// s ≤ 1 keeps the program bounded. As in closestLinear, z = v − w.
func (c *cell[T]) hasInterior(f arithmetic[T]) bool {
	p := program[T]{c: zeros(f, 2*c.dim+1)}
	p.c[2*c.dim] = f.num(1)
	for i, a := range c.a {
		a, b := f.scale(a, c.b[i])
		margin := f.num(0)
		if i < c.bisectors {
			margin = cost(f, One, a, zeros(f, c.dim))
		}
		p.a, p.b = append(p.a, append(split(f, a), margin)), append(p.b, b)
	}
	p.a, p.b = append(p.a, p.c), append(p.b, f.num(1))
	out := f.maximise(p)
	return out.status == optimal && f.sign(out.v[2*c.dim]) > 0
}
