// pair_q4_0 of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let pair_q4_0 = MetalKernelText(
        module: "product", entry: "pair_q4_0", sourcesSHA256: "ba7f1d089228a3313cdc7d4bbea6bb752e03a4439ce259032470fcd3ad7868cf",
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
return fma((&c_0->scales_0)->lowOffset_0, x_0->lowSum_0 + x_0->highSum_0, fma((&c_0->scales_0)->low_0, chain_0(c_0->high_1[int(1)], x_0->high_2[int(1)], chain_0(c_0->high_1[int(0)], x_0->high_2[int(0)], chain_0(c_0->low_1[int(1)], x_0->low_2[int(1)], chain_0(c_0->low_1[int(0)], x_0->low_2[int(0)], 0.0f)))), sum_1));
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
Scales_0 Q4_0_scales_0(uint row_0, uint unit_0, KernelContext_0 thread* kernelContext_1)
{
float _S4 = half16_0(row_0 + unit_0 * 9U, kernelContext_1);
return same_0(_S4, -8.0f * _S4);
}
uint word_0(uint at_1, KernelContext_0 thread* kernelContext_2)
{
return uint(kernelContext_2->weights_0[at_1]) | (uint(kernelContext_2->weights_0[at_1 + 1U]) << 16U);
}
float4 bytes_0(uint q_0)
{
return float4(float(q_0 & 255U), float((q_0 >> 8U) & 255U), float((q_0 >> 16U) & 255U), float(q_0 >> 24U));
}
void Q4_0_codes_0(uint row_1, uint unit_1, uint i_1, float4 thread* low_4, float4 thread* high_4, KernelContext_0 thread* kernelContext_3)
{
uint _S5 = word_0(row_1 + unit_1 * 9U + 1U + 2U * i_1, kernelContext_3);
*low_4 = bytes_0(_S5 & 252645135U);
*high_4 = bytes_0((_S5 >> 4U) & 252645135U);
return;
}
Codes_0 codesOf_0(uint row_2, uint unit_2, uint half_0, KernelContext_0 thread* kernelContext_4)
{
thread Codes_0 found_0;
Scales_0 _S6 = Q4_0_scales_0(row_2, unit_2, kernelContext_4);
(&found_0)->scales_0 = _S6;
uint _S7 = 2U * half_0;
Q4_0_codes_0(row_2, unit_2, _S7, &(&found_0)->low_1[0U], &(&found_0)->high_1[0U], kernelContext_4);
Q4_0_codes_0(row_2, unit_2, _S7 + 1U, &(&found_0)->low_1[1U], &(&found_0)->high_1[1U], kernelContext_4);
return found_0;
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
Factors_0 elements_0(uint vector_0, uint unit_3, uint half_1, KernelContext_0 thread* kernelContext_5)
{
uint at_2 = vector_0 * kernelContext_5->p_0->inputStride_0 + unit_3 * 8U + 2U * half_1;
return factors_0(float4(*(kernelContext_5->inputs_0+at_2)) , float4(*(kernelContext_5->inputs_0+(at_2 + 1U))) , float4(*(kernelContext_5->inputs_0+(at_2 + 4U))) , float4(*(kernelContext_5->inputs_0+(at_2 + 5U))) );
}
float sumOfRow_0(float v_0, uint row_3, uint lane_0, KernelContext_0 thread* kernelContext_6)
{
float _S8;
if(16U < SUBGROUP_0)
{
float _S9 = (simd_shuffle((v_0), ushort((int((kernelContext_6->_S1) ^ 16U)))));
_S8 = v_0 + _S9;
}
else
{
(*kernelContext_6->partial_0)[row_3][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S10 = v_0 + (*kernelContext_6->partial_0)[row_3][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S8 = _S10;
}
if(8U < SUBGROUP_0)
{
float _S11 = (simd_shuffle((_S8), ushort((int((kernelContext_6->_S1) ^ 8U)))));
_S8 = _S8 + _S11;
}
else
{
(*kernelContext_6->partial_0)[row_3][lane_0] = _S8;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S12 = _S8 + (*kernelContext_6->partial_0)[row_3][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S8 = _S12;
}
if(4U < SUBGROUP_0)
{
float _S13 = (simd_shuffle((_S8), ushort((int((kernelContext_6->_S1) ^ 4U)))));
_S8 = _S8 + _S13;
}
else
{
(*kernelContext_6->partial_0)[row_3][lane_0] = _S8;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S14 = _S8 + (*kernelContext_6->partial_0)[row_3][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S8 = _S14;
}
if(2U < SUBGROUP_0)
{
float _S15 = (simd_shuffle((_S8), ushort((int((kernelContext_6->_S1) ^ 2U)))));
_S8 = _S8 + _S15;
}
else
{
(*kernelContext_6->partial_0)[row_3][lane_0] = _S8;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S16 = _S8 + (*kernelContext_6->partial_0)[row_3][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S8 = _S16;
}
if(1U < SUBGROUP_0)
{
float _S17 = (simd_shuffle((_S8), ushort((int((kernelContext_6->_S1) ^ 1U)))));
_S8 = _S8 + _S17;
}
else
{
(*kernelContext_6->partial_0)[row_3][lane_0] = _S8;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S18 = _S8 + (*kernelContext_6->partial_0)[row_3][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S8 = _S18;
}
return _S8;
}
void shareSums_0(const array<float, int(8)> thread* sums_0, uint part_0, uint lane_1, KernelContext_0 thread* kernelContext_7)
{
float _S19 = sumOfRow_0((*sums_0)[int(0)], part_0, lane_1, kernelContext_7);
bool _S20 = lane_1 == 0U;
if(_S20)
{
(*kernelContext_7->parts_0)[part_0][int(0)] = _S19;
}
float _S21 = sumOfRow_0((*sums_0)[int(1)], part_0, lane_1, kernelContext_7);
if(_S20)
{
(*kernelContext_7->parts_0)[part_0][int(1)] = _S21;
}
float _S22 = sumOfRow_0((*sums_0)[int(2)], part_0, lane_1, kernelContext_7);
if(_S20)
{
(*kernelContext_7->parts_0)[part_0][int(2)] = _S22;
}
float _S23 = sumOfRow_0((*sums_0)[int(3)], part_0, lane_1, kernelContext_7);
if(_S20)
{
(*kernelContext_7->parts_0)[part_0][int(3)] = _S23;
}
float _S24 = sumOfRow_0((*sums_0)[int(4)], part_0, lane_1, kernelContext_7);
if(_S20)
{
(*kernelContext_7->parts_0)[part_0][int(4)] = _S24;
}
float _S25 = sumOfRow_0((*sums_0)[int(5)], part_0, lane_1, kernelContext_7);
if(_S20)
{
(*kernelContext_7->parts_0)[part_0][int(5)] = _S25;
}
float _S26 = sumOfRow_0((*sums_0)[int(6)], part_0, lane_1, kernelContext_7);
if(_S20)
{
(*kernelContext_7->parts_0)[part_0][int(6)] = _S26;
}
float _S27 = sumOfRow_0((*sums_0)[int(7)], part_0, lane_1, kernelContext_7);
if(_S20)
{
(*kernelContext_7->parts_0)[part_0][int(7)] = _S27;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
return;
}
float sumOfParts_0(uint i_2, KernelContext_0 thread* kernelContext_8)
{
return (*kernelContext_8->parts_0)[int(0)][i_2] + (*kernelContext_8->parts_0)[int(1)][i_2] + ((*kernelContext_8->parts_0)[int(2)][i_2] + (*kernelContext_8->parts_0)[int(3)][i_2]);
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
float _S28 = max(value_1, 0.0f);
return _S28 * _S28;
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
void pair_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_9)
{
uint row_4 = group_0.x * 4U;
uint _S29 = local_0.y;
uint _S30 = local_0.x;
uint lane_2 = _S29 * 32U + _S30;
uint _S31 = lane_2 & 1U;
thread array<float, int(8)> sums_1;
sums_1[int(0)] = 0.0f;
sums_1[int(1)] = 0.0f;
sums_1[int(2)] = 0.0f;
sums_1[int(3)] = 0.0f;
sums_1[int(4)] = 0.0f;
sums_1[int(5)] = 0.0f;
sums_1[int(6)] = 0.0f;
sums_1[int(7)] = 0.0f;
uint unit_4 = lane_2 >> 1U;
for(;;)
{
if(unit_4 < (kernelContext_9->p_0->units_0))
{
}
else
{
break;
}
Factors_0 _S32 = elements_0(kernelContext_9->p_0->first_0, unit_4, _S31, kernelContext_9);
Codes_0 _S33 = codesOf_0(kernelContext_9->p_0->start_0 + min(row_4, kernelContext_9->p_0->rows_0 - 1U) * kernelContext_9->p_0->rowWords_0, unit_4, _S31, kernelContext_9);
thread Codes_0 _S34 = _S33;
thread Factors_0 _S35 = _S32;
float _S36 = added_0(sums_1[int(0)], &_S34, &_S35);
sums_1[int(0)] = _S36;
uint _S37 = row_4 + 1U;
Codes_0 _S38 = codesOf_0(kernelContext_9->p_0->start_0 + min(_S37, kernelContext_9->p_0->rows_0 - 1U) * kernelContext_9->p_0->rowWords_0, unit_4, _S31, kernelContext_9);
thread Codes_0 _S39 = _S38;
thread Factors_0 _S40 = _S32;
float _S41 = added_0(sums_1[int(1)], &_S39, &_S40);
sums_1[int(1)] = _S41;
uint _S42 = row_4 + 2U;
Codes_0 _S43 = codesOf_0(kernelContext_9->p_0->start_0 + min(_S42, kernelContext_9->p_0->rows_0 - 1U) * kernelContext_9->p_0->rowWords_0, unit_4, _S31, kernelContext_9);
thread Codes_0 _S44 = _S43;
thread Factors_0 _S45 = _S32;
float _S46 = added_0(sums_1[int(2)], &_S44, &_S45);
sums_1[int(2)] = _S46;
uint _S47 = row_4 + 3U;
Codes_0 _S48 = codesOf_0(kernelContext_9->p_0->start_0 + min(_S47, kernelContext_9->p_0->rows_0 - 1U) * kernelContext_9->p_0->rowWords_0, unit_4, _S31, kernelContext_9);
thread Codes_0 _S49 = _S48;
thread Factors_0 _S50 = _S32;
float _S51 = added_0(sums_1[int(3)], &_S49, &_S50);
sums_1[int(3)] = _S51;
Codes_0 _S52 = codesOf_0(kernelContext_9->p_0->second_0 + min(row_4, kernelContext_9->p_0->rows_0 - 1U) * kernelContext_9->p_0->rowWords_0, unit_4, _S31, kernelContext_9);
thread Codes_0 _S53 = _S52;
thread Factors_0 _S54 = _S32;
float _S55 = added_0(sums_1[int(4)], &_S53, &_S54);
sums_1[int(4)] = _S55;
Codes_0 _S56 = codesOf_0(kernelContext_9->p_0->second_0 + min(_S37, kernelContext_9->p_0->rows_0 - 1U) * kernelContext_9->p_0->rowWords_0, unit_4, _S31, kernelContext_9);
thread Codes_0 _S57 = _S56;
thread Factors_0 _S58 = _S32;
float _S59 = added_0(sums_1[int(5)], &_S57, &_S58);
sums_1[int(5)] = _S59;
Codes_0 _S60 = codesOf_0(kernelContext_9->p_0->second_0 + min(_S42, kernelContext_9->p_0->rows_0 - 1U) * kernelContext_9->p_0->rowWords_0, unit_4, _S31, kernelContext_9);
thread Codes_0 _S61 = _S60;
thread Factors_0 _S62 = _S32;
float _S63 = added_0(sums_1[int(6)], &_S61, &_S62);
sums_1[int(6)] = _S63;
Codes_0 _S64 = codesOf_0(kernelContext_9->p_0->second_0 + min(_S47, kernelContext_9->p_0->rows_0 - 1U) * kernelContext_9->p_0->rowWords_0, unit_4, _S31, kernelContext_9);
thread Codes_0 _S65 = _S64;
thread Factors_0 _S66 = _S32;
float _S67 = added_0(sums_1[int(7)], &_S65, &_S66);
sums_1[int(7)] = _S67;
unit_4 = unit_4 + 64U;
}
thread array<float, int(8)> _S68 = sums_1;
shareSums_0(&_S68, _S29, _S30, kernelContext_9);
bool _S69;
if(lane_2 < 4U)
{
_S69 = (row_4 + lane_2) < (kernelContext_9->p_0->rows_0);
}
else
{
_S69 = false;
}
if(_S69)
{
float device* _S70 = kernelContext_9->outputs_0+(kernelContext_9->p_0->outputStart_0 + kernelContext_9->p_0->first_0 * kernelContext_9->p_0->outputStride_0 + row_4 + lane_2);
uint _S71 = kernelContext_9->p_0->mode_0;
float _S72 = sumOfParts_0(lane_2, kernelContext_9);
float _S73 = sumOfParts_0(4U + lane_2, kernelContext_9);
*_S70 = outcome_0(_S71, _S72, _S73);
}
return;
}
[[kernel]] void pair_q4_0(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
{
thread KernelContext_0 kernelContext_10;
(&kernelContext_10)->p_0 = p_1;
(&kernelContext_10)->inputs_0 = inputs_1;
(&kernelContext_10)->outputs_0 = outputs_1;
(&kernelContext_10)->weights_0 = weights_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_10)->partial_0 = &partial_1;
threadgroup array<array<float, int(32)>, int(4)> parts_1;
(&kernelContext_10)->parts_0 = &parts_1;
(&kernelContext_10)->_S1 = _builtinWaveLaneIndex_0;
pair_0(group_1, local_1, &kernelContext_10);
return;
}
"""#)
}
#endif
