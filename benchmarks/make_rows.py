"""Write a large file of rollouts, the same for the same arguments, at the speed of the disk.

    python benchmarks/make_rows.py rows.jsonl --rows 1000000 [--skew 0.5]

The rows are the support tickets of `examples/`: some thousand distinct ones, repeated under new task ids and new
numbers of orders, so that each task asks something of its own.
`--skew 0.5` gives half of all rows to one task. A path that ends in `.parquet` gives a Parquet file.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import orjson

import rows as made

_DISTINCT = 20_000
_ID = "scenario_id"
_ORDER = re.compile(rb'"prompt":"[^"]*?(\d{4})')


def lines(n: int, skew: float = 0.0) -> Iterator[bytes]:
    """`n` rows as JSON lines, in blocks; a share of `skew` are of one task."""
    block = made.rows(min(n, _DISTINCT))
    texts = [orjson.dumps({key: value for key, value in row.items() if key != _ID})[1:] for row in block]
    orders = [_ORDER.search(rest)[1] for rest in texts]
    rests = [text.split(order) for text, order in zip(texts, orders, strict=True)]
    names = [row[_ID].encode() for row in block]
    n_skewed = int(len(block) * skew)
    for start in range(0, n, len(block)):
        suffix = b"-%d" % start
        own = [number + b"%d" % start for number in orders]
        texts = [order.join(rest) for order, rest in zip(own, rests, strict=True)]
        many = [b'{"scenario_id":"%s%s",%s\n' % (name, suffix, text) for name, text in zip(names, texts, strict=True)]
        many[:n_skewed] = [b'{"scenario_id":"everyone",%s\n' % text for text in texts[:n_skewed]]
        yield b"".join(many[: n - start])


def write(path: Path, n: int, skew: float = 0.0) -> int:
    """Write the rows and return the bytes."""
    if path.suffix == ".parquet":
        _write_parquet(path, n, skew)
    else:
        with path.open("wb") as file:
            for block in lines(n, skew):
                file.write(block)
    return path.stat().st_size


def _write_parquet(path: Path, n: int, skew: float) -> None:
    import pyarrow
    import pyarrow.parquet

    writer = None
    for block in lines(n, skew):
        held = [orjson.loads(line) for line in block.splitlines()]
        columns = {name: [row.get(name) for row in held] for name in held[0]}
        plain = {
            name: values
            if name in ("reward", "final_text", "prompt", _ID)
            else [orjson.dumps(v).decode() for v in values]
            for name, values in columns.items()
        }
        table = pyarrow.table(
            {
                name if name in ("reward", "final_text", "prompt", _ID) else f"{name}_json": values
                for name, values in plain.items()
            }
        )
        names = [name for name in table.column_names if name.endswith("_json")]
        table = table.replace_schema_metadata({"whileai.json_columns": orjson.dumps(names).decode()})
        writer = writer or pyarrow.parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--skew", type=float, default=0.0)
    options = parser.parse_args()
    print(f"{write(options.path, options.rows, options.skew):,} bytes")


if __name__ == "__main__":
    main()
