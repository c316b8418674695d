// Sealing: this browser makes the nonce; what checks receipts (receipt.js) and keeps what is written (draft_offer.js) comes after.

const KEY = "blind-jump-nonce/", form = document.querySelector("form[data-orders]");

function remembered(key) {
  try { return localStorage.getItem(KEY + key); } catch { return null; }
}

form?.addEventListener("submit", ({ submitter }) => {
  const field = form.querySelector("[data-nonce]");
  field.value = "";
  if (submitter?.value !== "seal") return;
  field.value = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  try { localStorage.setItem(KEY + form.dataset.key, field.value); } catch { /* private windows keep nothing */ }
});
if (form || document.querySelector(".sealed")) import("./draft_offer.js").then(({ begin }) => begin(form));
if (document.querySelector("[data-receipt]")) import("./receipt.js").then(({ check }) => check(remembered));
