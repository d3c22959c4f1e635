package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/dataset"
	"github.com/seed-1a7dc1f9/facet/internal/dataset/protocol"
)

// file is one that a publisher offers.
type file struct {
	base   string   // as protocol.Files names it
	suffix string   // of the compressed file that is offered
	places []string // folders on the web that have it, the publisher's first
	known  checksum // of the contents, or of the compressed file if it says so
}

// name is the path of the file within the folder of the data sets.
func (f *file) name() string { return f.base + f.suffix }

// urls returns where the file is offered.
func (f *file) urls(mirror string) []string {
	if mirror != "" {
		return []string{strings.TrimSuffix(mirror, "/") + "/" + f.name()}
	}
	var urls []string
	for _, place := range f.places {
		urls = append(urls, place+path.Base(f.name()))
	}
	return urls
}

// usedBy returns those of the sets that are read from the file.
func (f *file) usedBy(sets []string) []string {
	var users []string
	for _, set := range sets {
		if files, err := protocol.Files(set); err == nil && slices.Contains(files, f.base) {
			users = append(users, set)
		}
	}
	return users
}

// setNames are those of the paper's sets, and of the one that others compare robust trees on.
func setNames() []string {
	names := append(protocol.Names(), protocol.Covtype500)
	slices.Sort(names)
	return names
}

// filesOf returns those of the files that the sets are read from.
func filesOf(sets []string, files []*file) []*file {
	var needed []*file
	for _, f := range files {
		if len(f.usedBy(sets)) > 0 {
			needed = append(needed, f)
		}
	}
	return needed
}

// catalogue returns all files, those of a set side by side. The checksums of Fashion-MNIST
// are published, of the compressed files; those of MNIST were taken of the contents of the
// published files; those of the LIBSVM files were taken of copies, of which that of australian is
// on record elsewhere too. Covtype is known by its rows.
func catalogue() []*file {
	const images, labels = "-images-idx3-ubyte", "-labels-idx1-ubyte"
	libsvm := []string{"https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/"}
	fashion := []string{
		"http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
		"https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
	}
	mnist := []string{
		"https://storage.googleapis.com/cvdf-datasets/mnist/",
		"https://ossci-datasets.s3.amazonaws.com/mnist/",
	}
	return []*file{
		{"australian", "", libsvm,
			sha256sum("e11b85d6265a6cc8d07e3200fc04557009e6e2407331ea8d7910eddf199c2d1a")},
		{"breast-cancer", "", libsvm,
			sha256sum("445505b580a88e9e19b533b4f126d3dda1883bc7551e46907041ca263aa3c5d9")},
		{"covtype.libsvm.binary", ".bz2", libsvm, checksum{rows: protocol.CheckCovtype}},
		{"covtype.data", ".gz", []string{
			"https://archive.ics.uci.edu/ml/machine-learning-databases/covtype/",
		}, checksum{rows: protocol.CheckCovtype}},
		{"diabetes", "", libsvm,
			sha256sum("419ba20be4862fc53a6fe92e55a84a53ae0075df06632c07592a17d619b5cb23")},
		{"fashion-mnist/t10k" + images, ".gz", fashion,
			published("346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073")},
		{"fashion-mnist/t10k" + labels, ".gz", fashion,
			published("67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5")},
		{"fashion-mnist/train" + images, ".gz", fashion,
			published("3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84")},
		{"fashion-mnist/train" + labels, ".gz", fashion,
			published("a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845")},
		{"fourclass", "", libsvm,
			sha256sum("7b36a3beaa482bd982b8a601a26b7e74ffc39e00a825b5b501bd17b34a56e48f")},
		{"t10k" + images, ".gz", mnist,
			sha256sum("0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7")},
		{"t10k" + labels, ".gz", mnist,
			sha256sum("ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2")},
		{"train" + images, ".gz", mnist,
			sha256sum("ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db")},
		{"train" + labels, ".gz", mnist,
			sha256sum("65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5")},
	}
}

// checksum identifies a file: by the SHA-256 of its contents, uncompressed, or,
// where no other is on record, of the compressed file as it is published.
type checksum struct {
	hex        string
	compressed bool // of the file as it is published
	// rows returns the fault of the rows that r reads, of a file that is known by them: covtype,
	// which its publishers render differently. It is nil for others.
	rows func(ctx context.Context, r io.Reader, name string) error
}

func sha256sum(hex string) checksum { return checksum{hex: hex} }
func published(hex string) checksum { return checksum{hex: hex, compressed: true} }

// kind says which checksum is compared.
func (c checksum) kind() string {
	if c.rows != nil {
		return "rows"
	}
	return "SHA-256"
}

// mismatch is the error about a file that is not the one known: its checksum is
// another, its rows are, or it cannot be uncompressed.
type mismatch struct {
	got  string
	want checksum
	err  error
}

func (e *mismatch) Error() string {
	switch {
	case e.err == nil:
		return fmt.Sprintf("its %s is %s, where %s is known", e.want.kind(), e.got, e.want.hex)
	case e.want.rows != nil:
		return e.err.Error()
	}
	return fmt.Sprintf("it cannot be uncompressed: %v", e.err)
}

// check reads a file, and returns a *mismatch when it is not the one known.
func (c checksum) check(ctx context.Context, path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var r io.Reader = bytes.NewReader(content)
	if !c.compressed {
		r, err = dataset.Uncompressed(r)
	}
	got := ""
	switch {
	case err != nil:
	case c.rows != nil:
		err = c.rows(ctx, r, path)
	default:
		h := sha256.New()
		_, err = io.Copy(h, r)
		got = hex.EncodeToString(h.Sum(nil))
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return &mismatch{want: c, err: err}
	case got != c.hex:
		return &mismatch{got: got, want: c}
	}
	return nil
}
