"""Against the service at OVERROUND_BASE; a request to OVERROUND_MOVE moves a price of its board."""

import asyncio
import gc
import os
from decimal import Decimal

import httpx
import pytest

from overround import AsyncClient, Client, OverroundError

BASE = os.environ.get("OVERROUND_BASE", "")
KEY = os.environ.get("OVERROUND_KEY", "")
pytestmark = pytest.mark.skipif(not BASE, reason="no service")
TRANSPORTS = ["sse", "websocket"]
#: A loop of asyncio wakes itself over a pair.
EVENT_LOOP_SOCKETS = 2


def open_sockets():
    gc.collect()
    links = [os.path.join("/proc/self/fd", name) for name in os.listdir("/proc/self/fd")]
    return sum("socket:" in os.readlink(link) for link in links if os.path.islink(link))


def move():
    """One price moves."""
    httpx.post(os.environ["OVERROUND_MOVE"]).raise_for_status()


def prices(rows):
    return {row["id"]: row["odds_decimal"] for row in rows}


def test_reads_what_the_service_answers():
    with Client(BASE, KEY) as client:
        answer = client.get("/odds", league=["nba"], live=False, limit=3)
        assert [row["league"] for row in answer.data] == ["nba"] * 3
        event = client.get("/events/{}", answer.data[0]["event_id"])
        assert event.data["id"] == answer.data[0]["event_id"]
        assert client.get("/odds", league=["nba"], live=False, limit=3) is answer
        walked = client.items("/odds", limit=7)
        assert prices(walked) == prices(client.get("/odds", limit=200).data)
        with pytest.raises(OverroundError) as raised:
            client.get("/events/{}", "a/../b?c=d#é")
        assert (raised.value.status, raised.value.code) == (404, "not_found")
    with Client(BASE, "no-key") as stranger, pytest.raises(OverroundError) as raised:
        stranger.get("/odds")
    assert raised.value.code == "invalid_api_key"


def test_numbers_are_read_as_asked():
    with Client(BASE, KEY, parse_float=Decimal) as client:
        row = client.get("/odds", limit=1, sort="odds_decimal").data[0]
        assert isinstance(row["odds_decimal"], (Decimal, int))


@pytest.mark.parametrize("engine", ["pandas", "polars"])
def test_data_frames(engine):
    pytest.importorskip(engine)
    with Client(BASE, KEY) as client:
        items = client.items("/odds")
        frame = items.to_df(engine)
        assert len(frame) == len(items)
        assert dict(zip(list(frame["id"]), list(frame["odds_decimal"]))) == prices(items)
        assert len(client.get("/odds", limit=5).to_df(engine)) == 5


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_stream_is_what_rest_answers_and_stays_it(transport):
    with Client(BASE, KEY) as client:
        stream = client.stream("odds", transport=transport, heartbeat_seconds=1)
        proofs = 0
        for message in stream:
            if message.name == "snapshot:complete":
                assert prices(stream.rows.values()) == prices(client.items("/odds"))
                move()
            if message.name == "odds:update":
                assert prices(stream.rows.values()) == prices(client.items("/odds"))
                proofs = stream.counts.proofs
            if proofs and stream.counts.proofs > proofs:
                break
        assert (stream.counts.gaps, stream.counts.mismatches, stream.counts.strays) == (0, 0, 0)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_same_with_asyncio(transport):
    async def follow():
        async with AsyncClient(BASE, KEY, parse_float=Decimal) as client:
            answer = await client.get("/odds", limit=3)
            assert len(answer.data) == 3
            stream = client.stream("odds", transport=transport, heartbeat_seconds=1)
            proofs = 0
            async for message in stream:
                if message.name == "snapshot:complete":
                    move()
                if message.name == "odds:update":
                    assert prices(stream.rows.values()) == prices(await client.items("/odds"))
                    proofs = stream.counts.proofs
                if proofs and stream.counts.proofs > proofs:
                    return stream.counts

    counts = asyncio.run(asyncio.wait_for(follow(), 60))
    assert (counts.gaps, counts.mismatches, counts.strays) == (0, 0, 0)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_stream_that_is_refused_says_why(transport):
    with Client(BASE, "no-key") as client, pytest.raises(OverroundError) as raised:
        for _ in client.stream("arbitrage", transport=transport):
            pass
    assert raised.value.code == "invalid_api_key"

    async def follow():
        async with AsyncClient(BASE, "no-key") as client:
            async for _ in client.stream("arbitrage", transport=transport):
                pass

    with pytest.raises(OverroundError) as raised:
        asyncio.run(follow())
    assert raised.value.code == "invalid_api_key"


def test_messages_are_alike_over_both():
    def first(transport, channels, wanted):
        with Client(BASE, KEY) as client:
            shapes = {}
            for message in client.stream(channels, transport=transport):
                body = message.body
                shapes.setdefault(message.name, sorted(body)[:1] if isinstance(body, list) else body)
                if message.name == "snapshot:complete" and wanted != message.name:
                    move()
                if message.name == wanted:
                    return shapes

    events, frames = (first(transport, "odds", "odds:update") for transport in TRANSPORTS)
    assert events["snapshot"]["odds"][0].keys() == frames["snapshot"]["odds"][0].keys()
    assert events["odds:update"]["odds"][0]["id"] == frames["odds:update"]["odds"][0]["id"]
    events, frames = (first(transport, "ev", "snapshot:complete") for transport in TRANSPORTS)
    assert events["snapshot"]["ev"] == frames["snapshot"]["ev"]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_task_that_is_cancelled_closes_its_connection(transport):
    async def follow():
        async with AsyncClient(BASE, KEY) as client:
            at_it = asyncio.Event()
            stream = client.stream("odds", transport=transport)

            async def read():
                async for message in stream:
                    if message.name == "snapshot:complete":
                        at_it.set()

            for _ in range(3):
                task = asyncio.create_task(read())
                await at_it.wait()
                at_it.clear()
                assert open_sockets() > before
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                # A socket is gone a turn of the loop behind its transport.
                await asyncio.sleep(0)
            await asyncio.sleep(0)
            return open_sockets()

    before = open_sockets()
    assert asyncio.run(asyncio.wait_for(follow(), 60)) == before + EVENT_LOOP_SOCKETS


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_loop_that_is_left_closes_its_connection(transport):
    problems = []

    async def follow():
        asyncio.get_running_loop().set_exception_handler(lambda _, what: problems.append(what))
        async with AsyncClient(BASE, KEY) as client:
            for _ in range(3):
                async for message in client.stream("odds", transport=transport):
                    if message.name == "snapshot:complete":
                        break

    before = open_sockets()
    asyncio.run(asyncio.wait_for(follow(), 60))
    assert (problems, open_sockets()) == ([], before)
