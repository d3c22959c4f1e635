package costs

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-1a7dc1f9/facet/attack"
)

// file is the content of a file, with features by their names.
type file struct {
	features []feature
	groups   []group
	linear   []string
}

// feature is the object under the name of a feature: its rules, and the ends of its values.
type feature struct {
	attack.Feature
	name      string
	given     []string // its keys
	integer   bool
	low, high *float64 // nil if they are not given
}

// group is a category in one-hot columns.
type group struct {
	name    string // "" if it is not given
	members []string
	cost    float64
	frozen  bool
}

var (
	fileKeys    = []string{"features", "groups", "linear"}
	featureKeys = []string{"up", "down", "frozen", "min", "max", "max_increase", "max_decrease",
		"integer", "step", "origin", "categorical", "missing"}
	groupKeys = []string{"name", "members", "cost", "frozen"}
)

// Read reads a file for a model with so many features, of these names or of none.
func Read(text []byte, names []string, dim int) (*Rules, error) {
	f, err := parse(text)
	if err != nil {
		return nil, err
	}
	return f.rules(names, dim)
}

// parse reads a file. Whether its features are there is for rules to find.
func parse(text []byte) (*file, error) {
	o, err := readObject(text)
	if err != nil {
		return nil, err
	}
	f := new(file)
	for _, e := range o {
		switch e.key {
		case "features":
			err = f.readFeatures(e.value)
		case "groups":
			err = f.readGroups(e.value)
		case "linear":
			err = f.readLinear(e.value)
		default:
			err = unknownKey(e.key, fileKeys)
		}
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *file) readFeatures(v any) error {
	list, ok := v.(object)
	if !ok {
		return fmt.Errorf(`"features": want an object with a key for each feature, not %s`,
			describe(v))
	}
	for _, e := range list {
		one := feature{name: e.key}
		if err := one.read(e.value); err != nil {
			return fmt.Errorf("feature %.40q: %w", e.key, err)
		}
		f.features = append(f.features, one)
	}
	return nil
}

func (f *feature) read(v any) error {
	rules, ok := v.(object)
	if !ok {
		return fmt.Errorf(`want an object such as {"frozen": true}, not %s`, describe(v))
	}
	for _, e := range rules {
		if !slices.Contains(featureKeys, e.key) {
			return unknownKey(e.key, featureKeys)
		}
		f.given = append(f.given, e.key)
		if err := f.set(e.key, e.value); err != nil {
			return fmt.Errorf("%q: %w", e.key, err)
		}
	}
	if err := f.check(); err != nil {
		return err
	}
	f.complete()
	return nil
}

// set reads the value of a key that is known.
func (f *feature) set(key string, v any) (err error) {
	switch key {
	case "up":
		f.Up, err = price(v)
	case "down":
		f.Down, err = price(v)
	case "frozen":
		f.Frozen, err = yes(v)
	case "min":
		f.low, err = pointer(number(v))
	case "max":
		f.high, err = pointer(number(v))
	case "max_increase":
		f.MaxUp, f.MaxUpPart, err = readLimit(v)
	case "max_decrease":
		f.MaxDown, f.MaxDownPart, err = readLimit(v)
	case "integer":
		f.integer, err = yes(v)
	case "step":
		f.Step, err = positive(v)
	case "origin":
		f.Origin, err = number(v)
	case "categorical":
		f.Categorical, err = yes(v)
	case "missing":
		f.Missing, err = missingRule(v)
	}
	return err
}

func pointer(v float64, err error) (*float64, error) { return &v, err }

// check looks at the rules of a feature together.
func (f *feature) check() error {
	switch moves := f.moves(); {
	case f.Frozen && moves != "":
		return fmt.Errorf(
			`%q: the feature is "frozen", so it has no moves that this could be about`, moves,
		)
	case f.low != nil && f.high != nil && *f.low > *f.high:
		return fmt.Errorf(`"min" %v is above "max" %v`, *f.low, *f.high)
	case f.has("step") && !f.integer:
		return errors.New(`"step" needs "integer": true`)
	case f.has("origin") && !f.integer:
		return errors.New(`"origin" needs "integer": true`)
	case f.Categorical && f.integer:
		return errors.New(`"categorical": its values are codes 0, 1, 2, … already, so "integer" ` +
			`does not go with it`)
	case f.Categorical && f.has("down"):
		return errors.New(`"down": any change of a "categorical" feature costs "up"`)
	case f.Categorical && (f.has("max_increase") || f.has("max_decrease")):
		return errors.New(`"max_increase" and "max_decrease": the codes of a "categorical" ` +
			`feature have no order that could limit its moves`)
	case f.integer && f.empty():
		return fmt.Errorf(`"integer": none of its values lies between "min" %v and "max" %v`,
			*f.low, *f.high)
	}
	return nil
}

// has reports whether a key is there.
func (f *feature) has(key string) bool { return slices.Contains(f.given, key) }

// moves names a key that says something about moves, "" if none does.
func (f *feature) moves() string {
	for _, key := range []string{"up", "down", "max_increase", "max_decrease"} {
		if f.has(key) {
			return key
		}
	}
	if f.Missing != attack.KeepMissing {
		return "missing"
	}
	return ""
}

// complete sets the values that follow from the keys: an integer feature may be any origin +
// k·step, and one that may move by 0 moves at no price.
func (f *feature) complete() {
	if f.integer {
		f.Step = cmp.Or(f.Step, 1)
	}
	if f.has("max_increase") && f.MaxUp == 0 && f.MaxUpPart == 0 {
		f.Up = math.Inf(1)
	}
	if f.has("max_decrease") && f.MaxDown == 0 && f.MaxDownPart == 0 {
		f.Down = math.Inf(1)
	}
}

// empty reports whether no value of the grid lies within the limits.
func (f *feature) empty() bool {
	if f.low == nil || f.high == nil {
		return false
	}
	step := cmp.Or(f.Step, 1)
	return f.Origin+math.Ceil((*f.low-f.Origin)/step)*step > *f.high
}
