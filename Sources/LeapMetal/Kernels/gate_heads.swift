// gate_heads of headgates.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let gate_heads = MetalKernelText(
        module: "headgates", entry: "gate_heads", sourcesSHA256: "557c5002b8645d4bc681768256a1f0f09b2f0b96e406ac8338dc8aa3d2ca063c",
        compiler: "slangc 2026.14.1", threads: [128, 1, 1], buffers: [0, 1], constants: 2,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct Parameters_0
{
uint tokens_0;
uint heads_0;
uint length_0;
uint tokenStride_0;
uint headStride_0;
uint start_0;
uint isPerElement_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* gates_0;
float device* values_0;
};
[[kernel]] void gate_heads(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(2)]], float device* gates_1 [[buffer(1)]], float device* values_1 [[buffer(0)]])
{
thread KernelContext_0 kernelContext_0;
(&kernelContext_0)->p_0 = p_1;
(&kernelContext_0)->gates_0 = gates_1;
(&kernelContext_0)->values_0 = values_1;
uint _S1 = thread_0.x;
bool _S2;
if(_S1 >= (p_1->heads_0 * p_1->length_0))
{
_S2 = true;
}
else
{
_S2 = (thread_0.y) >= ((&kernelContext_0)->p_0->tokens_0);
}
if(_S2)
{
return;
}
uint head_0 = _S1 / p_1->length_0;
uint element_0;
if(((&kernelContext_0)->p_0->isPerElement_0) != 0U)
{
uint _S3 = _S1 % p_1->length_0;
element_0 = _S3;
}
else
{
element_0 = 0U;
}
uint _S4 = thread_0.y;
float device* _S5 = (&kernelContext_0)->values_0+(_S4 * p_1->heads_0 * p_1->length_0 + _S1);
*_S5 = *_S5 / (1.0f + exp(- (&kernelContext_0)->gates_0[_S4 * (&kernelContext_0)->p_0->tokenStride_0 + head_0 * (&kernelContext_0)->p_0->headStride_0 + (&kernelContext_0)->p_0->start_0 + element_0]));
return;
}
"""#)
}
#endif
