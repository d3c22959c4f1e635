package precise

import "math"

// Doubled is a number as a sum of two, of which the second is below the last digit of the
// first, and the size of its terms.
type Doubled struct{ High, Low, Size float64 }

// AddProduct adds a·b.
func (d *Doubled) AddProduct(a, b float64) {
	product := float64(a * b)
	sum, rest := TwoSum(d.High, product)
	d.High, d.Low = sum, d.Low+(rest+math.FMA(a, b, -product))
	d.Size += math.Abs(product)
}

// Value returns the number, rounded.
func (d *Doubled) Value() float64 { return d.High + d.Low }
