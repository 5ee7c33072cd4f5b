class TorchSymmMemCommunicator:
    _WORLD_SIZES_MULTIMEM = dict()
    _WORLD_SIZES_MULTIMEM[9] = [4, 6, 8]
    _WORLD_SIZES_MULTIMEM[10] = [4, 6, 8]

    def __init__(self, group):
        self.disabled = True
