package protocol

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Folders returns the folders in which the files of the data sets are looked for,
// in this order: the one that FACET_DATA names, if any, and DownloadFolder.
func Folders() []string {
	var folders []string
	if folder := os.Getenv("FACET_DATA"); folder != "" {
		folders = append(folders, folder)
	}
	if folder, err := DownloadFolder(); err == nil {
		folders = append(folders, folder)
	}
	return folders
}

// DownloadFolder returns the folder that examples/datasets downloads to: facet/data
// in the user's cache.
func DownloadFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder for cached files: %w", err)
	}
	return filepath.Join(cache, "facet", "data"), nil
}

// Find returns the paths of the files that a set is read from, each in the first
// folder that has it, as it is or compressed (.gz, .bz2): one file of text, or
// the test images, their labels, the training images, their labels. Without the
// training images, the first two. Halfmoon has no files.
//
// The error about a file that is in none of the folders is fs.ErrNotExist and
// says in one sentence what is missing, where it was looked for and how to get
// it.
func Find(name string, folders ...string) ([]string, error) {
	files, err := Files(name)
	if err != nil {
		return nil, err
	}
	var paths []string
	for i, file := range files {
		path, err := Locate(file, folders...)
		if errors.Is(err, fs.ErrNotExist) {
			if i == testFiles {
				return paths, nil
			}
			return nil, &missing{set: name, file: file, folders: folders}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// Available sorts the sets into those whose files are in the folders and, for each
// of the others, the error of Find.
func Available(folders ...string) (names []string, absent []error) {
	for _, name := range Names() {
		if _, err := Find(name, folders...); err != nil {
			absent = append(absent, err)
			continue
		}
		names = append(names, name)
	}
	return names, absent
}

// Locate returns the path of a file, as it is or compressed, in the first of the
// folders that has it; fs.ErrNotExist when none has.
func Locate(file string, folders ...string) (string, error) {
	for _, folder := range folders {
		for _, suffix := range []string{"", ".gz", ".bz2"} {
			path := filepath.Join(folder, filepath.FromSlash(file)+suffix)
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				return path, err
			}
		}
	}
	return "", fs.ErrNotExist
}

// missing is the error about a file that is nowhere.
type missing struct {
	set, file string
	folders   []string
}

func (e *missing) Error() string {
	return fmt.Sprintf("%s: the file %s, or the same with .gz or .bz2, is not in %s; \"go run ./examples/datasets -download %s\" gets it",
		e.set, e.file, e.places(), e.set)
}

func (e *missing) places() string {
	switch n := len(e.folders); n {
	case 0:
		return "any folder, for none was named"
	case 1:
		return "the folder " + e.folders[0]
	default:
		return "the folders " + strings.Join(e.folders[:n-1], ", ") + " and " + e.folders[n-1]
	}
}

func (e *missing) Is(target error) bool { return target == fs.ErrNotExist }
