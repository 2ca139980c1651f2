"""The browser that the dashboard is tested with."""

import shutil

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") or ""
