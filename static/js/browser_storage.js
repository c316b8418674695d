// Everything that scripts store in this browser: all keys have one prefix, and one function deletes
// them all.
//
// The stored data belongs to one account. When a page loads for another account, it is deleted
// first.

const PREFIX = "blind-jump-";
const ACCOUNT_KEY = `${PREFIX}reader`; // a mark of the account that the stored data belongs to
// Stored by earlier releases; `receipt.js` stores only their hashes.
const NONCE_PREFIX = `${PREFIX}nonce/`;

/**
 * Return a stored value.
 * @param {string} key
 * @returns {any} null if there is none, or this browser stores nothing
 */
export function read(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Store a value.
 * @param {string} key
 * @param {unknown} value
 * @returns {boolean} false if the browser has no room for it
 */
export function write(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/**
 * Delete a stored value.
 * @param {string} key
 */
export function drop(key) {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // This browser stores nothing.
  }
}

/**
 * Return the keys of stored values that begin with a text.
 * @param {string} start
 * @returns {string[]}
 */
export function keys(start) {
  try {
    const fullKeys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + start));
    return fullKeys.map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/**
 * Tell whether a `storage` event, which reports a change in another tab, concerns a key.
 * @param {string} key
 * @param {string | null} changedKey the event's key; null if everything was cleared
 */
export const isChangeOf = (key, changedKey) => changedKey === PREFIX + key || changedKey === null;

/**
 * Delete everything. Values are gone when the call returns, pages when its promise resolves.
 */
export async function clearStorage() {
  for (const key of keys("")) {
    drop(key);
  }
  await deleteStoredPages();
}

/** Delete the pages stored for use without a network, and the workers that open them. */
export async function deleteStoredPages() {
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
    // This browser stores nothing.
  }
}

/**
 * Delete the stored values of another account.
 * @returns {boolean} whether stored pages must be deleted too, because nobody or another account is
 *   logged in
 */
function clearOtherAccount() {
  const { reader: account } = document.documentElement.dataset;
  if (!account) {
    return true;
  }
  try {
    const storedAccount = localStorage.getItem(ACCOUNT_KEY);
    const isOther = storedAccount !== null && storedAccount !== account;
    for (const key of keys("")) {
      if (isOther || (PREFIX + key).startsWith(NONCE_PREFIX)) {
        drop(key);
      }
    }
    if (storedAccount === account) {
      return false;
    }
    localStorage.setItem(ACCOUNT_KEY, account);
    return Boolean(storedAccount);
  } catch {
    return false; // This browser stores nothing.
  }
}

export const accountChanged = clearOtherAccount();
