package main

import (
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// settings are the flags.
type settings struct {
	catalogue []*file
	sets      []string // to download, none to list
	folder    string   // that files are downloaded to
	folders   []string // that files are looked for in
	mirror    string   // "" for the publishers
}

func newFlags(s *settings, sets *string) *flag.FlagSet {
	f := flag.NewFlagSet("datasets", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(sets, "download", "", "download these `sets`, separated by commas, or all: "+strings.Join(protocol.Names(), ", "))
	f.StringVar(&s.folder, "dir", "", "download to this `folder`, made if missing (default facet/data in the user's cache)")
	f.StringVar(&s.mirror, "mirror", "", "download from this `URL`, below which the files have the names that the list gives, instead of from the publishers")
	return f
}

func usage(w io.Writer) {
	f := newFlags(new(settings), new(string))
	f.SetOutput(w)
	fmt.Fprintf(w, "Lists the paper's data sets, and downloads them.\n\n  datasets [flags]\n\n")
	f.PrintDefaults()
}

// parse reads the command line.
func parse(args []string) (*settings, error) {
	s, sets := &settings{catalogue: catalogue()}, new(string)
	f := newFlags(s, sets)
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("%q is not a flag: sets to download are named by -download", f.Arg(0))
	}
	if err := s.choose(*sets); err != nil {
		return nil, err
	}
	if s.mirror != "" {
		if u, err := url.Parse(s.mirror); err != nil || u.Host == "" {
			return nil, fmt.Errorf("-mirror %q is not the URL of a folder such as https://example.org/data", s.mirror)
		}
	}
	return s, s.place()
}

// choose resolves -download.
func (s *settings) choose(sets string) error {
	switch sets {
	case "":
		return nil
	case "all":
		s.sets = protocol.Names()
		return nil
	}
	for _, name := range strings.Split(sets, ",") {
		if name = strings.TrimSpace(name); !slices.Contains(protocol.Names(), name) {
			return fmt.Errorf("-download %q: there is no set %q; there are %s, and all for all of them", sets, name, strings.Join(protocol.Names(), ", "))
		}
		s.sets = append(s.sets, name)
	}
	return nil
}

// place resolves -dir.
func (s *settings) place() error {
	if s.folder == "" {
		folder, err := protocol.DownloadFolder()
		if err != nil {
			return fmt.Errorf("%w; name a folder with -dir", err)
		}
		s.folder = folder
	}
	if data := os.Getenv("FACET_DATA"); data != "" {
		s.folders = append(s.folders, data)
	}
	if !slices.Contains(s.folders, s.folder) {
		s.folders = append(s.folders, s.folder)
	}
	return nil
}

// elsewhere says how other programs find files in a folder in which they would not
// look, "" when they would.
func (s *settings) elsewhere() string {
	if slices.Contains(protocol.Folders(), s.folder) {
		return ""
	}
	return "set FACET_DATA=" + s.folder + " for the other programs to find the files there"
}
