package modelfile_test

import (
	"strings"
	"testing"
)

// obliqueModel is the example of ReadOblique's documentation.
const obliqueModel = `{"format":"oblique-tree-ensemble","version":1,"n_features":2,"classes":[-1,1],` +
	`"vote":"soft","trees":[{"weights":[[1,-1],null,null],"threshold":[0.5,0,0],` +
	`"left":[1,-1,-1],"right":[2,-1,-1],"value":[[0.5,0.5],[1,0],[0,1]]}]}`

func TestReadObliqueErrors(t *testing.T) {
	checkFaults(t, obliqueModel, false, map[string]fault{
		"a string for a number":  {`"version":1`, `"version":"1"`, "version"},
		"a fraction for a child": {`"left":[1,`, `"left":[1.5,`, "left"},
		"a number for weights":   {`[1,-1],null`, `[1,-1],0`, "weights"},
		"a number too large":     {`[1,-1],null`, `[1e400,-1],null`, "weights"},
		"NaN":                    {`[1,-1],null`, `[NaN,-1],null`, "byte"},
		"another version":        {`"version":1`, `"version":2`, "version is 2"},
		"no version":             {`"version":1,`, ``, "version is 0"},
		"no features":            {`"n_features":2`, `"n_features":0`, "n_features is 0"},
		"negative features":      {`"n_features":2`, `"n_features":-1`, "n_features is -1"},
		"absurdly many features": {`"n_features":2`, `"n_features":1048577`, "n_features is 1048577"},
		"no classes":             {`[-1,1]`, `[]`, "no classes"},
		"classes missing":        {`"classes":[-1,1],`, ``, "no classes"},
		"classes descending":     {`[-1,1]`, `[1,-1]`, "classes"},
		"classes repeated":       {`[-1,1]`, `[1,1]`, "classes"},
		"an unknown vote":        {`"soft"`, `"loud"`, `vote is "loud"`},
		"base in a soft vote":    {`"soft"`, `"soft","base":[0,0]`, "base"},
		"base of another length": {`"soft"`, `"sum","base":[0]`, "base"},
		"weights missing":        {`[1,-1],null,null`, `[1,-1],null`, "2 weight vectors"},
		"thresholds missing":     {`[0.5,0,0]`, `[0.5,0]`, "2 thresholds"},
		"left children missing":  {`"left":[1,-1,-1]`, `"left":[1,-1]`, "2 left"},
		"right children missing": {`"right":[2,-1,-1]`, `"right":null`, "0 right"},
		"values missing":         {`[[0.5,0.5],[1,0],[0,1]]`, `[[0.5,0.5],[1,0]]`, "2 values"},
		"a value missing":        {`[1,0]`, `[1]`, "node 1"},
		"a value too many":       {`[0,1]]`, `[0,1,2]]`, "node 2"},
		"a node without values":  {`[1,0]`, `null`, "node 1"},
		"a leaf with weights":    {`[1,-1],null`, `[1,-1],[1,1]`, "node 1"},
		"a loop":                 {`"left":[1,`, `"left":[0,`, "node 0"},
		"a child out of range":   {`"right":[2,`, `"right":[3,`, "node 0"},
		"one child":              {`"right":[2,`, `"right":[-1,`, "node 0"},
		"one child twice":        {`"right":[2,`, `"right":[1,`, "node 0"},
		"no trees":               {obliqueModel[strings.Index(obliqueModel, `"trees"`):], `"trees":[]}`, "no trees"},
		"an empty tree":          {obliqueModel[strings.Index(obliqueModel, `"trees"`):], `"trees":[{}]}`, "0 nodes"},
	})
}
