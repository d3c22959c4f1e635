package classifier_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

// xgboostText returns a file of complete trees, as XGBoost writes them: with the keys that
// prediction does not need.
func xgboostText(classes, count, depth int) string {
	rng := rand.New(rand.NewPCG(1, 33))
	inner, nodes := 1<<depth-1, 2<<depth-1
	list := func(number func(i int) any) string {
		var s strings.Builder
		for i := range nodes {
			fmt.Fprint(&s, ",", number(i))
		}
		return s.String()[1:]
	}
	child := func(side int) func(i int) any {
		return func(i int) any {
			if i >= inner {
				return -1
			}
			return 2*i + side
		}
	}
	chance := func(int) any { return fmt.Sprintf("%.7E", rng.NormFloat64()) }
	below := func(n int) func(int) any { return func(int) any { return rng.IntN(n) } }
	var all, info strings.Builder
	for i := range count {
		fmt.Fprintf(&info, ",%d", i%classes)
		fmt.Fprintf(&all, `,{"base_weights":[%s],"categories":[],"categories_nodes":[],`+
			`"categories_segments":[],"categories_sizes":[],"default_left":[%s],"id":%d,`+
			`"left_children":[%s],`+
			`"loss_changes":[%s],"parents":[%s],"right_children":[%s],"split_conditions":[%s],`+
			`"split_indices":[%s],"split_type":[%s],"sum_hessian":[%s],`+
			`"tree_param":{"num_deleted":"0","num_feature":"784","num_nodes":"%d",`+
			`"size_leaf_vector":"1"}}`,
			list(chance), list(below(2)), i, list(child(1)), list(chance), list(below(nodes)),
			list(child(2)), list(chance), list(below(784)), list(below(1)), list(chance), nodes)
	}
	return fmt.Sprintf(`{"learner":{"attributes":{},"feature_names":[],"feature_types":[],`+
		`"gradient_booster":{"model":{"gbtree_model_param":{"num_parallel_tree":"1",`+
		`"num_trees":"%d"},`+
		`"tree_info":[%s],"trees":[%s]},"name":"gbtree"},`+
		`"learner_model_param":{"base_score":"5E-1","num_class":"%d","num_feature":"784",`+
		`"num_target":"1"},`+
		`"objective":{"name":"multi:softprob"}},"version":[3,0,2]}`, count, info.String()[1:],
		all.String()[1:], classes)
}

// BenchmarkRead reads 10,000 trees of ten classes that XGBoost could have written, and reports how
// much memory the model keeps.
func BenchmarkRead(b *testing.B) {
	text := xgboostText(10, 10000, 5)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var model classifier.Classifier
	for b.Loop() {
		var err error
		if model, err = classifier.Read[classifier.Classifier](strings.NewReader(text),
			classifier.ReadOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	live := func() float64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return float64(s.HeapAlloc)
	}
	with := live()
	runtime.KeepAlive(model)
	model = nil
	b.ReportMetric(with-live(), "live-B")
}

// BenchmarkReadFiles reads the files of the folder FACET_MODELS that tools/compare_reading.py
// writes, without those of joblib.
func BenchmarkReadFiles(b *testing.B) {
	folder := os.Getenv("FACET_MODELS")
	if folder == "" {
		b.Skip("FACET_MODELS is not set: tools/compare_reading.py makes the folder that it names")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.*"))
	if err != nil {
		b.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if filepath.Ext(path) == ".joblib" || err != nil {
			continue
		}
		b.Run(filepath.Base(path), func(b *testing.B) {
			for b.Loop() {
				if _, err := classifier.Read[classifier.Classifier](bytes.NewReader(text),
					classifier.ReadOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
