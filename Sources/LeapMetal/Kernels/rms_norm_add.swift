// rms_norm_add of norm.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let rms_norm_add = MetalKernelText(
        module: "norm", entry: "rms_norm_add", sourcesSHA256: "03f39610f76b079917e0e95980764dca22117a91648ca155873959e0d4f3c67d",
        compiler: "slangc 2026.14.1", threads: [32, 4, 1], buffers: [0, 1, 2], constants: 3,
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
uint length_0;
float epsilon_0;
float factor_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
packed_float4 device* inputs_0;
packed_float4 device* gains_0;
packed_float4 device* outputs_0;
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
void shareSums_0(const array<float, int(1)> thread* sums_0, uint part_0, uint lane_1, KernelContext_0 thread* kernelContext_1)
{
float _S13 = sumOfRow_0((*sums_0)[int(0)], part_0, lane_1, kernelContext_1);
if(lane_1 == 0U)
{
(*kernelContext_1->parts_0)[part_0][int(0)] = _S13;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
return;
}
float sumOfParts_0(uint i_0, KernelContext_0 thread* kernelContext_2)
{
return (*kernelContext_2->parts_0)[int(0)][i_0] + (*kernelContext_2->parts_0)[int(1)][i_0] + ((*kernelContext_2->parts_0)[int(2)][i_0] + (*kernelContext_2->parts_0)[int(3)][i_0]);
}
void norm_0(uint3 group_0, uint3 local_0, bool isAdded_0, KernelContext_0 thread* kernelContext_3)
{
uint length_1 = kernelContext_3->p_0->length_0 / 4U;
uint _S14 = group_0.x * length_1;
uint _S15 = local_0.y;
uint _S16 = local_0.x;
uint lane_2 = _S15 * 32U + _S16;
float4 squares_0 = float4(int4(int(0)) );
uint i_1 = lane_2;
for(;;)
{
if(i_1 < length_1)
{
}
else
{
break;
}
uint _S17 = _S14 + i_1;
float4 _S18 = fma(float4(*(kernelContext_3->inputs_0+_S17)) , float4(*(kernelContext_3->inputs_0+_S17)) , squares_0);
uint i_2 = i_1 + 128U;
squares_0 = _S18;
i_1 = i_2;
}
thread array<float, int(1)> sums_1;
sums_1[int(0)] = squares_0.x + squares_0.y + (squares_0.z + squares_0.w);
thread array<float, int(1)> _S19 = sums_1;
shareSums_0(&_S19, _S15, _S16, kernelContext_3);
float _S20 = sumOfParts_0(0U, kernelContext_3);
float _S21 = 1.0f / sqrt(_S20 / float(kernelContext_3->p_0->length_0) + kernelContext_3->p_0->epsilon_0);
i_1 = lane_2;
for(;;)
{
if(i_1 < length_1)
{
}
else
{
break;
}
uint _S22 = _S14 + i_1;
float4 normed_0 = float4(*(kernelContext_3->inputs_0+_S22))  * float4(_S21)  * float4(*(kernelContext_3->gains_0+i_1)) ;
packed_float4 device* _S23 = kernelContext_3->outputs_0+_S22;
if(isAdded_0)
{
squares_0 = (float4(*(kernelContext_3->outputs_0+_S22))  + normed_0) * float4(kernelContext_3->p_0->factor_0) ;
}
else
{
squares_0 = normed_0;
}
*_S23 = packed_float4(squares_0) ;
i_1 = i_1 + 128U;
}
return;
}
[[kernel]] void rms_norm_add(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(3)]], packed_float4 device* inputs_1 [[buffer(0)]], packed_float4 device* gains_1 [[buffer(1)]], packed_float4 device* outputs_1 [[buffer(2)]])
{
thread KernelContext_0 kernelContext_4;
(&kernelContext_4)->p_0 = p_1;
(&kernelContext_4)->inputs_0 = inputs_1;
(&kernelContext_4)->gains_0 = gains_1;
(&kernelContext_4)->outputs_0 = outputs_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_4)->partial_0 = &partial_1;
threadgroup array<array<float, int(32)>, int(4)> parts_1;
(&kernelContext_4)->parts_0 = &parts_1;
(&kernelContext_4)->_S1 = _builtinWaveLaneIndex_0;
norm_0(group_1, local_1, true, &kernelContext_4);
return;
}
"""#)
}
#endif
