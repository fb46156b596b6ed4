"""The `wavefield` command, as the wheel brings it."""

from __future__ import annotations

import os
import signal
import sys


def main() -> int:
    """Run the command line; returns its exit code."""
    # The program handles interrupts itself; Python's handler would only run after the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from wavefield import _native

    return _native.run_cli([os.fspath(argument) for argument in sys.argv])


if __name__ == "__main__":
    sys.exit(main())
