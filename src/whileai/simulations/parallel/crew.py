"""Processes that work on jobs, and their answers in the order of the jobs."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

Job = TypeVar("Job")
Answer = TypeVar("Answer")

_AHEAD = 2  # answers a worker may be ahead of the one that is waited for
_PRELOADED = ["__main__", "whileai.simulations.parallel.reading"]  # what workers need, imported once for all of them
_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


class Crew(Generic[Job, Answer]):
    """Some processes that all do the same work; as a context manager, they are gone when it ends.

    `work` and its answers travel by pickle. What it raises is raised here, when its answer is due. A worker that dies
    is a `ChildProcessError`; when this process dies, its workers end with the job they are at.
    """

    def __init__(self, n: int, work: Callable[[Job], Answer]) -> None:
        context: Any = multiprocessing.get_context(_METHOD)
        if _METHOD == "forkserver":
            context.set_forkserver_preload(_PRELOADED)
        self._processes: dict[Connection, Any] = {}
        try:
            for _ in range(n):
                mine, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs,), daemon=True)
                with _deaf_to_interrupts():
                    process.start()
                self._processes[mine] = process
                theirs.close()
                mine.send(work)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Crew[Job, Answer]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers, whatever they are at."""
        for connection, process in self._processes.items():
            connection.close()
            process.terminate()
        for process in self._processes.values():
            process.join()
        self._processes = {}

    def answers(self, jobs: Iterable[Job]) -> Iterator[Answer]:
        """The answer to each job, in order; at most a few are held that are not due yet."""
        waiting = enumerate(jobs)
        idle = list(self._processes)
        busy: dict[Connection, int] = {}
        done: dict[int, tuple[bool, Any]] = {}
        due = 0
        while True:
            while idle and len(busy) + len(done) < _AHEAD * len(self._processes):
                if (given := next(waiting, None)) is None:
                    break
                connection = idle.pop()
                busy[connection] = given[0]
                self._send(connection, given[1])
            if due in done:
                came, answer = done.pop(due)
                if not came:
                    raise answer
                due += 1
                yield answer
            elif not busy:
                return
            else:
                ready: list[Any] = wait(list(busy))
                for connection in ready:
                    done[busy.pop(connection)] = self._received(connection)
                    idle.append(connection)

    def _send(self, connection: Connection, job: Job) -> None:
        try:
            connection.send(job)
        except OSError:
            raise self._death(connection) from None

    def _received(self, connection: Connection) -> tuple[bool, Any]:
        try:
            came, answer = connection.recv()
        except (EOFError, ConnectionError):
            raise self._death(connection) from None
        return came, answer

    def _death(self, connection: Connection) -> ChildProcessError:
        process = self._processes[connection]
        process.join()
        return ChildProcessError(
            f"a worker process ended early (exit status {process.exitcode}), perhaps for want of memory: "
            "try fewer with --workers"
        )


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Ctrl-C waits meanwhile, and a process begun here is deaf to it from its first import on."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # it takes the block away when it is begun inside
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection) -> None:
    """A worker: the work first, then jobs until nobody is there to send one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group: the one who started us ends us
    with suppress(EOFError, ConnectionError, KeyboardInterrupt):
        work = connection.recv()
        while True:
            job = connection.recv()
            connection.send(_answer(work, job))


def _answer(work: Callable[[Any], Any], job: Any) -> tuple[bool, Any]:
    try:
        return True, work(job)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301  # our own
        except Exception:
            return False, RuntimeError(f"{type(error).__name__}: {error}")
        return False, error
