// Creates the nonce and the share of sealed orders in this browser. The scripts that check receipts
// (receipt.js) and restore unsaved changes (draft_restore.js) are loaded afterwards.

import { find, need } from "./dom.js";

const NONCE_BYTES = 16;
const SHARE_BYTES = 32;
const WORD_BYTES = 32;
const form = find(document, "form[data-orders]", HTMLFormElement);
const receipt = document.querySelector("[data-receipt]");
/**
 * Return the nonce for a new withdrawal word, and keep both. Until receipt.js is loaded, the nonce
 * is random and has no word.
 * @type {(key: string, word: string) => string}
 */
let makeNonce = () => randomHex(NONCE_BYTES);

/**
 * Return random bytes in hexadecimal.
 * @param {number} count
 */
function randomHex(count) {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

form?.addEventListener("submit", ({ submitter }) => {
  const field = need(form, "[data-nonce]", HTMLInputElement);
  const share = need(form, "[data-share]", HTMLInputElement);
  field.value = "";
  share.value = "";
  if (!(submitter instanceof HTMLButtonElement) || submitter.value !== "seal") {
    return;
  }
  field.value = makeNonce(form.dataset.key ?? "", randomHex(WORD_BYTES));
  share.value = randomHex(SHARE_BYTES);
});

if (form || document.querySelector(".sealed")) {
  import("./draft_restore.js").then(({ begin }) => begin(form));
}
if (form || receipt) {
  import("./receipt.js").then((receipts) => {
    makeNonce = receipts.makeNonce;
    if (receipt) {
      receipts.checkReceipts();
      receipts.sendWords();
    }
  });
}
