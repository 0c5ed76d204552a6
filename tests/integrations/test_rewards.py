"""Rewards as TRL and verl request them: the metric's own scores, from any thread."""

from __future__ import annotations

import pickle
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.integrations import BatchScorer, CaptionReward, rewards, verl
from captious.integrations.rewards import Block
from tests.integrations.captions import CANDIDATES, REFERENCES

DF: dict[str, Any] = {"df": "coco-val2014"}
METRIC = "cider_d(df=coco-val2014)"
SCORES = captious.score(CANDIDATES, REFERENCES, "cider_d", **DF).samples["cider_d"].tolist()
ROWS = range(len(CANDIDATES))


def call_reward(reward: CaptionReward, rows: Any) -> list[float | None]:
    """What TRL would get for these rows."""
    return reward(
        prompts=["describe"] * len(rows),
        completions=[CANDIDATES[row] for row in rows],
        completion_ids=[[1]] * len(rows),
        references=[REFERENCES[row] for row in rows],
        trainer_state=None,
    )


def test_rewards_are_the_metrics_scores_whatever_the_batch() -> None:
    reward = CaptionReward("cider_d", **DF)
    assert reward.__name__ == "cider_d"
    chance = random.Random(0)
    for _ in range(20):
        rows = chance.choices(ROWS, k=chance.randint(1, 12))
        found = call_reward(reward, rows)
        assert found == [SCORES[row] for row in rows] and all(type(x) is float for x in found)
    assert call_reward(pickle.loads(pickle.dumps(reward)), ROWS) == SCORES


def test_conversations_and_rows_of_other_tasks() -> None:
    reward = CaptionReward("cider_d", references="truth", **DF)
    completions = [
        [{"role": "assistant", "content": CANDIDATES[0]}],
        "of another task",
        [
            {"role": "assistant", "content": "let me look"},
            {"role": "tool", "content": "an image"},
            {"role": "assistant", "content": [{"type": "text", "text": CANDIDATES[2]}]},
        ],
    ]
    found = reward(completions=completions, truth=[REFERENCES[0], None, np.array(REFERENCES[2])])
    assert found == [SCORES[0], None, SCORES[2]]
    assert reward(completions=[], truth=[]) == []
    assert reward(completions=["a dog"], truth=[None]) == [None]


@pytest.mark.slow
def test_many_threads_ask_at_once() -> None:
    reward = CaptionReward("cider_d", kept=3, **DF)
    chance = random.Random(1)
    batches = [chance.choices(ROWS[:9], k=chance.randint(1, 3)) for _ in range(300)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # so that they are in each other's way
    try:
        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(lambda rows: call_reward(reward, rows), batches))
    finally:
        sys.setswitchinterval(interval)
    assert answers == [[SCORES[row] for row in rows] for rows in batches]


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many sets of references were analysed, each time that some were."""
    sizes: list[int] = []
    make = Block.of

    def counted(sets: Any, metrics: Any, language: str) -> Block:
        sizes.append(len(sets))
        return make(sets, metrics, language)

    monkeypatch.setattr(rewards.Block, "of", counted)
    return sizes


def test_references_are_analysed_once_while_they_are_kept(analysed: list[int]) -> None:
    reward = CaptionReward("cider_d", kept=8, **DF)
    different = [row for row in ROWS if row % 3]  # the others' references are several images'

    def ask(*places: int) -> None:
        call_reward(reward, [different[place] for place in places])

    ask(0, 0, 1, 1, 2)
    ask(2, 2, 0)
    ask(1)
    assert analysed == [3]
    ask(3, 4, 5, 6, 7)
    ask(0)
    assert analysed == [3, 5]
    ask(8)  # for which the five make room
    ask(0)
    assert analysed == [3, 5, 1]
    ask(4)
    ask(0, 8)  # from two blocks, so analysed together
    assert analysed == [3, 5, 1, 1, 2]
    assert sum(len(block.sets) for block in reward._blocks.values()) <= 8
    assert set(reward._block_numbers.values()) <= set(reward._blocks)


def test_all_references_prepared_beforehand(analysed: list[int]) -> None:
    reward = CaptionReward("cider_d", **DF)
    reward.prepare(REFERENCES)
    assert analysed == [len(set(map(tuple, REFERENCES)))]
    assert [call_reward(reward, [row])[0] for row in ROWS] == SCORES
    assert len(analysed) == 1


def test_one_and_a_batch_of_verl() -> None:
    for row in (0, 5, 11):
        found = verl.compute_score(
            data_source="flickr",
            solution_str=CANDIDATES[row],
            ground_truth=np.array(REFERENCES[row], object),
            extra_info={"num_turns": 1},
            metric=METRIC,
            reward_router_address=None,
        )
        assert found == SCORES[row] and type(found) is float
    found_together = verl.compute_scores(
        data_sources=np.array(["flickr"] * len(ROWS)),
        solution_strs=CANDIDATES,
        ground_truths=REFERENCES,
        extra_infos=[{}] * len(ROWS),
        metric=METRIC,
    )
    assert found_together == SCORES
    default = captious.score(CANDIDATES[:1], REFERENCES[:1], "captious").corpus["captious"]
    assert verl.compute_score("flickr", CANDIDATES[0], REFERENCES[0][0]) == default


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("cider_d", "df='coco-val2014'"),
        ("bleu", "one number, not bleu_1"),
        (["rouge_l", "meteor"], "name one of them"),
        ("captious_image_alone", "sees images"),
        ("cidr", "did you mean"),
    ],
)
def test_metrics_unfit_as_rewards_are_errors(metric: Any, message: str, tmp_path: Any) -> None:
    options: dict[str, Any] = {"images": str(tmp_path)} if "image" in str(metric) else {}
    with pytest.raises(captious.CaptiousError, match=message):
        CaptionReward(metric, **options)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"completions": ["a"]}, "needs a column 'references'"),
        ({"references": [["a"]]}, "needs completions"),
        ({"completions": ["a"], "references": [["a"], ["b"]]}, "1 completions but 2 rows"),
        ({"completions": [None], "references": [["a"]]}, "completion 0: text or a conversation"),
        ({"completions": [[]], "references": [["a"]]}, "completion 0: text or a conversation"),
        (
            {"completions": [[{"role": "user", "content": "a"}]], "references": [["a"]]},
            "without a message",
        ),
        ({"completions": [[{"role": "assistant"}]], "references": [["a"]]}, "without text"),
        ({"completions": ["a"], "references": [[]]}, "row 0: no references"),
        ({"completions": ["a"], "references": [3]}, "a list of texts, not 3"),
    ],
)
def test_bad_completions_and_columns_are_named(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        CaptionReward("rouge_l")(**given)
    with pytest.raises(InputError, match="2 solutions but 1"):
        verl.compute_scores(["x"] * 2, ["a", "b"], [["a"]])


def test_rewards_in_another_language() -> None:
    said, references = (
        ["一只狗在草地上跑", "两只猫"],
        [["一只棕色的狗在草地上奔跑"], ["两只小猫", "猫"]],
    )
    expected = captious.score(said, references, "rouge_l", language="zh").samples["rouge_l"]
    assert expected.min() > 0
    reward = CaptionReward("rouge_l", language="zh")
    assert reward(completions=said, references=references) == expected.tolist()
    reward.prepare(references)
    assert reward(completions=said, references=references) == expected.tolist()
    solved = verl.compute_scores(["x"] * 2, said, references, metric="rouge_l", language="zh")
    assert solved == expected.tolist()
    batch = BatchScorer("rouge_l", language="zh")({"candidate": said, "references": references})
    assert batch["rouge_l"].tolist() == expected.tolist()
    with pytest.raises(InputError, match="captious: English only"):
        CaptionReward("captious", language="zh")
