// add of elementwise.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let add = MetalKernelText(
        module: "elementwise", entry: "add", sourcesSHA256: "be4bf2f2451338d47b8a5bae6d84676f7153580b5f2579fdcc4852446d55a35b",
        compiler: "slangc 2026.14.1", threads: [128, 1, 1], buffers: [0, 1, 2], constants: 3,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct Parameters_0
{
uint count_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* outputs_0;
float device* first_0;
float device* second_0;
};
[[kernel]] void add(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(3)]], float device* outputs_1 [[buffer(2)]], float device* first_1 [[buffer(0)]], float device* second_1 [[buffer(1)]])
{
thread KernelContext_0 kernelContext_0;
(&kernelContext_0)->p_0 = p_1;
(&kernelContext_0)->outputs_0 = outputs_1;
(&kernelContext_0)->first_0 = first_1;
(&kernelContext_0)->second_0 = second_1;
uint _S1 = thread_0.x;
if(_S1 < (p_1->count_0))
{
*((&kernelContext_0)->outputs_0+_S1) = (&kernelContext_0)->first_0[_S1] + (&kernelContext_0)->second_0[_S1];
}
return;
}
"""#)
}
#endif
