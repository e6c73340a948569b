"""The packaging traps: packages listed by name, links present, imports that keep one identity."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAPPED = ("engine", "linter", "scenarios", "schemas", "simulator")
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def packages_on_disk() -> set[str]:
    found = {"seatrial", *(f"seatrial.{p.parent.name}" for p in (ROOT / "src/seatrial").glob("*/__init__.py"))}
    for name in MAPPED:
        for init in (ROOT / name).rglob("__init__.py"):
            found.add(".".join(("seatrial", *init.parent.relative_to(ROOT).parts)))
    return found


def sources() -> list[Path]:
    return sorted(
        p for name in (*MAPPED, "src/seatrial/cli", "src/seatrial/testing") for p in (ROOT / name).rglob("*.py")
    )


def test_every_package_is_listed_by_name() -> None:
    assert set(SETTINGS["tool"]["setuptools"]["packages"]) == packages_on_disk()


def test_every_mapped_folder_is_mapped_and_linked() -> None:
    mapping = SETTINGS["tool"]["setuptools"]["package-dir"]
    assert mapping == {"": "src", **{f"seatrial.{name}": name for name in MAPPED}}
    for name in MAPPED:
        link = ROOT / "src" / "seatrial" / name
        assert link.is_symlink(), f"{link} must be a link: tools find the package through it"
        assert link.readlink() == Path("../..") / name


def test_every_data_file_is_shipped() -> None:
    shipped = SETTINGS["tool"]["setuptools"]["package-data"]
    for name in MAPPED:
        patterns = shipped.get(f"seatrial.{name}", [])
        for path in (ROOT / name).rglob("*"):
            if path.is_file() and path.suffix not in {".py", ".pyc"}:
                relative = path.relative_to(ROOT / name)
                assert any(path.match(pattern.replace("**/", "")) for pattern in patterns), f"not shipped: {relative}"


@pytest.mark.parametrize("path", sources(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_keep_one_identity(path: Path) -> None:
    """Relative within a package, absolute between packages, never a bare top-level folder."""
    mapped = path.relative_to(ROOT).parts[0] in MAPPED
    inside = path.relative_to(ROOT if mapped else ROOT / "src/seatrial").parts
    top, depth = inside[0], len(inside) - 1
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level <= depth, f"line {node.lineno}: a relative import leaves its package"
            names = [node.module or ""] if node.level == 0 else []
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            assert name.split(".")[0] not in MAPPED, f"line {node.lineno}: bare import of {name}"
            assert not name.startswith(f"seatrial.{top}"), f"line {node.lineno}: {name} should be relative"


@pytest.mark.parametrize("links", [True, False], ids=["links", "no-links"])
def test_a_wheel_holds_every_module_and_every_data_file(links: bool, tmp_path: Path) -> None:
    """Also from a checkout whose file system knows no links."""
    tree = tmp_path / "tree"
    for name in (*MAPPED, "src"):
        shutil.copytree(
            ROOT / name, tree / name, symlinks=True, ignore=shutil.ignore_patterns("*.egg-info", "__pycache__")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree / name)
    if not links:
        for name in MAPPED:
            (tree / "src/seatrial" / name).unlink()
    built = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, tree],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    own = {p.relative_to(tree / "src") for p in (tree / "src/seatrial").rglob("*") if p.is_file()}
    mapped = {
        Path("seatrial") / p.relative_to(tree) for name in MAPPED for p in (tree / name).rglob("*") if p.is_file()
    }
    assert held == {str(path) for path in own | mapped}
