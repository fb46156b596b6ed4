"""Parameter sweeps over any executor of :mod:`concurrent.futures`."""

from __future__ import annotations

import os
import uuid
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Deque, Dict, Iterable, List, Mapping, Optional, Sequence, Union, overload

from wavefield import _native, _task
from wavefield._task import Failure, Finished, Task
from wavefield.result import Result, load
from wavefield.runner import AnyProblem, ProgressLine, load_problem, progress_of

if TYPE_CHECKING:
    import pandas
    import xarray

#: An executor, or a function that makes one: a pool that broke is then replaced.
AnyExecutor = Union[Executor, Callable[[], Executor]]
#: Called with (done, total, key) after every task.
Progress = Callable[[int, int, str], None]

#: Time of the tasks that are sent together, s, and their maximum number.
TOGETHER, MAX_TOGETHER = 0.2, 32
#: Tasks in flight of an executor that does not tell its number of workers.
MANY = 64


class SweepError(RuntimeError):
    """Tasks of a sweep failed; the others have results."""

    def __init__(self, failures: Mapping[str, Failure], results: Mapping[str, Result]) -> None:
        first = next(iter(failures.values()))
        more = f" (and {len(failures) - 1} more)" if len(failures) > 1 else ""
        super().__init__(f"{first.kind}: {first.message}{more}")
        #: Failures by key of the task.
        self.failures = dict(failures)
        #: Results of the other tasks by key.
        self.results = dict(results)


class Sweep(Sequence[Result]):
    """Results of a sweep, in the order of its variations; the last parameter varies fastest."""

    def __init__(
        self, parameters: Mapping[str, Sequence[object]], keys: Sequence[str], results: Mapping[str, Result]
    ) -> None:
        #: Varied paths and their values.
        self.parameters = dict(parameters)
        #: Names of the tasks; equal problems have one.
        self.keys = list(keys)
        self._results = dict(results)

    @overload
    def __getitem__(self, index: int) -> Result: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Result]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Result, Sequence[Result]]:
        if isinstance(index, slice):
            return [self._results[key] for key in self.keys[index]]
        return self._results[self.keys[index]]

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def variations(self) -> List[Dict[str, object]]:
        """Values of every variation by path."""
        return [dict(zip(self.parameters, values)) for values in product(*self.parameters.values())]

    def to_pandas(self) -> "pandas.DataFrame":
        """Returns the varied values and the key figures of every variation as a table."""
        import pandas

        rows: List[Dict[str, object]] = []
        for variation, result in zip(self.variations, self):
            row = dict(variation)
            for figure in result.record["key_figures"]:
                row[figure["label"]] = _number(figure["value"])
            rows.append(row)
        return pandas.DataFrame(rows)

    def to_xarray(self, group: str) -> "xarray.Dataset":
        """Returns the labeled arrays of a group with the varied values as leading dimensions, named after the last part of
        their paths."""
        import xarray

        parts = [result.to_xarray(group) for result in self]
        for path, values in reversed(list(self.parameters.items())):
            name = path.split(".")[-1]
            coordinate = xarray.DataArray(list(values), dims=name, name=name)
            along = name if name in parts[0].dims else coordinate
            size = len(values)
            parts = [
                xarray.concat(parts[start : start + size], along, data_vars="all", coords="minimal", compat="override")
                for start in range(0, len(parts), size)
            ]
        (whole,) = parts
        return whole

    def __repr__(self) -> str:
        return f"<wavefield.Sweep of {len(self)} variations over {', '.join(self.parameters)}>"


def sweep(
    problem: AnyProblem,
    parameters: Mapping[str, Iterable[object]],
    solver: Optional[str] = None,
    *,
    executor: Optional[AnyExecutor] = None,
    threads: Optional[int] = None,
    out: Union[str, "os.PathLike[str]", None] = None,
    retries: int = 3,
    progress: Union[bool, Progress, None] = None,
) -> Sweep:
    """Runs every combination of parameters and returns the results.

        wf.sweep(problem, {"bodies.0.geometry.radius": [0.1, 0.2], "frequency": [1e9, 2e9]})
        with ProcessPoolExecutor(8) as pool:
            wf.sweep(problem, {...}, executor=pool, out="results")

    ``parameters`` are paths of values with their lists. ``executor`` is any :class:`concurrent.futures.Executor`, such as a
    process pool, Dask's ``client.get_executor()``, mpi4py's ``MPIPoolExecutor``, or a function that makes one, which replaces
    a pool that breaks; by default the runs follow each other here. ``threads`` is the number of threads of each run: by default
    one, all without an executor, and a share of the processors in a pool of threads. Results are bitwise identical for all.

    Every problem has a key, a digest of the program version, the problem, and its files. With ``out`` every result is stored
    once, in the folder of its key; the same sweep again computes what is missing. A task whose worker died is repeated up to
    ``retries`` times; files must be reachable under their absolute paths. Problems that fail raise :class:`SweepError` after
    the others have run. Ctrl-C cancels what has not begun.

    ``progress`` is a function of (done, total, key), True for a line on stderr, or False for none.
    """
    values = {path: list(of_path) for path, of_path in parameters.items()}
    name = uuid.uuid4().hex
    keys: List[str] = []
    problems: Dict[str, Mapping[str, object]] = {}
    for variation in _combined(problem, values):
        native = _native.NativeProblem.from_values(variation, Path.cwd())
        keys.append(_task.key_of(native, solver))
        problems.setdefault(keys[-1], native.values())
    if executor is None or isinstance(executor, Executor):
        maker, pool = None, executor
    else:
        maker, pool = executor, executor()
    threads = _threads(pool, threads)
    tasks = {key: Task(key, of_key, solver, threads, name) for key, of_key in problems.items()}
    store = _Store(None if out is None else Path(out))
    results = {key: found for key in tasks for found in [store.load(key)] if found is not None}
    failures: Dict[str, Failure] = {}
    shown = progress_of(progress)
    total = len(tasks)

    def accept(finished: Finished) -> None:
        if isinstance(finished.outcome, Failure):
            failures[finished.key] = finished.outcome
        else:
            results[finished.key] = store.keep(finished.key, finished.outcome)
        done = len(results) + len(failures)
        if isinstance(shown, ProgressLine):
            shown("sweep", done, total, None)
        elif shown is not None:
            shown(done, total, finished.key)

    waiting = [task for key, task in tasks.items() if key not in results]
    try:
        if pool is None:
            for task in waiting:
                accept(_task.execute(task))
        else:
            _Queue(pool, maker, waiting, retries, accept).run()
    except BaseException:
        _task.stopped.add(name)
        raise
    finally:
        if isinstance(shown, ProgressLine):
            shown.finish()
    if failures:
        raise SweepError(failures, results)
    return Sweep(values, keys, results)


class _Queue:
    """Tasks on an executor: sent when workers are free, and again when workers have died."""

    def __init__(
        self,
        executor: Executor,
        maker: Optional[Callable[[], Executor]],
        tasks: Iterable[Task],
        retries: int,
        accept: Callable[[Finished], None],
    ) -> None:
        self.executor = executor
        self.maker = maker
        self.waiting: Deque[Task] = deque(tasks)
        #: Tasks in flight when a pool broke. They run one at a time: one of them may kill its worker again.
        self.suspects: Deque[Task] = deque()
        self.flying: "Dict[Future[bytes], List[Task]]" = {}
        self.tries: Dict[str, int] = {}
        self.retries = retries
        self.accept = accept
        #: Mean time of a task, s.
        self.mean = TOGETHER

    def run(self) -> None:
        try:
            while self.waiting or self.suspects or self.flying:
                self.send()
                done, _ = wait(self.flying, return_when=FIRST_COMPLETED)
                for future in done:
                    self.receive(future)
        except BaseException:
            for future in self.flying:
                future.cancel()
            raise
        finally:
            if self.maker is not None:
                self.executor.shutdown(wait=False)

    def send(self) -> None:
        """Sends tasks until the workers have enough."""
        workers = getattr(self.executor, "_max_workers", None)
        room = 2 * workers if isinstance(workers, int) else MANY
        while len(self.flying) < room and (self.waiting or self.suspects):
            if self.suspects:
                if self.flying:
                    return
                tasks = [self.suspects.popleft()]
            else:
                share = 1 + len(self.waiting) // (2 * room)
                count = max(1, min(MAX_TOGETHER, share, int(TOGETHER / self.mean)))
                tasks = [self.waiting.popleft() for _ in range(min(count, len(self.waiting)))]
            try:
                self.flying[self.executor.submit(_task.run, _task.pack(tasks))] = tasks
            except BrokenExecutor as error:
                self.replace(tasks, error)

    def receive(self, future: "Future[bytes]") -> None:
        """Takes the results of tasks, or sends them again."""
        tasks = self.flying.pop(future, None)
        if tasks is None:
            return
        try:
            finished = _task.unpack(future.result())
        except BrokenExecutor as error:
            lost = [task for others in self.flying.values() for task in others]
            self.flying.clear()
            self.replace(tasks + lost, error)
            return
        except Exception as error:
            self.again(tasks, error)
            return
        for one in finished:
            self.mean = 0.7 * self.mean + 0.3 * max(one.seconds, 1e-4)
            self.accept(one)

    def again(self, tasks: List[Task], error: BaseException) -> None:
        """Queues tasks whose worker died, each at most the allowed number of times."""
        for task in tasks:
            self.tries[task.key] = self.tries.get(task.key, 0) + 1
            if self.tries[task.key] > self.retries:
                text = f"the worker died {self.tries[task.key]} times: {type(error).__name__}: {error}"
                self.accept(Finished(task.key, Failure("RuntimeError", text), 0.0))
            else:
                self.suspects.append(task)

    def replace(self, tasks: List[Task], error: BrokenExecutor) -> None:
        """Replaces a broken pool."""
        if self.maker is None:
            raise BrokenExecutor(
                f"{error}; results so far are kept: pass `executor` as a function that makes a pool, which then replaces this one"
            ) from error
        if len(tasks) == 1:
            self.again(tasks, error)
        else:
            # Any of several may be innocent: they run one at a time before their tries count.
            self.suspects.extend(tasks)
        self.executor.shutdown(wait=False)
        self.executor = self.maker()


class _Store:
    """Results in folders named by key, written by one process, each as a whole."""

    def __init__(self, folder: Optional[Path]) -> None:
        self.folder = folder

    def load(self, key: str) -> Optional[Result]:
        if self.folder is None or not (self.folder / key).is_dir():
            return None
        try:
            return load(self.folder / key)
        except ValueError:
            # A run that was killed left no result.
            return None

    def keep(self, key: str, result: Result) -> Result:
        if self.folder is None:
            return result
        self.folder.mkdir(parents=True, exist_ok=True)
        return load(result.save(self.folder / key))


def _combined(problem: AnyProblem, values: Mapping[str, Sequence[object]]) -> Iterable[Mapping[str, object]]:
    """Yields the problem of every variation."""
    whole: Mapping[str, object] = problem if isinstance(problem, Mapping) else load_problem(problem)
    if not values or not all(values.values()):
        raise ValueError("a sweep needs paths with values: {'frequency': [1e9, 2e9]}")
    for combination in product(*values.values()):
        varied: Dict[str, object] = deepcopy(dict(whole))
        for path, value in zip(values, combination):
            _set(varied, path, value)
        yield varied


def _set(problem: Dict[str, object], path: str, value: object) -> None:
    """Replaces the value at a path such as "bodies.0.geometry.radius"."""
    *way, last = path.split(".")
    place: object = problem
    for step in way:
        if isinstance(place, dict) and step in place:
            place = place[step]
        elif isinstance(place, list) and step.isdigit() and int(step) < len(place):
            place = place[int(step)]
        else:
            raise KeyError(f"the problem has no {step!r} of the path {path!r}")
    if isinstance(place, dict):
        place[last] = value
    elif isinstance(place, list) and last.isdigit() and int(last) < len(place):
        place[int(last)] = value
    else:
        raise KeyError(f"the problem has no {last!r} of the path {path!r}")


def _threads(executor: Optional[Executor], threads: Optional[int]) -> Optional[int]:
    if threads is not None or executor is None:
        return threads
    if isinstance(executor, ThreadPoolExecutor):
        return max(1, (os.cpu_count() or 1) // executor._max_workers)
    return 1


def _number(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text
