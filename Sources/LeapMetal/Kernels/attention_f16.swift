// attention_f16 of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_f16 = MetalKernelText(
        module: "attention", entry: "attention_f16", sourcesSHA256: "a86a14943121f1a12314fa2739d30a18f5e7c30fe0d62522739f202bac40cf79",
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
uint Half_headWords_0(KernelContext_0 thread* kernelContext_1)
{
return kernelContext_1->p_0->headLength_0 * 64U;
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
float Half_read_0(ushort device* from_1, uint head_1, uint index_0, uint i_8, uint k_0)
{
return half16_0(from_1, head_1 + index_0);
}
float capped_0(float score_0, KernelContext_0 thread* kernelContext_2)
{
float _S6;
if((kernelContext_2->p_0->softcap_0) > 0.0f)
{
_S6 = kernelContext_2->p_0->softcap_0 * (1.0f - 2.0f / (exp(2.0f * score_0 / kernelContext_2->p_0->softcap_0) + 1.0f));
}
else
{
_S6 = score_0;
}
return _S6;
}
float largest_0(float v_0, uint lane_1, KernelContext_0 thread* kernelContext_3)
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
(*kernelContext_3->lanes_0)[lane_1] = _S7;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S8 = max(_S7, (*kernelContext_3->lanes_0)[lane_1 ^ step_0]);
threadgroup_barrier(mem_flags::mem_threadgroup);
uint step_1 = step_0 >> 1U;
_S7 = _S8;
step_0 = step_1;
}
return _S7;
}
Gathered_0 gather_0(uint page_0, uint4 seen_0, uint head_2, uint lane_2, KernelContext_0 thread* kernelContext_4)
{
uint _S9 = kernelContext_4->pages_0[seen_0.x + page_0];
uint _S10 = kernelContext_4->p_0->heads_0 / kernelContext_4->p_0->keyHeads_0;
uint _S11 = head_2 / _S10;
uint _S12 = Half_headWords_0(kernelContext_4);
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
if(_S17 <= (kernelContext_4->p_0->headLength_0))
{
}
else
{
break;
}
thread array<float, int(8)> key_0;
key_0[0U] = Half_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S13, k_1 * 64U + lane_2, k_1, lane_2);
uint _S18 = k_1 + 1U;
key_0[1U] = Half_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S13, _S18 * 64U + lane_2, _S18, lane_2);
uint _S19 = k_1 + 2U;
key_0[2U] = Half_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S13, _S19 * 64U + lane_2, _S19, lane_2);
uint _S20 = k_1 + 3U;
key_0[3U] = Half_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S13, _S20 * 64U + lane_2, _S20, lane_2);
uint _S21 = k_1 + 4U;
key_0[4U] = Half_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S13, _S21 * 64U + lane_2, _S21, lane_2);
uint _S22 = k_1 + 5U;
key_0[5U] = Half_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S13, _S22 * 64U + lane_2, _S22, lane_2);
uint _S23 = k_1 + 6U;
key_0[6U] = Half_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S13, _S23 * 64U + lane_2, _S23, lane_2);
uint _S24 = k_1 + 7U;
float _S25 = Half_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S13, _S24 * 64U + lane_2, _S24, lane_2);
key_0[7U] = _S25;
float _S26 = fma((*kernelContext_4->query_0)[k_1], key_0[0U], scores_0[0U]);
scores_0[0U] = _S26;
float _S27 = fma((*kernelContext_4->query_0)[_S18], key_0[1U], _S26);
scores_0[0U] = _S27;
float _S28 = fma((*kernelContext_4->query_0)[_S19], key_0[2U], _S27);
scores_0[0U] = _S28;
float _S29 = fma((*kernelContext_4->query_0)[_S20], key_0[3U], _S28);
scores_0[0U] = _S29;
float _S30 = fma((*kernelContext_4->query_0)[_S21], key_0[4U], _S29);
scores_0[0U] = _S30;
float _S31 = fma((*kernelContext_4->query_0)[_S22], key_0[5U], _S30);
scores_0[0U] = _S31;
float _S32 = fma((*kernelContext_4->query_0)[_S23], key_0[6U], _S31);
scores_0[0U] = _S32;
scores_0[0U] = fma((*kernelContext_4->query_0)[_S24], _S25, _S32);
k_1 = _S17;
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
float _S33 = Half_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S13, k_1 * 64U + lane_2, k_1, lane_2);
scores_0[0U] = fma((*kernelContext_4->query_0)[k_1], _S33, scores_0[0U]);
k_1 = k_1 + 1U;
}
float _S34 = capped_0(scores_0[0U], kernelContext_4);
scores_0[0U] = _S34;
}
float _S35 = largest_0(scores_0[0U], lane_2, kernelContext_4);
(&found_0)->top_0[0U] = _S35;
if(sees_0)
{
_S16 = exp(scores_0[0U] - (&found_0)->top_0[0U]);
}
else
{
_S16 = 0.0f;
}
(*kernelContext_4->weights_0)[lane_2] = _S16;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint first_0 = max(_S15, _S14) - _S14;
uint _S36 = min(seen_0.z - _S14, 64U);
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
if(k_1 < _S36)
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
if(lane_2 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S37 = k_1 + 8U;
if(_S37 <= _S36)
{
}
else
{
break;
}
thread array<float, int(8)> value_1;
value_1[0U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + lane_2, lane_2, k_1);
uint _S38 = k_1 + 1U;
value_1[1U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S38 * kernelContext_4->p_0->headLength_0 + lane_2, lane_2, _S38);
uint _S39 = k_1 + 2U;
value_1[2U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S39 * kernelContext_4->p_0->headLength_0 + lane_2, lane_2, _S39);
uint _S40 = k_1 + 3U;
value_1[3U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S40 * kernelContext_4->p_0->headLength_0 + lane_2, lane_2, _S40);
uint _S41 = k_1 + 4U;
value_1[4U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S41 * kernelContext_4->p_0->headLength_0 + lane_2, lane_2, _S41);
uint _S42 = k_1 + 5U;
value_1[5U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S42 * kernelContext_4->p_0->headLength_0 + lane_2, lane_2, _S42);
uint _S43 = k_1 + 6U;
value_1[6U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S43 * kernelContext_4->p_0->headLength_0 + lane_2, lane_2, _S43);
uint _S44 = k_1 + 7U;
float _S45 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S44 * kernelContext_4->p_0->headLength_0 + lane_2, lane_2, _S44);
value_1[7U] = _S45;
float _S46 = fma((*kernelContext_4->weights_0)[k_1], value_1[0U], (&found_0)->sums_0[0U]);
(&found_0)->sums_0[0U] = _S46;
float _S47 = fma((*kernelContext_4->weights_0)[_S38], value_1[1U], _S46);
(&found_0)->sums_0[0U] = _S47;
float _S48 = fma((*kernelContext_4->weights_0)[_S39], value_1[2U], _S47);
(&found_0)->sums_0[0U] = _S48;
float _S49 = fma((*kernelContext_4->weights_0)[_S40], value_1[3U], _S48);
(&found_0)->sums_0[0U] = _S49;
float _S50 = fma((*kernelContext_4->weights_0)[_S41], value_1[4U], _S49);
(&found_0)->sums_0[0U] = _S50;
float _S51 = fma((*kernelContext_4->weights_0)[_S42], value_1[5U], _S50);
(&found_0)->sums_0[0U] = _S51;
float _S52 = fma((*kernelContext_4->weights_0)[_S43], value_1[6U], _S51);
(&found_0)->sums_0[0U] = _S52;
(&found_0)->sums_0[0U] = fma((*kernelContext_4->weights_0)[_S44], _S45, _S52);
k_1 = _S37;
}
for(;;)
{
if(k_1 < _S36)
{
}
else
{
break;
}
float _S53 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + lane_2, lane_2, k_1);
(&found_0)->sums_0[0U] = fma((*kernelContext_4->weights_0)[k_1], _S53, (&found_0)->sums_0[0U]);
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
if(i_9 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S54 = k_1 + 8U;
if(_S54 <= _S36)
{
}
else
{
break;
}
thread array<float, int(8)> value_2;
value_2[0U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_9, i_9, k_1);
uint _S55 = k_1 + 1U;
value_2[1U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S55 * kernelContext_4->p_0->headLength_0 + i_9, i_9, _S55);
uint _S56 = k_1 + 2U;
value_2[2U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S56 * kernelContext_4->p_0->headLength_0 + i_9, i_9, _S56);
uint _S57 = k_1 + 3U;
value_2[3U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S57 * kernelContext_4->p_0->headLength_0 + i_9, i_9, _S57);
uint _S58 = k_1 + 4U;
value_2[4U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S58 * kernelContext_4->p_0->headLength_0 + i_9, i_9, _S58);
uint _S59 = k_1 + 5U;
value_2[5U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S59 * kernelContext_4->p_0->headLength_0 + i_9, i_9, _S59);
uint _S60 = k_1 + 6U;
value_2[6U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S60 * kernelContext_4->p_0->headLength_0 + i_9, i_9, _S60);
uint _S61 = k_1 + 7U;
float _S62 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S61 * kernelContext_4->p_0->headLength_0 + i_9, i_9, _S61);
value_2[7U] = _S62;
float _S63 = fma((*kernelContext_4->weights_0)[k_1], value_2[0U], (&found_0)->sums_0[1U]);
(&found_0)->sums_0[1U] = _S63;
float _S64 = fma((*kernelContext_4->weights_0)[_S55], value_2[1U], _S63);
(&found_0)->sums_0[1U] = _S64;
float _S65 = fma((*kernelContext_4->weights_0)[_S56], value_2[2U], _S64);
(&found_0)->sums_0[1U] = _S65;
float _S66 = fma((*kernelContext_4->weights_0)[_S57], value_2[3U], _S65);
(&found_0)->sums_0[1U] = _S66;
float _S67 = fma((*kernelContext_4->weights_0)[_S58], value_2[4U], _S66);
(&found_0)->sums_0[1U] = _S67;
float _S68 = fma((*kernelContext_4->weights_0)[_S59], value_2[5U], _S67);
(&found_0)->sums_0[1U] = _S68;
float _S69 = fma((*kernelContext_4->weights_0)[_S60], value_2[6U], _S68);
(&found_0)->sums_0[1U] = _S69;
(&found_0)->sums_0[1U] = fma((*kernelContext_4->weights_0)[_S61], _S62, _S69);
k_1 = _S54;
}
for(;;)
{
if(k_1 < _S36)
{
}
else
{
break;
}
float _S70 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_9, i_9, k_1);
(&found_0)->sums_0[1U] = fma((*kernelContext_4->weights_0)[k_1], _S70, (&found_0)->sums_0[1U]);
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
if(i_10 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S71 = k_1 + 8U;
if(_S71 <= _S36)
{
}
else
{
break;
}
thread array<float, int(8)> value_3;
value_3[0U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_10, i_10, k_1);
uint _S72 = k_1 + 1U;
value_3[1U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S72 * kernelContext_4->p_0->headLength_0 + i_10, i_10, _S72);
uint _S73 = k_1 + 2U;
value_3[2U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S73 * kernelContext_4->p_0->headLength_0 + i_10, i_10, _S73);
uint _S74 = k_1 + 3U;
value_3[3U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S74 * kernelContext_4->p_0->headLength_0 + i_10, i_10, _S74);
uint _S75 = k_1 + 4U;
value_3[4U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S75 * kernelContext_4->p_0->headLength_0 + i_10, i_10, _S75);
uint _S76 = k_1 + 5U;
value_3[5U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S76 * kernelContext_4->p_0->headLength_0 + i_10, i_10, _S76);
uint _S77 = k_1 + 6U;
value_3[6U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S77 * kernelContext_4->p_0->headLength_0 + i_10, i_10, _S77);
uint _S78 = k_1 + 7U;
float _S79 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S78 * kernelContext_4->p_0->headLength_0 + i_10, i_10, _S78);
value_3[7U] = _S79;
float _S80 = fma((*kernelContext_4->weights_0)[k_1], value_3[0U], (&found_0)->sums_0[2U]);
(&found_0)->sums_0[2U] = _S80;
float _S81 = fma((*kernelContext_4->weights_0)[_S72], value_3[1U], _S80);
(&found_0)->sums_0[2U] = _S81;
float _S82 = fma((*kernelContext_4->weights_0)[_S73], value_3[2U], _S81);
(&found_0)->sums_0[2U] = _S82;
float _S83 = fma((*kernelContext_4->weights_0)[_S74], value_3[3U], _S82);
(&found_0)->sums_0[2U] = _S83;
float _S84 = fma((*kernelContext_4->weights_0)[_S75], value_3[4U], _S83);
(&found_0)->sums_0[2U] = _S84;
float _S85 = fma((*kernelContext_4->weights_0)[_S76], value_3[5U], _S84);
(&found_0)->sums_0[2U] = _S85;
float _S86 = fma((*kernelContext_4->weights_0)[_S77], value_3[6U], _S85);
(&found_0)->sums_0[2U] = _S86;
(&found_0)->sums_0[2U] = fma((*kernelContext_4->weights_0)[_S78], _S79, _S86);
k_1 = _S71;
}
for(;;)
{
if(k_1 < _S36)
{
}
else
{
break;
}
float _S87 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_10, i_10, k_1);
(&found_0)->sums_0[2U] = fma((*kernelContext_4->weights_0)[k_1], _S87, (&found_0)->sums_0[2U]);
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
if(i_11 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S88 = k_1 + 8U;
if(_S88 <= _S36)
{
}
else
{
break;
}
thread array<float, int(8)> value_4;
value_4[0U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_11, i_11, k_1);
uint _S89 = k_1 + 1U;
value_4[1U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S89 * kernelContext_4->p_0->headLength_0 + i_11, i_11, _S89);
uint _S90 = k_1 + 2U;
value_4[2U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S90 * kernelContext_4->p_0->headLength_0 + i_11, i_11, _S90);
uint _S91 = k_1 + 3U;
value_4[3U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S91 * kernelContext_4->p_0->headLength_0 + i_11, i_11, _S91);
uint _S92 = k_1 + 4U;
value_4[4U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S92 * kernelContext_4->p_0->headLength_0 + i_11, i_11, _S92);
uint _S93 = k_1 + 5U;
value_4[5U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S93 * kernelContext_4->p_0->headLength_0 + i_11, i_11, _S93);
uint _S94 = k_1 + 6U;
value_4[6U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S94 * kernelContext_4->p_0->headLength_0 + i_11, i_11, _S94);
uint _S95 = k_1 + 7U;
float _S96 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S95 * kernelContext_4->p_0->headLength_0 + i_11, i_11, _S95);
value_4[7U] = _S96;
float _S97 = fma((*kernelContext_4->weights_0)[k_1], value_4[0U], (&found_0)->sums_0[3U]);
(&found_0)->sums_0[3U] = _S97;
float _S98 = fma((*kernelContext_4->weights_0)[_S89], value_4[1U], _S97);
(&found_0)->sums_0[3U] = _S98;
float _S99 = fma((*kernelContext_4->weights_0)[_S90], value_4[2U], _S98);
(&found_0)->sums_0[3U] = _S99;
float _S100 = fma((*kernelContext_4->weights_0)[_S91], value_4[3U], _S99);
(&found_0)->sums_0[3U] = _S100;
float _S101 = fma((*kernelContext_4->weights_0)[_S92], value_4[4U], _S100);
(&found_0)->sums_0[3U] = _S101;
float _S102 = fma((*kernelContext_4->weights_0)[_S93], value_4[5U], _S101);
(&found_0)->sums_0[3U] = _S102;
float _S103 = fma((*kernelContext_4->weights_0)[_S94], value_4[6U], _S102);
(&found_0)->sums_0[3U] = _S103;
(&found_0)->sums_0[3U] = fma((*kernelContext_4->weights_0)[_S95], _S96, _S103);
k_1 = _S88;
}
for(;;)
{
if(k_1 < _S36)
{
}
else
{
break;
}
float _S104 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_11, i_11, k_1);
(&found_0)->sums_0[3U] = fma((*kernelContext_4->weights_0)[k_1], _S104, (&found_0)->sums_0[3U]);
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
if(i_12 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S105 = k_1 + 8U;
if(_S105 <= _S36)
{
}
else
{
break;
}
thread array<float, int(8)> value_5;
value_5[0U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_12, i_12, k_1);
uint _S106 = k_1 + 1U;
value_5[1U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S106 * kernelContext_4->p_0->headLength_0 + i_12, i_12, _S106);
uint _S107 = k_1 + 2U;
value_5[2U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S107 * kernelContext_4->p_0->headLength_0 + i_12, i_12, _S107);
uint _S108 = k_1 + 3U;
value_5[3U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S108 * kernelContext_4->p_0->headLength_0 + i_12, i_12, _S108);
uint _S109 = k_1 + 4U;
value_5[4U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S109 * kernelContext_4->p_0->headLength_0 + i_12, i_12, _S109);
uint _S110 = k_1 + 5U;
value_5[5U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S110 * kernelContext_4->p_0->headLength_0 + i_12, i_12, _S110);
uint _S111 = k_1 + 6U;
value_5[6U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S111 * kernelContext_4->p_0->headLength_0 + i_12, i_12, _S111);
uint _S112 = k_1 + 7U;
float _S113 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S112 * kernelContext_4->p_0->headLength_0 + i_12, i_12, _S112);
value_5[7U] = _S113;
float _S114 = fma((*kernelContext_4->weights_0)[k_1], value_5[0U], (&found_0)->sums_0[4U]);
(&found_0)->sums_0[4U] = _S114;
float _S115 = fma((*kernelContext_4->weights_0)[_S106], value_5[1U], _S114);
(&found_0)->sums_0[4U] = _S115;
float _S116 = fma((*kernelContext_4->weights_0)[_S107], value_5[2U], _S115);
(&found_0)->sums_0[4U] = _S116;
float _S117 = fma((*kernelContext_4->weights_0)[_S108], value_5[3U], _S116);
(&found_0)->sums_0[4U] = _S117;
float _S118 = fma((*kernelContext_4->weights_0)[_S109], value_5[4U], _S117);
(&found_0)->sums_0[4U] = _S118;
float _S119 = fma((*kernelContext_4->weights_0)[_S110], value_5[5U], _S118);
(&found_0)->sums_0[4U] = _S119;
float _S120 = fma((*kernelContext_4->weights_0)[_S111], value_5[6U], _S119);
(&found_0)->sums_0[4U] = _S120;
(&found_0)->sums_0[4U] = fma((*kernelContext_4->weights_0)[_S112], _S113, _S120);
k_1 = _S105;
}
for(;;)
{
if(k_1 < _S36)
{
}
else
{
break;
}
float _S121 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_12, i_12, k_1);
(&found_0)->sums_0[4U] = fma((*kernelContext_4->weights_0)[k_1], _S121, (&found_0)->sums_0[4U]);
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
if(i_13 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S122 = k_1 + 8U;
if(_S122 <= _S36)
{
}
else
{
break;
}
thread array<float, int(8)> value_6;
value_6[0U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_13, i_13, k_1);
uint _S123 = k_1 + 1U;
value_6[1U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S123 * kernelContext_4->p_0->headLength_0 + i_13, i_13, _S123);
uint _S124 = k_1 + 2U;
value_6[2U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S124 * kernelContext_4->p_0->headLength_0 + i_13, i_13, _S124);
uint _S125 = k_1 + 3U;
value_6[3U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S125 * kernelContext_4->p_0->headLength_0 + i_13, i_13, _S125);
uint _S126 = k_1 + 4U;
value_6[4U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S126 * kernelContext_4->p_0->headLength_0 + i_13, i_13, _S126);
uint _S127 = k_1 + 5U;
value_6[5U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S127 * kernelContext_4->p_0->headLength_0 + i_13, i_13, _S127);
uint _S128 = k_1 + 6U;
value_6[6U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S128 * kernelContext_4->p_0->headLength_0 + i_13, i_13, _S128);
uint _S129 = k_1 + 7U;
float _S130 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S129 * kernelContext_4->p_0->headLength_0 + i_13, i_13, _S129);
value_6[7U] = _S130;
float _S131 = fma((*kernelContext_4->weights_0)[k_1], value_6[0U], (&found_0)->sums_0[5U]);
(&found_0)->sums_0[5U] = _S131;
float _S132 = fma((*kernelContext_4->weights_0)[_S123], value_6[1U], _S131);
(&found_0)->sums_0[5U] = _S132;
float _S133 = fma((*kernelContext_4->weights_0)[_S124], value_6[2U], _S132);
(&found_0)->sums_0[5U] = _S133;
float _S134 = fma((*kernelContext_4->weights_0)[_S125], value_6[3U], _S133);
(&found_0)->sums_0[5U] = _S134;
float _S135 = fma((*kernelContext_4->weights_0)[_S126], value_6[4U], _S134);
(&found_0)->sums_0[5U] = _S135;
float _S136 = fma((*kernelContext_4->weights_0)[_S127], value_6[5U], _S135);
(&found_0)->sums_0[5U] = _S136;
float _S137 = fma((*kernelContext_4->weights_0)[_S128], value_6[6U], _S136);
(&found_0)->sums_0[5U] = _S137;
(&found_0)->sums_0[5U] = fma((*kernelContext_4->weights_0)[_S129], _S130, _S137);
k_1 = _S122;
}
for(;;)
{
if(k_1 < _S36)
{
}
else
{
break;
}
float _S138 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_13, i_13, k_1);
(&found_0)->sums_0[5U] = fma((*kernelContext_4->weights_0)[k_1], _S138, (&found_0)->sums_0[5U]);
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
if(i_14 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S139 = k_1 + 8U;
if(_S139 <= _S36)
{
}
else
{
break;
}
thread array<float, int(8)> value_7;
value_7[0U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_14, i_14, k_1);
uint _S140 = k_1 + 1U;
value_7[1U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S140 * kernelContext_4->p_0->headLength_0 + i_14, i_14, _S140);
uint _S141 = k_1 + 2U;
value_7[2U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S141 * kernelContext_4->p_0->headLength_0 + i_14, i_14, _S141);
uint _S142 = k_1 + 3U;
value_7[3U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S142 * kernelContext_4->p_0->headLength_0 + i_14, i_14, _S142);
uint _S143 = k_1 + 4U;
value_7[4U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S143 * kernelContext_4->p_0->headLength_0 + i_14, i_14, _S143);
uint _S144 = k_1 + 5U;
value_7[5U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S144 * kernelContext_4->p_0->headLength_0 + i_14, i_14, _S144);
uint _S145 = k_1 + 6U;
value_7[6U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S145 * kernelContext_4->p_0->headLength_0 + i_14, i_14, _S145);
uint _S146 = k_1 + 7U;
float _S147 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S146 * kernelContext_4->p_0->headLength_0 + i_14, i_14, _S146);
value_7[7U] = _S147;
float _S148 = fma((*kernelContext_4->weights_0)[k_1], value_7[0U], (&found_0)->sums_0[6U]);
(&found_0)->sums_0[6U] = _S148;
float _S149 = fma((*kernelContext_4->weights_0)[_S140], value_7[1U], _S148);
(&found_0)->sums_0[6U] = _S149;
float _S150 = fma((*kernelContext_4->weights_0)[_S141], value_7[2U], _S149);
(&found_0)->sums_0[6U] = _S150;
float _S151 = fma((*kernelContext_4->weights_0)[_S142], value_7[3U], _S150);
(&found_0)->sums_0[6U] = _S151;
float _S152 = fma((*kernelContext_4->weights_0)[_S143], value_7[4U], _S151);
(&found_0)->sums_0[6U] = _S152;
float _S153 = fma((*kernelContext_4->weights_0)[_S144], value_7[5U], _S152);
(&found_0)->sums_0[6U] = _S153;
float _S154 = fma((*kernelContext_4->weights_0)[_S145], value_7[6U], _S153);
(&found_0)->sums_0[6U] = _S154;
(&found_0)->sums_0[6U] = fma((*kernelContext_4->weights_0)[_S146], _S147, _S154);
k_1 = _S139;
}
for(;;)
{
if(k_1 < _S36)
{
}
else
{
break;
}
float _S155 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_14, i_14, k_1);
(&found_0)->sums_0[6U] = fma((*kernelContext_4->weights_0)[k_1], _S155, (&found_0)->sums_0[6U]);
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
if(i_15 >= (kernelContext_4->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S156 = k_1 + 8U;
if(_S156 <= _S36)
{
}
else
{
break;
}
thread array<float, int(8)> value_8;
value_8[0U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_15, i_15, k_1);
uint _S157 = k_1 + 1U;
value_8[1U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S157 * kernelContext_4->p_0->headLength_0 + i_15, i_15, _S157);
uint _S158 = k_1 + 2U;
value_8[2U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S158 * kernelContext_4->p_0->headLength_0 + i_15, i_15, _S158);
uint _S159 = k_1 + 3U;
value_8[3U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S159 * kernelContext_4->p_0->headLength_0 + i_15, i_15, _S159);
uint _S160 = k_1 + 4U;
value_8[4U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S160 * kernelContext_4->p_0->headLength_0 + i_15, i_15, _S160);
uint _S161 = k_1 + 5U;
value_8[5U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S161 * kernelContext_4->p_0->headLength_0 + i_15, i_15, _S161);
uint _S162 = k_1 + 6U;
value_8[6U] = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S162 * kernelContext_4->p_0->headLength_0 + i_15, i_15, _S162);
uint _S163 = k_1 + 7U;
float _S164 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, _S163 * kernelContext_4->p_0->headLength_0 + i_15, i_15, _S163);
value_8[7U] = _S164;
float _S165 = fma((*kernelContext_4->weights_0)[k_1], value_8[0U], (&found_0)->sums_0[7U]);
(&found_0)->sums_0[7U] = _S165;
float _S166 = fma((*kernelContext_4->weights_0)[_S157], value_8[1U], _S165);
(&found_0)->sums_0[7U] = _S166;
float _S167 = fma((*kernelContext_4->weights_0)[_S158], value_8[2U], _S166);
(&found_0)->sums_0[7U] = _S167;
float _S168 = fma((*kernelContext_4->weights_0)[_S159], value_8[3U], _S167);
(&found_0)->sums_0[7U] = _S168;
float _S169 = fma((*kernelContext_4->weights_0)[_S160], value_8[4U], _S168);
(&found_0)->sums_0[7U] = _S169;
float _S170 = fma((*kernelContext_4->weights_0)[_S161], value_8[5U], _S169);
(&found_0)->sums_0[7U] = _S170;
float _S171 = fma((*kernelContext_4->weights_0)[_S162], value_8[6U], _S170);
(&found_0)->sums_0[7U] = _S171;
(&found_0)->sums_0[7U] = fma((*kernelContext_4->weights_0)[_S163], _S164, _S171);
k_1 = _S156;
}
for(;;)
{
if(k_1 < _S36)
{
}
else
{
break;
}
float _S172 = Half_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S13, k_1 * kernelContext_4->p_0->headLength_0 + i_15, i_15, k_1);
(&found_0)->sums_0[7U] = fma((*kernelContext_4->weights_0)[k_1], _S172, (&found_0)->sums_0[7U]);
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
float _S173 = max(all_1->top_0[0U], page_1->top_0[0U]);
float fade_2 = exp(all_1->top_0[0U] - _S173);
float weight_0 = exp(page_1->top_0[0U] - _S173);
all_1->total_0[0U] = fma(page_1->total_0[0U], weight_0, all_1->total_0[0U] * fade_2);
all_1->sums_0[0U] = fma(page_1->sums_0[0U], weight_0, all_1->sums_0[0U] * fade_2);
all_1->sums_0[1U] = fma(page_1->sums_0[1U], weight_0, all_1->sums_0[1U] * fade_2);
all_1->sums_0[2U] = fma(page_1->sums_0[2U], weight_0, all_1->sums_0[2U] * fade_2);
all_1->sums_0[3U] = fma(page_1->sums_0[3U], weight_0, all_1->sums_0[3U] * fade_2);
all_1->sums_0[4U] = fma(page_1->sums_0[4U], weight_0, all_1->sums_0[4U] * fade_2);
all_1->sums_0[5U] = fma(page_1->sums_0[5U], weight_0, all_1->sums_0[5U] * fade_2);
all_1->sums_0[6U] = fma(page_1->sums_0[6U], weight_0, all_1->sums_0[6U] * fade_2);
all_1->sums_0[7U] = fma(page_1->sums_0[7U], weight_0, all_1->sums_0[7U] * fade_2);
all_1->top_0[0U] = _S173;
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
void loadQueries_0(uint head_3, uint token_1, uint lane_3, KernelContext_0 thread* kernelContext_5)
{
uint factor_0 = (uint4(*(kernelContext_5->tokens_0+token_1)) ).w;
float _S174;
if(factor_0 != 0U)
{
_S174 = kernelContext_5->p_0->scale_0 * (as_type<float>((factor_0)));
}
else
{
_S174 = kernelContext_5->p_0->scale_0;
}
for(;;)
{
for(;;)
{
for(;;)
{
uint _S175 = token_1 * kernelContext_5->p_0->queryStride_0 + head_3 * kernelContext_5->p_0->queryStep_0 * kernelContext_5->p_0->headLength_0;
uint i_16 = lane_3;
for(;;)
{
if(i_16 < (kernelContext_5->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_5->query_0)[i_16] = kernelContext_5->queries_0[_S175 + i_16] * _S174;
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
void attention_0(uint3 group_0, uint lane_4, KernelContext_0 thread* kernelContext_6)
{
uint _S176 = group_0.x;
uint token_2 = group_0.y;
uint4 _S177 = uint4(*(kernelContext_6->tokens_0+token_2)) ;
loadQueries_0(_S176, token_2, lane_4, kernelContext_6);
thread Gathered_0 all_2 = nothing_0();
uint page_2 = _S177.y / 64U;
for(;;)
{
if((page_2 * 64U) < (_S177.z))
{
}
else
{
break;
}
Gathered_0 _S178 = gather_0(page_2, _S177, _S176, lane_4, kernelContext_6);
thread Gathered_0 _S179 = _S178;
join_0(&all_2, &_S179);
page_2 = page_2 + 1U;
}
thread Gathered_0 _S180 = all_2;
write_0(&_S180, _S176, token_2, lane_4, kernelContext_6);
return;
}
[[kernel]] void attention_f16(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], Parameters_0 constant* p_1 [[buffer(7)]], float device* sinks_1 [[buffer(6)]], float device* outputs_1 [[buffer(5)]], uint device* pages_1 [[buffer(3)]], ushort device* keys_1 [[buffer(1)]], ushort device* values_1 [[buffer(2)]], packed_uint4 device* tokens_1 [[buffer(4)]], float device* queries_1 [[buffer(0)]])
{
thread KernelContext_0 kernelContext_7;
(&kernelContext_7)->p_0 = p_1;
(&kernelContext_7)->sinks_0 = sinks_1;
(&kernelContext_7)->outputs_0 = outputs_1;
(&kernelContext_7)->pages_0 = pages_1;
(&kernelContext_7)->keys_0 = keys_1;
(&kernelContext_7)->values_0 = values_1;
(&kernelContext_7)->tokens_0 = tokens_1;
(&kernelContext_7)->queries_0 = queries_1;
threadgroup array<float, int(512)> query_1;
(&kernelContext_7)->query_0 = &query_1;
threadgroup array<float, int(64)> lanes_1;
(&kernelContext_7)->lanes_0 = &lanes_1;
threadgroup array<float, int(256)> weights_1;
(&kernelContext_7)->weights_0 = &weights_1;
attention_0(group_1, local_0.x, &kernelContext_7);
return;
}
"""#)
}
#endif
