// matrix_q3_k of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let matrix_q3_k = MetalKernelText(
        module: "product", entry: "matrix_q3_k", sourcesSHA256: "ba7f1d089228a3313cdc7d4bbea6bb752e03a4439ce259032470fcd3ad7868cf",
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
float Q3_K_scale_0(uint at_2, uint k_0, KernelContext_0 thread* kernelContext_2)
{
uint low_3;
if(k_0 < 8U)
{
uint _S3 = byteAt_0(at_2 + 48U, k_0, kernelContext_2);
low_3 = _S3 & 15U;
}
else
{
uint _S4 = byteAt_0(at_2 + 48U, k_0 - 8U, kernelContext_2);
low_3 = _S4 >> 4U;
}
uint _S5 = byteAt_0(at_2 + 48U, 8U + (k_0 & 3U), kernelContext_2);
return float(int(low_3 | (((_S5 >> (2U * (k_0 >> 2U))) & 3U) << 4U)) - int(32));
}
Scales_0 Scales_x24init_0(float low_4, float high_3, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S6;
(&_S6)->low_0 = low_4;
(&_S6)->high_0 = high_3;
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
float low_5 = _S7 * _S8;
float _S9 = Q3_K_scale_0(at_3, k_1 + 1U, kernelContext_3);
float high_4 = _S7 * _S9;
return Scales_x24init_0(low_5, high_4, -4.0f * low_5, -4.0f * high_4);
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
uint _S10 = word_0(lowBits_0, kernelContext_5);
uint _S11 = (_S10 >> (2U * (j_0 & 3U))) & 50529027U;
uint _S12 = word_0(highBits_0, kernelContext_5);
return bytes_0(_S11 | (((_S12 >> j_0) & 16843009U) << 2U));
}
void Q3_K_codes_0(uint row_1, uint unit_1, uint i_1, float4 thread* low_6, float4 thread* high_5, KernelContext_0 thread* kernelContext_6)
{
uint at_5 = row_1 + (unit_1 >> 3U) * 55U;
uint j_1 = unit_1 & 7U;
uint _S13 = 2U * i_1;
uint lowBits_1 = at_5 + 16U + (j_1 >> 2U) * 16U + _S13;
uint highBits_1 = at_5 + _S13;
float4 _S14 = Q3_K_four_0(lowBits_1, highBits_1, j_1, kernelContext_6);
*low_6 = _S14;
float4 _S15 = Q3_K_four_0(lowBits_1 + 8U, highBits_1 + 8U, j_1, kernelContext_6);
*high_5 = _S15;
return;
}
Codes_0 codesOf_0(uint row_2, uint unit_2, uint half_0, KernelContext_0 thread* kernelContext_7)
{
thread Codes_0 found_0;
Scales_0 _S16 = Q3_K_scales_0(row_2, unit_2, kernelContext_7);
(&found_0)->scales_0 = _S16;
uint _S17 = 2U * half_0;
Q3_K_codes_0(row_2, unit_2, _S17, &(&found_0)->low_1[0U], &(&found_0)->high_1[0U], kernelContext_7);
Q3_K_codes_0(row_2, unit_2, _S17 + 1U, &(&found_0)->low_1[1U], &(&found_0)->high_1[1U], kernelContext_7);
return found_0;
}
float sumOfRow_0(float v_0, uint row_3, uint lane_0, KernelContext_0 thread* kernelContext_8)
{
float _S18;
if(16U < SUBGROUP_0)
{
float _S19 = (simd_shuffle((v_0), ushort((int((kernelContext_8->_S1) ^ 16U)))));
_S18 = v_0 + _S19;
}
else
{
(*kernelContext_8->partial_0)[row_3][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S20 = v_0 + (*kernelContext_8->partial_0)[row_3][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S18 = _S20;
}
if(8U < SUBGROUP_0)
{
float _S21 = (simd_shuffle((_S18), ushort((int((kernelContext_8->_S1) ^ 8U)))));
_S18 = _S18 + _S21;
}
else
{
(*kernelContext_8->partial_0)[row_3][lane_0] = _S18;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S22 = _S18 + (*kernelContext_8->partial_0)[row_3][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S18 = _S22;
}
if(4U < SUBGROUP_0)
{
float _S23 = (simd_shuffle((_S18), ushort((int((kernelContext_8->_S1) ^ 4U)))));
_S18 = _S18 + _S23;
}
else
{
(*kernelContext_8->partial_0)[row_3][lane_0] = _S18;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S24 = _S18 + (*kernelContext_8->partial_0)[row_3][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S18 = _S24;
}
if(2U < SUBGROUP_0)
{
float _S25 = (simd_shuffle((_S18), ushort((int((kernelContext_8->_S1) ^ 2U)))));
_S18 = _S18 + _S25;
}
else
{
(*kernelContext_8->partial_0)[row_3][lane_0] = _S18;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S26 = _S18 + (*kernelContext_8->partial_0)[row_3][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S18 = _S26;
}
if(1U < SUBGROUP_0)
{
float _S27 = (simd_shuffle((_S18), ushort((int((kernelContext_8->_S1) ^ 1U)))));
_S18 = _S18 + _S27;
}
else
{
(*kernelContext_8->partial_0)[row_3][lane_0] = _S18;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S28 = _S18 + (*kernelContext_8->partial_0)[row_3][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S18 = _S28;
}
return _S18;
}
void shareSums_0(const array<float, int(32)> thread* sums_0, uint part_0, uint lane_1, KernelContext_0 thread* kernelContext_9)
{
float _S29 = sumOfRow_0((*sums_0)[int(0)], part_0, lane_1, kernelContext_9);
bool _S30 = lane_1 == 0U;
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(0)] = _S29;
}
float _S31 = sumOfRow_0((*sums_0)[int(1)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(1)] = _S31;
}
float _S32 = sumOfRow_0((*sums_0)[int(2)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(2)] = _S32;
}
float _S33 = sumOfRow_0((*sums_0)[int(3)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(3)] = _S33;
}
float _S34 = sumOfRow_0((*sums_0)[int(4)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(4)] = _S34;
}
float _S35 = sumOfRow_0((*sums_0)[int(5)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(5)] = _S35;
}
float _S36 = sumOfRow_0((*sums_0)[int(6)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(6)] = _S36;
}
float _S37 = sumOfRow_0((*sums_0)[int(7)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(7)] = _S37;
}
float _S38 = sumOfRow_0((*sums_0)[int(8)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(8)] = _S38;
}
float _S39 = sumOfRow_0((*sums_0)[int(9)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(9)] = _S39;
}
float _S40 = sumOfRow_0((*sums_0)[int(10)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(10)] = _S40;
}
float _S41 = sumOfRow_0((*sums_0)[int(11)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(11)] = _S41;
}
float _S42 = sumOfRow_0((*sums_0)[int(12)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(12)] = _S42;
}
float _S43 = sumOfRow_0((*sums_0)[int(13)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(13)] = _S43;
}
float _S44 = sumOfRow_0((*sums_0)[int(14)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(14)] = _S44;
}
float _S45 = sumOfRow_0((*sums_0)[int(15)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(15)] = _S45;
}
float _S46 = sumOfRow_0((*sums_0)[int(16)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(16)] = _S46;
}
float _S47 = sumOfRow_0((*sums_0)[int(17)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(17)] = _S47;
}
float _S48 = sumOfRow_0((*sums_0)[int(18)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(18)] = _S48;
}
float _S49 = sumOfRow_0((*sums_0)[int(19)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(19)] = _S49;
}
float _S50 = sumOfRow_0((*sums_0)[int(20)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(20)] = _S50;
}
float _S51 = sumOfRow_0((*sums_0)[int(21)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(21)] = _S51;
}
float _S52 = sumOfRow_0((*sums_0)[int(22)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(22)] = _S52;
}
float _S53 = sumOfRow_0((*sums_0)[int(23)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(23)] = _S53;
}
float _S54 = sumOfRow_0((*sums_0)[int(24)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(24)] = _S54;
}
float _S55 = sumOfRow_0((*sums_0)[int(25)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(25)] = _S55;
}
float _S56 = sumOfRow_0((*sums_0)[int(26)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(26)] = _S56;
}
float _S57 = sumOfRow_0((*sums_0)[int(27)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(27)] = _S57;
}
float _S58 = sumOfRow_0((*sums_0)[int(28)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(28)] = _S58;
}
float _S59 = sumOfRow_0((*sums_0)[int(29)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(29)] = _S59;
}
float _S60 = sumOfRow_0((*sums_0)[int(30)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(30)] = _S60;
}
float _S61 = sumOfRow_0((*sums_0)[int(31)], part_0, lane_1, kernelContext_9);
if(_S30)
{
(*kernelContext_9->parts_0)[part_0][int(31)] = _S61;
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
float _S62 = max(value_1, 0.0f);
return _S62 * _S62;
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
uint first_2 = kernelContext_12->p_0->first_0 + group_0.y * 8U;
uint _S63 = local_0.y;
uint _S64 = local_0.x;
uint lane_2 = _S63 * 32U + _S64;
uint _S65 = lane_2 & 1U;
thread array<float, int(32)> sums_1;
sums_1[int(0)] = 0.0f;
sums_1[int(1)] = 0.0f;
sums_1[int(2)] = 0.0f;
sums_1[int(3)] = 0.0f;
sums_1[int(4)] = 0.0f;
sums_1[int(5)] = 0.0f;
sums_1[int(6)] = 0.0f;
sums_1[int(7)] = 0.0f;
sums_1[int(8)] = 0.0f;
sums_1[int(9)] = 0.0f;
sums_1[int(10)] = 0.0f;
sums_1[int(11)] = 0.0f;
sums_1[int(12)] = 0.0f;
sums_1[int(13)] = 0.0f;
sums_1[int(14)] = 0.0f;
sums_1[int(15)] = 0.0f;
sums_1[int(16)] = 0.0f;
sums_1[int(17)] = 0.0f;
sums_1[int(18)] = 0.0f;
sums_1[int(19)] = 0.0f;
sums_1[int(20)] = 0.0f;
sums_1[int(21)] = 0.0f;
sums_1[int(22)] = 0.0f;
sums_1[int(23)] = 0.0f;
sums_1[int(24)] = 0.0f;
sums_1[int(25)] = 0.0f;
sums_1[int(26)] = 0.0f;
sums_1[int(27)] = 0.0f;
sums_1[int(28)] = 0.0f;
sums_1[int(29)] = 0.0f;
sums_1[int(30)] = 0.0f;
sums_1[int(31)] = 0.0f;
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
Codes_0 _S66 = codesOf_0(kernelContext_12->p_0->start_0 + min(row_4, kernelContext_12->p_0->rows_0 - 1U) * kernelContext_12->p_0->rowWords_0, unit_4, _S65, kernelContext_12);
codes_0[int(0)] = _S66;
Codes_0 _S67 = codesOf_0(kernelContext_12->p_0->start_0 + min(row_4 + 1U, kernelContext_12->p_0->rows_0 - 1U) * kernelContext_12->p_0->rowWords_0, unit_4, _S65, kernelContext_12);
codes_0[int(1)] = _S67;
Codes_0 _S68 = codesOf_0(kernelContext_12->p_0->start_0 + min(row_4 + 2U, kernelContext_12->p_0->rows_0 - 1U) * kernelContext_12->p_0->rowWords_0, unit_4, _S65, kernelContext_12);
codes_0[int(2)] = _S68;
Codes_0 _S69 = codesOf_0(kernelContext_12->p_0->start_0 + min(row_4 + 3U, kernelContext_12->p_0->rows_0 - 1U) * kernelContext_12->p_0->rowWords_0, unit_4, _S65, kernelContext_12);
codes_0[int(3)] = _S69;
Factors_0 _S70 = elements_0(min(first_2, kernelContext_12->p_0->end_0 - 1U), unit_4, _S65, kernelContext_12);
thread Codes_0 _S71 = _S66;
thread Factors_0 _S72 = _S70;
float _S73 = added_0(sums_1[int(0)], &_S71, &_S72);
sums_1[int(0)] = _S73;
thread Codes_0 _S74 = _S67;
thread Factors_0 _S75 = _S70;
float _S76 = added_0(sums_1[int(8)], &_S74, &_S75);
sums_1[int(8)] = _S76;
thread Codes_0 _S77 = _S68;
thread Factors_0 _S78 = _S70;
float _S79 = added_0(sums_1[int(16)], &_S77, &_S78);
sums_1[int(16)] = _S79;
thread Codes_0 _S80 = _S69;
thread Factors_0 _S81 = _S70;
float _S82 = added_0(sums_1[int(24)], &_S80, &_S81);
sums_1[int(24)] = _S82;
Factors_0 _S83 = elements_0(min(first_2 + 1U, kernelContext_12->p_0->end_0 - 1U), unit_4, _S65, kernelContext_12);
thread Codes_0 _S84 = _S66;
thread Factors_0 _S85 = _S83;
float _S86 = added_0(sums_1[int(1)], &_S84, &_S85);
sums_1[int(1)] = _S86;
thread Codes_0 _S87 = _S67;
thread Factors_0 _S88 = _S83;
float _S89 = added_0(sums_1[int(9)], &_S87, &_S88);
sums_1[int(9)] = _S89;
thread Codes_0 _S90 = _S68;
thread Factors_0 _S91 = _S83;
float _S92 = added_0(sums_1[int(17)], &_S90, &_S91);
sums_1[int(17)] = _S92;
thread Codes_0 _S93 = _S69;
thread Factors_0 _S94 = _S83;
float _S95 = added_0(sums_1[int(25)], &_S93, &_S94);
sums_1[int(25)] = _S95;
Factors_0 _S96 = elements_0(min(first_2 + 2U, kernelContext_12->p_0->end_0 - 1U), unit_4, _S65, kernelContext_12);
thread Codes_0 _S97 = _S66;
thread Factors_0 _S98 = _S96;
float _S99 = added_0(sums_1[int(2)], &_S97, &_S98);
sums_1[int(2)] = _S99;
thread Codes_0 _S100 = _S67;
thread Factors_0 _S101 = _S96;
float _S102 = added_0(sums_1[int(10)], &_S100, &_S101);
sums_1[int(10)] = _S102;
thread Codes_0 _S103 = _S68;
thread Factors_0 _S104 = _S96;
float _S105 = added_0(sums_1[int(18)], &_S103, &_S104);
sums_1[int(18)] = _S105;
thread Codes_0 _S106 = _S69;
thread Factors_0 _S107 = _S96;
float _S108 = added_0(sums_1[int(26)], &_S106, &_S107);
sums_1[int(26)] = _S108;
Factors_0 _S109 = elements_0(min(first_2 + 3U, kernelContext_12->p_0->end_0 - 1U), unit_4, _S65, kernelContext_12);
thread Codes_0 _S110 = _S66;
thread Factors_0 _S111 = _S109;
float _S112 = added_0(sums_1[int(3)], &_S110, &_S111);
sums_1[int(3)] = _S112;
thread Codes_0 _S113 = _S67;
thread Factors_0 _S114 = _S109;
float _S115 = added_0(sums_1[int(11)], &_S113, &_S114);
sums_1[int(11)] = _S115;
thread Codes_0 _S116 = _S68;
thread Factors_0 _S117 = _S109;
float _S118 = added_0(sums_1[int(19)], &_S116, &_S117);
sums_1[int(19)] = _S118;
thread Codes_0 _S119 = _S69;
thread Factors_0 _S120 = _S109;
float _S121 = added_0(sums_1[int(27)], &_S119, &_S120);
sums_1[int(27)] = _S121;
Factors_0 _S122 = elements_0(min(first_2 + 4U, kernelContext_12->p_0->end_0 - 1U), unit_4, _S65, kernelContext_12);
thread Codes_0 _S123 = _S66;
thread Factors_0 _S124 = _S122;
float _S125 = added_0(sums_1[int(4)], &_S123, &_S124);
sums_1[int(4)] = _S125;
thread Codes_0 _S126 = _S67;
thread Factors_0 _S127 = _S122;
float _S128 = added_0(sums_1[int(12)], &_S126, &_S127);
sums_1[int(12)] = _S128;
thread Codes_0 _S129 = _S68;
thread Factors_0 _S130 = _S122;
float _S131 = added_0(sums_1[int(20)], &_S129, &_S130);
sums_1[int(20)] = _S131;
thread Codes_0 _S132 = _S69;
thread Factors_0 _S133 = _S122;
float _S134 = added_0(sums_1[int(28)], &_S132, &_S133);
sums_1[int(28)] = _S134;
Factors_0 _S135 = elements_0(min(first_2 + 5U, kernelContext_12->p_0->end_0 - 1U), unit_4, _S65, kernelContext_12);
thread Codes_0 _S136 = _S66;
thread Factors_0 _S137 = _S135;
float _S138 = added_0(sums_1[int(5)], &_S136, &_S137);
sums_1[int(5)] = _S138;
thread Codes_0 _S139 = _S67;
thread Factors_0 _S140 = _S135;
float _S141 = added_0(sums_1[int(13)], &_S139, &_S140);
sums_1[int(13)] = _S141;
thread Codes_0 _S142 = _S68;
thread Factors_0 _S143 = _S135;
float _S144 = added_0(sums_1[int(21)], &_S142, &_S143);
sums_1[int(21)] = _S144;
thread Codes_0 _S145 = _S69;
thread Factors_0 _S146 = _S135;
float _S147 = added_0(sums_1[int(29)], &_S145, &_S146);
sums_1[int(29)] = _S147;
Factors_0 _S148 = elements_0(min(first_2 + 6U, kernelContext_12->p_0->end_0 - 1U), unit_4, _S65, kernelContext_12);
thread Codes_0 _S149 = _S66;
thread Factors_0 _S150 = _S148;
float _S151 = added_0(sums_1[int(6)], &_S149, &_S150);
sums_1[int(6)] = _S151;
thread Codes_0 _S152 = _S67;
thread Factors_0 _S153 = _S148;
float _S154 = added_0(sums_1[int(14)], &_S152, &_S153);
sums_1[int(14)] = _S154;
thread Codes_0 _S155 = _S68;
thread Factors_0 _S156 = _S148;
float _S157 = added_0(sums_1[int(22)], &_S155, &_S156);
sums_1[int(22)] = _S157;
thread Codes_0 _S158 = _S69;
thread Factors_0 _S159 = _S148;
float _S160 = added_0(sums_1[int(30)], &_S158, &_S159);
sums_1[int(30)] = _S160;
Factors_0 _S161 = elements_0(min(first_2 + 7U, kernelContext_12->p_0->end_0 - 1U), unit_4, _S65, kernelContext_12);
thread Codes_0 _S162 = _S66;
thread Factors_0 _S163 = _S161;
float _S164 = added_0(sums_1[int(7)], &_S162, &_S163);
sums_1[int(7)] = _S164;
thread Codes_0 _S165 = _S67;
thread Factors_0 _S166 = _S161;
float _S167 = added_0(sums_1[int(15)], &_S165, &_S166);
sums_1[int(15)] = _S167;
thread Codes_0 _S168 = _S68;
thread Factors_0 _S169 = _S161;
float _S170 = added_0(sums_1[int(23)], &_S168, &_S169);
sums_1[int(23)] = _S170;
thread Codes_0 _S171 = _S69;
thread Factors_0 _S172 = _S161;
float _S173 = added_0(sums_1[int(31)], &_S171, &_S172);
sums_1[int(31)] = _S173;
unit_4 = unit_4 + 64U;
}
thread array<float, int(32)> _S174 = sums_1;
shareSums_0(&_S174, _S63, _S64, kernelContext_12);
uint own_0 = row_4 + lane_2 / 8U;
uint vector_1 = first_2 + lane_2 % 8U;
bool _S175;
if(lane_2 < 32U)
{
_S175 = own_0 < (kernelContext_12->p_0->rows_0);
}
else
{
_S175 = false;
}
if(_S175)
{
_S175 = vector_1 < (kernelContext_12->p_0->end_0);
}
else
{
_S175 = false;
}
if(_S175)
{
uint at_7 = kernelContext_12->p_0->outputStart_0 + vector_1 * kernelContext_12->p_0->outputStride_0 + own_0;
float device* _S176 = kernelContext_12->outputs_0+at_7;
uint _S177 = kernelContext_12->p_0->mode_0;
float _S178 = *(kernelContext_12->outputs_0+at_7);
float _S179 = sumOfParts_0(lane_2, kernelContext_12);
*_S176 = outcome_0(_S177, _S178, _S179);
}
return;
}
[[kernel]] void matrix_q3_k(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
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
