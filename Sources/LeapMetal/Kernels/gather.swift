// gather of gather.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let gather = MetalKernelText(
        module: "gather", entry: "gather", sourcesSHA256: "ba705f0b1138496d8b48799a4996f18c3ec97f04106aa515f8e9572011962d03",
        compiler: "slangc 2026.14.1", threads: [128, 1, 1], buffers: [0, 1, 2], constants: 3,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct Parameters_0
{
uint count_0;
uint length_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* outputs_0;
uint device* rows_0;
float device* inputs_0;
};
[[kernel]] void gather(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(3)]], float device* outputs_1 [[buffer(2)]], uint device* rows_1 [[buffer(1)]], float device* inputs_1 [[buffer(0)]])
{
thread KernelContext_0 kernelContext_0;
(&kernelContext_0)->p_0 = p_1;
(&kernelContext_0)->outputs_0 = outputs_1;
(&kernelContext_0)->rows_0 = rows_1;
(&kernelContext_0)->inputs_0 = inputs_1;
uint _S1 = thread_0.x;
bool _S2;
if(_S1 < (p_1->length_0))
{
_S2 = (thread_0.y) < ((&kernelContext_0)->p_0->count_0);
}
else
{
_S2 = false;
}
if(_S2)
{
uint _S3 = thread_0.y;
*((&kernelContext_0)->outputs_0+(_S3 * p_1->length_0 + _S1)) = (&kernelContext_0)->inputs_0[(&kernelContext_0)->rows_0[_S3] * p_1->length_0 + _S1];
}
return;
}
"""#)
}
#endif
