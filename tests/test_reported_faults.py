"""Faults that users reported of config linters: each report is named by a test that keeps the right behaviour."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPORTS = [
    "apache/ossie#336", "cfn-lint#2993", "prantlf/jsonlint#15", "check-jsonschema#89", "check-jsonschema#153",
    "eslint-plugin-json-schema-validator#347", "santhosh-tekuri/jsonschema#194", "check-jsonschema#561",
    "python-jsonschema/jsonschema#1222", "networknt/json-schema-validator#132", "sarif-vscode-extension#582",
    "gitleaks#1962", "lintr#2550", "yaml-language-server#463", "vscode-yaml#916", "linkml#1883", "schemathesis#4794",
    "SwiftLint#5699", "oasdiff#612", "kubeconform#156", "kube-linter#45", "check-jsonschema#359", "ruff#1149",
    "foundry#16812", "networknt#1090", "sourcemeta", "buf (measured)",
]  # fmt: skip
_HERE = Path(__file__)
_TESTS = {path: path.read_text(encoding="utf-8") for path in _HERE.parent.rglob("test_*.py") if path != _HERE}


@pytest.mark.parametrize("report", REPORTS)
def test_a_test_names_the_report(report: str) -> None:
    named = re.compile(rf"{re.escape(report)}(?![0-9])")
    assert [path.name for path, text in _TESTS.items() if named.search(text)]
