"""Limits of the all-reduce kernels, by compute capability."""

MiB = 1024 * 1024

# Compute capability (major) -> number of GPUs -> largest message in bytes.
TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES = {
    9: {
        2: 64 * MiB,  # 64 MB
        4: 64 * MiB,  # 64 MB
        8: 128 * MiB,  # 128 MB
    },
    10: {
        2: 64 * MiB,  # 64 MB
        4: 64 * MiB,  # 64 MB
        8: 128 * MiB,  # 128 MB
    },
}
