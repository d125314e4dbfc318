"""A translation method as a Lydian plugin, protocol 1. Copy this file next to your method; it needs Python 3.8, nothing else.

    from lydian_plugin import serve

    def translate(entry, run):
        return entry["source"][::-1]

    serve("reverse", translate)

`entry` has id, source, context, register, domain; `run` has source_lang, target_lang, seed, params. Return a text, or a
dict with `output` and, if you like, `raw`, `outcome`, `usage`, `steps`. Raise `InvalidInput` for a text the method cannot
translate; any other exception is reported as the method's error for this entry, and the plugin goes on.
Standard output belongs to the protocol: `print` is redirected to standard error.
"""

import json
import sys
import traceback


class InvalidInput(Exception):
    """The method cannot translate this text."""


class TryAgain(Exception):
    """A provider asks to come back later."""

    def __init__(self, message, seconds=1.0):
        super().__init__(message)
        self.seconds = seconds


def serve(method_id, translate, version=None, max_batch=1, max_in_flight=1, deterministic=False, setup=None):
    """Answers the host until it says shutdown or closes the pipe. `setup(run)` is called once before the first entry."""
    capabilities = {
        "max_batch": max_batch,
        "max_in_flight": max_in_flight,
        "order": "input",
        "deterministic": deterministic,
    }

    def answers(message, run):
        for entry in message["entries"]:
            yield {"type": "result", "id": entry["id"], **outcome(translate, entry, run)}

    converse({"id": method_id, "version": version}, capabilities, setup, {"translate": answers})


def serve_scorer(scorer_id, score, version=None, max_batch=1, setup=None):
    """Answers the host with scores. `score(pair, run)` gets a dict with source, output and reference and returns a number
    from 0 (another meaning) to 1 (the same meaning)."""
    capabilities = {"max_batch": max_batch, "deterministic": True, "scores": True}

    def answers(message, run):
        for pair in message["pairs"]:
            try:
                answer = {"score": float(score(pair, run))}
            except Exception as problem:
                traceback.print_exc()
                answer = {"error": f"{type(problem).__name__}: {problem}"}
            yield {"type": "score", "id": pair["id"], **answer}

    converse({"id": scorer_id, "version": version}, capabilities, setup, {"score": answers})


def converse(method, capabilities, setup, work):
    """Speaks the protocol. `work` names, for each kind of request, what yields its answers one by one."""
    wire_in = open(sys.stdin.fileno(), encoding="utf-8", newline="\n", closefd=False)
    wire_out = open(sys.stdout.fileno(), "w", encoding="utf-8", newline="\n", closefd=False)
    sys.stdout = sys.stderr

    def say(message):
        wire_out.write(json.dumps(message, ensure_ascii=False) + "\n")
        wire_out.flush()

    run = {}
    for line in wire_in:
        message = json.loads(line)
        kind, request = message.get("type"), message.get("req")
        if kind == "hello":
            run, health = message["run"], "ok"
            try:
                if setup:
                    setup(run)
            except Exception as problem:
                traceback.print_exc()
                health = str(problem) or type(problem).__name__
            say({"type": "hello", "protocol": 1, "method": method, "capabilities": capabilities, "health": health})
        elif kind in work:
            for answer in work[kind](message, run):
                say({**answer, "req": request})
            say({"type": "done", "req": request})
        elif kind == "ping":
            say({"type": "pong", "req": request})
        elif kind == "shutdown":
            return


def outcome(translate, entry, run):
    """Returns the fields of a result, whatever the method does."""
    try:
        answer = translate(entry, run)
    except InvalidInput as problem:
        return {"error": {"kind": "invalid_input", "message": str(problem)}}
    except TryAgain as problem:
        retry = {"retryable": True, "retry_after_s": problem.seconds}
        return {"error": {"kind": "rate_limited", "message": str(problem), **retry}}
    except Exception as problem:
        traceback.print_exc()
        return {"error": {"kind": "method", "message": f"{type(problem).__name__}: {problem}"}}
    return answer if isinstance(answer, dict) else {"output": str(answer)}
