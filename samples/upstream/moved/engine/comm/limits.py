"""Limits of the all-reduce kernels, by compute capability."""

from typing import Final, Mapping

MiB = 1024 * 1024

# Compute capability (major) -> number of GPUs -> largest message in bytes.
TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES: Final[Mapping[int, Mapping[int, int]]] = {
    9: {
        2: 64 * MiB,  # 64 MB
        4: 64 * MiB,  # 64 MB
        8: 128 * MiB,  # 128 MB
    },
    10: {
        2: 128 * MiB,  # 128 MB
        4: 64 * MiB,  # 64 MB
        8: 256 * MiB,  # 256 MB
    },
}
