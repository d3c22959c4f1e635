package trial

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seed-1a7dc1f9/facet/internal/protocol"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Flags are the flags that name the points and the attack.
type Flags struct {
	Data, Folder string
	Points       int
	Timeout      time.Duration
	Norm         polytope.Norm // known after Check
	Workers      int
	Out          string

	norm string
}

// mostPoints is how many points of a set the paper's protocol attacks.
const mostPoints = 100

// Register adds the flags to f. Data, Points and Out are the defaults of theirs.
func (s *Flags) Register(f *flag.FlagSet) {
	f.StringVar(&s.Data, "data", s.Data, "`set` of the paper: "+strings.Join(protocol.Names(), ", "))
	f.StringVar(&s.Folder, "folder", "", "`folder` of the files of the sets (default $FACET_DATA, then the folder that examples/datasets downloads to)")
	f.IntVar(&s.Points, "points", s.Points, "points to attack, at most 100")
	f.DurationVar(&s.Timeout, "timeout", 10*time.Second, "time for a point; 0: no limit")
	f.StringVar(&s.norm, "norm", "inf", "norm of the distance: inf, 1 or 2")
	f.IntVar(&s.Workers, "workers", 0, "points attacked at a time, each on one core; 0: one per core")
	f.StringVar(&s.Out, "out", s.Out, "write a line for each point to this `file`, overwritten")
}

// Check checks the flags as far as that needs no file.
func (s *Flags) Check() error {
	var err error
	if s.Norm, err = polytope.ParseNorm(s.norm); err != nil {
		return fmt.Errorf("-norm %q: use inf, 1 or 2", s.norm)
	}
	switch {
	case !slices.Contains(protocol.Names(), s.Data):
		return fmt.Errorf("-data %q: use one of %s", s.Data, strings.Join(protocol.Names(), ", "))
	case s.Points < 1 || s.Points > mostPoints:
		return fmt.Errorf("-points %d: use 1 to %d, as many as the paper's protocol draws", s.Points, mostPoints)
	case s.Timeout < 0:
		return fmt.Errorf("-timeout %v is negative", s.Timeout)
	case s.Workers < 0:
		return fmt.Errorf("-workers %d is negative", s.Workers)
	case s.Out == "":
		return errors.New("-out is empty: name a file for the points")
	}
	return nil
}

// Limit describes the time limit.
func (s *Flags) Limit() string {
	if s.Timeout == 0 {
		return "no time limit"
	}
	return fmt.Sprintf("at most %v a point", s.Timeout)
}
