// Package costs reads the file of facet's --costs: how much a move of each feature costs, and where
// it may go. Features are named, or numbered from 0; their rules are in the units of the rows'
// file. docs/use/costs.md explains the file to users.
package costs
