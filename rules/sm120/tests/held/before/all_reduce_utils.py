MiB = 1024 * 1024

TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES = {
    9: {2: 64 * MiB, 4: 64 * MiB, 6: 128 * MiB, 8: 128 * MiB},
    12: {8: 134217728, 6: 128 * 1024**2, 4: 268435456, 2: 0x10000000},  # by hand
}
