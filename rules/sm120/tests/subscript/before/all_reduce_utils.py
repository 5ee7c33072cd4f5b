MiB = 1024 * 1024

TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES: dict[int, dict[int, int]] = dict()
TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES[9] = {2: 64 * MiB, 4: 64 * MiB, 6: 128 * MiB, 8: 128 * MiB}
TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES[10] = {2: 64 * MiB, 4: 64 * MiB, 6: 128 * MiB, 8: 128 * MiB}


def max_size(capability, world_size):
    return TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES.get(capability, {}).get(world_size)
