"""Tokens whose search may run far ahead: remembered, so that lexing takes linear time.

In "a,a,a,…" each "a" could begin the token "a,a,a,…-b". What lies at the end of such a run is the
same for every start inside it, so it is looked up once.
"""

from captious.text.tokenizer.rules import (
    EMAIL_DOMAIN,
    EMAIL_RUN,
    FILE_ENDING,
    FILE_RUN,
    HYPHEN_PREFIX,
    HYPHEN_SUFFIX,
    PATH,
    SITE_END,
    SITE_RUN,
    WEB_ADDRESS,
    WEB_ADDRESS_WITH_PATH,
    WEB_RUN,
)


class Runs:
    """Ends of far-reaching tokens in one sketched caption; -1 where there is no such token."""

    def __init__(self, shape: str) -> None:
        self._shape = shape
        self._hyphen_run_end = self._hyphenated_end = -1
        self._email_run_end = self._email_at = self._email_end = -1
        self._site_run_end = self._site_dot = self._site_end = -1
        self._file_run_end = self._file_dot = self._file_end = -1
        self._web_run_end = -1

    def end_of_hyphenated(self, start: int) -> int:
        """End of hyphenated words whose first part may hold periods and commas."""
        if start >= self._hyphen_run_end:
            prefix = HYPHEN_PREFIX.match(self._shape, start)
            self._hyphen_run_end = prefix.end() if prefix else start
            suffix = HYPHEN_SUFFIX.match(self._shape, self._hyphen_run_end)
            self._hyphenated_end = suffix.end() if suffix else -1
        return self._hyphenated_end

    def end_of_email(self, start: int) -> int:
        """End of an e-mail address."""
        if start >= self._email_run_end:
            run = EMAIL_RUN.match(self._shape, start)
            self._email_run_end = at = run.end() if run else start
            self._email_end = -1
            while self._email_end < 0:
                at = self._shape.rfind("@", start, at)
                if at < 0:
                    break
                domain = EMAIL_DOMAIN.match(self._shape, at)
                if domain:
                    self._email_end = domain.end()
            self._email_at = at
        return self._email_end if start < self._email_at else -1

    def end_of_site(self, start: int) -> int:
        """End of an address such as example.com, or example.com/path."""
        if start >= self._site_run_end:
            run = SITE_RUN.match(self._shape, start)
            self._site_run_end = dot = run.end() if run else start
            self._site_end = -1
            while self._site_end < 0:
                dot = self._shape.rfind(".", start, dot)
                if dot < 0:
                    break
                ending = SITE_END.match(self._shape, dot)
                if ending:
                    path = PATH.match(self._shape, ending.end())
                    self._site_end = path.end() if path else ending.end()
            self._site_dot = dot
        return self._site_end if start < self._site_dot else -1

    def end_of_file_name(self, start: int) -> tuple[int, int]:
        """Reach and end of a file name such as 1.jpg; the reach includes what must follow."""
        if start >= self._file_run_end:
            run = FILE_RUN.match(self._shape, start)
            self._file_run_end = dot = run.end() if run else start
            self._file_end = -1
            while self._file_end < 0:
                dot = self._shape.rfind(".", start, dot)
                if dot < 0:
                    break
                ending = FILE_ENDING.match(self._shape, dot)
                if ending:
                    self._file_end = ending.end()
            self._file_dot = dot
        if start < self._file_dot:
            return self._file_end + 1, self._file_end
        return -1, -1

    def end_of_web_address(self, start: int) -> int:
        """End of an address that begins with www."""
        if start < self._web_run_end:
            return -1  # an earlier start in this run already failed, and so will this one
        address = WEB_ADDRESS.match(self._shape, start)
        if address:
            with_path = WEB_ADDRESS_WITH_PATH.match(self._shape, start)
            return max(address.end(), with_path.end() if with_path else -1)
        run = WEB_RUN.match(self._shape, start)
        if run:
            self._web_run_end = run.end()
        return -1
