"""The error of failed calls, and which failures may pass."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional

import httpx


class OverroundError(Exception):
    """A refused or failed call. Branch on `code`.

    status: the HTTP status, or the close code of a WebSocket; 0 without an answer.
    code: a code of the service; `connection_lost` without an answer, `closed` for a WebSocket closed without one, `no_json` for a proxy's page, `redirected` for an
        address that leads elsewhere, `held_back` for a stream that a proxy holds back, `too_many_to_page` for a list that
        has more than its pages reach.
    retry_after: seconds to wait before the next try; None when the service does not say.
    request_id: identifies the request in the operator's log.
    details: the whole `error` field, with details of the code.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "connection_lost",
        retry_after: Optional[float] = None,
        request_id: Optional[str] = None,
        details: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.retry_after = retry_after
        self.request_id = request_id
        self.details: Mapping[str, Any] = details or {}

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


#: The close code of a stream above the key's limit, and the seconds that the service asks event streams to wait then.
TOO_MANY_STREAMS = 4029
SLOT_RETRY_S = 10.0

#: HTTP statuses of errors by which a stream is refused: over a WebSocket it stays open, and less comes or nothing.
_REFUSALS = {"validation_error": 400, "missing_channels": 400, "invalid_filter": 400, "tier_restricted": 403}


def refusal_of(code: str, ready: bool) -> Optional[int]:
    """The status of an error that ends a stream for good although its connection may stay open; None for others."""
    if code == "displaced":
        return 4001
    return None if ready else _REFUSALS.get(code)


def is_passing(status: int) -> bool:
    """Whether another try may succeed: no answer came, there were too many requests, or the service or a proxy before
    it was not ready or too slow (520 to 530 are Cloudflare's). All other refusals are final."""
    return status in (0, 408, 425, 429, 500, 502, 503, 504) or 520 <= status <= 530


def is_final(status: int) -> bool:
    """Whether a stream is not tried again after this HTTP status or WebSocket close code."""
    return status == 1000 or 4000 <= status < 4100 or (300 <= status < 1000 and not is_passing(status))


def error_of(response: httpx.Response) -> OverroundError:
    """The error of an answer other than 2xx, whose body has been read. Redirects are never followed, because they would
    send the key elsewhere."""
    if 300 <= response.status_code < 400:
        to = response.headers.get("location", "another address").partition("?")[0]
        message = f"The address is redirected to {to}: state the address of the service itself."
        return OverroundError(message, status=response.status_code, code="redirected")
    try:
        error = json.loads(response.content)["error"]
        code, message, details = str(error["code"]), str(error["message"]), error
    except (ValueError, KeyError, TypeError):
        code, message, details = "no_json", response.text[:200] or response.reason_phrase, {}
    try:
        retry_after: Optional[float] = max(0.0, float(response.headers["retry-after"]))
    except (KeyError, ValueError):
        retry_after = None
    return OverroundError(
        message,
        status=response.status_code,
        code=code,
        retry_after=retry_after,
        request_id=response.headers.get("x-request-id"),
        details=details,
    )
