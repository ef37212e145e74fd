// add_scaled of addition.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let add_scaled = MetalKernelText(
        module: "addition", entry: "add_scaled", sourcesSHA256: "d29bd4da8a5db9ac1f32f7ffb900fbb19ed2ad4e6558d7019e7b6c4795beee7d",
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
uint hasGates_0;
float scale_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* gates_0;
float device* outputs_0;
float device* inputs_0;
};
[[kernel]] void add_scaled(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(3)]], float device* gates_1 [[buffer(1)]], float device* outputs_1 [[buffer(2)]], float device* inputs_1 [[buffer(0)]])
{
thread KernelContext_0 kernelContext_0;
(&kernelContext_0)->p_0 = p_1;
(&kernelContext_0)->gates_0 = gates_1;
(&kernelContext_0)->outputs_0 = outputs_1;
(&kernelContext_0)->inputs_0 = inputs_1;
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
float factor_0;
if(((&kernelContext_0)->p_0->hasGates_0) != 0U)
{
factor_0 = (&kernelContext_0)->p_0->scale_0 / (1.0f + exp(- (&kernelContext_0)->gates_0[_S3]));
}
else
{
factor_0 = (&kernelContext_0)->p_0->scale_0;
}
*((&kernelContext_0)->outputs_0+at_0) = fma(factor_0, (&kernelContext_0)->inputs_0[at_0], *((&kernelContext_0)->outputs_0+at_0));
return;
}
"""#)
}
#endif
