package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
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

// setNames reads names of sets with commas between them, or "all".
func setNames(text string) ([]string, error) {
	if text == "all" {
		return protocol.Names(), nil
	}
	return command.Each(command.OneOf(protocol.Names()...))(text)
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
