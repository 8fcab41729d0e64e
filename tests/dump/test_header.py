"""Header lines of both grammars, as real compilers printed them, and lines of neither."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.dump.header import PREFIX, UNKNOWN, continued, parse_header
from iree_layers.dump.snapshot import Header

CANONICALIZE = (
    "{cse-between-iterations=false    max-iterations=10 max-num-rewrites=-1 "
    "region-simplify=normal test-convergence=false top-down=true}"
)
LEGAL_OPS = "{backend-legal-ops={aten.flatten.using_ints,aten.unflatten.int } extra-library=}"
PROPAGATE = "mlir::iree_compiler::IREE::HAL::(anonymous namespace)::PropagateExecutableTargetPass"
ADAPTOR = "mlir::iree_compiler::detail::OpPipelineAdaptorPass"
WEIRD = "weird // -----// IR Dump After X: y //----- //"


def header(
    pass_class: str,
    argument: str,
    options: str = "",
    *,
    when: str = "After",
    failed: bool = False,
    op: str | None = None,
    symbol: str | None = None,
) -> Header:
    return Header(when, pass_class, argument, options, failed, op, symbol)  # type: ignore[arg-type]


# The part between `IR Dump ` and ` //----- //`, each with the compiler that printed it.
KNOWN = {
    # IREE 3.13
    "After CSEPass: cse": header("CSEPass", "cse"),
    "Before CSEPass: cse": header("CSEPass", "cse", when="Before"),
    f"After CanonicalizerPass: canonicalize{CANONICALIZE}": header(
        "CanonicalizerPass", "canonicalize", CANONICALIZE
    ),
    f"After {ADAPTOR}: iree-op-pipeline-adaptor": header(ADAPTOR, "iree-op-pipeline-adaptor"),
    f"After {PROPAGATE}: iree-vulkan-spirv-propagate-executable-target": header(
        PROPAGATE, "iree-vulkan-spirv-propagate-executable-target"
    ),
    f"After DecomposeComplexOps: torch-decompose-complex-ops{LEGAL_OPS}": header(
        "DecomposeComplexOps", "torch-decompose-complex-ops", LEGAL_OPS
    ),
    "After ReduceOpVariants Failed: torch-reduce-op-variants{extra-library=}": header(
        "ReduceOpVariants", "torch-reduce-op-variants", "{extra-library=}", failed=True
    ),
    "After CSEPass: cse ('util.func' operation: @mm)": header(
        "CSEPass", "cse", op="util.func", symbol="mm"
    ),
    "After CSEPass: cse ('util.initializer' operation)": header(
        "CSEPass", "cse", op="util.initializer"
    ),
    f"After CSEPass: cse ('func.func' operation: @{WEIRD})": header(
        "CSEPass", "cse", op="func.func", symbol=WEIRD
    ),
    "After CSEPass: cse ('func.func' operation: @a::b ('x.y' operation: @z))": header(
        "CSEPass", "cse", op="func.func", symbol="a::b ('x.y' operation: @z)"
    ),
    "After CSEPass: cse ('func.func' operation: @a$b.c)": header(
        "CSEPass", "cse", op="func.func", symbol="a$b.c"
    ),
    "After CSEPass: cse ('func.func' operation: @say \"hi\")": header(
        "CSEPass", "cse", op="func.func", symbol='say "hi"'
    ),
    # MLIR PR #195198
    "Before FooPass: foo{a=1    b=x c={p,q} } ('func.func' operation: @f)": header(
        "FooPass", "foo", "{a=1    b=x c={p,q} }", when="Before", op="func.func", symbol="f"
    ),
    "After (anonymous namespace)::Foo: unknown<(anonymous namespace)::Foo>": header(
        "(anonymous namespace)::Foo", "unknown<(anonymous namespace)::Foo>"
    ),
    # IREE 3.9
    "After CSE (cse)": header("CSE", "cse"),
    "After ReduceOpVariants Failed (torch-reduce-op-variants)": header(
        "ReduceOpVariants", "torch-reduce-op-variants", failed=True
    ),
    "After CSE (cse) ('util.func' operation: @f)": header("CSE", "cse", op="util.func", symbol="f"),
    "Before mlir::(anonymous namespace)::Foo Failed (foo) ('builtin.module' operation)": header(
        "mlir::(anonymous namespace)::Foo", "foo", when="Before", failed=True, op="builtin.module"
    ),
    # MLIR of 2021
    "After Canonicalizer": header("Canonicalizer", ""),
    "After Canonicalizer Failed ('func' operation: @f)": header(
        "Canonicalizer", "", failed=True, op="func", symbol="f"
    ),
}


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
@pytest.mark.parametrize("text", KNOWN)
def test_known_forms(text: str, end: str) -> None:
    line = PREFIX + f"{text} //----- //{end}".encode()
    assert parse_header(line) == KNOWN[text]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "// -----// IR Dump ",
        "// -----// IR Dump //----- //",
        "// -----// IR Dump After CSEPass: cs",  # cut off
        "// -----// IR Dump After CSEPass: cse //-----",
        "// -----// IR Dump During CSEPass: cse //----- //",
        "// -----// IR Dump AfterCSEPass: cse //----- //",
        "// -----// IR Dump After CSEPass: cse{a=1 //----- //",
        "// -----// IR Dump After CSEPass: cse} //----- //",
        "// -----// IR Dump After : cse //----- //",
        "// -----// IR Dump After CSE [cse] //----- //",
        "// -----// IR Dump After Evil: evil //----- //) //----- //",
        "// *** IR Dump After CSE ***",
        " // -----// IR Dump After CSEPass: cse //----- //",
    ],
)
def test_other_forms_are_unknown(line: str) -> None:
    assert parse_header(line.encode()) == UNKNOWN


def test_pipeline_is_what_the_compiler_takes() -> None:
    line = PREFIX + f"After CanonicalizerPass: canonicalize{CANONICALIZE} //----- //\n".encode()
    assert parse_header(line).pipeline == f"canonicalize{CANONICALIZE}"


def test_symbol_that_is_not_utf8_is_kept_readable() -> None:
    line = PREFIX + b"After CSEPass: cse ('func.func' operation: @a\xffb) //----- //\n"
    assert parse_header(line).symbol == "a\ufffdb"


@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    assert parse_header(data) == UNKNOWN or data.startswith(PREFIX)
    parse_header(PREFIX + data)
    parse_header(PREFIX + b"After " + data + b" //----- //")


names = st.from_regex(r"[A-Za-z]\w*(::\w+){0,2}", fullmatch=True)
arguments = st.from_regex(r"[a-z][a-z0-9.\-]*", fullmatch=True)
options = st.from_regex(r"(\{[a-z=, ]*(\{[a-z,]*\})?[a-z=, ]*\})?", fullmatch=True)
symbols = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), min_size=1)


@given(names, arguments, options, st.booleans(), st.none() | symbols, st.booleans())
def test_what_is_printed_is_read(
    name: str, argument: str, text: str, failed: bool, symbol: str | None, new: bool
) -> None:
    mark = " Failed" if failed else ""
    anchor = f" ('func.func' operation: @{symbol})" if symbol else ""
    middle = f": {argument}{text}" if new else f" ({argument})"
    line = f"// -----// IR Dump After {name}{mark}{middle}{anchor} //----- //\n"
    assert parse_header(line.encode()) == header(
        name,
        argument,
        text if new else "",
        failed=failed,
        op="func.func" if symbol else None,
        symbol=symbol,
    )


def test_a_newline_in_a_symbol_breaks_the_line() -> None:
    first = b"// -----// IR Dump After CSEPass: cse ('util.func' operation: @two\n"
    whole = first + b"lines) //----- //\n"
    assert parse_header(first) == UNKNOWN
    assert continued(whole + b"module {\n", len(first)) == len(whole)
    assert parse_header(whole).symbol == "two\nlines"


@pytest.mark.parametrize(
    "rest",
    [
        b"",
        b"module {\n",
        # Another header in between: which is true cannot be told, so neither is believed.
        b"// -----// IR Dump After Evil: evil //----- //) //----- //\n",
    ],
)
def test_a_broken_header_is_not_joined_with_anything_else(rest: bytes) -> None:
    first = b"// -----// IR Dump After CSEPass: cse ('util.func' operation: @two\n"
    assert continued(first + rest, len(first)) == 0


def test_every_header_of_the_samples_is_understood(samples: Path) -> None:
    """Both compilers' dumps; the one sample with a broken line is counted."""
    broken = []
    files = [each for each in (samples / "dumps").glob("*.txt") if "twin" not in each.name]
    for file in files:
        lines = [each for each in file.read_bytes().splitlines() if each.startswith(PREFIX)]
        broken += [file.name for each in lines if parse_header(each).when is None]
    assert len(files) > 10
    assert broken == ["symbols.txt"]
