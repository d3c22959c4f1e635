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
// names the missing file in one sentence, where it was looked for and how to get
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
			return nil, newMissing(name, file, folders)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// covtypeFile is covtype as the LIBSVM page names it.
const covtypeFile = "covtype.libsvm.binary"

// namesOf returns the names under which a file is published.
func namesOf(file string) []string {
	if file == covtypeFile {
		return []string{file, uciFile} // which holds the same rows
	}
	return []string{file}
}

// Locate returns the path of a file, as it is or compressed, in the first of the
// folders that has it; fs.ErrNotExist when none has. UCI's covtype.data stands for
// covtype.libsvm.binary.
func Locate(file string, folders ...string) (string, error) {
	for _, folder := range folders {
		for _, name := range namesOf(file) {
			for _, suffix := range []string{"", ".gz", ".bz2"} {
				path := filepath.Join(folder, filepath.FromSlash(name)+suffix)
				if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
					return path, err
				}
			}
		}
	}
	return "", fs.ErrNotExist
}

// missing is the error about a file that is nowhere.
type missing string

func (m missing) Error() string { return string(m) }

func (missing) Is(target error) bool { return target == fs.ErrNotExist }

func newMissing(set, file string, folders []string) missing {
	var places string
	switch n := len(folders); n {
	case 0:
		places = "any folder, for none was named"
	case 1:
		places = "the folder " + folders[0]
	default:
		places = "the folders " + strings.Join(folders[:n-1], ", ") + " and " + folders[n-1]
	}
	return missing(fmt.Sprintf("%s: the file %s, or the same with .gz or .bz2, is not in %s; "+
		"\"go run ./examples/datasets -download %s\" gets it",
		set, file, places, set))
}
