// vector_f32 of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let vector_f32 = MetalKernelText(
        module: "product", entry: "vector_f32", sourcesSHA256: "ba7f1d089228a3313cdc7d4bbea6bb752e03a4439ce259032470fcd3ad7868cf",
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
Scales_0 Scales_x24init_0(float low_3, float high_3, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S2;
(&_S2)->low_0 = low_3;
(&_S2)->high_0 = high_3;
(&_S2)->lowOffset_0 = lowOffset_1;
(&_S2)->highOffset_0 = highOffset_1;
return _S2;
}
Scales_0 same_0(float scale_0, float offset_0)
{
return Scales_x24init_0(scale_0, scale_0, offset_0, offset_0);
}
Scales_0 F32_scales_0(uint row_0, uint unit_0)
{
return same_0(1.0f, 0.0f);
}
uint word_0(uint at_0, KernelContext_0 thread* kernelContext_0)
{
return uint(kernelContext_0->weights_0[at_0]) | (uint(kernelContext_0->weights_0[at_0 + 1U]) << 16U);
}
float4 F32_four_0(uint at_1, KernelContext_0 thread* kernelContext_1)
{
uint _S3 = word_0(at_1, kernelContext_1);
float _S4 = (as_type<float>((_S3)));
uint _S5 = word_0(at_1 + 2U, kernelContext_1);
float _S6 = (as_type<float>((_S5)));
uint _S7 = word_0(at_1 + 4U, kernelContext_1);
float _S8 = (as_type<float>((_S7)));
uint _S9 = word_0(at_1 + 6U, kernelContext_1);
return float4(_S4, _S6, _S8, (as_type<float>((_S9))));
}
void F32_codes_0(uint row_1, uint unit_1, uint i_0, float4 thread* low_4, float4 thread* high_4, KernelContext_0 thread* kernelContext_2)
{
uint _S10 = row_1 + unit_1 * 64U;
uint _S11 = 8U * i_0;
float4 _S12 = F32_four_0(_S10 + _S11, kernelContext_2);
*low_4 = _S12;
float4 _S13 = F32_four_0(_S10 + 32U + _S11, kernelContext_2);
*high_4 = _S13;
return;
}
Codes_0 codesOf_0(uint row_2, uint unit_2, uint half_0, KernelContext_0 thread* kernelContext_3)
{
thread Codes_0 found_0;
(&found_0)->scales_0 = F32_scales_0(row_2, unit_2);
uint _S14 = 2U * half_0;
F32_codes_0(row_2, unit_2, _S14, &(&found_0)->low_1[0U], &(&found_0)->high_1[0U], kernelContext_3);
F32_codes_0(row_2, unit_2, _S14 + 1U, &(&found_0)->low_1[1U], &(&found_0)->high_1[1U], kernelContext_3);
return found_0;
}
float sumOfRow_0(float v_0, uint row_3, uint lane_0, KernelContext_0 thread* kernelContext_4)
{
float _S15;
if(16U < SUBGROUP_0)
{
float _S16 = (simd_shuffle((v_0), ushort((int((kernelContext_4->_S1) ^ 16U)))));
_S15 = v_0 + _S16;
}
else
{
(*kernelContext_4->partial_0)[row_3][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S17 = v_0 + (*kernelContext_4->partial_0)[row_3][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S15 = _S17;
}
if(8U < SUBGROUP_0)
{
float _S18 = (simd_shuffle((_S15), ushort((int((kernelContext_4->_S1) ^ 8U)))));
_S15 = _S15 + _S18;
}
else
{
(*kernelContext_4->partial_0)[row_3][lane_0] = _S15;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S19 = _S15 + (*kernelContext_4->partial_0)[row_3][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S15 = _S19;
}
if(4U < SUBGROUP_0)
{
float _S20 = (simd_shuffle((_S15), ushort((int((kernelContext_4->_S1) ^ 4U)))));
_S15 = _S15 + _S20;
}
else
{
(*kernelContext_4->partial_0)[row_3][lane_0] = _S15;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S21 = _S15 + (*kernelContext_4->partial_0)[row_3][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S15 = _S21;
}
if(2U < SUBGROUP_0)
{
float _S22 = (simd_shuffle((_S15), ushort((int((kernelContext_4->_S1) ^ 2U)))));
_S15 = _S15 + _S22;
}
else
{
(*kernelContext_4->partial_0)[row_3][lane_0] = _S15;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S23 = _S15 + (*kernelContext_4->partial_0)[row_3][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S15 = _S23;
}
if(1U < SUBGROUP_0)
{
float _S24 = (simd_shuffle((_S15), ushort((int((kernelContext_4->_S1) ^ 1U)))));
_S15 = _S15 + _S24;
}
else
{
(*kernelContext_4->partial_0)[row_3][lane_0] = _S15;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S25 = _S15 + (*kernelContext_4->partial_0)[row_3][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S15 = _S25;
}
return _S15;
}
void shareSums_0(const array<float, int(4)> thread* sums_0, uint part_0, uint lane_1, KernelContext_0 thread* kernelContext_5)
{
float _S26 = sumOfRow_0((*sums_0)[int(0)], part_0, lane_1, kernelContext_5);
bool _S27 = lane_1 == 0U;
if(_S27)
{
(*kernelContext_5->parts_0)[part_0][int(0)] = _S26;
}
float _S28 = sumOfRow_0((*sums_0)[int(1)], part_0, lane_1, kernelContext_5);
if(_S27)
{
(*kernelContext_5->parts_0)[part_0][int(1)] = _S28;
}
float _S29 = sumOfRow_0((*sums_0)[int(2)], part_0, lane_1, kernelContext_5);
if(_S27)
{
(*kernelContext_5->parts_0)[part_0][int(2)] = _S29;
}
float _S30 = sumOfRow_0((*sums_0)[int(3)], part_0, lane_1, kernelContext_5);
if(_S27)
{
(*kernelContext_5->parts_0)[part_0][int(3)] = _S30;
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
Factors_0 elements_0(uint vector_0, uint unit_3, uint half_1, KernelContext_0 thread* kernelContext_6)
{
uint at_2 = vector_0 * kernelContext_6->p_0->inputStride_0 + unit_3 * 8U + 2U * half_1;
return factors_0(float4(*(kernelContext_6->inputs_0+at_2)) , float4(*(kernelContext_6->inputs_0+(at_2 + 1U))) , float4(*(kernelContext_6->inputs_0+(at_2 + 4U))) , float4(*(kernelContext_6->inputs_0+(at_2 + 5U))) );
}
float sumOfParts_0(uint i_1, KernelContext_0 thread* kernelContext_7)
{
return (*kernelContext_7->parts_0)[int(0)][i_1] + (*kernelContext_7->parts_0)[int(1)][i_1] + ((*kernelContext_7->parts_0)[int(2)][i_1] + (*kernelContext_7->parts_0)[int(3)][i_1]);
}
float outcome_0(uint mode_1, float before_0, float value_0)
{
if(mode_1 == 0U)
{
return value_0;
}
if(mode_1 == 1U)
{
return before_0 + value_0;
}
if(mode_1 == 4U)
{
float _S31 = max(value_0, 0.0f);
return _S31 * _S31;
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
return before_0 / (1.0f + exp(- power_0)) * value_0;
}
void product_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_8)
{
uint row_4 = group_0.x * 4U;
uint first_2 = kernelContext_8->p_0->first_0 + group_0.y;
uint _S32 = local_0.y;
uint _S33 = local_0.x;
uint lane_2 = _S32 * 32U + _S33;
uint _S34 = lane_2 & 1U;
thread array<float, int(4)> sums_1;
sums_1[int(0)] = 0.0f;
sums_1[int(1)] = 0.0f;
sums_1[int(2)] = 0.0f;
sums_1[int(3)] = 0.0f;
uint unit_4 = lane_2 >> 1U;
for(;;)
{
if(unit_4 < (kernelContext_8->p_0->units_0))
{
}
else
{
break;
}
thread array<Codes_0, int(4)> codes_0;
Codes_0 _S35 = codesOf_0(kernelContext_8->p_0->start_0 + min(row_4, kernelContext_8->p_0->rows_0 - 1U) * kernelContext_8->p_0->rowWords_0, unit_4, _S34, kernelContext_8);
codes_0[int(0)] = _S35;
Codes_0 _S36 = codesOf_0(kernelContext_8->p_0->start_0 + min(row_4 + 1U, kernelContext_8->p_0->rows_0 - 1U) * kernelContext_8->p_0->rowWords_0, unit_4, _S34, kernelContext_8);
codes_0[int(1)] = _S36;
Codes_0 _S37 = codesOf_0(kernelContext_8->p_0->start_0 + min(row_4 + 2U, kernelContext_8->p_0->rows_0 - 1U) * kernelContext_8->p_0->rowWords_0, unit_4, _S34, kernelContext_8);
codes_0[int(2)] = _S37;
Codes_0 _S38 = codesOf_0(kernelContext_8->p_0->start_0 + min(row_4 + 3U, kernelContext_8->p_0->rows_0 - 1U) * kernelContext_8->p_0->rowWords_0, unit_4, _S34, kernelContext_8);
codes_0[int(3)] = _S38;
Factors_0 _S39 = elements_0(min(first_2, kernelContext_8->p_0->end_0 - 1U), unit_4, _S34, kernelContext_8);
thread Codes_0 _S40 = _S35;
thread Factors_0 _S41 = _S39;
float _S42 = added_0(sums_1[int(0)], &_S40, &_S41);
sums_1[int(0)] = _S42;
thread Codes_0 _S43 = _S36;
thread Factors_0 _S44 = _S39;
float _S45 = added_0(sums_1[int(1)], &_S43, &_S44);
sums_1[int(1)] = _S45;
thread Codes_0 _S46 = _S37;
thread Factors_0 _S47 = _S39;
float _S48 = added_0(sums_1[int(2)], &_S46, &_S47);
sums_1[int(2)] = _S48;
thread Codes_0 _S49 = _S38;
thread Factors_0 _S50 = _S39;
float _S51 = added_0(sums_1[int(3)], &_S49, &_S50);
sums_1[int(3)] = _S51;
unit_4 = unit_4 + 64U;
}
thread array<float, int(4)> _S52 = sums_1;
shareSums_0(&_S52, _S32, _S33, kernelContext_8);
uint own_0 = row_4 + lane_2;
uint vector_1 = first_2 + lane_2 % 1U;
bool _S53;
if(lane_2 < 4U)
{
_S53 = own_0 < (kernelContext_8->p_0->rows_0);
}
else
{
_S53 = false;
}
if(_S53)
{
_S53 = vector_1 < (kernelContext_8->p_0->end_0);
}
else
{
_S53 = false;
}
if(_S53)
{
uint at_3 = kernelContext_8->p_0->outputStart_0 + vector_1 * kernelContext_8->p_0->outputStride_0 + own_0;
float device* _S54 = kernelContext_8->outputs_0+at_3;
uint _S55 = kernelContext_8->p_0->mode_0;
float _S56 = *(kernelContext_8->outputs_0+at_3);
float _S57 = sumOfParts_0(lane_2, kernelContext_8);
*_S54 = outcome_0(_S55, _S56, _S57);
}
return;
}
[[kernel]] void vector_f32(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
{
thread KernelContext_0 kernelContext_9;
(&kernelContext_9)->p_0 = p_1;
(&kernelContext_9)->inputs_0 = inputs_1;
(&kernelContext_9)->outputs_0 = outputs_1;
(&kernelContext_9)->weights_0 = weights_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_9)->partial_0 = &partial_1;
threadgroup array<array<float, int(32)>, int(4)> parts_1;
(&kernelContext_9)->parts_0 = &parts_1;
(&kernelContext_9)->_S1 = _builtinWaveLaneIndex_0;
product_0(group_1, local_1, &kernelContext_9);
return;
}
"""#)
}
#endif
