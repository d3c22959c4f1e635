package proof_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/prune"
	"gonum.org/v1/gonum/mat"
)

// An attack writes proofs, and someone who has them and the model's file alone checks them.
func Example() {
	const file = `{"format":"sklearn-tree-ensemble","version":1,"n_features":2,"classes":[0,1],"trees":[
		{"feature":[0,-2,-2],"threshold":[0.5,-2,-2],"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,1]]}]}`
	c, err := classifier.Read[classifier.Classifier](strings.NewReader(file),
		classifier.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	model, err := proof.ReadModel(strings.NewReader(file))
	if err != nil {
		log.Fatal(err)
	}
	var proofs bytes.Buffer
	w := proof.NewWriter(&proofs, model.SHA256)
	a := &attack.RegionBased{Classifier: c, Options: attack.Options{Proof: w}}
	if _, err := a.Perturb(context.Background(), []float64{0.25, 1}); err != nil {
		log.Fatal(err)
	}
	show := func(c proof.Claim) error {
		fmt.Printf("from %d: nothing else nearer than %.4f; settled: %t\n",
			c.From, c.Bound, c.Settled)
		return nil
	}
	text := proofs.String()
	fmt.Println(proof.Check(strings.NewReader(text), model, show))
	raised := strings.Replace(text, "bound 0x1", "bound 0x2", 1)
	fmt.Println(proof.Check(strings.NewReader(raised), model, show))
	// Output:
	// from 0: nothing else nearer than 0.2500; settled: true
	// <nil>
	// proof: line 8, column 33: the example lies nearer than the bound
}

// Pruning comes with a certificate, and a file of it can be checked with the training set.
func ExampleCheckPruning() {
	const file = "0,0\n1,1\n2,1\n5,0\n"
	rows, err := proof.ReadRows(strings.NewReader(file), 1)
	if err != nil {
		log.Fatal(err)
	}
	x, y := mat.NewDense(4, 1, []float64{0, 1, 2, 5}), []int{0, 1, 1, 0}
	a := prune.Adversarial{Radius: 0.75}
	r, err := a.Solve(context.Background(), x, y, nil)
	if err != nil {
		log.Fatal(err)
	}
	var certificate bytes.Buffer
	if err := a.Write(&certificate, rows.SHA256, nil, r); err != nil {
		log.Fatal(err)
	}
	p, err := proof.CheckPruning(&certificate, rows)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Keep, "weigh", p.Weight, "of at most", p.Bound)
	// Output: [0 2 3] weigh 3 of at most 3
}
