// short_convolution of convolution.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let short_convolution = MetalKernelText(
        module: "convolution", entry: "short_convolution", sourcesSHA256: "eb4eca7dd928402de48962d863853914a9a64b9a242a0f207f5286b3ac00a763",
        compiler: "slangc 2026.14.1", threads: [128, 1, 1], buffers: [0, 1, 2, 3, 4, 5, 6], constants: 7,
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
uint stateStart_0;
uint keptStart_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
packed_uint4 device* sequences_1;
float device* states_0;
float device* inputs_0;
uint device* places_0;
float device* kept_0;
float device* filters_0;
float device* outputs_0;
};
[[kernel]] void short_convolution(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(7)]], packed_uint4 device* sequences_2 [[buffer(4)]], float device* states_1 [[buffer(2)]], float device* inputs_1 [[buffer(0)]], uint device* places_1 [[buffer(6)]], float device* kept_1 [[buffer(5)]], float device* filters_1 [[buffer(1)]], float device* outputs_1 [[buffer(3)]])
{
thread KernelContext_0 kernelContext_0;
(&kernelContext_0)->p_0 = p_1;
(&kernelContext_0)->sequences_1 = sequences_2;
(&kernelContext_0)->states_0 = states_1;
(&kernelContext_0)->inputs_0 = inputs_1;
(&kernelContext_0)->places_0 = places_1;
(&kernelContext_0)->kept_0 = kept_1;
(&kernelContext_0)->filters_0 = filters_1;
(&kernelContext_0)->outputs_0 = outputs_1;
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
uint _S3 = (&kernelContext_0)->p_0->stateStart_0 + _S2.z * ((&kernelContext_0)->p_0->taps_0 - 1U) * p_1->channels_0;
thread array<float, int(8)> past_0;
uint k_0 = 0U;
for(;;)
{
uint _S4 = k_0 + 1U;
if(_S4 < ((&kernelContext_0)->p_0->taps_0))
{
}
else
{
break;
}
past_0[k_0] = (&kernelContext_0)->states_0[_S3 + k_0 * p_1->channels_0 + channel_0];
k_0 = _S4;
}
uint _S5 = _S2.x;
uint t_0 = _S5;
for(;;)
{
if(t_0 < (_S5 + _S2.y))
{
}
else
{
break;
}
uint at_0 = t_0 * 3U * p_1->channels_0 + channel_0;
past_0[(&kernelContext_0)->p_0->taps_0 - 1U] = (&kernelContext_0)->inputs_0[at_0] * (&kernelContext_0)->inputs_0[at_0 + 2U * p_1->channels_0];
if((&kernelContext_0)->places_0[t_0] != 4294967295U)
{
*((&kernelContext_0)->kept_0+((&kernelContext_0)->p_0->keptStart_0 + (&kernelContext_0)->places_0[t_0] * p_1->channels_0 + channel_0)) = past_0[(&kernelContext_0)->p_0->taps_0 - 1U];
}
float sum_0 = 0.0f;
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
float _S6 = fma((&kernelContext_0)->filters_0[channel_0 * (&kernelContext_0)->p_0->taps_0 + k_0], past_0[k_0], sum_0);
uint _S7 = k_0 + 1U;
sum_0 = _S6;
k_0 = _S7;
}
*((&kernelContext_0)->outputs_0+(t_0 * p_1->channels_0 + channel_0)) = (&kernelContext_0)->inputs_0[at_0 + p_1->channels_0] * sum_0;
uint k_1 = 0U;
for(;;)
{
uint _S8 = k_1 + 1U;
if(_S8 < ((&kernelContext_0)->p_0->taps_0))
{
}
else
{
break;
}
past_0[k_1] = past_0[_S8];
k_1 = _S8;
}
t_0 = t_0 + 1U;
}
return;
}
"""#)
}
#endif
