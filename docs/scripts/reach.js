/* Gives the theme's own additions what they lack: a place in the tab order for what scrolls, a name for what is a landmark. */
(function () {
  "use strict";

  var SCROLLING = ".md-typeset__scrollwrap, .rb-table, .rb-scroll, .jp-OutputArea-output, .md-typeset pre, .md-typeset pre > code";

  function equip() {
    document.querySelectorAll(SCROLLING).forEach(function (area) {
      var scrolls = area.scrollWidth > area.clientWidth && getComputedStyle(area).overflowX !== "visible";
      if (scrolls && !area.hasAttribute("tabindex")) { area.tabIndex = 0; }
    });
    document.querySelectorAll("nav.md-code__nav:not([aria-label])").forEach(function (nav) {
      nav.setAttribute("aria-label", "code " + (document.querySelectorAll("nav.md-code__nav[aria-label]").length + 1));
    });
  }

  var due = 0;
  function later() {
    cancelAnimationFrame(due);
    due = requestAnimationFrame(equip);
  }

  addEventListener("load", equip);
  addEventListener("resize", later);
  document.addEventListener("toggle", later, true);
  new MutationObserver(later).observe(document.documentElement, { childList: true, subtree: true });
})();
