// unit_heads of lengths.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let unit_heads = MetalKernelText(
        module: "lengths", entry: "unit_heads", sourcesSHA256: "711862d6dcbfcbfd1faf31e94db7ef07f020175c3287d67fb415c2f7f280deb1",
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
uint tokens_0;
uint heads_0;
uint length_0;
uint stride_0;
float epsilon_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* rows_0;
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
[[kernel]] void unit_heads(uint3 group_0 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(1)]], float device* rows_1 [[buffer(0)]])
{
thread KernelContext_0 kernelContext_1;
(&kernelContext_1)->p_0 = p_1;
(&kernelContext_1)->rows_0 = rows_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_1)->partial_0 = &partial_1;
(&kernelContext_1)->_S1 = _builtinWaveLaneIndex_0;
uint _S13 = local_0.y;
uint item_0 = group_0.x * 4U + _S13;
uint token_0 = item_0 / (2U * p_1->heads_0);
uint part_0 = item_0 % (2U * p_1->heads_0);
bool isThere_0 = token_0 < ((&kernelContext_1)->p_0->tokens_0);
uint _S14 = token_0 * (&kernelContext_1)->p_0->stride_0 + part_0 * (&kernelContext_1)->p_0->length_0;
float squares_0;
uint i_0;
if(isThere_0)
{
uint _S15 = local_0.x;
squares_0 = 0.0f;
i_0 = _S15;
for(;;)
{
if(i_0 < ((&kernelContext_1)->p_0->length_0))
{
}
else
{
break;
}
uint _S16 = _S14 + i_0;
float _S17 = fma(*((&kernelContext_1)->rows_0+_S16), *((&kernelContext_1)->rows_0+_S16), squares_0);
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
float _S19 = sumOfRow_0(squares_0, _S13, _S18, &kernelContext_1);
float scale_0 = 1.0f / sqrt(_S19 + (&kernelContext_1)->p_0->epsilon_0);
float scale_1;
if(part_0 < (p_1->heads_0))
{
scale_1 = scale_0 / sqrt(float((&kernelContext_1)->p_0->length_0));
}
else
{
scale_1 = scale_0;
}
if(isThere_0)
{
i_0 = _S18;
for(;;)
{
if(i_0 < ((&kernelContext_1)->p_0->length_0))
{
}
else
{
break;
}
float device* _S20 = (&kernelContext_1)->rows_0+(_S14 + i_0);
*_S20 = *_S20 * scale_1;
i_0 = i_0 + 32U;
}
}
return;
}
"""#)
}
#endif
