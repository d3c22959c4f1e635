package classifier_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// recording is what docs/record_models.py recorded of a library's predictions: its
// rule of the rows, the labels, and the margins as a checksum.
type recording struct {
	Name, File string
	Rows       int
	Seed       uint64
	Cuts       [][]float64
	Special    []*float64 // null stands for NaN
	Labels     string
	Single     bool // margins are float32
	CRC        uint32
	First      [][]float64 // margins of the first rows
}

func readRecordings(t testing.TB, folder string) []recording {
	t.Helper()
	var recordings []recording
	if err := json.Unmarshal(readFile(t, folder, "recorded.json"), &recordings); err != nil {
		t.Fatal(err)
	}
	return recordings
}

func readFile(t testing.TB, path ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", filepath.Join(path...)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// rows makes the rows as docs/record_models.py does, on and beside the thresholds.
func (r *recording) rows() [][]float64 {
	state := r.Seed
	below := func(n int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int((state >> 33) % uint64(n))
	}
	rows := make([][]float64, r.Rows)
	for i := range rows {
		for _, near := range r.Cuts {
			kind, which, shift := below(10), below(max(len(near), 1)), below(1<<20)
			cut := 0.0
			if len(near) > 0 {
				cut = near[which]
			}
			v := recordedValue(kind, cut, shift)
			if kind == 9 && len(r.Special) > 0 {
				v = math.NaN()
				if special := r.Special[shift%len(r.Special)]; special != nil {
					v = *special
				}
			}
			rows[i] = append(rows[i], v)
		}
	}
	return rows
}

func recordedValue(kind int, cut float64, shift int) float64 {
	single := float32(cut)
	above := float64(math.Nextafter32(single, float32(math.Inf(1))))
	below := float64(math.Nextafter32(single, float32(math.Inf(-1))))
	over, under := (float64(single)+above)/2, (float64(single)+below)/2
	return [...]float64{
		cut, cut, above, below, over, under, math.Nextafter(over, math.Inf(1)),
		cut + (float64(shift)/(1<<19)-1)/2, math.Nextafter(cut, math.Inf(1)), math.Nextafter(under, math.Inf(-1)),
	}[kind]
}

// margins returns what the library calls margins, or probabilities for a forest.
func (r *recording) margins(e *classifier.Ensemble, x []float64) []float64 {
	scores := e.Scores(x)
	if len(r.First[0]) == 1 {
		return scores[1:]
	}
	if e.Options().Vote == classifier.SoftVote {
		for c := range scores {
			scores[c] /= float64(e.Len())
		}
	}
	return scores
}

// check compares predictions and margins with the recorded ones, all of them.
func (r *recording) check(t *testing.T, e *classifier.Ensemble) {
	sum := crc32.NewIEEE()
	for i, x := range r.rows() {
		if got, want := e.Predict(x), int(r.Labels[i]-'0'); got != want {
			t.Fatalf("row %d: Predict(%v) = %d, want %d; Scores = %v", i, x, got, want, e.Scores(x))
		}
		margins := r.margins(e, x)
		if i < len(r.First) && !slices.Equal(margins, r.First[i]) {
			t.Errorf("row %d: margins of %v = %v, want %v", i, x, margins, r.First[i])
		}
		for _, v := range margins {
			if r.Single {
				sum.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v))))
			} else {
				sum.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
			}
		}
	}
	if sum.Sum32() != r.CRC {
		t.Errorf("the margins of %d rows have CRC-32 %d, want %d", r.Rows, sum.Sum32(), r.CRC)
	}
}

// readers read the formats by the folder that has their recordings.
var readers = map[string]func(io.Reader) (*classifier.Ensemble, error){
	"boosting": classifier.ReadEnsemble,
	"xgboost":  classifier.ReadXGBoost,
	"lightgbm": classifier.ReadLightGBM,
}

// TestRecordedPredictions: labels, and margins to the last bit, are the library's
// own on rows on and beside thresholds, their float32 neighbours and the middles
// between them, and on NaN where the library takes it.
func TestRecordedPredictions(t *testing.T) {
	for folder, read := range readers {
		recordings := readRecordings(t, folder)
		if len(recordings) < 3 {
			t.Errorf("%s: %d recordings", folder, len(recordings))
		}
		for _, r := range recordings {
			t.Run(folder+"/"+r.Name, func(t *testing.T) {
				e, err := read(bytes.NewReader(readFile(t, folder, r.File)))
				if err != nil {
					t.Fatal(err)
				}
				if e.Dim() != len(r.Cuts) {
					t.Fatalf("Dim = %d, want %d", e.Dim(), len(r.Cuts))
				}
				r.check(t, e)
				any, err := classifier.ReadModel(bytes.NewReader(readFile(t, folder, r.File)))
				if err != nil {
					t.Fatal(err)
				}
				sameEnsemble(t, any, e)
			})
		}
	}
}

func sameEnsemble(t *testing.T, a, b *classifier.Ensemble) {
	t.Helper()
	if a.Len() != b.Len() || !slices.Equal(a.ClassValues(), b.ClassValues()) || a.Options().Vote != b.Options().Vote {
		t.Errorf("ReadModel gives %d trees, classes %v, vote %d, want %d, %v, %d",
			a.Len(), a.ClassValues(), a.Options().Vote, b.Len(), b.ClassValues(), b.Options().Vote)
	}
}

func TestReadModelErrors(t *testing.T) {
	for name, test := range map[string]struct{ text, place string }{
		"nothing":        {"", "byte 0"},
		"prose":          {"hello", "byte 1"},
		"other JSON":     {`{"a": 1}`, "without the format"},
		"an array":       {`[1]`, "byte"},
		"cut short":      {smallModel[:40], "byte 40"},
		"UBJSON":         {"{L\x00\x00\x00\x00\x00\x00\x00\x07learner{", "save_model"},
		"binary":         {"binf\x9a\x99", "save_model"},
		"a bad export":   {changed(t, `"version":1`, `"version":2`), "version is 2"},
		"a bad booster":  {`{"learner":{},"version":[1,7,4]}`, "gradient_booster"},
		"a bad text":     {"tree\nversion=v1\nend of trees\n", "line 2: version"},
		"a text, Window": {"tree\r\nversion=v3\r\n", "line 2"},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := classifier.ReadModel(strings.NewReader(test.text))
			if e != nil || !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("ReadModel = %v, %v, want ErrModel", e, err)
			}
			mentions(t, err, test.place)
		})
	}
}

func TestReadersReportTheReader(t *testing.T) {
	want := errors.New("the disk is on fire")
	readers := map[string]func(io.Reader) (*classifier.Ensemble, error){
		"ReadModel": classifier.ReadModel, "ReadEnsemble": classifier.ReadEnsemble,
		"ReadXGBoost": classifier.ReadXGBoost, "ReadLightGBM": classifier.ReadLightGBM,
	}
	for name, read := range readers {
		for _, start := range []string{"", "{", "tree\n"} {
			_, err := read(io.MultiReader(strings.NewReader(start), iotest.ErrReader(want)))
			if !errors.Is(err, classifier.ErrModel) {
				t.Errorf("%s after %q: error = %v, want ErrModel", name, start, err)
			}
			if !errors.Is(err, want) && (name == "ReadModel" || start != "tree\n") {
				t.Errorf("%s after %q: error = %v, want %v", name, start, err, want)
			}
		}
	}
}

// checkRead holds whatever a reader returns against what all of them promise: an
// error is ErrModel; a model predicts, and its cells hold the points they are
// asked for and others with the same label only.
func checkRead(t *testing.T, e *classifier.Ensemble, err error) {
	t.Helper()
	if err != nil {
		if e != nil || !errors.Is(err, classifier.ErrModel) {
			t.Fatalf("the reader returned %v, %v, want ErrModel", e, err)
		}
		return
	}
	if e.Dim() > 1000 || e.Len()*e.Classes() > 1000 {
		return // takes more memory or time than a fuzz target has
	}
	points := pointsOf(e)
	for _, x := range points {
		label := e.Predict(x)
		cell, err := e.CellAt(x)
		if err != nil || cell.Label != label || !cell.Region.Contains(x) || label < 0 || label >= e.Classes() {
			t.Fatalf("Predict(%v) = %d of %d classes, CellAt = %v, %v", x, label, e.Classes(), cell, err)
		}
		for _, z := range points {
			if cell.Region.Contains(z) && e.Predict(z) != label {
				t.Fatalf("%v lies in the cell of %v, but has label %d, not %d", z, x, e.Predict(z), label)
			}
		}
	}
	if label := e.Predict(slices.Repeat([]float64{math.NaN()}, e.Dim())); label < 0 || label >= e.Classes() {
		t.Fatalf("Predict(NaN…) = %d of %d classes", label, e.Classes())
	}
}

// pointsOf returns points of equal coordinates, at and beside some thresholds.
func pointsOf(e *classifier.Ensemble) [][]float64 {
	values := []float64{0, 0.5, -1, 1e300, -1e300, math.SmallestNonzeroFloat64}
	for i := range min(e.Len(), 3) {
		for _, n := range e.Tree(i).Nodes()[:1] {
			for _, v := range beside(n.Threshold) {
				if !math.IsInf(v, 0) && !math.IsNaN(v) {
					values = append(values, v)
				}
			}
		}
	}
	points := make([][]float64, len(values))
	for i, v := range values {
		points[i] = slices.Repeat([]float64{v}, e.Dim())
	}
	return points
}

// mutate calls test with a JSON text in which each value in turn is replaced by
// others, and each key in turn is left out.
func mutate(t *testing.T, text string, test func(text string)) {
	t.Helper()
	var document any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	changed := 0
	try := func() {
		mutant, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		changed++
		test(string(mutant))
	}
	var walk func(v any, set func(any))
	walk = func(v any, set func(any)) {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				delete(v, key)
				try()
				v[key] = value
				walk(value, func(new any) { v[key] = new })
			}
		case []any:
			for i, value := range v {
				walk(value, func(new any) { v[i] = new })
			}
			set(append(slices.Clone(v), v...))
			try()
		}
		for _, other := range []any{
			nil, true, -1, 0, 1, 2, 3, 7, 1.5, 1e39, 1e300, 1e12, "", "x", "-1", "0", "1", "3", "5E-1", "[1,2]", "NaN",
			"99999999999999999999", "1048577", []any{}, []any{nil}, []any{1}, []any{[]any{1}}, map[string]any{},
		} {
			set(other)
			try()
		}
		set(v)
	}
	walk(document, func(new any) { document = new })
	if changed < 500 {
		t.Errorf("%d mutants", changed)
	}
}

const boostedModel = `{"format":"sklearn-tree-ensemble","version":1,"n_features":2,"classes":[3,5],` +
	`"boosting":{"init":[0,0.25],"learning_rate":0.5,"class":[1,1],"decision":"probability"},` +
	`"trees":[{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0],[-1],[1]]},` +
	`{"feature":[-2],"threshold":[-2],"left":[-1],"right":[-1],"value":[[0.5]]}]}`

func TestReadEnsembleBoosting(t *testing.T) {
	e, err := classifier.ReadEnsemble(strings.NewReader(boostedModel))
	if err != nil {
		t.Fatal(err)
	}
	if e.Options().Vote != classifier.LogisticVote || !slices.Equal(e.ClassValues(), []float64{3, 5}) {
		t.Errorf("options %+v, classes %v", e.Options(), e.ClassValues())
	}
	for x, want := range map[float64]float64{0.5: 0, 0.6: 1} {
		if got := e.Scores([]float64{x, 0}); !slices.Equal(got, []float64{0, want}) || e.Predict([]float64{x, 0}) != int(want) {
			t.Errorf("Scores(%v) = %v, want 0, %v; label %d", x, got, want, e.Predict([]float64{x, 0}))
		}
	}
	// A sum of zero is a tie: of probabilities, label 0; of sums, label 1.
	e, err = classifier.ReadEnsemble(strings.NewReader(strings.Replace(boostedModel, "probability", "sum", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Predict([]float64{0.5, 0}); got != 1 {
		t.Errorf("label of a zero sum = %d, want 1", got)
	}
	_, err = classifier.ReadTree(strings.NewReader(boostedModel))
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("ReadTree of a boosted model: error = %v, want errors.ErrUnsupported", err)
	}
}

func TestReadEnsembleBoostingErrors(t *testing.T) {
	for name, test := range map[string]struct{ old, new, place string }{
		"one class":             {`"classes":[3,5]`, `"classes":[3]`, "1 class"},
		"an init missing":       {`[0,0.25]`, `[0.25]`, "1 init values"},
		"an init null":          {`[0,0.25]`, `[null,0.25]`, "init: a null"},
		"an init for class 0":   {`[0,0.25]`, `[0.1,0.25]`, "init of the first"},
		"an init too large":     {`[0,0.25]`, `[0,1e400]`, "init"},
		"no learning rate":      {`"learning_rate":0.5,`, ``, "no learning_rate"},
		"a learning rate null":  {`"learning_rate":0.5,`, `"learning_rate":null,`, "no learning_rate"},
		"a class missing":       {`"class":[1,1]`, `"class":[1]`, "1 numbers for 2 trees"},
		"class 0 of two":        {`"class":[1,1]`, `"class":[1,0]`, "tree 1 adds to class 0"},
		"a class out of range":  {`"class":[1,1]`, `"class":[2,1]`, "tree 0 adds to class 2"},
		"no decision":           {`,"decision":"probability"`, ``, "decision"},
		"another decision":      {`"probability"`, `"chance"`, `"chance"`},
		"a value too many":      {`[[0],[-1],[1]]`, `[[0],[-1],[1,2]]`, "tree 0: node 2: 2 values"},
		"an infinite product":   {`"learning_rate":0.5,"class":[1,1],"decision":"probability"},"trees":[{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0],[-1],[1]]}`, `"learning_rate":1e300,"class":[1,1],"decision":"probability"},"trees":[{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0],[-1],[1e300]]}`, "tree 0"},
		"a forest that boosts":  {`"boosting":{"init":[0,0.25],"learning_rate":0.5,"class":[1,1],"decision":"probability"},`, ``, "1 class frequencies, want 2"},
		"boosting is an array":  {`"boosting":{`, `"boosting":[],"b":{`, "boosting"},
		"a loop in second tree": {`{"feature":[-2],"threshold":[-2],"left":[-1]`, `{"feature":[0],"threshold":[-2],"left":[0]`, "tree 1"},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(boostedModel, test.old) {
				t.Fatalf("the model has no %s", test.old)
			}
			e, err := classifier.ReadEnsemble(strings.NewReader(strings.Replace(boostedModel, test.old, test.new, 1)))
			if e != nil || !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("ReadEnsemble = %v, %v, want ErrModel", e, err)
			}
			mentions(t, err, test.place)
		})
	}
}

// TestReadEnsembleDamaged reads every beginning and every mutant of a model.
func TestReadEnsembleDamaged(t *testing.T) {
	for _, model := range []string{smallModel, boostedModel} {
		for n := range len(model) {
			if e, err := classifier.ReadEnsemble(strings.NewReader(model[:n])); e != nil || !errors.Is(err, classifier.ErrModel) {
				t.Fatalf("the first %d bytes: %v, %v, want ErrModel", n, e, err)
			}
		}
		mutate(t, model, func(text string) {
			e, err := classifier.ReadEnsemble(strings.NewReader(text))
			checkRead(t, e, err)
		})
	}
}

// TestSmallFilesAskForLittle: a number in a file does not make a reader ask for memory.
func TestSmallFilesAskForLittle(t *testing.T) {
	stump := `{"feature":[-2],"threshold":[-2],"left":[-1],"right":[-1],"value":[[1]]}`
	many := func(unit string, n int) string { return strings.TrimSuffix(strings.Repeat(unit+",", n), ",") }
	ascending := make([]string, 3000)
	for c := range ascending {
		ascending[c] = strconv.Itoa(c)
	}
	text := `{"format":"sklearn-tree-ensemble","version":1,"n_features":1,"classes":[` + strings.Join(ascending, ",") + `],` +
		`"boosting":{"init":[` + many("0", 3000) + `],"learning_rate":1,"class":[` + many("1", 3000) + `],"decision":"sum"},` +
		`"trees":[` + many(stump, 3000) + `]}`
	_, err := classifier.ReadEnsemble(strings.NewReader(text))
	if !errors.Is(err, classifier.ErrModel) {
		t.Fatalf("error = %v, want ErrModel", err)
	}
	mentions(t, err, "more than a file of this size")
}

func FuzzReadEnsemble(f *testing.F) {
	f.Add([]byte(smallModel))
	f.Add([]byte(boostedModel))
	f.Add([]byte(strings.Replace(boostedModel, "probability", "sum", 1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := classifier.ReadEnsemble(bytes.NewReader(text))
		checkRead(t, e, err)
	})
}
