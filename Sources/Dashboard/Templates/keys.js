// Keys of all pages: "/" goes to the search, "c" to the form that creates a link, the arrows from row to row of a table. They can be turned
// off at the list of apps, since speech input types letters, too.
const setting = "linden-keys";
const menu = document.querySelector("nav.app");
const toggle = document.getElementById("keys-toggle");

const isOff = () => localStorage.getItem(setting) === "off";
const isTyping = (element) => element.closest("input, select, textarea, summary, [contenteditable]");

function search() {
  const field = document.querySelector("main input[type=search]");
  if (field) {
    field.focus();
    field.select();
  } else if (menu?.dataset.search) {
    location.assign(`${menu.dataset.search}#search`);
  }
}

// The first link or button of the row that is a number of rows further.
function neighbour(element, step) {
  const row = element.closest("tbody tr");
  const rows = [...(row?.closest("tbody") ?? element.querySelector?.("tbody"))?.rows ?? []];
  const usable = rows.filter((candidate) => candidate.querySelector("a, button"));
  const index = row ? usable.indexOf(row) + step : step > 0 ? 0 : usable.length - 1;
  return usable[index]?.querySelector("a, button");
}

addEventListener("keydown", (event) => {
  if (isOff() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (event.key === "/") {
    search();
  } else if (event.key === "c" && menu?.dataset.create) {
    location.assign(menu.dataset.create);
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const inTable = event.target.closest(".scroll");
    const next = inTable && neighbour(event.target.closest("tbody tr") ? event.target : inTable, event.key === "ArrowDown" ? 1 : -1);
    if (!next) return;
    next.focus();
  } else {
    return;
  }
  event.preventDefault();
});

if (location.hash === "#search") search();

if (toggle) {
  const show = () => (toggle.textContent = isOff() ? "Turn keys on" : "Turn keys off");
  toggle.addEventListener("click", () => {
    localStorage.setItem(setting, isOff() ? "on" : "off");
    show();
  });
  show();
  toggle.parentElement.hidden = false;
}
