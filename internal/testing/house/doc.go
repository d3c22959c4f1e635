// Package house holds the tests that guard the module as a whole: its API, which package imports
// which, the tables and links of its documents, what these show in Go, and the length of lines.
package house
