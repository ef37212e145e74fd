// mamba of recurrence.slang, sums.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let mamba = MetalKernelText(
        module: "recurrence", entry: "mamba", sourcesSHA256: "842bb7cdeb8c5ee191766f40b0dd3c731be1bca59b5792a2c719d8f7b9cf4889",
        compiler: "slangc 2026.14.1", threads: [32, 4, 1], buffers: [0, 1, 2, 3, 4, 5, 6, 7], constants: 8,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
constant uint fc_SUBGROUP_0 [[function_constant(0)]];
constant uint SUBGROUP_0 = is_function_constant_defined(fc_SUBGROUP_0) ? fc_SUBGROUP_0 : 32U;
float softplus_0(float x_0)
{
float power_0 = exp(- abs(x_0));
float s_0 = power_0 / (2.0f + power_0);
float _S1 = s_0 * s_0;
return max(x_0, 0.0f) + 2.0f * s_0 * fma(fma(fma(fma(fma(fma(fma(0.06666667014360428f, _S1, 0.07692307978868484f), _S1, 0.09090909361839294f), _S1, 0.1111111119389534f), _S1, 0.1428571492433548f), _S1, 0.20000000298023224f), _S1, 0.3333333432674408f), _S1, 1.0f);
}
struct Parameters_0
{
uint keyHeads_0;
uint valueHeads_0;
uint keyLength_0;
uint valueLength_0;
uint stride_0;
uint queryStart_0;
uint keyStart_0;
uint valueStart_0;
uint stateStart_0;
uint keptStart_0;
uint keptStride_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
packed_uint4 device* sequences_0;
float device* heads_0;
float device* states_0;
float device* steps_0;
float device* mixed_0;
float device* outputs_0;
uint device* places_0;
float device* kept_0;
uint _S2;
array<array<float, int(32)>, int(4)> threadgroup* partial_0;
};
float sumOfRow_0(float v_0, uint row_0, uint lane_0, KernelContext_0 thread* kernelContext_0)
{
float _S3;
if(16U < SUBGROUP_0)
{
float _S4 = (simd_shuffle((v_0), ushort((int((kernelContext_0->_S2) ^ 16U)))));
_S3 = v_0 + _S4;
}
else
{
(*kernelContext_0->partial_0)[row_0][lane_0] = v_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S5 = v_0 + (*kernelContext_0->partial_0)[row_0][lane_0 ^ 16U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S3 = _S5;
}
if(8U < SUBGROUP_0)
{
float _S6 = (simd_shuffle((_S3), ushort((int((kernelContext_0->_S2) ^ 8U)))));
_S3 = _S3 + _S6;
}
else
{
(*kernelContext_0->partial_0)[row_0][lane_0] = _S3;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S7 = _S3 + (*kernelContext_0->partial_0)[row_0][lane_0 ^ 8U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S3 = _S7;
}
if(4U < SUBGROUP_0)
{
float _S8 = (simd_shuffle((_S3), ushort((int((kernelContext_0->_S2) ^ 4U)))));
_S3 = _S3 + _S8;
}
else
{
(*kernelContext_0->partial_0)[row_0][lane_0] = _S3;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S9 = _S3 + (*kernelContext_0->partial_0)[row_0][lane_0 ^ 4U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S3 = _S9;
}
if(2U < SUBGROUP_0)
{
float _S10 = (simd_shuffle((_S3), ushort((int((kernelContext_0->_S2) ^ 2U)))));
_S3 = _S3 + _S10;
}
else
{
(*kernelContext_0->partial_0)[row_0][lane_0] = _S3;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S11 = _S3 + (*kernelContext_0->partial_0)[row_0][lane_0 ^ 2U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S3 = _S11;
}
if(1U < SUBGROUP_0)
{
float _S12 = (simd_shuffle((_S3), ushort((int((kernelContext_0->_S2) ^ 1U)))));
_S3 = _S3 + _S12;
}
else
{
(*kernelContext_0->partial_0)[row_0][lane_0] = _S3;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S13 = _S3 + (*kernelContext_0->partial_0)[row_0][lane_0 ^ 1U];
threadgroup_barrier(mem_flags::mem_threadgroup);
_S3 = _S13;
}
return _S3;
}
void recur_0(uint3 group_0, uint3 local_0, bool isCorrected_0, KernelContext_0 thread* kernelContext_1)
{
uint _S14 = local_0.x;
uint _S15 = local_0.y;
uint column_0 = group_0.x * 4U + _S15;
uint _S16 = group_0.y;
uint head_0 = _S16 % kernelContext_1->p_0->valueHeads_0;
bool isThere_0 = column_0 < (kernelContext_1->p_0->valueLength_0);
uint _S17;
if(isCorrected_0)
{
uint _S18 = head_0 % kernelContext_1->p_0->keyHeads_0;
_S17 = _S18;
}
else
{
uint _S19 = kernelContext_1->p_0->valueHeads_0 / kernelContext_1->p_0->keyHeads_0;
uint _S20 = head_0 / _S19;
_S17 = _S20;
}
uint _S21 = _S16 / kernelContext_1->p_0->valueHeads_0;
uint4 _S22 = uint4(*(kernelContext_1->sequences_0+_S21)) ;
uint _S23 = kernelContext_1->p_0->stateStart_0 + head_0 * kernelContext_1->p_0->keyLength_0 * kernelContext_1->p_0->valueLength_0 + column_0;
float _S24 = kernelContext_1->heads_0[head_0];
float _S25 = kernelContext_1->heads_0[kernelContext_1->p_0->valueHeads_0 + head_0];
float _S26 = kernelContext_1->heads_0[2U * kernelContext_1->p_0->valueHeads_0 + head_0];
thread array<float, int(16)> state_0;
state_0[0U] = 0.0f;
bool _S27;
if(isThere_0)
{
_S27 = _S14 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[0U] = *(kernelContext_1->states_0+(_S22.z + _S23 + _S14 * kernelContext_1->p_0->valueLength_0));
}
uint i_0 = 32U + _S14;
state_0[1U] = 0.0f;
if(isThere_0)
{
_S27 = i_0 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[1U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_0 * kernelContext_1->p_0->valueLength_0));
}
uint i_1 = 64U + _S14;
state_0[2U] = 0.0f;
if(isThere_0)
{
_S27 = i_1 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[2U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_1 * kernelContext_1->p_0->valueLength_0));
}
uint i_2 = 96U + _S14;
state_0[3U] = 0.0f;
if(isThere_0)
{
_S27 = i_2 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[3U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_2 * kernelContext_1->p_0->valueLength_0));
}
uint i_3 = 128U + _S14;
state_0[4U] = 0.0f;
if(isThere_0)
{
_S27 = i_3 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[4U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_3 * kernelContext_1->p_0->valueLength_0));
}
uint i_4 = 160U + _S14;
state_0[5U] = 0.0f;
if(isThere_0)
{
_S27 = i_4 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[5U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_4 * kernelContext_1->p_0->valueLength_0));
}
uint i_5 = 192U + _S14;
state_0[6U] = 0.0f;
if(isThere_0)
{
_S27 = i_5 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[6U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_5 * kernelContext_1->p_0->valueLength_0));
}
uint i_6 = 224U + _S14;
state_0[7U] = 0.0f;
if(isThere_0)
{
_S27 = i_6 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[7U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_6 * kernelContext_1->p_0->valueLength_0));
}
uint i_7 = 256U + _S14;
state_0[8U] = 0.0f;
if(isThere_0)
{
_S27 = i_7 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[8U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_7 * kernelContext_1->p_0->valueLength_0));
}
uint i_8 = 288U + _S14;
state_0[9U] = 0.0f;
if(isThere_0)
{
_S27 = i_8 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[9U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_8 * kernelContext_1->p_0->valueLength_0));
}
uint i_9 = 320U + _S14;
state_0[10U] = 0.0f;
if(isThere_0)
{
_S27 = i_9 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[10U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_9 * kernelContext_1->p_0->valueLength_0));
}
uint i_10 = 352U + _S14;
state_0[11U] = 0.0f;
if(isThere_0)
{
_S27 = i_10 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[11U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_10 * kernelContext_1->p_0->valueLength_0));
}
uint i_11 = 384U + _S14;
state_0[12U] = 0.0f;
if(isThere_0)
{
_S27 = i_11 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[12U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_11 * kernelContext_1->p_0->valueLength_0));
}
uint i_12 = 416U + _S14;
state_0[13U] = 0.0f;
if(isThere_0)
{
_S27 = i_12 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[13U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_12 * kernelContext_1->p_0->valueLength_0));
}
uint i_13 = 448U + _S14;
state_0[14U] = 0.0f;
if(isThere_0)
{
_S27 = i_13 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[14U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_13 * kernelContext_1->p_0->valueLength_0));
}
uint i_14 = 480U + _S14;
state_0[15U] = 0.0f;
if(isThere_0)
{
_S27 = i_14 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
if(_S27)
{
_S27 = (_S22.z) != 4294967295U;
}
else
{
_S27 = false;
}
if(_S27)
{
state_0[15U] = *(kernelContext_1->states_0+(_S22.z + _S23 + i_14 * kernelContext_1->p_0->valueLength_0));
}
uint _S28 = _S22.x;
uint t_0 = _S28;
for(;;)
{
if(t_0 < (_S28 + _S22.y))
{
}
else
{
break;
}
uint from_0 = t_0 * kernelContext_1->p_0->stride_0;
int _S29;
if(isCorrected_0)
{
_S29 = int(2);
}
else
{
_S29 = int(1);
}
uint stepAt_0 = t_0 * uint(_S29) * kernelContext_1->p_0->valueHeads_0 + head_0;
uint _S30 = from_0 + kernelContext_1->p_0->keyStart_0 + _S17 * kernelContext_1->p_0->keyLength_0;
uint _S31 = from_0 + kernelContext_1->p_0->queryStart_0 + _S17 * kernelContext_1->p_0->keyLength_0;
float step_0 = softplus_0(kernelContext_1->steps_0[stepAt_0] + _S24);
float _S32 = exp(_S25 * step_0);
state_0[0U] = state_0[0U] * _S32;
if(isCorrected_0)
{
_S27 = _S14 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S27 = false;
}
float seen_0;
if(_S27)
{
seen_0 = fma(state_0[0U], kernelContext_1->mixed_0[_S30 + _S14], 0.0f);
}
else
{
seen_0 = 0.0f;
}
state_0[1U] = state_0[1U] * _S32;
bool _S33;
if(isCorrected_0)
{
_S33 = i_0 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S33 = false;
}
float seen_1;
if(_S33)
{
seen_1 = fma(state_0[1U], kernelContext_1->mixed_0[_S30 + i_0], seen_0);
}
else
{
seen_1 = seen_0;
}
state_0[2U] = state_0[2U] * _S32;
bool _S34;
if(isCorrected_0)
{
_S34 = i_1 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S34 = false;
}
float seen_2;
if(_S34)
{
seen_2 = fma(state_0[2U], kernelContext_1->mixed_0[_S30 + i_1], seen_1);
}
else
{
seen_2 = seen_1;
}
state_0[3U] = state_0[3U] * _S32;
bool _S35;
if(isCorrected_0)
{
_S35 = i_2 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S35 = false;
}
float seen_3;
if(_S35)
{
seen_3 = fma(state_0[3U], kernelContext_1->mixed_0[_S30 + i_2], seen_2);
}
else
{
seen_3 = seen_2;
}
state_0[4U] = state_0[4U] * _S32;
bool _S36;
if(isCorrected_0)
{
_S36 = i_3 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S36 = false;
}
float seen_4;
if(_S36)
{
seen_4 = fma(state_0[4U], kernelContext_1->mixed_0[_S30 + i_3], seen_3);
}
else
{
seen_4 = seen_3;
}
state_0[5U] = state_0[5U] * _S32;
bool _S37;
if(isCorrected_0)
{
_S37 = i_4 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S37 = false;
}
float seen_5;
if(_S37)
{
seen_5 = fma(state_0[5U], kernelContext_1->mixed_0[_S30 + i_4], seen_4);
}
else
{
seen_5 = seen_4;
}
state_0[6U] = state_0[6U] * _S32;
bool _S38;
if(isCorrected_0)
{
_S38 = i_5 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S38 = false;
}
float seen_6;
if(_S38)
{
seen_6 = fma(state_0[6U], kernelContext_1->mixed_0[_S30 + i_5], seen_5);
}
else
{
seen_6 = seen_5;
}
state_0[7U] = state_0[7U] * _S32;
bool _S39;
if(isCorrected_0)
{
_S39 = i_6 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S39 = false;
}
float seen_7;
if(_S39)
{
seen_7 = fma(state_0[7U], kernelContext_1->mixed_0[_S30 + i_6], seen_6);
}
else
{
seen_7 = seen_6;
}
state_0[8U] = state_0[8U] * _S32;
bool _S40;
if(isCorrected_0)
{
_S40 = i_7 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S40 = false;
}
float seen_8;
if(_S40)
{
seen_8 = fma(state_0[8U], kernelContext_1->mixed_0[_S30 + i_7], seen_7);
}
else
{
seen_8 = seen_7;
}
state_0[9U] = state_0[9U] * _S32;
bool _S41;
if(isCorrected_0)
{
_S41 = i_8 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S41 = false;
}
float seen_9;
if(_S41)
{
seen_9 = fma(state_0[9U], kernelContext_1->mixed_0[_S30 + i_8], seen_8);
}
else
{
seen_9 = seen_8;
}
state_0[10U] = state_0[10U] * _S32;
bool _S42;
if(isCorrected_0)
{
_S42 = i_9 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S42 = false;
}
float seen_10;
if(_S42)
{
seen_10 = fma(state_0[10U], kernelContext_1->mixed_0[_S30 + i_9], seen_9);
}
else
{
seen_10 = seen_9;
}
state_0[11U] = state_0[11U] * _S32;
bool _S43;
if(isCorrected_0)
{
_S43 = i_10 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S43 = false;
}
float seen_11;
if(_S43)
{
seen_11 = fma(state_0[11U], kernelContext_1->mixed_0[_S30 + i_10], seen_10);
}
else
{
seen_11 = seen_10;
}
state_0[12U] = state_0[12U] * _S32;
bool _S44;
if(isCorrected_0)
{
_S44 = i_11 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S44 = false;
}
float seen_12;
if(_S44)
{
seen_12 = fma(state_0[12U], kernelContext_1->mixed_0[_S30 + i_11], seen_11);
}
else
{
seen_12 = seen_11;
}
state_0[13U] = state_0[13U] * _S32;
bool _S45;
if(isCorrected_0)
{
_S45 = i_12 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S45 = false;
}
float seen_13;
if(_S45)
{
seen_13 = fma(state_0[13U], kernelContext_1->mixed_0[_S30 + i_12], seen_12);
}
else
{
seen_13 = seen_12;
}
state_0[14U] = state_0[14U] * _S32;
bool _S46;
if(isCorrected_0)
{
_S46 = i_13 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S46 = false;
}
float seen_14;
if(_S46)
{
seen_14 = fma(state_0[14U], kernelContext_1->mixed_0[_S30 + i_13], seen_13);
}
else
{
seen_14 = seen_13;
}
state_0[15U] = state_0[15U] * _S32;
bool _S47;
if(isCorrected_0)
{
_S47 = i_14 < (kernelContext_1->p_0->keyLength_0);
}
else
{
_S47 = false;
}
float seen_15;
if(_S47)
{
seen_15 = fma(state_0[15U], kernelContext_1->mixed_0[_S30 + i_14], seen_14);
}
else
{
seen_15 = seen_14;
}
float seen_16;
if(isCorrected_0)
{
float _S48 = sumOfRow_0(seen_15, _S15, _S14, kernelContext_1);
seen_16 = _S48;
}
else
{
seen_16 = seen_15;
}
float value_0;
if(isThere_0)
{
value_0 = kernelContext_1->mixed_0[from_0 + kernelContext_1->p_0->valueStart_0 + head_0 * kernelContext_1->p_0->valueLength_0 + column_0];
}
else
{
value_0 = 0.0f;
}
float _S49;
if(isCorrected_0)
{
_S49 = (value_0 - seen_16) / (1.0f + exp(- kernelContext_1->steps_0[stepAt_0 + kernelContext_1->p_0->valueHeads_0]));
}
else
{
_S49 = step_0 * value_0;
}
float read_0;
if(_S14 < (kernelContext_1->p_0->keyLength_0))
{
float _S50 = fma(kernelContext_1->mixed_0[_S30 + _S14], _S49, state_0[0U]);
state_0[0U] = _S50;
read_0 = fma(_S50, kernelContext_1->mixed_0[_S31 + _S14], 0.0f);
}
else
{
read_0 = 0.0f;
}
float read_1;
if(i_0 < (kernelContext_1->p_0->keyLength_0))
{
float _S51 = fma(kernelContext_1->mixed_0[_S30 + i_0], _S49, state_0[1U]);
state_0[1U] = _S51;
read_1 = fma(_S51, kernelContext_1->mixed_0[_S31 + i_0], read_0);
}
else
{
read_1 = read_0;
}
float read_2;
if(i_1 < (kernelContext_1->p_0->keyLength_0))
{
float _S52 = fma(kernelContext_1->mixed_0[_S30 + i_1], _S49, state_0[2U]);
state_0[2U] = _S52;
read_2 = fma(_S52, kernelContext_1->mixed_0[_S31 + i_1], read_1);
}
else
{
read_2 = read_1;
}
float read_3;
if(i_2 < (kernelContext_1->p_0->keyLength_0))
{
float _S53 = fma(kernelContext_1->mixed_0[_S30 + i_2], _S49, state_0[3U]);
state_0[3U] = _S53;
read_3 = fma(_S53, kernelContext_1->mixed_0[_S31 + i_2], read_2);
}
else
{
read_3 = read_2;
}
float read_4;
if(i_3 < (kernelContext_1->p_0->keyLength_0))
{
float _S54 = fma(kernelContext_1->mixed_0[_S30 + i_3], _S49, state_0[4U]);
state_0[4U] = _S54;
read_4 = fma(_S54, kernelContext_1->mixed_0[_S31 + i_3], read_3);
}
else
{
read_4 = read_3;
}
float read_5;
if(i_4 < (kernelContext_1->p_0->keyLength_0))
{
float _S55 = fma(kernelContext_1->mixed_0[_S30 + i_4], _S49, state_0[5U]);
state_0[5U] = _S55;
read_5 = fma(_S55, kernelContext_1->mixed_0[_S31 + i_4], read_4);
}
else
{
read_5 = read_4;
}
float read_6;
if(i_5 < (kernelContext_1->p_0->keyLength_0))
{
float _S56 = fma(kernelContext_1->mixed_0[_S30 + i_5], _S49, state_0[6U]);
state_0[6U] = _S56;
read_6 = fma(_S56, kernelContext_1->mixed_0[_S31 + i_5], read_5);
}
else
{
read_6 = read_5;
}
float read_7;
if(i_6 < (kernelContext_1->p_0->keyLength_0))
{
float _S57 = fma(kernelContext_1->mixed_0[_S30 + i_6], _S49, state_0[7U]);
state_0[7U] = _S57;
read_7 = fma(_S57, kernelContext_1->mixed_0[_S31 + i_6], read_6);
}
else
{
read_7 = read_6;
}
float read_8;
if(i_7 < (kernelContext_1->p_0->keyLength_0))
{
float _S58 = fma(kernelContext_1->mixed_0[_S30 + i_7], _S49, state_0[8U]);
state_0[8U] = _S58;
read_8 = fma(_S58, kernelContext_1->mixed_0[_S31 + i_7], read_7);
}
else
{
read_8 = read_7;
}
float read_9;
if(i_8 < (kernelContext_1->p_0->keyLength_0))
{
float _S59 = fma(kernelContext_1->mixed_0[_S30 + i_8], _S49, state_0[9U]);
state_0[9U] = _S59;
read_9 = fma(_S59, kernelContext_1->mixed_0[_S31 + i_8], read_8);
}
else
{
read_9 = read_8;
}
float read_10;
if(i_9 < (kernelContext_1->p_0->keyLength_0))
{
float _S60 = fma(kernelContext_1->mixed_0[_S30 + i_9], _S49, state_0[10U]);
state_0[10U] = _S60;
read_10 = fma(_S60, kernelContext_1->mixed_0[_S31 + i_9], read_9);
}
else
{
read_10 = read_9;
}
float read_11;
if(i_10 < (kernelContext_1->p_0->keyLength_0))
{
float _S61 = fma(kernelContext_1->mixed_0[_S30 + i_10], _S49, state_0[11U]);
state_0[11U] = _S61;
read_11 = fma(_S61, kernelContext_1->mixed_0[_S31 + i_10], read_10);
}
else
{
read_11 = read_10;
}
float read_12;
if(i_11 < (kernelContext_1->p_0->keyLength_0))
{
float _S62 = fma(kernelContext_1->mixed_0[_S30 + i_11], _S49, state_0[12U]);
state_0[12U] = _S62;
read_12 = fma(_S62, kernelContext_1->mixed_0[_S31 + i_11], read_11);
}
else
{
read_12 = read_11;
}
float read_13;
if(i_12 < (kernelContext_1->p_0->keyLength_0))
{
float _S63 = fma(kernelContext_1->mixed_0[_S30 + i_12], _S49, state_0[13U]);
state_0[13U] = _S63;
read_13 = fma(_S63, kernelContext_1->mixed_0[_S31 + i_12], read_12);
}
else
{
read_13 = read_12;
}
float read_14;
if(i_13 < (kernelContext_1->p_0->keyLength_0))
{
float _S64 = fma(kernelContext_1->mixed_0[_S30 + i_13], _S49, state_0[14U]);
state_0[14U] = _S64;
read_14 = fma(_S64, kernelContext_1->mixed_0[_S31 + i_13], read_13);
}
else
{
read_14 = read_13;
}
float read_15;
if(i_14 < (kernelContext_1->p_0->keyLength_0))
{
float _S65 = fma(kernelContext_1->mixed_0[_S30 + i_14], _S49, state_0[15U]);
state_0[15U] = _S65;
read_15 = fma(_S65, kernelContext_1->mixed_0[_S31 + i_14], read_14);
}
else
{
read_15 = read_14;
}
float _S66 = sumOfRow_0(read_15, _S15, _S14, kernelContext_1);
bool _S67;
if(_S14 == 0U)
{
_S67 = isThere_0;
}
else
{
_S67 = false;
}
if(_S67)
{
*(kernelContext_1->outputs_0+((t_0 * kernelContext_1->p_0->valueHeads_0 + head_0) * kernelContext_1->p_0->valueLength_0 + column_0)) = fma(_S26, value_0, _S66);
}
bool _S68;
if(kernelContext_1->places_0[t_0] != 4294967295U)
{
_S68 = isThere_0;
}
else
{
_S68 = false;
}
if(_S68)
{
uint _S69 = kernelContext_1->places_0[t_0] * kernelContext_1->p_0->keptStride_0 + kernelContext_1->p_0->keptStart_0 + head_0 * kernelContext_1->p_0->keyLength_0 * kernelContext_1->p_0->valueLength_0 + column_0;
if(_S14 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + _S14 * kernelContext_1->p_0->valueLength_0)) = state_0[0U];
}
if(i_0 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_0 * kernelContext_1->p_0->valueLength_0)) = state_0[1U];
}
if(i_1 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_1 * kernelContext_1->p_0->valueLength_0)) = state_0[2U];
}
if(i_2 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_2 * kernelContext_1->p_0->valueLength_0)) = state_0[3U];
}
if(i_3 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_3 * kernelContext_1->p_0->valueLength_0)) = state_0[4U];
}
if(i_4 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_4 * kernelContext_1->p_0->valueLength_0)) = state_0[5U];
}
if(i_5 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_5 * kernelContext_1->p_0->valueLength_0)) = state_0[6U];
}
if(i_6 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_6 * kernelContext_1->p_0->valueLength_0)) = state_0[7U];
}
if(i_7 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_7 * kernelContext_1->p_0->valueLength_0)) = state_0[8U];
}
if(i_8 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_8 * kernelContext_1->p_0->valueLength_0)) = state_0[9U];
}
if(i_9 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_9 * kernelContext_1->p_0->valueLength_0)) = state_0[10U];
}
if(i_10 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_10 * kernelContext_1->p_0->valueLength_0)) = state_0[11U];
}
if(i_11 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_11 * kernelContext_1->p_0->valueLength_0)) = state_0[12U];
}
if(i_12 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_12 * kernelContext_1->p_0->valueLength_0)) = state_0[13U];
}
if(i_13 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_13 * kernelContext_1->p_0->valueLength_0)) = state_0[14U];
}
if(i_14 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->kept_0+(_S69 + i_14 * kernelContext_1->p_0->valueLength_0)) = state_0[15U];
}
}
t_0 = t_0 + 1U;
}
if(!isThere_0)
{
return;
}
if(_S14 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + _S14 * kernelContext_1->p_0->valueLength_0)) = state_0[0U];
}
if(i_0 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_0 * kernelContext_1->p_0->valueLength_0)) = state_0[1U];
}
if(i_1 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_1 * kernelContext_1->p_0->valueLength_0)) = state_0[2U];
}
if(i_2 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_2 * kernelContext_1->p_0->valueLength_0)) = state_0[3U];
}
if(i_3 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_3 * kernelContext_1->p_0->valueLength_0)) = state_0[4U];
}
if(i_4 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_4 * kernelContext_1->p_0->valueLength_0)) = state_0[5U];
}
if(i_5 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_5 * kernelContext_1->p_0->valueLength_0)) = state_0[6U];
}
if(i_6 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_6 * kernelContext_1->p_0->valueLength_0)) = state_0[7U];
}
if(i_7 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_7 * kernelContext_1->p_0->valueLength_0)) = state_0[8U];
}
if(i_8 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_8 * kernelContext_1->p_0->valueLength_0)) = state_0[9U];
}
if(i_9 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_9 * kernelContext_1->p_0->valueLength_0)) = state_0[10U];
}
if(i_10 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_10 * kernelContext_1->p_0->valueLength_0)) = state_0[11U];
}
if(i_11 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_11 * kernelContext_1->p_0->valueLength_0)) = state_0[12U];
}
if(i_12 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_12 * kernelContext_1->p_0->valueLength_0)) = state_0[13U];
}
if(i_13 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_13 * kernelContext_1->p_0->valueLength_0)) = state_0[14U];
}
if(i_14 < (kernelContext_1->p_0->keyLength_0))
{
*(kernelContext_1->states_0+(_S22.w + _S23 + i_14 * kernelContext_1->p_0->valueLength_0)) = state_0[15U];
}
return;
}
[[kernel]] void mamba(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_1 [[thread_position_in_threadgroup]], uint _builtinWaveLaneIndex_0 [[thread_index_in_simdgroup]], Parameters_0 constant* p_1 [[buffer(8)]], packed_uint4 device* sequences_1 [[buffer(5)]], float device* heads_1 [[buffer(2)]], float device* states_1 [[buffer(3)]], float device* steps_1 [[buffer(1)]], float device* mixed_1 [[buffer(0)]], float device* outputs_1 [[buffer(7)]], uint device* places_1 [[buffer(6)]], float device* kept_1 [[buffer(4)]])
{
thread KernelContext_0 kernelContext_2;
(&kernelContext_2)->p_0 = p_1;
(&kernelContext_2)->sequences_0 = sequences_1;
(&kernelContext_2)->heads_0 = heads_1;
(&kernelContext_2)->states_0 = states_1;
(&kernelContext_2)->steps_0 = steps_1;
(&kernelContext_2)->mixed_0 = mixed_1;
(&kernelContext_2)->outputs_0 = outputs_1;
(&kernelContext_2)->places_0 = places_1;
(&kernelContext_2)->kept_0 = kept_1;
threadgroup array<array<float, int(32)>, int(4)> partial_1;
(&kernelContext_2)->partial_0 = &partial_1;
(&kernelContext_2)->_S2 = _builtinWaveLaneIndex_0;
recur_0(group_1, local_1, false, &kernelContext_2);
return;
}
"""#)
}
#endif
