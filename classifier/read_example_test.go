package classifier_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

func ExampleRead() {
	for _, name := range []string{
		"xgboost/softprob3.json", "lightgbm/multiclass.txt", "boosting/forest.json",
	} {
		file, err := os.Open("../internal/modelfile/testdata/" + name)
		if err != nil {
			log.Fatal(err)
		}
		c, err := classifier.Read[classifier.Classifier](file, classifier.ReadOptions{})
		file.Close()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%T: %d classes, %d features\n", c, c.Classes(), c.Dim())
	}
	// Output:
	// *classifier.Ensemble: 3 classes, 3 features
	// *classifier.Ensemble: 3 classes, 2 features
	// *classifier.Ensemble: 3 classes, 5 features
}

func ExampleRead_sklearn() {
	file := strings.NewReader(`{
		"format": "sklearn-tree-ensemble", "version": 1, "n_features": 1, "classes": [3, 7],
		"trees": [{"feature": [-2], "threshold": [-2], "left": [-1], "right": [-1], "value": [[0.4, 0.6]]},
		          {"feature": [-2], "threshold": [-2], "left": [-1], "right": [-1], "value": [[0.7, 0.3]]}]}`)
	e, err := classifier.Read[*classifier.Ensemble](file, classifier.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(classifier.NamesOf(e).ClassValues[e.Predict([]float64{0})])
	// Output: 3
}

func ExampleRead_xgboost() {
	e, err := classifier.Read[classifier.Classifier](strings.NewReader(xgboostFile),
		classifier.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Predict([]float64{0.4999}), e.Predict([]float64{0.5}))
	// Output: 0 1
}

func ExampleRead_lightgbm() {
	e, err := classifier.Read[classifier.Classifier](strings.NewReader(lightgbmFile),
		classifier.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Predict([]float64{0.5}), e.Predict([]float64{0.5001}))
	// Output: 0 1
}

func ExampleSave() {
	x := mat.NewDense(2, 2, []float64{0, 0, 0.1, 1})
	knn, err := classifier.TrainKNN(context.Background(), x, []int{0, 1},
		classifier.KNNOptions{})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := classifier.Save(&file, knn); err != nil {
		log.Fatal(err)
	}
	fmt.Print(strings.ReplaceAll(file.String(), `,"k"`, ",\n  \"k\""))
	back, err := classifier.Read[classifier.Classifier](&file, classifier.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(back.Predict([]float64{0, 1}))
	// Output:
	// {"format":"facet-model","version":1,"kind":"knn","n_features":2,
	//   "k":1,"rows":[[0,0],[0.1,1]],"labels":[0,1]}
	// 1
}
