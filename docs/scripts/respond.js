/* Answers an incident: on the page for it a place that the box finds is shown with its causes; there and on pages of alerts
 * the last verdicts of the reader's environment stand beside causes; its name stands in the commands of every page.
 * Without it cards are whole, with ENVIRONMENT in the commands. Works from a folder: data comes as scripts. */
(function () {
  "use strict";

  var HERE = document.currentScript.src;
  var SITE = new URL("../", HERE);
  var KEY = "runbook-environment";
  var DAY = 86400000;
  var PLACEHOLDER = "--env ENVIRONMENT";
  var written = new Map(); // a text with the placeholder -> what was written there
  var loads = {};
  var environment = ""; // its name, or ""
  var wantedCard = "";
  var verdicts = null; // of that environment, once they are here

  function made(tag, name, text) {
    var element = document.createElement(tag);
    if (name) { element.className = name; }
    if (text) { element.textContent = text; }
    return element;
  }

  function load(name) {
    loads[name] = loads[name] || new Promise(function (resolve, reject) {
      var script = made("script");
      script.src = new URL(name, HERE).href;
      script.onload = resolve;
      script.onerror = function () { delete loads[name]; reject(new Error(name)); };
      document.head.appendChild(script);
    });
    return loads[name];
  }

  function remembered() { try { return localStorage.getItem(KEY) || ""; } catch (refused) { return ""; } }
  function remember(name) { try { localStorage.setItem(KEY, name); } catch (refused) { /* for this page alone, then */ } }

  /* Commands: the name of the environment, and a button. */
  function quoted(name) { return /^[\w.@%+=:,/-]+$/.test(name) ? name : "'" + name.replace(/'/g, "'\\''") + "'"; }

  function fill(within) {
    within.querySelectorAll("code").forEach(function (code) {
      var texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT), text;
      while ((text = texts.nextNode())) {
        if (text.data.includes(PLACEHOLDER)) { written.set(text, text.data); }
      }
    });
    written.forEach(function (before, text) {
      text.data = environment ? before.split(PLACEHOLDER).join("--env " + quoted(environment)) : before;
    });
  }

  function copyOldWay(text) {
    var area = made("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }

  function copy(text) {
    if (!navigator.clipboard) { copyOldWay(text); return Promise.resolve(); } // a page without TLS
    return navigator.clipboard.writeText(text).catch(function () { copyOldWay(text); });
  }

  function addButtons(within) {
    within.querySelectorAll(".no-copy pre:not(:has(button))").forEach(function (pre) {
      var button = made("button", "rb-copy-command", "Copy"), code = pre.querySelector("code");
      button.type = "button";
      button.addEventListener("click", function () {
        copy(code.textContent).then(function () {
          button.textContent = "Copied";
          setTimeout(function () { button.textContent = "Copy"; }, 2000);
        });
      });
      pre.append(button);
    });
  }

  /* Verdicts: of a cause what the last run named, else what became of its checks. */
  function moment(at) {
    var time = made("time", "", at.slice(0, 16).replace("T", " ") + " UTC");
    time.dateTime = at;
    time.dataset.age = "short renewed";
    return time;
  }

  function badge(status, words) {
    var shown = verdicts.statuses[status], whole = made("span", "rb-status rb-" + shown[0]);
    var shape = made("span", "rb-shape", shown[1]);
    shape.setAttribute("aria-hidden", "true");
    whole.append(shape, " " + (words || shown[2]));
    return whole;
  }

  /* Whether the run that judged a cause's runbook named causes of it, and not this one. */
  function isOtherNamed(holds) {
    return Boolean(holds) && Object.keys(verdicts.causes).some(function (name) { return name.split("/")[0] === holds.split("/")[0]; });
  }

  function verdictOf(details) {
    var none = verdicts.statuses.findIndex(function (status) { return status[2] === "no result yet"; });
    var cause = verdicts.causes[details.dataset.rbHolds];
    var checks = details.dataset.rbChecks.split(" ").filter(Boolean).map(function (name) {
      var cell = verdicts.checks[name];
      return { name: name, status: cell ? cell[0] : none, at: cell ? verdicts.runs[cell[1]] : "", href: cell ? cell[2] : "" };
    });
    if (cause) { return { status: 0, words: "held", says: cause[0], at: verdicts.runs[cause[1]], checks: checks }; }
    if (!checks.length) { return { status: none, words: "no check tells", at: "", checks: checks }; }
    var worst = Math.min.apply(null, checks.map(function (check) { return check.status; }));
    var alike = checks.filter(function (check) { return check.status === worst; });
    var words = worst === none ? "not checked" : verdicts.statuses[worst][2];
    if (checks.length > 1) { words += ": " + alike.length + " of " + checks.length + " checks"; }
    if (worst !== none && isOtherNamed(details.dataset.rbHolds)) { words += ", another cause named"; }
    return { status: worst, words: words, at: alike.map(function (check) { return check.at; }).sort()[0], checks: checks };
  }

  function line(check) {
    var item = made("li"), link = made("a", "", check.name.split("/")[1]);
    link.href = new URL(check.href || "runbooks/" + check.name + ".html", SITE).href;
    item.append(badge(check.status), " ", link);
    if (check.at) { item.append(" ", moment(check.at)); }
    return item;
  }

  /* What fails in the environment first, then what nobody checked, last what passes; without one as the runbook has it. */
  function likelihood(verdict) {
    if (!verdict || !verdict.status) { return 0; }
    return verdicts.statuses[verdict.status][2] === "pass" ? 2 : 1;
  }

  function ordered(section, all) {
    var label = section.querySelector("[data-rb-order]");
    all.forEach(function (details, place) {
      details.dataset.rbPlace = details.dataset.rbPlace || String(place);
    });
    all = all.map(function (details) { return { details: details, verdict: verdicts && verdictOf(details) }; });
    all.sort(function (one, other) {
      return likelihood(one.verdict) - likelihood(other.verdict) || one.details.dataset.rbPlace - other.details.dataset.rbPlace;
    });
    all.forEach(function (entry, place) {
      var item = entry.details.parentElement, number = item.querySelector(".rb-number-of-cause");
      item.parentElement.append(item);
      if (number) { number.textContent = place + 1; }
    });
    if (label) {
      label.dataset.rbOrder = label.dataset.rbOrder || label.textContent;
      label.textContent = verdicts ? "Causes: first those that fail in the last run, last those that pass" : label.dataset.rbOrder;
    }
    return all;
  }

  function tell(section) {
    var all = ordered(section, Array.from(section.querySelectorAll("details[data-rb-checks]")));
    section.querySelectorAll(".rb-verdict").forEach(function (old) { old.remove(); });
    if (verdicts) {
      section.dataset.overdue = " (old)";
      all.forEach(function (entry) {
        var verdict = entry.verdict, details = entry.details, head = made("span", "rb-verdict"), body = made("div", "rb-verdict");
        head.append(badge(verdict.status, verdict.words));
        if (verdict.at) { head.append(" ", moment(verdict.at)); }
        details.querySelector("summary").append(head);
        if (verdict.says) { body.append(made("p", "rb-says", "The last run said: " + verdict.says)); }
        if (verdict.checks.length) {
          var list = made("ul", "rb-seen");
          list.append.apply(list, verdict.checks.map(line));
          body.append(list);
        }
        details.querySelector("summary").after(body);
      });
    }
    /* What a new run named comes open, else the likeliest: what an old one saw may be over. */
    var held = all.findIndex(function (entry) {
      return entry.verdict && entry.verdict.says && Date.now() - Date.parse(entry.verdict.at) < DAY;
    });
    var isFirst = section === document.querySelector(".rb-respond"); // of several symptoms the rest stays short
    var first = isFirst && (all.length === 1 || (all.length && likelihood(all[0].verdict) < 2)) ? 0 : -1;
    all.forEach(function (entry, place) { entry.details.open = place === (held < 0 ? first : held); });
    document.dispatchEvent(new CustomEvent("rb:told"));
  }

  function sayWhose(box) {
    var said = box.querySelector("[role=status]");
    if (!said) { return; }
    said.textContent = "";
    if (!environment) {
      said.textContent = "It is then filled into every command, and its last results are shown beside each cause.";
    } else if (!verdicts) {
      said.textContent = "Its verdicts could not be loaded: causes come without them.";
    } else {
      var link = made("a", "", "Last checked");
      link.href = new URL(verdicts.evidence, SITE).href;
      said.append(link, " ", verdicts.last ? moment(verdicts.last) : "at no known time",
        ": what began since is in no verdict." + (verdicts.generated ? " These results are made up." : ""));
    }
  }

  /* On a page where no environment is chosen: for which one its commands are. */
  function sayFilled(content) {
    if (!environment || !written.size || document.querySelector("[data-rb-mine]")) { return; }
    var said = made("p", "rb-facts", "Commands are for " + environment + ": "), link = made("a", "", "change");
    link.href = new URL("incident.html", SITE).href;
    said.append(link);
    (content.querySelector("h1") || content.firstChild).after(said);
  }

  function renew() {
    var content = document.querySelector(".md-content__inner") || document.body;
    fill(content);
    sayFilled(content);
    document.querySelectorAll(".rb-respond").forEach(tell);
    document.querySelectorAll("[data-rb-mine]").forEach(sayWhose);
    document.dispatchEvent(new CustomEvent("rb:told"));
  }

  function choose(option) {
    var file = option && option.dataset.file;
    environment = option ? option.value : remembered();
    verdicts = null;
    if (!file) { renew(); return; }
    function loaded() {
      verdicts = (window.RUNBOOK_VERDICTS || {})[file] || null;
      renew();
    }
    load("verdicts/" + file + ".js").then(loaded, loaded);
  }

  /* The page for incidents: the first hit as a card, the others below it. */
  function answerBox(form) {
    var answer = form.querySelector(".rb-answer");
    if (!answer) {
      answer = made("div", "rb-answer");
      form.insertBefore(answer, form.querySelector(".rb-hits"));
    }
    return answer;
  }

  function show(form, name) {
    wantedCard = name;
    return load("cards/" + name.split("/")[0] + ".js").then(function () {
      if (wantedCard !== name) { return false; }
      var card = name.includes("/") && (window.RUNBOOK_CARDS || {})[name], answer = answerBox(form);
      answer.innerHTML = card || ""; // made with the site, from its templates
      fill(answer);
      addButtons(answer);
      answer.querySelectorAll(".rb-respond").forEach(tell);
      return Boolean(card);
    }, function () { return false; });
  }

  function keep(key, value) {
    var here = new URL(location.href);
    here.search = new URLSearchParams([[key, value]]).toString();
    try { history.replaceState(history.state, "", here); } catch (refused) { /* Back shows the page as it was opened */ }
  }

  function answerHits(event) {
    var form = event.target.closest("form"), hits = event.detail, list = event.target.querySelector(".rb-hits-list");
    if (!form || !form.closest("[data-rb-respond]")) { return; } // the theme's box, or one that leads to pages
    event.preventDefault(); // Enter stays here
    if (!hits.length) { answerBox(form).textContent = ""; return; }
    keep("find", form.querySelector("input").value);
    show(form, hits[0].name).then(function (shown) {
      if (shown && list) {
        list.firstChild.remove();
        var found = hits[0].found;
        var label = found === "near" ? "Or nearest:" : found === "words" ? "Or one that shares words:" : "Or is it one of these?";
        if (list.firstChild) { list.before(made("p", "rb-label", label)); }
        else { list.remove(); }
      }
    });
  }

  function followShown(event) {
    var link = event.target.closest(":is([data-rb-respond], .rb-common) a[data-rb-show]"), form = document.querySelector("[data-rb-respond] form");
    if (!link || !form || event.ctrlKey || event.metaKey || event.shiftKey || event.button) { return; }
    event.preventDefault();
    show(form, link.dataset.rbShow).then(function (shown) {
      if (!shown) { location.href = link.href; return; }
      keep("show", link.dataset.rbShow);
      form.scrollIntoView();
    });
  }

  function start() {
    var asked = new URLSearchParams(location.search), wanted = asked.get("env") || remembered();
    var form = document.querySelector("[data-rb-respond] form");
    var choices = Array.from(document.querySelectorAll("[data-rb-environment]"));
    addButtons(document);
    choices.forEach(function (select) {
      var known = Array.from(select.options).find(function (option) { return option.value === wanted; });
      if (known) { known.selected = true; }
      if (known && asked.get("env")) { remember(wanted); } // a link of an alert that knows where it is
      select.addEventListener("change", function () {
        remember(select.value);
        choose(select.selectedOptions[0]);
      });
    });
    if (choices.length) { choose(choices[0].selectedOptions[0]); } else { choose(null); }
    document.addEventListener("rb:hits", answerHits);
    document.addEventListener("click", followShown);
    if (form && asked.get("show")) { show(form, asked.get("show")); }
  }

  if (document.readyState === "loading") { document.addEventListener("DOMContentLoaded", start); } else { start(); }
})();
