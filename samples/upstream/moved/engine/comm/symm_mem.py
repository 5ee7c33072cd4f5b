"""All-reduce over symmetric memory."""

from engine.comm.limits import TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES


class TorchSymmMemCommunicator:
    """Chooses between the multimem and the two-shot all-reduce.

    A GPU that neither table lists keeps the communicator disabled.
    """

    # Compute capability (major) -> numbers of GPUs for which multimem pays off.
    _WORLD_SIZES_MULTIMEM = {
        9: [4, 8],
        10: [8],  # two-shot is faster on 4
    }

    def __init__(self, capability, world_size):
        self.capability = capability
        self.world_size = world_size
        sizes = TORCH_SYMM_MEM_ALL_REDUCE_MAX_SIZES.get(capability, {})
        self.max_size = sizes.get(world_size, 0)
        self.disabled = self.max_size == 0

    def kernel(self, size):
        """The kernel for a message of `size` bytes, or None."""
        if self.disabled or size > self.max_size:
            return None
        if self.world_size in self._WORLD_SIZES_MULTIMEM.get(self.capability, []):
            return "multimem"
        return "two-shot"
