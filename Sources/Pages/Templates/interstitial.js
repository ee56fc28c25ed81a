(function () {
  var open = document.getElementById("open");
  var fallback = document.getElementById("fallback");
  var left = false;
  document.addEventListener("visibilitychange", function () {
    if (document.hidden && !left) {
      left = true;
      if (open.dataset.after) { window.location.replace(open.dataset.after); }
    }
  });
  window.addEventListener("pagehide", function () { left = true; });
  window.location.href = open.href;
  if (fallback) {
    setTimeout(function () { if (!left && !document.hidden) { window.location.replace(fallback.href); } }, Number(fallback.dataset.timeout));
  }
})();
