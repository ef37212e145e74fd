// vector_f32 of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let vector_f32 = MetalKernelText(
        module: "product", entry: "vector_f32", sourcesSHA256: "bc0017113ec9cffec4698c19f224038562d8cca6ff29a395aa917883819917e5",
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
Scales_0 Scales_x24init_0(float low_5, float high_5, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S19;
(&_S19)->low_0 = low_5;
(&_S19)->high_0 = high_5;
(&_S19)->lowOffset_0 = lowOffset_1;
(&_S19)->highOffset_0 = highOffset_1;
return _S19;
}
Scales_0 same_0(float scale_0, float offset_0)
{
return Scales_x24init_0(scale_0, scale_0, offset_0, offset_0);
}
Scales_0 F32_scales_0(uint row_1, uint unit_0)
{
return same_0(1.0f, 0.0f);
}
uint word_0(uint at_0, KernelContext_0 thread* kernelContext_2)
{
return uint(kernelContext_2->weights_0[at_0]) | (uint(kernelContext_2->weights_0[at_0 + 1U]) << 16U);
}
float4 F32_four_0(uint at_1, KernelContext_0 thread* kernelContext_3)
{
uint _S20 = word_0(at_1, kernelContext_3);
float _S21 = (as_type<float>((_S20)));
uint _S22 = word_0(at_1 + 2U, kernelContext_3);
float _S23 = (as_type<float>((_S22)));
uint _S24 = word_0(at_1 + 4U, kernelContext_3);
float _S25 = (as_type<float>((_S24)));
uint _S26 = word_0(at_1 + 6U, kernelContext_3);
return float4(_S21, _S23, _S25, (as_type<float>((_S26))));
}
void F32_codes_0(uint row_2, uint unit_1, uint i_0, float4 thread* low_6, float4 thread* high_6, KernelContext_0 thread* kernelContext_4)
{
uint _S27 = row_2 + unit_1 * 64U;
uint _S28 = 8U * i_0;
float4 _S29 = F32_four_0(_S27 + _S28, kernelContext_4);
*low_6 = _S29;
float4 _S30 = F32_four_0(_S27 + 32U + _S28, kernelContext_4);
*high_6 = _S30;
return;
}
float sumOfParts_0(uint i_1, KernelContext_0 thread* kernelContext_5)
{
return (*kernelContext_5->parts_0)[int(0)][i_1] + (*kernelContext_5->parts_0)[int(1)][i_1] + ((*kernelContext_5->parts_0)[int(2)][i_1] + (*kernelContext_5->parts_0)[int(3)][i_1]);
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
void product_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_6)
{
uint row_3 = group_0.x * 4U;
uint first_1 = kernelContext_6->p_0->first_0 + group_0.y;
uint _S32 = local_0.y;
uint _S33 = local_0.x;
uint lane_2 = _S32 * 32U + _S33;
uint _S34 = lane_2 & 3U;
thread array<float, int(4)> sums_1;
sums_1[int(0)] = 0.0f;
sums_1[int(1)] = 0.0f;
sums_1[int(2)] = 0.0f;
sums_1[int(3)] = 0.0f;
uint unit_2 = lane_2 >> 2U;
for(;;)
{
if(unit_2 < (kernelContext_6->p_0->units_0))
{
}
else
{
break;
}
uint at_2 = min(first_1, kernelContext_6->p_0->end_0 - 1U) * kernelContext_6->p_0->inputStride_0 + unit_2 * 8U + _S34;
Factors_0 _S35 = factors_0(float4(*(kernelContext_6->inputs_0+at_2)) , float4(*(kernelContext_6->inputs_0+(at_2 + 4U))) );
uint start_1 = kernelContext_6->p_0->start_0 + min(row_3, kernelContext_6->p_0->rows_0 - 1U) * kernelContext_6->p_0->rowWords_0;
Scales_0 _S36 = F32_scales_0(start_1, unit_2);
thread float4 low_7;
thread float4 high_7;
F32_codes_0(start_1, unit_2, _S34, &low_7, &high_7, kernelContext_6);
thread Scales_0 _S37 = _S36;
thread Factors_0 _S38 = _S35;
float _S39 = added_0(sums_1[int(0)], &_S37, low_7, high_7, &_S38);
sums_1[int(0)] = _S39;
uint start_2 = kernelContext_6->p_0->start_0 + min(row_3 + 1U, kernelContext_6->p_0->rows_0 - 1U) * kernelContext_6->p_0->rowWords_0;
Scales_0 _S40 = F32_scales_0(start_2, unit_2);
thread float4 low_8;
thread float4 high_8;
F32_codes_0(start_2, unit_2, _S34, &low_8, &high_8, kernelContext_6);
thread Scales_0 _S41 = _S40;
thread Factors_0 _S42 = _S35;
float _S43 = added_0(sums_1[int(1)], &_S41, low_8, high_8, &_S42);
sums_1[int(1)] = _S43;
uint start_3 = kernelContext_6->p_0->start_0 + min(row_3 + 2U, kernelContext_6->p_0->rows_0 - 1U) * kernelContext_6->p_0->rowWords_0;
Scales_0 _S44 = F32_scales_0(start_3, unit_2);
thread float4 low_9;
thread float4 high_9;
F32_codes_0(start_3, unit_2, _S34, &low_9, &high_9, kernelContext_6);
thread Scales_0 _S45 = _S44;
thread Factors_0 _S46 = _S35;
float _S47 = added_0(sums_1[int(2)], &_S45, low_9, high_9, &_S46);
sums_1[int(2)] = _S47;
uint start_4 = kernelContext_6->p_0->start_0 + min(row_3 + 3U, kernelContext_6->p_0->rows_0 - 1U) * kernelContext_6->p_0->rowWords_0;
Scales_0 _S48 = F32_scales_0(start_4, unit_2);
thread float4 low_10;
thread float4 high_10;
F32_codes_0(start_4, unit_2, _S34, &low_10, &high_10, kernelContext_6);
thread Scales_0 _S49 = _S48;
thread Factors_0 _S50 = _S35;
float _S51 = added_0(sums_1[int(3)], &_S49, low_10, high_10, &_S50);
sums_1[int(3)] = _S51;
unit_2 = unit_2 + 32U;
}
thread array<float, int(4)> _S52 = sums_1;
shareSums_0(&_S52, _S32, _S33, kernelContext_6);
uint own_0 = row_3 + lane_2;
uint vector_0 = first_1 + lane_2 % 1U;
bool _S53;
if(lane_2 < 4U)
{
_S53 = own_0 < (kernelContext_6->p_0->rows_0);
}
else
{
_S53 = false;
}
if(_S53)
{
_S53 = vector_0 < (kernelContext_6->p_0->end_0);
}
else
{
_S53 = false;
}
if(_S53)
{
uint at_3 = kernelContext_6->p_0->outputStart_0 + vector_0 * kernelContext_6->p_0->outputStride_0 + own_0;
float device* _S54 = kernelContext_6->outputs_0+at_3;
uint _S55 = kernelContext_6->p_0->mode_0;
float _S56 = *(kernelContext_6->outputs_0+at_3);
float _S57 = sumOfParts_0(lane_2, kernelContext_6);
*_S54 = outcome_0(_S55, _S56, _S57);
}
return;
}
[[kernel]] void vector_f32(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
{
thread KernelContext_0 kernelContext_7;
(&kernelContext_7)->p_0 = p_1;
(&kernelContext_7)->inputs_0 = inputs_1;
(&kernelContext_7)->outputs_0 = outputs_1;
(&kernelContext_7)->weights_0 = weights_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_7)->partial_0 = &partial_1;
threadgroup array<array<float, int(32)>, int(4)> parts_1;
(&kernelContext_7)->parts_0 = &parts_1;
(&kernelContext_7)->_S1 = _builtinWaveLaneIndex_0;
product_0(group_1, local_1, &kernelContext_7);
return;
}
"""#)
}
#endif
