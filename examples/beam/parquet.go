package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/seed-1a7dc1f9/facet/examples/internal/tabular"
)

// parquetRows is a file of row groups.
type parquetRows struct {
	path  string
	file  *inputFile
	table *parquet.File
	names []string
	cells []int          // of each column of the file, its cell; −1 for one that is no plain value
	kinds []parquet.Type // of each column of the file
}

func openParquet(path string, file *inputFile) (*parquetRows, error) {
	table, err := parquet.OpenFile(file, file.size)
	if err != nil {
		return nil, fmt.Errorf("--test %s: %w", path, err)
	}
	p := &parquetRows{path: path, file: file, table: table}
	schema := table.Schema()
	for _, column := range schema.Columns() {
		leaf, _ := schema.Lookup(column...)
		p.kinds = append(p.kinds, leaf.Node.Type())
		// Lists and records are no features, and pandas' index is none either.
		if len(column) > 1 || leaf.MaxRepetitionLevel > 0 || column[0] == "__index_level_0__" {
			p.cells = append(p.cells, -1)
			continue
		}
		p.cells = append(p.cells, len(p.names))
		p.names = append(p.names, column[0])
	}
	if len(p.names) == 0 {
		return nil, fmt.Errorf("--test %s: no column holds plain values", path)
	}
	return p, nil
}

func (p *parquetRows) beginning() tabular.Beginning {
	return tabular.Beginning{Path: p.path, Names: p.names}
}

func (p *parquetRows) Close() error { return p.file.Close() }

// divide divides row groups, which are never joined.
func (p *parquetRows) divide(
	_ context.Context, _ *tabular.Columns, most int,
) (shards []Shard, err error) {
	first := 0
	for g, group := range p.table.RowGroups() {
		for skip, n := 0, int(group.NumRows()); skip < n; skip += most {
			s := Shard{
				Index: len(shards) + 1,
				First: first,
				Rows:  min(most, n-skip),
				Group: g,
				Skip:  skip,
			}
			shards, first = append(shards, s), first+s.Rows
		}
	}
	if first == 0 {
		return nil, errors.New("there are no rows")
	}
	return shards, nil
}

func (p *parquetRows) read(
	ctx context.Context, _ *tabular.Columns, s Shard, each func([]string, error) error,
) (err error) {
	groups := p.table.RowGroups()
	if s.Group >= len(groups) {
		return nil
	}
	rows := groups[s.Group].Rows()
	defer func() { err = errors.Join(err, rows.Close()) }()
	if err := rows.SeekToRow(int64(s.Skip)); err != nil {
		return err
	}
	const some = 64
	buffer := make([]parquet.Row, min(some, s.Rows))
	for left := s.Rows; left > 0 && ctx.Err() == nil; {
		n, err := rows.ReadRows(buffer[:min(len(buffer), left)])
		for _, row := range buffer[:n] {
			if err := each(p.row(row), nil); err != nil {
				return err
			}
		}
		left -= n
		if errors.Is(err, io.EOF) || err == nil && n == 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// row returns the cells as a text would have them: they are read back to the last bit.
func (p *parquetRows) row(row parquet.Row) []string {
	cells := make([]string, len(p.names))
	for _, v := range row {
		if i := p.cells[v.Column()]; i >= 0 {
			cells[i] = cell(v, p.kinds[v.Column()])
		}
	}
	return cells
}

func cell(v parquet.Value, kind parquet.Type) string {
	unsigned := false
	if logical := kind.LogicalType(); logical != nil {
		switch l := logical.Value.(type) {
		case nil, *format.StringType, *format.EnumType:
		case *format.IntType:
			unsigned = !l.IsSigned
		default:
			return kind.String() // a date, say, which is no number
		}
	}
	if v.IsNull() {
		return ""
	}
	switch v.Kind() {
	case parquet.Boolean:
		return strconv.FormatBool(v.Boolean())
	case parquet.Float:
		return strconv.FormatFloat(float64(v.Float()), 'g', -1, 64)
	case parquet.Double:
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	case parquet.Int32, parquet.Int64:
		return integer(v, unsigned)
	case parquet.ByteArray:
		return string(v.ByteArray())
	}
	return kind.String()
}

func integer(v parquet.Value, unsigned bool) string {
	switch {
	case unsigned && v.Kind() == parquet.Int32:
		return strconv.FormatUint(uint64(v.Uint32()), 10)
	case unsigned:
		return strconv.FormatUint(v.Uint64(), 10)
	case v.Kind() == parquet.Int32:
		return strconv.FormatInt(int64(v.Int32()), 10)
	}
	return strconv.FormatInt(v.Int64(), 10)
}
