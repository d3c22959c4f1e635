package models_test

import (
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// TestSpread: a boosted tree adds its numbers to one class; what a small
// file cannot mean is refused.
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

// TestNewest: what errors call the newest version that was tried is the last one that the table of
// docs/use/models.md names, by which CI finds newer releases.
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
