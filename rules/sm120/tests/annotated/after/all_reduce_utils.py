from typing import Final

MiB: Final = 1024 * 1024

TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES: Final[dict[int, dict[int, int]]] = {
    9: {2: 64 * MiB, 4: 64 * MiB, 6: 128 * MiB, 8: 128 * MiB},
    10: {2: 64 * MiB, 4: 64 * MiB, 6: 128 * MiB, 8: 128 * MiB},
    12: {2: 256 * MiB, 4: 256 * MiB, 6: 128 * MiB, 8: 128 * MiB},
}
