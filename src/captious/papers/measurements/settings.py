"""Settings in words: sizes, protocols, training sets, epochs and seeds behind a table's numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from captious.papers.declaration import (
    AnyMetric,
    MeanScore,
    MeasuredCell,
    Network,
    RobustnessTask,
    Task,
    TrainedCritic,
    describe_mixture,
)
from captious.papers.measurements.experiment import (
    Experiment,
    benchmark_options,
    build_feature_set,
    build_protocol,
)

MAX_LISTED = 3  # of one kind that are named one by one


def describe_settings(experiment: Experiment, cells: Sequence[MeasuredCell]) -> tuple[str, ...]:
    """A line for each benchmark with its protocol, and for each training set."""
    return (
        *_describe_judgements(experiment, cells),
        *_describe_corruptions(experiment, cells),
        *_describe_networks(experiment, cells),
    )


def _describe_judgements(experiment: Experiment, cells: Sequence[MeasuredCell]) -> Iterator[str]:
    """Each benchmark's size and protocol; of many protocols of one benchmark, the first."""
    tasks: dict[str, dict[Task, None]] = {}
    for cell in cells:
        if isinstance(cell.task, Task):
            tasks.setdefault(cell.task.benchmark, {})[cell.task] = None
    for benchmark, several in tasks.items():
        protocols: dict[str, int] = {}
        for task in several:
            judgements, protocol = experiment.load_judgements(
                benchmark, build_protocol(task), **benchmark_options(task)
            )
            protocols.setdefault(protocol.describe(), len(judgements))
        for place, (line, n) in enumerate(protocols.items()):
            if place < MAX_LISTED:
                yield f"{benchmark}, {n:,} judged, protocol {line}"
        if len(protocols) > MAX_LISTED:
            yield f"{benchmark}: {len(protocols) - MAX_LISTED} more draws or numbers of references"


def _describe_corruptions(experiment: Experiment, cells: Sequence[MeasuredCell]) -> Iterator[str]:
    from captious.papers.measurements.caption_datasets import CAPTION_DATASETS

    tests = [cell.task for cell in cells if isinstance(cell.task, RobustnessTask)]
    for dataset in dict.fromkeys(test.dataset_name for test in tests):
        kinds = dict.fromkeys(test.benchmark for test in tests if test.dataset_name == dataset)
        data = CAPTION_DATASETS[dataset](experiment).robustness_images()
        images = len(set(data.images.tolist()))
        yield (
            f"{', '.join(kinds)}: {len(data):,} captions of {images:,} test images of {dataset}, "
            "each against the others of its image"
        )


def _describe_networks(experiment: Experiment, cells: Sequence[MeasuredCell]) -> Iterator[str]:
    """How many captions networks learn from, for how long, and from which seeds."""
    networks = list(dict.fromkeys(n for cell in cells for n in _networks_in(cell.metric)))
    mixtures = dict.fromkeys(network.negatives for network in networks)
    sizes = []
    for negatives in mixtures:
        features = next(n.features for n in networks if n.negatives == negatives)
        sizes.append(len(experiment.training_rows(build_feature_set(features), dict(negatives))[1]))
    if networks:
        recipe = experiment.recipe(networks[0])
        seeds = ", ".join(map(str, sorted({network.seed for network in networks})))
        how = (
            f"half of them people's; at most {recipe.epochs} epochs, {recipe.patience} without a "
            f"better validation, batches of {recipe.batch}; seed{'s' if ',' in seeds else ''} "
            f"{seeds}"
        )
        if len(mixtures) > MAX_LISTED:
            yield (
                f"networks trained on {len(mixtures)} sets of {min(sizes):,} to {max(sizes):,} "
                f"captions, {how}"
            )
        else:
            for negatives, size in zip(mixtures, sizes, strict=True):
                yield (
                    f"networks trained against {describe_mixture(dict(negatives))}: {size:,} "
                    f"captions, {how}"
                )
    critics = [c.metric for c in cells if isinstance(c.metric, TrainedCritic)]
    for dataset in dict.fromkeys(critic.dataset_name for critic in critics):
        from captious.papers.measurements.critics import describe_training

        yield describe_training(experiment, dataset)


def _networks_in(metric: AnyMetric) -> Iterator[Network]:
    match metric:
        case Network():
            yield metric
        case MeanScore(several):
            for each in several:
                yield from _networks_in(each)
