// attention_f32 of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_f32 = MetalKernelText(
        module: "attention", entry: "attention_f32", sourcesSHA256: "1ce66d3ac72a760fb48d33c913977f599a98bd935ff58168da9b2fb94c8722e1",
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
uint Single_headWords_0(KernelContext_0 thread* kernelContext_1)
{
return kernelContext_1->p_0->headLength_0 * 64U * 2U;
}
float Single_read_0(ushort device* from_0, uint head_1, uint index_0, uint i_7, uint k_0)
{
uint _S5 = head_1 + 2U * index_0;
return (as_type<float>((uint(from_0[_S5]) | (uint(from_0[_S5 + 1U]) << 16U))));
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
uint half_0 = 0U;
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
(*kernelContext_3->lanes_0)[half_0 + lane_1] = _S7;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S8 = max(_S7, (*kernelContext_3->lanes_0)[half_0 + (lane_1 ^ step_0)]);
uint _S9 = 64U - half_0;
uint step_1 = step_0 >> 1U;
half_0 = _S9;
_S7 = _S8;
step_0 = step_1;
}
return _S7;
}
Gathered_0 gather_0(uint page_0, uint4 seen_0, uint head_2, uint lane_2, KernelContext_0 thread* kernelContext_4)
{
uint _S10 = kernelContext_4->pages_0[seen_0.x + page_0];
uint _S11 = kernelContext_4->p_0->heads_0 / kernelContext_4->p_0->keyHeads_0;
uint _S12 = head_2 / _S11;
uint _S13 = Single_headWords_0(kernelContext_4);
uint _S14 = _S10 + _S12 * _S13;
uint _S15 = page_0 * 64U;
uint position_0 = _S15 + lane_2;
uint _S16 = seen_0.y;
bool sees_0;
if(position_0 >= _S16)
{
sees_0 = position_0 < (seen_0.z);
}
else
{
sees_0 = false;
}
thread Gathered_0 found_0;
thread array<float, int(1)> scores_0;
float _S17;
if(sees_0)
{
_S17 = 0.0f;
}
else
{
_S17 = -3.4028234663852886e+38f;
}
scores_0[0U] = _S17;
uint k_1;
if(sees_0)
{
k_1 = 0U;
for(;;)
{
uint _S18 = k_1 + 16U;
if(_S18 <= (kernelContext_4->p_0->headLength_0))
{
}
else
{
break;
}
thread array<float, int(16)> key_0;
key_0[0U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, k_1 * 64U + lane_2, k_1, lane_2);
uint _S19 = k_1 + 1U;
key_0[1U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S19 * 64U + lane_2, _S19, lane_2);
uint _S20 = k_1 + 2U;
key_0[2U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S20 * 64U + lane_2, _S20, lane_2);
uint _S21 = k_1 + 3U;
key_0[3U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S21 * 64U + lane_2, _S21, lane_2);
uint _S22 = k_1 + 4U;
key_0[4U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S22 * 64U + lane_2, _S22, lane_2);
uint _S23 = k_1 + 5U;
key_0[5U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S23 * 64U + lane_2, _S23, lane_2);
uint _S24 = k_1 + 6U;
key_0[6U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S24 * 64U + lane_2, _S24, lane_2);
uint _S25 = k_1 + 7U;
key_0[7U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S25 * 64U + lane_2, _S25, lane_2);
uint _S26 = k_1 + 8U;
key_0[8U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S26 * 64U + lane_2, _S26, lane_2);
uint _S27 = k_1 + 9U;
key_0[9U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S27 * 64U + lane_2, _S27, lane_2);
uint _S28 = k_1 + 10U;
key_0[10U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S28 * 64U + lane_2, _S28, lane_2);
uint _S29 = k_1 + 11U;
key_0[11U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S29 * 64U + lane_2, _S29, lane_2);
uint _S30 = k_1 + 12U;
key_0[12U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S30 * 64U + lane_2, _S30, lane_2);
uint _S31 = k_1 + 13U;
key_0[13U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S31 * 64U + lane_2, _S31, lane_2);
uint _S32 = k_1 + 14U;
key_0[14U] = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S32 * 64U + lane_2, _S32, lane_2);
uint _S33 = k_1 + 15U;
float _S34 = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, _S33 * 64U + lane_2, _S33, lane_2);
key_0[15U] = _S34;
float _S35 = fma((*kernelContext_4->query_0)[k_1], key_0[0U], scores_0[0U]);
scores_0[0U] = _S35;
float _S36 = fma((*kernelContext_4->query_0)[_S19], key_0[1U], _S35);
scores_0[0U] = _S36;
float _S37 = fma((*kernelContext_4->query_0)[_S20], key_0[2U], _S36);
scores_0[0U] = _S37;
float _S38 = fma((*kernelContext_4->query_0)[_S21], key_0[3U], _S37);
scores_0[0U] = _S38;
float _S39 = fma((*kernelContext_4->query_0)[_S22], key_0[4U], _S38);
scores_0[0U] = _S39;
float _S40 = fma((*kernelContext_4->query_0)[_S23], key_0[5U], _S39);
scores_0[0U] = _S40;
float _S41 = fma((*kernelContext_4->query_0)[_S24], key_0[6U], _S40);
scores_0[0U] = _S41;
float _S42 = fma((*kernelContext_4->query_0)[_S25], key_0[7U], _S41);
scores_0[0U] = _S42;
float _S43 = fma((*kernelContext_4->query_0)[_S26], key_0[8U], _S42);
scores_0[0U] = _S43;
float _S44 = fma((*kernelContext_4->query_0)[_S27], key_0[9U], _S43);
scores_0[0U] = _S44;
float _S45 = fma((*kernelContext_4->query_0)[_S28], key_0[10U], _S44);
scores_0[0U] = _S45;
float _S46 = fma((*kernelContext_4->query_0)[_S29], key_0[11U], _S45);
scores_0[0U] = _S46;
float _S47 = fma((*kernelContext_4->query_0)[_S30], key_0[12U], _S46);
scores_0[0U] = _S47;
float _S48 = fma((*kernelContext_4->query_0)[_S31], key_0[13U], _S47);
scores_0[0U] = _S48;
float _S49 = fma((*kernelContext_4->query_0)[_S32], key_0[14U], _S48);
scores_0[0U] = _S49;
scores_0[0U] = fma((*kernelContext_4->query_0)[_S33], _S34, _S49);
k_1 = _S18;
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
float _S50 = Single_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S14, k_1 * 64U + lane_2, k_1, lane_2);
scores_0[0U] = fma((*kernelContext_4->query_0)[k_1], _S50, scores_0[0U]);
k_1 = k_1 + 1U;
}
float _S51 = capped_0(scores_0[0U], kernelContext_4);
scores_0[0U] = _S51;
}
float _S52 = largest_0(scores_0[0U], lane_2, kernelContext_4);
(&found_0)->top_0[0U] = _S52;
if(sees_0)
{
_S17 = exp(scores_0[0U] - (&found_0)->top_0[0U]);
}
else
{
_S17 = 0.0f;
}
(*kernelContext_4->weights_0)[lane_2] = _S17;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint first_0 = max(_S16, _S15) - _S15;
uint _S53 = min(seen_0.z - _S15, 64U);
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
if(k_1 < _S53)
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
uint _S54 = k_1 + 8U;
if(_S54 <= _S53)
{
}
else
{
break;
}
thread array<float, int(64)> value_0;
if(0U < (kernelContext_4->p_0->headLength_0))
{
uint _S55 = min(lane_2, kernelContext_4->p_0->headLength_0 - 1U);
value_0[0U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S55, _S55, k_1);
uint _S56 = k_1 + 1U;
value_0[1U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S56 * kernelContext_4->p_0->headLength_0 + _S55, _S55, _S56);
uint _S57 = k_1 + 2U;
value_0[2U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S57 * kernelContext_4->p_0->headLength_0 + _S55, _S55, _S57);
uint _S58 = k_1 + 3U;
value_0[3U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S58 * kernelContext_4->p_0->headLength_0 + _S55, _S55, _S58);
uint _S59 = k_1 + 4U;
value_0[4U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S59 * kernelContext_4->p_0->headLength_0 + _S55, _S55, _S59);
uint _S60 = k_1 + 5U;
value_0[5U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S60 * kernelContext_4->p_0->headLength_0 + _S55, _S55, _S60);
uint _S61 = k_1 + 6U;
value_0[6U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S61 * kernelContext_4->p_0->headLength_0 + _S55, _S55, _S61);
uint _S62 = k_1 + 7U;
value_0[7U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S62 * kernelContext_4->p_0->headLength_0 + _S55, _S55, _S62);
}
if(64U < (kernelContext_4->p_0->headLength_0))
{
uint _S63 = min(lane_2 + 64U, kernelContext_4->p_0->headLength_0 - 1U);
value_0[8U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S63, _S63, k_1);
uint _S64 = k_1 + 1U;
value_0[9U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S64 * kernelContext_4->p_0->headLength_0 + _S63, _S63, _S64);
uint _S65 = k_1 + 2U;
value_0[10U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S65 * kernelContext_4->p_0->headLength_0 + _S63, _S63, _S65);
uint _S66 = k_1 + 3U;
value_0[11U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S66 * kernelContext_4->p_0->headLength_0 + _S63, _S63, _S66);
uint _S67 = k_1 + 4U;
value_0[12U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S67 * kernelContext_4->p_0->headLength_0 + _S63, _S63, _S67);
uint _S68 = k_1 + 5U;
value_0[13U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S68 * kernelContext_4->p_0->headLength_0 + _S63, _S63, _S68);
uint _S69 = k_1 + 6U;
value_0[14U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S69 * kernelContext_4->p_0->headLength_0 + _S63, _S63, _S69);
uint _S70 = k_1 + 7U;
value_0[15U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S70 * kernelContext_4->p_0->headLength_0 + _S63, _S63, _S70);
}
if(128U < (kernelContext_4->p_0->headLength_0))
{
uint _S71 = min(lane_2 + 128U, kernelContext_4->p_0->headLength_0 - 1U);
value_0[16U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S71, _S71, k_1);
uint _S72 = k_1 + 1U;
value_0[17U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S72 * kernelContext_4->p_0->headLength_0 + _S71, _S71, _S72);
uint _S73 = k_1 + 2U;
value_0[18U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S73 * kernelContext_4->p_0->headLength_0 + _S71, _S71, _S73);
uint _S74 = k_1 + 3U;
value_0[19U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S74 * kernelContext_4->p_0->headLength_0 + _S71, _S71, _S74);
uint _S75 = k_1 + 4U;
value_0[20U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S75 * kernelContext_4->p_0->headLength_0 + _S71, _S71, _S75);
uint _S76 = k_1 + 5U;
value_0[21U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S76 * kernelContext_4->p_0->headLength_0 + _S71, _S71, _S76);
uint _S77 = k_1 + 6U;
value_0[22U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S77 * kernelContext_4->p_0->headLength_0 + _S71, _S71, _S77);
uint _S78 = k_1 + 7U;
value_0[23U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S78 * kernelContext_4->p_0->headLength_0 + _S71, _S71, _S78);
}
if(192U < (kernelContext_4->p_0->headLength_0))
{
uint _S79 = min(lane_2 + 192U, kernelContext_4->p_0->headLength_0 - 1U);
value_0[24U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S79, _S79, k_1);
uint _S80 = k_1 + 1U;
value_0[25U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S80 * kernelContext_4->p_0->headLength_0 + _S79, _S79, _S80);
uint _S81 = k_1 + 2U;
value_0[26U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S81 * kernelContext_4->p_0->headLength_0 + _S79, _S79, _S81);
uint _S82 = k_1 + 3U;
value_0[27U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S82 * kernelContext_4->p_0->headLength_0 + _S79, _S79, _S82);
uint _S83 = k_1 + 4U;
value_0[28U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S83 * kernelContext_4->p_0->headLength_0 + _S79, _S79, _S83);
uint _S84 = k_1 + 5U;
value_0[29U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S84 * kernelContext_4->p_0->headLength_0 + _S79, _S79, _S84);
uint _S85 = k_1 + 6U;
value_0[30U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S85 * kernelContext_4->p_0->headLength_0 + _S79, _S79, _S85);
uint _S86 = k_1 + 7U;
value_0[31U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S86 * kernelContext_4->p_0->headLength_0 + _S79, _S79, _S86);
}
if(256U < (kernelContext_4->p_0->headLength_0))
{
uint _S87 = min(lane_2 + 256U, kernelContext_4->p_0->headLength_0 - 1U);
value_0[32U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S87, _S87, k_1);
uint _S88 = k_1 + 1U;
value_0[33U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S88 * kernelContext_4->p_0->headLength_0 + _S87, _S87, _S88);
uint _S89 = k_1 + 2U;
value_0[34U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S89 * kernelContext_4->p_0->headLength_0 + _S87, _S87, _S89);
uint _S90 = k_1 + 3U;
value_0[35U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S90 * kernelContext_4->p_0->headLength_0 + _S87, _S87, _S90);
uint _S91 = k_1 + 4U;
value_0[36U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S91 * kernelContext_4->p_0->headLength_0 + _S87, _S87, _S91);
uint _S92 = k_1 + 5U;
value_0[37U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S92 * kernelContext_4->p_0->headLength_0 + _S87, _S87, _S92);
uint _S93 = k_1 + 6U;
value_0[38U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S93 * kernelContext_4->p_0->headLength_0 + _S87, _S87, _S93);
uint _S94 = k_1 + 7U;
value_0[39U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S94 * kernelContext_4->p_0->headLength_0 + _S87, _S87, _S94);
}
if(320U < (kernelContext_4->p_0->headLength_0))
{
uint _S95 = min(lane_2 + 320U, kernelContext_4->p_0->headLength_0 - 1U);
value_0[40U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S95, _S95, k_1);
uint _S96 = k_1 + 1U;
value_0[41U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S96 * kernelContext_4->p_0->headLength_0 + _S95, _S95, _S96);
uint _S97 = k_1 + 2U;
value_0[42U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S97 * kernelContext_4->p_0->headLength_0 + _S95, _S95, _S97);
uint _S98 = k_1 + 3U;
value_0[43U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S98 * kernelContext_4->p_0->headLength_0 + _S95, _S95, _S98);
uint _S99 = k_1 + 4U;
value_0[44U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S99 * kernelContext_4->p_0->headLength_0 + _S95, _S95, _S99);
uint _S100 = k_1 + 5U;
value_0[45U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S100 * kernelContext_4->p_0->headLength_0 + _S95, _S95, _S100);
uint _S101 = k_1 + 6U;
value_0[46U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S101 * kernelContext_4->p_0->headLength_0 + _S95, _S95, _S101);
uint _S102 = k_1 + 7U;
value_0[47U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S102 * kernelContext_4->p_0->headLength_0 + _S95, _S95, _S102);
}
if(384U < (kernelContext_4->p_0->headLength_0))
{
uint _S103 = min(lane_2 + 384U, kernelContext_4->p_0->headLength_0 - 1U);
value_0[48U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S103, _S103, k_1);
uint _S104 = k_1 + 1U;
value_0[49U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S104 * kernelContext_4->p_0->headLength_0 + _S103, _S103, _S104);
uint _S105 = k_1 + 2U;
value_0[50U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S105 * kernelContext_4->p_0->headLength_0 + _S103, _S103, _S105);
uint _S106 = k_1 + 3U;
value_0[51U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S106 * kernelContext_4->p_0->headLength_0 + _S103, _S103, _S106);
uint _S107 = k_1 + 4U;
value_0[52U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S107 * kernelContext_4->p_0->headLength_0 + _S103, _S103, _S107);
uint _S108 = k_1 + 5U;
value_0[53U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S108 * kernelContext_4->p_0->headLength_0 + _S103, _S103, _S108);
uint _S109 = k_1 + 6U;
value_0[54U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S109 * kernelContext_4->p_0->headLength_0 + _S103, _S103, _S109);
uint _S110 = k_1 + 7U;
value_0[55U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S110 * kernelContext_4->p_0->headLength_0 + _S103, _S103, _S110);
}
if(448U < (kernelContext_4->p_0->headLength_0))
{
uint _S111 = min(lane_2 + 448U, kernelContext_4->p_0->headLength_0 - 1U);
value_0[56U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S111, _S111, k_1);
uint _S112 = k_1 + 1U;
value_0[57U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S112 * kernelContext_4->p_0->headLength_0 + _S111, _S111, _S112);
uint _S113 = k_1 + 2U;
value_0[58U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S113 * kernelContext_4->p_0->headLength_0 + _S111, _S111, _S113);
uint _S114 = k_1 + 3U;
value_0[59U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S114 * kernelContext_4->p_0->headLength_0 + _S111, _S111, _S114);
uint _S115 = k_1 + 4U;
value_0[60U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S115 * kernelContext_4->p_0->headLength_0 + _S111, _S111, _S115);
uint _S116 = k_1 + 5U;
value_0[61U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S116 * kernelContext_4->p_0->headLength_0 + _S111, _S111, _S116);
uint _S117 = k_1 + 6U;
value_0[62U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S117 * kernelContext_4->p_0->headLength_0 + _S111, _S111, _S117);
uint _S118 = k_1 + 7U;
value_0[63U] = Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, _S118 * kernelContext_4->p_0->headLength_0 + _S111, _S111, _S118);
}
if(0U < (kernelContext_4->p_0->headLength_0))
{
float _S119 = fma((*kernelContext_4->weights_0)[k_1], value_0[0U], (&found_0)->sums_0[0U]);
(&found_0)->sums_0[0U] = _S119;
float _S120 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_0[1U], _S119);
(&found_0)->sums_0[0U] = _S120;
float _S121 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_0[2U], _S120);
(&found_0)->sums_0[0U] = _S121;
float _S122 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_0[3U], _S121);
(&found_0)->sums_0[0U] = _S122;
float _S123 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_0[4U], _S122);
(&found_0)->sums_0[0U] = _S123;
float _S124 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_0[5U], _S123);
(&found_0)->sums_0[0U] = _S124;
float _S125 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_0[6U], _S124);
(&found_0)->sums_0[0U] = _S125;
(&found_0)->sums_0[0U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_0[7U], _S125);
}
if(64U < (kernelContext_4->p_0->headLength_0))
{
float _S126 = fma((*kernelContext_4->weights_0)[k_1], value_0[8U], (&found_0)->sums_0[1U]);
(&found_0)->sums_0[1U] = _S126;
float _S127 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_0[9U], _S126);
(&found_0)->sums_0[1U] = _S127;
float _S128 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_0[10U], _S127);
(&found_0)->sums_0[1U] = _S128;
float _S129 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_0[11U], _S128);
(&found_0)->sums_0[1U] = _S129;
float _S130 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_0[12U], _S129);
(&found_0)->sums_0[1U] = _S130;
float _S131 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_0[13U], _S130);
(&found_0)->sums_0[1U] = _S131;
float _S132 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_0[14U], _S131);
(&found_0)->sums_0[1U] = _S132;
(&found_0)->sums_0[1U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_0[15U], _S132);
}
if(128U < (kernelContext_4->p_0->headLength_0))
{
float _S133 = fma((*kernelContext_4->weights_0)[k_1], value_0[16U], (&found_0)->sums_0[2U]);
(&found_0)->sums_0[2U] = _S133;
float _S134 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_0[17U], _S133);
(&found_0)->sums_0[2U] = _S134;
float _S135 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_0[18U], _S134);
(&found_0)->sums_0[2U] = _S135;
float _S136 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_0[19U], _S135);
(&found_0)->sums_0[2U] = _S136;
float _S137 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_0[20U], _S136);
(&found_0)->sums_0[2U] = _S137;
float _S138 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_0[21U], _S137);
(&found_0)->sums_0[2U] = _S138;
float _S139 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_0[22U], _S138);
(&found_0)->sums_0[2U] = _S139;
(&found_0)->sums_0[2U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_0[23U], _S139);
}
if(192U < (kernelContext_4->p_0->headLength_0))
{
float _S140 = fma((*kernelContext_4->weights_0)[k_1], value_0[24U], (&found_0)->sums_0[3U]);
(&found_0)->sums_0[3U] = _S140;
float _S141 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_0[25U], _S140);
(&found_0)->sums_0[3U] = _S141;
float _S142 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_0[26U], _S141);
(&found_0)->sums_0[3U] = _S142;
float _S143 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_0[27U], _S142);
(&found_0)->sums_0[3U] = _S143;
float _S144 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_0[28U], _S143);
(&found_0)->sums_0[3U] = _S144;
float _S145 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_0[29U], _S144);
(&found_0)->sums_0[3U] = _S145;
float _S146 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_0[30U], _S145);
(&found_0)->sums_0[3U] = _S146;
(&found_0)->sums_0[3U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_0[31U], _S146);
}
if(256U < (kernelContext_4->p_0->headLength_0))
{
float _S147 = fma((*kernelContext_4->weights_0)[k_1], value_0[32U], (&found_0)->sums_0[4U]);
(&found_0)->sums_0[4U] = _S147;
float _S148 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_0[33U], _S147);
(&found_0)->sums_0[4U] = _S148;
float _S149 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_0[34U], _S148);
(&found_0)->sums_0[4U] = _S149;
float _S150 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_0[35U], _S149);
(&found_0)->sums_0[4U] = _S150;
float _S151 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_0[36U], _S150);
(&found_0)->sums_0[4U] = _S151;
float _S152 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_0[37U], _S151);
(&found_0)->sums_0[4U] = _S152;
float _S153 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_0[38U], _S152);
(&found_0)->sums_0[4U] = _S153;
(&found_0)->sums_0[4U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_0[39U], _S153);
}
if(320U < (kernelContext_4->p_0->headLength_0))
{
float _S154 = fma((*kernelContext_4->weights_0)[k_1], value_0[40U], (&found_0)->sums_0[5U]);
(&found_0)->sums_0[5U] = _S154;
float _S155 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_0[41U], _S154);
(&found_0)->sums_0[5U] = _S155;
float _S156 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_0[42U], _S155);
(&found_0)->sums_0[5U] = _S156;
float _S157 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_0[43U], _S156);
(&found_0)->sums_0[5U] = _S157;
float _S158 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_0[44U], _S157);
(&found_0)->sums_0[5U] = _S158;
float _S159 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_0[45U], _S158);
(&found_0)->sums_0[5U] = _S159;
float _S160 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_0[46U], _S159);
(&found_0)->sums_0[5U] = _S160;
(&found_0)->sums_0[5U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_0[47U], _S160);
}
if(384U < (kernelContext_4->p_0->headLength_0))
{
float _S161 = fma((*kernelContext_4->weights_0)[k_1], value_0[48U], (&found_0)->sums_0[6U]);
(&found_0)->sums_0[6U] = _S161;
float _S162 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_0[49U], _S161);
(&found_0)->sums_0[6U] = _S162;
float _S163 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_0[50U], _S162);
(&found_0)->sums_0[6U] = _S163;
float _S164 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_0[51U], _S163);
(&found_0)->sums_0[6U] = _S164;
float _S165 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_0[52U], _S164);
(&found_0)->sums_0[6U] = _S165;
float _S166 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_0[53U], _S165);
(&found_0)->sums_0[6U] = _S166;
float _S167 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_0[54U], _S166);
(&found_0)->sums_0[6U] = _S167;
(&found_0)->sums_0[6U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_0[55U], _S167);
}
if(448U < (kernelContext_4->p_0->headLength_0))
{
float _S168 = fma((*kernelContext_4->weights_0)[k_1], value_0[56U], (&found_0)->sums_0[7U]);
(&found_0)->sums_0[7U] = _S168;
float _S169 = fma((*kernelContext_4->weights_0)[k_1 + 1U], value_0[57U], _S168);
(&found_0)->sums_0[7U] = _S169;
float _S170 = fma((*kernelContext_4->weights_0)[k_1 + 2U], value_0[58U], _S169);
(&found_0)->sums_0[7U] = _S170;
float _S171 = fma((*kernelContext_4->weights_0)[k_1 + 3U], value_0[59U], _S170);
(&found_0)->sums_0[7U] = _S171;
float _S172 = fma((*kernelContext_4->weights_0)[k_1 + 4U], value_0[60U], _S171);
(&found_0)->sums_0[7U] = _S172;
float _S173 = fma((*kernelContext_4->weights_0)[k_1 + 5U], value_0[61U], _S172);
(&found_0)->sums_0[7U] = _S173;
float _S174 = fma((*kernelContext_4->weights_0)[k_1 + 6U], value_0[62U], _S173);
(&found_0)->sums_0[7U] = _S174;
(&found_0)->sums_0[7U] = fma((*kernelContext_4->weights_0)[k_1 + 7U], value_0[63U], _S174);
}
k_1 = _S54;
}
for(;;)
{
if(k_1 < _S53)
{
}
else
{
break;
}
if(0U < (kernelContext_4->p_0->headLength_0))
{
uint _S175 = min(lane_2, kernelContext_4->p_0->headLength_0 - 1U);
(&found_0)->sums_0[0U] = fma((*kernelContext_4->weights_0)[k_1], Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S175, _S175, k_1), (&found_0)->sums_0[0U]);
}
if(64U < (kernelContext_4->p_0->headLength_0))
{
uint _S176 = min(lane_2 + 64U, kernelContext_4->p_0->headLength_0 - 1U);
(&found_0)->sums_0[1U] = fma((*kernelContext_4->weights_0)[k_1], Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S176, _S176, k_1), (&found_0)->sums_0[1U]);
}
if(128U < (kernelContext_4->p_0->headLength_0))
{
uint _S177 = min(lane_2 + 128U, kernelContext_4->p_0->headLength_0 - 1U);
(&found_0)->sums_0[2U] = fma((*kernelContext_4->weights_0)[k_1], Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S177, _S177, k_1), (&found_0)->sums_0[2U]);
}
if(192U < (kernelContext_4->p_0->headLength_0))
{
uint _S178 = min(lane_2 + 192U, kernelContext_4->p_0->headLength_0 - 1U);
(&found_0)->sums_0[3U] = fma((*kernelContext_4->weights_0)[k_1], Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S178, _S178, k_1), (&found_0)->sums_0[3U]);
}
if(256U < (kernelContext_4->p_0->headLength_0))
{
uint _S179 = min(lane_2 + 256U, kernelContext_4->p_0->headLength_0 - 1U);
(&found_0)->sums_0[4U] = fma((*kernelContext_4->weights_0)[k_1], Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S179, _S179, k_1), (&found_0)->sums_0[4U]);
}
if(320U < (kernelContext_4->p_0->headLength_0))
{
uint _S180 = min(lane_2 + 320U, kernelContext_4->p_0->headLength_0 - 1U);
(&found_0)->sums_0[5U] = fma((*kernelContext_4->weights_0)[k_1], Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S180, _S180, k_1), (&found_0)->sums_0[5U]);
}
if(384U < (kernelContext_4->p_0->headLength_0))
{
uint _S181 = min(lane_2 + 384U, kernelContext_4->p_0->headLength_0 - 1U);
(&found_0)->sums_0[6U] = fma((*kernelContext_4->weights_0)[k_1], Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S181, _S181, k_1), (&found_0)->sums_0[6U]);
}
if(448U < (kernelContext_4->p_0->headLength_0))
{
uint _S182 = min(lane_2 + 448U, kernelContext_4->p_0->headLength_0 - 1U);
(&found_0)->sums_0[7U] = fma((*kernelContext_4->weights_0)[k_1], Single_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S14, k_1 * kernelContext_4->p_0->headLength_0 + _S182, _S182, k_1), (&found_0)->sums_0[7U]);
}
k_1 = k_1 + 1U;
}
return found_0;
}
void join_0(Gathered_0 thread* all_1, const Gathered_0 thread* page_1)
{
float _S183 = max(all_1->top_0[0U], page_1->top_0[0U]);
float fade_2 = exp(all_1->top_0[0U] - _S183);
float weight_0 = exp(page_1->top_0[0U] - _S183);
all_1->total_0[0U] = fma(page_1->total_0[0U], weight_0, all_1->total_0[0U] * fade_2);
all_1->sums_0[0U] = fma(page_1->sums_0[0U], weight_0, all_1->sums_0[0U] * fade_2);
all_1->sums_0[1U] = fma(page_1->sums_0[1U], weight_0, all_1->sums_0[1U] * fade_2);
all_1->sums_0[2U] = fma(page_1->sums_0[2U], weight_0, all_1->sums_0[2U] * fade_2);
all_1->sums_0[3U] = fma(page_1->sums_0[3U], weight_0, all_1->sums_0[3U] * fade_2);
all_1->sums_0[4U] = fma(page_1->sums_0[4U], weight_0, all_1->sums_0[4U] * fade_2);
all_1->sums_0[5U] = fma(page_1->sums_0[5U], weight_0, all_1->sums_0[5U] * fade_2);
all_1->sums_0[6U] = fma(page_1->sums_0[6U], weight_0, all_1->sums_0[6U] * fade_2);
all_1->sums_0[7U] = fma(page_1->sums_0[7U], weight_0, all_1->sums_0[7U] * fade_2);
all_1->top_0[0U] = _S183;
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
float _S184;
if(factor_0 != 0U)
{
_S184 = kernelContext_5->p_0->scale_0 * (as_type<float>((factor_0)));
}
else
{
_S184 = kernelContext_5->p_0->scale_0;
}
for(;;)
{
for(;;)
{
for(;;)
{
uint _S185 = token_1 * kernelContext_5->p_0->queryStride_0 + head_3 * kernelContext_5->p_0->queryStep_0 * kernelContext_5->p_0->headLength_0;
uint i_8 = lane_3;
for(;;)
{
if(i_8 < (kernelContext_5->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_5->query_0)[i_8] = kernelContext_5->queries_0[_S185 + i_8] * _S184;
i_8 = i_8 + 64U;
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
uint _S186 = group_0.x;
uint token_2 = group_0.y;
uint4 _S187 = uint4(*(kernelContext_6->tokens_0+token_2)) ;
loadQueries_0(_S186, token_2, lane_4, kernelContext_6);
thread Gathered_0 all_2 = nothing_0();
uint page_2 = _S187.y / 64U;
for(;;)
{
if((page_2 * 64U) < (_S187.z))
{
}
else
{
break;
}
Gathered_0 _S188 = gather_0(page_2, _S187, _S186, lane_4, kernelContext_6);
thread Gathered_0 _S189 = _S188;
join_0(&all_2, &_S189);
page_2 = page_2 + 1U;
}
thread Gathered_0 _S190 = all_2;
write_0(&_S190, _S186, token_2, lane_4, kernelContext_6);
return;
}
[[kernel]] void attention_f32(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], Parameters_0 constant* p_1 [[buffer(7)]], float device* sinks_1 [[buffer(6)]], float device* outputs_1 [[buffer(5)]], uint device* pages_1 [[buffer(3)]], ushort device* keys_1 [[buffer(1)]], ushort device* values_1 [[buffer(2)]], packed_uint4 device* tokens_1 [[buffer(4)]], float device* queries_1 [[buffer(0)]])
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
threadgroup array<float, int(128)> lanes_1;
(&kernelContext_7)->lanes_0 = &lanes_1;
threadgroup array<float, int(256)> weights_1;
(&kernelContext_7)->weights_0 = &weights_1;
attention_0(group_1, local_0.x, &kernelContext_7);
return;
}
"""#)
}
#endif
