"""Compares a report of the Autobahn cases with the committed baseline: `autobahn-compare.py REPORT BASELINE`.

The baseline names the number of cases and each case that is not OK on both counts (behaviour, close).
"""

import collections
import json
import pathlib
import sys

report, baseline = map(pathlib.Path, sys.argv[1:])
(cases,) = json.loads((report / "index.json").read_text()).values()
verdicts = {case: [verdict["behavior"], verdict["behaviorClose"]] for case, verdict in cases.items()}
counts = collections.Counter(behaviour for behaviour, _ in verdicts.values())
closes = collections.Counter(close for _, close in verdicts.values())
print(f"{len(verdicts)} cases; behaviour {dict(counts)}; close {dict(closes)}")

found = {
    "cases": len(verdicts),
    "other": {case: verdict for case, verdict in sorted(verdicts.items()) if verdict != ["OK", "OK"]},
}
expected = json.loads(baseline.read_text())
if found != expected:
    print("differs from the baseline; found:")
    print(json.dumps(found, indent=2))
    sys.exit(1)
