"""Generates `_generated.py` before the package is built from a clone of the repository; a source distribution has it."""

import subprocess
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version, build_data):
        package = Path(self.root)
        generate = package.parents[2] / "infra" / "clients" / "generate.mjs"
        if generate.exists():
            subprocess.run(["node", str(generate)], check=True)
        if not (package / "src" / "overround" / "_generated.py").exists():
            raise RuntimeError("_generated.py is missing: run npm ci and npm run generate in a clone of the repository")
