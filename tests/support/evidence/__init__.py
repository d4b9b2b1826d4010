"""Kept evidence: what the product saw of real systems, before, during and after each fault, with proof that it was so.

A *shape* is a kind of lab (`tests/live/SHAPE/scenes.py`). A *scene* brings such a lab into states, one after the other,
and leaves it healed. In each state the lab proves by its own means that it is in that state, the product looks, and the
lab proves it again; all of it is kept in `tests/recorded/SHAPE/SCENE/STATE.raw.xz`. Only `make test-live` writes
there. Tests judge what is kept, as `runbook check --from` does.
"""
