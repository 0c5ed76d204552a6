"""What the frameworks' tests share: a home for Hugging Face's libraries, and no network."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def hugging_face_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Their cache in a folder of the tests'; they read this when they are first imported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hugging_face")))
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("HF_EVALUATE_OFFLINE", "1")
        yield
