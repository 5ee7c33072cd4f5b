class TorchSymmMemCommunicator:
    _WORLD_SIZES_MULTIMEM = {12: [6, 8], 9: [4, 6, 8]}
