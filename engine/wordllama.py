"""The embedder `wordllama`: static word vectors, so that a paraphrase is near what it says (SCH-5).

It reads the model that the wordllama package ships inside its wheel: 32,000 pieces of words with 256 numbers each. The
package itself is not imported: it would set up logging for the whole process and load an HTTP client, and nothing here
may reach for a network. It is wanted only when this embedder is named: `pip install '.[meaning]'`.

Exact on every machine: the model's numbers are float16, so their sums are exact in float64 in any order; what follows
is one multiplication, one division and one rounding for each number. The rounding to bytes moves a cosine by 0.0003 on
average. See docs/decisions/wordllama.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .embed import BOUND, Vectors
from .values import EngineError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_WEIGHTS = Path("weights", "l2_supercat_256.safetensors")
_TOKENIZER = Path("tokenizers", "l2_supercat_tokenizer_config.json")
_STRETCHES = re.compile(r"(?s)\S(?:.{0,1023}(?!\S)|\S{0,1023})")  # up to white space, where there is any
_REMEDY = "install it with: pip install '.[meaning]' in a checkout of seatrial"


class WordLlamaEmbedder:
    """The mean of the vectors of a text's pieces, scaled so that its largest number is BOUND, in whole numbers.

    Raises `invalid_value` if the package is not installed, or lacks the model.
    """

    name = "wordllama"
    dimensions = 256

    def __init__(self) -> None:
        self._tokenizer, self._table = _model()
        self.edition = version("wordllama")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See Embedder. Time is about linear in the length of the texts; lone surrogates count as U+FFFD."""
        sums = np.zeros((len(texts), self.dimensions), dtype=np.float64)
        for row, text in enumerate(texts):
            for pieces in self._pieces(text):
                sums[row] += self._table[pieces].sum(axis=0, dtype=np.float64)
        peaks = np.abs(sums).max(axis=1, initial=0.0, keepdims=True)
        scaled = sums * BOUND / np.where(peaks > 0.0, peaks, 1.0)
        return np.rint(scaled).astype(np.float32)

    def _pieces(self, text: str) -> Iterator[list[int]]:
        """The rows of the table for each stretch: the time to cut one up grows with its square."""
        sound = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        for stretch in _STRETCHES.findall(sound):
            # One by one: a batch would start threads, and a process that has them is not safe to fork.
            yield self._tokenizer.encode(stretch, add_special_tokens=False).ids


@cache
def _model() -> tuple[Tokenizer, NDArray[np.float16]]:
    """The tokenizer, and a row for each of its pieces: shape (pieces, dimensions). Loaded once."""
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise EngineError("invalid_value", "the embedder 'wordllama' needs the package wordllama", _REMEDY)
    folder = Path(spec.origin).parent
    missing = [path for path in (_WEIGHTS, _TOKENIZER) if not (folder / path).is_file()]
    if missing:
        raise EngineError("invalid_value", f"the package wordllama lacks {missing[0].as_posix()}", _REMEDY)
    from safetensors import safe_open
    from tokenizers import Tokenizer

    tokenizer: Any = Tokenizer.from_file(str(folder / _TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    with safe_open(folder / _WEIGHTS, framework="np") as weights:
        table: NDArray[np.float16] = weights.get_tensor("embedding.weight")
    return tokenizer, table
