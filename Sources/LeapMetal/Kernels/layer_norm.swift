// layer_norm of layernorm.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let layer_norm = MetalKernelText(
        module: "layernorm", entry: "layer_norm", sourcesSHA256: "c6c8066503dfd3e4baf289b3120fe9ce12a084e472b4dfd03dcc9f7e0e1bc054",
        compiler: "slangc 2026.14.1", threads: [32, 4, 1], buffers: [0, 1, 2, 3], constants: 4,
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
uint hasBias_0;
float epsilon_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
packed_float4 device* inputs_0;
packed_float4 device* gains_0;
packed_float4 device* outputs_0;
packed_float4 device* bias_0;
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
float mean_0(float4 own_0, uint3 local_0, KernelContext_0 thread* kernelContext_3)
{
thread array<float, int(1)> sums_1;
sums_1[int(0)] = own_0.x + own_0.y + (own_0.z + own_0.w);
uint _S14 = local_0.y;
uint _S15 = local_0.x;
thread array<float, int(1)> _S16 = sums_1;
shareSums_0(&_S16, _S14, _S15, kernelContext_3);
float _S17 = sumOfParts_0(0U, kernelContext_3);
return _S17 / float(kernelContext_3->p_0->length_0);
}
[[kernel]] void layer_norm(uint3 group_0 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(4)]], packed_float4 device* inputs_1 [[buffer(0)]], packed_float4 device* gains_1 [[buffer(1)]], packed_float4 device* outputs_1 [[buffer(3)]], packed_float4 device* bias_1 [[buffer(2)]])
{
thread KernelContext_0 kernelContext_4;
(&kernelContext_4)->p_0 = p_1;
(&kernelContext_4)->inputs_0 = inputs_1;
(&kernelContext_4)->gains_0 = gains_1;
(&kernelContext_4)->outputs_0 = outputs_1;
(&kernelContext_4)->bias_0 = bias_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_4)->partial_0 = &partial_1;
threadgroup array<array<float, int(32)>, int(4)> parts_1;
(&kernelContext_4)->parts_0 = &parts_1;
(&kernelContext_4)->_S1 = _builtinWaveLaneIndex_0;
uint length_1 = p_1->length_0 / 4U;
uint _S18 = group_0.x * length_1;
uint lane_2 = local_1.y * 32U + local_1.x;
float4 _S19 = float4(int4(int(0)) );
uint i_1 = lane_2;
float4 sum_0 = _S19;
for(;;)
{
if(i_1 < length_1)
{
}
else
{
break;
}
float4 sum_1 = sum_0 + float4(*((&kernelContext_4)->inputs_0+(_S18 + i_1))) ;
i_1 = i_1 + 128U;
sum_0 = sum_1;
}
float _S20 = mean_0(sum_0, local_1, &kernelContext_4);
threadgroup_barrier(mem_flags::mem_threadgroup);
float4 squares_0 = _S19;
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
float4 distance_0 = float4(*((&kernelContext_4)->inputs_0+(_S18 + i_1)))  - float4(_S20) ;
float4 _S21 = fma(distance_0, distance_0, squares_0);
uint i_2 = i_1 + 128U;
squares_0 = _S21;
i_1 = i_2;
}
float _S22 = mean_0(squares_0, local_1, &kernelContext_4);
float _S23 = 1.0f / sqrt(_S22 + (&kernelContext_4)->p_0->epsilon_0);
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
uint _S24 = _S18 + i_1;
float4 normed_0 = (float4(*((&kernelContext_4)->inputs_0+_S24))  - float4(_S20) ) * float4(_S23)  * float4(*((&kernelContext_4)->gains_0+i_1)) ;
packed_float4 device* _S25 = (&kernelContext_4)->outputs_0+_S24;
if(((&kernelContext_4)->p_0->hasBias_0) != 0U)
{
sum_0 = normed_0 + float4(*((&kernelContext_4)->bias_0+i_1)) ;
}
else
{
sum_0 = normed_0;
}
*_S25 = packed_float4(sum_0) ;
i_1 = i_1 + 128U;
}
return;
}
"""#)
}
#endif
