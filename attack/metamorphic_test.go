package attack_test

// moved returns the instance with every coordinate v replaced by scale·v + shift.
func (in neighborInstance) moved(scale, shift float64) neighborInstance {
	out := in
	out.x = nil
	for _, p := range in.x {
		out.x = append(out.x, affine(p, scale, shift))
	}
	out.query = affine(in.query, scale, shift)
	out.box = nil
	for _, i := range in.box {
		i.Lo, i.Hi = scale*i.Lo+shift, scale*i.Hi+shift
		out.box = append(out.box, i)
	}
	return out
}

func affine(p []float64, scale, shift float64) []float64 {
	q := make([]float64, len(p))
	for j, v := range p {
		q[j] = scale*v + shift
	}
	return q
}

// permuted returns the instance with its rows in another order.
func (in neighborInstance) permuted(order []int) neighborInstance {
	out := in
	out.x, out.y = nil, nil
	for _, i := range order {
		out.x, out.y = append(out.x, in.x[i]), append(out.y, in.y[i])
	}
	return out
}
