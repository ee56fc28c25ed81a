// Refreshes the preview of a form while its fields are changed. Its button does the same without scripts.
const form = document.querySelector("form[data-preview]");
const shown = document.getElementById("preview");
const pause = 400;
let timer;
let request;

async function refresh() {
  request?.abort();
  request = new AbortController();
  const own = request;
  try {
    const answer = await fetch(`${form.dataset.preview}?part=preview`, {
      method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "error", signal: own.signal,
    });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const made = page.getElementById("preview");
    if (made && own === request) shown.replaceChildren(...made.childNodes);
  } catch {
    // The next change tries again.
  }
}

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, pause);
});
