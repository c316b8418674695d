// Checks receipts: recomputes the digest of each receipt on the page, and compares receipts that
// the site has signed with those that this browser has kept. It has its own SHA-256, because
// browsers offer theirs only over TLS or on the same machine.

import { find, findAll, need } from "./dom.js";
import { keys, read, write } from "./browser_storage.js";
import { checkNote } from "./signed_note.js";
import { phrase } from "./phrase.js";

const NONCE_DIGITS = 32; // 16 bytes

const ROUND_CONSTANTS = primes(64).map((prime) => fractionBits(Math.cbrt(prime)));
const INITIAL_HASH = primes(8).map((prime) => fractionBits(Math.sqrt(prime)));

/**
 * Return the first prime numbers.
 * @param {number} count the number of primes
 */
function primes(count) {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every((prime) => n % prime)) {
      found.push(n);
    }
  }
  return found;
}

/**
 * Return the first 32 bits of the fractional part of a number.
 * @param {number} x
 * @returns {number}
 */
function fractionBits(x) {
  return ((x - Math.floor(x)) * 2 ** 32) >>> 0;
}

/**
 * Rotate a 32-bit number to the right by n bits.
 * @param {number} x
 * @param {number} n
 */
const rotate = (x, n) => (x >>> n) | (x << (32 - n));

/**
 * Return a message padded to whole blocks, with its length at the end.
 * @param {Uint8Array} bytes
 */
function padded(bytes) {
  const { length } = bytes;
  const blocks = new Uint8Array((((length + 8) >> 6) << 6) + 64);
  blocks.set(bytes);
  blocks[length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(blocks.length - 4, (length << 3) >>> 0);
  return view;
}

/**
 * Return the message schedule of the block that starts at an offset.
 * @param {DataView} view
 * @param {number} offset
 */
function schedule(view, offset) {
  const w = new Uint32Array(64);
  for (let i = 0; i < 16; i++) {
    w[i] = view.getUint32(offset + 4 * i);
  }
  for (let i = 16; i < 64; i++) {
    const s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >>> 3);
    const s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  return w;
}

/**
 * Return the SHA-256 digest of a message. Variable names are those of the standard, FIPS 180-4.
 * @param {Uint8Array} bytes
 * @returns {string} the digest in hexadecimal
 */
export function sha256(bytes) {
  const view = padded(bytes);
  const hash = INITIAL_HASH.slice();
  for (let offset = 0; offset < view.byteLength; offset += 64) {
    const w = schedule(view, offset);
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[i] + w[i]) >>> 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) >>> 0, c, b, a, (t1 + t2) >>> 0];
    }
    for (const [i, part] of [a, b, c, d, e, f, g, h].entries()) {
      hash[i] = (hash[i] + part) >>> 0;
    }
  }
  return hash.map((part) => part.toString(16).padStart(8, "0")).join("");
}

/**
 * Return the bytes of a nonce, a share or a hash.
 * @param {string} text in hexadecimal
 */
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/**
 * Return the nonce that belongs to a withdrawal word, and keep that this browser made it. Of the
 * nonce only a hash is stored, because the nonce itself would help others to guess the orders.
 * @param {string} key the key of the orders
 * @param {string} word 32 random bytes in hexadecimal; showing them proves an unsealing
 */
export function makeNonce(key, word) {
  const nonce = sha256(bytesOf(word)).slice(0, NONCE_DIGITS);
  write(`seal/${key}`, sha256(bytesOf(nonce)));
  write(`word/${key}`, word);
  return nonce;
}

/** Send the withdrawal word with a form that unseals orders which this browser sealed. */
export function sendWords() {
  for (const button of document.querySelectorAll("button[name='action'][value='unseal']")) {
    const key = find(document, "[data-receipt][data-key]", HTMLElement)?.dataset.key;
    const word = key && read(`word/${key}`);
    const form = button.closest("form");
    if (word && form) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: "word", value: word });
      form.append(field);
    }
  }
}

/**
 * Return the digest of sealed orders.
 * @param {string} text the canonical text of the orders
 * @param {string} nonce the nonce in hexadecimal
 * @param {string} share the share in hexadecimal; empty if the client made none
 */
export function digest(text, nonce, share = "") {
  const textBytes = new TextEncoder().encode(text);
  const rest = bytesOf(nonce + (share && sha256(bytesOf(share))));
  const all = new Uint8Array(textBytes.length + rest.length);
  all.set(textBytes);
  all.set(rest, textBytes.length);
  return sha256(all);
}

/**
 * Return what a signed receipt states. The site's name, the head of the ledger and the signature
 * are left out, because the site may get another name or key.
 * @param {string} note
 */
const statement = (note) => note.split("\n").slice(1, 4).join("\n");

/**
 * Return the key under which this browser keeps a signed receipt: its war, its place there, and
 * whether it is about sealing or unsealing.
 * @param {string} note
 */
function receiptKey(note) {
  const [war, place, , event] = note.split("\n");
  return `receipt${war.slice(war.indexOf("/war/"))}/${place}/${event.split(" ")[0]}`;
}

/**
 * Keep a signed receipt.
 * @param {string} note
 * @param {string} ownDigest the digest that the page shows
 * @returns {boolean} whether it is about that digest, and states the same as the one kept before
 */
function keepReceipt(note, ownDigest) {
  const key = receiptKey(note);
  const kept = read(key);
  if (kept === null) {
    write(key, note);
  }
  return note.split("\n")[2] === ownDigest && statement(kept ?? note) === statement(note);
}

/**
 * Return the result of a check in words.
 * @param {boolean} matches whether the digest is correct
 * @param {boolean} isKept whether the signed receipts state what they stated before
 * @param {boolean} isOwn whether this browser created the nonce
 */
function verdict(matches, isKept, isOwn) {
  if (!isKept) {
    return phrase`✗ This receipt differs from the one that your browser has kept. Download all receipts, keep a copy of this page and tell your umpire.`;
  }
  if (!matches) {
    return phrase`✗ The digest does not match this receipt. Keep a copy of this page and tell your umpire.`;
  }
  if (isOwn) {
    return phrase`✓ Your browser has checked the digest: it matches this receipt, and this browser made the nonce.`;
  }
  return phrase`✓ Your browser has checked the digest: it matches this receipt.`;
}

/** Check all receipts on the page. */
export function checkReceipts() {
  for (const receipt of findAll(document, "[data-receipt]", HTMLElement)) {
    /** @param {string} selector */
    const textOf = (selector) => need(receipt, selector, HTMLElement).textContent ?? "";
    const nonce = textOf("[data-nonce-used]").trim();
    const share = find(receipt, "[data-share-used]", HTMLElement)?.textContent?.trim() ?? "";
    const ownDigest = digest(textOf("[data-canonical]"), nonce, share);
    const matches = ownDigest === textOf("[data-digest]").trim();
    const isOwn = read(`seal/${receipt.dataset.key}`) === sha256(bytesOf(nonce));
    const notes = findAll(receipt, "[data-signed]", HTMLElement).map(
      (pre) => pre.textContent ?? "",
    );
    const shownDigest = textOf("[data-digest]").trim();
    const isKept = notes.map((note) => keepReceipt(note, shownDigest)).every(Boolean);
    const result = need(receipt, "[data-check]", HTMLElement);
    result.textContent = verdict(matches, isKept, isOwn);
    result.classList.add(matches && isKept ? "good" : "bad");
    result.hidden = false;
    if (matches && isKept) {
      notes.forEach((note) => checkSignature(note, result));
    }
  }
  checkMissing();
}

/**
 * Check the signature of a receipt, and say so if it is wrong. Browsers that cannot check it leave
 * the result as it is.
 * @param {string} note
 * @param {HTMLElement} result shows the result
 */
async function checkSignature(note, result) {
  if ((await checkNote(note)) === false) {
    result.textContent = phrase`✗ The signature of this receipt is wrong. Keep a copy of this page and tell your umpire.`;
    result.classList.replace("good", "bad");
  }
}

/** On the page with all receipts of a war, tell whether one that this browser kept is missing. */
function checkMissing() {
  const warning = find(document, "[data-missing]", HTMLElement);
  if (!warning) {
    return;
  }
  const shown = findAll(document, "[data-signed]", HTMLElement).map((pre) =>
    receiptKey(pre.textContent ?? ""),
  );
  const kept = keys(`receipt/war/${warning.dataset.missing}/`);
  const missing = kept.filter((key) => !shown.includes(key)).map(read);
  if (missing.length) {
    need(warning, "pre", HTMLElement).textContent = missing.join("\n");
    warning.hidden = false;
  }
}
