"""What REST is asked and what it answers, for both clients; no I/O."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union
from urllib.parse import quote

from ._errors import is_passing

#: Answers that are remembered by address, to be asked for again by their tag.
MOST_REMEMBERED = 100
LONGEST_WAIT_S = 60.0
FIRST_WAIT_S = 0.25

Query = Mapping[str, Any]


def to_df(rows: Iterable[Mapping[str, Any]], engine: str) -> Any:
    """A data frame of rows, a column a member; what a row lacks is missing in it."""
    listed = list(rows)
    if engine == "pandas":
        import pandas

        return pandas.DataFrame(listed)
    if engine == "polars":
        import polars

        return polars.DataFrame(listed, infer_schema_length=None)
    raise ValueError("engine is 'pandas' or 'polars'")


class Answer(Dict[str, Any]):
    """The body of an answer."""

    @property
    def data(self) -> Any:
        return self["data"]

    def to_df(self, engine: str = "pandas") -> Any:
        """The items of `data` as a data frame."""
        return to_df(self["data"], engine)


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
    pause: Union[float, None] = retry_after if retry_after is not None else FIRST_WAIT_S * 2**tried
    return None if pause > LONGEST_WAIT_S else pause
