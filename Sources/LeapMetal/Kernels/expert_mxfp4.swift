// expert_mxfp4 of experts.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let expert_mxfp4 = MetalKernelText(
        module: "experts", entry: "expert_mxfp4", sourcesSHA256: "94f5b734c25070592f1527e6d8d50e19d02d29da19088b484174ca9e40a2b393",
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
return fma(s_0->high_0, chain_0(high_2, x_0->high_1), fma(s_0->low_0, chain_0(low_2, x_0->low_1), sum_0));
}
constant array<float, int(16)> doubles_0 = { 0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 6.0f, 8.0f, 12.0f, 0.0f, -1.0f, -2.0f, -3.0f, -4.0f, -6.0f, -8.0f, -12.0f };
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
uint byteAt_0(uint at_0, uint index_0, KernelContext_0 thread* kernelContext_0)
{
return (uint(kernelContext_0->weights_0[at_0 + (index_0 >> 1U)]) >> ((index_0 & 1U) * 8U)) & 255U;
}
void MXFP4_codes_0(uint row_0, uint unit_0, uint i_0, float4 thread* low_5, float4 thread* high_5, KernelContext_0 thread* kernelContext_1)
{
uint _S3 = unit_0 * 17U + 1U + 4U * i_0;
uint k_0 = 0U;
for(;;)
{
if(k_0 < 4U)
{
}
else
{
break;
}
uint _S4 = byteAt_0(row_0, _S3 + k_0, kernelContext_1);
(*low_5)[k_0] = doubles_0[_S4 & 15U];
(*high_5)[k_0] = doubles_0[_S4 >> 4U];
k_0 = k_0 + 1U;
}
return;
}
uint byteAt_1(uint at_1, uint index_1, KernelContext_0 thread* kernelContext_2)
{
return (uint(kernelContext_2->weights_0[at_1 + (index_1 >> 1U)]) >> ((index_1 & 1U) * 8U)) & 255U;
}
Scales_0 Scales_x24init_0(float low_6, float high_6, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S5;
(&_S5)->low_0 = low_6;
(&_S5)->high_0 = high_6;
(&_S5)->lowOffset_0 = lowOffset_1;
(&_S5)->highOffset_0 = highOffset_1;
return _S5;
}
Scales_0 same_0(float scale_0, float offset_0)
{
return Scales_x24init_0(scale_0, scale_0, offset_0, offset_0);
}
Scales_0 MXFP4_scales_0(uint row_1, uint unit_1, KernelContext_0 thread* kernelContext_3)
{
uint _S6 = byteAt_1(row_1, unit_1 * 17U, kernelContext_3);
uint _S7;
if(_S6 < 2U)
{
_S7 = uint(int(2097152) << _S6);
}
else
{
_S7 = (_S6 - 1U) << 23U;
}
return same_0((as_type<float>((_S7))), 0.0f);
}
float sumOfRow_0(float v_0, uint row_2, uint lane_0, KernelContext_0 thread* kernelContext_4)
{
float _S8;
if(16U < SUBGROUP_0)
{
float _S9 = (simd_shuffle((v_0), ushort((int((kernelContext_4->_S1) ^ 16U)))));
_S8 = v_0 + _S9;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S10 = v_0 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S8 = _S10;
}
if(8U < SUBGROUP_0)
{
float _S11 = (simd_shuffle((_S8), ushort((int((kernelContext_4->_S1) ^ 8U)))));
_S8 = _S8 + _S11;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = _S8;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S12 = _S8 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S8 = _S12;
}
if(4U < SUBGROUP_0)
{
float _S13 = (simd_shuffle((_S8), ushort((int((kernelContext_4->_S1) ^ 4U)))));
_S8 = _S8 + _S13;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = _S8;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S14 = _S8 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S8 = _S14;
}
if(2U < SUBGROUP_0)
{
float _S15 = (simd_shuffle((_S8), ushort((int((kernelContext_4->_S1) ^ 2U)))));
_S8 = _S8 + _S15;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = _S8;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S16 = _S8 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S8 = _S16;
}
if(1U < SUBGROUP_0)
{
float _S17 = (simd_shuffle((_S8), ushort((int((kernelContext_4->_S1) ^ 1U)))));
_S8 = _S8 + _S17;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = _S8;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S18 = _S8 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S8 = _S18;
}
return _S8;
}
void shareSums_0(const array<float, int(4)> thread* sums_0, uint part_0, uint lane_1, KernelContext_0 thread* kernelContext_5)
{
float _S19 = sumOfRow_0((*sums_0)[int(0)], part_0, lane_1, kernelContext_5);
bool _S20 = lane_1 == 0U;
if(_S20)
{
(*kernelContext_5->parts_0)[part_0][int(0)] = _S19;
}
float _S21 = sumOfRow_0((*sums_0)[int(1)], part_0, lane_1, kernelContext_5);
if(_S20)
{
(*kernelContext_5->parts_0)[part_0][int(1)] = _S21;
}
float _S22 = sumOfRow_0((*sums_0)[int(2)], part_0, lane_1, kernelContext_5);
if(_S20)
{
(*kernelContext_5->parts_0)[part_0][int(2)] = _S22;
}
float _S23 = sumOfRow_0((*sums_0)[int(3)], part_0, lane_1, kernelContext_5);
if(_S20)
{
(*kernelContext_5->parts_0)[part_0][int(3)] = _S23;
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
float _S24 = max(value_0, 0.0f);
return _S24 * _S24;
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
uint row_3 = group_0.x * 4U;
uint entry_0 = group_0.y;
uint _S25 = local_0.y;
uint _S26 = local_0.x;
uint lane_2 = _S25 * 32U + _S26;
uint _S27 = lane_2 & 3U;
uint _S28 = kernelContext_7->p_0->start_0 + kernelContext_7->experts_0[entry_0] * kernelContext_7->p_0->expertWords_0;
uint _S29 = entry_0 / kernelContext_7->p_0->perInput_0;
uint _S30 = _S29 * kernelContext_7->p_0->inputStride_0;
thread array<float, int(4)> sums_1;
sums_1[int(0)] = 0.0f;
sums_1[int(1)] = 0.0f;
sums_1[int(2)] = 0.0f;
sums_1[int(3)] = 0.0f;
uint unit_2 = lane_2 >> 2U;
for(;;)
{
if(unit_2 < (kernelContext_7->p_0->units_0))
{
}
else
{
break;
}
uint _S31 = _S30 + unit_2 * 8U + _S27;
Factors_0 _S32 = factors_0(float4(*(kernelContext_7->inputs_0+_S31)) , float4(*(kernelContext_7->inputs_0+(_S31 + 4U))) );
uint start_1 = _S28 + min(row_3, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
thread float4 low_7;
thread float4 high_7;
MXFP4_codes_0(start_1, unit_2, _S27, &low_7, &high_7, kernelContext_7);
Scales_0 _S33 = MXFP4_scales_0(start_1, unit_2, kernelContext_7);
thread Scales_0 _S34 = _S33;
thread Factors_0 _S35 = _S32;
float _S36 = added_0(sums_1[int(0)], &_S34, low_7, high_7, &_S35);
sums_1[int(0)] = _S36;
uint start_2 = _S28 + min(row_3 + 1U, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
thread float4 low_8;
thread float4 high_8;
MXFP4_codes_0(start_2, unit_2, _S27, &low_8, &high_8, kernelContext_7);
Scales_0 _S37 = MXFP4_scales_0(start_2, unit_2, kernelContext_7);
thread Scales_0 _S38 = _S37;
thread Factors_0 _S39 = _S32;
float _S40 = added_0(sums_1[int(1)], &_S38, low_8, high_8, &_S39);
sums_1[int(1)] = _S40;
uint start_3 = _S28 + min(row_3 + 2U, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
thread float4 low_9;
thread float4 high_9;
MXFP4_codes_0(start_3, unit_2, _S27, &low_9, &high_9, kernelContext_7);
Scales_0 _S41 = MXFP4_scales_0(start_3, unit_2, kernelContext_7);
thread Scales_0 _S42 = _S41;
thread Factors_0 _S43 = _S32;
float _S44 = added_0(sums_1[int(2)], &_S42, low_9, high_9, &_S43);
sums_1[int(2)] = _S44;
uint start_4 = _S28 + min(row_3 + 3U, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
thread float4 low_10;
thread float4 high_10;
MXFP4_codes_0(start_4, unit_2, _S27, &low_10, &high_10, kernelContext_7);
Scales_0 _S45 = MXFP4_scales_0(start_4, unit_2, kernelContext_7);
thread Scales_0 _S46 = _S45;
thread Factors_0 _S47 = _S32;
float _S48 = added_0(sums_1[int(3)], &_S46, low_10, high_10, &_S47);
sums_1[int(3)] = _S48;
unit_2 = unit_2 + 32U;
}
thread array<float, int(4)> _S49 = sums_1;
shareSums_0(&_S49, _S25, _S26, kernelContext_7);
bool _S50;
if(lane_2 < 4U)
{
_S50 = (row_3 + lane_2) < (kernelContext_7->p_0->rows_0);
}
else
{
_S50 = false;
}
if(_S50)
{
uint at_2 = entry_0 * kernelContext_7->p_0->rows_0 + row_3 + lane_2;
float device* _S51 = kernelContext_7->outputs_0+at_2;
uint _S52 = kernelContext_7->p_0->mode_0;
float _S53 = *(kernelContext_7->outputs_0+at_2);
float _S54 = sumOfParts_0(lane_2, kernelContext_7);
*_S51 = outcome_0(_S52, _S53, _S54);
}
return;
}
[[kernel]] void expert_mxfp4(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(3)]], uint device* experts_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(4)]])
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
