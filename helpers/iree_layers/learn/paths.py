"""Where the stages are, and where the learner's progress is."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import LayersError

__all__ = ["progress_file", "stages_folder"]


def stages_folder() -> Path:
    """The folder `stages/` of the workbook.

    `IREE_LAYERS_STAGES` names it; else it is looked for in the working directory and upward (a
    notebook runs in `notebooks/`, beside it), then upward from this package.

    Raises:
        LayersError: there is none; the stages are in the repository, not in the installed package.
    """
    named = os.environ.get("IREE_LAYERS_STAGES")
    if named:
        if _is_stages(Path(named)):
            return Path(named).resolve()
        raise LayersError(
            f"IREE_LAYERS_STAGES is {named!r}, which holds no stage",
            expected="a folder with s0_…/stage.toml in it",
        )
    for start in (Path.cwd(), Path(__file__).resolve().parent):
        for folder in (start, *start.parents):
            if _is_stages(folder / "stages"):
                return folder / "stages"
    raise LayersError(
        "the workbook's folder stages/ is not here",
        expected="a working directory inside the repository",
        todo="start from the repository, or set IREE_LAYERS_STAGES to its folder stages/",
    )


def progress_file() -> Path | None:
    """The one file with the learner's progress; None if nothing is to be written.

    `IREE_LAYERS_PROGRESS` names it (`off`: none). Else it is `iree-layers/progress.json` in
    `XDG_DATA_HOME`, by default `~/.local/share`; under pytest, and so under nbval, there is none.
    """
    named = os.environ.get("IREE_LAYERS_PROGRESS")
    if named is not None:
        return Path(named).expanduser() if named not in ("", "off") else None
    if "PYTEST_CURRENT_TEST" in os.environ:
        return None
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home).expanduser() / "iree-layers" / "progress.json"


def _is_stages(folder: Path) -> bool:
    return any(folder.glob("s[0-9]*_*/stage.toml"))
