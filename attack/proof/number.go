package proof

import "strings"

// The grammar of docs/reference/proof-format.md, for numbers in files of proofs and in training
// sets.

const digits = "0123456789"

// isNatural reports whether a word is 0 or digits that begin with another, at most 9.
func isNatural(word string) bool {
	return word == "0" || word != "" && len(word) <= 9 && word[0] != '0' &&
		strings.Trim(word, digits) == ""
}

// isFloat reports whether a word is a number of a proof: inf, a decimal or a hexadecimal number,
// perhaps after a minus.
func isFloat(word string) bool {
	fits := len(word) <= longestNumber
	word = strings.TrimPrefix(word, "-")
	if mantissa, isHex := strings.CutPrefix(word, "0x"); isHex {
		mantissa, exponent, hasOne := strings.Cut(mantissa, "p")
		return fits && hasOne && isFraction(mantissa, digits+"abcdef") && isExponent(exponent)
	}
	mantissa, exponent, hasOne := cutExponent(word)
	return word == "inf" ||
		fits && isFraction(mantissa, digits) && (!hasOne || isExponent(exponent))
}

// isMeasured reports whether a word is a number of a training set: a plus, and digits on one side
// of the point alone, do not matter there.
func isMeasured(word string) bool {
	fits := len(word) <= longestNumber
	if word != "" && (word[0] == '+' || word[0] == '-') {
		word = word[1:]
	}
	mantissa, exponent, hasOne := cutExponent(word)
	whole, part, _ := strings.Cut(mantissa, ".")
	return fits && whole+part != "" && strings.Trim(whole+part, digits) == "" &&
		(!hasOne || isExponent(exponent))
}

func cutExponent(word string) (mantissa, exponent string, hasOne bool) {
	i := strings.IndexAny(word, "eE")
	if i < 0 {
		return word, "", false
	}
	return word[:i], word[i+1:], true
}

// isFraction reports whether a word is digits, perhaps with a point among them.
func isFraction(word, digits string) bool {
	whole, part, hasPoint := strings.Cut(word, ".")
	return whole != "" && (part != "" || !hasPoint) && strings.Trim(whole+part, digits) == ""
}

// isExponent reports whether a word is digits, perhaps after a sign.
func isExponent(word string) bool {
	if word != "" && (word[0] == '+' || word[0] == '-') {
		word = word[1:]
	}
	return word != "" && strings.Trim(word, digits) == ""
}
