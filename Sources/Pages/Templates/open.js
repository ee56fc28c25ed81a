(function () {
  "use strict";
  var open = document.getElementById("open");
  var fallback = document.getElementById("fallback");
  var copy = document.getElementById("copy");
  var left = false;

  // The app came to the front, or the browser left for somewhere else.
  function leave() {
    if (left) { return; }
    left = true;
    if (open && open.dataset.after) { location.replace(open.dataset.after); }
  }
  document.addEventListener("visibilitychange", function () { if (document.hidden) { leave(); } });
  addEventListener("pagehide", function () { left = true; });
  // Whoever comes back may press the buttons again.
  addEventListener("pageshow", function () { left = false; });

  function goOnLater() {
    if (!fallback) { return; }
    setTimeout(function () {
      if (!left && !document.hidden) { location.replace(fallback.href); }
    }, Number(fallback.dataset.timeout));
  }

  if (copy) {
    copy.addEventListener("click", function (event) {
      event.preventDefault();
      function go() { location.href = copy.href; }
      if (!navigator.clipboard) { return go(); }
      navigator.clipboard.writeText(copy.dataset.link).then(go, go);
    });
  }
  if (open) { open.addEventListener("click", goOnLater); }
  if (document.body.dataset.opens) {
    goOnLater();
    location.href = document.body.dataset.opens;
  }
})();
