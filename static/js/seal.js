// Sealing: this browser makes the nonce. What checks receipts and knows own nonces (receipt.js) and what keeps
// what is written (draft_offer.js) comes after.

const form = document.querySelector("form[data-orders]");
let remember = () => {};

form?.addEventListener("submit", ({ submitter }) => {
  const field = form.querySelector("[data-nonce]");
  field.value = "";
  if (submitter?.value !== "seal") {
    return;
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  remember(form.dataset.key, field.value);
});
const receipt = document.querySelector("[data-receipt]");
if (form || document.querySelector(".sealed")) {
  import("./draft_offer.js").then(({ begin }) => begin(form));
}
if (form || receipt) {
  import("./receipt.js").then((receipts) => {
    remember = receipts.remember;
    if (receipt) {
      receipts.check();
    }
  });
}
