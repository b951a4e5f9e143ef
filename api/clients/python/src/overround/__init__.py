"""A client of overround: reads over REST, and streams that resume after a break, prove what they hold, and
heal when it is not right. `Client` is for ordinary code, `AsyncClient` for asyncio; both have the same methods.
"""

from ._client import AsyncClient, AsyncStream, Client, Stream
from ._errors import OverroundError
from ._rest import Answer, Items
from ._state import Message, Row

__all__ = [
    "Answer",
    "AsyncClient",
    "AsyncStream",
    "Client",
    "Items",
    "Message",
    "OverroundError",
    "Row",
    "Stream",
]
__version__ = "0.1.0"
