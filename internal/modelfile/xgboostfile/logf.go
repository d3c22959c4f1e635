package xgboostfile

import "math"

// logf returns the logarithm of a positive float32 with the rounding of the C library that
// XGBoost's wheels for Linux call: glibc's logf since version 2.27, on a processor with fused
// multiplication and addition. About 1 in 100 values differ from the correctly rounded one.
//
// It cuts x into 2^k·z with z near 1, looks up c near z whose reciprocal and logarithm a
// table has, and adds log(c) + k·log(2) to a cubic polynomial for log(z/c). Source:
// sysdeps/ieee754/flt-32/e_logf.c and e_logf_data.c of glibc, by Arm's optimized routines.
func logf(x float32) float32 {
	const offset = 0x3f330000 // of the smallest z
	bits := math.Float32bits(x)
	if x < 0x1p-126 { // subnormal
		bits = math.Float32bits(x*0x1p23) - 23<<23
	}
	shifted := bits - offset
	entry := logTable[(shifted>>19)%16]
	k := float64(int32(shifted) >> 23)
	z := float64(math.Float32frombits(bits - shifted&0xff800000))
	r := math.FMA(z, entry.inverse, -1)
	y0 := math.FMA(k, 0x1.62e42fefa39efp-1, entry.log)
	r2 := float64(r * r)
	y := math.FMA(0x1.5575b0be00b6ap-2, r, -0x1.ffffef20a4123p-2)
	y = math.FMA(-0x1.00ea348b88334p-2, r2, y)
	return float32(math.FMA(y, r2, y0+r))
}

// logTable has, for each sixteenth of an octave, the reciprocal of a number near its middle and
// the logarithm of that number.
var logTable = [16]struct{ inverse, log float64 }{
	{0x1.661ec79f8f3bep+0, -0x1.57bf7808caadep-2},
	{0x1.571ed4aaf883dp+0, -0x1.2bef0a7c06ddbp-2},
	{0x1.49539f0f010bp+0, -0x1.01eae7f513a67p-2},
	{0x1.3c995b0b80385p+0, -0x1.b31d8a68224e9p-3},
	{0x1.30d190c8864a5p+0, -0x1.6574f0ac07758p-3},
	{0x1.25e227b0b8eap+0, -0x1.1aa2bc79c81p-3},
	{0x1.1bb4a4a1a343fp+0, -0x1.a4e76ce8c0e5ep-4},
	{0x1.12358f08ae5bap+0, -0x1.1973c5a611cccp-4},
	{0x1.0953f419900a7p+0, -0x1.252f438e10c1ep-5},
	{0x1p+0, 0x0p+0},
	{0x1.e608cfd9a47acp-1, 0x1.aa5aa5df25984p-5},
	{0x1.ca4b31f026aap-1, 0x1.c5e53aa362eb4p-4},
	{0x1.b2036576afce6p-1, 0x1.526e57720db08p-3},
	{0x1.9c2d163a1aa2dp-1, 0x1.bc2860d22477p-3},
	{0x1.886e6037841edp-1, 0x1.1058bc8a07ee1p-2},
	{0x1.767dcf5534862p-1, 0x1.4043057b6ee09p-2},
}
