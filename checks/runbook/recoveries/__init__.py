"""What facts would be if what broke had come back: one file for each mechanism, found by its name, pure.

A recovery sets only what the mechanism determines. What was never seen is not made up, and what may have been touched
without being determined is unknown. What only sets cells of rows is declared in its cause, under `undone.rows`.
"""
