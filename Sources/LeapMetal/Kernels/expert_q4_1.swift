// expert_q4_1 of experts.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let expert_q4_1 = MetalKernelText(
        module: "experts", entry: "expert_q4_1", sourcesSHA256: "3dadff32d31688b2585b8c18e133380ef144787bded30c5e2db9cafd57e1bfb5",
        compiler: "slangc 2026.14.1", threads: [32, 4, 1], buffers: [4, 0, 1, 2], constants: 3,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
constant uint fc_SUBGROUP_0 [[function_constant(0)]];
constant uint SUBGROUP_0 = is_function_constant_defined(fc_SUBGROUP_0) ? fc_SUBGROUP_0 : 32U;
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
};
struct Scales_0
{
float low_0;
float high_0;
float lowOffset_0;
float highOffset_0;
};
float half16_0(uint at_0, KernelContext_0 thread* kernelContext_0)
{
uint _S2 = uint(kernelContext_0->weights_0[at_0]);
return f16tof32_0(uint2(_S2 & 65535U, _S2 >> 16U)).x;
}
Scales_0 Scales_x24init_0(float low_1, float high_1, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S3;
(&_S3)->low_0 = low_1;
(&_S3)->high_0 = high_1;
(&_S3)->lowOffset_0 = lowOffset_1;
(&_S3)->highOffset_0 = highOffset_1;
return _S3;
}
Scales_0 same_0(float scale_0, float offset_0)
{
return Scales_x24init_0(scale_0, scale_0, offset_0, offset_0);
}
Scales_0 Q4_1_scales_0(uint row_0, uint unit_0, KernelContext_0 thread* kernelContext_1)
{
uint _S4 = row_0 + unit_0 * 10U;
float _S5 = half16_0(_S4, kernelContext_1);
float _S6 = half16_0(_S4 + 1U, kernelContext_1);
return same_0(_S5, _S6);
}
uint word_0(uint at_1, KernelContext_0 thread* kernelContext_2)
{
return uint(kernelContext_2->weights_0[at_1]) | (uint(kernelContext_2->weights_0[at_1 + 1U]) << 16U);
}
float4 bytes_0(uint q_0)
{
return float4(float(q_0 & 255U), float((q_0 >> 8U) & 255U), float((q_0 >> 16U) & 255U), float(q_0 >> 24U));
}
void Q4_1_codes_0(uint row_1, uint unit_1, uint i_1, float4 thread* low_2, float4 thread* high_2, KernelContext_0 thread* kernelContext_3)
{
uint _S7 = word_0(row_1 + unit_1 * 10U + 2U + 2U * i_1, kernelContext_3);
*low_2 = bytes_0(_S7 & 252645135U);
*high_2 = bytes_0((_S7 >> 4U) & 252645135U);
return;
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
void write_0(uint at_2, float value_1, KernelContext_0 thread* kernelContext_5)
{
if((kernelContext_5->p_0->mode_0) == 0U)
{
*(kernelContext_5->outputs_0+at_2) = value_1;
}
else
{
if((kernelContext_5->p_0->mode_0) == 1U)
{
float device* _S19 = kernelContext_5->outputs_0+at_2;
*_S19 = *_S19 + value_1;
}
else
{
if((kernelContext_5->p_0->mode_0) == 4U)
{
float _S20 = max(value_1, 0.0f);
*(kernelContext_5->outputs_0+at_2) = _S20 * _S20;
}
else
{
float gate_0 = *(kernelContext_5->outputs_0+at_2);
float power_0;
if((kernelContext_5->p_0->mode_0) == 2U)
{
power_0 = gate_0;
}
else
{
power_0 = 1.59576916694641113f * gate_0 * fma(0.04471499845385551f * gate_0, gate_0, 1.0f);
}
*(kernelContext_5->outputs_0+at_2) = gate_0 / (1.0f + exp(- power_0)) * value_1;
}
}
}
return;
}
void product_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_6)
{
uint _S21 = local_0.y;
uint row_3 = group_0.x * 4U + _S21;
uint lane_1 = local_0.x;
uint entry_0 = group_0.y;
float sum_0;
if(row_3 < (kernelContext_6->p_0->rows_0))
{
uint _S22 = kernelContext_6->p_0->start_0 + kernelContext_6->experts_0[entry_0] * kernelContext_6->p_0->expertWords_0 + row_3 * kernelContext_6->p_0->rowWords_0;
uint _S23 = entry_0 / kernelContext_6->p_0->perInput_0;
uint _S24 = _S23 * kernelContext_6->p_0->inputStride_0;
uint unit_2 = lane_1;
sum_0 = 0.0f;
for(;;)
{
if(unit_2 < (kernelContext_6->p_0->units_0))
{
}
else
{
break;
}
Scales_0 _S25 = Q4_1_scales_0(_S22, unit_2, kernelContext_6);
uint i_2 = 0U;
for(;;)
{
if(i_2 < 4U)
{
}
else
{
break;
}
thread float4 low_3;
thread float4 high_3;
Q4_1_codes_0(_S22, unit_2, i_2, &low_3, &high_3, kernelContext_6);
float4 _S26 = fma(low_3, float4(_S25.low_0) , float4(_S25.lowOffset_0) );
low_3 = _S26;
float4 _S27 = fma(high_3, float4(_S25.high_0) , float4(_S25.highOffset_0) );
high_3 = _S27;
uint _S28 = _S24 + unit_2 * 8U + i_2;
float4 both_0 = fma(_S27, float4(*(kernelContext_6->inputs_0+(_S28 + 4U))) , _S26 * float4(*(kernelContext_6->inputs_0+_S28)) );
float sum_1 = sum_0 + (both_0.x + both_0.y + (both_0.z + both_0.w));
i_2 = i_2 + 1U;
sum_0 = sum_1;
}
unit_2 = unit_2 + 32U;
}
}
else
{
sum_0 = 0.0f;
}
float _S29 = sumOfRow_0(sum_0, _S21, lane_1, kernelContext_6);
bool _S30;
if(lane_1 == 0U)
{
_S30 = row_3 < (kernelContext_6->p_0->rows_0);
}
else
{
_S30 = false;
}
if(_S30)
{
write_0(entry_0 * kernelContext_6->p_0->rows_0 + row_3, _S29, kernelContext_6);
}
return;
}
[[kernel]] void expert_q4_1(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(3)]], uint device* experts_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(4)]])
{
thread KernelContext_0 kernelContext_7;
(&kernelContext_7)->p_0 = p_1;
(&kernelContext_7)->experts_0 = experts_1;
(&kernelContext_7)->inputs_0 = inputs_1;
(&kernelContext_7)->outputs_0 = outputs_1;
(&kernelContext_7)->weights_0 = weights_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_7)->partial_0 = &partial_1;
(&kernelContext_7)->_S1 = _builtinWaveLaneIndex_0;
product_0(group_1, local_1, &kernelContext_7);
return;
}
"""#)
}
#endif
