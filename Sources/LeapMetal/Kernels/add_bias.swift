// add_bias of bias.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let add_bias = MetalKernelText(
        module: "bias", entry: "add_bias", sourcesSHA256: "a815dd4933703c165e2e511b58285087fe3da6b16fa388251ec5beb2831bbf64",
        compiler: "slangc 2026.14.1", threads: [128, 1, 1], buffers: [0, 1, 2], constants: 3,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct Parameters_0
{
uint rows_0;
uint length_0;
uint isAdded_0;
uint hasExperts_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
uint device* experts_0;
float device* bias_0;
float device* outputs_0;
};
[[kernel]] void add_bias(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(3)]], uint device* experts_1 [[buffer(2)]], float device* bias_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]])
{
thread KernelContext_0 kernelContext_0;
(&kernelContext_0)->p_0 = p_1;
(&kernelContext_0)->experts_0 = experts_1;
(&kernelContext_0)->bias_0 = bias_1;
(&kernelContext_0)->outputs_0 = outputs_1;
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
uint expert_0;
if(((&kernelContext_0)->p_0->hasExperts_0) != 0U)
{
expert_0 = (&kernelContext_0)->experts_0[_S3];
}
else
{
expert_0 = 0U;
}
float number_0 = (&kernelContext_0)->bias_0[expert_0 * p_1->length_0 + _S1];
float device* _S4 = (&kernelContext_0)->outputs_0+at_0;
float _S5;
if(((&kernelContext_0)->p_0->isAdded_0) != 0U)
{
_S5 = *((&kernelContext_0)->outputs_0+at_0) + number_0;
}
else
{
_S5 = number_0;
}
*_S4 = _S5;
return;
}
"""#)
}
#endif
