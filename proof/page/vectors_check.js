// Prints the names of the vectors in which the verifier of the page differs, and its verdicts.
// A file that ends in .json has battles, whose luck is counted. One that ends in .txt is something
// that was kept, which is compared with the archive before it.
// node proof/page/vectors_check.js VECTORS.json [ARCHIVE... | BATTLES.json | KEPT.txt...]

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { luckAccount } from "./luck.js";
import { checkArchive } from "./partial.js";
import {
  bytesOf,
  dieOf,
  digest,
  hexOf,
  keyOf,
  keyed,
  nonceOfWord,
  ordersDigest,
  outcomeRoot,
  roundAfter,
  sha256,
  treeRoot,
} from "./verifier.js";
import { compareKept } from "./witnesses.js";

const [, , vectors, ...archives] = process.argv;
const cases = JSON.parse(readFileSync(vectors, "utf8"));
/** @type {Record<string, (item: any) => boolean>} */
const CHECKS = {
  digests: (item) => digest(item.value) === item.sha256,
  keyed: (item) => keyed(item.secret, ...item.key) === item.hmac,
  orders: (item) => ordersDigest(item.payload, item.nonce, item.share) === item.digest,
  words: (item) => nonceOfWord(item.word) === item.nonce,
  dice: (item) => dieOf(item.seed, [1, ...item.key], item.sides) === item.value,
  key_tree: (item) =>
    keyOf(item.seed, item.path) === item.key &&
    item.dice.every(
      (/** @type {any[]} */ die) => dieOf(item.key, die.slice(0, 4), die[4]) === die[5],
    ),
  entropy: (item) =>
    digest([item.last, item.number, digest(item.digests), item.shares, item.beacon]) === item.link,
  beacons: (item) =>
    roundAfter(item.closed_at) === item.round &&
    hexOf(sha256(bytesOf(item.signature))) === item.randomness,
  trees: (item) => hexOf(treeRoot(item.leaves.map(bytesOf))) === item.root,
  outcomes: (item) =>
    outcomeRoot(item.blind, item.place, new Map(Object.entries(item.leaves)), item.slots) ===
    item.root,
};
const wrong = Object.keys(CHECKS).filter((name) => !cases[name].every(CHECKS[name]));
/** @type {import("./verifier.js").Verdict[]} */
const verdicts = [];
/** @type {ReturnType<typeof luckAccount>[]} */
const luck = [];
/** @type {import("./witnesses.js").Finding[][]} */
const kept = [];
for (const name of archives) {
  const file = readFileSync(name);
  if (name.endsWith(".json")) {
    luck.push(luckAccount(JSON.parse(file.toString("utf8"))));
    continue;
  }
  if (name.endsWith(".txt")) {
    kept.push(await compareKept(verdicts[verdicts.length - 1], file.toString("utf8")));
    continue;
  }
  const bytes = name.endsWith(".gz") ? gunzipSync(file) : file;
  verdicts.push(await checkArchive(new Uint8Array(bytes)));
}
console.log(JSON.stringify({ wrong, verdicts, kept, luck }));
