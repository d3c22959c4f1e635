package report

// Section is a part of a page that says what another command has found.
type Section struct {
	Title  string
	Says   []string // sentences
	Tables []Table
	Code   string // a command; "" for none
}

// Table is a table of a section.
type Table struct {
	About string // its title, for readers who do not see it
	Head  []string
	Rows  [][]string
}
