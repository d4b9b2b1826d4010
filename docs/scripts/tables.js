/* Makes tables with the attribute data-tool sortable and filterable. Without it they read just as well. */
(function () {
  "use strict";

  var LEAST_ROWS = 5; // shorter tables are read at a glance
  var collator = new Intl.Collator(undefined, { numeric: true });

  function valueOf(row, column) {
    var cell = row.cells[column];
    if (!cell) { return ""; }
    var value = cell.dataset.sort !== undefined ? cell.dataset.sort : cell.textContent.trim();
    return value === "?" ? "" : value; // what is not known is no smallest number
  }

  /* Rows that are pinned come first: what is silent must not be sorted away. Empty cells, and those of which nothing is known, come last, whichever way is sorted. */
  function sort(table, column, descending) {
    var body = table.tBodies[0];
    var rows = Array.from(body.rows).map(function (row, place) {
      return { row: row, value: valueOf(row, column), place: place };
    });
    rows.sort(function (one, other) {
      var pinned = ("pinned" in other.row.dataset) - ("pinned" in one.row.dataset);
      if (pinned) { return pinned; }
      if (one.value === "" || other.value === "") {
        return (one.value === "") - (other.value === "") || one.place - other.place;
      }
      var order = collator.compare(one.value, other.value);
      return (descending ? -order : order) || one.place - other.place;
    });
    var sorted = document.createDocumentFragment();
    rows.forEach(function (entry) { sorted.appendChild(entry.row); });
    body.appendChild(sorted);
  }

  function sortable(table, heading, column, said) {
    var button = document.createElement("button");
    button.type = "button";
    button.className = "rb-sort";
    var name = heading.textContent.trim();
    var link = heading.querySelector("a");
    if (link) { // a link stays a link, the button stands beside it
      button.textContent = "↕";
      button.setAttribute("aria-label", "sort by " + name);
      heading.append(" ", button);
    } else {
      while (heading.firstChild) { button.appendChild(heading.firstChild); }
      heading.appendChild(button);
    }
    button.addEventListener("click", function () {
      var sorted = heading.getAttribute("aria-sort");
      var descending = sorted ? sorted === "ascending" : heading.dataset.sorts === "descending";
      Array.from(heading.parentNode.cells).forEach(function (cell) { cell.removeAttribute("aria-sort"); });
      heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sort(table, column, descending);
      said.textContent = "sorted by " + name + ", " + (descending ? "descending" : "ascending");
    });
  }

  /* A choice of what rows are tagged with, such as "tier: prod"; none where they have no tags. */
  function choiceOf(rows) {
    var tags = new Set(rows.flatMap(function (row) { return row.dataset.tags ? row.dataset.tags.split("|") : []; }));
    if (tags.size < 2) { return null; }
    var choice = document.createElement("select");
    [""].concat(Array.from(tags).sort(collator.compare)).forEach(function (tag) {
      choice.append(new Option(tag || "all labels and owners", tag));
    });
    choice.setAttribute("aria-label", "Show only rows of a label or an owner");
    return choice;
  }

  function filterable(table, said) {
    var rows = Array.from(table.tBodies[0].rows);
    var texts = rows.map(function (row) { return row.textContent.toLowerCase(); });
    var label = document.createElement("label");
    var input = document.createElement("input");
    var choice = choiceOf(rows);
    input.type = "search";
    input.autocomplete = "off";
    label.append("Show only rows with ", input);
    function narrow() {
      var words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      var tag = choice ? choice.value : "";
      var shown = 0;
      rows.forEach(function (row, place) {
        var fits = words.every(function (word) { return texts[place].includes(word); });
        fits = fits && (!tag || (row.dataset.tags || "").split("|").includes(tag));
        if (row.hidden === fits) { row.hidden = !fits; }
        shown += fits;
      });
      said.textContent = words.length || tag ? shown + " of " + rows.length + " rows shown" : "all " + rows.length + " rows shown";
    }
    input.addEventListener("input", narrow);
    if (choice) { choice.addEventListener("change", narrow); }
    return choice ? [label, choice] : [label];
  }

  function equip(table) {
    var head = table.tHead && table.tHead.rows[0];
    if (!head || !table.tBodies[0] || table.tBodies[0].rows.length < LEAST_ROWS || table.dataset.equipped) { return; }
    table.dataset.equipped = "yes";
    var tools = document.createElement("div");
    tools.className = "rb-tools";
    var said = document.createElement("span");
    said.setAttribute("role", "status");
    tools.append.apply(tools, filterable(table, said).concat(said));
    Array.from(head.cells).forEach(function (heading, column) { sortable(table, heading, column, said); });
    var around = table.closest(".rb-scroll") || table.closest(".md-typeset__scrollwrap") || table; // the theme wraps, too
    around.before(tools);
  }

  function equipAll() { document.querySelectorAll("table[data-tool]").forEach(equip); }

  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", equipAll);
  } else {
    equipAll();
  }
})();
