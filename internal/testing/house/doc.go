// Package house holds the tests that guard the module as a whole: its API, which package imports
// which, the tables, links and Go programs of its documents, and the length of lines.
package house
