// vector_q6_k of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let vector_q6_k = MetalKernelText(
        module: "product", entry: "vector_q6_k", sourcesSHA256: "ba7f1d089228a3313cdc7d4bbea6bb752e03a4439ce259032470fcd3ad7868cf",
        compiler: "slangc 2026.14.1", threads: [32, 4, 1], buffers: [3, 0, 1], constants: 2,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
constant uint fc_SUBGROUP_0 [[function_constant(0)]];
constant uint SUBGROUP_0 = is_function_constant_defined(fc_SUBGROUP_0) ? fc_SUBGROUP_0 : 32U;
struct Scales_0
{
float low_0;
float high_0;
float lowOffset_0;
float highOffset_0;
};
struct Codes_0
{
Scales_0 scales_0;
array<float4, int(2)> low_1;
array<float4, int(2)> high_1;
};
struct Factors_0
{
array<float4, int(2)> low_2;
array<float4, int(2)> high_2;
float lowSum_0;
float highSum_0;
};
float chain_0(float4 a_0, float4 b_0, float sum_0)
{
return fma(a_0.w, b_0.w, fma(a_0.z, b_0.z, fma(a_0.y, b_0.y, fma(a_0.x, b_0.x, sum_0))));
}
float added_0(float sum_1, const Codes_0 thread* c_0, const Factors_0 thread* x_0)
{
return fma((&c_0->scales_0)->highOffset_0, x_0->highSum_0, fma((&c_0->scales_0)->lowOffset_0, x_0->lowSum_0, fma((&c_0->scales_0)->high_0, chain_0(c_0->high_1[int(1)], x_0->high_2[int(1)], chain_0(c_0->high_1[int(0)], x_0->high_2[int(0)], 0.0f)), fma((&c_0->scales_0)->low_0, chain_0(c_0->low_1[int(1)], x_0->low_2[int(1)], chain_0(c_0->low_1[int(0)], x_0->low_2[int(0)], 0.0f)), sum_1))));
}
struct Parameters_0
{
uint rows_0;
uint units_0;
uint start_0;
uint rowWords_0;
uint first_0;
uint end_0;
uint inputStride_0;
uint outputStride_0;
uint outputStart_0;
uint mode_0;
uint second_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
packed_float4 device* inputs_0;
float device* outputs_0;
ushort device* weights_0;
uint _S1;
array<array<float, int(32)>, int(4)> threadgroup* partial_0;
array<array<float, int(32)>, int(4)> threadgroup* parts_0;
};
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
float half16_0(uint at_0, KernelContext_0 thread* kernelContext_0)
{
uint _S2 = uint(kernelContext_0->weights_0[at_0]);
return f16tof32_0(uint2(_S2 & 65535U, _S2 >> 16U)).x;
}
uint byteAt_0(uint at_1, uint index_0, KernelContext_0 thread* kernelContext_1)
{
return (uint(kernelContext_1->weights_0[at_1 + (index_0 >> 1U)]) >> ((index_0 & 1U) * 8U)) & 255U;
}
float Q6_K_scale_0(uint at_2, uint index_1, KernelContext_0 thread* kernelContext_2)
{
uint _S3 = byteAt_0(at_2 + 96U, index_1, kernelContext_2);
return float(int(_S3 << 24U) >> 24U);
}
Scales_0 Scales_x24init_0(float low_3, float high_3, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S4;
(&_S4)->low_0 = low_3;
(&_S4)->high_0 = high_3;
(&_S4)->lowOffset_0 = lowOffset_1;
(&_S4)->highOffset_0 = highOffset_1;
return _S4;
}
Scales_0 Q6_K_scales_0(uint row_0, uint unit_0, KernelContext_0 thread* kernelContext_3)
{
uint at_3 = row_0 + (unit_0 >> 3U) * 105U;
uint index_2 = 2U * (unit_0 & 7U);
float _S5 = half16_0(at_3 + 104U, kernelContext_3);
float _S6 = Q6_K_scale_0(at_3, index_2, kernelContext_3);
float low_4 = _S5 * _S6;
float _S7 = Q6_K_scale_0(at_3, index_2 + 1U, kernelContext_3);
float high_4 = _S5 * _S7;
return Scales_x24init_0(low_4, high_4, -32.0f * low_4, -32.0f * high_4);
}
uint word_0(uint at_4, KernelContext_0 thread* kernelContext_4)
{
return uint(kernelContext_4->weights_0[at_4]) | (uint(kernelContext_4->weights_0[at_4 + 1U]) << 16U);
}
float4 bytes_0(uint q_0)
{
return float4(float(q_0 & 255U), float((q_0 >> 8U) & 255U), float((q_0 >> 16U) & 255U), float(q_0 >> 24U));
}
float4 Q6_K_four_0(uint lowBits_0, uint highBits_0, uint shift_0, uint k_0, KernelContext_0 thread* kernelContext_5)
{
uint _S8 = word_0(lowBits_0, kernelContext_5);
uint _S9 = (_S8 >> shift_0) & 252645135U;
uint _S10 = word_0(highBits_0, kernelContext_5);
return bytes_0(_S9 | (((_S10 >> (2U * k_0)) & 50529027U) << 4U));
}
void Q6_K_codes_0(uint row_1, uint unit_1, uint i_1, float4 thread* low_5, float4 thread* high_5, KernelContext_0 thread* kernelContext_6)
{
uint at_5 = row_1 + (unit_1 >> 3U) * 105U;
uint part_0 = (unit_1 & 7U) >> 2U;
uint k_1 = unit_1 & 3U;
uint _S11 = 2U * i_1;
uint lowBits_1 = at_5 + part_0 * 32U + (k_1 & 1U) * 16U + _S11;
uint highBits_1 = at_5 + 64U + part_0 * 16U + _S11;
uint _S12 = (k_1 >> 1U) * 4U;
float4 _S13 = Q6_K_four_0(lowBits_1, highBits_1, _S12, k_1, kernelContext_6);
*low_5 = _S13;
float4 _S14 = Q6_K_four_0(lowBits_1 + 8U, highBits_1 + 8U, _S12, k_1, kernelContext_6);
*high_5 = _S14;
return;
}
Codes_0 codesOf_0(uint row_2, uint unit_2, uint half_0, KernelContext_0 thread* kernelContext_7)
{
thread Codes_0 found_0;
Scales_0 _S15 = Q6_K_scales_0(row_2, unit_2, kernelContext_7);
(&found_0)->scales_0 = _S15;
uint _S16 = 2U * half_0;
Q6_K_codes_0(row_2, unit_2, _S16, &(&found_0)->low_1[0U], &(&found_0)->high_1[0U], kernelContext_7);
Q6_K_codes_0(row_2, unit_2, _S16 + 1U, &(&found_0)->low_1[1U], &(&found_0)->high_1[1U], kernelContext_7);
return found_0;
}
float sumOfRow_0(float v_0, uint row_3, uint lane_0, KernelContext_0 thread* kernelContext_8)
{
float _S17;
if(16U < SUBGROUP_0)
{
float _S18 = (simd_shuffle((v_0), ushort((int((kernelContext_8->_S1) ^ 16U)))));
_S17 = v_0 + _S18;
}
else
{
(*kernelContext_8->partial_0)[row_3][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S19 = v_0 + (*kernelContext_8->partial_0)[row_3][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S17 = _S19;
}
if(8U < SUBGROUP_0)
{
float _S20 = (simd_shuffle((_S17), ushort((int((kernelContext_8->_S1) ^ 8U)))));
_S17 = _S17 + _S20;
}
else
{
(*kernelContext_8->partial_0)[row_3][lane_0] = _S17;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S21 = _S17 + (*kernelContext_8->partial_0)[row_3][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S17 = _S21;
}
if(4U < SUBGROUP_0)
{
float _S22 = (simd_shuffle((_S17), ushort((int((kernelContext_8->_S1) ^ 4U)))));
_S17 = _S17 + _S22;
}
else
{
(*kernelContext_8->partial_0)[row_3][lane_0] = _S17;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S23 = _S17 + (*kernelContext_8->partial_0)[row_3][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S17 = _S23;
}
if(2U < SUBGROUP_0)
{
float _S24 = (simd_shuffle((_S17), ushort((int((kernelContext_8->_S1) ^ 2U)))));
_S17 = _S17 + _S24;
}
else
{
(*kernelContext_8->partial_0)[row_3][lane_0] = _S17;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S25 = _S17 + (*kernelContext_8->partial_0)[row_3][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S17 = _S25;
}
if(1U < SUBGROUP_0)
{
float _S26 = (simd_shuffle((_S17), ushort((int((kernelContext_8->_S1) ^ 1U)))));
_S17 = _S17 + _S26;
}
else
{
(*kernelContext_8->partial_0)[row_3][lane_0] = _S17;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S27 = _S17 + (*kernelContext_8->partial_0)[row_3][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S17 = _S27;
}
return _S17;
}
void shareSums_0(const array<float, int(4)> thread* sums_0, uint part_1, uint lane_1, KernelContext_0 thread* kernelContext_9)
{
float _S28 = sumOfRow_0((*sums_0)[int(0)], part_1, lane_1, kernelContext_9);
bool _S29 = lane_1 == 0U;
if(_S29)
{
(*kernelContext_9->parts_0)[part_1][int(0)] = _S28;
}
float _S30 = sumOfRow_0((*sums_0)[int(1)], part_1, lane_1, kernelContext_9);
if(_S29)
{
(*kernelContext_9->parts_0)[part_1][int(1)] = _S30;
}
float _S31 = sumOfRow_0((*sums_0)[int(2)], part_1, lane_1, kernelContext_9);
if(_S29)
{
(*kernelContext_9->parts_0)[part_1][int(2)] = _S31;
}
float _S32 = sumOfRow_0((*sums_0)[int(3)], part_1, lane_1, kernelContext_9);
if(_S29)
{
(*kernelContext_9->parts_0)[part_1][int(3)] = _S32;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
return;
}
float total_0(float4 a_1)
{
return a_1.x + a_1.y + (a_1.z + a_1.w);
}
Factors_0 factors_0(float4 first_1, float4 second_1, float4 third_0, float4 fourth_0)
{
thread Factors_0 found_1;
(&found_1)->low_2[int(0)] = first_1;
(&found_1)->low_2[int(1)] = second_1;
(&found_1)->high_2[int(0)] = third_0;
(&found_1)->high_2[int(1)] = fourth_0;
(&found_1)->lowSum_0 = total_0(first_1) + total_0(second_1);
(&found_1)->highSum_0 = total_0(third_0) + total_0(fourth_0);
return found_1;
}
Factors_0 elements_0(uint vector_0, uint unit_3, uint half_1, KernelContext_0 thread* kernelContext_10)
{
uint at_6 = vector_0 * kernelContext_10->p_0->inputStride_0 + unit_3 * 8U + 2U * half_1;
return factors_0(float4(*(kernelContext_10->inputs_0+at_6)) , float4(*(kernelContext_10->inputs_0+(at_6 + 1U))) , float4(*(kernelContext_10->inputs_0+(at_6 + 4U))) , float4(*(kernelContext_10->inputs_0+(at_6 + 5U))) );
}
float sumOfParts_0(uint i_2, KernelContext_0 thread* kernelContext_11)
{
return (*kernelContext_11->parts_0)[int(0)][i_2] + (*kernelContext_11->parts_0)[int(1)][i_2] + ((*kernelContext_11->parts_0)[int(2)][i_2] + (*kernelContext_11->parts_0)[int(3)][i_2]);
}
float outcome_0(uint mode_1, float before_0, float value_1)
{
if(mode_1 == 0U)
{
return value_1;
}
if(mode_1 == 1U)
{
return before_0 + value_1;
}
if(mode_1 == 4U)
{
float _S33 = max(value_1, 0.0f);
return _S33 * _S33;
}
float power_0;
if(mode_1 == 2U)
{
power_0 = before_0;
}
else
{
power_0 = 1.59576916694641113f * before_0 * fma(0.04471499845385551f * before_0, before_0, 1.0f);
}
return before_0 / (1.0f + exp(- power_0)) * value_1;
}
void product_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_12)
{
uint row_4 = group_0.x * 4U;
uint first_2 = kernelContext_12->p_0->first_0 + group_0.y;
uint _S34 = local_0.y;
uint _S35 = local_0.x;
uint lane_2 = _S34 * 32U + _S35;
uint _S36 = lane_2 & 1U;
thread array<float, int(4)> sums_1;
sums_1[int(0)] = 0.0f;
sums_1[int(1)] = 0.0f;
sums_1[int(2)] = 0.0f;
sums_1[int(3)] = 0.0f;
uint unit_4 = lane_2 >> 1U;
for(;;)
{
if(unit_4 < (kernelContext_12->p_0->units_0))
{
}
else
{
break;
}
thread array<Codes_0, int(4)> codes_0;
Codes_0 _S37 = codesOf_0(kernelContext_12->p_0->start_0 + min(row_4, kernelContext_12->p_0->rows_0 - 1U) * kernelContext_12->p_0->rowWords_0, unit_4, _S36, kernelContext_12);
codes_0[int(0)] = _S37;
Codes_0 _S38 = codesOf_0(kernelContext_12->p_0->start_0 + min(row_4 + 1U, kernelContext_12->p_0->rows_0 - 1U) * kernelContext_12->p_0->rowWords_0, unit_4, _S36, kernelContext_12);
codes_0[int(1)] = _S38;
Codes_0 _S39 = codesOf_0(kernelContext_12->p_0->start_0 + min(row_4 + 2U, kernelContext_12->p_0->rows_0 - 1U) * kernelContext_12->p_0->rowWords_0, unit_4, _S36, kernelContext_12);
codes_0[int(2)] = _S39;
Codes_0 _S40 = codesOf_0(kernelContext_12->p_0->start_0 + min(row_4 + 3U, kernelContext_12->p_0->rows_0 - 1U) * kernelContext_12->p_0->rowWords_0, unit_4, _S36, kernelContext_12);
codes_0[int(3)] = _S40;
Factors_0 _S41 = elements_0(min(first_2, kernelContext_12->p_0->end_0 - 1U), unit_4, _S36, kernelContext_12);
thread Codes_0 _S42 = _S37;
thread Factors_0 _S43 = _S41;
float _S44 = added_0(sums_1[int(0)], &_S42, &_S43);
sums_1[int(0)] = _S44;
thread Codes_0 _S45 = _S38;
thread Factors_0 _S46 = _S41;
float _S47 = added_0(sums_1[int(1)], &_S45, &_S46);
sums_1[int(1)] = _S47;
thread Codes_0 _S48 = _S39;
thread Factors_0 _S49 = _S41;
float _S50 = added_0(sums_1[int(2)], &_S48, &_S49);
sums_1[int(2)] = _S50;
thread Codes_0 _S51 = _S40;
thread Factors_0 _S52 = _S41;
float _S53 = added_0(sums_1[int(3)], &_S51, &_S52);
sums_1[int(3)] = _S53;
unit_4 = unit_4 + 64U;
}
thread array<float, int(4)> _S54 = sums_1;
shareSums_0(&_S54, _S34, _S35, kernelContext_12);
uint own_0 = row_4 + lane_2;
uint vector_1 = first_2 + lane_2 % 1U;
bool _S55;
if(lane_2 < 4U)
{
_S55 = own_0 < (kernelContext_12->p_0->rows_0);
}
else
{
_S55 = false;
}
if(_S55)
{
_S55 = vector_1 < (kernelContext_12->p_0->end_0);
}
else
{
_S55 = false;
}
if(_S55)
{
uint at_7 = kernelContext_12->p_0->outputStart_0 + vector_1 * kernelContext_12->p_0->outputStride_0 + own_0;
float device* _S56 = kernelContext_12->outputs_0+at_7;
uint _S57 = kernelContext_12->p_0->mode_0;
float _S58 = *(kernelContext_12->outputs_0+at_7);
float _S59 = sumOfParts_0(lane_2, kernelContext_12);
*_S56 = outcome_0(_S57, _S58, _S59);
}
return;
}
[[kernel]] void vector_q6_k(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
{
thread KernelContext_0 kernelContext_13;
(&kernelContext_13)->p_0 = p_1;
(&kernelContext_13)->inputs_0 = inputs_1;
(&kernelContext_13)->outputs_0 = outputs_1;
(&kernelContext_13)->weights_0 = weights_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_13)->partial_0 = &partial_1;
threadgroup array<array<float, int(32)>, int(4)> parts_1;
(&kernelContext_13)->parts_0 = &parts_1;
(&kernelContext_13)->_S1 = _builtinWaveLaneIndex_0;
product_0(group_1, local_1, &kernelContext_13);
return;
}
"""#)
}
#endif
