# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Our PoReps and updates under the reference's verifier and its own verifying keys."""
import os
import shutil
import subprocess
import sys

from harness import GOLDEN, ORACLE, Case, Porep, Update, main

CASES = ["porep-2KiB-0", "porep-2KiB-1", "porep-2KiB-2", "porep-v1-2KiB", "porep-synth-2KiB",
         "update-2KiB"]


class Oracle(Case):
    def test_reference_accepts_our_proofs(self):
        for key in (GOLDEN / "params").glob("*.vk"):
            shutil.copy(key, self.dir)
        env = {**os.environ, "FIL_PROOFS_PARAMETER_CACHE": str(self.dir)}
        for name in CASES:
            case = Update(name) if name.startswith("update") else Porep(name)
            proof = self.file("p.hex", self.good(*case.prove("-", extra=["--hex"])))
            done = subprocess.run([ORACLE, "verify", GOLDEN / name, proof], env=env,
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout.strip()), (0, "valid"),
                             f"{name} {done.stderr}")


if not ORACLE:
    print("skipped: CUZK_ORACLE names no reference program")
    sys.exit(77)
main()
