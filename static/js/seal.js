// Creates the nonce of sealed orders in this browser. The scripts that check receipts (receipt.js)
// and restore unsaved changes (draft_restore.js) are loaded afterwards.

import { find, need } from "./dom.js";

const NONCE_BYTES = 16;
const form = find(document, "form[data-orders]", HTMLFormElement);
const receipt = document.querySelector("[data-receipt]");
/** @type {(key: string, nonce: string) => void} */
let rememberNonce = () => {};

form?.addEventListener("submit", ({ submitter }) => {
  const field = need(form, "[data-nonce]", HTMLInputElement);
  field.value = "";
  if (!(submitter instanceof HTMLButtonElement) || submitter.value !== "seal") {
    return;
  }
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  rememberNonce(form.dataset.key ?? "", field.value);
});

if (form || document.querySelector(".sealed")) {
  import("./draft_restore.js").then(({ begin }) => begin(form));
}
if (form || receipt) {
  import("./receipt.js").then((receipts) => {
    rememberNonce = receipts.rememberNonce;
    if (receipt) {
      receipts.checkReceipts();
    }
  });
}
