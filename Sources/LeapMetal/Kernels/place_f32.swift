// place_f32 of place.slang, halves.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let place_f32 = MetalKernelText(
        module: "place", entry: "place_f32", sourcesSHA256: "78396b74d7f0f7a3fa90e2ae7dee041a506ccd9346c39d6c6a6e9e208a321a4c",
        compiler: "slangc 2026.14.1", threads: [32, 4, 1], buffers: [0, 1, 2, 3, 4], constants: 5,
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
uint keyHeads_0;
uint headLength_0;
uint normed_0;
float epsilon_0;
uint pairs_0;
uint rotation_0;
uint queryStep_0;
uint keyStart_0;
uint valueStart_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
uint device* rows_0;
float device* gains_0;
packed_uint2 device* slots_0;
packed_float2 device* turns_0;
ushort device* pages_0;
uint _S1;
array<array<float, int(32)>, int(4)> threadgroup* partial_0;
array<array<float, int(512)>, int(4)> threadgroup* heads_1;
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
float turned_0(uint row_1, uint token_0, uint i_0, KernelContext_0 thread* kernelContext_1)
{
bool isInterleaved_0 = ((kernelContext_1->p_0->rotation_0) & 1U) != 0U;
int _S13;
if(((kernelContext_1->p_0->rotation_0) & 2U) != 0U)
{
_S13 = int(2);
}
else
{
_S13 = int(1);
}
uint parts_0 = uint(_S13);
uint length_0 = kernelContext_1->p_0->headLength_0 / parts_0;
uint part_0 = i_0 / length_0;
uint _S14 = part_0 * length_0;
uint own_0 = i_0 - _S14;
bool isSecond_0;
if(own_0 >= (2U * kernelContext_1->p_0->pairs_0))
{
isSecond_0 = true;
}
else
{
isSecond_0 = part_0 >= parts_0;
}
if(isSecond_0)
{
return (*kernelContext_1->heads_1)[row_1][i_0];
}
if(isInterleaved_0)
{
isSecond_0 = (own_0 & 1U) == 1U;
}
else
{
isSecond_0 = own_0 >= (kernelContext_1->p_0->pairs_0);
}
uint pair_0;
if(isInterleaved_0)
{
pair_0 = own_0 >> 1U;
}
else
{
if(isSecond_0)
{
pair_0 = own_0 - kernelContext_1->p_0->pairs_0;
}
else
{
pair_0 = own_0;
}
}
uint _S15;
if(isInterleaved_0)
{
_S15 = 2U * pair_0;
}
else
{
_S15 = pair_0;
}
uint first_0 = _S14 + _S15;
float a_0 = (*kernelContext_1->heads_1)[row_1][first_0];
if(isInterleaved_0)
{
_S15 = first_0 + 1U;
}
else
{
_S15 = first_0 + kernelContext_1->p_0->pairs_0;
}
float b_0 = (*kernelContext_1->heads_1)[row_1][_S15];
float2 _S16 = float2(*(kernelContext_1->turns_0+((token_0 * parts_0 + part_0) * kernelContext_1->p_0->pairs_0 + pair_0))) ;
float _S17;
if(isSecond_0)
{
_S17 = fma(a_0, _S16.y, b_0 * _S16.x);
}
else
{
_S17 = fma(a_0, _S16.x, - b_0 * _S16.y);
}
return _S17;
}
uint halfOf_0(uint bits_0)
{
uint sign_0 = (bits_0 >> 16U) & 32768U;
uint size_0 = bits_0 & 2147483647U;
if(size_0 > 2139095040U)
{
return sign_0 | 32256U;
}
if(size_0 >= 1199566848U)
{
return sign_0 | 31744U;
}
if(size_0 < 855638016U)
{
return sign_0;
}
bool isSmall_0 = size_0 < 947912704U;
uint whole_0;
if(isSmall_0)
{
whole_0 = (size_0 & 8388607U) | 8388608U;
}
else
{
whole_0 = size_0 - 939524096U;
}
uint shift_0;
if(isSmall_0)
{
shift_0 = 126U - (size_0 >> 23U);
}
else
{
shift_0 = 13U;
}
uint result_0 = whole_0 >> shift_0;
uint rest_0 = whole_0 & ((1U << shift_0) - 1U);
uint middle_0 = 1U << (shift_0 - 1U);
bool _S18;
if(rest_0 > middle_0)
{
_S18 = true;
}
else
{
if(rest_0 == middle_0)
{
_S18 = (result_0 & 1U) == 1U;
}
else
{
_S18 = false;
}
}
int _S19;
if(_S18)
{
_S19 = int(1);
}
else
{
_S19 = int(0);
}
return sign_0 | (result_0 + uint(_S19));
}
void place_0(uint3 group_0, uint3 local_0, uint words_0, KernelContext_0 thread* kernelContext_2)
{
uint perToken_0 = kernelContext_2->p_0->heads_0 + 2U * kernelContext_2->p_0->keyHeads_0;
uint _S20 = local_0.y;
uint vector_0 = group_0.x * 4U + _S20;
uint lane_1 = local_0.x;
bool isThere_0 = vector_0 < (kernelContext_2->p_0->tokens_0 * perToken_0);
uint token_1 = vector_0 / perToken_0;
uint part_1 = vector_0 % perToken_0;
uint _S21 = vector_0 * kernelContext_2->p_0->headLength_0;
bool isQuery_0 = part_1 < (kernelContext_2->p_0->heads_0);
bool isValue_0 = part_1 >= (kernelContext_2->p_0->heads_0 + kernelContext_2->p_0->keyHeads_0);
uint _S22 = kernelContext_2->p_0->normed_0;
int _S23;
if(isValue_0)
{
_S23 = int(2);
}
else
{
_S23 = int(1);
}
bool isNormed_0 = (_S22 & uint(_S23)) != 0U;
float squares_0;
uint i_1;
if(isThere_0)
{
squares_0 = 0.0f;
i_1 = lane_1;
for(;;)
{
if(i_1 < (kernelContext_2->p_0->headLength_0))
{
}
else
{
break;
}
uint _S24 = _S21 + i_1;
float _S25 = fma((as_type<float>((*(kernelContext_2->rows_0+_S24)))), (as_type<float>((*(kernelContext_2->rows_0+_S24)))), squares_0);
uint i_2 = i_1 + 32U;
squares_0 = _S25;
i_1 = i_2;
}
}
else
{
squares_0 = 0.0f;
}
float _S26 = sumOfRow_0(squares_0, _S20, lane_1, kernelContext_2);
float _S27 = 1.0f / sqrt(_S26 / float(kernelContext_2->p_0->headLength_0) + kernelContext_2->p_0->epsilon_0);
uint bits_1;
if(isThere_0)
{
i_1 = lane_1;
for(;;)
{
if(i_1 < (kernelContext_2->p_0->headLength_0))
{
}
else
{
break;
}
float value_0 = (as_type<float>((*(kernelContext_2->rows_0+(_S21 + i_1)))));
float normed_1;
if(isValue_0)
{
normed_1 = value_0 * _S27;
}
else
{
float _S28 = value_0 * _S27;
if(isQuery_0)
{
bits_1 = 0U;
}
else
{
bits_1 = kernelContext_2->p_0->headLength_0;
}
normed_1 = _S28 * kernelContext_2->gains_0[bits_1 + i_1];
}
if(isNormed_0)
{
squares_0 = normed_1;
}
else
{
squares_0 = value_0;
}
(*kernelContext_2->heads_1)[_S20][i_1] = squares_0;
i_1 = i_1 + 32U;
}
}
threadgroup_barrier(mem_flags::mem_threadgroup);
if(!isThere_0)
{
return;
}
bool isGate_0;
if(isQuery_0)
{
uint _S29 = part_1 % kernelContext_2->p_0->queryStep_0;
isGate_0 = _S29 != 0U;
}
else
{
isGate_0 = false;
}
if(isGate_0)
{
isGate_0 = true;
}
else
{
if(!isNormed_0)
{
if(isValue_0)
{
isGate_0 = true;
}
else
{
isGate_0 = (kernelContext_2->p_0->pairs_0) == 0U;
}
}
else
{
isGate_0 = false;
}
}
uint _S30 = (uint2(*(kernelContext_2->slots_0+token_1)) ).y;
uint head_0 = (part_1 - kernelContext_2->p_0->heads_0) % max(kernelContext_2->p_0->keyHeads_0, 1U);
uint _S31 = (uint2(*(kernelContext_2->slots_0+token_1)) ).x + head_0 * kernelContext_2->p_0->headLength_0 * 64U * words_0;
i_1 = lane_1;
for(;;)
{
if(i_1 < (kernelContext_2->p_0->headLength_0))
{
}
else
{
break;
}
uint _S32 = _S21 + i_1;
uint _S33 = *(kernelContext_2->rows_0+_S32);
if(!isGate_0)
{
if(isValue_0)
{
squares_0 = (*kernelContext_2->heads_1)[_S20][i_1];
}
else
{
float _S34 = turned_0(_S20, token_1, i_1, kernelContext_2);
squares_0 = _S34;
}
bits_1 = (as_type<uint>((squares_0)));
}
else
{
bits_1 = _S33;
}
bool _S35;
if(isQuery_0)
{
_S35 = true;
}
else
{
_S35 = words_0 == 0U;
}
if(_S35)
{
*(kernelContext_2->rows_0+_S32) = bits_1;
i_1 = i_1 + 32U;
continue;
}
uint to_0;
if(isValue_0)
{
to_0 = kernelContext_2->p_0->valueStart_0 + _S31 + (_S30 * kernelContext_2->p_0->headLength_0 + i_1) * words_0;
}
else
{
to_0 = kernelContext_2->p_0->keyStart_0 + _S31 + (i_1 * 64U + _S30) * words_0;
}
if(words_0 == 1U)
{
*(kernelContext_2->pages_0+to_0) = ushort(halfOf_0(bits_1));
}
else
{
*(kernelContext_2->pages_0+to_0) = ushort(bits_1 & 65535U);
*(kernelContext_2->pages_0+(to_0 + 1U)) = ushort(bits_1 >> 16U);
}
i_1 = i_1 + 32U;
}
return;
}
[[kernel]] void place_f32(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(5)]], uint device* rows_1 [[buffer(0)]], float device* gains_1 [[buffer(1)]], packed_uint2 device* slots_1 [[buffer(4)]], packed_float2 device* turns_1 [[buffer(2)]], ushort device* pages_1 [[buffer(3)]])
{
thread KernelContext_0 kernelContext_3;
(&kernelContext_3)->p_0 = p_1;
(&kernelContext_3)->rows_0 = rows_1;
(&kernelContext_3)->gains_0 = gains_1;
(&kernelContext_3)->slots_0 = slots_1;
(&kernelContext_3)->turns_0 = turns_1;
(&kernelContext_3)->pages_0 = pages_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_3)->partial_0 = &partial_1;
threadgroup array<array<float, int(512)>, int(4)> heads_2;
(&kernelContext_3)->heads_1 = &heads_2;
(&kernelContext_3)->_S1 = _builtinWaveLaneIndex_0;
place_0(group_1, local_1, 2U, &kernelContext_3);
return;
}
"""#)
}
#endif
