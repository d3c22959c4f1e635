package classifier_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/seed-1a7dc1f9/facet/classifier"
)

func ExampleReadModel() {
	for _, name := range []string{"xgboost/softprob3.json", "lightgbm/multiclass.txt", "boosting/forest.json"} {
		file, err := os.Open("testdata/" + name)
		if err != nil {
			log.Fatal(err)
		}
		e, err := classifier.ReadModel(file)
		file.Close()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Len(), "trees,", e.Classes(), "classes,", e.Dim(), "features")
	}
	// Output:
	// 18 trees, 3 classes, 3 features
	// 6 trees, 3 classes, 2 features
	// 9 trees, 3 classes, 5 features
}

func ExampleReadXGBoost() {
	e, err := classifier.ReadXGBoost(strings.NewReader(`{"version": [1, 7, 4], "learner": {
		"learner_model_param": {"base_score": "5E-1", "num_class": "0", "num_feature": "1"},
		"objective": {"name": "binary:logistic"},
		"gradient_booster": {"name": "gbtree", "model": {"tree_info": [0], "trees": [
			{"left_children": [1, -1, -1], "right_children": [2, -1, -1], "default_left": [0, 0, 0],
			 "split_indices": [0, 0, 0], "split_conditions": [0.5, -1, 1]}]}}}}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Predict([]float64{0.4999}), e.Predict([]float64{0.5}))
	// Output: 0 1
}

func ExampleReadLightGBM() {
	e, err := classifier.ReadLightGBM(strings.NewReader(`tree
version=v4
num_class=1
max_feature_idx=0
objective=binary sigmoid:1

Tree=0
num_leaves=2
num_cat=0
split_feature=0
threshold=0.5
decision_type=2
left_child=-1
right_child=-2
leaf_value=-1 1

end of trees
`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Predict([]float64{0.5}), e.Predict([]float64{0.5001}))
	// Output: 0 1
}
