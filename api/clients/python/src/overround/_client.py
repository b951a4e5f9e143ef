"""The two clients: the same reads and streams, for ordinary code and for asyncio."""

from __future__ import annotations

import asyncio
import json
import random
import time
from typing import Any, AsyncIterator, Callable, Dict, Iterator, Optional, Sequence, Tuple, Union

import httpx

from ._errors import OverroundError, error_of, is_passing
from ._rest import Answer, Items, Query, Remembered, next_page, parameters_of, path_of, pause_after, to_df
from ._state import Counts, EventParser, Message, Row, State, Unsound, stream_parameters

LONGEST_RECONNECT_S = 16.0


_Known = Optional[Tuple[str, Answer]]


def _tagged(known: _Known) -> Dict[str, str]:
    return {} if known is None else {"If-None-Match": known[0]}


class _Asked:
    """What both clients are made with."""

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
        base: of the service, such as `http://127.0.0.1:3000/api/v1`.
        retries: further tries of a read that was limited, or could not be answered for the moment.
        timeout: of one try, in seconds.
        parse_float: how numbers with a point are read; `decimal.Decimal` keeps them as they were sent.
        """
        self.base = base.rstrip("/")
        self.key = key
        self.retries = retries
        self.timeout = timeout
        self.parse_float = parse_float
        self._remembered = Remembered()

    def _settings(self) -> Dict[str, Any]:
        # Elsewhere the key has no business: no redirect is followed.
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
        except ValueError:
            # The page of a proxy is no answer of the service.
            status = response.status_code
            raise OverroundError(response.text[:200], status=status, code="no_json") from None
        self._remembered.put(address, response.headers.get("etag"), answer)
        return answer

    def _pause(self, error: OverroundError, tried: int) -> float:
        """Raises the error when there is to be no further try."""
        pause = pause_after(error.status, error.retry_after, tried, self.retries)
        if pause is None:
            raise error
        # Not all who were refused at once come back at once.
        return pause * (1 + 0.25 * random.random())


def _lost(cause: Exception) -> OverroundError:
    return OverroundError(str(cause) or type(cause).__name__)


class Client(_Asked):
    """For ordinary code. Close it, or use it in a `with`."""

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
        """Reads a path: `get("/odds", league="nba")`, `get("/events/{}", event_id)`. An answer that has not
        changed since is not sent again: the one before is given once more.

        Raises: OverroundError.
        """
        address = self._address(path, parts, query)
        tried = 0
        while True:
            try:
                known = self._remembered.find(address)
                response = self._http.get(address, headers=_tagged(known))
                return self._answer(address, known, response)
            except httpx.RequestError as cause:
                error = _lost(cause)
            except OverroundError as refused:
                error = refused
            time.sleep(self._pause(error, tried))
            tried += 1

    def iterate(self, path: str, *parts: str, **query: Any) -> Iterator[Row]:
        """The items of all pages, in their order; a page is read when its first item is asked for."""
        asked: Optional[Dict[str, Any]] = dict(query)
        while asked is not None:
            page = self.get(path, *parts, **asked)
            yield from page["data"]
            asked = next_page(page, asked)

    def items(self, path: str, *parts: str, **query: Any) -> Items:
        """All of them at once, for `.to_df()`."""
        return Items(self.iterate(path, *parts, **query))

    def stream(
        self, channels: Union[str, Sequence[str]] = "odds", *, heartbeat_seconds: int = 10, **filters: Any
    ) -> "Stream":
        """Messages as they come: `for message in client.stream("odds", league="nba")`.

        channels: of `odds`, `ev`, `arbitrage`, `middles`, `low_hold`.
        """
        return Stream(self, _tuple(channels), filters, heartbeat_seconds)


class AsyncClient(_Asked):
    """For asyncio. Close it, or use it in an `async with`."""

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
                return self._answer(address, known, response)
            except httpx.RequestError as cause:
                error = _lost(cause)
            except OverroundError as refused:
                error = refused
            await asyncio.sleep(self._pause(error, tried))
            tried += 1

    async def iterate(self, path: str, *parts: str, **query: Any) -> AsyncIterator[Row]:
        """As `Client.iterate`."""
        asked: Optional[Dict[str, Any]] = dict(query)
        while asked is not None:
            page = await self.get(path, *parts, **asked)
            for item in page["data"]:
                yield item
            asked = next_page(page, asked)

    async def items(self, path: str, *parts: str, **query: Any) -> Items:
        """As `Client.items`."""
        return Items([item async for item in self.iterate(path, *parts, **query)])

    def stream(
        self, channels: Union[str, Sequence[str]] = "odds", *, heartbeat_seconds: int = 10, **filters: Any
    ) -> "AsyncStream":
        """As `Client.stream`, for `async for`."""
        return AsyncStream(self, _tuple(channels), filters, heartbeat_seconds)


def _tuple(channels: Union[str, Sequence[str]]) -> "tuple[str, ...]":
    return tuple(channels.split(",")) if isinstance(channels, str) else tuple(channels)


class _Following:
    """What a stream of either kind holds, and when it connects again."""

    def __init__(
        self, client: _Asked, channels: "tuple[str, ...]", filters: Query, heartbeat_seconds: int
    ) -> None:
        self._client = client
        self._asked = stream_parameters(channels, filters, heartbeat_seconds)
        self._state = State(parse_float=client.parse_float)
        self._silence = 3.0 * heartbeat_seconds + 15
        self._reconnect = 1.0
        self._attempts = 0

    @property
    def rows(self) -> Dict[str, Row]:
        """Prices by id, as they are by the last message; equal to what `/odds` answers."""
        return self._state.rows

    @property
    def opportunities(self) -> Dict[str, Dict[str, Row]]:
        """By family and id, as they were when they were detected."""
        return self._state.opportunities

    @property
    def is_ready(self) -> bool:
        """Whether the snapshot of the current connection is complete."""
        return self._state.is_ready

    @property
    def counts(self) -> Counts:
        return self._state.counts

    def to_df(self, engine: str = "pandas") -> Any:
        """The prices as a data frame."""
        return to_df(self.rows.values(), engine)

    def _request(self) -> Dict[str, Any]:
        self._state.connected()
        query = dict(self._asked)
        if self._state.position is not None:
            query["resume_from"] = self._state.position
        timeout = httpx.Timeout(self._client.timeout, read=self._silence)
        headers = {"Accept": "text/event-stream"}
        url = self._client._address("/stream", (), query)
        return {"method": "GET", "url": url, "headers": headers, "timeout": timeout}

    def _take(self, parser: EventParser, data: bytes) -> Iterator[Message]:
        for block in parser.feed(data):
            if block.retry_ms is not None:
                self._reconnect = block.retry_ms / 1000
            if block.data is not None:
                message = self._state.take(block)
                if message.name == "snapshot:complete":
                    self._attempts = 0
                yield message

    def _lost(self, error: Optional[OverroundError]) -> float:
        """Seconds until the next connection. Raises the error where no other try would be answered otherwise."""
        self._state.is_ready = False
        if error is not None and error.status >= 400 and not is_passing(error.status):
            raise error
        asked = None if error is None else error.retry_after
        return max(self._pause(), asked or 0.0)

    def _unsound(self) -> float:
        """Seconds until it begins anew: at once the first time, but a service that is never right is not flooded."""
        self._state.is_ready = False
        self._state.forget()
        pause = self._pause() if self._attempts > 0 else 0.0
        self._attempts = max(self._attempts, 1)
        return pause

    def _pause(self) -> float:
        """Longer with each attempt that came to nothing."""
        pause = min(self._reconnect * 2**self._attempts, LONGEST_RECONNECT_S)
        self._attempts += 1
        # Clients that were lost together do not come back together.
        return pause * (1 + 0.25 * random.random())


class Stream(_Following):
    """Messages, one after the other, for as long as they are asked for. After a loss it connects again and
    goes on where it was; a loop that is slow holds it back.

    Raises, while iterated: OverroundError when it is refused for good.
    """

    _client: Client

    def __iter__(self) -> Iterator[Message]:
        while True:
            try:
                yield from self._connection()
                pause = self._lost(None)
            except httpx.RequestError:
                pause = self._lost(None)
            except OverroundError as error:
                pause = self._lost(error)
            except Unsound:
                pause = self._unsound()
            time.sleep(pause)

    def _connection(self) -> Iterator[Message]:
        parser = EventParser()
        with self._client._http.stream(**self._request()) as response:
            if not response.is_success:
                response.read()
                raise error_of(response)
            for data in response.iter_bytes():
                yield from self._take(parser, data)


class AsyncStream(_Following):
    """As `Stream`, for `async for`."""

    _client: AsyncClient

    async def __aiter__(self) -> AsyncIterator[Message]:
        while True:
            try:
                async for message in self._connection():
                    yield message
                pause = self._lost(None)
            except httpx.RequestError:
                pause = self._lost(None)
            except OverroundError as error:
                pause = self._lost(error)
            except Unsound:
                pause = self._unsound()
            await asyncio.sleep(pause)

    async def _connection(self) -> AsyncIterator[Message]:
        parser = EventParser()
        async with self._client._http.stream(**self._request()) as response:
            if not response.is_success:
                await response.aread()
                raise error_of(response)
            async for data in response.aiter_bytes():
                for message in self._take(parser, data):
                    yield message
