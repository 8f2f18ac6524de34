"""Labels that a model has no class for, and tokens that its table has no row for, are named before a step."""

from __future__ import annotations

import numpy as np
import pytest

from scellis.catalog.library import built_in
from scellis.device.oracle import OracleDevice
from scellis.errors import ScellisError
from scellis.graph.op import Array
from scellis.sml.training import TrainingRecord, parse_training
from scellis.train.data import Dataset
from scellis.train.planned import plan_training
from support.training_texts import training_text

POINTS = np.zeros((20, 2), np.float32)


async def refused(record: TrainingRecord, dataset: Dataset) -> ScellisError:
    with pytest.raises(ScellisError) as caught:
        await plan_training(record, dataset, OracleDevice())
    return caught.value


@pytest.mark.parametrize(("label", "ok"), [(0, True), (1, True), (2, False), (-1, False), (2**31 - 1, False)])
async def test_a_label_is_one_of_the_model_s_classes(label: int, ok: bool) -> None:
    kinds = np.zeros(20, np.int32)
    kinds[13] = label
    dataset = Dataset("dots", 1, {"points": POINTS, "kind": kinds})
    record = parse_training(training_text(), built_in())
    if ok:
        await plan_training(record, dataset, OracleDevice())
        return
    error = await refused(record, dataset)
    assert error.code == "SCL-DATA-RANGE"
    assert f"kind of dots@1 is {label} at example 13, where the model tells apart 0 to 1." in error.message


TOKENS = {
    "data": "{ dataset: letters@1, input: letters, sequence: 4 }",
    "layers": "{ table: { block_id: model/layer/embedding, num_embeddings: %d, embedding_dim: 4 },"
    " logits: { block_id: model/layer/linear, out_features: %d } }",
}


@pytest.mark.parametrize(
    ("rows", "classes", "said"),
    [
        (7, 7, None),
        (6, 7, "letters of letters@1 is 6 at example 6, where the layer table has a row for 0 to 5"),
        (7, 6, "letters of letters@1 is 6 at example 6, where the model tells apart 0 to 5"),
    ],
)
async def test_a_token_has_a_row_and_a_class(rows: int, classes: int, said: str | None) -> None:
    layers = TOKENS["layers"] % (rows, classes)
    record = parse_training(training_text({**TOKENS, "layers": layers}), built_in())
    dataset = Dataset("letters", 1, {"letters": np.arange(80, dtype=np.int32) % 7})
    if said is None:
        await plan_training(record, dataset, OracleDevice())
    else:
        error = await refused(record, dataset)
        assert said in error.message
        assert "at least 7" in error.remedy


OWN = '''"""A loss of one's own, of classes that it counts itself."""

from scellis.catalog.language import xp

KIND = "loss"


def classes(prediction, fields):
    return %s


def loss(prediction, target, fields):
    return xp.sum(xp.one_hot(target, prediction.shape[-1]) * prediction, axis=-1)
'''


@pytest.mark.parametrize(
    ("counted", "code"), [("prediction.shape[-1]", None), ("prediction", "V"), ("0", "V"), ("1", "R")]
)
async def test_an_entry_of_one_s_own_says_how_many_there_are(counted: str, code: str | None) -> None:
    library = built_in().with_texts({"user/ada/own": OWN % counted})
    record = parse_training(training_text(loss="{ block_id: user/ada/own }"), library)
    kinds: Array = np.arange(20, dtype=np.int32) % 2
    dataset = Dataset("dots", 1, {"points": POINTS, "kind": kinds})
    if code is None:
        await plan_training(record, dataset, OracleDevice())
    else:
        found = (await refused(record, dataset)).code
        assert found == {"V": "SCL-CATALOG-VALUE", "R": "SCL-DATA-RANGE"}[code]
