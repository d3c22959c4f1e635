// Package costs reads the file of facet's --costs: what it costs to move each feature, and where it
// may go. Features are named, or numbered from 0; their rules are in the units of the rows' file.
// docs/use/costs.md explains the file to users.
package costs
