// pair_q2_k of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let pair_q2_k = MetalKernelText(
        module: "product", entry: "pair_q2_k", sourcesSHA256: "bc0017113ec9cffec4698c19f224038562d8cca6ff29a395aa917883819917e5",
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
void Q2_K_codes_0(uint row_0, uint unit_0, uint i_1, float4 thread* low_5, float4 thread* high_5, KernelContext_0 thread* kernelContext_1)
{
uint at_1 = row_0 + (unit_0 >> 3U) * 42U + 8U + ((unit_0 & 7U) >> 2U) * 16U + 2U * i_1;
uint shift_0 = 2U * (unit_0 & 3U);
uint _S3 = word_0(at_1, kernelContext_1);
*low_5 = bytes_0((_S3 >> shift_0) & 50529027U);
uint _S4 = word_0(at_1 + 8U, kernelContext_1);
*high_5 = bytes_0((_S4 >> shift_0) & 50529027U);
return;
}
float half16_0(uint at_2, KernelContext_0 thread* kernelContext_2)
{
uint _S5 = uint(kernelContext_2->weights_0[at_2]);
return f16tof32_0(uint2(_S5 & 65535U, _S5 >> 16U)).x;
}
Scales_0 Scales_x24init_0(float low_6, float high_6, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S6;
(&_S6)->low_0 = low_6;
(&_S6)->high_0 = high_6;
(&_S6)->lowOffset_0 = lowOffset_1;
(&_S6)->highOffset_0 = highOffset_1;
return _S6;
}
Scales_0 Q2_K_scales_0(uint row_1, uint unit_1, KernelContext_0 thread* kernelContext_3)
{
uint at_3 = row_1 + (unit_1 >> 3U) * 42U;
uint both_0 = uint(kernelContext_3->weights_0[at_3 + (unit_1 & 7U)]);
float _S7 = half16_0(at_3 + 40U, kernelContext_3);
float _S8 = half16_0(at_3 + 41U, kernelContext_3);
float m_0 = - _S8;
return Scales_x24init_0(_S7 * float(both_0 & 15U), _S7 * float((both_0 >> 8U) & 15U), m_0 * float((both_0 >> 4U) & 15U), m_0 * float(both_0 >> 12U));
}
float sumOfRow_0(float v_0, uint row_2, uint lane_0, KernelContext_0 thread* kernelContext_4)
{
float _S9;
if(16U < SUBGROUP_0)
{
float _S10 = (simd_shuffle((v_0), ushort((int((kernelContext_4->_S1) ^ 16U)))));
_S9 = v_0 + _S10;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S11 = v_0 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S9 = _S11;
}
if(8U < SUBGROUP_0)
{
float _S12 = (simd_shuffle((_S9), ushort((int((kernelContext_4->_S1) ^ 8U)))));
_S9 = _S9 + _S12;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = _S9;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S13 = _S9 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S9 = _S13;
}
if(4U < SUBGROUP_0)
{
float _S14 = (simd_shuffle((_S9), ushort((int((kernelContext_4->_S1) ^ 4U)))));
_S9 = _S9 + _S14;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = _S9;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S15 = _S9 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S9 = _S15;
}
if(2U < SUBGROUP_0)
{
float _S16 = (simd_shuffle((_S9), ushort((int((kernelContext_4->_S1) ^ 2U)))));
_S9 = _S9 + _S16;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = _S9;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S17 = _S9 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S9 = _S17;
}
if(1U < SUBGROUP_0)
{
float _S18 = (simd_shuffle((_S9), ushort((int((kernelContext_4->_S1) ^ 1U)))));
_S9 = _S9 + _S18;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = _S9;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S19 = _S9 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S9 = _S19;
}
return _S9;
}
void shareSums_0(const array<float, int(8)> thread* sums_0, uint part_0, uint lane_1, KernelContext_0 thread* kernelContext_5)
{
float _S20 = sumOfRow_0((*sums_0)[int(0)], part_0, lane_1, kernelContext_5);
bool _S21 = lane_1 == 0U;
if(_S21)
{
(*kernelContext_5->parts_0)[part_0][int(0)] = _S20;
}
float _S22 = sumOfRow_0((*sums_0)[int(1)], part_0, lane_1, kernelContext_5);
if(_S21)
{
(*kernelContext_5->parts_0)[part_0][int(1)] = _S22;
}
float _S23 = sumOfRow_0((*sums_0)[int(2)], part_0, lane_1, kernelContext_5);
if(_S21)
{
(*kernelContext_5->parts_0)[part_0][int(2)] = _S23;
}
float _S24 = sumOfRow_0((*sums_0)[int(3)], part_0, lane_1, kernelContext_5);
if(_S21)
{
(*kernelContext_5->parts_0)[part_0][int(3)] = _S24;
}
float _S25 = sumOfRow_0((*sums_0)[int(4)], part_0, lane_1, kernelContext_5);
if(_S21)
{
(*kernelContext_5->parts_0)[part_0][int(4)] = _S25;
}
float _S26 = sumOfRow_0((*sums_0)[int(5)], part_0, lane_1, kernelContext_5);
if(_S21)
{
(*kernelContext_5->parts_0)[part_0][int(5)] = _S26;
}
float _S27 = sumOfRow_0((*sums_0)[int(6)], part_0, lane_1, kernelContext_5);
if(_S21)
{
(*kernelContext_5->parts_0)[part_0][int(6)] = _S27;
}
float _S28 = sumOfRow_0((*sums_0)[int(7)], part_0, lane_1, kernelContext_5);
if(_S21)
{
(*kernelContext_5->parts_0)[part_0][int(7)] = _S28;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
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
float _S29 = max(value_1, 0.0f);
return _S29 * _S29;
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
void pair_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_7)
{
uint row_3 = group_0.x * 4U;
uint _S30 = local_0.y;
uint _S31 = local_0.x;
uint lane_2 = _S30 * 32U + _S31;
uint i_3 = lane_2 & 3U;
uint _S32 = kernelContext_7->p_0->first_0 * kernelContext_7->p_0->inputStride_0 + i_3;
thread array<float, int(8)> sums_1;
sums_1[int(0)] = 0.0f;
sums_1[int(1)] = 0.0f;
sums_1[int(2)] = 0.0f;
sums_1[int(3)] = 0.0f;
sums_1[int(4)] = 0.0f;
sums_1[int(5)] = 0.0f;
sums_1[int(6)] = 0.0f;
sums_1[int(7)] = 0.0f;
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
uint _S33 = _S32 + unit_2 * 8U;
Factors_0 _S34 = factors_0(float4(*(kernelContext_7->inputs_0+_S33)) , float4(*(kernelContext_7->inputs_0+(_S33 + 4U))) );
uint start_1 = kernelContext_7->p_0->start_0 + min(row_3, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
thread float4 low_7;
thread float4 high_7;
Q2_K_codes_0(start_1, unit_2, i_3, &low_7, &high_7, kernelContext_7);
Scales_0 _S35 = Q2_K_scales_0(start_1, unit_2, kernelContext_7);
thread Scales_0 _S36 = _S35;
thread Factors_0 _S37 = _S34;
float _S38 = added_0(sums_1[int(0)], &_S36, low_7, high_7, &_S37);
sums_1[int(0)] = _S38;
uint _S39 = row_3 + 1U;
uint start_2 = kernelContext_7->p_0->start_0 + min(_S39, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
thread float4 low_8;
thread float4 high_8;
Q2_K_codes_0(start_2, unit_2, i_3, &low_8, &high_8, kernelContext_7);
Scales_0 _S40 = Q2_K_scales_0(start_2, unit_2, kernelContext_7);
thread Scales_0 _S41 = _S40;
thread Factors_0 _S42 = _S34;
float _S43 = added_0(sums_1[int(1)], &_S41, low_8, high_8, &_S42);
sums_1[int(1)] = _S43;
uint _S44 = row_3 + 2U;
uint start_3 = kernelContext_7->p_0->start_0 + min(_S44, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
thread float4 low_9;
thread float4 high_9;
Q2_K_codes_0(start_3, unit_2, i_3, &low_9, &high_9, kernelContext_7);
Scales_0 _S45 = Q2_K_scales_0(start_3, unit_2, kernelContext_7);
thread Scales_0 _S46 = _S45;
thread Factors_0 _S47 = _S34;
float _S48 = added_0(sums_1[int(2)], &_S46, low_9, high_9, &_S47);
sums_1[int(2)] = _S48;
uint _S49 = row_3 + 3U;
uint start_4 = kernelContext_7->p_0->start_0 + min(_S49, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
thread float4 low_10;
thread float4 high_10;
Q2_K_codes_0(start_4, unit_2, i_3, &low_10, &high_10, kernelContext_7);
Scales_0 _S50 = Q2_K_scales_0(start_4, unit_2, kernelContext_7);
thread Scales_0 _S51 = _S50;
thread Factors_0 _S52 = _S34;
float _S53 = added_0(sums_1[int(3)], &_S51, low_10, high_10, &_S52);
sums_1[int(3)] = _S53;
uint start_5 = kernelContext_7->p_0->second_0 + min(row_3, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
thread float4 low_11;
thread float4 high_11;
Q2_K_codes_0(start_5, unit_2, i_3, &low_11, &high_11, kernelContext_7);
Scales_0 _S54 = Q2_K_scales_0(start_5, unit_2, kernelContext_7);
thread Scales_0 _S55 = _S54;
thread Factors_0 _S56 = _S34;
float _S57 = added_0(sums_1[int(4)], &_S55, low_11, high_11, &_S56);
sums_1[int(4)] = _S57;
uint start_6 = kernelContext_7->p_0->second_0 + min(_S39, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
thread float4 low_12;
thread float4 high_12;
Q2_K_codes_0(start_6, unit_2, i_3, &low_12, &high_12, kernelContext_7);
Scales_0 _S58 = Q2_K_scales_0(start_6, unit_2, kernelContext_7);
thread Scales_0 _S59 = _S58;
thread Factors_0 _S60 = _S34;
float _S61 = added_0(sums_1[int(5)], &_S59, low_12, high_12, &_S60);
sums_1[int(5)] = _S61;
uint start_7 = kernelContext_7->p_0->second_0 + min(_S44, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
thread float4 low_13;
thread float4 high_13;
Q2_K_codes_0(start_7, unit_2, i_3, &low_13, &high_13, kernelContext_7);
Scales_0 _S62 = Q2_K_scales_0(start_7, unit_2, kernelContext_7);
thread Scales_0 _S63 = _S62;
thread Factors_0 _S64 = _S34;
float _S65 = added_0(sums_1[int(6)], &_S63, low_13, high_13, &_S64);
sums_1[int(6)] = _S65;
uint start_8 = kernelContext_7->p_0->second_0 + min(_S49, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
thread float4 low_14;
thread float4 high_14;
Q2_K_codes_0(start_8, unit_2, i_3, &low_14, &high_14, kernelContext_7);
Scales_0 _S66 = Q2_K_scales_0(start_8, unit_2, kernelContext_7);
thread Scales_0 _S67 = _S66;
thread Factors_0 _S68 = _S34;
float _S69 = added_0(sums_1[int(7)], &_S67, low_14, high_14, &_S68);
sums_1[int(7)] = _S69;
unit_2 = unit_2 + 32U;
}
thread array<float, int(8)> _S70 = sums_1;
shareSums_0(&_S70, _S30, _S31, kernelContext_7);
bool _S71;
if(lane_2 < 4U)
{
_S71 = (row_3 + lane_2) < (kernelContext_7->p_0->rows_0);
}
else
{
_S71 = false;
}
if(_S71)
{
float device* _S72 = kernelContext_7->outputs_0+(kernelContext_7->p_0->outputStart_0 + kernelContext_7->p_0->first_0 * kernelContext_7->p_0->outputStride_0 + row_3 + lane_2);
uint _S73 = kernelContext_7->p_0->mode_0;
float _S74 = sumOfParts_0(lane_2, kernelContext_7);
float _S75 = sumOfParts_0(4U + lane_2, kernelContext_7);
*_S72 = outcome_0(_S73, _S74, _S75);
}
return;
}
[[kernel]] void pair_q2_k(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
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
pair_0(group_1, local_1, &kernelContext_8);
return;
}
"""#)
}
#endif
