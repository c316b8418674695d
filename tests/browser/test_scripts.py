"""Scripts from a collected build: each module has one address, so it runs once, in the reader's
language.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import person, start_umpired_war
from tests.site.running import Site

pytestmark = pytest.mark.browser
HASH = re.compile(r"\.[0-9a-f]{12}(?=\.)")
SCALE = "() => document.querySelector('[data-map]').starMap.k"
ONE_STEP = 1.5
# A browser with notifications, without its maker's push service.
HAS_PUSH = """
Notification.requestPermission = async () => "granted";
PushManager.prototype.subscribe = async () => {
  const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const point = await crypto.subtle.exportKey("raw", pair.publicKey);
  sessionStorage.told = "yes";
  const text = buffer => new Uint8Array(buffer).toBase64({ alphabet: "base64url", omitPadding: true });
  const keys = { auth: text(new ArrayBuffer(16)), p256dh: text(point) };
  return { toJSON: () => ({ endpoint: "https://fcm.googleapis.com/fcm/send/abc", expirationTime: null, keys }) };
};
PushManager.prototype.getSubscription = async () => sessionStorage.told ? {
  endpoint: `https://fcm.googleapis.com/fcm/send/${sessionStorage.at ?? "abc"}`,
  unsubscribe: async () => { sessionStorage.told = "no more"; return true; } } : null;
"""
NOW_THERE = "() => { sessionStorage.at = 'def'; }"
# In the worker: the push service has given this browser another address. The site's answer, and the
# result.
ELSEWHERE = """async () => {
  let kept = "kept", status = 0;
  const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const text = buffer => new Uint8Array(buffer).toBase64({ alphabet: "base64url", omitPadding: true });
  const keys = { auth: text(new ArrayBuffer(16)), p256dh: text(await crypto.subtle.exportKey("raw", pair.publicKey)) };
  const at = name => { const endpoint = `https://fcm.googleapis.com/fcm/send/${name}`;
    return { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe: async () => { kept = "dropped"; } }; };
  const fetched = self.fetch;
  self.fetch = async (...all) => { const answer = await fetched(...all); status = answer.status; return answer; };
  let done;
  self.dispatchEvent(Object.assign(new ExtendableEvent("pushsubscriptionchange"), {
    oldSubscription: at("abc"), newSubscription: at("def"), waitUntil(promise) { done = promise; } }));
  await done.catch(() => {});
  self.fetch = fetched;
  return [status, kept];
}"""
# In the worker: two messages arrive, then three notifications are pressed.
NOTIFY = """async () => {
  const shown = [], opened = [], tabs = [];
  self.registration.showNotification = async (title, options) => { shown.push({ title, ...options }); };
  self.clients.matchAll = async () => tabs;
  self.clients.openWindow = async address => { opened.push(new URL(address).pathname); };
  const happen = async event => { self.dispatchEvent(event); await new Promise(done => setTimeout(done)); };
  const press = path => happen(Object.assign(new ExtendableEvent("notificationclick"), { notification: {
    data: { path }, close() { opened.push("closed"); } } }));
  const sent = { title: "Blind Jump", body: "War: new.", path: "/c/1/", tag: "a1" };
  await happen(new PushEvent("push", { data: JSON.stringify(sent) }));
  await happen(new PushEvent("push"));
  await press("/c/1/");
  tabs.push({ url: `${self.location.origin}/c/1/?week=2`, focus: async () => { opened.push("tab"); } });
  await press("/c/1/");
  await press("//elsewhere.example/c/1/");
  const icon = await createImageBitmap(await (await fetch(shown[0].icon)).blob());
  return { shown: shown.map(one => [one.title, one.body, one.data.path, one.tag ?? ""]), opened, icon: icon.width };
}"""


def test_modules_load_from_one_address_and_one_click_zooms_once(
    site: Site, browser: Browser
) -> None:
    campaign, names = start_umpired_war(site, "scripts")
    player = person(site, browser, names["ember"])
    fetched: list[str] = []
    player.context.set_extra_http_headers({"Accept-Language": "de"})
    player.page.on("request", lambda request: fetched.append(request.url.partition("?")[0]))
    player.go(f"/c/{campaign}/deploy/")
    player.page.get_by_role("button", name="Die ganze Karte zeigen").click()
    before = player.page.evaluate(SCALE)
    player.page.get_by_role("button", name="Vergrößern").click()
    player.page.wait_for_function(f"before => ({SCALE})() > before", arg=before)
    assert player.page.evaluate(SCALE) / before == pytest.approx(ONE_STEP, abs=0.01)
    assert re.search(r"von [\d.]+ Punkten übrig", player.page.inner_text("[data-budgets]"))
    scripts = [address for address in fetched if address.endswith(".js")]
    assert all(
        any(f"/{name}." in address for address in scripts) for name in ("chart", "phrase", "de")
    ), scripts
    assert [address for address in scripts if not HASH.search(address)] == []
    assert [
        name
        for name, times in Counter(HASH.sub("", address) for address in scripts).items()
        if times > 1
    ] == []
    # A script that cannot be loaded is reported, at the start of the page or later.
    lost_notice = player.page.locator("#script-lost")
    assert not lost_notice.is_visible()
    player.page.evaluate("() => { setTimeout(() => import('/static/js/nothing.js')) }")
    lost_notice.wait_for(state="visible")
    player.page.route("**/deploy_cards.*", lambda route: route.abort())
    player.page.reload()
    lost_notice.wait_for(state="visible")
    assert "Speichere, was du eingegeben hast" in lost_notice.inner_text()
    player.context.close()


def test_push_notification_opens_its_page(site: Site, browser: Browser) -> None:
    site.people("told")
    player = person(site, browser, "told")
    player.context.add_init_script(HAS_PUSH)
    player.go("/me/")
    player.press("Notify me in this browser")
    player.expect_text("this browser", "Browser added")
    expect(player.page.get_by_role("button", name="Notify me in this browser")).to_be_hidden()
    player.check_page("/me/")
    (worker,) = player.context.service_workers
    assert worker.evaluate(NOTIFY) == {
        "shown": [["Blind Jump", "War: new.", "/c/1/", "a1"], ["Blind Jump", "", "/", ""]],
        "opened": ["closed", "/c/1/", "closed", "tab", "closed"],
        "icon": 192,
    }
    assert worker.evaluate(ELSEWHERE) == [204, "kept"]
    player.go("/me/")
    expect(
        player.page.get_by_role("button", name="Stop : notifications in the browser")
    ).to_have_count(1)
    player.page.evaluate(NOW_THERE)
    player.go("/me/")
    player.expect_text("this browser")
    player.go("/accounts/logout/")
    with player.page.expect_navigation():
        player.page.get_by_role("main").get_by_role("button", name="Log out").click()
    assert player.page.evaluate("() => sessionStorage.told") == "no more"
    assert worker.evaluate(ELSEWHERE) == [0, "dropped"]  # nobody is logged in
    del site.sessions["told"]
    again = person(site, browser, "told")
    again.go("/me/")
    expect(
        again.page.get_by_role("button", name="Stop : notifications in the browser")
    ).to_have_count(0)
    again.context.close()
    player.context.close()
