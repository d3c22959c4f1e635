package document_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/document"
)

// decode reads a document of a known shape: objects by key, strings, arrays of numbers by the
// prefix of their key, and skips the rest.
func decode(r io.Reader) (map[string]any, error) {
	d := document.New(r)
	all, err := object(d)
	if err == nil {
		err = d.Close()
	}
	return all, err
}

func object(d document.Reader) (map[string]any, error) {
	all := make(map[string]any)
	return all, d.Object(func(key string) (err error) {
		var v any
		switch key[:min(len(key), 1)] {
		case "o":
			v, err = object(d)
		case "s":
			v, err = d.String()
		case "i":
			v, err = d.Ints(nil)
		case "b":
			v, err = d.Bools(nil)
		case "f":
			v, err = d.Floats(nil)
		case "a":
			var list []any
			err = d.Array(func(int) error {
				s, err := d.String()
				list = append(list, s)
				return err
			})
			v = list
		default:
			return d.Skip()
		}
		all[key] = v
		return err
	})
}

// encode writes a document of decode as XGBoost writes UBJSON.
func encode(v any) []byte {
	length := func(n int) []byte { return binary.BigEndian.AppendUint64([]byte{'L'}, uint64(n)) }
	switch v := v.(type) {
	case map[string]any:
		b := []byte{'{'}
		for key, value := range v {
			b = append(append(append(b, length(len(key))...), key...), encode(value)...)
		}
		return append(b, '}')
	case string:
		return append(append([]byte{'S'}, length(len(v))...), v...)
	case []any:
		b := append([]byte("[#"), length(len(v))...)
		for _, value := range v {
			b = append(b, encode(value)...)
		}
		return b
	case []int32:
		b := append([]byte("[$l#"), length(len(v))...)
		for _, n := range v {
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
		return b
	case []bool:
		b := append([]byte("[$U#"), length(len(v))...)
		for _, yes := range v {
			b = append(b, map[bool]byte{true: 1}[yes])
		}
		return b
	case []float32:
		b := append([]byte("[$d#"), length(len(v))...)
		for _, x := range v {
			b = binary.BigEndian.AppendUint32(b, math.Float32bits(x))
		}
		return b
	}
	panic(fmt.Sprintf("%T", v))
}

const sample = ` { "s" :"a\"\u00e9\\" , "o":{"i":[ 1, -2 ,2147483647,-2147483648,0],"b":[0,1,true,false],"x":[{"y":[1e5,"]}"]},null,true]},
	"f":[1,-0.5,1e-3,1E+2,NaN,Infinity,-Infinity,3.4028235e38,1e-45,0.1000000014901161193847656],"z":null,"a":["","b"],"i2":[]}
`

var sampled = map[string]any{
	"s": "a\"é\\", "o": map[string]any{
		"i": []int32{1, -2, math.MaxInt32, math.MinInt32, 0},
		"b": []bool{false, true, true, false},
	},
	"f": []float32{1, -0.5, 1e-3, 100, float32(math.NaN()), float32(math.Inf(1)),
		float32(math.Inf(-1)), math.MaxFloat32, 1e-45, 0.1},
	"a": []any{"", "b"}, "i2": []int32(nil),
}

// same compares decoded values, NaN with NaN.
func same(a, b map[string]any) bool { return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b) }

func TestDecode(t *testing.T) {
	readers := map[string]func(io.Reader) io.Reader{
		"at once": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader,
		"with the end": iotest.DataErrReader,
	}
	for name, reader := range readers {
		if got, err := decode(reader(strings.NewReader(sample))); err != nil ||
			!same(got, sampled) {
			t.Errorf("%s: JSON is %v, %v", name, got, err)
		}
		if got, err := decode(reader(strings.NewReader(string(encode(sampled))))); err != nil ||
			!same(got, sampled) {
			t.Errorf("%s: UBJSON is %v, %v", name, got, err)
		}
	}
	failing := errors.New("the disk is gone")
	for _, text := range []string{sample, string(encode(sampled))} {
		for n := range len(text) - 1 {
			if _, err := decode(strings.NewReader(text[:n])); err == nil &&
				strings.TrimSpace(text[n:]) != "" {
				t.Fatalf("the first %d bytes of %q are read", n, text)
			}
			if _, err := decode(
				io.MultiReader(strings.NewReader(text[:n]), iotest.ErrReader(failing)),
			); !errors.Is(err, failing) {
				t.Fatalf("a reader that fails after %d bytes: %v", n, err)
			}
		}
	}
}

// TestLong: documents longer than the part in memory.
func TestLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	long := map[string]any{"s": strings.Repeat("long ", 100000), "x": nil}
	var ints []int32
	var floats []float32
	for range 300000 {
		ints, floats = append(ints, int32(rng.Uint32())), append(floats,
			rng.Float32()*float32(rng.IntN(1000)))
	}
	long["i"], long["f"], long["y"] = ints, floats, floats
	text, err := json.Marshal(long)
	if err != nil {
		t.Fatal(err)
	}
	delete(long, "x")
	binary := encode(long)
	delete(long, "y")
	for _, text := range []string{string(text), string(binary)} {
		if got, err := decode(strings.NewReader(text)); err != nil ||
			!reflect.DeepEqual(got, long) {
			t.Errorf("%.20q is not what it was: %v", text, err)
		}
	}
}

// TestBinaryForms: other ways to write the same in UBJSON.
func TestBinaryForms(t *testing.T) {
	want := map[string]any{
		"i": []int32{1, -1, 300},
		"b": []bool{true, false},
		"f": []float32{0.5, 2},
	}
	got, err := decode(
		strings.NewReader(
			"{i\x01i[i\x01Ni\xffI\x01\x2c]U\x01b[TF]I\x00\x01f[#i\x02D" +
				"\x3f\xe0\x00\x00\x00\x00\x00\x00U\x02}",
		),
	)
	if err != nil || !same(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	got, err = decode(
		strings.NewReader(
			"{#i\x02i\x01b[$U#i\x02\x01\x00i\x01z[SU\x02ab" +
				"{U\x01a[$d#i\x01....i\x01bZ}CxHi\x011[#i\x01i\x01]",
		),
	)
	if err != nil || !same(got, map[string]any{"b": []bool{true, false}}) {
		t.Errorf("%v, %v, want only b", got, err)
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		`{"i":[1.5]}`: `byte 6: "1.5", want a whole number`,
		`{"i":[2147483648]}`: `byte 6: "2147483648", want a whole number in the ` +
			`range of 32 bits`,
		`{"i":[01]}`:                        `"01"`,
		`{"i":[null]}`:                      `"null"`,
		`{"i":[1,]}`:                        `byte 8: ']', want a number`,
		`{"i":[1 2]}`:                       `byte 8: '2', want a comma or ']'`,
		`{"i":1}`:                           `byte 5: '1', want an array`,
		`{"b":[2]}`:                         `"2", want 0 or 1`,
		`{"f":[1e39]}`:                      `"1e39", want a number in the range of float32`,
		`{"f":[0x1p-2]}`:                    `"0x1p-2"`,
		`{"f":[+1]}`:                        `"+1"`,
		`{"f":[.5]}`:                        `".5"`,
		`{"f":[1.]}`:                        `"1."`,
		`{"f":[00.5]}`:                      `"00.5"`,
		`{"f":[inf]}`:                       `"inf"`,
		`{"f":["1"]}`:                       `'"', want a number`,
		`{"s":1}`:                           `byte 5: '1', want a string`,
		`{"s":"\q"}`:                        `an escape that JSON has not`,
		`{"s":"a","s":"b"}`:                 `the key "s" again`,
		`{"x":1,"x":2}`:                     `the key "x" again`,
		`{"x":[{]}]}`:                       `byte 7: ']', want a key`,
		`{"x":[1,]}`:                        `byte 8: ']', want a number`,
		`{"x":[1 2]}`:                       `byte 8: '2', want a comma`,
		`{"x":[01]}`:                        `"01", want a value of JSON`,
		`{"x":[1.]}`:                        `"1.", want a value of JSON`,
		`{"x":[-]}`:                         `"-", want a value of JSON`,
		`{"x":[1e]}`:                        `"1e", want a value of JSON`,
		`{"x":[+1]}`:                        `"+1", want a value of JSON`,
		`{"x":[nan]}`:                       `"nan", want a value of JSON`,
		`{"x":{"a":1,"a":2}}`:               `the key "a" again`,
		`{"x":{"a" 1}}`:                     `'1', want a colon`,
		`{"x":["\q"]}`:                      `an escape that JSON has not`,
		"{\"x\":\"\n\"}":                    `a control character`,
		"{\"x\":\"\xff\"}":                  `not UTF-8`,
		"{\"\xff\":1}":                      `not UTF-8`,
		`{x:1}`:                             `'x', want a key`,
		`{"x" 1}`:                           `'1', want a colon`,
		`{"x":1} {`:                         `byte 8: '{' after the end of the model`,
		`[]`:                                `'[', want an object`,
		`{"x":` + strings.Repeat("[", 2000): `nested more than 1000 deep`,
		`{"x":[1,2`:                         `byte 9: the file ends in the middle of the model`,
		`{"f":[` + strings.Repeat("1", 2000) + `]}`:   `want a number`,
		"{i\x01i[L\x00\x00\x00\x01\x00\x00\x00\x00]}": `4294967296 before here is not in the range`,
		"{i\x01i[d....]}":                             `the type 'd' before here`,
		"{i\x01b[$U#i\x01\x02}":                       `2 before here, want 0 or 1`,
		"{i\x01f[D\x7f\xef\xff\xff\xff\xff\xff\xff]}": `not in the range of float32`,
		"{i\x01s[]}": `the type '[' before here, want that of a ` +
			`string`,
		"{i\x01sSi\xff}":                      `a length of -1`,
		"{i\x01x[$T#l\x7f\xff\xff\xff}":       `a container of values of the type 'T'`,
		"{i\x01x[$U]}":                        `a type and without a count`,
		"{#i\x01i\x01xZ}":                     `'}' after the end of the model`,
		"{i\x01xQ}":                           `the unknown type 'Q'`,
		"{i\x01xZi\x01xZ}":                    `the key "x" again`,
		"{i\x01x" + strings.Repeat("[", 2000): `nested more than 1000 deep`,
		"{i\x01x[$d#l\x7f\xff\xff\xff..":      `the file ends in the middle of the model`,
		"{i\x01sSl\x7f\xff\xff\xff..":         `the file ends in the middle of the model`,
		"{i\x01o{$i#i\x01i\x01a.}":            `an object of values of one type`,
	} {
		if _, err := decode(strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: error %v, want one that says %s", text, err, want)
		}
	}
}

// TestFloats: numbers are rounded as strconv rounds them, however they are written.
func TestFloats(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var words []string
	for range 300000 {
		x := math.Float32frombits(rng.Uint32())
		if x != x || math.IsInf(float64(x), 0) {
			continue
		}
		// between neighbours, and the decimals beside it
		middle := (float64(x) + float64(math.Nextafter32(x, 1))) / 2
		format := "eEfg"[rng.IntN(4)]
		words = append(words, strconv.FormatFloat(float64(x), format, -1, 32),
			strconv.FormatFloat(middle, format, rng.IntN(17), 64))
	}
	words = append(words, "0", "-0", "0.0", "1e22", "1e23", "16777217", "16777219",
		"9007199254740993", "999999999999999", "1e-22", "340282356779733661637539395458142568447",
		"1.17549435e-38", "1e-7", "123456.7e-10")
	words = slices.DeleteFunc(words,
		func(w string) bool { _, err := strconv.ParseFloat(w, 32); return err != nil })
	got, err := decode(strings.NewReader(`{"f":[` + strings.Join(words, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range got["f"].([]float32) {
		if want, _ := strconv.ParseFloat(
			words[i], 32,
		); math.Float32bits(x) != math.Float32bits(float32(want)) {
			t.Fatalf("%s is %v, want %v", words[i], x, want)
		}
	}
}

// TestWords: words of JSON are read as strconv reads them, others are errors.
func TestWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 60000 {
		w := make([]byte, 1+rng.IntN(21))
		for i := range w {
			w[i] = "0123456789012345678901234567890.eE+-x_ain"[rng.IntN(41)]
		}
		if rng.IntN(2) == 0 {
			w = strconv.AppendFloat(w[:0], math.Float64frombits(rng.Uint64()),
				"eEfg"[rng.IntN(4)], rng.IntN(22)-1, 64)
		}
		want, err := strconv.ParseFloat(string(w), 64)
		is := err == nil && json.Valid(w)
		got, n := document.Double(w)
		if ok := n == len(w); ok != is || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s is %v, %d bytes, want %v, %v", w, got, n, want, is)
		}
		whole, err := strconv.ParseInt(string(w), 10, 64)
		integer, n := document.Integer(w)
		if ok := n == len(w); ok != (err == nil && json.Valid(w)) || ok && integer != whole {
			t.Fatalf("%s is %d, %d bytes, want %d, %v", w, integer, n, whole, err)
		}
	}
	for _, w := range []string{"", "-", "-0", "9223372036854775807", "-9223372036854775808",
		"9223372036854775808", "+922337203685477580", "-+22337203685477580"} {
		whole, err := strconv.ParseInt(w, 10, 64)
		got, n := document.Integer([]byte(w))
		if ok := n > 0 && n == len(w); ok != (err == nil && json.Valid([]byte(w))) ||
			ok && got != whole {
			t.Errorf("%s is %d, %d bytes, want %d, %v", w, got, n, whole, err)
		}
	}
}

// FuzzDecode reads anything: no panic, and of JSON the document of encoding/json.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		sample, string(encode(sampled)),
		"{#i\x02i\x01b[$U#i\x02\x01\x00i\x01z[SU\x02ab" +
			"{U\x01a[$d#i\x01....i\x01bZ}CxHi\x011[#i\x01i\x01]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := decode(strings.NewReader(text))
		if err != nil || document.IsBinary([]byte(text)) {
			return
		}
		var want map[string]any
		if json.Unmarshal([]byte(text), &want) != nil {
			return // NaN, or a fault of a skipped value
		}
		for key, v := range got {
			switch v := v.(type) {
			case string:
				if v != want[key] {
					t.Errorf("%s is %q, want %q", key, v, want[key])
				}
			case []int32:
				for i, n := range v {
					if float64(n) != want[key].([]any)[i] {
						t.Errorf("number %d of %s is %d, want %v", i, key, n, want[key])
					}
				}
			}
		}
	})
}
