// attention_group_q8_0 of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_group_q8_0 = MetalKernelText(
        module: "attention", entry: "attention_group_q8_0", sourcesSHA256: "1ce66d3ac72a760fb48d33c913977f599a98bd935ff58168da9b2fb94c8722e1",
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
array<float, int(128)> threadgroup* lanes_0;
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
uint half_0 = 0U;
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
(*kernelContext_4->lanes_0)[half_0 + lane_1] = _S22;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S23 = max(_S22, (*kernelContext_4->lanes_0)[half_0 + (lane_1 ^ step_0)]);
uint _S24 = 64U - half_0;
uint step_1 = step_0 >> 1U;
half_0 = _S24;
_S22 = _S23;
step_0 = step_1;
}
return _S22;
}
Gathered_0 gather_0(uint page_0, uint4 seen_0, uint head_2, uint lane_2, KernelContext_0 thread* kernelContext_5)
{
uint _S25 = kernelContext_5->pages_0[seen_0.x + page_0];
uint _S26 = kernelContext_5->p_0->heads_0 / kernelContext_5->p_0->keyHeads_0;
uint _S27 = head_2 / _S26;
uint _S28 = Code_headWords_0(kernelContext_5);
uint _S29 = _S25 + _S27 * _S28;
uint _S30 = page_0 * 64U;
uint position_0 = _S30 + lane_2;
uint _S31 = seen_0.y;
bool sees_0;
if(position_0 >= _S31)
{
sees_0 = position_0 < (seen_0.z);
}
else
{
sees_0 = false;
}
thread Gathered_0 found_0;
thread array<float, int(4)> scores_0;
float _S32;
if(sees_0)
{
_S32 = 0.0f;
}
else
{
_S32 = -3.4028234663852886e+38f;
}
scores_0[0U] = _S32;
if(sees_0)
{
_S32 = 0.0f;
}
else
{
_S32 = -3.4028234663852886e+38f;
}
scores_0[1U] = _S32;
if(sees_0)
{
_S32 = 0.0f;
}
else
{
_S32 = -3.4028234663852886e+38f;
}
scores_0[2U] = _S32;
if(sees_0)
{
_S32 = 0.0f;
}
else
{
_S32 = -3.4028234663852886e+38f;
}
scores_0[3U] = _S32;
uint k_1;
if(sees_0)
{
k_1 = 0U;
for(;;)
{
uint _S33 = k_1 + 16U;
if(_S33 <= (kernelContext_5->p_0->headLength_0))
{
}
else
{
break;
}
thread array<float, int(16)> key_0;
float _S34 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, k_1 * 64U + lane_2, k_1, lane_2, kernelContext_5);
key_0[0U] = _S34;
uint _S35 = k_1 + 1U;
float _S36 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S35 * 64U + lane_2, _S35, lane_2, kernelContext_5);
key_0[1U] = _S36;
uint _S37 = k_1 + 2U;
float _S38 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S37 * 64U + lane_2, _S37, lane_2, kernelContext_5);
key_0[2U] = _S38;
uint _S39 = k_1 + 3U;
float _S40 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S39 * 64U + lane_2, _S39, lane_2, kernelContext_5);
key_0[3U] = _S40;
uint _S41 = k_1 + 4U;
float _S42 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S41 * 64U + lane_2, _S41, lane_2, kernelContext_5);
key_0[4U] = _S42;
uint _S43 = k_1 + 5U;
float _S44 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S43 * 64U + lane_2, _S43, lane_2, kernelContext_5);
key_0[5U] = _S44;
uint _S45 = k_1 + 6U;
float _S46 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S45 * 64U + lane_2, _S45, lane_2, kernelContext_5);
key_0[6U] = _S46;
uint _S47 = k_1 + 7U;
float _S48 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S47 * 64U + lane_2, _S47, lane_2, kernelContext_5);
key_0[7U] = _S48;
uint _S49 = k_1 + 8U;
float _S50 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S49 * 64U + lane_2, _S49, lane_2, kernelContext_5);
key_0[8U] = _S50;
uint _S51 = k_1 + 9U;
float _S52 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S51 * 64U + lane_2, _S51, lane_2, kernelContext_5);
key_0[9U] = _S52;
uint _S53 = k_1 + 10U;
float _S54 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S53 * 64U + lane_2, _S53, lane_2, kernelContext_5);
key_0[10U] = _S54;
uint _S55 = k_1 + 11U;
float _S56 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S55 * 64U + lane_2, _S55, lane_2, kernelContext_5);
key_0[11U] = _S56;
uint _S57 = k_1 + 12U;
float _S58 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S57 * 64U + lane_2, _S57, lane_2, kernelContext_5);
key_0[12U] = _S58;
uint _S59 = k_1 + 13U;
float _S60 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S59 * 64U + lane_2, _S59, lane_2, kernelContext_5);
key_0[13U] = _S60;
uint _S61 = k_1 + 14U;
float _S62 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S61 * 64U + lane_2, _S61, lane_2, kernelContext_5);
key_0[14U] = _S62;
uint _S63 = k_1 + 15U;
float _S64 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, _S63 * 64U + lane_2, _S63, lane_2, kernelContext_5);
key_0[15U] = _S64;
float _S65 = fma((*kernelContext_5->query_0)[k_1], key_0[0U], scores_0[0U]);
scores_0[0U] = _S65;
float _S66 = fma((*kernelContext_5->query_0)[_S35], key_0[1U], _S65);
scores_0[0U] = _S66;
float _S67 = fma((*kernelContext_5->query_0)[_S37], key_0[2U], _S66);
scores_0[0U] = _S67;
float _S68 = fma((*kernelContext_5->query_0)[_S39], key_0[3U], _S67);
scores_0[0U] = _S68;
float _S69 = fma((*kernelContext_5->query_0)[_S41], key_0[4U], _S68);
scores_0[0U] = _S69;
float _S70 = fma((*kernelContext_5->query_0)[_S43], key_0[5U], _S69);
scores_0[0U] = _S70;
float _S71 = fma((*kernelContext_5->query_0)[_S45], key_0[6U], _S70);
scores_0[0U] = _S71;
float _S72 = fma((*kernelContext_5->query_0)[_S47], key_0[7U], _S71);
scores_0[0U] = _S72;
float _S73 = fma((*kernelContext_5->query_0)[_S49], key_0[8U], _S72);
scores_0[0U] = _S73;
float _S74 = fma((*kernelContext_5->query_0)[_S51], key_0[9U], _S73);
scores_0[0U] = _S74;
float _S75 = fma((*kernelContext_5->query_0)[_S53], key_0[10U], _S74);
scores_0[0U] = _S75;
float _S76 = fma((*kernelContext_5->query_0)[_S55], key_0[11U], _S75);
scores_0[0U] = _S76;
float _S77 = fma((*kernelContext_5->query_0)[_S57], key_0[12U], _S76);
scores_0[0U] = _S77;
float _S78 = fma((*kernelContext_5->query_0)[_S59], key_0[13U], _S77);
scores_0[0U] = _S78;
float _S79 = fma((*kernelContext_5->query_0)[_S61], key_0[14U], _S78);
scores_0[0U] = _S79;
scores_0[0U] = fma((*kernelContext_5->query_0)[_S63], _S64, _S79);
float _S80 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1], key_0[0U], scores_0[1U]);
scores_0[1U] = _S80;
float _S81 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 1U], key_0[1U], _S80);
scores_0[1U] = _S81;
float _S82 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 2U], key_0[2U], _S81);
scores_0[1U] = _S82;
float _S83 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 3U], key_0[3U], _S82);
scores_0[1U] = _S83;
float _S84 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 4U], key_0[4U], _S83);
scores_0[1U] = _S84;
float _S85 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 5U], key_0[5U], _S84);
scores_0[1U] = _S85;
float _S86 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 6U], key_0[6U], _S85);
scores_0[1U] = _S86;
float _S87 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 7U], key_0[7U], _S86);
scores_0[1U] = _S87;
float _S88 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 8U], key_0[8U], _S87);
scores_0[1U] = _S88;
float _S89 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 9U], key_0[9U], _S88);
scores_0[1U] = _S89;
float _S90 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 10U], key_0[10U], _S89);
scores_0[1U] = _S90;
float _S91 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 11U], key_0[11U], _S90);
scores_0[1U] = _S91;
float _S92 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 12U], key_0[12U], _S91);
scores_0[1U] = _S92;
float _S93 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 13U], key_0[13U], _S92);
scores_0[1U] = _S93;
float _S94 = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 14U], key_0[14U], _S93);
scores_0[1U] = _S94;
scores_0[1U] = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1 + 15U], _S64, _S94);
float _S95 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1], key_0[0U], scores_0[2U]);
scores_0[2U] = _S95;
float _S96 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 1U], key_0[1U], _S95);
scores_0[2U] = _S96;
float _S97 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 2U], key_0[2U], _S96);
scores_0[2U] = _S97;
float _S98 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 3U], key_0[3U], _S97);
scores_0[2U] = _S98;
float _S99 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 4U], key_0[4U], _S98);
scores_0[2U] = _S99;
float _S100 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 5U], key_0[5U], _S99);
scores_0[2U] = _S100;
float _S101 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 6U], key_0[6U], _S100);
scores_0[2U] = _S101;
float _S102 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 7U], key_0[7U], _S101);
scores_0[2U] = _S102;
float _S103 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 8U], key_0[8U], _S102);
scores_0[2U] = _S103;
float _S104 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 9U], key_0[9U], _S103);
scores_0[2U] = _S104;
float _S105 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 10U], key_0[10U], _S104);
scores_0[2U] = _S105;
float _S106 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 11U], key_0[11U], _S105);
scores_0[2U] = _S106;
float _S107 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 12U], key_0[12U], _S106);
scores_0[2U] = _S107;
float _S108 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 13U], key_0[13U], _S107);
scores_0[2U] = _S108;
float _S109 = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 14U], key_0[14U], _S108);
scores_0[2U] = _S109;
scores_0[2U] = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1 + 15U], _S64, _S109);
float _S110 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1], key_0[0U], scores_0[3U]);
scores_0[3U] = _S110;
float _S111 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 1U], key_0[1U], _S110);
scores_0[3U] = _S111;
float _S112 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 2U], key_0[2U], _S111);
scores_0[3U] = _S112;
float _S113 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 3U], key_0[3U], _S112);
scores_0[3U] = _S113;
float _S114 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 4U], key_0[4U], _S113);
scores_0[3U] = _S114;
float _S115 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 5U], key_0[5U], _S114);
scores_0[3U] = _S115;
float _S116 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 6U], key_0[6U], _S115);
scores_0[3U] = _S116;
float _S117 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 7U], key_0[7U], _S116);
scores_0[3U] = _S117;
float _S118 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 8U], key_0[8U], _S117);
scores_0[3U] = _S118;
float _S119 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 9U], key_0[9U], _S118);
scores_0[3U] = _S119;
float _S120 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 10U], key_0[10U], _S119);
scores_0[3U] = _S120;
float _S121 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 11U], key_0[11U], _S120);
scores_0[3U] = _S121;
float _S122 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 12U], key_0[12U], _S121);
scores_0[3U] = _S122;
float _S123 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 13U], key_0[13U], _S122);
scores_0[3U] = _S123;
float _S124 = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 14U], key_0[14U], _S123);
scores_0[3U] = _S124;
scores_0[3U] = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1 + 15U], _S64, _S124);
k_1 = _S33;
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
float _S125 = Code_read_0(kernelContext_5->keys_0, kernelContext_5->p_0->keyStart_0 + _S29, k_1 * 64U + lane_2, k_1, lane_2, kernelContext_5);
scores_0[0U] = fma((*kernelContext_5->query_0)[k_1], _S125, scores_0[0U]);
scores_0[1U] = fma((*kernelContext_5->query_0)[kernelContext_5->p_0->headLength_0 + k_1], _S125, scores_0[1U]);
scores_0[2U] = fma((*kernelContext_5->query_0)[2U * kernelContext_5->p_0->headLength_0 + k_1], _S125, scores_0[2U]);
scores_0[3U] = fma((*kernelContext_5->query_0)[3U * kernelContext_5->p_0->headLength_0 + k_1], _S125, scores_0[3U]);
k_1 = k_1 + 1U;
}
float _S126 = capped_0(scores_0[0U], kernelContext_5);
scores_0[0U] = _S126;
float _S127 = capped_0(scores_0[1U], kernelContext_5);
scores_0[1U] = _S127;
float _S128 = capped_0(scores_0[2U], kernelContext_5);
scores_0[2U] = _S128;
float _S129 = capped_0(scores_0[3U], kernelContext_5);
scores_0[3U] = _S129;
}
float _S130 = largest_0(scores_0[0U], lane_2, kernelContext_5);
(&found_0)->top_0[0U] = _S130;
if(sees_0)
{
_S32 = exp(scores_0[0U] - (&found_0)->top_0[0U]);
}
else
{
_S32 = 0.0f;
}
(*kernelContext_5->weights_0)[lane_2] = _S32;
float _S131 = largest_0(scores_0[1U], lane_2, kernelContext_5);
(&found_0)->top_0[1U] = _S131;
if(sees_0)
{
_S32 = exp(scores_0[1U] - (&found_0)->top_0[1U]);
}
else
{
_S32 = 0.0f;
}
(*kernelContext_5->weights_0)[64U + lane_2] = _S32;
float _S132 = largest_0(scores_0[2U], lane_2, kernelContext_5);
(&found_0)->top_0[2U] = _S132;
if(sees_0)
{
_S32 = exp(scores_0[2U] - (&found_0)->top_0[2U]);
}
else
{
_S32 = 0.0f;
}
(*kernelContext_5->weights_0)[128U + lane_2] = _S32;
float _S133 = largest_0(scores_0[3U], lane_2, kernelContext_5);
(&found_0)->top_0[3U] = _S133;
if(sees_0)
{
_S32 = exp(scores_0[3U] - (&found_0)->top_0[3U]);
}
else
{
_S32 = 0.0f;
}
(*kernelContext_5->weights_0)[192U + lane_2] = _S32;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint first_0 = max(_S31, _S30) - _S30;
uint _S134 = min(seen_0.z - _S30, 64U);
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
if(k_1 < _S134)
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
k_1 = first_0;
for(;;)
{
uint _S135 = k_1 + 8U;
if(_S135 <= _S134)
{
}
else
{
break;
}
thread array<float, int(16)> value_1;
if(0U < (kernelContext_5->p_0->headLength_0))
{
uint _S136 = min(lane_2, kernelContext_5->p_0->headLength_0 - 1U);
float _S137 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, k_1 * kernelContext_5->p_0->headLength_0 + _S136, _S136, k_1, kernelContext_5);
value_1[0U] = _S137;
uint _S138 = k_1 + 1U;
float _S139 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S138 * kernelContext_5->p_0->headLength_0 + _S136, _S136, _S138, kernelContext_5);
value_1[1U] = _S139;
uint _S140 = k_1 + 2U;
float _S141 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S140 * kernelContext_5->p_0->headLength_0 + _S136, _S136, _S140, kernelContext_5);
value_1[2U] = _S141;
uint _S142 = k_1 + 3U;
float _S143 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S142 * kernelContext_5->p_0->headLength_0 + _S136, _S136, _S142, kernelContext_5);
value_1[3U] = _S143;
uint _S144 = k_1 + 4U;
float _S145 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S144 * kernelContext_5->p_0->headLength_0 + _S136, _S136, _S144, kernelContext_5);
value_1[4U] = _S145;
uint _S146 = k_1 + 5U;
float _S147 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S146 * kernelContext_5->p_0->headLength_0 + _S136, _S136, _S146, kernelContext_5);
value_1[5U] = _S147;
uint _S148 = k_1 + 6U;
float _S149 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S148 * kernelContext_5->p_0->headLength_0 + _S136, _S136, _S148, kernelContext_5);
value_1[6U] = _S149;
uint _S150 = k_1 + 7U;
float _S151 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S150 * kernelContext_5->p_0->headLength_0 + _S136, _S136, _S150, kernelContext_5);
value_1[7U] = _S151;
}
if(64U < (kernelContext_5->p_0->headLength_0))
{
uint _S152 = min(lane_2 + 64U, kernelContext_5->p_0->headLength_0 - 1U);
float _S153 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, k_1 * kernelContext_5->p_0->headLength_0 + _S152, _S152, k_1, kernelContext_5);
value_1[8U] = _S153;
uint _S154 = k_1 + 1U;
float _S155 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S154 * kernelContext_5->p_0->headLength_0 + _S152, _S152, _S154, kernelContext_5);
value_1[9U] = _S155;
uint _S156 = k_1 + 2U;
float _S157 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S156 * kernelContext_5->p_0->headLength_0 + _S152, _S152, _S156, kernelContext_5);
value_1[10U] = _S157;
uint _S158 = k_1 + 3U;
float _S159 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S158 * kernelContext_5->p_0->headLength_0 + _S152, _S152, _S158, kernelContext_5);
value_1[11U] = _S159;
uint _S160 = k_1 + 4U;
float _S161 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S160 * kernelContext_5->p_0->headLength_0 + _S152, _S152, _S160, kernelContext_5);
value_1[12U] = _S161;
uint _S162 = k_1 + 5U;
float _S163 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S162 * kernelContext_5->p_0->headLength_0 + _S152, _S152, _S162, kernelContext_5);
value_1[13U] = _S163;
uint _S164 = k_1 + 6U;
float _S165 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S164 * kernelContext_5->p_0->headLength_0 + _S152, _S152, _S164, kernelContext_5);
value_1[14U] = _S165;
uint _S166 = k_1 + 7U;
float _S167 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, _S166 * kernelContext_5->p_0->headLength_0 + _S152, _S152, _S166, kernelContext_5);
value_1[15U] = _S167;
}
if(0U < (kernelContext_5->p_0->headLength_0))
{
float _S168 = fma((*kernelContext_5->weights_0)[k_1], value_1[0U], (&found_0)->sums_0[0U]);
(&found_0)->sums_0[0U] = _S168;
float _S169 = fma((*kernelContext_5->weights_0)[k_1 + 1U], value_1[1U], _S168);
(&found_0)->sums_0[0U] = _S169;
float _S170 = fma((*kernelContext_5->weights_0)[k_1 + 2U], value_1[2U], _S169);
(&found_0)->sums_0[0U] = _S170;
float _S171 = fma((*kernelContext_5->weights_0)[k_1 + 3U], value_1[3U], _S170);
(&found_0)->sums_0[0U] = _S171;
float _S172 = fma((*kernelContext_5->weights_0)[k_1 + 4U], value_1[4U], _S171);
(&found_0)->sums_0[0U] = _S172;
float _S173 = fma((*kernelContext_5->weights_0)[k_1 + 5U], value_1[5U], _S172);
(&found_0)->sums_0[0U] = _S173;
float _S174 = fma((*kernelContext_5->weights_0)[k_1 + 6U], value_1[6U], _S173);
(&found_0)->sums_0[0U] = _S174;
(&found_0)->sums_0[0U] = fma((*kernelContext_5->weights_0)[k_1 + 7U], value_1[7U], _S174);
uint _S175 = 64U + k_1;
float _S176 = fma((*kernelContext_5->weights_0)[_S175], value_1[0U], (&found_0)->sums_0[2U]);
(&found_0)->sums_0[2U] = _S176;
float _S177 = fma((*kernelContext_5->weights_0)[_S175 + 1U], value_1[1U], _S176);
(&found_0)->sums_0[2U] = _S177;
float _S178 = fma((*kernelContext_5->weights_0)[_S175 + 2U], value_1[2U], _S177);
(&found_0)->sums_0[2U] = _S178;
float _S179 = fma((*kernelContext_5->weights_0)[_S175 + 3U], value_1[3U], _S178);
(&found_0)->sums_0[2U] = _S179;
float _S180 = fma((*kernelContext_5->weights_0)[_S175 + 4U], value_1[4U], _S179);
(&found_0)->sums_0[2U] = _S180;
float _S181 = fma((*kernelContext_5->weights_0)[_S175 + 5U], value_1[5U], _S180);
(&found_0)->sums_0[2U] = _S181;
float _S182 = fma((*kernelContext_5->weights_0)[_S175 + 6U], value_1[6U], _S181);
(&found_0)->sums_0[2U] = _S182;
(&found_0)->sums_0[2U] = fma((*kernelContext_5->weights_0)[_S175 + 7U], value_1[7U], _S182);
uint _S183 = 128U + k_1;
float _S184 = fma((*kernelContext_5->weights_0)[_S183], value_1[0U], (&found_0)->sums_0[4U]);
(&found_0)->sums_0[4U] = _S184;
float _S185 = fma((*kernelContext_5->weights_0)[_S183 + 1U], value_1[1U], _S184);
(&found_0)->sums_0[4U] = _S185;
float _S186 = fma((*kernelContext_5->weights_0)[_S183 + 2U], value_1[2U], _S185);
(&found_0)->sums_0[4U] = _S186;
float _S187 = fma((*kernelContext_5->weights_0)[_S183 + 3U], value_1[3U], _S186);
(&found_0)->sums_0[4U] = _S187;
float _S188 = fma((*kernelContext_5->weights_0)[_S183 + 4U], value_1[4U], _S187);
(&found_0)->sums_0[4U] = _S188;
float _S189 = fma((*kernelContext_5->weights_0)[_S183 + 5U], value_1[5U], _S188);
(&found_0)->sums_0[4U] = _S189;
float _S190 = fma((*kernelContext_5->weights_0)[_S183 + 6U], value_1[6U], _S189);
(&found_0)->sums_0[4U] = _S190;
(&found_0)->sums_0[4U] = fma((*kernelContext_5->weights_0)[_S183 + 7U], value_1[7U], _S190);
uint _S191 = 192U + k_1;
float _S192 = fma((*kernelContext_5->weights_0)[_S191], value_1[0U], (&found_0)->sums_0[6U]);
(&found_0)->sums_0[6U] = _S192;
float _S193 = fma((*kernelContext_5->weights_0)[_S191 + 1U], value_1[1U], _S192);
(&found_0)->sums_0[6U] = _S193;
float _S194 = fma((*kernelContext_5->weights_0)[_S191 + 2U], value_1[2U], _S193);
(&found_0)->sums_0[6U] = _S194;
float _S195 = fma((*kernelContext_5->weights_0)[_S191 + 3U], value_1[3U], _S194);
(&found_0)->sums_0[6U] = _S195;
float _S196 = fma((*kernelContext_5->weights_0)[_S191 + 4U], value_1[4U], _S195);
(&found_0)->sums_0[6U] = _S196;
float _S197 = fma((*kernelContext_5->weights_0)[_S191 + 5U], value_1[5U], _S196);
(&found_0)->sums_0[6U] = _S197;
float _S198 = fma((*kernelContext_5->weights_0)[_S191 + 6U], value_1[6U], _S197);
(&found_0)->sums_0[6U] = _S198;
(&found_0)->sums_0[6U] = fma((*kernelContext_5->weights_0)[_S191 + 7U], value_1[7U], _S198);
}
if(64U < (kernelContext_5->p_0->headLength_0))
{
float _S199 = fma((*kernelContext_5->weights_0)[k_1], value_1[8U], (&found_0)->sums_0[1U]);
(&found_0)->sums_0[1U] = _S199;
float _S200 = fma((*kernelContext_5->weights_0)[k_1 + 1U], value_1[9U], _S199);
(&found_0)->sums_0[1U] = _S200;
float _S201 = fma((*kernelContext_5->weights_0)[k_1 + 2U], value_1[10U], _S200);
(&found_0)->sums_0[1U] = _S201;
float _S202 = fma((*kernelContext_5->weights_0)[k_1 + 3U], value_1[11U], _S201);
(&found_0)->sums_0[1U] = _S202;
float _S203 = fma((*kernelContext_5->weights_0)[k_1 + 4U], value_1[12U], _S202);
(&found_0)->sums_0[1U] = _S203;
float _S204 = fma((*kernelContext_5->weights_0)[k_1 + 5U], value_1[13U], _S203);
(&found_0)->sums_0[1U] = _S204;
float _S205 = fma((*kernelContext_5->weights_0)[k_1 + 6U], value_1[14U], _S204);
(&found_0)->sums_0[1U] = _S205;
(&found_0)->sums_0[1U] = fma((*kernelContext_5->weights_0)[k_1 + 7U], value_1[15U], _S205);
uint _S206 = 64U + k_1;
float _S207 = fma((*kernelContext_5->weights_0)[_S206], value_1[8U], (&found_0)->sums_0[3U]);
(&found_0)->sums_0[3U] = _S207;
float _S208 = fma((*kernelContext_5->weights_0)[_S206 + 1U], value_1[9U], _S207);
(&found_0)->sums_0[3U] = _S208;
float _S209 = fma((*kernelContext_5->weights_0)[_S206 + 2U], value_1[10U], _S208);
(&found_0)->sums_0[3U] = _S209;
float _S210 = fma((*kernelContext_5->weights_0)[_S206 + 3U], value_1[11U], _S209);
(&found_0)->sums_0[3U] = _S210;
float _S211 = fma((*kernelContext_5->weights_0)[_S206 + 4U], value_1[12U], _S210);
(&found_0)->sums_0[3U] = _S211;
float _S212 = fma((*kernelContext_5->weights_0)[_S206 + 5U], value_1[13U], _S211);
(&found_0)->sums_0[3U] = _S212;
float _S213 = fma((*kernelContext_5->weights_0)[_S206 + 6U], value_1[14U], _S212);
(&found_0)->sums_0[3U] = _S213;
(&found_0)->sums_0[3U] = fma((*kernelContext_5->weights_0)[_S206 + 7U], value_1[15U], _S213);
uint _S214 = 128U + k_1;
float _S215 = fma((*kernelContext_5->weights_0)[_S214], value_1[8U], (&found_0)->sums_0[5U]);
(&found_0)->sums_0[5U] = _S215;
float _S216 = fma((*kernelContext_5->weights_0)[_S214 + 1U], value_1[9U], _S215);
(&found_0)->sums_0[5U] = _S216;
float _S217 = fma((*kernelContext_5->weights_0)[_S214 + 2U], value_1[10U], _S216);
(&found_0)->sums_0[5U] = _S217;
float _S218 = fma((*kernelContext_5->weights_0)[_S214 + 3U], value_1[11U], _S217);
(&found_0)->sums_0[5U] = _S218;
float _S219 = fma((*kernelContext_5->weights_0)[_S214 + 4U], value_1[12U], _S218);
(&found_0)->sums_0[5U] = _S219;
float _S220 = fma((*kernelContext_5->weights_0)[_S214 + 5U], value_1[13U], _S219);
(&found_0)->sums_0[5U] = _S220;
float _S221 = fma((*kernelContext_5->weights_0)[_S214 + 6U], value_1[14U], _S220);
(&found_0)->sums_0[5U] = _S221;
(&found_0)->sums_0[5U] = fma((*kernelContext_5->weights_0)[_S214 + 7U], value_1[15U], _S221);
uint _S222 = 192U + k_1;
float _S223 = fma((*kernelContext_5->weights_0)[_S222], value_1[8U], (&found_0)->sums_0[7U]);
(&found_0)->sums_0[7U] = _S223;
float _S224 = fma((*kernelContext_5->weights_0)[_S222 + 1U], value_1[9U], _S223);
(&found_0)->sums_0[7U] = _S224;
float _S225 = fma((*kernelContext_5->weights_0)[_S222 + 2U], value_1[10U], _S224);
(&found_0)->sums_0[7U] = _S225;
float _S226 = fma((*kernelContext_5->weights_0)[_S222 + 3U], value_1[11U], _S225);
(&found_0)->sums_0[7U] = _S226;
float _S227 = fma((*kernelContext_5->weights_0)[_S222 + 4U], value_1[12U], _S226);
(&found_0)->sums_0[7U] = _S227;
float _S228 = fma((*kernelContext_5->weights_0)[_S222 + 5U], value_1[13U], _S227);
(&found_0)->sums_0[7U] = _S228;
float _S229 = fma((*kernelContext_5->weights_0)[_S222 + 6U], value_1[14U], _S228);
(&found_0)->sums_0[7U] = _S229;
(&found_0)->sums_0[7U] = fma((*kernelContext_5->weights_0)[_S222 + 7U], value_1[15U], _S229);
}
k_1 = _S135;
}
for(;;)
{
if(k_1 < _S134)
{
}
else
{
break;
}
if(0U < (kernelContext_5->p_0->headLength_0))
{
uint _S230 = min(lane_2, kernelContext_5->p_0->headLength_0 - 1U);
float _S231 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, k_1 * kernelContext_5->p_0->headLength_0 + _S230, _S230, k_1, kernelContext_5);
(&found_0)->sums_0[0U] = fma((*kernelContext_5->weights_0)[k_1], _S231, (&found_0)->sums_0[0U]);
(&found_0)->sums_0[2U] = fma((*kernelContext_5->weights_0)[64U + k_1], _S231, (&found_0)->sums_0[2U]);
(&found_0)->sums_0[4U] = fma((*kernelContext_5->weights_0)[128U + k_1], _S231, (&found_0)->sums_0[4U]);
(&found_0)->sums_0[6U] = fma((*kernelContext_5->weights_0)[192U + k_1], _S231, (&found_0)->sums_0[6U]);
}
if(64U < (kernelContext_5->p_0->headLength_0))
{
uint _S232 = min(lane_2 + 64U, kernelContext_5->p_0->headLength_0 - 1U);
float _S233 = Code_read_0(kernelContext_5->values_0, kernelContext_5->p_0->valueStart_0 + _S29, k_1 * kernelContext_5->p_0->headLength_0 + _S232, _S232, k_1, kernelContext_5);
(&found_0)->sums_0[1U] = fma((*kernelContext_5->weights_0)[k_1], _S233, (&found_0)->sums_0[1U]);
(&found_0)->sums_0[3U] = fma((*kernelContext_5->weights_0)[64U + k_1], _S233, (&found_0)->sums_0[3U]);
(&found_0)->sums_0[5U] = fma((*kernelContext_5->weights_0)[128U + k_1], _S233, (&found_0)->sums_0[5U]);
(&found_0)->sums_0[7U] = fma((*kernelContext_5->weights_0)[192U + k_1], _S233, (&found_0)->sums_0[7U]);
}
k_1 = k_1 + 1U;
}
return found_0;
}
void join_0(Gathered_0 thread* all_1, const Gathered_0 thread* page_1)
{
float _S234 = max(all_1->top_0[0U], page_1->top_0[0U]);
float fade_5 = exp(all_1->top_0[0U] - _S234);
float weight_0 = exp(page_1->top_0[0U] - _S234);
all_1->total_0[0U] = fma(page_1->total_0[0U], weight_0, all_1->total_0[0U] * fade_5);
all_1->sums_0[0U] = fma(page_1->sums_0[0U], weight_0, all_1->sums_0[0U] * fade_5);
all_1->sums_0[1U] = fma(page_1->sums_0[1U], weight_0, all_1->sums_0[1U] * fade_5);
all_1->top_0[0U] = _S234;
float _S235 = max(all_1->top_0[1U], page_1->top_0[1U]);
float fade_6 = exp(all_1->top_0[1U] - _S235);
float weight_1 = exp(page_1->top_0[1U] - _S235);
all_1->total_0[1U] = fma(page_1->total_0[1U], weight_1, all_1->total_0[1U] * fade_6);
all_1->sums_0[2U] = fma(page_1->sums_0[2U], weight_1, all_1->sums_0[2U] * fade_6);
all_1->sums_0[3U] = fma(page_1->sums_0[3U], weight_1, all_1->sums_0[3U] * fade_6);
all_1->top_0[1U] = _S235;
float _S236 = max(all_1->top_0[2U], page_1->top_0[2U]);
float fade_7 = exp(all_1->top_0[2U] - _S236);
float weight_2 = exp(page_1->top_0[2U] - _S236);
all_1->total_0[2U] = fma(page_1->total_0[2U], weight_2, all_1->total_0[2U] * fade_7);
all_1->sums_0[4U] = fma(page_1->sums_0[4U], weight_2, all_1->sums_0[4U] * fade_7);
all_1->sums_0[5U] = fma(page_1->sums_0[5U], weight_2, all_1->sums_0[5U] * fade_7);
all_1->top_0[2U] = _S236;
float _S237 = max(all_1->top_0[3U], page_1->top_0[3U]);
float fade_8 = exp(all_1->top_0[3U] - _S237);
float weight_3 = exp(page_1->top_0[3U] - _S237);
all_1->total_0[3U] = fma(page_1->total_0[3U], weight_3, all_1->total_0[3U] * fade_8);
all_1->sums_0[6U] = fma(page_1->sums_0[6U], weight_3, all_1->sums_0[6U] * fade_8);
all_1->sums_0[7U] = fma(page_1->sums_0[7U], weight_3, all_1->sums_0[7U] * fade_8);
all_1->top_0[3U] = _S237;
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
uint i_3;
uint factor_0 = (uint4(*(kernelContext_6->tokens_0+token_1)) ).w;
float _S238;
if(factor_0 != 0U)
{
_S238 = kernelContext_6->p_0->scale_0 * (as_type<float>((factor_0)));
}
else
{
_S238 = kernelContext_6->p_0->scale_0;
}
for(;;)
{
for(;;)
{
for(;;)
{
uint _S239 = token_1 * kernelContext_6->p_0->queryStride_0 + head_3 * kernelContext_6->p_0->queryStep_0 * kernelContext_6->p_0->headLength_0;
i_3 = lane_3;
for(;;)
{
if(i_3 < (kernelContext_6->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_6->query_0)[i_3] = kernelContext_6->queries_0[_S239 + i_3] * _S238;
i_3 = i_3 + 64U;
}
break;
}
break;
}
for(;;)
{
for(;;)
{
uint _S240 = token_1 * kernelContext_6->p_0->queryStride_0 + (head_3 + 1U) * kernelContext_6->p_0->queryStep_0 * kernelContext_6->p_0->headLength_0;
i_3 = lane_3;
for(;;)
{
if(i_3 < (kernelContext_6->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_6->query_0)[kernelContext_6->p_0->headLength_0 + i_3] = kernelContext_6->queries_0[_S240 + i_3] * _S238;
i_3 = i_3 + 64U;
}
break;
}
break;
}
for(;;)
{
for(;;)
{
uint _S241 = token_1 * kernelContext_6->p_0->queryStride_0 + (head_3 + 2U) * kernelContext_6->p_0->queryStep_0 * kernelContext_6->p_0->headLength_0;
i_3 = lane_3;
for(;;)
{
if(i_3 < (kernelContext_6->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_6->query_0)[2U * kernelContext_6->p_0->headLength_0 + i_3] = kernelContext_6->queries_0[_S241 + i_3] * _S238;
i_3 = i_3 + 64U;
}
break;
}
break;
}
for(;;)
{
for(;;)
{
uint _S242 = token_1 * kernelContext_6->p_0->queryStride_0 + (head_3 + 3U) * kernelContext_6->p_0->queryStep_0 * kernelContext_6->p_0->headLength_0;
i_3 = lane_3;
for(;;)
{
if(i_3 < (kernelContext_6->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_6->query_0)[3U * kernelContext_6->p_0->headLength_0 + i_3] = kernelContext_6->queries_0[_S242 + i_3] * _S238;
i_3 = i_3 + 64U;
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
uint4 _S243 = uint4(*(kernelContext_7->tokens_0+token_2)) ;
loadQueries_0(head_4, token_2, lane_4, kernelContext_7);
thread Gathered_0 all_2 = nothing_0();
uint page_2 = _S243.y / 64U;
for(;;)
{
if((page_2 * 64U) < (_S243.z))
{
}
else
{
break;
}
Gathered_0 _S244 = gather_0(page_2, _S243, head_4, lane_4, kernelContext_7);
thread Gathered_0 _S245 = _S244;
join_0(&all_2, &_S245);
page_2 = page_2 + 1U;
}
thread Gathered_0 _S246 = all_2;
write_0(&_S246, head_4, token_2, lane_4, kernelContext_7);
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
threadgroup array<float, int(128)> lanes_1;
(&kernelContext_8)->lanes_0 = &lanes_1;
threadgroup array<float, int(256)> weights_1;
(&kernelContext_8)->weights_0 = &weights_1;
attention_0(group_1, local_0.x, &kernelContext_8);
return;
}
"""#)
}
#endif
