"""The official schema of SARIF 2.1.0, from the npm package that carries it: fetched once, by npm as it is set up.

Where there is no npm, what needs the schema is skipped, and says so: the other tests of SARIF need none.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import pytest

PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
SHA512 = "A1fOhPd6Ic5iDk4F9YPw1qNB4XF+7+IviR7xl8r2F6QzQkx5cpY9LsGk2rExiFIEcBbjpVnSmwWGBukASkiQ9A=="
MEMBER = "package/lib/schemas/sarif-2.1.0-rtm.5.json"
KEPT = Path(__file__).parent.parent.parent / "build" / "fetched" / "jest-sarif-1.0.0-beta.0.tgz"


def sarif_schema() -> dict[str, Any]:
    """The schema. Skips the test without npm; a package that npm cannot fetch, or that is another one, is an error."""
    packed = KEPT.read_bytes() if KEPT.exists() else _fetched()
    if base64.b64encode(hashlib.sha512(packed).digest()).decode() != SHA512:
        KEPT.unlink(missing_ok=True)
        raise RuntimeError(f"{PACKAGE} is not the package whose digest is pinned here")
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        member = archive.extractfile(MEMBER)
        assert member is not None
        schema: dict[str, Any] = json.load(member)
    return schema


def _fetched() -> bytes:
    """The package as npm downloads it, kept for the next time under its name in one move: several tests may ask."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"without npm the official schema of SARIF cannot be fetched ({PACKAGE})")
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT.parent) as folder:
        subprocess.run([npm, "pack", PACKAGE, "--silent", "--pack-destination", folder], check=True, timeout=300)
        (packed,) = Path(folder).glob("*.tgz")
        packed.replace(KEPT)
    return KEPT.read_bytes()
