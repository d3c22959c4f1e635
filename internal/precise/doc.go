// Package precise is the arithmetic of bounds: float64 sums, products and lengths
// whose rounding errors are known, returned, or taken off.
//
//   - AddDown, SubDown and Euclidean round down, for bounds that must never lie above
//     the real number they bound. Arithmetic that is exact on integers stays so.
//   - TwoSum returns a sum and its rounding error.
//   - Dot, SumAbs, MaxAbs and Length are plain sums in the order of the coordinates,
//     with the same bits on every processor; Roundoff and Noise bound their errors.
package precise
