"""Record short films of pages that move, all of them or those whose names begin with NAME.

`python -m tools.screens.films [NAME ...]` writes docs/pictures/films/NAME.webm. The browser sends a
picture of the page whenever it changes, and encodes them afterwards, so no other program is needed
and a slow machine loses pictures, but no time.
"""

from __future__ import annotations

import argparse
import base64
import struct
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from tests.browser.people import person
from tests.site.running import ROOT
from tools.screens.__main__ import prepared_site
from tools.screens.battles import phase_path
from tools.screens.screen import PLAYER, UMPIRE, Size, Wars

FOLDER = ROOT / "docs" / "pictures" / "films"
SIZE = (1280, 800)
QUALITY = 80  # of the pictures, in per cent
BITS = 250_000  # of the film, per second
READS = 700  # milliseconds for which a decision is shown before it is sealed
LONGEST_FILM = 30_000  # milliseconds until the next decision
# Whether a battle's page shows the next phase that waits for the player.
SHOWS_NEXT = """before => {
  const form = document.querySelector("#orders");
  const number = (state) => state.split("-")[0];
  return form && number(form.dataset.at) !== number(before) && document.querySelector("#seal") !== null
    && !document.querySelector(".arriving");
}"""
# The list is hidden until a film plays.
CHOOSE_SPEED = """(list, value) => {
  list.value = value;
  list.dispatchEvent(new Event("change"));
}"""
KEY_FRAME_MS = 4_000  # between pictures that a player can jump to
# Returns the encoded pictures as (milliseconds, whether it is a key frame, base64).
ENCODE = """async ({frames, width, height, bits, key}) => {
  const chunks = [];
  const encoder = new VideoEncoder({
    error: (fault) => console.error(fault),
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
      chunks.push([Math.round(chunk.timestamp / 1000), chunk.type === "key", btoa(text)]);
    },
  });
  const codec = "vp09.00.40.08"; // VP9, 8 bits
  encoder.configure({codec, width, height, bitrate: bits, latencyMode: "quality"});
  let keyAt = -key;
  for (const [at, data] of frames) {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], {type: "image/jpeg"}));
    const frame = new VideoFrame(picture, {timestamp: at * 1000});
    const keyFrame = at - keyAt >= key;
    if (keyFrame) keyAt = at;
    encoder.encode(frame, {keyFrame});
    frame.close();
    await encoder.flush();
  }
  return chunks;
}"""


@dataclass(frozen=True, slots=True)
class Film:
    """A page to record.

    Attributes:
        path: Its address, given the wars that exist.
        act: What is done on the page when the recording has begun.
        seconds: How long it is recorded after that.
        rival_act: What the rival does first, at their page of the same battle.
    """

    name: str
    path: Callable[[Wars, Page], str]
    act: Callable[[Page], None]
    seconds: float
    size: Size = SIZE
    rival_act: Callable[[Page], None] | None = None


def _play_story(page: Page) -> None:
    """Play the film of a war at double speed."""
    page.locator("#film-pace").select_option("2")
    page.locator("#film-go").click()


def _leave_to_captain(page: Page) -> None:
    """Leave the rest of a battle to the captain."""
    with page.expect_navigation():
        page.locator("button[value=captain]").first.evaluate("one => one.form.requestSubmit(one)")


def _seal_phases(page: Page) -> None:
    """Seal phase by phase, and watch what follows at double speed, until the next turn begins."""
    page.locator("#speed").evaluate(CHOOSE_SPEED, "2")
    turn = page.locator("h1").inner_text().split(",")[0]
    while page.locator("h1").inner_text().split(",")[0] == turn:
        shown = page.locator("#orders").get_attribute("data-at")
        page.wait_for_timeout(READS)
        page.locator("#seal").click()
        page.wait_for_function(SHOWS_NEXT, arg=shown, timeout=LONGEST_FILM)


FILMS = (
    Film("table", phase_path("plot"), _seal_phases, 2, rival_act=_leave_to_captain),
    Film(
        "story",
        lambda wars, _page: f"/c/{wars['lafayette-over']}/story/film/?as=nac",
        _play_story,
        20,
    ),
)


def record(page: Page, act: Callable[[Page], None], seconds: float) -> list[tuple[int, str]]:
    """Return the pictures of an open page as (milliseconds from the first, JPEG in base64)."""
    session = page.context.new_cdp_session(page)
    frames: list[tuple[int, str]] = []
    began = time.monotonic()

    def keep(frame: dict[str, Any]) -> None:
        frames.append((round((time.monotonic() - began) * 1000), frame["data"]))
        session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "jpeg", "quality": QUALITY})
    act(page)
    page.wait_for_timeout(seconds * 1000)
    lasted = round((time.monotonic() - began) * 1000)
    session.send("Page.stopScreencast")
    first = frames[0][0]
    # The last picture stays until the end.
    end = max(lasted - first, frames[-1][0] - first + 1)
    return [*((at - first, data) for at, data in frames), (end, frames[-1][1])]


def encode(page: Page, frames: list[tuple[int, str]], size: Size) -> bytes:
    """Return the film of these pictures as WebM.

    Args:
        page: Any page of the site, which browsers trust with their encoder.
    """
    width, height = size
    question = {
        "frames": frames,
        "width": width,
        "height": height,
        "bits": BITS,
        "key": KEY_FRAME_MS,
    }
    blocks = []
    for at, is_key, data in page.evaluate(ENCODE, question):
        blocks.append((at, is_key, base64.b64decode(data)))
    return webm(blocks, size)


def webm(blocks: list[tuple[int, bool, bytes]], size: Size) -> bytes:
    """Return a WebM file with one track of VP9.

    Args:
        blocks: (milliseconds, whether it is a key frame, the encoded picture) of each picture.
    """
    clusters: list[bytes] = []
    began = 0
    for at, is_key, data in blocks:
        if is_key:
            began = at
            clusters.append(_element(0xE7, _number(at)))
        flags = 0x80 if is_key else 0
        block = b"\x81" + (at - began).to_bytes(2, "big") + bytes([flags]) + data
        clusters[-1] += _element(0xA3, block)
    width, height = size
    picture = _element(0xB0, _number(width)) + _element(0xBA, _number(height))
    track = b"".join(
        (
            _element(0xD7, _number(1)),
            _element(0x73C5, _number(1)),
            _element(0x83, _number(1)),
            _element(0x86, b"V_VP9"),
            _element(0xE0, picture),
        )
    )
    duration = struct.pack(">d", float(blocks[-1][0]))
    info = b"".join(
        (
            _element(0x2AD7B1, _number(1_000_000)),
            _element(0x4489, duration),
            _element(0x4D80, b"Blind Jump"),
            _element(0x5741, b"Blind Jump"),
        )
    )
    head = b"".join(
        (
            _element(0x4286, _number(1)),
            _element(0x42F7, _number(1)),
            _element(0x42F2, _number(4)),
            _element(0x42F3, _number(8)),
            _element(0x4282, b"webm"),
            _element(0x4287, _number(2)),
            _element(0x4285, _number(2)),
        )
    )
    segment = _element(0x1549A966, info) + _element(0x1654AE6B, _element(0xAE, track))
    segment += b"".join(_element(0x1F43B675, cluster) for cluster in clusters)
    return _element(0x1A45DFA3, head) + _element(0x18538067, segment)


def _element(name: int, content: bytes) -> bytes:
    """Return an element of a Matroska file: its id, its length in eight bytes, and its content."""
    length = (len(content) | 1 << 56).to_bytes(8, "big")
    return name.to_bytes((name.bit_length() + 7) // 8, "big") + length + content


def _number(value: int) -> bytes:
    """Return a number as few bytes, the highest first."""
    return value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")


def main(arguments: list[str]) -> int:
    """Start a site, create its wars, and record its films."""
    asks = argparse.ArgumentParser(
        prog="python -m tools.screens.films", description=(__doc__ or "").partition("\n")[0]
    )
    asks.add_argument(
        "begins", nargs="*", metavar="NAME", help="what the name of a film begins with"
    )
    begins: list[str] = asks.parse_args(arguments).begins
    chosen = [film for film in FILMS if not begins or film.name.startswith(tuple(begins))]
    if not chosen:
        print(f"no film begins so; there are {', '.join(film.name for film in FILMS)}")
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    with prepared_site() as (site, browser, wars):
        for film in chosen:
            visit = person(site, browser, PLAYER, film.size, color_scheme="dark")
            if film.rival_act is not None:
                rival = person(site, browser, UMPIRE)
                rival.go(film.path(wars, rival.page))
                film.rival_act(rival.page)
                rival.context.close()
            visit.go(film.path(wars, visit.page))
            frames = record(visit.page, film.act, film.seconds)
            content = encode(visit.page, frames, film.size)
            visit.context.close()
            (FOLDER / f"{film.name}.webm").write_bytes(content)
            print(f"{film.name}.webm, {len(frames)} pictures, {len(content):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
