// add_to_streams of streams.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let add_to_streams = MetalKernelText(
        module: "streams", entry: "add_to_streams", sourcesSHA256: "200ee772f697da7cd8d1707f6f758ccec74697b99d3c070d77ee0c6af24d3588",
        compiler: "slangc 2026.14.1", threads: [128, 1, 1], buffers: [nil, nil, nil, 3, 4], constants: 5,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct Parameters_0
{
uint rows_0;
uint length_0;
uint count_0;
float scale_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* streams_0;
float device* first_0;
};
[[kernel]] void add_to_streams(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(5)]], float device* streams_1 [[buffer(3)]], float device* first_1 [[buffer(4)]])
{
thread KernelContext_0 kernelContext_0;
(&kernelContext_0)->p_0 = p_1;
(&kernelContext_0)->streams_0 = streams_1;
(&kernelContext_0)->first_0 = first_1;
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
uint _S4 = _S3 * (&kernelContext_0)->p_0->count_0 * p_1->length_0 + _S1;
uint to_0 = 1U;
for(;;)
{
if(to_0 < ((&kernelContext_0)->p_0->count_0))
{
}
else
{
break;
}
float device* _S5 = (&kernelContext_0)->streams_0+(_S4 + to_0 * p_1->length_0);
*_S5 = *_S5 + *((&kernelContext_0)->first_0+(_S3 * p_1->length_0 + _S1));
to_0 = to_0 + 1U;
}
return;
}
"""#)
}
#endif
