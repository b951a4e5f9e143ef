"""What needs no service."""

import asyncio
import json
import math
import zlib
from datetime import timedelta
from decimal import Decimal

import httpx
import pytest

from overround import Answer, AsyncClient, Client, Items, OverroundError
from overround import _websocket
from overround._generated import ATTRIBUTES, COLUMNS
from overround._state import EventParser, State, Unsound, stream_parameters


def row(id, **more):
    return {
        "id": id,
        "sportsbook": "draftkings",
        "event_id": "e",
        "odds_decimal": 1.893,
        "odds_american": -112,
        "line": -4.5,
        "is_live": False,
        "is_active": True,
        **more,
    }


def blocks(*events):
    """Blocks of a connection, numbered from 1."""
    text = "".join(
        f"event: {name}\nid: evt_{number:05}\ndata: {json.dumps(body, ensure_ascii=False)}\n\n"
        for number, (name, body) in enumerate(events, 1)
    )
    return list(EventParser().feed(text.encode()))


def test_text_of_events_means_the_same_wherever_it_is_cut():
    text = (
        'retry: 3000\n\nevent: a\nid: evt_00001\ndata: {"name":"Bodø\u2028Glimt"}\n\n: keepalive\n\n'
        "data: one\r\ndata: two\r\n\r\ndata:unspaced\n\ndata: unfinished\n"
    ).encode()
    wanted = [
        ("", None, 3000),
        ("a", '{"name":"Bodø\u2028Glimt"}', None),
        ("", "one\ntwo", None),
        ("", "unspaced", None),
    ]
    for cut in range(len(text) + 1):
        parser = EventParser()
        found = [*parser.feed(text[:cut]), *parser.feed(text[cut:])]
        assert [(block.event, block.data, block.retry_ms) for block in found] == wanted


@pytest.mark.parametrize("parse_float", [float, Decimal])
def test_checksum_is_the_sum_over_rows_whatever_way_they_came(parse_float):
    state = State(parse_float=parse_float)
    texts = ["1 1.893 -112 -4.5 false true", "2 2 100 null true false"]
    proof = {"rows": 2, "checksum": f"{sum(zlib.crc32(text.encode()) for text in texts) % 2**32:08x}"}
    second = row("2", odds_decimal=2, odds_american=100, line=None, is_live=True)
    for block in blocks(
        ("connected", {}),
        ("snapshot", {"odds": [row("3"), row("1", is_active=False), second]}),
        ("odds:update", [{"id": "1", "is_active": True}, {"id": "2", "is_active": False}]),
        ("odds:removed", {"ids": ["3", "3"]}),
        ("snapshot:complete", {**proof, "position": "v2:x"}),
    ):
        state.take(block)
    assert (state.counts.proofs, state.position, sorted(state.rows)) == (1, "v2:x", ["1", "2"])


@pytest.mark.parametrize(
    "events, counted",
    [
        ([("odds:update", [{"id": "1", "odds_decimal": 2}])], "strays"),
        ([("heartbeat", {"rows": 1, "checksum": "00000000"})], "mismatches"),
    ],
)
def test_what_cannot_be_right_is_told(events, counted):
    state = State()
    with pytest.raises(Unsound):
        for block in blocks(("connected", {}), *events):
            state.take(block)
    assert getattr(state.counts, counted) == 1


def test_a_part_of_a_row_removed_since_the_last_proof_is_left_out():
    state = State()
    part = ("odds:update", [{"id": "1", "odds_decimal": 2}])
    proof = ("heartbeat", {"rows": 0, "checksum": "00000000"})
    removed = ("odds:removed", {"ids": ["1"]})
    *before, after = blocks(("connected", {}), ("snapshot", {"odds": [row("1")]}), removed, part, proof, part)
    for block in before:
        state.take(block)
    assert (state.rows, state.counts.strays, state.counts.proofs) == ({}, 0, 1)
    with pytest.raises(Unsound):
        state.take(after)


def test_the_first_proof_after_a_resume_may_be_that_of_a_process_that_is_behind():
    state = State()
    resumed = ("connected", {"resumed": True})
    differs, fits = (("heartbeat", {"rows": rows, "checksum": "00000000", "position": f"v3:{rows}"}) for rows in (1, 0))
    *before, after = blocks(resumed, differs, fits, differs)
    for block in before[:2]:
        state.take(block)
    assert (state.counts.mismatches, state.position) == (0, None)
    state.take(before[2])
    assert (state.counts.proofs, state.position) == (1, "v3:0")
    with pytest.raises(Unsound):
        state.take(after)


def test_a_missing_message_and_one_that_is_no_json():
    for broken, counted in ((lambda all: all[1:], "gaps"), (lambda all: all[:1] + [bad(all[1])], "malformed")):
        state = State()
        with pytest.raises(Unsound):
            for block in broken(blocks(("connected", {}), ("heartbeat", {}))):
                state.take(block)
        assert getattr(state.counts, counted) == 1


def bad(block):
    block.data = "{"
    return block


def test_channels_are_asked_for_by_name():
    assert stream_parameters(("odds",), {})["channel"] == "odds"
    assert stream_parameters(("arbitrage",), {})["kinds"] == ["arbitrage"]
    assert stream_parameters(("odds", "ev"), {})["channel"] == "all"
    assert stream_parameters(("odds", "gamestate"), {})["only"] == ["odds", "gamestate"]
    families = ("ev", "arbitrage", "middles", "low_hold")
    for whole in (("odds", *families), ("odds", "gamestate", *families)):
        assert stream_parameters(whole, {}) == {"channel": "all", "proof": True}
    assert stream_parameters(families, {}) == {"channel": "opportunities", "proof": True}
    games = ("gamestate", *families)
    assert stream_parameters(games, {}) == {"channel": "all", "only": list(games), "proof": True}
    with pytest.raises(ValueError, match="arb"):
        stream_parameters(("arb",), {})


@pytest.mark.parametrize("asked", [False, True])
def test_games_in_play_come_only_where_they_are_asked_for(asked):
    channels = ["odds", "ev", "arbitrage", "middles", "low_hold", *(["gamestate"] if asked else [])]
    stream = Client("http://x/api/v1", "k").stream(channels)
    stream._parameters()
    sent = [
        ("connected", {}),
        ("gamestate:snapshot", {"events": [{"event_id": "e"}], "offset": 0}),
        ("snapshot:complete", {}),
    ]
    lines = [f"event: {name}\nid: evt_{at:05}\ndata: {json.dumps(body)}\n\n" for at, (name, body) in enumerate(sent, 1)]
    taken = [message.name for message in stream._take(EventParser(), "".join(lines).encode())]
    assert taken == [name for name, _ in sent if asked or not name.startswith("gamestate")]
    assert list(stream.games) == (["e"] if asked else [])


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_an_attribute_that_is_null_leaves_its_row_as_in_rest(name):
    state = State()
    for block in blocks(
        ("connected", {}),
        ("snapshot", {"odds": [row("1", player_name=None, **{name: 1})]}),
        ("odds:update", [{"id": "1", "line": None, name: None}]),
    ):
        state.take(block)
    assert state.rows["1"] == row("1", player_name=None, line=None)


def test_rows_are_not_ready_from_a_resync_to_the_end_of_its_snapshot():
    stream, take = begun(ready=True)
    assert stream.is_ready
    take("resync", reason="replaced")
    assert not stream.is_ready
    take("snapshot", odds=[row("1")])
    assert not stream.is_ready
    take("snapshot:complete")
    assert stream.is_ready


@pytest.mark.parametrize("transport", ["sse", "websocket"])
@pytest.mark.parametrize(
    "query, problem",
    [
        ({"league": []}, "league is an empty list"),
        ({"league": ()}, "league is an empty list"),
        ({"league": [""]}, "league is an empty list"),
        ({"league": "nba", "q": ""}, "q is an empty text"),
    ],
)
def test_an_empty_list_or_text_is_refused_before_anything_is_requested(query, problem, transport):
    client = answering(lambda _: pytest.fail("requested"))
    asked = answering(lambda _: pytest.fail("requested"), AsyncClient)

    async def listed():
        return [row async for row in asked.iterate("/odds", **query)]

    reads = [
        lambda: client.get("/odds", **query),
        lambda: client.items("/odds", **query),
        lambda: client.stream("odds", transport=transport, **query),
        lambda: asyncio.run(asked.get("/odds", **query)),
        lambda: asyncio.run(listed()),
        lambda: asked.stream("odds", transport=transport, **query),
    ]
    for read in reads:
        with pytest.raises(ValueError, match=f"^{problem}; leave it out for all$"):
            read()


def test_names_that_can_be_read_once_hold_on_every_page():
    requested = []

    def answer(request):
        requested.append(request.url.params.get("league"))
        pagination = {"has_more": len(requested) < 2, "next_cursor": "a"}
        return httpx.Response(200, json={"data": [1], "pagination": pagination})

    leagues = (league for league in ("nba", "nfl"))
    assert answering(answer).items("/odds", league=leagues) == [1, 1]
    assert requested == ["nba,nfl", "nba,nfl"]


def limited(retry_after="0"):
    body = {"error": {"code": "rate_limited", "message": "m"}, "code": "rate_limited"}
    return httpx.Response(429, json=body, headers={"Retry-After": retry_after})


def refused():
    raise httpx.ConnectError("refused")


def garbled():
    return httpx.Response(200, content=b"no gzip", headers={"Content-Encoding": "gzip"})


def page(status):
    return lambda: httpx.Response(status, text="<html>A page</html>")


SCRIPTS = [
    ([limited, limited, lambda: httpx.Response(200, json={"data": [1]})], 3, None),
    ([limited, limited, limited], 3, "rate_limited"),
    ([lambda: limited("3600")], 1, "rate_limited"),
    ([page(502), page(504), page(503)], 3, "no_json"),
    ([page(408), page(425), lambda: httpx.Response(200, json={"data": [1]})], 3, None),
    ([page(520), page(522), page(530)], 3, "no_json"),
    ([page(403)], 1, "no_json"),
    ([page(501)], 1, "no_json"),
    ([refused, refused, refused], 3, "connection_lost"),
    ([garbled, lambda: httpx.Response(200, json={"data": [1]})], 2, None),
    ([lambda: httpx.Response(200, text="<html>Sign in</html>")], 1, "no_json"),
]


@pytest.mark.parametrize("answers, calls, code", SCRIPTS)
@pytest.mark.parametrize("kind", ["sync", "async"])
def test_reads_are_tried_again_where_that_may_help(kind, answers, calls, code):
    left = list(answers)

    def answer(request):
        assert request.headers["x-api-key"] == "k"
        return left.pop(0)()

    transport = httpx.MockTransport(answer)
    if kind == "sync":
        client = Client("http://x/api/v1", "k")
        client._http = httpx.Client(transport=transport, **client._settings())
        read = lambda: client.get("/sports")
    else:
        asynchronous = AsyncClient("http://x/api/v1", "k")
        asynchronous._http = httpx.AsyncClient(transport=transport, **asynchronous._settings())
        read = lambda: asyncio.run(asynchronous.get("/sports"))
    if code is None:
        assert read()["data"] == [1]
    else:
        with pytest.raises(OverroundError) as raised:
            read()
        assert raised.value.code == code
    assert len(answers) - len(left) == calls


def test_a_stream_that_is_never_right_begins_anew_ever_less_often(monkeypatch):
    connections = []
    pauses = []

    def answer(request):
        connections.append(request)
        wrong = {"rows": 1, "checksum": "00000000"}
        blocks = [("connected", {}), ("snapshot:complete", wrong)]
        lines = [f"event: {name}\nid: evt_{at:05}\ndata: {json.dumps(body)}\n\n" for at, (name, body) in enumerate(blocks, 1)]
        return httpx.Response(200, text="".join(lines))

    class Enough(Exception):
        pass

    def sleep(seconds):
        pauses.append(seconds)
        if len(pauses) == 5:
            raise Enough

    monkeypatch.setattr("overround._stream.time.sleep", sleep)
    client = Client("http://x/api/v1", "k")
    client._http = httpx.Client(transport=httpx.MockTransport(answer), **client._settings())
    with pytest.raises(Enough):
        for _ in client.stream("odds"):
            pass
    assert len(connections) == 5
    assert pauses[0] == 0
    assert all(later > earlier for earlier, later in zip(pauses[1:], pauses[2:]))


def test_silences_before_the_comments_of_a_service_that_starts_do_not_count_any_more():
    stream = Client("http://x/api/v1", "k").stream("odds")
    stream._silent(answers=True)
    stream._parameters()
    assert list(stream._take(EventParser(), b":\n")) == []
    assert stream._held_back == 0
    stream._silent(answers=True)
    parser = EventParser()
    list(stream._take(parser, b"event: connected\nid: evt_00001\ndata: {}\n\n"))
    list(stream._take(parser, b":\n"))
    assert stream._held_back == 1


def test_what_parse_float_raises_reaches_the_caller():
    def refuse(text):
        raise ValueError(f"too fine: {text}")

    text = f"event: connected\nid: evt_00001\ndata: {json.dumps({'price': 1.5})}\n\n"
    for answer, read in (
        (httpx.Response(200, text=text), lambda client: list(client.stream("odds"))),
        (httpx.Response(200, json={"data": 1.5}), lambda client: client.get("/sports")),
    ):
        with pytest.raises(ValueError, match="too fine: 1.5"):
            read(answering(lambda _: answer, parse_float=refuse))


def test_an_answer_that_was_forgotten_meanwhile_is_still_given():
    client = Client("http://x/api/v1", "k")

    def answer(request):
        if "if-none-match" in request.headers:
            client._remembered._kept.clear()
            return httpx.Response(304)
        return httpx.Response(200, json={"data": [1]}, headers={"ETag": '"1"'})

    client._http = httpx.Client(transport=httpx.MockTransport(answer), **client._settings())
    assert client.get("/sports") is client.get("/sports")


SENT = {"id": "1", "line": None, "odds_decimal": 2, "is_live": True, "player_name": None, "timestamp": "2026-11-24T10:00:00.120Z", "odds_changed_at": None}
OTHER = {"id": "2", "line": -4.5, "odds_decimal": 1.893, "is_live": False, "player_name": "A", "timestamp": "2026-11-24T10:00:00Z", "odds_changed_at": "2026-11-24T10:00:00.120Z", "max_bet": 100}


@pytest.mark.parametrize("engine", ["pandas", "polars"])
def test_types_of_columns_do_not_depend_on_the_rows(engine):
    pytest.importorskip(engine)
    few, all = (Items(rows).to_df(engine) for rows in ([SENT], [SENT, OTHER]))
    known = {"line": "float64", "odds_decimal": "float64", "timestamp": "utc", "odds_changed_at": "utc"}
    for frame in (few, all):
        types = dict(zip(frame.columns, [str(one).lower().replace(" ", "") for one in frame.dtypes]))
        for name, wanted in known.items():
            assert wanted in types[name], (name, types)
        assert len(frame) in (1, 2)
    instants = [str(frame[name].dtype) for frame in (few, all) for name in ("timestamp", "odds_changed_at")]
    assert len(set(instants)) == 1, instants
    instant = all["timestamp"][0]
    assert (instant.utcoffset(), instant.microsecond) == (timedelta(0), 120000)
    if engine == "pandas":
        assert math.isnan(all["line"][0]) and math.isnan(all["max_bet"][0])
        assert all["player_name"].isna().tolist() == [True, False]
    else:
        assert (all["line"][0], all["max_bet"][0], all["player_name"][0]) == (None, None, None)
        assert all.vstack(few.with_columns(max_bet=None).cast(all.schema)).height == 3
        assert few.schema["player_name"] == all.schema["player_name"]


@pytest.mark.parametrize("engine", ["pandas", "polars"])
def test_every_number_of_a_path_is_a_float_whatever_its_rows_have(engine):
    pytest.importorskip(engine)
    for path, columns in COLUMNS.items():
        numbers = [name for name, kind in columns.items() if kind == "number" and not is_instant(name)]
        for value in (2, None, 2.5):
            row = {"id": "1", **{name: value for name in numbers}}
            page = httpx.Response(200, json={"data": [row], "pagination": {"has_more": False}})
            query = {"group_by": "event"} if path.endswith("?group_by=event") else {}
            parts = ["x"] * path.count("{}")
            frame = answering(lambda _: page).items(path.split("?")[0], *parts, **query).to_df(engine)
            types = {str(frame[name].dtype).lower() for name in numbers}
            assert types <= {"float64"}, (path, value, types)


@pytest.mark.parametrize("number", [float, Decimal])
@pytest.mark.parametrize("engine", ["pandas", "polars"])
def test_a_nested_price_may_be_whole(engine, number):
    pytest.importorskip(engine)
    legs = [{"odds_decimal": 2, "odds_american": 100, "stake": 51}, {"odds_decimal": number("2.1"), "odds_american": 110, "stake": number("49.5")}]
    rows = [{"id": "1", "profit": 1, "legs": legs}, {"id": "2", "profit": number("0.5"), "legs": legs[:1]}, {"id": "3", "profit": 2, "legs": []}]
    frame = Items(rows).to_df(engine)
    assert frame.shape == (3, 3)
    assert [float(leg["stake"]) for leg in frame["legs"][0]] == [51, 49.5]
    assert [leg["odds_american"] for leg in frame["legs"][0]] == [100, 110]


@pytest.mark.parametrize("engine", ["pandas", "polars"])
def test_no_rows_have_the_columns_of_their_path(engine):
    pytest.importorskip(engine)
    pagination = {"has_more": False, "next_cursor": None, "next_offset": None}
    client = answering(lambda _: httpx.Response(200, json={"data": [], "pagination": pagination}))
    prices = client.items("/odds", league="wnba").to_df(engine)
    assert len(prices[prices["odds_decimal"] > 2] if engine == "pandas" else prices.filter(prices["odds_decimal"] > 2)) == 0
    types = {name: str(kind).lower().replace(" ", "") for name, kind in zip(prices.columns, prices.dtypes)}
    assert types["line"] == "float64" and "utc" in types["odds_changed_at"] and types["is_live"].startswith("bool")
    assert list(client.items("/odds", fields=["id", "line"]).to_df(engine).columns) == ["id", "line"]
    assert "odds" in client.items("/odds", group_by="event").to_df(engine).columns
    assert "profit_percent" in client.get("/opportunities/arbitrage").to_df(engine).columns
    assert "moves" in client.items("/events/{}/history", "nba_x").to_df(engine).columns
    assert len(client.items("/nowhere").to_df(engine).columns) == 0


@pytest.mark.parametrize("engine", ["pandas", "polars"])
def test_columns_of_a_path_have_the_type_of_their_kind_whatever_the_rows_have(engine):
    pytest.importorskip(engine)
    values = {"whole": [3, 2**53 + 1], "truth": [True, False], "number": [2, 2.5], "text": ["a", "b"]}
    for path, columns in COLUMNS.items():
        names = [name for name, kind in columns.items() if kind in values and not is_instant(name)]
        query = {"group_by": "event"} if path.endswith("?group_by=event") else {}
        sent = {name: values[columns[name]] for name in names}
        rows = [{name: sent[name][at] for name in names} for at in (0, 1)]
        nothing = {name: None for name in names}
        types = set()
        for data in ([], rows, [nothing], [rows[1], nothing], [nothing, rows[0]]):
            page = httpx.Response(200, json={"data": data, "pagination": {"has_more": False}})
            parts = ["x"] * path.count("{}")
            frame = answering(lambda _: page).items(path.split("?")[0], *parts, **query).to_df(engine)
            types.add(tuple((name, str(frame[name].dtype)) for name in names))
            for name in names:
                shown = [value for value in frame[name].to_list() if str(value) not in ("None", "nan", "<NA>")]
                assert shown == [row[name] for row in data if row[name] is not None], (path, name)
        assert len(types) == 1, (path, types)


def is_instant(name):
    return name == "timestamp" or name.endswith(("_at", "_time"))


@pytest.mark.parametrize("engine", ["pandas", "polars"])
@pytest.mark.parametrize("number", [float, Decimal])
@pytest.mark.parametrize("seconds", ["1795000000", "1799960104.123", "null"])
def test_an_instant_in_seconds_is_a_datetime(engine, number, seconds):
    pytest.importorskip(engine)
    page = {"data": [{"timestamp": None if seconds == "null" else json.loads(seconds, parse_float=number)}]}
    page["pagination"] = {"has_more": False}
    text = lambda: json.dumps(page, default=float)
    client = answering(lambda _: httpx.Response(200, text=text()), parse_float=number)
    frames = [client.items("/splits/history", event="e").to_df(engine), Items(page["data"]).to_df(engine)]
    page["data"] = []
    frames.append(client.items("/splits/history", event="e").to_df(engine))
    assert len({str(frame["timestamp"].dtype) for frame in frames}) == 1
    assert "utc" in str(frames[0]["timestamp"].dtype).lower()
    if seconds != "null":
        assert [frame["timestamp"][0].timestamp() for frame in frames[:2]] == [float(seconds)] * 2


@pytest.mark.parametrize("engine", ["pandas", "polars"])
def test_decimals_stay_and_no_rows_are_a_frame(engine):
    pytest.importorskip(engine)
    frame = Items([{**OTHER, "odds_decimal": Decimal("1.893")}]).to_df(engine)
    assert frame["odds_decimal"][0] == Decimal("1.893")
    assert len(Items([]).to_df(engine)) == 0


def answering(answer, kind=Client, **options):
    client = kind("http://x/api/v1", "k", **options)
    transport = httpx.MockTransport(answer)
    client._http = (httpx.Client if kind is Client else httpx.AsyncClient)(transport=transport, **client._settings())
    return client


def test_pages_are_walked_to_the_end_by_the_cursors_they_give():
    pages = {"": ([1, 2], "a"), "a": ([], "b"), "b": ([3], None)}
    requested = []

    def answer(request):
        requested.append(dict(request.url.params))
        items, cursor = pages[request.url.params.get("cursor", "")]
        pagination = {"has_more": cursor is not None, "next_cursor": cursor, "next_offset": 2}
        return httpx.Response(200, json={"data": items, "pagination": pagination})

    assert list(answering(answer).iterate("/odds", limit=2, offset=0, live=None)) == [1, 2, 3]
    assert requested == [{"limit": "2", "offset": "0"}, {"limit": "2", "cursor": "a"}, {"limit": "2", "cursor": "b"}]


def test_a_list_without_pages_is_its_items():
    snapshots = [{"event_id": "e", "taken_at": "2026-11-20T12:00:00.000Z"}]
    meta = {"event_id": "e", "count": 1, "total": 1}

    def answer(request):
        return httpx.Response(200, json={"success": True, "data": snapshots, "meta": meta})

    assert answering(answer).items("/splits/history", event_id="e") == snapshots
    assert asyncio.run(answering(answer, AsyncClient).items("/splits/history", event_id="e")) == snapshots
    meta["total"] = 2
    with pytest.raises(OverroundError, match="narrow the filters"):
        answering(answer).items("/splits/history", event_id="e")


@pytest.mark.parametrize(
    "page, cut",
    [
        ({"limit": 1, "count": 1}, True),
        ({"limit": 1, "count": 2}, True),
        ({"limit": 3, "count": 3}, False),
        ({"limit": 1, "offset": 2, "count": 1}, False),
        ({"limit": 1, "count": 1, "next_cursor": None}, False),
        ({"limit": 3, "count": 2}, False),
    ],
)
def test_a_full_page_that_no_other_follows_may_be_a_part_of_a_history(page, cut):
    pagination = {"offset": 0, "total": 3, "has_more": False, "next_offset": None, **page}
    client = answering(lambda _: httpx.Response(200, json={"data": [1], "pagination": pagination}))
    if not cut:
        assert client.items("/splits/history", event_id="e") == [1]
        return
    with pytest.raises(OverroundError, match="narrow the filters") as raised:
        client.items("/splits/history", event_id="e")
    assert raised.value.code == "too_many_to_page"


def test_what_is_no_list_has_no_items():
    body = {"success": True, "data": {"total": {}, "bets": []}, "meta": {"pagination": {"has_more": False}}}
    client = answering(lambda _: httpx.Response(200, json=body))
    with pytest.raises(TypeError, match="no list"):
        client.items("/account/bets/clv")


@pytest.mark.parametrize("unreachable", [{"next_offset": None}, {"next_cursor": None, "next_offset": None}, {}])
@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_list_with_more_than_its_pages_reach_ends_with_an_error(kind, unreachable):
    requested = []

    def answer(request):
        requested.append(dict(request.url.params))
        further = {"next_offset": 2} if len(requested) == 1 else unreachable
        return httpx.Response(200, json={"data": [1, 2], "pagination": {"has_more": len(requested) < 9, **further}})

    taken = []

    async def take(client):
        async for item in client.iterate("/opportunities"):
            taken.append(item)

    client = answering(answer, kind)
    with pytest.raises(OverroundError, match="narrow the filters") as raised:
        if kind is AsyncClient:
            asyncio.run(take(client))
        for item in client.iterate("/opportunities"):
            taken.append(item)
    assert (raised.value.code, raised.value.status, taken) == ("too_many_to_page", 200, [1, 2, 1, 2])
    assert requested == [{}, {"offset": "2"}]


def test_a_redirect_ends_a_stream_and_is_not_followed():
    requested = []

    def answer(request):
        requested.append(str(request.url))
        return httpx.Response(302, headers={"Location": "http://elsewhere/"})

    stream = answering(answer).stream("odds")
    with pytest.raises(OverroundError, match="redirected to http://elsewhere/:") as raised:
        list(stream)
    assert (raised.value.status, raised.value.code, len(requested)) == (302, "redirected", 1)
    assert stream.last_fault == str(raised.value)
    with pytest.raises(OverroundError, match="redirected to http://elsewhere/:"):
        answering(answer).get("/sports")


def test_a_stream_says_why_its_last_connection_ended(monkeypatch):
    class Enough(Exception):
        pass

    def sleep(_):
        raise Enough

    monkeypatch.setattr("overround._stream.time.sleep", sleep)
    error = {"code": "service_stopping", "message": "Back soon.", "retry_ms": 10}
    text = f"event: error\nid: evt_00001\ndata: {json.dumps(error)}\n\n"
    for answer, fault in (
        (refused, "connection_lost: refused"),
        (lambda: httpx.Response(200, text=""), "the connection was lost"),
        (lambda: httpx.Response(200, text=text), "service_stopping: Back soon."),
    ):
        stream = answering(lambda _: answer()).stream("odds")
        with pytest.raises(Enough):
            list(stream)
        assert stream.last_fault == fault


def begun(transport="sse", ready=False, connected=True):
    """A stream with a connection that has begun, and what takes its messages."""
    stream = Client("http://x/api/v1", "k").stream("odds", transport=transport)
    stream._parameters()
    parser, numbers = EventParser(), iter(range(1, 99))

    def take(name, **body):
        if transport == "websocket":
            return stream._take_frame(json.dumps({"type": name, "seq": next(numbers), **body}))
        text = f"event: {name}\nid: evt_{next(numbers):05}\ndata: {json.dumps(body)}\n\n"
        return list(stream._take(parser, text.encode()))

    if connected:
        take("connected")
    if ready:
        take("snapshot:complete")
    return stream, take


@pytest.mark.parametrize("transport", ["sse", "websocket"])
@pytest.mark.parametrize(
    "code, status",
    [("validation_error", 400), ("missing_channels", 400), ("invalid_filter", 400), ("tier_restricted", 403)],
)
def test_an_error_instead_of_a_snapshot_is_final(transport, code, status):
    stream, take = begun(transport)
    with pytest.raises(OverroundError, match="No.") as raised:
        take("error", code=code, message="No.")
    assert (raised.value.status, raised.value.code) == (status, code)
    with pytest.raises(OverroundError, match="No."):
        stream._ended(raised.value)
    _, take = begun(transport, ready=True)
    take("error", code=code, message="No.")


@pytest.mark.parametrize("transport", ["sse", "websocket"])
def test_an_error_before_connected_leaves_the_status_to_the_end_of_the_connection(transport):
    stream, take = begun(transport, connected=False)
    take("error", code="tier_restricted", message="No streams.")
    assert stream.last_fault == "tier_restricted: No streams."


@pytest.mark.parametrize("transport", ["sse", "websocket"])
@pytest.mark.parametrize("code", ["upstream_error", "work_limited"])
def test_other_errors_are_not(transport, code):
    stream, take = begun(transport)
    take("error", code=code, message="Wait.")
    assert stream.last_fault == f"{code}: Wait."


@pytest.mark.parametrize("transport", ["sse", "websocket"])
def test_a_stream_whose_place_another_has_taken_does_not_come_back(transport):
    stream, take = begun(transport, ready=True)
    with pytest.raises(OverroundError) as raised:
        take("error", code="displaced", message="Another took it.")
    assert (raised.value.status, raised.value.code) == (4001, "displaced")
    with pytest.raises(OverroundError):
        stream._ended(raised.value)


def test_too_many_streams_may_be_the_connection_that_was_lost():
    full = OverroundError("Close one.", status=4029, code="too_many_streams", retry_after=10)
    for ready in (False, True):
        stream, _ = begun("websocket", ready)
        stream._lost(None)
        stream._parameters()
        if not ready:
            with pytest.raises(OverroundError, match="Close one."):
                stream._ended(full)
            continue
        for _ in range(9):
            assert 10 <= stream._ended(full) <= 20


@pytest.mark.parametrize("transport", ["sse", "websocket"])
@pytest.mark.parametrize("name", ["channel", "fields", "kinds", "only", "proof", "resume_from", "type"])
def test_parameters_that_the_client_sets_are_no_filters(transport, name):
    for kind in (Client, AsyncClient):
        with pytest.raises(ValueError, match=f"^{name} is no filter"):
            kind("http://x/api/v1", "k").stream("odds", transport=transport, **{name: ["id"]})


@pytest.mark.parametrize(
    "last, reason, code, message",
    [
        ({"type": "error", "code": "expired_api_key", "message": "It has expired."}, "x", "expired_api_key", "It has expired."),
        ({"type": "heartbeat"}, "displaced", "displaced", "displaced"),
        ({"type": "heartbeat"}, "Too idle.", "closed", "Too idle."),
        ({"type": "heartbeat"}, "", "closed", "closed with {}"),
    ],
)
def test_the_reason_of_a_websockets_end(last, reason, code, message):
    class Closed:
        class rcvd:
            pass

    for status, retry_after in ((4001, None), (4029, 10)):
        Closed.rcvd.code, Closed.rcvd.reason = status, reason
        with pytest.raises(OverroundError) as raised:
            _websocket._explain(Closed, json.dumps(last))
        error = raised.value
        assert (error.status, error.code, error.message) == (status, code, message.format(status))
        assert error.retry_after == retry_after


def test_an_error_of_before_is_not_why_a_connection_is_lost():
    stream, take = begun(ready=True)
    take("error", code="upstream_error", message="Wait.")
    take("heartbeat")
    stream._lost(None)
    assert stream.last_fault == "the connection was lost"


def test_a_pause_that_would_be_negative_is_none():
    answers = [limited("-5"), httpx.Response(200, json={"data": []})]
    assert answering(lambda _: answers.pop(0)).get("/sports").data == []


def test_an_answer_that_is_no_list_says_which_are_in_it():
    with pytest.raises(TypeError, match="groups"):
        Answer({"data": {"group_by": "market", "groups": []}}).to_df()
