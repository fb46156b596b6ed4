"""A page as a browser shows it."""

import shutil
import subprocess

import numpy as np

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def picture(page, folder, height=2900):
    """The colors of a page, 1200 points wide, as rows of red, green and blue; the browser leaves its files in a folder."""
    from matplotlib import image

    shot = folder / "page.png"
    subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
            "--hide-scrollbars", "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--no-first-run", f"--window-size=1200,{height}", "--virtual-time-budget=4000",
            f"--user-data-dir={folder / 'profile'}", f"--screenshot={shot}", page.as_uri(),
        ],
        check=True, timeout=120, capture_output=True,
    )
    return (image.imread(shot)[..., :3] * 255).astype(np.uint8)
