module github.com/seed-1a7dc1f9/facet

go 1.26.0

require (
	github.com/sbinet/npyio v0.6.0
	golang.org/x/sync v0.24.0
	gonum.org/v1/gonum v0.17.0
)
