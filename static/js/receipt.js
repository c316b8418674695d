// Receipts: this browser recomputes the digest of every one that it shows.
// With a SHA-256 of our own, for browsers have theirs only over TLS or on the same machine.

import { read, write } from "./kept.js";
import { phrase } from "./phrase.js";

const K = primes(64).map((p) => fraction(Math.cbrt(p)));
const START = primes(8).map((p) => fraction(Math.sqrt(p)));

function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every((p) => n % p)) {
      found.push(n);
    }
  }
  return found;
}

function fraction(x) {
  return ((x - Math.floor(x)) * 2 ** 32) >>> 0;
}

export function sha256(bytes) {
  const length = bytes.length;
  const padded = new Uint8Array((((length + 8) >> 6) << 6) + 64);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(padded.length - 4, (length << 3) >>> 0);
  const hash = START.slice();
  const w = new Uint32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) {
      w[i] = view.getUint32(at + 4 * i);
    }
    for (let i = 16; i < 64; i++) {
      const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) >>> 0;
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) >>> 0, c, b, a, (t1 + t2) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((part, i) => {
      hash[i] = (hash[i] + part) >>> 0;
    });
  }
  return hash.map((part) => part.toString(16).padStart(8, "0")).join("");
}

const bytesOf = (nonce) => Uint8Array.from(nonce.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Remember that this browser made a nonce: by its hash, for who has a nonce can guess what it sealed. */
export function remember(key, nonce) {
  write(`seal/${key}`, sha256(bytesOf(nonce)));
}

export function digest(text, nonce) {
  const body = new TextEncoder().encode(text);
  const tail = bytesOf(nonce);
  const all = new Uint8Array(body.length + tail.length);
  all.set(body);
  all.set(tail, body.length);
  return sha256(all);
}

/** Check every receipt of the page. */
export function check() {
  for (const slip of document.querySelectorAll("[data-receipt]")) {
    const shown = slip.querySelector("[data-digest]").textContent.trim();
    const nonce = slip.querySelector("[data-nonce-used]").textContent.trim();
    const text = slip.querySelector("[data-canonical]").textContent;
    const says = slip.querySelector("[data-check]");
    const right = digest(text, nonce) === shown;
    const mine = read(`seal/${slip.dataset.key}`) === sha256(bytesOf(nonce));
    says.textContent = right
      ? mine
        ? phrase`✓ Your browser has checked the digest: it matches the text and the nonce, and this browser made the nonce.`
        : phrase`✓ Your browser has checked the digest: it matches the text and the nonce.`
      : phrase`✗ The digest does not match this text and nonce. Keep a copy of this page and tell your umpire.`;
    says.classList.add(right ? "good" : "bad");
    says.hidden = false;
  }
}
