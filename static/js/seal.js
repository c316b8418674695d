// Sealing: this browser makes the nonce. What checks receipts and knows own nonces (receipt.js) and
// what keeps what is written (draft_restore.js) is fetched afterwards.

import { find, need } from "./dom.js";

const form = find(document, "form[data-orders]", HTMLFormElement);
const receipt = document.querySelector("[data-receipt]");
/** @type {(key: string, nonce: string) => void} */
let remember = () => {};

form?.addEventListener("submit", ({ submitter }) => {
  const field = need(form, "[data-nonce]", HTMLInputElement);
  field.value = "";
  if (!(submitter instanceof HTMLButtonElement) || submitter.value !== "seal") {
    return;
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  remember(form.dataset.key ?? "", field.value);
});

if (form || document.querySelector(".sealed")) {
  import("./draft_restore.js").then(({ begin }) => begin(form));
}
if (form || receipt) {
  import("./receipt.js").then((receipts) => {
    remember = receipts.remember;
    if (receipt) {
      receipts.check();
    }
  });
}
