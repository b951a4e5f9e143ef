"""What REST is asked and what it answers, for both clients; no I/O."""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple
from urllib.parse import quote

from ._errors import is_passing

#: Answers that are remembered by address, to be asked for again by their tag.
MOST_REMEMBERED = 100
LONGEST_WAIT_S = 60.0
FIRST_WAIT_S = 0.25

Query = Mapping[str, Any]


#: Columns whose numbers may come without a point.
_FLOATS = re.compile(r"^(odds_decimal|line|probability|hold)$|_(percent|percentage|probability)$")
_INSTANTS = re.compile(r"^timestamp$|_(at|time)$")


def to_df(rows: Iterable[Mapping[str, Any]], engine: str) -> Any:
    """A data frame of rows, a column a member; what a row lacks is missing in it. Types do not depend on which rows
    there are: instants are in UTC, prices, lines and percentages floats (or as `parse_float` reads them)."""
    listed = list(rows)
    if engine == "pandas":
        return _to_pandas(listed)
    if engine == "polars":
        return _to_polars(listed)
    raise ValueError("engine is 'pandas' or 'polars'")


def _to_pandas(rows: List[Mapping[str, Any]]) -> Any:
    import pandas

    frame = pandas.DataFrame(rows)
    for name in frame.columns:
        column = frame[name]
        if _INSTANTS.search(name) and not pandas.api.types.is_numeric_dtype(column):
            frame[name] = pandas.to_datetime(column, utc=True, format="ISO8601")
        elif _FLOATS.search(name) and (pandas.api.types.is_numeric_dtype(column) or column.isna().all()):
            frame[name] = column.astype("float64")
    return frame


def _to_polars(rows: List[Mapping[str, Any]]) -> Any:
    import polars

    frame = polars.DataFrame(rows, infer_schema_length=None)
    instant = polars.Datetime("us", "UTC")

    def typed(name: str, dtype: Any) -> Any:
        column = polars.col(name)
        if _INSTANTS.search(name) and dtype == polars.String:
            return column.str.to_datetime("%+", time_unit="us", time_zone="UTC")
        if _FLOATS.search(name) and (dtype.is_integer() or dtype == polars.Null):
            return column.cast(polars.Float64)
        if dtype == polars.Null:
            return column.cast(instant if _INSTANTS.search(name) else polars.String)
        return column

    return frame.with_columns(*(typed(name, dtype) for name, dtype in frame.schema.items()))


class Answer(Dict[str, Any]):
    """The body of an answer."""

    @property
    def data(self) -> Any:
        return self["data"]

    def to_df(self, engine: str = "pandas") -> Any:
        """The items of `data` as a data frame.

        Raises: TypeError where it is no list.
        """
        data = self["data"]
        if not isinstance(data, list):
            lists = [name for name, value in data.items() if isinstance(value, list)]
            raise TypeError(f"data is no list; Items(answer.data[...]).to_df() takes one of {', '.join(lists) or 'none'}")
        return to_df(data, engine)


class Items(List[Dict[str, Any]]):
    """The items of all pages."""

    def to_df(self, engine: str = "pandas") -> Any:
        return to_df(self, engine)


class Remembered:
    """Answers by address with their tags, the oldest forgotten first."""

    def __init__(self) -> None:
        self._kept: "OrderedDict[str, Tuple[str, Answer]]" = OrderedDict()

    def find(self, address: str) -> Optional[Tuple[str, Answer]]:
        return self._kept.get(address)

    def put(self, address: str, tag: Optional[str], answer: Answer) -> None:
        self._kept.pop(address, None)
        if tag is not None:
            self._kept[address] = (tag, answer)
        while len(self._kept) > MOST_REMEMBERED:
            self._kept.popitem(last=False)


def parameters_of(query: Query) -> List[Tuple[str, str]]:
    """Lists by commas, truth as JSON says it; what is None or empty is left out."""
    texts = [(name, _text(value)) for name, value in query.items() if value is not None]
    return [(name, text) for name, text in texts if text != ""]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return ",".join(_text(each) for each in value)
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    return str(value)


def path_of(path: str, parts: Tuple[str, ...]) -> str:
    """`/events/{}` and its parts, as they go into an address."""
    return path.format(*(quote(part, safe="") for part in parts))


def next_page(page: Mapping[str, Any], query: Query) -> Optional[Dict[str, Any]]:
    """The query of the page after this one; None after the last."""
    pagination = page["pagination"]
    if not pagination["has_more"]:
        return None
    others = {name: value for name, value in query.items() if name not in ("cursor", "offset")}
    if isinstance(pagination.get("next_cursor"), str):
        return {**others, "cursor": pagination["next_cursor"]}
    return {**others, "offset": pagination["next_offset"]}


def pause_after(status: int, retry_after: Optional[float], tried: int, retries: int) -> Optional[float]:
    """Seconds until another try of a read; None when there is to be none."""
    if not is_passing(status) or tried >= retries:
        return None
    pause = retry_after if retry_after is not None else FIRST_WAIT_S * 2**tried
    return None if pause > LONGEST_WAIT_S else pause
