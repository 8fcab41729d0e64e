"""A name in a Python file, `model.py:NAME`, as a program.

In: the path and the name. Out: a `Program`. The file is imported in this process under a private
module name, as `python_file.from_python` says; what it raises becomes a `ProgramError`.
"""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import importlib.util
import inspect
import re
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ProgramError
from .from_jax import is_jax
from .frontends import is_torch
from .program import Program, program, safe_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

__all__ = ["from_python", "no_name", "python_spot"]

_importing: set[str] = set()


def python_spot(text: str) -> tuple[Path, str] | None:
    """The file and name of `model.py:NAME`, or None."""
    # `model.py:encoder`, `C:\nets\model.py:encoder`
    match = re.fullmatch(r"\s*(\S.*\.py):([A-Za-z_]\w*)\s*", text)
    return (Path(match.group(1)).expanduser(), match.group(2)) if match else None


def from_python(
    path: Path,
    name: str,
    *inputs: Any,
    entry: str | None = None,
    dynamic: Mapping[str | int, Any] | None = None,
    road: str | None = None,
) -> Program:
    """A program of a name in a Python file; the file runs in this process, as an import does.

    The name may be:
        a torch module (or its class, made without arguments) with an attribute `example_inputs`;
        a pair (module, inputs), or (function of JAX, inputs);
        MLIR text or bytecode; a path; a `Program`; the result of `aot.export`;
        a function without arguments that returns one of these.

    The file is imported anew each time, under a private name, with its folder on `sys.path`, so
    it can import its neighbours, and `if __name__ == "__main__"` does not run.

    Raises:
        ProgramError: no such file or name (with the near ones), or the file raised.
    """
    spot = f"{path}:{name}"
    if not path.is_file():
        program(path)  # raises, with a near name
        raise ProgramError(f"{path} is not a file")
    module = _imported(path)
    if not hasattr(module, name):
        raise _no_such_name(path, name, module)
    x: Any = getattr(module, name)
    if callable(x) and not is_torch(x) and not is_jax(x):
        x = _called(x, spot)
    if isinstance(x, tuple) and len(x) == 2 and (is_torch(x[0]) or callable(x[0])):
        x, given = x
        inputs = inputs or (tuple(given) if isinstance(given, tuple | list) else (given,))
    if isinstance(x, Program):
        return x
    if x is None or not (is_torch(x) or callable(x) or isinstance(x, str | bytes | Path)):
        raise ProgramError(
            f"{spot} is a {type(x).__name__}, which is no program",
            expected="a torch module with example_inputs, a pair (module, inputs), MLIR text, "
            "a Program, or a function without arguments that returns one of these",
        )
    if isinstance(x, str) and python_spot(x):
        raise ProgramError(f"{spot} leads on to {x}: give that one")
    return program(x, *inputs, name=name, entry=entry, dynamic=dynamic, road=road)


def no_name(path: Path) -> ProgramError:
    """The error for a Python file given without a name in it; the file is not run for it."""
    # `class Net(nn.Module):`, `def encoder():`, `model = Net()` at the left margin
    found = re.findall(
        r"^(?:class |def |(?=\w+ *= ?[^=]))([A-Za-z]\w*)", path.read_text(errors="replace"), re.M
    )
    names = ", ".join(f"{path.name}:{name}" for name in dict.fromkeys(found[-6:]))
    return ProgramError(
        f"{path} is a Python file: say which name in it",
        expected="model.py:NAME, a torch module, a pair (module, inputs), or a function",
        todo=f"one of {names}" if names else "define the model in it",
    )


def _imported(path: Path) -> ModuleType:
    """The file as a fresh module."""
    path = path.resolve()
    private = (
        f"_iree_layers_{safe_name(path.stem)}_{hashlib.sha1(str(path).encode()).hexdigest()[:8]}"
    )
    if private in _importing:
        raise ProgramError(f"{path.name} asks for a name in itself while it is being imported")
    spec = importlib.util.spec_from_file_location(private, path)
    if spec is None or spec.loader is None:
        raise ProgramError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[private] = module  # dataclasses and pickle look their module up there
    sys.path.insert(0, str(path.parent))
    _importing.add(private)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[private]
        raise _raised(f"importing {path.name}", error) from error
    finally:
        _importing.discard(private)
        with contextlib.suppress(ValueError):
            sys.path.remove(str(path.parent))
    return module


def _called(x: Any, spot: str) -> Any:
    """What a function or class without arguments gives."""
    try:
        inspect.signature(x).bind()
    except TypeError as error:
        raise ProgramError(
            f"{spot} cannot be called without arguments: {error}",
            todo="write a function without arguments that returns (module, inputs)",
        ) from error
    except ValueError:
        pass  # a builtin without a signature
    try:
        return x()
    except Exception as error:
        raise _raised(f"calling {spot}", error) from error


def _raised(doing: str, error: Exception) -> ProgramError:
    last = traceback.extract_tb(error.__traceback__)[-1:]
    place = f" ({Path(last[0].filename).name} line {last[0].lineno})" if last else ""
    if isinstance(error, SyntaxError) and error.lineno:
        place = f" (line {error.lineno})"
    return ProgramError(f"{doing} raised {type(error).__name__}: {error}{place}")


def _no_such_name(path: Path, name: str, module: ModuleType) -> ProgramError:
    names = [n for n in vars(module) if not n.startswith("_")]
    own = [n for n in names if not inspect.ismodule(getattr(module, n))]
    near = difflib.get_close_matches(name, own, n=1)
    todo = f"did you mean {path}:{near[0]}?" if near else f"it has {', '.join(own[:12]) or 'none'}"
    return ProgramError(f"{path} has no name {name!r}", todo=todo)
