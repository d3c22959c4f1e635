package command

import (
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"syscall"
)

// kinds are the types of package classifier, as people call them.
var kinds = map[string]string{
	"KNN": "nearest neighbours", "WeightedKNN": "nearest neighbours weighted by distance",
	"Tree": "a tree", "Ensemble": "trees", "Regressor": "a regressor",
	"ObliqueEnsemble": "oblique trees",
}

var (
	typeName = regexp.MustCompile(`\*classifier\.(\w+)`)
	packages = regexp.MustCompile(`(^|[ (])(attack|classifier|polytope|proof|property|prune): `)
)

// inWords says an error as people read it: files that are missing in one way, and no names of Go's
// types, packages and errors.
func inWords(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		text = strings.Replace(text, file.Op+" "+file.Path+": ", file.Path+": ", 1)
	}
	if errors.Is(err, fs.ErrNotExist) {
		text = strings.Replace(text, syscall.ENOENT.Error(), "there is no such file", 1)
	}
	text = typeName.ReplaceAllStringFunc(text, func(name string) string {
		if said, ok := kinds[strings.TrimPrefix(name, "*classifier.")]; ok {
			return said
		}
		return name
	})
	text = packages.ReplaceAllString(text, "$1")
	text = strings.Replace(text, ": option out of range", "", 1)
	return strings.TrimSuffix(text, ": "+errors.ErrUnsupported.Error())
}
