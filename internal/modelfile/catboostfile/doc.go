// Package catboostfile reads the JSON that CatBoost's save_model(…, format="json") writes.
//
// # The file
//
// Trees are either "oblivious_trees", all of whose nodes at one depth ask the same (leaf
// number: bit d says whether test d holds), or "trees", nested nodes. A test of a float
// feature asks whether float32(x) > border. A one-hot test asks whether a category is one
// that the file has the hash of. An OnlineCtr asks whether a statistic of a category is above
// a border: (good + prior) / (all + weight), then a shift and a scale, in float32, of the counts
// that a table has for the hash of the category; they are zeros for one that it lacks. Sums are
// float64, in the order of the trees; then come a scale and a bias.
//
// # What becomes of it
//
// Nodes with a threshold, which x ≤ t sends left. Where the tests above have decided a
// test it is left out, and two leaves of equal values become one. A category is the code
// that CatBoost was given, a whole number below [mostCodes], found by its hash, or a word of
// those that the file lists if it was saved with a pool. The test for code 3 becomes thresholds
// at 2.5 and 3.5, and that of a statistic such a set of codes, with the children swapped if it
// holds of categories that no table has. Statistics of several columns are refused. The bias is
// a tree of one leaf, so that it is added last; a scale other than a power of two is refused.
//
// For example the tree with the tests x₀ > 1 and x₀ > 2 and the leaves a b c d becomes
// four nodes and not six: x₀ ≤ 1? then x₀ ≤ 2 always holds, and the leaf is a; else x₀ ≤ 2
// says whether it is b or d. No input reaches c.
//
// # Sources
//
// catboost/libs/model/cpu/evaluator_impl.cpp, static_ctr_provider.cpp, model_export and
// util/digest/city.cpp of catboost/catboost.
package catboostfile
