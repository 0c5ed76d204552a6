"""Train `captious` for a domain: from caption files to weights and a model card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from captious._internal.backends.pytorch import import_torch
from captious.errors import InputError
from captious.io.atomic_files import check_writable
from captious.io.training_captions import read_generated_captions, read_image_captions
from captious.text.languages import language_code, tokenizer_for
from captious.training.caption_space import evaluate_space
from captious.training.checkpoint import check_checkpoint
from captious.training.domain.captions import DomainCaptions, split_captions
from captious.training.domain.learning import fit_weights, learn_domain, recipe_for
from captious.training.domain.outcome import Outcome, domain_card
from captious.training.learned_metrics.model_card import card_path, write_model_card
from captious.training.loop import Listener
from captious.training.word_order import measure_disorder


@dataclass(frozen=True)
class DomainJob:
    """Input files, settings and output file of a domain's training."""

    captions: Path
    output: Path
    machines: tuple[Path, ...] = ()
    language: str = "en"
    seed: int = 0
    checkpoint: Path | None = None


def run_job(job: DomainJob, progress: Listener | None = None) -> Outcome:
    """Learn a domain, fit its weights, and write both with a card.

    All files are opened and checked before anything is computed.
    """
    import_torch()
    for path in (job.output, card_path(job.output), job.checkpoint):
        if path is not None:
            check_writable(path)
    check_checkpoint(job.checkpoint)
    language = language_code(job.language)
    captions = read_image_captions(job.captions)
    machines = _read_machine_captions(job, captions)
    try:
        parts = split_captions(captions, tokenizer_for(language), job.seed)
    except InputError as error:
        raise InputError(f"{job.captions}: {error}") from None
    with threadpool_limits(1, "blas"):  # more would sum in another order
        outcome = _learn_and_evaluate(job, parts, machines, language, progress)
    model = outcome.fitted.model
    notes = {**model.notes, "settings": outcome.settings, "figures": outcome.figures}
    replace(model, notes=notes, domain=outcome.learned.domain).save(job.output)
    card = domain_card(job.output.stem, job.captions.name, [m.name for m in job.machines], outcome)
    write_model_card(card_path(job.output), card)
    return outcome


def _learn_and_evaluate(
    job: DomainJob,
    parts: DomainCaptions,
    machines: dict[str, list[str]],
    language: str,
    progress: Listener | None,
) -> Outcome:
    recipe = recipe_for(language, len(parts.training), job.seed)
    learned = learn_domain(parts, language, recipe, checkpoint=job.checkpoint, progress=progress)
    domain, test_captions = learned.domain, parts.test
    tokenizer = tokenizer_for(language)
    weights = fit_weights(domain, parts.validation, test_captions, machines, tokenizer, job.seed)
    before, after = (
        evaluate_space(space, test_captions.words, parts.captions_per_image)
        for space in (learned.before, domain.space)
    )
    order = measure_disorder(domain.order, test_captions.captions)
    n_machine_captions = sum(map(len, machines.values()))
    return Outcome(parts, n_machine_captions, recipe, learned, weights, before, after, order)


def _read_machine_captions(job: DomainJob, captions: Mapping[str, Any]) -> dict[str, list[str]]:
    """Read machine captions of the same images, all machines together."""
    together: dict[str, list[str]] = {}
    for path in job.machines:
        n_machine_captions = read_generated_captions(path)
        shared = [image for image in n_machine_captions if image in captions]
        if not shared:
            raise InputError(
                f"{path}: no captions of the images in {job.captions}; are the ids the same?"
            )
        for image in shared:
            together.setdefault(image, []).extend(n_machine_captions[image])
    return together
