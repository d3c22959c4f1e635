// Facet answers how far inputs are from being misclassified, on the user's own files:
//
//	go install github.com/seed-1a7dc1f9/facet/examples/facet@latest
//	facet attack --train FILE --test FILE [flags]
//	facet certify --train FILE --test FILE --radius 0.05,0.1 --plot curve.png [flags]
//	facet explain --model FILE --test FILE [flags]
//	facet range --model FILE --test FILE --radius R [flags]
//	facet verify MODEL --ignores A,B [flags]
//	facet gate POLICY --model FILE --test FILE [flags]
//	facet predict --model FILE --test FILE [flags]
//	facet train --train FILE --save FILE [flags]
//	facet prune --train FILE --prune R --out FILE [flags]
//	facet report RESULTS --out FILE.html
//	facet info FILE [--save FILE]
//	facet check PROOFS --model FILE
//	facet merge SHARDS… --out FILE
//	facet version
//
// facet help lists the commands, facet help attack the flags of one. facet attack trains a
// classifier (or reads one trained elsewhere), attacks the test rows that it classifies correctly
// on every core, and prints accuracy and empirical robustness. facet certify asks less, and is
// faster: at which of some radii do all inputs have the label of the row?
//
// docs/use/programs.md says how files are read, docs/reference/output.md describes the output, line
// by line and key by key, and the exit statuses, and docs/use has a page for each question.
package main
