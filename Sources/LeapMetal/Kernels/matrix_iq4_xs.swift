// matrix_iq4_xs of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let matrix_iq4_xs = MetalKernelText(
        module: "product", entry: "matrix_iq4_xs", sourcesSHA256: "ba7f1d089228a3313cdc7d4bbea6bb752e03a4439ce259032470fcd3ad7868cf",
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
return fma((&c_0->scales_0)->low_0, chain_0(c_0->high_1[int(1)], x_0->high_2[int(1)], chain_0(c_0->high_1[int(0)], x_0->high_2[int(0)], chain_0(c_0->low_1[int(1)], x_0->low_2[int(1)], chain_0(c_0->low_1[int(0)], x_0->low_2[int(0)], 0.0f)))), sum_1);
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
uint byteAt_0(uint at_0, uint index_0, KernelContext_0 thread* kernelContext_0)
{
return (uint(kernelContext_0->weights_0[at_0 + (index_0 >> 1U)]) >> ((index_0 & 1U) * 8U)) & 255U;
}
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
float half16_0(uint at_1, KernelContext_0 thread* kernelContext_1)
{
uint _S2 = uint(kernelContext_1->weights_0[at_1]);
return f16tof32_0(uint2(_S2 & 65535U, _S2 >> 16U)).x;
}
Scales_0 Scales_x24init_0(float low_3, float high_3, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S3;
(&_S3)->low_0 = low_3;
(&_S3)->high_0 = high_3;
(&_S3)->lowOffset_0 = lowOffset_1;
(&_S3)->highOffset_0 = highOffset_1;
return _S3;
}
Scales_0 same_0(float scale_0, float offset_0)
{
return Scales_x24init_0(scale_0, scale_0, offset_0, offset_0);
}
Scales_0 IQ4_XS_scales_0(uint row_0, uint unit_0, KernelContext_0 thread* kernelContext_2)
{
uint at_2 = row_0 + (unit_0 >> 3U) * 68U;
uint j_0 = unit_0 & 7U;
uint _S4 = byteAt_0(at_2 + 2U, j_0 >> 1U, kernelContext_2);
uint low_4 = (_S4 >> (4U * (j_0 & 1U))) & 15U;
uint high_4 = (uint(kernelContext_2->weights_0[at_2 + 1U]) >> (2U * j_0)) & 3U;
float _S5 = half16_0(at_2, kernelContext_2);
return same_0(_S5 * float(int(low_4 | (high_4 << 4U)) - int(32)), 0.0f);
}
uint word_0(uint at_3, KernelContext_0 thread* kernelContext_3)
{
return uint(kernelContext_3->weights_0[at_3]) | (uint(kernelContext_3->weights_0[at_3 + 1U]) << 16U);
}
constant array<float, int(16)> levels_0 = { -127.0f, -104.0f, -83.0f, -65.0f, -49.0f, -35.0f, -22.0f, -10.0f, 1.0f, 13.0f, 25.0f, 38.0f, 53.0f, 69.0f, 89.0f, 113.0f };
float4 levelsOf_0(uint q_0)
{
return float4(levels_0[q_0 & 15U], levels_0[(q_0 >> 8U) & 15U], levels_0[(q_0 >> 16U) & 15U], levels_0[(q_0 >> 24U) & 15U]);
}
void IQ4_XS_codes_0(uint row_1, uint unit_1, uint i_1, float4 thread* low_5, float4 thread* high_5, KernelContext_0 thread* kernelContext_4)
{
uint _S6 = word_0(row_1 + (unit_1 >> 3U) * 68U + 4U + (unit_1 & 7U) * 8U + 2U * i_1, kernelContext_4);
*low_5 = levelsOf_0(_S6);
*high_5 = levelsOf_0(_S6 >> 4U);
return;
}
Codes_0 codesOf_0(uint row_2, uint unit_2, uint half_0, KernelContext_0 thread* kernelContext_5)
{
thread Codes_0 found_0;
Scales_0 _S7 = IQ4_XS_scales_0(row_2, unit_2, kernelContext_5);
(&found_0)->scales_0 = _S7;
uint _S8 = 2U * half_0;
IQ4_XS_codes_0(row_2, unit_2, _S8, &(&found_0)->low_1[0U], &(&found_0)->high_1[0U], kernelContext_5);
IQ4_XS_codes_0(row_2, unit_2, _S8 + 1U, &(&found_0)->low_1[1U], &(&found_0)->high_1[1U], kernelContext_5);
return found_0;
}
float sumOfRow_0(float v_0, uint row_3, uint lane_0, KernelContext_0 thread* kernelContext_6)
{
float _S9;
if(16U < SUBGROUP_0)
{
float _S10 = (simd_shuffle((v_0), ushort((int((kernelContext_6->_S1) ^ 16U)))));
_S9 = v_0 + _S10;
}
else
{
(*kernelContext_6->partial_0)[row_3][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S11 = v_0 + (*kernelContext_6->partial_0)[row_3][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S9 = _S11;
}
if(8U < SUBGROUP_0)
{
float _S12 = (simd_shuffle((_S9), ushort((int((kernelContext_6->_S1) ^ 8U)))));
_S9 = _S9 + _S12;
}
else
{
(*kernelContext_6->partial_0)[row_3][lane_0] = _S9;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S13 = _S9 + (*kernelContext_6->partial_0)[row_3][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S9 = _S13;
}
if(4U < SUBGROUP_0)
{
float _S14 = (simd_shuffle((_S9), ushort((int((kernelContext_6->_S1) ^ 4U)))));
_S9 = _S9 + _S14;
}
else
{
(*kernelContext_6->partial_0)[row_3][lane_0] = _S9;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S15 = _S9 + (*kernelContext_6->partial_0)[row_3][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S9 = _S15;
}
if(2U < SUBGROUP_0)
{
float _S16 = (simd_shuffle((_S9), ushort((int((kernelContext_6->_S1) ^ 2U)))));
_S9 = _S9 + _S16;
}
else
{
(*kernelContext_6->partial_0)[row_3][lane_0] = _S9;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S17 = _S9 + (*kernelContext_6->partial_0)[row_3][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S9 = _S17;
}
if(1U < SUBGROUP_0)
{
float _S18 = (simd_shuffle((_S9), ushort((int((kernelContext_6->_S1) ^ 1U)))));
_S9 = _S9 + _S18;
}
else
{
(*kernelContext_6->partial_0)[row_3][lane_0] = _S9;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S19 = _S9 + (*kernelContext_6->partial_0)[row_3][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S9 = _S19;
}
return _S9;
}
void shareSums_0(const array<float, int(32)> thread* sums_0, uint part_0, uint lane_1, KernelContext_0 thread* kernelContext_7)
{
float _S20 = sumOfRow_0((*sums_0)[int(0)], part_0, lane_1, kernelContext_7);
bool _S21 = lane_1 == 0U;
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(0)] = _S20;
}
float _S22 = sumOfRow_0((*sums_0)[int(1)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(1)] = _S22;
}
float _S23 = sumOfRow_0((*sums_0)[int(2)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(2)] = _S23;
}
float _S24 = sumOfRow_0((*sums_0)[int(3)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(3)] = _S24;
}
float _S25 = sumOfRow_0((*sums_0)[int(4)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(4)] = _S25;
}
float _S26 = sumOfRow_0((*sums_0)[int(5)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(5)] = _S26;
}
float _S27 = sumOfRow_0((*sums_0)[int(6)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(6)] = _S27;
}
float _S28 = sumOfRow_0((*sums_0)[int(7)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(7)] = _S28;
}
float _S29 = sumOfRow_0((*sums_0)[int(8)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(8)] = _S29;
}
float _S30 = sumOfRow_0((*sums_0)[int(9)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(9)] = _S30;
}
float _S31 = sumOfRow_0((*sums_0)[int(10)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(10)] = _S31;
}
float _S32 = sumOfRow_0((*sums_0)[int(11)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(11)] = _S32;
}
float _S33 = sumOfRow_0((*sums_0)[int(12)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(12)] = _S33;
}
float _S34 = sumOfRow_0((*sums_0)[int(13)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(13)] = _S34;
}
float _S35 = sumOfRow_0((*sums_0)[int(14)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(14)] = _S35;
}
float _S36 = sumOfRow_0((*sums_0)[int(15)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(15)] = _S36;
}
float _S37 = sumOfRow_0((*sums_0)[int(16)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(16)] = _S37;
}
float _S38 = sumOfRow_0((*sums_0)[int(17)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(17)] = _S38;
}
float _S39 = sumOfRow_0((*sums_0)[int(18)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(18)] = _S39;
}
float _S40 = sumOfRow_0((*sums_0)[int(19)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(19)] = _S40;
}
float _S41 = sumOfRow_0((*sums_0)[int(20)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(20)] = _S41;
}
float _S42 = sumOfRow_0((*sums_0)[int(21)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(21)] = _S42;
}
float _S43 = sumOfRow_0((*sums_0)[int(22)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(22)] = _S43;
}
float _S44 = sumOfRow_0((*sums_0)[int(23)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(23)] = _S44;
}
float _S45 = sumOfRow_0((*sums_0)[int(24)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(24)] = _S45;
}
float _S46 = sumOfRow_0((*sums_0)[int(25)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(25)] = _S46;
}
float _S47 = sumOfRow_0((*sums_0)[int(26)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(26)] = _S47;
}
float _S48 = sumOfRow_0((*sums_0)[int(27)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(27)] = _S48;
}
float _S49 = sumOfRow_0((*sums_0)[int(28)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(28)] = _S49;
}
float _S50 = sumOfRow_0((*sums_0)[int(29)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(29)] = _S50;
}
float _S51 = sumOfRow_0((*sums_0)[int(30)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(30)] = _S51;
}
float _S52 = sumOfRow_0((*sums_0)[int(31)], part_0, lane_1, kernelContext_7);
if(_S21)
{
(*kernelContext_7->parts_0)[part_0][int(31)] = _S52;
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
Factors_0 elements_0(uint vector_0, uint unit_3, uint half_1, KernelContext_0 thread* kernelContext_8)
{
uint at_4 = vector_0 * kernelContext_8->p_0->inputStride_0 + unit_3 * 8U + 2U * half_1;
return factors_0(float4(*(kernelContext_8->inputs_0+at_4)) , float4(*(kernelContext_8->inputs_0+(at_4 + 1U))) , float4(*(kernelContext_8->inputs_0+(at_4 + 4U))) , float4(*(kernelContext_8->inputs_0+(at_4 + 5U))) );
}
float sumOfParts_0(uint i_2, KernelContext_0 thread* kernelContext_9)
{
return (*kernelContext_9->parts_0)[int(0)][i_2] + (*kernelContext_9->parts_0)[int(1)][i_2] + ((*kernelContext_9->parts_0)[int(2)][i_2] + (*kernelContext_9->parts_0)[int(3)][i_2]);
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
float _S53 = max(value_1, 0.0f);
return _S53 * _S53;
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
void product_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_10)
{
uint row_4 = group_0.x * 4U;
uint first_2 = kernelContext_10->p_0->first_0 + group_0.y * 8U;
uint _S54 = local_0.y;
uint _S55 = local_0.x;
uint lane_2 = _S54 * 32U + _S55;
uint _S56 = lane_2 & 1U;
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
if(unit_4 < (kernelContext_10->p_0->units_0))
{
}
else
{
break;
}
thread array<Codes_0, int(4)> codes_0;
Codes_0 _S57 = codesOf_0(kernelContext_10->p_0->start_0 + min(row_4, kernelContext_10->p_0->rows_0 - 1U) * kernelContext_10->p_0->rowWords_0, unit_4, _S56, kernelContext_10);
codes_0[int(0)] = _S57;
Codes_0 _S58 = codesOf_0(kernelContext_10->p_0->start_0 + min(row_4 + 1U, kernelContext_10->p_0->rows_0 - 1U) * kernelContext_10->p_0->rowWords_0, unit_4, _S56, kernelContext_10);
codes_0[int(1)] = _S58;
Codes_0 _S59 = codesOf_0(kernelContext_10->p_0->start_0 + min(row_4 + 2U, kernelContext_10->p_0->rows_0 - 1U) * kernelContext_10->p_0->rowWords_0, unit_4, _S56, kernelContext_10);
codes_0[int(2)] = _S59;
Codes_0 _S60 = codesOf_0(kernelContext_10->p_0->start_0 + min(row_4 + 3U, kernelContext_10->p_0->rows_0 - 1U) * kernelContext_10->p_0->rowWords_0, unit_4, _S56, kernelContext_10);
codes_0[int(3)] = _S60;
Factors_0 _S61 = elements_0(min(first_2, kernelContext_10->p_0->end_0 - 1U), unit_4, _S56, kernelContext_10);
thread Codes_0 _S62 = _S57;
thread Factors_0 _S63 = _S61;
float _S64 = added_0(sums_1[int(0)], &_S62, &_S63);
sums_1[int(0)] = _S64;
thread Codes_0 _S65 = _S58;
thread Factors_0 _S66 = _S61;
float _S67 = added_0(sums_1[int(8)], &_S65, &_S66);
sums_1[int(8)] = _S67;
thread Codes_0 _S68 = _S59;
thread Factors_0 _S69 = _S61;
float _S70 = added_0(sums_1[int(16)], &_S68, &_S69);
sums_1[int(16)] = _S70;
thread Codes_0 _S71 = _S60;
thread Factors_0 _S72 = _S61;
float _S73 = added_0(sums_1[int(24)], &_S71, &_S72);
sums_1[int(24)] = _S73;
Factors_0 _S74 = elements_0(min(first_2 + 1U, kernelContext_10->p_0->end_0 - 1U), unit_4, _S56, kernelContext_10);
thread Codes_0 _S75 = _S57;
thread Factors_0 _S76 = _S74;
float _S77 = added_0(sums_1[int(1)], &_S75, &_S76);
sums_1[int(1)] = _S77;
thread Codes_0 _S78 = _S58;
thread Factors_0 _S79 = _S74;
float _S80 = added_0(sums_1[int(9)], &_S78, &_S79);
sums_1[int(9)] = _S80;
thread Codes_0 _S81 = _S59;
thread Factors_0 _S82 = _S74;
float _S83 = added_0(sums_1[int(17)], &_S81, &_S82);
sums_1[int(17)] = _S83;
thread Codes_0 _S84 = _S60;
thread Factors_0 _S85 = _S74;
float _S86 = added_0(sums_1[int(25)], &_S84, &_S85);
sums_1[int(25)] = _S86;
Factors_0 _S87 = elements_0(min(first_2 + 2U, kernelContext_10->p_0->end_0 - 1U), unit_4, _S56, kernelContext_10);
thread Codes_0 _S88 = _S57;
thread Factors_0 _S89 = _S87;
float _S90 = added_0(sums_1[int(2)], &_S88, &_S89);
sums_1[int(2)] = _S90;
thread Codes_0 _S91 = _S58;
thread Factors_0 _S92 = _S87;
float _S93 = added_0(sums_1[int(10)], &_S91, &_S92);
sums_1[int(10)] = _S93;
thread Codes_0 _S94 = _S59;
thread Factors_0 _S95 = _S87;
float _S96 = added_0(sums_1[int(18)], &_S94, &_S95);
sums_1[int(18)] = _S96;
thread Codes_0 _S97 = _S60;
thread Factors_0 _S98 = _S87;
float _S99 = added_0(sums_1[int(26)], &_S97, &_S98);
sums_1[int(26)] = _S99;
Factors_0 _S100 = elements_0(min(first_2 + 3U, kernelContext_10->p_0->end_0 - 1U), unit_4, _S56, kernelContext_10);
thread Codes_0 _S101 = _S57;
thread Factors_0 _S102 = _S100;
float _S103 = added_0(sums_1[int(3)], &_S101, &_S102);
sums_1[int(3)] = _S103;
thread Codes_0 _S104 = _S58;
thread Factors_0 _S105 = _S100;
float _S106 = added_0(sums_1[int(11)], &_S104, &_S105);
sums_1[int(11)] = _S106;
thread Codes_0 _S107 = _S59;
thread Factors_0 _S108 = _S100;
float _S109 = added_0(sums_1[int(19)], &_S107, &_S108);
sums_1[int(19)] = _S109;
thread Codes_0 _S110 = _S60;
thread Factors_0 _S111 = _S100;
float _S112 = added_0(sums_1[int(27)], &_S110, &_S111);
sums_1[int(27)] = _S112;
Factors_0 _S113 = elements_0(min(first_2 + 4U, kernelContext_10->p_0->end_0 - 1U), unit_4, _S56, kernelContext_10);
thread Codes_0 _S114 = _S57;
thread Factors_0 _S115 = _S113;
float _S116 = added_0(sums_1[int(4)], &_S114, &_S115);
sums_1[int(4)] = _S116;
thread Codes_0 _S117 = _S58;
thread Factors_0 _S118 = _S113;
float _S119 = added_0(sums_1[int(12)], &_S117, &_S118);
sums_1[int(12)] = _S119;
thread Codes_0 _S120 = _S59;
thread Factors_0 _S121 = _S113;
float _S122 = added_0(sums_1[int(20)], &_S120, &_S121);
sums_1[int(20)] = _S122;
thread Codes_0 _S123 = _S60;
thread Factors_0 _S124 = _S113;
float _S125 = added_0(sums_1[int(28)], &_S123, &_S124);
sums_1[int(28)] = _S125;
Factors_0 _S126 = elements_0(min(first_2 + 5U, kernelContext_10->p_0->end_0 - 1U), unit_4, _S56, kernelContext_10);
thread Codes_0 _S127 = _S57;
thread Factors_0 _S128 = _S126;
float _S129 = added_0(sums_1[int(5)], &_S127, &_S128);
sums_1[int(5)] = _S129;
thread Codes_0 _S130 = _S58;
thread Factors_0 _S131 = _S126;
float _S132 = added_0(sums_1[int(13)], &_S130, &_S131);
sums_1[int(13)] = _S132;
thread Codes_0 _S133 = _S59;
thread Factors_0 _S134 = _S126;
float _S135 = added_0(sums_1[int(21)], &_S133, &_S134);
sums_1[int(21)] = _S135;
thread Codes_0 _S136 = _S60;
thread Factors_0 _S137 = _S126;
float _S138 = added_0(sums_1[int(29)], &_S136, &_S137);
sums_1[int(29)] = _S138;
Factors_0 _S139 = elements_0(min(first_2 + 6U, kernelContext_10->p_0->end_0 - 1U), unit_4, _S56, kernelContext_10);
thread Codes_0 _S140 = _S57;
thread Factors_0 _S141 = _S139;
float _S142 = added_0(sums_1[int(6)], &_S140, &_S141);
sums_1[int(6)] = _S142;
thread Codes_0 _S143 = _S58;
thread Factors_0 _S144 = _S139;
float _S145 = added_0(sums_1[int(14)], &_S143, &_S144);
sums_1[int(14)] = _S145;
thread Codes_0 _S146 = _S59;
thread Factors_0 _S147 = _S139;
float _S148 = added_0(sums_1[int(22)], &_S146, &_S147);
sums_1[int(22)] = _S148;
thread Codes_0 _S149 = _S60;
thread Factors_0 _S150 = _S139;
float _S151 = added_0(sums_1[int(30)], &_S149, &_S150);
sums_1[int(30)] = _S151;
Factors_0 _S152 = elements_0(min(first_2 + 7U, kernelContext_10->p_0->end_0 - 1U), unit_4, _S56, kernelContext_10);
thread Codes_0 _S153 = _S57;
thread Factors_0 _S154 = _S152;
float _S155 = added_0(sums_1[int(7)], &_S153, &_S154);
sums_1[int(7)] = _S155;
thread Codes_0 _S156 = _S58;
thread Factors_0 _S157 = _S152;
float _S158 = added_0(sums_1[int(15)], &_S156, &_S157);
sums_1[int(15)] = _S158;
thread Codes_0 _S159 = _S59;
thread Factors_0 _S160 = _S152;
float _S161 = added_0(sums_1[int(23)], &_S159, &_S160);
sums_1[int(23)] = _S161;
thread Codes_0 _S162 = _S60;
thread Factors_0 _S163 = _S152;
float _S164 = added_0(sums_1[int(31)], &_S162, &_S163);
sums_1[int(31)] = _S164;
unit_4 = unit_4 + 64U;
}
thread array<float, int(32)> _S165 = sums_1;
shareSums_0(&_S165, _S54, _S55, kernelContext_10);
uint own_0 = row_4 + lane_2 / 8U;
uint vector_1 = first_2 + lane_2 % 8U;
bool _S166;
if(lane_2 < 32U)
{
_S166 = own_0 < (kernelContext_10->p_0->rows_0);
}
else
{
_S166 = false;
}
if(_S166)
{
_S166 = vector_1 < (kernelContext_10->p_0->end_0);
}
else
{
_S166 = false;
}
if(_S166)
{
uint at_5 = kernelContext_10->p_0->outputStart_0 + vector_1 * kernelContext_10->p_0->outputStride_0 + own_0;
float device* _S167 = kernelContext_10->outputs_0+at_5;
uint _S168 = kernelContext_10->p_0->mode_0;
float _S169 = *(kernelContext_10->outputs_0+at_5);
float _S170 = sumOfParts_0(lane_2, kernelContext_10);
*_S167 = outcome_0(_S168, _S169, _S170);
}
return;
}
[[kernel]] void matrix_iq4_xs(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
{
thread KernelContext_0 kernelContext_11;
(&kernelContext_11)->p_0 = p_1;
(&kernelContext_11)->inputs_0 = inputs_1;
(&kernelContext_11)->outputs_0 = outputs_1;
(&kernelContext_11)->weights_0 = weights_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_11)->partial_0 = &partial_1;
threadgroup array<array<float, int(32)>, int(4)> parts_1;
(&kernelContext_11)->parts_0 = &parts_1;
(&kernelContext_11)->_S1 = _builtinWaveLaneIndex_0;
product_0(group_1, local_1, &kernelContext_11);
return;
}
"""#)
}
#endif
