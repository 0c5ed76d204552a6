"""Which page of the repository stands where on the site.

Pages keep their places in the repository, and links between them stay as they are: a section is a
page with other pages below it. A page that is in no section is an error of the build.
"""

from __future__ import annotations

HOME = "docs/README.md"

# Pages by section, in the order in which they are shown. A section may lie within another. Those
# below reference/ are written at build time.
SECTIONS: dict[str, tuple[str, ...]] = {
    "docs/start.md": (),
    "docs/guides/README.md": (
        "docs/guides/score_a_model.md",
        "docs/leaderboard.md",
        "docs/notebooks/compare_systems.ipynb",
        "docs/report.md",
        "docs/check.md",
        "docs/self_critical.md",
        "docs/pregen.md",
        "docs/filter.md",
        "docs/streams.md",
        "docs/guides/metric_of_your_own.md",
        "docs/notebooks/metric_of_your_own.ipynb",
        "docs/guides/train_your_metric.md",
        "docs/learned.md",
        "docs/own_domain.md",
        "docs/guides/long_captions.md",
        "docs/guides/hallucinations.md",
        "docs/sounds.md",
        "docs/languages.md",
        "docs/diversity.md",
        "docs/integrations.md",
        "docs/drop_in.md",
        "docs/captioners.md",
        "docs/critic.md",
        "docs/images.md",
        "examples/README.md",
    ),
    "docs/metrics/README.md": (
        "docs/which_metric.md",
        "docs/metrics/*",
        "docs/agreement.md",
        "docs/robustness.md",
        "docs/meta.md",
        "docs/pregen_search.md",
    ),
    "docs/papers/README.md": ("docs/papers/*",),
    "docs/reference/README.md": (
        "docs/command_line.md",
        "reference/commands/index.md",
        "reference/python.md",
        "docs/python.md",
        "docs/files.md",
        "docs/cache.md",
        "docs/tokenizer.md",
        "docs/encoder.md",
        "docs/word_vectors.md",
    ),
    "reference/commands/index.md": ("reference/commands/*",),
    "docs/trust.md": (
        "docs/promises.md",
        "docs/benchmarks.md",
        "docs/public_api.md",
        "src/captious/resources/PROVENANCE.md",
        "CHANGELOG.md",
    ),
    "src/captious/resources/PROVENANCE.md": ("src/captious/resources/*/*",),
    "docs/developers.md": (
        "docs/architecture.md",
        "CONTRIBUTING.md",
        "docs/documentation.md",
        "benchmarks/README.md",
        "docs/release.md",
        "SECURITY.md",
    ),
}

# Titles in the navigation, of pages whose own titles are too long for it.
TITLES = {
    "docs/notebooks/compare_systems.ipynb": "Compare systems: a notebook",
    "docs/check.md": "Check captions",
    "docs/notebooks/metric_of_your_own.ipynb": "Your own metric: a notebook",
    "docs/own_domain.md": "Your own domain",
    "docs/languages.md": "Other languages",
    "docs/diversity.md": "Diversity",
    "docs/papers/README.md": "Papers",
    "docs/papers/lceval.md": "LCEval (2019)",
    "docs/papers/leic.md": "LEIC (2018)",
    "docs/papers/nneval.md": "NNEval (2018)",
    "docs/papers/pregen.md": "Pre-gen metrics (2018)",
    "docs/papers/yi2020.md": "Inter-reference variance (2020)",
    "docs/pregen_search.md": "Which pre-gen metric?",
    "src/captious/resources/PROVENANCE.md": "Provenance and model cards",
}
