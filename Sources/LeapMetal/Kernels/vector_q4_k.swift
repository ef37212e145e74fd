// vector_q4_k of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let vector_q4_k = MetalKernelText(
        module: "product", entry: "vector_q4_k", sourcesSHA256: "d55db160f334b412b4e6857f43c33948cd6159ff3b08b5e660d1dd33ff294820",
        compiler: "slangc 2026.14.1", threads: [32, 4, 1], buffers: [3, 0, 1], constants: 2,
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
uint count_0;
uint inputStride_0;
uint outputStride_0;
uint outputStart_0;
uint mode_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
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
uint byteAt_0(uint at_0, uint index_0, KernelContext_0 thread* kernelContext_0)
{
return (uint(kernelContext_0->weights_0[at_0 + (index_0 >> 1U)]) >> ((index_0 & 1U) * 8U)) & 255U;
}
float half16_0(uint at_1, KernelContext_0 thread* kernelContext_1)
{
uint _S2 = uint(kernelContext_1->weights_0[at_1]);
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
Scales_0 sixBitScales_0(uint at_2, uint j_0, KernelContext_0 thread* kernelContext_2)
{
uint scale_1;
uint offset_1;
if(j_0 < 4U)
{
uint _S4 = at_2 + 2U;
uint _S5 = byteAt_0(_S4, j_0, kernelContext_2);
uint _S6 = _S5 & 63U;
uint _S7 = byteAt_0(_S4, j_0 + 4U, kernelContext_2);
uint _S8 = _S7 & 63U;
scale_1 = _S6;
offset_1 = _S8;
}
else
{
uint _S9 = at_2 + 2U;
uint _S10 = byteAt_0(_S9, j_0 + 4U, kernelContext_2);
uint _S11 = _S10 & 15U;
uint _S12 = byteAt_0(_S9, j_0 - 4U, kernelContext_2);
uint _S13 = _S11 | ((_S12 >> 6U) << 4U);
uint _S14 = _S10 >> 4U;
uint _S15 = byteAt_0(_S9, j_0, kernelContext_2);
uint _S16 = _S14 | ((_S15 >> 6U) << 4U);
scale_1 = _S13;
offset_1 = _S16;
}
float _S17 = half16_0(at_2, kernelContext_2);
float _S18 = _S17 * float(scale_1);
float _S19 = half16_0(at_2 + 1U, kernelContext_2);
return same_0(_S18, - _S19 * float(offset_1));
}
Scales_0 Q4_K_scales_0(uint row_0, uint unit_0, KernelContext_0 thread* kernelContext_3)
{
Scales_0 _S20 = sixBitScales_0(row_0 + (unit_0 >> 3U) * 72U, unit_0 & 7U, kernelContext_3);
return _S20;
}
uint word_0(uint at_3, KernelContext_0 thread* kernelContext_4)
{
return uint(kernelContext_4->weights_0[at_3]) | (uint(kernelContext_4->weights_0[at_3 + 1U]) << 16U);
}
float4 bytes_0(uint q_0)
{
return float4(float(q_0 & 255U), float((q_0 >> 8U) & 255U), float((q_0 >> 16U) & 255U), float(q_0 >> 24U));
}
void Q4_K_codes_0(uint row_1, uint unit_1, uint i_1, float4 thread* low_2, float4 thread* high_2, KernelContext_0 thread* kernelContext_5)
{
uint at_4 = row_1 + (unit_1 >> 3U) * 72U + 8U + ((unit_1 & 7U) >> 1U) * 16U + 2U * i_1;
uint shift_0 = (unit_1 & 1U) * 4U;
uint _S21 = word_0(at_4, kernelContext_5);
*low_2 = bytes_0((_S21 >> shift_0) & 252645135U);
uint _S22 = word_0(at_4 + 8U, kernelContext_5);
*high_2 = bytes_0((_S22 >> shift_0) & 252645135U);
return;
}
float sumOfRow_0(float v_0, uint row_2, uint lane_0, KernelContext_0 thread* kernelContext_6)
{
float _S23;
if(16U < SUBGROUP_0)
{
float _S24 = (simd_shuffle((v_0), ushort((int((kernelContext_6->_S1) ^ 16U)))));
_S23 = v_0 + _S24;
}
else
{
(*kernelContext_6->partial_0)[row_2][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S25 = v_0 + (*kernelContext_6->partial_0)[row_2][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S23 = _S25;
}
if(8U < SUBGROUP_0)
{
float _S26 = (simd_shuffle((_S23), ushort((int((kernelContext_6->_S1) ^ 8U)))));
_S23 = _S23 + _S26;
}
else
{
(*kernelContext_6->partial_0)[row_2][lane_0] = _S23;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S27 = _S23 + (*kernelContext_6->partial_0)[row_2][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S23 = _S27;
}
if(4U < SUBGROUP_0)
{
float _S28 = (simd_shuffle((_S23), ushort((int((kernelContext_6->_S1) ^ 4U)))));
_S23 = _S23 + _S28;
}
else
{
(*kernelContext_6->partial_0)[row_2][lane_0] = _S23;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S29 = _S23 + (*kernelContext_6->partial_0)[row_2][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S23 = _S29;
}
if(2U < SUBGROUP_0)
{
float _S30 = (simd_shuffle((_S23), ushort((int((kernelContext_6->_S1) ^ 2U)))));
_S23 = _S23 + _S30;
}
else
{
(*kernelContext_6->partial_0)[row_2][lane_0] = _S23;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S31 = _S23 + (*kernelContext_6->partial_0)[row_2][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S23 = _S31;
}
if(1U < SUBGROUP_0)
{
float _S32 = (simd_shuffle((_S23), ushort((int((kernelContext_6->_S1) ^ 1U)))));
_S23 = _S23 + _S32;
}
else
{
(*kernelContext_6->partial_0)[row_2][lane_0] = _S23;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S33 = _S23 + (*kernelContext_6->partial_0)[row_2][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S23 = _S33;
}
return _S23;
}
void write_0(uint at_5, float value_1, KernelContext_0 thread* kernelContext_7)
{
if((kernelContext_7->p_0->mode_0) == 0U)
{
*(kernelContext_7->outputs_0+at_5) = value_1;
}
else
{
if((kernelContext_7->p_0->mode_0) == 1U)
{
float device* _S34 = kernelContext_7->outputs_0+at_5;
*_S34 = *_S34 + value_1;
}
else
{
if((kernelContext_7->p_0->mode_0) == 4U)
{
float _S35 = max(value_1, 0.0f);
*(kernelContext_7->outputs_0+at_5) = _S35 * _S35;
}
else
{
float gate_0 = *(kernelContext_7->outputs_0+at_5);
float power_0;
if((kernelContext_7->p_0->mode_0) == 2U)
{
power_0 = gate_0;
}
else
{
power_0 = 1.59576916694641113f * gate_0 * fma(0.04471499845385551f * gate_0, gate_0, 1.0f);
}
*(kernelContext_7->outputs_0+at_5) = gate_0 / (1.0f + exp(- power_0)) * value_1;
}
}
}
return;
}
void product_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_8)
{
uint _S36 = local_0.y;
uint row_3 = group_0.x * 4U + _S36;
uint lane_1 = local_0.x;
uint _S37 = group_0.y;
thread array<float, int(1)> sum_0;
sum_0[int(0)] = 0.0f;
if(row_3 < (kernelContext_8->p_0->rows_0))
{
uint _S38 = kernelContext_8->p_0->start_0 + row_3 * kernelContext_8->p_0->rowWords_0;
uint unit_2 = lane_1;
for(;;)
{
if(unit_2 < (kernelContext_8->p_0->units_0))
{
}
else
{
break;
}
Scales_0 _S39 = Q4_K_scales_0(_S38, unit_2, kernelContext_8);
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
Q4_K_codes_0(_S38, unit_2, i_2, &low_3, &high_3, kernelContext_8);
low_3 = fma(low_3, float4(_S39.low_0) , float4(_S39.lowOffset_0) );
high_3 = fma(high_3, float4(_S39.high_0) , float4(_S39.highOffset_0) );
uint at_6 = min(_S37, kernelContext_8->p_0->count_0 - 1U) * kernelContext_8->p_0->inputStride_0 + unit_2 * 8U + i_2;
float4 both_0 = fma(high_3, float4(*(kernelContext_8->inputs_0+(at_6 + 4U))) , low_3 * float4(*(kernelContext_8->inputs_0+at_6)) );
sum_0[int(0)] = sum_0[int(0)] + (both_0.x + both_0.y + (both_0.z + both_0.w));
i_2 = i_2 + 1U;
}
unit_2 = unit_2 + 32U;
}
}
float _S40 = sumOfRow_0(sum_0[int(0)], _S36, lane_1, kernelContext_8);
bool _S41;
if(lane_1 == 0U)
{
_S41 = row_3 < (kernelContext_8->p_0->rows_0);
}
else
{
_S41 = false;
}
if(_S41)
{
_S41 = _S37 < (kernelContext_8->p_0->count_0);
}
else
{
_S41 = false;
}
if(_S41)
{
write_0(kernelContext_8->p_0->outputStart_0 + _S37 * kernelContext_8->p_0->outputStride_0 + row_3, _S40, kernelContext_8);
}
return;
}
[[kernel]] void vector_q4_k(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
{
thread KernelContext_0 kernelContext_9;
(&kernelContext_9)->p_0 = p_1;
(&kernelContext_9)->inputs_0 = inputs_1;
(&kernelContext_9)->outputs_0 = outputs_1;
(&kernelContext_9)->weights_0 = weights_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_9)->partial_0 = &partial_1;
(&kernelContext_9)->_S1 = _builtinWaveLaneIndex_0;
product_0(group_1, local_1, &kernelContext_9);
return;
}
"""#)
}
#endif
