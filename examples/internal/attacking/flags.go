package attacking

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/attack"
	"github.com/seed-1a7dc1f9/facet/classifier"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/examples/internal/results"
	"github.com/seed-1a7dc1f9/facet/examples/internal/subject"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// settings are the flags.
type settings struct {
	subject.Flags
	attackName    string
	regions       int
	target        string
	domain        *domain
	costs         string // the file
	several       int    // counterfactuals; 0: one example
	points        int    // 0: all
	rowsFile      string
	misclassified bool
	radii         []float64 // facet certify's, ascending; nil: facet attack
	plot          string
	shard         *results.Shard
	maxNodes      int
	timeout       time.Duration
	out           string
	resume        bool
	untimed       bool
	summary       string
	proofs        string
	solverName    string
	solver        polytope.Solver
	certify       bool
	set           *pflag.FlagSet
	flags         map[string]string // what determines the results
}

// bystanders are the flags that do not change what is found about a row.
var bystanders = map[string]bool{"workers": true, "out": true, "resume": true, "summary": true, "plot": true, "proofs": true, "max-values": true, "shard": true, "untimed": true, "help": true}

// Begin adds the flags of facet attack and returns the work.
func Begin(f *pflag.FlagSet) command.Work { return newSettings(f).run }

func newSettings(f *pflag.FlagSet) *settings {
	s := &settings{set: f}
	s.AddRows(f)
	s.AddModel(f)
	command.Var(f, &s.attackName, "attack", "exact", command.OneOf("exact", "approx", "direct", "kernel", "blackbox", "papernot"), "the `attack`: exact, approx, or a baseline: direct, kernel (k-NN), blackbox, papernot (tree)")
	command.Var(f, &s.regions, "regions", strconv.Itoa(attack.DefaultRegions), command.AtLeast(1), "`number` of cells searched by --attack approx")
	s.AddChange(f)
	s.AddSearch(f)
	f.StringVar(&s.target, "target", "", "`label` to reach (default any other than the predicted one)")
	command.Var(f, &s.several, "counterfactuals", "0", command.AtLeast(0), "find up to `M` examples a row that change different sets of features, each the nearest of its kind, and print what they change; 0: one example")
	f.BoolVar(&s.misclassified, "include-misclassified", false, "attack the misclassified test rows too")
	command.Var(f, &s.solverName, "solver", "native", command.OneOf("native", "lpsolve"), "the `solver`: native, or lpsolve in a program built with -tags lpsolve")
	s.addRun(f)
	f.StringVar(&s.proofs, "proofs", "", "write a proof of each bound to this `file`, gzipped if it ends in .gz, for facet check; the model goes to FILE.model.json unless --model is a file that checkers of proofs read")
	return s
}

// addRun adds the flags of the rows, the limits and the files that are written.
func (s *settings) addRun(f *pflag.FlagSet) {
	command.Var(f, &s.domain, "domain", "", parseDomain, "keep examples inside the box [`LO,HI`]^d, after scaling, or where a file says in its own units: a line LO,HI for each feature, or NAME,LO,HI (default none)")
	f.StringVar(&s.costs, "costs", "", "prices of moves, frozen and counted features, categories, limits: a JSON `file`, in the units of the rows (docs/costs.md)")
	command.Var(f, &s.points, "points", "0", command.AtLeast(0), "take the first `N` test rows that can be attacked; 0: all")
	f.StringVar(&s.rowsFile, "rows", "", "take exactly the test rows that this `file` lists, one number a line, counted from 0")
	command.Var(f, &s.timeout, "timeout", "0s", command.Limit, "`time` for a row, such as 10s; 0: no limit")
	command.Var(f, &s.maxNodes, "max-nodes", "0", command.AtLeast(0), "end the search for a row after `N` nodes; 0: no limit")
	command.Var(f, &s.shard, "shard", "", results.ParseShard, "do only part `I/N` of the rows; facet merge joins the files of all N")
	f.StringVar(&s.out, "out", "", "write one JSON object a line for each row to this `file`, overwritten unless --resume is given, and what made it to FILE.meta.json")
	f.BoolVar(&s.resume, "resume", false, "continue --out, skipping the rows already in it")
	f.BoolVar(&s.untimed, "untimed", false, "write 0 for the seconds of each row, so that the same rows give the same bytes")
	f.StringVar(&s.summary, "summary", "", "write the summary as a JSON object to this `file` once every row is done")
}

// finish records the flags that determine the results, and looks at all of them together.
func (s *settings) finish() (err error) {
	s.flags = make(map[string]string)
	inputs := s.inputs() // which are compared by their contents
	s.set.VisitAll(func(f *pflag.Flag) {
		if _, input := inputs[f.Name]; !bystanders[f.Name] && !input {
			s.flags[f.Name] = f.Value.String()
		}
	})
	s.Attack = func(d *subject.Data, c classifier.Classifier) (attack.Attack, error) { return s.regionBased(d, c, nil) }
	if err := s.check(); err != nil || s.solverName == "native" {
		return err
	}
	s.solver, err = newLPSolve()
	return err
}

func (s *settings) check() error {
	if s.Test == "" {
		return errors.New("--test FILE is missing")
	}
	if err := s.checkCertify(); err != nil {
		return err
	}
	if err := cmp.Or(s.checkChange(), s.checkProofs(), s.checkCosts(), s.checkCounterfactuals()); err != nil {
		return err
	}
	var used []string
	if s.attackName == "approx" {
		used = append(used, "prune") // it starts from training rows
	}
	if s.attackName == "blackbox" {
		used = append(used, "seed")
	}
	if err := s.Check(used...); err != nil {
		return err
	}
	switch {
	case s.Train == "" && slices.Contains([]string{"approx", "direct", "kernel"}, s.attackName):
		return fmt.Errorf("--attack %s needs --train: it starts from training rows", s.attackName)
	case s.attackName == "kernel" && s.Norm == polytope.L1:
		return errors.New("--attack kernel steps along gradients in ℓ∞ or ℓ2: use --norm inf or --norm 2")
	case s.solverName == "lpsolve" && s.Norm == polytope.L2:
		return fmt.Errorf("--solver lpsolve: lp_solve has no programs for --norm %v, only for inf and 1", s.Norm)
	case s.baseline() && s.domain != nil:
		return fmt.Errorf("--attack %s knows no --domain; exact and approx do", s.attackName)
	case s.baseline() && s.timeout > 0:
		return fmt.Errorf("--attack %s has no --timeout; exact and approx do", s.attackName)
	case s.Weighted() && s.attackName == "approx":
		return errors.New("--attack approx searches cells of one label, which --weights distance does not have; use exact, with a --timeout")
	case s.points > 0 && s.rowsFile != "":
		return errors.New("--points and --rows both choose the rows: use one of them")
	case s.solverName == "lpsolve" && (s.Model == "tree" || s.Model == "forest"):
		return fmt.Errorf("--solver lpsolve is for cells that are no boxes; --model %s has boxes", s.Model)
	case s.baseline() && s.maxNodes > 0:
		return fmt.Errorf("--attack %s has no --max-nodes; exact and approx do", s.attackName)
	case s.attackName != "approx" && s.set.Changed("regions"):
		return fmt.Errorf("--regions is for --attack approx, not %s", s.attackName)
	case s.resume && s.out == "":
		return errors.New("--resume needs --out FILE, the file to continue")
	}
	return nil
}

// exact reports whether the attack proves what it finds.
func (s *settings) exact() bool { return s.attackName == "exact" }

// baseline reports whether the attack is one that the paper compares with.
func (s *settings) baseline() bool { return !s.exact() && s.attackName != "approx" }

// inputs returns the files that are read, by flag.
func (s *settings) inputs() map[string]string {
	files := s.Inputs()
	if s.rowsFile != "" {
		files["rows"] = s.rowsFile
	}
	if s.costs != "" {
		files["costs"] = s.costs
	}
	if path := s.domain.path(); path != "" {
		files["domain"] = path
	}
	return files
}

func (s *settings) describe() string {
	text := fmt.Sprintf("%s, norm %v", s.attackName, s.Norm)
	if s.attackName == "approx" {
		text = fmt.Sprintf("approx, %d regions, norm %v", s.regions, s.Norm)
	}
	if s.Above != nil {
		text += fmt.Sprintf(", output at least %v", *s.Above)
	}
	if s.Change != nil {
		text += fmt.Sprintf(", output changes by more than %v", *s.Change)
	}
	if s.target != "" {
		text += ", target " + strings.TrimSpace(s.target)
	}
	if s.costs != "" {
		text += ", costs of " + s.costs
	}
	return text
}
