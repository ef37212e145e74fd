// pair_bf16 of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let pair_bf16 = MetalKernelText(
        module: "product", entry: "pair_bf16", sourcesSHA256: "bc0017113ec9cffec4698c19f224038562d8cca6ff29a395aa917883819917e5",
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
void BF16_codes_0(uint row_0, uint unit_0, uint i_0, float4 thread* low_5, float4 thread* high_5, KernelContext_0 thread* kernelContext_2)
{
uint _S7 = row_0 + unit_0 * 32U;
uint _S8 = 4U * i_0;
float4 _S9 = BF16_four_0(_S7 + _S8, kernelContext_2);
*low_5 = _S9;
float4 _S10 = BF16_four_0(_S7 + 16U + _S8, kernelContext_2);
*high_5 = _S10;
return;
}
Scales_0 Scales_x24init_0(float low_6, float high_6, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S11;
(&_S11)->low_0 = low_6;
(&_S11)->high_0 = high_6;
(&_S11)->lowOffset_0 = lowOffset_1;
(&_S11)->highOffset_0 = highOffset_1;
return _S11;
}
Scales_0 same_0(float scale_0, float offset_0)
{
return Scales_x24init_0(scale_0, scale_0, offset_0, offset_0);
}
Scales_0 BF16_scales_0(uint row_1, uint unit_1)
{
return same_0(1.0f, 0.0f);
}
float sumOfRow_0(float v_0, uint row_2, uint lane_0, KernelContext_0 thread* kernelContext_3)
{
float _S12;
if(16U < SUBGROUP_0)
{
float _S13 = (simd_shuffle((v_0), ushort((int((kernelContext_3->_S1) ^ 16U)))));
_S12 = v_0 + _S13;
}
else
{
(*kernelContext_3->partial_0)[row_2][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S14 = v_0 + (*kernelContext_3->partial_0)[row_2][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S12 = _S14;
}
if(8U < SUBGROUP_0)
{
float _S15 = (simd_shuffle((_S12), ushort((int((kernelContext_3->_S1) ^ 8U)))));
_S12 = _S12 + _S15;
}
else
{
(*kernelContext_3->partial_0)[row_2][lane_0] = _S12;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S16 = _S12 + (*kernelContext_3->partial_0)[row_2][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S12 = _S16;
}
if(4U < SUBGROUP_0)
{
float _S17 = (simd_shuffle((_S12), ushort((int((kernelContext_3->_S1) ^ 4U)))));
_S12 = _S12 + _S17;
}
else
{
(*kernelContext_3->partial_0)[row_2][lane_0] = _S12;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S18 = _S12 + (*kernelContext_3->partial_0)[row_2][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S12 = _S18;
}
if(2U < SUBGROUP_0)
{
float _S19 = (simd_shuffle((_S12), ushort((int((kernelContext_3->_S1) ^ 2U)))));
_S12 = _S12 + _S19;
}
else
{
(*kernelContext_3->partial_0)[row_2][lane_0] = _S12;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S20 = _S12 + (*kernelContext_3->partial_0)[row_2][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S12 = _S20;
}
if(1U < SUBGROUP_0)
{
float _S21 = (simd_shuffle((_S12), ushort((int((kernelContext_3->_S1) ^ 1U)))));
_S12 = _S12 + _S21;
}
else
{
(*kernelContext_3->partial_0)[row_2][lane_0] = _S12;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S22 = _S12 + (*kernelContext_3->partial_0)[row_2][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S12 = _S22;
}
return _S12;
}
void shareSums_0(const array<float, int(8)> thread* sums_0, uint part_0, uint lane_1, KernelContext_0 thread* kernelContext_4)
{
float _S23 = sumOfRow_0((*sums_0)[int(0)], part_0, lane_1, kernelContext_4);
bool _S24 = lane_1 == 0U;
if(_S24)
{
(*kernelContext_4->parts_0)[part_0][int(0)] = _S23;
}
float _S25 = sumOfRow_0((*sums_0)[int(1)], part_0, lane_1, kernelContext_4);
if(_S24)
{
(*kernelContext_4->parts_0)[part_0][int(1)] = _S25;
}
float _S26 = sumOfRow_0((*sums_0)[int(2)], part_0, lane_1, kernelContext_4);
if(_S24)
{
(*kernelContext_4->parts_0)[part_0][int(2)] = _S26;
}
float _S27 = sumOfRow_0((*sums_0)[int(3)], part_0, lane_1, kernelContext_4);
if(_S24)
{
(*kernelContext_4->parts_0)[part_0][int(3)] = _S27;
}
float _S28 = sumOfRow_0((*sums_0)[int(4)], part_0, lane_1, kernelContext_4);
if(_S24)
{
(*kernelContext_4->parts_0)[part_0][int(4)] = _S28;
}
float _S29 = sumOfRow_0((*sums_0)[int(5)], part_0, lane_1, kernelContext_4);
if(_S24)
{
(*kernelContext_4->parts_0)[part_0][int(5)] = _S29;
}
float _S30 = sumOfRow_0((*sums_0)[int(6)], part_0, lane_1, kernelContext_4);
if(_S24)
{
(*kernelContext_4->parts_0)[part_0][int(6)] = _S30;
}
float _S31 = sumOfRow_0((*sums_0)[int(7)], part_0, lane_1, kernelContext_4);
if(_S24)
{
(*kernelContext_4->parts_0)[part_0][int(7)] = _S31;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
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
float _S32 = max(value_0, 0.0f);
return _S32 * _S32;
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
void pair_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_6)
{
uint row_3 = group_0.x * 4U;
uint _S33 = local_0.y;
uint _S34 = local_0.x;
uint lane_2 = _S33 * 32U + _S34;
uint i_2 = lane_2 & 3U;
uint _S35 = kernelContext_6->p_0->first_0 * kernelContext_6->p_0->inputStride_0 + i_2;
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
if(unit_2 < (kernelContext_6->p_0->units_0))
{
}
else
{
break;
}
uint _S36 = _S35 + unit_2 * 8U;
Factors_0 _S37 = factors_0(float4(*(kernelContext_6->inputs_0+_S36)) , float4(*(kernelContext_6->inputs_0+(_S36 + 4U))) );
uint start_1 = kernelContext_6->p_0->start_0 + min(row_3, kernelContext_6->p_0->rows_0 - 1U) * kernelContext_6->p_0->rowWords_0;
thread float4 low_7;
thread float4 high_7;
BF16_codes_0(start_1, unit_2, i_2, &low_7, &high_7, kernelContext_6);
thread Scales_0 _S38 = BF16_scales_0(start_1, unit_2);
thread Factors_0 _S39 = _S37;
float _S40 = added_0(sums_1[int(0)], &_S38, low_7, high_7, &_S39);
sums_1[int(0)] = _S40;
uint _S41 = row_3 + 1U;
uint start_2 = kernelContext_6->p_0->start_0 + min(_S41, kernelContext_6->p_0->rows_0 - 1U) * kernelContext_6->p_0->rowWords_0;
thread float4 low_8;
thread float4 high_8;
BF16_codes_0(start_2, unit_2, i_2, &low_8, &high_8, kernelContext_6);
thread Scales_0 _S42 = BF16_scales_0(start_2, unit_2);
thread Factors_0 _S43 = _S37;
float _S44 = added_0(sums_1[int(1)], &_S42, low_8, high_8, &_S43);
sums_1[int(1)] = _S44;
uint _S45 = row_3 + 2U;
uint start_3 = kernelContext_6->p_0->start_0 + min(_S45, kernelContext_6->p_0->rows_0 - 1U) * kernelContext_6->p_0->rowWords_0;
thread float4 low_9;
thread float4 high_9;
BF16_codes_0(start_3, unit_2, i_2, &low_9, &high_9, kernelContext_6);
thread Scales_0 _S46 = BF16_scales_0(start_3, unit_2);
thread Factors_0 _S47 = _S37;
float _S48 = added_0(sums_1[int(2)], &_S46, low_9, high_9, &_S47);
sums_1[int(2)] = _S48;
uint _S49 = row_3 + 3U;
uint start_4 = kernelContext_6->p_0->start_0 + min(_S49, kernelContext_6->p_0->rows_0 - 1U) * kernelContext_6->p_0->rowWords_0;
thread float4 low_10;
thread float4 high_10;
BF16_codes_0(start_4, unit_2, i_2, &low_10, &high_10, kernelContext_6);
thread Scales_0 _S50 = BF16_scales_0(start_4, unit_2);
thread Factors_0 _S51 = _S37;
float _S52 = added_0(sums_1[int(3)], &_S50, low_10, high_10, &_S51);
sums_1[int(3)] = _S52;
uint start_5 = kernelContext_6->p_0->second_0 + min(row_3, kernelContext_6->p_0->rows_0 - 1U) * kernelContext_6->p_0->rowWords_0;
thread float4 low_11;
thread float4 high_11;
BF16_codes_0(start_5, unit_2, i_2, &low_11, &high_11, kernelContext_6);
thread Scales_0 _S53 = BF16_scales_0(start_5, unit_2);
thread Factors_0 _S54 = _S37;
float _S55 = added_0(sums_1[int(4)], &_S53, low_11, high_11, &_S54);
sums_1[int(4)] = _S55;
uint start_6 = kernelContext_6->p_0->second_0 + min(_S41, kernelContext_6->p_0->rows_0 - 1U) * kernelContext_6->p_0->rowWords_0;
thread float4 low_12;
thread float4 high_12;
BF16_codes_0(start_6, unit_2, i_2, &low_12, &high_12, kernelContext_6);
thread Scales_0 _S56 = BF16_scales_0(start_6, unit_2);
thread Factors_0 _S57 = _S37;
float _S58 = added_0(sums_1[int(5)], &_S56, low_12, high_12, &_S57);
sums_1[int(5)] = _S58;
uint start_7 = kernelContext_6->p_0->second_0 + min(_S45, kernelContext_6->p_0->rows_0 - 1U) * kernelContext_6->p_0->rowWords_0;
thread float4 low_13;
thread float4 high_13;
BF16_codes_0(start_7, unit_2, i_2, &low_13, &high_13, kernelContext_6);
thread Scales_0 _S59 = BF16_scales_0(start_7, unit_2);
thread Factors_0 _S60 = _S37;
float _S61 = added_0(sums_1[int(6)], &_S59, low_13, high_13, &_S60);
sums_1[int(6)] = _S61;
uint start_8 = kernelContext_6->p_0->second_0 + min(_S49, kernelContext_6->p_0->rows_0 - 1U) * kernelContext_6->p_0->rowWords_0;
thread float4 low_14;
thread float4 high_14;
BF16_codes_0(start_8, unit_2, i_2, &low_14, &high_14, kernelContext_6);
thread Scales_0 _S62 = BF16_scales_0(start_8, unit_2);
thread Factors_0 _S63 = _S37;
float _S64 = added_0(sums_1[int(7)], &_S62, low_14, high_14, &_S63);
sums_1[int(7)] = _S64;
unit_2 = unit_2 + 32U;
}
thread array<float, int(8)> _S65 = sums_1;
shareSums_0(&_S65, _S33, _S34, kernelContext_6);
bool _S66;
if(lane_2 < 4U)
{
_S66 = (row_3 + lane_2) < (kernelContext_6->p_0->rows_0);
}
else
{
_S66 = false;
}
if(_S66)
{
float device* _S67 = kernelContext_6->outputs_0+(kernelContext_6->p_0->outputStart_0 + kernelContext_6->p_0->first_0 * kernelContext_6->p_0->outputStride_0 + row_3 + lane_2);
uint _S68 = kernelContext_6->p_0->mode_0;
float _S69 = sumOfParts_0(lane_2, kernelContext_6);
float _S70 = sumOfParts_0(4U + lane_2, kernelContext_6);
*_S67 = outcome_0(_S68, _S69, _S70);
}
return;
}
[[kernel]] void pair_bf16(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
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
pair_0(group_1, local_1, &kernelContext_7);
return;
}
"""#)
}
#endif
