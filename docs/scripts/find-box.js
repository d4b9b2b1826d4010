/* Boxes that find the place of an alert, an error's text or some words: ours, on Home and beside the list of alerts, and
 * the theme's own, above whose hits ours stand. The index is loaded when somebody is about to ask; from a folder, too. */
(function () {
  "use strict";

  var HERE = document.currentScript.src;
  var SITE = new URL("../", HERE);
  var MOST = 8; // hits shown in a box
  var WAIT = 120; // milliseconds after the last letter
  var CARDS = ["diagnostic", "cause", "check", "procedure"]; // what the page for incidents has cards of
  var KINDS = { diagnostic: "symptom", section: "text" };
  var loading;

  function script(name) {
    return new Promise(function (resolve, reject) {
      var element = document.createElement("script");
      element.src = new URL(name, HERE).href;
      element.onload = resolve;
      element.onerror = function () { reject(new Error(name)); };
      document.head.appendChild(element);
    });
  }

  function finder() {
    if (!loading) {
      loading = Promise.all([script("find.js"), script("find-index.js")]).then(function () {
        return new window.RunbookFinder(window.RUNBOOK_FIND);
      });
    }
    return loading;
  }

  function made(tag, name, text) {
    var element = document.createElement(tag);
    if (name) { element.className = name; }
    if (text) { element.textContent = text; }
    return element;
  }

  function addressOf(hit) {
    return new URL("runbooks/" + hit.name + ".html", SITE).href;
  }

  /* Returns whether Enter leads to the first of them, or the page shows it itself (respond.js). */
  function show(output, hits) {
    output.textContent = "";
    output.hidden = false;
    var note = !hits.length ? "No match: try another word."
      : hits[0].found === "near" ? "No match. Nearest:"
      : hits[0].found === "words" ? "No runbook lists this text. Pages that share its words:" : "";
    if (note) { output.appendChild(made("p", "rb-hits-note", note)); }
    var list = made("ol", "rb-hits-list");
    hits.slice(0, MOST).forEach(function (hit) {
      var link = made("a");
      link.href = addressOf(hit);
      link.dataset.rbShow = hit.name;
      link.dataset.rbKind = hit.kind;
      link.appendChild(made("span", "rb-hits-kind", KINDS[hit.kind] || hit.kind));
      link.appendChild(made("strong", "", hit.title));
      link.appendChild(made("small", "", hit.name.split("/")[0] + ": " + hit.why));
      var item = made("li");
      item.appendChild(link);
      list.appendChild(item);
    });
    if (hits.length) { output.appendChild(list); }
    return output.dispatchEvent(new CustomEvent("rb:hits", { bubbles: true, cancelable: true, detail: hits }));
  }

  /* Ask while somebody types, and let the keys lead through the hits; `incident` gives where Enter leads where it is
   * not the first of them. */
  function attach(input, output, after, incident) {
    var timer, asked = 0;
    function ask() {
      var text = input.value.trim(), number = ++asked;
      if (text.length < 2) {
        output.hidden = true;
        output.textContent = "";
        return Promise.resolve();
      }
      return finder().then(function (found) {
        return number === asked ? show(output, found.search(text)) : true;
      });
    }
    function links() { return output.hidden ? [] : Array.from(output.querySelectorAll("a")); }
    input.addEventListener("focus", function () { finder(); });
    input.addEventListener("input", function () {
      clearTimeout(timer);
      timer = setTimeout(ask, WAIT);
    });
    input.form.addEventListener("reset", function () { setTimeout(ask); });
    input.addEventListener("keydown", function (event) {
      if (event.key === "Enter" && input.value.trim().length > 1) {
        event.preventDefault();
        event.stopPropagation();
        clearTimeout(timer);
        ask().then(function (leads) {
          var first = links()[0];
          if (!leads) { input.blur(); }
          else if (first && incident && CARDS.includes(first.dataset.rbKind)) { location.href = incident(); }
          else if (first) { first.click(); }
        });
      } else if (event.key === "ArrowDown" && links().length) {
        event.preventDefault();
        event.stopPropagation();
        links()[0].focus();
      }
    });
    output.addEventListener("keydown", function (event) {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") { return; }
      var all = links(), to = all.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
      event.preventDefault();
      event.stopPropagation();
      (to < 0 ? input : all[to] || (after && after()) || all[all.length - 1]).focus();
    });
    return ask;
  }

  function ours(place) {
    var form = made("form", "rb-find"), label = made("label", "", "Alert, error or words"), input = made("input");
    var output = made("div", "rb-hits");
    input.type = "search";
    input.placeholder = "Paste an alert, a line of a log, or type words";
    input.autocomplete = "off";
    input.spellcheck = false;
    label.appendChild(input);
    output.hidden = true;
    output.setAttribute("aria-live", "polite");
    form.appendChild(label);
    form.appendChild(output);
    /* The page for incidents, with what stands in the box. */
    function incident() {
      var address = new URL("incident.html", SITE), text = input.value.trim();
      if (text) { address.searchParams.set("find", text); }
      return address.href;
    }
    if ("rbIncident" in place.dataset) {
      input.addEventListener("input", function () {
        document.querySelectorAll("a[data-rb-carry]").forEach(function (link) { link.href = incident(); });
      });
    }
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    place.appendChild(form);
    var ask = attach(input, output, null, "rbIncident" in place.dataset && incident);
    input.value = new URLSearchParams(location.search).get("find") || "";
    if (input.value) { ask(); }
    if ("rbRespond" in place.dataset || (!location.hash && matchMedia("(pointer: fine)").matches)) { input.focus({ preventScroll: true }); }
  }

  /* From a folder the theme's search gives up, unless the site was built for one: its box then shows our hits alone. */
  function revive(input) {
    var search = input.closest(".md-search"), toggle = document.getElementById("__search");
    if (!search.hidden || !toggle) { return; }
    search.hidden = false;
    search.querySelector(".md-search-result").hidden = true;
    function open(isOpen) {
      toggle.checked = isOpen;
      document.body.toggleAttribute("data-md-scrolllock", isOpen); // or a phone's page gets as wide as the overlay
    }
    toggle.addEventListener("change", function () { open(toggle.checked); });
    input.addEventListener("focus", function () { open(true); });
    search.addEventListener("keydown", function (event) {
      if (event.key === "Escape") { open(false); input.blur(); }
    });
  }

  function start() {
    document.querySelectorAll("[data-rb-find]").forEach(ours);
    var input = document.querySelector("input.md-search__input");
    var scroll = document.querySelector(".md-search__scrollwrap");
    if (!input || !scroll) { return; }
    revive(input);
    var output = made("div", "rb-hits md-typeset");
    output.hidden = true;
    scroll.insertBefore(output, scroll.firstChild);
    attach(input, output, function () { return scroll.querySelector(".md-search-result [href]"); });
  }

  if (document.readyState === "loading") { document.addEventListener("DOMContentLoaded", start); } else { start(); }
})();
