"""Exercises whose answer stands in a trace: each check looks it up in the learner's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from iree_layers.dump import Snapshot, Trace
from iree_layers.errors import DumpError
from iree_layers.learn import Verdict, right, wrong
from iree_layers.learn.answer import entries, kind, listed, whole, word, worded

__all__ = ["check_2_1", "check_2_2", "check_2_3", "check_2_7", "check_2_9"]


def _first(t: Trace, words: str) -> Snapshot:
    """The first snapshot with these words."""
    for snapshot in t:
        if snapshot.same_as is None and words in t.text(snapshot):
            return snapshot
    raise _absent(f"no {words} in any snapshot", t)


def _absent(what: str, t: Trace) -> DumpError:
    return DumpError(
        f"{what} of the trace of {t.program.name}",
        expected="t, the trace of mlp.mlir, and g, the same for Vulkan",
        todo="t = trace(mlp, Target.TEXT)",
    )


def _where(snapshot: Snapshot) -> str:
    return f"snapshot {snapshot.index} (after {snapshot.name})"


_COMMAND = "stream.cmd.dispatch"


def check_2_1(answer: object, *, t: Trace) -> Verdict:
    """The pass of the first snapshot that holds the op."""
    first = _first(t, _COMMAND)
    if str(answer).strip().isdigit():
        return wrong("the argument of a pass", f"a number: {answer}", look="t[number].name")
    text = _pass_text(answer)
    name = _argument(text, t)
    if name == first.name:
        return right(f"snapshot {first.index}, {name}", look=f"t.text({first.index}): it has sizes")
    if name:
        found = _not_by(name, first, t)
        return wrong(f"{_COMMAND}, for the first time", found, look="the first hit of find")
    ends = {s.name for s in t if len(text) > 3 and s.name.endswith(f"-{text}")}
    if ends:
        found = f"{text} is only the end of {' and of '.join(sorted(ends))}"
        return wrong("the whole argument of a pass", found, look="what find prints")
    return wrong("a pass of this trace", f"no pass {text!r} in it", look="show.passes(t)")


def _pass_text(answer: object) -> str:
    """A hit, a snapshot, `--iree-x`, `iree-x{options}`, `builtin.module(iree-x)` or a text."""
    text = str(getattr(answer, "name", answer)).strip().strip("`\"'").lstrip("-")
    return text.partition("{")[0].rpartition("(")[2].strip(") ").lower().replace("_", "-")


def _argument(text: str, t: Trace) -> str:
    """The argument of the pass that is meant, by its argument or its class; '' if none is."""
    for snapshot in t:
        of_class = snapshot.header.pass_class.rpartition("::")[2].lower()
        if text and text in (snapshot.name, of_class, of_class.removesuffix("pass")):
            return snapshot.name
    return ""


def _not_by(name: str, first: Snapshot, t: Trace) -> str:
    """What there was after another pass."""
    runs = [snapshot for snapshot in t if snapshot.name == name]
    earlier = [snapshot for snapshot in runs if snapshot.index < first.index]
    if not earlier:
        return f"{_where(runs[0])}: an earlier snapshot has it already"
    if len(earlier) < len(runs):
        return f"{name} runs before and after; when it has the op, another pass made it"
    made = ("stream.tensor.dispatch", "stream.async.execute")
    there = [op for op in made if op in t.text(earlier[-1])]
    return f"{_where(earlier[-1])}: {there[-1] if there else 'no stream op'}, but no {_COMMAND} yet"


_EVENTS = (
    "vm.call",
    "llvm.func",
    "linalg.matmul",
    "hal.tensor.import",
    "stream.timepoint.await",
    "hal.executable.variant",
    "flow.dispatch.workgroups",
    "hal.command_buffer.dispatch",
)


def check_2_2(answer: object, *, t: Trace) -> Verdict:
    """The order in which the ops appear in the trace."""
    given = listed(answer)
    if given is None:
        return wrong("a list of eight names, in order", kind(answer), look="the list in the task")
    names = [str(name).strip() for name in given]
    if problem := next(_not_the_eight(names), None):
        return wrong("the eight of the task, each once", problem, look="the list in the task")
    first = {name: _first(t, name) for name in _EVENTS}
    for one, two in pairwise(names):
        if first[one].index > first[two].index:
            found = "\n".join(f"{name}: {_where(first[name])}" for name in (two, one))
            return wrong(
                "the order of their first snapshots", found, look=f'find(t, "{two}").first'
            )
    places = " → ".join(f"{name} {first[name].index}" for name in names)
    return right(places, look="an op may appear long before the layer of its dialect")


def _not_the_eight(names: list[str]) -> Iterator[str]:
    yield from (f"{name} is not one of them" for name in names if name not in _EVENTS)
    yield from (f"{name} is there twice" for name in names if names.count(name) > 1)
    left_out = [name for name in _EVENTS if name not in names]
    if left_out:
        yield f"{left_out[0]} is missing"


def check_2_3(answer: object, *, t: Trace) -> Verdict:
    """The layer of the first snapshot with the type."""
    first = _first(t, "memref<")
    if str(answer).strip().isdigit():
        return wrong("the name of a layer", f"a number: {answer}", look="t[number].layer")
    text = word(getattr(answer, "layer", answer)).replace("_", "-").replace(" ", "-")
    text = text.removeprefix("phase-")
    if text == first.layer:
        return right(f"{text}, by {first.name}", look="before any tiling has happened")
    if text in {snapshot.name for snapshot in t}:
        return wrong("a layer", f"{text} is a pass", look="the layer of its snapshot")
    if text not in t.layers:
        return wrong("a layer of this trace", f"no layer {text!r}", look="t.layers")
    has_it = any("memref<" in t.text(s) for s in t if s.layer == text)
    if t.layers.index(text) < t.layers.index(first.layer):
        found = f"{text}: no memref< in any of its snapshots yet"
    elif has_it:
        found = f"{text} has it, but an earlier layer has it too"
    else:
        found = f"{text}: no memref< in its snapshots any more, it was there earlier"
    return wrong("the layer of the first hit", found, look='find(t, "memref<")')


# The line of a phase that shows each fact about the result; group 1 is the fact.
_RESULT = {
    "abi": r"= (hal\.tensor\.\w+) %\w+ \"output0\"",
    "stream": r"stream\.timepoint\.await %\w+ => %result : !stream\.resource<(\w+)>",
    "executable-sources": r"binding\((\d)\) .*writeonly",
    "hal": r"%transient_buffer = ([\w.]+)<",
    "vm": r"vm\.call\.variadic @(hal\.buffer_view\.create)\(",
}
_ALONE = {"stream": "only the word in <…>", "executable-sources": "only the number"}


def check_2_7(answer: object, *, t: Trace) -> Verdict:
    """Each fact is read from the trace, by the line that shows it."""
    given = entries(answer)
    if given is None:
        return wrong("a dict with five entries", kind(answer), look="the task")
    missing = [phase for phase in _RESULT if given.get(phase) is None]
    if missing:
        return wrong("all five entries", f"{missing[0]} is missing", look="the task")
    facts = {}
    for phase, pattern in _RESULT.items():
        shown = re.search(pattern, t.phase(phase))
        if shown is None:
            raise _absent(f"no line with the result in phase {phase}", t)
        facts[phase] = shown[1]
        same = worded(given[phase], shown[1]) or str(whole(given[phase])) == shown[1]
        if not same:
            return _other_fact(phase, given[phase], shown[1], t.phase(phase))
    look = "the caller owns the result: nothing is copied on the way out"
    return right(" → ".join(facts.values()), look=look)


def _other_fact(phase: str, given: object, fact: str, text: str) -> Verdict:
    """What a wrong entry is in its phase."""
    place = "what the kernel writes" if phase == "executable-sources" else "the end of @mlp"
    look = f'{place}, in t.phase("{phase}")'
    number = whole(given)
    if worded(given, fact) is None and number is None:
        alone = _ALONE.get(phase, "only the name of the op, but the whole name")
        return wrong(alone, f"{phase}: {given}", look=look)
    if phase == "executable-sources" and number is None:
        return wrong("the number of a binding", f"{phase}: {given}", look=look)
    if phase == "executable-sources":
        used = f"binding({number})" in text
        found = f"binding {number} is one that is only read" if used else f"no binding {number}"
    elif phase == "stream":
        used = f"!stream.resource<{word(given)}>" in text
        found = f"{given} is not the lifetime of {'this' if used else 'any'} resource"
    else:
        used = re.search(rf"(?<![\w.]){re.escape(word(given))}(?![\w.])", text) is not None
        found = f"{given} is there, and does another thing" if used else f"{given} is not in it"
    return wrong("what the line of the result says", f"{phase}: {found}", look=look)


def check_2_9(answer: object, *, t: Trace, g: Trace) -> Verdict:
    """The pipelines that the compiler wrote into both traces."""
    given = entries(answer)
    if given is None or set(given) != {"t", "g"}:
        found = kind(answer) if given is None else f"{sorted(map(str, given))}"
        return wrong("a dict with both t and g", found, look="the task")
    chosen = {"t": _pipeline(t), "g": _pipeline(g)}
    if all(worded(given[which], chosen[which]) for which in "tg"):
        return right(f"{chosen['t']} and {chosen['g']}", look="their passes: show.passes(…)")
    if worded(given["t"], chosen["g"]) and worded(given["g"], chosen["t"]):
        return wrong("t is the CPU, g the GPU", "they are swapped", look="t.target, g.target")
    which = next(which for which in "tg" if not worded(given[which], chosen[which]))
    look = f'translation_info in {which}.phase("executable-configurations")'
    if worded(given[which], chosen[which]) is None:
        return wrong("only the word in <…>", f"{which}: {given[which]}", look=look)
    other = chosen["g" if which == "t" else "t"]
    found = f"{which}: {given[which]} is not its pipeline"
    found += ", but that of the other trace" * bool(worded(given[which], other))
    return wrong("the word in <…> after pipeline", found, look=look)


def _pipeline(traced: Trace) -> str:
    #   #translation = #iree_codegen.translation_info<pipeline = #iree_cpu.pipeline<Name>, {…}>
    text = traced.phase("executable-configurations")
    found = re.search(r"translation_info<pipeline = #[\w.]+<(\w+)>", text)
    if found is None:
        raise _absent("no pipeline in phase executable-configurations", traced)
    return found[1]
