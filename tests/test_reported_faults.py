"""Faults that users reported of memory systems and of config linters: a test that keeps the right behaviour names each.

What is right is told where the test stands.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPORTS = [
    # Who sees what
    "langgraph#8300", "langgraphjs#2721", "adk-python#1019", "graphiti#632", "agentmemory#817", "graphiti#1676",
    "mem0#4359", "mem0#5439", "mem0#6080", "agent-memory-server#334", "crewAI#7605", "agentmemory#1160",
    "crewAI#7532", "adk-python#7105", "mateclaw#457", "cadis#155", "sibyl#126", "hippo-memory#144",
    # Turns, previews
    "openai-agents-python#1840", "openai-agents-python#3852", "openai-agents-python#4615", "datarobot-genai#270",
    "orch#2911", "hermes-agent#4564", "hermes-agent#45043", "adk-python#4839", "mem0#6515", "adk-python#5244",
    "claude-code#62274", "posthog#65978", "oracle#408", "LifeOS#2073", "beads#4985", "lobu#2576", "openclaw#153069",
    # Writing, replacing, deleting
    "mem0#3928", "adk-python#7109", "pi-hermes-memory#226", "CSM#99", "symaira-memory#555", "pensyve#227",
    "LaPis#281", "mem0#5160", "agent-framework#6237", "mem0#4467", "mem0#5923", "mem0#1674", "mem0#1750", "mem0#4896",
    "mem0#4580", "agent-memory-server#110", "agent-memory-server#200", "clawdi#61", "gbrain#1781", "lobehub#15521",
    "muninndb#742", "agentao#234", "graph-memory#41",
    # Search, recall, pins, context
    "mem0#4453", "mem0#5221", "adk-python#5501", "bedrock-agentcore-sdk-python#63",
    "bedrock-agentcore-sdk-python#571", "mem0#4402", "crewAI#5057", "letta#1199", "agentmemory#1333",
    "openai-agents-python#3116", "deepagents#5560", "letta#2629",
    # Configs and linters
    "apache/ossie#336", "cfn-lint#2993", "prantlf/jsonlint#15", "check-jsonschema#89", "check-jsonschema#153",
    "eslint-plugin-json-schema-validator#347", "santhosh-tekuri/jsonschema#194", "check-jsonschema#561",
    "python-jsonschema/jsonschema#1222", "networknt/json-schema-validator#132", "sarif-vscode-extension#582",
    "gitleaks#1962", "lintr#2550", "yaml-language-server#463", "vscode-yaml#916", "linkml#1883", "schemathesis#4794",
    "SwiftLint#5699", "oasdiff#612", "kubeconform#156", "kube-linter#45", "check-jsonschema#359", "ruff#1149",
    "foundry#16812", "networknt#1090", "sourcemeta", "buf (measured)",
]  # fmt: skip
_HERE = Path(__file__)
_TESTS = [path.read_text(encoding="utf-8") for path in sorted(_HERE.parent.rglob("test_*.py")) if path != _HERE]
_NAMED = re.compile(r"[\w./-]+#\d+|sourcemeta|buf \(measured\)")


@pytest.fixture(scope="module")
def named() -> set[str]:
    """The reports that tests name: in what they say, or in the name of a test, where only letters and digits stand."""
    return {name for text in _TESTS for name in (*_NAMED.findall(text), *re.findall(r"def (test_\w+)", text))}


@pytest.mark.parametrize("report", REPORTS)
def test_a_test_names_the_report(report: str, named: set[str]) -> None:
    in_a_name = re.compile(rf"test_\w*_{re.sub('[#/.-]', '_', report)}(?![0-9])", re.IGNORECASE)
    assert report in named or any(in_a_name.match(name) for name in named)
