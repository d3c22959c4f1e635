package trees

// Dot is the sum that oblique tests compare with their thresholds: from the first
// feature to the last, every product rounded before it is added, so that training and
// predictions agree on all machines.
func Dot(w, x []float64) float64 {
	x = x[:len(w)]
	var sum float64
	for j, e := range w {
		sum += float64(e * x[j])
	}
	return sum
}
