// Sealing: this browser makes the nonce; where a receipt is shown, what checks it is loaded (receipt.js).

const KEY = "blind-jump-nonce/";

function makeNonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function remember(key, nonce) {
  try { localStorage.setItem(KEY + key, nonce); } catch { /* private windows keep nothing */ }
}

function remembered(key) {
  try { return localStorage.getItem(KEY + key); } catch { return null; }
}

for (const form of document.querySelectorAll("form[data-orders]")) {
  form.addEventListener("submit", (event) => {
    const field = form.querySelector("[data-nonce]");
    const sealing = event.submitter?.value === "seal";
    field.value = sealing ? makeNonce() : "";
    if (sealing) remember(form.dataset.key, field.value);
  });
}

if (document.querySelector("[data-receipt]")) import("./receipt.js").then(({ check }) => check(remembered));
