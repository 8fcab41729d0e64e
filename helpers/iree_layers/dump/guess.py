"""Best fit of layers to a dump without phase markers: one made elsewhere, or by other tools.

Every snapshot votes for phases with the namespace of its pass and the dialects in its body; the
phases can only follow one another. Right for about nine snapshots of ten of a real IREE dump
(`tests/dump/test_layers.py` measures it), so what comes out is marked as guessed. A dump with no
sign of IREE gets no layer at all.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ..compile.phases import PHASES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .dump import Dump
    from .snapshot import Snapshot

__all__ = ["fit", "fit_offset"]

# Namespaces of pass arguments (`iree-stream-schedule-execution`), and the phases they speak for.
# A best fit only; IREE runs some of them elsewhere too.
_NAMESPACES: tuple[tuple[str, dict[str, float]], ...] = (
    ("torch-", {"input": 2}),
    ("iree-torch-", {"input": 2}),
    ("iree-stablehlo-", {"input": 2}),
    ("iree-tosa-", {"input": 2}),
    ("iree-auto-input-", {"input": 2}),
    ("iree-import-", {"input": 2}),
    ("iree-input-", {"input": 2}),
    ("iree-abi-", {"abi": 3}),
    ("iree-preprocessing-", {"preprocessing": 3}),
    ("iree-global-opt-", {"global-optimization": 2}),
    ("iree-consteval-", {"global-optimization": 2}),
    ("iree-dispatch-creation-", {"dispatch-creation": 2}),
    ("iree-flow-", {"dispatch-creation": 0.5, "flow": 1}),
    ("iree-stream-", {"stream": 3}),
    ("iree-codegen-", {"executable-configurations": 2, "executable-targets": 2}),
    ("iree-llvm", {"executable-configurations": 1, "executable-targets": 2}),
    ("iree-spirv-", {"executable-configurations": 1, "executable-targets": 2}),
    ("iree-rocdl-", {"executable-configurations": 1, "executable-targets": 2}),
    ("iree-vmvx-", {"executable-configurations": 1, "executable-targets": 2}),
    ("spirv-", {"executable-targets": 1}),
    ("iree-hal-", {"hal": 1}),
    ("iree-vm-", {"vm": 3}),
)

# Text in a body, for a whole program or a function of it, strongest sign first.
_PROGRAM_SIGNS: tuple[tuple[re.Pattern[bytes], dict[str, float]], ...] = (
    #   vm.module public @module {      as the root or in the outer module; deeper: vmvx  (3.13)
    (re.compile(rb"(?:\A|\n) {0,2}vm\.(?:module|func|initializer)\b"), {"vm": 3}),
    #   hal.device.queue.execute<%device…   hal.command_buffer.dispatch<%cmd…
    (re.compile(rb"\bhal\.(?:device\.queue|command_buffer|device\.memoize)\b"), {"hal": 3}),
    #   hal.executable private @mlp_dispatch_0 {          beside stream.cmd: not yet in `hal`
    (
        re.compile(rb"\bhal\.executable (?:private|public)"),
        {"executable-sources": 1.5, "executable-configurations": 1.5, "executable-targets": 1.5},
    ),
    #   stream.cmd.dispatch @…   %0 = stream.resource.size…   stream.executable private @…
    (re.compile(rb"\bstream\.(?:cmd|async|resource|executable|tensor)\b"), {"stream": 2}),
    #   flow.executable private @…   %2 = flow.dispatch @mlp_dispatch_0::@…
    (re.compile(rb"\bflow\.(?:executable\b|dispatch @|dispatch<|tensor)"), {"flow": 2}),
    #   flow.dispatch.region   flow.dispatch.workgroups
    (re.compile(rb"\bflow\.dispatch\."), {"dispatch-creation": 2}),
    #   util.func public @mlp(%arg0: !hal.buffer_view, …
    (
        re.compile(rb"!hal\.buffer_view"),
        {"abi": 1, "preprocessing": 1, "global-optimization": 1, "dispatch-creation": 1},
    ),
)
_CODEGEN_SIGNS: tuple[tuple[re.Pattern[bytes], dict[str, float]], ...] = (
    # attributes {translation_info = #iree_codegen.translation_info<pipeline = …
    (
        re.compile(rb"translation_info|\b(?:memref|llvm|spirv|scf)\.\w"),
        {"executable-targets": 2},
    ),
    (re.compile(rb""), {"executable-configurations": 1.5, "executable-sources": 0.5}),
)
_CODEGEN_ROOTS = ("hal.executable", "func.func", "llvm.func", "spirv.", "gpu.")

# Text that only IREE prints: its passes, or an op of its own dialects at the start of a line.
_IREE_PASS = re.compile(r"iree-(?!opt\b)")
_IREE_OP = re.compile(r"(?:util|flow|stream|hal|vm)\.\w")


def fit(
    dump: Dump,
    segments: Iterable[tuple[int, int, tuple[str, ...]]],
    nested: Sequence[tuple[int, int]] = (),
) -> list[str]:
    """Most likely phase of each snapshot, given which phases each segment may hold.

    Args:
        dump: the dump.
        segments: half-open index ranges that cover it, with their possible phases in order.
        nested: ranges that belong to another compiler run and do not vote.
    """
    votes = _votes(dump, nested)
    names: list[str] = []
    for start, end, phases in segments:
        if len(phases) > 1 and not any(_of_iree(s) for s in dump.snapshots):
            names += ["unknown"] * (end - start)
        elif len(phases) == 1:
            names += [phases[0]] * (end - start)
        else:
            names += _monotone(votes[start:end], phases)
    return names


def fit_offset(
    dump: Dump, ends: Sequence[int], nested: Sequence[tuple[int, int]] = ()
) -> list[str]:
    """Phases for segments whose borders are known but not their names.

    Args:
        dump: the dump.
        ends: index after the last snapshot of each phase, in order.
        nested: ranges that belong to another compiler run and do not vote.
    """
    total = len(dump.snapshots)
    bounds = [0, *ends] if ends and ends[-1] == total else [0, *ends, total]
    spans = list(pairwise(bounds))
    if len(spans) > len(PHASES) + 1:
        return ["unknown"] * total
    votes = _votes(dump, nested)
    sums: list[dict[str, float]] = [{} for _ in spans]
    for total_votes, (start, end) in zip(sums, spans, strict=True):
        for vote in votes[start:end]:
            for phase, weight in vote.items():
                total_votes[phase] = total_votes.get(phase, 0.0) + weight

    def score(offset: int) -> float:
        return sum(v.get(_phase(offset + k), 0.0) for k, v in enumerate(sums))

    best = max(range(max(1, len(PHASES) - len(ends) + 1)), key=score)
    return [_phase(best + k) for k, (start, end) in enumerate(spans) for _ in range(start, end)]


def _phase(number: int) -> str:
    return PHASES[min(number, len(PHASES) - 1)]


def _of_iree(snapshot: Snapshot) -> bool:
    return bool(_IREE_PASS.match(snapshot.header.argument) or _IREE_OP.match(snapshot.op or ""))


def _votes(dump: Dump, nested: Sequence[tuple[int, int]]) -> list[dict[str, float]]:
    silent = {i for start, end in nested for i in range(start, end)}
    bodies: dict[str, dict[str, float]] = {}
    votes: list[dict[str, float]] = []
    for i, snapshot in enumerate(dump.snapshots):
        if i in silent:
            votes.append({})
            continue
        if snapshot.content not in bodies:
            bodies[snapshot.content] = _body_vote(dump, snapshot)
        vote = dict(bodies[snapshot.content])
        for phase, weight in _pass_vote(snapshot.header.argument).items():
            vote[phase] = vote.get(phase, 0.0) + weight
        votes.append(vote)
    return votes


def _pass_vote(argument: str) -> dict[str, float]:
    return next((vote for prefix, vote in _NAMESPACES if argument.startswith(prefix)), {})


def _body_vote(dump: Dump, snapshot: Snapshot) -> dict[str, float]:
    body = dump.source.read(snapshot.body, snapshot.end)
    codegen = (snapshot.op or "").startswith(_CODEGEN_ROOTS) and b"hal." in body
    signs = _CODEGEN_SIGNS if codegen else _PROGRAM_SIGNS
    return next((vote for sign, vote in signs if sign.search(body)), {})


def _monotone(votes: Sequence[dict[str, float]], phases: tuple[str, ...]) -> list[str]:
    """Assignment that never goes back to an earlier phase and collects the most votes."""
    best = [0.0] * len(phases)
    came: list[list[int]] = []
    for vote in votes:
        row, argmax = [], 0
        step = []
        for k, phase in enumerate(phases):
            if best[k] > best[argmax]:
                argmax = k
            row.append(best[argmax] + vote.get(phase, 0.0))
            step.append(argmax)
        best = row
        came.append(step)
    k = max(range(len(phases)), key=best.__getitem__)
    names = []
    for step in reversed(came):
        names.append(phases[k])
        k = step[k]
    return names[::-1]
