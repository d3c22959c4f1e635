package numpyrand

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	randv2 "math/rand/v2"
	"slices"
	"testing"
)

var _ randv2.Source = (*Rand)(nil)

// The expected numbers of this package's tests were printed by numpy 1.24.2,
// each from a fresh RandomState(seed).

const tolerance = 1e-15

func TestUint32(t *testing.T) {
	for _, test := range []struct {
		seed uint32
		want []uint32
	}{
		{0, []uint32{2357136044, 2546248239, 3071714933, 3626093760, 2588848963}},
		{1, []uint32{1791095845, 4282876139, 3093770124, 4005303368, 491263}},
		{42, []uint32{1608637542, 3421126067, 4083286876, 787846414, 3143890026}},
		{math.MaxUint32, []uint32{419326371, 479346978, 3918654476, 2416749639, 3388880820}},
	} {
		r := New(test.seed)
		for i, want := range test.want {
			if got := r.Uint32(); got != want {
				t.Errorf("seed %d: word %d = %d, want %d", test.seed, i, got, want)
			}
		}
	}
}

func TestUint64IsTwoWordsUpperFirst(t *testing.T) {
	if got, want := New(0).Uint64(), uint64(2357136044)<<32|2546248239; got != want {
		t.Errorf("seed 0: Uint64() = %d, want %d", got, want)
	}
}

func TestFloat64(t *testing.T) {
	for _, test := range []struct {
		seed uint32
		want []float64
	}{
		{
			0, []float64{0.5488135039273248, 0.7151893663724195, 0.6027633760716439,
				0.5448831829968969, 0.4236547993389047},
		},
		{
			1, []float64{0.417022004702574, 0.7203244934421581, 0.00011437481734488664,
				0.30233257263183977},
		},
		{
			42, []float64{0.3745401188473625, 0.9507143064099162, 0.7319939418114051,
				0.5986584841970366},
		},
		{math.MaxUint32,
			[]float64{0.0976320289940138, 0.9123828453026218, 0.78903530185164,
				0.7800035981134678}},
	} {
		r := New(test.seed)
		for i, want := range test.want {
			if got := r.Float64(); got != want {
				t.Errorf("seed %d: number %d = %v, want %v", test.seed, i, got, want)
			}
		}
	}
}

// TestLongStreams compares SHA-256 sums over the little-endian bytes of 100,000
// draws, enough to refresh the twister's state hundreds of times.
func TestLongStreams(t *testing.T) {
	const draws = 100_000
	for _, test := range []struct {
		seed          uint32
		words, floats string
	}{
		{0, "4f17016b9e263af3c1a15c90391d2531d00610c8e846c56aa1e66368097cda94",
			"4eab6ef74e08db6c6862e2a8b71d05432cf5fa505622a499b9dcc7dfc6f5440a"},
		{42, "cbc8c7b06bfa1b63117417da76f8464877cc61518b74dd5a1fbf8933fd11a4e7",
			"ab0fb206ab8e80db36de129ed44408580a21437e9065e4b97e4ee048327a6610"},
	} {
		var words, floats []byte
		r := New(test.seed)
		for range draws {
			words = binary.LittleEndian.AppendUint32(words, r.Uint32())
		}
		r = New(test.seed)
		for range draws {
			floats = binary.LittleEndian.AppendUint64(floats, math.Float64bits(r.Float64()))
		}
		if got := sum(words); got != test.words {
			t.Errorf("seed %d: words have sum %s, want %s", test.seed, got, test.words)
		}
		if got := sum(floats); got != test.floats {
			t.Errorf("seed %d: floats have sum %s, want %s", test.seed, got, test.floats)
		}
	}
}

func TestNormal(t *testing.T) {
	for _, test := range []struct {
		seed uint32
		want []float64
	}{
		{
			0, []float64{1.764052345967664, 0.4001572083672233, 0.9787379841057392,
				2.240893199201458, 1.8675579901499675, -0.977277879876411, 0.9500884175255894},
		},
		{
			1, []float64{1.6243453636632417, -0.6117564136500754, -0.5281717522634557,
				-1.0729686221561705, 0.8654076293246785, -2.3015386968802827},
		},
		{
			42, []float64{0.4967141530112327, -0.13826430117118466, 0.6476885381006925,
				1.5230298564080254, -0.23415337472333597, -0.23413695694918055},
		},
		{math.MaxUint32,
			[]float64{0.6484086742306527, 0.6693235306338161, -1.0805437227474493,
				0.2845010447986309, 0.11388773652167104, 0.8676218937929382}},
	} {
		r := New(test.seed)
		for i, want := range test.want {
			if got := r.Normal(0, 1); math.Abs(got-want) > tolerance {
				t.Errorf("seed %d: number %d = %v, want %v", test.seed, i, got, want)
			}
		}
	}
}

// TestLongNormal checks that 100,001 numbers reject as many pairs as numpy:
// the word that follows would differ otherwise.
func TestLongNormal(t *testing.T) {
	r := New(5)
	var numbers []float64
	for range 100_001 {
		numbers = append(numbers, r.Normal(0, 1))
	}
	for i, want := range map[int]float64{
		50_000:  1.9838692984490813,
		99_999:  -0.07158414946263424,
		100_000: -1.3382314015797638,
	} {
		if got := numbers[i]; math.Abs(got-want) > tolerance {
			t.Errorf("number %d = %v, want %v", i, got, want)
		}
	}
	if got, want := r.Uint32(), uint32(402730492); got != want {
		t.Errorf("word after the numbers = %d, want %d", got, want)
	}
}

func TestRandint(t *testing.T) {
	for _, test := range []struct {
		name      string
		seed      uint32
		low, high int64
		want      []int64
		next      uint32 // the word drawn after them; 0: not recorded
	}{
		{"fixture 100", 0, 0, 100, []int64{44, 47, 64, 67, 67, 9, 83, 21, 36, 87}, 0},
		{"fixture 2^31-1", 0, 0, math.MaxInt32,
			[]int64{209652396, 398764591, 924231285, 1478610112, 441365315}, 0},
		{"one number", 0, 0, 1, []int64{0, 0, 0, 0, 0}, 2357136044},
		{"one number, moved", 9, 5, 6, []int64{5, 5, 5, 5, 5}, 44556670},
		{"100", 1, 0, 100, []int64{37, 12, 72, 9, 75}, 4290846341},
		{"negative low", 2, -50, 50, []int64{-10, -35, 22, -28, -7}, 1869695442},
		{"2^31-1", 3, 0, math.MaxInt32,
			[]int64{218175338, 303761048, 893988089, 1460070019, 1249426360}, 521102280},
		{"2^32-1", 3, 0, 1<<32 - 1,
			[]int64{2365658986, 303761048, 3041471737, 3607553667, 1249426360}, 521102280},
		{"2^32", 3, 0, 1 << 32, []int64{2365658986, 303761048, 3041471737, 3607553667, 1249426360},
			521102280},
		{"2^32+1", 3, 0, 1<<32 + 1, []int64{303761048, 521102280, 2445173525, 80522091, 1064672149},
			221049975},
		{"2e12", 4, -1e12, 1e12,
			[]int64{-472145850194, 886232363717, 657237272936, -623722057272, 316826476937},
			928097338},
		{"2^63-1", 5, 0, math.MaxInt64,
			[]int64{4095051218741643470, 6838803925648402109, 3813295331020233846,
				7722008223506294857, 9009596224835060452}, 2627419879},
		{"2^64-1", 6, math.MinInt64, math.MaxInt64,
			[]int64{7246990587097631433, -3099425545820330028, 5925631456464534893,
				-8454205038217167510, -7237456876681897666}, 2555729177},
		{"2^63", 8, math.MinInt64, 0,
			[]int64{-2334815402550860460, -580322300536297111, -2412934868907002918,
				-8654185065858491565, -4930292153829085505}, 48957488},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := New(test.seed)
			for i, want := range test.want {
				if got := r.Randint(test.low, test.high); got != want {
					t.Errorf("Randint(%d, %d) number %d = %d, want %d",
						test.low, test.high, i, got, want)
				}
			}
			if got := r.Uint32(); test.next != 0 && got != test.next {
				t.Errorf("word after them = %d, want %d", got, test.next)
			}
		})
	}
}

func TestRandintPanicsOnEmptyRange(t *testing.T) {
	for _, high := range []int64{3, 2, math.MinInt64} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Randint(3, %d) did not panic", high)
				}
			}()
			New(0).Randint(3, high)
		}()
	}
}

func TestShuffle(t *testing.T) {
	got := New(0).Perm(10)
	if want := []int{2, 8, 4, 9, 1, 6, 7, 3, 0, 5}; !slices.Equal(got, want) {
		t.Errorf("seed 0: Perm(10) = %v, want %v", got, want)
	}
	letters := []byte("0123456789")
	New(0).Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
	if got, want := string(letters), "2849167305"; got != want {
		t.Errorf("seed 0: Shuffle of ten digits = %s, want %s", got, want)
	}
}

func TestLongShuffles(t *testing.T) {
	for _, test := range []struct {
		seed uint32
		n    int
		want string // SHA-256 of the order as little-endian uint32
		next uint32
	}{
		{0, 690, "746e701072643dc8bcb0c485d668304f5f3812ab20a8100c9bae4e3004500782", 2727548166},
		{7, 100_000, "98c8dfa819be502e1d525d13121e3ce18a8f457aeb8b48d3d2986cf4888bcd4c", 849720614},
	} {
		r := New(test.seed)
		var order []byte
		for _, i := range r.Perm(test.n) {
			order = binary.LittleEndian.AppendUint32(order, uint32(i))
		}
		if got := sum(order); got != test.want {
			t.Errorf("seed %d: Perm(%d) has sum %s, want %s", test.seed, test.n, got, test.want)
		}
		if got := r.Uint32(); got != test.next {
			t.Errorf("seed %d: word after Perm(%d) = %d, want %d",
				test.seed, test.n, got, test.next)
		}
	}
}

func TestPermOfFewDrawsNothing(t *testing.T) {
	for _, n := range []int{-1, 0, 1} {
		r := New(0)
		if got, want := len(r.Perm(n)), max(n, 0); got != want {
			t.Errorf("len(Perm(%d)) = %d, want %d", n, got, want)
		}
		if got, want := r.Uint32(), uint32(2357136044); got != want {
			t.Errorf("word after Perm(%d) = %d, want %d", n, got, want)
		}
	}
}

func TestChoice(t *testing.T) {
	for _, test := range []struct {
		seed uint32
		n, k int
		want []int
		next uint32
	}{
		{0, 50, 10, []int{28, 11, 10, 41, 2, 27, 38, 31, 22, 4}, 580757632},
		{11, 5, 5, []int{2, 4, 0, 3, 1}, 1989508433},
		{12, 1, 1, []int{0}, 662124363},
		{13, 1000, 6, []int{945, 452, 304, 433, 864, 291}, 2413455462},
		{14, 9, 0, nil, 953457213},
	} {
		r := New(test.seed)
		got, err := r.Choice(test.n, test.k)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("seed %d: Choice(%d, %d) = %v, %v, want %v",
				test.seed, test.n, test.k, got, err, test.want)
		}
		if got := r.Uint32(); got != test.next {
			t.Errorf("seed %d: word after Choice(%d, %d) = %d, want %d",
				test.seed, test.n, test.k, got, test.next)
		}
	}
}

func TestChoiceRefuses(t *testing.T) {
	for _, test := range []struct{ n, k int }{{3, 4}, {3, -1}, {-2, 0}, {-2, -3}} {
		r := New(0)
		if got, err := r.Choice(test.n, test.k); err == nil {
			t.Errorf("Choice(%d, %d) = %v, want an error", test.n, test.k, got)
		}
		if got, want := r.Uint32(), uint32(2357136044); got != want {
			t.Errorf("word after the refused Choice(%d, %d) = %d, want %d",
				test.n, test.k, got, want)
		}
	}
}

// TestMixedDraws keeps the second number of a normal pair waiting while others
// are drawn, as numpy does.
func TestMixedDraws(t *testing.T) {
	r := New(123)
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > tolerance {
			t.Errorf("%s = %v, want %v", what, got, want)
		}
	}
	near("Normal(1, 2)", r.Normal(1, 2), -1.1712612066011223)
	if got, want := r.Randint(0, 10), int64(2); got != want {
		t.Errorf("Randint(0, 10) = %d, want %d", got, want)
	}
	if got, want := r.Float64(), 0.5513147690828912; got != want {
		t.Errorf("Float64() = %v, want %v", got, want)
	}
	if got, want := r.Perm(6), []int{4, 0, 1, 5, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("Perm(6) = %v, want %v", got, want)
	}
	near("Normal(-1, 0.5)", r.Normal(-1, 0.5), -0.5013272767082071)
	near("Normal(0, 1)", r.Normal(0, 1), 1.5953011188100306)
	if got, err := r.Choice(8, 3); err != nil || !slices.Equal(got, []int{4, 2, 6}) {
		t.Errorf("Choice(8, 3) = %v, %v, want [4 2 6]", got, err)
	}
	if got, want := r.Uint32(), uint32(1051233102); got != want {
		t.Errorf("Uint32() = %d, want %d", got, want)
	}
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
