"""The client of overround: reads over REST, and streams that resume after a break, check their rows against the
service's checksum and repair themselves. `Client` is synchronous, `AsyncClient` is for asyncio; both have the same
methods.
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
