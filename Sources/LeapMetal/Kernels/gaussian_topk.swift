// gaussian_topk of cutoff.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let gaussian_topk = MetalKernelText(
        module: "cutoff", entry: "gaussian_topk", sourcesSHA256: "3fdfde8f1cdee36e3a5db06afa627402b3395d197df6bc021fea4ea5b3e95d3f",
        compiler: "slangc 2026.14.1", threads: [32, 4, 1], buffers: [0], constants: 1,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
constant uint fc_SUBGROUP_0 [[function_constant(0)]];
constant uint SUBGROUP_0 = is_function_constant_defined(fc_SUBGROUP_0) ? fc_SUBGROUP_0 : 32U;
struct Parameters_0
{
uint count_0;
uint length_0;
float deviations_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* rows_0;
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
[[kernel]] void gaussian_topk(uint3 group_0 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(1)]], float device* rows_1 [[buffer(0)]])
{
thread KernelContext_0 kernelContext_3;
(&kernelContext_3)->p_0 = p_1;
(&kernelContext_3)->rows_0 = rows_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_3)->partial_0 = &partial_1;
threadgroup array<array<float, int(32)>, int(4)> parts_1;
(&kernelContext_3)->parts_0 = &parts_1;
(&kernelContext_3)->_S1 = _builtinWaveLaneIndex_0;
uint _S14 = group_0.x * p_1->length_0;
uint _S15 = local_0.y;
uint _S16 = local_0.x;
uint lane_2 = _S15 * 32U + _S16;
thread array<float, int(1)> sums_1;
sums_1[int(0)] = 0.0f;
uint i_1 = lane_2;
for(;;)
{
if(i_1 < (p_1->length_0))
{
}
else
{
break;
}
sums_1[int(0)] = sums_1[int(0)] + *((&kernelContext_3)->rows_0+(_S14 + i_1));
i_1 = i_1 + 128U;
}
thread array<float, int(1)> _S17 = sums_1;
shareSums_0(&_S17, _S15, _S16, &kernelContext_3);
float _S18 = sumOfParts_0(0U, &kernelContext_3);
float mean_0 = _S18 / float(p_1->length_0);
threadgroup_barrier(mem_flags::mem_threadgroup);
sums_1[int(0)] = 0.0f;
i_1 = lane_2;
for(;;)
{
if(i_1 < (p_1->length_0))
{
}
else
{
break;
}
float distance_0 = *((&kernelContext_3)->rows_0+(_S14 + i_1)) - mean_0;
sums_1[int(0)] = fma(distance_0, distance_0, sums_1[int(0)]);
i_1 = i_1 + 128U;
}
thread array<float, int(1)> _S19 = sums_1;
shareSums_0(&_S19, _S15, _S16, &kernelContext_3);
float _S20 = (&kernelContext_3)->p_0->deviations_0;
float _S21 = sumOfParts_0(0U, &kernelContext_3);
float _S22 = fma(_S20, sqrt(_S21 / float(p_1->length_0)), mean_0);
i_1 = lane_2;
for(;;)
{
if(i_1 < (p_1->length_0))
{
}
else
{
break;
}
uint _S23 = _S14 + i_1;
*((&kernelContext_3)->rows_0+_S23) = max(*((&kernelContext_3)->rows_0+_S23) - _S22, 0.0f);
i_1 = i_1 + 128U;
}
return;
}
"""#)
}
#endif
