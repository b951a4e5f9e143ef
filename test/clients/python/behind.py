"""Follows the board with a client's stream. Arguments: base, key, `sync` or `async`, the transport, seconds of a
heartbeat and of silence. Prints a line whenever the board is whole or has changed, and one at the end.
"""

import asyncio
import json
import sys

from overround import AsyncClient, Client, OverroundError

base, key, kind, transport, heartbeat, silence = sys.argv[1:]
asked = {
    "transport": transport,
    "heartbeat_seconds": int(heartbeat),
    "silence_seconds": float(silence),
}


def say(stream, error=None):
    prices = {id: row["odds_decimal"] for id, row in stream.rows.items()} if stream.is_ready else None
    print(
        json.dumps(
            {
                "prices": prices,
                "transport": stream.transport,
                "fault": stream.last_fault,
                "counts": vars(stream.counts),
                "error": None if error is None else [error.code, error.message],
            }
        ),
        flush=True,
    )


async def follow():
    async with AsyncClient(base, key) as client:
        stream = client.stream("odds", **asked)
        try:
            async for _ in stream:
                say(stream)
        except OverroundError as error:
            say(stream, error)


if kind == "async":
    asyncio.run(follow())
else:
    with Client(base, key) as client:
        stream = client.stream("odds", **asked)
        try:
            for _ in stream:
                say(stream)
        except OverroundError as error:
            say(stream, error)
