from __future__ import annotations

import contextlib
import dataclasses
import string
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.compile.program import Program, from_source, program, safe_name
from iree_layers.compile.toolchain import run_tool
from iree_layers.errors import ProgramError, ToolMissing

DOUBLE = """\
func.func @double(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
MUTABLE = """\
func.func @main(%state: !torch.tensor<[3],f32>, %x: !torch.vtensor<[3],f32>) {
  torch.overwrite.tensor.contents %x overwrites %state
    : !torch.vtensor<[3],f32>, !torch.tensor<[3],f32>
  return
}
"""
ASYNC_OFF = "--iree-torch-emit-async-entry-points=false"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bytecode(folder: Path, text: str) -> bytes:
    (folder / "in.mlir").write_text(text)
    run_tool("iree-opt", "in.mlir", "--emit-bytecode", "-o", "out.mlirbc", cwd=folder)
    return (folder / "out.mlirbc").read_bytes()


# --- MLIR -----------------------------------------------------------------------------------------


def test_text_is_kept_byte_for_byte() -> None:
    crlf = DOUBLE.replace("\n", "\r\n")
    assert program(crlf).source == crlf.encode()
    assert program(crlf).text == crlf
    assert program(DOUBLE).road == "mlir"
    assert program(DOUBLE).file_name == "program.mlir"


@pytest.mark.parametrize(
    "text",
    [
        "module { }",
        DOUBLE.replace("\n", " "),
        '"foo.bar"() : () -> ()',
        "// a note\n\n#map = affine_map<(d0) -> (d0)>\nmodule {\n}\n",
        "util.func private @f() { util.return }",
        "vm.module public @m { }",
        "hal.executable private @x { }",
        "%0 = arith.constant 1 : i32",
    ],
)
def test_one_line_ir_is_ir(text: str, here: Path) -> None:
    assert program(text).source == text.encode()


def test_file_by_content_whatever_the_suffix(here: Path) -> None:
    data = bytecode(here, DOUBLE)
    for name, source, road in (
        ("a.mlir", DOUBLE.encode(), "mlir"),
        ("b.mlir", data, "bytecode"),
        ("c.mlirbc", data, "bytecode"),
        ("d.txt", DOUBLE.encode(), "mlir"),
        ("plain", DOUBLE.encode(), "mlir"),
    ):
        (here / name).write_bytes(source)
        for given_as in (name, Path(name), here / name):
            found = program(given_as)
            assert (found.source, found.road, found.name) == (source, road, Path(name).stem)


def test_bytecode_has_text(here: Path) -> None:
    found = program(bytecode(here, DOUBLE))
    assert "arith.addf" in found.text
    assert found.text.endswith("}\n")
    assert found.source.startswith(b"ML\xefR")


def test_name_is_the_module_symbol_or_given() -> None:
    assert program("module @digits-v2 {\n}\n").name == "digits_v2"
    assert program("// first\nmodule @mlp attributes {a = 1 : i32} {\n}\n").name == "mlp"
    assert program(DOUBLE, name="../My net!").name == "My_net"


def test_program_is_returned_and_renamed() -> None:
    first = program(DOUBLE, name="a")
    assert program(first) is first
    assert program(first, name="b") == dataclasses.replace(first, name="b")


def test_renaming_keeps_commands_true() -> None:
    first = Program("a", b"", "onnx", commands=("iree-import-onnx m.onnx -o a.mlir",))
    assert program(first, name="b").commands == ("iree-import-onnx m.onnx -o b.mlir",)


def test_repr_is_short_and_holds_no_ir() -> None:
    assert repr(program(DOUBLE)) == f"Program(program: mlir, {len(DOUBLE)} bytes)"


def test_elided_source_is_seen() -> None:
    cut = "%0 = arith.constant dense_resource<__elided__> : tensor<9xf32>"
    assert program(cut).elided
    assert not program(DOUBLE).elided


def test_torch_dialect_loses_its_async_twin_unless_it_changes_tensors(here: Path) -> None:
    plain = "func.func @main(%x: !torch.vtensor<[3],f32>) {\n  return\n}\n"
    assert program(plain).flags == (ASYNC_OFF,)
    assert program(bytecode(here, plain)).flags == (ASYNC_OFF,)
    assert program(MUTABLE).flags == ()
    assert program(bytecode(here, MUTABLE)).flags == ()
    assert program(DOUBLE).flags == ()


def test_parameters_are_absolute_files(here: Path) -> None:
    (here / "w.irpa").write_bytes(b"IRPA")
    found = program(DOUBLE, parameters={"model": "w.irpa"})
    assert found.parameters == (("model", here.resolve() / "w.irpa"),)
    with pytest.raises(ProgramError, match=r"(?s)scope 'model'.*did you mean .*w\.irpa"):
        program(DOUBLE, parameters={"model": "v.irpa"})


# --- wrong things ---------------------------------------------------------------------------------

WRONG = {
    "empty.mlir": (b"", "empty"),
    "blank.mlir": (b" \n\t\n", "empty"),
    "note.mlir": (b"// only a note\n", "without any MLIR op"),
    "prose.mlir": (b"Dear all,\nsee func in file.txt is nice.\n", "without any MLIR op"),
    "junk.mlir": (bytes(range(256)), "neither text nor MLIR bytecode"),
    "nul.mlir": (DOUBLE.encode() + b"\0", "neither text nor MLIR bytecode"),
    "dump.mlir": (
        b"// -----// IR Dump After CSEPass: cse //----- //\n" + DOUBLE.encode(),
        "this is a dump",
    ),
    "old_dump.txt": (
        b"warning: x\n// -----// IR Dump Before CSE (cse) ('func.func' operation: @f) //----- //\n",
        "this is a dump",
    ),
    "fake.mlir": (b"\x40\0\0\0\x18\0\0\0IREE", "compiled IREE module"),
    "lite.bin": (b"\x1c\0\0\0TFL3", "TensorFlow Lite"),
    "net.pt": (b"PK\x03\x04", "PyTorch file"),
    "net.h5": (b"\x89HDF\r\n", "Keras"),
    "net.pt2": (b"PK\x03\x04", r"torch\.export archive"),
    "net.safetensors": (b"{}", "weights"),
    "net.ipynb": (b"{}", "notebook"),
    "net.vmfb": (b"", "compiled IREE module"),
    "lib.mlir": (b"\x7fELF", "ELF"),
    "net.mlir.gz": (b"\x1f\x8b\x08", "gzip"),
    "net.ll": (b"define void @f() { ret void }", "LLVM IR"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_file_says_what_it_is_and_what_to_do(name: str, here: Path) -> None:
    data, what = WRONG[name]
    (here / name).write_bytes(data)
    with pytest.raises(ProgramError, match=what) as caught:
        program(name)
    assert name in caught.value.found
    assert caught.value.todo


def test_dump_points_to_open(here: Path) -> None:
    with pytest.raises(ProgramError) as caught:
        program("// -----// IR Dump After CSEPass: cse //----- //\n" + DOUBLE)
    assert "iree-layers open" in caught.value.todo


def test_header_text_inside_a_string_is_no_dump() -> None:
    text = 'module attributes {a = "// -----// IR Dump After X"} {\n}\n'
    assert program(text).road == "mlir"


def test_zip_is_a_module_only_with_a_flatbuffer(here: Path) -> None:
    for inside, what in (("module.fb", "compiled IREE module"), ("data.pkl", "zip file")):
        with zipfile.ZipFile("x.mlir", "w") as archive:
            archive.writestr(inside, "x")
        with pytest.raises(ProgramError, match=what):
            program("x.mlir")


def test_folders(here: Path) -> None:
    (here / "phases").mkdir()
    (here / "phases" / "mlp.1.input.mlir").touch()
    (here / "models").mkdir()
    (here / "models" / "a.mlir").touch()
    (here / "none").mkdir()
    for name, what in (
        ("phases", r"(?s)folder of IR files.*iree-layers open"),
        ("models", r"(?s)a folder.*a\.mlir"),
        ("none", "a folder"),
    ):
        with pytest.raises(ProgramError, match=what):
            program(name)


def test_missing_file_names_the_nearest(here: Path) -> None:
    (here / "encoder.mlir").touch()
    with pytest.raises(ProgramError, match=r"(?s)no file encodr\.mlir.*did you mean encoder\.mlir"):
        program("encodr.mlir")
    with pytest.raises(ProgramError, match="no folder nowhere either"):
        program("nowhere/encoder.mlir")
    with pytest.raises(ProgramError, match=r"no file functions\.mlir"):
        program("functions.mlir")


@pytest.mark.parametrize("text", ["what is this", "", "x" * 5000, "a\0b", "func", "a : b"])
def test_neither_file_nor_ir(text: str, here: Path) -> None:
    with pytest.raises(ProgramError, match="neither an existing file nor MLIR text"):
        program(text)


@pytest.mark.parametrize("x", [3, None, ["a.mlir"], object()])
def test_wrong_type(x: object) -> None:
    with pytest.raises(ProgramError, match="cannot make a program of a"):
        program(x)


def test_inputs_belong_to_torch() -> None:
    for options in ({"entry": "f"}, {"dynamic": {"x": {0: "n"}}}):
        with pytest.raises(ProgramError, match="belong to a torch module"):
            program(DOUBLE, **options)
    with pytest.raises(ProgramError, match="belong to a torch module"):
        program(DOUBLE, 1)


@given(st.text(max_size=200))
def test_any_text_is_a_program_or_a_clear_error(text: str) -> None:
    with contextlib.suppress(ProgramError):
        assert from_source(text.encode(errors="surrogatepass")).name


@given(st.binary(max_size=200))
def test_any_bytes_are_a_program_or_a_clear_error(data: bytes) -> None:
    with contextlib.suppress(ProgramError):
        assert program(data).source == data


# --- names ----------------------------------------------------------------------------------------


@given(st.text(max_size=100))
def test_safe_name_is_a_bare_stem(text: str) -> None:
    name = safe_name(text)
    assert set(name) <= set(string.ascii_letters + string.digits + "_")
    assert name[0] not in string.digits
    assert 1 <= len(name) <= 61
    assert safe_name(name) == name


# --- model.py:NAME --------------------------------------------------------------------------------

MODEL = f"""\
from pathlib import Path
from dataclasses import dataclass
import neighbour

@dataclass
class Settings:
    width: "int" = 4

ready = {DOUBLE!r}
def text():
    return ready
def path():
    return Path(neighbour.WHERE)
def broken():
    return 1 / 0
def needs(size):
    return size
number = 3
def again():
    return "model.py:text"
assert __name__ != "__main__"
"""


@pytest.fixture
def model(here: Path) -> Path:
    (here / "model.py").write_text(MODEL)
    (here / "neighbour.py").write_text("WHERE = 'net.mlir'\n")
    (here / "net.mlir").write_text(DOUBLE)
    return here / "model.py"


def test_name_in_a_python_file(model: Path) -> None:
    for name in ("ready", "text", "path"):
        for spot in (f"model.py:{name}", f"{model}:{name}"):
            found = program(spot)
            assert (found.name, found.source) == (name, DOUBLE.encode())


def test_python_file_is_read_anew(model: Path) -> None:
    assert program("model.py:ready").source == DOUBLE.encode()
    model.write_text("ready = 'module @second { }'\n")
    assert program("model.py:ready").source == b"module @second { }"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("redy", r"(?s)no name 'redy'.*did you mean model\.py:ready"),
        ("zzz", r"(?s)no name 'zzz'.*it has .*ready"),
        ("broken", r"raised ZeroDivisionError: division by zero \(model\.py line 15\)"),
        ("needs", "cannot be called without arguments"),
        ("number", "is a int, which is no program"),
        ("again", "leads on to model.py:text"),
    ],
)
def test_wrong_name_in_a_python_file(name: str, message: str, model: Path) -> None:
    with pytest.raises(ProgramError, match=message):
        program(f"model.py:{name}")


def test_python_file_without_a_name(model: Path) -> None:
    with pytest.raises(ProgramError, match=r"(?s)say which name in it.*model\.py:broken"):
        program(model)


def test_python_file_that_raises(here: Path) -> None:
    (here / "bad.py").write_text("x = 1\nraise ValueError('no')\n")
    with pytest.raises(
        ProgramError, match=r"importing bad\.py raised ValueError: no \(bad\.py line 2\)"
    ):
        program("bad.py:x")
    (here / "syntax.py").write_text("x = 1\ny = = 2\n")
    with pytest.raises(ProgramError, match=r"raised SyntaxError: .*\(line 2\)"):
        program("syntax.py:x")
    with pytest.raises(ProgramError, match=r"no file nope\.py"):
        program("nope.py:x")


def test_python_file_that_asks_for_itself(here: Path) -> None:
    (here / "loop.py").write_text(
        "from iree_layers.compile.program import program\nx = program('loop.py:x')\n"
    )
    with pytest.raises(ProgramError, match="asks for a name in itself"):
        program("loop.py:x")


# --- ONNX -----------------------------------------------------------------------------------------


def test_onnx_without_the_package(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "my net.onnx").write_bytes(b"\x08\x09")
    broken = here / "site" / "onnx"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise ModuleNotFoundError('No module named onnx')\n")
    monkeypatch.setenv("PYTHONPATH", str(broken.parent))
    with pytest.raises(ToolMissing) as caught:
        program("my net.onnx")
    assert caught.value.todo == "pip install 'iree-layers[onnx]'"
    assert caught.value.command == "iree-import-onnx 'my net.onnx' -o my_net.mlir"


def test_onnx_model(here: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="pip install 'iree-layers[onnx]'")
    value = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Relu", ["x"], ["y"])],
        "tiny",
        [value("x", 1, [2, 4])],
        [value("y", 1, [2, 4])],
    )
    opset = [onnx.helper.make_opsetid("", 17)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=opset, ir_version=9), "net.onnx")
    found = program("net.onnx")
    assert (found.road, found.name, found.flags) == ("onnx", "net", (ASYNC_OFF,))
    assert "func.func @tiny" in found.text
    assert found.commands == ("iree-import-onnx net.onnx -o net.mlir",)
    (here / "bad.onnx").write_bytes((here / "net.onnx").read_bytes()[:40])
    with pytest.raises(ProgramError, match="the ONNX importer refuses it"):
        program("bad.onnx")
