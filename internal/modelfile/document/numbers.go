package document

import (
	"math"
	"math/bits"
	"strconv"
)

// The functions of this file read a word at the beginning of a text, and return how long it is; 0
// if the word there is another, or has no value of the type.

// wordLength returns how long the word is at the beginning of a text.
func wordLength(b []byte) (n int) {
	for n < len(b) && wordBytes[b[n]] {
		n++
	}
	return n
}

// ends reports whether a word at the beginning of a text is so long.
func ends(b []byte, n int) bool { return n == len(b) || !wordBytes[b[n]] }

// Integer reads digits, perhaps after a minus.
func Integer(b []byte) (v int64, n int) {
	m, negative, n := mantissa(b)
	switch {
	case n == 0 || !ends(b, n) || m > 1<<63:
		return 0, 0
	case negative:
		return -int64(m), n
	case m == 1<<63:
		return 0, 0
	}
	return int64(m), n
}

// integer reads one of 32 bits.
func integer(b []byte) (int32, int) {
	v, n := Integer(b)
	if int64(int32(v)) != v {
		return 0, 0
	}
	return int32(v), n
}

// Double reads a number of JSON.
func Double(b []byte) (float64, int) {
	if v, n := short[float64](b); n > 0 {
		return v, n
	}
	return long(b, 64)
}

// float reads a number of JSON, or one of those that XGBoost writes besides.
func float(b []byte) (float32, int) {
	if v, n := short[float32](b); n > 0 {
		return v, n
	}
	switch w := b[:wordLength(b)]; string(w) {
	case "NaN":
		return float32(math.NaN()), len(w)
	case "Infinity":
		return float32(math.Inf(1)), len(w)
	case "-Infinity":
		return float32(math.Inf(-1)), len(w)
	}
	v, n := long(b, 32)
	return float32(v), n
}

// long reads any number of JSON, in so many bits.
func long(b []byte, size int) (float64, int) {
	n := number(b)
	if n == 0 || !ends(b, n) {
		return 0, 0
	}
	v, err := strconv.ParseFloat(string(b[:n]), size)
	if err != nil {
		return 0, 0
	}
	return v, n
}

// Truth reads true or false.
func Truth(b []byte) (yes bool, n int) {
	switch w := b[:wordLength(b)]; string(w) {
	case "true":
		return true, len(w)
	case "false":
		return false, len(w)
	}
	return false, 0
}

// digits reads digits after others that mean m, up to 19 in all but for zeros in front.
func digits(b []byte, m uint64) (uint64, int) {
	for i, c := range b {
		if c -= '0'; c > 9 || m >= 1e18 {
			return m, i
		}
		m = 10*m + uint64(c)
	}
	return m, len(b)
}

// mantissa reads the digits of a number of JSON before its point, with its sign.
func mantissa(b []byte) (m uint64, negative bool, n int) {
	if len(b) > 0 && b[0] == '-' {
		negative, b = true, b[1:]
	}
	m, n = digits(b, 0)
	if n == 0 || b[0] == '0' && n > 1 {
		return 0, false, 0
	}
	if negative {
		n++
	}
	return m, negative, n
}

// short reads a number ±m·10^e of JSON of up to 19 digits, with e from -19 to 19, rounded once.
func short[F float32 | float64](b []byte) (v F, n int) {
	m, negative, n := mantissa(b)
	if n == 0 {
		return 0, 0
	}
	exponent := 0
	if n < len(b) && b[n] == '.' {
		var places int
		if m, places = digits(b[n+1:], m); places == 0 {
			return 0, 0
		}
		n, exponent = n+1+places, -places
	}
	if n < len(b) && (b[n] == 'e' || b[n] == 'E') {
		e, length := power(b[n+1:])
		if length == 0 {
			return 0, 0
		}
		n, exponent = n+1+length, exponent+e
	}
	if !ends(b, n) || exponent < -19 || exponent > 19 {
		return 0, 0
	}
	if v = rounded[F](m, exponent); negative {
		v = -v
	}
	return v, n
}

// power reads the exponent of a number, with its sign.
func power(b []byte) (e, n int) {
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		n = 1
	}
	m, length := digits(b[n:], 0)
	if length == 0 || m > 99 {
		return 0, 0
	}
	if e = int(m); b[0] == '-' {
		e = -e
	}
	return e, n + length
}

// powersOfTen are those that 64 bits hold.
var powersOfTen = func() (p [20]uint64) {
	p[0] = 1
	for i := range p[1:] {
		p[i+1] = 10 * p[i]
	}
	return p
}()

// rounded returns m·10^e, with e from -19 to 19, rounded to the nearest number: it rounds the first
// 62 bits or more, of which the last one is set where others follow. All results are normal numbers
// of both types, or zero.
func rounded[F float32 | float64](m uint64, exponent int) F {
	if m == 0 {
		return 0
	}
	var first, rest uint64
	shift := 0
	if exponent < 0 {
		divisor := powersOfTen[-exponent]
		up, down := bits.LeadingZeros64(m), bits.LeadingZeros64(divisor)
		m <<= up
		first, rest = bits.Div64(m>>1, m<<63, divisor<<down)
		shift = down - up - 63
	} else {
		first, rest = bits.Mul64(m, powersOfTen[exponent])
		if up := bits.LeadingZeros64(first); first == 0 {
			first, rest = rest, 0
		} else {
			first, rest, shift = first<<up|rest>>(64-up), rest<<up, 64-up
		}
	}
	if rest != 0 {
		first |= 1
	}
	return F(float64(F(first)) * math.Float64frombits(uint64(1023+shift)<<52))
}

// number returns how long a number of JSON is at the beginning of a text.
func number(b []byte) (n int) {
	run := func() bool {
		from := n
		for n < len(b) && '0' <= b[n] && b[n] <= '9' {
			n++
		}
		return n > from
	}
	if n < len(b) && b[n] == '-' {
		n++
	}
	if n < len(b) && b[n] == '0' {
		n++
	} else if !run() {
		return 0
	}
	if n < len(b) && b[n] == '.' {
		if n++; !run() {
			return 0
		}
	}
	if n < len(b) && (b[n] == 'e' || b[n] == 'E') {
		if n++; n < len(b) && (b[n] == '+' || b[n] == '-') {
			n++
		}
		if !run() {
			return 0
		}
	}
	return n
}
