"""Runs a notebook from its first cell to its last, in a folder of its own; fails where a cell does.

Usage: run_notebook.py NOTEBOOK, with the command in MPISCOPE; the cells find it as `mpiscope`.
"""

import os
import pathlib
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(notebook)
command = pathlib.Path(os.environ["MPISCOPE"]).parent
os.environ["PATH"] = f"{command}{os.pathsep}{os.environ['PATH']}"
with tempfile.TemporaryDirectory() as folder:
    NotebookClient(notebook, timeout=100, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
if not cells or any(cell.execution_count is None for cell in cells):
    sys.exit("some cells did not run")
