// Adds a button that copies a text to addresses, codes, commands and calls. Browsers allow it on https and on the machine itself.
const shown = 2000;

function name(element) {
  return element.closest("div")?.querySelector("dt")?.textContent ?? (element.tagName === "A" ? "the address" : "the text above");
}

for (const element of navigator.clipboard ? document.querySelectorAll("main pre, main dd > code, main .address a") : []) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button small copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy: ${name(element)}`);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(element.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
    setTimeout(() => (button.textContent = "Copy"), shown);
  });
  element.after(" ", button);
}
