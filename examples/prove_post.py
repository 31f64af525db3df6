#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves a WinningPoSt of one sector and verifies it, from Python, with ctypes and libcuzk.so.

    prove_post.py LIBRARY REGISTERED_PROOF MINER_ID RANDOMNESS SECTOR_NUMBER COMM_R VANILLA_FILE
                  PARAMS_DIR

VANILLA_FILE holds a JSON list of base64 vanilla proofs, as Curio sends it. Where the job stands is
printed while it runs; then another job is begun and cancelled.
"""
import ctypes
import sys
from ctypes import (POINTER, Structure, Union, byref, c_bool, c_char, c_char_p, c_double, c_int,
                    c_size_t, c_uint8, c_uint32, c_uint64, c_void_p, sizeof)

OK, CANCELLED, BUSY = 0, 2, 7  # cuzk_status
WINNING_POST = 4               # cuzk_kind
DONE = 8                       # cuzk_stage
COMM_R = 0                     # cuzk_commitment
ALL_PARTITIONS = 2**32 - 1
Bytes32 = c_uint8 * 32


class Error(Structure):
    _fields_ = [("status", c_int), ("text", c_char * 1024)]


class Sized(Structure):
    """A structure that begins with its own size, the rest zeroed or as given."""

    def __init__(self, **members):
        super().__init__(sizeof(type(self)), **members)


class EngineOptions(Sized):
    _fields_ = [("struct_size", c_size_t), ("params_folder", c_char_p),
                ("params_source", c_char_p), ("threads", c_uint32), ("max_jobs", c_uint32),
                ("memory_budget", c_uint64), ("serial", c_bool), ("log", c_void_p),
                ("log_arg", c_void_p)]


class Request(Sized):
    _fields_ = [("struct_size", c_size_t), ("kind", c_int), ("registered_proof", c_uint32),
                ("miner_id", c_uint64), ("sector_number", c_uint64), ("randomness", Bytes32),
                ("comm_r_old", Bytes32), ("comm_r_new", Bytes32), ("comm_d_new", Bytes32),
                ("inputs", c_void_p), ("n_inputs", c_size_t), ("partition", c_uint32),
                ("priority", c_int), ("timeout_ms", c_uint64)]


class Timings(Structure):
    _fields_ = [(name, c_double) for name in (
        "queue_s", "parse_s", "check_s", "plan_s", "load_s", "synthesis_s", "h_s", "msm_s",
        "io_wait_s", "verify_s", "total_s")]


class Result(Sized):
    _fields_ = [("struct_size", c_size_t), ("proofs", POINTER(c_uint8)), ("length", c_size_t),
                ("timings", Timings)]


class Progress(Sized):
    _fields_ = [("struct_size", c_size_t), ("stage", c_int), ("status", c_int),
                ("n_partitions", c_uint32), ("partitions_done", c_uint32),
                ("partition", c_uint32), ("seconds", c_double), ("bytes", c_uint64)]


class Sector(Structure):
    _fields_ = [("number", c_uint64), ("comm_r", Bytes32)]


class PostStatement(Structure):
    _fields_ = [("registered_proof", c_uint32), ("miner_id", c_uint64), ("randomness", Bytes32),
                ("sectors", POINTER(Sector)), ("n_sectors", c_size_t)]


class PorepStatement(Structure):
    _fields_ = [("registered_proof", c_uint32), ("miner_id", c_uint64),
                ("sector_number", c_uint64), ("comm_r", Bytes32), ("comm_d", Bytes32),
                ("ticket", Bytes32), ("seed", Bytes32)]


class UpdateStatement(Structure):
    _fields_ = [("registered_proof", c_uint32), ("comm_r_old", Bytes32),
                ("comm_r_new", Bytes32), ("comm_d_new", Bytes32)]


class OfKind(Union):
    _fields_ = [("porep", PorepStatement), ("update", UpdateStatement), ("post", PostStatement)]


class Statement(Sized):
    _fields_ = [("struct_size", c_size_t), ("kind", c_int), ("of", OfKind)]


class Failure(Exception):
    pass


class Cuzk:
    """The calls this example makes; those that fail raise Failure with the error's text."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.cuzk_stage_name.restype = c_char_p
        self.library.cuzk_engine_close.argtypes = [c_void_p]
        self.library.cuzk_vanilla_free.argtypes = [c_void_p]
        self.engine = c_void_p()

    def call(self, name, *args, accept=()):
        error = Error()
        status = getattr(self.library, name)(*args, byref(error))
        if status != OK and status not in accept:
            raise Failure(error.text.decode())
        return status

    def open(self, params_folder):
        self.call("cuzk_engine_open", byref(self.engine),
                  byref(EngineOptions(params_folder=params_folder.encode())))

    def close(self):
        self.library.cuzk_engine_close(self.engine)

    def submit(self, request):
        job = c_uint64()
        self.call("cuzk_submit", self.engine, byref(request), byref(job))
        return job

    def wait(self, job, timeout_ms, result, accept=()):
        return self.call("cuzk_wait", self.engine, job, c_uint64(timeout_ms), byref(result),
                         accept=accept)

    def stage(self, job):
        progress = Progress()
        self.call("cuzk_poll", self.engine, job, byref(progress))
        return self.library.cuzk_stage_name(progress.stage).decode()

    def prove(self, request):
        """The proofs' bytes; prints each stage that is seen."""
        job, result, last = self.submit(request), Result(), None
        while self.wait(job, 20, result, accept=[BUSY]) == BUSY:
            stage = self.stage(job)
            if stage not in (last, "done"):
                print("stage:", stage)
            last = stage
        proofs = bytes(result.proofs[:result.length])
        print(f"proved in {result.timings.total_s:.3f} s: {len(proofs)} bytes")
        self.library.cuzk_result_clear(byref(result))
        return proofs

    def prove_and_cancel(self, request):
        job = self.submit(request)
        self.call("cuzk_cancel", self.engine, job)
        if self.wait(job, 10000, Result(), accept=[CANCELLED]) == CANCELLED:
            print("cancelled")

    def verify(self, statement, proofs):
        self.call("cuzk_verify", self.engine, byref(statement), proofs, c_size_t(len(proofs)))
        print("valid")


def run(cuzk, proof, miner_id, randomness, number, comm_r, vanilla_file, params_folder):
    with open(vanilla_file, "rb") as file:
        text = file.read()
    inputs, n_inputs, sector = c_void_p(), c_size_t(), Sector(number=int(number))
    cuzk.call("cuzk_commitment_from_text", COMM_R, comm_r.encode(), b"COMM_R",
              byref(sector, Sector.comm_r.offset))
    cuzk.call("cuzk_vanilla_from_json", text, c_size_t(len(text)), b"vanilla", byref(inputs),
              byref(n_inputs))
    who = {"registered_proof": int(proof), "miner_id": int(miner_id),
           "randomness": Bytes32.from_buffer_copy(bytes.fromhex(randomness))}
    request = Request(kind=WINNING_POST, inputs=inputs, n_inputs=n_inputs.value,
                      partition=ALL_PARTITIONS, **who)
    statement = Statement(kind=WINNING_POST, of=OfKind(
        post=PostStatement(sectors=ctypes.pointer(sector), n_sectors=1, **who)))
    cuzk.open(params_folder)
    try:
        cuzk.verify(statement, cuzk.prove(request))
        cuzk.prove_and_cancel(request)
    finally:
        cuzk.close()
        cuzk.library.cuzk_vanilla_free(inputs)


def main():
    if len(sys.argv) != 9:
        sys.exit(__doc__)
    try:
        run(Cuzk(sys.argv[1]), *sys.argv[2:])
    except Failure as failure:
        sys.exit(f"prove_post.py: {failure}")


main()
