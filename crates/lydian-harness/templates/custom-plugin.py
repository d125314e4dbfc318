"""The method. `lydian plugin check .` says whether it speaks the protocol; see lydian_plugin.py for what it may return."""

from lydian_plugin import serve


def translate(entry, run):
    return entry["source"]


serve("METHOD_ID", translate, version="0.1", max_batch=16, deterministic=True)
