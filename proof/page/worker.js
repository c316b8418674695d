// Runs the verifier beside the page, so that the page stays responsive.

import { checkArchive } from "./partial.js";
import { compareKept } from "./witnesses.js";

/** @type {import("./verifier.js").Verdict | null} */
let verdict = null;
let lastTask = Promise.resolve();

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
  verdict = null;
  let bytes;
  try {
    bytes = await unzipped(packed);
  } catch {
    postMessage({ kind: "not-zipped" });
    return;
  }
  const lines = bytes.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
  verdict = await checkArchive(bytes, async (done) => {
    postMessage({ kind: "progress", share: done / Math.max(1, lines) });
  });
  postMessage({ kind: "verdict", verdict });
}

/** @param {{kind: "archive", bytes: Uint8Array} | {kind: "kept", text: string}} data */
async function answer(data) {
  if (data.kind === "archive") {
    await check(data.bytes);
  } else if (verdict && !verdict.fault) {
    postMessage({ kind: "kept", findings: await compareKept(verdict, data.text) });
  } else {
    postMessage({ kind: "no-archive" });
  }
}

// One message after the other: a receipt that comes with its archive waits for the verdict.
addEventListener("message", ({ data }) => {
  lastTask = lastTask.then(() => answer(data));
});
