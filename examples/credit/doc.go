// Credit tells applicants for a loan, whom a forest refuses, the cheapest way to approval, and
// shows the worth of such advice without rules: a share of the answers asks to be younger, to pay
// back half a loan, or to have two purposes.
//
//	go run ./examples/credit
//
// The applicants are generated (applicants.go says how), from --seed; --rows of them train a forest
// of --trees trees of depth --depth, and the first --points others that it refuses are asked about:
// what is the cheapest change that the rules of costs.json allow and the forest accepts, and what
// is it without the rules, at the same prices? The prices are added up (norm 1) unless --norm says
// otherwise.
//
// Printed are the answers for one applicant, and a table: how many answers are proven to be the
// cheapest, their costs, the milliseconds that each took, and how many break which rule. The folder
// --out (out) gets the files for asking the command facet the same: train.csv, test.csv and
// costs.json, with the table in credit.txt and a picture of the costs, credit-costs.png and .svg.
// The files are named at the end.
package main
