// attention_page_q8_0 of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_page_q8_0 = MetalKernelText(
        module: "attention", entry: "attention_page_q8_0", sourcesSHA256: "a86a14943121f1a12314fa2739d30a18f5e7c30fe0d62522739f202bac40cf79",
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
array<float, int(64)> threadgroup* lanes_0;
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
(*kernelContext_3->lanes_0)[lane_0] = _S3;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S4 = max(_S3, (*kernelContext_3->lanes_0)[lane_0 ^ step_0]);
threadgroup_barrier(mem_flags::mem_threadgroup);
uint step_1 = step_0 >> 1U;
_S3 = _S4;
step_0 = step_1;
}
return _S3;
}
Gathered_0 gather_0(uint page_0, uint4 seen_0, uint head_1, uint lane_1, KernelContext_0 thread* kernelContext_4)
{
uint _S5 = kernelContext_4->pages_0[seen_0.x + page_0];
uint _S6 = kernelContext_4->p_0->heads_0 / kernelContext_4->p_0->keyHeads_0;
uint _S7 = head_1 / _S6;
uint _S8 = Code_headWords_0(kernelContext_4);
uint _S9 = _S5 + _S7 * _S8;
uint _S10 = page_0 * 64U;
uint position_0 = _S10 + lane_1;
uint _S11 = seen_0.y;
bool sees_0;
if(position_0 >= _S11)
{
sees_0 = position_0 < (seen_0.z);
}
else
{
sees_0 = false;
}
thread Gathered_0 found_0;
thread array<float, int(1)> scores_0;
float _S12;
if(sees_0)
{
_S12 = 0.0f;
}
else
{
_S12 = -3.4028234663852886e+38f;
}
scores_0[0U] = _S12;
uint k_1;
if(sees_0)
{
k_1 = 0U;
for(;;)
{
uint _S13 = k_1 + 8U;
if(_S13 <= (kernelContext_4->p_0->headLength_0))
{
}
else
{
break;
}
thread array<float, int(8)> key_0;
float _S14 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S9, k_1 * 64U + lane_1, k_1, lane_1, kernelContext_4);
key_0[0U] = _S14;
uint _S15 = k_1 + 1U;
float _S16 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S9, _S15 * 64U + lane_1, _S15, lane_1, kernelContext_4);
key_0[1U] = _S16;
uint _S17 = k_1 + 2U;
float _S18 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S9, _S17 * 64U + lane_1, _S17, lane_1, kernelContext_4);
key_0[2U] = _S18;
uint _S19 = k_1 + 3U;
float _S20 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S9, _S19 * 64U + lane_1, _S19, lane_1, kernelContext_4);
key_0[3U] = _S20;
uint _S21 = k_1 + 4U;
float _S22 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S9, _S21 * 64U + lane_1, _S21, lane_1, kernelContext_4);
key_0[4U] = _S22;
uint _S23 = k_1 + 5U;
float _S24 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S9, _S23 * 64U + lane_1, _S23, lane_1, kernelContext_4);
key_0[5U] = _S24;
uint _S25 = k_1 + 6U;
float _S26 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S9, _S25 * 64U + lane_1, _S25, lane_1, kernelContext_4);
key_0[6U] = _S26;
uint _S27 = k_1 + 7U;
float _S28 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S9, _S27 * 64U + lane_1, _S27, lane_1, kernelContext_4);
key_0[7U] = _S28;
float _S29 = fma((*kernelContext_4->query_0)[k_1], key_0[0U], scores_0[0U]);
scores_0[0U] = _S29;
float _S30 = fma((*kernelContext_4->query_0)[_S15], key_0[1U], _S29);
scores_0[0U] = _S30;
float _S31 = fma((*kernelContext_4->query_0)[_S17], key_0[2U], _S30);
scores_0[0U] = _S31;
float _S32 = fma((*kernelContext_4->query_0)[_S19], key_0[3U], _S31);
scores_0[0U] = _S32;
float _S33 = fma((*kernelContext_4->query_0)[_S21], key_0[4U], _S32);
scores_0[0U] = _S33;
float _S34 = fma((*kernelContext_4->query_0)[_S23], key_0[5U], _S33);
scores_0[0U] = _S34;
float _S35 = fma((*kernelContext_4->query_0)[_S25], key_0[6U], _S34);
scores_0[0U] = _S35;
scores_0[0U] = fma((*kernelContext_4->query_0)[_S27], _S28, _S35);
k_1 = _S13;
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
float _S36 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S9, k_1 * 64U + lane_1, k_1, lane_1, kernelContext_4);
scores_0[0U] = fma((*kernelContext_4->query_0)[k_1], _S36, scores_0[0U]);
k_1 = k_1 + 1U;
}
float _S37 = capped_0(scores_0[0U], kernelContext_4);
scores_0[0U] = _S37;
}
float _S38 = largest_0(scores_0[0U], lane_1, kernelContext_4);
(&found_0)->top_0[0U] = _S38;
if(sees_0)
{
_S12 = exp(scores_0[0U] - (&found_0)->top_0[0U]);
}
else
{
_S12 = 0.0f;
}
(*kernelContext_4->weights_0)[lane_1] = _S12;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint first_0 = max(_S11, _S10) - _S10;
uint _S39 = min(seen_0.z - _S10, 64U);
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
if(k_1 < _S39)
{
}
else
{
break;
}
(&found_0)->total_0[0U] = (&found_0)->total_0[0U] + (*kernelContext_4->weights_0)[k_1];
k_1 = k_1 + 1U;
}
for(;;)
{
for(;;)
{
for(;;)
{
if(lane_1 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S40 = k_1 + 8U;
if(_S40 <= _S39)
{
}
else
{
break;
}
thread array<float, int(8)> value_1;
float _S41 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + lane_1, lane_1, k_1, kernelContext_4);
value_1[0U] = _S41;
uint _S42 = k_1 + 1U;
float _S43 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S42 * kernelContext_4->p_0->headLength_0 + lane_1, lane_1, _S42, kernelContext_4);
value_1[1U] = _S43;
uint _S44 = k_1 + 2U;
float _S45 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S44 * kernelContext_4->p_0->headLength_0 + lane_1, lane_1, _S44, kernelContext_4);
value_1[2U] = _S45;
uint _S46 = k_1 + 3U;
float _S47 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S46 * kernelContext_4->p_0->headLength_0 + lane_1, lane_1, _S46, kernelContext_4);
value_1[3U] = _S47;
uint _S48 = k_1 + 4U;
float _S49 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S48 * kernelContext_4->p_0->headLength_0 + lane_1, lane_1, _S48, kernelContext_4);
value_1[4U] = _S49;
uint _S50 = k_1 + 5U;
float _S51 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S50 * kernelContext_4->p_0->headLength_0 + lane_1, lane_1, _S50, kernelContext_4);
value_1[5U] = _S51;
uint _S52 = k_1 + 6U;
float _S53 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S52 * kernelContext_4->p_0->headLength_0 + lane_1, lane_1, _S52, kernelContext_4);
value_1[6U] = _S53;
uint _S54 = k_1 + 7U;
float _S55 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S54 * kernelContext_4->p_0->headLength_0 + lane_1, lane_1, _S54, kernelContext_4);
value_1[7U] = _S55;
float _S56 = fma((*kernelContext_4->weights_0)[k_1], value_1[0U], (&found_0)->sums_0[0U]);
(&found_0)->sums_0[0U] = _S56;
float _S57 = fma((*kernelContext_4->weights_0)[_S42], value_1[1U], _S56);
(&found_0)->sums_0[0U] = _S57;
float _S58 = fma((*kernelContext_4->weights_0)[_S44], value_1[2U], _S57);
(&found_0)->sums_0[0U] = _S58;
float _S59 = fma((*kernelContext_4->weights_0)[_S46], value_1[3U], _S58);
(&found_0)->sums_0[0U] = _S59;
float _S60 = fma((*kernelContext_4->weights_0)[_S48], value_1[4U], _S59);
(&found_0)->sums_0[0U] = _S60;
float _S61 = fma((*kernelContext_4->weights_0)[_S50], value_1[5U], _S60);
(&found_0)->sums_0[0U] = _S61;
float _S62 = fma((*kernelContext_4->weights_0)[_S52], value_1[6U], _S61);
(&found_0)->sums_0[0U] = _S62;
(&found_0)->sums_0[0U] = fma((*kernelContext_4->weights_0)[_S54], _S55, _S62);
k_1 = _S40;
}
for(;;)
{
if(k_1 < _S39)
{
}
else
{
break;
}
float _S63 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + lane_1, lane_1, k_1, kernelContext_4);
(&found_0)->sums_0[0U] = fma((*kernelContext_4->weights_0)[k_1], _S63, (&found_0)->sums_0[0U]);
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
uint i_2 = lane_1 + 64U;
if(i_2 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S64 = k_1 + 8U;
if(_S64 <= _S39)
{
}
else
{
break;
}
thread array<float, int(8)> value_2;
float _S65 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_2, i_2, k_1, kernelContext_4);
value_2[0U] = _S65;
uint _S66 = k_1 + 1U;
float _S67 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S66 * kernelContext_4->p_0->headLength_0 + i_2, i_2, _S66, kernelContext_4);
value_2[1U] = _S67;
uint _S68 = k_1 + 2U;
float _S69 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S68 * kernelContext_4->p_0->headLength_0 + i_2, i_2, _S68, kernelContext_4);
value_2[2U] = _S69;
uint _S70 = k_1 + 3U;
float _S71 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S70 * kernelContext_4->p_0->headLength_0 + i_2, i_2, _S70, kernelContext_4);
value_2[3U] = _S71;
uint _S72 = k_1 + 4U;
float _S73 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S72 * kernelContext_4->p_0->headLength_0 + i_2, i_2, _S72, kernelContext_4);
value_2[4U] = _S73;
uint _S74 = k_1 + 5U;
float _S75 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S74 * kernelContext_4->p_0->headLength_0 + i_2, i_2, _S74, kernelContext_4);
value_2[5U] = _S75;
uint _S76 = k_1 + 6U;
float _S77 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S76 * kernelContext_4->p_0->headLength_0 + i_2, i_2, _S76, kernelContext_4);
value_2[6U] = _S77;
uint _S78 = k_1 + 7U;
float _S79 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S78 * kernelContext_4->p_0->headLength_0 + i_2, i_2, _S78, kernelContext_4);
value_2[7U] = _S79;
float _S80 = fma((*kernelContext_4->weights_0)[k_1], value_2[0U], (&found_0)->sums_0[1U]);
(&found_0)->sums_0[1U] = _S80;
float _S81 = fma((*kernelContext_4->weights_0)[_S66], value_2[1U], _S80);
(&found_0)->sums_0[1U] = _S81;
float _S82 = fma((*kernelContext_4->weights_0)[_S68], value_2[2U], _S81);
(&found_0)->sums_0[1U] = _S82;
float _S83 = fma((*kernelContext_4->weights_0)[_S70], value_2[3U], _S82);
(&found_0)->sums_0[1U] = _S83;
float _S84 = fma((*kernelContext_4->weights_0)[_S72], value_2[4U], _S83);
(&found_0)->sums_0[1U] = _S84;
float _S85 = fma((*kernelContext_4->weights_0)[_S74], value_2[5U], _S84);
(&found_0)->sums_0[1U] = _S85;
float _S86 = fma((*kernelContext_4->weights_0)[_S76], value_2[6U], _S85);
(&found_0)->sums_0[1U] = _S86;
(&found_0)->sums_0[1U] = fma((*kernelContext_4->weights_0)[_S78], _S79, _S86);
k_1 = _S64;
}
for(;;)
{
if(k_1 < _S39)
{
}
else
{
break;
}
float _S87 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_2, i_2, k_1, kernelContext_4);
(&found_0)->sums_0[1U] = fma((*kernelContext_4->weights_0)[k_1], _S87, (&found_0)->sums_0[1U]);
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
uint i_3 = lane_1 + 128U;
if(i_3 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S88 = k_1 + 8U;
if(_S88 <= _S39)
{
}
else
{
break;
}
thread array<float, int(8)> value_3;
float _S89 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_3, i_3, k_1, kernelContext_4);
value_3[0U] = _S89;
uint _S90 = k_1 + 1U;
float _S91 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S90 * kernelContext_4->p_0->headLength_0 + i_3, i_3, _S90, kernelContext_4);
value_3[1U] = _S91;
uint _S92 = k_1 + 2U;
float _S93 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S92 * kernelContext_4->p_0->headLength_0 + i_3, i_3, _S92, kernelContext_4);
value_3[2U] = _S93;
uint _S94 = k_1 + 3U;
float _S95 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S94 * kernelContext_4->p_0->headLength_0 + i_3, i_3, _S94, kernelContext_4);
value_3[3U] = _S95;
uint _S96 = k_1 + 4U;
float _S97 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S96 * kernelContext_4->p_0->headLength_0 + i_3, i_3, _S96, kernelContext_4);
value_3[4U] = _S97;
uint _S98 = k_1 + 5U;
float _S99 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S98 * kernelContext_4->p_0->headLength_0 + i_3, i_3, _S98, kernelContext_4);
value_3[5U] = _S99;
uint _S100 = k_1 + 6U;
float _S101 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S100 * kernelContext_4->p_0->headLength_0 + i_3, i_3, _S100, kernelContext_4);
value_3[6U] = _S101;
uint _S102 = k_1 + 7U;
float _S103 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S102 * kernelContext_4->p_0->headLength_0 + i_3, i_3, _S102, kernelContext_4);
value_3[7U] = _S103;
float _S104 = fma((*kernelContext_4->weights_0)[k_1], value_3[0U], (&found_0)->sums_0[2U]);
(&found_0)->sums_0[2U] = _S104;
float _S105 = fma((*kernelContext_4->weights_0)[_S90], value_3[1U], _S104);
(&found_0)->sums_0[2U] = _S105;
float _S106 = fma((*kernelContext_4->weights_0)[_S92], value_3[2U], _S105);
(&found_0)->sums_0[2U] = _S106;
float _S107 = fma((*kernelContext_4->weights_0)[_S94], value_3[3U], _S106);
(&found_0)->sums_0[2U] = _S107;
float _S108 = fma((*kernelContext_4->weights_0)[_S96], value_3[4U], _S107);
(&found_0)->sums_0[2U] = _S108;
float _S109 = fma((*kernelContext_4->weights_0)[_S98], value_3[5U], _S108);
(&found_0)->sums_0[2U] = _S109;
float _S110 = fma((*kernelContext_4->weights_0)[_S100], value_3[6U], _S109);
(&found_0)->sums_0[2U] = _S110;
(&found_0)->sums_0[2U] = fma((*kernelContext_4->weights_0)[_S102], _S103, _S110);
k_1 = _S88;
}
for(;;)
{
if(k_1 < _S39)
{
}
else
{
break;
}
float _S111 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_3, i_3, k_1, kernelContext_4);
(&found_0)->sums_0[2U] = fma((*kernelContext_4->weights_0)[k_1], _S111, (&found_0)->sums_0[2U]);
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
uint i_4 = lane_1 + 192U;
if(i_4 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S112 = k_1 + 8U;
if(_S112 <= _S39)
{
}
else
{
break;
}
thread array<float, int(8)> value_4;
float _S113 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_4, i_4, k_1, kernelContext_4);
value_4[0U] = _S113;
uint _S114 = k_1 + 1U;
float _S115 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S114 * kernelContext_4->p_0->headLength_0 + i_4, i_4, _S114, kernelContext_4);
value_4[1U] = _S115;
uint _S116 = k_1 + 2U;
float _S117 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S116 * kernelContext_4->p_0->headLength_0 + i_4, i_4, _S116, kernelContext_4);
value_4[2U] = _S117;
uint _S118 = k_1 + 3U;
float _S119 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S118 * kernelContext_4->p_0->headLength_0 + i_4, i_4, _S118, kernelContext_4);
value_4[3U] = _S119;
uint _S120 = k_1 + 4U;
float _S121 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S120 * kernelContext_4->p_0->headLength_0 + i_4, i_4, _S120, kernelContext_4);
value_4[4U] = _S121;
uint _S122 = k_1 + 5U;
float _S123 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S122 * kernelContext_4->p_0->headLength_0 + i_4, i_4, _S122, kernelContext_4);
value_4[5U] = _S123;
uint _S124 = k_1 + 6U;
float _S125 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S124 * kernelContext_4->p_0->headLength_0 + i_4, i_4, _S124, kernelContext_4);
value_4[6U] = _S125;
uint _S126 = k_1 + 7U;
float _S127 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S126 * kernelContext_4->p_0->headLength_0 + i_4, i_4, _S126, kernelContext_4);
value_4[7U] = _S127;
float _S128 = fma((*kernelContext_4->weights_0)[k_1], value_4[0U], (&found_0)->sums_0[3U]);
(&found_0)->sums_0[3U] = _S128;
float _S129 = fma((*kernelContext_4->weights_0)[_S114], value_4[1U], _S128);
(&found_0)->sums_0[3U] = _S129;
float _S130 = fma((*kernelContext_4->weights_0)[_S116], value_4[2U], _S129);
(&found_0)->sums_0[3U] = _S130;
float _S131 = fma((*kernelContext_4->weights_0)[_S118], value_4[3U], _S130);
(&found_0)->sums_0[3U] = _S131;
float _S132 = fma((*kernelContext_4->weights_0)[_S120], value_4[4U], _S131);
(&found_0)->sums_0[3U] = _S132;
float _S133 = fma((*kernelContext_4->weights_0)[_S122], value_4[5U], _S132);
(&found_0)->sums_0[3U] = _S133;
float _S134 = fma((*kernelContext_4->weights_0)[_S124], value_4[6U], _S133);
(&found_0)->sums_0[3U] = _S134;
(&found_0)->sums_0[3U] = fma((*kernelContext_4->weights_0)[_S126], _S127, _S134);
k_1 = _S112;
}
for(;;)
{
if(k_1 < _S39)
{
}
else
{
break;
}
float _S135 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_4, i_4, k_1, kernelContext_4);
(&found_0)->sums_0[3U] = fma((*kernelContext_4->weights_0)[k_1], _S135, (&found_0)->sums_0[3U]);
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
uint i_5 = lane_1 + 256U;
if(i_5 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S136 = k_1 + 8U;
if(_S136 <= _S39)
{
}
else
{
break;
}
thread array<float, int(8)> value_5;
float _S137 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_5, i_5, k_1, kernelContext_4);
value_5[0U] = _S137;
uint _S138 = k_1 + 1U;
float _S139 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S138 * kernelContext_4->p_0->headLength_0 + i_5, i_5, _S138, kernelContext_4);
value_5[1U] = _S139;
uint _S140 = k_1 + 2U;
float _S141 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S140 * kernelContext_4->p_0->headLength_0 + i_5, i_5, _S140, kernelContext_4);
value_5[2U] = _S141;
uint _S142 = k_1 + 3U;
float _S143 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S142 * kernelContext_4->p_0->headLength_0 + i_5, i_5, _S142, kernelContext_4);
value_5[3U] = _S143;
uint _S144 = k_1 + 4U;
float _S145 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S144 * kernelContext_4->p_0->headLength_0 + i_5, i_5, _S144, kernelContext_4);
value_5[4U] = _S145;
uint _S146 = k_1 + 5U;
float _S147 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S146 * kernelContext_4->p_0->headLength_0 + i_5, i_5, _S146, kernelContext_4);
value_5[5U] = _S147;
uint _S148 = k_1 + 6U;
float _S149 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S148 * kernelContext_4->p_0->headLength_0 + i_5, i_5, _S148, kernelContext_4);
value_5[6U] = _S149;
uint _S150 = k_1 + 7U;
float _S151 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S150 * kernelContext_4->p_0->headLength_0 + i_5, i_5, _S150, kernelContext_4);
value_5[7U] = _S151;
float _S152 = fma((*kernelContext_4->weights_0)[k_1], value_5[0U], (&found_0)->sums_0[4U]);
(&found_0)->sums_0[4U] = _S152;
float _S153 = fma((*kernelContext_4->weights_0)[_S138], value_5[1U], _S152);
(&found_0)->sums_0[4U] = _S153;
float _S154 = fma((*kernelContext_4->weights_0)[_S140], value_5[2U], _S153);
(&found_0)->sums_0[4U] = _S154;
float _S155 = fma((*kernelContext_4->weights_0)[_S142], value_5[3U], _S154);
(&found_0)->sums_0[4U] = _S155;
float _S156 = fma((*kernelContext_4->weights_0)[_S144], value_5[4U], _S155);
(&found_0)->sums_0[4U] = _S156;
float _S157 = fma((*kernelContext_4->weights_0)[_S146], value_5[5U], _S156);
(&found_0)->sums_0[4U] = _S157;
float _S158 = fma((*kernelContext_4->weights_0)[_S148], value_5[6U], _S157);
(&found_0)->sums_0[4U] = _S158;
(&found_0)->sums_0[4U] = fma((*kernelContext_4->weights_0)[_S150], _S151, _S158);
k_1 = _S136;
}
for(;;)
{
if(k_1 < _S39)
{
}
else
{
break;
}
float _S159 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_5, i_5, k_1, kernelContext_4);
(&found_0)->sums_0[4U] = fma((*kernelContext_4->weights_0)[k_1], _S159, (&found_0)->sums_0[4U]);
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
uint i_6 = lane_1 + 320U;
if(i_6 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S160 = k_1 + 8U;
if(_S160 <= _S39)
{
}
else
{
break;
}
thread array<float, int(8)> value_6;
float _S161 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_6, i_6, k_1, kernelContext_4);
value_6[0U] = _S161;
uint _S162 = k_1 + 1U;
float _S163 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S162 * kernelContext_4->p_0->headLength_0 + i_6, i_6, _S162, kernelContext_4);
value_6[1U] = _S163;
uint _S164 = k_1 + 2U;
float _S165 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S164 * kernelContext_4->p_0->headLength_0 + i_6, i_6, _S164, kernelContext_4);
value_6[2U] = _S165;
uint _S166 = k_1 + 3U;
float _S167 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S166 * kernelContext_4->p_0->headLength_0 + i_6, i_6, _S166, kernelContext_4);
value_6[3U] = _S167;
uint _S168 = k_1 + 4U;
float _S169 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S168 * kernelContext_4->p_0->headLength_0 + i_6, i_6, _S168, kernelContext_4);
value_6[4U] = _S169;
uint _S170 = k_1 + 5U;
float _S171 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S170 * kernelContext_4->p_0->headLength_0 + i_6, i_6, _S170, kernelContext_4);
value_6[5U] = _S171;
uint _S172 = k_1 + 6U;
float _S173 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S172 * kernelContext_4->p_0->headLength_0 + i_6, i_6, _S172, kernelContext_4);
value_6[6U] = _S173;
uint _S174 = k_1 + 7U;
float _S175 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S174 * kernelContext_4->p_0->headLength_0 + i_6, i_6, _S174, kernelContext_4);
value_6[7U] = _S175;
float _S176 = fma((*kernelContext_4->weights_0)[k_1], value_6[0U], (&found_0)->sums_0[5U]);
(&found_0)->sums_0[5U] = _S176;
float _S177 = fma((*kernelContext_4->weights_0)[_S162], value_6[1U], _S176);
(&found_0)->sums_0[5U] = _S177;
float _S178 = fma((*kernelContext_4->weights_0)[_S164], value_6[2U], _S177);
(&found_0)->sums_0[5U] = _S178;
float _S179 = fma((*kernelContext_4->weights_0)[_S166], value_6[3U], _S178);
(&found_0)->sums_0[5U] = _S179;
float _S180 = fma((*kernelContext_4->weights_0)[_S168], value_6[4U], _S179);
(&found_0)->sums_0[5U] = _S180;
float _S181 = fma((*kernelContext_4->weights_0)[_S170], value_6[5U], _S180);
(&found_0)->sums_0[5U] = _S181;
float _S182 = fma((*kernelContext_4->weights_0)[_S172], value_6[6U], _S181);
(&found_0)->sums_0[5U] = _S182;
(&found_0)->sums_0[5U] = fma((*kernelContext_4->weights_0)[_S174], _S175, _S182);
k_1 = _S160;
}
for(;;)
{
if(k_1 < _S39)
{
}
else
{
break;
}
float _S183 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_6, i_6, k_1, kernelContext_4);
(&found_0)->sums_0[5U] = fma((*kernelContext_4->weights_0)[k_1], _S183, (&found_0)->sums_0[5U]);
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
uint i_7 = lane_1 + 384U;
if(i_7 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S184 = k_1 + 8U;
if(_S184 <= _S39)
{
}
else
{
break;
}
thread array<float, int(8)> value_7;
float _S185 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_7, i_7, k_1, kernelContext_4);
value_7[0U] = _S185;
uint _S186 = k_1 + 1U;
float _S187 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S186 * kernelContext_4->p_0->headLength_0 + i_7, i_7, _S186, kernelContext_4);
value_7[1U] = _S187;
uint _S188 = k_1 + 2U;
float _S189 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S188 * kernelContext_4->p_0->headLength_0 + i_7, i_7, _S188, kernelContext_4);
value_7[2U] = _S189;
uint _S190 = k_1 + 3U;
float _S191 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S190 * kernelContext_4->p_0->headLength_0 + i_7, i_7, _S190, kernelContext_4);
value_7[3U] = _S191;
uint _S192 = k_1 + 4U;
float _S193 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S192 * kernelContext_4->p_0->headLength_0 + i_7, i_7, _S192, kernelContext_4);
value_7[4U] = _S193;
uint _S194 = k_1 + 5U;
float _S195 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S194 * kernelContext_4->p_0->headLength_0 + i_7, i_7, _S194, kernelContext_4);
value_7[5U] = _S195;
uint _S196 = k_1 + 6U;
float _S197 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S196 * kernelContext_4->p_0->headLength_0 + i_7, i_7, _S196, kernelContext_4);
value_7[6U] = _S197;
uint _S198 = k_1 + 7U;
float _S199 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S198 * kernelContext_4->p_0->headLength_0 + i_7, i_7, _S198, kernelContext_4);
value_7[7U] = _S199;
float _S200 = fma((*kernelContext_4->weights_0)[k_1], value_7[0U], (&found_0)->sums_0[6U]);
(&found_0)->sums_0[6U] = _S200;
float _S201 = fma((*kernelContext_4->weights_0)[_S186], value_7[1U], _S200);
(&found_0)->sums_0[6U] = _S201;
float _S202 = fma((*kernelContext_4->weights_0)[_S188], value_7[2U], _S201);
(&found_0)->sums_0[6U] = _S202;
float _S203 = fma((*kernelContext_4->weights_0)[_S190], value_7[3U], _S202);
(&found_0)->sums_0[6U] = _S203;
float _S204 = fma((*kernelContext_4->weights_0)[_S192], value_7[4U], _S203);
(&found_0)->sums_0[6U] = _S204;
float _S205 = fma((*kernelContext_4->weights_0)[_S194], value_7[5U], _S204);
(&found_0)->sums_0[6U] = _S205;
float _S206 = fma((*kernelContext_4->weights_0)[_S196], value_7[6U], _S205);
(&found_0)->sums_0[6U] = _S206;
(&found_0)->sums_0[6U] = fma((*kernelContext_4->weights_0)[_S198], _S199, _S206);
k_1 = _S184;
}
for(;;)
{
if(k_1 < _S39)
{
}
else
{
break;
}
float _S207 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_7, i_7, k_1, kernelContext_4);
(&found_0)->sums_0[6U] = fma((*kernelContext_4->weights_0)[k_1], _S207, (&found_0)->sums_0[6U]);
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
uint i_8 = lane_1 + 448U;
if(i_8 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S208 = k_1 + 8U;
if(_S208 <= _S39)
{
}
else
{
break;
}
thread array<float, int(8)> value_8;
float _S209 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_8, i_8, k_1, kernelContext_4);
value_8[0U] = _S209;
uint _S210 = k_1 + 1U;
float _S211 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S210 * kernelContext_4->p_0->headLength_0 + i_8, i_8, _S210, kernelContext_4);
value_8[1U] = _S211;
uint _S212 = k_1 + 2U;
float _S213 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S212 * kernelContext_4->p_0->headLength_0 + i_8, i_8, _S212, kernelContext_4);
value_8[2U] = _S213;
uint _S214 = k_1 + 3U;
float _S215 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S214 * kernelContext_4->p_0->headLength_0 + i_8, i_8, _S214, kernelContext_4);
value_8[3U] = _S215;
uint _S216 = k_1 + 4U;
float _S217 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S216 * kernelContext_4->p_0->headLength_0 + i_8, i_8, _S216, kernelContext_4);
value_8[4U] = _S217;
uint _S218 = k_1 + 5U;
float _S219 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S218 * kernelContext_4->p_0->headLength_0 + i_8, i_8, _S218, kernelContext_4);
value_8[5U] = _S219;
uint _S220 = k_1 + 6U;
float _S221 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S220 * kernelContext_4->p_0->headLength_0 + i_8, i_8, _S220, kernelContext_4);
value_8[6U] = _S221;
uint _S222 = k_1 + 7U;
float _S223 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, _S222 * kernelContext_4->p_0->headLength_0 + i_8, i_8, _S222, kernelContext_4);
value_8[7U] = _S223;
float _S224 = fma((*kernelContext_4->weights_0)[k_1], value_8[0U], (&found_0)->sums_0[7U]);
(&found_0)->sums_0[7U] = _S224;
float _S225 = fma((*kernelContext_4->weights_0)[_S210], value_8[1U], _S224);
(&found_0)->sums_0[7U] = _S225;
float _S226 = fma((*kernelContext_4->weights_0)[_S212], value_8[2U], _S225);
(&found_0)->sums_0[7U] = _S226;
float _S227 = fma((*kernelContext_4->weights_0)[_S214], value_8[3U], _S226);
(&found_0)->sums_0[7U] = _S227;
float _S228 = fma((*kernelContext_4->weights_0)[_S216], value_8[4U], _S227);
(&found_0)->sums_0[7U] = _S228;
float _S229 = fma((*kernelContext_4->weights_0)[_S218], value_8[5U], _S228);
(&found_0)->sums_0[7U] = _S229;
float _S230 = fma((*kernelContext_4->weights_0)[_S220], value_8[6U], _S229);
(&found_0)->sums_0[7U] = _S230;
(&found_0)->sums_0[7U] = fma((*kernelContext_4->weights_0)[_S222], _S223, _S230);
k_1 = _S208;
}
for(;;)
{
if(k_1 < _S39)
{
}
else
{
break;
}
float _S231 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S9, k_1 * kernelContext_4->p_0->headLength_0 + i_8, i_8, k_1, kernelContext_4);
(&found_0)->sums_0[7U] = fma((*kernelContext_4->weights_0)[k_1], _S231, (&found_0)->sums_0[7U]);
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
void loadQueries_0(uint head_2, uint token_0, uint lane_2, KernelContext_0 thread* kernelContext_5)
{
uint factor_0 = (uint4(*(kernelContext_5->tokens_0+token_0)) ).w;
float _S232;
if(factor_0 != 0U)
{
_S232 = kernelContext_5->p_0->scale_0 * (as_type<float>((factor_0)));
}
else
{
_S232 = kernelContext_5->p_0->scale_0;
}
for(;;)
{
for(;;)
{
for(;;)
{
uint _S233 = token_0 * kernelContext_5->p_0->queryStride_0 + head_2 * kernelContext_5->p_0->queryStep_0 * kernelContext_5->p_0->headLength_0;
uint i_9 = lane_2;
for(;;)
{
if(i_9 < (kernelContext_5->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_5->query_0)[i_9] = kernelContext_5->queries_0[_S233 + i_9] * _S232;
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
void attentionPage_0(uint3 group_0, uint lane_3, KernelContext_0 thread* kernelContext_6)
{
uint head_3 = group_0.x;
uint token_1 = group_0.y;
uint page_1 = group_0.z;
uint4 _S234 = uint4(*(kernelContext_6->tokens_0+token_1)) ;
bool _S235;
if(page_1 < (_S234.y / 64U))
{
_S235 = true;
}
else
{
_S235 = (page_1 * 64U) >= (_S234.z);
}
if(_S235)
{
return;
}
loadQueries_0(head_3, token_1, lane_3, kernelContext_6);
Gathered_0 _S236 = gather_0(page_1, _S234, head_3, lane_3, kernelContext_6);
uint at_1 = ((token_1 * kernelContext_6->p_0->heads_0 + head_3) * kernelContext_6->p_0->pageCount_0 + page_1) * (2U + kernelContext_6->p_0->headLength_0);
if(lane_3 == 0U)
{
*(kernelContext_6->outputs_0+at_1) = _S236.top_0[int(0)];
*(kernelContext_6->outputs_0+(at_1 + 1U)) = _S236.total_0[int(0)];
}
if(lane_3 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + lane_3)) = _S236.sums_0[0U];
}
uint i_10 = lane_3 + 64U;
if(i_10 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_10)) = _S236.sums_0[1U];
}
uint i_11 = lane_3 + 128U;
if(i_11 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_11)) = _S236.sums_0[2U];
}
uint i_12 = lane_3 + 192U;
if(i_12 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_12)) = _S236.sums_0[3U];
}
uint i_13 = lane_3 + 256U;
if(i_13 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_13)) = _S236.sums_0[4U];
}
uint i_14 = lane_3 + 320U;
if(i_14 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_14)) = _S236.sums_0[5U];
}
uint i_15 = lane_3 + 384U;
if(i_15 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_15)) = _S236.sums_0[6U];
}
uint i_16 = lane_3 + 448U;
if(i_16 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_16)) = _S236.sums_0[7U];
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
threadgroup array<float, int(64)> lanes_1;
(&kernelContext_7)->lanes_0 = &lanes_1;
threadgroup array<float, int(256)> weights_1;
(&kernelContext_7)->weights_0 = &weights_1;
attentionPage_0(group_1, local_0.x, &kernelContext_7);
return;
}
"""#)
}
#endif
