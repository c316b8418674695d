// The service worker of the record of a table battle: opens the page without a network, as it was
// last loaded, for up to a day.
//
// Its scope is that one page. It stores the page and its styles, scripts and fonts in a cache named
// after the scope; the page itself stores unsent entries (table_queue.js). The cache is deleted as
// soon as the site answers that nobody is logged in or that the page does not exist, and at logout
// (forget_on_logout.js).

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const PAGE = new URL(worker.registration.scope);
const NAME = `blind-jump-table/${PAGE.pathname}`; // the name of the cache
const DAY = 24 * 60 * 60 * 1000; // milliseconds
const STORED_AT = "X-Kept-At"; // the header with the time of storing, in milliseconds
const COPIED_HEADERS = ["Content-Security-Policy", "Referrer-Policy", "X-Content-Type-Options"];
const ASSET = /(?:src|href)="(\/static\/[^"]+\.(?:js|css))"/g;

worker.addEventListener("install", () => {
  worker.skipWaiting();
});
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== PAGE.origin) {
    return;
  }
  if (request.mode === "navigate" && url.pathname === PAGE.pathname) {
    event.respondWith(pageOrStored(request));
  } else if (url.pathname.startsWith("/static/")) {
    event.respondWith(assetOrStored(request));
  }
});

// Messages of table_record.js: `forget`, and `keep` with the addresses of the page's assets.
worker.addEventListener("message", (event) => {
  if (event.data?.forget) {
    event.waitUntil(caches.delete(NAME));
  }
  if (event.data?.keep) {
    event.waitUntil(storePage(event.data.keep, event.source));
  }
});

/**
 * Return the page from the site, or without a network the stored one if it is not too old.
 * @param {Request} request
 */
async function pageOrStored(request) {
  try {
    const answer = await fetch(request);
    await deleteIfRefused(answer);
    return answer;
  } catch (offline) {
    const stored = await (await caches.open(NAME)).match(PAGE.href);
    if (stored && Math.abs(Date.now() - Number(stored.headers.get(STORED_AT))) < DAY) {
      return stored;
    }
    throw offline;
  }
}

/**
 * Return a style, script or font from the site, or without a network the stored one.
 * @param {Request} request
 */
async function assetOrStored(request) {
  try {
    return await fetch(request);
  } catch (offline) {
    const stored = await caches.match(request.url, { cacheName: NAME });
    if (stored) {
      return stored;
    }
    throw offline;
  }
}

/**
 * Delete everything stored if the site refuses the page. Failures of the site (5xx) do not count.
 * @param {Response} answer
 * @returns {Promise<boolean>} whether the answer is something else than the page
 */
async function deleteIfRefused(answer) {
  const isOtherAnswer = answer.status !== 200 || answer.redirected;
  if (isOtherAnswer && answer.status < 500) {
    await caches.delete(NAME);
  }
  return isOtherAnswer;
}

/**
 * Return the headers to store with the page.
 * @param {Response} answer
 */
function headersToStore(answer) {
  const headers = new Headers({ [STORED_AT]: String(Date.now()) });
  for (const name of ["Content-Type", ...COPIED_HEADERS]) {
    const value = answer.headers.get(name);
    if (value) {
      headers.set(name, value);
    }
  }
  return headers;
}

/**
 * Tell whether a page uses no other scripts and styles than these.
 * @param {string} text the page's HTML
 * @param {Set<string>} assets addresses
 */
function usesOnly(text, assets) {
  const used = [...text.matchAll(ASSET)].map(([, path]) => new URL(path, PAGE).href);
  return used.every((address) => assets.has(address));
}

/**
 * Store a page and its assets in place of those stored before.
 * @param {Response} page
 * @param {Set<string>} assets addresses
 */
async function replaceStored(page, assets) {
  const cache = await caches.open(NAME);
  for (const address of assets) {
    if (!(await cache.match(address))) {
      await cache.add(address);
    }
  }
  await cache.put(PAGE.href, page);
  for (const { url } of await cache.keys()) {
    if (url !== PAGE.href && !assets.has(url)) {
      await cache.delete(url);
    }
  }
}

/**
 * Load the page and store it with its assets. If it uses other scripts or styles than the open
 * page, the site has a newer version: then what was stored stays, because its parts fit together.
 * @param {string[]} addresses the assets of the open page
 * @param {Client | ServiceWorker | MessagePort | null} sender the open page; it is told if the
 *   browser has no room
 */
async function storePage(addresses, sender) {
  const assets = new Set(addresses.filter((address) => new URL(address).origin === PAGE.origin));
  try {
    const answer = await fetch(PAGE.href, { redirect: "manual" });
    if (await deleteIfRefused(answer)) {
      return;
    }
    const text = await answer.text();
    if (usesOnly(text, assets)) {
      await replaceStored(new Response(text, { headers: headersToStore(answer) }), assets);
    }
  } catch (error) {
    // Without a network, what was stored stays.
    if (error instanceof DOMException && error.name === "QuotaExceededError") {
      sender?.postMessage({ full: true });
    }
  }
}
