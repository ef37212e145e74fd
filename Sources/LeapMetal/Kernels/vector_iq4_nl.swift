// vector_iq4_nl of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let vector_iq4_nl = MetalKernelText(
        module: "product", entry: "vector_iq4_nl", sourcesSHA256: "bc0017113ec9cffec4698c19f224038562d8cca6ff29a395aa917883819917e5",
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
float sumOfRow_0(float v_0, uint row_0, uint lane_0, KernelContext_0 thread* kernelContext_0)
{
float _S2;
if(16U < SUBGROUP_0)
{
float _S3 = (simd_shuffle((v_0), ushort((int((kernelContext_0->_S1) ^ 16U)))));
_S2 = v_0 + _S3;
}
else
{
(*kernelContext_0->partial_0)[row_0][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S4 = v_0 + (*kernelContext_0->partial_0)[row_0][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S2 = _S4;
}
if(8U < SUBGROUP_0)
{
float _S5 = (simd_shuffle((_S2), ushort((int((kernelContext_0->_S1) ^ 8U)))));
_S2 = _S2 + _S5;
}
else
{
(*kernelContext_0->partial_0)[row_0][lane_0] = _S2;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S6 = _S2 + (*kernelContext_0->partial_0)[row_0][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S2 = _S6;
}
if(4U < SUBGROUP_0)
{
float _S7 = (simd_shuffle((_S2), ushort((int((kernelContext_0->_S1) ^ 4U)))));
_S2 = _S2 + _S7;
}
else
{
(*kernelContext_0->partial_0)[row_0][lane_0] = _S2;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S8 = _S2 + (*kernelContext_0->partial_0)[row_0][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S2 = _S8;
}
if(2U < SUBGROUP_0)
{
float _S9 = (simd_shuffle((_S2), ushort((int((kernelContext_0->_S1) ^ 2U)))));
_S2 = _S2 + _S9;
}
else
{
(*kernelContext_0->partial_0)[row_0][lane_0] = _S2;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S10 = _S2 + (*kernelContext_0->partial_0)[row_0][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S2 = _S10;
}
if(1U < SUBGROUP_0)
{
float _S11 = (simd_shuffle((_S2), ushort((int((kernelContext_0->_S1) ^ 1U)))));
_S2 = _S2 + _S11;
}
else
{
(*kernelContext_0->partial_0)[row_0][lane_0] = _S2;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S12 = _S2 + (*kernelContext_0->partial_0)[row_0][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S2 = _S12;
}
return _S2;
}
void shareSums_0(const array<float, int(4)> thread* sums_0, uint part_0, uint lane_1, KernelContext_0 thread* kernelContext_1)
{
float _S13 = sumOfRow_0((*sums_0)[int(0)], part_0, lane_1, kernelContext_1);
bool _S14 = lane_1 == 0U;
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(0)] = _S13;
}
float _S15 = sumOfRow_0((*sums_0)[int(1)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(1)] = _S15;
}
float _S16 = sumOfRow_0((*sums_0)[int(2)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(2)] = _S16;
}
float _S17 = sumOfRow_0((*sums_0)[int(3)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(3)] = _S17;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
return;
}
constant array<float, int(16)> levels_0 = { -127.0f, -104.0f, -83.0f, -65.0f, -49.0f, -35.0f, -22.0f, -10.0f, 1.0f, 13.0f, 25.0f, 38.0f, 53.0f, 69.0f, 89.0f, 113.0f };
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
Factors_0 Factors_x24init_0(float4 low_3, float4 high_3, float lowSum_1, float highSum_1)
{
thread Factors_0 _S18;
(&_S18)->low_1 = low_3;
(&_S18)->high_1 = high_3;
(&_S18)->lowSum_0 = lowSum_1;
(&_S18)->highSum_0 = highSum_1;
return _S18;
}
Factors_0 factors_0(float4 low_4, float4 high_4)
{
return Factors_x24init_0(low_4, high_4, low_4.x + low_4.y + (low_4.z + low_4.w), high_4.x + high_4.y + (high_4.z + high_4.w));
}
float half16_0(uint at_0, KernelContext_0 thread* kernelContext_2)
{
uint _S19 = uint(kernelContext_2->weights_0[at_0]);
return f16tof32_0(uint2(_S19 & 65535U, _S19 >> 16U)).x;
}
Scales_0 Scales_x24init_0(float low_5, float high_5, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S20;
(&_S20)->low_0 = low_5;
(&_S20)->high_0 = high_5;
(&_S20)->lowOffset_0 = lowOffset_1;
(&_S20)->highOffset_0 = highOffset_1;
return _S20;
}
Scales_0 same_0(float scale_0, float offset_0)
{
return Scales_x24init_0(scale_0, scale_0, offset_0, offset_0);
}
Scales_0 IQ4_NL_scales_0(uint row_1, uint unit_0, KernelContext_0 thread* kernelContext_3)
{
float _S21 = half16_0(row_1 + unit_0 * 9U, kernelContext_3);
return same_0(_S21, 0.0f);
}
uint word_0(uint at_1, KernelContext_0 thread* kernelContext_4)
{
return uint(kernelContext_4->weights_0[at_1]) | (uint(kernelContext_4->weights_0[at_1 + 1U]) << 16U);
}
float4 levelsOf_0(uint q_0)
{
return float4(levels_0[q_0 & 15U], levels_0[(q_0 >> 8U) & 15U], levels_0[(q_0 >> 16U) & 15U], levels_0[(q_0 >> 24U) & 15U]);
}
void IQ4_NL_codes_0(uint row_2, uint unit_1, uint i_1, float4 thread* low_6, float4 thread* high_6, KernelContext_0 thread* kernelContext_5)
{
uint _S22 = word_0(row_2 + unit_1 * 9U + 1U + 2U * i_1, kernelContext_5);
*low_6 = levelsOf_0(_S22);
*high_6 = levelsOf_0(_S22 >> 4U);
return;
}
float sumOfParts_0(uint i_2, KernelContext_0 thread* kernelContext_6)
{
return (*kernelContext_6->parts_0)[int(0)][i_2] + (*kernelContext_6->parts_0)[int(1)][i_2] + ((*kernelContext_6->parts_0)[int(2)][i_2] + (*kernelContext_6->parts_0)[int(3)][i_2]);
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
float _S23 = max(value_1, 0.0f);
return _S23 * _S23;
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
void product_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_7)
{
uint row_3 = group_0.x * 4U;
uint first_1 = kernelContext_7->p_0->first_0 + group_0.y;
uint _S24 = local_0.y;
uint _S25 = local_0.x;
uint lane_2 = _S24 * 32U + _S25;
uint _S26 = lane_2 & 3U;
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
uint at_2 = min(first_1, kernelContext_7->p_0->end_0 - 1U) * kernelContext_7->p_0->inputStride_0 + unit_2 * 8U + _S26;
Factors_0 _S27 = factors_0(float4(*(kernelContext_7->inputs_0+at_2)) , float4(*(kernelContext_7->inputs_0+(at_2 + 4U))) );
uint start_1 = kernelContext_7->p_0->start_0 + min(row_3, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
Scales_0 _S28 = IQ4_NL_scales_0(start_1, unit_2, kernelContext_7);
thread float4 low_7;
thread float4 high_7;
IQ4_NL_codes_0(start_1, unit_2, _S26, &low_7, &high_7, kernelContext_7);
thread Scales_0 _S29 = _S28;
thread Factors_0 _S30 = _S27;
float _S31 = added_0(sums_1[int(0)], &_S29, low_7, high_7, &_S30);
sums_1[int(0)] = _S31;
uint start_2 = kernelContext_7->p_0->start_0 + min(row_3 + 1U, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
Scales_0 _S32 = IQ4_NL_scales_0(start_2, unit_2, kernelContext_7);
thread float4 low_8;
thread float4 high_8;
IQ4_NL_codes_0(start_2, unit_2, _S26, &low_8, &high_8, kernelContext_7);
thread Scales_0 _S33 = _S32;
thread Factors_0 _S34 = _S27;
float _S35 = added_0(sums_1[int(1)], &_S33, low_8, high_8, &_S34);
sums_1[int(1)] = _S35;
uint start_3 = kernelContext_7->p_0->start_0 + min(row_3 + 2U, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
Scales_0 _S36 = IQ4_NL_scales_0(start_3, unit_2, kernelContext_7);
thread float4 low_9;
thread float4 high_9;
IQ4_NL_codes_0(start_3, unit_2, _S26, &low_9, &high_9, kernelContext_7);
thread Scales_0 _S37 = _S36;
thread Factors_0 _S38 = _S27;
float _S39 = added_0(sums_1[int(2)], &_S37, low_9, high_9, &_S38);
sums_1[int(2)] = _S39;
uint start_4 = kernelContext_7->p_0->start_0 + min(row_3 + 3U, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
Scales_0 _S40 = IQ4_NL_scales_0(start_4, unit_2, kernelContext_7);
thread float4 low_10;
thread float4 high_10;
IQ4_NL_codes_0(start_4, unit_2, _S26, &low_10, &high_10, kernelContext_7);
thread Scales_0 _S41 = _S40;
thread Factors_0 _S42 = _S27;
float _S43 = added_0(sums_1[int(3)], &_S41, low_10, high_10, &_S42);
sums_1[int(3)] = _S43;
unit_2 = unit_2 + 32U;
}
thread array<float, int(4)> _S44 = sums_1;
shareSums_0(&_S44, _S24, _S25, kernelContext_7);
uint own_0 = row_3 + lane_2;
uint vector_0 = first_1 + lane_2 % 1U;
bool _S45;
if(lane_2 < 4U)
{
_S45 = own_0 < (kernelContext_7->p_0->rows_0);
}
else
{
_S45 = false;
}
if(_S45)
{
_S45 = vector_0 < (kernelContext_7->p_0->end_0);
}
else
{
_S45 = false;
}
if(_S45)
{
uint at_3 = kernelContext_7->p_0->outputStart_0 + vector_0 * kernelContext_7->p_0->outputStride_0 + own_0;
float device* _S46 = kernelContext_7->outputs_0+at_3;
uint _S47 = kernelContext_7->p_0->mode_0;
float _S48 = *(kernelContext_7->outputs_0+at_3);
float _S49 = sumOfParts_0(lane_2, kernelContext_7);
*_S46 = outcome_0(_S47, _S48, _S49);
}
return;
}
[[kernel]] void vector_iq4_nl(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
{
thread KernelContext_0 kernelContext_8;
(&kernelContext_8)->p_0 = p_1;
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
