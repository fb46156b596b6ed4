"""The same sweep through every engine, workers that die, and resumed sweeps."""

import hashlib
import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import wavefield as wf
from wavefield import _task

HERE = Path(__file__).resolve().parent

#: Sixty-four tasks: scattering by a sphere of eight radii at eight frequencies.
PROBLEM = wf.exact.problem(
    [{"geometry": {"shape": "sphere", "radius": 0.1}, "material": {"permittivity": 4 - 0.1j}}],
    frequency=1e9,
    incidence_phi_deg=0,
    observation_phi_deg=range(0, 181, 45),
)
PARAMETERS = {
    "bodies.0.geometry.radius": [0.05 + 0.01 * n for n in range(8)],
    "frequency": [1e9 + 1e8 * n for n in range(8)],
}


def digest_of(result):
    """Returns the digest of the names, types, shapes, and bits of all arrays."""
    all_arrays = hashlib.sha256()
    for name, array in result.items():
        all_arrays.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        all_arrays.update(array.tobytes())
    return all_arrays.hexdigest()


def digest(sweep):
    """Returns the digest of all arrays of all results in order."""
    return hashlib.sha256("".join(map(digest_of, sweep)).encode()).hexdigest()


def run(**options):
    return wf.sweep(PROBLEM, PARAMETERS, progress=False, **options)


@pytest.fixture(scope="module")
def whole():
    """The sweep without an executor."""
    return run()


@pytest.fixture(scope="module")
def serial(whole):
    """Its digest."""
    return digest(whole)


def processes(count=2):
    return ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))


def test_a_sweep_is_its_runs_one_by_one(whole):
    found = whole
    assert len(found) == 64
    for number in (0, 1, 9, 63):
        variation = found.variations[number]
        problem = pickle.loads(pickle.dumps(PROBLEM))
        problem["bodies"][0]["geometry"]["radius"] = variation["bodies.0.geometry.radius"]
        problem["frequency"] = variation["frequency"]
        assert digest_of(wf.run(problem, progress=False)) == digest_of(found[number])


def test_threads(serial):
    with ThreadPoolExecutor(3) as pool:
        assert digest(run(executor=pool)) == serial


def test_processes(serial):
    with processes() as pool:
        assert digest(run(executor=pool)) == serial


def test_dask(serial):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            assert digest(run(executor=client.get_executor(pure=False))) == serial


def test_mpi(serial, tmp_path):
    pytest.importorskip("mpi4py")
    mpirun = shutil.which("mpirun")
    assert mpirun is not None
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    command = [mpirun, "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures", HERE / "sweep_driver.py", "mpi"]
    ended = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip().splitlines()[-1] == serial


def test_parsl(serial, tmp_path, monkeypatch):
    pytest.importorskip("parsl")
    from parsl import Config
    from parsl.concurrent import ParslPoolExecutor
    from parsl.executors import HighThroughputExecutor
    from parsl.providers import LocalProvider

    monkeypatch.chdir(tmp_path)
    workers = HighThroughputExecutor(
        label="two", address="127.0.0.1", max_workers_per_node=2, cores_per_worker=1, encrypted=False,
        provider=LocalProvider(init_blocks=1, max_blocks=1),
    )
    with ParslPoolExecutor(Config(executors=[workers], run_dir=str(tmp_path / "parsl"))) as pool:
        assert digest(run(executor=pool)) == serial


class RayExecutor(Executor):
    """Tasks of Ray as futures."""

    def __init__(self, workers):
        import ray

        self._ray = ray
        self._max_workers = workers
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)

    def submit(self, function, /, *arguments):
        return self._ray.remote(function).remote(*arguments).future()

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._ray.shutdown()


def test_ray(serial):
    pytest.importorskip("ray")
    with RayExecutor(2) as pool:
        assert digest(run(executor=pool)) == serial


def stored(folder):
    """Returns the results in a folder with the times at which they were written."""
    return {path.parent.name: path.stat().st_mtime_ns for path in Path(folder).glob("*/result.json")}


def test_a_pool_process_that_is_killed_loses_no_task(serial, tmp_path):
    pools = []

    def pool():
        pools.append(processes())
        return pools[-1]

    def kill(done, total, key):
        if done in (5, 20):
            victim = next(iter(pools[-1]._processes.values()), None)
            if victim is not None:
                os.kill(victim.pid, signal.SIGKILL)

    found = wf.sweep(PROBLEM, PARAMETERS, executor=pool, out=tmp_path / "out", progress=kill)
    assert digest(found) == serial and len(pools) >= 2
    assert len(stored(tmp_path / "out")) == 64


def test_a_dask_worker_that_is_killed_loses_no_task(serial, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            killed = []

            def kill(done, total, key):
                if done >= 5 and not killed:
                    killed.append(next(iter(cluster.workers.values())).pid)
                    os.kill(killed[0], signal.SIGKILL)

            executor = client.get_executor(pure=False)
            found = wf.sweep(PROBLEM, PARAMETERS, executor=executor, out=tmp_path / "out", progress=kill)
            assert killed and digest(found) == serial
            assert len(stored(tmp_path / "out")) == 64


def test_a_broken_pool_without_a_function_keeps_its_results(tmp_path):
    with processes() as pool:

        def kill(done, total, key):
            if done == 5:
                os.kill(next(iter(pool._processes.values())).pid, signal.SIGKILL)

        with pytest.raises(BrokenExecutor, match="pass `executor` as a function"):
            wf.sweep(PROBLEM, PARAMETERS, executor=pool, out=tmp_path, progress=kill)
    before = stored(tmp_path)
    assert 5 <= len(before) < 64
    run(out=tmp_path)
    after = stored(tmp_path)
    assert len(after) == 64 and all(after[key] == time for key, time in before.items())


def test_a_killed_driver_is_resumed_and_no_task_is_stored_twice(serial, tmp_path):
    command = [sys.executable, HERE / "sweep_driver.py", "slow", tmp_path]
    driver = subprocess.Popen(command, stdout=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while len(stored(tmp_path)) < 10 and time.monotonic() < deadline:
        time.sleep(0.01)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    driver.stdout.close()
    before = stored(tmp_path)
    assert 10 <= len(before) < 64
    done = []
    found = wf.sweep(PROBLEM, PARAMETERS, out=tmp_path, progress=lambda *event: done.append(event))
    after = stored(tmp_path)
    assert digest(found) == serial and len(after) == 64
    assert all(after[key] == time for key, time in before.items())
    assert len(done) >= 64 - len(before) and done[-1][:2] == (64, 64)
    # Nothing is computed again.
    run(out=tmp_path)
    assert stored(tmp_path) == after


class Unreliable(Executor):
    """Runs tasks here, and loses those that a function chooses."""

    _max_workers = 2

    def __init__(self, lost):
        self.lost = lost
        self.sent = []

    def submit(self, function, /, tasks):
        future = Future()
        keys = [task.key for task in pickle.loads(tasks)]
        self.sent += keys
        if self.lost(keys, len(self.sent)):
            future.set_exception(ConnectionError("worker lost"))
        else:
            future.set_result(function(tasks))
        return future


def test_lost_tasks_are_repeated_and_a_poisonous_one_ends_as_a_failure(whole, serial):
    flaky = Unreliable(lambda keys, number: number % 5 == 0)
    assert digest(run(executor=flaky, retries=20)) == serial
    assert len(flaky.sent) > 64
    poison = whole.keys[17]
    poisoned = Unreliable(lambda keys, number: poison in keys)
    with pytest.raises(wf.SweepError, match="worker died 3 times: ConnectionError"):
        run(executor=poisoned, retries=2)
    assert set(poisoned.sent) == set(whole.keys)


def test_problems_that_fail_are_values(tmp_path):
    radii = {"bodies.0.geometry.radius": [0.05, 1e9, 0.06]}
    with pytest.raises(wf.SweepError, match="ka") as caught:
        wf.sweep(PROBLEM, radii, progress=False, out=tmp_path)
    assert len(caught.value.failures) == 1 and len(caught.value.results) == len(stored(tmp_path)) == 2
    with pytest.raises(wf.ProblemError, match="radius"):
        wf.sweep(PROBLEM, {"bodies.0.geometry.radius": ["1 kg"]}, progress=False)
    with pytest.raises(KeyError, match="no 'bodys'"):
        wf.sweep(PROBLEM, {"bodys.0.geometry.radius": [0.1]}, progress=False)
    with pytest.raises(ValueError, match="needs paths"):
        wf.sweep(PROBLEM, {"frequency": []}, progress=False)


def test_a_worker_of_another_version_refuses():
    task = _task.Task("0" * 32, PROBLEM, None, 1, "none")
    (finished,) = _task.unpack(_task.run(_task.pack([task])))
    assert isinstance(finished.outcome, _task.Failure) and "another problem" in finished.outcome.message


def test_equal_problems_run_once():
    seen = []
    found = wf.sweep(PROBLEM, {"frequency": [1e9, "1 GHz", 1e9]}, progress=lambda *event: seen.append(event))
    assert len(found) == 3 and len(seen) == 1 and found[0] is found[2]


def test_a_sweep_is_a_table_and_labeled_arrays(whole):
    pytest.importorskip("xarray")
    found = whole
    frame = found.to_pandas()
    assert len(frame) == 64 and list(frame["frequency"][:8]) == PARAMETERS["frequency"]
    labeled = found.to_xarray("rcs")
    assert dict(labeled.sizes) == {"radius": 8, "frequency": 8, "theta": 1, "phi": 5}
    at = labeled.vv.sel(radius=0.05 + 0.01 * 3, frequency=1e9 + 1e8 * 2).values.ravel()
    np.testing.assert_array_equal(at, found[3 * 8 + 2]["rcs/vv"])


def test_a_thread_pool_stops_at_an_interrupt():
    def interrupt(done, total, key):
        if done == 3:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as pool, pytest.raises(KeyboardInterrupt):
        wf.sweep(PROBLEM, PARAMETERS, executor=pool, progress=interrupt)
