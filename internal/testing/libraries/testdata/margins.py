"""Prints the margins that XGBoost has for rows, with the model in a file."""
import json
import sys

import numpy
import xgboost


def main():
    rows = numpy.array(json.load(sys.stdin), dtype=numpy.float32)
    booster = xgboost.Booster(model_file=sys.argv[1])
    margins = booster.predict(xgboost.DMatrix(rows), output_margin=True)
    print(json.dumps(margins.reshape(len(rows), -1).astype(float).tolist()))


if __name__ == "__main__":
    main()
