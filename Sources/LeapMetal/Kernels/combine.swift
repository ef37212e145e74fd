// combine of combine.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let combine = MetalKernelText(
        module: "combine", entry: "combine", sourcesSHA256: "a385a961173836950d25e5d114359c0294d2d94325ad1df541d05872648ac674",
        compiler: "slangc 2026.14.1", threads: [128, 1, 1], buffers: [0, 1, 2], constants: 3,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct Parameters_0
{
uint tokens_0;
uint used_0;
uint length_0;
uint isAdded_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* weights_0;
float device* results_0;
float device* outputs_0;
};
[[kernel]] void combine(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(3)]], float device* weights_1 [[buffer(1)]], float device* results_1 [[buffer(0)]], float device* outputs_1 [[buffer(2)]])
{
thread KernelContext_0 kernelContext_0;
(&kernelContext_0)->p_0 = p_1;
(&kernelContext_0)->weights_0 = weights_1;
(&kernelContext_0)->results_0 = results_1;
(&kernelContext_0)->outputs_0 = outputs_1;
uint _S1 = thread_0.x;
bool _S2;
if(_S1 >= (p_1->length_0))
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
uint _S3 = thread_0.y;
uint at_0 = _S3 * p_1->length_0 + _S1;
float sum_0 = 0.0f;
uint slot_0 = 0U;
for(;;)
{
if(slot_0 < ((&kernelContext_0)->p_0->used_0))
{
}
else
{
break;
}
uint entry_0 = _S3 * (&kernelContext_0)->p_0->used_0 + slot_0;
float _S4 = fma((&kernelContext_0)->weights_0[entry_0], (&kernelContext_0)->results_0[entry_0 * p_1->length_0 + _S1], sum_0);
uint _S5 = slot_0 + 1U;
sum_0 = _S4;
slot_0 = _S5;
}
float device* _S6 = (&kernelContext_0)->outputs_0+at_0;
if(((&kernelContext_0)->p_0->isAdded_0) != 0U)
{
sum_0 = *((&kernelContext_0)->outputs_0+at_0) + sum_0;
}
*_S6 = sum_0;
return;
}
"""#)
}
#endif
