package experiment

import (
	"fmt"
	"strconv"
)

// Classifier names one of the paper's classifiers, as the columns of its tables do.
type Classifier string

const (
	OneNN   Classifier = "1nn"
	ThreeNN Classifier = "3nn"
	Tree    Classifier = "dt"
	Forest  Classifier = "rf"
)

// Classifiers returns the four in the order of the paper.
func Classifiers() []Classifier { return []Classifier{OneNN, ThreeNN, Tree, Forest} }

// Method names a defence, as the columns of the paper's tables do.
type Method string

const (
	None    Method = ""    // the classifier is trained on all rows as they are
	Pruning Method = "ap"  // adversarial pruning; the strength is the separation
	WJC     Method = "wjc" // Wang, Jha and Chaudhuri's, as printed; 1-NN only
	// Adversarial is adversarial training with the attack that Usual returns.
	Adversarial Method = "at"
	Splitting   Method = "rs" // robust splitting; trees and forests only
	// Hybrid prunes and then splits robustly; trees and forests only.
	Hybrid Method = "aprs"
)

// Defence is a defence with its strength: the separation r of the paper's tables,
// an ℓ∞ distance in scaled units. The zero value is no defence.
type Defence struct {
	Method   Method
	Strength float64
	// AsPrinted follows the paper's code where that is not the method it names: robust
	// splitting, and adversarial training of trees.
	AsPrinted bool
}

// String returns "ap0.3" or "rs0.3 as printed", for instance, and "" for no defence.
func (d Defence) String() string {
	if d.Method == None {
		return ""
	}
	text := string(d.Method) + strconv.FormatFloat(d.Strength, 'g', -1, 64)
	if d.AsPrinted {
		text += " as printed"
	}
	return text
}

// Subject is a classifier trained on a set after a defence.
type Subject struct {
	Set        string // the paper's name of the set, or its name by Seeded or InFileOrder
	Classifier Classifier
	Defence    Defence
}

// String returns "halfmoon 1nn ap0.3", for instance.
func (s Subject) String() string {
	text := s.Set + " " + string(s.Classifier)
	if s.Defence.Method != None {
		text += " " + s.Defence.String()
	}
	return text
}

func (s Subject) set() string { return s.Set }

// Attack names an attack on a point, as the columns of the paper's Table 1 do.
type Attack string

const (
	RBAExact  Attack = "rba_exact"
	RBAApprox Attack = "rba_approx" // around 50 training points, 100 for forests
	// RBAShrunk is RBAApprox on forests with the margins of the paper's code.
	RBAShrunk Attack = "rba_shrunk"
	Direct    Attack = "direct" // k-NN
	// DirectOnce moves as far as a budget of 0.4 lets it and never less, as an earlier version of
	// the paper's code did.
	DirectOnce Attack = "direct_once"
	Kernel     Attack = "kernel" // k-NN; all points together
	BlackBox   Attack = "bbox"
	Papernot   Attack = "papernot" // trees; as printed
)

// Usual returns the attack that the paper's tables of defences measure a
// classifier with: the exact one where the paper had one.
func Usual(c Classifier) Attack {
	if c == OneNN || c == Tree {
		return RBAExact
	}
	return RBAApprox
}

// Run is an attack on the test points of a subject.
type Run struct {
	Subject
	Attack Attack
	Seed   uint64 // of BlackBox; no other attack draws
}

// String returns "halfmoon 1nn ap0.3 rba_exact", for instance.
func (r Run) String() string {
	text := r.Subject.String() + " " + string(r.Attack)
	if r.Attack == BlackBox {
		text += fmt.Sprintf(" seed%d", r.Seed)
	}
	return text
}
