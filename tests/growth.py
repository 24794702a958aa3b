"""How the cost of a function grows with its input, in CPU time, so that a busy machine changes no verdict."""

import gc
import time

NOISE = 0.02  # seconds of the longer input below which a ratio says nothing
MOST = 8  # times the cost that four times the input may take; quadratic cost would take 16


def cpu_seconds(function, value, runs=3):
    """The least of some runs, with no collection of garbage in between."""
    best = float("inf")
    gc.disable()
    try:
        for _ in range(runs):
            start = time.process_time()
            function(value)
            best = min(best, time.process_time() - start)
    finally:
        gc.enable()
    return best


def outgrows(function, small, large):
    """Whether an input four times as large costs more than eight times as much."""
    if cpu_seconds(function, large, runs=1) <= NOISE:
        return False
    return cpu_seconds(function, large) > max(NOISE, MOST * cpu_seconds(function, small))
