package classifier

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// exportedBoosting is what a boosted model has besides its trees.
type exportedBoosting struct {
	Init     json.RawMessage `json:"init"`
	Rate     *float64        `json:"learning_rate"`
	Class    json.RawMessage `json:"class"`
	Decision string          `json:"decision"`
}

// boosting is how the trees of a boosted model add up.
type boosting struct {
	init  []float64
	rate  float64
	class []int // that each tree adds to
	vote  Vote
	limit valueLimit
}

// check reads the description of a boosted model of so many classes and trees.
func (e *exportedBoosting) check(classes, trees int, size int64) (*boosting, error) {
	init, err1 := list[float64]("init", e.Init)
	class, err2 := list[int]("class", e.Class)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	switch {
	case classes < 2:
		return nil, fmt.Errorf("%d class, want at least 2", classes)
	case len(init) != classes:
		return nil, fmt.Errorf("%d init values for %d classes", len(init), classes)
	case len(class) != trees:
		return nil, fmt.Errorf("class has %d numbers for %d trees", len(class), trees)
	case e.Rate == nil:
		return nil, errors.New("no learning_rate")
	}
	least := 0
	if classes == 2 {
		// The sum of class 0 stays zero; class 1 has the log-odds.
		if least = 1; init[0] != 0 {
			return nil, fmt.Errorf("init of the first of two classes is %v, want 0", init[0])
		}
	}
	for i, c := range class {
		if c < least || c >= classes {
			return nil, fmt.Errorf("tree %d adds to class %d, want %d to %d", i, c, least, classes-1)
		}
	}
	b := &boosting{init: init, rate: *e.Rate, class: class, limit: limitOf(size)}
	return b, b.decide(e.Decision)
}

// decide chooses the vote, and makes the base values fit it.
func (b *boosting) decide(decision string) error {
	binary := len(b.init) == 2
	switch {
	case decision == "probability" && binary:
		b.vote = LogisticVote
	case decision == "probability":
		b.vote = SoftmaxVote
	case decision == "sum" && binary:
		// Label 1 wins a sum of zero: it only has to exceed the largest
		// number below.
		b.vote, b.init[0] = SumVote, -math.SmallestNonzeroFloat64
	case decision == "sum":
		b.vote = SumVote
	default:
		return fmt.Errorf("decision is %q, want probability or sum", decision)
	}
	return nil
}

func (b *boosting) options() EnsembleOptions { return EnsembleOptions{Vote: b.vote, Base: b.init} }

// place turns the single value of each node into what it adds to the sums.
func (b *boosting) place(nodes []TreeNode, class int) error {
	values := make([]float64, len(nodes))
	for i, n := range nodes {
		values[i] = b.rate * n.Value[0]
	}
	return b.limit.place(nodes, values, class, len(b.init))
}
