"""Requests and answers of REST for both clients, and data frames; no I/O."""

from __future__ import annotations

import re
from collections import OrderedDict
from decimal import Decimal
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple
from urllib.parse import quote

from ._generated import COLUMNS
from ._errors import OverroundError, is_passing

#: Answers that are cached by URL, with their ETags.
MOST_REMEMBERED = 100
LONGEST_WAIT_S = 60.0
FIRST_WAIT_S = 0.25

Query = Mapping[str, Any]


#: Fields of floats where no column says their kind. Their numbers may come without a decimal point.
_FLOATS = re.compile(r"^(odds_decimal|line|probability|hold)$|_(percent|percentage|probability)$")
_INSTANTS = re.compile(r"^timestamp$|_(at|time)$")


#: Columns by name, each with its kind: `text`, `truth`, `whole`, `number`, `list` or `object`.
Columns = Mapping[str, str]


def to_df(rows: Iterable[Mapping[str, Any]], engine: str, columns: Optional[Columns] = None) -> Any:
    """A data frame of rows with a column per field; absent fields are missing values. Times are in UTC, also those sent
    as Unix seconds; prices, lines and percentages are floats (or as `parse_float` reads them).

    columns: those of a frame without rows, and the kinds of those that the rows have: the types of texts, flags and
        numbers among them do not depend on the rows.
    """
    listed = list(rows)
    if engine == "pandas":
        return _to_pandas(listed, columns or {})
    if engine == "polars":
        return _to_polars(listed, columns or {})
    raise ValueError("engine is 'pandas' or 'polars'")


def columns_of(path: str, query: Query) -> Optional[Columns]:
    """The columns of a path's items; None when the API document has none."""
    grouped = f"{path}?group_by={query['group_by']}" if query.get("group_by") is not None else path
    columns = COLUMNS.get(grouped, COLUMNS.get(path))
    fields = query.get("fields")
    if columns is None or not fields or grouped != path:
        return columns
    names = fields.split(",") if isinstance(fields, str) else list(fields)
    return {name: columns.get(name, "truth") for name in names}


def _is_float(name: str, columns: Columns) -> bool:
    return columns[name] == "number" if name in columns else _FLOATS.search(name) is not None


#: Types of pandas with missing values.
_PANDAS = {"truth": "boolean", "whole": "Int64"}


def _to_pandas(rows: List[Mapping[str, Any]], columns: Columns) -> Any:
    import pandas

    frame = pandas.DataFrame(rows)
    for name, kind in () if rows else columns.items():
        frame[name] = pandas.Series(dtype="float64" if kind == "number" else "object")
    for name in frame.columns:
        column = frame[name]
        if _INSTANTS.search(name):
            if column.map(type).eq(str).any():
                instants = pandas.to_datetime(column, utc=True, format="ISO8601")
            else:
                instants = pandas.to_datetime((column.astype("float64") * 1_000_000).round(), unit="us", utc=True)
            # Fix the unit: by default it depends on the text.
            frame[name] = instants.astype("datetime64[us, UTC]")
        elif _is_float(name, columns):
            if pandas.api.types.is_numeric_dtype(column) or column.isna().all():
                frame[name] = column.astype("float64")
        elif columns.get(name) in _PANDAS:
            # From the rows, because the column may have been made floats, which round.
            values = [row.get(name) for row in rows]
            frame[name] = pandas.array(values, dtype=_PANDAS[columns[name]])
    return frame


def _to_polars(rows: List[Mapping[str, Any]], columns: Columns) -> Any:
    import polars

    kinds = {"text": polars.String, "truth": polars.Boolean, "whole": polars.Int64, "number": polars.Float64}
    if columns and not rows:
        schema = {name: kinds.get(kind, polars.Null) for name, kind in columns.items()}
        frame = polars.DataFrame(schema=schema)
    else:
        frame = polars.DataFrame(_levelled(rows, columns), infer_schema_length=None)
    instant = polars.Datetime("us", "UTC")

    def typed(name: str, dtype: Any) -> Any:
        column = polars.col(name)
        if _INSTANTS.search(name):
            if dtype == polars.String:
                return column.str.to_datetime("%+", time_unit="us", time_zone="UTC")
            if dtype.is_numeric():
                return (column.cast(polars.Float64) * 1_000_000).round().cast(polars.Int64).cast(instant)
            return column.cast(instant)
        if _is_float(name, columns) and (dtype.is_integer() or dtype == polars.Null):
            return column.cast(polars.Float64)
        if dtype == polars.Null:
            return column.cast(kinds.get(columns.get(name, ""), polars.String))
        return column

    return frame.with_columns(*(typed(name, dtype) for name, dtype in frame.schema.items()))


def _levelled(rows: List[Mapping[str, Any]], columns: Columns) -> List[Mapping[str, Any]]:
    """Gives all numbers at a place one type: 2 beside 2.1 becomes 2.0. Polars would take the type of the first."""
    wider: Dict[Tuple[str, ...], Any] = {}

    def look(value: Any, place: Tuple[str, ...]) -> None:
        if isinstance(value, dict):
            for name, member in value.items():
                look(member, (*place, name))
        elif isinstance(value, list):
            for member in value:
                look(member, (*place, ""))
        elif isinstance(value, (float, Decimal)):
            wider[place] = type(value)

    def level(value: Any, place: Tuple[str, ...]) -> Any:
        if isinstance(value, dict):
            return {name: level(member, (*place, name)) for name, member in value.items()}
        if isinstance(value, list):
            return [level(member, (*place, "")) for member in value]
        if isinstance(value, int) and not isinstance(value, bool):
            # A float column may have no decimal point in this answer but one in the next.
            usual = float if place and _is_float(place[-1], columns if len(place) == 1 else {}) else int
            return wider.get(place, usual)(value)
        return value

    for row in rows:
        look(row, ())
    return [level(row, ()) for row in rows]


class Answer(Dict[str, Any]):
    """The body of an answer."""

    #: The columns of its items, when it is a list.
    columns: Optional[Columns] = None

    @property
    def data(self) -> Any:
        return self["data"]

    def to_df(self, engine: str = "pandas") -> Any:
        """The items of `data` as a data frame.

        Raises: TypeError when it is not a list.
        """
        data = self["data"]
        if not isinstance(data, list):
            lists = [name for name, value in data.items() if isinstance(value, list)]
            raise TypeError(f"data is no list; Items(answer.data[...]).to_df() takes one of {', '.join(lists) or 'none'}")
        return to_df(data, engine, self.columns)


class Items(List[Dict[str, Any]]):
    """The items of all pages."""

    def __init__(self, items: Iterable[Dict[str, Any]] = (), columns: Optional[Columns] = None) -> None:
        super().__init__(items)
        self.columns = columns

    def to_df(self, engine: str = "pandas") -> Any:
        return to_df(self, engine, self.columns)


class Remembered:
    """A cache of answers with their ETags by URL; the oldest is dropped first."""

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
    """Query parameters: lists are joined with commas, booleans are as in JSON, None is left out.

    Raises: ValueError for an empty list or text. Left out, a filter that names nothing would become no filter.
    """
    texts = [(name, _text(value)) for name, value in query.items() if value is not None]
    for name, text in texts:
        if text == "":
            kind = "text" if isinstance(query[name], str) else "list"
            raise ValueError(f"{name} is an empty {kind}; leave it out for all")
    return texts


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
    """Fills the parts into a path such as `/events/{}`."""
    return path.format(*(quote(part, safe="") for part in parts))


def rows_of(page: Mapping[str, Any]) -> List[Any]:
    """The items of a page.

    Raises: TypeError when it is not a list.
    """
    data = page["data"]
    if not isinstance(data, list):
        raise TypeError("data is no list; read it with get")
    return data


def next_page(page: Mapping[str, Any], query: Query) -> Optional[Dict[str, Any]]:
    """The query of the page after this one; None after the last. A list without pages is its only one.

    Raises: OverroundError `too_many_to_page` if there is more, but the service leads no further.
    """
    # A list without pages says in `meta` how many items there are.
    pagination = page.get("pagination") or {"has_more": False, **page.get("meta", {})}
    if not (pagination["has_more"] or _is_cut(pagination)):
        return None
    others = {name: value for name, value in query.items() if name not in ("cursor", "offset")}
    if isinstance(pagination.get("next_cursor"), str):
        return {**others, "cursor": pagination["next_cursor"]}
    if pagination.get("next_offset") is None:
        raise OverroundError("Too many to page through: narrow the filters.", status=200, code="too_many_to_page")
    return {**others, "offset": pagination["next_offset"]}


def _is_cut(pagination: Mapping[str, Any]) -> bool:
    """Whether a page that no other follows has only a part of the items, as the newest entries of a history do."""
    if "next_cursor" in pagination:
        return False
    total = pagination.get("total", 0)
    count = pagination.get("count", total)
    return pagination.get("limit", 0) <= count < total - pagination.get("offset", 0)


def pause_after(status: int, retry_after: Optional[float], tried: int, retries: int) -> Optional[float]:
    """Seconds until the next try of a read; None when there is none."""
    if not is_passing(status) or tried >= retries:
        return None
    pause = retry_after if retry_after is not None else FIRST_WAIT_S * 2**tried
    return None if pause > LONGEST_WAIT_S else pause
