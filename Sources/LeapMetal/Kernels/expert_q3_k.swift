// expert_q3_k of experts.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let expert_q3_k = MetalKernelText(
        module: "experts", entry: "expert_q3_k", sourcesSHA256: "3dadff32d31688b2585b8c18e133380ef144787bded30c5e2db9cafd57e1bfb5",
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
float half16_0(uint at_0, KernelContext_0 thread* kernelContext_0)
{
uint _S2 = uint(kernelContext_0->weights_0[at_0]);
return f16tof32_0(uint2(_S2 & 65535U, _S2 >> 16U)).x;
}
uint byteAt_0(uint at_1, uint index_0, KernelContext_0 thread* kernelContext_1)
{
return (uint(kernelContext_1->weights_0[at_1 + (index_0 >> 1U)]) >> ((index_0 & 1U) * 8U)) & 255U;
}
float Q3_K_scale_0(uint at_2, uint k_0, KernelContext_0 thread* kernelContext_2)
{
uint low_1;
if(k_0 < 8U)
{
uint _S3 = byteAt_0(at_2 + 48U, k_0, kernelContext_2);
low_1 = _S3 & 15U;
}
else
{
uint _S4 = byteAt_0(at_2 + 48U, k_0 - 8U, kernelContext_2);
low_1 = _S4 >> 4U;
}
uint _S5 = byteAt_0(at_2 + 48U, 8U + (k_0 & 3U), kernelContext_2);
return float(int(low_1 | (((_S5 >> (2U * (k_0 >> 2U))) & 3U) << 4U)) - int(32));
}
Scales_0 Scales_x24init_0(float low_2, float high_1, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S6;
(&_S6)->low_0 = low_2;
(&_S6)->high_0 = high_1;
(&_S6)->lowOffset_0 = lowOffset_1;
(&_S6)->highOffset_0 = highOffset_1;
return _S6;
}
Scales_0 Q3_K_scales_0(uint row_0, uint unit_0, KernelContext_0 thread* kernelContext_3)
{
uint at_3 = row_0 + (unit_0 >> 3U) * 55U;
uint k_1 = 2U * (unit_0 & 7U);
float _S7 = half16_0(at_3 + 54U, kernelContext_3);
float _S8 = Q3_K_scale_0(at_3, k_1, kernelContext_3);
float _S9 = _S7 * _S8;
float _S10 = Q3_K_scale_0(at_3, k_1 + 1U, kernelContext_3);
return Scales_x24init_0(_S9, _S7 * _S10, 0.0f, 0.0f);
}
uint word_0(uint at_4, KernelContext_0 thread* kernelContext_4)
{
return uint(kernelContext_4->weights_0[at_4]) | (uint(kernelContext_4->weights_0[at_4 + 1U]) << 16U);
}
float4 bytes_0(uint q_0)
{
return float4(float(q_0 & 255U), float((q_0 >> 8U) & 255U), float((q_0 >> 16U) & 255U), float(q_0 >> 24U));
}
float4 Q3_K_four_0(uint lowBits_0, uint highBits_0, uint j_0, KernelContext_0 thread* kernelContext_5)
{
uint _S11 = word_0(lowBits_0, kernelContext_5);
uint _S12 = (_S11 >> (2U * (j_0 & 3U))) & 50529027U;
uint _S13 = word_0(highBits_0, kernelContext_5);
return bytes_0(_S12 | (((_S13 >> j_0) & 16843009U) << 2U)) - float4(4.0f) ;
}
void Q3_K_codes_0(uint row_1, uint unit_1, uint i_1, float4 thread* low_3, float4 thread* high_2, KernelContext_0 thread* kernelContext_6)
{
uint at_5 = row_1 + (unit_1 >> 3U) * 55U;
uint j_1 = unit_1 & 7U;
uint _S14 = 2U * i_1;
uint lowBits_1 = at_5 + 16U + (j_1 >> 2U) * 16U + _S14;
uint highBits_1 = at_5 + _S14;
float4 _S15 = Q3_K_four_0(lowBits_1, highBits_1, j_1, kernelContext_6);
*low_3 = _S15;
float4 _S16 = Q3_K_four_0(lowBits_1 + 8U, highBits_1 + 8U, j_1, kernelContext_6);
*high_2 = _S16;
return;
}
float sumOfRow_0(float v_0, uint row_2, uint lane_0, KernelContext_0 thread* kernelContext_7)
{
float _S17;
if(16U < SUBGROUP_0)
{
float _S18 = (simd_shuffle((v_0), ushort((int((kernelContext_7->_S1) ^ 16U)))));
_S17 = v_0 + _S18;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S19 = v_0 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S17 = _S19;
}
if(8U < SUBGROUP_0)
{
float _S20 = (simd_shuffle((_S17), ushort((int((kernelContext_7->_S1) ^ 8U)))));
_S17 = _S17 + _S20;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = _S17;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S21 = _S17 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S17 = _S21;
}
if(4U < SUBGROUP_0)
{
float _S22 = (simd_shuffle((_S17), ushort((int((kernelContext_7->_S1) ^ 4U)))));
_S17 = _S17 + _S22;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = _S17;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S23 = _S17 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S17 = _S23;
}
if(2U < SUBGROUP_0)
{
float _S24 = (simd_shuffle((_S17), ushort((int((kernelContext_7->_S1) ^ 2U)))));
_S17 = _S17 + _S24;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = _S17;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S25 = _S17 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S17 = _S25;
}
if(1U < SUBGROUP_0)
{
float _S26 = (simd_shuffle((_S17), ushort((int((kernelContext_7->_S1) ^ 1U)))));
_S17 = _S17 + _S26;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = _S17;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S27 = _S17 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S17 = _S27;
}
return _S17;
}
void write_0(uint at_6, float value_1, KernelContext_0 thread* kernelContext_8)
{
if((kernelContext_8->p_0->mode_0) == 0U)
{
*(kernelContext_8->outputs_0+at_6) = value_1;
}
else
{
if((kernelContext_8->p_0->mode_0) == 1U)
{
float device* _S28 = kernelContext_8->outputs_0+at_6;
*_S28 = *_S28 + value_1;
}
else
{
if((kernelContext_8->p_0->mode_0) == 4U)
{
float _S29 = max(value_1, 0.0f);
*(kernelContext_8->outputs_0+at_6) = _S29 * _S29;
}
else
{
float gate_0 = *(kernelContext_8->outputs_0+at_6);
float power_0;
if((kernelContext_8->p_0->mode_0) == 2U)
{
power_0 = gate_0;
}
else
{
power_0 = 1.59576916694641113f * gate_0 * fma(0.04471499845385551f * gate_0, gate_0, 1.0f);
}
*(kernelContext_8->outputs_0+at_6) = gate_0 / (1.0f + exp(- power_0)) * value_1;
}
}
}
return;
}
void product_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_9)
{
uint _S30 = local_0.y;
uint row_3 = group_0.x * 4U + _S30;
uint lane_1 = local_0.x;
uint entry_0 = group_0.y;
float sum_0;
if(row_3 < (kernelContext_9->p_0->rows_0))
{
uint _S31 = kernelContext_9->p_0->start_0 + kernelContext_9->experts_0[entry_0] * kernelContext_9->p_0->expertWords_0 + row_3 * kernelContext_9->p_0->rowWords_0;
uint _S32 = entry_0 / kernelContext_9->p_0->perInput_0;
uint _S33 = _S32 * kernelContext_9->p_0->inputStride_0;
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
Scales_0 _S34 = Q3_K_scales_0(_S31, unit_2, kernelContext_9);
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
thread float4 low_4;
thread float4 high_3;
Q3_K_codes_0(_S31, unit_2, i_2, &low_4, &high_3, kernelContext_9);
float4 _S35 = fma(low_4, float4(_S34.low_0) , float4(_S34.lowOffset_0) );
low_4 = _S35;
float4 _S36 = fma(high_3, float4(_S34.high_0) , float4(_S34.highOffset_0) );
high_3 = _S36;
uint _S37 = _S33 + unit_2 * 8U + i_2;
float4 both_0 = fma(_S36, float4(*(kernelContext_9->inputs_0+(_S37 + 4U))) , _S35 * float4(*(kernelContext_9->inputs_0+_S37)) );
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
float _S38 = sumOfRow_0(sum_0, _S30, lane_1, kernelContext_9);
bool _S39;
if(lane_1 == 0U)
{
_S39 = row_3 < (kernelContext_9->p_0->rows_0);
}
else
{
_S39 = false;
}
if(_S39)
{
write_0(entry_0 * kernelContext_9->p_0->rows_0 + row_3, _S38, kernelContext_9);
}
return;
}
[[kernel]] void expert_q3_k(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(3)]], uint device* experts_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(4)]])
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
