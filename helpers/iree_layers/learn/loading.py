"""The Python files of a stage: import them, and find what their functions ask for."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import ExerciseError
from .manifest import Exercise, Question, Stage
from .verdict import TODO

__all__ = ["answer_of", "function_of", "needs", "open_stages", "stage_module", "wrong_of"]

_made: dict[tuple[Path, str], object] = {}
"""What `CONTEXT` functions have made in this session, by stage folder and name."""


def open_stages(folder: Path) -> None:
    """Make `stages` importable as a package that is this folder, wherever Python was started."""
    known = sys.modules.get("stages")
    if known is not None and str(folder) in list(known.__path__):
        return
    # Another workbook was open in this process: its modules must not answer for this one.
    for name in [name for name in sys.modules if name.split(".")[0] == "stages"]:
        del sys.modules[name]
    package = ModuleType("stages", "The stages of the workbook.")
    package.__path__ = [str(folder)]
    sys.modules["stages"] = package
    importlib.invalidate_caches()


def stage_module(stage: Stage, name: str) -> ModuleType | None:
    """Module `name` of the stage, e.g. `checks` or `solutions.ex_2_3`; None if there is no file.

    Raises:
        ExerciseError: the file raises when it is imported.
    """
    if not stage.path.joinpath(*name.split(".")).with_suffix(".py").is_file():
        return None
    open_stages(stage.path.parent)
    full = f"stages.{stage.name}.{name}"
    try:
        return importlib.import_module(full)
    except Exception as error:
        raise ExerciseError(f"{full} cannot be imported: {error!r}") from error


def function_of(stage: Stage, entry: Exercise | Question) -> Callable[..., Any]:
    """The stage's `check_2_3` of an exercise, or `answer_2_q1` of a question.

    Raises:
        ExerciseError: checks.py does not have it.
    """
    verb = "check" if isinstance(entry, Exercise) else "answer"
    function = getattr(stage_module(stage, "checks"), f"{verb}_{entry.key}", None)
    if not callable(function):
        raise ExerciseError(
            f"stage {stage.name} cannot answer {entry.id}",
            expected=f"a function {verb}_{entry.key} in {stage.name}/checks.py",
        )
    return function  # type: ignore[no-any-return]


def needs(
    function: Callable[..., Any], *, stage: Stage, given: Mapping[str, object]
) -> dict[str, object]:
    """Values for the keyword-only arguments that a function of the stage asks for.

    Each is taken from `given` if it is not None there, else made by `CONTEXT` of the stage's
    checks.py, once in a session.

    Raises:
        ExerciseError: nobody has a value for one of them.
    """
    asked = [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    had = {name: value for name, value in given.items() if value is not None}
    return {name: had[name] if name in had else _make(stage, name) for name in asked}


def answer_of(stage: Stage, exercise: Exercise, tree: str) -> object:
    """The answer that `exercises` or `solutions` has; `TODO` where an exercise has no file.

    Raises:
        ExerciseError: a solution is missing, or the file has no `answer`.
    """
    return _value(stage, exercise, tree, "answer")


def wrong_of(stage: Stage, exercise: Exercise) -> dict[str, object]:
    """The wrong answers of an exercise: what the verdict must say → the answer.

    Raises:
        ExerciseError: there is no file, or it has no dict `wrong` with at least one entry.
    """
    value = _value(stage, exercise, "wrong", "wrong")
    if isinstance(value, dict) and value and all(isinstance(reason, str) for reason in value):
        return value
    raise ExerciseError(
        f"{stage.name}/wrong/ex_{exercise.key}.py: wrong is {value!r}",
        expected="a dict: what the verdict must say → a wrong answer",
    )


def _value(stage: Stage, exercise: Exercise, tree: str, name: str) -> object:
    module = stage_module(stage, f"{tree}.ex_{exercise.key}")
    if module is None and tree == "exercises":
        return TODO
    if module is not None and hasattr(module, f"{name}_for"):
        function = getattr(module, f"{name}_for")
        return function(**needs(function, stage=stage, given={}))
    if module is not None and hasattr(module, name):
        return module.__dict__[name]
    raise ExerciseError(
        f"{stage.name}/{tree}/ex_{exercise.key}.py is missing or has no {name}",
        expected=f"`{name} = …` or `def {name}_for(*, …)`",
    )


def _make(stage: Stage, name: str) -> object:
    key = (stage.path, name)
    if key not in _made:
        makers = getattr(stage_module(stage, "checks"), "CONTEXT", {})
        if name not in makers:
            raise ExerciseError(
                f"nobody gives {name!r} to the checks of {stage.name}",
                expected=f"{name}=… in the call, or an entry in CONTEXT of {stage.name}/checks.py",
            )
        _made[key] = makers[name]()
    return _made[key]
