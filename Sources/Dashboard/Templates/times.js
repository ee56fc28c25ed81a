// Shows times in the zone of the browser. Their titles have them in UTC, as their texts do without scripts.
const fields = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const day = { year: "numeric", month: "2-digit", day: "2-digit" };
// Swedish writes dates as ISO 8601 does.
const format = new Intl.DateTimeFormat("sv-SE", { ...day, ...fields, timeZoneName: "short" });
const clock = new Intl.DateTimeFormat("sv-SE", { ...fields, second: "2-digit" });

function show(element) {
  const time = new Date(element.dateTime);
  if (Number.isNaN(time.getTime())) return;
  if (!element.title) element.title = `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
  element.textContent = (element.textContent.length === 8 ? clock : format).format(time);
}

document.querySelectorAll("time[datetime]").forEach(show);

// Rows that the live page adds.
const live = document.querySelector("#live tbody");
if (live) {
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const row of addedNodes) row.querySelectorAll?.("time[datetime]").forEach(show);
    }
  }).observe(live, { childList: true });
}
