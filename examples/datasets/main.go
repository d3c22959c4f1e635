package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
)

func main() { program().Main() }

func program() *command.Program {
	return &command.Program{
		Name:  "datasets",
		About: "Lists the paper's data sets, downloads them, and writes them as they are used.",
		Stray: ": sets to download are named by --download",
		Begin: func(f *pflag.FlagSet) command.Work {
			s := &settings{catalogue: catalogue()}
			command.Var(f, &s.sets, "download", "", parseSets,
				"download these `sets`, separated by commas, or all: "+
					strings.Join(setNames(), ", "))
			f.StringVar(&s.folder, "dir", "", "download to this `folder`, made if missing "+
				"(default facet/data in the user's cache)")
			command.Var(f, &s.mirror, "mirror", "", webFolder,
				"download from this `URL`, below which the files have the names that the list "+
					"gives, instead of from the publishers")
			command.Var(f, &s.prepared, "prepare", "", command.OneOf(protocol.Names()...),
				"write the rows of this `set` as the paper's experiments split and scaled them, "+
					"as NPY files")
			f.StringVar(&s.to, "to", "", "the `folder` that --prepare writes to, made if missing")
			f.StringVar(&s.model, "model", "", "write to --to, too, which test rows the paper's "+
				"protocol attacks of the model of this `file`")
			return s.run
		},
	}
}

func (s *settings) run(ctx context.Context, stdout, stderr io.Writer) error {
	if err := s.place(); err != nil {
		return command.Misuse(err)
	}
	switch {
	case (s.prepared == "") != (s.to == "") || s.prepared == "" && s.model != "":
		return command.Misuse(
			errors.New("--prepare SET and --to FOLDER belong together, and --model to them"),
		)
	case s.prepared != "":
		return s.prepare(ctx, stdout)
	case len(s.sets) == 0:
		return list(ctx, stdout, s)
	}
	return fetchAll(ctx, s, stdout, stderr)
}

// fetchAll downloads the files of the sets one after another and reports each. One that cannot
// be had does not keep the others from being downloaded.
func fetchAll(ctx context.Context, s *settings, stdout, stderr io.Writer) error {
	var failed error
	filled := false // a file is in the folder of downloads
	f := newFetcher(stderr)
	files := filesOf(s.sets, s.catalogue)
	if len(files) == 0 {
		_, err := fmt.Fprintln(stdout, strings.Join(s.sets, ", "),
			"is generated: there is nothing to download")
		return err
	}
	for _, file := range files {
		done, err := f.provide(ctx, s, file)
		if err == nil {
			filled = filled ||
				strings.HasPrefix(s.look(ctx, file).path, s.folder+string(filepath.Separator))
			if _, err := fmt.Fprintln(stdout, done); err != nil {
				return err
			}
			continue
		}
		failed = command.ErrTold
		command.Complain(stderr, "datasets", fmt.Errorf("%s: %w", file.name(), err))
		if ctx.Err() != nil {
			return failed
		}
	}
	note := s.elsewhere()
	if note == "" || failed != nil || !filled {
		return failed
	}
	_, err := fmt.Fprintln(stdout, note)
	return err
}

// settings are the flags.
type settings struct {
	catalogue []*file
	sets      []string // to download, none to list
	folder    string   // that files are downloaded to
	folders   []string // that files are looked for in
	mirror    string   // "" for the publishers
	prepared  string   // the set to write
	to, model string   // the folder that it is written to, and the model that rows are chosen for
}

// parseSets reads names of sets with commas between them, or "all".
func parseSets(text string) ([]string, error) {
	if text == "all" {
		return setNames(), nil
	}
	return command.Each(command.OneOf(setNames()...))(text)
}

// webFolder reads the URL of a folder.
func webFolder(text string) (string, error) {
	if u, err := url.Parse(text); err != nil || u.Host == "" {
		return "", errors.New("it is not the URL of a folder such as https://example.org/data")
	}
	return text, nil
}

// place resolves -dir.
func (s *settings) place() error {
	if s.folder == "" {
		folder, err := protocol.DownloadFolder()
		if err != nil {
			return fmt.Errorf("%w; name a folder with --dir", err)
		}
		s.folder = folder
	}
	s.folder = filepath.Clean(s.folder)
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
