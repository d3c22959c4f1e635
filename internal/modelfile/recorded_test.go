package modelfile_test

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/internal/modelfile"
	"github.com/seed-1a7dc1f9/facet/internal/trees"
)

// recording holds a library's predictions as tools/record_models.py or a script of tools/libraries
// recorded them: its rule of the rows, the labels, and the margins as a checksum.
type recording struct {
	Name, File string
	Rows       int
	Seed       uint64
	Cuts       [][]float64
	Special    []*float64 // null stands for NaN
	// of each feature: how many a category has, 0 for a number; nil if all are numbers
	Codes  []int
	Labels string
	Single bool // margins are float32
	CRC    uint32
	First  [][]float64 // margins of the first rows
}

func readRecordings(t testing.TB, folder string) []recording {
	t.Helper()
	var recordings []recording
	if err := json.Unmarshal(
		[]byte(readFile(t, folder, "recorded.json")), &recordings,
	); err != nil {
		t.Fatal(err)
	}
	return recordings
}

// rows makes the rows as tools/record_models.py does, on and beside the thresholds.
func (r *recording) rows() [][]float64 {
	state := r.Seed
	below := func(n int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int((state >> 33) % uint64(n))
	}
	rows := make([][]float64, r.Rows)
	for i := range rows {
		for f, near := range r.Cuts {
			kind, which, shift := below(10), below(max(len(near), 1)), below(1<<20)
			cut := 0.0
			if len(near) > 0 {
				cut = near[which]
			}
			v := recordedValue(kind, cut, shift)
			if len(r.Codes) > 0 && r.Codes[f] > 0 {
				rows[i] = append(rows[i], float64(shift%(r.Codes[f]+1)))
				continue
			}
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
		cut + (float64(shift)/(1<<19)-1)/2, math.Nextafter(cut, math.Inf(1)),
		math.Nextafter(under, math.Inf(-1)),
	}[kind]
}

// margins returns the library's margins, or probabilities for a forest.
func (r *recording) margins(e *ensemble, x []float64) []float64 {
	scores := e.scores(x...)
	if e.Vote.Rule == trees.Soft {
		for c := range scores {
			scores[c] /= cmp.Or(e.Vote.Divisor, float64(e.Len()))
		}
	}
	switch numbers := len(r.First[0]); {
	case numbers == 0: // hard votes have none
		return nil
	case numbers == 1 && e.Classes == 2 && e.Vote.Rule == trees.Soft: // AdaBoost
		return []float64{scores[1] - scores[0]}
	case numbers == 1 && e.Classes == 2:
		return scores[1:]
	}
	return scores
}

// check compares predictions and margins with the recorded ones, all of them.
func (r *recording) check(t *testing.T, e *ensemble) {
	sum := crc32.NewIEEE()
	for i, x := range r.rows() {
		if e.Classes > 1 {
			if got, want := e.Predict(x), int(r.Labels[i]-'0'); got != want {
				t.Fatalf("row %d: Predict(%v) = %d, want %d; Scores = %v",
					i, x, got, want, e.scores(x...))
			}
		}
		margins := r.margins(e, x)
		if r.Single { // the library returns float32, in any format it adds
			for c, v := range margins {
				margins[c] = float64(float32(v))
			}
		}
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

// TestRecordedPredictions: labels, and margins to the last bit, are the library's
// own on rows on and beside thresholds, their float32 neighbours and the middles
// between them, and on NaN where the library takes it.
func TestRecordedPredictions(t *testing.T) {
	for folder, format := range map[string]string{"boosting": modelfile.Sklearn,
		"xgboost": modelfile.XGBoost, "xgboost3": modelfile.XGBoost, "xgboost34": modelfile.XGBoost,
		"lightgbm":  modelfile.LightGBM,
		"lightgbm4": modelfile.LightGBM, "catboost": modelfile.CatBoost, "onnx": modelfile.ONNX,
		"sklearn-1.2": "", "sklearn-1.9": ""} { // facet's own, or scikit-learn's
		recordings := readRecordings(t, folder)
		if len(recordings) < 3 {
			t.Errorf("%s: %d recordings", folder, len(recordings))
		}
		for _, r := range recordings {
			t.Run(folder+"/"+r.Name, func(t *testing.T) {
				e := readAll(t, readFile(t, folder, r.File))
				if e.Dim() != len(r.Cuts) || format != "" && e.file.Format != format {
					t.Fatalf("Dim = %d, format %s, want %d, %s",
						e.Dim(), e.file.Format, len(r.Cuts), format)
				}
				r.check(t, e)
				var own strings.Builder
				if err := modelfile.Write(&own, e.file); err != nil {
					t.Fatal(err)
				}
				again := readAll(t, own.String())
				if again.file.Vote.AnyOrder != e.file.Vote.AnyOrder ||
					again.file.Kind != e.file.Kind ||
					!slices.Equal(again.file.Categories, e.file.Categories) {
					t.Errorf("facet's own file of it has the kind %s, %+v, categories %v",
						again.file.Kind, again.file.Vote, again.file.Categories)
				}
				r.check(t, again)
			})
		}
	}
}
