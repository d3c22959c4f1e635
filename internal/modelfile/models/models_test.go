package models_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// TestSpread: a boosted tree adds its numbers to one class; numbers too large for a small file are
// refused.
func TestSpread(t *testing.T) {
	m := &models.Model{
		ClassValues: models.Labels(3),
		Trees: []trees.Plain{
			trees.Nodes{{Left: 1, Right: 2}, {Left: -1, Right: -1, Value: []float64{0.5}}, {
				Left:  -1,
				Right: -1,
				Value: []float64{1},
			}},
		},
	}
	if err := m.Spread(1, func(int) int { return 1 }); err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{0, 0, 0}, {0, 0.5, 0}, {0, 1, 0}}
	m.Each(func(_ int, nodes trees.Plain) error {
		for i := range want {
			if got := trees.At(nodes, i).Value; !reflect.DeepEqual(got, want[i]) {
				t.Errorf("node %d has the values %v, want %v", i, got, want[i])
			}
		}
		return nil
	})
	m.ClassValues = models.Labels(models.MostValues)
	if err := m.Spread(2, func(int) int { return 1 }); err == nil ||
		!strings.Contains(err.Error(), "tree 0: 3 nodes of 32 classes") {
		t.Errorf("96 values of a file of 2 bytes: %v", err)
	}
}

// TestPack: nodes are numbered from the root on, and none has two parents.
func TestPack(t *testing.T) {
	columns := func(left, right []int32) *models.Columns {
		c := &models.Columns{Left: left, Right: right}
		for i := range left {
			c.Feature, c.MissingLeft = append(c.Feature, int32(i)), append(c.MissingLeft, i == 0)
			c.Threshold = append(c.Threshold, float64(i))
		}
		return c
	}
	c := columns([]int32{3, -1, -1, -1}, []int32{1, -1, -1, -1})
	leaf := func(v float64) trees.Node {
		return trees.Node{Left: -1, Right: -1, Value: []float64{v}}
	}
	want := trees.Nodes{{Left: 1, Right: 2, MissingLeft: true}, leaf(3), leaf(1)}
	for range 2 {
		packed, err := c.Pack()
		if err != nil || packed.Len() != len(want) {
			t.Fatalf("Pack = %v, %v, want %v", packed, err, want)
		}
		for i := range want {
			if got := trees.At(packed, i); !reflect.DeepEqual(got, want[i]) {
				t.Errorf("node %d is %+v, want %+v", i, got, want[i])
			}
		}
		c.Test(0, trees.BelowFloat32, []float64{1, 2}, false) // now beside a set
		want[0].Thresholds, want[0].MissingLeft = []float64{1, 2}, false
		want[1], want[2] = leaf(1), leaf(3)
	}
	for fault, c := range map[string]*models.Columns{
		"no nodes":     columns(nil, nil),
		"child 4 of 2": columns([]int32{1, -1}, []int32{4, -1}),
		"child 0 is the root or has another pare": columns([]int32{1, -1}, []int32{0, -1}),
		"child 1 is the root or has another pare": columns([]int32{1, -1}, []int32{1, -1}),
	} {
		if _, err := c.Pack(); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("error = %v, want %q", err, fault)
		}
	}
}

// TestNewest: the newest version in errors is the last one that the table of docs/use/models.md
// names, by which CI finds newer releases.
func TestNewest(t *testing.T) {
	text, err := os.ReadFile("../../../docs/use/models.md")
	if err != nil {
		t.Fatal(err)
	}
	for row, library := range map[string]models.Library{
		"| XGBoost": models.XGBoost, "| LightGBM": models.LightGBM,
		"| CatBoost": models.CatBoost, "| scikit-learn": models.Sklearn,
	} {
		_, line, _ := strings.Cut(string(text), "\n"+row)
		versions := strings.Split(strings.Split(line, "|")[1], ", ")
		newest := strings.TrimSpace(versions[len(versions)-1])
		if !slices.Contains(strings.FieldsFunc(library.Newest, func(r rune) bool {
			return r == ' ' || r == ','
		}), newest) {
			t.Errorf("%s: %s is the newest, and %s in docs/use/models.md",
				row, library.Newest, newest)
		}
	}
}

// decoded is a file of which one key is read, and another may not matter.
type decoded struct {
	_ struct{} `ignored:"others other"`
	N int      `json:"n"`
}

func (*decoded) Unknown(within, key string) error {
	return errors.New(models.InObject(within, key) + " is unknown")
}

// TestDecodeJSON: a fault of the text has its place.
func TestDecodeJSON(t *testing.T) {
	var file decoded
	if err := models.DecodeJSON([]byte(`{"n":3,"other":[null]}`), &file); err != nil ||
		file.N != 3 {
		t.Errorf("n = %d, %v", file.N, err)
	}
	for text, fault := range map[string]string{
		`{"n":1,"n":2}`: `byte 10: the key "n" again`,
		`{"N":1}`:       `byte 5: the key "N" is unknown`,
		`{"":1}`:        `byte 4: the key "" is unknown`,
		`{"n":null}`:    "byte 5: n: a null for a whole number",
		`{"n":`:         "byte 5: the file ends in the middle",
		`{"n":"1"}`:     `"n" is a JSON string, want a whole number in its range`,
	} {
		if err := models.DecodeJSON([]byte(text), &file); err == nil ||
			!strings.Contains(err.Error(), fault) {
			t.Errorf("%s: error = %v, want %q", text, err, fault)
		}
	}
}

// kinds has a field of each kind that files have.
type kinds struct {
	I   int            `json:"i"`
	L   int64          `json:"l"`
	F   float64        `json:"f"`
	B   bool           `json:"b"`
	S   string         `json:"s"`
	P   *kinds         `json:"p"`
	N   *float64       `json:"n"`
	Is  []int          `json:"is"`
	Ls  []int64        `json:"ls"`
	Fs  []float64      `json:"fs"`
	FFs [][]float64    `json:"ffs"`
	Bs  []bool         `json:"bs"`
	Ss  []string       `json:"ss"`
	Ks  []kinds        `json:"ks"`
	M   map[string]int `json:"m"`
	A   any            `json:"a"`

	Raw json.RawMessage `json:"raw"`
}

func (*kinds) Unknown(within, key string) error { return errors.New(models.InObject(within, key)) }

// TestDecodesAsEncodingJSON: a text of encoding/json is decoded as encoding/json decodes it.
func TestDecodesAsEncodingJSON(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 500 {
		text, err := json.Marshal(some(rng, 2))
		if err != nil {
			t.Fatal(err)
		}
		var got, want kinds
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if err := models.DecodeJSON(text, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s is %+v, %v, want %+v", text, got, err, want)
		}
	}
}

// some returns random values, nested so deep at most.
func some(rng *rand.Rand, depth int) *kinds {
	float := func() float64 {
		switch rng.IntN(3) {
		case 0:
			return float64(rng.IntN(2000)-1000) / 8
		case 1:
			return rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20))
		}
		for {
			if v := math.Float64frombits(rng.Uint64()); !math.IsInf(v, 0) && v == v {
				return v
			}
		}
	}
	words := []string{"", "plain", "with \"quotes\" and \\", "é\u2028", "\n\t"}
	n := float()
	k := &kinds{
		I: rng.IntN(100) - 50, L: int64(rng.Uint64()), F: float(), B: rng.IntN(2) == 0,
		S: words[rng.IntN(len(words))], N: &n, M: map[string]int{"a": rng.IntN(9), "b": -1},
		A:   []any{1.5, "x", nil, map[string]any{"y": true}}[rng.IntN(4)],
		Raw: json.RawMessage([]string{"1", `"1||4"`, `[1,{"a":null}]`}[rng.IntN(3)]),
	}
	for range rng.IntN(4) {
		k.Is, k.Ls = append(k.Is, rng.Int()), append(k.Ls, -int64(rng.Uint64()>>1))
		k.Fs, k.Bs = append(k.Fs, float()), append(k.Bs, rng.IntN(2) == 0)
		k.FFs = append(k.FFs, [][]float64{{}, nil, {float(), float()}}[rng.IntN(3)])
		k.Ss = append(k.Ss, words[rng.IntN(len(words))])
		if depth > 0 {
			k.Ks, k.P = append(k.Ks, *some(rng, depth-1)), some(rng, depth-1)
		}
	}
	return k
}

// TestNumbers: of an array or a single number.
func TestNumbers(t *testing.T) {
	var file struct {
		decoded
		Of []models.Numbers `json:"of"`
	}
	if err := models.DecodeJSON([]byte(`{"of":[1,[2,-3e5],[]]}`), &file); err != nil ||
		!reflect.DeepEqual(file.Of, []models.Numbers{{1}, {2, -3e5}, {}}) {
		t.Errorf("%v, %v", file.Of, err)
	}
	for _, text := range []string{
		`[null]`, `["1"]`, `[[null]]`, `[{}]`, `[NaN]`, `[01]`, `[1.]`, `[[1,2,]]`, `[[1,,2]]`,
		`[[1,2x,3]]`, `[[1,2 3]]`, `[[1,-,3]]`, `[[1,2,null]]`, `[[1,2,"3"]]`, `[[1,Infinity]]`,
	} {
		if err := models.DecodeJSON([]byte(`{"of":`+text+`}`), &file); err == nil {
			t.Errorf("%s is %v", text, file.Of)
		}
	}
}

// TestRows: rows are apart, be they short or longer than the array that short ones share.
func TestRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	var want kinds
	for range 300 {
		row := make([]float64, []int{0, 1, 2, 3, 700, 3000}[min(rng.IntN(20), 3+rng.IntN(3))])
		for i := range row {
			row[i] = rng.Float64()
		}
		if want.FFs = append(want.FFs, row); rng.IntN(10) == 0 {
			want.FFs = append(want.FFs, nil)
		}
	}
	text, err := json.Marshal(map[string]any{"ffs": want.FFs})
	if err != nil {
		t.Fatal(err)
	}
	var got kinds
	if err := models.DecodeJSON(text, &got); err != nil || !reflect.DeepEqual(got.FFs, want.FFs) {
		t.Fatalf("%d rows are not as they were: %v", len(want.FFs), err)
	}
	for i := range got.FFs { // nor do they end in memory of others
		_ = append(got.FFs[i], -1)
	}
	if !reflect.DeepEqual(got.FFs, want.FFs) {
		t.Error("rows share their numbers")
	}
}

// TestNestedDeep: a text nested too deep is an error, and does not end the stack.
func TestNestedDeep(t *testing.T) {
	text := strings.Repeat(`{"p":`, 1<<20)
	if err := models.DecodeJSON([]byte(text), &kinds{}); err == nil ||
		!strings.Contains(err.Error(), "nested") {
		t.Error(err)
	}
}
