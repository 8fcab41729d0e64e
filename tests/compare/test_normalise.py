import pytest
from hypothesis import given
from hypothesis import strategies as st

from iree_layers.compare.normalise import ALL, aliases, expand, mask, normalise

# Lines as iree-compile 3.13 prints them.
ADD = "    %19 = arith.addf %in, %cst_0 : f32"
BRANCH = "    cf.cond_br %5, ^bb1(%c0 : index), ^bb3"
LOCATED = (
    '    %3 = arith.addf %1, %2 : f32 loc(callsite("f(x"("m.mlir":3:5) at fused["a\\")", #loc2]))'
)
ARGUMENT = '  func.func @f(%arg0: f32 loc("m.mlir":1:12), %arg1: f32 loc(#loc1)) -> f32 {'
HEX = '  %cst = arith.constant dense<"0x0000803F00000040"> : tensor<2xf32>'
MODULE = """\
#map = affine_map<(d0) -> (d0)>
#layout = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>
#target = #hal.executable.target<"llvm-cpu", {layout = #layout}>
module {
  hal.executable.variant public @v target(#target) {
    "x"() {map = #map, map1 = #map1} : () -> ()
  }
}"""


def test_names_are_blanked_and_counted():
    found = normalise(f"{ADD}\n{BRANCH}", {"ssa"})
    assert found.lines == (
        "    % = arith.addf %, % : f32",
        "    cf.cond_br %, ^bb(% : index), ^bb",
    )
    assert found.hidden == {"ssa": 7}


def test_result_numbers_and_counts_stay():
    assert mask("%0:2 = f %7#1, %7#0", ("ssa",)) == "%:2 = f %#1, %#0"


def test_locations_go_with_nested_brackets_and_strings():
    assert normalise(LOCATED, {"location"}).lines == ("    %3 = arith.addf %1, %2 : f32",)
    assert normalise(ARGUMENT, {"location"}).lines == (
        "  func.func @f(%arg0: f32, %arg1: f32) -> f32 {",
    )
    assert normalise(ARGUMENT, {"location"}).hidden == {"location": 2}


def test_a_location_cut_off_stays():
    cut = '  %0 = f loc("m.mlir":3'
    assert normalise(cut).lines == ('  % = f loc("m.mlir":3',)


def test_lines_that_define_locations_are_gone():
    text = '#loc1 = loc("m.mlir":1:1)\nmodule {\n} loc(#loc1)\n#loc = loc(unknown)'
    assert normalise(text).lines == ("module {", "}")


@pytest.mark.parametrize(
    ("line", "left"),
    [
        (HEX, "  % = arith.constant dense<…> : tensor<2xf32>"),
        ("x = dense<__elided__> : tensor<9xi8>", "x = dense<…> : tensor<9xi8>"),
        ("x = dense_resource<__elided__> : vector<9xi8>", "x = dense<…> : vector<9xi8>"),
        ("x = dense_resource<weights> : t", "x = dense_resource<weights> : t"),
        ('  w: "0x040000000000803F0000"', '  w: "0x…"'),
        ("x = dense<1.0> : t", "x = dense<1.0> : t"),
    ],
)
def test_payloads(line, left):
    assert normalise(line).lines == (left,)


def test_aliases_are_spelled_out_through_others():
    table = aliases(MODULE.split("\n"))
    assert table["#target"].count("storage_buffer") == 1
    text = expand(MODULE)
    assert "#target" not in text
    assert "map = affine_map<(d0) -> (d0)>, map1 = #map1" in text, "#map1 is another name"
    assert not text.startswith("#")


def test_what_the_printer_leaves_out_beside_an_alias_does_not_count():
    short = 'hal.executable.variant public @v target(<"llvm-cpu", {}>) {'
    long = 'hal.executable.variant public @v target(#hal.executable.target<"llvm-cpu", {}>) {'
    assert normalise(short).lines == normalise(long).lines
    assert normalise(short, {"ssa"}).lines != normalise(long, {"ssa"}).lines


@pytest.mark.parametrize("rule", ALL)
def test_a_rule_that_is_off_hides_nothing(rule):
    text = f"{MODULE}\n{LOCATED}\n{HEX}"
    without = normalise(text, [other for other in ALL if other != rule])
    assert rule not in without.hidden
    assert without.lines != normalise(text).lines


def test_no_rules_no_change():
    assert normalise(MODULE, ()).lines == tuple(MODULE.split("\n"))
    assert str(normalise(MODULE, ())) == "8 lines (hidden: nothing)"


LINES = st.text(st.sampled_from('%^b#a1 :=()"\\loc<>\n,{}x0'), max_size=60)


@given(LINES)
def test_masking_keeps_the_lines_apart(text):
    assert mask(text).count("\n") == text.count("\n")


@given(LINES)
def test_normalising_twice_changes_nothing_more(text):
    once = "\n".join(normalise(text, {"ssa", "payload"}).lines)
    assert "\n".join(normalise(once, {"ssa", "payload"}).lines) == once


def test_real_snapshots_lose_only_names(mlp):
    for snapshot in mlp.dump[::50]:
        text = mlp.text(snapshot)
        found = normalise(text, {"ssa"})
        assert len(found.lines) == text.count("\n") + 1
        assert found.hidden["ssa"] >= text.count(" = ") // 2


COMPOSITE = """\
#composite_of_64b = #util.composite<64xi8, [
    dense<0> : vector<16xi8>,
    dense<1> : vector<48xi8>,
]>
#map = affine_map<(d0) -> (d0)>
module {
  util.global private @c = #composite_of_64b
}"""


def test_an_alias_of_several_lines():
    table = aliases(COMPOSITE.split("\n"))
    assert list(table) == ["#composite_of_64b", "#map"]
    assert table["#composite_of_64b"].endswith("dense<1> : vector<48xi8>, ]>")
    assert expand(COMPOSITE).split("\n")[0] == "module {"
    assert len(normalise(COMPOSITE).lines) == 3
