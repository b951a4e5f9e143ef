"""What a call fails with."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional

import httpx


class OverroundError(Exception):
    """An answer above 399, or none. Branch on `code`.

    status: the HTTP status, or the code that a WebSocket was closed with; 0 when no answer came.
    code: as the service documents them; `connection_lost` when none came, `no_json` for the page of a proxy,
        `held_back` for a stream that something on the way does not pass on.
    retry_after: seconds until another try; None where the service does not say.
    request_id: for the operator's log.
    details: the whole `error` member, with what the code adds.
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


def is_passing(status: int) -> bool:
    """Whether another try may mend what was refused: no answer came, there were too many requests, or the service or
    a proxy before it is not ready or took too long. Whatever else is refused will be refused again."""
    return status in (0, 408, 425, 429, 500, 502, 503, 504)


def is_final(status: int) -> bool:
    """Whether a stream that ended so, with the status of a refusal or the code of a closed socket, is not tried again."""
    return status == 1000 or 4000 <= status < 4100 or (300 <= status < 1000 and not is_passing(status))


def error_of(response: httpx.Response) -> OverroundError:
    """Of an answer that is no success, whose body has been read."""
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
