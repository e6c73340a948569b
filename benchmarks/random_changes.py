"""How many random changes of one line of the engine `seatrial fuzz` finds within its default budget.

    python benchmarks/random_changes.py [--seed 0] [--changes 10] [--list]

Nobody chooses the changes: a line's comparison, condition, number, truth value, sum or call is turned, drawn by the
seed from all there are in `engine/`. Each is tried in a copy of the package, by the command as users call it, on three
configs. A change may do no harm (a cache that is never hit, a bound that is never met); whether one that was not found
does is for a reader to say: each is printed as it was and as it is, with whether its line ever ran.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from hunting import DESK, LEDGER, RATES

PACKAGE = Path(__file__).resolve().parent.parent / "src/seatrial"
AT_MOST = 900  # seconds; a change may make a loop endless
TURNED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
}  # fmt: skip


@dataclass(frozen=True)
class Change:
    """One line that is different. `source` is the whole file with it; what runs it leaves a file at `mark`."""

    file: str
    line: int
    was: str
    now: str
    source: Callable[[Path], str]


def changes() -> Iterator[Change]:
    """All there are, file by file and line by line."""
    for file in sorted((PACKAGE / "engine").glob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        for number, node in enumerate(ast.walk(tree)):
            turned = _turned(node)
            if turned is not None:
                yield _change(file.name, tree, number, node, turned)


def _turned(node: ast.AST) -> ast.AST | None:
    """The node as it should not be; None for one that is left alone."""
    found = deepcopy(node)
    if isinstance(found, ast.Compare) and type(found.ops[0]) in TURNED:
        found.ops[0] = TURNED[type(found.ops[0])]()  # type: ignore[call-overload]  # a table of operators
        return found
    if isinstance(found, ast.BoolOp | ast.BinOp) and type(found.op) in TURNED:
        found.op = TURNED[type(found.op)]()  # type: ignore[assignment]  # likewise
        return found
    if isinstance(found, ast.If | ast.IfExp):
        found.test = ast.UnaryOp(ast.Not(), found.test)
        return found
    if isinstance(found, ast.Constant) and isinstance(found.value, bool | int):
        found.value = not found.value if isinstance(found.value, bool) else found.value + 1
        return found
    if isinstance(found, ast.Expr) and isinstance(found.value, ast.Call):
        return ast.Pass()
    return None


def _change(file: str, tree: ast.Module, number: int, node: ast.AST, turned: ast.AST) -> Change:
    def source(mark: Path) -> str:
        changed = deepcopy(tree)
        target = list(ast.walk(changed))[number]
        _put(changed, target, turned, mark)
        return ast.unparse(ast.fix_missing_locations(changed))

    def told(each: ast.AST) -> str:
        return ast.unparse(ast.fix_missing_locations(each)).splitlines()[0]

    return Change(file, getattr(node, "lineno", 0), told(node), told(turned), source)


def _put(tree: ast.Module, target: ast.AST, turned: ast.AST, mark: Path) -> None:
    """Puts `turned` in the target's place, and before the statement around it what leaves the mark."""

    class Putting(ast.NodeTransformer):
        inside = False

        def visit(self, node: ast.AST) -> ast.AST | list[ast.AST]:
            if node is target:
                self.inside = True
                found: ast.AST = turned
            else:
                found = self.generic_visit(node)
            if self.inside and isinstance(node, ast.stmt):
                self.inside = False
                return [*ast.parse(f"open({str(mark)!r}, 'a').close()").body, found]
            return found

    Putting().visit(tree)


def tried(change: Change, seed: int) -> str:
    """What fuzzing makes of the change, in a few words."""
    with tempfile.TemporaryDirectory() as made:
        folder, mark = Path(made), Path(made) / "ran"
        shutil.copytree(PACKAGE, folder / "lib/seatrial")
        (folder / "lib/seatrial/engine" / change.file).write_text(change.source(mark), "utf-8")
        for config in (DESK, LEDGER, RATES):
            (folder / f"{config['agent']}.json").write_text(json.dumps(config), "utf-8")
        command = [sys.executable, "-m", "seatrial", "fuzz", "desk.json", "ledger.json", "rates.json",
                   "--seed", str(seed), "--no-database", "--format", "json"]  # fmt: skip
        try:
            done = subprocess.run(
                command, cwd=folder, env={**os.environ, "PYTHONPATH": str(folder / "lib")}, timeout=AT_MOST,
                capture_output=True, text=True, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "found: it never ends"
        ran = "" if mark.exists() else " (the line never ran)"
        if done.returncode not in (0, 1):
            return f"found: nothing starts ({done.stderr.strip().splitlines()[-1][:80]})"
        report = json.loads(done.stdout)
        if report["found"] is None:
            return f"not found in {report['examples']} examples{ran}"
        return f"found: {report['found']['problem']} after {report['examples']} examples"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="of the draw, and of the search")
    parser.add_argument("--changes", type=int, default=10)
    parser.add_argument("--list", action="store_true", help="only say what would be tried")
    asked = parser.parse_args()
    every = list(changes())
    drawn = random.Random(asked.seed).sample(every, asked.changes)
    print(f"{asked.changes} of {len(every)} changes, seed {asked.seed}")
    found = 0
    for change in drawn:
        verdict = "" if asked.list else tried(change, asked.seed)
        found += verdict.startswith("found")
        print(f"engine/{change.file}:{change.line}: {change.was}  ->  {change.now}\n    {verdict}", flush=True)
    if not asked.list:
        print(f"{found} of {asked.changes} found")


if __name__ == "__main__":
    main()
