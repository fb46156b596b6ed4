"""The `wavefield` command of the wheel."""

from __future__ import annotations

import os
import signal
import sys


def main() -> int:
    """Runs the command line and returns its exit code."""
    # The command handles interrupts itself; Python's handler would only run after it has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from wavefield import _native

    return _native.run_cli([os.fspath(argument) for argument in sys.argv])


if __name__ == "__main__":
    sys.exit(main())
