"""The protocol's messages: there and back, and everything hostile refused by name."""

from __future__ import annotations

import json
from typing import Any, get_args

import attrs
import hypothesis.strategies as st
import pytest
from hypothesis import given

from scellis.errors import ScellisError
from scellis.pool import messages as m
from scellis.pool.digests import address_of, digest_of, pack, split, unpack
from scellis.pool.label import device_label

HEADER = m.PoolHeader(
    protocol=1,
    pool="0" * 32,
    job="sha256:" + "1" * 64,
    engine="0.1.0",
    shards=640,
    policy="own_devices",
    owner="2" * 64,
    invite="sha256:" + "3" * 64,
    check_rate=0.05,
    lease_s=90.0,
    secret_commitment="sha256:" + "4" * 64,
)
EXAMPLES: list[Any] = [
    m.Ask(rate=0.5),
    m.Beat(),
    m.Bye(),
    m.Want(first=2048),
    m.Table(first=0, digests=pack(bytes(64)), holders=((1, 4, 2), (1,))),
    m.Seal(digest=pack(bytes(32)), table=pack(bytes(32))),
    m.Consent(given=True),
    m.Commit(first=0, epoch=1, digests=pack(bytes(64))),
    m.Verdict(lease=1, agree=(1, 2), differ=(3,), digests=pack(bytes(32)), missing=()),
    m.Signal(to=2, data='{"candidate":"ü"}'),
    m.Welcome(no=1, header=HEADER, phase="open"),
    m.Check(lease=3, shards=(4,), digests=pack(bytes(32)), holders=((1, 2),)),
    m.Board(
        runs=((0, 5, 1, 2, 0),),
        peers=(
            m.PeerInfo(
                no=1,
                label="x",
                device="oracle",
                owner=True,
                consent=True,
                live=True,
                aside=False,
                rate=1.5,
                shards=3,
            ),
        ),
    ),
    m.Keep(batch=1, author=2, key="5" * 64, runs=((0, 1, 0),), digests=pack(bytes(32)), holders=(2,)),
]


@pytest.mark.parametrize("message", EXAMPLES, ids=lambda message: message.kind)
def test_a_message_comes_back_as_it_was(message: Any) -> None:
    read = m.read_from_peer if isinstance(message, m.FromPeer) else m.read_to_peer
    assert read(m.encode(message)) == message


def test_kinds_are_distinct_and_one_way() -> None:
    kinds = [message.kind for message in get_args(m.Message)]
    assert len(kinds) == len(set(kinds)) >= 30


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"kind":"ask"}', "rate"),
        ('{"kind":"ask","rate":-1}', "rate"),
        ('{"kind":"ask","rate":true}', "number"),
        ('{"kind":"ask","rate":"1"}', "number"),
        ('{"kind":"ask","rate":1,"pace":2}', "pace"),
        ('{"kind":"commit","first":1.0,"epoch":0,"digests":""}', "int"),
        ('{"kind":"commit","first":1000001,"epoch":0,"digests":""}', "first"),
        ('{"kind":"verdict","lease":1,"agree":"12"}', "int"),
        ('{"kind":"verdict","lease":1,"agree":{"1":1}}', "int"),
        ('{"kind":"verdict","lease":1,"agree":[-1]}', "agree"),
        ('{"kind":"lost","shards":[-1000000]}', "shards"),
        ('{"kind":"lost","shards":[1000001]}', "shards"),
        ('{"kind":"seal","digest":"","table":""}', "digest"),
        (r'{"kind":"signal","to":2,"data":"\ud800"}', "JSON"),
        ('{"kind":"signal","to":2,"data":"\ud800"}', "JSON"),
        ('{"kind":"hello"}', "protocol"),
        ('{"kind":"nothing"}', "nothing"),
        ('{"kind":7}', "7"),
        ('{"kind":null}', "None"),
        ("{}", "None"),
        ("[]", "object"),
        ("null", "object"),
    ],
)
def test_what_is_wrong_is_named(text: str, named: str) -> None:
    with pytest.raises(ScellisError, match="SCL-POOL-PROTOCOL") as caught:
        m.read_from_peer(text)
    assert named in caught.value.message


def _fate(text: str) -> str:
    try:
        m.read_from_peer(text)
    except ScellisError as error:
        return error.code
    return "read"


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
        max_leaves=8,
    )
)
def test_any_json_is_a_message_or_a_named_refusal(value: Any) -> None:
    text = json.dumps(value)
    assert _fate(text) in ("read", "SCL-POOL-PROTOCOL")


@given(st.sampled_from(get_args(m.FromPeer)), st.data())
def test_any_field_may_be_anything(kind: Any, data: st.DataObject) -> None:
    names = [field.name for field in attrs.fields(kind)]
    junk = st.none() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=3) | st.floats()
    value = {name: data.draw(junk) for name in names}
    assert _fate(json.dumps({"kind": kind.kind, **value})) in ("read", "SCL-POOL-PROTOCOL")


@given(st.binary())
def test_any_bytes_are_a_message_or_a_named_refusal(data: bytes) -> None:
    with pytest.raises(ScellisError, match="SCL-POOL-PROTOCOL"):
        m.read_from_peer(data)


@given(st.integers(0, 9))
def test_digests_travel_packed(count: int) -> None:
    digests = b"".join(bytes([at]) * 32 for at in range(count))
    assert unpack(pack(digests)) == digests
    assert [digest_of(address_of(digest)) for digest in split(digests)] == split(digests)


@pytest.mark.parametrize(
    "text", ["A", "AAAA", "====", "ä", pack(bytes(32))[:-1] + "B", pack(bytes(32)) + "="]
)
def test_damaged_digests_are_refused(text: str) -> None:
    with pytest.raises(ScellisError, match="SCL-POOL-PROTOCOL"):
        unpack(text)


@pytest.mark.parametrize(
    ("agent", "label"),
    [
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
            "Chromium, Linux",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/18.0 Safari/605",
            "Safari, Mac",
        ),
        ("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox, Android"),
        ("", "Browser"),
    ],
)
def test_devices_have_names(agent: str, label: str) -> None:
    assert device_label(agent) == label
