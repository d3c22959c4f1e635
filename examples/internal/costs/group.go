package costs

import (
	"encoding/json"
	"errors"
	"fmt"
)

func (f *file) readGroups(v any) error {
	list, ok := v.([]any)
	if !ok {
		return fmt.Errorf(`"groups": want a list of objects with "members", not %s`, describe(v))
	}
	for i, v := range list {
		one := group{cost: 1}
		if err := one.read(v); err != nil {
			return fmt.Errorf("group %s: %w", one.called(i), err)
		}
		f.groups = append(f.groups, one)
	}
	return nil
}

// called names the group that stands at a place, counted from 0.
func (g *group) called(at int) string {
	switch {
	case g.name != "":
		return fmt.Sprintf("%.40q", g.name)
	case g.members != nil:
		return fmt.Sprintf("of %.40q", g.members[0])
	}
	return fmt.Sprintf("%d (from 0)", at)
}

func (g *group) read(v any) error {
	rules, ok := v.(object)
	if !ok {
		return fmt.Errorf(`want an object such as {"members": ["red", "green"]}, not %s`,
			describe(v))
	}
	priced := false
	for _, e := range rules {
		var err error
		switch e.key {
		case "name":
			g.name, err = word(e.value)
		case "members":
			g.members, err = words(e.value)
		case "cost":
			g.cost, err = price(e.value)
			priced = true
		case "frozen":
			g.frozen, err = yes(e.value)
		default:
			return unknownKey(e.key, groupKeys)
		}
		if err != nil {
			return fmt.Errorf("%q: %w", e.key, err)
		}
	}
	switch {
	case g.members == nil:
		return errors.New(
			`"members" is missing: the names of the columns of which exactly one is 1`,
		)
	case len(g.members) == 1:
		return fmt.Errorf(
			`"members": %.40q is alone, and would always be 1; a group has two members or more`,
			g.members[0],
		)
	case g.frozen && priced:
		return errors.New(
			`"cost": the group is "frozen", so there is no change that could cost something`,
		)
	}
	return nil
}

// word reads a name.
func word(v any) (string, error) {
	if text, ok := v.(string); ok && text != "" {
		return text, nil
	}
	return "", fmt.Errorf("want a name, not %s", describe(v))
}

// words reads a list of names, or of numbers that stand for features without one.
func words(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, fmt.Errorf("want a list of features, not %s", describe(v))
	}
	var names []string
	for _, v := range list {
		switch v := v.(type) {
		case string:
			names = append(names, v)
		case json.Number:
			names = append(names, v.String())
		default:
			return nil, fmt.Errorf("want names of features, or their numbers, not %s", describe(v))
		}
	}
	return names, nil
}
