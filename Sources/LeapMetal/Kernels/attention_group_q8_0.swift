// attention_group_q8_0 of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_group_q8_0 = MetalKernelText(
        module: "attention", entry: "attention_group_q8_0", sourcesSHA256: "a86a14943121f1a12314fa2739d30a18f5e7c30fe0d62522739f202bac40cf79",
        compiler: "slangc 2026.14.1", threads: [64, 1, 1], buffers: [0, 1, 2, 3, 4, 5, 6], constants: 7,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct Gathered_0
{
array<float, int(4)> top_0;
array<float, int(4)> total_0;
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
float _S5 = all_0->total_0[1U];
if((kernelContext_0->p_0->hasSinks_0) != 0U)
{
uint _S6 = head_0 + 1U;
float _S7 = max(all_0->top_0[1U], kernelContext_0->sinks_0[_S6]);
float fade_2 = exp(all_0->top_0[1U] - _S7);
float _S8 = fma(_S5, fade_2, exp(kernelContext_0->sinks_0[_S6] - _S7));
fade_0 = fade_2;
total_1 = _S8;
}
else
{
fade_0 = 1.0f;
total_1 = _S5;
}
uint _S9 = (token_0 * kernelContext_0->p_0->heads_0 + head_0 + 1U) * kernelContext_0->p_0->headLength_0;
if(lane_0 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S9 + lane_0)) = all_0->sums_0[2U] * fade_0 / total_1;
}
if(i_0 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S9 + i_0)) = all_0->sums_0[3U] * fade_0 / total_1;
}
float _S10 = all_0->total_0[2U];
if((kernelContext_0->p_0->hasSinks_0) != 0U)
{
uint _S11 = head_0 + 2U;
float _S12 = max(all_0->top_0[2U], kernelContext_0->sinks_0[_S11]);
float fade_3 = exp(all_0->top_0[2U] - _S12);
float _S13 = fma(_S10, fade_3, exp(kernelContext_0->sinks_0[_S11] - _S12));
fade_0 = fade_3;
total_1 = _S13;
}
else
{
fade_0 = 1.0f;
total_1 = _S10;
}
uint _S14 = (token_0 * kernelContext_0->p_0->heads_0 + head_0 + 2U) * kernelContext_0->p_0->headLength_0;
if(lane_0 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S14 + lane_0)) = all_0->sums_0[4U] * fade_0 / total_1;
}
if(i_0 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S14 + i_0)) = all_0->sums_0[5U] * fade_0 / total_1;
}
float _S15 = all_0->total_0[3U];
if((kernelContext_0->p_0->hasSinks_0) != 0U)
{
uint _S16 = head_0 + 3U;
float _S17 = max(all_0->top_0[3U], kernelContext_0->sinks_0[_S16]);
float fade_4 = exp(all_0->top_0[3U] - _S17);
float _S18 = fma(_S15, fade_4, exp(kernelContext_0->sinks_0[_S16] - _S17));
fade_0 = fade_4;
total_1 = _S18;
}
else
{
fade_0 = 1.0f;
total_1 = _S15;
}
uint _S19 = (token_0 * kernelContext_0->p_0->heads_0 + head_0 + 3U) * kernelContext_0->p_0->headLength_0;
if(lane_0 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S19 + lane_0)) = all_0->sums_0[6U] * fade_0 / total_1;
}
if(i_0 < (kernelContext_0->p_0->headLength_0))
{
*(kernelContext_0->outputs_0+(_S19 + i_0)) = all_0->sums_0[7U] * fade_0 / total_1;
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
int i_1 = int(0);
for(;;)
{
if(i_1 < int(2))
{
}
else
{
break;
}
result_0[i_1] = (as_type<half>((ushort)((value_0[i_1]))));
i_1 = i_1 + int(1);
}
return result_0;
}
float half16_0(ushort device* from_0, uint at_0)
{
uint _S20 = uint(from_0[at_0]);
return f16tof32_0(uint2(_S20 & 65535U, _S20 >> 16U)).x;
}
float Code_read_0(ushort device* from_1, uint head_1, uint index_0, uint i_2, uint k_0, KernelContext_0 thread* kernelContext_2)
{
return float(int(uint(from_1[head_1 + (index_0 >> 1U)]) << (24U - 8U * (index_0 & 1U))) >> 24U) * half16_0(from_1, head_1 + kernelContext_2->p_0->headLength_0 * 32U + (i_2 >> 5U) * 64U + k_0);
}
float capped_0(float score_0, KernelContext_0 thread* kernelContext_3)
{
float _S21;
if((kernelContext_3->p_0->softcap_0) > 0.0f)
{
_S21 = kernelContext_3->p_0->softcap_0 * (1.0f - 2.0f / (exp(2.0f * score_0 / kernelContext_3->p_0->softcap_0) + 1.0f));
}
else
{
_S21 = score_0;
}
return _S21;
}
float largest_0(float v_0, uint lane_1, KernelContext_0 thread* kernelContext_4)
{
float _S22 = v_0;
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
(*kernelContext_4->lanes_0)[lane_1] = _S22;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S23 = max(_S22, (*kernelContext_4->lanes_0)[lane_1 ^ step_0]);
threadgroup_barrier(mem_flags::mem_threadgroup);
uint step_1 = step_0 >> 1U;
_S22 = _S23;
step_0 = step_1;
}
return _S22;
}
Gathered_0 gather_0(uint page_0, uint4 seen_0, uint head_2, uint lane_2, KernelContext_0 thread* kernelContext_5)
{
uint _S24 = kernelContext_5->pages_0[seen_0.x + page_0];
uint _S25 = kernelContext_5->p_0->heads_0 / kernelContext_5->p_0->keyHeads_0;
uint _S26 = head_2 / _S25;
uint _S27 = Code_headWords_0(kernelContext_5);
uint _S28 = _S24 + _S26 * _S27;
uint _S29 = page_0 * 64U;
uint position_0 = _S29 + lane_2;
uint _S30 = seen_0.y;
bool sees_0;
if(position_0 >= _S30)
{
sees_0 = position_0 < (seen_0.z);
}
else
{
sees_0 = false;
}
thread Gathered_0 found_0;
thread array<float, int(4)> scores_0;
float _S31;
if(sees_0)
{
_S31 = 0.0f;
}
else
{
_S31 = -3.4028234663852886e+38f;
}
scores_0[0U] = _S31;
if(sees_0)
{
_S31 = 0.0f;
}
else
{
_S31 = -3.4028234663852886e+38f;
}
scores_0[1U] = _S31;
if(sees_0)
{
_S31 = 0.0f;
}
else
{
_S31 = -3.4028234663852886e+38f;
}
scores_0[2U] = _S31;
if(sees_0)
{
_S31 = 0.0f;
}
else
{
_S31 = -3.4028234663852886e+38f;
}
scores_0[3U] = _S31;
uint k_1;
if(sees_0)
{
k_1 = 0U;
for(;;)
{
uint _S32 = k_1 + 8U;
if(_S32 <= (kernelContext_5->p_0->headLength_0))
{
}
else
{
break;
}
thread array<float, int(8)> key_0;
float _S33 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S28, k_1 * 64U + lane_2, k_1, lane_2, kernelContext_5);
key_0[0U] = _S33;
uint _S34 = k_1 + 1U;
float _S35 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S28, _S34 * 64U + lane_2, _S34, lane_2, kernelContext_5);
key_0[1U] = _S35;
uint _S36 = k_1 + 2U;
float _S37 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S28, _S36 * 64U + lane_2, _S36, lane_2, kernelContext_5);
key_0[2U] = _S37;
uint _S38 = k_1 + 3U;
float _S39 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S28, _S38 * 64U + lane_2, _S38, lane_2, kernelContext_5);
key_0[3U] = _S39;
uint _S40 = k_1 + 4U;
float _S41 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S28, _S40 * 64U + lane_2, _S40, lane_2, kernelContext_5);
key_0[4U] = _S41;
uint _S42 = k_1 + 5U;
float _S43 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S28, _S42 * 64U + lane_2, _S42, lane_2, kernelContext_5);
key_0[5U] = _S43;
uint _S44 = k_1 + 6U;
float _S45 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S28, _S44 * 64U + lane_2, _S44, lane_2, kernelContext_5);
key_0[6U] = _S45;
uint _S46 = k_1 + 7U;
float _S47 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S28, _S46 * 64U + lane_2, _S46, lane_2, kernelContext_5);
key_0[7U] = _S47;
float _S48 = fma((*kernelContext_5->query_0)[k_1], key_0[0U], scores_0[0U]);
scores_0[0U] = _S48;
float _S49 = fma((*kernelContext_5->query_0)[_S34], key_0[1U], _S48);
scores_0[0U] = _S49;
float _S50 = fma((*kernelContext_5->query_0)[_S36], key_0[2U], _S49);
scores_0[0U] = _S50;
float _S51 = fma((*kernelContext_5->query_0)[_S38], key_0[3U], _S50);
scores_0[0U] = _S51;
float _S52 = fma((*kernelContext_5->query_0)[_S40], key_0[4U], _S51);
scores_0[0U] = _S52;
float _S53 = fma((*kernelContext_5->query_0)[_S42], key_0[5U], _S52);
scores_0[0U] = _S53;
float _S54 = fma((*kernelContext_5->query_0)[_S44], key_0[6U], _S53);
scores_0[0U] = _S54;
scores_0[0U] = fma((*kernelContext_5->query_0)[_S46], _S47, _S54);
float _S55 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1], key_0[0U], scores_0[1U]);
scores_0[1U] = _S55;
float _S56 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 1U], key_0[1U], _S55);
scores_0[1U] = _S56;
float _S57 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 2U], key_0[2U], _S56);
scores_0[1U] = _S57;
float _S58 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 3U], key_0[3U], _S57);
scores_0[1U] = _S58;
float _S59 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 4U], key_0[4U], _S58);
scores_0[1U] = _S59;
float _S60 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 5U], key_0[5U], _S59);
scores_0[1U] = _S60;
float _S61 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 6U], key_0[6U], _S60);
scores_0[1U] = _S61;
scores_0[1U] = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 7U], _S47, _S61);
float _S62 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1], key_0[0U], scores_0[2U]);
scores_0[2U] = _S62;
float _S63 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 1U], key_0[1U], _S62);
scores_0[2U] = _S63;
float _S64 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 2U], key_0[2U], _S63);
scores_0[2U] = _S64;
float _S65 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 3U], key_0[3U], _S64);
scores_0[2U] = _S65;
float _S66 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 4U], key_0[4U], _S65);
scores_0[2U] = _S66;
float _S67 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 5U], key_0[5U], _S66);
scores_0[2U] = _S67;
float _S68 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 6U], key_0[6U], _S67);
scores_0[2U] = _S68;
scores_0[2U] = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 7U], _S47, _S68);
float _S69 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1], key_0[0U], scores_0[3U]);
scores_0[3U] = _S69;
float _S70 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 1U], key_0[1U], _S69);
scores_0[3U] = _S70;
float _S71 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 2U], key_0[2U], _S70);
scores_0[3U] = _S71;
float _S72 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 3U], key_0[3U], _S71);
scores_0[3U] = _S72;
float _S73 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 4U], key_0[4U], _S72);
scores_0[3U] = _S73;
float _S74 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 5U], key_0[5U], _S73);
scores_0[3U] = _S74;
float _S75 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 6U], key_0[6U], _S74);
scores_0[3U] = _S75;
scores_0[3U] = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 7U], _S47, _S75);
k_1 = _S32;
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
float _S76 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S28, k_1 * 64U + lane_2, k_1, lane_2, kernelContext_5);
scores_0[0U] = fma((*kernelContext_5->query_0)[k_1], _S76, scores_0[0U]);
scores_0[1U] = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1], _S76, scores_0[1U]);
scores_0[2U] = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1], _S76, scores_0[2U]);
scores_0[3U] = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1], _S76, scores_0[3U]);
k_1 = k_1 + 1U;
}
float _S77 = capped_0(scores_0[0U], kernelContext_5);
scores_0[0U] = _S77;
float _S78 = capped_0(scores_0[1U], kernelContext_5);
scores_0[1U] = _S78;
float _S79 = capped_0(scores_0[2U], kernelContext_5);
scores_0[2U] = _S79;
float _S80 = capped_0(scores_0[3U], kernelContext_5);
scores_0[3U] = _S80;
}
float _S81 = largest_0(scores_0[0U], lane_2, kernelContext_5);
(&found_0)->top_0[0U] = _S81;
if(sees_0)
{
_S31 = exp(scores_0[0U] - (&found_0)->top_0[0U]);
}
else
{
_S31 = 0.0f;
}
(*kernelContext_5->weights_0)[lane_2] = _S31;
float _S82 = largest_0(scores_0[1U], lane_2, kernelContext_5);
(&found_0)->top_0[1U] = _S82;
if(sees_0)
{
_S31 = exp(scores_0[1U] - (&found_0)->top_0[1U]);
}
else
{
_S31 = 0.0f;
}
(*kernelContext_5->weights_0)[64U + lane_2] = _S31;
float _S83 = largest_0(scores_0[2U], lane_2, kernelContext_5);
(&found_0)->top_0[2U] = _S83;
if(sees_0)
{
_S31 = exp(scores_0[2U] - (&found_0)->top_0[2U]);
}
else
{
_S31 = 0.0f;
}
(*kernelContext_5->weights_0)[128U + lane_2] = _S31;
float _S84 = largest_0(scores_0[3U], lane_2, kernelContext_5);
(&found_0)->top_0[3U] = _S84;
if(sees_0)
{
_S31 = exp(scores_0[3U] - (&found_0)->top_0[3U]);
}
else
{
_S31 = 0.0f;
}
(*kernelContext_5->weights_0)[192U + lane_2] = _S31;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint first_0 = max(_S30, _S29) - _S29;
uint _S85 = min(seen_0.z - _S29, 64U);
(&found_0)->total_0[0U] = 0.0f;
(&found_0)->total_0[1U] = 0.0f;
(&found_0)->total_0[2U] = 0.0f;
(&found_0)->total_0[3U] = 0.0f;
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
if(k_1 < _S85)
{
}
else
{
break;
}
(&found_0)->total_0[0U] = (&found_0)->total_0[0U] + (*kernelContext_5->weights_0)[k_1];
(&found_0)->total_0[1U] = (&found_0)->total_0[1U] + (*kernelContext_5->weights_0)[64U + k_1];
(&found_0)->total_0[2U] = (&found_0)->total_0[2U] + (*kernelContext_5->weights_0)[128U + k_1];
(&found_0)->total_0[3U] = (&found_0)->total_0[3U] + (*kernelContext_5->weights_0)[192U + k_1];
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
uint _S86 = k_1 + 8U;
if(_S86 <= _S85)
{
}
else
{
break;
}
thread array<float, int(8)> value_1;
float _S87 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, k_1 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, k_1, kernelContext_5);
value_1[0U] = _S87;
uint _S88 = k_1 + 1U;
float _S89 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S88 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S88, kernelContext_5);
value_1[1U] = _S89;
uint _S90 = k_1 + 2U;
float _S91 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S90 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S90, kernelContext_5);
value_1[2U] = _S91;
uint _S92 = k_1 + 3U;
float _S93 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S92 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S92, kernelContext_5);
value_1[3U] = _S93;
uint _S94 = k_1 + 4U;
float _S95 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S94 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S94, kernelContext_5);
value_1[4U] = _S95;
uint _S96 = k_1 + 5U;
float _S97 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S96 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S96, kernelContext_5);
value_1[5U] = _S97;
uint _S98 = k_1 + 6U;
float _S99 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S98 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S98, kernelContext_5);
value_1[6U] = _S99;
uint _S100 = k_1 + 7U;
float _S101 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S100 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, _S100, kernelContext_5);
value_1[7U] = _S101;
float _S102 = fma((*kernelContext_5->weights_0)[k_1], value_1[0U], (&found_0)->sums_0[0U]);
(&found_0)->sums_0[0U] = _S102;
float _S103 = fma((*kernelContext_5->weights_0)[_S88], value_1[1U], _S102);
(&found_0)->sums_0[0U] = _S103;
float _S104 = fma((*kernelContext_5->weights_0)[_S90], value_1[2U], _S103);
(&found_0)->sums_0[0U] = _S104;
float _S105 = fma((*kernelContext_5->weights_0)[_S92], value_1[3U], _S104);
(&found_0)->sums_0[0U] = _S105;
float _S106 = fma((*kernelContext_5->weights_0)[_S94], value_1[4U], _S105);
(&found_0)->sums_0[0U] = _S106;
float _S107 = fma((*kernelContext_5->weights_0)[_S96], value_1[5U], _S106);
(&found_0)->sums_0[0U] = _S107;
float _S108 = fma((*kernelContext_5->weights_0)[_S98], value_1[6U], _S107);
(&found_0)->sums_0[0U] = _S108;
(&found_0)->sums_0[0U] = fma((*kernelContext_5->weights_0)[_S100], _S101, _S108);
uint _S109 = 64U + k_1;
float _S110 = fma((*kernelContext_5->weights_0)[_S109], value_1[0U], (&found_0)->sums_0[2U]);
(&found_0)->sums_0[2U] = _S110;
float _S111 = fma((*kernelContext_5->weights_0)[_S109 + 1U], value_1[1U], _S110);
(&found_0)->sums_0[2U] = _S111;
float _S112 = fma((*kernelContext_5->weights_0)[_S109 + 2U], value_1[2U], _S111);
(&found_0)->sums_0[2U] = _S112;
float _S113 = fma((*kernelContext_5->weights_0)[_S109 + 3U], value_1[3U], _S112);
(&found_0)->sums_0[2U] = _S113;
float _S114 = fma((*kernelContext_5->weights_0)[_S109 + 4U], value_1[4U], _S113);
(&found_0)->sums_0[2U] = _S114;
float _S115 = fma((*kernelContext_5->weights_0)[_S109 + 5U], value_1[5U], _S114);
(&found_0)->sums_0[2U] = _S115;
float _S116 = fma((*kernelContext_5->weights_0)[_S109 + 6U], value_1[6U], _S115);
(&found_0)->sums_0[2U] = _S116;
(&found_0)->sums_0[2U] = fma((*kernelContext_5->weights_0)[_S109 + 7U], _S101, _S116);
uint _S117 = 128U + k_1;
float _S118 = fma((*kernelContext_5->weights_0)[_S117], value_1[0U], (&found_0)->sums_0[4U]);
(&found_0)->sums_0[4U] = _S118;
float _S119 = fma((*kernelContext_5->weights_0)[_S117 + 1U], value_1[1U], _S118);
(&found_0)->sums_0[4U] = _S119;
float _S120 = fma((*kernelContext_5->weights_0)[_S117 + 2U], value_1[2U], _S119);
(&found_0)->sums_0[4U] = _S120;
float _S121 = fma((*kernelContext_5->weights_0)[_S117 + 3U], value_1[3U], _S120);
(&found_0)->sums_0[4U] = _S121;
float _S122 = fma((*kernelContext_5->weights_0)[_S117 + 4U], value_1[4U], _S121);
(&found_0)->sums_0[4U] = _S122;
float _S123 = fma((*kernelContext_5->weights_0)[_S117 + 5U], value_1[5U], _S122);
(&found_0)->sums_0[4U] = _S123;
float _S124 = fma((*kernelContext_5->weights_0)[_S117 + 6U], value_1[6U], _S123);
(&found_0)->sums_0[4U] = _S124;
(&found_0)->sums_0[4U] = fma((*kernelContext_5->weights_0)[_S117 + 7U], _S101, _S124);
uint _S125 = 192U + k_1;
float _S126 = fma((*kernelContext_5->weights_0)[_S125], value_1[0U], (&found_0)->sums_0[6U]);
(&found_0)->sums_0[6U] = _S126;
float _S127 = fma((*kernelContext_5->weights_0)[_S125 + 1U], value_1[1U], _S126);
(&found_0)->sums_0[6U] = _S127;
float _S128 = fma((*kernelContext_5->weights_0)[_S125 + 2U], value_1[2U], _S127);
(&found_0)->sums_0[6U] = _S128;
float _S129 = fma((*kernelContext_5->weights_0)[_S125 + 3U], value_1[3U], _S128);
(&found_0)->sums_0[6U] = _S129;
float _S130 = fma((*kernelContext_5->weights_0)[_S125 + 4U], value_1[4U], _S129);
(&found_0)->sums_0[6U] = _S130;
float _S131 = fma((*kernelContext_5->weights_0)[_S125 + 5U], value_1[5U], _S130);
(&found_0)->sums_0[6U] = _S131;
float _S132 = fma((*kernelContext_5->weights_0)[_S125 + 6U], value_1[6U], _S131);
(&found_0)->sums_0[6U] = _S132;
(&found_0)->sums_0[6U] = fma((*kernelContext_5->weights_0)[_S125 + 7U], _S101, _S132);
k_1 = _S86;
}
for(;;)
{
if(k_1 < _S85)
{
}
else
{
break;
}
float _S133 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, k_1 * kernelContext_5->p_0->headLength_0 + lane_2, lane_2, k_1, kernelContext_5);
(&found_0)->sums_0[0U] = fma((*kernelContext_5->weights_0)[k_1], _S133, (&found_0)->sums_0[0U]);
(&found_0)->sums_0[2U] = fma((*kernelContext_5->weights_0)[64U + k_1], _S133, (&found_0)->sums_0[2U]);
(&found_0)->sums_0[4U] = fma((*kernelContext_5->weights_0)[128U + k_1], _S133, (&found_0)->sums_0[4U]);
(&found_0)->sums_0[6U] = fma((*kernelContext_5->weights_0)[192U + k_1], _S133, (&found_0)->sums_0[6U]);
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
uint i_3 = lane_2 + 64U;
if(i_3 >= (kernelContext_5->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S134 = k_1 + 8U;
if(_S134 <= _S85)
{
}
else
{
break;
}
thread array<float, int(8)> value_2;
float _S135 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, k_1 * kernelContext_5->p_0->headLength_0 + i_3, i_3, k_1, kernelContext_5);
value_2[0U] = _S135;
uint _S136 = k_1 + 1U;
float _S137 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S136 * kernelContext_5->p_0->headLength_0 + i_3, i_3, _S136, kernelContext_5);
value_2[1U] = _S137;
uint _S138 = k_1 + 2U;
float _S139 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S138 * kernelContext_5->p_0->headLength_0 + i_3, i_3, _S138, kernelContext_5);
value_2[2U] = _S139;
uint _S140 = k_1 + 3U;
float _S141 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S140 * kernelContext_5->p_0->headLength_0 + i_3, i_3, _S140, kernelContext_5);
value_2[3U] = _S141;
uint _S142 = k_1 + 4U;
float _S143 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S142 * kernelContext_5->p_0->headLength_0 + i_3, i_3, _S142, kernelContext_5);
value_2[4U] = _S143;
uint _S144 = k_1 + 5U;
float _S145 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S144 * kernelContext_5->p_0->headLength_0 + i_3, i_3, _S144, kernelContext_5);
value_2[5U] = _S145;
uint _S146 = k_1 + 6U;
float _S147 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S146 * kernelContext_5->p_0->headLength_0 + i_3, i_3, _S146, kernelContext_5);
value_2[6U] = _S147;
uint _S148 = k_1 + 7U;
float _S149 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, _S148 * kernelContext_5->p_0->headLength_0 + i_3, i_3, _S148, kernelContext_5);
value_2[7U] = _S149;
float _S150 = fma((*kernelContext_5->weights_0)[k_1], value_2[0U], (&found_0)->sums_0[1U]);
(&found_0)->sums_0[1U] = _S150;
float _S151 = fma((*kernelContext_5->weights_0)[_S136], value_2[1U], _S150);
(&found_0)->sums_0[1U] = _S151;
float _S152 = fma((*kernelContext_5->weights_0)[_S138], value_2[2U], _S151);
(&found_0)->sums_0[1U] = _S152;
float _S153 = fma((*kernelContext_5->weights_0)[_S140], value_2[3U], _S152);
(&found_0)->sums_0[1U] = _S153;
float _S154 = fma((*kernelContext_5->weights_0)[_S142], value_2[4U], _S153);
(&found_0)->sums_0[1U] = _S154;
float _S155 = fma((*kernelContext_5->weights_0)[_S144], value_2[5U], _S154);
(&found_0)->sums_0[1U] = _S155;
float _S156 = fma((*kernelContext_5->weights_0)[_S146], value_2[6U], _S155);
(&found_0)->sums_0[1U] = _S156;
(&found_0)->sums_0[1U] = fma((*kernelContext_5->weights_0)[_S148], _S149, _S156);
uint _S157 = 64U + k_1;
float _S158 = fma((*kernelContext_5->weights_0)[_S157], value_2[0U], (&found_0)->sums_0[3U]);
(&found_0)->sums_0[3U] = _S158;
float _S159 = fma((*kernelContext_5->weights_0)[_S157 + 1U], value_2[1U], _S158);
(&found_0)->sums_0[3U] = _S159;
float _S160 = fma((*kernelContext_5->weights_0)[_S157 + 2U], value_2[2U], _S159);
(&found_0)->sums_0[3U] = _S160;
float _S161 = fma((*kernelContext_5->weights_0)[_S157 + 3U], value_2[3U], _S160);
(&found_0)->sums_0[3U] = _S161;
float _S162 = fma((*kernelContext_5->weights_0)[_S157 + 4U], value_2[4U], _S161);
(&found_0)->sums_0[3U] = _S162;
float _S163 = fma((*kernelContext_5->weights_0)[_S157 + 5U], value_2[5U], _S162);
(&found_0)->sums_0[3U] = _S163;
float _S164 = fma((*kernelContext_5->weights_0)[_S157 + 6U], value_2[6U], _S163);
(&found_0)->sums_0[3U] = _S164;
(&found_0)->sums_0[3U] = fma((*kernelContext_5->weights_0)[_S157 + 7U], _S149, _S164);
uint _S165 = 128U + k_1;
float _S166 = fma((*kernelContext_5->weights_0)[_S165], value_2[0U], (&found_0)->sums_0[5U]);
(&found_0)->sums_0[5U] = _S166;
float _S167 = fma((*kernelContext_5->weights_0)[_S165 + 1U], value_2[1U], _S166);
(&found_0)->sums_0[5U] = _S167;
float _S168 = fma((*kernelContext_5->weights_0)[_S165 + 2U], value_2[2U], _S167);
(&found_0)->sums_0[5U] = _S168;
float _S169 = fma((*kernelContext_5->weights_0)[_S165 + 3U], value_2[3U], _S168);
(&found_0)->sums_0[5U] = _S169;
float _S170 = fma((*kernelContext_5->weights_0)[_S165 + 4U], value_2[4U], _S169);
(&found_0)->sums_0[5U] = _S170;
float _S171 = fma((*kernelContext_5->weights_0)[_S165 + 5U], value_2[5U], _S170);
(&found_0)->sums_0[5U] = _S171;
float _S172 = fma((*kernelContext_5->weights_0)[_S165 + 6U], value_2[6U], _S171);
(&found_0)->sums_0[5U] = _S172;
(&found_0)->sums_0[5U] = fma((*kernelContext_5->weights_0)[_S165 + 7U], _S149, _S172);
uint _S173 = 192U + k_1;
float _S174 = fma((*kernelContext_5->weights_0)[_S173], value_2[0U], (&found_0)->sums_0[7U]);
(&found_0)->sums_0[7U] = _S174;
float _S175 = fma((*kernelContext_5->weights_0)[_S173 + 1U], value_2[1U], _S174);
(&found_0)->sums_0[7U] = _S175;
float _S176 = fma((*kernelContext_5->weights_0)[_S173 + 2U], value_2[2U], _S175);
(&found_0)->sums_0[7U] = _S176;
float _S177 = fma((*kernelContext_5->weights_0)[_S173 + 3U], value_2[3U], _S176);
(&found_0)->sums_0[7U] = _S177;
float _S178 = fma((*kernelContext_5->weights_0)[_S173 + 4U], value_2[4U], _S177);
(&found_0)->sums_0[7U] = _S178;
float _S179 = fma((*kernelContext_5->weights_0)[_S173 + 5U], value_2[5U], _S178);
(&found_0)->sums_0[7U] = _S179;
float _S180 = fma((*kernelContext_5->weights_0)[_S173 + 6U], value_2[6U], _S179);
(&found_0)->sums_0[7U] = _S180;
(&found_0)->sums_0[7U] = fma((*kernelContext_5->weights_0)[_S173 + 7U], _S149, _S180);
k_1 = _S134;
}
for(;;)
{
if(k_1 < _S85)
{
}
else
{
break;
}
float _S181 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S28, k_1 * kernelContext_5->p_0->headLength_0 + i_3, i_3, k_1, kernelContext_5);
(&found_0)->sums_0[1U] = fma((*kernelContext_5->weights_0)[k_1], _S181, (&found_0)->sums_0[1U]);
(&found_0)->sums_0[3U] = fma((*kernelContext_5->weights_0)[64U + k_1], _S181, (&found_0)->sums_0[3U]);
(&found_0)->sums_0[5U] = fma((*kernelContext_5->weights_0)[128U + k_1], _S181, (&found_0)->sums_0[5U]);
(&found_0)->sums_0[7U] = fma((*kernelContext_5->weights_0)[192U + k_1], _S181, (&found_0)->sums_0[7U]);
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
float _S182 = max(all_1->top_0[0U], page_1->top_0[0U]);
float fade_5 = exp(all_1->top_0[0U] - _S182);
float weight_0 = exp(page_1->top_0[0U] - _S182);
all_1->total_0[0U] = fma(page_1->total_0[0U], weight_0, all_1->total_0[0U] * fade_5);
all_1->sums_0[0U] = fma(page_1->sums_0[0U], weight_0, all_1->sums_0[0U] * fade_5);
all_1->sums_0[1U] = fma(page_1->sums_0[1U], weight_0, all_1->sums_0[1U] * fade_5);
all_1->top_0[0U] = _S182;
float _S183 = max(all_1->top_0[1U], page_1->top_0[1U]);
float fade_6 = exp(all_1->top_0[1U] - _S183);
float weight_1 = exp(page_1->top_0[1U] - _S183);
all_1->total_0[1U] = fma(page_1->total_0[1U], weight_1, all_1->total_0[1U] * fade_6);
all_1->sums_0[2U] = fma(page_1->sums_0[2U], weight_1, all_1->sums_0[2U] * fade_6);
all_1->sums_0[3U] = fma(page_1->sums_0[3U], weight_1, all_1->sums_0[3U] * fade_6);
all_1->top_0[1U] = _S183;
float _S184 = max(all_1->top_0[2U], page_1->top_0[2U]);
float fade_7 = exp(all_1->top_0[2U] - _S184);
float weight_2 = exp(page_1->top_0[2U] - _S184);
all_1->total_0[2U] = fma(page_1->total_0[2U], weight_2, all_1->total_0[2U] * fade_7);
all_1->sums_0[4U] = fma(page_1->sums_0[4U], weight_2, all_1->sums_0[4U] * fade_7);
all_1->sums_0[5U] = fma(page_1->sums_0[5U], weight_2, all_1->sums_0[5U] * fade_7);
all_1->top_0[2U] = _S184;
float _S185 = max(all_1->top_0[3U], page_1->top_0[3U]);
float fade_8 = exp(all_1->top_0[3U] - _S185);
float weight_3 = exp(page_1->top_0[3U] - _S185);
all_1->total_0[3U] = fma(page_1->total_0[3U], weight_3, all_1->total_0[3U] * fade_8);
all_1->sums_0[6U] = fma(page_1->sums_0[6U], weight_3, all_1->sums_0[6U] * fade_8);
all_1->sums_0[7U] = fma(page_1->sums_0[7U], weight_3, all_1->sums_0[7U] * fade_8);
all_1->top_0[3U] = _S185;
return;
}
Gathered_0 nothing_0()
{
thread Gathered_0 none_0;
(&none_0)->top_0[0U] = -3.4028234663852886e+38f;
(&none_0)->total_0[0U] = 0.0f;
(&none_0)->top_0[1U] = -3.4028234663852886e+38f;
(&none_0)->total_0[1U] = 0.0f;
(&none_0)->top_0[2U] = -3.4028234663852886e+38f;
(&none_0)->total_0[2U] = 0.0f;
(&none_0)->top_0[3U] = -3.4028234663852886e+38f;
(&none_0)->total_0[3U] = 0.0f;
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
uint i_4;
uint factor_0 = (uint4(*(kernelContext_6->tokens_0+token_1)) ).w;
float _S186;
if(factor_0 != 0U)
{
_S186 = kernelContext_6->p_0->scale_0 * (as_type<float>((factor_0)));
}
else
{
_S186 = kernelContext_6->p_0->scale_0;
}
for(;;)
{
for(;;)
{
for(;;)
{
uint _S187 = token_1 * kernelContext_6->p_0->queryStride_0 + head_3 * kernelContext_6->p_0->queryStep_0 * kernelContext_6->p_0->headLength_0;
i_4 = lane_3;
for(;;)
{
if(i_4 < (kernelContext_6->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_6->query_0)[i_4] = kernelContext_6->queries_0[_S187 + i_4] * _S186;
i_4 = i_4 + 64U;
}
break;
}
break;
}
for(;;)
{
for(;;)
{
uint _S188 = token_1 * kernelContext_6->p_0->queryStride_0 + (head_3 + 1U) * kernelContext_6->p_0->queryStep_0 * kernelContext_6->p_0->headLength_0;
i_4 = lane_3;
for(;;)
{
if(i_4 < (kernelContext_6->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_6->query_0)[kernelContext_6->p_0->headLength_0 + i_4] = kernelContext_6->queries_0[_S188 + i_4] * _S186;
i_4 = i_4 + 64U;
}
break;
}
break;
}
for(;;)
{
for(;;)
{
uint _S189 = token_1 * kernelContext_6->p_0->queryStride_0 + (head_3 + 2U) * kernelContext_6->p_0->queryStep_0 * kernelContext_6->p_0->headLength_0;
i_4 = lane_3;
for(;;)
{
if(i_4 < (kernelContext_6->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_6->query_0)[2U * kernelContext_6->p_0->headLength_0 + i_4] = kernelContext_6->queries_0[_S189 + i_4] * _S186;
i_4 = i_4 + 64U;
}
break;
}
break;
}
for(;;)
{
for(;;)
{
uint _S190 = token_1 * kernelContext_6->p_0->queryStride_0 + (head_3 + 3U) * kernelContext_6->p_0->queryStep_0 * kernelContext_6->p_0->headLength_0;
i_4 = lane_3;
for(;;)
{
if(i_4 < (kernelContext_6->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_6->query_0)[3U * kernelContext_6->p_0->headLength_0 + i_4] = kernelContext_6->queries_0[_S190 + i_4] * _S186;
i_4 = i_4 + 64U;
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
uint head_4 = group_0.x * 4U;
uint token_2 = group_0.y;
uint4 _S191 = uint4(*(kernelContext_7->tokens_0+token_2)) ;
loadQueries_0(head_4, token_2, lane_4, kernelContext_7);
thread Gathered_0 all_2 = nothing_0();
uint page_2 = _S191.y / 64U;
for(;;)
{
if((page_2 * 64U) < (_S191.z))
{
}
else
{
break;
}
Gathered_0 _S192 = gather_0(page_2, _S191, head_4, lane_4, kernelContext_7);
thread Gathered_0 _S193 = _S192;
join_0(&all_2, &_S193);
page_2 = page_2 + 1U;
}
thread Gathered_0 _S194 = all_2;
write_0(&_S194, head_4, token_2, lane_4, kernelContext_7);
return;
}
[[kernel]] void attention_group_q8_0(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], Parameters_0 constant* p_1 [[buffer(7)]], float device* sinks_1 [[buffer(6)]], float device* outputs_1 [[buffer(5)]], uint device* pages_1 [[buffer(3)]], ushort device* keys_1 [[buffer(1)]], ushort device* values_1 [[buffer(2)]], packed_uint4 device* tokens_1 [[buffer(4)]], float device* queries_1 [[buffer(0)]])
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
