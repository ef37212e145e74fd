// rms_norm_add of norm.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let rms_norm_add = MetalKernelText(
        module: "norm", entry: "rms_norm_add", sourcesSHA256: "4362af6a50a43d9038d9997df94cbf86bc17d2bc537a3223a9d6f417dbe767ff",
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
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* inputs_0;
float device* gains_0;
float device* outputs_0;
uint _S1;
array<array<float, int(32)>, int(4)> threadgroup* partial_0;
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
void norm_0(uint3 group_0, uint3 local_0, bool isAdded_0, KernelContext_0 thread* kernelContext_1)
{
uint _S13 = local_0.y;
uint row_1 = group_0.x * 4U + _S13;
uint _S14 = row_1 * kernelContext_1->p_0->length_0;
float squares_0;
uint i_0;
if(row_1 < (kernelContext_1->p_0->rows_0))
{
uint _S15 = local_0.x;
squares_0 = 0.0f;
i_0 = _S15;
for(;;)
{
if(i_0 < (kernelContext_1->p_0->length_0))
{
}
else
{
break;
}
uint _S16 = _S14 + i_0;
float _S17 = fma(kernelContext_1->inputs_0[_S16], kernelContext_1->inputs_0[_S16], squares_0);
uint i_1 = i_0 + 32U;
squares_0 = _S17;
i_0 = i_1;
}
}
else
{
squares_0 = 0.0f;
}
uint _S18 = local_0.x;
float _S19 = sumOfRow_0(squares_0, _S13, _S18, kernelContext_1);
float _S20 = 1.0f / sqrt(_S19 / float(kernelContext_1->p_0->length_0) + kernelContext_1->p_0->epsilon_0);
if(row_1 < (kernelContext_1->p_0->rows_0))
{
i_0 = _S18;
for(;;)
{
if(i_0 < (kernelContext_1->p_0->length_0))
{
}
else
{
break;
}
uint _S21 = _S14 + i_0;
float normed_0 = kernelContext_1->inputs_0[_S21] * _S20 * kernelContext_1->gains_0[i_0];
float device* _S22 = kernelContext_1->outputs_0+_S21;
if(isAdded_0)
{
squares_0 = *(kernelContext_1->outputs_0+_S21) + normed_0;
}
else
{
squares_0 = normed_0;
}
*_S22 = squares_0;
i_0 = i_0 + 32U;
}
}
return;
}
[[kernel]] void rms_norm_add(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(3)]], float device* inputs_1 [[buffer(0)]], float device* gains_1 [[buffer(1)]], float device* outputs_1 [[buffer(2)]])
{
thread KernelContext_0 kernelContext_2;
(&kernelContext_2)->p_0 = p_1;
(&kernelContext_2)->inputs_0 = inputs_1;
(&kernelContext_2)->gains_0 = gains_1;
(&kernelContext_2)->outputs_0 = outputs_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_2)->partial_0 = &partial_1;
(&kernelContext_2)->_S1 = _builtinWaveLaneIndex_0;
norm_0(group_1, local_1, true, &kernelContext_2);
return;
}
"""#)
}
#endif
