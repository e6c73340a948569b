"""The one place that counts tokens (CTX-7). Knows nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

TokenCounter: TypeAlias = Callable[[str], int]


def count_tokens(text: str) -> int:
    """`ceil(len(utf8) / 4)`: the default counter. A lone surrogate counts as the three bytes it would take."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 4)


def cut(text: str, limit: int, count: TokenCounter = count_tokens) -> str:
    """The longest beginning of `text` that has at most `limit` tokens, whole code points only.

    `count` must not fall as a text grows.
    """
    if count(text) <= limit:
        return text
    low, high = 0, len(text)  # text[:low] fits, text[:high] does not
    while high - low > 1:
        middle = (low + high) // 2
        if count(text[:middle]) <= limit:
            low = middle
        else:
            high = middle
    return text[:low]
