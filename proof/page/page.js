// The page around the verifier: reads a file or the archive that the page contains, and shows the
// verdict. It uses no network.

import { verifyArchive } from "./verifier.js";

/** @typedef {import("./verifier.js").Verdict} Verdict */

const input = /** @type {HTMLInputElement} */ (document.getElementById("file"));
const status = /** @type {HTMLElement} */ (document.getElementById("status"));
const facts = /** @type {HTMLElement} */ (document.getElementById("facts"));
const bar = /** @type {HTMLProgressElement} */ (document.getElementById("progress"));

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<Uint8Array>}
 */
async function unzipped(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    return bytes;
  }
  const stream = new Blob([new Uint8Array(bytes)]).stream();
  const plain = stream.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** @param {Uint8Array} packed */
async function check(packed) {
  status.textContent = "Checking…";
  facts.replaceChildren();
  let bytes;
  try {
    bytes = await unzipped(packed);
  } catch {
    status.textContent = "The file cannot be decompressed.";
    return;
  }
  const total = bytes.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
  bar.hidden = false;
  const verdict = await verifyArchive(bytes, async (done) => {
    bar.value = done / Math.max(1, total);
    await new Promise((resolve) => setTimeout(resolve));
  });
  bar.hidden = true;
  show(verdict);
}

/** @param {Verdict} verdict */
function show(verdict) {
  const { fault } = verdict;
  document.body.dataset.verdict = fault ? "differs" : "proven";
  if (fault) {
    const row = fault.row === null ? "" : `, row ${fault.row}, week ${fault.week}`;
    status.textContent = `Differs: line ${fault.line}${row}: ${fault.words}`;
    return;
  }
  status.textContent = `${verdict.name}: history, orders and dice are proven.`;
  const signatures = {
    signed: `signed by ${verdict.signer}`,
    unsigned: "not signed",
    "not checked": "signed; this browser cannot check the signature",
  };
  const signature = signatures[/** @type {keyof typeof signatures} */ (verdict.signature)];
  addFact("Head of the ledger", `${verdict.head}, ${signature}`);
  addFact("Weeks", `${verdict.weeks}, in ${verdict.rows} rows`);
  addFact("Sealed orders", `${verdict.entries}`);
  addFact("Battles", `${verdict.battles}`);
  addFact("Dice that follow from the seed", `${verdict.dice}`);
}

/**
 * @param {string} name
 * @param {string} value
 */
function addFact(name, value) {
  const term = document.createElement("dt");
  const description = document.createElement("dd");
  term.textContent = name;
  description.textContent = value;
  facts.append(term, description);
}

input.addEventListener("change", async () => {
  const file = input.files?.[0];
  if (file) {
    await check(new Uint8Array(await file.arrayBuffer()));
  }
});

const embedded = document.getElementById("archive")?.textContent?.trim();
if (embedded) {
  const bytes = Uint8Array.from(atob(embedded), (char) => char.charCodeAt(0));
  check(bytes);
}
