/* Finds the place that answers an alert, an error's text or some words, by the rules of runbook.search in Python.
 *
 * The data is made with the site (scripts/find-index.js); the rules are told in docs/decisions/0037-one-search.md.
 * A test asks both the same questions (tests/browser/test_find.py): what is changed here is changed there. */
(function () {
  "use strict";

  var WORD = /[A-Z]+(?![a-z])|[A-Z]?(?:(?![A-Z])\p{L})+|\p{Nd}+/gu;
  var PACKAGE = /(?<![\p{L}\p{N}_])(?:[a-z][\p{L}\p{N}_]*\.){2,}(?=[A-Z])/gu;
  var DENIED = /(?<![\p{L}\p{N}_])[\p{L}\p{N}_]+n['\u2019]t(?![\p{L}\p{N}_])/giu;
  var RUN = /[\p{L}\p{N}_]+(?:[\s-]+[\p{L}\p{N}_]+)*/gu;
  var BETWEEN = /([\s-]+)/;
  var LONG_WORD = /(?<![\p{L}\p{N}_])[A-Za-z][a-z]{5,}(?![\p{L}\p{N}_])/gu;
  var SHORT_WORD = /(?<![\p{L}\p{N}_])[A-Za-z][a-z]{3,4}(?![\p{L}\p{N}_])/gu;
  var NOISE = /\[[\p{L}\p{N}_]+ [^\]]*=[^\]]*\]|[\p{L}\p{N}_.-]+(?:\/[\p{Nd}.]+)?:\p{Nd}{2,5}(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])Kafka(?=[A-Z])|\[(?:FIRING|RESOLVED)[^\]]*\]|(?<![\p{L}\p{N}_])(?:severity|cluster|env|environment|namespace|job|instance|pod|team|prometheus)="?[^\s,"}]+"?/gu;
  var NUMBERS = /(?: \p{Nd}+(?: (?:ms|kb|mb))?(?= ))+ /gu;
  var EXCEPTION = /[\p{L}\p{N}_.$]*exception(?![\p{L}\p{N}_])/giu;
  var CODE = /(?<!exit )(?<!status )(?<![\p{L}\p{N}_])(?:error[ _-]?)?code[^\p{L}\p{N}_]{0,3}(\p{Nd}{1,3})(?![\p{L}\p{N}_])/giu;
  var COMPARED = /\s*[<>=!]/;
  var VOWELS = "aeiou";
  var DOUBLE_ENDINGS = "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous " +
    "ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log";
  var LESSER_ENDINGS = "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:";
  var LAST_ENDINGS = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize";

  function rounded(number) { return Math.round(number * 1e9) / 1e9; }
  function unique(list) { return Array.from(new Set(list)); }
  function unordered(phrase) {
    return unique(phrase.trim().split(" ")).filter(function (word) { return word !== "kafka"; }).sort(byText);
  }
  function byText(one, other) { return one < other ? -1 : one > other ? 1 : 0; }

  /* Porter's stemmer, as the Python library lunr has it. */
  function porter(word) {
    if (word.length < 3) { return word; }
    function consonant(at) {
      if (VOWELS.includes(word[at])) { return false; }
      return word[at] !== "y" || at === 0 || !consonant(at - 1);
    }
    function shape(end) {
      var found = "";
      for (var at = 0; at < end; at++) {
        var one = consonant(at) ? "c" : "v";
        if (found[found.length - 1] !== one) { found += one; }
      }
      return found;
    }
    function measure(end) { return shape(end).split("vc").length - 1; }
    function short(end) {
      return end > 2 && consonant(end - 1) && !consonant(end - 2) && consonant(end - 3) && !"wxy".includes(word[end - 1]);
    }
    function twice(end) { return end > 1 && word[end - 1] === word[end - 2] && consonant(end - 1); }
    function replace(pairs) {
      var found = pairs.split(" ").find(function (pair) { return word.endsWith(pair.split(":")[0]); });
      if (!found) { return; }
      var parts = found.split(":"), kept = word.length - parts[0].length;
      if (measure(kept) > 0) { word = word.slice(0, kept) + parts[1]; }
    }

    if (word.endsWith("sses")) { word = word.slice(0, -2); }
    else if (word.endsWith("ies")) { word = word.slice(0, -2); }
    else if (/[^s]s$/.test(word)) { word = word.slice(0, -1); }
    var ending = word.endsWith("eed") ? "eed" : word.endsWith("ed") ? "ed" : word.endsWith("ing") ? "ing" : "";
    var kept = word.length - ending.length;
    if (ending === "eed") {
      if (measure(kept) > 0) { word = word.slice(0, -1); }
    } else if (ending && shape(kept).includes("v")) {
      word = word.slice(0, kept);
      if (/(?:at|bl|iz)$/.test(word)) { word += "e"; }
      else if (twice(word.length)) { if (!"lsz".includes(word[word.length - 1])) { word = word.slice(0, -1); } }
      else if (measure(word.length) === 1 && short(word.length)) { word += "e"; }
    }
    if (word.endsWith("y") && shape(word.length - 1).includes("v")) { word = word.slice(0, -1) + "i"; }
    replace(DOUBLE_ENDINGS);
    replace(LESSER_ENDINGS);
    var last = LAST_ENDINGS.split(" ").find(function (one) {
      return word.endsWith(one) && (one !== "ion" || /[st]ion$/.test(word));
    });
    if (last && measure(word.length - last.length) > 1) { word = word.slice(0, word.length - last.length); }
    if (word.endsWith("e")) {
      var before = measure(word.length - 1);
      if (before > 1 || (before === 1 && !short(word.length - 1))) { word = word.slice(0, -1); }
    }
    if (word.endsWith("l") && twice(word.length) && measure(word.length) > 1) { word = word.slice(0, -1); }
    return word;
  }

  function swapped(word, other) {
    var at = firstDifference(word, other);
    return word.slice(at, at + 2) === Array.from(other.slice(at, at + 2)).reverse().join("") &&
      word.slice(at + 2) === other.slice(at + 2);
  }

  function firstDifference(word, other) {
    var at = 0;
    while (at < word.length && at < other.length && word[at] === other[at]) { at++; }
    return at === Math.min(word.length, other.length) ? word.length : at;
  }

  function oneSlipApart(word, other) {
    if (word[0] !== other[0] || Math.abs(word.length - other.length) > 1) { return false; }
    if (word.length > other.length) { return oneSlipApart(other, word); }
    var at = firstDifference(word, other);
    if (word.length < other.length) { return word.slice(at) === other.slice(at + 1); }
    return swapped(word, other) || word.slice(at + 1) === other.slice(at + 1);
  }

  function Finder(data) {
    var weights = data.weights, kinds = data.kinds, short = new Map(Object.entries(data.short));
    var silent = new Set(data.silent), near = new Map(Object.entries(data.near)), stems = new Map();

    function stem(word) {
      if (!stems.has(word)) {
        var full = (short.get(word) || word).replace(/([ae]nc)(?:ing|ed)$/, "$1e")
          .replace(/([\p{L}\p{N}_]{3})is(?=(?:e|ed|es|ing|ation|ations)$)/u, "$1iz");
        stems.set(word, porter(full.endsWith("ly") && full.length >= 6 ? full.slice(0, -2) : full));
      }
      return stems.get(word);
    }
    function split(text) {
      return (text.replace(PACKAGE, "").match(WORD) || []).map(function (word) { return word.toLowerCase(); });
    }
    function phrase(text) { return " " + split(text).map(stem).join(" ") + " "; }
    function barePhrase(name) {
      var words = split(name);
      if (words.length > 2 && ["exception", "error"].includes(words[words.length - 1]) && !name.endsWith(":")) { words.pop(); }
      return " " + words.map(stem).join(" ") + " ";
    }
    function isGeneric(name) {
      var words = split(name.slice(name.lastIndexOf(".") + 1));
      return !name.includes(" ") && words.length <= 2 && words[words.length - 1] === "exception";
    }
    function telling(text) {
      var found = new Map();
      split(text.replace(DENIED, " ")).forEach(function (word) {
        if (word.length > (/^\p{Nd}+$/u.test(word) ? 3 : 1) && !silent.has(word)) { found.set(stem(word), word); }
      });
      return found;
    }
    function solid(name) { return name.replace(/[\s_-]+/g, "").toLowerCase(); }

    function tierOf(error, lines) {
      return lines.includes(error) ? "log line" : isGeneric(error) ? "generic" : "listed";
    }

    var places = data.places.map(function (row) {
      var place = { name: row[0], title: row[1], kind: kinds[row[2]], ours: !!(row[3] & 1), ofDisasters: !!(row[3] & 2) };
      place.words = new Map(row[6].map(function (at) { return [stem(data.words[at]), data.words[at]]; }));
      place.titled = new Set(telling(place.name.slice(place.name.lastIndexOf("/") + 1) + " " + place.title).keys());
      place.named = new Set(telling(row[4].concat(row[5]).join(" ")).keys());
      place.titlePhrase = phrase(place.title);
      place.idPhrase = phrase(place.name.slice(place.name.lastIndexOf("/") + 1));
      place.known = row[4].map(function (alert) {
        return { why: "alert " + alert, name: alert, phrase: barePhrase(alert.split(COMPARED)[0] || alert), tier: "listed" };
      }).concat(row[5].map(function (error) {
        return { why: "error " + error, name: error, phrase: barePhrase(error), tier: tierOf(error, row[7]) };
      })).concat(row[7].filter(function (line) { return !row[5].includes(line); }).map(function (line) {
        return { why: "log line " + line, name: line, phrase: barePhrase(line), tier: "log line" };
      }));
      return place;
    });
    var disasters = data.disasters.map(phrase), written = new Set(), spread = new Map(), names = new Map();
    places.forEach(function (place) {
      place.words.forEach(function (word, one) { written.add(word); spread.set(one, (spread.get(one) || 0) + 1); });
      place.known.forEach(function (known) { names.set(solid(known.name), known.name); });
    });
    var writtenAs = new Map(Object.entries(data.english).map(function (pair) { return [solid(pair[0]), pair[1]]; }));
    names.forEach(function (name, joined) { writtenAs.set(joined, name); });
    var longest = Math.max.apply(null, Array.from(writtenAs.keys(), function (name) { return name.length; }));

    function nears(one) { return near.get(one) || []; }
    function isKnown(one) { return [one].concat(nears(one)).some(function (there) { return spread.has(there); }); }
    function rarity(one) { return Math.log(1 + places.length / (spread.get(one) || 0.5)); }

    /* What was asked, with Kafka's names for its errors, names as they are written, and words as they are meant. */
    function withNames(text) {
      text = text.replace(CODE, function (said, code) {
        var error = data.errors.find(function (row) { return row[0] === code; });
        return error ? said + " " + error[1] : said;
      });
      var small = text.toLowerCase();
      var said = data.errors.filter(function (row) {
        if (text.includes(row[1])) { return false; }
        if (row[2] && new RegExp("(?<![\\p{L}\\p{N}_])" + row[2] + "(?![\\p{L}\\p{N}_])", "u").test(small)) { return true; }
        return row[3].some(function (message) {
          var at = small.indexOf(message);
          return at >= 0 && ["", ".", "'", '"', ")"].includes(small.charAt(at + message.length));
        });
      });
      return [text].concat(said.map(function (row) { return row[1]; })).join(" ");
    }
    function speltOut(run) {
      var parts = run.split(BETWEEN), result = "", at = 0;
      while (at < parts.length) {
        var name = parts[at], end = at + 1, joined = "";
        for (var last = at; last < parts.length; last += 2) {
          joined += solid(parts[last]);
          if (joined.length > longest) { break; }
          if (writtenAs.has(joined)) { name = writtenAs.get(joined); end = last + 1; }
        }
        result += name + (end < parts.length ? parts[end] : "");
        at = end + 1;
      }
      return result;
    }
    function meant(isNear) {
      return function (word) {
        var small = word.toLowerCase();
        if (isKnown(stem(small)) || !telling(small).size) { return word; }
        var best = "";
        written.forEach(function (known) {
          if (!isNear(small, known)) { return; }
          var more = best === "" ? 1 : spread.get(stem(known)) - spread.get(stem(best));
          if (more > 0 || (more === 0 && known > best)) { best = known; }
        });
        if (best) { return best; }
        var name = Array.from(names.keys()).filter(function (one) { return isNear(small, one); }).sort(byText)[0];
        return names.get(name || "") || word;
      };
    }
    function corrected(text) {
      return withNames(text).replace(RUN, speltOut).replace(LONG_WORD, meant(oneSlipApart)).replace(SHORT_WORD, meant(swapped));
    }

    function queryOf(text) {
      var query = { phrase: phrase(text), words: new Map(), weights: new Map(), total: 0 };
      query.bare = query.phrase.replace(NUMBERS, " ");
      telling(text).forEach(function (word, one) {
        if (!isKnown(one)) { return; }
        query.words.set(one, word);
        query.weights.set(one, rarity(one));
        query.total += rarity(one);
      });
      query.ofDisasters = disasters.some(function (said) { return query.phrase.includes(said); });
      return query;
    }
    function share(query, weigh) {
      var sum = 0;
      query.weights.forEach(function (weight, one) { sum += weight * weigh(one); });
      return query.total ? rounded(sum / query.total) : 0;
    }

    function said(place, one) {
      return [one].concat(nears(one)).find(function (there) { return place.words.has(there); }) || "";
    }
    function countsOf(place, one) {
      if (place.titled.has(one)) { return weights.title; }
      if (place.named.has(one)) { return weights.names; }
      return place.words.has(one) ? weights.body : 0;
    }
    function counts(place, one) {
      return nears(one).reduce(function (most, there) {
        return Math.max(most, weights.meant * countsOf(place, there));
      }, countsOf(place, one));
    }
    function isTitled(place, query) {
      return Array.from(query.words.keys()).every(function (one) {
        return [one].concat(nears(one)).some(function (there) { return place.titled.has(there); });
      });
    }
    function isCalled(place, query) { return query.phrase === place.titlePhrase || query.phrase === place.idPhrase; }
    function isAskedFor(place, query) { return query.ofDisasters || !place.ofDisasters || isCalled(place, query); }
    function covered(place, query) {
      var most = 0;
      place.known.forEach(function (known) {
        var words = unique(known.phrase.trim().split(" ")).filter(function (one) { return place.named.has(one); });
        var there = words.filter(function (one) { return query.weights.has(one); });
        if (words.length < 2 || !(there.length > weights.few || there.length === words.length)) { return; }
        function sum(list) { return list.reduce(function (all, one) { return all + rarity(one); }, 0); }
        most = Math.max(most, sum(there) / sum(words));
      });
      return Math.max(0, 2 * most - 1);
    }
    function fit(place, query) {
      var phrases = [place.titlePhrase].concat(place.known.map(function (known) { return known.phrase; }));
      var together = query.words.size > 1 && phrases.some(function (one) { return one.includes(query.phrase); });
      var first = query.words.values().next().value || "";
      var isToDo = place.kind === "procedure" && first === place.title.split(" ")[0].toLowerCase() &&
        isTitled(place, query);
      var helps = isToDo ? weights.to_do : weights.helps[place.kind];
      return rounded(helps * (share(query, function (one) { return counts(place, one); }) +
        weights.together * together + weights.covered * covered(place, query)));
    }
    function hit(place, why, score, found) {
      return { name: place.name, title: place.title, kind: place.kind, ours: place.ours, why: why, score: score, found: found };
    }
    function shared(place, query) {
      var words = new Map();
      query.words.forEach(function (word, one) {
        var there = said(place, one);
        if (there) { words.set(there, there === one ? word : place.words.get(there)); }
      });
      return "speaks of " + Array.from(words.values()).join(", ");
    }
    function bestFirst(hits) {
      return hits.sort(function (one, other) {
        return other.score - one.score || weights.helps[other.kind] - weights.helps[one.kind] || byText(one.name, other.name);
      });
    }

    function stands(known, query) {
      if (known.phrase.split(" ").length === 3) { return known.phrase === query.phrase; }
      if (known.tier === "log line" && known.phrase === query.phrase && known.phrase.split(" ").length <= 6) { return false; }
      var mine = unordered(known.phrase);
      return query.phrase.includes(known.phrase) || query.bare.includes(known.phrase) ||
        (mine.length > 1 && [query.phrase, query.bare].some(function (one) {
          return mine.join(" ") === unordered(one).join(" ");
        }));
    }
    function named(query, tier) {
      var found = [];
      places.forEach(function (place) {
        var there = place.known.filter(function (known) { return known.tier === tier && stands(known, query); });
        if (!there.length) { return; }
        found.push({ place: place, known: there.reduce(function (best, one) {
          return one.phrase.length > best.phrase.length ? one : best;
        }) });
      });
      var heads = new Set(found.filter(isHead).map(function (one) { return one.place.name; }));
      found = found.filter(function (one) {
        return !found.some(function (other) {
          return one.place.ours === other.place.ours && one.known.phrase !== other.known.phrase &&
            other.known.phrase.includes(one.known.phrase);
        });
      });
      var blocks = found.filter(function (one) { return !isHead(one); });
      var told = new Set(blocks.map(bookOf));
      found = found.filter(function (one) {
        return !isHead(one) || (one.place.ours ? !told.has(one.place.name) : !blocks.length);
      });
      var hits = bestFirst(found.map(function (one) {
        var words = Array.from(telling(one.known.name).keys()).filter(function (there) {
          return one.known.phrase.split(" ").includes(there);
        });
        var byTitle = words.filter(function (there) { return one.place.titled.has(there); }).length / (words.length || 1);
        var rank = one.known.phrase.length + weights.said_by_title * byTitle + weights.about * heads.has(bookOf(one));
        return hit(one.place, one.known.why, rounded(rank + fit(one.place, query)), "name");
      }));
      var last = new Set(found.filter(function (one) { return one.place.ofDisasters && !query.ofDisasters; })
        .map(function (one) { return one.place.name; }));
      return hits.filter(function (one) { return !last.has(one.name); })
        .concat(hits.filter(function (one) { return last.has(one.name); }));
    }
    function isHead(one) { return one.place.kind === "runbook"; }
    function bookOf(one) { return one.place.name.split("/")[0]; }

    function speakingOf(among, query) {
      var shares = among.map(function (place) { return [share(query, function (one) { return +!!said(place, one); }), place]; });
      var most = shares.reduce(function (best, one) { return Math.max(best, one[0]); }, 0);
      var least = Math.max(weights.least, rounded(weights.near * most));
      var found = shares.filter(function (one) { return one[0] >= least; }).map(function (one) {
        return { share: one[0], fit: fit(one[1], query), place: one[1] };
      });
      var well = rounded(weights.well * found.reduce(function (best, one) { return Math.max(best, one.fit); }, 0));
      found.forEach(function (one) { one.well = one.fit >= well || isTitled(one.place, query); });
      var fewest = found.filter(function (one) { return one.well; })
        .reduce(function (least, one) { return Math.min(least, one.share); }, Infinity);
      found = found.filter(function (one) { return one.share >= (fewest === Infinity ? 0 : fewest); });
      function hits(isWell) {
        return bestFirst(found.filter(function (one) { return one.well === isWell; }).map(function (one) {
          var score = one.fit + weights.called * isCalled(one.place, query);
          return hit(one.place, shared(one.place, query), score, isTitled(one.place, query) ? "title" : "words");
        }));
      }
      return hits(true).concat(hits(false));
    }
    function speaking(query) {
      function among(asked) {
        return speakingOf(places.filter(function (place) { return isAskedFor(place, query) === asked; }), query);
      }
      var asked = among(true), others = among(false);
      if (!asked.length && others.length) { asked = nearest(query); }
      var hits = asked.concat(others), rest = hits.slice(weights.leading);
      return hits.slice(0, weights.leading).concat(
        rest.filter(function (one) { return one.ours; }), rest.filter(function (one) { return !one.ours; }));
    }
    function nearest(query) {
      var hits = places.filter(function (place) { return isAskedFor(place, query); }).map(function (place) {
        return hit(place, shared(place, query), fit(place, query), "near");
      });
      return bestFirst(hits.filter(function (one) { return one.score > 0; })).slice(0, weights.nearest);
    }
    function withoutNoise(text) { return text.replace(NOISE, " "); }
    function saidBeside(text, generic) {
      var rest = queryOf(withoutNoise(text.replace(EXCEPTION, " ")));
      var names = new Set(generic.map(function (one) { return one.name; }));
      return (rest.words.size > 1 ? speaking(rest) : []).filter(function (one) {
        return one.score >= weights.least && !names.has(one.name);
      });
    }

    this.stem = stem;
    this.search = function (text) {
      text = corrected(text);
      var whole = queryOf(text), hits = named(whole, "listed");
      hits = hits.length ? hits : named(whole, "log line");
      if (hits.length) { return hits; }
      var generic = named(whole, "generic");
      if (generic.length) { return saidBeside(text, generic).concat(generic); }
      var query = queryOf(withoutNoise(text));
      hits = speaking(query);
      return hits.length ? hits : nearest(query);
    };
  }

  window.RunbookFinder = Finder;
})();
