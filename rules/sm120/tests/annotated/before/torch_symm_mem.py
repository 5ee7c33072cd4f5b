from typing import ClassVar


class TorchSymmMemCommunicator:
    _WORLD_SIZES_MULTIMEM: ClassVar[dict[int, list[int]]] = {9: [4, 6, 8], 10: [4, 6, 8]}
