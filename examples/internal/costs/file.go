package costs

import (
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

// feature is the object under the name of a feature. A price of 0 and a nil limit are not given.
type feature struct {
	name                 string
	given                []string // its keys
	up, down             float64
	frozen               bool
	low, high            *float64
	increase, decrease   limit
	integer, categorical bool
	step, origin         *float64
	missing              attack.MissingRule
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
	return f.check()
}

// set reads the value of a key that is known.
func (f *feature) set(key string, v any) (err error) {
	switch key {
	case "up":
		f.up, err = price(v)
	case "down":
		f.down, err = price(v)
	case "frozen":
		f.frozen, err = yes(v)
	case "min":
		f.low, err = pointer(number(v))
	case "max":
		f.high, err = pointer(number(v))
	case "max_increase":
		f.increase, err = readLimit(v)
	case "max_decrease":
		f.decrease, err = readLimit(v)
	case "integer":
		f.integer, err = yes(v)
	case "step":
		f.step, err = pointer(positive(v))
	case "origin":
		f.origin, err = pointer(number(v))
	case "categorical":
		f.categorical, err = yes(v)
	case "missing":
		f.missing, err = missingRule(v)
	}
	return err
}

func pointer(v float64, err error) (*float64, error) { return &v, err }

// check looks at the rules of a feature together.
func (f *feature) check() error {
	switch {
	case f.frozen && f.moves() != "":
		return fmt.Errorf(
			`%q: the feature is "frozen", so it has no moves that this could be about`, f.moves(),
		)
	case f.low != nil && f.high != nil && *f.low > *f.high:
		return fmt.Errorf(`"min" %v is above "max" %v`, *f.low, *f.high)
	case f.step != nil && !f.integer:
		return errors.New(`"step" needs "integer": true`)
	case f.origin != nil && !f.integer:
		return errors.New(`"origin" needs "integer": true`)
	case f.categorical && f.integer:
		return errors.New(`"categorical": its values are codes 0, 1, 2, … already, so "integer" ` +
			`does not go with it`)
	case f.categorical && f.down != 0:
		return errors.New(`"down": any change of a "categorical" feature costs "up"`)
	case f.categorical && (f.increase.given || f.decrease.given):
		return errors.New(`"max_increase" and "max_decrease": the codes of a "categorical" ` +
			`feature have no order that could limit its moves`)
	case f.integer && f.empty():
		return fmt.Errorf(`"integer": none of its values lies between "min" %v and "max" %v`,
			*f.low, *f.high)
	}
	return nil
}

// moves names a key that says something about moves, "" if none does.
func (f *feature) moves() string {
	switch {
	case f.up != 0:
		return "up"
	case f.down != 0:
		return "down"
	case f.increase.given:
		return "max_increase"
	case f.decrease.given:
		return "max_decrease"
	case f.missing != attack.KeepMissing:
		return "missing"
	}
	return ""
}

// grid returns the values that an integer feature may have: origin + k·step.
func (f *feature) grid() (step, origin float64) {
	step = 1
	if f.step != nil {
		step = *f.step
	}
	if f.origin != nil {
		origin = *f.origin
	}
	return step, origin
}

// empty reports whether no value of the grid lies within the limits.
func (f *feature) empty() bool {
	if f.low == nil || f.high == nil {
		return false
	}
	step, origin := f.grid()
	return origin+math.Ceil((*f.low-origin)/step)*step > *f.high
}
