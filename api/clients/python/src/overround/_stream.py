"""Synchronous and asyncio streams: reconnection, fallback to the other transport, and giving up."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, Iterator, Optional

import httpx

from . import _websocket
from ._errors import TOO_MANY_STREAMS, OverroundError, error_of, is_final, refusal_of
from ._generated import COLUMNS
from ._rest import Query, parameters_of, to_df
from ._state import (
    Counts,
    EventParser,
    Message,
    Row,
    State,
    Unsound,
    filters_of,
    stream_parameters,
    websocket_parameters,
)

if TYPE_CHECKING:
    from ._client import AsyncClient, Client, _BaseClient

LONGEST_RECONNECT_S = 16.0
#: A stream gives up after this many connections without data while the service answers.
MOST_HELD_BACK = 2
#: Two silences that differ by less than this were cut by the same timeout of a proxy.
SAME_SILENCE_S = 0.5
PROBE_S = 5.0

_log = logging.getLogger("overround")


@contextlib.asynccontextmanager
async def closing(generator: Any) -> AsyncIterator[Any]:
    """Closes a generator when its loop is left, inner ones first. Otherwise the garbage collector closes them, in any
    order."""
    try:
        yield generator
    finally:
        await generator.aclose()


class Silent(Exception):
    """The connection has been silent for longer than the service ever is."""


#: Exceptions that end a silent connection, and those of all other ends.
_SILENCES = (Silent, httpx.ReadTimeout)
_ENDS = (httpx.RequestError, OverroundError, Unsound)


class _Following:
    """The state of a stream, and its rules for reconnecting."""

    def __init__(
        self,
        client: "_BaseClient",
        channels: "tuple[str, ...]",
        filters: Query,
        heartbeat_seconds: int,
        transport: str,
        silence_seconds: Optional[float],
    ) -> None:
        if transport not in ("sse", "websocket"):
            raise ValueError(f"transport is 'sse' or 'websocket'; not {transport!r}")
        if transport == "websocket":
            _websocket.require()
        self._client = client
        self._transport = self._chosen_transport = transport
        texts = filters_of(dict(parameters_of(filters)))
        self._by_events = stream_parameters(channels, texts)
        self._by_frames = websocket_parameters(channels, texts)
        self._state = State(parse_float=client.parse_float, asked_tables=channels)
        self._heartbeat_seconds = heartbeat_seconds
        self._silence = silence_seconds if silence_seconds is not None else 2.0 * heartbeat_seconds + 10
        self._reconnect = 1.0
        self._return: Optional[float] = None
        self._attempts = 0
        self._held_back = 0
        self._heard_at = 0.0
        self._last_silence: Optional[float] = None
        self._last_fault: Optional[str] = None
        #: Whether a snapshot has been complete.
        self._has_begun = False
        #: The last message of this connection, if it is an error.
        self._told: Optional[str] = None

    @property
    def rows(self) -> Dict[str, Row]:
        """Prices by id as of the last message, equal to what `/odds` answers but for `last_seen_at` and `timestamp`: a
        price that is only seen again is not sent. `stale_books` of `/events` names the sportsbooks whose prices are too
        old."""
        return self._state.rows

    @property
    def games(self) -> Dict[str, Row]:
        """Games in play of the channel `gamestate`, by event id."""
        return self._state.tables["gamestate"]

    @property
    def tables(self) -> Dict[str, Dict[str, Row]]:
        """The rows of each channel that sends a table, by key; `tables["gamestate"]` is `games`."""
        return self._state.tables

    @property
    def opportunities(self) -> Dict[str, Dict[str, Row]]:
        """Opportunities by family and id, as detected."""
        return self._state.opportunities

    @property
    def is_ready(self) -> bool:
        """Whether the rows are whole and up to date; false after a break, and while a snapshot replaces them."""
        return self._state.is_ready

    @property
    def counts(self) -> Counts:
        return self._state.counts

    @property
    def transport(self) -> str:
        """The present transport: `sse` or `websocket`."""
        return self._transport

    @property
    def last_fault(self) -> Optional[str]:
        """The last fault, or why the last connection ended, as text for a person; None without one."""
        return self._last_fault

    def to_df(self, engine: str = "pandas") -> Any:
        """The prices as a data frame."""
        return to_df(self.rows.values(), engine, COLUMNS["/odds"])

    def _parameters(self) -> Dict[str, Any]:
        self._state.connected()
        self._told = None
        self._hear()
        parameters = self._by_events if self._transport == "sse" else self._by_frames
        query = {**parameters, "heartbeat_seconds": self._heartbeat_seconds}
        if self._state.position is not None:
            query["resume_from"] = self._state.position
        return query

    def _request(self) -> Dict[str, Any]:
        timeout = httpx.Timeout(self._client.timeout, read=self._silence)
        headers = {"Accept": "text/event-stream"}
        url = self._client._address("/stream", (), self._parameters())
        return {"method": "GET", "url": url, "headers": headers, "timeout": timeout}

    def _socket(self) -> Dict[str, Any]:
        url = self._client._address("/ws", (), self._parameters())
        return _websocket.settings(url, self._client.key, min(self._client.timeout, self._silence))

    def _hear(self) -> None:
        self._heard_at = time.monotonic()

    def _take(self, parser: EventParser, data: bytes) -> Iterator[Message]:
        self._hear()
        for block in parser.feed(data):
            if block.retry_ms is not None:
                self._reconnect = block.retry_ms / 1000
            if block.data is not None:
                message = self._taken(self._state.take(block))
                if self._state.is_asked(message):
                    yield message
        if not self._state.was_heard:
            # These are the comments of a service that starts.
            self._held_back = 0

    def _take_frame(self, text: str) -> Message:
        self._hear()
        return self._taken(self._state.take_frame(text))

    def _taken(self, message: Message) -> Message:
        self._told = None
        if message.name == "snapshot:complete":
            self._attempts = 0
            self._has_begun = True
        elif message.name == "heartbeat":
            # The fallback works: use it from now on.
            self._chosen_transport = self._transport
            self._held_back = 0
        elif message.name == "error":
            self._last_fault = self._told = f"{message.body.get('code')}: {message.body.get('message')}"
            if isinstance(message.body.get("retry_ms"), (int, float)):
                self._return = message.body["retry_ms"] / 1000
            self._judge(str(message.body.get("code")), str(message.body.get("message")))
        return message

    def _judge(self, code: str, message: str) -> None:
        """Raises an error that ends the stream for good."""
        # An error before `connected` ends the connection, whose end has the status.
        status = refusal_of(code, self._state.is_ready or self._state.is_at_first_message)
        if status is not None:
            raise OverroundError(message, status=status, code=code)

    def _lost(self, error: Optional[OverroundError]) -> float:
        """Seconds until the next connection. Raises the error when a retry would not help."""
        self._state.is_ready = False
        if self._transport != self._chosen_transport and not self._state.was_heard:
            # The fallback transport does not get through either.
            why = error if error is not None else "it was lost before anything came"
            return self._held(f"and a WebSocket does not come through: {why}")
        self._last_fault = self._told or (str(error) if error is not None else "the connection was lost")
        # After a break, the service may still count the connection that was lost.
        is_own = error is not None and self._has_begun and error.status == TOO_MANY_STREAMS
        if error is not None and is_final(error.status) and not is_own:
            raise error
        self._look_at_silence()
        retry_after = None if error is None else error.retry_after
        return max(self._pause(), retry_after or 0.0)

    def _look_at_silence(self) -> None:
        """When two connections end after the same silence, a proxy cuts them: asks for heartbeats more often."""
        silence = time.monotonic() - self._heard_at
        before, self._last_silence = self._last_silence, silence
        if before is None or not self._state.was_heard or abs(silence - before) > SAME_SILENCE_S:
            return
        often = max(1, int(silence / 2))
        if silence < 1 or often >= self._heartbeat_seconds:
            return
        self._fault(
            f"connections are cut after {silence:.1f} s of silence, as by the read timeout of a proxy: "
            f"heartbeats every {often} s from now on"
        )
        self._heartbeat_seconds = often

    def _ended(self, end: Exception) -> float:
        """Seconds until the next connection, after one of `_ENDS`."""
        if isinstance(end, Unsound):
            return self._unsound(end)
        return self._lost(end if isinstance(end, OverroundError) else OverroundError(str(end) or type(end).__name__))

    def _silent(self, answers: bool) -> float:
        """Seconds until the next connection, after a silent one. `answers`: whether the service has answered a short
        request since; if not, the service or the network is down."""
        self._state.is_ready = False
        if not answers:
            self._fault(f"nothing came for {self._silence:g} s, and nothing answers")
            return self._pause()
        return self._held("")

    def _held(self, more: str) -> float:
        self._held_back += 1
        fault = (
            f"the service answers, but nothing came over {self._chosen_transport} for {self._silence:g} s: something on "
            "the way holds the stream back until it ends. A proxy must pass it on as it comes "
            f"(nginx: proxy_buffering off; gzip off) {more}".rstrip()
        )
        can_fall_back = self._chosen_transport == "sse" and _websocket.is_installed()
        if self._held_back > MOST_HELD_BACK or (self._held_back == MOST_HELD_BACK and not can_fall_back):
            if self._chosen_transport == "sse" and not _websocket.is_installed():
                fault += '. A WebSocket may come through: pip install "overround[websocket]"'
            raise OverroundError(fault, code="held_back")
        if can_fall_back:
            self._transport = "sse" if self._transport == "websocket" else "websocket"
            fault += f"; going on over {self._transport}"
        self._fault(fault)
        return 0.0 if can_fall_back else self._pause()

    def _fault(self, fault: str) -> None:
        self._last_fault = fault
        _log.warning("%s", fault)

    def _unsound(self, why: Unsound) -> float:
        """Seconds until the restart: none the first time, then more, so as not to flood a faulty service."""
        self._fault(str(why))
        self._state.is_ready = False
        self._state.forget()
        pause = self._pause() if self._attempts > 0 else 0.0
        self._attempts = max(self._attempts, 1)
        return pause

    def _pause(self) -> float:
        """The wait doubles with each failed attempt."""
        first = self._reconnect if self._return is None else self._return
        self._return = None
        pause = min(first * 2 ** min(self._attempts, 16), LONGEST_RECONNECT_S)
        self._attempts += 1
        # Spread reconnections of clients that lost their connections together.
        return pause * (1 + 0.25 * random.random())

    def _probe(self) -> Dict[str, Any]:
        return {"url": f"{self._client.base}/livez", "timeout": PROBE_S}


class Stream(_Following):
    """An iterator of messages. After a lost connection it reconnects and resumes; a slow loop pauses it.

    Raises, while iterated: OverroundError when it is refused for good, or held back by a proxy.
    """

    _client: "Client"

    def __iter__(self) -> Iterator[Message]:
        while True:
            try:
                yield from (self._events() if self._transport == "sse" else self._frames())
                pause = self._lost(None)
            except _SILENCES:
                pause = self._silent(self._answers())
            except _ENDS as end:
                pause = self._ended(end)
            time.sleep(pause)

    def _events(self) -> Iterator[Message]:
        parser = EventParser()
        with self._client._http.stream(**self._request()) as response:
            if not response.is_success:
                response.read()
                raise error_of(response)
            for data in response.iter_bytes():
                yield from self._take(parser, data)

    def _frames(self) -> Iterator[Message]:
        # Closed at once also by an error of a frame, which keeps this generator alive.
        with contextlib.closing(_websocket.texts(self._socket(), self._silence, Silent)) as texts:
            for text in texts:
                yield self._take_frame(text)

    def _answers(self) -> bool:
        try:
            return self._client._http.get(**self._probe()).is_success
        except httpx.RequestError:
            return False


class AsyncStream(_Following):
    """As `Stream`, for `async for`."""

    _client: "AsyncClient"

    async def __aiter__(self) -> AsyncIterator[Message]:
        while True:
            try:
                async with closing(self._events() if self._transport == "sse" else self._frames()) as messages:
                    async for message in messages:
                        yield message
                pause = self._lost(None)
            except _SILENCES:
                pause = self._silent(await self._answers())
            except _ENDS as end:
                pause = self._ended(end)
            await asyncio.sleep(pause)

    async def _events(self) -> AsyncIterator[Message]:
        parser = EventParser()
        async with self._client._http.stream(**self._request()) as response:
            if not response.is_success:
                await response.aread()
                raise error_of(response)
            async with closing(response.aiter_bytes()) as chunks:
                async for data in chunks:
                    for message in self._take(parser, data):
                        yield message

    async def _frames(self) -> AsyncIterator[Message]:
        async with closing(_websocket.texts_async(self._socket(), self._silence, Silent)) as texts:
            async for text in texts:
                yield self._take_frame(text)

    async def _answers(self) -> bool:
        try:
            return (await self._client._http.get(**self._probe())).is_success
        except httpx.RequestError:
            return False
