package bipartite

// peelDegree is the number of edges per vertex, on average, up to which a search starts by
// peeling: lists of more edges take long to turn around, and there the paths of one edge leave
// little anyhow.
const peelDegree = 8

// peel is a greedy start for graphs of few edges, by the rule of Karp and Sipser (1981):
// a vertex that has one neighbour left sends or takes as much as it can there, as some largest flow
// does. Where there is none, a left vertex sends as much as it can to the neighbour that has the
// fewest others.
type peel struct {
	*search
	lists *Lists
	back  [][]int32 // the left vertices that each right vertex is joined to

	degreeLeft, degreeRight []int32 // edges to vertices that have something left

	single []int32 // vertices of degree 1, perhaps no longer; ^v stands for right vertex v
}

// newPeel returns nil for a graph that is not peeled.
func newPeel(s *search) *peel {
	lists, ok := s.g.(*Lists)
	if !ok {
		return nil
	}
	edges := 0
	for _, neighbours := range lists.Neighbours {
		edges += len(neighbours)
	}
	if edges > peelDegree*(lists.Left()+lists.Right()) {
		return nil
	}
	p := &peel{
		search:      s,
		lists:       lists,
		degreeLeft:  make([]int32, lists.Left()),
		degreeRight: make([]int32, lists.Right()),
	}
	p.turn(edges)
	for v, lefts := range p.back {
		if s.flow.right[v].demand > 0 {
			for _, u := range lefts {
				p.degreeLeft[u]++
			}
		}
	}
	for u, neighbours := range lists.Neighbours {
		if s.flow.supply[u] > 0 {
			for _, v := range neighbours {
				p.degreeRight[v]++
			}
		}
	}
	return p
}

// turn lists the edges by right vertices.
func (p *peel) turn(edges int) {
	degree := make([]int32, p.lists.Right())
	for _, neighbours := range p.lists.Neighbours {
		for _, v := range neighbours {
			degree[v]++
		}
	}
	p.back = make([][]int32, p.lists.Right())
	all := make([]int32, edges)
	for v, n := range degree {
		p.back[v], all = all[:0:n], all[n:]
	}
	for u, neighbours := range p.lists.Neighbours {
		for _, v := range neighbours {
			p.back[v] = append(p.back[v], int32(u))
		}
	}
}

// run peels the graph until no path of one edge has capacity.
func (p *peel) run() error {
	for u, degree := range p.degreeLeft {
		if degree == 1 {
			p.single = append(p.single, int32(u))
		}
	}
	for v, degree := range p.degreeRight {
		if degree == 1 {
			p.single = append(p.single, ^int32(v))
		}
	}
	for u := range p.lists.Neighbours {
		if err := p.singles(); err != nil {
			return err
		}
		for p.flow.supply[u] > 0 && p.degreeLeft[u] > 0 {
			p.send(int32(u), p.loneliest(int32(u)))
			if err := p.singles(); err != nil {
				return err
			}
		}
	}
	return nil
}

// singles serves the vertices of degree 1 until there are none.
func (p *peel) singles() error {
	if err := p.poll.step(); err != nil {
		return err
	}
	for len(p.single) > 0 {
		if err := p.poll.step(); err != nil {
			return err
		}
		last := len(p.single) - 1
		at := p.single[last]
		p.single = p.single[:last]
		switch {
		case at >= 0 && p.flow.supply[at] > 0 && p.degreeLeft[at] == 1:
			p.send(at, p.loneliest(at))
		case at < 0 && p.flow.right[^at].demand > 0 && p.degreeRight[^at] == 1:
			p.send(p.only(^at), ^at)
		}
	}
	return nil
}

// loneliest returns the neighbour of least degree of those with demand; there is one.
func (p *peel) loneliest(u int32) int32 {
	best := None
	for _, v := range p.lists.Neighbours[u] {
		if p.flow.right[v].demand > 0 && (best == None || p.degreeRight[v] < p.degreeRight[best]) {
			best = v
		}
	}
	return best
}

// only returns the left vertex with supply that v is joined to.
func (p *peel) only(v int32) int32 {
	lefts := p.back[v]
	for p.flow.supply[lefts[0]] == 0 {
		lefts = lefts[1:]
	}
	return lefts[0]
}

// send lets as much flow from u to v as it can, and takes the edges of used-up vertices away.
func (p *peel) send(u, v int32) {
	f := p.flow
	amount := min(f.supply[u], f.right[v].demand)
	f.supply[u] -= amount
	f.right[v].demand -= amount
	f.add(u, v, amount)
	if f.supply[u] == 0 {
		for _, w := range p.lists.Neighbours[u] {
			if p.degreeRight[w]--; p.degreeRight[w] == 1 {
				p.single = append(p.single, ^w)
			}
		}
	}
	if f.right[v].demand == 0 {
		for _, w := range p.back[v] {
			if p.degreeLeft[w]--; p.degreeLeft[w] == 1 {
				p.single = append(p.single, w)
			}
		}
	}
}
