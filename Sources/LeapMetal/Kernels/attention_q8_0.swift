// attention_q8_0 of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_q8_0 = MetalKernelText(
        module: "attention", entry: "attention_q8_0", sourcesSHA256: "3556f30b37fbe51dd698ef2f69f4f8446160a5889dc8deed96c9c6124c9edc83",
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
uint _S17 = k_1 + 16U;
if(_S17 <= (kernelContext_5->p_0->headLength_0))
{
}
else
{
break;
}
thread array<float, int(16)> key_0;
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
uint _S33 = k_1 + 8U;
float _S34 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S33 * 64U + lane_2, _S33, lane_2, kernelContext_5);
key_0[8U] = _S34;
uint _S35 = k_1 + 9U;
float _S36 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S35 * 64U + lane_2, _S35, lane_2, kernelContext_5);
key_0[9U] = _S36;
uint _S37 = k_1 + 10U;
float _S38 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S37 * 64U + lane_2, _S37, lane_2, kernelContext_5);
key_0[10U] = _S38;
uint _S39 = k_1 + 11U;
float _S40 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S39 * 64U + lane_2, _S39, lane_2, kernelContext_5);
key_0[11U] = _S40;
uint _S41 = k_1 + 12U;
float _S42 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S41 * 64U + lane_2, _S41, lane_2, kernelContext_5);
key_0[12U] = _S42;
uint _S43 = k_1 + 13U;
float _S44 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S43 * 64U + lane_2, _S43, lane_2, kernelContext_5);
key_0[13U] = _S44;
uint _S45 = k_1 + 14U;
float _S46 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S45 * 64U + lane_2, _S45, lane_2, kernelContext_5);
key_0[14U] = _S46;
uint _S47 = k_1 + 15U;
float _S48 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, _S47 * 64U + lane_2, _S47, lane_2, kernelContext_5);
key_0[15U] = _S48;
float _S49 = fma((*kernelContext_5->query_0)[k_1], key_0[0U], scores_0[0U]);
scores_0[0U] = _S49;
float _S50 = fma((*kernelContext_5->query_0)[_S19], key_0[1U], _S49);
scores_0[0U] = _S50;
float _S51 = fma((*kernelContext_5->query_0)[_S21], key_0[2U], _S50);
scores_0[0U] = _S51;
float _S52 = fma((*kernelContext_5->query_0)[_S23], key_0[3U], _S51);
scores_0[0U] = _S52;
float _S53 = fma((*kernelContext_5->query_0)[_S25], key_0[4U], _S52);
scores_0[0U] = _S53;
float _S54 = fma((*kernelContext_5->query_0)[_S27], key_0[5U], _S53);
scores_0[0U] = _S54;
float _S55 = fma((*kernelContext_5->query_0)[_S29], key_0[6U], _S54);
scores_0[0U] = _S55;
float _S56 = fma((*kernelContext_5->query_0)[_S31], key_0[7U], _S55);
scores_0[0U] = _S56;
float _S57 = fma((*kernelContext_5->query_0)[_S33], key_0[8U], _S56);
scores_0[0U] = _S57;
float _S58 = fma((*kernelContext_5->query_0)[_S35], key_0[9U], _S57);
scores_0[0U] = _S58;
float _S59 = fma((*kernelContext_5->query_0)[_S37], key_0[10U], _S58);
scores_0[0U] = _S59;
float _S60 = fma((*kernelContext_5->query_0)[_S39], key_0[11U], _S59);
scores_0[0U] = _S60;
float _S61 = fma((*kernelContext_5->query_0)[_S41], key_0[12U], _S60);
scores_0[0U] = _S61;
float _S62 = fma((*kernelContext_5->query_0)[_S43], key_0[13U], _S61);
scores_0[0U] = _S62;
float _S63 = fma((*kernelContext_5->query_0)[_S45], key_0[14U], _S62);
scores_0[0U] = _S63;
scores_0[0U] = fma((*kernelContext_5->query_0)[_S47], _S48, _S63);
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
float _S64 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S13, k_1 * 64U + lane_2, k_1, lane_2, kernelContext_5);
scores_0[0U] = fma((*kernelContext_5->query_0)[k_1], _S64, scores_0[0U]);
k_1 = k_1 + 1U;
}
float _S65 = capped_0(scores_0[0U], kernelContext_5);
scores_0[0U] = _S65;
}
float _S66 = largest_0(scores_0[0U], lane_2, kernelContext_5);
(&found_0)->top_0[0U] = _S66;
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
uint _S67 = min(seen_0.z - _S14, 64U);
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
if(k_1 < _S67)
{
}
else
{
break;
}
(&found_0)->total_0[0U] = (&found_0)->total_0[0U] + (*kernelContext_5->weights_0)[k_1];
k_1 = k_1 + 1U;
}
k_1 = first_0;
for(;;)
{
uint _S68 = k_1 + 8U;
if(_S68 <= _S67)
{
}
else
{
break;
}
thread array<float, int(64)> value_1;
if(0U < (kernelContext_5->p_0->headLength_0))
{
uint _S69 = min(lane_2, kernelContext_5->p_0->headLength_0 - 1U);
float _S70 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S69, _S69, k_1, kernelContext_5);
value_1[0U] = _S70;
uint _S71 = k_1 + 1U;
float _S72 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S71 * kernelContext_5->p_0->headLength_0 + _S69, _S69, _S71, kernelContext_5);
value_1[1U] = _S72;
uint _S73 = k_1 + 2U;
float _S74 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S73 * kernelContext_5->p_0->headLength_0 + _S69, _S69, _S73, kernelContext_5);
value_1[2U] = _S74;
uint _S75 = k_1 + 3U;
float _S76 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S75 * kernelContext_5->p_0->headLength_0 + _S69, _S69, _S75, kernelContext_5);
value_1[3U] = _S76;
uint _S77 = k_1 + 4U;
float _S78 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S77 * kernelContext_5->p_0->headLength_0 + _S69, _S69, _S77, kernelContext_5);
value_1[4U] = _S78;
uint _S79 = k_1 + 5U;
float _S80 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S79 * kernelContext_5->p_0->headLength_0 + _S69, _S69, _S79, kernelContext_5);
value_1[5U] = _S80;
uint _S81 = k_1 + 6U;
float _S82 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S81 * kernelContext_5->p_0->headLength_0 + _S69, _S69, _S81, kernelContext_5);
value_1[6U] = _S82;
uint _S83 = k_1 + 7U;
float _S84 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S83 * kernelContext_5->p_0->headLength_0 + _S69, _S69, _S83, kernelContext_5);
value_1[7U] = _S84;
}
if(64U < (kernelContext_5->p_0->headLength_0))
{
uint _S85 = min(lane_2 + 64U, kernelContext_5->p_0->headLength_0 - 1U);
float _S86 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S85, _S85, k_1, kernelContext_5);
value_1[8U] = _S86;
uint _S87 = k_1 + 1U;
float _S88 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S87 * kernelContext_5->p_0->headLength_0 + _S85, _S85, _S87, kernelContext_5);
value_1[9U] = _S88;
uint _S89 = k_1 + 2U;
float _S90 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S89 * kernelContext_5->p_0->headLength_0 + _S85, _S85, _S89, kernelContext_5);
value_1[10U] = _S90;
uint _S91 = k_1 + 3U;
float _S92 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S91 * kernelContext_5->p_0->headLength_0 + _S85, _S85, _S91, kernelContext_5);
value_1[11U] = _S92;
uint _S93 = k_1 + 4U;
float _S94 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S93 * kernelContext_5->p_0->headLength_0 + _S85, _S85, _S93, kernelContext_5);
value_1[12U] = _S94;
uint _S95 = k_1 + 5U;
float _S96 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S95 * kernelContext_5->p_0->headLength_0 + _S85, _S85, _S95, kernelContext_5);
value_1[13U] = _S96;
uint _S97 = k_1 + 6U;
float _S98 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S97 * kernelContext_5->p_0->headLength_0 + _S85, _S85, _S97, kernelContext_5);
value_1[14U] = _S98;
uint _S99 = k_1 + 7U;
float _S100 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S99 * kernelContext_5->p_0->headLength_0 + _S85, _S85, _S99, kernelContext_5);
value_1[15U] = _S100;
}
if(128U < (kernelContext_5->p_0->headLength_0))
{
uint _S101 = min(lane_2 + 128U, kernelContext_5->p_0->headLength_0 - 1U);
float _S102 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S101, _S101, k_1, kernelContext_5);
value_1[16U] = _S102;
uint _S103 = k_1 + 1U;
float _S104 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S103 * kernelContext_5->p_0->headLength_0 + _S101, _S101, _S103, kernelContext_5);
value_1[17U] = _S104;
uint _S105 = k_1 + 2U;
float _S106 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S105 * kernelContext_5->p_0->headLength_0 + _S101, _S101, _S105, kernelContext_5);
value_1[18U] = _S106;
uint _S107 = k_1 + 3U;
float _S108 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S107 * kernelContext_5->p_0->headLength_0 + _S101, _S101, _S107, kernelContext_5);
value_1[19U] = _S108;
uint _S109 = k_1 + 4U;
float _S110 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S109 * kernelContext_5->p_0->headLength_0 + _S101, _S101, _S109, kernelContext_5);
value_1[20U] = _S110;
uint _S111 = k_1 + 5U;
float _S112 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S111 * kernelContext_5->p_0->headLength_0 + _S101, _S101, _S111, kernelContext_5);
value_1[21U] = _S112;
uint _S113 = k_1 + 6U;
float _S114 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S113 * kernelContext_5->p_0->headLength_0 + _S101, _S101, _S113, kernelContext_5);
value_1[22U] = _S114;
uint _S115 = k_1 + 7U;
float _S116 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S115 * kernelContext_5->p_0->headLength_0 + _S101, _S101, _S115, kernelContext_5);
value_1[23U] = _S116;
}
if(192U < (kernelContext_5->p_0->headLength_0))
{
uint _S117 = min(lane_2 + 192U, kernelContext_5->p_0->headLength_0 - 1U);
float _S118 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S117, _S117, k_1, kernelContext_5);
value_1[24U] = _S118;
uint _S119 = k_1 + 1U;
float _S120 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S119 * kernelContext_5->p_0->headLength_0 + _S117, _S117, _S119, kernelContext_5);
value_1[25U] = _S120;
uint _S121 = k_1 + 2U;
float _S122 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S121 * kernelContext_5->p_0->headLength_0 + _S117, _S117, _S121, kernelContext_5);
value_1[26U] = _S122;
uint _S123 = k_1 + 3U;
float _S124 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S123 * kernelContext_5->p_0->headLength_0 + _S117, _S117, _S123, kernelContext_5);
value_1[27U] = _S124;
uint _S125 = k_1 + 4U;
float _S126 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S125 * kernelContext_5->p_0->headLength_0 + _S117, _S117, _S125, kernelContext_5);
value_1[28U] = _S126;
uint _S127 = k_1 + 5U;
float _S128 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S127 * kernelContext_5->p_0->headLength_0 + _S117, _S117, _S127, kernelContext_5);
value_1[29U] = _S128;
uint _S129 = k_1 + 6U;
float _S130 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S129 * kernelContext_5->p_0->headLength_0 + _S117, _S117, _S129, kernelContext_5);
value_1[30U] = _S130;
uint _S131 = k_1 + 7U;
float _S132 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S131 * kernelContext_5->p_0->headLength_0 + _S117, _S117, _S131, kernelContext_5);
value_1[31U] = _S132;
}
if(256U < (kernelContext_5->p_0->headLength_0))
{
uint _S133 = min(lane_2 + 256U, kernelContext_5->p_0->headLength_0 - 1U);
float _S134 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S133, _S133, k_1, kernelContext_5);
value_1[32U] = _S134;
uint _S135 = k_1 + 1U;
float _S136 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S135 * kernelContext_5->p_0->headLength_0 + _S133, _S133, _S135, kernelContext_5);
value_1[33U] = _S136;
uint _S137 = k_1 + 2U;
float _S138 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S137 * kernelContext_5->p_0->headLength_0 + _S133, _S133, _S137, kernelContext_5);
value_1[34U] = _S138;
uint _S139 = k_1 + 3U;
float _S140 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S139 * kernelContext_5->p_0->headLength_0 + _S133, _S133, _S139, kernelContext_5);
value_1[35U] = _S140;
uint _S141 = k_1 + 4U;
float _S142 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S141 * kernelContext_5->p_0->headLength_0 + _S133, _S133, _S141, kernelContext_5);
value_1[36U] = _S142;
uint _S143 = k_1 + 5U;
float _S144 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S143 * kernelContext_5->p_0->headLength_0 + _S133, _S133, _S143, kernelContext_5);
value_1[37U] = _S144;
uint _S145 = k_1 + 6U;
float _S146 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S145 * kernelContext_5->p_0->headLength_0 + _S133, _S133, _S145, kernelContext_5);
value_1[38U] = _S146;
uint _S147 = k_1 + 7U;
float _S148 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S147 * kernelContext_5->p_0->headLength_0 + _S133, _S133, _S147, kernelContext_5);
value_1[39U] = _S148;
}
if(320U < (kernelContext_5->p_0->headLength_0))
{
uint _S149 = min(lane_2 + 320U, kernelContext_5->p_0->headLength_0 - 1U);
float _S150 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S149, _S149, k_1, kernelContext_5);
value_1[40U] = _S150;
uint _S151 = k_1 + 1U;
float _S152 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S151 * kernelContext_5->p_0->headLength_0 + _S149, _S149, _S151, kernelContext_5);
value_1[41U] = _S152;
uint _S153 = k_1 + 2U;
float _S154 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S153 * kernelContext_5->p_0->headLength_0 + _S149, _S149, _S153, kernelContext_5);
value_1[42U] = _S154;
uint _S155 = k_1 + 3U;
float _S156 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S155 * kernelContext_5->p_0->headLength_0 + _S149, _S149, _S155, kernelContext_5);
value_1[43U] = _S156;
uint _S157 = k_1 + 4U;
float _S158 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S157 * kernelContext_5->p_0->headLength_0 + _S149, _S149, _S157, kernelContext_5);
value_1[44U] = _S158;
uint _S159 = k_1 + 5U;
float _S160 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S159 * kernelContext_5->p_0->headLength_0 + _S149, _S149, _S159, kernelContext_5);
value_1[45U] = _S160;
uint _S161 = k_1 + 6U;
float _S162 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S161 * kernelContext_5->p_0->headLength_0 + _S149, _S149, _S161, kernelContext_5);
value_1[46U] = _S162;
uint _S163 = k_1 + 7U;
float _S164 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S163 * kernelContext_5->p_0->headLength_0 + _S149, _S149, _S163, kernelContext_5);
value_1[47U] = _S164;
}
if(384U < (kernelContext_5->p_0->headLength_0))
{
uint _S165 = min(lane_2 + 384U, kernelContext_5->p_0->headLength_0 - 1U);
float _S166 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S165, _S165, k_1, kernelContext_5);
value_1[48U] = _S166;
uint _S167 = k_1 + 1U;
float _S168 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S167 * kernelContext_5->p_0->headLength_0 + _S165, _S165, _S167, kernelContext_5);
value_1[49U] = _S168;
uint _S169 = k_1 + 2U;
float _S170 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S169 * kernelContext_5->p_0->headLength_0 + _S165, _S165, _S169, kernelContext_5);
value_1[50U] = _S170;
uint _S171 = k_1 + 3U;
float _S172 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S171 * kernelContext_5->p_0->headLength_0 + _S165, _S165, _S171, kernelContext_5);
value_1[51U] = _S172;
uint _S173 = k_1 + 4U;
float _S174 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S173 * kernelContext_5->p_0->headLength_0 + _S165, _S165, _S173, kernelContext_5);
value_1[52U] = _S174;
uint _S175 = k_1 + 5U;
float _S176 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S175 * kernelContext_5->p_0->headLength_0 + _S165, _S165, _S175, kernelContext_5);
value_1[53U] = _S176;
uint _S177 = k_1 + 6U;
float _S178 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S177 * kernelContext_5->p_0->headLength_0 + _S165, _S165, _S177, kernelContext_5);
value_1[54U] = _S178;
uint _S179 = k_1 + 7U;
float _S180 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S179 * kernelContext_5->p_0->headLength_0 + _S165, _S165, _S179, kernelContext_5);
value_1[55U] = _S180;
}
if(448U < (kernelContext_5->p_0->headLength_0))
{
uint _S181 = min(lane_2 + 448U, kernelContext_5->p_0->headLength_0 - 1U);
float _S182 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S181, _S181, k_1, kernelContext_5);
value_1[56U] = _S182;
uint _S183 = k_1 + 1U;
float _S184 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S183 * kernelContext_5->p_0->headLength_0 + _S181, _S181, _S183, kernelContext_5);
value_1[57U] = _S184;
uint _S185 = k_1 + 2U;
float _S186 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S185 * kernelContext_5->p_0->headLength_0 + _S181, _S181, _S185, kernelContext_5);
value_1[58U] = _S186;
uint _S187 = k_1 + 3U;
float _S188 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S187 * kernelContext_5->p_0->headLength_0 + _S181, _S181, _S187, kernelContext_5);
value_1[59U] = _S188;
uint _S189 = k_1 + 4U;
float _S190 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S189 * kernelContext_5->p_0->headLength_0 + _S181, _S181, _S189, kernelContext_5);
value_1[60U] = _S190;
uint _S191 = k_1 + 5U;
float _S192 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S191 * kernelContext_5->p_0->headLength_0 + _S181, _S181, _S191, kernelContext_5);
value_1[61U] = _S192;
uint _S193 = k_1 + 6U;
float _S194 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S193 * kernelContext_5->p_0->headLength_0 + _S181, _S181, _S193, kernelContext_5);
value_1[62U] = _S194;
uint _S195 = k_1 + 7U;
float _S196 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, _S195 * kernelContext_5->p_0->headLength_0 + _S181, _S181, _S195, kernelContext_5);
value_1[63U] = _S196;
}
if(0U < (kernelContext_5->p_0->headLength_0))
{
float _S197 = fma((*kernelContext_5->weights_0)[k_1], value_1[0U], (&found_0)->sums_0[0U]);
(&found_0)->sums_0[0U] = _S197;
float _S198 = fma((*kernelContext_5->weights_0)[k_1 + 1U], value_1[1U], _S197);
(&found_0)->sums_0[0U] = _S198;
float _S199 = fma((*kernelContext_5->weights_0)[k_1 + 2U], value_1[2U], _S198);
(&found_0)->sums_0[0U] = _S199;
float _S200 = fma((*kernelContext_5->weights_0)[k_1 + 3U], value_1[3U], _S199);
(&found_0)->sums_0[0U] = _S200;
float _S201 = fma((*kernelContext_5->weights_0)[k_1 + 4U], value_1[4U], _S200);
(&found_0)->sums_0[0U] = _S201;
float _S202 = fma((*kernelContext_5->weights_0)[k_1 + 5U], value_1[5U], _S201);
(&found_0)->sums_0[0U] = _S202;
float _S203 = fma((*kernelContext_5->weights_0)[k_1 + 6U], value_1[6U], _S202);
(&found_0)->sums_0[0U] = _S203;
(&found_0)->sums_0[0U] = fma((*kernelContext_5->weights_0)[k_1 + 7U], value_1[7U], _S203);
}
if(64U < (kernelContext_5->p_0->headLength_0))
{
float _S204 = fma((*kernelContext_5->weights_0)[k_1], value_1[8U], (&found_0)->sums_0[1U]);
(&found_0)->sums_0[1U] = _S204;
float _S205 = fma((*kernelContext_5->weights_0)[k_1 + 1U], value_1[9U], _S204);
(&found_0)->sums_0[1U] = _S205;
float _S206 = fma((*kernelContext_5->weights_0)[k_1 + 2U], value_1[10U], _S205);
(&found_0)->sums_0[1U] = _S206;
float _S207 = fma((*kernelContext_5->weights_0)[k_1 + 3U], value_1[11U], _S206);
(&found_0)->sums_0[1U] = _S207;
float _S208 = fma((*kernelContext_5->weights_0)[k_1 + 4U], value_1[12U], _S207);
(&found_0)->sums_0[1U] = _S208;
float _S209 = fma((*kernelContext_5->weights_0)[k_1 + 5U], value_1[13U], _S208);
(&found_0)->sums_0[1U] = _S209;
float _S210 = fma((*kernelContext_5->weights_0)[k_1 + 6U], value_1[14U], _S209);
(&found_0)->sums_0[1U] = _S210;
(&found_0)->sums_0[1U] = fma((*kernelContext_5->weights_0)[k_1 + 7U], value_1[15U], _S210);
}
if(128U < (kernelContext_5->p_0->headLength_0))
{
float _S211 = fma((*kernelContext_5->weights_0)[k_1], value_1[16U], (&found_0)->sums_0[2U]);
(&found_0)->sums_0[2U] = _S211;
float _S212 = fma((*kernelContext_5->weights_0)[k_1 + 1U], value_1[17U], _S211);
(&found_0)->sums_0[2U] = _S212;
float _S213 = fma((*kernelContext_5->weights_0)[k_1 + 2U], value_1[18U], _S212);
(&found_0)->sums_0[2U] = _S213;
float _S214 = fma((*kernelContext_5->weights_0)[k_1 + 3U], value_1[19U], _S213);
(&found_0)->sums_0[2U] = _S214;
float _S215 = fma((*kernelContext_5->weights_0)[k_1 + 4U], value_1[20U], _S214);
(&found_0)->sums_0[2U] = _S215;
float _S216 = fma((*kernelContext_5->weights_0)[k_1 + 5U], value_1[21U], _S215);
(&found_0)->sums_0[2U] = _S216;
float _S217 = fma((*kernelContext_5->weights_0)[k_1 + 6U], value_1[22U], _S216);
(&found_0)->sums_0[2U] = _S217;
(&found_0)->sums_0[2U] = fma((*kernelContext_5->weights_0)[k_1 + 7U], value_1[23U], _S217);
}
if(192U < (kernelContext_5->p_0->headLength_0))
{
float _S218 = fma((*kernelContext_5->weights_0)[k_1], value_1[24U], (&found_0)->sums_0[3U]);
(&found_0)->sums_0[3U] = _S218;
float _S219 = fma((*kernelContext_5->weights_0)[k_1 + 1U], value_1[25U], _S218);
(&found_0)->sums_0[3U] = _S219;
float _S220 = fma((*kernelContext_5->weights_0)[k_1 + 2U], value_1[26U], _S219);
(&found_0)->sums_0[3U] = _S220;
float _S221 = fma((*kernelContext_5->weights_0)[k_1 + 3U], value_1[27U], _S220);
(&found_0)->sums_0[3U] = _S221;
float _S222 = fma((*kernelContext_5->weights_0)[k_1 + 4U], value_1[28U], _S221);
(&found_0)->sums_0[3U] = _S222;
float _S223 = fma((*kernelContext_5->weights_0)[k_1 + 5U], value_1[29U], _S222);
(&found_0)->sums_0[3U] = _S223;
float _S224 = fma((*kernelContext_5->weights_0)[k_1 + 6U], value_1[30U], _S223);
(&found_0)->sums_0[3U] = _S224;
(&found_0)->sums_0[3U] = fma((*kernelContext_5->weights_0)[k_1 + 7U], value_1[31U], _S224);
}
if(256U < (kernelContext_5->p_0->headLength_0))
{
float _S225 = fma((*kernelContext_5->weights_0)[k_1], value_1[32U], (&found_0)->sums_0[4U]);
(&found_0)->sums_0[4U] = _S225;
float _S226 = fma((*kernelContext_5->weights_0)[k_1 + 1U], value_1[33U], _S225);
(&found_0)->sums_0[4U] = _S226;
float _S227 = fma((*kernelContext_5->weights_0)[k_1 + 2U], value_1[34U], _S226);
(&found_0)->sums_0[4U] = _S227;
float _S228 = fma((*kernelContext_5->weights_0)[k_1 + 3U], value_1[35U], _S227);
(&found_0)->sums_0[4U] = _S228;
float _S229 = fma((*kernelContext_5->weights_0)[k_1 + 4U], value_1[36U], _S228);
(&found_0)->sums_0[4U] = _S229;
float _S230 = fma((*kernelContext_5->weights_0)[k_1 + 5U], value_1[37U], _S229);
(&found_0)->sums_0[4U] = _S230;
float _S231 = fma((*kernelContext_5->weights_0)[k_1 + 6U], value_1[38U], _S230);
(&found_0)->sums_0[4U] = _S231;
(&found_0)->sums_0[4U] = fma((*kernelContext_5->weights_0)[k_1 + 7U], value_1[39U], _S231);
}
if(320U < (kernelContext_5->p_0->headLength_0))
{
float _S232 = fma((*kernelContext_5->weights_0)[k_1], value_1[40U], (&found_0)->sums_0[5U]);
(&found_0)->sums_0[5U] = _S232;
float _S233 = fma((*kernelContext_5->weights_0)[k_1 + 1U], value_1[41U], _S232);
(&found_0)->sums_0[5U] = _S233;
float _S234 = fma((*kernelContext_5->weights_0)[k_1 + 2U], value_1[42U], _S233);
(&found_0)->sums_0[5U] = _S234;
float _S235 = fma((*kernelContext_5->weights_0)[k_1 + 3U], value_1[43U], _S234);
(&found_0)->sums_0[5U] = _S235;
float _S236 = fma((*kernelContext_5->weights_0)[k_1 + 4U], value_1[44U], _S235);
(&found_0)->sums_0[5U] = _S236;
float _S237 = fma((*kernelContext_5->weights_0)[k_1 + 5U], value_1[45U], _S236);
(&found_0)->sums_0[5U] = _S237;
float _S238 = fma((*kernelContext_5->weights_0)[k_1 + 6U], value_1[46U], _S237);
(&found_0)->sums_0[5U] = _S238;
(&found_0)->sums_0[5U] = fma((*kernelContext_5->weights_0)[k_1 + 7U], value_1[47U], _S238);
}
if(384U < (kernelContext_5->p_0->headLength_0))
{
float _S239 = fma((*kernelContext_5->weights_0)[k_1], value_1[48U], (&found_0)->sums_0[6U]);
(&found_0)->sums_0[6U] = _S239;
float _S240 = fma((*kernelContext_5->weights_0)[k_1 + 1U], value_1[49U], _S239);
(&found_0)->sums_0[6U] = _S240;
float _S241 = fma((*kernelContext_5->weights_0)[k_1 + 2U], value_1[50U], _S240);
(&found_0)->sums_0[6U] = _S241;
float _S242 = fma((*kernelContext_5->weights_0)[k_1 + 3U], value_1[51U], _S241);
(&found_0)->sums_0[6U] = _S242;
float _S243 = fma((*kernelContext_5->weights_0)[k_1 + 4U], value_1[52U], _S242);
(&found_0)->sums_0[6U] = _S243;
float _S244 = fma((*kernelContext_5->weights_0)[k_1 + 5U], value_1[53U], _S243);
(&found_0)->sums_0[6U] = _S244;
float _S245 = fma((*kernelContext_5->weights_0)[k_1 + 6U], value_1[54U], _S244);
(&found_0)->sums_0[6U] = _S245;
(&found_0)->sums_0[6U] = fma((*kernelContext_5->weights_0)[k_1 + 7U], value_1[55U], _S245);
}
if(448U < (kernelContext_5->p_0->headLength_0))
{
float _S246 = fma((*kernelContext_5->weights_0)[k_1], value_1[56U], (&found_0)->sums_0[7U]);
(&found_0)->sums_0[7U] = _S246;
float _S247 = fma((*kernelContext_5->weights_0)[k_1 + 1U], value_1[57U], _S246);
(&found_0)->sums_0[7U] = _S247;
float _S248 = fma((*kernelContext_5->weights_0)[k_1 + 2U], value_1[58U], _S247);
(&found_0)->sums_0[7U] = _S248;
float _S249 = fma((*kernelContext_5->weights_0)[k_1 + 3U], value_1[59U], _S248);
(&found_0)->sums_0[7U] = _S249;
float _S250 = fma((*kernelContext_5->weights_0)[k_1 + 4U], value_1[60U], _S249);
(&found_0)->sums_0[7U] = _S250;
float _S251 = fma((*kernelContext_5->weights_0)[k_1 + 5U], value_1[61U], _S250);
(&found_0)->sums_0[7U] = _S251;
float _S252 = fma((*kernelContext_5->weights_0)[k_1 + 6U], value_1[62U], _S251);
(&found_0)->sums_0[7U] = _S252;
(&found_0)->sums_0[7U] = fma((*kernelContext_5->weights_0)[k_1 + 7U], value_1[63U], _S252);
}
k_1 = _S68;
}
for(;;)
{
if(k_1 < _S67)
{
}
else
{
break;
}
if(0U < (kernelContext_5->p_0->headLength_0))
{
uint _S253 = min(lane_2, kernelContext_5->p_0->headLength_0 - 1U);
float _S254 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S253, _S253, k_1, kernelContext_5);
(&found_0)->sums_0[0U] = fma((*kernelContext_5->weights_0)[k_1], _S254, (&found_0)->sums_0[0U]);
}
if(64U < (kernelContext_5->p_0->headLength_0))
{
uint _S255 = min(lane_2 + 64U, kernelContext_5->p_0->headLength_0 - 1U);
float _S256 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S255, _S255, k_1, kernelContext_5);
(&found_0)->sums_0[1U] = fma((*kernelContext_5->weights_0)[k_1], _S256, (&found_0)->sums_0[1U]);
}
if(128U < (kernelContext_5->p_0->headLength_0))
{
uint _S257 = min(lane_2 + 128U, kernelContext_5->p_0->headLength_0 - 1U);
float _S258 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S257, _S257, k_1, kernelContext_5);
(&found_0)->sums_0[2U] = fma((*kernelContext_5->weights_0)[k_1], _S258, (&found_0)->sums_0[2U]);
}
if(192U < (kernelContext_5->p_0->headLength_0))
{
uint _S259 = min(lane_2 + 192U, kernelContext_5->p_0->headLength_0 - 1U);
float _S260 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S259, _S259, k_1, kernelContext_5);
(&found_0)->sums_0[3U] = fma((*kernelContext_5->weights_0)[k_1], _S260, (&found_0)->sums_0[3U]);
}
if(256U < (kernelContext_5->p_0->headLength_0))
{
uint _S261 = min(lane_2 + 256U, kernelContext_5->p_0->headLength_0 - 1U);
float _S262 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S261, _S261, k_1, kernelContext_5);
(&found_0)->sums_0[4U] = fma((*kernelContext_5->weights_0)[k_1], _S262, (&found_0)->sums_0[4U]);
}
if(320U < (kernelContext_5->p_0->headLength_0))
{
uint _S263 = min(lane_2 + 320U, kernelContext_5->p_0->headLength_0 - 1U);
float _S264 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S263, _S263, k_1, kernelContext_5);
(&found_0)->sums_0[5U] = fma((*kernelContext_5->weights_0)[k_1], _S264, (&found_0)->sums_0[5U]);
}
if(384U < (kernelContext_5->p_0->headLength_0))
{
uint _S265 = min(lane_2 + 384U, kernelContext_5->p_0->headLength_0 - 1U);
float _S266 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S265, _S265, k_1, kernelContext_5);
(&found_0)->sums_0[6U] = fma((*kernelContext_5->weights_0)[k_1], _S266, (&found_0)->sums_0[6U]);
}
if(448U < (kernelContext_5->p_0->headLength_0))
{
uint _S267 = min(lane_2 + 448U, kernelContext_5->p_0->headLength_0 - 1U);
float _S268 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S13, k_1 * kernelContext_5->p_0->headLength_0 + _S267, _S267, k_1, kernelContext_5);
(&found_0)->sums_0[7U] = fma((*kernelContext_5->weights_0)[k_1], _S268, (&found_0)->sums_0[7U]);
}
k_1 = k_1 + 1U;
}
return found_0;
}
void join_0(Gathered_0 thread* all_1, const Gathered_0 thread* page_1)
{
float _S269 = max(all_1->top_0[0U], page_1->top_0[0U]);
float fade_2 = exp(all_1->top_0[0U] - _S269);
float weight_0 = exp(page_1->top_0[0U] - _S269);
all_1->total_0[0U] = fma(page_1->total_0[0U], weight_0, all_1->total_0[0U] * fade_2);
all_1->sums_0[0U] = fma(page_1->sums_0[0U], weight_0, all_1->sums_0[0U] * fade_2);
all_1->sums_0[1U] = fma(page_1->sums_0[1U], weight_0, all_1->sums_0[1U] * fade_2);
all_1->sums_0[2U] = fma(page_1->sums_0[2U], weight_0, all_1->sums_0[2U] * fade_2);
all_1->sums_0[3U] = fma(page_1->sums_0[3U], weight_0, all_1->sums_0[3U] * fade_2);
all_1->sums_0[4U] = fma(page_1->sums_0[4U], weight_0, all_1->sums_0[4U] * fade_2);
all_1->sums_0[5U] = fma(page_1->sums_0[5U], weight_0, all_1->sums_0[5U] * fade_2);
all_1->sums_0[6U] = fma(page_1->sums_0[6U], weight_0, all_1->sums_0[6U] * fade_2);
all_1->sums_0[7U] = fma(page_1->sums_0[7U], weight_0, all_1->sums_0[7U] * fade_2);
all_1->top_0[0U] = _S269;
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
float _S270;
if(factor_0 != 0U)
{
_S270 = kernelContext_6->p_0->scale_0 * (as_type<float>((factor_0)));
}
else
{
_S270 = kernelContext_6->p_0->scale_0;
}
for(;;)
{
for(;;)
{
for(;;)
{
uint _S271 = token_1 * kernelContext_6->p_0->queryStride_0 + head_3 * kernelContext_6->p_0->queryStep_0 * kernelContext_6->p_0->headLength_0;
uint i_9 = lane_3;
for(;;)
{
if(i_9 < (kernelContext_6->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_6->query_0)[i_9] = kernelContext_6->queries_0[_S271 + i_9] * _S270;
i_9 = i_9 + 64U;
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
uint _S272 = group_0.x;
uint token_2 = group_0.y;
uint4 _S273 = uint4(*(kernelContext_7->tokens_0+token_2)) ;
loadQueries_0(_S272, token_2, lane_4, kernelContext_7);
thread Gathered_0 all_2 = nothing_0();
uint page_2 = _S273.y / 64U;
for(;;)
{
if((page_2 * 64U) < (_S273.z))
{
}
else
{
break;
}
Gathered_0 _S274 = gather_0(page_2, _S273, _S272, lane_4, kernelContext_7);
thread Gathered_0 _S275 = _S274;
join_0(&all_2, &_S275);
page_2 = page_2 + 1U;
}
thread Gathered_0 _S276 = all_2;
write_0(&_S276, _S272, token_2, lane_4, kernelContext_7);
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
