// Facet answers how far inputs are from being misclassified, on the user's own files:
//
//	go install github.com/seed-1a7dc1f9/facet/examples/facet@latest
//	facet attack --train FILE --test FILE [flags]
//	facet certify --train FILE --test FILE --radius 0.05,0.1 --plot curve.png [flags]
//	facet explain --model FILE --test FILE [flags]
//	facet range --model FILE --test FILE --radius R [flags]
//	facet verify MODEL --ignores A,B [flags]
//	facet predict --model FILE --test FILE [flags]
//	facet train --train FILE --save FILE [flags]
//	facet prune --train FILE --prune R --out FILE [flags]
//	facet report RESULTS --out FILE.html
//	facet info FILE [--save FILE]
//	facet merge SHARDS… --out FILE
//	facet version
//
// facet help lists the commands, facet help attack the flags of one.
// facet attack trains a classifier (or reads one trained elsewhere), attacks the test rows that it
// classifies correctly on every core, and prints accuracy and empirical robustness. facet certify
// asks less, and is faster: at which of some radii do all inputs have the label of the row?
//
// # Files
//
// Data sets are CSV or TSV, LIBSVM text, NPY arrays of records (numpy.save of
// to_records(index=False)), or NPY and IDX matrices with labels in a second file, told by name and
// contents, compressed by gzip or bzip2 or not. Cells may be separated by commas, semicolons, tabs,
// bars or spaces. Columns with names are matched by name, those of a test file with those of the
// training file or the model; the label is in the last one unless --label says otherwise, and
// --ignore leaves some out. Labels are numbers or words. Cells of categories are words, if the file
// of the model has them, and answers are in words, too. Missing values are refused, or their rows
// dropped with --missing drop; rows are then counted without these. What was decided about a file
// is a note on standard error. Files of more than 67,108,864 values (rows × features), a quarter as
// many rows or 1 GiB of contents, uncompressed, are refused; --max-values moves all three limits.
//
// facet attack --out FILE gets one JSON object a line for each test row, as rows finish, and in the
// order of the test set once all are done:
//
//	{"row":17,"label":1,"predicted":1,"status":"optimal","optimal":true,
//	 "distance":0.151,"bound":0.151,"adversarial_label":0,"adversarial":[…],
//	 "nodes":12,"solves":3,"seconds":0.0012}
//
// (on one line.) Labels are those of the files, words as strings. Examples have the units of the
// test file, distances those of the attack: with --scale minmax, of scaled features. Status is
//
//	optimal        the search finished: bound is the robustness radius, distance that
//	               of the example, which lies a rounding error inside its cell
//	limit          a limit ended the search: bound ≤ radius ≤ distance; distance is
//	               null when no example was found
//	none           proven: no input has another label; distance and bound are null
//	attack         an attack that proves nothing: bound is null, and so is distance when
//	               nothing was found
//	misclassified  not attacked: the prediction is wrong as it is
//	reached        not attacked: the prediction is the label of --target as it is
//
// With --costs FILE moves have prices and rules: frozen and counted features, categories, limits
// (docs/use/costs.md); distances, bounds and radii are then costs, and examples follow the rules.
// With --counterfactuals M a line has up to M examples too, and what they change, each the nearest
// of those that change other features than the ones before it:
//
//	"counterfactuals":[{"label":"granted","distance":0.75,"bound":0.75,"optimal":true,
//	 "example":[…],
//	 "changes":[{"feature":"purpose","from":"tv","to":"home","cost":0.75}]}],"others":"none"
//
// The values changed to are rounded outwards, for people; the example is exact. If there are fewer
// than M, others says what is known of more: none, which is proven, or unknown.
//
// With --points N the file ends with the last row attacked; with --rows it has those listed.
//
// FILE.meta.json, beside it, says what made it: flags, versions, checksums of the files read,
// classes, features and scaling. While a run goes on, FILE.lock keeps others off. A run that was
// interrupted or killed goes on with --resume, and is refused without. No command writes over a
// file that it reads, and none over another that holds something, unless --overwrite says so. A
// pipe, or standard output, whose name is -, gets the lines alone, and the table goes to standard
// error.
//
// --shard I/N does every N-th row; facet merge joins the files of all N. With --untimed, which
// writes 0 for the seconds of a row, the same rows give the same bytes (docs/use/scale.md).
// --summary gets one JSON object, and only once every row is done.
//
// facet certify adds to each line the radii, and whether the row is robust there:
// "radii":[0.05,0.1],"robust":["yes","no"]. Its status is decided, or undecided if a limit left a
// radius open; the example is one that decided a no, not the nearest one. Certified accuracy is the
// share of rows that are classified correctly and proven robust, possible accuracy the share that
// is not proven otherwise. The curve shows both between the radii too: the truth lies in the band.
//
// facet train --save writes facet's own format with the labels and the names of the columns, and
// every command takes such a file as --model. facet predict writes labels and scores: the shares of
// the vote, or the sums of boosted trees.
//
// # Regressors
//
// A model whose output is a number is asked whether that is at least T (--target output:T, of facet
// attack, facet certify and facet predict: the labels are above and below, and the last column of a
// file a number), or for the nearest input whose output differs by more than DELTA (facet attack
// --target change:DELTA). Lines have output and adversarial_output besides. facet range writes the
// smallest and the largest output at distance ≤ R of each row, or in the box of --domain, with the
// bounds that are proven and inputs that have them; its status is proven if these are equal, else
// limit. docs/use/regressors.md has examples.
//
// facet gate asks the checks of a policy about a model (docs/use/gate.md).
//
// facet verify proves properties of all inputs of a model, or shows the worst pair:
// docs/use/properties.md.
//
// # Exit status
//
// 0 when every row is done, 1 when the work failed, 2 for wrong use or input, 3 when a signal ended
// it; then one sentence on standard error says why. facet verify: 0 when all properties hold,
// 1 when one does not, 4 when one is open, 5 when the work failed.
package main
