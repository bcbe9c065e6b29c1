"""The warehouse: which server is used, how it is reached, and how errors of it are told.

`open_warehouse` gives a `Warehouse`; `Warehouse.connect` gives psycopg connections.
"""

from tidegate.warehouse.connect import Warehouse, server_message
from tidegate.warehouse.open import named_by_url, open_warehouse

__all__ = ["Warehouse", "named_by_url", "open_warehouse", "server_message"]
