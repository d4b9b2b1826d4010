"""A page in a real browser, and a record of everything it did that a page of ours must not do."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

HARMLESS_SCHEMES = {"file", "data", "blob", "about"}
NEEDS_A_SERVER = "Invalid script: file:///"
"""What the theme's search says in the build for servers when opened from a folder; the offline build searches."""
TRAP = """
window.__pwned = 0;
Object.defineProperty(window, "__pwned", {set() { console.error("PWNED: a text was executed"); }, get() { return 0; }});
"""


class Watched:
    """A browser context whose pages are watched.

    Attributes:
        requests: every address asked for that is neither a file nor on the loopback interface.
        alarms: dialogs, windows opened, scripts' errors, texts that were executed.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.requests: list[str] = []
        self.alarms: list[str] = []
        context.add_init_script(TRAP)
        context.on("request", lambda request: self._asked(request.url))
        context.on("console", self._said)
        context.on("weberror", lambda error: self._went_wrong(str(error.error)))
        context.on("dialog", self._dialog)
        context.on("page", lambda page: page.on("websocket", lambda socket: self._asked(socket.url)))

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in HARMLESS_SCHEMES and parts.hostname not in {"127.0.0.1", "localhost"}:
            self.requests.append(url)

    def _said(self, message: Any) -> None:
        if "PWNED" in message.text or "Content Security Policy" in message.text:
            self.alarms.append(f"console: {message.text}")

    def _went_wrong(self, error: str) -> None:
        if NEEDS_A_SERVER not in error:
            self.alarms.append(f"error: {error}")

    def _dialog(self, dialog: Any) -> None:
        self.alarms.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def open(self, url: str) -> Page:
        """Open a page in a window of its own and wait for its load event."""
        page = self.context.new_page()
        page.goto(url, wait_until="load")
        return page


@contextmanager
def watched(browser: Browser, **options: Any) -> Iterator[Watched]:
    """A context with these options; it is closed in the end."""
    options = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"} | options
    context = browser.new_context(**options)
    context.set_default_timeout(60_000)
    try:
        yield Watched(context)
    finally:
        context.close()
