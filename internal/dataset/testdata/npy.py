"""Writes the NPY files of this folder: python3 npy.py (numpy 1.24.2)."""

import numpy as np

real = np.array([[0, 1.5, -2], [3, 4, 0.25]])
whole = np.array([[0, 1, 2], [3, 4, 250]])

np.save("f8.npy", real)
np.save("f8_big_endian.npy", real.astype(">f8"))
np.save("f8_fortran.npy", np.asfortranarray(real))
np.save("f4.npy", real.astype("f4"))
np.save("f4_fortran.npy", np.asfortranarray(real.astype("f4")))
np.save("u1.npy", whole.astype("u1"))
np.save("i2_fortran.npy", np.asfortranarray(whole.astype("i2")))
np.save("i4.npy", whole.astype("i4"))
np.save("u8.npy", whole.astype("u8"))
np.save("labels_i8.npy", np.array([3, -1]))
np.save("labels_column.npy", np.array([[3.0], [-1.0]]))
np.save("bool.npy", np.array([True, False]))
np.save("cube.npy", np.zeros((1, 2, 3)))
np.save("scalar.npy", np.float64(1))
np.save("empty.npy", np.zeros((0, 3)))
np.save("i8_inexact.npy", np.array([1, 2**53 + 1]))
np.save("nan.npy", np.array([[1, 2], [np.nan, 3]]))
with open("version2.npy", "wb") as f:
    np.lib.format.write_array(f, real, version=(2, 0))
kinds = [("it's", "f8"), ('a "b", c', ">f4"), ("\\n\n", "i1"), ("Größe", "<u2"), ("label", "?"), ("big", "i8"), ("u8", "u8"), ("wide", ">i4")]
np.save("records.npy", np.array([(1.5, -2.5, -3, 40000, True, -5, 6, 70000), (np.nan, 1, 2, 3, False, 4, 5, 6)], dtype=kinds))
np.save("records_inexact.npy", np.array([(2**53 + 1,)], dtype=[("a", "i8")]))
np.save("records_words.npy", np.array([("a",)], dtype=[("a", "U1")]))
np.save("records_wide.npy", np.array([((1, 2),)], dtype=[("a", "f8", (2,))]))
np.save("records_matrix.npy", np.zeros((2, 2), dtype=[("a", "f8")]))
