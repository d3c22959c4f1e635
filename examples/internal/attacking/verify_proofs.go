package attacking

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/attack/proof"
	"github.com/seed-1a7dc1f9/facet/attack/property"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/outfile"
)

// provers write the proofs of facet verify and facet range to the file of --proofs, if there is
// one.
type provers struct {
	file     string
	models   provedModels
	text     bytes.Buffer
	count    int
	unproven int
	idle     bool // the question now has no proof
}

// prepareProofs says which models the proofs of --proofs are about: the files that are named, if
// checkers read them, or files that are written beside the proofs.
func (v *verifying) prepareProofs() error {
	if v.provers.file == "" {
		return nil
	}
	paths, models := []string{v.path}, []property.Model{v.model.Model}
	if v.compared != nil {
		if len(v.properties) > 1 {
			return errors.New("--proofs: proofs of --same-as are about two models, and need a " +
				"file of their own: ask about other properties with another command")
		}
		paths, models = append(paths, v.compared.path), append(models, v.compared.Model)
	}
	for i, m := range models {
		ending := [...]string{".model.json", ".other.json"}[i]
		if err := v.provers.about(paths[i], m, ending); err != nil {
			return err
		}
	}
	return v.checkOutputs(v.provers.models.outputs()...)
}

// about says that the proofs are about a model, of a file that checkers read or, if they do not, of
// one beside the proofs whose name ends so.
func (p *provers) about(path string, model property.Model, ending string) error {
	return p.models.add(path, p.file, ending,
		func(w io.Writer) error { return classifier.Save(w, model) })
}

// proved asks a question whose proofs are kept, if there are to be any.
func proved[R any](
	p *provers, o property.Options, ask func(o property.Options) (R, error),
) (R, error) {
	if p.file != "" && !p.idle {
		o.Proof = proof.NewWriter(&p.text)
	}
	r, err := ask(o)
	if errors.Is(err, attack.ErrUnproven) {
		p.unproven++
		err = nil
	}
	return r, err
}

// save writes the file of --proofs, and the models beside it.
func (p *provers) save() error {
	if p.file == "" {
		return nil
	}
	p.count = bytes.Count(p.text.Bytes(), []byte("\nend\n"))
	if p.count == 0 {
		return nil
	}
	sums, err := p.models.write()
	if err != nil {
		return err
	}
	err = outfile.Write(p.file, func(w io.Writer) error {
		if !strings.HasSuffix(p.file, ".gz") {
			return p.write(w, sums)
		}
		zip := gzip.NewWriter(w)
		return errors.Join(p.write(zip, sums), zip.Close())
	})
	if err != nil {
		return fmt.Errorf("--proofs: %w", err)
	}
	return nil
}

func (p *provers) write(w io.Writer, sums [][sha256.Size]byte) error {
	_, err := proof.NewWriter(w, sums...).Write(p.text.Bytes())
	return err
}

// print says where the proofs are.
func (p *provers) print(w io.Writer) {
	switch {
	case p.file == "":
		return
	case p.count == 0:
		fmt.Fprint(w, "\nproofs: none to write")
	default:
		fmt.Fprintf(w, "\n%d proofs are in %s: facet check %s%s", p.count, p.file, p.file,
			p.models.named())
	}
	if p.unproven > 0 {
		fmt.Fprintf(w, " (%d bounds have no proof in exact arithmetic)", p.unproven)
	}
	fmt.Fprintln(w)
}
