/* A block of a runbook once had its address on the page of the runbook: this leads on to the page that it has now; a probe or view on the list of them.
 * Without the script one arrives at its line in the map. */
(function () {
  "use strict";

  function lead() {
    var place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    var line = place && place.closest("[data-rb-page]");
    if (line) { location.replace(line.querySelector("a").href + (place === line ? "" : location.hash)); }
  }

  addEventListener("hashchange", lead);
  lead();
})();
