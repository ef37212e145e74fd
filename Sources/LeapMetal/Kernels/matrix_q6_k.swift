// matrix_q6_k of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let matrix_q6_k = MetalKernelText(
        module: "product", entry: "matrix_q6_k", sourcesSHA256: "bc0017113ec9cffec4698c19f224038562d8cca6ff29a395aa917883819917e5",
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
void shareSums_0(const array<float, int(32)> thread* sums_0, uint part_0, uint lane_1, KernelContext_0 thread* kernelContext_1)
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
float _S18 = sumOfRow_0((*sums_0)[int(4)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(4)] = _S18;
}
float _S19 = sumOfRow_0((*sums_0)[int(5)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(5)] = _S19;
}
float _S20 = sumOfRow_0((*sums_0)[int(6)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(6)] = _S20;
}
float _S21 = sumOfRow_0((*sums_0)[int(7)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(7)] = _S21;
}
float _S22 = sumOfRow_0((*sums_0)[int(8)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(8)] = _S22;
}
float _S23 = sumOfRow_0((*sums_0)[int(9)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(9)] = _S23;
}
float _S24 = sumOfRow_0((*sums_0)[int(10)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(10)] = _S24;
}
float _S25 = sumOfRow_0((*sums_0)[int(11)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(11)] = _S25;
}
float _S26 = sumOfRow_0((*sums_0)[int(12)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(12)] = _S26;
}
float _S27 = sumOfRow_0((*sums_0)[int(13)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(13)] = _S27;
}
float _S28 = sumOfRow_0((*sums_0)[int(14)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(14)] = _S28;
}
float _S29 = sumOfRow_0((*sums_0)[int(15)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(15)] = _S29;
}
float _S30 = sumOfRow_0((*sums_0)[int(16)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(16)] = _S30;
}
float _S31 = sumOfRow_0((*sums_0)[int(17)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(17)] = _S31;
}
float _S32 = sumOfRow_0((*sums_0)[int(18)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(18)] = _S32;
}
float _S33 = sumOfRow_0((*sums_0)[int(19)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(19)] = _S33;
}
float _S34 = sumOfRow_0((*sums_0)[int(20)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(20)] = _S34;
}
float _S35 = sumOfRow_0((*sums_0)[int(21)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(21)] = _S35;
}
float _S36 = sumOfRow_0((*sums_0)[int(22)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(22)] = _S36;
}
float _S37 = sumOfRow_0((*sums_0)[int(23)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(23)] = _S37;
}
float _S38 = sumOfRow_0((*sums_0)[int(24)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(24)] = _S38;
}
float _S39 = sumOfRow_0((*sums_0)[int(25)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(25)] = _S39;
}
float _S40 = sumOfRow_0((*sums_0)[int(26)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(26)] = _S40;
}
float _S41 = sumOfRow_0((*sums_0)[int(27)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(27)] = _S41;
}
float _S42 = sumOfRow_0((*sums_0)[int(28)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(28)] = _S42;
}
float _S43 = sumOfRow_0((*sums_0)[int(29)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(29)] = _S43;
}
float _S44 = sumOfRow_0((*sums_0)[int(30)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(30)] = _S44;
}
float _S45 = sumOfRow_0((*sums_0)[int(31)], part_0, lane_1, kernelContext_1);
if(_S14)
{
(*kernelContext_1->parts_0)[part_0][int(31)] = _S45;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
return;
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
Factors_0 Factors_x24init_0(float4 low_3, float4 high_3, float lowSum_1, float highSum_1)
{
thread Factors_0 _S46;
(&_S46)->low_1 = low_3;
(&_S46)->high_1 = high_3;
(&_S46)->lowSum_0 = lowSum_1;
(&_S46)->highSum_0 = highSum_1;
return _S46;
}
Factors_0 factors_0(float4 low_4, float4 high_4)
{
return Factors_x24init_0(low_4, high_4, low_4.x + low_4.y + (low_4.z + low_4.w), high_4.x + high_4.y + (high_4.z + high_4.w));
}
float half16_0(uint at_0, KernelContext_0 thread* kernelContext_2)
{
uint _S47 = uint(kernelContext_2->weights_0[at_0]);
return f16tof32_0(uint2(_S47 & 65535U, _S47 >> 16U)).x;
}
uint byteAt_0(uint at_1, uint index_0, KernelContext_0 thread* kernelContext_3)
{
return (uint(kernelContext_3->weights_0[at_1 + (index_0 >> 1U)]) >> ((index_0 & 1U) * 8U)) & 255U;
}
float Q6_K_scale_0(uint at_2, uint index_1, KernelContext_0 thread* kernelContext_4)
{
uint _S48 = byteAt_0(at_2 + 96U, index_1, kernelContext_4);
return float(int(_S48 << 24U) >> 24U);
}
Scales_0 Scales_x24init_0(float low_5, float high_5, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S49;
(&_S49)->low_0 = low_5;
(&_S49)->high_0 = high_5;
(&_S49)->lowOffset_0 = lowOffset_1;
(&_S49)->highOffset_0 = highOffset_1;
return _S49;
}
Scales_0 Q6_K_scales_0(uint row_1, uint unit_0, KernelContext_0 thread* kernelContext_5)
{
uint at_3 = row_1 + (unit_0 >> 3U) * 105U;
uint index_2 = 2U * (unit_0 & 7U);
float _S50 = half16_0(at_3 + 104U, kernelContext_5);
float _S51 = Q6_K_scale_0(at_3, index_2, kernelContext_5);
float low_6 = _S50 * _S51;
float _S52 = Q6_K_scale_0(at_3, index_2 + 1U, kernelContext_5);
float high_6 = _S50 * _S52;
return Scales_x24init_0(low_6, high_6, -32.0f * low_6, -32.0f * high_6);
}
uint word_0(uint at_4, KernelContext_0 thread* kernelContext_6)
{
return uint(kernelContext_6->weights_0[at_4]) | (uint(kernelContext_6->weights_0[at_4 + 1U]) << 16U);
}
float4 bytes_0(uint q_0)
{
return float4(float(q_0 & 255U), float((q_0 >> 8U) & 255U), float((q_0 >> 16U) & 255U), float(q_0 >> 24U));
}
float4 Q6_K_four_0(uint lowBits_0, uint highBits_0, uint shift_0, uint k_0, KernelContext_0 thread* kernelContext_7)
{
uint _S53 = word_0(lowBits_0, kernelContext_7);
uint _S54 = (_S53 >> shift_0) & 252645135U;
uint _S55 = word_0(highBits_0, kernelContext_7);
return bytes_0(_S54 | (((_S55 >> (2U * k_0)) & 50529027U) << 4U));
}
void Q6_K_codes_0(uint row_2, uint unit_1, uint i_1, float4 thread* low_7, float4 thread* high_7, KernelContext_0 thread* kernelContext_8)
{
uint at_5 = row_2 + (unit_1 >> 3U) * 105U;
uint part_1 = (unit_1 & 7U) >> 2U;
uint k_1 = unit_1 & 3U;
uint _S56 = 2U * i_1;
uint lowBits_1 = at_5 + part_1 * 32U + (k_1 & 1U) * 16U + _S56;
uint highBits_1 = at_5 + 64U + part_1 * 16U + _S56;
uint _S57 = (k_1 >> 1U) * 4U;
float4 _S58 = Q6_K_four_0(lowBits_1, highBits_1, _S57, k_1, kernelContext_8);
*low_7 = _S58;
float4 _S59 = Q6_K_four_0(lowBits_1 + 8U, highBits_1 + 8U, _S57, k_1, kernelContext_8);
*high_7 = _S59;
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
float _S60 = max(value_1, 0.0f);
return _S60 * _S60;
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
uint first_1 = kernelContext_10->p_0->first_0 + group_0.y * 8U;
uint _S61 = local_0.y;
uint _S62 = local_0.x;
uint lane_2 = _S61 * 32U + _S62;
uint _S63 = lane_2 & 3U;
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
thread array<Factors_0, int(8)> x_1;
uint _S64 = unit_2 * 8U;
uint at_6 = min(first_1, kernelContext_10->p_0->end_0 - 1U) * kernelContext_10->p_0->inputStride_0 + _S64 + _S63;
Factors_0 _S65 = factors_0(float4(*(kernelContext_10->inputs_0+at_6)) , float4(*(kernelContext_10->inputs_0+(at_6 + 4U))) );
x_1[int(0)] = _S65;
uint at_7 = min(first_1 + 1U, kernelContext_10->p_0->end_0 - 1U) * kernelContext_10->p_0->inputStride_0 + _S64 + _S63;
Factors_0 _S66 = factors_0(float4(*(kernelContext_10->inputs_0+at_7)) , float4(*(kernelContext_10->inputs_0+(at_7 + 4U))) );
x_1[int(1)] = _S66;
uint at_8 = min(first_1 + 2U, kernelContext_10->p_0->end_0 - 1U) * kernelContext_10->p_0->inputStride_0 + _S64 + _S63;
Factors_0 _S67 = factors_0(float4(*(kernelContext_10->inputs_0+at_8)) , float4(*(kernelContext_10->inputs_0+(at_8 + 4U))) );
x_1[int(2)] = _S67;
uint at_9 = min(first_1 + 3U, kernelContext_10->p_0->end_0 - 1U) * kernelContext_10->p_0->inputStride_0 + _S64 + _S63;
Factors_0 _S68 = factors_0(float4(*(kernelContext_10->inputs_0+at_9)) , float4(*(kernelContext_10->inputs_0+(at_9 + 4U))) );
x_1[int(3)] = _S68;
uint at_10 = min(first_1 + 4U, kernelContext_10->p_0->end_0 - 1U) * kernelContext_10->p_0->inputStride_0 + _S64 + _S63;
Factors_0 _S69 = factors_0(float4(*(kernelContext_10->inputs_0+at_10)) , float4(*(kernelContext_10->inputs_0+(at_10 + 4U))) );
x_1[int(4)] = _S69;
uint at_11 = min(first_1 + 5U, kernelContext_10->p_0->end_0 - 1U) * kernelContext_10->p_0->inputStride_0 + _S64 + _S63;
Factors_0 _S70 = factors_0(float4(*(kernelContext_10->inputs_0+at_11)) , float4(*(kernelContext_10->inputs_0+(at_11 + 4U))) );
x_1[int(5)] = _S70;
uint at_12 = min(first_1 + 6U, kernelContext_10->p_0->end_0 - 1U) * kernelContext_10->p_0->inputStride_0 + _S64 + _S63;
Factors_0 _S71 = factors_0(float4(*(kernelContext_10->inputs_0+at_12)) , float4(*(kernelContext_10->inputs_0+(at_12 + 4U))) );
x_1[int(6)] = _S71;
uint at_13 = min(first_1 + 7U, kernelContext_10->p_0->end_0 - 1U) * kernelContext_10->p_0->inputStride_0 + _S64 + _S63;
Factors_0 _S72 = factors_0(float4(*(kernelContext_10->inputs_0+at_13)) , float4(*(kernelContext_10->inputs_0+(at_13 + 4U))) );
x_1[int(7)] = _S72;
uint start_1 = kernelContext_10->p_0->start_0 + min(row_3, kernelContext_10->p_0->rows_0 - 1U) * kernelContext_10->p_0->rowWords_0;
Scales_0 _S73 = Q6_K_scales_0(start_1, unit_2, kernelContext_10);
thread float4 low_8;
thread float4 high_8;
Q6_K_codes_0(start_1, unit_2, _S63, &low_8, &high_8, kernelContext_10);
thread Scales_0 _S74 = _S73;
thread Factors_0 _S75 = _S65;
float _S76 = added_0(sums_1[int(0)], &_S74, low_8, high_8, &_S75);
sums_1[int(0)] = _S76;
thread Scales_0 _S77 = _S73;
thread Factors_0 _S78 = _S66;
float _S79 = added_0(sums_1[int(1)], &_S77, low_8, high_8, &_S78);
sums_1[int(1)] = _S79;
thread Scales_0 _S80 = _S73;
thread Factors_0 _S81 = _S67;
float _S82 = added_0(sums_1[int(2)], &_S80, low_8, high_8, &_S81);
sums_1[int(2)] = _S82;
thread Scales_0 _S83 = _S73;
thread Factors_0 _S84 = _S68;
float _S85 = added_0(sums_1[int(3)], &_S83, low_8, high_8, &_S84);
sums_1[int(3)] = _S85;
thread Scales_0 _S86 = _S73;
thread Factors_0 _S87 = _S69;
float _S88 = added_0(sums_1[int(4)], &_S86, low_8, high_8, &_S87);
sums_1[int(4)] = _S88;
thread Scales_0 _S89 = _S73;
thread Factors_0 _S90 = _S70;
float _S91 = added_0(sums_1[int(5)], &_S89, low_8, high_8, &_S90);
sums_1[int(5)] = _S91;
thread Scales_0 _S92 = _S73;
thread Factors_0 _S93 = _S71;
float _S94 = added_0(sums_1[int(6)], &_S92, low_8, high_8, &_S93);
sums_1[int(6)] = _S94;
thread Scales_0 _S95 = _S73;
thread Factors_0 _S96 = _S72;
float _S97 = added_0(sums_1[int(7)], &_S95, low_8, high_8, &_S96);
sums_1[int(7)] = _S97;
uint start_2 = kernelContext_10->p_0->start_0 + min(row_3 + 1U, kernelContext_10->p_0->rows_0 - 1U) * kernelContext_10->p_0->rowWords_0;
Scales_0 _S98 = Q6_K_scales_0(start_2, unit_2, kernelContext_10);
thread float4 low_9;
thread float4 high_9;
Q6_K_codes_0(start_2, unit_2, _S63, &low_9, &high_9, kernelContext_10);
thread Scales_0 _S99 = _S98;
thread Factors_0 _S100 = _S65;
float _S101 = added_0(sums_1[int(8)], &_S99, low_9, high_9, &_S100);
sums_1[int(8)] = _S101;
thread Scales_0 _S102 = _S98;
thread Factors_0 _S103 = _S66;
float _S104 = added_0(sums_1[int(9)], &_S102, low_9, high_9, &_S103);
sums_1[int(9)] = _S104;
thread Scales_0 _S105 = _S98;
thread Factors_0 _S106 = _S67;
float _S107 = added_0(sums_1[int(10)], &_S105, low_9, high_9, &_S106);
sums_1[int(10)] = _S107;
thread Scales_0 _S108 = _S98;
thread Factors_0 _S109 = _S68;
float _S110 = added_0(sums_1[int(11)], &_S108, low_9, high_9, &_S109);
sums_1[int(11)] = _S110;
thread Scales_0 _S111 = _S98;
thread Factors_0 _S112 = _S69;
float _S113 = added_0(sums_1[int(12)], &_S111, low_9, high_9, &_S112);
sums_1[int(12)] = _S113;
thread Scales_0 _S114 = _S98;
thread Factors_0 _S115 = _S70;
float _S116 = added_0(sums_1[int(13)], &_S114, low_9, high_9, &_S115);
sums_1[int(13)] = _S116;
thread Scales_0 _S117 = _S98;
thread Factors_0 _S118 = _S71;
float _S119 = added_0(sums_1[int(14)], &_S117, low_9, high_9, &_S118);
sums_1[int(14)] = _S119;
thread Scales_0 _S120 = _S98;
thread Factors_0 _S121 = _S72;
float _S122 = added_0(sums_1[int(15)], &_S120, low_9, high_9, &_S121);
sums_1[int(15)] = _S122;
uint start_3 = kernelContext_10->p_0->start_0 + min(row_3 + 2U, kernelContext_10->p_0->rows_0 - 1U) * kernelContext_10->p_0->rowWords_0;
Scales_0 _S123 = Q6_K_scales_0(start_3, unit_2, kernelContext_10);
thread float4 low_10;
thread float4 high_10;
Q6_K_codes_0(start_3, unit_2, _S63, &low_10, &high_10, kernelContext_10);
thread Scales_0 _S124 = _S123;
thread Factors_0 _S125 = _S65;
float _S126 = added_0(sums_1[int(16)], &_S124, low_10, high_10, &_S125);
sums_1[int(16)] = _S126;
thread Scales_0 _S127 = _S123;
thread Factors_0 _S128 = _S66;
float _S129 = added_0(sums_1[int(17)], &_S127, low_10, high_10, &_S128);
sums_1[int(17)] = _S129;
thread Scales_0 _S130 = _S123;
thread Factors_0 _S131 = _S67;
float _S132 = added_0(sums_1[int(18)], &_S130, low_10, high_10, &_S131);
sums_1[int(18)] = _S132;
thread Scales_0 _S133 = _S123;
thread Factors_0 _S134 = _S68;
float _S135 = added_0(sums_1[int(19)], &_S133, low_10, high_10, &_S134);
sums_1[int(19)] = _S135;
thread Scales_0 _S136 = _S123;
thread Factors_0 _S137 = _S69;
float _S138 = added_0(sums_1[int(20)], &_S136, low_10, high_10, &_S137);
sums_1[int(20)] = _S138;
thread Scales_0 _S139 = _S123;
thread Factors_0 _S140 = _S70;
float _S141 = added_0(sums_1[int(21)], &_S139, low_10, high_10, &_S140);
sums_1[int(21)] = _S141;
thread Scales_0 _S142 = _S123;
thread Factors_0 _S143 = _S71;
float _S144 = added_0(sums_1[int(22)], &_S142, low_10, high_10, &_S143);
sums_1[int(22)] = _S144;
thread Scales_0 _S145 = _S123;
thread Factors_0 _S146 = _S72;
float _S147 = added_0(sums_1[int(23)], &_S145, low_10, high_10, &_S146);
sums_1[int(23)] = _S147;
uint start_4 = kernelContext_10->p_0->start_0 + min(row_3 + 3U, kernelContext_10->p_0->rows_0 - 1U) * kernelContext_10->p_0->rowWords_0;
Scales_0 _S148 = Q6_K_scales_0(start_4, unit_2, kernelContext_10);
thread float4 low_11;
thread float4 high_11;
Q6_K_codes_0(start_4, unit_2, _S63, &low_11, &high_11, kernelContext_10);
thread Scales_0 _S149 = _S148;
thread Factors_0 _S150 = _S65;
float _S151 = added_0(sums_1[int(24)], &_S149, low_11, high_11, &_S150);
sums_1[int(24)] = _S151;
thread Scales_0 _S152 = _S148;
thread Factors_0 _S153 = _S66;
float _S154 = added_0(sums_1[int(25)], &_S152, low_11, high_11, &_S153);
sums_1[int(25)] = _S154;
thread Scales_0 _S155 = _S148;
thread Factors_0 _S156 = _S67;
float _S157 = added_0(sums_1[int(26)], &_S155, low_11, high_11, &_S156);
sums_1[int(26)] = _S157;
thread Scales_0 _S158 = _S148;
thread Factors_0 _S159 = _S68;
float _S160 = added_0(sums_1[int(27)], &_S158, low_11, high_11, &_S159);
sums_1[int(27)] = _S160;
thread Scales_0 _S161 = _S148;
thread Factors_0 _S162 = _S69;
float _S163 = added_0(sums_1[int(28)], &_S161, low_11, high_11, &_S162);
sums_1[int(28)] = _S163;
thread Scales_0 _S164 = _S148;
thread Factors_0 _S165 = _S70;
float _S166 = added_0(sums_1[int(29)], &_S164, low_11, high_11, &_S165);
sums_1[int(29)] = _S166;
thread Scales_0 _S167 = _S148;
thread Factors_0 _S168 = _S71;
float _S169 = added_0(sums_1[int(30)], &_S167, low_11, high_11, &_S168);
sums_1[int(30)] = _S169;
thread Scales_0 _S170 = _S148;
thread Factors_0 _S171 = _S72;
float _S172 = added_0(sums_1[int(31)], &_S170, low_11, high_11, &_S171);
sums_1[int(31)] = _S172;
unit_2 = unit_2 + 32U;
}
thread array<float, int(32)> _S173 = sums_1;
shareSums_0(&_S173, _S61, _S62, kernelContext_10);
uint own_0 = row_3 + lane_2 / 8U;
uint vector_0 = first_1 + lane_2 % 8U;
bool _S174;
if(lane_2 < 32U)
{
_S174 = own_0 < (kernelContext_10->p_0->rows_0);
}
else
{
_S174 = false;
}
if(_S174)
{
_S174 = vector_0 < (kernelContext_10->p_0->end_0);
}
else
{
_S174 = false;
}
if(_S174)
{
uint at_14 = kernelContext_10->p_0->outputStart_0 + vector_0 * kernelContext_10->p_0->outputStride_0 + own_0;
float device* _S175 = kernelContext_10->outputs_0+at_14;
uint _S176 = kernelContext_10->p_0->mode_0;
float _S177 = *(kernelContext_10->outputs_0+at_14);
float _S178 = sumOfParts_0(lane_2, kernelContext_10);
*_S175 = outcome_0(_S176, _S177, _S178);
}
return;
}
[[kernel]] void matrix_q6_k(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
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
