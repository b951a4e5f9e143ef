"""The synchronous and the asyncio client, with the same reads and streams."""

from __future__ import annotations

import asyncio
import json
import random
import time
from typing import Any, AsyncIterator, Callable, Dict, Iterator, Optional, Sequence, Tuple, Union

import httpx

from ._errors import OverroundError, error_of, is_passing
from ._rest import Answer, Items, Query, Remembered, columns_of, next_page, parameters_of, path_of, pause_after, rows_of
from ._state import Row
from ._stream import AsyncStream, Stream

_Known = Optional[Tuple[str, Answer]]


def _tagged(known: _Known) -> Dict[str, str]:
    return {} if known is None else {"If-None-Match": known[0]}


class _BaseClient:
    """The options and the state that both clients share."""

    def __init__(
        self,
        base: str = "http://127.0.0.1:3000/api/v1",
        key: str = "",
        *,
        retries: int = 2,
        timeout: float = 30.0,
        parse_float: Callable[[str], Any] = float,
    ) -> None:
        """
        base: address of the service, such as `http://127.0.0.1:3000/api/v1`.
        retries: how often a read is tried again after a failure that may pass.
        timeout: seconds for each try.
        parse_float: parses numbers with a decimal point; `decimal.Decimal` keeps them as sent. What it raises reaches
            the caller.
        """
        self.base = base.rstrip("/")
        self.key = key
        self.retries = retries
        self.timeout = timeout
        self.parse_float = parse_float
        self._remembered = Remembered()

    def _settings(self) -> Dict[str, Any]:
        # Never follow a redirect: it would send the key elsewhere.
        return {
            "headers": {"X-API-Key": self.key},
            "timeout": self.timeout,
            "follow_redirects": False,
        }

    def _address(self, path: str, parts: Sequence[str], query: Query) -> str:
        return str(httpx.URL(self.base + path_of(path, tuple(parts)), params=parameters_of(query)))

    def _answer(self, address: str, known: _Known, response: httpx.Response) -> Answer:
        if response.status_code == 304 and known is not None:
            return known[1]
        if not response.is_success:
            raise error_of(response)
        try:
            answer = Answer(json.loads(response.content, parse_float=self.parse_float))
        except (json.JSONDecodeError, UnicodeDecodeError):
            # A proxy's page, not an answer of the service.
            status = response.status_code
            raise OverroundError(response.text[:200], status=status, code="no_json") from None
        self._remembered.put(address, response.headers.get("etag"), answer)
        return answer

    def _pause(self, error: OverroundError, tried: int) -> float:
        """Seconds until the next try. Raises the error when there is none."""
        pause = pause_after(error.status, error.retry_after, tried, self.retries)
        if pause is None:
            raise error
        # Spread retries of clients that were refused together.
        return pause * (1 + 0.25 * random.random())


def _lost(cause: Exception) -> OverroundError:
    return OverroundError(str(cause) or type(cause).__name__)


class Client(_BaseClient):
    """The synchronous client. Close it, or use it in a `with`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._http = httpx.Client(**self._settings())

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def get(self, path: str, *parts: str, **query: Any) -> Answer:
        """Reads a path: `get("/odds", league="nba")`, `get("/events/{}", event_id)`. If the answer has not changed, by
        its `ETag`, the previous object is returned.

        Raises: OverroundError; ValueError for an empty list or text.
        """
        address = self._address(path, parts, query)
        tried = 0
        while True:
            try:
                known = self._remembered.find(address)
                response = self._http.get(address, headers=_tagged(known))
                answer = self._answer(address, known, response)
                answer.columns = columns_of(path, query)
                return answer
            except httpx.RequestError as cause:
                error = _lost(cause)
            except OverroundError as refused:
                error = refused
            time.sleep(self._pause(error, tried))
            tried += 1

    def iterate(self, path: str, *parts: str, **query: Any) -> Iterator[Row]:
        """The items of all pages in order. Each page is read when its first item is needed.

        Raises: OverroundError `too_many_to_page` after the last page that the service leads to, if it has more.
            TypeError for a path that has no list.
        """
        page_query: Optional[Dict[str, Any]] = dict(parameters_of(query))
        while page_query is not None:
            page = self.get(path, *parts, **page_query)
            yield from rows_of(page)
            page_query = next_page(page, page_query)

    def items(self, path: str, *parts: str, **query: Any) -> Items:
        """The items of all pages as a list with `.to_df()`."""
        return Items(self.iterate(path, *parts, **query), columns_of(path, query))

    def stream(
        self,
        channels: Union[str, Sequence[str]] = "odds",
        *,
        transport: str = "sse",
        heartbeat_seconds: int = 10,
        silence_seconds: Optional[float] = None,
        **filters: Any,
    ) -> "Stream":
        """Messages as they arrive: `for message in client.stream("odds", league="nba")`.

        channels: one or more of `odds`, `ev`, `arbitrage`, `middles`, `low_hold`, `gamestate`.
        transport: `sse`, or `websocket`, which needs `overround[websocket]`.
        heartbeat_seconds: time between heartbeats, with which rows are checked; 1 to 30.
        silence_seconds: a connection that is silent for this long counts as lost; default: twice the heartbeat
            plus ten.
        
        Raises: ValueError for an empty list or text among the filters, or a parameter that the client sets.
        """
        return Stream(self, _tuple(channels), filters, heartbeat_seconds, transport, silence_seconds)


class AsyncClient(_BaseClient):
    """The asyncio client. Close it, or use it in an `async with`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._http = httpx.AsyncClient(**self._settings())

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def get(self, path: str, *parts: str, **query: Any) -> Answer:
        """As `Client.get`."""
        address = self._address(path, parts, query)
        tried = 0
        while True:
            try:
                known = self._remembered.find(address)
                response = await self._http.get(address, headers=_tagged(known))
                answer = self._answer(address, known, response)
                answer.columns = columns_of(path, query)
                return answer
            except httpx.RequestError as cause:
                error = _lost(cause)
            except OverroundError as refused:
                error = refused
            await asyncio.sleep(self._pause(error, tried))
            tried += 1

    async def iterate(self, path: str, *parts: str, **query: Any) -> AsyncIterator[Row]:
        """As `Client.iterate`."""
        page_query: Optional[Dict[str, Any]] = dict(parameters_of(query))
        while page_query is not None:
            page = await self.get(path, *parts, **page_query)
            for item in rows_of(page):
                yield item
            page_query = next_page(page, page_query)

    async def items(self, path: str, *parts: str, **query: Any) -> Items:
        """As `Client.items`."""
        items = [item async for item in self.iterate(path, *parts, **query)]
        return Items(items, columns_of(path, query))

    def stream(
        self,
        channels: Union[str, Sequence[str]] = "odds",
        *,
        transport: str = "sse",
        heartbeat_seconds: int = 10,
        silence_seconds: Optional[float] = None,
        **filters: Any,
    ) -> "AsyncStream":
        """As `Client.stream`, for `async for`."""
        return AsyncStream(self, _tuple(channels), filters, heartbeat_seconds, transport, silence_seconds)


def _tuple(channels: Union[str, Sequence[str]]) -> "tuple[str, ...]":
    return tuple(channels.split(",")) if isinstance(channels, str) else tuple(channels)
