// expert_q5_k of experts.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let expert_q5_k = MetalKernelText(
        module: "experts", entry: "expert_q5_k", sourcesSHA256: "3dadff32d31688b2585b8c18e133380ef144787bded30c5e2db9cafd57e1bfb5",
        compiler: "slangc 2026.14.1", threads: [32, 4, 1], buffers: [4, 0, 1, 2], constants: 3,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
constant uint fc_SUBGROUP_0 [[function_constant(0)]];
constant uint SUBGROUP_0 = is_function_constant_defined(fc_SUBGROUP_0) ? fc_SUBGROUP_0 : 32U;
float2 f16tof32_0(uint2 value_0)
{
thread float2 result_0;
int i_0 = int(0);
for(;;)
{
if(i_0 < int(2))
{
}
else
{
break;
}
result_0[i_0] = (as_type<half>((ushort)((value_0[i_0]))));
i_0 = i_0 + int(1);
}
return result_0;
}
struct Parameters_0
{
uint rows_0;
uint units_0;
uint start_0;
uint rowWords_0;
uint expertWords_0;
uint perInput_0;
uint inputStride_0;
uint mode_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
uint device* experts_0;
packed_float4 device* inputs_0;
float device* outputs_0;
ushort device* weights_0;
uint _S1;
array<array<float, int(32)>, int(4)> threadgroup* partial_0;
};
struct Scales_0
{
float low_0;
float high_0;
float lowOffset_0;
float highOffset_0;
};
uint byteAt_0(uint at_0, uint index_0, KernelContext_0 thread* kernelContext_0)
{
return (uint(kernelContext_0->weights_0[at_0 + (index_0 >> 1U)]) >> ((index_0 & 1U) * 8U)) & 255U;
}
float half16_0(uint at_1, KernelContext_0 thread* kernelContext_1)
{
uint _S2 = uint(kernelContext_1->weights_0[at_1]);
return f16tof32_0(uint2(_S2 & 65535U, _S2 >> 16U)).x;
}
Scales_0 Scales_x24init_0(float low_1, float high_1, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S3;
(&_S3)->low_0 = low_1;
(&_S3)->high_0 = high_1;
(&_S3)->lowOffset_0 = lowOffset_1;
(&_S3)->highOffset_0 = highOffset_1;
return _S3;
}
Scales_0 same_0(float scale_0, float offset_0)
{
return Scales_x24init_0(scale_0, scale_0, offset_0, offset_0);
}
Scales_0 sixBitScales_0(uint at_2, uint j_0, KernelContext_0 thread* kernelContext_2)
{
uint scale_1;
uint offset_1;
if(j_0 < 4U)
{
uint _S4 = at_2 + 2U;
uint _S5 = byteAt_0(_S4, j_0, kernelContext_2);
uint _S6 = _S5 & 63U;
uint _S7 = byteAt_0(_S4, j_0 + 4U, kernelContext_2);
uint _S8 = _S7 & 63U;
scale_1 = _S6;
offset_1 = _S8;
}
else
{
uint _S9 = at_2 + 2U;
uint _S10 = byteAt_0(_S9, j_0 + 4U, kernelContext_2);
uint _S11 = _S10 & 15U;
uint _S12 = byteAt_0(_S9, j_0 - 4U, kernelContext_2);
uint _S13 = _S11 | ((_S12 >> 6U) << 4U);
uint _S14 = _S10 >> 4U;
uint _S15 = byteAt_0(_S9, j_0, kernelContext_2);
uint _S16 = _S14 | ((_S15 >> 6U) << 4U);
scale_1 = _S13;
offset_1 = _S16;
}
float _S17 = half16_0(at_2, kernelContext_2);
float _S18 = _S17 * float(scale_1);
float _S19 = half16_0(at_2 + 1U, kernelContext_2);
return same_0(_S18, - _S19 * float(offset_1));
}
Scales_0 Q5_K_scales_0(uint row_0, uint unit_0, KernelContext_0 thread* kernelContext_3)
{
Scales_0 _S20 = sixBitScales_0(row_0 + (unit_0 >> 3U) * 88U, unit_0 & 7U, kernelContext_3);
return _S20;
}
uint word_0(uint at_3, KernelContext_0 thread* kernelContext_4)
{
return uint(kernelContext_4->weights_0[at_3]) | (uint(kernelContext_4->weights_0[at_3 + 1U]) << 16U);
}
float4 bytes_0(uint q_0)
{
return float4(float(q_0 & 255U), float((q_0 >> 8U) & 255U), float((q_0 >> 16U) & 255U), float(q_0 >> 24U));
}
float4 Q5_K_four_0(uint lowBits_0, uint highBits_0, uint j_1, KernelContext_0 thread* kernelContext_5)
{
uint _S21 = word_0(lowBits_0, kernelContext_5);
uint _S22 = (_S21 >> ((j_1 & 1U) * 4U)) & 252645135U;
uint _S23 = word_0(highBits_0, kernelContext_5);
return bytes_0(_S22 | (((_S23 >> j_1) & 16843009U) << 4U));
}
void Q5_K_codes_0(uint row_1, uint unit_1, uint i_1, float4 thread* low_2, float4 thread* high_2, KernelContext_0 thread* kernelContext_6)
{
uint at_4 = row_1 + (unit_1 >> 3U) * 88U;
uint j_2 = unit_1 & 7U;
uint _S24 = 2U * i_1;
uint lowBits_1 = at_4 + 24U + (j_2 >> 1U) * 16U + _S24;
uint highBits_1 = at_4 + 8U + _S24;
float4 _S25 = Q5_K_four_0(lowBits_1, highBits_1, j_2, kernelContext_6);
*low_2 = _S25;
float4 _S26 = Q5_K_four_0(lowBits_1 + 8U, highBits_1 + 8U, j_2, kernelContext_6);
*high_2 = _S26;
return;
}
float sumOfRow_0(float v_0, uint row_2, uint lane_0, KernelContext_0 thread* kernelContext_7)
{
float _S27;
if(16U < SUBGROUP_0)
{
float _S28 = (simd_shuffle((v_0), ushort((int((kernelContext_7->_S1) ^ 16U)))));
_S27 = v_0 + _S28;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S29 = v_0 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S27 = _S29;
}
if(8U < SUBGROUP_0)
{
float _S30 = (simd_shuffle((_S27), ushort((int((kernelContext_7->_S1) ^ 8U)))));
_S27 = _S27 + _S30;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = _S27;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S31 = _S27 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S27 = _S31;
}
if(4U < SUBGROUP_0)
{
float _S32 = (simd_shuffle((_S27), ushort((int((kernelContext_7->_S1) ^ 4U)))));
_S27 = _S27 + _S32;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = _S27;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S33 = _S27 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S27 = _S33;
}
if(2U < SUBGROUP_0)
{
float _S34 = (simd_shuffle((_S27), ushort((int((kernelContext_7->_S1) ^ 2U)))));
_S27 = _S27 + _S34;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = _S27;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S35 = _S27 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S27 = _S35;
}
if(1U < SUBGROUP_0)
{
float _S36 = (simd_shuffle((_S27), ushort((int((kernelContext_7->_S1) ^ 1U)))));
_S27 = _S27 + _S36;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = _S27;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S37 = _S27 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S27 = _S37;
}
return _S27;
}
void write_0(uint at_5, float value_1, KernelContext_0 thread* kernelContext_8)
{
if((kernelContext_8->p_0->mode_0) == 0U)
{
*(kernelContext_8->outputs_0+at_5) = value_1;
}
else
{
if((kernelContext_8->p_0->mode_0) == 1U)
{
float device* _S38 = kernelContext_8->outputs_0+at_5;
*_S38 = *_S38 + value_1;
}
else
{
if((kernelContext_8->p_0->mode_0) == 4U)
{
float _S39 = max(value_1, 0.0f);
*(kernelContext_8->outputs_0+at_5) = _S39 * _S39;
}
else
{
float gate_0 = *(kernelContext_8->outputs_0+at_5);
float power_0;
if((kernelContext_8->p_0->mode_0) == 2U)
{
power_0 = gate_0;
}
else
{
power_0 = 1.59576916694641113f * gate_0 * fma(0.04471499845385551f * gate_0, gate_0, 1.0f);
}
*(kernelContext_8->outputs_0+at_5) = gate_0 / (1.0f + exp(- power_0)) * value_1;
}
}
}
return;
}
void product_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_9)
{
uint _S40 = local_0.y;
uint row_3 = group_0.x * 4U + _S40;
uint lane_1 = local_0.x;
uint entry_0 = group_0.y;
float sum_0;
if(row_3 < (kernelContext_9->p_0->rows_0))
{
uint _S41 = kernelContext_9->p_0->start_0 + kernelContext_9->experts_0[entry_0] * kernelContext_9->p_0->expertWords_0 + row_3 * kernelContext_9->p_0->rowWords_0;
uint _S42 = entry_0 / kernelContext_9->p_0->perInput_0;
uint _S43 = _S42 * kernelContext_9->p_0->inputStride_0;
uint unit_2 = lane_1;
sum_0 = 0.0f;
for(;;)
{
if(unit_2 < (kernelContext_9->p_0->units_0))
{
}
else
{
break;
}
Scales_0 _S44 = Q5_K_scales_0(_S41, unit_2, kernelContext_9);
uint i_2 = 0U;
for(;;)
{
if(i_2 < 4U)
{
}
else
{
break;
}
thread float4 low_3;
thread float4 high_3;
Q5_K_codes_0(_S41, unit_2, i_2, &low_3, &high_3, kernelContext_9);
float4 _S45 = fma(low_3, float4(_S44.low_0) , float4(_S44.lowOffset_0) );
low_3 = _S45;
float4 _S46 = fma(high_3, float4(_S44.high_0) , float4(_S44.highOffset_0) );
high_3 = _S46;
uint _S47 = _S43 + unit_2 * 8U + i_2;
float4 both_0 = fma(_S46, float4(*(kernelContext_9->inputs_0+(_S47 + 4U))) , _S45 * float4(*(kernelContext_9->inputs_0+_S47)) );
float sum_1 = sum_0 + (both_0.x + both_0.y + (both_0.z + both_0.w));
i_2 = i_2 + 1U;
sum_0 = sum_1;
}
unit_2 = unit_2 + 32U;
}
}
else
{
sum_0 = 0.0f;
}
float _S48 = sumOfRow_0(sum_0, _S40, lane_1, kernelContext_9);
bool _S49;
if(lane_1 == 0U)
{
_S49 = row_3 < (kernelContext_9->p_0->rows_0);
}
else
{
_S49 = false;
}
if(_S49)
{
write_0(entry_0 * kernelContext_9->p_0->rows_0 + row_3, _S48, kernelContext_9);
}
return;
}
[[kernel]] void expert_q5_k(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(3)]], uint device* experts_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(4)]])
{
thread KernelContext_0 kernelContext_10;
(&kernelContext_10)->p_0 = p_1;
(&kernelContext_10)->experts_0 = experts_1;
(&kernelContext_10)->inputs_0 = inputs_1;
(&kernelContext_10)->outputs_0 = outputs_1;
(&kernelContext_10)->weights_0 = weights_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_10)->partial_0 = &partial_1;
(&kernelContext_10)->_S1 = _builtinWaveLaneIndex_0;
product_0(group_1, local_1, &kernelContext_10);
return;
}
"""#)
}
#endif
