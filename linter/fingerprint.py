"""What makes a finding the same one tomorrow: its rule, its file and its place in the document. Knows no format."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable

from .diagnostic import Diagnostic, pointer_text
from .relative import relative


def fingerprints(diagnostics: Iterable[Diagnostic], root: str) -> list[str]:
    """One text of 32 hexadecimal digits a finding, in their order, each once in the list.

    Made of the rule's code, the path from the folder `root`, and the JSON Pointer; of several findings that agree in
    these, also of which one it is. Never of the wording, the line or the severity: a better message, a line more above
    and other settings leave a baseline as it is (oasdiff#612).
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    made = []
    for each in diagnostics:
        identity = (each.code, relative(each.path, root), pointer_text(each.pointer))
        # As JSON, so that no two identities run together, and a name that is no UTF-8 has a form, too.
        text = json.dumps([*identity, seen[identity]])
        seen[identity] += 1
        made.append(hashlib.sha256(text.encode("ascii")).hexdigest()[:32])
    return made
