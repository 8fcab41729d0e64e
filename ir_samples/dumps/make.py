"""Make the samples of manifest.toml again: `python ir_samples/dumps/make.py [FILE …]`.

Runs the commands with the `iree-compile` beside this Python (or on PATH); those that name another
compiler version are left as they are. Twins are made from the files that lie here.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zstandard

HERE = Path(__file__).resolve().parent


def main(names: list[str]) -> int:
    """Make the named samples, or all; return the exit code."""
    manifest = tomllib.loads((HERE / "manifest.toml").read_text(encoding="utf-8"))
    tool = shutil.which("iree-compile", path=f"{Path(sys.executable).parent}{os.pathsep}" + PATH)
    if tool is None:
        print("iree-compile is not here: pip install iree-base-compiler", file=sys.stderr)
        return 1
    version = _version(tool)
    for sample in manifest["sample"]:
        if (not names or sample["file"] in names) and sample["compiler"] == version:
            (HERE / sample["file"]).write_bytes(_made(sample, manifest["flags"], tool))
            print(sample["file"])
    for twin in manifest["twin"]:
        if not names or twin["file"] in names:
            data = (HERE / twin["of"]).read_bytes()
            (HERE / twin["file"]).write_bytes(TWINS[twin["how"]](data))
            print(twin["file"])
    return 0


PATH = os.environ.get("PATH", os.defpath)


def _version(tool: str) -> str:
    text = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"version (\d+\.\d+\.\d+)", text)
    return found[1] if found else ""


def _made(sample: dict[str, Any], flags: dict[str, str], tool: str) -> bytes:
    """Run one command in a scratch folder and return what it printed, without our paths."""
    _, *arguments = shlex.split(sample["command"].format_map(flags))
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(HERE / "programs", scratch, dirs_exist_ok=True)
        ran = subprocess.run([tool, *arguments], cwd=scratch, capture_output=True)
    # The wrapper script of the wheel says 256 - 11 where the compiler was killed by signal 11.
    if ran.returncode not in (expected := sample.get("exit", 0), expected % 256):
        raise SystemExit(f"{sample['file']}: exit {ran.returncode}, expected {expected}")
    packages = rb"[^\s()]*/site-packages/"
    data = re.sub(packages, b"site-packages/", getattr(ran, sample.get("stream", "stderr")))
    if sample["file"].endswith(".zst"):
        return zstandard.ZstdCompressor(level=19).compress(data)
    return data


def _truncated(data: bytes) -> bytes:
    return data[: data.rindex(b"util.return") + 4]


def _truncated_header(data: bytes) -> bytes:
    return data[: data.rindex(b"// -----// IR Dump") + 40]


def _nul(data: bytes) -> bytes:
    place = data.index(b"arith.addf")
    return data[:place] + b"\x00" * 64 + data[place:]


def _invalid_utf8(data: bytes) -> bytes:
    return data.replace(b"%arg0", b"%arg\xff\xfe0").replace(b"cse", b"cs\xe9", 1)


def _ansi(data: bytes) -> bytes:
    place = rb"(?m)^(\S+:\d+:\d+: )(warning|note): "
    return re.sub(place, b"\x1b[1m\\1\x1b[0m\x1b[0;1;35m\\2: \x1b[0m", data)


def _warning_inside(data: bytes) -> bytes:
    """Move the messages into the body before them, after its second line from the end."""
    start = data.index(b"add.mlir:2:8: warning")
    end = data.index(b"// -----// IR Dump", start)
    place = data.rindex(b"\n  }\n", 0, start) + 1
    return data[:place] + data[start:end] + data[place:start] + data[end:]


def _crash_inside(data: bytes) -> bytes:
    crash = data.index(b"Please report issues")
    return data[: data.rindex(b"util.return", 0, crash) + 4] + data[crash:]


def _mixed(data: bytes) -> bytes:
    """Take the lines of each two snapshots in turns."""
    pieces = [b"// -----// IR" + piece for piece in data.split(b"// -----// IR")[1:]]
    mixed = b""
    for one, two in zip(pieces[::2], pieces[1::2], strict=False):
        lines = [one.splitlines(keepends=True), two.splitlines(keepends=True)]
        for number in range(max(map(len, lines))):
            mixed += b"".join(each[number] for each in lines if number < len(each))
    return mixed


def _preamble(data: bytes) -> bytes:
    return b"$ iree-compile add.mlir 2>&1 | tee dump.txt\n[1/3] Building\n" + data


def _unknown_header(data: bytes) -> bytes:
    second = data.index(b"// -----// IR Dump", 10)
    end = data.index(b"\n", second)
    return data[:second] + b"// -----// IR Dump During <<CSE>> [2031] //----- //" + data[end:]


TWINS: dict[str, Callable[[bytes], bytes]] = {
    "truncated": _truncated,
    "truncated_header": _truncated_header,
    "crlf": lambda data: data.replace(b"\n", b"\r\n"),
    "nul": _nul,
    "invalid_utf8": _invalid_utf8,
    "ansi": _ansi,
    "warning_inside": _warning_inside,
    "crash_inside": _crash_inside,
    "mixed": _mixed,
    "preamble": _preamble,
    "unknown_header": _unknown_header,
    "utf16": lambda data: data.decode().encode("utf-16"),
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
