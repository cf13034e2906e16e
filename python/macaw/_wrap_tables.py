# SPDX-License-Identifier: MIT
"""What is counted and timed out of the box, by the module where users find it: functions ("solve"), many of them
("read_*"), methods ("DataFrame.merge"). Under "package.*", a method of every public class in the package that has the
first one named. What a version of the library does not have is skipped, and so is what C keeps to itself."""

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
    "scipy.fft": (
        *("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "rfft", "irfft", "rfft2", "irfft2", "rfftn", "irfftn"),
        *("hfft", "ihfft", "hfftn", "ihfftn", "dct", "idct", "dctn", "idctn", "dst", "idst", "dstn", "idstn"),
        *("fht", "ifht"),
    ),
    "scipy.linalg": (
        *("cho_factor", "cho_solve", "cholesky", "det", "eig", "eig_banded", "eigh", "eigh_tridiagonal", "eigvals"),
        *("eigvalsh", "expm", "hessenberg", "inv", "ldl", "logm", "lstsq", "lu", "lu_factor", "lu_solve", "norm"),
        *("null_space", "orth", "pinv", "polar", "qr", "qz", "rq", "schur", "solve", "solve_banded"),
        *("solve_continuous_are", "solve_discrete_are", "solve_sylvester", "solve_toeplitz", "solve_triangular"),
        *("solveh_banded", "sqrtm", "svd", "svdvals"),
    ),
    "scipy.optimize": (
        *("basinhopping", "bisect", "brentq", "brute", "curve_fit", "differential_evolution", "direct"),
        *("dual_annealing", "fmin", "fmin_bfgs", "fmin_cg", "fmin_l_bfgs_b", "fsolve", "least_squares", "leastsq"),
        *("linear_sum_assignment", "linprog", "lsq_linear", "milp", "minimize", "minimize_scalar", "newton", "nnls"),
        *("root", "root_scalar", "shgo"),
    ),
    "scipy.integrate": (
        *("cubature", "cumulative_trapezoid", "dblquad", "fixed_quad", "nquad", "odeint", "quad", "quad_vec"),
        *("simpson", "solve_bvp", "solve_ivp", "tplquad", "trapezoid"),
    ),
    "scipy.signal": (
        *("convolve", "convolve2d", "correlate", "correlate2d", "csd", "decimate", "deconvolve"),
        *("detrend", "fftconvolve", "filtfilt", "find_peaks", "find_peaks_cwt", "firwin", "hilbert", "istft"),
        *("lfilter", "lombscargle", "medfilt", "oaconvolve", "periodogram", "resample", "resample_poly"),
        *("savgol_filter", "sosfilt", "sosfiltfilt", "spectrogram", "stft", "welch"),
    ),
    "scipy.sparse.linalg": (
        *("bicg", "bicgstab", "cg", "cgs", "eigs", "eigsh", "expm", "expm_multiply", "factorized", "gmres", "inv"),
        *("lgmres", "lobpcg", "lsmr", "lsqr", "minres", "norm", "qmr", "spilu", "splu", "spsolve"),
        *("spsolve_triangular", "svds"),
    ),
    "pandas": (
        *("merge", "merge_asof", "merge_ordered", "read_*", "to_pickle"),
        *("DataFrame.merge", "DataFrame.to_csv", "DataFrame.to_excel", "DataFrame.to_feather", "DataFrame.to_hdf"),
        *("DataFrame.to_json", "DataFrame.to_orc", "DataFrame.to_parquet", "DataFrame.to_pickle", "DataFrame.to_sql"),
        *("DataFrame.to_stata", "DataFrame.to_xml", "Series.to_csv", "Series.to_hdf", "Series.to_json"),
        *("Series.to_pickle", "Series.to_sql"),
    ),
    "pandas.core.groupby": ("DataFrameGroupBy.apply", "SeriesGroupBy.apply"),
    "sklearn.*": ("fit", "fit_predict", "fit_transform", "partial_fit", "predict", "predict_proba", "transform"),
    "torch": ("load", "save", "Tensor.backward"),
    "torch.optim.*": ("step",),
    "torch.utils.data.dataloader": ("_BaseDataLoaderIter.__next__",),
    "h5py": (
        *("Dataset.__getitem__", "Dataset.__setitem__", "Dataset.read_direct", "Dataset.write_direct"),
        "Group.create_dataset",
    ),
}

# Where the place of the code says little to a user.
NAMES: dict[str, str] = {
    "torch.utils.data.dataloader._BaseDataLoaderIter.__next__": "torch.utils.data.DataLoader.__next__",
}
