(function () {
  "use strict";
  var open = document.getElementById("open");
  var fallback = document.getElementById("fallback");
  var copy = document.getElementById("copy");
  var busy = document.getElementById("busy");
  var opens = document.body.dataset.opens;
  // Whether the app was tried a moment ago, and whether something has come to the front since.
  var tried = false, left = false;

  function away() {
    if (!tried || left) { return; }
    left = true;
    if (open && open.dataset.after) { location.replace(open.dataset.after); }
  }
  document.addEventListener("visibilitychange", function () { if (document.hidden) { away(); } });
  // A desktop's browser asks before it opens an app, and a window of the app's may lie beside it.
  if (document.body.dataset.desktop) { addEventListener("blur", away); }
  addEventListener("pagehide", function () { left = true; });

  function goOn() {
    if (!left && !document.hidden && fallback) { location.replace(fallback.href); }
    if (busy) { busy.hidden = true; }
  }
  function attempt() {
    tried = true;
    left = false;
    setTimeout(goOn, fallback ? Number(fallback.dataset.timeout) : 2000);
    setTimeout(function () { tried = false; }, 10000);
  }

  if (copy) {
    copy.addEventListener("click", function (event) {
      event.preventDefault();
      function go() { location.href = copy.href; }
      if (!navigator.clipboard) { return go(); }
      navigator.clipboard.writeText(copy.dataset.link).then(go, go);
    });
  }
  if (open) { open.addEventListener("click", attempt); }

  // The app will say the same of this phone, so that its first opening finds this click rather than a neighbour's.
  function report(hints) {
    navigator.sendBeacon(document.body.dataset.report, JSON.stringify({
      screen_width: screen.width, screen_height: screen.height, model: hints.model, platform_version: hints.platformVersion
    }));
  }
  if (document.body.dataset.report && navigator.sendBeacon && !document.prerendering) {
    if (navigator.userAgentData && navigator.userAgentData.getHighEntropyValues) {
      navigator.userAgentData.getHighEntropyValues(["model", "platformVersion"]).then(report, function () { report({}); });
    } else {
      report({});
    }
  }

  function start() {
    if (busy) { busy.hidden = false; }
    attempt();
    if (opens === "fallback") { goOn(); } else { location.href = opens; }
  }
  // A prerendered page is not a visit. When it becomes visible, it is requested again.
  if (document.prerendering) {
    document.addEventListener("prerenderingchange", function () { location.reload(); });
  } else if (opens && document.hidden) {
    document.addEventListener("visibilitychange", function begin() {
      if (document.hidden) { return; }
      document.removeEventListener("visibilitychange", begin);
      start();
    });
  } else if (opens) {
    start();
  }
  document.querySelectorAll("[data-scripted]").forEach(function (element) { element.hidden = false; });
})();
