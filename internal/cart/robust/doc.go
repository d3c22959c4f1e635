// Package robust grows trees and boosted trees against an adversary who moves features.
//
// # Method
//
// An adversary may move feature j of a row down and up by a [Reach]. At a threshold t a row must go
// left if it is below t wherever it is moved, and may go left if it is below t somewhere; rows that
// may go both ways lie between. A split sends these to both children, so that the rows of a leaf
// are all those that the adversary can bring there, and it is judged by the worst that can be made
// of the rows between.
//
// Trees and forests take the split of least Gini impurity, once the adversary has sent shares of
// each class of the rows between left and right so as to make it largest (GROOT: Vos and Verwer).
// With rows l and r of the classes 0 and 1 on the sides, the impurity is concave in the shares that
// move. It is largest where both sides are equally mixed, and if no move brings that about, at an
// end of the range of one class, with the other as near to equal shares as it may be: four points.
// Gini's index of more classes is half the sum of those of each class against the rest; each is
// taken at its own worst, which bounds the whole.
//
// As a whole a tree is judged by the rows that are right in all leaves that they may reach (FPRDT:
// Guo et al.). Given which rows are right below a node if they go left, and if they go right, those
// that a split gets right are sums over values: of the rows that must go left, that must go right,
// and, of those between, that are right on both sides. So a node is given its best split in one
// pass over the columns while the rest of the tree stays, and leaves are divided alike, until a
// pass changes no node.
//
// Boosted trees add up to a margin for label 1. A row's margin is the sum over the trees of the
// worst leaf that the row may reach, so that the sum of log(1 + exp(−margin)) bounds the loss of
// the worst inputs (Andriushchenko and Hein). A round gives each row the weight of the slope of its
// loss, 1/(1+exp(margin)), and grows a tree of least weighted exponential loss, which bounds how
// the logistic loss changes (Collins, Schapire and Singer). If the left value is at most the right
// one, the worst side of a row between is left for label 1 and right for label 0. So each row
// counts on one side, sides of weights p and n have the value ½·log(p/n) and the loss 2·√(p·n), and
// the better of the two orders is the best split: no search. Leaf values of the whole tree follow
// in the same way: in the order of their first guess, label 1 counts in the first leaf that a row
// may reach and label 0 in the last, and neighbours that come out in the wrong order are pooled.
//
// Stumps, trees of one split, are boosted by the loss itself: features are moved apart, so that the
// margin of a row is the sum over features of the least that the stumps of one add up to within
// reach. A row between is on the left at the least that they have there plus the left value, on the
// right alike. Given the ratio of the two values' exponentials each such row counts on one side,
// and where it turns is known: between two turns the best ratio is a closed form, and the loss is
// convex. As a rule the stumps of a feature do not go up and down again within one reach, and then
// the sum of the worst leaves is the margin, too.
//
// # Thresholds
//
// Which rows must and may go left depends on t only by the ends of their reaches. A threshold is
// the middle, in float32, of two neighbouring ends: with no reach, of neighbouring values. Of those
// that divide the rows of a node alike it is the one in the middle. Reaches are a little longer
// than they are said to be, by more than float32 rounds: 153/255 apart and moved by 0.3, two values
// meet, and no threshold may part values that only rounding keeps apart.
//
// # Invariants
//
// A split leaves some rows that must go left and some that must go right: no node has all rows of
// its parent. Nothing depends on the number of goroutines: features are shared among them, and the
// first of equal splits is the best.
//
// For example take the values 0, 1, 2, 3 of one feature, the labels 0, 0, 1, 1 and a reach of 0.6.
// At 1.5 the rows 0 and 3 must go left and right, and 1 and 2 lie between: in the worst case each
// side has one row of either label, without a gain. At 1.1 the row 2 must go right, too, and
// the row 1 alone lies between.
//
// A split of n rows by d features of v values takes O(d·(n+v)) time. In nodes of more rows than
// values those count for n that do not have a feature's commonest value. A node's rows are copied
// for each child that they may reach, so that depth k can take 2^k times the memory of the rows.
//
// # References
//
// D. Vos, S. Verwer: Efficient training of robust decision trees against adversarial examples. ICML
// 2021, arXiv:2012.10438.
//
// J.-Q. Guo, M.-Z. Teng, W. Gao, Z.-H. Zhou: Fast provably robust decision trees and boosting. ICML
// 2022.
//
// M. Andriushchenko, M. Hein: Provably robust boosted decision stumps and trees against adversarial
// attacks. NeurIPS 2019, arXiv:1906.03526.
//
// M. Collins, R. E. Schapire, Y. Singer: Logistic regression, AdaBoost and Bregman distances.
// Machine Learning 48 (2002), 253–285, doi:10.1023/A:1013912006537.
package robust
