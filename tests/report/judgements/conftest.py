"""The browser of the pages' own tests."""

from tests.report.browser.conftest import browser, open_page

__all__ = ["browser", "open_page"]
