// Package property answers questions about all inputs of a model of axis-parallel trees, exactly:
// where attacks look around one input, this looks everywhere. A model is a *classifier.Tree,
// *classifier.Ensemble or *classifier.Regressor; others are refused with an error that wraps
// errors.ErrUnsupported.
//
//   - [Depends]: how much do outputs, or do labels at all, depend on some features? Two inputs that
//     share all others are the answer, or the proof that there are none.
//   - [Monotone]: does the output never fall, or never rise, as a feature rises?
//   - [Differ]: is there an input on which two models differ?
//   - [Range]: between which numbers do all outputs lie?
//
// Inputs are real vectors, narrowed by a domain, by the values that features may hold (integers,
// one-hot groups, categories, missing values), and by rows that they are to be near: worst cases
// over all inputs may be nobody.
//
// # Outputs
//
// The output of a regressor is the sum, or the mean, of its trees, before a link such as the
// exponential. That of a vote on two classes by sums is the margin of label 1, that of an average
// its mean frequency, that of a majority its share of the votes. With more classes it is the sum,
// the frequency or the share of Options.Class, or of each. With Options.Probability outputs
// are the library's probabilities.
//
// A property of outputs makes no claim about labels, which depend on several outputs and their
// rounding: Options.Labels asks about them.
//
// Differences of outputs are compared as real numbers, added up without rounding. A model rounds
// its sums: Result.Rounding says by how much the difference of two outputs that it computes may
// exceed Result.Bound because of that. A pair that is returned has outputs that differ as asked in
// the model's own arithmetic as well.
//
// # Method
//
// Of each tree T there is a difference tree, over the features and copies of those that may
// differ, whose leaves hold T(x) − T(x′); trees that do not test these features vanish. The largest
// sum of the rest is found by branch and bound, as in Range of computed outputs. Which it is, is
// NP-hard to decide: limits end a search with the pair and bound so far.
package property
