from types import MappingProxyType

MiB = 1 << 20

TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES = MappingProxyType(
    {
        9: {
            2: 64 * MiB,
            4: 64 * MiB,
            6: 128 * MiB,
            8: 128 * MiB,
        },
        # Blackwell
        10: {
            2: 64 * MiB,
            4: 64 * MiB,
            6: 128 * MiB,
            8: 128 * MiB,
        },
        12: {
            2: 256 * MiB,
            4: 256 * MiB,
            6: 128 * MiB,
            8: 128 * MiB,
        },
    }
)
