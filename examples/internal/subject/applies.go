package subject

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// rule names the flags that a flag of facet's commands needs, or does not go with. Rules about
// values hold for the commands that have both flags.
type rule struct {
	flag   use    // if this is used,
	needs  use    // so must this be,
	not    use    // and this must not,
	unless use    // but for this
	why    string // a clause
}

// use is a flag that is given, "prune", or that has one of some values, "attack=exact,approx".
type use string

// file stands for all values of --model that are not the name of a kind.
const file = "FILE"

// pairsOfIgnores is the advice about limits of the two values of a feature.
const pairsOfIgnores = "it is about the two values that --ignores compares"

// applies are the rules of all flags: commands refuse flags that do not fit together.
var applies = []rule{
	{flag: "train-labels", needs: "train"},
	{flag: "test-labels", needs: "test"},
	{flag: "scale=minmax", needs: "train", why: "the scaling is fitted on it"},
	{flag: "missing=keep", needs: "model", why: "what is trained here takes no missing values"},
	{
		flag:  "missing=keep",
		needs: "model=FILE",
		why:   "what is trained here takes no missing values",
	},
	{flag: "missing=keep", not: "scale=minmax", why: "a model that takes missing values takes " +
		"rows as they are in the file"},

	{
		flag: "model=knn,tree,forest,boosted,oblique", needs: "train",
		why: "it is trained on its rows",
	},
	{flag: "k", needs: "model=knn"},
	{flag: "weights", needs: "model=knn"},
	{flag: "trees", needs: "model=forest,boosted,oblique"},
	{flag: "depth", needs: "model=tree,forest,boosted,oblique"},
	{flag: "criterion", needs: "model=tree,forest,oblique"},
	{flag: "seed", needs: "model=tree,forest,boosted,oblique", unless: "attack=blackbox"},
	{flag: "robust", needs: "model=tree,forest,boosted", unless: "tune"},
	{flag: "min-leaf", needs: "model=tree,forest,boosted"},
	{flag: "whole-tree", needs: "model=tree,forest"},
	{flag: "whole-tree", needs: "robust", why: "it changes robust trees"},
	{flag: "rate", needs: "model=boosted"},
	{flag: "tune", needs: "model=knn,tree,forest,boosted"},
	{flag: "tune", needs: "robust", why: "it is the radius at which rows are certified"},
	{flag: "tune", not: "min-leaf", why: "that is what it chooses"},
	{flag: "tune", not: "whole-tree", why: "that is what it chooses"},
	{flag: "tune", not: "k", why: "that is what it chooses"},
	{flag: "tune", not: "prune", why: "rows that are held out are to be as they will be, and " +
		"those of neighbours are pruned by it"},
	{flag: "tune", not: "weights=distance", why: "it chooses among votes of equal weights"},
	{flag: "tune", not: "adversarial-training", why: "rows that are held out are to be as they " +
		"will be"},
	{flag: "adversarial-training", needs: "model=knn,tree,forest,boosted,oblique"},
	{flag: "prune", needs: "train", why: "its rows are pruned"},
	{flag: "prune-local", needs: "prune", why: "that is the most that its radii may be"},
	{flag: "prune-local", not: "proofs", why: "certificates know one radius for all rows"},
	// which starts from the rows
	{flag: "prune", needs: "model=knn,tree,forest,boosted,oblique", unless: "attack=approx"},

	{flag: "save", needs: "model=knn,tree,forest,boosted,oblique", why: "these are trained here; " +
		"facet info FILE --save OTHER writes a file again, in facet's own format"},

	{flag: "target=output", needs: "model=FILE", why: "it asks the file of a regressor"},
	{flag: "target=probability", needs: "model=FILE", why: "it asks the file of a classifier, " +
		"which facet train --save writes"},
	{flag: "vote", needs: "model=FILE", why: "its sums are to make a label"},
	{flag: "vote", not: "target=output,probability,change", why: "a regressor has no labels to " +
		"vote on"},
	{flag: "target=change", needs: "model=FILE", why: "it is about the file of a regressor"},
	{flag: "target=change", not: "target=output,probability", why: "they are two questions"},
	{flag: "classes", not: "target=output,change", why: "a regressor has numbers, not labels"},

	{flag: "attack=approx,direct,kernel", needs: "train", why: "it starts from training rows"},
	{flag: "attack=kernel", needs: "norm=inf,2", why: "it steps along gradients"},
	{flag: "attack=approx", not: "weights=distance", why: "there are no cells of one label then; " +
		"exact, with a --timeout, does it"},
	{flag: "regions", needs: "attack=approx"},
	{flag: "domain", needs: "attack=exact,approx"},
	{flag: "timeout", needs: "attack=exact,approx"},
	{flag: "max-nodes", needs: "attack=exact,approx"},
	{flag: "max-memory", needs: "attack=exact,approx"},
	{flag: "costs", needs: "attack=exact"},
	{flag: "missing=keep", needs: "attack=exact"},
	{flag: "norm=0", needs: "attack=exact"},
	{flag: "target=change", needs: "attack=exact"},
	{flag: "counterfactuals", needs: "attack=exact"},
	{flag: "also", needs: "attack=exact"},
	{flag: "also", not: "scale=minmax", why: "the models of --also take rows as they are in the " +
		"file"},
	{flag: "also", not: "target=change", why: "each row has a question of its own"},
	{flag: "also", not: "adversarial-training", why: "its examples are those of one model"},
	{flag: "proofs", needs: "attack=exact", why: "the others prove nothing"},

	{flag: "solver=lpsolve", needs: "norm=inf,1", why: "lp_solve has linear programs alone"},
	{flag: "solver=lpsolve", not: "model=tree,forest,boosted", why: "the solver is for cells " +
		"that are no boxes"},

	{flag: "adversarial-training", not: "costs", why: "its examples would break the rules"},
	{flag: "adversarial-training", not: "norm=0", why: "a count of changes is no distance " +
		"between rows"},
	{flag: "prune", not: "norm=0", why: "a count of changes is no distance between rows"},
	{flag: "proofs", not: "norm=0", why: "proofs know no count of changes"},
	{flag: "proofs", not: "missing=keep", why: "proofs are about rows without missing values"},
	{flag: "proofs", not: "weights=distance", why: "such votes have no proofs that others could " +
		"check"},
	{flag: "proofs", not: "counterfactuals", why: "proofs are about one answer a row"},
	{flag: "target=change", not: "target=label", why: "each row has a question of its own"},
	{flag: "target=change", not: "proofs", why: "each row has a question of its own"},
	{flag: "target=change", not: "counterfactuals", why: "each row has a question of its own"},

	{flag: "plot", not: "target=label", why: "a row may be far from one label and near to " +
		"others, so that it is no curve of rows that keep theirs"},
	{flag: "points", not: "rows", why: "both choose the rows"},
	{flag: "units=range", needs: "attack=exact"},
	{flag: "units=range", not: "scale=minmax", why: "scaled features have ranges of 1"},
	{flag: "units=range", not: "norm=0", why: "a count of changes has no units"},
	{flag: "units=range", not: "adversarial-training", why: "its distances have the units of the " +
		"file"},
	{flag: "units=range", not: "target=change", why: "each row has a question of its own"},
	{flag: "apart", needs: "ignores", why: pairsOfIgnores},
	{flag: "ordered", needs: "ignores", why: pairsOfIgnores},
	{flag: "apart", not: "monotone", why: pairsOfIgnores},
	{flag: "apart", not: "same-as", why: pairsOfIgnores},
	{flag: "apart", not: "output-at-most", why: pairsOfIgnores},
	{flag: "apart", not: "output-at-least", why: pairsOfIgnores},
	{flag: "ordered", not: "monotone", why: pairsOfIgnores},
	{flag: "ordered", not: "same-as", why: pairsOfIgnores},
	{flag: "ordered", not: "output-at-most", why: pairsOfIgnores},
	{flag: "ordered", not: "output-at-least", why: pairsOfIgnores},
	{flag: "resume", needs: "out", why: "that is the file to continue"},
	{flag: "examples", not: "resume", why: "its array is written when every row is done"},
}

// Required is a flag that a command cannot do without, and why.
type Required struct{ Flag, Why string }

// Check looks whether flags are missing, or do not fit together.
func (s *Flags) Check(required ...Required) error {
	for _, r := range required {
		if f := s.set.Lookup(r.Flag); !f.Changed || f.Value.String() == "" {
			value, _ := pflag.UnquoteUsage(f)
			return fmt.Errorf("--%s %s is missing: %s", r.Flag, strings.ToUpper(value), r.Why)
		}
	}
	return CheckRules(s.set)
}

// CheckRules looks whether the flags of a command fit together.
func CheckRules(f *pflag.FlagSet) error {
	for _, r := range applies {
		if err := r.check(f); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error for flags that break the rule.
func (r *rule) check(f *pflag.FlagSet) error {
	if !r.flag.in(f) || r.unless != "" && r.unless.in(f) {
		return nil
	}
	var text string
	switch other := r.needs + r.not; {
	case (r.needs != "") == other.in(f), other.values() != nil && f.Lookup(other.name()) == nil:
		return nil
	case r.not != "":
		text = fmt.Sprintf("%s does not go with %s", r.flag.shown(f), other.shown(f))
	case other.values() == nil:
		text = fmt.Sprintf("%s needs --%s", r.flag.shown(f), other)
	default:
		now := f.Lookup(other.name()).Value
		text = fmt.Sprintf("%s is for --%s %s, not %v",
			r.flag.shown(f), other.name(), strings.Join(other.values(), ", "), now)
	}
	if r.why != "" {
		text += ": " + r.why
	}
	return fmt.Errorf("%s", text)
}

func (u use) name() string {
	name, _, _ := strings.Cut(string(u), "=")
	return name
}

// values returns those that the flag is to have, nil for any.
func (u use) values() []string {
	_, list, some := strings.Cut(string(u), "=")
	if !some {
		return nil
	}
	return strings.Split(list, ",")
}

// in reports whether the flag is used so.
func (u use) in(f *pflag.FlagSet) bool {
	flag := f.Lookup(u.name())
	switch {
	case flag == nil:
		return false
	case u.values() == nil:
		return given(flag)
	}
	if t, ok := flag.Value.(*target); ok {
		return slices.ContainsFunc(t.kinds(),
			func(kind string) bool { return slices.Contains(u.values(), kind) })
	}
	value := flag.Value.String()
	if flag.Name == "model" && !slices.Contains(models, value) {
		value = file
	}
	return slices.Contains(u.values(), value)
}

// shown is the flag as the user wrote it, with its value where that matters.
func (u use) shown(f *pflag.FlagSet) string {
	if t, ok := f.Lookup(u.name()).Value.(*target); ok {
		return "--target " + t.first(u.values())
	}
	if u.values() == nil {
		return "--" + u.name()
	}
	return fmt.Sprintf("--%s %v", u.name(), f.Lookup(u.name()).Value)
}

// given reports whether a flag has a value other than its default, or than an empty one that stands
// for none.
func given(f *pflag.Flag) bool {
	switch value := f.Value.String(); value {
	case "":
		return false
	case "0", "0s", "false":
		return f.Changed && value != f.DefValue
	}
	return f.Changed
}
