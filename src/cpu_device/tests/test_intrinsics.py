"""The rarer intrinsics, and what programs written for CUDA 12 and older use."""

import pytest
from running import run

WORDS = """\
02018000 ffffffff 7f800202 ffffffff 01027f04 80027f04 ff00ff00 00010000
0101ffff 00000200 02020305 7fff0001 000007f9 fffffff9 00000020 0000000d
fffffffd ffffffff 00000001 40080000 00000007 fffffffd 00000003 00000003""".splitlines()

OLDER = """\
cudaGetDeviceProperties(&properties, 0): cudaSuccess
1980000 kHz, 3201000 kHz, overlap 1, mode 0, timeout 0, layers 2048
cudaChooseDevice(&device, &properties): cudaSuccess
cudaDeviceGetPCIBusId(bus, sizeof bus, 0): cudaSuccess
cudaDeviceGetByPCIBusId(&device, bus): cudaSuccess
cudaDeviceGetByPCIBusId(&device, "0000:02:00.0"): cudaErrorInvalidDevice
cudaSetDeviceFlags(cudaDeviceBlockingSync | cudaDeviceMapHost): cudaSuccess
cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte): cudaSuccess
cudaFuncSetSharedMemConfig(increment, cudaSharedMemBankSizeFourByte): cudaSuccess
cudaDeviceEnablePeerAccess(1, 0): cudaErrorInvalidDevice
cudaEventCreate(&event, cudaEventDisableTiming): cudaSuccess
cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value): cudaSuccess
cudaCtxResetPersistingL2Cache(): cudaSuccess
cudaStreamAttachMemAsync(stream, data): cudaSuccess
cudaStreamAttachMemAsync(stream, copy, 0, cudaMemAttachHost): cudaErrorInvalidValue
cudaMemAdvise(data, 100 * sizeof *data, cudaMemAdviseSetPreferredLocation, device): cudaSuccess
cudaMemPrefetchAsync(data, 100 * sizeof *data, device, stream): cudaSuccess
cudaMemPrefetchAsync(data, 100 * sizeof *data, cudaCpuDeviceId, stream): cudaSuccess
cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault): cudaSuccess
cudaEventSynchronize(event): cudaSuccess
cudaMemcpyPeer(copy, 0, data, 0, 100 * sizeof *data): cudaSuccess
cudaGraphInstantiate(&exec, graph, NULL, NULL, 0): cudaSuccess
cudaGraphLaunch(exec, stream): cudaSuccess
cudaThreadSynchronize(): cudaSuccess
data 2
cudaDeviceSynchronize(): cudaSuccess
claimed 31 7
cudaThreadExit(): cudaSuccess""".splitlines()


@pytest.mark.parametrize("name", ["intrinsics", "intrinsics-explain"])
def test_intrinsics(programs, name):
    assert run(programs[name])[0] == WORDS


def test_older_programs(programs):
    assert run(programs["older"])[0] == OLDER


# A cast gives the nearest limit, as on a GPU; the values follow from the definitions.
SAMPLES = """\
ranges -2 -2
float 2147483647 4294967295 9223372036854775807
float -2147483648 0 -9223372036854775808
float -2 0 -2
float 2147483647 3000000000 3000000000
double 2147483647 4294967295 9223372036854775807
double -2147483648 0 -9223372036854775808
double -2 0 -2
double 2147483647 3000000000 3000000000
6 5.5 52 14 20.6 211 5 83 10 5.14159
cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -99): cudaSuccess
cudaStreamGetPriority(stream, &priority): cudaSuccess
cudaStreamGetFlags(stream, &flags): cudaSuccess
cudaStreamGetDevice(stream, &device): cudaSuccess
priority -5, flags 1, device 0, own id 1
cudaFuncGetName(&name, reinterpret_cast<const void*>(values)): cudaSuccess
_Z6valuesPd
cudaMemPoolSetAccess(pool, &access, 1): cudaSuccess
cudaProfilerStart(): cudaSuccess
cudaMemcpy2DArrayToArray(to, 0, 0, from, 0, 0, 16, 2): cudaSuccess
cudaMemcpyFromArray(back, to, 4, 0, sizeof back, cudaMemcpyDeviceToHost): cudaSuccess
array 1 ... 5
cudaMemcpyFromArray(back, to, 0, 1, sizeof back, cudaMemcpyDeviceToHost): \
cudaErrorInvalidValue""".splitlines()


@pytest.mark.compiler
@pytest.mark.parametrize("name", ["samples", "samples-explain"])
def test_what_samples_use(programs, name):
    assert run(programs[name])[0] == SAMPLES
