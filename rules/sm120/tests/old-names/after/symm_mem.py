class SymmMemCommunicator:
    _WORLD_SIZES_MULTIMEM = {
        9: [4, 6, 8],
        12: [6, 8],
    }
