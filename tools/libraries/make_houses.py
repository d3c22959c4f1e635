"""Writes the example of docs/use/regressors.md: houses.csv, 30 made-up districts like those of the data set of California's
houses with the value of a house in 100,000 dollars, and houses.json, an XGBoost regressor trained on 4000 others.

    python3 tools/libraries/make_houses.py docs/use/models
"""
import sys

import numpy as np
import xgboost


def districts(rng, count):
    income = rng.gamma(4.2, 0.92, count)
    age = rng.integers(1, 53, count)
    rooms = rng.lognormal(1.65, 0.35, count)
    people = rng.lognormal(1.05, 0.3, count)
    coast = rng.gamma(1.5, 40, count)
    value = 0.42 * income + 0.9 * np.exp(-coast / 20) + 0.008 * age - 0.25 * np.log(people) + 0.15 * np.log(rooms)
    value += 0.15 * rng.normal(size=count) * np.sqrt(income)
    x = np.stack([income.round(2), age, rooms.round(1), people.round(1), coast.round()], 1)
    return x.astype(np.float32), np.clip(value, 0.15, 5).round(2)


def main():
    names = ["income", "age", "rooms", "people", "coast"]
    x, y = districts(np.random.default_rng(7), 4030)
    train = xgboost.DMatrix(x[30:], y[30:], feature_names=names)
    model = xgboost.train({"objective": "reg:squarederror", "max_depth": 3, "eta": 0.3, "nthread": 1}, train, 25)
    model.save_model(sys.argv[1] + "/houses.json")
    with open(sys.argv[1] + "/houses.csv", "w") as file:
        print(*names, "value", sep=",", file=file)
        for row, value in zip(x[:30], y[:30]):
            print(*(f"{v:g}" for v in row), f"{value:g}", sep=",", file=file)


if __name__ == "__main__":
    main()
