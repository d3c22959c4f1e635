package document

import (
	"bytes"
	"math"
	"strconv"
)

// Integer parses digits, perhaps after a minus.
func Integer(w []byte) (v int64, ok bool) {
	digits := bytes.TrimPrefix(w, []byte{'-'})
	if len(digits) == 0 || len(digits) > 19 || digits[0] == '0' && len(digits) > 1 {
		return 0, false
	}
	if len(digits) == 19 { // perhaps beyond 64 bits
		v, err := strconv.ParseInt(string(w), 10, 64)
		return v, err == nil && digits[0] != '+'
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = 10*v + int64(c-'0')
	}
	if len(digits) < len(w) {
		v = -v
	}
	return v, true
}

// integer parses one of 32 bits.
func integer(w []byte) (int32, bool) {
	v, ok := Integer(w)
	return int32(v), ok && v >= math.MinInt32 && v <= math.MaxInt32
}

// Double parses a number of JSON.
func Double(w []byte) (float64, bool) {
	if m, exponent, ok := decimal(w); ok && exponent >= -22 && exponent <= 22 {
		return scaled(w, m, exponent), true // rounded once
	}
	v, err := strconv.ParseFloat(string(w), 64)
	// strconv knows hexadecimal numbers, and more names
	return v, err == nil && isNumber(w)
}

// scaled returns ±m·10^exponent, with the sign of a number.
func scaled(w []byte, m int64, exponent int) float64 {
	v := float64(m)
	if exponent < 0 {
		v /= powersOfTen[-exponent]
	} else {
		v *= powersOfTen[exponent]
	}
	if w[0] == '-' {
		v = -v
	}
	return v
}

// float parses a number of JSON, or one of those that XGBoost writes besides.
func float(w []byte) (float32, bool) {
	if v, ok := shortFloat(w); ok {
		return v, true
	}
	switch string(w) {
	case "NaN":
		return float32(math.NaN()), true
	case "Infinity":
		return float32(math.Inf(1)), true
	case "-Infinity":
		return float32(math.Inf(-1)), true
	}
	v, err := strconv.ParseFloat(string(w), 32)
	// strconv knows hexadecimal numbers, and more names
	return float32(v), err == nil && isNumber(w)
}

// powersOfTen are those that float64 holds exactly.
var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
	1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// shortFloat parses a number of JSON with up to 15 digits, as XGBoost writes all; false for
// others. The quotient or product of two exact float64 is rounded once; rounding that again
// to float32 is right unless it lies so close to the middle between two float32 that
// the first rounding may have moved it there or across.
func shortFloat(w []byte) (float32, bool) {
	m, exponent, ok := decimal(w)
	if !ok || exponent < -22 || exponent > 22 {
		return 0, false
	}
	v := scaled(w, m, exponent)
	if size := math.Abs(v); v != 0 && (size < 0x1p-126 || size > 0x1p127) {
		return 0, false // perhaps a subnormal float32, or too large
	}
	const half, below = 1 << 28, 1<<29 - 1 // of the bits that float32 lacks
	if rest := math.Float64bits(v) & below; rest-(half-1) <= 2 {
		return 0, false
	}
	return float32(v), true
}

// decimal returns m and e for a number ±m·10^e of up to 15 digits.
func decimal(w []byte) (m int64, exponent int, ok bool) {
	i, first := 0, 0
	if w[0] == '-' {
		i, first = 1, 1
	}
	for ; i < len(w) && '0' <= w[i] && w[i] <= '9'; i++ {
		m = 10*m + int64(w[i]-'0')
	}
	if i == first || i-first > 15 || (w[first] == '0' && i-first > 1) {
		return 0, 0, false
	}
	if i < len(w) && w[i] == '.' {
		point := i
		for i++; i < len(w) && '0' <= w[i] && w[i] <= '9'; i++ {
			if m = 10*m + int64(w[i]-'0'); i-first > 15 {
				return 0, 0, false
			}
		}
		if exponent = point + 1 - i; exponent == 0 {
			return 0, 0, false
		}
	}
	if i < len(w) && (w[i] == 'e' || w[i] == 'E') {
		e, ok := integer(bytes.TrimPrefix(w[i+1:], []byte{'+'}))
		if !ok || e < -99 || e > 99 {
			return 0, 0, false
		}
		return m, exponent + int(e), true
	}
	return m, exponent, i == len(w)
}

// isNumber reports whether a word is a number of JSON.
func isNumber(w []byte) bool {
	i := 0
	digits := func() bool {
		from := i
		for i < len(w) && '0' <= w[i] && w[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(w) && w[i] == '-' {
		i++
	}
	if i < len(w) && w[i] == '0' {
		i++
	} else if !digits() {
		return false
	}
	if i < len(w) && w[i] == '.' {
		if i++; !digits() {
			return false
		}
	}
	if i < len(w) && (w[i] == 'e' || w[i] == 'E') {
		if i++; i < len(w) && (w[i] == '+' || w[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(w)
}
