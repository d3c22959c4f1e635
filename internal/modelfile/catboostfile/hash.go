package catboostfile

import (
	"encoding/binary"
	"strconv"
	"sync"
)

// mostCodes is how many codes a category may have: 0 to 99999.
const mostCodes = 100_000

// hashesOfNumbers returns the hash of each code. CatBoost hashes the decimal digits of a number.
// Different codes may have one hash, and then are one category.
var hashesOfNumbers = sync.OnceValue(func() []uint32 {
	var digits [8]byte
	hashes := make([]uint32, mostCodes)
	for code := range hashes {
		hashes[code] = cityHash(strconv.AppendInt(digits[:0], int64(code), 10))
	}
	return hashes
})

// cityHash returns the lower half of the 64 bits that version 1 of CityHash gives one to
// eight bytes.
func cityHash(s []byte) uint32 {
	const (
		k2  = 0x9ae16a3b2f90404f
		k3  = 0xc949d7c7509e6557
		mul = 0x9ddfea08eb382d69
	)
	mix := func(v uint64) uint64 { return v ^ v>>47 }
	n := len(s)
	if n >= 4 {
		u := uint64(n) + uint64(binary.LittleEndian.Uint32(s))<<3
		v := uint64(binary.LittleEndian.Uint32(s[n-4:]))
		return uint32(mix((v^mix((u^v)*mul))*mul) * mul)
	}
	y := uint64(s[0]) + uint64(s[n/2])<<8
	z := uint64(n) + uint64(s[n-1])<<2
	return uint32(mix(y*k2^z*k3) * k2)
}
