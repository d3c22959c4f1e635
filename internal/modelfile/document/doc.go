// Package document reads documents once, from their beginning to their end, as their
// consumer asks for one value after the other: JSON, and UBJSON, which is the same in binary.
//
// Models of XGBoost are such documents. They hold long arrays of numbers and little else, most
// of it not needed to predict; read this way a model takes no more memory than the kept part
// of it, and a tenth of the time of encoding/json.
//
//	d := document.New(r)
//	err := d.Object(func(key string) (err error) {
//		switch key {
//		case "left_children":
//			left, err = d.Ints(nil)
//			return err
//		}
//		return d.Skip()
//	})
//
// # Refusals
//
// Documents are not trusted. A key that an object has twice is an error, and so is a number where
// a string is asked for, a null, a fraction for a whole number, or a value beyond the range of its
// type. Of a skipped value only the brackets and the strings are looked at. Lengths that a
// binary document promises take no memory before their bytes are there. A mistake is a
// trees.Fault with its place.
//
// XGBoost writes numbers that JSON does not have, NaN, Infinity and -Infinity: [Reader.Floats]
// takes them. Of UBJSON it takes the documents of XGBoost, and similar ones: containers with a
// count or with an end, and arrays of one type; no objects of one type.
//
// # Sources
//
// UBJSON: https://ubjson.org, draft 12. XGBoost: src/common/json.cc and include/xgboost/json_io.h
// of dmlc/xgboost.
package document
