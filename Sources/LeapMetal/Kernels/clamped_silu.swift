// clamped_silu of activation.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let clamped_silu = MetalKernelText(
        module: "activation", entry: "clamped_silu", sourcesSHA256: "532f3a670c241ffa17d1a49a10bd7f1bec65f71fdde5a1b17413a96aeb524ffa",
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
float limit_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* gates_0;
float device* factors_0;
};
[[kernel]] void clamped_silu(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(2)]], float device* gates_1 [[buffer(0)]], float device* factors_1 [[buffer(1)]])
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
uint at_0 = thread_0.y * p_1->length_0 + _S1;
float _S3 = min(*((&kernelContext_0)->gates_0+at_0), (&kernelContext_0)->p_0->limit_0);
*((&kernelContext_0)->gates_0+at_0) = _S3 / (1.0f + exp(-1.70200002193450928f * _S3)) * (clamp((&kernelContext_0)->factors_0[at_0], - (&kernelContext_0)->p_0->limit_0, (&kernelContext_0)->p_0->limit_0) + 1.0f);
return;
}
"""#)
}
#endif
