"""The frames of one WebSocket, by the package `websockets`; it comes with the extra `overround[websocket]`."""

from __future__ import annotations

import asyncio
import json
from importlib.util import find_spec
from typing import Any, AsyncIterator, Callable, Dict, Iterator

import httpx

from ._errors import OverroundError, error_of

#: Of a frame; the service sends at most 256 KB.
MOST_BYTES = 2**20


def is_installed() -> bool:
    return find_spec("websockets") is not None


def require() -> None:
    if not is_installed():
        raise ImportError('a WebSocket needs the package websockets: pip install "overround[websocket]"')


def settings(url: str, key: str, open_timeout: float) -> Dict[str, Any]:
    """What `connect` is called with, for ordinary code and for asyncio."""
    return {
        "uri": "ws" + url[len("http") :],
        "additional_headers": {"X-API-Key": key},
        "open_timeout": open_timeout,
        # A peer that is gone does not answer the goodbye either.
        "close_timeout": 1,
        # A loop that is slow holds the stream back and leaves pings unread: silence is looked at by us.
        "ping_interval": None,
        "max_size": MOST_BYTES,
    }


def texts(asked: Dict[str, Any], silence: float, silent: Callable[[], Exception]) -> Iterator[str]:
    """Each frame until the connection is lost.

    Raises: OverroundError when it is refused, or closed with a reason; `silent` when nothing comes.
    """
    from websockets.exceptions import ConnectionClosed, WebSocketException
    from websockets.sync.client import connect

    last = ""
    try:
        with connect(**asked) as socket:
            while True:
                try:
                    last = str(socket.recv(timeout=silence))
                except TimeoutError:
                    raise silent() from None
                yield last
    except ConnectionClosed as closed:
        _explain(closed, last)
    except (TimeoutError, asyncio.TimeoutError):
        raise silent() from None
    except (OSError, WebSocketException) as cause:
        raise _refused(cause) from None


async def texts_async(
    asked: Dict[str, Any], silence: float, silent: Callable[[], Exception]
) -> AsyncIterator[str]:
    """As `texts`."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed, WebSocketException

    class Connect(connect):
        def process_redirect(self, exc: Exception) -> Any:
            # Elsewhere the key has no business.
            return exc

    last = ""
    try:
        async with Connect(**asked) as socket:
            while True:
                try:
                    last = str(await asyncio.wait_for(socket.recv(), silence))
                except asyncio.TimeoutError:
                    raise silent() from None
                yield last
    except ConnectionClosed as closed:
        _explain(closed, last)
    except (TimeoutError, asyncio.TimeoutError):
        raise silent() from None
    except (OSError, WebSocketException) as cause:
        raise _refused(cause) from None


def _explain(closed: Any, last: str) -> None:
    """Raises what the service has closed the connection for; a mere loss is none."""
    if closed.rcvd is None:
        return
    frame = json.loads(last) if '"error"' in last else {}
    code, message = ("", closed.rcvd.reason) if frame.get("type") != "error" else (frame["code"], frame["message"])
    raise OverroundError(message or f"closed with {closed.rcvd.code}", status=closed.rcvd.code, code=code or "closed")


def _refused(cause: Exception) -> OverroundError:
    from websockets.exceptions import InvalidStatus

    if not isinstance(cause, InvalidStatus):
        return OverroundError(str(cause) or type(cause).__name__)
    answer = cause.response
    headers = list(answer.headers.raw_items())
    return error_of(httpx.Response(answer.status_code, headers=headers, content=bytes(answer.body or b"")))
