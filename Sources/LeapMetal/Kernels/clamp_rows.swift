// clamp_rows of clamp.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let clamp_rows = MetalKernelText(
        module: "clamp", entry: "clamp_rows", sourcesSHA256: "ae38ae4c4469126892c184d095903050d02919db83f62bc6c23cfffd863d3e68",
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
uint stride_0;
uint start_0;
float low_0;
float high_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* outputs_0;
float device* inputs_0;
};
[[kernel]] void clamp_rows(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(2)]], float device* outputs_1 [[buffer(1)]], float device* inputs_1 [[buffer(0)]])
{
thread KernelContext_0 kernelContext_0;
(&kernelContext_0)->p_0 = p_1;
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
uint at_0 = (&kernelContext_0)->p_0->start_0 + thread_0.y * (&kernelContext_0)->p_0->stride_0 + _S1;
*((&kernelContext_0)->outputs_0+at_0) = min(max(*((&kernelContext_0)->inputs_0+at_0), (&kernelContext_0)->p_0->low_0), (&kernelContext_0)->p_0->high_0);
return;
}
"""#)
}
#endif
