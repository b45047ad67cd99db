"""Memory pools and registered host memory."""

import pytest
from running import run

MEMORY = """\
cudaDeviceGetDefaultMemPool(&pool, 0): cudaSuccess
cudaMemPoolCreate(&own, &properties): cudaSuccess
cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold): cudaSuccess
cudaMallocFromPoolAsync(&a, 4096, own, stream): cudaSuccess
cudaMallocAsync(&b, 64, stream): cudaSuccess
cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &bytes): cudaSuccess
used 4096
cudaFreeAsync(a, stream): cudaSuccess
cudaFreeAsync(b, stream): cudaSuccess
cudaStreamSynchronize(stream): cudaSuccess
result 5, used 0
highest 4096
cudaDeviceSetMemPool(0, own): cudaSuccess
cudaMemPoolDestroy(own): cudaSuccess
cudaHostRegister(host.data(), 32 * sizeof(int), cudaHostRegisterMapped): cudaSuccess
cudaHostRegister(host.data() + 4, 4, cudaHostRegisterDefault): cudaErrorHostMemoryAlreadyRegistered
cudaHostGetDevicePointer(&seen, host.data(), 0): cudaSuccess
cudaDeviceSynchronize(): cudaSuccess
registered 8
type 1
cudaHostUnregister(host.data()): cudaSuccess
cudaHostUnregister(host.data()): cudaErrorHostMemoryNotRegistered""".splitlines()


@pytest.mark.parametrize("name", ["memory", "memory-explain"])
def test_pools_and_registered_memory(programs, name):
    assert run(programs[name])[0] == MEMORY
