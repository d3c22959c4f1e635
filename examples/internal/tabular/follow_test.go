package tabular_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// TestFollow: a test file is brought to the columns of the training file.
func TestFollow(t *testing.T) {
	const train = "a,b,c\n1,2,x\n3,4,y\n"
	const bare = "1,2,x\n3,4,y\n"
	unlabeled := tabular.Options{Unlabeled: true}
	for name, c := range map[string]struct {
		train, test string
		o           tabular.Options
		want        string
	}{
		"alike": {train, "a,b,c\n5,6,x\n", tabular.Options{},
			`[5 6] ["x"] ["a" "b"] "c"`},
		"another order": {train, "c,b,a\nx,6,5\n", tabular.Options{},
			"[5 6] [\"x\"] [\"a\" \"b\"] \"c\"\nThe columns of TEST stand in another order than " +
				"those of TRAIN: they are matched by name."},
		"more columns": {train, "a,id,b,city,c\n5,1,6,Rome,x\n", tabular.Options{},
			"[5 6] [\"x\"] [\"a\" \"b\"] \"c\"\nTEST has columns \"id\" and \"city\", which " +
				"TRAIN lacks: left out."},
		"an index more": {train, ",a,b,c\n7,5,6,x\n", tabular.Options{},
			"[5 6] [\"x\"] [\"a\" \"b\"] \"c\"\nThe first column of TEST has no name"},
		"both with an index": {",a,b,c\n0,1,2,x\n", ",a,b,c\n7,5,6,x\n", tabular.Options{},
			"[5 6] [\"x\"] [\"a\" \"b\"] \"c\"\nThe first column of TEST has no name"},
		"ignored here only": {"id,a,b,c\n7,1,2,x\n", "a,b,c\n5,6,x\n",
			tabular.Options{Ignore: []string{"id"}}, `[5 6] ["x"] ["a" "b"] "c"`},
		"ignored in both": {"id,a,b,c\n7,1,2,x\n", "id,a,b,c\n8,5,6,x\n",
			tabular.Options{Ignore: []string{"id"}}, `[5 6] ["x"] ["a" "b"] "c"`},
		"label elsewhere": {"c,a,b\nx,1,2\n", "a,b,c\n5,6,x\n", tabular.Options{Label: "0"},
			`[5 6] ["x"] ["a" "b"] "c"`},
		"no names": {bare, "5,6,x\n", tabular.Options{}, `[5 6] ["x"]`},
		"no names in train": {bare, "a,b,c\n5,6,x\n", tabular.Options{},
			"[5 6] [\"x\"] [\"a\" \"b\"] \"c\"\nNo line of TRAIN names the columns, so those of " +
				"TEST and TRAIN are matched in their order."},
		"no names in test": {train, "5,6,x\n", tabular.Options{},
			"[5 6] [\"x\"]\nNo line of TEST names the columns"},
		"numbers that are known": {"2019,2020,a\n" + strings.Repeat("1,2,x\n3,4,y\n", 3),
			"2019,2020,a\n5,6,x\n", tabular.Options{},
			"[5 6] [\"x\"] [\"2019\" \"2020\"] \"a\"\nThe first line of TEST has names that are " +
				"known and was taken for those of the columns: --header no makes it a row."},
		"numbers in order": {"id,a,b,c\n7,1,2,x\n", "8,5,6,x\n",
			tabular.Options{Ignore: []string{"id"}}, "[5 6] [\"x\"]\nNo line of TEST"},
		"without labels": {train, "b,a\n6,5\n", unlabeled,
			"[5 6] [] [\"a\" \"b\"] \"\"\nThe columns of TEST stand in another order"},
		"bare without labels": {"x,1,2\ny,3,4\n", "5,6\n",
			tabular.Options{Unlabeled: true, Label: "0"}, `[5 6] []`},
		"LIBSVM from 0": {"1 0:1 1:2\n", "1 1:5\n", tabular.Options{}, `[0 5] ["1"]`},
		"LIBSVM of less": {"1 1:1 2:2\n", "1 1:5\n", tabular.Options{},
			"[5 0] [\"1\"]\nThe rows of TEST end with feature 1 of 2; the others count as 0."},
		"LIBSVM and CSV": {"1,2,0\n", "1 2:5\n", tabular.Options{}, `[0 5] ["1"]`},
		"lacks columns": {train, "a,B,c\n5,6,x\n", tabular.Options{},
			`TEST: the file lacks column "b" of TRAIN. Is "B" meant?`},
		"lacks the label": {train, "a,b\n5,6\n", tabular.Options{},
			`TEST: the column of the labels: there is no column "c"; the columns are "a" and "b"`},
		"lacks names": {train, "5,6,7,x\n", tabular.Options{},
			"TEST: the file has 4 columns where TRAIN has 3"},
		"too few of LIBSVM": {"1,2,0\n", "1 3:5\n", tabular.Options{},
			"TRAIN: the rows have 2 features where those of the other files have 3"},
		"too few of CSV": {"1 1:1 2:2 3:1\n", "1,2,0\n", tabular.Options{},
			"TEST: the rows have 2 features where those of TRAIN have 3"},
		"label is a feature": {",a,b,\n0,1,2,x\n", "a,b\n5,6\n", tabular.Options{},
			`TEST: column "b" is a feature of TRAIN: say with --label where the labels are`},
	} {
		files := folder(t, map[string]string{"train": c.train, "test": c.test})
		trainPath, testPath := filepath.Join(files, "train"), filepath.Join(files, "test")
		tables, err := tabular.Load(t.Context(), c.o, tabular.Model{},
			tabular.Source{Path: trainPath}, tabular.Source{Path: testPath})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = show(tables[1])
		}
		got = strings.NewReplacer(trainPath, "TRAIN", testPath, "TEST").Replace(got)
		if !strings.HasPrefix(got, c.want) ||
			!strings.Contains(c.want, "\n") && got != c.want && err == nil {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// TestModelNames: rows have the features of the model, found by name where both have names.
func TestModelNames(t *testing.T) {
	model := tabular.Model{Dim: 2, Names: []string{"a", "b"}}
	spaced := tabular.Model{Dim: 2, Names: []string{"mean_age", "size_of_it"}} // of LightGBM
	for name, c := range map[string]struct {
		text string
		o    tabular.Options
		want string
	}{
		"alike": {"a,b,c\n1,2,x\n", tabular.Options{}, `[1 2] ["x"] ["a" "b"] "c"`},
		"another order": {"b,a,c\n2,1,x\n", tabular.Options{},
			"[1 2] [\"x\"] [\"a\" \"b\"] \"c\"\nThe columns of FILE stand in another order than " +
				"those of the model: they are matched by name."},
		"more columns": {"a,z,b,c\n1,w,2,x\n", tabular.Options{},
			"[1 2] [\"x\"] [\"a\" \"b\"] \"c\"\nFILE has column \"z\", which the model lacks: " +
				"left out."},
		"label first": {"c,a,b\nx,1,2\n", tabular.Options{Label: "c"},
			`[1 2] ["x"] ["a" "b"] "c"`},
		"label not last": {"c,a,b\nx,1,2\n", tabular.Options{},
			`FILE: column "b" is a feature of the model: say with --label where the labels are`},
		"no labels": {"a,b\n1,2\n", tabular.Options{Unlabeled: true},
			`[1 2] [] ["a" "b"] ""`},
		"a column lacking": {"a,B,c\n1,2,x\n", tabular.Options{},
			`FILE: the file lacks column "b" of the model. Is "B" meant?`},
		"ignored": {"a,b,c\n1,2,x\n", tabular.Options{Ignore: []string{"b"}},
			`FILE: --ignore: column "b" is a feature of the model`},
		"identity": {"a,b,c\n1,2,x\n", tabular.Options{ID: "b"},
			`FILE: --id: column "b" is a feature of the model`},
		"other names": {"p,q,c\n1,2,x\n", tabular.Options{},
			"[1 2] [\"x\"] [\"p\" \"q\"] \"c\"\nNo column of FILE has a name of the model's, so " +
				"they are matched in their order."},
		"no names": {"1,2,x\n", tabular.Options{}, `[1 2] ["x"]`},
		"names with spaces": {"size of it,mean_age,c\n2,1,x\n", tabular.Options{},
			"[1 2] [\"x\"] [\"mean_age\" \"size of it\"] \"c\"\nThe columns of FILE stand in " +
				"another order than those of the model: they are matched by name."},
		"both spellings": {"mean age,mean_age,size of it,c\n3,1,2,x\n", tabular.Options{},
			"[1 2] [\"x\"] [\"mean_age\" \"size of it\"] \"c\"\nFILE has column \"mean age\", " +
				"which the model lacks: left out."},
	} {
		file := filepath.Join(folder(t, map[string]string{"rows": c.text}), "rows")
		m := model
		if strings.Contains(c.text, "size of it") {
			m = spaced
		}
		tables, err := tabular.Load(t.Context(), c.o, m, tabular.Source{Path: file})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = show(tables[0])
		}
		if got = strings.ReplaceAll(got, file, "FILE"); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestModelDim: rows have the features of the model; those of LIBSVM may have more.
func TestModelDim(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		dim  int
		o    tabular.Options
		want string
	}{
		"fits": {"1,2,x\n", 2, tabular.Options{}, `[1 2] ["x"]`},
		"names": {"a,b,c\n1,2,x\n", 2, tabular.Options{},
			"The model has no names of features, so the columns of "},
		"differs": {"1,2,x\n", 3, tabular.Options{},
			"the rows have 2 features where the model has 3"},
		"without labels":    {"1,2\n", 2, tabular.Options{Unlabeled: true}, `[1 2] []`},
		"with them":         {"1,2,x\n", 2, tabular.Options{Unlabeled: true}, `[1 2] ["x"]`},
		"an index, neither": {",a,b\n0,1,2\n", 2, tabular.Options{Unlabeled: true}, `[1 2] []`},
		"narrow LIBSVM":     {"1 1:5\n", 2, tabular.Options{}, `[5 0] ["1"]`},
		"wide LIBSVM":       {"1 3:5\n", 2, tabular.Options{}, `[0 0 5] ["1"]`},
	} {
		file := filepath.Join(folder(t, map[string]string{"rows": c.text}), "rows")
		tables, err := tabular.Load(t.Context(), c.o, tabular.Model{Dim: c.dim}, tabular.Source{
			Path: file,
		})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = show(tables[0])
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
