"""The frames of one WebSocket, by the package `websockets` of the extra `overround[websocket]`."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, AsyncIterator, Callable, Dict, Iterator

import httpx

from ._errors import SLOT_RETRY_S, TOO_MANY_STREAMS, OverroundError, error_of

#: The most bytes of a frame; the service sends at most 256 KB.
MOST_BYTES = 2**20


def is_installed() -> bool:
    return find_spec("websockets") is not None


def require() -> None:
    if not is_installed():
        raise ImportError('a WebSocket needs the package websockets: pip install "overround[websocket]"')


def settings(url: str, key: str, open_timeout: float) -> Dict[str, Any]:
    """Arguments of `connect`, synchronous and asyncio."""
    return {
        "uri": "ws" + url[len("http") :],
        "additional_headers": {"X-API-Key": key},
        "open_timeout": open_timeout,
        # A peer that is gone does not answer the close frame.
        "close_timeout": 1,
        # A slow loop leaves pings unread, so silence is measured here instead.
        "ping_interval": None,
        "max_size": MOST_BYTES,
    }


def texts(options: Dict[str, Any], silence: float, silent: Callable[[], Exception]) -> Iterator[str]:
    """Each frame until the connection is lost.

    Raises: OverroundError when it is refused, or closed with a reason; `silent` when nothing comes.
    """
    from websockets.sync.client import connect

    with _ended(silent) as heard, connect(**options) as socket:
        while True:
            heard.last = str(socket.recv(timeout=silence))
            yield heard.last


async def texts_async(
    options: Dict[str, Any], silence: float, silent: Callable[[], Exception]
) -> AsyncIterator[str]:
    """As `texts`."""
    from websockets.asyncio.client import connect

    class Connect(connect):
        def process_redirect(self, exc: Exception) -> Any:
            # Never follow a redirect: it would send the key elsewhere.
            return exc

    with _ended(silent) as heard:
        async with Connect(**options) as socket:
            while True:
                heard.last = str(await asyncio.wait_for(socket.recv(), silence))
                yield heard.last


@dataclass
class _Heard:
    """The last frame: the service sends the reason before it closes."""

    last: str = ""


@contextmanager
def _ended(silent: Callable[[], Exception]) -> Iterator[_Heard]:
    """Translates how a connection ended into our errors. A mere loss ends the block without an error."""
    from websockets.exceptions import ConnectionClosed, WebSocketException

    heard = _Heard()
    try:
        yield heard
    except ConnectionClosed as closed:
        _explain(closed, heard.last)
    except (TimeoutError, asyncio.TimeoutError):
        raise silent() from None
    except (OSError, WebSocketException) as cause:
        raise _refused(cause) from None


def _explain(closed: Any, last: str) -> None:
    """Raises the service's reason for closing the connection; a mere loss has none."""
    if closed.rcvd is None:
        return
    status, reason = closed.rcvd.code, closed.rcvd.reason
    frame = json.loads(last) if '"error"' in last else {}
    if frame.get("type") == "error":
        code, message = frame["code"], frame["message"]
    else:
        code = reason if re.fullmatch(r"\w+", reason) else "closed"
        message = reason or f"closed with {status}"
    retry_after = SLOT_RETRY_S if status == TOO_MANY_STREAMS else None
    raise OverroundError(message, status=status, code=code, retry_after=retry_after)


def _refused(cause: Exception) -> OverroundError:
    from websockets.exceptions import InvalidStatus

    if not isinstance(cause, InvalidStatus):
        return OverroundError(str(cause) or type(cause).__name__)
    answer = cause.response
    headers = list(answer.headers.raw_items())
    return error_of(httpx.Response(answer.status_code, headers=headers, content=bytes(answer.body or b"")))
