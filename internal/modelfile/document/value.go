package document

import "io"

// Text is a Reader of JSON that is all in memory, and also tells the kind of a value.
type Text struct{ text }

// NewText returns the reader of a document. It keeps the text, and does not change it.
func NewText(json []byte) *Text {
	return &Text{text{window: window{buf: json, end: len(json), err: io.EOF}}}
}

// Kind returns the kind of the next value in the words of JSON, empty where none begins.
func (t *Text) Kind() string {
	switch c := t.next(); {
	case c == '{':
		return "object"
	case c == '[':
		return "array"
	case c == '"':
		return "string"
	case c == 't' || c == 'f':
		return "bool"
	case c == 'n':
		return "null"
	case c == '-' || c >= '0' && c <= '9':
		return "number"
	}
	return ""
}

// Word reads a number, true, false or null. The word is valid as long as the document.
func (t *Text) Word() ([]byte, error) {
	w, err := t.word()
	t.at += len(w)
	return w, err
}

// Ahead reads values of an array and the commas between them, up to one that a function does not
// know, which may be the next one. The function returns how long a value is, or 0.
func Ahead[T any](t *Text, to []T, read func(b []byte) (T, int)) []T {
	return ahead(&t.text, to, read)
}

// Raw reads a value of any kind and returns its text, which is valid as long as the document.
func (t *Text) Raw() ([]byte, error) {
	t.next()
	begin := t.at
	err := t.Skip()
	return t.buf[begin:t.at], err
}

// Place returns where in the document the next value is read.
func (t *Text) Place() int { return t.at }

// Fault returns an error at the place that is read next.
func (t *Text) Fault(format string, args ...any) error { return t.fault(format, args...) }
