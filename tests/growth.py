"""How the cost of a function grows with its input, in CPU time, so that a busy machine changes no verdict."""

import gc
import time

NOISE = 0.02  # seconds of the longer input below which a ratio says nothing
MOST = 8  # times the cost that four times the input may take; quadratic cost would take 16


def cpu_seconds(function, value):
    """The least of three runs, no collection of garbage in between."""
    best = float("inf")
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            start = time.process_time()
            function(value)
            best = min(best, time.process_time() - start)
    finally:
        gc.enable()
    return best


def outgrows(function, small, large):
    """Whether an input four times as large costs more than eight times as much."""
    cost = cpu_seconds(function, large)
    return cost > NOISE and cost > MOST * cpu_seconds(function, small)
