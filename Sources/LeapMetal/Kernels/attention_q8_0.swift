// attention_q8_0 of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_q8_0 = MetalKernelText(
        module: "attention", entry: "attention_q8_0", sourcesSHA256: "a86a14943121f1a12314fa2739d30a18f5e7c30fe0d62522739f202bac40cf79",
        compiler: "slangc 2026.14.1", threads: [64, 1, 1], buffers: [0, 1, 2, 3, 4, 5, 6], constants: 7,
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
Parameters_0 constant* p_0;
float device* sinks_0;
float device* outputs_0;
uint device* pages_0;
ushort device* keys_0;
ushort device* values_0;
packed_uint4 device* tokens_0;
float device* queries_0;
array<float, int(512)> threadgroup* query_0;
array<float, int(64)> threadgroup* lanes_0;
array<float, int(256)> threadgroup* weights_0;
};
void write_0(const Gathered_0 thread* all_0, uint head_0, uint token_0, uint lane_0, KernelContext_0 thread* kernelContext_0)
{
float _S1 = all_0->total_0[0U];
float fade_0;
float total_1;
if((kernelContext_0->p_0->hasSinks_0) != 0U)
{
float _S2 = max(all_0->top_0[0U], kernelContext_0->sinks_0[head_0]);
float fade_1 = exp(all_0->top_0[0U] - _S2);
float _S3 = fma(_S1, fade_1, exp(kernelContext_0->sinks_0[head_0] - _S2));
fade_0 = fade_1;
total_1 = _S3;
}
else
{
fade_0 = 1.0f;
total_1 = _S1;
}
uint _S4 = (token_0 * kernelContext_0->p_0->heads_0 + head_0) * kernelContext_0->p_0->headLength_0;
if(lane_0 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S4 + lane_0)) = all_0->sums_0[0U] * fade_0 / total_1;
}
uint i_0 = lane_0 + 64U;
if(i_0 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S4 + i_0)) = all_0->sums_0[1U] * fade_0 / total_1;
}
uint i_1 = lane_0 + 128U;
if(i_1 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S4 + i_1)) = all_0->sums_0[2U] * fade_0 / total_1;
}
uint i_2 = lane_0 + 192U;
if(i_2 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S4 + i_2)) = all_0->sums_0[3U] * fade_0 / total_1;
}
uint i_3 = lane_0 + 256U;
if(i_3 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S4 + i_3)) = all_0->sums_0[4U] * fade_0 / total_1;
}
uint i_4 = lane_0 + 320U;
if(i_4 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S4 + i_4)) = all_0->sums_0[5U] * fade_0 / total_1;
}
uint i_5 = lane_0 + 384U;
if(i_5 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S4 + i_5)) = all_0->sums_0[6U] * fade_0 / total_1;
}
uint i_6 = lane_0 + 448U;
if(i_6 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S4 + i_6)) = all_0->sums_0[7U] * fade_0 / total_1;
}
return;
}
uint Code_headWords_0(KernelContext_0 thread* kernelContext_1)
{
return kernelContext_1->p_0->headLength_0 * 32U + (kernelContext_1->p_0->headLength_0 + 31U) / 32U * 64U;
}
float2 f16tof32_0(uint2 value_0)
{
thread float2 result_0;
int i_7 = int(0);
for(;;)
{
if(i_7 < int(2))
{
}
else
{
break;
}
result_0[i_7] = (as_type<half>((ushort)((value_0[i_7]))));
i_7 = i_7 + int(1);
}
return result_0;
}
float half16_0(ushort device* from_0, uint at_0)
{
uint _S5 = uint(from_0[at_0]);
return f16tof32_0(uint2(_S5 & 65535U, _S5 >> 16U)).x;
}
float Code_read_0(ushort device* from_1, uint head_1, uint index_0, uint i_8, uint k_0, KernelContext_0 thread* kernelContext_2)
{
return float(int(uint(from_1[head_1 + (index_0 >> 1U)]) << (24U - 8U * (index_0 & 1U))) >> 24U) * half16_0(from_1, head_1 + kernelContext_2->p_0->headLength_0 * 32U + (i_8 >> 5U) * 64U + k_0);
}
float capped_0(float score_0, KernelContext_0 thread* kernelContext_3)
{
float _S6;
if((kernelContext_3->p_0->softcap_0) > 0.0f)
{
_S6 = kernelContext_3->p_0->softcap_0 * (1.0f - 2.0f / (exp(2.0f * score_0 / kernelContext_3->p_0->softcap_0) + 1.0f));
}
else
{
_S6 = score_0;
}
return _S6;
}
float largest_0(float v_0, uint lane_1, KernelContext_0 thread* kernelContext_4)
{
float _S7 = v_0;
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
(*kernelContext_4->lanes_0)[lane_1] = _S7;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S8 = max(_S7, (*kernelContext_4->lanes_0)[lane_1 ^ step_0]);
threadgroup_barrier(mem_flags::mem_threadgroup);
uint step_1 = step_0 >> 1U;
_S7 = _S8;
step_0 = step_1;
}
return _S7;
}
Gathered_0 gather_0(uint page_0, uint4 seen_0, uint head_2, uint lane_2, KernelContext_0 thread* kernelContext_5)
{
uint _S9 = kernelContext_5->pages_0[seen_0.x + page_0];
uint _S10 = kernelContext_5->p_0->heads_0 / kernelContext_5->p_0->keyHeads_0;
uint _S11 = head_2 / _S10;
uint _S12 = Code_headWords_0(kernelContext_5);
uint _S13 = _S9 + _S11 * _S12;
uint _S14 = page_0 * 64U;
uint position_0 = _S14 + lane_2;
uint _S15 = seen_0.y;
bool sees_0;
if(position_0 >= _S15)
{
sees_0 = position_0 < (seen_0.z);
}
else
{
sees_0 = false;
}
thread Gathered_0 found_0;
thread array<float, int(1)> scores_0;
float _S16;
if(sees_0)
{
_S16 = 0.0f;
}
else
{
_S16 = -3.4028234663852886e+38f;
}
scores_0[0U] = _S16;
uint k_1;
if(sees_0)
{
k_1 = 0U;
for(;;)
{
uint _S17 = k_1 + 8U;
if(_S17 <= (kernelContext_5->p_0->headLength_0))
{
}
else
{
break;
}
thread array<float, int(8)> key_0;
float _S18 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, k_1 * 64U + lane_2, k_1, lane_2, kernelContext_5);
key_0[0U] = _S18;
uint _S19 = k_1 + 1U;
float _S20 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S19 * 64U + lane_2, _S19, lane_2, kernelContext_5);
key_0[1U] = _S20;
uint _S21 = k_1 + 2U;
float _S22 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S21 * 64U + lane_2, _S21, lane_2, kernelContext_5);
key_0[2U] = _S22;
uint _S23 = k_1 + 3U;
float _S24 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S23 * 64U + lane_2, _S23, lane_2, kernelContext_5);
key_0[3U] = _S24;
uint _S25 = k_1 + 4U;
float _S26 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S25 * 64U + lane_2, _S25, lane_2, kernelContext_5);
key_0[4U] = _S26;
uint _S27 = k_1 + 5U;
float _S28 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S27 * 64U + lane_2, _S27, lane_2, kernelContext_5);
key_0[5U] = _S28;
uint _S29 = k_1 + 6U;
float _S30 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S29 * 64U + lane_2, _S29, lane_2, kernelContext_5);
key_0[6U] = _S30;
uint _S31 = k_1 + 7U;
float _S32 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S31 * 64U + lane_2, _S31, lane_2, kernelContext_5);
key_0[7U] = _S32;
float _S33 = fma((*kernelContext_5->query_0)[k_1], key_0[0U], scores_0[0U]);
scores_0[0U] = _S33;
float _S34 = fma((*kernelContext_5->query_0)[_S19], key_0[1U], _S33);
scores_0[0U] = _S34;
float _S35 = fma((*kernelContext_5->query_0)[_S21], key_0[2U], _S34);
scores_0[0U] = _S35;
float _S36 = fma((*kernelContext_5->query_0)[_S23], key_0[3U], _S35);
scores_0[0U] = _S36;
float _S37 = fma((*kernelContext_5->query_0)[_S25], key_0[4U], _S36);
scores_0[0U] = _S37;
float _S38 = fma((*kernelContext_5->query_0)[_S27], key_0[5U], _S37);
scores_0[0U] = _S38;
float _S39 = fma((*kernelContext_5->query_0)[_S29], key_0[6U], _S38);
scores_0[0U] = _S39;
scores_0[0U] = fma((*kernelContext_5->query_0)[_S31], _S32, _S39);
k_1 = _S17;
}
for(;;)
{
if(k_1 < (kernelContext_5->p_0->headLength_0))
{
}
else
{
break;
}
float _S40 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, k_1 * 64U + lane_2, k_1, lane_2, kernelContext_5);
scores_0[0U] = fma((*kernelContext_5->query_0)[k_1], _S40, scores_0[0U]);
k_1 = k_1 + 1U;
}
float _S41 = capped_0(scores_0[0U], kernelContext_5);
scores_0[0U] = _S41;
}
float _S42 = largest_0(scores_0[0U], lane_2, kernelContext_5);
(&found_0)->top_0[0U] = _S42;
if(sees_0)
{
_S16 = exp(scores_0[0U] - (&found_0)->top_0[0U]);
}
else
{
_S16 = 0.0f;
}
(*kernelContext_5->weights_0)[lane_2] = _S16;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint first_0 = max(_S15, _S14) - _S14;
uint _S43 = min(seen_0.z - _S14, 64U);
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
if(k_1 < _S43)
{
}
else
{
break;
}
(&found_0)->total_0[0U] = (&found_0)->total_0[0U] + (*kernelContext_5->weights_0)[k_1];
k_1 = k_1 + 1U;
}
for(;;)
{
for(;;)
{
for(;;)
{
if(lane_2 >= (kernelContext_5->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S44 = k_1 + 8U;
if(_S44 <= _S43)
{
}
else
{
break;
}
thread array<float, int(8)> value_1;
float _S45 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, k_1, kernelContext_5);
value_1[0U] = _S45;
uint _S46 = k_1 + 1U;
float _S47 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S46 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S46, kernelContext_5);
value_1[1U] = _S47;
uint _S48 = k_1 + 2U;
float _S49 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S48 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S48, kernelContext_5);
value_1[2U] = _S49;
uint _S50 = k_1 + 3U;
float _S51 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S50 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S50, kernelContext_5);
value_1[3U] = _S51;
uint _S52 = k_1 + 4U;
float _S53 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S52 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S52, kernelContext_5);
value_1[4U] = _S53;
uint _S54 = k_1 + 5U;
float _S55 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S54 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S54, kernelContext_5);
value_1[5U] = _S55;
uint _S56 = k_1 + 6U;
float _S57 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S56 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S56, kernelContext_5);
value_1[6U] = _S57;
uint _S58 = k_1 + 7U;
float _S59 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S58 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S58, kernelContext_5);
value_1[7U] = _S59;
float _S60 = fma((*kernelContext_5->weights_0)[k_1], value_1[0U], (&found_0)->sums_0[0U]);
(&found_0)->sums_0[0U] = _S60;
float _S61 = fma((*kernelContext_5->weights_0)[_S46], value_1[1U], _S60);
(&found_0)->sums_0[0U] = _S61;
float _S62 = fma((*kernelContext_5->weights_0)[_S48], value_1[2U], _S61);
(&found_0)->sums_0[0U] = _S62;
float _S63 = fma((*kernelContext_5->weights_0)[_S50], value_1[3U], _S62);
(&found_0)->sums_0[0U] = _S63;
float _S64 = fma((*kernelContext_5->weights_0)[_S52], value_1[4U], _S63);
(&found_0)->sums_0[0U] = _S64;
float _S65 = fma((*kernelContext_5->weights_0)[_S54], value_1[5U], _S64);
(&found_0)->sums_0[0U] = _S65;
float _S66 = fma((*kernelContext_5->weights_0)[_S56], value_1[6U], _S65);
(&found_0)->sums_0[0U] = _S66;
(&found_0)->sums_0[0U] = fma((*kernelContext_5->weights_0)[_S58], _S59, _S66);
k_1 = _S44;
}
for(;;)
{
if(k_1 < _S43)
{
}
else
{
break;
}
float _S67 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, k_1, kernelContext_5);
(&found_0)->sums_0[0U] = fma((*kernelContext_5->weights_0)[k_1], _S67, (&found_0)->sums_0[0U]);
k_1 = k_1 + 1U;
}
break;
}
break;
}
for(;;)
{
for(;;)
{
uint i_9 = lane_2 + 64U;
if(i_9 >= (kernelContext_5->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S68 = k_1 + 8U;
if(_S68 <= _S43)
{
}
else
{
break;
}
thread array<float, int(8)> value_2;
float _S69 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_9, i_9, k_1, kernelContext_5);
value_2[0U] = _S69;
uint _S70 = k_1 + 1U;
float _S71 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S70 * kernelContext_5->p_0->headLength_0 + i_9, i_9, _S70, kernelContext_5);
value_2[1U] = _S71;
uint _S72 = k_1 + 2U;
float _S73 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S72 * kernelContext_5->p_0->headLength_0 + i_9, i_9, _S72, kernelContext_5);
value_2[2U] = _S73;
uint _S74 = k_1 + 3U;
float _S75 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S74 * kernelContext_5->p_0->headLength_0 + i_9, i_9, _S74, kernelContext_5);
value_2[3U] = _S75;
uint _S76 = k_1 + 4U;
float _S77 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S76 * kernelContext_5->p_0->headLength_0 + i_9, i_9, _S76, kernelContext_5);
value_2[4U] = _S77;
uint _S78 = k_1 + 5U;
float _S79 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S78 * kernelContext_5->p_0->headLength_0 + i_9, i_9, _S78, kernelContext_5);
value_2[5U] = _S79;
uint _S80 = k_1 + 6U;
float _S81 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S80 * kernelContext_5->p_0->headLength_0 + i_9, i_9, _S80, kernelContext_5);
value_2[6U] = _S81;
uint _S82 = k_1 + 7U;
float _S83 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S82 * kernelContext_5->p_0->headLength_0 + i_9, i_9, _S82, kernelContext_5);
value_2[7U] = _S83;
float _S84 = fma((*kernelContext_5->weights_0)[k_1], value_2[0U], (&found_0)->sums_0[1U]);
(&found_0)->sums_0[1U] = _S84;
float _S85 = fma((*kernelContext_5->weights_0)[_S70], value_2[1U], _S84);
(&found_0)->sums_0[1U] = _S85;
float _S86 = fma((*kernelContext_5->weights_0)[_S72], value_2[2U], _S85);
(&found_0)->sums_0[1U] = _S86;
float _S87 = fma((*kernelContext_5->weights_0)[_S74], value_2[3U], _S86);
(&found_0)->sums_0[1U] = _S87;
float _S88 = fma((*kernelContext_5->weights_0)[_S76], value_2[4U], _S87);
(&found_0)->sums_0[1U] = _S88;
float _S89 = fma((*kernelContext_5->weights_0)[_S78], value_2[5U], _S88);
(&found_0)->sums_0[1U] = _S89;
float _S90 = fma((*kernelContext_5->weights_0)[_S80], value_2[6U], _S89);
(&found_0)->sums_0[1U] = _S90;
(&found_0)->sums_0[1U] = fma((*kernelContext_5->weights_0)[_S82], _S83, _S90);
k_1 = _S68;
}
for(;;)
{
if(k_1 < _S43)
{
}
else
{
break;
}
float _S91 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_9, i_9, k_1, kernelContext_5);
(&found_0)->sums_0[1U] = fma((*kernelContext_5->weights_0)[k_1], _S91, (&found_0)->sums_0[1U]);
k_1 = k_1 + 1U;
}
break;
}
break;
}
for(;;)
{
for(;;)
{
uint i_10 = lane_2 + 128U;
if(i_10 >= (kernelContext_5->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S92 = k_1 + 8U;
if(_S92 <= _S43)
{
}
else
{
break;
}
thread array<float, int(8)> value_3;
float _S93 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_10, i_10, k_1, kernelContext_5);
value_3[0U] = _S93;
uint _S94 = k_1 + 1U;
float _S95 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S94 * kernelContext_5->p_0->headLength_0 + i_10, i_10, _S94, kernelContext_5);
value_3[1U] = _S95;
uint _S96 = k_1 + 2U;
float _S97 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S96 * kernelContext_5->p_0->headLength_0 + i_10, i_10, _S96, kernelContext_5);
value_3[2U] = _S97;
uint _S98 = k_1 + 3U;
float _S99 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S98 * kernelContext_5->p_0->headLength_0 + i_10, i_10, _S98, kernelContext_5);
value_3[3U] = _S99;
uint _S100 = k_1 + 4U;
float _S101 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S100 * kernelContext_5->p_0->headLength_0 + i_10, i_10, _S100, kernelContext_5);
value_3[4U] = _S101;
uint _S102 = k_1 + 5U;
float _S103 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S102 * kernelContext_5->p_0->headLength_0 + i_10, i_10, _S102, kernelContext_5);
value_3[5U] = _S103;
uint _S104 = k_1 + 6U;
float _S105 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S104 * kernelContext_5->p_0->headLength_0 + i_10, i_10, _S104, kernelContext_5);
value_3[6U] = _S105;
uint _S106 = k_1 + 7U;
float _S107 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S106 * kernelContext_5->p_0->headLength_0 + i_10, i_10, _S106, kernelContext_5);
value_3[7U] = _S107;
float _S108 = fma((*kernelContext_5->weights_0)[k_1], value_3[0U], (&found_0)->sums_0[2U]);
(&found_0)->sums_0[2U] = _S108;
float _S109 = fma((*kernelContext_5->weights_0)[_S94], value_3[1U], _S108);
(&found_0)->sums_0[2U] = _S109;
float _S110 = fma((*kernelContext_5->weights_0)[_S96], value_3[2U], _S109);
(&found_0)->sums_0[2U] = _S110;
float _S111 = fma((*kernelContext_5->weights_0)[_S98], value_3[3U], _S110);
(&found_0)->sums_0[2U] = _S111;
float _S112 = fma((*kernelContext_5->weights_0)[_S100], value_3[4U], _S111);
(&found_0)->sums_0[2U] = _S112;
float _S113 = fma((*kernelContext_5->weights_0)[_S102], value_3[5U], _S112);
(&found_0)->sums_0[2U] = _S113;
float _S114 = fma((*kernelContext_5->weights_0)[_S104], value_3[6U], _S113);
(&found_0)->sums_0[2U] = _S114;
(&found_0)->sums_0[2U] = fma((*kernelContext_5->weights_0)[_S106], _S107, _S114);
k_1 = _S92;
}
for(;;)
{
if(k_1 < _S43)
{
}
else
{
break;
}
float _S115 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_10, i_10, k_1, kernelContext_5);
(&found_0)->sums_0[2U] = fma((*kernelContext_5->weights_0)[k_1], _S115, (&found_0)->sums_0[2U]);
k_1 = k_1 + 1U;
}
break;
}
break;
}
for(;;)
{
for(;;)
{
uint i_11 = lane_2 + 192U;
if(i_11 >= (kernelContext_5->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S116 = k_1 + 8U;
if(_S116 <= _S43)
{
}
else
{
break;
}
thread array<float, int(8)> value_4;
float _S117 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_11, i_11, k_1, kernelContext_5);
value_4[0U] = _S117;
uint _S118 = k_1 + 1U;
float _S119 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S118 * kernelContext_5->p_0->headLength_0 + i_11, i_11, _S118, kernelContext_5);
value_4[1U] = _S119;
uint _S120 = k_1 + 2U;
float _S121 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S120 * kernelContext_5->p_0->headLength_0 + i_11, i_11, _S120, kernelContext_5);
value_4[2U] = _S121;
uint _S122 = k_1 + 3U;
float _S123 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S122 * kernelContext_5->p_0->headLength_0 + i_11, i_11, _S122, kernelContext_5);
value_4[3U] = _S123;
uint _S124 = k_1 + 4U;
float _S125 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S124 * kernelContext_5->p_0->headLength_0 + i_11, i_11, _S124, kernelContext_5);
value_4[4U] = _S125;
uint _S126 = k_1 + 5U;
float _S127 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S126 * kernelContext_5->p_0->headLength_0 + i_11, i_11, _S126, kernelContext_5);
value_4[5U] = _S127;
uint _S128 = k_1 + 6U;
float _S129 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S128 * kernelContext_5->p_0->headLength_0 + i_11, i_11, _S128, kernelContext_5);
value_4[6U] = _S129;
uint _S130 = k_1 + 7U;
float _S131 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S130 * kernelContext_5->p_0->headLength_0 + i_11, i_11, _S130, kernelContext_5);
value_4[7U] = _S131;
float _S132 = fma((*kernelContext_5->weights_0)[k_1], value_4[0U], (&found_0)->sums_0[3U]);
(&found_0)->sums_0[3U] = _S132;
float _S133 = fma((*kernelContext_5->weights_0)[_S118], value_4[1U], _S132);
(&found_0)->sums_0[3U] = _S133;
float _S134 = fma((*kernelContext_5->weights_0)[_S120], value_4[2U], _S133);
(&found_0)->sums_0[3U] = _S134;
float _S135 = fma((*kernelContext_5->weights_0)[_S122], value_4[3U], _S134);
(&found_0)->sums_0[3U] = _S135;
float _S136 = fma((*kernelContext_5->weights_0)[_S124], value_4[4U], _S135);
(&found_0)->sums_0[3U] = _S136;
float _S137 = fma((*kernelContext_5->weights_0)[_S126], value_4[5U], _S136);
(&found_0)->sums_0[3U] = _S137;
float _S138 = fma((*kernelContext_5->weights_0)[_S128], value_4[6U], _S137);
(&found_0)->sums_0[3U] = _S138;
(&found_0)->sums_0[3U] = fma((*kernelContext_5->weights_0)[_S130], _S131, _S138);
k_1 = _S116;
}
for(;;)
{
if(k_1 < _S43)
{
}
else
{
break;
}
float _S139 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_11, i_11, k_1, kernelContext_5);
(&found_0)->sums_0[3U] = fma((*kernelContext_5->weights_0)[k_1], _S139, (&found_0)->sums_0[3U]);
k_1 = k_1 + 1U;
}
break;
}
break;
}
for(;;)
{
for(;;)
{
uint i_12 = lane_2 + 256U;
if(i_12 >= (kernelContext_5->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S140 = k_1 + 8U;
if(_S140 <= _S43)
{
}
else
{
break;
}
thread array<float, int(8)> value_5;
float _S141 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_12, i_12, k_1, kernelContext_5);
value_5[0U] = _S141;
uint _S142 = k_1 + 1U;
float _S143 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S142 * kernelContext_5->p_0->headLength_0 + i_12, i_12, _S142, kernelContext_5);
value_5[1U] = _S143;
uint _S144 = k_1 + 2U;
float _S145 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S144 * kernelContext_5->p_0->headLength_0 + i_12, i_12, _S144, kernelContext_5);
value_5[2U] = _S145;
uint _S146 = k_1 + 3U;
float _S147 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S146 * kernelContext_5->p_0->headLength_0 + i_12, i_12, _S146, kernelContext_5);
value_5[3U] = _S147;
uint _S148 = k_1 + 4U;
float _S149 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S148 * kernelContext_5->p_0->headLength_0 + i_12, i_12, _S148, kernelContext_5);
value_5[4U] = _S149;
uint _S150 = k_1 + 5U;
float _S151 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S150 * kernelContext_5->p_0->headLength_0 + i_12, i_12, _S150, kernelContext_5);
value_5[5U] = _S151;
uint _S152 = k_1 + 6U;
float _S153 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S152 * kernelContext_5->p_0->headLength_0 + i_12, i_12, _S152, kernelContext_5);
value_5[6U] = _S153;
uint _S154 = k_1 + 7U;
float _S155 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S154 * kernelContext_5->p_0->headLength_0 + i_12, i_12, _S154, kernelContext_5);
value_5[7U] = _S155;
float _S156 = fma((*kernelContext_5->weights_0)[k_1], value_5[0U], (&found_0)->sums_0[4U]);
(&found_0)->sums_0[4U] = _S156;
float _S157 = fma((*kernelContext_5->weights_0)[_S142], value_5[1U], _S156);
(&found_0)->sums_0[4U] = _S157;
float _S158 = fma((*kernelContext_5->weights_0)[_S144], value_5[2U], _S157);
(&found_0)->sums_0[4U] = _S158;
float _S159 = fma((*kernelContext_5->weights_0)[_S146], value_5[3U], _S158);
(&found_0)->sums_0[4U] = _S159;
float _S160 = fma((*kernelContext_5->weights_0)[_S148], value_5[4U], _S159);
(&found_0)->sums_0[4U] = _S160;
float _S161 = fma((*kernelContext_5->weights_0)[_S150], value_5[5U], _S160);
(&found_0)->sums_0[4U] = _S161;
float _S162 = fma((*kernelContext_5->weights_0)[_S152], value_5[6U], _S161);
(&found_0)->sums_0[4U] = _S162;
(&found_0)->sums_0[4U] = fma((*kernelContext_5->weights_0)[_S154], _S155, _S162);
k_1 = _S140;
}
for(;;)
{
if(k_1 < _S43)
{
}
else
{
break;
}
float _S163 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_12, i_12, k_1, kernelContext_5);
(&found_0)->sums_0[4U] = fma((*kernelContext_5->weights_0)[k_1], _S163, (&found_0)->sums_0[4U]);
k_1 = k_1 + 1U;
}
break;
}
break;
}
for(;;)
{
for(;;)
{
uint i_13 = lane_2 + 320U;
if(i_13 >= (kernelContext_5->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S164 = k_1 + 8U;
if(_S164 <= _S43)
{
}
else
{
break;
}
thread array<float, int(8)> value_6;
float _S165 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_13, i_13, k_1, kernelContext_5);
value_6[0U] = _S165;
uint _S166 = k_1 + 1U;
float _S167 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S166 * kernelContext_5->p_0->headLength_0 + i_13, i_13, _S166, kernelContext_5);
value_6[1U] = _S167;
uint _S168 = k_1 + 2U;
float _S169 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S168 * kernelContext_5->p_0->headLength_0 + i_13, i_13, _S168, kernelContext_5);
value_6[2U] = _S169;
uint _S170 = k_1 + 3U;
float _S171 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S170 * kernelContext_5->p_0->headLength_0 + i_13, i_13, _S170, kernelContext_5);
value_6[3U] = _S171;
uint _S172 = k_1 + 4U;
float _S173 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S172 * kernelContext_5->p_0->headLength_0 + i_13, i_13, _S172, kernelContext_5);
value_6[4U] = _S173;
uint _S174 = k_1 + 5U;
float _S175 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S174 * kernelContext_5->p_0->headLength_0 + i_13, i_13, _S174, kernelContext_5);
value_6[5U] = _S175;
uint _S176 = k_1 + 6U;
float _S177 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S176 * kernelContext_5->p_0->headLength_0 + i_13, i_13, _S176, kernelContext_5);
value_6[6U] = _S177;
uint _S178 = k_1 + 7U;
float _S179 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S178 * kernelContext_5->p_0->headLength_0 + i_13, i_13, _S178, kernelContext_5);
value_6[7U] = _S179;
float _S180 = fma((*kernelContext_5->weights_0)[k_1], value_6[0U], (&found_0)->sums_0[5U]);
(&found_0)->sums_0[5U] = _S180;
float _S181 = fma((*kernelContext_5->weights_0)[_S166], value_6[1U], _S180);
(&found_0)->sums_0[5U] = _S181;
float _S182 = fma((*kernelContext_5->weights_0)[_S168], value_6[2U], _S181);
(&found_0)->sums_0[5U] = _S182;
float _S183 = fma((*kernelContext_5->weights_0)[_S170], value_6[3U], _S182);
(&found_0)->sums_0[5U] = _S183;
float _S184 = fma((*kernelContext_5->weights_0)[_S172], value_6[4U], _S183);
(&found_0)->sums_0[5U] = _S184;
float _S185 = fma((*kernelContext_5->weights_0)[_S174], value_6[5U], _S184);
(&found_0)->sums_0[5U] = _S185;
float _S186 = fma((*kernelContext_5->weights_0)[_S176], value_6[6U], _S185);
(&found_0)->sums_0[5U] = _S186;
(&found_0)->sums_0[5U] = fma((*kernelContext_5->weights_0)[_S178], _S179, _S186);
k_1 = _S164;
}
for(;;)
{
if(k_1 < _S43)
{
}
else
{
break;
}
float _S187 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_13, i_13, k_1, kernelContext_5);
(&found_0)->sums_0[5U] = fma((*kernelContext_5->weights_0)[k_1], _S187, (&found_0)->sums_0[5U]);
k_1 = k_1 + 1U;
}
break;
}
break;
}
for(;;)
{
for(;;)
{
uint i_14 = lane_2 + 384U;
if(i_14 >= (kernelContext_5->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S188 = k_1 + 8U;
if(_S188 <= _S43)
{
}
else
{
break;
}
thread array<float, int(8)> value_7;
float _S189 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_14, i_14, k_1, kernelContext_5);
value_7[0U] = _S189;
uint _S190 = k_1 + 1U;
float _S191 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S190 * kernelContext_5->p_0->headLength_0 + i_14, i_14, _S190, kernelContext_5);
value_7[1U] = _S191;
uint _S192 = k_1 + 2U;
float _S193 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S192 * kernelContext_5->p_0->headLength_0 + i_14, i_14, _S192, kernelContext_5);
value_7[2U] = _S193;
uint _S194 = k_1 + 3U;
float _S195 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S194 * kernelContext_5->p_0->headLength_0 + i_14, i_14, _S194, kernelContext_5);
value_7[3U] = _S195;
uint _S196 = k_1 + 4U;
float _S197 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S196 * kernelContext_5->p_0->headLength_0 + i_14, i_14, _S196, kernelContext_5);
value_7[4U] = _S197;
uint _S198 = k_1 + 5U;
float _S199 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S198 * kernelContext_5->p_0->headLength_0 + i_14, i_14, _S198, kernelContext_5);
value_7[5U] = _S199;
uint _S200 = k_1 + 6U;
float _S201 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S200 * kernelContext_5->p_0->headLength_0 + i_14, i_14, _S200, kernelContext_5);
value_7[6U] = _S201;
uint _S202 = k_1 + 7U;
float _S203 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S202 * kernelContext_5->p_0->headLength_0 + i_14, i_14, _S202, kernelContext_5);
value_7[7U] = _S203;
float _S204 = fma((*kernelContext_5->weights_0)[k_1], value_7[0U], (&found_0)->sums_0[6U]);
(&found_0)->sums_0[6U] = _S204;
float _S205 = fma((*kernelContext_5->weights_0)[_S190], value_7[1U], _S204);
(&found_0)->sums_0[6U] = _S205;
float _S206 = fma((*kernelContext_5->weights_0)[_S192], value_7[2U], _S205);
(&found_0)->sums_0[6U] = _S206;
float _S207 = fma((*kernelContext_5->weights_0)[_S194], value_7[3U], _S206);
(&found_0)->sums_0[6U] = _S207;
float _S208 = fma((*kernelContext_5->weights_0)[_S196], value_7[4U], _S207);
(&found_0)->sums_0[6U] = _S208;
float _S209 = fma((*kernelContext_5->weights_0)[_S198], value_7[5U], _S208);
(&found_0)->sums_0[6U] = _S209;
float _S210 = fma((*kernelContext_5->weights_0)[_S200], value_7[6U], _S209);
(&found_0)->sums_0[6U] = _S210;
(&found_0)->sums_0[6U] = fma((*kernelContext_5->weights_0)[_S202], _S203, _S210);
k_1 = _S188;
}
for(;;)
{
if(k_1 < _S43)
{
}
else
{
break;
}
float _S211 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_14, i_14, k_1, kernelContext_5);
(&found_0)->sums_0[6U] = fma((*kernelContext_5->weights_0)[k_1], _S211, (&found_0)->sums_0[6U]);
k_1 = k_1 + 1U;
}
break;
}
break;
}
for(;;)
{
for(;;)
{
uint i_15 = lane_2 + 448U;
if(i_15 >= (kernelContext_5->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S212 = k_1 + 8U;
if(_S212 <= _S43)
{
}
else
{
break;
}
thread array<float, int(8)> value_8;
float _S213 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_15, i_15, k_1, kernelContext_5);
value_8[0U] = _S213;
uint _S214 = k_1 + 1U;
float _S215 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S214 * kernelContext_5->p_0->headLength_0 + i_15, i_15, _S214, kernelContext_5);
value_8[1U] = _S215;
uint _S216 = k_1 + 2U;
float _S217 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S216 * kernelContext_5->p_0->headLength_0 + i_15, i_15, _S216, kernelContext_5);
value_8[2U] = _S217;
uint _S218 = k_1 + 3U;
float _S219 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S218 * kernelContext_5->p_0->headLength_0 + i_15, i_15, _S218, kernelContext_5);
value_8[3U] = _S219;
uint _S220 = k_1 + 4U;
float _S221 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S220 * kernelContext_5->p_0->headLength_0 + i_15, i_15, _S220, kernelContext_5);
value_8[4U] = _S221;
uint _S222 = k_1 + 5U;
float _S223 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S222 * kernelContext_5->p_0->headLength_0 + i_15, i_15, _S222, kernelContext_5);
value_8[5U] = _S223;
uint _S224 = k_1 + 6U;
float _S225 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S224 * kernelContext_5->p_0->headLength_0 + i_15, i_15, _S224, kernelContext_5);
value_8[6U] = _S225;
uint _S226 = k_1 + 7U;
float _S227 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S226 * kernelContext_5->p_0->headLength_0 + i_15, i_15, _S226, kernelContext_5);
value_8[7U] = _S227;
float _S228 = fma((*kernelContext_5->weights_0)[k_1], value_8[0U], (&found_0)->sums_0[7U]);
(&found_0)->sums_0[7U] = _S228;
float _S229 = fma((*kernelContext_5->weights_0)[_S214], value_8[1U], _S228);
(&found_0)->sums_0[7U] = _S229;
float _S230 = fma((*kernelContext_5->weights_0)[_S216], value_8[2U], _S229);
(&found_0)->sums_0[7U] = _S230;
float _S231 = fma((*kernelContext_5->weights_0)[_S218], value_8[3U], _S230);
(&found_0)->sums_0[7U] = _S231;
float _S232 = fma((*kernelContext_5->weights_0)[_S220], value_8[4U], _S231);
(&found_0)->sums_0[7U] = _S232;
float _S233 = fma((*kernelContext_5->weights_0)[_S222], value_8[5U], _S232);
(&found_0)->sums_0[7U] = _S233;
float _S234 = fma((*kernelContext_5->weights_0)[_S224], value_8[6U], _S233);
(&found_0)->sums_0[7U] = _S234;
(&found_0)->sums_0[7U] = fma((*kernelContext_5->weights_0)[_S226], _S227, _S234);
k_1 = _S212;
}
for(;;)
{
if(k_1 < _S43)
{
}
else
{
break;
}
float _S235 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + i_15, i_15, k_1, kernelContext_5);
(&found_0)->sums_0[7U] = fma((*kernelContext_5->weights_0)[k_1], _S235, (&found_0)->sums_0[7U]);
k_1 = k_1 + 1U;
}
break;
}
break;
}
break;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
return found_0;
}
void join_0(Gathered_0 thread* all_1, const Gathered_0 thread* page_1)
{
float _S236 = max(all_1->top_0[0U], page_1->top_0[0U]);
float fade_2 = exp(all_1->top_0[0U] - _S236);
float weight_0 = exp(page_1->top_0[0U] - _S236);
all_1->total_0[0U] = fma(page_1->total_0[0U], weight_0, all_1->total_0[0U] * fade_2);
all_1->sums_0[0U] = fma(page_1->sums_0[0U], weight_0, all_1->sums_0[0U] * fade_2);
all_1->sums_0[1U] = fma(page_1->sums_0[1U], weight_0, all_1->sums_0[1U] * fade_2);
all_1->sums_0[2U] = fma(page_1->sums_0[2U], weight_0, all_1->sums_0[2U] * fade_2);
all_1->sums_0[3U] = fma(page_1->sums_0[3U], weight_0, all_1->sums_0[3U] * fade_2);
all_1->sums_0[4U] = fma(page_1->sums_0[4U], weight_0, all_1->sums_0[4U] * fade_2);
all_1->sums_0[5U] = fma(page_1->sums_0[5U], weight_0, all_1->sums_0[5U] * fade_2);
all_1->sums_0[6U] = fma(page_1->sums_0[6U], weight_0, all_1->sums_0[6U] * fade_2);
all_1->sums_0[7U] = fma(page_1->sums_0[7U], weight_0, all_1->sums_0[7U] * fade_2);
all_1->top_0[0U] = _S236;
return;
}
Gathered_0 nothing_0()
{
thread Gathered_0 none_0;
(&none_0)->top_0[0U] = -3.4028234663852886e+38f;
(&none_0)->total_0[0U] = 0.0f;
(&none_0)->sums_0[0U] = 0.0f;
(&none_0)->sums_0[1U] = 0.0f;
(&none_0)->sums_0[2U] = 0.0f;
(&none_0)->sums_0[3U] = 0.0f;
(&none_0)->sums_0[4U] = 0.0f;
(&none_0)->sums_0[5U] = 0.0f;
(&none_0)->sums_0[6U] = 0.0f;
(&none_0)->sums_0[7U] = 0.0f;
return none_0;
}
void loadQueries_0(uint head_3, uint token_1, uint lane_3, KernelContext_0 thread* kernelContext_6)
{
uint factor_0 = (uint4(*(kernelContext_6->tokens_0+token_1)) ).w;
float _S237;
if(factor_0 != 0U)
{
_S237 = kernelContext_6->p_0->scale_0 * (as_type<float>((factor_0)));
}
else
{
_S237 = kernelContext_6->p_0->scale_0;
}
for(;;)
{
for(;;)
{
for(;;)
{
uint _S238 = token_1 * kernelContext_6->p_0->queryStride_0 + head_3 * kernelContext_6->p_0->queryStep_0 * kernelContext_6->p_0->headLength_0;
uint i_16 = lane_3;
for(;;)
{
if(i_16 < (kernelContext_6->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_6->query_0)[i_16] = kernelContext_6->queries_0[_S238 + i_16] * _S237;
i_16 = i_16 + 64U;
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
void attention_0(uint3 group_0, uint lane_4, KernelContext_0 thread* kernelContext_7)
{
uint _S239 = group_0.x;
uint token_2 = group_0.y;
uint4 _S240 = uint4(*(kernelContext_7->tokens_0+token_2)) ;
loadQueries_0(_S239, token_2, lane_4, kernelContext_7);
thread Gathered_0 all_2 = nothing_0();
uint page_2 = _S240.y / 64U;
for(;;)
{
if((page_2 * 64U) < (_S240.z))
{
}
else
{
break;
}
Gathered_0 _S241 = gather_0(page_2, _S240, _S239, lane_4, kernelContext_7);
thread Gathered_0 _S242 = _S241;
join_0(&all_2, &_S242);
page_2 = page_2 + 1U;
}
thread Gathered_0 _S243 = all_2;
write_0(&_S243, _S239, token_2, lane_4, kernelContext_7);
return;
}
[[kernel]] void attention_q8_0(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], Parameters_0 constant* p_1 [[buffer(7)]], float device* sinks_1 [[buffer(6)]], float device* outputs_1 [[buffer(5)]], uint device* pages_1 [[buffer(3)]], ushort device* keys_1 [[buffer(1)]], ushort device* values_1 [[buffer(2)]], packed_uint4 device* tokens_1 [[buffer(4)]], float device* queries_1 [[buffer(0)]])
{
thread KernelContext_0 kernelContext_8;
(&kernelContext_8)->p_0 = p_1;
(&kernelContext_8)->sinks_0 = sinks_1;
(&kernelContext_8)->outputs_0 = outputs_1;
(&kernelContext_8)->pages_0 = pages_1;
(&kernelContext_8)->keys_0 = keys_1;
(&kernelContext_8)->values_0 = values_1;
(&kernelContext_8)->tokens_0 = tokens_1;
(&kernelContext_8)->queries_0 = queries_1;
threadgroup array<float, int(512)> query_1;
(&kernelContext_8)->query_0 = &query_1;
threadgroup array<float, int(64)> lanes_1;
(&kernelContext_8)->lanes_0 = &lanes_1;
threadgroup array<float, int(256)> weights_1;
(&kernelContext_8)->weights_0 = &weights_1;
attention_0(group_1, local_0.x, &kernelContext_8);
return;
}
"""#)
}
#endif
