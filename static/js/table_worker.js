// Opens the record of a battle at the table where there is no network: the page as it was last
// read, for a day.
//
// Its scope is that one page. It keeps the page, and the styles, scripts and fonts it is drawn
// with, under the name of the scope; marks that wait to be sent are kept by the page itself
// (table_record.js). All of it is forgotten as soon as the site answers that nobody is logged in or
// that the page is not there, and by forget_on_logout.js at logging out.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const HERE = new URL(worker.registration.scope);
const NAME = `blind-jump-table/${HERE.pathname}`;
const DAY = 24 * 60 * 60 * 1000;
const KEPT_AT = "X-Kept-At";
const KEPT_HEADERS = ["Content-Security-Policy", "Referrer-Policy", "X-Content-Type-Options"];
const ASSET = /(?:src|href)="(\/static\/[^"]+\.(?:js|css))"/g;

worker.addEventListener("install", () => {
  worker.skipWaiting();
});
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== HERE.origin) {
    return;
  }
  if (request.mode === "navigate" && url.pathname === HERE.pathname) {
    event.respondWith(page(request));
  } else if (url.pathname.startsWith("/static/")) {
    event.respondWith(asset(request));
  }
});

worker.addEventListener("message", (event) => {
  if (event.data?.forget) {
    event.waitUntil(caches.delete(NAME));
  }
  if (event.data?.keep) {
    event.waitUntil(keep(event.data.keep, event.source));
  }
});

/**
 * Return the page from the site, or without network as it was read.
 * @param {Request} request
 */
async function page(request) {
  try {
    const answer = await fetch(request);
    await forgetIfRefused(answer);
    return answer;
  } catch (offline) {
    const kept = await (await caches.open(NAME)).match(HERE.href);
    if (kept && Math.abs(Date.now() - Number(kept.headers.get(KEPT_AT))) < DAY) {
      return kept;
    }
    throw offline;
  }
}

/**
 * Return what a page is drawn with from the site, or without network as it was read.
 * @param {Request} request
 */
async function asset(request) {
  try {
    return await fetch(request);
  } catch (offline) {
    const kept = await caches.match(request.url, { cacheName: NAME });
    if (kept) {
      return kept;
    }
    throw offline;
  }
}

/**
 * Forget the page where the answer is not the page.
 * @param {Response} answer
 * @returns {Promise<boolean>} whether it is not
 */
async function forgetIfRefused(answer) {
  const isRefused = answer.status !== 200 || answer.redirected;
  if (isRefused && answer.status < 500) {
    await caches.delete(NAME);
  }
  return isRefused;
}

/** @param {Response} answer */
function headersToKeep(answer) {
  const headers = new Headers({ [KEPT_AT]: String(Date.now()) });
  for (const name of ["Content-Type", ...KEPT_HEADERS]) {
    const value = answer.headers.get(name);
    if (value) {
      headers.set(name, value);
    }
  }
  return headers;
}

/**
 * @param {string} text of a page
 * @param {Set<string>} assets addresses
 */
function usesOnly(text, assets) {
  const wanted = [...text.matchAll(ASSET)].map(([, path]) => new URL(path, HERE).href);
  return wanted.every((address) => assets.has(address));
}

/**
 * Replace what is kept.
 * @param {Response} fresh
 * @param {Set<string>} assets addresses
 */
async function store(fresh, assets) {
  const kept = await caches.open(NAME);
  for (const address of assets) {
    if (!(await kept.match(address))) {
      await kept.add(address);
    }
  }
  await kept.put(HERE.href, fresh);
  for (const { url } of await kept.keys()) {
    if (url !== HERE.href && !assets.has(url)) {
      await kept.delete(url);
    }
  }
}

/**
 * Keep the page as it is now, with what it is drawn with, and nothing of before. If the page wants
 * other scripts and styles than the open one has, the site has a newer version: then what was kept
 * stays, as it fits together.
 * @param {string[]} addresses of what the open page is drawn with
 * @param {Client | ServiceWorker | MessagePort | null} asker
 */
async function keep(addresses, asker) {
  const assets = new Set(addresses.filter((address) => new URL(address).origin === HERE.origin));
  try {
    const answer = await fetch(HERE.href, { redirect: "manual" });
    if (await forgetIfRefused(answer)) {
      return;
    }
    const text = await answer.text();
    if (usesOnly(text, assets)) {
      await store(new Response(text, { headers: headersToKeep(answer) }), assets);
    }
  } catch (error) {
    // Where there is no network what was kept stays.
    if (error instanceof DOMException && error.name === "QuotaExceededError") {
      asker?.postMessage({ full: true });
    }
  }
}
