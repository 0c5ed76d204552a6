"""The encoder's metrics against the machine's limit: GFLOP per CPU second, on one and all cores.

What the model must compute is counted over the real word pieces of the distinct captions. The limit
is what products of the model's shapes reach by themselves, in ONNX Runtime and in NumPy. CPU time,
so that a busy machine changes little; needs the extra `encoder` and onnx.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from coco_toolkit import add_sample_options, sample_captions
from processes import run_fresh
from tables import Table, add_json_option, median_and_range, show

METRICS = ["bertscore", "captious_full"]
WIDTH, LAYERS = 384, 6
SHAPES = ((384, 1152), (384, 384), (384, 1536), (1536, 384))  # of a layer's products with weights
ROWS, ROUNDS = 384, 30  # rows as a batch has them


def count_operations(lengths: Any) -> float:
    """Return the GFLOP of captions of some lengths: a multiply-add counts as two operations."""
    weights = sum(rows * columns for rows, columns in SHAPES)
    attention = 2 * WIDTH * np.square(lengths).sum()
    return float(2 * LAYERS * (weights * lengths.sum() + attention) / 1e9)


def numpy_products() -> Callable[[], None]:
    """Return a layer's products in NumPy, without what lies between them."""
    pairs = [
        (np.ones((ROWS, inner), np.float32), np.ones((inner, columns), np.float32))
        for inner, columns in SHAPES
    ]

    def run() -> None:
        for rows, weights in pairs:
            _ = rows @ weights

    return run


def onnx_products() -> Callable[[], None]:
    """Return the same in ONNX Runtime, with weights that are constants."""
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    runs = []
    for inner, columns in SHAPES:
        weights = numpy_helper.from_array(np.ones((inner, columns), np.float32), "weights")
        graph = helper.make_graph(
            [helper.make_node("MatMul", ["rows", "weights"], ["product"])],
            "product",
            [helper.make_tensor_value_info("rows", TensorProto.FLOAT, [ROWS, inner])],
            [helper.make_tensor_value_info("product", TensorProto.FLOAT, [ROWS, columns])],
            [weights],
        )
        opset = [helper.make_opsetid("", 20)]
        model = helper.make_model(graph, opset_imports=opset, ir_version=9)
        runs.append(
            (
                onnxruntime.InferenceSession(
                    model.SerializeToString(), options, providers=["CPUExecutionProvider"]
                ),
                {"rows": np.ones((ROWS, inner), np.float32)},
            )
        )

    def run() -> None:
        for session, rows in runs:
            session.run(None, rows)

    return run


def measure_products(products: Callable[[], None], threads: int) -> float:
    """Return GFLOP per CPU second, every thread computing all products."""
    work = 2 * ROWS * sum(rows * columns for rows, columns in SHAPES) / 1e9

    def repeat(_: int) -> None:
        for _ in range(ROUNDS):
            products()

    with threadpool_limits(1, "blas"), ThreadPoolExecutor(threads) as pool:
        products()
        start = time.process_time()
        list(pool.map(repeat, range(threads)))
        return work * ROUNDS * threads / (time.process_time() - start)


def measure_metric(data: dict[str, Any], metric: str) -> dict[str, float]:
    """Return the CPU seconds of a metric, and those of encoding the captions alone."""
    import captious
    from captious.text.encoder.encoder import load_encoder

    encoder = load_encoder()
    captions = [*data["candidates"], *(text for texts in data["references"] for text in texts)]
    captions = list(dict.fromkeys(captions))
    encoder.encode(captions[:1])  # loads the weights
    start = time.process_time()
    encoder.encode(captions)
    encoding = time.process_time() - start
    start = time.process_time()
    captious.score(data["candidates"], data["references"], [metric], cache=False)
    seconds = time.process_time() - start
    work = count_operations(encoder.pieces(captions).lengths)
    return {"captions": len(captions), "work": work, "encoding": encoding, "seconds": seconds}


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_sample_options(parser, size=500)
    parser.add_argument("--task", choices=METRICS, help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    add_json_option(parser)
    options = parser.parse_args()
    if options.task:
        print(json.dumps(measure_metric(json.loads(options.file.read_text()), options.task)))
        return

    cores = os.cpu_count() or 1
    rates: dict[str, list[list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "captions.json"
        path.write_text(json.dumps(sample_captions(options.data, options.system, options.size)))
        for _ in range(options.repeats):
            products = {"NumPy": numpy_products(), "ONNX Runtime": onnx_products()}
            for place, threads in enumerate((1, cores)):
                for name, product in products.items():
                    row = rates.setdefault(f"products alone, {name}", [[], []])
                    row[place].append(measure_products(product, threads))
                for metric in METRICS:
                    arguments: list[str | Path] = [__file__, "--task", metric, "--file", path]
                    run = run_fresh(arguments, {"OMP_NUM_THREADS": str(threads)})
                    for name, key in ((metric, "seconds"), ("encoding alone", "encoding")):
                        rate = run["work"] / run[key]
                        rates.setdefault(name, [[], []])[place].append(rate)
    limit = [statistics.median(rate) for rate in rates["products alone, ONNX Runtime"]]
    rows = [
        [
            name,
            *(median_and_range(rate, 0) for rate in row),
            *(
                f"{statistics.median(rate) / most:.0%}"
                for rate, most in zip(row, limit, strict=True)
            ),
        ]
        for name, row in rates.items()
    ]
    about = (
        f"{options.size:,} captions of {options.system} with five references each,"
        f" {run['captions']:,} distinct captions, {run['work']:,.0f} GFLOP; {cores} cores; GFLOP"
        f" per CPU second, median and range of {options.repeats} runs in turn. The limit is what"
        " ONNX Runtime's products reach alone."
    )
    header = ["", "one thread", "all cores", "of the limit", "of the limit, all cores"]
    show([Table(about, header, rows)], options.json, rates)


if __name__ == "__main__":
    main()
