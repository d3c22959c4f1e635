package attacking

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/costs"
)

// tolerances are distances of values: those of features that are named, and that of all others.
type tolerances struct {
	others *float64 // nil if only names have one
	names  []string
	own    []float64
}

// parseTolerances reads D, NAME:D,… or both.
func parseTolerances(text string) (*tolerances, error) {
	list, err := command.Names(text)
	if err != nil {
		return nil, err
	}
	t := new(tolerances)
	for _, one := range list {
		at := strings.LastIndex(one, ":")
		most, err := strconv.ParseFloat(one[at+1:], 64)
		switch {
		case err != nil || !(most >= 0), at < 0 && math.IsInf(most, 1):
			return nil, fmt.Errorf("%q is neither a finite number from 0 nor NAME:D", one)
		case at < 0 && t.others != nil:
			return nil, fmt.Errorf("%v and %v are both without a name: NAME:D", *t.others, most)
		case at < 0:
			t.others = &most
		case slices.Contains(t.names, one[:at]):
			return nil, fmt.Errorf("%q has two distances", one[:at])
		default:
			t.names, t.own = append(t.names, one[:at]), append(t.own, most)
		}
	}
	return t, nil
}

// each returns the distance of each feature; that of others that have none is given. Members of a
// one-hot group have that of any of them.
func (t *tolerances) each(v *verifying, others float64) ([]float64, error) {
	features, err := v.features(t.names)
	if err != nil {
		return nil, err
	}
	if t.others != nil {
		others = *t.others
	}
	list := slices.Repeat([]float64{others}, v.model.Dim())
	for i, j := range features {
		for k := range list {
			if k == j || v.together(j, k) {
				list[k] = t.own[i]
			}
		}
	}
	return list, nil
}

// together reports whether two features are of one one-hot group.
func (v *verifying) together(j, k int) bool {
	f := v.opts.Features
	return f != nil && f[j].Group > 0 && f[j].Group == f[k].Group
}

// checkTolerances looks at --radius before there is any work.
func (v *verifying) checkTolerances() error {
	switch {
	case v.near == "" && v.within != nil:
		return errors.New("--radius needs --near: it is about the rows that inputs are near to")
	case v.within != nil && v.within.names != nil && v.norm.String() != "inf":
		return fmt.Errorf("--radius NAME:R goes with --norm inf, not %v: each feature has a "+
			"distance of its own", v.norm)
	}
	return nil
}

// readTolerances finds the features that --radius and --apart name.
func (v *verifying) readTolerances() (err error) {
	if v.within != nil && v.within.names == nil {
		v.opts.Within = *v.within.others
	} else if v.within != nil {
		if v.opts.Radii, err = v.within.each(v, 0); err != nil {
			return fmt.Errorf("--radius: %w", err)
		}
	}
	if v.apart == nil {
		return nil
	}
	if v.opts.Apart, err = v.apart.each(v, math.Inf(1)); err != nil {
		return fmt.Errorf("--apart: %w", err)
	}
	named, err := v.features(v.apart.names)
	for _, j := range named {
		in := func(k int) bool { return k == j || v.together(j, k) }
		if !slices.ContainsFunc(v.ignored, in) {
			return fmt.Errorf("--apart: --ignores does not name %s, which both inputs share",
				costs.Name(v.model.names, j))
		}
	}
	return err
}
