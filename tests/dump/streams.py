"""Streams that look like a compiler's stderr, and what is done to them on the way to a file."""

from __future__ import annotations

import re

from hypothesis import strategies as st

WARNING = b"""t.mlir:2:8: warning: while creating CPU target:
Defaulting to a generic CPU.

1. With command-line flags:
    --iree-llvmcpu-target-cpu=...

  %0 = arith.addf %a, %b : tensor<4xf32>
       ^
"""
REMARK = b"<unknown>:0: remark: vectorized\n"
TIMING = b"""===-----------------------------===
                         ... Execution time report ...
===-----------------------------===
  Total Execution Time: 0.0025 seconds
"""
CRASH = b"""Please report issues to https://github.com/iree-org/iree/issues and include it.
Stack dump:
0.\tProgram arguments: iree-compile t.mlir
 #0 0x00007f3d74f5a0ab llvm::sys::PrintStackTrace(llvm::raw_ostream&, int)
"""

headers = st.sampled_from(
    [
        b"// -----// IR Dump After CSEPass: cse //----- //\n",
        b"// -----// IR Dump After CSE (cse) //----- //\n",
        b"// -----// IR Dump Before CanonicalizerPass: canonicalize{a={b,c}   d=1} //----- //\n",
        b"// -----// IR Dump After CSEPass: cse ('util.func' operation: @f) //----- //\n",
        b"// -----// IR Dump After Foo Failed: foo //----- //\n",
        b"// -----// IR Dump Whatever\n",
    ]
)
lines = st.sampled_from(
    [
        b"  %0 = arith.addf %a, %b : tensor<4xf32>\n",
        b'  util.global @s = "// -----// IR Dump After X: x //----- //"\n',
        b'  vm.cond_fail %c18, "HAL device <"local", [{"\n',
        b'  "\\0A// -----// IR Dump After X: x //----- //"\n',
        b"^bb1(%1: i32):\n",
    ]
)
roots = st.sampled_from(
    [b"module {\n", b"util.func public @f() {\n", b"#map = affine_map<()>\nmodule @m {\n"]
)
bodies = st.builds(
    lambda root, inner, end: root + b"".join(inner) + b"}\n" + end,
    roots,
    st.lists(lines, max_size=6),
    st.sampled_from([b"\n", b"\n\n"]),
)
noise = st.sampled_from([b"", b"", b"", WARNING, REMARK, WARNING + REMARK, TIMING])
snapshots = st.builds(lambda *parts: b"".join(parts), headers, bodies, noise)
streams = st.builds(
    lambda start, middle, end: start + b"".join(middle) + end,
    st.sampled_from([b"", b"$ iree-compile t.mlir\n", b"\xef\xbb\xbf", WARNING]),
    st.lists(snapshots, max_size=8),
    st.sampled_from([b"", CRASH, TIMING]),
)

mutilations = st.one_of(
    st.integers(0, 4000).map(lambda at: lambda data: data[: at % (len(data) + 1)]),
    st.just(lambda data: data.replace(b"\n", b"\r\n")),
    st.just(lambda data: data.replace(b"\n", b"\r")),
    st.tuples(
        st.integers(0, 4000),
        st.sampled_from([b"\x00", b"\xff\xfe\x80", b"\x1b[1m", b"\n", b"//", b"}\n\n", CRASH]),
    ).map(lambda at: lambda data: data[: at[0] % (len(data) + 1)] + at[1] + data[at[0] :]),
    st.just(lambda data: re.sub(rb"(?m)^(t\.mlir\S*)", b"\x1b[1m\\1\x1b[0m", data)),
    st.just(lambda data: data.replace(b"\n\n", b"\n")),
    st.just(lambda data: b"".join(data.splitlines(keepends=True)[::-1])),
)


def mutilated(data: bytes, changes: list) -> bytes:
    for change in changes:
        data = change(data)
    return data


any_stream = st.builds(mutilated, streams, st.lists(mutilations, max_size=3)) | st.binary(
    max_size=400
)
