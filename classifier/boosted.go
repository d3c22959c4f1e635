package classifier

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-1a7dc1f9/facet/internal/cart"
	"github.com/seed-1a7dc1f9/facet/internal/cart/robust"
	"github.com/seed-1a7dc1f9/facet/internal/rows"
)

// BoostedOptions are the parameters of training boosted trees. The zero value is plain boosting.
type BoostedOptions struct {
	Rounds  int     // trees, of more than two classes for each; 0 means 100
	Depth   int     // splits on a path; 0 means 6
	Rate    float64 // by which leaves are multiplied; 0 means 0.3
	MinLeaf int     // rows that may reach each child; 0 means 20, a twentieth of all at most
	// Robust is the distance by which an adversary may move every feature, in its units, and Reach,
	// in place of it, how far each.
	Robust  float64
	Reach   []Reach
	Workers int // goroutines; 0 means GOMAXPROCS
}

// TrainBoosted boosts trees against an adversary who moves features: each tree lowers a bound of
// the logistic loss of the worst inputs, in which every tree is at the worst leaf that the
// adversary can bring a row to (Andriushchenko and Hein, "Provably robust boosted decision stumps
// and trees against adversarial attacks", NeurIPS 2019, section 4, whose exponential loss becomes
// the logistic by the weights of Collins, Schapire and Singer, "Logistic regression, AdaBoost and
// Bregman distances", Machine Learning 48, 2002). The best split and its values have a closed form.
// Of stumps, Depth 1, it is no bound but the loss itself (section 3): each feature is where its
// stumps add up to the worst within reach.
//
// MinLeaf regularises: of noisy data try a tenth of the rows, or a sixth, of thousands of images a
// dozen rows. Of more than two classes each is boosted against the rest.
//
// Sums are those of XGBoost, which SaveXGBoost writes them for: features are rounded to float32,
// thresholds are float32 between the ends to which values may be moved. There is no randomness, and
// trees do not depend on the number of workers.
//
// A tree of depth k takes O(2^k·n·d) time and O(2^k·n) memory at most, where all rows may reach all
// leaves. Errors are those of TrainTree, and ErrOption where all rows have one label or can be
// moved to the same place.
func TrainBoosted(
	ctx context.Context, x mat.Matrix, y []int, opts BoostedOptions,
) (*Ensemble, error) {
	reach, err := reaches(x, opts.Robust, opts.Reach)
	if err != nil {
		return nil, fmt.Errorf("classifier: boosted trees: %w", err)
	}
	if reach == nil && !rows.IsNil(x) {
		_, dim := x.Dims()
		reach = make([]robust.Reach, dim)
	}
	axes, classes, err := cart.Boosted(ctx, x, y, reach, robust.Boosting{
		Options: robust.Options{
			Depth:   cmp.Or(opts.Depth, 6),
			MinLeaf: opts.MinLeaf,
			Workers: cmp.Or(opts.Workers, runtime.GOMAXPROCS(0)),
		},
		Rounds: cmp.Or(opts.Rounds, 100),
		Rate:   cmp.Or(opts.Rate, 0.3),
	})
	if err != nil {
		return nil, fmt.Errorf("classifier: boosted trees: %w", err)
	}
	members := make([]*Tree, len(axes))
	for i, axis := range axes {
		members[i] = &Tree{axis: axis}
	}
	vote := SoftmaxVote
	if classes == 2 {
		vote = LogisticVote
	}
	return NewEnsemble(members, EnsembleOptions{Vote: vote, Single: true})
}
