// store_q8_0 of store.slang, halves.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let store_q8_0 = MetalKernelText(
        module: "store", entry: "store_q8_0", sourcesSHA256: "a6309c27142edca000bbab6b805247af6c02fe5f327128248b3faaa8d30f7842",
        compiler: "slangc 2026.14.1", threads: [32, 4, 1], buffers: [0, 1, 2], constants: 3,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
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
uint tokens_0;
uint heads_0;
uint keyHeads_0;
uint headLength_0;
uint keyStart_0;
uint valueStart_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
packed_uint2 device* slots_0;
uint device* rows_0;
ushort device* pages_0;
array<array<uint, int(32)>, int(4)> threadgroup* lanes_0;
};
uint largest_0(uint v_0, uint row_0, uint lane_0, KernelContext_0 thread* kernelContext_0)
{
uint _S1 = v_0;
uint step_0 = 16U;
for(;;)
{
if(step_0 > 0U)
{
}
else
{
break;
}
(*kernelContext_0->lanes_0)[row_0][lane_0] = _S1;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint _S2 = max(_S1, (*kernelContext_0->lanes_0)[row_0][lane_0 ^ step_0]);
threadgroup_barrier(mem_flags::mem_threadgroup);
uint step_1 = step_0 >> 1U;
_S1 = _S2;
step_0 = step_1;
}
return _S1;
}
float quotient_0(float a_0, float b_0)
{
float about_0 = a_0 / b_0;
return fma(fma(- about_0, b_0, a_0), 1.0f / b_0, about_0);
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
uint result_1 = whole_0 >> shift_0;
uint rest_0 = whole_0 & ((1U << shift_0) - 1U);
uint middle_0 = 1U << (shift_0 - 1U);
bool _S3;
if(rest_0 > middle_0)
{
_S3 = true;
}
else
{
if(rest_0 == middle_0)
{
_S3 = (result_1 & 1U) == 1U;
}
else
{
_S3 = false;
}
}
int _S4;
if(_S3)
{
_S4 = int(1);
}
else
{
_S4 = int(0);
}
return sign_0 | (result_1 + uint(_S4));
}
struct Scale_0
{
uint half_0;
float factor_0;
};
Scale_0 scaleOf_0(uint largest_1)
{
thread Scale_0 scale_0;
uint _S5;
if(largest_1 < 2139095040U)
{
_S5 = halfOf_0((as_type<uint>((quotient_0((as_type<float>((largest_1))), 127.0f)))));
}
else
{
_S5 = 32256U;
}
(&scale_0)->half_0 = _S5;
bool divides_0;
if(_S5 > 0U)
{
divides_0 = ((&scale_0)->half_0) < 31744U;
}
else
{
divides_0 = false;
}
float _S6;
if(divides_0)
{
_S6 = quotient_0(1.0f, f16tof32_0(uint2(((&scale_0)->half_0) & 65535U, ((&scale_0)->half_0) >> 16U)).x);
}
else
{
_S6 = 0.0f;
}
(&scale_0)->factor_0 = _S6;
return scale_0;
}
uint codeOf_0(uint bits_1, float factor_1)
{
uint _S7;
if(factor_1 == 0.0f)
{
_S7 = 0U;
}
else
{
_S7 = uint(int(clamp(rint((as_type<float>((bits_1))) * factor_1), -127.0f, 127.0f))) & 255U;
}
return _S7;
}
[[kernel]] void store_q8_0(uint3 group_0 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], Parameters_0 constant* p_1 [[buffer(3)]], packed_uint2 device* slots_1 [[buffer(2)]], uint device* rows_1 [[buffer(0)]], ushort device* pages_1 [[buffer(1)]])
{
thread KernelContext_0 kernelContext_1;
(&kernelContext_1)->p_0 = p_1;
(&kernelContext_1)->slots_0 = slots_1;
(&kernelContext_1)->rows_0 = rows_1;
(&kernelContext_1)->pages_0 = pages_1;
threadgroup array<array<uint, int(32)>, int(4)> lanes_1;
(&kernelContext_1)->lanes_0 = &lanes_1;
uint row_1 = local_0.y;
uint _S8 = local_0.x;
uint item_0 = group_0.x * 4U + row_1;
uint perToken_0 = 2U * p_1->keyHeads_0;
bool isThere_0 = item_0 < (p_1->tokens_0 * perToken_0);
uint token_0;
if(isThere_0)
{
uint _S9 = item_0 / perToken_0;
token_0 = _S9;
}
else
{
token_0 = 0U;
}
uint part_0 = item_0 % perToken_0;
uint head_0 = part_0 % p_1->keyHeads_0;
bool isValue_0 = part_0 >= (p_1->keyHeads_0);
uint2 _S10 = uint2(*((&kernelContext_1)->slots_0+token_0)) ;
uint _S11 = _S10.y;
bool isOdd_0 = (_S11 & 1U) == 1U;
bool hasNext_0;
if(!isOdd_0)
{
hasNext_0 = (token_0 + 1U) < (p_1->tokens_0);
}
else
{
hasNext_0 = false;
}
if(hasNext_0)
{
hasNext_0 = all((uint2(*((&kernelContext_1)->slots_0+(token_0 + 1U))) ) == uint2(_S10.x, _S11 + 1U));
}
else
{
hasNext_0 = false;
}
bool isSecond_0;
if(isOdd_0)
{
isSecond_0 = token_0 > 0U;
}
else
{
isSecond_0 = false;
}
if(isSecond_0)
{
isSecond_0 = all((uint2(*((&kernelContext_1)->slots_0+(token_0 - 1U))) ) == uint2(_S10.x, _S11 - 1U));
}
else
{
isSecond_0 = false;
}
uint length_0 = ((&kernelContext_1)->p_0->heads_0 + perToken_0) * (&kernelContext_1)->p_0->headLength_0;
uint own_0 = token_0 * length_0 + ((&kernelContext_1)->p_0->heads_0 + part_0) * (&kernelContext_1)->p_0->headLength_0;
if(hasNext_0)
{
token_0 = length_0;
}
else
{
token_0 = 0U;
}
uint _S12 = own_0 + token_0;
uint elements_0 = (&kernelContext_1)->p_0->headLength_0 * 32U;
uint headWords_0 = elements_0 + ((&kernelContext_1)->p_0->headLength_0 + 32U - 1U) / 32U * 64U;
uint _S13 = _S10.x;
if(isValue_0)
{
token_0 = (&kernelContext_1)->p_0->valueStart_0;
}
else
{
token_0 = (&kernelContext_1)->p_0->keyStart_0;
}
uint _S14 = _S13 + token_0 + head_0 * headWords_0;
uint first_0 = 0U;
for(;;)
{
if(first_0 < ((&kernelContext_1)->p_0->headLength_0))
{
}
else
{
break;
}
uint i_1 = first_0 + _S8;
bool isInside_0;
if(isThere_0)
{
isInside_0 = i_1 < ((&kernelContext_1)->p_0->headLength_0);
}
else
{
isInside_0 = false;
}
uint bits_2;
if(isInside_0)
{
bits_2 = (&kernelContext_1)->rows_0[own_0 + i_1];
}
else
{
bits_2 = 0U;
}
uint nextBits_0;
if(isInside_0)
{
nextBits_0 = (&kernelContext_1)->rows_0[_S12 + i_1];
}
else
{
nextBits_0 = 0U;
}
uint _S15 = largest_0(bits_2 & 2147483647U, row_1, _S8, &kernelContext_1);
Scale_0 scale_1 = scaleOf_0(_S15);
uint _S16 = largest_0(nextBits_0 & 2147483647U, row_1, _S8, &kernelContext_1);
Scale_0 nextScale_0 = scaleOf_0(_S16);
uint code_0 = codeOf_0(bits_2, scale_1.factor_0);
(*(&kernelContext_1)->lanes_0)[row_1][_S8] = code_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
bool _S17;
if(isThere_0)
{
_S17 = _S8 == 0U;
}
else
{
_S17 = false;
}
if(_S17)
{
*((&kernelContext_1)->pages_0+(_S14 + elements_0 + first_0 / 32U * 64U + _S11)) = ushort(scale_1.half_0);
}
bool _S18;
if(isInside_0)
{
_S18 = isValue_0;
}
else
{
_S18 = false;
}
bool _S19;
if(_S18)
{
_S19 = (i_1 & 1U) == 0U;
}
else
{
_S19 = false;
}
if(_S19)
{
*((&kernelContext_1)->pages_0+(_S14 + (_S11 * (&kernelContext_1)->p_0->headLength_0 + i_1) / 2U)) = ushort(code_0 | (((*(&kernelContext_1)->lanes_0)[row_1][_S8 + 1U]) << 8U));
}
bool _S20;
if(isInside_0)
{
_S20 = !isValue_0;
}
else
{
_S20 = false;
}
bool _S21;
if(_S20)
{
_S21 = !isSecond_0;
}
else
{
_S21 = false;
}
if(_S21)
{
uint at_0 = _S14 + i_1 * 32U + _S11 / 2U;
uint before_0 = uint(*((&kernelContext_1)->pages_0+at_0));
uint second_0;
if(hasNext_0)
{
second_0 = codeOf_0(nextBits_0, nextScale_0.factor_0);
}
else
{
second_0 = before_0 >> 8U;
}
ushort device* _S22 = (&kernelContext_1)->pages_0+at_0;
if(isOdd_0)
{
token_0 = (before_0 & 255U) | (code_0 << 8U);
}
else
{
token_0 = code_0 | (second_0 << 8U);
}
*_S22 = ushort(token_0);
}
threadgroup_barrier(mem_flags::mem_threadgroup);
first_0 = first_0 + 32U;
}
return;
}
"""#)
}
#endif
