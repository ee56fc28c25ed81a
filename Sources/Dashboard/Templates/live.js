// Adds rows to the table of the live page as they happen.
const live = document.getElementById("live");
const body = live.querySelector("tbody");
const button = document.getElementById("live-pause");
const state = document.getElementById("live-state");
const mostRows = 200;
const waiting = [];
let isPaused = false;

function cell(text, href) {
  const made = document.createElement("td");
  const inside = href ? document.createElement("a") : made;
  if (href) {
    inside.href = href;
    made.append(inside);
  }
  inside.textContent = text ?? "";
  return made;
}

function add(row) {
  const line = document.createElement("tr");
  const time = document.createElement("time");
  time.dateTime = row.time;
  time.textContent = row.shown;
  const first = document.createElement("td");
  first.append(time);
  const amount = cell(row.amount);
  amount.className = "number";
  line.append(
    first,
    cell(row.what, row.session && `${live.dataset.sessions}/${row.session}`),
    cell(row.link, row.link && `${live.dataset.links}/${row.linkID}`),
    cell(row.system), cell(row.country), amount);
  body.prepend(line);
  while (body.rows.length > mostRows) body.lastElementChild.remove();
  document.getElementById("live-note")?.remove();
}

function show() {
  button.textContent = isPaused ? "Go on" : "Pause";
  state.textContent = isPaused ? `Paused, ${waiting.length === mostRows ? "many" : waiting.length} new` : "Listening";
}

button.addEventListener("click", () => {
  isPaused = !isPaused;
  if (!isPaused) waiting.splice(0).forEach(add);
  show();
});

const source = new EventSource(live.dataset.stream);
source.addEventListener("open", () => {
  button.hidden = false;
  show();
});
source.addEventListener("error", () => {
  const hasEnded = source.readyState === EventSource.CLOSED;
  state.textContent = hasEnded ? "The stream has ended. Refresh the page to go on." : "Connecting again …";
  button.hidden = hasEnded;
});
source.addEventListener("message", (event) => {
  const row = JSON.parse(event.data);
  if (!isPaused) return add(row);
  waiting.push(row);
  if (waiting.length > mostRows) waiting.shift();
  show();
});
addEventListener("pagehide", () => source.close());
addEventListener("pageshow", (event) => event.persisted && location.reload());
