// attention_page_q8_0 of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_page_q8_0 = MetalKernelText(
        module: "attention", entry: "attention_page_q8_0", sourcesSHA256: "1ce66d3ac72a760fb48d33c913977f599a98bd935ff58168da9b2fb94c8722e1",
        compiler: "slangc 2026.14.1", threads: [64, 1, 1], buffers: [0, 1, 2, 3, 4, 5, nil], constants: 7,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct Gathered_0
{
array<float, int(1)> top_0;
array<float, int(1)> total_0;
array<float, int(8)> sums_0;
};
struct Parameters_0
{
uint heads_0;
uint keyHeads_0;
uint headLength_0;
float scale_0;
float softcap_0;
uint hasSinks_0;
uint queryStride_0;
uint queryStep_0;
uint keyStart_0;
uint valueStart_0;
uint pageCount_0;
};
struct KernelContext_0
{
uint device* pages_0;
Parameters_0 constant* p_0;
ushort device* keys_0;
ushort device* values_0;
packed_uint4 device* tokens_0;
float device* queries_0;
float device* outputs_0;
array<float, int(512)> threadgroup* query_0;
array<float, int(128)> threadgroup* lanes_0;
array<float, int(256)> threadgroup* weights_0;
};
uint Code_headWords_0(KernelContext_0 thread* kernelContext_0)
{
return kernelContext_0->p_0->headLength_0 * 32U + (kernelContext_0->p_0->headLength_0 + 31U) / 32U * 64U;
}
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
float half16_0(ushort device* from_0, uint at_0)
{
uint _S1 = uint(from_0[at_0]);
return f16tof32_0(uint2(_S1 & 65535U, _S1 >> 16U)).x;
}
float Code_read_0(ushort device* from_1, uint head_0, uint index_0, uint i_1, uint k_0, KernelContext_0 thread* kernelContext_1)
{
return float(int(uint(from_1[head_0 + (index_0 >> 1U)]) << (24U - 8U * (index_0 & 1U))) >> 24U) * half16_0(from_1, head_0 + kernelContext_1->p_0->headLength_0 * 32U + (i_1 >> 5U) * 64U + k_0);
}
float capped_0(float score_0, KernelContext_0 thread* kernelContext_2)
{
float _S2;
if((kernelContext_2->p_0->softcap_0) > 0.0f)
{
_S2 = kernelContext_2->p_0->softcap_0 * (1.0f - 2.0f / (exp(2.0f * score_0 / kernelContext_2->p_0->softcap_0) + 1.0f));
}
else
{
_S2 = score_0;
}
return _S2;
}
float largest_0(float v_0, uint lane_0, KernelContext_0 thread* kernelContext_3)
{
uint half_0 = 0U;
float _S3 = v_0;
uint step_0 = 32U;
for(;;)
{
if(step_0 > 0U)
{
}
else
{
break;
}
(*kernelContext_3->lanes_0)[half_0 + lane_0] = _S3;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S4 = max(_S3, (*kernelContext_3->lanes_0)[half_0 + (lane_0 ^ step_0)]);
uint _S5 = 64U - half_0;
uint step_1 = step_0 >> 1U;
half_0 = _S5;
_S3 = _S4;
step_0 = step_1;
}
return _S3;
}
Gathered_0 gather_0(uint page_0, uint4 seen_0, uint head_1, uint lane_1, KernelContext_0 thread* kernelContext_4)
{
uint _S6 = kernelContext_4->pages_0[seen_0.x + page_0];
uint _S7 = kernelContext_4->p_0->heads_0 / kernelContext_4->p_0->keyHeads_0;
uint _S8 = head_1 / _S7;
uint _S9 = Code_headWords_0(kernelContext_4);
uint _S10 = _S6 + _S8 * _S9;
uint _S11 = page_0 * 64U;
uint position_0 = _S11 + lane_1;
uint _S12 = seen_0.y;
bool sees_0;
if(position_0 >= _S12)
{
sees_0 = position_0 < (seen_0.z);
}
else
{
sees_0 = false;
}
thread Gathered_0 found_0;
thread array<float, int(1)> scores_0;
float _S13;
if(sees_0)
{
_S13 = 0.0f;
}
else
{
_S13 = -3.4028234663852886e+38f;
}
scores_0[0U] = _S13;
uint k_1;
if(sees_0)
{
k_1 = 0U;
for(;;)
{
uint _S14 = k_1 + 16U;
if(_S14 <= (kernelContext_4->p_0->headLength_0))
{
}
else
{
break;
}
thread array<float, int(16)> key_0;
float _S15 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, k_1 * 64U + lane_1, k_1, lane_1, kernelContext_4);
key_0[0U] = _S15;
uint _S16 = k_1 + 1U;
float _S17 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S16 * 64U + lane_1, _S16, lane_1, kernelContext_4);
key_0[1U] = _S17;
uint _S18 = k_1 + 2U;
float _S19 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S18 * 64U + lane_1, _S18, lane_1, kernelContext_4);
key_0[2U] = _S19;
uint _S20 = k_1 + 3U;
float _S21 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S20 * 64U + lane_1, _S20, lane_1, kernelContext_4);
key_0[3U] = _S21;
uint _S22 = k_1 + 4U;
float _S23 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S22 * 64U + lane_1, _S22, lane_1, kernelContext_4);
key_0[4U] = _S23;
uint _S24 = k_1 + 5U;
float _S25 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S24 * 64U + lane_1, _S24, lane_1, kernelContext_4);
key_0[5U] = _S25;
uint _S26 = k_1 + 6U;
float _S27 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S26 * 64U + lane_1, _S26, lane_1, kernelContext_4);
key_0[6U] = _S27;
uint _S28 = k_1 + 7U;
float _S29 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S28 * 64U + lane_1, _S28, lane_1, kernelContext_4);
key_0[7U] = _S29;
uint _S30 = k_1 + 8U;
float _S31 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S30 * 64U + lane_1, _S30, lane_1, kernelContext_4);
key_0[8U] = _S31;
uint _S32 = k_1 + 9U;
float _S33 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S32 * 64U + lane_1, _S32, lane_1, kernelContext_4);
key_0[9U] = _S33;
uint _S34 = k_1 + 10U;
float _S35 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S34 * 64U + lane_1, _S34, lane_1, kernelContext_4);
key_0[10U] = _S35;
uint _S36 = k_1 + 11U;
float _S37 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S36 * 64U + lane_1, _S36, lane_1, kernelContext_4);
key_0[11U] = _S37;
uint _S38 = k_1 + 12U;
float _S39 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S38 * 64U + lane_1, _S38, lane_1, kernelContext_4);
key_0[12U] = _S39;
uint _S40 = k_1 + 13U;
float _S41 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S40 * 64U + lane_1, _S40, lane_1, kernelContext_4);
key_0[13U] = _S41;
uint _S42 = k_1 + 14U;
float _S43 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S42 * 64U + lane_1, _S42, lane_1, kernelContext_4);
key_0[14U] = _S43;
uint _S44 = k_1 + 15U;
float _S45 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, _S44 * 64U + lane_1, _S44, lane_1, kernelContext_4);
key_0[15U] = _S45;
float _S46 = fma((*kernelContext_4->query_0)[k_1], key_0[0U], scores_0[0U]);
scores_0[0U] = _S46;
float _S47 = fma((*kernelContext_4->query_0)[_S16], key_0[1U], _S46);
scores_0[0U] = _S47;
float _S48 = fma((*kernelContext_4->query_0)[_S18], key_0[2U], _S47);
scores_0[0U] = _S48;
float _S49 = fma((*kernelContext_4->query_0)[_S20], key_0[3U], _S48);
scores_0[0U] = _S49;
float _S50 = fma((*kernelContext_4->query_0)[_S22], key_0[4U], _S49);
scores_0[0U] = _S50;
float _S51 = fma((*kernelContext_4->query_0)[_S24], key_0[5U], _S50);
scores_0[0U] = _S51;
float _S52 = fma((*kernelContext_4->query_0)[_S26], key_0[6U], _S51);
scores_0[0U] = _S52;
float _S53 = fma((*kernelContext_4->query_0)[_S28], key_0[7U], _S52);
scores_0[0U] = _S53;
float _S54 = fma((*kernelContext_4->query_0)[_S30], key_0[8U], _S53);
scores_0[0U] = _S54;
float _S55 = fma((*kernelContext_4->query_0)[_S32], key_0[9U], _S54);
scores_0[0U] = _S55;
float _S56 = fma((*kernelContext_4->query_0)[_S34], key_0[10U], _S55);
scores_0[0U] = _S56;
float _S57 = fma((*kernelContext_4->query_0)[_S36], key_0[11U], _S56);
scores_0[0U] = _S57;
float _S58 = fma((*kernelContext_4->query_0)[_S38], key_0[12U], _S57);
scores_0[0U] = _S58;
float _S59 = fma((*kernelContext_4->query_0)[_S40], key_0[13U], _S58);
scores_0[0U] = _S59;
float _S60 = fma((*kernelContext_4->query_0)[_S42], key_0[14U], _S59);
scores_0[0U] = _S60;
scores_0[0U] = fma((*kernelContext_4->query_0)[_S44], _S45, _S60);
k_1 = _S14;
}
for(;;)
{
if(k_1 < (kernelContext_4->p_0->headLength_0))
{
}
else
{
break;
}
float _S61 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S10, k_1 * 64U + lane_1, k_1, lane_1, kernelContext_4);
scores_0[0U] = fma((*kernelContext_4->query_0)[k_1], _S61, scores_0[0U]);
k_1 = k_1 + 1U;
}
float _S62 = capped_0(scores_0[0U], kernelContext_4);
scores_0[0U] = _S62;
}
float _S63 = largest_0(scores_0[0U], lane_1, kernelContext_4);
(&found_0)->top_0[0U] = _S63;
if(sees_0)
{
_S13 = exp(scores_0[0U] - (&found_0)->top_0[0U]);
}
else
{
_S13 = 0.0f;
}
(*kernelContext_4->weights_0)[lane_1] = _S13;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint first_0 = max(_S12, _S11) - _S11;
uint _S64 = min(seen_0.z - _S11, 64U);
(&found_0)->total_0[0U] = 0.0f;
(&found_0)->sums_0[0U] = 0.0f;
(&found_0)->sums_0[1U] = 0.0f;
(&found_0)->sums_0[2U] = 0.0f;
(&found_0)->sums_0[3U] = 0.0f;
(&found_0)->sums_0[4U] = 0.0f;
(&found_0)->sums_0[5U] = 0.0f;
(&found_0)->sums_0[6U] = 0.0f;
(&found_0)->sums_0[7U] = 0.0f;
k_1 = first_0;
for(;;)
{
if(k_1 < _S64)
{
}
else
{
break;
}
(&found_0)->total_0[0U] = (&found_0)->total_0[0U] + (*kernelContext_4->weights_0)[k_1];
k_1 = k_1 + 1U;
}
k_1 = first_0;
for(;;)
{
uint _S65 = k_1 + 8U;
if(_S65 <= _S64)
{
}
else
{
break;
}
thread array<float, int(64)> value_1;
if(0U < (kernelContext_4->p_0->headLength_0))
{
uint _S66 = min(lane_1, kernelContext_4->p_0->headLength_0 - 1U);
float _S67 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S66, _S66, k_1, kernelContext_4);
value_1[0U] = _S67;
uint _S68 = k_1 + 1U;
float _S69 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S68 * kernelContext_4->p_0->headLength_0 + _S66, _S66, _S68, kernelContext_4);
value_1[1U] = _S69;
uint _S70 = k_1 + 2U;
float _S71 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S70 * kernelContext_4->p_0->headLength_0 + _S66, _S66, _S70, kernelContext_4);
value_1[2U] = _S71;
uint _S72 = k_1 + 3U;
float _S73 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S72 * kernelContext_4->p_0->headLength_0 + _S66, _S66, _S72, kernelContext_4);
value_1[3U] = _S73;
uint _S74 = k_1 + 4U;
float _S75 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S74 * kernelContext_4->p_0->headLength_0 + _S66, _S66, _S74, kernelContext_4);
value_1[4U] = _S75;
uint _S76 = k_1 + 5U;
float _S77 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S76 * kernelContext_4->p_0->headLength_0 + _S66, _S66, _S76, kernelContext_4);
value_1[5U] = _S77;
uint _S78 = k_1 + 6U;
float _S79 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S78 * kernelContext_4->p_0->headLength_0 + _S66, _S66, _S78, kernelContext_4);
value_1[6U] = _S79;
uint _S80 = k_1 + 7U;
float _S81 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S80 * kernelContext_4->p_0->headLength_0 + _S66, _S66, _S80, kernelContext_4);
value_1[7U] = _S81;
}
if(64U < (kernelContext_4->p_0->headLength_0))
{
uint _S82 = min(lane_1 + 64U, kernelContext_4->p_0->headLength_0 - 1U);
float _S83 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S82, _S82, k_1, kernelContext_4);
value_1[8U] = _S83;
uint _S84 = k_1 + 1U;
float _S85 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S84 * kernelContext_4->p_0->headLength_0 + _S82, _S82, _S84, kernelContext_4);
value_1[9U] = _S85;
uint _S86 = k_1 + 2U;
float _S87 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S86 * kernelContext_4->p_0->headLength_0 + _S82, _S82, _S86, kernelContext_4);
value_1[10U] = _S87;
uint _S88 = k_1 + 3U;
float _S89 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S88 * kernelContext_4->p_0->headLength_0 + _S82, _S82, _S88, kernelContext_4);
value_1[11U] = _S89;
uint _S90 = k_1 + 4U;
float _S91 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S90 * kernelContext_4->p_0->headLength_0 + _S82, _S82, _S90, kernelContext_4);
value_1[12U] = _S91;
uint _S92 = k_1 + 5U;
float _S93 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S92 * kernelContext_4->p_0->headLength_0 + _S82, _S82, _S92, kernelContext_4);
value_1[13U] = _S93;
uint _S94 = k_1 + 6U;
float _S95 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S94 * kernelContext_4->p_0->headLength_0 + _S82, _S82, _S94, kernelContext_4);
value_1[14U] = _S95;
uint _S96 = k_1 + 7U;
float _S97 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S96 * kernelContext_4->p_0->headLength_0 + _S82, _S82, _S96, kernelContext_4);
value_1[15U] = _S97;
}
if(128U < (kernelContext_4->p_0->headLength_0))
{
uint _S98 = min(lane_1 + 128U, kernelContext_4->p_0->headLength_0 - 1U);
float _S99 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S98, _S98, k_1, kernelContext_4);
value_1[16U] = _S99;
uint _S100 = k_1 + 1U;
float _S101 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S100 * kernelContext_4->p_0->headLength_0 + _S98, _S98, _S100, kernelContext_4);
value_1[17U] = _S101;
uint _S102 = k_1 + 2U;
float _S103 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S102 * kernelContext_4->p_0->headLength_0 + _S98, _S98, _S102, kernelContext_4);
value_1[18U] = _S103;
uint _S104 = k_1 + 3U;
float _S105 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S104 * kernelContext_4->p_0->headLength_0 + _S98, _S98, _S104, kernelContext_4);
value_1[19U] = _S105;
uint _S106 = k_1 + 4U;
float _S107 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S106 * kernelContext_4->p_0->headLength_0 + _S98, _S98, _S106, kernelContext_4);
value_1[20U] = _S107;
uint _S108 = k_1 + 5U;
float _S109 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S108 * kernelContext_4->p_0->headLength_0 + _S98, _S98, _S108, kernelContext_4);
value_1[21U] = _S109;
uint _S110 = k_1 + 6U;
float _S111 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S110 * kernelContext_4->p_0->headLength_0 + _S98, _S98, _S110, kernelContext_4);
value_1[22U] = _S111;
uint _S112 = k_1 + 7U;
float _S113 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S112 * kernelContext_4->p_0->headLength_0 + _S98, _S98, _S112, kernelContext_4);
value_1[23U] = _S113;
}
if(192U < (kernelContext_4->p_0->headLength_0))
{
uint _S114 = min(lane_1 + 192U, kernelContext_4->p_0->headLength_0 - 1U);
float _S115 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S114, _S114, k_1, kernelContext_4);
value_1[24U] = _S115;
uint _S116 = k_1 + 1U;
float _S117 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S116 * kernelContext_4->p_0->headLength_0 + _S114, _S114, _S116, kernelContext_4);
value_1[25U] = _S117;
uint _S118 = k_1 + 2U;
float _S119 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S118 * kernelContext_4->p_0->headLength_0 + _S114, _S114, _S118, kernelContext_4);
value_1[26U] = _S119;
uint _S120 = k_1 + 3U;
float _S121 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S120 * kernelContext_4->p_0->headLength_0 + _S114, _S114, _S120, kernelContext_4);
value_1[27U] = _S121;
uint _S122 = k_1 + 4U;
float _S123 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S122 * kernelContext_4->p_0->headLength_0 + _S114, _S114, _S122, kernelContext_4);
value_1[28U] = _S123;
uint _S124 = k_1 + 5U;
float _S125 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S124 * kernelContext_4->p_0->headLength_0 + _S114, _S114, _S124, kernelContext_4);
value_1[29U] = _S125;
uint _S126 = k_1 + 6U;
float _S127 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S126 * kernelContext_4->p_0->headLength_0 + _S114, _S114, _S126, kernelContext_4);
value_1[30U] = _S127;
uint _S128 = k_1 + 7U;
float _S129 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S128 * kernelContext_4->p_0->headLength_0 + _S114, _S114, _S128, kernelContext_4);
value_1[31U] = _S129;
}
if(256U < (kernelContext_4->p_0->headLength_0))
{
uint _S130 = min(lane_1 + 256U, kernelContext_4->p_0->headLength_0 - 1U);
float _S131 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S130, _S130, k_1, kernelContext_4);
value_1[32U] = _S131;
uint _S132 = k_1 + 1U;
float _S133 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S132 * kernelContext_4->p_0->headLength_0 + _S130, _S130, _S132, kernelContext_4);
value_1[33U] = _S133;
uint _S134 = k_1 + 2U;
float _S135 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S134 * kernelContext_4->p_0->headLength_0 + _S130, _S130, _S134, kernelContext_4);
value_1[34U] = _S135;
uint _S136 = k_1 + 3U;
float _S137 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S136 * kernelContext_4->p_0->headLength_0 + _S130, _S130, _S136, kernelContext_4);
value_1[35U] = _S137;
uint _S138 = k_1 + 4U;
float _S139 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S138 * kernelContext_4->p_0->headLength_0 + _S130, _S130, _S138, kernelContext_4);
value_1[36U] = _S139;
uint _S140 = k_1 + 5U;
float _S141 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S140 * kernelContext_4->p_0->headLength_0 + _S130, _S130, _S140, kernelContext_4);
value_1[37U] = _S141;
uint _S142 = k_1 + 6U;
float _S143 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S142 * kernelContext_4->p_0->headLength_0 + _S130, _S130, _S142, kernelContext_4);
value_1[38U] = _S143;
uint _S144 = k_1 + 7U;
float _S145 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S144 * kernelContext_4->p_0->headLength_0 + _S130, _S130, _S144, kernelContext_4);
value_1[39U] = _S145;
}
if(320U < (kernelContext_4->p_0->headLength_0))
{
uint _S146 = min(lane_1 + 320U, kernelContext_4->p_0->headLength_0 - 1U);
float _S147 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S146, _S146, k_1, kernelContext_4);
value_1[40U] = _S147;
uint _S148 = k_1 + 1U;
float _S149 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S148 * kernelContext_4->p_0->headLength_0 + _S146, _S146, _S148, kernelContext_4);
value_1[41U] = _S149;
uint _S150 = k_1 + 2U;
float _S151 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S150 * kernelContext_4->p_0->headLength_0 + _S146, _S146, _S150, kernelContext_4);
value_1[42U] = _S151;
uint _S152 = k_1 + 3U;
float _S153 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S152 * kernelContext_4->p_0->headLength_0 + _S146, _S146, _S152, kernelContext_4);
value_1[43U] = _S153;
uint _S154 = k_1 + 4U;
float _S155 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S154 * kernelContext_4->p_0->headLength_0 + _S146, _S146, _S154, kernelContext_4);
value_1[44U] = _S155;
uint _S156 = k_1 + 5U;
float _S157 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S156 * kernelContext_4->p_0->headLength_0 + _S146, _S146, _S156, kernelContext_4);
value_1[45U] = _S157;
uint _S158 = k_1 + 6U;
float _S159 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S158 * kernelContext_4->p_0->headLength_0 + _S146, _S146, _S158, kernelContext_4);
value_1[46U] = _S159;
uint _S160 = k_1 + 7U;
float _S161 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S160 * kernelContext_4->p_0->headLength_0 + _S146, _S146, _S160, kernelContext_4);
value_1[47U] = _S161;
}
if(384U < (kernelContext_4->p_0->headLength_0))
{
uint _S162 = min(lane_1 + 384U, kernelContext_4->p_0->headLength_0 - 1U);
float _S163 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S162, _S162, k_1, kernelContext_4);
value_1[48U] = _S163;
uint _S164 = k_1 + 1U;
float _S165 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S164 * kernelContext_4->p_0->headLength_0 + _S162, _S162, _S164, kernelContext_4);
value_1[49U] = _S165;
uint _S166 = k_1 + 2U;
float _S167 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S166 * kernelContext_4->p_0->headLength_0 + _S162, _S162, _S166, kernelContext_4);
value_1[50U] = _S167;
uint _S168 = k_1 + 3U;
float _S169 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S168 * kernelContext_4->p_0->headLength_0 + _S162, _S162, _S168, kernelContext_4);
value_1[51U] = _S169;
uint _S170 = k_1 + 4U;
float _S171 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S170 * kernelContext_4->p_0->headLength_0 + _S162, _S162, _S170, kernelContext_4);
value_1[52U] = _S171;
uint _S172 = k_1 + 5U;
float _S173 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S172 * kernelContext_4->p_0->headLength_0 + _S162, _S162, _S172, kernelContext_4);
value_1[53U] = _S173;
uint _S174 = k_1 + 6U;
float _S175 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S174 * kernelContext_4->p_0->headLength_0 + _S162, _S162, _S174, kernelContext_4);
value_1[54U] = _S175;
uint _S176 = k_1 + 7U;
float _S177 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S176 * kernelContext_4->p_0->headLength_0 + _S162, _S162, _S176, kernelContext_4);
value_1[55U] = _S177;
}
if(448U < (kernelContext_4->p_0->headLength_0))
{
uint _S178 = min(lane_1 + 448U, kernelContext_4->p_0->headLength_0 - 1U);
float _S179 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S178, _S178, k_1, kernelContext_4);
value_1[56U] = _S179;
uint _S180 = k_1 + 1U;
float _S181 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S180 * kernelContext_4->p_0->headLength_0 + _S178, _S178, _S180, kernelContext_4);
value_1[57U] = _S181;
uint _S182 = k_1 + 2U;
float _S183 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S182 * kernelContext_4->p_0->headLength_0 + _S178, _S178, _S182, kernelContext_4);
value_1[58U] = _S183;
uint _S184 = k_1 + 3U;
float _S185 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S184 * kernelContext_4->p_0->headLength_0 + _S178, _S178, _S184, kernelContext_4);
value_1[59U] = _S185;
uint _S186 = k_1 + 4U;
float _S187 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S186 * kernelContext_4->p_0->headLength_0 + _S178, _S178, _S186, kernelContext_4);
value_1[60U] = _S187;
uint _S188 = k_1 + 5U;
float _S189 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S188 * kernelContext_4->p_0->headLength_0 + _S178, _S178, _S188, kernelContext_4);
value_1[61U] = _S189;
uint _S190 = k_1 + 6U;
float _S191 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S190 * kernelContext_4->p_0->headLength_0 + _S178, _S178, _S190, kernelContext_4);
value_1[62U] = _S191;
uint _S192 = k_1 + 7U;
float _S193 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, _S192 * kernelContext_4->p_0->headLength_0 + _S178, _S178, _S192, kernelContext_4);
value_1[63U] = _S193;
}
if(0U < (kernelContext_4->p_0->headLength_0))
{
float _S194 = fma((*kernelContext_4->weights_0)[k_1], value_1[0U], (&found_0)->sums_0[0U]);
(&found_0)->sums_0[0U] = _S194;
float _S195 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_1[1U], _S194);
(&found_0)->sums_0[0U] = _S195;
float _S196 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_1[2U], _S195);
(&found_0)->sums_0[0U] = _S196;
float _S197 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_1[3U], _S196);
(&found_0)->sums_0[0U] = _S197;
float _S198 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_1[4U], _S197);
(&found_0)->sums_0[0U] = _S198;
float _S199 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_1[5U], _S198);
(&found_0)->sums_0[0U] = _S199;
float _S200 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_1[6U], _S199);
(&found_0)->sums_0[0U] = _S200;
(&found_0)->sums_0[0U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_1[7U], _S200);
}
if(64U < (kernelContext_4->p_0->headLength_0))
{
float _S201 = fma((*kernelContext_4->weights_0)[k_1], value_1[8U], (&found_0)->sums_0[1U]);
(&found_0)->sums_0[1U] = _S201;
float _S202 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_1[9U], _S201);
(&found_0)->sums_0[1U] = _S202;
float _S203 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_1[10U], _S202);
(&found_0)->sums_0[1U] = _S203;
float _S204 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_1[11U], _S203);
(&found_0)->sums_0[1U] = _S204;
float _S205 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_1[12U], _S204);
(&found_0)->sums_0[1U] = _S205;
float _S206 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_1[13U], _S205);
(&found_0)->sums_0[1U] = _S206;
float _S207 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_1[14U], _S206);
(&found_0)->sums_0[1U] = _S207;
(&found_0)->sums_0[1U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_1[15U], _S207);
}
if(128U < (kernelContext_4->p_0->headLength_0))
{
float _S208 = fma((*kernelContext_4->weights_0)[k_1], value_1[16U], (&found_0)->sums_0[2U]);
(&found_0)->sums_0[2U] = _S208;
float _S209 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_1[17U], _S208);
(&found_0)->sums_0[2U] = _S209;
float _S210 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_1[18U], _S209);
(&found_0)->sums_0[2U] = _S210;
float _S211 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_1[19U], _S210);
(&found_0)->sums_0[2U] = _S211;
float _S212 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_1[20U], _S211);
(&found_0)->sums_0[2U] = _S212;
float _S213 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_1[21U], _S212);
(&found_0)->sums_0[2U] = _S213;
float _S214 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_1[22U], _S213);
(&found_0)->sums_0[2U] = _S214;
(&found_0)->sums_0[2U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_1[23U], _S214);
}
if(192U < (kernelContext_4->p_0->headLength_0))
{
float _S215 = fma((*kernelContext_4->weights_0)[k_1], value_1[24U], (&found_0)->sums_0[3U]);
(&found_0)->sums_0[3U] = _S215;
float _S216 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_1[25U], _S215);
(&found_0)->sums_0[3U] = _S216;
float _S217 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_1[26U], _S216);
(&found_0)->sums_0[3U] = _S217;
float _S218 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_1[27U], _S217);
(&found_0)->sums_0[3U] = _S218;
float _S219 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_1[28U], _S218);
(&found_0)->sums_0[3U] = _S219;
float _S220 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_1[29U], _S219);
(&found_0)->sums_0[3U] = _S220;
float _S221 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_1[30U], _S220);
(&found_0)->sums_0[3U] = _S221;
(&found_0)->sums_0[3U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_1[31U], _S221);
}
if(256U < (kernelContext_4->p_0->headLength_0))
{
float _S222 = fma((*kernelContext_4->weights_0)[k_1], value_1[32U], (&found_0)->sums_0[4U]);
(&found_0)->sums_0[4U] = _S222;
float _S223 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_1[33U], _S222);
(&found_0)->sums_0[4U] = _S223;
float _S224 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_1[34U], _S223);
(&found_0)->sums_0[4U] = _S224;
float _S225 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_1[35U], _S224);
(&found_0)->sums_0[4U] = _S225;
float _S226 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_1[36U], _S225);
(&found_0)->sums_0[4U] = _S226;
float _S227 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_1[37U], _S226);
(&found_0)->sums_0[4U] = _S227;
float _S228 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_1[38U], _S227);
(&found_0)->sums_0[4U] = _S228;
(&found_0)->sums_0[4U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_1[39U], _S228);
}
if(320U < (kernelContext_4->p_0->headLength_0))
{
float _S229 = fma((*kernelContext_4->weights_0)[k_1], value_1[40U], (&found_0)->sums_0[5U]);
(&found_0)->sums_0[5U] = _S229;
float _S230 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_1[41U], _S229);
(&found_0)->sums_0[5U] = _S230;
float _S231 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_1[42U], _S230);
(&found_0)->sums_0[5U] = _S231;
float _S232 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_1[43U], _S231);
(&found_0)->sums_0[5U] = _S232;
float _S233 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_1[44U], _S232);
(&found_0)->sums_0[5U] = _S233;
float _S234 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_1[45U], _S233);
(&found_0)->sums_0[5U] = _S234;
float _S235 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_1[46U], _S234);
(&found_0)->sums_0[5U] = _S235;
(&found_0)->sums_0[5U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_1[47U], _S235);
}
if(384U < (kernelContext_4->p_0->headLength_0))
{
float _S236 = fma((*kernelContext_4->weights_0)[k_1], value_1[48U], (&found_0)->sums_0[6U]);
(&found_0)->sums_0[6U] = _S236;
float _S237 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_1[49U], _S236);
(&found_0)->sums_0[6U] = _S237;
float _S238 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_1[50U], _S237);
(&found_0)->sums_0[6U] = _S238;
float _S239 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_1[51U], _S238);
(&found_0)->sums_0[6U] = _S239;
float _S240 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_1[52U], _S239);
(&found_0)->sums_0[6U] = _S240;
float _S241 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_1[53U], _S240);
(&found_0)->sums_0[6U] = _S241;
float _S242 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_1[54U], _S241);
(&found_0)->sums_0[6U] = _S242;
(&found_0)->sums_0[6U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_1[55U], _S242);
}
if(448U < (kernelContext_4->p_0->headLength_0))
{
float _S243 = fma((*kernelContext_4->weights_0)[k_1], value_1[56U], (&found_0)->sums_0[7U]);
(&found_0)->sums_0[7U] = _S243;
float _S244 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_1[57U], _S243);
(&found_0)->sums_0[7U] = _S244;
float _S245 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_1[58U], _S244);
(&found_0)->sums_0[7U] = _S245;
float _S246 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_1[59U], _S245);
(&found_0)->sums_0[7U] = _S246;
float _S247 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_1[60U], _S246);
(&found_0)->sums_0[7U] = _S247;
float _S248 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_1[61U], _S247);
(&found_0)->sums_0[7U] = _S248;
float _S249 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_1[62U], _S248);
(&found_0)->sums_0[7U] = _S249;
(&found_0)->sums_0[7U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_1[63U], _S249);
}
k_1 = _S65;
}
for(;;)
{
if(k_1 < _S64)
{
}
else
{
break;
}
if(0U < (kernelContext_4->p_0->headLength_0))
{
uint _S250 = min(lane_1, kernelContext_4->p_0->headLength_0 - 1U);
float _S251 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S250, _S250, k_1, kernelContext_4);
(&found_0)->sums_0[0U] = fma((*kernelContext_4->weights_0)[k_1], _S251, (&found_0)->sums_0[0U]);
}
if(64U < (kernelContext_4->p_0->headLength_0))
{
uint _S252 = min(lane_1 + 64U, kernelContext_4->p_0->headLength_0 - 1U);
float _S253 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S252, _S252, k_1, kernelContext_4);
(&found_0)->sums_0[1U] = fma((*kernelContext_4->weights_0)[k_1], _S253, (&found_0)->sums_0[1U]);
}
if(128U < (kernelContext_4->p_0->headLength_0))
{
uint _S254 = min(lane_1 + 128U, kernelContext_4->p_0->headLength_0 - 1U);
float _S255 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S254, _S254, k_1, kernelContext_4);
(&found_0)->sums_0[2U] = fma((*kernelContext_4->weights_0)[k_1], _S255, (&found_0)->sums_0[2U]);
}
if(192U < (kernelContext_4->p_0->headLength_0))
{
uint _S256 = min(lane_1 + 192U, kernelContext_4->p_0->headLength_0 - 1U);
float _S257 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S256, _S256, k_1, kernelContext_4);
(&found_0)->sums_0[3U] = fma((*kernelContext_4->weights_0)[k_1], _S257, (&found_0)->sums_0[3U]);
}
if(256U < (kernelContext_4->p_0->headLength_0))
{
uint _S258 = min(lane_1 + 256U, kernelContext_4->p_0->headLength_0 - 1U);
float _S259 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S258, _S258, k_1, kernelContext_4);
(&found_0)->sums_0[4U] = fma((*kernelContext_4->weights_0)[k_1], _S259, (&found_0)->sums_0[4U]);
}
if(320U < (kernelContext_4->p_0->headLength_0))
{
uint _S260 = min(lane_1 + 320U, kernelContext_4->p_0->headLength_0 - 1U);
float _S261 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S260, _S260, k_1, kernelContext_4);
(&found_0)->sums_0[5U] = fma((*kernelContext_4->weights_0)[k_1], _S261, (&found_0)->sums_0[5U]);
}
if(384U < (kernelContext_4->p_0->headLength_0))
{
uint _S262 = min(lane_1 + 384U, kernelContext_4->p_0->headLength_0 - 1U);
float _S263 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S262, _S262, k_1, kernelContext_4);
(&found_0)->sums_0[6U] = fma((*kernelContext_4->weights_0)[k_1], _S263, (&found_0)->sums_0[6U]);
}
if(448U < (kernelContext_4->p_0->headLength_0))
{
uint _S264 = min(lane_1 + 448U, kernelContext_4->p_0->headLength_0 - 1U);
float _S265 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S10, k_1 * kernelContext_4->p_0->headLength_0 + _S264, _S264, k_1, kernelContext_4);
(&found_0)->sums_0[7U] = fma((*kernelContext_4->weights_0)[k_1], _S265, (&found_0)->sums_0[7U]);
}
k_1 = k_1 + 1U;
}
return found_0;
}
void loadQueries_0(uint head_2, uint token_0, uint lane_2, KernelContext_0 thread* kernelContext_5)
{
uint factor_0 = (uint4(*(kernelContext_5->tokens_0+token_0)) ).w;
float _S266;
if(factor_0 != 0U)
{
_S266 = kernelContext_5->p_0->scale_0 * (as_type<float>((factor_0)));
}
else
{
_S266 = kernelContext_5->p_0->scale_0;
}
for(;;)
{
for(;;)
{
for(;;)
{
uint _S267 = token_0 * kernelContext_5->p_0->queryStride_0 + head_2 * kernelContext_5->p_0->queryStep_0 * kernelContext_5->p_0->headLength_0;
uint i_2 = lane_2;
for(;;)
{
if(i_2 < (kernelContext_5->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_5->query_0)[i_2] = kernelContext_5->queries_0[_S267 + i_2] * _S266;
i_2 = i_2 + 64U;
}
break;
}
break;
}
break;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
return;
}
void attentionPage_0(uint3 group_0, uint lane_3, KernelContext_0 thread* kernelContext_6)
{
uint head_3 = group_0.x;
uint token_1 = group_0.y;
uint page_1 = group_0.z;
uint4 _S268 = uint4(*(kernelContext_6->tokens_0+token_1)) ;
bool _S269;
if(page_1 < (_S268.y / 64U))
{
_S269 = true;
}
else
{
_S269 = (page_1 * 64U) >= (_S268.z);
}
if(_S269)
{
return;
}
loadQueries_0(head_3, token_1, lane_3, kernelContext_6);
Gathered_0 _S270 = gather_0(page_1, _S268, head_3, lane_3, kernelContext_6);
uint at_1 = ((token_1 * kernelContext_6->p_0->heads_0 + head_3) * kernelContext_6->p_0->pageCount_0 + page_1) * (2U + kernelContext_6->p_0->headLength_0);
if(lane_3 == 0U)
{
*(kernelContext_6->outputs_0+at_1) = _S270.top_0[int(0)];
*(kernelContext_6->outputs_0+(at_1 + 1U)) = _S270.total_0[int(0)];
}
if(lane_3 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + lane_3)) = _S270.sums_0[0U];
}
uint i_3 = lane_3 + 64U;
if(i_3 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_3)) = _S270.sums_0[1U];
}
uint i_4 = lane_3 + 128U;
if(i_4 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_4)) = _S270.sums_0[2U];
}
uint i_5 = lane_3 + 192U;
if(i_5 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_5)) = _S270.sums_0[3U];
}
uint i_6 = lane_3 + 256U;
if(i_6 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_6)) = _S270.sums_0[4U];
}
uint i_7 = lane_3 + 320U;
if(i_7 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_7)) = _S270.sums_0[5U];
}
uint i_8 = lane_3 + 384U;
if(i_8 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_8)) = _S270.sums_0[6U];
}
uint i_9 = lane_3 + 448U;
if(i_9 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_9)) = _S270.sums_0[7U];
}
return;
}
[[kernel]] void attention_page_q8_0(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], uint device* pages_1 [[buffer(3)]], Parameters_0 constant* p_1 [[buffer(7)]], ushort device* keys_1 [[buffer(1)]], ushort device* values_1 [[buffer(2)]], packed_uint4 device* tokens_1 [[buffer(4)]], float device* queries_1 [[buffer(0)]], float device* outputs_1 [[buffer(5)]])
{
thread KernelContext_0 kernelContext_7;
(&kernelContext_7)->pages_0 = pages_1;
(&kernelContext_7)->p_0 = p_1;
(&kernelContext_7)->keys_0 = keys_1;
(&kernelContext_7)->values_0 = values_1;
(&kernelContext_7)->tokens_0 = tokens_1;
(&kernelContext_7)->queries_0 = queries_1;
(&kernelContext_7)->outputs_0 = outputs_1;
threadgroup array<float, int(512)> query_1;
(&kernelContext_7)->query_0 = &query_1;
threadgroup array<float, int(128)> lanes_1;
(&kernelContext_7)->lanes_0 = &lanes_1;
threadgroup array<float, int(256)> weights_1;
(&kernelContext_7)->weights_0 = &weights_1;
attentionPage_0(group_1, local_0.x, &kernelContext_7);
return;
}
"""#)
}
#endif
