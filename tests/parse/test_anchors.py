import pytest
from markdown.extensions.toc import slugify

from runbook.parse.anchors import anchors, slug
from runbook.parse.runbook import parse_runbook

PAGE = """---
title: What to do
version: 0.1.0
changes: [{version: 0.1.0, date: 2026-11-21, note: first}]
summary: It is said here.
---

# What to do

## Is it `min.insync.replicas`? *Perhaps*

## Twice

> ## In a quotation

Twice
-----

## What to do

## 备份
"""


@pytest.mark.parametrize("heading", ["Is it Ümläut, or not?", "  a -- b_c  ", "`x.y` & <z>", "备份", "4.0 → 4.1"])
def test_names_are_those_of_the_site(heading: str):
    assert slug(heading) == slugify(heading, "-")


def test_headings_are_named_once_each():
    book = parse_runbook(PAGE, "first", "first.md")
    assert anchors(book) == ["what-to-do", "is-it-mininsyncreplicas-perhaps", "twice", "twice_1", "what-to-do_1", "_1"]
