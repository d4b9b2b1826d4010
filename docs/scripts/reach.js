/* Says of a table that is wider than its place how many columns are out of sight, and gives the theme's own additions what
 * they lack: a place in the tab order for what scrolls, a name for what is a landmark. */
(function () {
  "use strict";

  var SCROLLING = ".md-typeset__scrollwrap, .rb-table, .rb-scroll, .jp-OutputArea-output, .md-typeset pre, .md-typeset pre > code";

  var hints = new WeakMap();

  /* How many columns begin or end beyond the edges of the box around their table. Some browsers show no scrollbar. */
  function beyond(area) {
    var box = area.getBoundingClientRect();
    var row = area.querySelector("thead tr");
    var cells = Array.from(row && row.offsetParent ? row.cells : []).map(function (cell) { return cell.getBoundingClientRect(); });
    var left = cells.filter(function (cell) { return cell.left < box.left - 1; }).length;
    var right = cells.filter(function (cell) { return cell.right > box.right + 1; }).length;
    var sides = [[right, "right"], [left, "left"]].filter(function (side) { return side[0]; });
    return sides.map(function (side) { return side[0] + (side[0] > 1 ? " columns" : " column") + " to the " + side[1]; });
  }

  function tell(area) {
    var sides = beyond(area);
    var hint = hints.get(area);
    if (!hint) {
      if (!sides.length) { return; }
      hint = document.createElement("p");
      hint.className = "rb-facts rb-beyond";
      hints.set(area, hint);
      area.addEventListener("scroll", function () { tell(area); });
    }
    var words = sides.length ? "Out of sight: " + sides.join(", ") + ". Scroll the table sideways." : "";
    hint.hidden = !words;
    if (area.previousSibling !== hint) { area.before(hint); } // what else is written above the table stands above the hint
    if (hint.textContent !== words) { hint.textContent = words; }
  }

  function equip() {
    document.querySelectorAll(".rb-scroll").forEach(tell);
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
