# SPDX-License-Identifier: MIT
"""Functions that are counted and timed out of the box, by the module where users find them. Names that a version of the
library does not have are skipped."""

from __future__ import annotations

LIBRARIES: dict[str, tuple[str, ...]] = {
    "numpy.fft": (
        *("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "rfft", "irfft", "rfft2", "irfft2", "rfftn", "irfftn"),
        *("hfft", "ihfft", "fftfreq", "rfftfreq", "fftshift", "ifftshift"),
    ),
    "numpy.linalg": (
        *("cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq"),
        *("matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer"),
        *("pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace"),
        *("vecdot", "vector_norm"),
    ),
}
