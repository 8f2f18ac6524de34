"""What a training's text says, what it is refused for and how, and what its address stands for."""

from __future__ import annotations

import contextlib
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scellis.catalog.library import Library, built_in
from scellis.errors import ScellisError
from scellis.sml.document import load
from scellis.sml.training import TrainingRecord, parse_training
from scellis.train.step import Types, begin
from support.training_texts import EVERYTHING, dots, training, training_text

TRANSFORMER = """\
sml: 1
model: user/ada/tiny_transformer@3
data: { dataset: book@2, input: letters, sequence: 32, validation: 0.1 }
layers:
  letters: { block_id: model/layer/embedding, num_embeddings: 80, embedding_dim: 16 }
  block: { block_id: model/layer/transformer_block, num_heads: 2, causal: true, repeat: 2 }
  logits: { block_id: model/layer/linear, out_features: 80 }
optimizer:  { block_id: training/optimizer/adamw, lr: 3.0e-4, weight_decay: 0.01 }
scheduler:  { block_id: training/scheduler/warmup_cosine, warmup_steps: 500 }
loss:       { block_id: training/loss/cross_entropy, label_smoothing: 0.1 }
epochs: 10
batch_size: 32
grad_clip:  { max_norm: 1.0 }
precision:  { policy: mixed_f16, master_weights: f32, loss_scaling: dynamic }
determinism_tier: prod
seed: 42
"""
"""The record of the issue that asked for training, with layers and data."""


def parse(text: str) -> TrainingRecord:
    return parse_training(text, built_in())


def refusal(text: str) -> ScellisError:
    with pytest.raises(ScellisError) as caught:
        parse(text)
    assert caught.value.code == "SCL-SML-TEXT"
    return caught.value


def test_a_record_says_all_that_defines_a_training() -> None:
    record = parse(TRANSFORMER)
    assert record.model == "user/ada/tiny_transformer@3"
    assert record.optimizer.id == "training/optimizer/adamw"
    assert record.optimizer.fields == {
        "lr": 3e-4, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "weight_decay": 0.01,
    }  # fmt: skip
    assert record.scheduler.fields["warmup_steps"] == 500
    assert record.loss.fields["label_smoothing"] == 0.1
    assert (record.epochs, record.batch_size, record.accumulate, record.max_norm) == (10, 32, 1, 1.0)
    assert (record.precision, record.loss_scaling) == ("mixed_f16", "dynamic")
    assert (record.determinism_tier, record.seed) == ("prod", 42)
    assert record.data.sequence == 32
    assert [layer.of for layer in record.layers] == [("input",), ("letters",), ("block",)]
    assert record.layers[1].names == ["block_0", "block_1"]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("seed: 42\n", "", 1, "document: the field 'seed' is missing"),
        ("determinism_tier: prod\n", "", 1, "document: the field 'determinism_tier' is missing"),
        ("determinism_tier: prod", "determinism_tier: porod", 15, "determinism_tier: 'porod'.*mean 'prod'"),
        ("determinism_tier: prod", "tier: prod", 15, "tier: there is no such field"),
        ("seed: 42", "seed: -1", 16, "seed: a whole number from 0"),
        ("seed: 42", "seed: 4.5", 16, "seed: a whole number from 0"),
        ("optimizer/adamw", "optimizer/adamv", 8, "optimizer.block_id: .*mean .*'training/optimizer/adamw'"),
        ("training/optimizer/adamw", "adamw", 8, "optimizer.block_id: .*mean .*'training/optimizer/adamw'"),
        ("optimizer/adamw", "loss/mse", 8, "optimizer.block_id: 'training/loss/mse' is a loss"),
        ("weight_decay: 0.01", "weight_decays: 0", 8, "optimizer.weight_decays: .*mean 'weight_decay'"),
        ("weight_decay: 0.01", "weight_decay: -0.1", 8, "optimizer.weight_decay: a number from 0"),
        ("weight_decay: 0.01", "weight_decay: much", 8, "optimizer.weight_decay: a number from 0"),
        ("lr: 3.0e-4", "lr: true", 8, "optimizer.lr: a number above 0 is expected"),
        ("lr: 3.0e-4", "lr: .nan", 8, "optimizer.lr: a number above 0 is expected"),
        ("lr: 3.0e-4", "lr: .inf", 8, "optimizer.lr: a number above 0 is expected"),
        ("lr: 3.0e-4", "lr: [1, 2]", 8, "optimizer.lr: a number above 0 is expected"),
        ("{ block_id: training/optimizer/adamw, lr: 3.0e-4, weight_decay: 0.01 }", "adamw", 8, "optimizer:"),
        ("{ block_id: training/loss/cross_entropy, label", "{ label", 10, "loss: the field"),
        ("label_smoothing: 0.1", "label_smoothing: 2", 10, "loss.label_smoothing: a number from 0"),
        ("loss:  ", "los:", 10, "los: there is no such field. Did you mean 'loss'"),
        ("epochs: 10", "epochs: 0", 11, "epochs: a whole number from 1"),
        ("batch_size: 32", "batch_size: many", 12, "batch_size: a whole number from 1"),
        ("max_norm: 1.0", "max_norm: 0", 13, "grad_clip.max_norm: a number above 0"),
        ("max_norm: 1.0", "norm: 1", 13, "grad_clip.norm: there is no such field.*'max_norm'"),
        ("mixed_f16", "mixed_f8", 14, "precision.policy: 'mixed_f8' is not known. Did you mean 'mixed_f16'"),
        ("master_weights: f32", "master_weights: f16", 14, "precision.master_weights: 'f16'"),
        ("loss_scaling: dynamic", "loss_scaling: 128", 14, "precision.loss_scaling: text is expected"),
        ("book@2", "book", 3, "data.dataset: 'book' is not a name and a version"),
        ("validation: 0.1", "validation: 1", 3, "data.validation: a share from 0 to below 1"),
        ("sequence: 32", "sequence: 32, target: letters", 3, "data.target: the targets of a sequence"),
        ("sequence: 32, ", "", 3, "data: the field 'target' is missing"),
        ("model: user/ada/tiny_transformer@3", "model: tiny", 2, "model: 'tiny' is not a name and a version"),
        ("  block: {", "  Block: {", 6, "layers.Block: a layer's name"),
        ("  block: {", "  input: {", 6, "layers.input: a layer's name"),
        ("repeat: 2", "repeat: 2, of: logits", 6, "layers.block.of: there is no layer 'logits' before"),
        ("repeat: 2", "repeat: 2, of: block", 6, "layers.block.of: there is no layer 'block' before"),
        ("repeat: 2", "repeat: 2, of: []", 6, "layers.block.of: a layer reads at least one"),
        ("repeat: 2", "repeat: 2, of: [letters, input]", 6, "layers.block.repeat: a layer of several"),
        ("repeat: 2", "frozen: no", 6, "layers.block.frozen: true or false"),
        ("  logits: {", "  block_1: {", 7, "layers.block_1: its arrays would be called block_1/"),
        ("num_heads: 2", "heads: 2", 6, "layers.block.heads: there is no such field.*'num_heads'"),
        ("num_embeddings: 80, ", "", 5, "layers.letters: the field 'num_embeddings' is missing"),
        ("sml: 1", "sml: 2", 1, "sml: this engine reads SML version 1"),
        ("seed: 42\n", "seed: 42\nearly_stop: { patience: 0 }\n", 17, "early_stop.patience: a whole number"),
        ("seed: 42\n", "seed: 42\ncheckpoint: { every: 5 }\n", 17, "checkpoint.every: .*'every_steps'"),
        ("seed: 42\n", "seed: 42\ndecide_after: 0\n", 17, "decide_after: a whole number from 1"),
        ("seed: 42\n", "seed: 42\nseed: 43\n", 17, ".*duplicate key"),
        (
            "seed: 42\n",
            "seed: 42\nmetrics:\n" + 2 * " - { block_id: training/metric/mae }\n", 19,
            r"metrics\[1\].block_id: training/metric/mae stands twice",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(old: str, new: str, line: int, said: str) -> None:
    assert TRANSFORMER.count(old) == 1
    error = refusal(TRANSFORMER.replace(old, new))
    assert error.arguments["line"] == line
    assert re.match(f"Line {line}: {said}", error.message), error.message


def test_what_follows_the_validation_wants_one() -> None:
    whole = TRANSFORMER.replace(", validation: 0.1", "")
    stopped = refusal(whole + "early_stop: { patience: 3 }\n")
    assert stopped.message.startswith(
        "Line 17: early_stop.patience: it counts validations, and no data is held"
    )
    falling = whole.replace("warmup_cosine, warmup_steps: 500", "plateau")
    assert (
        "Line 9: scheduler.block_id: training/scheduler/plateau follows the validation"
        in refusal(falling).message
    )
    assert parse(whole).data.validation == 0
    assert (
        parse(falling.replace("sequence: 32", "sequence: 32, validation: 0.1")).scheduler.fields["patience"]
        == 10
    )


# ---- the address ----

CHANGES: dict[str, list[str | None]] = {
    "model": ["user/test/small@2"],
    "data": [
        "{ dataset: dots@2, input: points, target: kind, validation: 0.25 }",
        "{ dataset: dots@1, input: kind, target: points, validation: 0.25 }",
        "{ dataset: dots@1, input: points, target: kind, validation: 0.26 }",
        "{ dataset: dots@1, input: points, sequence: 4, validation: 0.25 }",
        "{ dataset: dots@1, input: points, target: kind, validation: 0.25,"
        " augment: [{ block_id: data/augmentation/noise }] }",
    ],
    "layers": [
        "{ hidden: { block_id: model/layer/linear, out_features: 7 } }",
        "{ hidden: { block_id: model/layer/linear, out_features: 7, repeat: 2 } }",
        "{ hidden: { block_id: model/layer/linear, out_features: 7, frozen: true } }",
        "{ hidden: { block_id: model/layer/linear, out_features: 7, bias: false } }",
        "{ hidden: { block_id: model/layer/linear, out_features: 7,"
        " initializer: model/initializer/orthogonal } }",
        "{ other: { block_id: model/layer/linear, out_features: 7 } }",
        "{ a: { block_id: model/layer/relu }, hidden: { block_id: model/layer/linear, out_features: 7 } }",
        "{ a: { block_id: model/layer/relu },"
        " hidden: { block_id: model/layer/linear, out_features: 7, of: input } }",
    ],
    "optimizer": [
        "{ block_id: training/optimizer/adam, lr: 0.02 }",
        "{ block_id: training/optimizer/adamw, lr: 0.03 }",
        "{ block_id: training/optimizer/adamw, lr: 0.02, beta1: 0.8 }",
    ],
    "scheduler": [
        "{ block_id: training/scheduler/cosine }", "{ block_id: training/scheduler/cosine, min_lr: 0.01 }",
    ],
    "loss": [
        "{ block_id: training/loss/mse }",
        "{ block_id: training/loss/cross_entropy, label_smoothing: 0.1 }",
    ],
    "metrics": [
        "[{ block_id: training/metric/accuracy }]",
        "[{ block_id: training/metric/top_k_accuracy, k: 2 }]",
        "[{ block_id: training/metric/top_k_accuracy, k: 3 }]",
    ],
    "epochs": ["3"],
    "batch_size": ["9"],
    "accumulate": ["2"],
    "grad_clip": ["{ max_norm: 1 }", "{ max_norm: 2 }"],
    "precision": [
        "{ policy: mixed_f16 }", "{ policy: mixed_f16, loss_scaling: none }",
        "{ policy: f32, loss_scaling: dynamic }",
    ],
    "early_stop": ["{ patience: 2 }", "{ patience: 3 }"],
    "decide_after": ["3"],
    "determinism_tier": ["prod", "fast"],
    "seed": ["43", str(2**64 - 1)],
}  # fmt: skip
CHOSEN = st.fixed_dictionaries({name: st.integers(0, len(values)) for name, values in CHANGES.items()})


def changed(chosen: dict[str, int]) -> TrainingRecord:
    return training({name: CHANGES[name][place - 1] for name, place in chosen.items() if place})


@given(CHOSEN, CHOSEN)
def test_two_records_have_one_address_where_they_compute_one_thing(
    first: dict[str, int], second: dict[str, int]
) -> None:
    assert (changed(first).address == changed(second).address) == (first == second)


@pytest.mark.parametrize("name", CHANGES)
def test_each_field_is_in_the_address(name: str) -> None:
    found = {changed({name: place}).address for place in range(len(CHANGES[name]) + 1)}
    assert len(found) == len(CHANGES[name]) + 1


@given(st.randoms(use_true_random=False))
def test_order_comments_and_defaults_written_out_change_no_address(order: random.Random) -> None:
    lines = training_text(EVERYTHING).splitlines()
    order.shuffle(lines)
    lines.insert(order.randrange(len(lines)), "# said by the way\n")
    text = "\n".join(lines).replace("lr: 0.5 }", "lr: 5.0e-1, beta1: 0.9, weight_decay: 0.01 } # falls")
    assert parse(text).address == training(EVERYTHING).address


def test_what_is_said_about_a_record_is_not_computed() -> None:
    assert training(about="any words").address == training().address


# ---- entries that a person brings ----

OUTER = '''"""A layer that uses another."""

KIND = "layer"


def layer(x, scope, fields):
    return scope.layer("inner", {inner}, x)
'''
INNER = '''"""A layer within it."""

KIND = "layer"


def layer(x, scope, fields):
    return x * {times}
'''
WITHIN = "{ outer: { block_id: user/mine/outer }, logits: { block_id: model/layer/linear, out_features: 2 } }"


def with_entries(times: int = 2, inner: str = '"user/mine/inner"', **more: str) -> TrainingRecord:
    texts = {
        "user/mine/outer": OUTER.format(inner=inner),
        "user/mine/inner": INNER.format(times=times),
        **more,
    }
    return parse_training(training_text(layers=WITHIN), built_in().with_texts(texts))


def test_an_entry_within_another_is_pinned_and_one_beside_it_is_not() -> None:
    first = with_entries()
    assert set(first.entries) >= {"user/mine/outer", "user/mine/inner", "model/initializer/kaiming_uniform"}
    assert with_entries(times=3).address != first.address
    assert with_entries(**{"user/mine/other": INNER.format(times=4)}).address == first.address


@pytest.mark.parametrize("written", ['"user/mine" "/inner"', r'"user\x2fmine/inner"'])
def test_an_entry_that_is_not_pinned_cannot_be_used(written: str) -> None:
    types = Types.of(8, (((2,), "f32"), ((), "i32")))
    assert "parameter/logits/weight" in begin(with_entries(), types)
    with pytest.raises(ScellisError, match="no layer 'user/mine/inner'"):
        begin(with_entries(inner=written), types)


@pytest.mark.parametrize("name", ["of", "repeat", "frozen", "block_id"])
def test_an_entry_has_no_field_by_which_records_say_something_else(name: str) -> None:
    fields = f'FIELDS = {{"{name}": integer(1, about="One.")}}'
    imports = "from scellis.catalog.language import integer"
    text = INNER.format(times=2).replace('KIND = "layer"', f'{imports}\n\nKIND = "layer"\n{fields}')
    with pytest.raises(ScellisError, match=f"not called '{name}'"):
        Library({}).with_texts({"user/mine/inner": text})


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda data: data.decode("latin-1")))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, training_text() + text):
        with contextlib.suppress(ScellisError):
            parse(whole)


def test_the_examples_are_records() -> None:
    found = [
        parse(path.read_text())
        for path in sorted((Path(__file__).parents[2] / "examples").glob("*.sml"))
        if load(path.read_text()).has("layers")
    ]
    assert {record.model for record in found} >= {"user/ada/digits_mlp@1", "user/ada/digits_cnn@1"}
    assert dots().id == training().data.dataset
