// grid_convolution of gridconvolution.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let grid_convolution = MetalKernelText(
        module: "gridconvolution", entry: "grid_convolution", sourcesSHA256: "a1b9dc471667fae4bcc6e651120814750a9008866ed6e2730f5742bf8392854a",
        compiler: "slangc 2026.14.1", threads: [128, 1, 1], buffers: [0, 1, 2, 3], constants: 4,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct Parameters_0
{
uint rows_0;
uint channels_0;
uint side_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
packed_uint4 device* places_0;
float device* filters_0;
float device* projected_0;
float device* outputs_0;
};
[[kernel]] void grid_convolution(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(4)]], packed_uint4 device* places_1 [[buffer(2)]], float device* filters_1 [[buffer(1)]], float device* projected_1 [[buffer(0)]], float device* outputs_1 [[buffer(3)]])
{
thread KernelContext_0 kernelContext_0;
(&kernelContext_0)->p_0 = p_1;
(&kernelContext_0)->places_0 = places_1;
(&kernelContext_0)->filters_0 = filters_1;
(&kernelContext_0)->projected_0 = projected_1;
(&kernelContext_0)->outputs_0 = outputs_1;
uint _S1 = thread_0.x;
bool _S2;
if(_S1 >= (p_1->channels_0))
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
uint4 _S4 = uint4(*((&kernelContext_0)->places_0+_S3)) ;
int columns_0 = int(_S4.y);
int _S5 = int(_S4.z);
int side_1 = int((&kernelContext_0)->p_0->side_0);
int _S6 = side_1 / int(2);
int _S7 = int(_S4.w);
int _S8 = _S7 / columns_0;
int _S9 = _S7 % columns_0;
float sum_0 = 0.0f;
int y_0 = int(0);
for(;;)
{
if(y_0 < side_1)
{
}
else
{
break;
}
float sum_1 = sum_0;
int x_0 = int(0);
for(;;)
{
if(x_0 < side_1)
{
}
else
{
break;
}
int other_0 = _S8 + y_0 - _S6;
int beside_0 = _S9 + x_0 - _S6;
if(other_0 < int(0))
{
_S2 = true;
}
else
{
_S2 = other_0 >= _S5;
}
bool _S10;
if(_S2)
{
_S10 = true;
}
else
{
_S10 = beside_0 < int(0);
}
bool _S11;
if(_S10)
{
_S11 = true;
}
else
{
_S11 = beside_0 >= columns_0;
}
if(_S11)
{
x_0 = x_0 + int(1);
continue;
}
uint at_0 = (_S4.x + uint(other_0 * columns_0 + beside_0)) * 3U * p_1->channels_0 + _S1;
sum_1 = fma((&kernelContext_0)->filters_0[(_S1 * (&kernelContext_0)->p_0->side_0 + uint(y_0)) * (&kernelContext_0)->p_0->side_0 + uint(x_0)], (&kernelContext_0)->projected_0[at_0] * (&kernelContext_0)->projected_0[at_0 + 2U * p_1->channels_0], sum_1);
x_0 = x_0 + int(1);
}
int _S12 = y_0 + int(1);
sum_0 = sum_1;
y_0 = _S12;
}
*((&kernelContext_0)->outputs_0+(_S3 * p_1->channels_0 + _S1)) = sum_0 * (&kernelContext_0)->projected_0[(_S3 * 3U + 1U) * p_1->channels_0 + _S1];
return;
}
"""#)
}
#endif
