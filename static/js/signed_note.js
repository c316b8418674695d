// Checks a signed note (https://c2sp.org/signed-note) with the key that this site publishes.

const KEY_ADDRESS = "/.well-known/blindjump-key";
const KEY_ID_BYTES = 4;
const TYPE_BYTES = 1;

/** @type {Promise<CryptoKey | null> | undefined} */
let siteKey;

/**
 * Return the bytes of a text in base64.
 * @param {string} text
 */
const bytesOf = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/**
 * Load the site's public key.
 * @returns {Promise<CryptoKey | null>} null if this browser cannot use it
 */
async function loadKey() {
  try {
    const response = await fetch(KEY_ADDRESS);
    const encoded = (await response.text()).trim().split("+").slice(2).join("+");
    const bytes = bytesOf(encoded).slice(TYPE_BYTES);
    return await crypto.subtle.importKey("raw", bytes, "Ed25519", false, ["verify"]);
  } catch {
    return null; // no network, no TLS, or a browser without Ed25519
  }
}

/**
 * Check the signature of a note.
 * @param {string} note
 * @returns {Promise<boolean | null>} null if this browser cannot check it
 */
export async function checkNote(note) {
  siteKey ??= loadKey();
  const key = await siteKey;
  if (!key) {
    return null;
  }
  const [text, signatureLine] = note.split(/\n(?=\n)/);
  const signature = bytesOf(signatureLine.trim().split(" ")[2]).slice(KEY_ID_BYTES);
  return crypto.subtle.verify("Ed25519", key, signature, new TextEncoder().encode(`${text}\n`));
}
