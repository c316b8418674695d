// What people kept of a war, heads of its ledger and receipts, compared with a proven archive.

import { bytesOf, bytesOfBase64, hexOf, isSigned, treeRoot } from "./verifier.js";

/** @typedef {import("./verifier.js").Verdict} Verdict */
/**
 * What an archive says to something that was kept.
 * @typedef {object} Finding
 * @property {boolean} holds false if the archive contradicts it
 * @property {string} code
 * @property {string} what the head, or the entry that the receipt names
 * @property {number | null} row the row that covers the entry
 * @property {boolean | null} signed null if the browser cannot check signatures
 */

const SHORT_HEAD = /(?<!\d)(\d{1,9})\s*[·|-]\s*((?:[0-9A-F]{4}-){2}[0-9A-F]{4})(?![0-9A-F-])/gi;
const SIGNED_NOTE = /^[^\s]+\/war\/[^\n]+\n(?:[^\n]+\n)+\n(?:\u2014 [^\n]+(?:\n|$))+/gm;
const RECEIPT_LINES = 6;
const MAX_KEPT = 1_000_000; // characters

/**
 * Compares every signed note in a text with an archive, or every short name of a head.
 * @param {Verdict} verdict of an archive without a fault
 * @param {string} text
 * @returns {Promise<Finding[]>}
 */
export async function compareKept(verdict, text) {
  const kept = text.slice(0, MAX_KEPT).replaceAll("\r\n", "\n");
  const notes = [...kept.matchAll(SIGNED_NOTE)];
  if (notes.length) {
    return Promise.all(notes.map((note) => compareNote(verdict, note[0])));
  }
  return [...kept.matchAll(SHORT_HEAD)].map(([, size, digits]) => {
    const name = `${Number(size)} · ${digits.toUpperCase()}`;
    if (hasShortName(verdict, name)) {
      return finding("head", name);
    }
    return finding(verdict.own ? "elsewhere" : "no-head", name);
  });
}

/**
 * @param {string} code
 * @param {string} what
 * @param {number | null} row
 * @returns {Finding}
 */
function finding(code, what, row = null) {
  return {
    holds: ["head", "later", "elsewhere", "stands", "unsealed", "not-here"].includes(code),
    code,
    what,
    row,
    signed: null,
  };
}

/**
 * Returns the roots over this many rows, one of each timeline that has so many.
 * @param {Verdict} verdict
 * @param {number} size
 */
function rootsOf(verdict, size) {
  const whole = verdict.ledgers.filter((hashes) => size <= hashes.length);
  return whole.map((hashes) => hexOf(treeRoot(hashes.slice(0, size).map(bytesOf))));
}

/**
 * @param {Verdict} verdict
 * @param {string} name
 */
function hasShortName(verdict, name) {
  const [size, digits] = name.split(" · ");
  const start = digits.replaceAll("-", "").toLowerCase();
  return rootsOf(verdict, Number(size)).some((root) => root.startsWith(start));
}

/**
 * @param {Verdict} verdict
 * @param {string} note
 * @returns {Promise<Finding>}
 */
async function compareNote(verdict, note) {
  const [text, signature] = note.split("\n\n\u2014 ");
  const lines = text.split("\n");
  const isReceipt = lines.length === RECEIPT_LINES && lines[0].endsWith("/receipt");
  const found = isReceipt ? compareReceipt(verdict, lines) : compareHead(verdict, lines);
  found.signed = await isSignedByAny(verdict.keys, `${text}\n`, signature.split("\n\u2014 ")[0]);
  if (found.signed !== false) {
    return found;
  }
  // The archive of one faction does not have the keys with which the site signed earlier.
  const code = verdict.own ? "not-signed-now" : "not-signed";
  return { ...finding(code, found.what), signed: false };
}

/**
 * Returns whether one of these keys has signed a text; null if the browser cannot tell.
 * @param {string[]} keys
 * @param {string} text
 * @param {string} line of the signature
 */
async function isSignedByAny(keys, text, line) {
  const answers = await Promise.all(keys.map((key) => isSigned(key, text, line)));
  return answers.includes(true) || (answers.includes(null) ? null : false);
}

/**
 * @param {Verdict} verdict
 * @param {string[]} lines
 */
function compareHead(verdict, lines) {
  const [origin, size, root] = lines;
  if (!origin.includes(`/war/${verdict.campaign}/`)) {
    return finding("other-war", origin);
  }
  const rootHex = hexOf(bytesOfBase64(root));
  const digits = rootHex.slice(0, 12).toUpperCase().match(/.{4}/g) ?? [];
  const name = `${size} · ${digits.join("-")}`;
  return hasRoot(verdict, Number(size), rootHex)
    ? finding("head", name)
    : noSuchHead(verdict, Number(size), name, Number(origin.split("/").at(-1)));
}

/**
 * Returns what it means that no branch had a head: nothing if the archive of one faction ends
 * earlier.
 * @param {Verdict} verdict
 * @param {number} size
 * @param {string} name of the head
 * @param {number} branch on which the head should be
 */
function noSuchHead({ own, branches, ledgers }, size, name, branch) {
  const isLater = size > (ledgers[branches.indexOf(branch)] ?? []).length;
  return finding(own && isLater ? "later" : "no-head", name);
}

/**
 * @param {Verdict} verdict
 * @param {number} size
 * @param {string} root in hexadecimal
 */
function hasRoot(verdict, size, root) {
  return Number.isInteger(size) && size >= 0 && rootsOf(verdict, size).includes(root);
}

/**
 * @param {Verdict} verdict
 * @param {string[]} lines
 */
function compareReceipt(verdict, [origin, place, digest, verb, , head]) {
  if (!origin.endsWith(`/war/${verdict.campaign}/receipt`)) {
    return finding("other-war", origin);
  }
  const parts = place.split("/");
  const [branch, ...stage] = parts.slice(0, -3);
  const contradiction = headContradiction(verdict, head, Number(branch));
  if (contradiction) {
    return contradiction;
  }
  const [faction, revision] = parts.slice(-2);
  const isBattle = stage.length > 1;
  const record = verdict.records.find(
    (sealed) =>
      `${sealed.branch}` === branch &&
      `${sealed.stage}` === stage.at(-1) &&
      sealed.isBattle === isBattle &&
      sealed.faction === faction &&
      `${sealed.revision}` === revision &&
      sealed.digest === digest,
  );
  if (!record) {
    return finding(isBeyond(verdict, branch, stage) ? "not-here" : "missing", place);
  }
  if (verb.startsWith("unsealed") && !record.isWithdrawn) {
    return finding("counts", place, record.row);
  }
  return finding(record.isWithdrawn ? "unsealed" : "stands", place, record.row);
}

/**
 * Returns the finding about the last line of a receipt if the archive contradicts it.
 * @param {Verdict} verdict
 * @param {string} head
 * @param {number} branch
 */
function headContradiction(verdict, head, branch) {
  const [, size, root] = head.split(" ");
  if (!Number(size) || hasRoot(verdict, Number(size), root ?? "")) {
    return null;
  }
  const missing = noSuchHead(verdict, Number(size), head, branch);
  return missing.holds ? null : missing;
}

/**
 * Returns whether the archive of one faction says nothing about a stage. It has only battles whose
 * report the faction has read, without their outside ids.
 * @param {Verdict} verdict
 * @param {string} branch
 * @param {string[]} stage
 */
function isBeyond({ stages }, branch, stage) {
  return stages !== null && (stage.length > 1 || !stages.includes(`${branch}/${stage[0]}`));
}
