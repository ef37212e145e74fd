// vector_f16 of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let vector_f16 = MetalKernelText(
        module: "product", entry: "vector_f16", sourcesSHA256: "d55db160f334b412b4e6857f43c33948cd6159ff3b08b5e660d1dd33ff294820",
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
Scales_0 Scales_x24init_0(float low_1, float high_1, float lowOffset_1, float highOffset_1)
{
thread Scales_0 _S2;
(&_S2)->low_0 = low_1;
(&_S2)->high_0 = high_1;
(&_S2)->lowOffset_0 = lowOffset_1;
(&_S2)->highOffset_0 = highOffset_1;
return _S2;
}
Scales_0 same_0(float scale_0, float offset_0)
{
return Scales_x24init_0(scale_0, scale_0, offset_0, offset_0);
}
Scales_0 F16_scales_0(uint row_0, uint unit_0)
{
return same_0(1.0f, 0.0f);
}
float half16_0(uint at_0, KernelContext_0 thread* kernelContext_0)
{
uint _S3 = uint(kernelContext_0->weights_0[at_0]);
return f16tof32_0(uint2(_S3 & 65535U, _S3 >> 16U)).x;
}
float4 F16_four_0(uint at_1, KernelContext_0 thread* kernelContext_1)
{
float _S4 = half16_0(at_1, kernelContext_1);
float _S5 = half16_0(at_1 + 1U, kernelContext_1);
float _S6 = half16_0(at_1 + 2U, kernelContext_1);
float _S7 = half16_0(at_1 + 3U, kernelContext_1);
return float4(_S4, _S5, _S6, _S7);
}
void F16_codes_0(uint row_1, uint unit_1, uint i_1, float4 thread* low_2, float4 thread* high_2, KernelContext_0 thread* kernelContext_2)
{
uint _S8 = row_1 + unit_1 * 32U;
uint _S9 = 4U * i_1;
float4 _S10 = F16_four_0(_S8 + _S9, kernelContext_2);
*low_2 = _S10;
float4 _S11 = F16_four_0(_S8 + 16U + _S9, kernelContext_2);
*high_2 = _S11;
return;
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
void write_0(uint at_2, float value_1, KernelContext_0 thread* kernelContext_4)
{
if((kernelContext_4->p_0->mode_0) == 0U)
{
*(kernelContext_4->outputs_0+at_2) = value_1;
}
else
{
if((kernelContext_4->p_0->mode_0) == 1U)
{
float device* _S23 = kernelContext_4->outputs_0+at_2;
*_S23 = *_S23 + value_1;
}
else
{
if((kernelContext_4->p_0->mode_0) == 4U)
{
float _S24 = max(value_1, 0.0f);
*(kernelContext_4->outputs_0+at_2) = _S24 * _S24;
}
else
{
float gate_0 = *(kernelContext_4->outputs_0+at_2);
float power_0;
if((kernelContext_4->p_0->mode_0) == 2U)
{
power_0 = gate_0;
}
else
{
power_0 = 1.59576916694641113f * gate_0 * fma(0.04471499845385551f * gate_0, gate_0, 1.0f);
}
*(kernelContext_4->outputs_0+at_2) = gate_0 / (1.0f + exp(- power_0)) * value_1;
}
}
}
return;
}
void product_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_5)
{
uint _S25 = local_0.y;
uint row_3 = group_0.x * 4U + _S25;
uint lane_1 = local_0.x;
uint _S26 = group_0.y;
thread array<float, int(1)> sum_0;
sum_0[int(0)] = 0.0f;
if(row_3 < (kernelContext_5->p_0->rows_0))
{
uint _S27 = kernelContext_5->p_0->start_0 + row_3 * kernelContext_5->p_0->rowWords_0;
uint unit_2 = lane_1;
for(;;)
{
if(unit_2 < (kernelContext_5->p_0->units_0))
{
}
else
{
break;
}
Scales_0 _S28 = F16_scales_0(_S27, unit_2);
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
F16_codes_0(_S27, unit_2, i_2, &low_3, &high_3, kernelContext_5);
low_3 = fma(low_3, float4(_S28.low_0) , float4(_S28.lowOffset_0) );
high_3 = fma(high_3, float4(_S28.high_0) , float4(_S28.highOffset_0) );
uint at_3 = min(_S26, kernelContext_5->p_0->count_0 - 1U) * kernelContext_5->p_0->inputStride_0 + unit_2 * 8U + i_2;
float4 both_0 = fma(high_3, float4(*(kernelContext_5->inputs_0+(at_3 + 4U))) , low_3 * float4(*(kernelContext_5->inputs_0+at_3)) );
sum_0[int(0)] = sum_0[int(0)] + (both_0.x + both_0.y + (both_0.z + both_0.w));
i_2 = i_2 + 1U;
}
unit_2 = unit_2 + 32U;
}
}
float _S29 = sumOfRow_0(sum_0[int(0)], _S25, lane_1, kernelContext_5);
bool _S30;
if(lane_1 == 0U)
{
_S30 = row_3 < (kernelContext_5->p_0->rows_0);
}
else
{
_S30 = false;
}
if(_S30)
{
_S30 = _S26 < (kernelContext_5->p_0->count_0);
}
else
{
_S30 = false;
}
if(_S30)
{
write_0(kernelContext_5->p_0->outputStart_0 + _S26 * kernelContext_5->p_0->outputStride_0 + row_3, _S29, kernelContext_5);
}
return;
}
[[kernel]] void vector_f16(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
{
thread KernelContext_0 kernelContext_6;
(&kernelContext_6)->p_0 = p_1;
(&kernelContext_6)->inputs_0 = inputs_1;
(&kernelContext_6)->outputs_0 = outputs_1;
(&kernelContext_6)->weights_0 = weights_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_6)->partial_0 = &partial_1;
(&kernelContext_6)->_S1 = _builtinWaveLaneIndex_0;
product_0(group_1, local_1, &kernelContext_6);
return;
}
"""#)
}
#endif
