// choose of choice.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let choose = MetalKernelText(
        module: "choice", entry: "choose", sourcesSHA256: "3c17ac95d82d0998830cfe88472071fe8172126b450137822d8134de0a668c71",
        compiler: "slangc 2026.14.1", threads: [32, 1, 1], buffers: [0, 1, 2, 3, 4], constants: 5,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
constant uint fc_SUBGROUP_0 [[function_constant(0)]];
constant uint SUBGROUP_0 = is_function_constant_defined(fc_SUBGROUP_0) ? fc_SUBGROUP_0 : 32U;
struct Parameters_0
{
uint experts_0;
uint used_0;
uint score_0;
uint hasBias_0;
uint hasScales_0;
uint isDivided_0;
float added_0;
float scale_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* logits_0;
float device* bias_0;
uint device* chosen_0;
float device* weights_0;
float device* scales_0;
array<float, int(32)> threadgroup* bestKeys_0;
array<float, int(1024)> threadgroup* values_0;
array<uint, int(1024)> threadgroup* isOpen_0;
uint _S1;
array<array<float, int(32)>, int(4)> threadgroup* partial_0;
array<float, int(1024)> threadgroup* keys_0;
array<uint, int(32)> threadgroup* bestExperts_0;
};
float largest_0(float v_0, uint lane_0, KernelContext_0 thread* kernelContext_0)
{
float _S2 = v_0;
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
(*kernelContext_0->bestKeys_0)[lane_0] = _S2;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S3 = max(_S2, (*kernelContext_0->bestKeys_0)[lane_0 ^ step_0]);
threadgroup_barrier(mem_flags::mem_threadgroup);
uint step_1 = step_0 >> 1U;
_S2 = _S3;
step_0 = step_1;
}
return _S2;
}
float sumOfRow_0(float v_1, uint row_0, uint lane_1, KernelContext_0 thread* kernelContext_1)
{
float _S4;
if(16U < SUBGROUP_0)
{
float _S5 = (simd_shuffle((v_1), ushort((int((kernelContext_1->_S1) ^ 16U)))));
_S4 = v_1 + _S5;
}
else
{
(*kernelContext_1->partial_0)[row_0][lane_1] = v_1;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S6 = v_1 + (*kernelContext_1->partial_0)[row_0][lane_1 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S4 = _S6;
}
if(8U < SUBGROUP_0)
{
float _S7 = (simd_shuffle((_S4), ushort((int((kernelContext_1->_S1) ^ 8U)))));
_S4 = _S4 + _S7;
}
else
{
(*kernelContext_1->partial_0)[row_0][lane_1] = _S4;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S8 = _S4 + (*kernelContext_1->partial_0)[row_0][lane_1 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S4 = _S8;
}
if(4U < SUBGROUP_0)
{
float _S9 = (simd_shuffle((_S4), ushort((int((kernelContext_1->_S1) ^ 4U)))));
_S4 = _S4 + _S9;
}
else
{
(*kernelContext_1->partial_0)[row_0][lane_1] = _S4;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S10 = _S4 + (*kernelContext_1->partial_0)[row_0][lane_1 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S4 = _S10;
}
if(2U < SUBGROUP_0)
{
float _S11 = (simd_shuffle((_S4), ushort((int((kernelContext_1->_S1) ^ 2U)))));
_S4 = _S4 + _S11;
}
else
{
(*kernelContext_1->partial_0)[row_0][lane_1] = _S4;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S12 = _S4 + (*kernelContext_1->partial_0)[row_0][lane_1 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S4 = _S12;
}
if(1U < SUBGROUP_0)
{
float _S13 = (simd_shuffle((_S4), ushort((int((kernelContext_1->_S1) ^ 1U)))));
_S4 = _S4 + _S13;
}
else
{
(*kernelContext_1->partial_0)[row_0][lane_1] = _S4;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S14 = _S4 + (*kernelContext_1->partial_0)[row_0][lane_1 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S4 = _S14;
}
return _S4;
}
[[kernel]] void choose(uint3 group_0 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(5)]], float device* logits_1 [[buffer(0)]], float device* bias_1 [[buffer(1)]], uint device* chosen_1 [[buffer(3)]], float device* weights_1 [[buffer(4)]], float device* scales_1 [[buffer(2)]])
{
float value_0;
float key_0;
uint best_0;
bool _S15;
thread KernelContext_0 kernelContext_2;
(&kernelContext_2)->p_0 = p_1;
(&kernelContext_2)->logits_0 = logits_1;
(&kernelContext_2)->bias_0 = bias_1;
(&kernelContext_2)->chosen_0 = chosen_1;
(&kernelContext_2)->weights_0 = weights_1;
(&kernelContext_2)->scales_0 = scales_1;
threadgroup array<float, int(32)> bestKeys_1;
(&kernelContext_2)->bestKeys_0 = &bestKeys_1;
threadgroup array<float, int(1024)> values_1;
(&kernelContext_2)->values_0 = &values_1;
threadgroup array<uint, int(1024)> isOpen_1;
(&kernelContext_2)->isOpen_0 = &isOpen_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_2)->partial_0 = &partial_1;
threadgroup array<float, int(1024)> keys_1;
(&kernelContext_2)->keys_0 = &keys_1;
threadgroup array<uint, int(32)> bestExperts_1;
(&kernelContext_2)->bestExperts_0 = &bestExperts_1;
(&kernelContext_2)->_S1 = _builtinWaveLaneIndex_0;
uint token_0 = group_0.x;
uint lane_2 = local_0.x;
uint _S16 = token_0 * p_1->experts_0;
uint _S17 = token_0 * p_1->used_0;
float top_0 = -3.4028234663852886e+38f;
uint e_0 = lane_2;
for(;;)
{
if(e_0 < (p_1->experts_0))
{
}
else
{
break;
}
float _S18 = max(top_0, (&kernelContext_2)->logits_0[_S16 + e_0]);
uint e_1 = e_0 + 32U;
top_0 = _S18;
e_0 = e_1;
}
float _S19 = largest_0(top_0, lane_2, &kernelContext_2);
e_0 = lane_2;
float sum_0 = 0.0f;
for(;;)
{
if(e_0 < (p_1->experts_0))
{
}
else
{
break;
}
float logit_0 = (&kernelContext_2)->logits_0[_S16 + e_0];
if(((&kernelContext_2)->p_0->score_0) == 0U)
{
value_0 = 1.0f / (1.0f + exp(- logit_0));
}
else
{
if(((&kernelContext_2)->p_0->score_0) == 1U)
{
top_0 = exp(logit_0 - _S19);
}
else
{
top_0 = logit_0;
}
value_0 = top_0;
}
(*(&kernelContext_2)->values_0)[e_0] = value_0;
(*(&kernelContext_2)->isOpen_0)[e_0] = 1U;
float sum_1 = sum_0 + value_0;
e_0 = e_0 + 32U;
sum_0 = sum_1;
}
float _S20 = sumOfRow_0(sum_0, 0U, lane_2, &kernelContext_2);
e_0 = lane_2;
for(;;)
{
if(e_0 < (p_1->experts_0))
{
}
else
{
break;
}
if(((&kernelContext_2)->p_0->score_0) == 1U)
{
(*(&kernelContext_2)->values_0)[e_0] = (*(&kernelContext_2)->values_0)[e_0] / _S20;
}
float _S21 = (*(&kernelContext_2)->values_0)[e_0];
if(((&kernelContext_2)->p_0->hasBias_0) != 0U)
{
top_0 = (&kernelContext_2)->bias_0[e_0];
}
else
{
top_0 = 0.0f;
}
(*(&kernelContext_2)->keys_0)[e_0] = _S21 + top_0;
e_0 = e_0 + 32U;
}
uint slot_0 = 0U;
for(;;)
{
if(slot_0 < (p_1->used_0))
{
}
else
{
break;
}
uint best_1 = 4294967295U;
value_0 = -3.4028234663852886e+38f;
e_0 = lane_2;
for(;;)
{
if(e_0 < (p_1->experts_0))
{
}
else
{
break;
}
if(((*(&kernelContext_2)->isOpen_0)[e_0]) != 0U)
{
if(best_1 == 4294967295U)
{
_S15 = true;
}
else
{
_S15 = ((*(&kernelContext_2)->keys_0)[e_0]) > value_0;
}
}
else
{
_S15 = false;
}
if(_S15)
{
float _S22 = (*(&kernelContext_2)->keys_0)[e_0];
best_0 = e_0;
key_0 = _S22;
}
else
{
best_0 = best_1;
key_0 = value_0;
}
uint e_2 = e_0 + 32U;
best_1 = best_0;
value_0 = key_0;
e_0 = e_2;
}
key_0 = value_0;
best_0 = best_1;
uint step_2 = 16U;
for(;;)
{
if(step_2 > 0U)
{
}
else
{
break;
}
(*(&kernelContext_2)->bestKeys_0)[lane_2] = key_0;
(*(&kernelContext_2)->bestExperts_0)[lane_2] = best_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint _S23 = lane_2 ^ step_2;
float otherKey_0 = (*(&kernelContext_2)->bestKeys_0)[_S23];
uint other_0 = (*(&kernelContext_2)->bestExperts_0)[_S23];
threadgroup_barrier(mem_flags::mem_threadgroup);
if(((*(&kernelContext_2)->bestExperts_0)[_S23]) != 4294967295U)
{
if(best_0 == 4294967295U)
{
_S15 = true;
}
else
{
_S15 = otherKey_0 > key_0;
}
bool _S24;
if(_S15)
{
_S24 = true;
}
else
{
if(otherKey_0 == key_0)
{
_S24 = other_0 < best_0;
}
else
{
_S24 = false;
}
}
_S15 = _S24;
}
else
{
_S15 = false;
}
if(_S15)
{
key_0 = otherKey_0;
best_0 = other_0;
}
step_2 = step_2 >> 1U;
}
uint _S25 = min(best_0, p_1->experts_0 - 1U);
if(lane_2 == (_S25 % 32U))
{
(*(&kernelContext_2)->isOpen_0)[_S25] = 0U;
}
if(lane_2 == 0U)
{
uint _S26 = _S17 + slot_0;
*((&kernelContext_2)->chosen_0+_S26) = _S25;
*((&kernelContext_2)->weights_0+_S26) = (*(&kernelContext_2)->values_0)[_S25];
}
threadgroup_barrier(mem_flags::mem_threadgroup);
slot_0 = slot_0 + 1U;
}
if(lane_2 != 0U)
{
return;
}
value_0 = -3.4028234663852886e+38f;
slot_0 = 0U;
key_0 = 0.0f;
for(;;)
{
if(slot_0 < (p_1->used_0))
{
}
else
{
break;
}
uint _S27 = _S17 + slot_0;
float _S28 = max(value_0, *((&kernelContext_2)->weights_0+_S27));
float total_0 = key_0 + *((&kernelContext_2)->weights_0+_S27);
uint _S29 = slot_0 + 1U;
value_0 = _S28;
slot_0 = _S29;
key_0 = total_0;
}
if(((&kernelContext_2)->p_0->score_0) == 2U)
{
slot_0 = 0U;
key_0 = 0.0f;
for(;;)
{
if(slot_0 < (p_1->used_0))
{
}
else
{
break;
}
uint _S30 = _S17 + slot_0;
*((&kernelContext_2)->weights_0+_S30) = exp(*((&kernelContext_2)->weights_0+_S30) - value_0);
float total_1 = key_0 + *((&kernelContext_2)->weights_0+_S30);
slot_0 = slot_0 + 1U;
key_0 = total_1;
}
}
slot_0 = 0U;
for(;;)
{
if(slot_0 < (p_1->used_0))
{
}
else
{
break;
}
uint _S31 = _S17 + slot_0;
float weight_0 = *((&kernelContext_2)->weights_0+_S31);
float weight_1;
if(((&kernelContext_2)->p_0->score_0) == 2U)
{
weight_1 = weight_0 / key_0;
}
else
{
if(((&kernelContext_2)->p_0->isDivided_0) != 0U)
{
weight_1 = weight_0 / (key_0 + (&kernelContext_2)->p_0->added_0);
}
else
{
weight_1 = weight_0;
}
}
float device* _S32 = (&kernelContext_2)->weights_0+_S31;
float _S33 = weight_1 * (&kernelContext_2)->p_0->scale_0;
if(((&kernelContext_2)->p_0->hasScales_0) != 0U)
{
top_0 = (&kernelContext_2)->scales_0[*((&kernelContext_2)->chosen_0+_S31)];
}
else
{
top_0 = 1.0f;
}
*_S32 = _S33 * top_0;
slot_0 = slot_0 + 1U;
}
return;
}
"""#)
}
#endif
