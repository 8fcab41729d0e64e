"""A record as tables, the same in every run."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from iree_layers.compile import build, program
from iree_layers.execute import Record
from iree_layers.execute import record as recorded
from iree_layers.show import record
from iree_layers.show.page import page
from iree_layers.show.text import COLUMNS, LINES

T = "tensor<64x64xf32>"
DIAMOND = f"""\
func.func @diamond(%a: {T}, %b: {T}, %c: {T}) -> {T} {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {T}
  %init = linalg.fill ins(%zero : f32) outs(%empty : {T}) -> {T}
  %left = linalg.matmul ins(%a, %b : {T}, {T}) outs(%init : {T}) -> {T}
  %right = linalg.matmul ins(%a, %c : {T}, {T}) outs(%init : {T}) -> {T}
  %join = linalg.matmul ins(%left, %right : {T}, {T}) outs(%init : {T}) -> {T}
  return %join : {T}
}}
"""


@pytest.fixture(scope="module")
def runs() -> list[Record]:
    built = build(program(DIAMOND, name="diamond"))
    one = np.ones((64, 64), np.float32)
    return [recorded(built, None, one, one, one) for _ in range(2)]


def test_the_table_has_order_group_name_workgroups_and_bytes(runs: list[Record]) -> None:
    lines = record(runs[0]).text.split("\n")
    assert lines[0].startswith("diamond on local-task: 3 dispatches, 2 groups")
    assert lines[2].split() == "# sub group command workgroups bytes operands uses".split()
    rows = [re.split(r" {2,}", line.strip()) for line in lines[4:7]]
    name = "diamond_dispatch_0_matmul_64x64x64_f32"
    assert [row[:6] for row in rows] == [
        ["0", "2", "0", name, "8x1x1", "65,536"],
        ["1", "2", "0", name, "8x1x1", "65,536"],
        ["2", "2", "1", name, "8x1x1", "81,920"],
    ]
    assert rows[0][7] == "given 0[0+16384], given 1[0+16384], alloc 1[0+32768]"
    assert lines[-1] == "most bytes at one time: 49,152"
    assert "allocation 1  32,768  submission 1  submission 3" in lines


def test_two_runs_look_the_same_until_times_are_asked_for(runs: list[Record]) -> None:
    one, two = (record(run) for run in runs)
    assert one == two
    assert "µs" not in one.text + one.html
    timed = record(runs[0], times=True)
    assert "µs" in timed.text
    assert "µs" in timed.html
    assert all(re.search(r"\d\.\d ", line) for line in timed.text.split("\n")[4:7])
    assert max(map(len, timed.text.split("\n"))) <= COLUMNS


def test_the_page_has_the_same_rows(runs: list[Record]) -> None:
    html = record(runs[0]).html
    assert html.count("<table>") == 2
    assert html.count("<tr>") == 2 + 3 + 2
    assert html.count("<td>diamond_dispatch_0_matmul_64x64x64_f32") == 3
    assert "allocation 1[0+32768]" in html
    assert "<script" not in html


def test_what_is_unknown_is_said_to_be(runs: list[Record]) -> None:
    first = replace(
        runs[0].dispatches[0], name=None, workgroup_count=None, bindings=None, operands=None
    )
    shown = record(replace(runs[0], dispatches=(first,), high_water_bytes=None)).text.split("\n")
    assert shown[4].split() == ["0", "2", "0", "?", "?", "?", "?", "?"]
    assert shown[-1] == "most bytes at one time: this record does not say"


def test_a_long_record_fits_and_says_what_is_missing(runs: list[Record]) -> None:
    one = runs[0].dispatches[0]
    many = tuple(replace(one, order=k, name="n" * 300) for k in range(700))
    allocations = runs[0].allocations * 40
    shown = record(replace(runs[0], dispatches=many, allocations=allocations))
    lines = shown.text.split("\n")
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= COLUMNS
    assert "… 679 more commands" in lines
    assert "… 73 more allocations" in lines
    assert "… 200 more rows" in shown.html


def test_a_call_that_did_nothing(runs: list[Record]) -> None:
    empty = replace(runs[0], dispatches=(), transfers=(), allocations=(), high_water_bytes=0)
    assert record(empty).text.split("\n")[1:] == ["", "most bytes at one time: 0"]
    assert "<table" not in record(empty).html


def test_hostile_names_are_text(runs: list[Record], hostile: str) -> None:
    first = replace(runs[0].dispatches[0], name=hostile, device=hostile)
    shown = record(replace(runs[0], dispatches=(first,), notes=(hostile,), devices=("a", "b")))
    assert "<img" not in shown.html
    assert "<script" not in shown.html
    assert "\x1b" not in shown.text
    shown.html.encode()


@pytest.mark.parametrize("dark", [False, True])
def test_a_browser_can_show_it(runs: list[Record], browse: Callable[..., Any], dark: bool) -> None:
    seen = browse(page([record(runs[0], times=True)], title="record"), wide=900, system_dark=dark)
    assert not seen.errors
    assert seen.worst["contrast"] >= 4.5
