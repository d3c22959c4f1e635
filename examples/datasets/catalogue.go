package main

import (
	"path"
	"slices"
	"strings"

	"github.com/seed-1a7dc1f9/facet/internal/protocol"
)

// file is one that a publisher offers.
type file struct {
	base   string   // as protocol.Files names it
	suffix string   // of the compressed file that is offered
	places []string // folders on the web that have it, the publisher's first
	known  checksum
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

// catalogue returns all files, those of a set side by side. The checksums of the
// images are published; those of the LIBSVM files were taken of copies, of which
// that of australian is on record elsewhere too; covtype's is on record as MD5
// only.
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
		{"australian", "", libsvm, sha256sum("e11b85d6265a6cc8d07e3200fc04557009e6e2407331ea8d7910eddf199c2d1a")},
		{"breast-cancer", "", libsvm, sha256sum("445505b580a88e9e19b533b4f126d3dda1883bc7551e46907041ca263aa3c5d9")},
		{"covtype.libsvm.binary", ".bz2", libsvm, md5sum("0d3439b314ce13e2f8b903b12bb3ea20")},
		{"diabetes", "", libsvm, sha256sum("419ba20be4862fc53a6fe92e55a84a53ae0075df06632c07592a17d619b5cb23")},
		{"fashion-mnist/t10k" + images, ".gz", fashion, sha256sum("346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073")},
		{"fashion-mnist/t10k" + labels, ".gz", fashion, sha256sum("67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5")},
		{"fashion-mnist/train" + images, ".gz", fashion, sha256sum("3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84")},
		{"fashion-mnist/train" + labels, ".gz", fashion, sha256sum("a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845")},
		{"fourclass", "", libsvm, sha256sum("7b36a3beaa482bd982b8a601a26b7e74ffc39e00a825b5b501bd17b34a56e48f")},
		{"t10k" + images, ".gz", mnist, sha256sum("8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6")},
		{"t10k" + labels, ".gz", mnist, sha256sum("f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6")},
		{"train" + images, ".gz", mnist, sha256sum("440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609")},
		{"train" + labels, ".gz", mnist, sha256sum("3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c")},
	}
}
