package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/seed-1a7dc1f9/facet/examples/internal/printed"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
)

// list prints the state of every file, and which sets that suffices for.
func list(ctx context.Context, w io.Writer, s *settings) error {
	sizes, err := printed.Load(3)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "set\ttraining set\tfile\tsize\tstate\tpath")
	before := ""
	unusable := make(map[string]bool) // sets with a file that is there but no good
	for _, f := range s.catalogue {
		found := s.look(ctx, f)
		sets := f.usedBy(setNames())
		for _, set := range sets {
			unusable[set] = unusable[set] || found.err != nil
		}
		names, size := strings.Join(sets, ", "), shape(sizes, sets[0])
		if names == before {
			names, size = "", ""
		} else {
			before = names
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", names, size, f.name(), s.describe(f, found))
	}
	fmt.Fprintf(t, "halfmoon\t%s\t-\t-\tgenerated\t-\n", shape(sizes, "halfmoon"))
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = io.WriteString(w, s.summary(unusable))
	return err
}

// shape is the number of rows and features of a training set: that of the paper's table of data
// sets, or that of covtype500.
func shape(sizes *printed.Table, set string) string {
	if set == protocol.Covtype500 {
		return "500 × 54"
	}
	return fmt.Sprintf("%v × %v", sizes.Cell(set, "train"), sizes.Cell(set, "features"))
}

// describe returns a file's size, state and path, separated by tabs.
func (s *settings) describe(f *file, found finding) string {
	switch {
	case found.path == "":
		if info, err := os.Stat(s.target(f) + partial); err == nil {
			return "-\tmissing, " + size(info.Size()) + " of it downloaded\t-"
		}
		return "-\tmissing\t-"
	case found.altered():
		return size(found.size) + "\taltered: wrong " + f.known.kind() + "\t" + found.path
	case found.err != nil:
		return "-\t" + found.err.Error() + "\t" + found.path
	case found.other:
		return size(found.size) + "\tnot as published, not checked\t" + found.path
	}
	return size(found.size) + "\t" + f.known.kind() + " checked\t" + found.path
}

// summary says which sets can be loaded, and how to get the others.
func (s *settings) summary(unusable map[string]bool) string {
	var ready, wanting []string
	for _, name := range setNames() {
		paths, err := protocol.Find(name, s.folders...)
		files, _ := protocol.Files(name)
		switch {
		case err != nil || unusable[name]:
			wanting = append(wanting, name)
		case len(paths) < len(files):
			ready = append(ready, name+" (of its test images alone, not as in the paper)")
			wanting = append(wanting, name)
		default:
			ready = append(ready, name)
		}
	}
	text := "\nready: " + strings.Join(ready, ", ") + "\n"
	if len(wanting) > 0 {
		text += "to download what is missing: go run ./examples/datasets --download " +
			strings.Join(wanting, ",")
		if s.elsewhere() != "" {
			text += " --dir " + s.folder
		}
		text += "\n"
	}
	return text
}
