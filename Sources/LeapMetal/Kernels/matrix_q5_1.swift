// matrix_q5_1 of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let matrix_q5_1 = MetalKernelText(
        module: "product", entry: "matrix_q5_1", sourcesSHA256: "bc0017113ec9cffec4698c19f224038562d8cca6ff29a395aa917883819917e5",
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
Scales_0 Scales_x24init_0(float low_5, float high_5, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S48;
(&_S48)->low_0 = low_5;
(&_S48)->high_0 = high_5;
(&_S48)->lowOffset_0 = lowOffset_1;
(&_S48)->highOffset_0 = highOffset_1;
return _S48;
}
Scales_0 same_0(float scale_0, float offset_0)
{
return Scales_x24init_0(scale_0, scale_0, offset_0, offset_0);
}
Scales_0 Q5_1_scales_0(uint row_1, uint unit_0, KernelContext_0 thread* kernelContext_3)
{
uint _S49 = row_1 + unit_0 * 12U;
float _S50 = half16_0(_S49, kernelContext_3);
float _S51 = half16_0(_S49 + 1U, kernelContext_3);
return same_0(_S50, _S51);
}
uint word_0(uint at_1, KernelContext_0 thread* kernelContext_4)
{
return uint(kernelContext_4->weights_0[at_1]) | (uint(kernelContext_4->weights_0[at_1 + 1U]) << 16U);
}
uint fifthBits_0(uint bits_0)
{
return ((((bits_0 & 1U) << 4U) | ((bits_0 & 2U) << 11U)) | ((bits_0 & 4U) << 18U)) | ((bits_0 & 8U) << 25U);
}
float4 bytes_0(uint q_0)
{
return float4(float(q_0 & 255U), float((q_0 >> 8U) & 255U), float((q_0 >> 16U) & 255U), float(q_0 >> 24U));
}
void Q5_1_codes_0(uint row_2, uint unit_1, uint i_1, float4 thread* low_6, float4 thread* high_6, KernelContext_0 thread* kernelContext_5)
{
uint at_2 = row_2 + unit_1 * 12U + 2U;
uint _S52 = word_0(at_2, kernelContext_5);
uint fifth_0 = _S52 >> (4U * i_1);
uint _S53 = word_0(at_2 + 2U + 2U * i_1, kernelContext_5);
*low_6 = bytes_0((_S53 & 252645135U) | (fifthBits_0(fifth_0)));
*high_6 = bytes_0(((_S53 >> 4U) & 252645135U) | (fifthBits_0(fifth_0 >> 16U)));
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
float _S54 = max(value_1, 0.0f);
return _S54 * _S54;
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
uint first_1 = kernelContext_7->p_0->first_0 + group_0.y * 8U;
uint _S55 = local_0.y;
uint _S56 = local_0.x;
uint lane_2 = _S55 * 32U + _S56;
uint _S57 = lane_2 & 3U;
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
if(unit_2 < (kernelContext_7->p_0->units_0))
{
}
else
{
break;
}
thread array<Factors_0, int(8)> x_1;
uint _S58 = unit_2 * 8U;
uint at_3 = min(first_1, kernelContext_7->p_0->end_0 - 1U) * kernelContext_7->p_0->inputStride_0 + _S58 + _S57;
Factors_0 _S59 = factors_0(float4(*(kernelContext_7->inputs_0+at_3)) , float4(*(kernelContext_7->inputs_0+(at_3 + 4U))) );
x_1[int(0)] = _S59;
uint at_4 = min(first_1 + 1U, kernelContext_7->p_0->end_0 - 1U) * kernelContext_7->p_0->inputStride_0 + _S58 + _S57;
Factors_0 _S60 = factors_0(float4(*(kernelContext_7->inputs_0+at_4)) , float4(*(kernelContext_7->inputs_0+(at_4 + 4U))) );
x_1[int(1)] = _S60;
uint at_5 = min(first_1 + 2U, kernelContext_7->p_0->end_0 - 1U) * kernelContext_7->p_0->inputStride_0 + _S58 + _S57;
Factors_0 _S61 = factors_0(float4(*(kernelContext_7->inputs_0+at_5)) , float4(*(kernelContext_7->inputs_0+(at_5 + 4U))) );
x_1[int(2)] = _S61;
uint at_6 = min(first_1 + 3U, kernelContext_7->p_0->end_0 - 1U) * kernelContext_7->p_0->inputStride_0 + _S58 + _S57;
Factors_0 _S62 = factors_0(float4(*(kernelContext_7->inputs_0+at_6)) , float4(*(kernelContext_7->inputs_0+(at_6 + 4U))) );
x_1[int(3)] = _S62;
uint at_7 = min(first_1 + 4U, kernelContext_7->p_0->end_0 - 1U) * kernelContext_7->p_0->inputStride_0 + _S58 + _S57;
Factors_0 _S63 = factors_0(float4(*(kernelContext_7->inputs_0+at_7)) , float4(*(kernelContext_7->inputs_0+(at_7 + 4U))) );
x_1[int(4)] = _S63;
uint at_8 = min(first_1 + 5U, kernelContext_7->p_0->end_0 - 1U) * kernelContext_7->p_0->inputStride_0 + _S58 + _S57;
Factors_0 _S64 = factors_0(float4(*(kernelContext_7->inputs_0+at_8)) , float4(*(kernelContext_7->inputs_0+(at_8 + 4U))) );
x_1[int(5)] = _S64;
uint at_9 = min(first_1 + 6U, kernelContext_7->p_0->end_0 - 1U) * kernelContext_7->p_0->inputStride_0 + _S58 + _S57;
Factors_0 _S65 = factors_0(float4(*(kernelContext_7->inputs_0+at_9)) , float4(*(kernelContext_7->inputs_0+(at_9 + 4U))) );
x_1[int(6)] = _S65;
uint at_10 = min(first_1 + 7U, kernelContext_7->p_0->end_0 - 1U) * kernelContext_7->p_0->inputStride_0 + _S58 + _S57;
Factors_0 _S66 = factors_0(float4(*(kernelContext_7->inputs_0+at_10)) , float4(*(kernelContext_7->inputs_0+(at_10 + 4U))) );
x_1[int(7)] = _S66;
uint start_1 = kernelContext_7->p_0->start_0 + min(row_3, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
Scales_0 _S67 = Q5_1_scales_0(start_1, unit_2, kernelContext_7);
thread float4 low_7;
thread float4 high_7;
Q5_1_codes_0(start_1, unit_2, _S57, &low_7, &high_7, kernelContext_7);
thread Scales_0 _S68 = _S67;
thread Factors_0 _S69 = _S59;
float _S70 = added_0(sums_1[int(0)], &_S68, low_7, high_7, &_S69);
sums_1[int(0)] = _S70;
thread Scales_0 _S71 = _S67;
thread Factors_0 _S72 = _S60;
float _S73 = added_0(sums_1[int(1)], &_S71, low_7, high_7, &_S72);
sums_1[int(1)] = _S73;
thread Scales_0 _S74 = _S67;
thread Factors_0 _S75 = _S61;
float _S76 = added_0(sums_1[int(2)], &_S74, low_7, high_7, &_S75);
sums_1[int(2)] = _S76;
thread Scales_0 _S77 = _S67;
thread Factors_0 _S78 = _S62;
float _S79 = added_0(sums_1[int(3)], &_S77, low_7, high_7, &_S78);
sums_1[int(3)] = _S79;
thread Scales_0 _S80 = _S67;
thread Factors_0 _S81 = _S63;
float _S82 = added_0(sums_1[int(4)], &_S80, low_7, high_7, &_S81);
sums_1[int(4)] = _S82;
thread Scales_0 _S83 = _S67;
thread Factors_0 _S84 = _S64;
float _S85 = added_0(sums_1[int(5)], &_S83, low_7, high_7, &_S84);
sums_1[int(5)] = _S85;
thread Scales_0 _S86 = _S67;
thread Factors_0 _S87 = _S65;
float _S88 = added_0(sums_1[int(6)], &_S86, low_7, high_7, &_S87);
sums_1[int(6)] = _S88;
thread Scales_0 _S89 = _S67;
thread Factors_0 _S90 = _S66;
float _S91 = added_0(sums_1[int(7)], &_S89, low_7, high_7, &_S90);
sums_1[int(7)] = _S91;
uint start_2 = kernelContext_7->p_0->start_0 + min(row_3 + 1U, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
Scales_0 _S92 = Q5_1_scales_0(start_2, unit_2, kernelContext_7);
thread float4 low_8;
thread float4 high_8;
Q5_1_codes_0(start_2, unit_2, _S57, &low_8, &high_8, kernelContext_7);
thread Scales_0 _S93 = _S92;
thread Factors_0 _S94 = _S59;
float _S95 = added_0(sums_1[int(8)], &_S93, low_8, high_8, &_S94);
sums_1[int(8)] = _S95;
thread Scales_0 _S96 = _S92;
thread Factors_0 _S97 = _S60;
float _S98 = added_0(sums_1[int(9)], &_S96, low_8, high_8, &_S97);
sums_1[int(9)] = _S98;
thread Scales_0 _S99 = _S92;
thread Factors_0 _S100 = _S61;
float _S101 = added_0(sums_1[int(10)], &_S99, low_8, high_8, &_S100);
sums_1[int(10)] = _S101;
thread Scales_0 _S102 = _S92;
thread Factors_0 _S103 = _S62;
float _S104 = added_0(sums_1[int(11)], &_S102, low_8, high_8, &_S103);
sums_1[int(11)] = _S104;
thread Scales_0 _S105 = _S92;
thread Factors_0 _S106 = _S63;
float _S107 = added_0(sums_1[int(12)], &_S105, low_8, high_8, &_S106);
sums_1[int(12)] = _S107;
thread Scales_0 _S108 = _S92;
thread Factors_0 _S109 = _S64;
float _S110 = added_0(sums_1[int(13)], &_S108, low_8, high_8, &_S109);
sums_1[int(13)] = _S110;
thread Scales_0 _S111 = _S92;
thread Factors_0 _S112 = _S65;
float _S113 = added_0(sums_1[int(14)], &_S111, low_8, high_8, &_S112);
sums_1[int(14)] = _S113;
thread Scales_0 _S114 = _S92;
thread Factors_0 _S115 = _S66;
float _S116 = added_0(sums_1[int(15)], &_S114, low_8, high_8, &_S115);
sums_1[int(15)] = _S116;
uint start_3 = kernelContext_7->p_0->start_0 + min(row_3 + 2U, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
Scales_0 _S117 = Q5_1_scales_0(start_3, unit_2, kernelContext_7);
thread float4 low_9;
thread float4 high_9;
Q5_1_codes_0(start_3, unit_2, _S57, &low_9, &high_9, kernelContext_7);
thread Scales_0 _S118 = _S117;
thread Factors_0 _S119 = _S59;
float _S120 = added_0(sums_1[int(16)], &_S118, low_9, high_9, &_S119);
sums_1[int(16)] = _S120;
thread Scales_0 _S121 = _S117;
thread Factors_0 _S122 = _S60;
float _S123 = added_0(sums_1[int(17)], &_S121, low_9, high_9, &_S122);
sums_1[int(17)] = _S123;
thread Scales_0 _S124 = _S117;
thread Factors_0 _S125 = _S61;
float _S126 = added_0(sums_1[int(18)], &_S124, low_9, high_9, &_S125);
sums_1[int(18)] = _S126;
thread Scales_0 _S127 = _S117;
thread Factors_0 _S128 = _S62;
float _S129 = added_0(sums_1[int(19)], &_S127, low_9, high_9, &_S128);
sums_1[int(19)] = _S129;
thread Scales_0 _S130 = _S117;
thread Factors_0 _S131 = _S63;
float _S132 = added_0(sums_1[int(20)], &_S130, low_9, high_9, &_S131);
sums_1[int(20)] = _S132;
thread Scales_0 _S133 = _S117;
thread Factors_0 _S134 = _S64;
float _S135 = added_0(sums_1[int(21)], &_S133, low_9, high_9, &_S134);
sums_1[int(21)] = _S135;
thread Scales_0 _S136 = _S117;
thread Factors_0 _S137 = _S65;
float _S138 = added_0(sums_1[int(22)], &_S136, low_9, high_9, &_S137);
sums_1[int(22)] = _S138;
thread Scales_0 _S139 = _S117;
thread Factors_0 _S140 = _S66;
float _S141 = added_0(sums_1[int(23)], &_S139, low_9, high_9, &_S140);
sums_1[int(23)] = _S141;
uint start_4 = kernelContext_7->p_0->start_0 + min(row_3 + 3U, kernelContext_7->p_0->rows_0 - 1U) * kernelContext_7->p_0->rowWords_0;
Scales_0 _S142 = Q5_1_scales_0(start_4, unit_2, kernelContext_7);
thread float4 low_10;
thread float4 high_10;
Q5_1_codes_0(start_4, unit_2, _S57, &low_10, &high_10, kernelContext_7);
thread Scales_0 _S143 = _S142;
thread Factors_0 _S144 = _S59;
float _S145 = added_0(sums_1[int(24)], &_S143, low_10, high_10, &_S144);
sums_1[int(24)] = _S145;
thread Scales_0 _S146 = _S142;
thread Factors_0 _S147 = _S60;
float _S148 = added_0(sums_1[int(25)], &_S146, low_10, high_10, &_S147);
sums_1[int(25)] = _S148;
thread Scales_0 _S149 = _S142;
thread Factors_0 _S150 = _S61;
float _S151 = added_0(sums_1[int(26)], &_S149, low_10, high_10, &_S150);
sums_1[int(26)] = _S151;
thread Scales_0 _S152 = _S142;
thread Factors_0 _S153 = _S62;
float _S154 = added_0(sums_1[int(27)], &_S152, low_10, high_10, &_S153);
sums_1[int(27)] = _S154;
thread Scales_0 _S155 = _S142;
thread Factors_0 _S156 = _S63;
float _S157 = added_0(sums_1[int(28)], &_S155, low_10, high_10, &_S156);
sums_1[int(28)] = _S157;
thread Scales_0 _S158 = _S142;
thread Factors_0 _S159 = _S64;
float _S160 = added_0(sums_1[int(29)], &_S158, low_10, high_10, &_S159);
sums_1[int(29)] = _S160;
thread Scales_0 _S161 = _S142;
thread Factors_0 _S162 = _S65;
float _S163 = added_0(sums_1[int(30)], &_S161, low_10, high_10, &_S162);
sums_1[int(30)] = _S163;
thread Scales_0 _S164 = _S142;
thread Factors_0 _S165 = _S66;
float _S166 = added_0(sums_1[int(31)], &_S164, low_10, high_10, &_S165);
sums_1[int(31)] = _S166;
unit_2 = unit_2 + 32U;
}
thread array<float, int(32)> _S167 = sums_1;
shareSums_0(&_S167, _S55, _S56, kernelContext_7);
uint own_0 = row_3 + lane_2 / 8U;
uint vector_0 = first_1 + lane_2 % 8U;
bool _S168;
if(lane_2 < 32U)
{
_S168 = own_0 < (kernelContext_7->p_0->rows_0);
}
else
{
_S168 = false;
}
if(_S168)
{
_S168 = vector_0 < (kernelContext_7->p_0->end_0);
}
else
{
_S168 = false;
}
if(_S168)
{
uint at_11 = kernelContext_7->p_0->outputStart_0 + vector_0 * kernelContext_7->p_0->outputStride_0 + own_0;
float device* _S169 = kernelContext_7->outputs_0+at_11;
uint _S170 = kernelContext_7->p_0->mode_0;
float _S171 = *(kernelContext_7->outputs_0+at_11);
float _S172 = sumOfParts_0(lane_2, kernelContext_7);
*_S169 = outcome_0(_S170, _S171, _S172);
}
return;
}
[[kernel]] void matrix_q5_1(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
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
