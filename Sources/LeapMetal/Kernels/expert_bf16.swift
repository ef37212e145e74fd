// expert_bf16 of experts.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let expert_bf16 = MetalKernelText(
        module: "experts", entry: "expert_bf16", sourcesSHA256: "3dadff32d31688b2585b8c18e133380ef144787bded30c5e2db9cafd57e1bfb5",
        compiler: "slangc 2026.14.1", threads: [32, 4, 1], buffers: [4, 0, 1, 2], constants: 3,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
constant uint fc_SUBGROUP_0 [[function_constant(0)]];
constant uint SUBGROUP_0 = is_function_constant_defined(fc_SUBGROUP_0) ? fc_SUBGROUP_0 : 32U;
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
Scales_0 BF16_scales_0(uint row_0, uint unit_0)
{
return same_0(1.0f, 0.0f);
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
void BF16_codes_0(uint row_1, uint unit_1, uint i_0, float4 thread* low_2, float4 thread* high_2, KernelContext_0 thread* kernelContext_2)
{
uint _S7 = row_1 + unit_1 * 32U;
uint _S8 = 4U * i_0;
float4 _S9 = BF16_four_0(_S7 + _S8, kernelContext_2);
*low_2 = _S9;
float4 _S10 = BF16_four_0(_S7 + 16U + _S8, kernelContext_2);
*high_2 = _S10;
return;
}
float sumOfRow_0(float v_0, uint row_2, uint lane_0, KernelContext_0 thread* kernelContext_3)
{
float _S11;
if(16U < SUBGROUP_0)
{
float _S12 = (simd_shuffle((v_0), ushort((int((kernelContext_3->_S1) ^ 16U)))));
_S11 = v_0 + _S12;
}
else
{
(*kernelContext_3->partial_0)[row_2][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S13 = v_0 + (*kernelContext_3->partial_0)[row_2][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S11 = _S13;
}
if(8U < SUBGROUP_0)
{
float _S14 = (simd_shuffle((_S11), ushort((int((kernelContext_3->_S1) ^ 8U)))));
_S11 = _S11 + _S14;
}
else
{
(*kernelContext_3->partial_0)[row_2][lane_0] = _S11;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S15 = _S11 + (*kernelContext_3->partial_0)[row_2][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S11 = _S15;
}
if(4U < SUBGROUP_0)
{
float _S16 = (simd_shuffle((_S11), ushort((int((kernelContext_3->_S1) ^ 4U)))));
_S11 = _S11 + _S16;
}
else
{
(*kernelContext_3->partial_0)[row_2][lane_0] = _S11;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S17 = _S11 + (*kernelContext_3->partial_0)[row_2][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S11 = _S17;
}
if(2U < SUBGROUP_0)
{
float _S18 = (simd_shuffle((_S11), ushort((int((kernelContext_3->_S1) ^ 2U)))));
_S11 = _S11 + _S18;
}
else
{
(*kernelContext_3->partial_0)[row_2][lane_0] = _S11;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S19 = _S11 + (*kernelContext_3->partial_0)[row_2][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S11 = _S19;
}
if(1U < SUBGROUP_0)
{
float _S20 = (simd_shuffle((_S11), ushort((int((kernelContext_3->_S1) ^ 1U)))));
_S11 = _S11 + _S20;
}
else
{
(*kernelContext_3->partial_0)[row_2][lane_0] = _S11;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S21 = _S11 + (*kernelContext_3->partial_0)[row_2][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S11 = _S21;
}
return _S11;
}
void write_0(uint at_2, float value_0, KernelContext_0 thread* kernelContext_4)
{
if((kernelContext_4->p_0->mode_0) == 0U)
{
*(kernelContext_4->outputs_0+at_2) = value_0;
}
else
{
if((kernelContext_4->p_0->mode_0) == 1U)
{
float device* _S22 = kernelContext_4->outputs_0+at_2;
*_S22 = *_S22 + value_0;
}
else
{
if((kernelContext_4->p_0->mode_0) == 4U)
{
float _S23 = max(value_0, 0.0f);
*(kernelContext_4->outputs_0+at_2) = _S23 * _S23;
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
*(kernelContext_4->outputs_0+at_2) = gate_0 / (1.0f + exp(- power_0)) * value_0;
}
}
}
return;
}
void product_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_5)
{
uint _S24 = local_0.y;
uint row_3 = group_0.x * 4U + _S24;
uint lane_1 = local_0.x;
uint entry_0 = group_0.y;
float sum_0;
if(row_3 < (kernelContext_5->p_0->rows_0))
{
uint _S25 = kernelContext_5->p_0->start_0 + kernelContext_5->experts_0[entry_0] * kernelContext_5->p_0->expertWords_0 + row_3 * kernelContext_5->p_0->rowWords_0;
uint _S26 = entry_0 / kernelContext_5->p_0->perInput_0;
uint _S27 = _S26 * kernelContext_5->p_0->inputStride_0;
uint unit_2 = lane_1;
sum_0 = 0.0f;
for(;;)
{
if(unit_2 < (kernelContext_5->p_0->units_0))
{
}
else
{
break;
}
Scales_0 _S28 = BF16_scales_0(_S25, unit_2);
uint i_1 = 0U;
for(;;)
{
if(i_1 < 4U)
{
}
else
{
break;
}
thread float4 low_3;
thread float4 high_3;
BF16_codes_0(_S25, unit_2, i_1, &low_3, &high_3, kernelContext_5);
float4 _S29 = fma(low_3, float4(_S28.low_0) , float4(_S28.lowOffset_0) );
low_3 = _S29;
float4 _S30 = fma(high_3, float4(_S28.high_0) , float4(_S28.highOffset_0) );
high_3 = _S30;
uint _S31 = _S27 + unit_2 * 8U + i_1;
float4 both_0 = fma(_S30, float4(*(kernelContext_5->inputs_0+(_S31 + 4U))) , _S29 * float4(*(kernelContext_5->inputs_0+_S31)) );
float sum_1 = sum_0 + (both_0.x + both_0.y + (both_0.z + both_0.w));
i_1 = i_1 + 1U;
sum_0 = sum_1;
}
unit_2 = unit_2 + 32U;
}
}
else
{
sum_0 = 0.0f;
}
float _S32 = sumOfRow_0(sum_0, _S24, lane_1, kernelContext_5);
bool _S33;
if(lane_1 == 0U)
{
_S33 = row_3 < (kernelContext_5->p_0->rows_0);
}
else
{
_S33 = false;
}
if(_S33)
{
write_0(entry_0 * kernelContext_5->p_0->rows_0 + row_3, _S32, kernelContext_5);
}
return;
}
[[kernel]] void expert_bf16(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(3)]], uint device* experts_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(4)]])
{
thread KernelContext_0 kernelContext_6;
(&kernelContext_6)->p_0 = p_1;
(&kernelContext_6)->experts_0 = experts_1;
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
