package checkers

import (
	"bytes"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// changes are functions that change a proof of a subject, by kind. Each returns the model's file
// and the file of proofs, or nil where the proof has no part of the kind.
var changes = []struct {
	kind string
	do   func(rng *rand.Rand, s *subject, p []byte) (model, proofs []byte)
}{
	{"subtree dropped", changed(dropPart)},
	{"bound raised", changed(raiseBound)},
	{"border moved", changed(moveBorder)},
	{"multiplier changed", changed(changeMultiplier)},
	{"claim changed", changed(changeClaim)},
	{"example changed", changed(changeExample)},
	{"line moved", changed(moveLine)},
	{"word moved", changed(moveWord)},
	{"another model", anotherModel},
	{"truncated", truncate},
	{"glued", glue},
	{"byte changed", changeByte},
}

// changed is a change of the text of a proof.
func changed(
	change func(rng *rand.Rand, p string) string,
) func(*rand.Rand, *subject, []byte) (model, proofs []byte) {
	return func(rng *rand.Rand, s *subject, p []byte) ([]byte, []byte) {
		text := change(rng, string(p))
		if text == "" || text == string(p) {
			return nil, nil
		}
		return s.file, append(header(s.file), text...)
	}
}

// pick returns one of the places that match, nil if there is none.
func pick(rng *rand.Rand, p string, pattern *regexp.Regexp) []int {
	all := pattern.FindAllStringSubmatchIndex(p, -1)
	if len(all) == 0 {
		return nil
	}
	return all[rng.IntN(len(all))]
}

// replace puts new in the place of one match, of its first group if it has one.
func replace(
	rng *rand.Rand, p string, pattern *regexp.Regexp, change func(old string) string,
) string {
	at := pick(rng, p, pattern)
	if at == nil {
		return ""
	}
	at = at[len(at)-2:]
	return p[:at[0]] + change(p[at[0]:at[1]]) + p[at[1]:]
}

var (
	token     = regexp.MustCompile(`(?:\*[0-9]+)*(?:[a-z]+[0-9]+|\.)`) // with the sweeps before it
	tokenLine = regexp.MustCompile(`(?m)^((?:\*[0-9]+|[a-z]+[0-9]+|\.)+)$`)
	nodeLine  = regexp.MustCompile(`(?m)^((?:[scdrqmo.]|pivot|near|label)(?: .*)?\n)`)
	number    = regexp.MustCompile(`[0-9]+`)
	bodyLine  = regexp.MustCompile(`(?m)^((?:[sdrqmo]|pivot|near|label) [^*\n]*)$`)
	factor    = regexp.MustCompile(`[ ]([0-9]+\*)`)
	term      = regexp.MustCompile(`(?m)^(?:c|d [0-9]+ [0-9]+) .*?( [^ \n]+)`)
	bound     = regexp.MustCompile(`(?m)^bound (.*)$`)
	example   = regexp.MustCompile(`(?m)^example .*[ ](.*)$`)
	claim     = regexp.MustCompile(`(?m)^((?:from|target|norm|domain|prices|codes|x) .*)$`)
	digits    = regexp.MustCompile(`[0-9.]+[,\]} ]`)
)

// dropPart leaves a part of a tree out, or replaces it by a leaf.
func dropPart(rng *rand.Rand, p string) string {
	if at := pick(rng, p, tokenLine); at != nil {
		line := p[at[0]:at[1]]
		tokens := token.FindAllString(line, -1)
		i := rng.IntN(len(tokens))
		end := i
		for open := 1; open > 0; end++ {
			if strings.HasSuffix(tokens[end], ".") {
				open--
			} else {
				open++
			}
		}
		leaf := []string{".", ""}[rng.IntN(2)]
		return p[:at[0]] + strings.Join(tokens[:i], "") + leaf + strings.Join(tokens[end:], "") +
			p[at[1]:]
	}
	return replace(rng, p, nodeLine, func(string) string { return "" })
}

func raiseBound(rng *rand.Rand, p string) string {
	return replace(rng, p, bound, func(old string) string {
		b, err := strconv.ParseFloat(old, 64)
		if err != nil || math.IsInf(b, 1) {
			return old
		}
		if rng.IntN(8) == 0 {
			b = math.Nextafter(b, math.Inf(1))
		} else {
			b = max(b*(1+math.Pow(10, -float64(rng.IntN(7)))), 1e-6)
		}
		return strconv.FormatFloat(b, 'x', -1, 64)
	})
}

// moveBorder changes a split: its interval, feature, node or row.
func moveBorder(rng *rand.Rand, p string) string {
	if tokenLine.MatchString(p) && strings.ContainsAny(tokenLine.FindString(p), "0123456789") {
		return replace(rng, p, tokenLine, func(line string) string { return shift(rng, line) })
	}
	return replace(rng, p, bodyLine, func(line string) string { return shift(rng, line) })
}

func shift(rng *rand.Rand, line string) string {
	return replace(rng, line, number, func(old string) string {
		n, err := strconv.Atoi(old)
		if err != nil {
			return old
		}
		return strconv.Itoa(max(0, n+[]int{-2, -1, 1, 2}[rng.IntN(4)]))
	})
}

func changeMultiplier(rng *rand.Rand, p string) string {
	if rng.IntN(2) == 0 {
		return replace(rng, p, term,
			func(old string) string {
				return []string{"", " -" + old[1:], " 9*" + old[1:], old + old}[rng.IntN(4)]
			})
	}
	return replace(rng, p, factor, func(old string) string {
		return []string{"-" + old, "0*", "", "1" + old, "2*", old[:1] + "0*"}[rng.IntN(6)]
	})
}

// changeClaim changes the subject of the proof.
func changeClaim(rng *rand.Rand, p string) string {
	return replace(rng, p, claim, func(old string) string {
		words := strings.Fields(old)
		switch i := 1 + rng.IntN(len(words)-1); words[0] {
		case "norm":
			words[1] = []string{"1", "2", "inf"}[rng.IntN(3)]
		case "codes":
			words[i] = strconv.Itoa(rng.IntN(9))
		case "from", "target":
			words[1] = strconv.Itoa(rng.IntN(3))
		default:
			if v, err := strconv.ParseFloat(words[i], 64); err == nil {
				v += []float64{0.5, 1e-3, 1e-9, -1e-3, -0.5}[rng.IntN(5)]
				words[i] = strconv.FormatFloat(v, 'x', -1, 64)
			}
		}
		return strings.Join(words, " ")
	})
}

func changeExample(rng *rand.Rand, p string) string {
	return replace(rng, p, example, func(old string) string {
		v, err := strconv.ParseFloat(old, 64)
		if err != nil {
			return old
		}
		return strconv.FormatFloat(v+[]float64{1, 1e-3, -1e-3, -1}[rng.IntN(4)], 'x', -1, 64)
	})
}

// moveLine leaves a line out, repeats it, or exchanges it with another.
func moveLine(rng *rand.Rand, p string) string {
	lines := strings.SplitAfter(p, "\n")
	i, j := rng.IntN(len(lines)-1), rng.IntN(len(lines)-1) // the last is empty
	switch rng.IntN(3) {
	case 0:
		lines[i] = ""
	case 1:
		lines[i] += lines[i]
	default:
		lines[i], lines[j] = lines[j], lines[i]
	}
	return strings.Join(lines, "")
}

// moveWord leaves a word of a line out, or puts another of them before it.
func moveWord(rng *rand.Rand, p string) string {
	lines := strings.SplitAfter(p, "\n")
	i := rng.IntN(len(lines) - 1)
	words := strings.Fields(lines[i])
	if len(words) == 0 {
		return ""
	}
	if k := rng.IntN(len(words)); rng.IntN(2) == 0 {
		words = slices.Delete(words, k, k+1)
	} else {
		words = slices.Insert(words, k, words[rng.IntN(len(words))])
	}
	lines[i] = strings.Join(words, " ") + "\n"
	return strings.Join(lines, "")
}

// anotherModel changes a number in the model's file.
func anotherModel(rng *rand.Rand, s *subject, p []byte) (model, proofs []byte) {
	all := digits.FindAllIndex(s.file, -1)
	if len(all) == 0 {
		return nil, nil
	}
	at := all[rng.IntN(len(all))]
	model = slices.Clone(s.file)
	model[at[0]+rng.IntN(at[1]-at[0]-1)] = byte('0' + rng.IntN(10))
	if bytes.Equal(model, s.file) {
		return nil, nil
	}
	if rng.IntN(10) == 0 {
		return model, append(header(s.file), p...)
	}
	return model, append(header(model), p...)
}

func truncate(rng *rand.Rand, s *subject, p []byte) (model, proofs []byte) {
	file := append(header(s.file), p...)
	return s.file, file[:rng.IntN(len(file))]
}

// glue puts the body of one proof behind the head of another, or two files into one.
func glue(rng *rand.Rand, s *subject, p []byte) (model, proofs []byte) {
	other := s.proofs[rng.IntN(len(s.proofs))]
	file := append(header(s.file), p...)
	if rng.IntN(3) == 0 || bytes.Equal(other, p) {
		return s.file, append(file, append(header(s.file), other...)...)
	}
	head, _, _ := bytes.Cut(p, []byte("\nbound"))
	_, rest, _ := bytes.Cut(other, []byte("\nbound"))
	return s.file, slices.Concat(header(s.file), head, []byte("\nbound"), rest)
}

func changeByte(rng *rand.Rand, s *subject, p []byte) (model, proofs []byte) {
	file := append(header(s.file), p...)
	i := rng.IntN(len(file))
	switch c := "0123456789abcdefpx.-+*<@# \n"[rng.IntN(27)]; rng.IntN(3) {
	case 0:
		file = slices.Delete(file, i, i+1)
	case 1:
		file = slices.Insert(file, i, c)
	default:
		file[i] = c
	}
	return s.file, file
}
