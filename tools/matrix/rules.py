"""Rules of moves, as docs/use/costs.md has them: the cost of a move, which are allowed, and inputs drawn among these."""
import json
import math
from dataclasses import dataclass, field, replace

import numpy as np


@dataclass
class Rules:
    """How far inputs are from one another, and which count."""

    norm: str = "inf"
    features: dict[int, dict] = field(default_factory=dict)
    groups: list[dict] = field(default_factory=list)  # members, cost
    linear: list[tuple] = field(default_factory=list)  # (text, function of rows that is at most 0)
    low: np.ndarray | None = None  # ends of the domain
    high: np.ndarray | None = None
    unit: np.ndarray | None = None  # of each feature's distances

    def ask(self, folder):
        """Writes files of these rules, and returns the flags that name them."""
        flags = [f"--norm={self.norm}"]
        if self.features or self.groups or self.linear:
            with open(f"{folder}/costs.json", "w") as f:
                json.dump(self.costs(), f)
            flags.append("--costs=costs.json")
        return flags + self.box(folder)

    def costs(self):
        return {"features": {str(at): rule for at, rule in self.features.items()}, "groups": self.groups, "linear": [text for text, _ in self.linear]}

    def box(self, folder):
        if self.low is None:
            return []
        with open(f"{folder}/domain.csv", "w") as f:
            f.writelines(f"{lo!r},{hi!r}\n" for lo, hi in zip(self.low.tolist(), self.high.tolist()))
        return ["--domain=domain.csv"]

    def grouped(self):
        return [[int(m) for m in group["members"]] for group in self.groups]

    def price(self, x, z, codes):
        """Returns the costs of moves from rows to others."""
        parts, done = [], set()
        for members, group in zip(self.grouped(), self.groups):
            parts.append(np.where((x[:, members] != z[:, members]).any(1), float(group.get("cost", 1)), 0.0))
            done.update(members)
        for at in set(range(x.shape[1])) - done:
            rule = self.features.get(at, {})
            up, down = float(rule.get("up", 1)), float(rule.get("down", 1))
            by = z[:, at] - x[:, at]
            both = np.isnan(x[:, at]) & np.isnan(z[:, at])
            odd = np.isnan(by) & ~both
            by = np.where(np.isnan(by), 0.0, by)
            if at in codes:
                part = np.where(by != 0, up, 0.0)
            elif self.norm == "0":
                part = np.where(by > 0, up, np.where(by < 0, down, 0.0))
            else:
                unit = 1.0 if self.unit is None else self.unit[at]
                with np.errstate(invalid="ignore"):
                    part = np.where(by > 0, by * up, np.where(by < 0, -by * down, 0.0)) / unit
            if odd.any():
                part = np.where(odd, up if rule.get("missing") == "may" else math.inf, part)
            parts.append(part)
        parts = np.stack(parts, 1)
        if self.norm == "inf":
            return parts.max(1)
        return np.sqrt((parts**2).sum(1)) if self.norm == "2" else parts.sum(1)

    def allowed(self, x, z, codes):
        """Says which moves are allowed."""
        fine, grouped = np.ones(len(z), bool), set(sum(self.grouped(), []))
        for at in range(x.shape[1]):
            rule, to, same = self.features.get(at, {}), z[:, at], (z[:, at] == x[:, at]) | np.isnan(x[:, at]) & np.isnan(z[:, at])
            if rule.get("frozen"):
                fine &= same
                continue
            if at in codes:
                fine &= same | np.isin(to, range(codes[at])) & ~np.isnan(x[:, at])
                continue
            if at in grouped:
                continue
            missing = np.isnan(to)
            if rule.get("missing") != "may":
                fine &= missing == np.isnan(x[:, at])
            fine &= missing | (to >= rule.get("min", -math.inf)) & (to <= rule.get("max", math.inf))
            if self.low is not None:
                fine &= missing | (to >= self.low[at]) & (to <= self.high[at])
            if rule.get("integer"):
                fine &= missing | (to == np.round(to))
        for members in self.grouped():
            fine &= (np.sort(z[:, members], 1) == np.eye(len(members))[-1]).all(1)
        for _, over in self.linear:
            fine &= over(z) <= 0
        return fine

    def around(self, given, x, bounds, many, rng, toward=None):
        """Draws inputs that are nearer to rows than their bounds: of each row many at most. Returns the inputs and the rows' numbers."""
        at = np.repeat(np.arange(len(x)), many)
        begin, far = x[at], np.where(np.isinf(bounds), 1e9, bounds)[at]
        z = self.mended(given, begin, self.moved(given, begin, far, rng, toward, at), rng)
        with np.errstate(invalid="ignore"):
            fine = self.allowed(begin, z, given.codes) & (self.price(begin, z, given.codes) < bounds[at] * (1 - 1e-12))
        return z[fine], at[fine]

    def moved(self, given, x, far, rng, toward, at):
        """Moves rows by up to a distance, in some of their features: anywhere, to where the training has rows, or on the way to an example."""
        n, d = x.shape
        some = rng.random((n, d)) < rng.choice([0.25, 0.6, 1.0], (n, 1))
        reach = np.minimum(far[:, None] * (1.0 if self.unit is None else self.unit), 3 * spread(given))
        up, down = (np.array([self.features.get(f, {}).get(way, 1) for f in range(d)], dtype=float) for way in ("up", "down"))
        part = rng.uniform(-1, 1, (n, d))
        if self.norm in "12":
            size = np.abs(part * some).sum(1, keepdims=True) if self.norm == "1" else np.sqrt(((part * some) ** 2).sum(1, keepdims=True))
            part = part / np.maximum(size, 1e-9) * rng.uniform(0.3, 1, (n, 1))
        if self.norm == "0":
            reach = np.broadcast_to(3 * spread(given), (n, d))
        z = x + np.where(some, part * reach / np.where(part > 0, up, down), 0)
        how = rng.integers(0, 4, n)[:, None]
        pool = given.x[rng.integers(0, len(given.x), n)]
        z = np.where((how == 1) & some, np.where(np.isnan(pool), x, pool), z)
        z = np.where(how == 2, x + np.trunc((z - x) * 2) / 2, z)
        z = np.where((how == 2) & some & (rng.random((n, d)) < 0.5), np.round(z), z)
        if toward is not None:
            share = np.where(rng.random((n, 1)) < 0.5, rng.random((n, 1)), 1 - 10.0 ** rng.uniform(-9, -1, (n, 1)))
            z = np.where((how == 3) & np.isfinite(toward[at]), x + (toward[at] - x) * share, z)
        for f, codes in given.codes.items():
            z[:, f] = np.where(some[:, f] & ~np.isnan(x[:, f]), rng.integers(0, codes, n), x[:, f])
        return z

    def mended(self, given, x, z, rng):
        """Makes rows follow the rules, as far as that is simple."""
        z, n = z.copy(), len(z)
        for at in range(x.shape[1]):
            rule = self.features.get(at, {})
            if rule.get("frozen"):
                z[:, at] = x[:, at]
                continue
            if at in given.codes:
                continue
            if rule.get("integer"):
                z[:, at] = np.where(rng.random(n) < 0.8, x[:, at] + np.trunc(z[:, at] - x[:, at]), np.round(z[:, at]))
                z[:, at] = np.round(z[:, at])
            low = max(rule.get("min", -math.inf), -math.inf if self.low is None else self.low[at])
            high = min(rule.get("max", math.inf), math.inf if self.high is None else self.high[at])
            z[:, at] = np.clip(z[:, at], low, high)
            if rule.get("missing") == "may":
                z[rng.random(n) < 0.3, at] = np.nan
        for members in self.grouped():
            valid = (np.sort(z[:, members], 1) == np.eye(len(members))[-1]).all(1)
            z[:, members] = np.where(valid[:, None], z[:, members], np.eye(len(members))[rng.integers(0, len(members), n)])
        return z

    def anywhere(self, given, x, rng, loose=None):
        """Draws one input a row, however far, that differs from it in some features alone, all unless loose says which."""
        z = self.mended(given, x, self.moved(given, x, np.full(len(x), 1e9), rng, None, None), rng)
        if loose is not None:
            z = np.where(loose, z, x)
        return z[self.allowed(x, z, given.codes)], np.flatnonzero(self.allowed(x, z, given.codes))

    def frozen(self, features):
        """Returns the rules with more features that do not move."""
        return replace(self, features={**self.features, **{f: {"frozen": True} for f in features}})


def spread(given):
    """Returns how far the values of each feature lie from one another."""
    with np.errstate(all="ignore"):
        return np.maximum(np.nanmax(given.x, 0) - np.nanmin(given.x, 0), 1.0)
