/* Says of each moment how long ago it is, when somebody looks, and of what was to be renewed since, that it was not.
 * Without it the moments themselves are what one reads. A page that stays open is told anew each minute. */
(function () {
  "use strict";

  var UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"]];
  var SKEW = 300; // seconds by which two clocks may differ before one of them is called wrong

  function spell(seconds) {
    for (var place = 0; place < UNITS.length; place += 1) {
      var count = Math.floor(seconds / UNITS[place][0]);
      if (count >= 1) { return count + " " + UNITS[place][1] + (count > 1 ? "s" : ""); }
    }
    return "";
  }

  function age(seconds) {
    if (seconds < -SKEW) { return "dated in the future"; }
    var span = spell(seconds);
    return span ? span + " ago" : "just now";
  }

  var told = new WeakMap();

  /* The element beside a moment that holds what is said of it; made once. */
  function beside(time, kind) {
    var spans = told.get(time) || { last: time };
    told.set(time, spans);
    if (!spans[kind]) {
      spans[kind] = document.createElement("span");
      spans.last.after(spans[kind]);
      spans.last = spans[kind];
    }
    return spans[kind];
  }

  function say(element, words) {
    if (element.textContent !== words) { element.textContent = words; }
  }

  function tellAge(time, now, promised) {
    var seconds = (now - Date.parse(time.dateTime)) / 1000;
    var asked = time.dataset.age.split(" ");
    if (asked.includes("short")) {
      if (!time.title) { time.title = time.textContent; }
      say(time, age(seconds));
    } else {
      say(beside(time, "age"), ", " + age(seconds));
    }
    var overdue = promised && asked.includes("renewed") && (seconds > promised || seconds < -SKEW);
    if (overdue) {
      var note = beside(time, "overdue");
      note.className = "rb-note";
      var around = time.closest("[data-overdue]");
      say(note, around ? around.dataset.overdue : " older than results may be");
    }
    return overdue;
  }

  function tellRest(time, now) {
    var left = (Date.parse(time.dateTime) - now) / 1000 + 86400; // it holds to the end of its day
    var told = beside(time, "left");
    told.className = left > 0 ? "" : "rb-note";
    say(told, left > 0 ? ", " + (spell(left) || "less than a minute") + " left" : ", is over");
  }

  /* What holds to the end of a day and was true when the page was made. */
  function tellOver(element, now) {
    var ends = Date.parse(element.dataset.ends);
    if (ends + 86400000 <= now) {
      element.className = "rb-note";
      say(element, element.dataset.over);
    }
  }

  /* What everybody must see who opens any page: that nothing of the site was renewed in time. */
  function warn(foot, time, now, promised) {
    var content = document.querySelector(".md-content__inner");
    var box = document.querySelector(".rb-stale");
    if (!content) { return; }
    if (!box) {
      box = document.createElement("div");
      box.className = "rb-stale";
      box.setAttribute("role", "status");
      box.append(document.createElement("strong"), document.createElement("span"));
      box.firstChild.textContent = "This site was not renewed in time.";
      content.prepend(box);
    }
    say(box.lastChild, " " + foot.dataset.what + ": " + time.textContent + ", "
      + age((now - Date.parse(time.dateTime)) / 1000) + ". A new one was expected after " + spell(promised)
      + " at the latest: the round that checks, its scorecard or the publication of this site has failed, or never came.");
  }

  function tell() {
    var now = Date.now();
    var foot = document.querySelector(".rb-as-of[data-promised]");
    var promised = foot ? Number(foot.dataset.promised) : 0;
    document.querySelectorAll("time[data-until]").forEach(function (time) { tellRest(time, now); });
    document.querySelectorAll("[data-ends]").forEach(function (element) { tellOver(element, now); });
    document.querySelectorAll("time[data-age]").forEach(function (time) {
      var overdue = tellAge(time, now, promised);
      if (overdue && foot && foot.contains(time)) { warn(foot, time, now, promised); }
    });
  }

  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", tell);
  } else {
    tell();
  }
  document.addEventListener("rb:told", tell); // moments that came later
  setInterval(tell, 60000);
})();
