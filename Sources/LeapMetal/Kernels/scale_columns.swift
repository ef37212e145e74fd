// scale_columns of columns.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let scale_columns = MetalKernelText(
        module: "columns", entry: "scale_columns", sourcesSHA256: "f5aa21e845bdf07200290ec9bb98701a2dfd44eedff2e7855899820a5c08e966",
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
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* outputs_0;
float device* inputs_0;
float device* factors_0;
};
[[kernel]] void scale_columns(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(3)]], float device* outputs_1 [[buffer(2)]], float device* inputs_1 [[buffer(0)]], float device* factors_1 [[buffer(1)]])
{
thread KernelContext_0 kernelContext_0;
(&kernelContext_0)->p_0 = p_1;
(&kernelContext_0)->outputs_0 = outputs_1;
(&kernelContext_0)->inputs_0 = inputs_1;
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
*((&kernelContext_0)->outputs_0+at_0) = (&kernelContext_0)->inputs_0[at_0] * (&kernelContext_0)->factors_0[_S1];
return;
}
"""#)
}
#endif
