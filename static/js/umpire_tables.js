// The umpire's table of campaigns by keys: j and k go down and up, Enter opens, r goes to what is to be done first.

const rows = [...document.querySelectorAll(".tables tbody tr")];
const name = (row) => row?.querySelector("th a");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !["j", "k", "r"].includes(event.key)) {
    return;
  }
  if (event.target !== document.body && !event.target.closest(".tables")) {
    return;
  }
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  if (event.key === "r") {
    rows[at]?.querySelector(".do a")?.click();
  } else {
    name(
      rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + (event.key === "j" ? 1 : -1)))],
    )?.focus();
  }
});
for (const keys of document.querySelectorAll("[data-keys]")) {
  keys.hidden = false;
}
