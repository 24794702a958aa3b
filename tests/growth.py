"""How the cost of a function grows with its input, in CPU time, so that a busy machine changes no verdict."""

import gc
import time

NOISE = 0.02  # seconds of the longer input below which a ratio says nothing
MOST = 8  # times the cost that four times the input may take; quadratic cost would take 16
PLAIN = 6  # times, of one run each, that needs no second look


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
    once = cpu_seconds(function, large, runs=1)
    if once <= NOISE or once <= PLAIN * cpu_seconds(function, small, runs=1):
        return False
    return cpu_seconds(function, large) > max(NOISE, MOST * cpu_seconds(function, small))
