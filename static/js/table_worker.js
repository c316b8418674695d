// Opens the record of a battle at the table where there is no network: the page as it was last read, for a day.
//
// Its scope is that one page. It keeps the page, and the styles, scripts and fonts it is drawn with, under the name of
// the scope; what marks wait to be sent is kept by the page itself (table_record.js). All of it is forgotten as soon as
// the site answers that nobody is logged in or that the page is not there, and by house_forget.js when one logs out.

const HERE = new URL(self.registration.scope);
const NAME = `blind-jump-table/${HERE.pathname}`;
const DAY = 24 * 60 * 60 * 1000;
const KEPT_AT = "X-Kept-At";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
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

self.addEventListener("message", (event) => {
  if (event.data?.forget) {
    event.waitUntil(caches.delete(NAME));
  }
  if (event.data?.keep) {
    event.waitUntil(keep(event.data.keep, event.source));
  }
});

/** The page from the site, or without network as it was read. */
async function page(request) {
  try {
    const answer = await fetch(request);
    await refused(answer);
    return answer;
  } catch (gone) {
    const kept = await (await caches.open(NAME)).match(HERE.href);
    if (kept && Math.abs(Date.now() - Number(kept.headers.get(KEPT_AT))) < DAY) {
      return kept;
    }
    throw gone;
  }
}

/** What a page is drawn with, from the site, or without network as it was read. */
async function asset(request) {
  try {
    return await fetch(request);
  } catch (gone) {
    const kept = await caches.match(request.url, { cacheName: NAME });
    if (kept) {
      return kept;
    }
    throw gone;
  }
}

/** Forget the page where the answer is another than the page; whether it is. */
async function refused(answer) {
  const other = answer.status !== 200 || answer.redirected;
  if (other && answer.status < 500) {
    await caches.delete(NAME);
  }
  return other;
}

/** Keep the page as it is now, with what it is drawn with, and nothing of before. A page that wants other scripts and
 * styles than the one that is open is of a newer version of the site: then what was kept stays, which fits together.
 */
async function keep(assets, asker) {
  const drawn = new Set(assets.filter((one) => new URL(one).origin === HERE.origin));
  try {
    const answer = await fetch(HERE.href, { redirect: "manual" });
    if (await refused(answer)) {
      return;
    }
    const headers = {
      "Content-Type": answer.headers.get("Content-Type"),
      [KEPT_AT]: String(Date.now()),
    };
    for (const name of ["Content-Security-Policy", "Referrer-Policy", "X-Content-Type-Options"]) {
      if (answer.headers.get(name)) {
        headers[name] = answer.headers.get(name);
      }
    }
    const text = await answer.text();
    const wants = [...text.matchAll(/(?:src|href)="(\/static\/[^"]+\.(?:js|css))"/g)];
    if (!wants.every(([, path]) => drawn.has(new URL(path, HERE).href))) {
      return;
    }
    const kept = await caches.open(NAME);
    for (const one of drawn) {
      if (!(await kept.match(one))) {
        await kept.add(one);
      }
    }
    await kept.put(HERE.href, new Response(text, { headers }));
    for (const { url } of await kept.keys()) {
      if (url !== HERE.href && !drawn.has(url)) {
        await kept.delete(url);
      }
    }
  } catch (fault) {
    if (fault.name === "QuotaExceededError") {
      asker?.postMessage({ full: true });
    }
  } // where there is no network what was kept stays
}
