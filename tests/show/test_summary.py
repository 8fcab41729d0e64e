from __future__ import annotations

from iree_layers.dump.dump import open_dump
from iree_layers.dump.index import index
from iree_layers.dump.layers import assign
from iree_layers.dump.source import MemorySource
from iree_layers.dump.trace import Trace
from iree_layers.show.strip import strip
from iree_layers.show.summary import summary

FAILED = b"""\
// -----// IR Dump After Foo Failed (foo) //----- //
func.func @f() {
  return
}
"""


def test_a_trace_is_counted_and_its_layers_are_shown(mlp: Trace) -> None:
    lines = summary(mlp).text.split("\n")
    assert lines[0].startswith(f"mlp for {mlp.target.name}: {len(mlp)} snapshots, ")
    assert lines[0].endswith(f"{mlp.dump.size:,} bytes")
    assert "\n".join(lines[2:]) == strip(mlp).text
    assert len(lines) <= 40


def test_what_failed_is_said_first() -> None:
    text = summary(assign(open_dump(FAILED))).text
    assert text.split("\n")[1].startswith("failed: foo in ")


def test_what_is_no_dump_is_said_so() -> None:
    text = summary(index(MemorySource(b"hello\n"))).text
    assert "no snapshots" in text
    assert "6 bytes" in text


def test_hostile_names_are_text(hostile: str) -> None:
    dump = assign(index(MemorySource(FAILED.replace(b"foo", b"fo\x1b[31mo")), origin=hostile))
    text = summary(dump).text
    text.encode()
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert max(map(len, text.split("\n"))) <= 150
