"""A report for metric researchers: metrics beside people's judgements of captions.

from captious.meta import evaluate
from captious.report.judgements import write_report
write_report(evaluate("flickr8k-expert", data="flickr8k"), "report.html")
"""

from captious.report.judgements.report_data import write_report

__all__ = ["write_report"]
