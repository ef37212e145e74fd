// expert_q5_k of experts.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let expert_q5_k = MetalKernelText(
        module: "experts", entry: "expert_q5_k", sourcesSHA256: "94f5b734c25070592f1527e6d8d50e19d02d29da19088b484174ca9e40a2b393",
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
struct Factors_0
{
float4 low_1;
float4 high_1;
float lowSum_0;
float highSum_0;
};
float chain_0(float4 a_0, float4 b_0)
{
return fma(a_0.w, b_0.w, fma(a_0.z, b_0.z, fma(a_0.y, b_0.y, a_0.x * b_0.x)));
}
float added_0(float sum_0, const Scales_0 thread* s_0, float4 low_2, float4 high_2, const Factors_0 thread* x_0)
{
return fma(s_0->highOffset_0, x_0->highSum_0, fma(s_0->lowOffset_0, x_0->lowSum_0, fma(s_0->high_0, chain_0(high_2, x_0->high_1), fma(s_0->low_0, chain_0(low_2, x_0->low_1), sum_0))));
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
Factors_0 Factors_x24init_0(float4 low_3, float4 high_3, float lowSum_1, float highSum_1)
{
thread Factors_0 _S2;
(&_S2)->low_1 = low_3;
(&_S2)->high_1 = high_3;
(&_S2)->lowSum_0 = lowSum_1;
(&_S2)->highSum_0 = highSum_1;
return _S2;
}
Factors_0 factors_0(float4 low_4, float4 high_4)
{
return Factors_x24init_0(low_4, high_4, low_4.x + low_4.y + (low_4.z + low_4.w), high_4.x + high_4.y + (high_4.z + high_4.w));
}
uint word_0(uint at_0, KernelContext_0 thread* kernelContext_0)
{
return uint(kernelContext_0->weights_0[at_0]) | (uint(kernelContext_0->weights_0[at_0 + 1U]) << 16U);
}
float4 bytes_0(uint q_0)
{
return float4(float(q_0 & 255U), float((q_0 >> 8U) & 255U), float((q_0 >> 16U) & 255U), float(q_0 >> 24U));
}
float4 Q5_K_four_0(uint lowBits_0, uint highBits_0, uint j_0, KernelContext_0 thread* kernelContext_1)
{
uint _S3 = word_0(lowBits_0, kernelContext_1);
uint _S4 = (_S3 >> ((j_0 & 1U) * 4U)) & 252645135U;
uint _S5 = word_0(highBits_0, kernelContext_1);
return bytes_0(_S4 | (((_S5 >> j_0) & 16843009U) << 4U));
}
void Q5_K_codes_0(uint row_0, uint unit_0, uint i_1, float4 thread* low_5, float4 thread* high_5, KernelContext_0 thread* kernelContext_2)
{
uint at_1 = row_0 + (unit_0 >> 3U) * 88U;
uint j_1 = unit_0 & 7U;
uint _S6 = 2U * i_1;
uint lowBits_1 = at_1 + 24U + (j_1 >> 1U) * 16U + _S6;
uint highBits_1 = at_1 + 8U + _S6;
float4 _S7 = Q5_K_four_0(lowBits_1, highBits_1, j_1, kernelContext_2);
*low_5 = _S7;
float4 _S8 = Q5_K_four_0(lowBits_1 + 8U, highBits_1 + 8U, j_1, kernelContext_2);
*high_5 = _S8;
return;
}
uint byteAt_0(uint at_2, uint index_0, KernelContext_0 thread* kernelContext_3)
{
return (uint(kernelContext_3->weights_0[at_2 + (index_0 >> 1U)]) >> ((index_0 & 1U) * 8U)) & 255U;
}
float half16_0(uint at_3, KernelContext_0 thread* kernelContext_4)
{
uint _S9 = uint(kernelContext_4->weights_0[at_3]);
return f16tof32_0(uint2(_S9 & 65535U, _S9 >> 16U)).x;
}
Scales_0 Scales_x24init_0(float low_6, float high_6, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S10;
(&_S10)->low_0 = low_6;
(&_S10)->high_0 = high_6;
(&_S10)->lowOffset_0 = lowOffset_1;
(&_S10)->highOffset_0 = highOffset_1;
return _S10;
}
Scales_0 same_0(float scale_0, float offset_0)
{
return Scales_x24init_0(scale_0, scale_0, offset_0, offset_0);
}
Scales_0 sixBitScales_0(uint at_4, uint j_2, KernelContext_0 thread* kernelContext_5)
{
uint k_0 = j_2 & 3U;
uint _S11 = byteAt_0(at_4 + 2U, k_0, kernelContext_5);
uint _S12 = byteAt_0(at_4 + 4U, k_0, kernelContext_5);
uint _S13 = byteAt_0(at_4 + 6U, k_0, kernelContext_5);
bool isLate_0 = j_2 > 3U;
uint scale_1;
if(isLate_0)
{
scale_1 = (_S13 & 15U) | ((_S11 >> 6U) << 4U);
}
else
{
scale_1 = _S11 & 63U;
}
uint offset_1;
if(isLate_0)
{
offset_1 = (_S13 >> 4U) | ((_S12 >> 6U) << 4U);
}
else
{
offset_1 = _S12 & 63U;
}
float _S14 = half16_0(at_4, kernelContext_5);
float _S15 = _S14 * float(scale_1);
float _S16 = half16_0(at_4 + 1U, kernelContext_5);
return same_0(_S15, - _S16 * float(offset_1));
}
Scales_0 Q5_K_scales_0(uint row_1, uint unit_1, KernelContext_0 thread* kernelContext_6)
{
Scales_0 _S17 = sixBitScales_0(row_1 + (unit_1 >> 3U) * 88U, unit_1 & 7U, kernelContext_6);
return _S17;
}
float sumOfRow_0(float v_0, uint row_2, uint lane_0, KernelContext_0 thread* kernelContext_7)
{
float _S18;
if(16U < SUBGROUP_0)
{
float _S19 = (simd_shuffle((v_0), ushort((int((kernelContext_7->_S1) ^ 16U)))));
_S18 = v_0 + _S19;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S20 = v_0 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S18 = _S20;
}
if(8U < SUBGROUP_0)
{
float _S21 = (simd_shuffle((_S18), ushort((int((kernelContext_7->_S1) ^ 8U)))));
_S18 = _S18 + _S21;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = _S18;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S22 = _S18 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S18 = _S22;
}
if(4U < SUBGROUP_0)
{
float _S23 = (simd_shuffle((_S18), ushort((int((kernelContext_7->_S1) ^ 4U)))));
_S18 = _S18 + _S23;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = _S18;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S24 = _S18 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S18 = _S24;
}
if(2U < SUBGROUP_0)
{
float _S25 = (simd_shuffle((_S18), ushort((int((kernelContext_7->_S1) ^ 2U)))));
_S18 = _S18 + _S25;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = _S18;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S26 = _S18 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S18 = _S26;
}
if(1U < SUBGROUP_0)
{
float _S27 = (simd_shuffle((_S18), ushort((int((kernelContext_7->_S1) ^ 1U)))));
_S18 = _S18 + _S27;
}
else
{
(*kernelContext_7->partial_0)[row_2][lane_0] = _S18;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S28 = _S18 + (*kernelContext_7->partial_0)[row_2][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S18 = _S28;
}
return _S18;
}
void shareSums_0(const array<float, int(4)> thread* sums_0, uint part_0, uint lane_1, KernelContext_0 thread* kernelContext_8)
{
float _S29 = sumOfRow_0((*sums_0)[int(0)], part_0, lane_1, kernelContext_8);
bool _S30 = lane_1 == 0U;
if(_S30)
{
(*kernelContext_8->parts_0)[part_0][int(0)] = _S29;
}
float _S31 = sumOfRow_0((*sums_0)[int(1)], part_0, lane_1, kernelContext_8);
if(_S30)
{
(*kernelContext_8->parts_0)[part_0][int(1)] = _S31;
}
float _S32 = sumOfRow_0((*sums_0)[int(2)], part_0, lane_1, kernelContext_8);
if(_S30)
{
(*kernelContext_8->parts_0)[part_0][int(2)] = _S32;
}
float _S33 = sumOfRow_0((*sums_0)[int(3)], part_0, lane_1, kernelContext_8);
if(_S30)
{
(*kernelContext_8->parts_0)[part_0][int(3)] = _S33;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
return;
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
float _S34 = max(value_1, 0.0f);
return _S34 * _S34;
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
uint row_3 = group_0.x * 4U;
uint entry_0 = group_0.y;
uint _S35 = local_0.y;
uint _S36 = local_0.x;
uint lane_2 = _S35 * 32U + _S36;
uint _S37 = lane_2 & 3U;
uint _S38 = kernelContext_10->p_0->start_0 + kernelContext_10->experts_0[entry_0] * kernelContext_10->p_0->expertWords_0;
uint _S39 = entry_0 / kernelContext_10->p_0->perInput_0;
uint _S40 = _S39 * kernelContext_10->p_0->inputStride_0;
thread array<float, int(4)> sums_1;
sums_1[int(0)] = 0.0f;
sums_1[int(1)] = 0.0f;
sums_1[int(2)] = 0.0f;
sums_1[int(3)] = 0.0f;
uint unit_2 = lane_2 >> 2U;
for(;;)
{
if(unit_2 < (kernelContext_10->p_0->units_0))
{
}
else
{
break;
}
uint _S41 = _S40 + unit_2 * 8U + _S37;
Factors_0 _S42 = factors_0(float4(*(kernelContext_10->inputs_0+_S41)) , float4(*(kernelContext_10->inputs_0+(_S41 + 4U))) );
uint start_1 = _S38 + min(row_3, kernelContext_10->p_0->rows_0 - 1U) * kernelContext_10->p_0->rowWords_0;
thread float4 low_7;
thread float4 high_7;
Q5_K_codes_0(start_1, unit_2, _S37, &low_7, &high_7, kernelContext_10);
Scales_0 _S43 = Q5_K_scales_0(start_1, unit_2, kernelContext_10);
thread Scales_0 _S44 = _S43;
thread Factors_0 _S45 = _S42;
float _S46 = added_0(sums_1[int(0)], &_S44, low_7, high_7, &_S45);
sums_1[int(0)] = _S46;
uint start_2 = _S38 + min(row_3 + 1U, kernelContext_10->p_0->rows_0 - 1U) * kernelContext_10->p_0->rowWords_0;
thread float4 low_8;
thread float4 high_8;
Q5_K_codes_0(start_2, unit_2, _S37, &low_8, &high_8, kernelContext_10);
Scales_0 _S47 = Q5_K_scales_0(start_2, unit_2, kernelContext_10);
thread Scales_0 _S48 = _S47;
thread Factors_0 _S49 = _S42;
float _S50 = added_0(sums_1[int(1)], &_S48, low_8, high_8, &_S49);
sums_1[int(1)] = _S50;
uint start_3 = _S38 + min(row_3 + 2U, kernelContext_10->p_0->rows_0 - 1U) * kernelContext_10->p_0->rowWords_0;
thread float4 low_9;
thread float4 high_9;
Q5_K_codes_0(start_3, unit_2, _S37, &low_9, &high_9, kernelContext_10);
Scales_0 _S51 = Q5_K_scales_0(start_3, unit_2, kernelContext_10);
thread Scales_0 _S52 = _S51;
thread Factors_0 _S53 = _S42;
float _S54 = added_0(sums_1[int(2)], &_S52, low_9, high_9, &_S53);
sums_1[int(2)] = _S54;
uint start_4 = _S38 + min(row_3 + 3U, kernelContext_10->p_0->rows_0 - 1U) * kernelContext_10->p_0->rowWords_0;
thread float4 low_10;
thread float4 high_10;
Q5_K_codes_0(start_4, unit_2, _S37, &low_10, &high_10, kernelContext_10);
Scales_0 _S55 = Q5_K_scales_0(start_4, unit_2, kernelContext_10);
thread Scales_0 _S56 = _S55;
thread Factors_0 _S57 = _S42;
float _S58 = added_0(sums_1[int(3)], &_S56, low_10, high_10, &_S57);
sums_1[int(3)] = _S58;
unit_2 = unit_2 + 32U;
}
thread array<float, int(4)> _S59 = sums_1;
shareSums_0(&_S59, _S35, _S36, kernelContext_10);
bool _S60;
if(lane_2 < 4U)
{
_S60 = (row_3 + lane_2) < (kernelContext_10->p_0->rows_0);
}
else
{
_S60 = false;
}
if(_S60)
{
uint at_5 = entry_0 * kernelContext_10->p_0->rows_0 + row_3 + lane_2;
float device* _S61 = kernelContext_10->outputs_0+at_5;
uint _S62 = kernelContext_10->p_0->mode_0;
float _S63 = *(kernelContext_10->outputs_0+at_5);
float _S64 = sumOfParts_0(lane_2, kernelContext_10);
*_S61 = outcome_0(_S62, _S63, _S64);
}
return;
}
[[kernel]] void expert_q5_k(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(3)]], uint device* experts_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(4)]])
{
thread KernelContext_0 kernelContext_11;
(&kernelContext_11)->p_0 = p_1;
(&kernelContext_11)->experts_0 = experts_1;
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
