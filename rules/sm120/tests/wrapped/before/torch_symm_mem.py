import types


class TorchSymmMemCommunicator:
    _WORLD_SIZES_MULTIMEM = types.MappingProxyType({9: [4, 6, 8], 10: [4, 6, 8]})
