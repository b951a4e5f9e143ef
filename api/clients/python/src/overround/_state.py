"""The state of a stream's client, changed by its messages; no I/O.

With `proof`, the service sends the number and checksum of the rows that the client should hold, after a snapshot and
with each heartbeat. Messages are numbered. A difference or a missing message raises `Unsound`: the state is dropped,
and the stream starts again.
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass, field
from typing import Any, Callable, Collection, Dict, Iterator, List, Mapping, Optional, Tuple

from ._generated import ATTRIBUTES, FAMILIES, OWN_PARAMETERS, TABLES

Row = Dict[str, Any]

_NUMBER = re.compile(r"^evt_(\d{5,})$")


class Unsound(Exception):
    """The held rows or a message cannot be right."""


@dataclass(frozen=True)
class Message:
    """`name` is the name of the event; `body` is an object or a list."""

    name: str
    body: Any


@dataclass
class Counts:
    """Counts of what has happened. Those from `gaps` on should stay 0."""

    connections: int = 0
    resumed: int = 0
    resyncs: int = 0
    messages: int = 0
    proofs: int = 0
    gaps: int = 0
    malformed: int = 0
    strays: int = 0
    mismatches: int = 0


@dataclass
class Block:
    event: str = ""
    id: str = ""
    data: Optional[str] = None
    retry_ms: Optional[int] = None


class EventParser:
    """Parses Server-Sent Events from chunks of bytes of any size."""

    def __init__(self) -> None:
        self._rest = b""
        self._block = Block()

    def feed(self, data: bytes) -> Iterator[Block]:
        # Not `splitlines`, nor httpx's: JSON may contain U+2028 and the like.
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            block = self._line(line[:-1] if line.endswith(b"\r") else line)
            if block is not None:
                yield block

    def _line(self, line: bytes) -> Optional[Block]:
        if line == b"":
            block, self._block = self._block, Block()
            return block if block.data is not None or block.retry_ms is not None else None
        name, _, value = line.decode("utf-8").partition(":")
        value = value[1:] if value.startswith(" ") else value
        block = self._block
        if name == "event":
            block.event = value
        elif name == "data":
            block.data = value if block.data is None else f"{block.data}\n{value}"
        elif name == "id":
            block.id = value
        elif name == "retry" and value.isdigit():
            block.retry_ms = int(value)
        return None


def row_checksum(row: Mapping[str, Any]) -> int:
    """The CRC-32 of a row's fields, each as in JSON."""
    members = ("odds_decimal", "odds_american", "line", "is_live", "is_active")
    text = " ".join([row["id"], *(_json(row[name]) for name in members)])
    return zlib.crc32(text.encode())


def _json(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    # str() writes a Decimal as sent, and a float as the shortest text that parses to it.
    return str(value)


@dataclass
class State:
    """Rows by id, opportunities by family and id, tables by channel and key, and the stream's position."""

    parse_float: Callable[[str], Any] = float
    #: The channels of tables that were asked for.
    asked_tables: Collection[str] = tuple(TABLES)
    rows: Dict[str, Row] = field(default_factory=dict)
    opportunities: Dict[str, Dict[str, Row]] = field(
        default_factory=lambda: {family: {} for family in FAMILIES.values()}
    )
    tables: Dict[str, Dict[str, Row]] = field(default_factory=lambda: {channel: {} for channel in TABLES})
    position: Optional[str] = None
    is_ready: bool = False
    counts: Counts = field(default_factory=Counts)
    _number: int = 0
    _added: Dict[str, int] = field(default_factory=dict)
    _changed: Dict[str, None] = field(default_factory=dict)
    _sum: int = 0
    #: Ids removed since the last proof. A stream resumes at a proof, perhaps at a process that does not know of these
    #: removals yet and still sends parts of the rows.
    _removed: Dict[str, None] = field(default_factory=dict)
    #: Whether a process at which the stream has resumed may still lack changes that the client has. Then its first proof
    #: may differ, and the next one decides.
    _may_be_behind: bool = False

    def connected(self) -> None:
        """To be called when a connection begins."""
        self.counts.connections += 1
        self.is_ready = False
        self._number = 0

    def forget(self) -> None:
        self.is_ready = False
        self.rows.clear()
        self._added.clear()
        self._changed.clear()
        self._removed.clear()
        self._sum = 0
        for items in self.opportunities.values():
            items.clear()
        for rows in self.tables.values():
            rows.clear()
        self.position = None

    def take(self, block: Block) -> Message:
        """Applies a Server-Sent Event.

        Raises: Unsound when a message is missing, cannot be parsed, or does not fit the held rows.
        """
        body = self._parsed(block.data or "")
        numbered = _NUMBER.match(block.id)
        return self._taken(Message(block.event, body), int(numbered.group(1)) if numbered else 0)

    def take_frame(self, text: str) -> Message:
        """Applies a WebSocket frame; returns it in the form of an event.

        Raises: Unsound.
        """
        frame = self._parsed(text)
        if not isinstance(frame, dict) or not isinstance(frame.get("type"), str):
            self.counts.malformed += 1
            raise Unsound(f"no frame: {text[:200]}")
        return self._taken(_as_event(frame), frame.get("seq"))

    @property
    def was_heard(self) -> bool:
        """Whether a message has come on this connection."""
        return self._number > 0

    @property
    def is_at_first_message(self) -> bool:
        """Whether no other message has come on this connection since its first."""
        return self._number == 1

    def _parsed(self, text: str) -> Any:
        self.counts.messages += 1
        try:
            return json.loads(text, parse_float=self.parse_float)
        except json.JSONDecodeError:
            self.counts.malformed += 1
            raise Unsound(f"no JSON: {text[:200]}") from None

    def _taken(self, message: Message, number: Any) -> Message:
        if number != self._number + 1:
            self.counts.gaps += 1
            raise Unsound(f"{message.name} has the number {number} after {self._number}")
        self._number = number
        if self.is_asked(message):
            self._apply(message.name, message.body)
        return message

    def is_asked(self, message: Message) -> bool:
        """Whether it is of the channels that were asked for. The whole stream of a tier has tables that were not."""
        channel = message.name.partition(":")[0]
        return channel not in TABLES or channel in self.asked_tables

    def checksum(self) -> str:
        """The checksum of all rows, in any order. Hashes only rows that have changed since the last call."""
        for id in self._changed:
            own = row_checksum(self.rows[id])
            self._added[id] = own
            self._sum += own
        self._changed.clear()
        return f"{self._sum % 2**32:08x}"

    def _apply(self, name: str, body: Any) -> None:
        prefix, _, happened = name.partition(":")
        family = FAMILIES.get(prefix)
        if family is not None and happened == "detected":
            for item in _list(body):
                self.opportunities[family][item["id"]] = item
        elif family is not None and happened == "expired":
            for id in body.get("expired", []):
                self.opportunities[family].pop(id, None)
        elif name == "connected":
            self._may_be_behind = body.get("resumed") is True
            if self._may_be_behind:
                self.counts.resumed += 1
            else:
                self.forget()
        elif name == "resync":
            self.counts.resyncs += 1
            self.forget()
        elif name == "snapshot":
            for family in self.opportunities:
                if family in body:
                    self._snapshot(family, body)
            for row in body.get("odds", []):
                self._merge(row)
        elif name == "snapshot:complete":
            self.is_ready = True
            self._verify(body)
        elif name == "heartbeat":
            self._verify(body)
        elif name == "odds:update":
            for row in _list(body):
                self._merge(row)
        elif name == "odds:removed":
            for id in body.get("ids", []):
                self._remove(id)
        elif prefix in TABLES:
            self._take_table(prefix, happened, body)

    def _take_table(self, channel: str, happened: str, body: Mapping[str, Any]) -> None:
        rows = self.tables[channel]
        if happened == "removed":
            for id in body.get("ids", []):
                rows.pop(id, None)
        if happened not in ("snapshot", "update"):
            return
        if happened == "snapshot" and body.get("offset", 0) == 0:
            rows.clear()
        listed, key = TABLES[channel]
        for row in body.get(listed, []):
            rows["|".join(row[name] for name in key)] = row

    def _snapshot(self, family: str, body: Mapping[str, Any]) -> None:
        # The first part of a snapshot replaces what was held.
        if body.get("chunk", 1) == 1 and body.get("offset", 0) == 0:
            self.opportunities[family].clear()
        for item in body[family]:
            self.opportunities[family][item["id"]] = item

    def _merge(self, row: Row) -> None:
        id = row["id"]
        before = self.rows.get(id)
        if "sportsbook" in row and "event_id" in row:
            self.rows[id] = row
        elif before is not None:
            # A new object, so that a row that the caller has kept does not change.
            after = self.rows[id] = {**before, **row}
            for name in ATTRIBUTES:
                # None says that an attribute no longer applies; a whole row leaves it out.
                if after.get(name, "") is None:
                    del after[name]
        elif id in self._removed:
            return
        else:
            self.counts.strays += 1
            raise Unsound(f"part of a row that is not held: {id}")
        self._sum -= self._added.pop(id, 0)
        self._changed[id] = None

    def _remove(self, id: str) -> None:
        self._removed[id] = None
        if self.rows.pop(id, None) is not None:
            self._sum -= self._added.pop(id, 0)
            self._changed.pop(id, None)

    def _verify(self, body: Mapping[str, Any]) -> None:
        if "rows" not in body or "checksum" not in body:
            return
        may_be_behind, self._may_be_behind = self._may_be_behind, False
        if body["rows"] != len(self.rows) or body["checksum"] != self.checksum():
            if may_be_behind:
                return
            self.counts.mismatches += 1
            raise Unsound(f"{len(self.rows)} rows instead of {body['rows']}")
        self.counts.proofs += 1
        self._removed.clear()
        self.position = body.get("position")


def _list(body: Any) -> List[Row]:
    """The rows of an event: the body itself or a field of it."""
    return body if isinstance(body, list) else body.get("odds") or body.get("data") or []


def _as_event(frame: Mapping[str, Any]) -> Message:
    """Turns a frame, with its rows in `data`, into the form of an event."""
    name, data = frame["type"], frame.get("data")
    body = {member: value for member, value in frame.items() if member not in ("type", "seq", "data")}
    if name == "initial":
        return Message("snapshot", {"odds": data, **body})
    if name == "opportunities_snapshot":
        return Message("snapshot", body)
    if name in ("odds:update", "odds:locked"):
        return Message(name, {"odds": data, **body})
    return Message(name, body if data is None else data)


def filters_of(filters: Mapping[str, str]) -> Mapping[str, str]:
    """The filters themselves.

    Raises: ValueError for a parameter that the client sets.
    """
    for name in OWN_PARAMETERS:
        if name in filters:
            raise ValueError(f"{name} is no filter; the client sets it")
    return filters


def _kinds(channels: Tuple[str, ...]) -> List[str]:
    kinds = [channel for channel in channels if channel != "odds" and channel not in TABLES]
    unknown = set(kinds) - set(FAMILIES.values())
    if unknown or not channels:
        known = ", ".join(["odds", *TABLES, *FAMILIES.values()])
        raise ValueError(f"channels are of {known}; not {', '.join(sorted(unknown)) or 'none'}")
    return kinds


def stream_parameters(channels: Tuple[str, ...], filters: Mapping[str, Any]) -> Dict[str, Any]:
    """Query parameters of a connection for Server-Sent Events, without the position."""
    kinds = _kinds(channels)
    others = {"odds", *TABLES} & set(channels)
    channel = channels[0] if len(channels) == 1 and others else "all" if others else "opportunities"
    parameters = {**filters, "channel": channel, "proof": True}
    # With prices and every family it is the whole stream of a tier, however much that has.
    is_whole = len(set(kinds)) == len(FAMILIES)
    if channel == "all" and not (is_whole and "odds" in channels):
        parameters["only"] = list(channels)
    elif kinds and not is_whole:
        parameters["kinds"] = kinds
    return parameters


def websocket_parameters(channels: Tuple[str, ...], filters: Mapping[str, Any]) -> Dict[str, Any]:
    """As `stream_parameters`, for a WebSocket."""
    _kinds(channels)
    return {**filters, "channels": channels, "proof": True}
