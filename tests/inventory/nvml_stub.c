/* Two GPUs, of cc 12.0 and 9.0, as NVML would tell of them. */
int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  static int devices[2] = {12, 9};
  *device = &devices[index];
  return 0;
}
int nvmlDeviceGetCudaComputeCapability(void* device, int* major, int* minor) {
  *major = *(int*)device;
  *minor = 0;
  return 0;
}
