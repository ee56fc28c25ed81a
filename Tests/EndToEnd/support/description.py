"""Schemathesis, which makes calls up from the served OpenAPI description and knows nothing else of the server."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

# What is checked of each answer where nothing may differ from the description.
CONFORMANCE = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance")
# Where Hypothesis keeps its tables of characters. By default each run makes its own, which takes some seconds.
TABLES = Path(tempfile.gettempdir()) / f"linden-hypothesis-{os.getuid()}"


def call_as_described(description, url, examples, checks, headers=(), timeout=None):
    """Makes calls up from a file, in its folder: the examples that it has, and so many others of each operation."""
    return subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "run", description.name, "--url", url, "--phases", "examples,fuzzing",
         "--max-examples", str(examples), "--generation-deterministic", "--continue-on-failure", "--no-color",
         "--checks", ",".join(checks), *[part for header in headers for part in ("--header", header)]],
        cwd=description.parent, env=os.environ | {"HYPOTHESIS_STORAGE_DIRECTORY": str(TABLES)}, capture_output=True, text=True,
        timeout=timeout)
