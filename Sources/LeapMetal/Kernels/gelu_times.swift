// gelu_times of tokeninputs.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let gelu_times = MetalKernelText(
        module: "tokeninputs", entry: "gelu_times", sourcesSHA256: "115a91a4ff900802567461f70af809648cec17d5641286066f9c51e3d13b1413",
        compiler: "slangc 2026.14.1", threads: [128, 1, 1], buffers: [0, 1], constants: 2,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct Parameters_0
{
uint rows_0;
uint length_0;
uint factorStride_0;
uint factorStart_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* gates_0;
float device* factors_0;
};
[[kernel]] void gelu_times(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(2)]], float device* gates_1 [[buffer(0)]], float device* factors_1 [[buffer(1)]])
{
thread KernelContext_0 kernelContext_0;
(&kernelContext_0)->p_0 = p_1;
(&kernelContext_0)->gates_0 = gates_1;
(&kernelContext_0)->factors_0 = factors_1;
uint _S1 = thread_0.x;
bool _S2;
if(_S1 >= (p_1->length_0))
{
_S2 = true;
}
else
{
_S2 = (thread_0.y) >= ((&kernelContext_0)->p_0->rows_0);
}
if(_S2)
{
return;
}
uint _S3 = thread_0.y;
uint at_0 = _S3 * p_1->length_0 + _S1;
float device* _S4 = (&kernelContext_0)->gates_0+at_0;
*((&kernelContext_0)->gates_0+at_0) = *_S4 / (1.0f + exp(- (1.59576916694641113f * *_S4 * fma(0.04471499845385551f * *_S4, *_S4, 1.0f)))) * (&kernelContext_0)->factors_0[_S3 * (&kernelContext_0)->p_0->factorStride_0 + (&kernelContext_0)->p_0->factorStart_0 + _S1];
return;
}
"""#)
}
#endif
