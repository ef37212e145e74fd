// expert_bf16 of experts.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let expert_bf16 = MetalKernelText(
        module: "experts", entry: "expert_bf16", sourcesSHA256: "145d3f1c72b60710fbcbc26cd76290c9563e7fc1675b41e9b71de6500dc4ea2b",
        compiler: "slangc 2026.14.1", threads: [32, 4, 1], buffers: [4, 0, 1, 2], constants: 3,
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
Scales_0 BF16_scales_0(uint row_0, uint unit_0)
{
return same_0(1.0f, 0.0f);
}
float BF16_one_0(uint at_0, KernelContext_0 thread* kernelContext_0)
{
return (as_type<float>((uint(kernelContext_0->weights_0[at_0]) << 16U)));
}
float4 BF16_four_0(uint at_1, KernelContext_0 thread* kernelContext_1)
{
float _S3 = BF16_one_0(at_1, kernelContext_1);
float _S4 = BF16_one_0(at_1 + 1U, kernelContext_1);
float _S5 = BF16_one_0(at_1 + 2U, kernelContext_1);
float _S6 = BF16_one_0(at_1 + 3U, kernelContext_1);
return float4(_S3, _S4, _S5, _S6);
}
void BF16_codes_0(uint row_1, uint unit_1, uint i_0, float4 thread* low_4, float4 thread* high_4, KernelContext_0 thread* kernelContext_2)
{
uint _S7 = row_1 + unit_1 * 32U;
uint _S8 = 4U * i_0;
float4 _S9 = BF16_four_0(_S7 + _S8, kernelContext_2);
*low_4 = _S9;
float4 _S10 = BF16_four_0(_S7 + 16U + _S8, kernelContext_2);
*high_4 = _S10;
return;
}
Codes_0 codesOf_0(uint row_2, uint unit_2, uint half_0, KernelContext_0 thread* kernelContext_3)
{
thread Codes_0 found_0;
(&found_0)->scales_0 = BF16_scales_0(row_2, unit_2);
uint _S11 = 2U * half_0;
BF16_codes_0(row_2, unit_2, _S11, &(&found_0)->low_1[0U], &(&found_0)->high_1[0U], kernelContext_3);
BF16_codes_0(row_2, unit_2, _S11 + 1U, &(&found_0)->low_1[1U], &(&found_0)->high_1[1U], kernelContext_3);
return found_0;
}
float total_0(float4 a_1)
{
return a_1.x + a_1.y + (a_1.z + a_1.w);
}
Factors_0 factors_0(float4 first_0, float4 second_0, float4 third_0, float4 fourth_0)
{
thread Factors_0 found_1;
(&found_1)->low_2[int(0)] = first_0;
(&found_1)->low_2[int(1)] = second_0;
(&found_1)->high_2[int(0)] = third_0;
(&found_1)->high_2[int(1)] = fourth_0;
(&found_1)->lowSum_0 = total_0(first_0) + total_0(second_0);
(&found_1)->highSum_0 = total_0(third_0) + total_0(fourth_0);
return found_1;
}
float sumOfRow_0(float v_0, uint row_3, uint lane_0, KernelContext_0 thread* kernelContext_4)
{
float _S12;
if(16U < SUBGROUP_0)
{
float _S13 = (simd_shuffle((v_0), ushort((int((kernelContext_4->_S1) ^ 16U)))));
_S12 = v_0 + _S13;
}
else
{
(*kernelContext_4->partial_0)[row_3][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S14 = v_0 + (*kernelContext_4->partial_0)[row_3][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S12 = _S14;
}
if(8U < SUBGROUP_0)
{
float _S15 = (simd_shuffle((_S12), ushort((int((kernelContext_4->_S1) ^ 8U)))));
_S12 = _S12 + _S15;
}
else
{
(*kernelContext_4->partial_0)[row_3][lane_0] = _S12;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S16 = _S12 + (*kernelContext_4->partial_0)[row_3][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S12 = _S16;
}
if(4U < SUBGROUP_0)
{
float _S17 = (simd_shuffle((_S12), ushort((int((kernelContext_4->_S1) ^ 4U)))));
_S12 = _S12 + _S17;
}
else
{
(*kernelContext_4->partial_0)[row_3][lane_0] = _S12;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S18 = _S12 + (*kernelContext_4->partial_0)[row_3][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S12 = _S18;
}
if(2U < SUBGROUP_0)
{
float _S19 = (simd_shuffle((_S12), ushort((int((kernelContext_4->_S1) ^ 2U)))));
_S12 = _S12 + _S19;
}
else
{
(*kernelContext_4->partial_0)[row_3][lane_0] = _S12;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S20 = _S12 + (*kernelContext_4->partial_0)[row_3][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S12 = _S20;
}
if(1U < SUBGROUP_0)
{
float _S21 = (simd_shuffle((_S12), ushort((int((kernelContext_4->_S1) ^ 1U)))));
_S12 = _S12 + _S21;
}
else
{
(*kernelContext_4->partial_0)[row_3][lane_0] = _S12;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S22 = _S12 + (*kernelContext_4->partial_0)[row_3][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S12 = _S22;
}
return _S12;
}
void shareSums_0(const array<float, int(4)> thread* sums_0, uint part_0, uint lane_1, KernelContext_0 thread* kernelContext_5)
{
float _S23 = sumOfRow_0((*sums_0)[int(0)], part_0, lane_1, kernelContext_5);
bool _S24 = lane_1 == 0U;
if(_S24)
{
(*kernelContext_5->parts_0)[part_0][int(0)] = _S23;
}
float _S25 = sumOfRow_0((*sums_0)[int(1)], part_0, lane_1, kernelContext_5);
if(_S24)
{
(*kernelContext_5->parts_0)[part_0][int(1)] = _S25;
}
float _S26 = sumOfRow_0((*sums_0)[int(2)], part_0, lane_1, kernelContext_5);
if(_S24)
{
(*kernelContext_5->parts_0)[part_0][int(2)] = _S26;
}
float _S27 = sumOfRow_0((*sums_0)[int(3)], part_0, lane_1, kernelContext_5);
if(_S24)
{
(*kernelContext_5->parts_0)[part_0][int(3)] = _S27;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
return;
}
float sumOfParts_0(uint i_1, KernelContext_0 thread* kernelContext_6)
{
return (*kernelContext_6->parts_0)[int(0)][i_1] + (*kernelContext_6->parts_0)[int(1)][i_1] + ((*kernelContext_6->parts_0)[int(2)][i_1] + (*kernelContext_6->parts_0)[int(3)][i_1]);
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
float _S28 = max(value_0, 0.0f);
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
return before_0 / (1.0f + exp(- power_0)) * value_0;
}
void product_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_7)
{
uint row_4 = group_0.x * 4U;
uint entry_0 = group_0.y;
uint _S29 = local_0.y;
uint _S30 = local_0.x;
uint lane_2 = _S29 * 32U + _S30;
uint half_1 = lane_2 & 1U;
uint _S31 = kernelContext_7->p_0->start_0 + kernelContext_7->experts_0[entry_0] * kernelContext_7->p_0->expertWords_0;
uint _S32 = entry_0 / kernelContext_7->p_0->perInput_0;
uint _S33 = _S32 * kernelContext_7->p_0->inputStride_0 + 2U * half_1;
thread array<float, int(4)> sums_1;
sums_1[int(0)] = 0.0f;
sums_1[int(1)] = 0.0f;
sums_1[int(2)] = 0.0f;
sums_1[int(3)] = 0.0f;
uint unit_3 = lane_2 >> 1U;
for(;;)
{
if(unit_3 < (kernelContext_7->p_0->units_0))
{
}
else
{
break;
}
uint at_2 = _S33 + unit_3 * 8U;
Factors_0 _S34 = factors_0(float4(*(kernelContext_7->inputs_0+at_2)) , float4(*(kernelContext_7->inputs_0+(at_2 + 1U))) , float4(*(kernelContext_7->inputs_0+(at_2 + 4U))) , float4(*(kernelContext_7->inputs_0+(at_2 + 5U))) );
Codes_0 _S35 = codesOf_0(_S31 + min(row_4, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0, unit_3, half_1, kernelContext_7);
thread Codes_0 _S36 = _S35;
thread Factors_0 _S37 = _S34;
float _S38 = added_0(sums_1[int(0)], &_S36, &_S37);
sums_1[int(0)] = _S38;
Codes_0 _S39 = codesOf_0(_S31 + min(row_4 + 1U, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0, unit_3, half_1, kernelContext_7);
thread Codes_0 _S40 = _S39;
thread Factors_0 _S41 = _S34;
float _S42 = added_0(sums_1[int(1)], &_S40, &_S41);
sums_1[int(1)] = _S42;
Codes_0 _S43 = codesOf_0(_S31 + min(row_4 + 2U, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0, unit_3, half_1, kernelContext_7);
thread Codes_0 _S44 = _S43;
thread Factors_0 _S45 = _S34;
float _S46 = added_0(sums_1[int(2)], &_S44, &_S45);
sums_1[int(2)] = _S46;
Codes_0 _S47 = codesOf_0(_S31 + min(row_4 + 3U, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0, unit_3, half_1, kernelContext_7);
thread Codes_0 _S48 = _S47;
thread Factors_0 _S49 = _S34;
float _S50 = added_0(sums_1[int(3)], &_S48, &_S49);
sums_1[int(3)] = _S50;
unit_3 = unit_3 + 64U;
}
thread array<float, int(4)> _S51 = sums_1;
shareSums_0(&_S51, _S29, _S30, kernelContext_7);
bool _S52;
if(lane_2 < 4U)
{
_S52 = (row_4 + lane_2) < (kernelContext_7->p_0->rows_0);
}
else
{
_S52 = false;
}
if(_S52)
{
uint at_3 = entry_0 * kernelContext_7->p_0->rows_0 + row_4 + lane_2;
float device* _S53 = kernelContext_7->outputs_0+at_3;
uint _S54 = kernelContext_7->p_0->mode_0;
float _S55 = *(kernelContext_7->outputs_0+at_3);
float _S56 = sumOfParts_0(lane_2, kernelContext_7);
*_S53 = outcome_0(_S54, _S55, _S56);
}
return;
}
[[kernel]] void expert_bf16(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(3)]], uint device* experts_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(4)]])
{
thread KernelContext_0 kernelContext_8;
(&kernelContext_8)->p_0 = p_1;
(&kernelContext_8)->experts_0 = experts_1;
(&kernelContext_8)->inputs_0 = inputs_1;
(&kernelContext_8)->outputs_0 = outputs_1;
(&kernelContext_8)->weights_0 = weights_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_8)->partial_0 = &partial_1;
threadgroup array<array<float, int(32)>, int(4)> parts_1;
(&kernelContext_8)->parts_0 = &parts_1;
(&kernelContext_8)->_S1 = _builtinWaveLaneIndex_0;
product_0(group_1, local_1, &kernelContext_8);
return;
}
"""#)
}
#endif
