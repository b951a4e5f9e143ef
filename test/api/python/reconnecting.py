"""A client of a stream as its library's manual has it: it connects again when the connection is lost,
and ends when it is answered that it is refused. Arguments: the library, and the address.

Prints a line for each message once a price of 500 or more has come and the board is whole: that price,
how many rows there are, and a digest of them.
"""

import asyncio
import hashlib
import json
import sys
import time


class Board:
    def __init__(self):
        self.prices = {}
        self.is_whole = False
        self.mark = 0

    def take(self, name, body):
        if name == "connected":
            self.prices = {}
            self.is_whole = False
        elif name == "snapshot:complete":
            self.is_whole = True
        for row in body.get("odds") or body.get("data") or []:
            if "odds_decimal" in row:
                self.prices[row["id"]] = row["odds_decimal"]
                if row["odds_decimal"] >= 500:
                    self.mark = row["odds_decimal"]
        if name == "odds:removed":
            for id in body["ids"]:
                self.prices.pop(id, None)
        if self.is_whole and self.mark > 0:
            self.say()

    def say(self):
        rows = "\n".join(f"{id} {price}" for id, price in sorted(self.prices.items()))
        digest = hashlib.sha256(rows.encode()).hexdigest()
        print(json.dumps([self.mark, len(self.prices), digest]), flush=True)


def with_httpx_sse(url, board):
    import httpx
    from httpx_sse import connect_sse

    with httpx.Client(timeout=httpx.Timeout(10, read=90)) as client:
        while True:
            try:
                with connect_sse(client, "GET", url) as source:
                    source.response.raise_for_status()
                    for event in source.iter_sse():
                        board.take(event.event, json.loads(event.data))
            except httpx.TransportError:
                pass
            time.sleep(0.3)


def with_sseclient(url, board):
    import requests
    from sseclient import SSEClient

    while True:
        try:
            for event in SSEClient(url, chunk_size=65536):
                if event.data:
                    board.take(event.event, json.loads(event.data))
        except requests.HTTPError:
            raise
        except requests.RequestException:
            time.sleep(0.3)


async def with_websockets(url, board):
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed

    async for socket in connect(url, max_size=2**20):
        try:
            async for text in socket:
                frame = json.loads(text)
                if frame["type"] == "error" and frame["code"] != "service_stopping":
                    raise SystemExit(f"refused: {frame}")
                board.take(frame["type"], frame)
        except ConnectionClosed:
            continue


def ours(url, transport):
    """The address of the service, the key, and what a stream is asked for."""
    from urllib.parse import parse_qsl

    base, _, query = url.partition("/stream/odds?")
    return base, dict(parse_qsl(query))["api_key"], {"transport": transport}


def take_ours(stream, board):
    counts = stream.counts
    assert (counts.gaps, counts.malformed, counts.mismatches, counts.strays) == (0, 0, 0, 0)
    if not stream.is_ready:
        return
    board.prices = {id: row["odds_decimal"] for id, row in stream.rows.items()}
    board.mark = max([price for price in board.prices.values() if price >= 500], default=0)
    if board.mark > 0:
        board.say()


def with_ours(url, board, transport):
    from overround import Client

    base, key, asked = ours(url, transport)
    stream = Client(base, key).stream("odds", **asked)
    for _ in stream:
        take_ours(stream, board)


async def with_ours_async(url, board, transport):
    from overround import AsyncClient

    base, key, asked = ours(url, transport)
    stream = AsyncClient(base, key).stream("odds", **asked)
    async for _ in stream:
        take_ours(stream, board)


library, address = sys.argv[1:]
if library == "websockets":
    asyncio.run(with_websockets(address, Board()))
elif library.startswith("overround, asyncio"):
    asyncio.run(with_ours_async(address, Board(), library.split()[-1]))
elif library.startswith("overround"):
    with_ours(address, Board(), library.split()[-1])
else:
    {"httpx-sse": with_httpx_sse, "sseclient": with_sseclient}[library](address, Board())
