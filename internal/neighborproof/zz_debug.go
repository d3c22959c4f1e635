package neighborproof

import "fmt"

func (t *tree) debug() {
	fmt.Printf("FAIL pivot %d S %d k %d spare %d bound %v\n%s", t.pivot, t.Seats, t.k, t.Spare, t.bound, t.text)
	fmt.Printf("terms %v value %v u %v inside %d joined %d spared %d out %d marks %v\n labels %v\n", t.terms, t.at.value, t.at.u, t.inside, t.joined, t.spared, t.outside, t.marks, t.table.Labels)
	for i := range t.marks {
		d := 0.0
		for j, e := range t.table.Row(int32(i)) {
			v := e - t.X[j] - t.at.u[j]
			d += v * v
		}
		fmt.Printf(" row %d label %d dist² %v far %v\n", i, t.table.Labels[i], d, t.far(int32(i), t.pivot))
	}
	fmt.Println("others", t.others, "partners", t.partners, "side", t.side)
}
