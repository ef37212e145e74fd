// vector_mxfp4 of product.slang, blocks.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let vector_mxfp4 = MetalKernelText(
        module: "product", entry: "vector_mxfp4", sourcesSHA256: "d55db160f334b412b4e6857f43c33948cd6159ff3b08b5e660d1dd33ff294820",
        compiler: "slangc 2026.14.1", threads: [32, 4, 1], buffers: [3, 0, 1], constants: 2,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
constant uint fc_SUBGROUP_0 [[function_constant(0)]];
constant uint SUBGROUP_0 = is_function_constant_defined(fc_SUBGROUP_0) ? fc_SUBGROUP_0 : 32U;
constant array<float, int(16)> doubles_0 = { 0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 6.0f, 8.0f, 12.0f, 0.0f, -1.0f, -2.0f, -3.0f, -4.0f, -6.0f, -8.0f, -12.0f };
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
Scales_0 MXFP4_scales_0(uint row_0, uint unit_0, KernelContext_0 thread* kernelContext_1)
{
uint _S3 = byteAt_0(row_0, unit_0 * 17U, kernelContext_1);
uint _S4;
if(_S3 < 2U)
{
_S4 = uint(int(2097152) << _S3);
}
else
{
_S4 = (_S3 - 1U) << 23U;
}
return same_0((as_type<float>((_S4))), 0.0f);
}
uint byteAt_1(uint at_1, uint index_1, KernelContext_0 thread* kernelContext_2)
{
return (uint(kernelContext_2->weights_0[at_1 + (index_1 >> 1U)]) >> ((index_1 & 1U) * 8U)) & 255U;
}
void MXFP4_codes_0(uint row_1, uint unit_1, uint i_0, float4 thread* low_2, float4 thread* high_2, KernelContext_0 thread* kernelContext_3)
{
uint _S5 = unit_1 * 17U + 1U + 4U * i_0;
uint k_0 = 0U;
for(;;)
{
if(k_0 < 4U)
{
}
else
{
break;
}
uint _S6 = byteAt_1(row_1, _S5 + k_0, kernelContext_3);
(*low_2)[k_0] = doubles_0[_S6 & 15U];
(*high_2)[k_0] = doubles_0[_S6 >> 4U];
k_0 = k_0 + 1U;
}
return;
}
float sumOfRow_0(float v_0, uint row_2, uint lane_0, KernelContext_0 thread* kernelContext_4)
{
float _S7;
if(16U < SUBGROUP_0)
{
float _S8 = (simd_shuffle((v_0), ushort((int((kernelContext_4->_S1) ^ 16U)))));
_S7 = v_0 + _S8;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S9 = v_0 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S7 = _S9;
}
if(8U < SUBGROUP_0)
{
float _S10 = (simd_shuffle((_S7), ushort((int((kernelContext_4->_S1) ^ 8U)))));
_S7 = _S7 + _S10;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = _S7;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S11 = _S7 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S7 = _S11;
}
if(4U < SUBGROUP_0)
{
float _S12 = (simd_shuffle((_S7), ushort((int((kernelContext_4->_S1) ^ 4U)))));
_S7 = _S7 + _S12;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = _S7;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S13 = _S7 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S7 = _S13;
}
if(2U < SUBGROUP_0)
{
float _S14 = (simd_shuffle((_S7), ushort((int((kernelContext_4->_S1) ^ 2U)))));
_S7 = _S7 + _S14;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = _S7;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S15 = _S7 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S7 = _S15;
}
if(1U < SUBGROUP_0)
{
float _S16 = (simd_shuffle((_S7), ushort((int((kernelContext_4->_S1) ^ 1U)))));
_S7 = _S7 + _S16;
}
else
{
(*kernelContext_4->partial_0)[row_2][lane_0] = _S7;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S17 = _S7 + (*kernelContext_4->partial_0)[row_2][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S7 = _S17;
}
return _S7;
}
void write_0(uint at_2, float value_0, KernelContext_0 thread* kernelContext_5)
{
if((kernelContext_5->p_0->mode_0) == 0U)
{
*(kernelContext_5->outputs_0+at_2) = value_0;
}
else
{
if((kernelContext_5->p_0->mode_0) == 1U)
{
float device* _S18 = kernelContext_5->outputs_0+at_2;
*_S18 = *_S18 + value_0;
}
else
{
if((kernelContext_5->p_0->mode_0) == 4U)
{
float _S19 = max(value_0, 0.0f);
*(kernelContext_5->outputs_0+at_2) = _S19 * _S19;
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
*(kernelContext_5->outputs_0+at_2) = gate_0 / (1.0f + exp(- power_0)) * value_0;
}
}
}
return;
}
void product_0(uint3 group_0, uint3 local_0, KernelContext_0 thread* kernelContext_6)
{
uint _S20 = local_0.y;
uint row_3 = group_0.x * 4U + _S20;
uint lane_1 = local_0.x;
uint _S21 = group_0.y;
thread array<float, int(1)> sum_0;
sum_0[int(0)] = 0.0f;
if(row_3 < (kernelContext_6->p_0->rows_0))
{
uint _S22 = kernelContext_6->p_0->start_0 + row_3 * kernelContext_6->p_0->rowWords_0;
uint unit_2 = lane_1;
for(;;)
{
if(unit_2 < (kernelContext_6->p_0->units_0))
{
}
else
{
break;
}
Scales_0 _S23 = MXFP4_scales_0(_S22, unit_2, kernelContext_6);
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
MXFP4_codes_0(_S22, unit_2, i_1, &low_3, &high_3, kernelContext_6);
low_3 = fma(low_3, float4(_S23.low_0) , float4(_S23.lowOffset_0) );
high_3 = fma(high_3, float4(_S23.high_0) , float4(_S23.highOffset_0) );
uint at_3 = min(_S21, kernelContext_6->p_0->count_0 - 1U) * kernelContext_6->p_0->inputStride_0 + unit_2 * 8U + i_1;
float4 both_0 = fma(high_3, float4(*(kernelContext_6->inputs_0+(at_3 + 4U))) , low_3 * float4(*(kernelContext_6->inputs_0+at_3)) );
sum_0[int(0)] = sum_0[int(0)] + (both_0.x + both_0.y + (both_0.z + both_0.w));
i_1 = i_1 + 1U;
}
unit_2 = unit_2 + 32U;
}
}
float _S24 = sumOfRow_0(sum_0[int(0)], _S20, lane_1, kernelContext_6);
bool _S25;
if(lane_1 == 0U)
{
_S25 = row_3 < (kernelContext_6->p_0->rows_0);
}
else
{
_S25 = false;
}
if(_S25)
{
_S25 = _S21 < (kernelContext_6->p_0->count_0);
}
else
{
_S25 = false;
}
if(_S25)
{
write_0(kernelContext_6->p_0->outputStart_0 + _S21 * kernelContext_6->p_0->outputStride_0 + row_3, _S24, kernelContext_6);
}
return;
}
[[kernel]] void vector_mxfp4(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(2)]], packed_float4 device* inputs_1 [[buffer(0)]], float device* outputs_1 [[buffer(1)]], ushort device* weights_1 [[buffer(3)]])
{
thread KernelContext_0 kernelContext_7;
(&kernelContext_7)->p_0 = p_1;
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
