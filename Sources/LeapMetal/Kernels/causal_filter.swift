// causal_filter of filters.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let causal_filter = MetalKernelText(
        module: "filters", entry: "causal_filter", sourcesSHA256: "32545165bea3a8045d7c24994f064b0ac39138e9169f32647a4dbae7ecd704c3",
        compiler: "slangc 2026.14.1", threads: [128, 1, 1], buffers: [0, 1, 2, 3, 4, 5, 6, 7], constants: 8,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct Parameters_0
{
uint sequences_0;
uint channels_0;
uint taps_0;
uint hasBias_0;
uint inputStart_0;
uint keptStart_0;
uint keptStride_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
packed_uint4 device* sequences_1;
float device* states_0;
float device* bias_0;
float device* inputs_0;
float device* filters_0;
float device* outputs_0;
uint device* places_0;
float device* kept_0;
};
[[kernel]] void causal_filter(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(8)]], packed_uint4 device* sequences_2 [[buffer(5)]], float device* states_1 [[buffer(3)]], float device* bias_1 [[buffer(2)]], float device* inputs_1 [[buffer(0)]], float device* filters_1 [[buffer(1)]], float device* outputs_1 [[buffer(7)]], uint device* places_1 [[buffer(6)]], float device* kept_1 [[buffer(4)]])
{
thread KernelContext_0 kernelContext_0;
(&kernelContext_0)->p_0 = p_1;
(&kernelContext_0)->sequences_1 = sequences_2;
(&kernelContext_0)->states_0 = states_1;
(&kernelContext_0)->bias_0 = bias_1;
(&kernelContext_0)->inputs_0 = inputs_1;
(&kernelContext_0)->filters_0 = filters_1;
(&kernelContext_0)->outputs_0 = outputs_1;
(&kernelContext_0)->places_0 = places_1;
(&kernelContext_0)->kept_0 = kept_1;
uint channel_0 = thread_0.x;
bool _S1;
if(channel_0 >= (p_1->channels_0))
{
_S1 = true;
}
else
{
_S1 = (thread_0.y) >= ((&kernelContext_0)->p_0->sequences_0);
}
if(_S1)
{
return;
}
uint4 _S2 = uint4(*((&kernelContext_0)->sequences_1+thread_0.y)) ;
thread array<float, int(8)> past_0;
uint k_0 = 0U;
for(;;)
{
uint _S3 = k_0 + 1U;
if(_S3 < ((&kernelContext_0)->p_0->taps_0))
{
}
else
{
break;
}
past_0[k_0] = 0.0f;
uint _S4 = _S2.z;
if(_S4 != 4294967295U)
{
past_0[k_0] = *((&kernelContext_0)->states_0+(_S4 + (&kernelContext_0)->p_0->inputStart_0 + k_0 * p_1->channels_0 + channel_0));
}
k_0 = _S3;
}
float _S5;
if(((&kernelContext_0)->p_0->hasBias_0) != 0U)
{
_S5 = (&kernelContext_0)->bias_0[channel_0];
}
else
{
_S5 = 0.0f;
}
uint _S6 = _S2.x;
uint t_0 = _S6;
for(;;)
{
if(t_0 < (_S6 + _S2.y))
{
}
else
{
break;
}
past_0[(&kernelContext_0)->p_0->taps_0 - 1U] = (&kernelContext_0)->inputs_0[t_0 * p_1->channels_0 + channel_0];
float sum_0 = _S5;
k_0 = 0U;
for(;;)
{
if(k_0 < ((&kernelContext_0)->p_0->taps_0))
{
}
else
{
break;
}
float _S7 = fma((&kernelContext_0)->filters_0[channel_0 * (&kernelContext_0)->p_0->taps_0 + k_0], past_0[k_0], sum_0);
uint _S8 = k_0 + 1U;
sum_0 = _S7;
k_0 = _S8;
}
*((&kernelContext_0)->outputs_0+(t_0 * p_1->channels_0 + channel_0)) = sum_0 / (1.0f + exp(- sum_0));
uint k_1 = 0U;
for(;;)
{
uint _S9 = k_1 + 1U;
if(_S9 < ((&kernelContext_0)->p_0->taps_0))
{
}
else
{
break;
}
past_0[k_1] = past_0[_S9];
k_1 = _S9;
}
if((&kernelContext_0)->places_0[t_0] == 4294967295U)
{
t_0 = t_0 + 1U;
continue;
}
uint _S10 = (&kernelContext_0)->places_0[t_0] * (&kernelContext_0)->p_0->keptStride_0 + (&kernelContext_0)->p_0->keptStart_0 + channel_0;
uint k_2 = 0U;
for(;;)
{
uint _S11 = k_2 + 1U;
if(_S11 < ((&kernelContext_0)->p_0->taps_0))
{
}
else
{
break;
}
*((&kernelContext_0)->kept_0+(_S10 + k_2 * p_1->channels_0)) = past_0[k_2];
k_2 = _S11;
}
t_0 = t_0 + 1U;
}
k_0 = 0U;
for(;;)
{
uint _S12 = k_0 + 1U;
if(_S12 < ((&kernelContext_0)->p_0->taps_0))
{
}
else
{
break;
}
*((&kernelContext_0)->states_0+(_S2.w + (&kernelContext_0)->p_0->inputStart_0 + k_0 * p_1->channels_0 + channel_0)) = past_0[k_0];
k_0 = _S12;
}
return;
}
"""#)
}
#endif
