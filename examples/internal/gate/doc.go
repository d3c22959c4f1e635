// Package gate decides whether a model may go out: a policy lists checks, each check is a question
// that a command of facet answers, and the proven answer passes the check, fails it, or leaves it
// open.
//
//	policy.go   the keys of a policy in YAML
//	section.go  mappings of YAML whose keys are all known
//	check.go    a check, and how a proven bracket decides it
//	rows.go     checks about rows: accuracy, classes, certified shares, another model's labels
//	inputs.go   checks about all inputs: ignored features, monotony, outputs
//	baseline.go the model in service
//	run.go      the commands that are run, and the report
//	formats.go, formats.tmpl, page.go
//	            texts for people and programs
package gate
