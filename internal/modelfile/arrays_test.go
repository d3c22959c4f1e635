package modelfile_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
	"github.com/seed-1a7dc1f9/facet/internal/modelfile/models"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// arraysOf returns the file of arrays that says the same as a file of facet's own format.
func arraysOf(t testing.TB, text string) string {
	t.Helper()
	m, err := modelfile.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var line map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &line); err != nil {
		t.Fatal(err)
	}
	delete(line, "format")
	delete(line, "trees")
	var sizes []int
	var parts [6]bytes.Buffer
	outputs := 0
	for _, tree := range m.Trees {
		sizes = append(sizes, tree.Len())
		for i := range tree.Len() {
			n := trees.At(tree, i)
			outputs = len(n.Value)
			for k, v := range []any{n.Threshold, n.Value, int32(n.Feature), int32(n.Left),
				int32(n.Right), n.MissingLeft} {
				if err := binary.Write(&parts[k], binary.LittleEndian, v); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	rest, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal(sizes)
	if err != nil {
		t.Fatal(err)
	}
	file := fmt.Sprintf(`{"format": "facet-arrays","nodes":%s,"outputs":%d,%s`, list, outputs,
		rest[1:])
	file += "\n"
	for k := range parts {
		file += parts[k].String()
	}
	return file
}

// arraysText is a model with infinite thresholds and missing values that go left.
const arraysText = `{"format":"facet-model","version":1,"kind":"ensemble","n_features":2,` +
	`"classes":[0,1],"comparison":"x <= t","vote":"sum","base":[0,0.25],"trees":[` +
	`{"feature":[0,1,0,0,0],"threshold":[0.5,0,0,0,0],"infinite":[0,-1,0,0,0],` +
	`"left":[1,2,-1,-1,-1],"right":[4,3,-1,-1,-1],"missing_left":[true,false,true,false,false],` +
	`"value":[[0,0],[0,0],[0,1],[0.5,0.125],[1,0]]},` +
	`{"feature":[0],"threshold":[0],"left":[-1],"right":[-1],"value":[[0,0.0625]]}]}`

// TestReadArrays: a file of arrays is the model that the same nodes in JSON are.
func TestReadArrays(t *testing.T) {
	const regressor = `{"format":"facet-model","version":1,"kind":"regressor","n_features":1,` +
		`"comparison":"x < t","vote":"soft","trees":[{"feature":[0,0,0],"threshold":[1,0,0],` +
		`"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0],[3],[4]]}]}`
	for _, text := range []string{treeModel, arraysText, regressor} {
		want, err := modelfile.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := modelfile.Read(strings.NewReader(arraysOf(t, text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*models.Model{want, got} {
			for i, tree := range m.Trees {
				nodes := make(trees.Nodes, tree.Len())
				for k := range nodes {
					tree.Read(k, &nodes[k])
				}
				m.Trees[i] = nodes
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("arrays are %+v\nand JSON %+v", got, want)
		}
	}
}

func TestReadArraysErrors(t *testing.T) {
	text := arraysOf(t, arraysText)
	begin := strings.Index(text, "\n") + 1
	const nodes = 6
	missing, left, values := len(text)-nodes, len(text)-nodes-8*nodes, begin+8*nodes
	changed := func(at int, to string) string { return text[:at] + to + text[at+len(to):] }
	number := func(v float64) string {
		return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
	}
	for name, test := range map[string]struct{ text, fault string }{
		"cut off": {text[:len(text)-1], fmt.Sprintf("byte %d: arrays of 221 bytes, want 222 of 6 "+
			"nodes of 2 outputs", len(text)-1)},
		"longer":             {text + "x", fmt.Sprintf("byte %d: arrays of 223", len(text))},
		"only a line":        {text[:begin-1], "tree 0: 5 nodes"},
		"no trees":           {replaced(t, text[:begin], "[5,1]", "[]"), "no trees"},
		"no nodes":           {replaced(t, text, "[5,1]", "[6,0]"), "tree 1: 0 nodes"},
		"fewer nodes":        {replaced(t, text, "[5,1]", "[7,-1]"), "tree 1: -1 nodes"},
		"a number too large": {replaced(t, text, "[5,1]", "[9007199254740993,1]"), "0: 90"},
		"another number":     {replaced(t, text, "[5,1]", "[5,2]"), "want 259 of 7 nodes"},
		"no outputs":         {replaced(t, text, `"outputs":2`, `"outputs":0`), "outputs is 0"},
		"too many outputs": {replaced(t, text, `"outputs":2`, `"outputs":9007199254740993`),
			"outputs is 90"},
		"outputs of others": {replaced(t, text, `"classes":[0,1]`, `"classes":[0,1,2]`),
			"outputs is 2, want 3"},
		"two in a tree": {replaced(t, text, `"ensemble"`, `"tree"`), "2 trees in a tree"},
		"neighbours":    {replaced(t, text, `"ensemble"`, `"knn"`), `kind is "knn"`},
		"trees besides": {replaced(t, text, `"vote"`, `"trees":[{}],"vote"`), "line has trees"},
		"a key twice":   {replaced(t, text, `"vote"`, `"vote":"","vote"`), `"vote" again`},
		"neither": {changed(missing, "\x02"),
			fmt.Sprintf("byte %d: missing left is 2", missing)},
		"a loop":        {changed(left, "\x00"), "tree 0: node 0: child 0"},
		"a NaN":         {changed(values+8, number(math.NaN())), "node 0: frequency of class 1"},
		"a NaN to test": {changed(begin, number(math.NaN())), "node 0: threshold is NaN"},
		"a feature":     {replaced(t, text, `"n_features":2`, `"n_features":1`), "1: feature 1"},
	} {
		if _, err := read(test.text); err == nil || !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%s: error = %v, want %q", name, err, test.fault)
		}
	}
	for at := range len(text) { // for each byte that changes
		for _, to := range []string{"\x00", "\xff", "9", "\n"} {
			checkRead(t, changed(at, to))
		}
	}
}
