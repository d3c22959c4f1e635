package outfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Output is a file that a command writes, or none if the path is empty.
type Output struct {
	Flag, Path string
	Continued  bool // its contents stay
}

// onlyFiles are flags whose files cannot be standard output, and why.
var onlyFiles = map[string]string{
	"examples": "standard output is for text",
	"proofs":   "what they are about goes beside it",
}

// Check is called by all commands before they work: no file that they write may be one that they
// read, another that they write, or in a folder that is missing, and none may hold something
// already, unless it may be overwritten.
func Check(inputs []string, overwrite bool, outputs ...Output) error {
	for i, o := range outputs {
		if err := o.check(inputs, outputs[:i]); err != nil {
			return err
		}
		if !overwrite && !o.Continued {
			if err := o.free(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o Output) check(inputs []string, others []Output) error {
	if o.Path == "" {
		return nil
	}
	if why := onlyFiles[o.Flag]; why != "" && IsStdout(o.Path) {
		return fmt.Errorf("--%s needs a file: %s", o.Flag, why)
	}
	for _, in := range inputs {
		// else - is read and written, which are two
		if o.Path != Stdout && Same(o.Path, in) {
			return fmt.Errorf("--%s would overwrite %s, which this command reads: name another "+
				"file", o.Flag, in)
		}
	}
	for _, other := range others {
		if Same(o.Path, other.Path) {
			return fmt.Errorf("--%s and --%s are both %s", other.Flag, o.Flag, o.Path)
		}
	}
	return o.writable()
}

// writable tells whether the folder is there, and the file is none itself.
func (o Output) writable() error {
	if o.Path == Stdout {
		return nil
	}
	if info, err := os.Stat(filepath.Dir(o.Path)); err != nil || !info.IsDir() {
		return fmt.Errorf("%s cannot be written: there is no folder %s", o.Path,
			filepath.Dir(o.Path))
	}
	if info, err := os.Stat(o.Path); err == nil && info.IsDir() {
		return fmt.Errorf("%s cannot be written: it is a folder", o.Path)
	}
	return nil
}

// free returns an error for a file that holds something.
func (o Output) free() error {
	if o.Path == "" || IsStream(o.Path) {
		return nil
	}
	if info, err := os.Stat(o.Path); err != nil || info.Size() == 0 {
		return nil
	}
	return fmt.Errorf("--%s: %s is there already: --overwrite replaces it", o.Flag, o.Path)
}

// IsStream reports whether a path is a pipe, a device or an open file by its number, such as
// /dev/stdout: writers append to it.
func IsStream(path string) bool {
	if IsStdout(path) {
		return true
	}
	for _, folder := range []string{"/dev/std", "/dev/fd/", "/proc/self/fd/"} {
		if strings.HasPrefix(path, folder) {
			return true
		}
	}
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

// Same reports whether two paths name one file, by any links and spellings, and whether or not
// it is there. A device that is read is another than the same one that is written.
func Same(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil && infoA.Mode().IsRegular() {
		return os.SameFile(infoA, infoB)
	}
	a, errA = filepath.Abs(Real(a))
	b, errB = filepath.Abs(Real(b))
	return errA == nil && errB == nil && a == b
}

// mostLinks are more than any system follows.
const mostLinks = 40

// Real follows the links of a path, to a file that need not be there.
func Real(path string) string {
	for range mostLinks {
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	folder, name := filepath.Split(path)
	if real, err := filepath.EvalSymlinks(filepath.Clean(folder)); err == nil {
		folder = real
	}
	return filepath.Join(folder, name)
}
