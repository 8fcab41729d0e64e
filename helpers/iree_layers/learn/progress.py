"""Progress: which exercises are solved, in one JSON file in the learner's home.

    {"version": 1, "entries": {"2.3": {"right": true, "tries": 2, "hints": 1, "solution": false}}}

Written whole and put in place at once, so a crash leaves the old file or the new one. Where there
is no file (`paths.progress_file` says when), progress lasts as long as the Python process.
"""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from dataclasses import asdict, dataclass, replace
from html import escape
from pathlib import Path

from ..errors import LayersError
from .catalogue import stages
from .manifest import Stage
from .paths import progress_file

__all__ = ["Entry", "Progress", "load", "progress", "record", "reset"]

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known about one exercise or question."""

    right: bool = False
    "it was answered right at least once"
    tries: int = 0
    "answers that were checked; `TODO` does not count"
    hints: int = 0
    "the highest hint that was shown, counted from 1"
    solution: bool = False
    "the solution was shown before it was solved"


@dataclass(frozen=True, slots=True)
class Progress:
    """All stages, and what is known about their exercises and questions."""

    stages: tuple[Stage, ...]
    entries: dict[str, Entry]
    "id → entry; an exercise that nobody tried has none"
    file: Path | None
    "where it is stored, None if nowhere"

    def __str__(self) -> str:
        lines = [_line(stage, self.entries) for stage in self.stages]
        return "\n".join(lines) or "no stage has exercises yet"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        where = f"kept in {self.file}" if self.file else "kept until this kernel ends"
        return f"<pre>{escape(str(self))}</pre><small>{escape(where)}</small>"


_unsaved: dict[str, Entry] = {}
"""Progress of this process, where there is no file."""


def progress() -> Progress:
    """What you have solved so far, stage by stage.

    Each stage is a line: its exercises as ✓ (solved), ✗ (tried), · (not tried), and how many.
    """
    file = progress_file()
    return Progress(stages(), load(file), file)


def record(
    stage: Stage, id: str, *, right: bool | None = None, hints: int = 0, solution: bool = False
) -> int:
    """Note what happened with an entry; returns how many exercises of its stage are unsolved.

    A file that cannot be written is a warning, not an error: the answer was still checked.

    Args:
        stage: the stage it belongs to.
        id: the exercise or question.
        right: an answer was checked, and this came out; None: no answer.
        hints: number of the hint that was shown.
        solution: the solution was shown.
    """
    file = progress_file()
    entries = load(file)
    old = entries.get(id, Entry())
    entries[id] = replace(
        old,
        right=old.right or bool(right),
        tries=old.tries + (right is not None),
        hints=max(old.hints, hints),
        solution=old.solution or (solution and not old.right),
    )
    _save(entries, file)
    return sum(not entries.get(one.id, Entry()).right for one in stage.exercises)


def reset(what: str) -> Progress:
    """Forget an exercise (`"2.3"`), a stage (`"2"`) or all (`"all"`), and show what is left.

    Raises:
        LayersError: there is no such exercise or stage.
    """
    every = stages()
    known = {str(stage.number) for stage in every}
    known |= {entry.id for stage in every for entry in stage.entries}
    if what != "all" and what not in known:
        raise LayersError(f"there is nothing {what!r} to forget", expected='"2.3", "2" or "all"')
    file = progress_file()
    kept = {
        id: entry
        for id, entry in load(file).items()
        if what != "all" and what not in (id, id.split(".")[0])
    }
    _save(kept, file)
    return progress()


def load(file: Path | None) -> dict[str, Entry]:
    """The entries stored in `file`, or those of this process for None.

    A damaged file is moved aside, as `progress.json.damaged-1`, with a warning that names it.
    """
    if file is None:
        return dict(_unsaved)
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["version"] != _VERSION:
            raise ValueError(f"version {data['version']}")
        return {str(id): _entry(values) for id, values in data["entries"].items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        warnings.warn(f"your progress cannot be read: {error}", stacklevel=2)
        return {}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        aside = _move_aside(file)
        warnings.warn(
            f"your progress in {file} was damaged ({error}); it is kept as {aside}, "
            "and counting starts anew",
            stacklevel=2,
        )
        return {}


def _entry(values: dict[str, object]) -> Entry:
    """An entry whose fields have the right types.

    Raises:
        TypeError: they have not.
    """
    entry = Entry(**values)  # type: ignore[arg-type]  # looked at in the next line
    if any(type(value) is not type(getattr(Entry(), name)) for name, value in values.items()):
        raise TypeError(f"an entry reads {values}")
    return entry


def _save(entries: dict[str, Entry], file: Path | None) -> None:
    if file is None:
        _unsaved.clear()
        _unsaved.update(entries)
        return
    data = {"version": _VERSION, "entries": {id: asdict(entries[id]) for id in sorted(entries)}}
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        number, name = tempfile.mkstemp(dir=file.parent, prefix=file.name, suffix=".new")
        try:
            with os.fdopen(number, "w", encoding="utf-8") as new:
                json.dump(data, new, indent=1)
            os.replace(name, file)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        warnings.warn(f"your progress was not stored: {error}", stacklevel=3)


def _move_aside(file: Path) -> Path:
    number = 1
    while (aside := file.with_name(f"{file.name}.damaged-{number}")).exists():
        number += 1
    return file.replace(aside)


def _line(stage: Stage, entries: dict[str, Entry]) -> str:
    known = [entries.get(exercise.id, Entry()) for exercise in stage.exercises]
    signs = "".join("✓" if entry.right else "✗" if entry.tries else "·" for entry in known)
    solved = sum(entry.right for entry in known)
    guessed = sum(question.id in entries for question in stage.questions)
    parts = [f"stage {stage.number} {stage.title}: {signs} {solved} of {len(known)} solved"]
    if stage.questions:
        parts.append(f"{guessed} of {len(stage.questions)} guessed")
    if known and solved == len(known):
        parts.append("finished")
    return ", ".join(parts)
