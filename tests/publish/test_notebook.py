"""Rendered notebooks: small, quiet, cached as long as nothing they rest on changes."""

from pathlib import Path

from runbook.publish.notebook import cache_folder, slim

RENDERED = """<script src="https://cdn.example/require.js"></script><link rel="stylesheet" href="https://x.example/a.css">
<div class="zeroclipboard-container"><clipboard-copy for="cell-1"><div><svg></svg></div></clipboard-copy>
</div><div class="highlight-ipynb hl-python"><pre><span></span><span class="k">def</span> f(): ...</pre></div>
<div class="clipboard-copy-txt" id="cell-1">def f(): ...</div><style>.a { color: red }</style><p>Words</p>
<div><pre>an output</pre></div>
<div class="highlight"><pre><span></span>of a text cell</pre></div><a class="anchor-link" href="#x">#</a>"""


def test_styles_scripts_and_copies_go_code_and_words_stay() -> None:
    text = slim(RENDERED)
    assert '<div class="highlight"><pre><code><span class="k">def</span> f(): ...</code></pre></div>' in text
    assert "<p>Words</p>" in text
    assert '<div class="highlight"><pre><code>of a text cell</code></pre></div><a class="headerlink"' in text
    assert '<pre tabindex="0">an output</pre>' in text
    assert text.count("def") == 1
    for gone in ("<script", "<style", "<link", "clipboard", "example"):
        assert gone not in text


def test_the_cache_is_another_when_the_scorecard_changes_and_the_old_one_goes(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "scorecard").mkdir(parents=True)
    (data / "scorecard" / "scores.parquet").write_bytes(b"one")
    before = cache_folder(tmp_path, data)
    before.mkdir(parents=True)
    assert cache_folder(tmp_path, data) == before
    assert before.is_dir()
    (data / "scorecard" / "scores.parquet").write_bytes(b"two")
    assert cache_folder(tmp_path, data) != before
    assert not before.exists()
