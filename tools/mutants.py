"""Do the tests notice when the code is wrong? `make mutants`: one small fault at a time, the near tests against each.

usage: mutants.py [alignment | numbers] [--every N] [--at FILE[:LINE] ...] [-j N]

A fault is a comparison, operator, constant, condition or word (min, any, continue) turned into its neighbour. Of all that can
be made in the files below every N-th is tried (N = 4 unless told; 1 tries all, which takes hours). Tests that time themselves
("stays cheap") are left out. A fault that no test notices is printed as a diff. Not every one is a gap: some change nothing that
can be seen (a bound that is never met, a cheap question before a search). The score is the share that was noticed; nothing is
left out of it.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import importlib.abc
import importlib.machinery
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
SETS: Final = {
    "alignment": (
        [f"services/core/redline/{name}.py" for name in ("alignment", "assignment", "likeness", "pairing", "regrouping", "spans", "tables")],
        ["tests/core/redline"],
    ),
    "numbers": (
        [f"services/core/language/{name}.py" for name in ("figures", "numbers", "numerals")],
        ["tests/core/language", "tests/core/meaning/test_tolls.py", "tests/core/meaning/test_compare.py"],
    ),
}  # fmt: skip
"""By name: the files that get faults, and the tests that must notice."""
PATIENCE: Final = 4.0
"""Times the tests' own duration after which a fault counts as noticed: it made them hang."""
PRELOADED: Final = (
    "hypothesis",
    "lxml.etree",
    "msgspec",
    "numpy",
    "orjson",
    "pytest",
    "rapidfuzz.distance",
    "regex",
    "Stemmer",
    "yaml",
)

COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
}  # fmt: skip
WORDS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Fault(NamedTuple):
    """One wrong version of a file: where, what stood there and what stands there now."""

    path: str
    line: int
    before: str
    after: str
    source: str


def neighbours(node: ast.AST) -> Iterator[ast.AST]:
    """What a slip of the pen could have made of a node."""
    match node:
        case ast.Compare(ops=[op, *_]) if type(op) in COMPARISONS:
            other = copy.deepcopy(node)
            other.ops[0] = COMPARISONS[type(op)]()
            yield other
        case ast.BoolOp(op=op):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), node.values)
        case ast.BinOp(op=op) if type(op) in OPERATORS:
            yield ast.BinOp(node.left, OPERATORS[type(op)](), node.right)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.IfExp():
            yield ast.IfExp(node.test, node.orelse, node.body)
        case ast.Call(func=ast.Name(id=word)) if word in WORDS:
            yield ast.Call(ast.Name(WORDS[word], ast.Load()), node.args, node.keywords)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1 if value <= 20 else value // 2)
        case ast.Constant(value=float(value)):
            yield ast.Constant(value * 1.5 + 0.1)
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()
        case _:
            return


def faults(path: str) -> Iterator[Fault]:
    """All faults of one file, in reading order. Annotations and type definitions get none."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if field in ("annotation", "returns", "decorator_list"):
                continue
            places: list[Any] = value if isinstance(value, list) else [value]
            for n, node in enumerate(places):
                if not isinstance(node, ast.AST):
                    continue
                for other in neighbours(node):
                    line = getattr(node, "lineno", 0)
                    if isinstance(value, list):
                        value[n] = other
                    else:
                        setattr(parent, field, other)
                    source = ast.unparse(ast.fix_missing_locations(tree))
                    if isinstance(value, list):
                        value[n] = node
                    else:
                        setattr(parent, field, node)
                    yield Fault(path, line, ast.unparse(node), ast.unparse(other), source)


class _Wrong(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives one module its faulty source, and leaves all others alone."""

    def __init__(self, fault: Fault) -> None:
        self.name = fault.path.removesuffix(".py").replace("/", ".")
        self.fault = fault

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:  # noqa: ARG002
        return (
            importlib.machinery.ModuleSpec(fullname, self, origin=str(ROOT / self.fault.path))
            if fullname == self.name
            else None
        )

    def exec_module(self, module: Any) -> None:
        exec(compile(self.fault.source, self.fault.path, "exec"), module.__dict__)  # noqa: S102


def tested(fault: Fault | None, tests: Sequence[str]) -> int:
    """A child that runs the tests on a fault; its process id."""
    child = os.fork()
    if child:
        return child
    try:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        if fault is not None:
            sys.meta_path.insert(0, _Wrong(fault))
        import hypothesis
        import pytest

        hypothesis.settings.register_profile("mutants", max_examples=20, database=None, deadline=None, derandomize=True)
        hypothesis.settings.load_profile("mutants")
        found = pytest.main(
            [
                "-x",
                "-q",
                "-p",
                "no:randomly",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:xdist",
                "-k",
                "not cheap",
                "-W",
                "ignore::pytest.PytestAssertRewriteWarning",
                *tests,
            ]
        )
        os._exit(0 if found == pytest.ExitCode.OK else 1)
    finally:
        os._exit(1)


def run(todo: Sequence[Fault], tests: Sequence[str], hands: int) -> list[Fault]:
    """The faults that no test noticed."""
    start = time.monotonic()
    if os.waitstatus_to_exitcode(os.waitpid(tested(None, tests), 0)[1]):
        raise SystemExit(f"{' '.join(tests)}: fail without any fault")
    patience = PATIENCE * hands * (time.monotonic() - start) + 10
    waiting, running, survived = list(reversed(todo)), {}, []
    done = 0
    while waiting or running:
        while waiting and len(running) < hands:
            fault = waiting.pop()
            running[tested(fault, tests)] = (fault, time.monotonic())
        child, status = os.waitpid(-1, os.WNOHANG)
        if child:
            fault, _ = running.pop(child)
            done += 1
            if os.waitstatus_to_exitcode(status) == 0:
                survived.append(fault)
                print(f"{fault.path}:{fault.line}\n  - {fault.before}\n  + {fault.after}", flush=True)
            continue
        for late, (_, since) in running.items():
            if time.monotonic() - since > patience:
                os.kill(late, signal.SIGKILL)  # noticed: the next look finds it dead
        time.sleep(0.05)
        if done % 20 == 0 and sys.stderr.isatty():
            print(f"\r{done}/{len(todo)}", end="", file=sys.stderr)
    return survived


def _is_at(fault: Fault, places: Sequence[str]) -> bool:
    name = Path(fault.path).name
    return name in places or f"{name}:{fault.line}" in places


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="alignment | numbers", help="which (default: both)")
    parser.add_argument("--every", type=int, default=4, help="try every N-th fault (default: 4)")
    parser.add_argument("--at", nargs="+", default=(), metavar="FILE[:LINE]", help="all faults there, and no others")
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1, help="at once (default: a core each)")
    asked = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    for name in PRELOADED:
        importlib.import_module(name)
    table = []
    for name in asked.sets or SETS:
        paths, tests = SETS[name]
        found = [fault for path in paths for fault in faults(path)]
        todo = [f for f in found if _is_at(f, asked.at)] if asked.at else found[:: asked.every]
        if not todo:
            continue
        survived = run(todo, tests, asked.j)
        for path in paths:
            tried = sum(f.path == path for f in todo)
            missed = sum(f.path == path for f in survived)
            if tried:
                table.append((path, tried, tried - missed))
    tried, noticed = sum(row[1] for row in table), sum(row[2] for row in table)
    print("\n| file | faults tried | noticed | share |\n| --- | ---: | ---: | ---: |")
    for path, tries, hits in [*table, ("all", tried, noticed)]:
        print(f"| {path} | {tries} | {hits} | {hits / max(tries, 1):.0%} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
