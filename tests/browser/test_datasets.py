"""Data of one's own in the tab: dropped, chosen, fetched from hosts that allow it and hosts that do not."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from scellis.codecs.images import decode_image
from support.image_files import GREY, PALETTE, RGBA, chunk, png
from support.leaks import nothing_leaks
from support.page import PATIENCE_MS, run_python, wait_ready
from support.servers import StaticServer, free_port

RANDOM = np.random.default_rng(11)
TABLE = "width,height,kind\n" + "".join(f"{n},{n * n % 7},{'ab'[n % 2]}\n" for n in range(60))
RECORD = "Record of the training (SML)"
IMAGES = {
    f"{kind}/{n}.png": png(RANDOM.integers(0, 256, (8, 8, 1))) for kind in ("cat", "dog") for n in range(20)
}

DROP = """
(node, files) => {
  const transfer = new DataTransfer();
  for (const [name, text] of files) transfer.items.add(new File([text], name));
  const event = (type) => new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer });
  const over = event("dragover");
  node.dispatchEvent(over);
  node.dispatchEvent(event("drop"));
  return over.defaultPrevented; // else the browser would open the file
}
"""


@pytest.fixture
def train(page: Page, serve: Callable[..., StaticServer]) -> Page:
    """The train screen, of a page that may ask other hosts."""
    page.goto(serve().url + "#/train")
    wait_ready(page)
    return page


@pytest.fixture
def host(tmp_path: Path, serve: Callable[..., StaticServer]) -> Callable[..., StaticServer]:
    """Makes another origin that serves a table, with these headers."""
    (tmp_path / "shapes.csv").write_text(TABLE)
    return lambda **headers: serve(
        tmp_path, "/", {name.replace("_", "-"): word for name, word in headers.items()}
    )


def data(page: Page) -> Locator:
    return page.get_by_role("region", name="Data")


def drop(page: Page, files: dict[str, str]) -> None:
    assert page.locator(".screen.train").evaluate(DROP, list(files.items()))


def fetch(page: Page, url: str) -> None:
    data(page).get_by_label("From a URL").fill(url)
    data(page).get_by_role("button", name="Fetch").click()


def train_on(page: Page, id_: str) -> None:
    """Write a record for a dataset, open it and train it to its end."""
    data(page).get_by_role("button", name=f"Write a record: {id_}").click()
    expect(page.get_by_label(RECORD)).to_have_value(re.compile(f"dataset: {id_}"), timeout=PATIENCE_MS)
    page.get_by_role("button", name="Open this record").click()
    button = page.locator(".train .button.wide")
    expect(button).to_have_text("Train", timeout=PATIENCE_MS)
    expect(button).to_be_enabled(timeout=PATIENCE_MS)
    button.click()
    expect(page.locator(".train .badges")).to_contain_text("trained", timeout=PATIENCE_MS)


def test_a_table_that_is_dropped_is_trained_on_and_is_there_after_a_reload(train: Page) -> None:
    drop(train, {"shapes.csv": TABLE})
    expect(data(train)).to_contain_text("shapes@1 is kept in this browser.", timeout=PATIENCE_MS)
    train_on(train, "shapes@1")
    drop(train, {"shapes.csv": TABLE + "1,1,a\n"})
    expect(data(train)).to_contain_text("shapes@2 is kept", timeout=PATIENCE_MS)
    train.reload()
    wait_ready(train)
    expect(train.locator(".train .badges")).to_contain_text("trained", timeout=PATIENCE_MS)
    rows = data(train).get_by_role("listitem")
    expect(rows.filter(has_text="kept in this browser")).to_have_count(2)
    expect(rows.filter(has_text="comes with the page")).to_have_count(5)
    data(train).get_by_role("button", name="Forget: shapes@2").click()
    expect(rows.filter(has_text="kept in this browser")).to_have_count(1)
    with nothing_leaks(train):
        drop(train, {"shapes.csv": TABLE + "2,2,b\n"})
        expect(data(train)).to_contain_text("shapes@2 is kept", timeout=PATIENCE_MS)
        data(train).get_by_role("button", name="Forget: shapes@2").click()
        expect(data(train)).to_contain_text("shapes@2 is forgotten", timeout=PATIENCE_MS)


def test_a_drafted_text_is_changed_in_its_dialog(train: Page) -> None:
    drop(train, {"shapes.csv": TABLE})
    data(train).get_by_role("button", name="Text: shapes@1").click(timeout=PATIENCE_MS)
    dialog = train.get_by_role("dialog", name="shapes@1")
    text = dialog.get_by_label("Text of the dataset (SML)")
    drafted = text.input_value()
    text.fill(drafted.replace("0..1", "0..7"))
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog.get_by_role("alert")).to_contain_text("no column", timeout=PATIENCE_MS)
    text.fill(drafted.replace("columns: 0..1", "columns: [1], shape: [1]"))
    dialog.get_by_role("button", name="Keep it").click()
    expect(dialog).to_be_hidden(timeout=PATIENCE_MS)
    expect(data(train)).to_contain_text("shapes@2 is kept in this browser.")


def test_a_folder_of_images_that_is_chosen_is_trained_on(train: Page, tmp_path: Path) -> None:
    for path, image in IMAGES.items():
        (tmp_path / "pets" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "pets" / path).write_bytes(image)
    with train.expect_file_chooser() as chooser:
        data(train).get_by_role("button", name="Choose a folder").click()
    chooser.value.set_files(tmp_path / "pets")
    expect(data(train)).to_contain_text("pets@1 is kept in this browser.", timeout=PATIENCE_MS)
    train_on(train, "pets@1")


def test_pixels_have_the_same_bits_in_the_tab_as_natively(train: Page) -> None:
    colours = chunk(b"PLTE", RANDOM.integers(0, 256, 12, dtype=np.uint8).tobytes())
    files = [
        png(RANDOM.integers(0, 256, (9, 7, 4)), RGBA),
        png(RANDOM.integers(0, 65536, (9, 7, 1)), GREY, 16),
        png(RANDOM.integers(0, 4, (9, 7, 1)), PALETTE, 2, before=colours + chunk(b"tRNS", bytes([0, 99]))),
    ]
    given = [base64.b64encode(file).decode() for file in files]
    source = f"""
import base64, hashlib, json
from scellis.codecs.images import decode_image
pixels = [decode_image(base64.b64decode(file)).tobytes() for file in {given}]
json.dumps([hashlib.sha256(data).hexdigest() for data in pixels])
"""
    found = run_python(train, source)
    assert json.loads(str(found)) == [
        hashlib.sha256(decode_image(file).tobytes()).hexdigest() for file in files
    ]


def test_a_host_that_allows_it_is_read(train: Page, host: Callable[..., StaticServer]) -> None:
    fetch(train, host(Access_Control_Allow_Origin="*").url + "shapes.csv")
    expect(data(train)).to_contain_text("shapes@1 is kept", timeout=PATIENCE_MS)


def test_a_host_that_refuses_pages_is_told_from_one_that_is_not_there(
    train: Page, host: Callable[..., StaticServer]
) -> None:
    fault = data(train).get_by_role("alert")
    fetch(train, host().url + "shapes.csv")
    expect(fault).to_contain_text("Access-Control-Allow-Origin (CORS)", timeout=PATIENCE_MS)
    expect(fault).to_contain_text("127.0.0.1 answers, but does not let pages of http://127.0.0.1:")
    expect(fault).to_contain_text("Download the file and drop it here")
    expect(fault).to_contain_text("SCL-DATA-CORS")
    fetch(train, f"http://127.0.0.1:{free_port()}/shapes.csv")
    expect(fault).to_contain_text("SCL-DATA-UNREACHABLE", timeout=PATIENCE_MS)
    fetch(train, host(Access_Control_Allow_Origin="*").url + "none.csv")
    expect(fault).to_contain_text("answers 404", timeout=PATIENCE_MS)
    fetch(train, "http://example.org/shapes.csv")
    expect(fault).to_contain_text("SCL-DATA-URL", timeout=PATIENCE_MS)


def test_a_policy_that_forbids_it_is_named(
    page: Page, serve: Callable[..., StaticServer], host: Callable[..., StaticServer]
) -> None:
    policy = "script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
    page.goto(serve(headers={"Content-Security-Policy": policy}).url + "#/train")
    wait_ready(page)
    fetch(page, host(Access_Control_Allow_Origin="*").url + "shapes.csv")
    expect(data(page).get_by_role("alert")).to_contain_text("SCL-DATA-POLICY", timeout=PATIENCE_MS)


def test_what_is_no_data_is_refused_in_words(train: Page) -> None:
    fault = data(train).get_by_role("alert")
    drop(train, {"shapes.csv": "1,2\n3\n"})
    expect(fault).to_contain_text("row 2 has 1 columns", timeout=PATIENCE_MS)
    drop(train, {"a.csv": TABLE, "b.csv": TABLE})
    expect(fault).to_contain_text("SCL-DATA-DRAFT", timeout=PATIENCE_MS)
    drop(train, {"a.parquet": "PAR1"})
    expect(fault).to_contain_text("Parquet is not read", timeout=PATIENCE_MS)
