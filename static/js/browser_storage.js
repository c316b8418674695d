// What this browser keeps of its reader: all of it under one prefix, and one function that forgets
// it.
//
// It belongs to one account. A page of another account finds nothing: what is there is forgotten
// first.

const PREFIX = "blind-jump-";
const READER = `${PREFIX}reader`; // a mark of the account that everything here belongs to
const NONCES = `${PREFIX}nonce/`; // kept by earlier releases; `receipt.js` keeps only their hashes

/**
 * @param {string} key
 * @returns {any} the value, or null
 */
export function read(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Keep a value.
 * @param {string} key
 * @param {unknown} value
 * @returns {boolean} whether the browser has room for it
 */
export function write(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} key */
export function drop(key) {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // This browser keeps nothing.
  }
}

/**
 * @param {string} start
 * @returns {string[]} the keys that begin so
 */
export function keys(start) {
  try {
    const all = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + start));
    return all.map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/**
 * Say whether a change in the browser's storage, from another tab, is about a key.
 * @param {string} key
 * @param {string | null} changed null: everything was cleared
 */
export const isAbout = (key, changed) => changed === PREFIX + key || changed === null;

/**
 * Forget everything. Storage is empty when this returns, pages are gone when its promise is kept.
 */
export async function forget() {
  for (const key of keys("")) {
    drop(key);
  }
  await forgetPages();
}

/** Forget the pages that open without network, and the worker that opens them. */
export async function forgetPages() {
  try {
    for (const name of await caches.keys()) {
      if (name.startsWith(PREFIX)) {
        await caches.delete(name);
      }
    }
    for (const worker of await navigator.serviceWorker.getRegistrations()) {
      if (worker.scope.endsWith("/table/record/")) {
        await worker.unregister();
      }
    }
  } catch {
    // This browser keeps nothing.
  }
}

/**
 * Forget what belongs to another account.
 * @returns {boolean} whether pages are to be forgotten, too: nobody is logged in, or somebody else
 */
function forgetOthers() {
  const { reader } = document.documentElement.dataset;
  if (!reader) {
    return true;
  }
  try {
    const before = localStorage.getItem(READER);
    const isOther = before !== null && before !== reader;
    for (const key of keys("")) {
      if (isOther || (PREFIX + key).startsWith(NONCES)) {
        drop(key);
      }
    }
    if (before === reader) {
      return false;
    }
    localStorage.setItem(READER, reader);
    return Boolean(before);
  } catch {
    return false; // This browser keeps nothing.
  }
}

export const readerChanged = forgetOthers();
