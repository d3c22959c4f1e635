package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1a7dc1f9/facet/examples/internal/attacking"
	"github.com/seed-1a7dc1f9/facet/examples/internal/command"
)

func main() { command.Exit(run) }

// commands are the commands of facet, in the order of the help.
func commands() []*cobra.Command {
	return []*cobra.Command{
		newCommand("attack --train FILE --test FILE [flags]",
			"The nearest adversarial example of each test row.", none, attacking.Begin),
		newCommand("certify --train FILE --test FILE --radius R,… [flags]",
			"Which test rows keep their label within a radius? Each yes is proven.",
			none, attacking.BeginCertify),
		newCommand("explain --model FILE --test FILE [flags]",
			"Why each test row has its label: the features that force it, and the cheapest change.",
			none, attacking.BeginExplain),
		newCommand("range --model FILE --test FILE --radius R [flags]",
			"The smallest and the largest output of a regressor, around each test row or in a box.",
			none, attacking.BeginRange),
		newCommand("verify MODEL --ignores A,B [flags]",
			"Prove properties of all inputs: what decisions depend on, what is monotone, "+
				"which models agree.", one("the file of which model?"), attacking.BeginVerify),
		newCommand("gate POLICY --model FILE --test FILE [flags]",
			"May this model go out? The checks of a policy, each passed, failed or open by proof.",
			one("the file of which policy?"), beginGate),
		newCommand("predict --model FILE --test FILE [flags]",
			"The label of each test row, and its scores.", none, beginPredict),
		newCommand("train --train FILE --save FILE [flags]",
			"Train a classifier and save it.", none, beginTrain),
		newCommand("prune --train FILE --prune R [flags]",
			"The training rows that adversarial pruning keeps.", none, beginPrune),
		newCommand("report RESULTS… --out FILE.html",
			"One HTML page of the results of facet attack or certify, of several models beside "+
				"each other, and of explain, verify and gate.",
			some("which results? facet attack --out rows.jsonl makes some"), beginReport),
		newCommand("info FILE [flags]",
			"What a file is: a model, or the rows that a run would take a table for.",
			one("which file?"), beginInfo),
		newCheck(),
		newCommand("merge SHARDS… --out FILE",
			"Join the files that facet attack, certify or explain --shard I/N wrote.",
			some("which files? facet merge SHARDS… --out FILE"), beginMerge),
		newCompletion(),
		newCommand("version", "Print the version, the build and Go's version.", none, beginVersion),
	}
}

func beginVersion(*pflag.FlagSet) command.Work {
	return func(_ context.Context, stdout, _ io.Writer) error {
		_, err := fmt.Fprintln(stdout, "facet", command.Version())
		return err
	}
}

// run runs the command that args name and returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use: "facet",
		Short: "How far is an input from being misclassified? Exact answers for k-NN, " +
			"trees and ensembles.",
		Version:       command.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          chooseNone,
	}
	root.SetVersionTemplate("facet {{.Version}}\n")
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetHelpFunc(help)
	root.SetHelpCommand(newHelp(root))
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if c == root && !strings.HasPrefix(args[0], "-") { // the flags are those of no command
			return chooseNone(root, args)
		}
		if c == root {
			return command.Misuse(fmt.Errorf("no command is named before %s; facet --help lists "+
				"the commands", args[0]))
		}
		return command.WrongUse(err, c.CommandPath(), c.Flags(), moved(c))
	})
	root.AddCommand(commands()...)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		offerValues(root)
	}
	called, err := root.ExecuteContextC(ctx)
	return command.End(ctx, stderr, called.CommandPath(), err)
}

// chooseNone is called when no command was named, or none that there is.
func chooseNone(c *cobra.Command, args []string) error {
	err := errors.New("no command is named")
	if len(args) > 0 {
		var names []string
		for _, sub := range c.Commands() {
			names = append(names, sub.Name())
		}
		err = fmt.Errorf("there is no command %q%s", args[0], command.Meant(args[0], "", names))
	}
	return command.Misuse(fmt.Errorf("%w; %s --help lists them", err, c.CommandPath()))
}

// newHelp returns the command that explains the others.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Explain a command and its flags.",
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return chooseNone(root, args)
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
		ValidArgsFunction: func(
			*cobra.Command, []string, string,
		) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range root.Commands() {
				names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// none refuses files of a command whose work is told by flags alone.
func none(args []string) error {
	if len(args) == 0 {
		return nil
	}
	return command.Stray(args[0], ": files are named by flags")
}

// one asks a question where no file is named, and refuses more than one.
func one(question string) func(args []string) error {
	return func(args []string) error {
		if len(args) > 1 {
			return fmt.Errorf("%d files are named, one is wanted", len(args))
		}
		return some(question)(args)
	}
}

// some asks a question where no file is named.
func some(question string) func(args []string) error {
	return func(args []string) error {
		if len(args) == 0 {
			return errors.New(question)
		}
		return nil
	}
}

// newCommand returns a command about files, whose faults takes returns. begin adds the flags and
// returns the work on the files, which are the arguments of the flags then.
func newCommand(
	use, about string, takes func(args []string) error, begin func(f *pflag.FlagSet) command.Work,
) *cobra.Command {
	c := &cobra.Command{Use: use, Short: about, DisableFlagsInUseLine: true}
	c.Flags().SortFlags = false
	work := begin(c.Flags())
	c.Args = func(c *cobra.Command, args []string) error {
		if err := takes(args); err != nil {
			return command.WrongUse(err, c.CommandPath(), c.Flags(), nil)
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		command.SayRenamed(c.Flags(), c.ErrOrStderr())
		return work(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
	}
	return c
}

// offerValues lets a shell complete the values of flags. It is called when a shell asks: cobra
// keeps the values, and with them the command, as long as the process lives.
func offerValues(root *cobra.Command) {
	for _, c := range root.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) { offer(c, f) })
	}
}

// offer lets shells complete the values of a flag. A model may be a file, too.
func offer(c *cobra.Command, f *pflag.Flag) {
	values := command.Offered(f)
	if values == nil {
		return
	}
	others := cobra.ShellCompDirectiveNoFileComp
	if f.Name == "model" {
		others = cobra.ShellCompDirectiveDefault
	}
	c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(values, others))
}
