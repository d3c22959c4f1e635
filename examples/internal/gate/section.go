package gate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// at begins an error about a place in a policy.
func at(n *yaml.Node, format string, values ...any) error {
	return fmt.Errorf("line %d: %w", n.Line, fmt.Errorf(format, values...))
}

// section reads a mapping of YAML, key by key in the order of the file. A key that is not known is
// an error, which names the nearest one that is.
func section(n *yaml.Node, of string, known map[string]func(*yaml.Node) error) error {
	names := slices.Sorted(maps.Keys(known))
	return each(n, of, func(key string, value *yaml.Node) error {
		read, ok := known[key]
		if !ok {
			meant := tabular.Suggest(key, names)
			if meant == "" {
				meant = "."
			}
			return at(value, "%s has no key %q%s The keys are %s.", of, key, meant,
				strings.Join(names, ", "))
		}
		return read(value)
	})
}

// each calls read for each key of a mapping, none of which stands twice.
func each(n *yaml.Node, of string, read func(key string, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return at(n, "%s is a mapping, of keys and values", of)
	}
	seen := make(map[string]bool)
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			return at(key, "%s has the key %q twice", of, key.Value)
		}
		seen[key.Value] = true
		if err := read(key.Value, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// number returns a function that reads a finite number from least to most.
func number(to *float64, what string, least, most float64) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		v, err := strconv.ParseFloat(n.Value, 64)
		if n.Kind != yaml.ScalarNode || err != nil || !(v >= least && v <= most) {
			between := "a finite number"
			if most < math.MaxFloat64 {
				between = fmt.Sprintf("a number from %v to %v", least, most)
			}
			return at(n, "%s is %q, want %s", what, n.Value, between)
		}
		*to = v
		return nil
	}
}

// some is like number, and says that there is one.
func some(to **float64, what string, least, most float64) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		*to = new(float64)
		return number(*to, what, least, most)(n)
	}
}

// text returns a function that reads words.
func text(to *string, what string) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		if n.Kind != yaml.ScalarNode || n.Value == "" {
			return at(n, "%s is empty, or a list", what)
		}
		*to = n.Value
		return nil
	}
}

// checked returns a function that reads words, whose check names the wanted ones.
func checked(to *string, what string, check func(string) error) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		if err := text(to, what)(n); err != nil {
			return err
		}
		if err := check(*to); err != nil {
			return at(n, "%s is %q, want %w", what, *to, err)
		}
		return nil
	}
}
