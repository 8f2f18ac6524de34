"""Data channels in a real browser: who offers, back-pressure, closing, coming back, no leak."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from support.servers import StaticServer

RTC = Path(__file__).resolve().parents[2] / "static" / "rtc.js"

PAIR = """
async () => {
  const { Channels } = await import("/rtc.js");
  const ends = {};
  // Two members in one page; what the coordinator would relay goes straight across.
  const make = (no, other) => {
    const heard = [], waits = [];
    const end = { heard, silent: false, channels: null };
    end.channels = new Channels((message) => {
      if (message.op === "signal") {
        if (!end.silent) ends[other].channels.receive({ op: "signal", peer: no, data: message.data });
        return;
      }
      heard.push(message);
      for (const wait of [...waits]) wait();
    });
    end.until = (found) => new Promise((resolve) => {
      const look = () => found(heard) && (waits.splice(waits.indexOf(look), 1), resolve());
      waits.push(look);
      look();
    });
    ends[no] = end;
  };
  make(1, 2);
  make(2, 1);
  globalThis.ends = ends;
  globalThis.make = make;
  globalThis.opened = (end) => end.until((heard) => heard.some(({ op }) => op === "opened"));
}
"""


@pytest.fixture
def pair(page: Page, serve: Callable[..., StaticServer], tmp_path: Path) -> Page:
    (tmp_path / "index.html").write_text("<!doctype html><link rel=icon href=data:,><title>channels</title>")
    (tmp_path / "rtc.js").write_bytes(RTC.read_bytes())
    page.goto(serve(tmp_path).url)
    page.evaluate(PAIR)
    return page


def _live(page: Page) -> Any:
    return page.evaluate("() => [ends[1].channels.count, ends[2].channels.count, scellisLive.connections]")


def test_the_higher_number_asks_the_lower_one_to_offer(pair: Page) -> None:
    first = pair.evaluate("""async () => {
        ends[2].channels.receive({ op: "open", peer: 1, offer: false });
        await Promise.all([opened(ends[1]), opened(ends[2])]);
        return [1, 2].map((no) => ends[no].heard[0].op);
    }""")
    assert first == ["opened", "opened"]
    assert _live(pair) == [1, 1, 2]


def test_eight_megabytes_arrive_in_order_through_a_bounded_buffer(pair: Page) -> None:
    found = pair.evaluate("""async () => {
        const FRAME = 16 * 1024, FRAMES = 512;
        let highest = 0;
        const { send } = RTCDataChannel.prototype;
        RTCDataChannel.prototype.send = function (data) {
            send.call(this, data);
            highest = Math.max(highest, this.bufferedAmount);
        };
        ends[1].channels.receive({ op: "open", peer: 2, offer: true });
        await Promise.all([opened(ends[1]), opened(ends[2])]);
        for (let at = 0; at < FRAMES; at++) {
            const bytes = new Uint8Array(FRAME).fill(at % 251);
            bytes[0] = at >> 8, bytes[1] = at & 255;
            ends[1].channels.receive({ op: "send", peer: 2, bytes });
        }
        const messages = (heard) => heard.filter(({ op }) => op === "message");
        await ends[2].until((heard) => messages(heard).length === FRAMES);
        const order = messages(ends[2].heard).map(({ bytes }) => bytes[0] * 256 + bytes[1]);
        const whole = messages(ends[2].heard).every(({ bytes }, at) =>
            bytes.length === FRAME && bytes.subarray(2).every((byte) => byte === at % 251));
        const sent = ends[1].heard.filter(({ op }) => op === "sent").reduce((sum, { size }) => sum + size, 0);
        RTCDataChannel.prototype.send = send;
        return { ordered: order.every((no, at) => no === at), whole, sent, highest };
    }""")
    assert found["ordered"]
    assert found["whole"]
    assert found["sent"] == 8 * 1024 * 1024
    assert found["highest"] <= 1024 * 1024 + 16 * 1024


def test_closing_reaches_both_ends_and_leaves_nothing(pair: Page) -> None:
    pair.evaluate("""async () => {
        ends[1].channels.receive({ op: "open", peer: 2, offer: true });
        await Promise.all([opened(ends[1]), opened(ends[2])]);
        ends[1].channels.receive({ op: "close", peer: 2 });
        await ends[2].until((heard) => heard.some(({ op }) => op === "closed"));
    }""")
    assert _live(pair) == [0, 0, 0]


def test_a_reloaded_member_gets_a_new_connection_in_place_of_its_dead_one(pair: Page) -> None:
    answer = pair.evaluate("""async () => {
        ends[1].channels.receive({ op: "open", peer: 2, offer: true });
        await Promise.all([opened(ends[1]), opened(ends[2])]);
        const before = ends[2];
        make(2, 1); // a new page of member 2, which knows of no connection
        ends[1].heard.length = 0;
        ends[2].channels.receive({ op: "open", peer: 1, offer: false });
        await Promise.all([opened(ends[1]), opened(ends[2])]);
        ends[2].channels.receive({ op: "send", peer: 1, bytes: new Uint8Array([7]) });
        await ends[1].until((heard) => heard.some(({ op }) => op === "message"));
        before.channels.reset();
        const { bytes } = ends[1].heard.find(({ op }) => op === "message");
        for (const no of [1, 2]) ends[no].channels.reset();
        return [...bytes];
    }""")
    assert answer == [7]
    assert _live(pair) == [0, 0, 0]


def test_signalling_that_is_nonsense_closes_and_harms_nothing(pair: Page) -> None:
    pair.evaluate("""async () => {
        const receive = (signal) =>
            ends[2].channels.receive({ op: "signal", peer: 1, data: JSON.stringify(signal) });
        receive({ id: "x", description: { type: "offer", sdp: "nonsense" } });
        receive({ id: "y", candidate: { candidate: "nonsense" } });
        receive({});
        await ends[2].until((heard) => heard.some(({ op }) => op === "closed"));
    }""")
    assert _live(pair)[1:] == [0, 0]
