package main

import "github.com/seed-1a7dc1f9/facet/examples/internal/command"

func main() { command.Main(run) }
