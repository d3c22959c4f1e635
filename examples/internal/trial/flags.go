package trial

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
	"github.com/seed-1a7dc1f9/facet/internal/protocol"
	"github.com/seed-1a7dc1f9/facet/polytope"
)

// Flags are the flags that name the points and the attack.
type Flags struct {
	Data, Folder string
	Points       int
	Timeout      time.Duration
	Norm         polytope.Norm
	Workers      int
	Out          string
	set          *pflag.FlagSet
}

// mostPoints is how many points of a set the paper's protocol attacks.
const mostPoints = 100

// Register adds the flags to f. Data, Points and Out are the defaults of theirs.
func (s *Flags) Register(f *pflag.FlagSet) {
	s.set = f
	names := protocol.Names()
	command.Var(f, &s.Data, "data", s.Data, command.OneOf(names...), "`set` of the paper: "+strings.Join(names, ", "))
	f.StringVar(&s.Folder, "folder", "", "`folder` of the files of the sets (default $FACET_DATA, then the folder that examples/datasets downloads to)")
	command.Var(f, &s.Points, "points", strconv.Itoa(s.Points), command.Between(1, mostPoints), "`number` of points to attack, as many as the paper's protocol draws at most")
	command.Var(f, &s.Timeout, "timeout", "10s", command.Limit, "`time` for a point; 0: no limit")
	command.Var(f, &s.Norm, "norm", "inf", polytope.ParseNorm, "`norm` of the distance: inf, 1 or 2")
	command.Var(f, &s.Workers, "workers", "0", command.AtLeast(0), "`number` of points attacked at a time, each on one core; 0: one per core")
	command.Var(f, &s.Out, "out", s.Out, command.Some, "write a line for each point to this `file`, overwritten")
}

// Given reports whether a flag of this name was given.
func (s *Flags) Given(name string) bool { return command.Given(s.set)[name] }

// Limit describes the time limit.
func (s *Flags) Limit() string {
	if s.Timeout == 0 {
		return "no time limit"
	}
	return fmt.Sprintf("at most %v a point", s.Timeout)
}
