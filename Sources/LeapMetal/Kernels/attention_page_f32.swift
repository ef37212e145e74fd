// attention_page_f32 of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_page_f32 = MetalKernelText(
        module: "attention", entry: "attention_page_f32", sourcesSHA256: "1ce66d3ac72a760fb48d33c913977f599a98bd935ff58168da9b2fb94c8722e1",
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
uint Single_headWords_0(KernelContext_0 thread* kernelContext_0)
{
return kernelContext_0->p_0->headLength_0 * 64U * 2U;
}
float Single_read_0(ushort device* from_0, uint head_0, uint index_0, uint i_0, uint k_0)
{
uint _S1 = head_0 + 2U * index_0;
return (as_type<float>((uint(from_0[_S1]) | (uint(from_0[_S1 + 1U]) << 16U))));
}
float capped_0(float score_0, KernelContext_0 thread* kernelContext_1)
{
float _S2;
if((kernelContext_1->p_0->softcap_0) > 0.0f)
{
_S2 = kernelContext_1->p_0->softcap_0 * (1.0f - 2.0f / (exp(2.0f * score_0 / kernelContext_1->p_0->softcap_0) + 1.0f));
}
else
{
_S2 = score_0;
}
return _S2;
}
float largest_0(float v_0, uint lane_0, KernelContext_0 thread* kernelContext_2)
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
(*kernelContext_2->lanes_0)[half_0 + lane_0] = _S3;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S4 = max(_S3, (*kernelContext_2->lanes_0)[half_0 + (lane_0 ^ step_0)]);
uint _S5 = 64U - half_0;
uint step_1 = step_0 >> 1U;
half_0 = _S5;
_S3 = _S4;
step_0 = step_1;
}
return _S3;
}
Gathered_0 gather_0(uint page_0, uint4 seen_0, uint head_1, uint lane_1, KernelContext_0 thread* kernelContext_3)
{
uint _S6 = kernelContext_3->pages_0[seen_0.x + page_0];
uint _S7 = kernelContext_3->p_0->heads_0 / kernelContext_3->p_0->keyHeads_0;
uint _S8 = head_1 / _S7;
uint _S9 = Single_headWords_0(kernelContext_3);
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
if(_S14 <= (kernelContext_3->p_0->headLength_0))
{
}
else
{
break;
}
thread array<float, int(16)> key_0;
key_0[0U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, k_1 * 64U + lane_1, k_1, lane_1);
uint _S15 = k_1 + 1U;
key_0[1U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S15 * 64U + lane_1, _S15, lane_1);
uint _S16 = k_1 + 2U;
key_0[2U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S16 * 64U + lane_1, _S16, lane_1);
uint _S17 = k_1 + 3U;
key_0[3U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S17 * 64U + lane_1, _S17, lane_1);
uint _S18 = k_1 + 4U;
key_0[4U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S18 * 64U + lane_1, _S18, lane_1);
uint _S19 = k_1 + 5U;
key_0[5U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S19 * 64U + lane_1, _S19, lane_1);
uint _S20 = k_1 + 6U;
key_0[6U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S20 * 64U + lane_1, _S20, lane_1);
uint _S21 = k_1 + 7U;
key_0[7U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S21 * 64U + lane_1, _S21, lane_1);
uint _S22 = k_1 + 8U;
key_0[8U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S22 * 64U + lane_1, _S22, lane_1);
uint _S23 = k_1 + 9U;
key_0[9U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S23 * 64U + lane_1, _S23, lane_1);
uint _S24 = k_1 + 10U;
key_0[10U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S24 * 64U + lane_1, _S24, lane_1);
uint _S25 = k_1 + 11U;
key_0[11U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S25 * 64U + lane_1, _S25, lane_1);
uint _S26 = k_1 + 12U;
key_0[12U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S26 * 64U + lane_1, _S26, lane_1);
uint _S27 = k_1 + 13U;
key_0[13U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S27 * 64U + lane_1, _S27, lane_1);
uint _S28 = k_1 + 14U;
key_0[14U] = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S28 * 64U + lane_1, _S28, lane_1);
uint _S29 = k_1 + 15U;
float _S30 = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, _S29 * 64U + lane_1, _S29, lane_1);
key_0[15U] = _S30;
float _S31 = fma((*kernelContext_3->query_0)[k_1], key_0[0U], scores_0[0U]);
scores_0[0U] = _S31;
float _S32 = fma((*kernelContext_3->query_0)[_S15], key_0[1U], _S31);
scores_0[0U] = _S32;
float _S33 = fma((*kernelContext_3->query_0)[_S16], key_0[2U], _S32);
scores_0[0U] = _S33;
float _S34 = fma((*kernelContext_3->query_0)[_S17], key_0[3U], _S33);
scores_0[0U] = _S34;
float _S35 = fma((*kernelContext_3->query_0)[_S18], key_0[4U], _S34);
scores_0[0U] = _S35;
float _S36 = fma((*kernelContext_3->query_0)[_S19], key_0[5U], _S35);
scores_0[0U] = _S36;
float _S37 = fma((*kernelContext_3->query_0)[_S20], key_0[6U], _S36);
scores_0[0U] = _S37;
float _S38 = fma((*kernelContext_3->query_0)[_S21], key_0[7U], _S37);
scores_0[0U] = _S38;
float _S39 = fma((*kernelContext_3->query_0)[_S22], key_0[8U], _S38);
scores_0[0U] = _S39;
float _S40 = fma((*kernelContext_3->query_0)[_S23], key_0[9U], _S39);
scores_0[0U] = _S40;
float _S41 = fma((*kernelContext_3->query_0)[_S24], key_0[10U], _S40);
scores_0[0U] = _S41;
float _S42 = fma((*kernelContext_3->query_0)[_S25], key_0[11U], _S41);
scores_0[0U] = _S42;
float _S43 = fma((*kernelContext_3->query_0)[_S26], key_0[12U], _S42);
scores_0[0U] = _S43;
float _S44 = fma((*kernelContext_3->query_0)[_S27], key_0[13U], _S43);
scores_0[0U] = _S44;
float _S45 = fma((*kernelContext_3->query_0)[_S28], key_0[14U], _S44);
scores_0[0U] = _S45;
scores_0[0U] = fma((*kernelContext_3->query_0)[_S29], _S30, _S45);
k_1 = _S14;
}
for(;;)
{
if(k_1 < (kernelContext_3->p_0->headLength_0))
{
}
else
{
break;
}
float _S46 = Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S10, k_1 * 64U + lane_1, k_1, lane_1);
scores_0[0U] = fma((*kernelContext_3->query_0)[k_1], _S46, scores_0[0U]);
k_1 = k_1 + 1U;
}
float _S47 = capped_0(scores_0[0U], kernelContext_3);
scores_0[0U] = _S47;
}
float _S48 = largest_0(scores_0[0U], lane_1, kernelContext_3);
(&found_0)->top_0[0U] = _S48;
if(sees_0)
{
_S13 = exp(scores_0[0U] - (&found_0)->top_0[0U]);
}
else
{
_S13 = 0.0f;
}
(*kernelContext_3->weights_0)[lane_1] = _S13;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint first_0 = max(_S12, _S11) - _S11;
uint _S49 = min(seen_0.z - _S11, 64U);
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
if(k_1 < _S49)
{
}
else
{
break;
}
(&found_0)->total_0[0U] = (&found_0)->total_0[0U] + (*kernelContext_3->weights_0)[k_1];
k_1 = k_1 + 1U;
}
k_1 = first_0;
for(;;)
{
uint _S50 = k_1 + 8U;
if(_S50 <= _S49)
{
}
else
{
break;
}
thread array<float, int(64)> value_0;
if(0U < (kernelContext_3->p_0->headLength_0))
{
uint _S51 = min(lane_1, kernelContext_3->p_0->headLength_0 - 1U);
value_0[0U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S51, _S51, k_1);
uint _S52 = k_1 + 1U;
value_0[1U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S52 * kernelContext_3->p_0->headLength_0 + _S51, _S51, _S52);
uint _S53 = k_1 + 2U;
value_0[2U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S53 * kernelContext_3->p_0->headLength_0 + _S51, _S51, _S53);
uint _S54 = k_1 + 3U;
value_0[3U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S54 * kernelContext_3->p_0->headLength_0 + _S51, _S51, _S54);
uint _S55 = k_1 + 4U;
value_0[4U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S55 * kernelContext_3->p_0->headLength_0 + _S51, _S51, _S55);
uint _S56 = k_1 + 5U;
value_0[5U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S56 * kernelContext_3->p_0->headLength_0 + _S51, _S51, _S56);
uint _S57 = k_1 + 6U;
value_0[6U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S57 * kernelContext_3->p_0->headLength_0 + _S51, _S51, _S57);
uint _S58 = k_1 + 7U;
value_0[7U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S58 * kernelContext_3->p_0->headLength_0 + _S51, _S51, _S58);
}
if(64U < (kernelContext_3->p_0->headLength_0))
{
uint _S59 = min(lane_1 + 64U, kernelContext_3->p_0->headLength_0 - 1U);
value_0[8U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S59, _S59, k_1);
uint _S60 = k_1 + 1U;
value_0[9U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S60 * kernelContext_3->p_0->headLength_0 + _S59, _S59, _S60);
uint _S61 = k_1 + 2U;
value_0[10U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S61 * kernelContext_3->p_0->headLength_0 + _S59, _S59, _S61);
uint _S62 = k_1 + 3U;
value_0[11U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S62 * kernelContext_3->p_0->headLength_0 + _S59, _S59, _S62);
uint _S63 = k_1 + 4U;
value_0[12U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S63 * kernelContext_3->p_0->headLength_0 + _S59, _S59, _S63);
uint _S64 = k_1 + 5U;
value_0[13U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S64 * kernelContext_3->p_0->headLength_0 + _S59, _S59, _S64);
uint _S65 = k_1 + 6U;
value_0[14U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S65 * kernelContext_3->p_0->headLength_0 + _S59, _S59, _S65);
uint _S66 = k_1 + 7U;
value_0[15U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S66 * kernelContext_3->p_0->headLength_0 + _S59, _S59, _S66);
}
if(128U < (kernelContext_3->p_0->headLength_0))
{
uint _S67 = min(lane_1 + 128U, kernelContext_3->p_0->headLength_0 - 1U);
value_0[16U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S67, _S67, k_1);
uint _S68 = k_1 + 1U;
value_0[17U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S68 * kernelContext_3->p_0->headLength_0 + _S67, _S67, _S68);
uint _S69 = k_1 + 2U;
value_0[18U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S69 * kernelContext_3->p_0->headLength_0 + _S67, _S67, _S69);
uint _S70 = k_1 + 3U;
value_0[19U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S70 * kernelContext_3->p_0->headLength_0 + _S67, _S67, _S70);
uint _S71 = k_1 + 4U;
value_0[20U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S71 * kernelContext_3->p_0->headLength_0 + _S67, _S67, _S71);
uint _S72 = k_1 + 5U;
value_0[21U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S72 * kernelContext_3->p_0->headLength_0 + _S67, _S67, _S72);
uint _S73 = k_1 + 6U;
value_0[22U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S73 * kernelContext_3->p_0->headLength_0 + _S67, _S67, _S73);
uint _S74 = k_1 + 7U;
value_0[23U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S74 * kernelContext_3->p_0->headLength_0 + _S67, _S67, _S74);
}
if(192U < (kernelContext_3->p_0->headLength_0))
{
uint _S75 = min(lane_1 + 192U, kernelContext_3->p_0->headLength_0 - 1U);
value_0[24U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S75, _S75, k_1);
uint _S76 = k_1 + 1U;
value_0[25U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S76 * kernelContext_3->p_0->headLength_0 + _S75, _S75, _S76);
uint _S77 = k_1 + 2U;
value_0[26U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S77 * kernelContext_3->p_0->headLength_0 + _S75, _S75, _S77);
uint _S78 = k_1 + 3U;
value_0[27U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S78 * kernelContext_3->p_0->headLength_0 + _S75, _S75, _S78);
uint _S79 = k_1 + 4U;
value_0[28U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S79 * kernelContext_3->p_0->headLength_0 + _S75, _S75, _S79);
uint _S80 = k_1 + 5U;
value_0[29U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S80 * kernelContext_3->p_0->headLength_0 + _S75, _S75, _S80);
uint _S81 = k_1 + 6U;
value_0[30U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S81 * kernelContext_3->p_0->headLength_0 + _S75, _S75, _S81);
uint _S82 = k_1 + 7U;
value_0[31U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S82 * kernelContext_3->p_0->headLength_0 + _S75, _S75, _S82);
}
if(256U < (kernelContext_3->p_0->headLength_0))
{
uint _S83 = min(lane_1 + 256U, kernelContext_3->p_0->headLength_0 - 1U);
value_0[32U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S83, _S83, k_1);
uint _S84 = k_1 + 1U;
value_0[33U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S84 * kernelContext_3->p_0->headLength_0 + _S83, _S83, _S84);
uint _S85 = k_1 + 2U;
value_0[34U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S85 * kernelContext_3->p_0->headLength_0 + _S83, _S83, _S85);
uint _S86 = k_1 + 3U;
value_0[35U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S86 * kernelContext_3->p_0->headLength_0 + _S83, _S83, _S86);
uint _S87 = k_1 + 4U;
value_0[36U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S87 * kernelContext_3->p_0->headLength_0 + _S83, _S83, _S87);
uint _S88 = k_1 + 5U;
value_0[37U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S88 * kernelContext_3->p_0->headLength_0 + _S83, _S83, _S88);
uint _S89 = k_1 + 6U;
value_0[38U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S89 * kernelContext_3->p_0->headLength_0 + _S83, _S83, _S89);
uint _S90 = k_1 + 7U;
value_0[39U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S90 * kernelContext_3->p_0->headLength_0 + _S83, _S83, _S90);
}
if(320U < (kernelContext_3->p_0->headLength_0))
{
uint _S91 = min(lane_1 + 320U, kernelContext_3->p_0->headLength_0 - 1U);
value_0[40U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S91, _S91, k_1);
uint _S92 = k_1 + 1U;
value_0[41U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S92 * kernelContext_3->p_0->headLength_0 + _S91, _S91, _S92);
uint _S93 = k_1 + 2U;
value_0[42U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S93 * kernelContext_3->p_0->headLength_0 + _S91, _S91, _S93);
uint _S94 = k_1 + 3U;
value_0[43U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S94 * kernelContext_3->p_0->headLength_0 + _S91, _S91, _S94);
uint _S95 = k_1 + 4U;
value_0[44U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S95 * kernelContext_3->p_0->headLength_0 + _S91, _S91, _S95);
uint _S96 = k_1 + 5U;
value_0[45U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S96 * kernelContext_3->p_0->headLength_0 + _S91, _S91, _S96);
uint _S97 = k_1 + 6U;
value_0[46U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S97 * kernelContext_3->p_0->headLength_0 + _S91, _S91, _S97);
uint _S98 = k_1 + 7U;
value_0[47U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S98 * kernelContext_3->p_0->headLength_0 + _S91, _S91, _S98);
}
if(384U < (kernelContext_3->p_0->headLength_0))
{
uint _S99 = min(lane_1 + 384U, kernelContext_3->p_0->headLength_0 - 1U);
value_0[48U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S99, _S99, k_1);
uint _S100 = k_1 + 1U;
value_0[49U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S100 * kernelContext_3->p_0->headLength_0 + _S99, _S99, _S100);
uint _S101 = k_1 + 2U;
value_0[50U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S101 * kernelContext_3->p_0->headLength_0 + _S99, _S99, _S101);
uint _S102 = k_1 + 3U;
value_0[51U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S102 * kernelContext_3->p_0->headLength_0 + _S99, _S99, _S102);
uint _S103 = k_1 + 4U;
value_0[52U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S103 * kernelContext_3->p_0->headLength_0 + _S99, _S99, _S103);
uint _S104 = k_1 + 5U;
value_0[53U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S104 * kernelContext_3->p_0->headLength_0 + _S99, _S99, _S104);
uint _S105 = k_1 + 6U;
value_0[54U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S105 * kernelContext_3->p_0->headLength_0 + _S99, _S99, _S105);
uint _S106 = k_1 + 7U;
value_0[55U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S106 * kernelContext_3->p_0->headLength_0 + _S99, _S99, _S106);
}
if(448U < (kernelContext_3->p_0->headLength_0))
{
uint _S107 = min(lane_1 + 448U, kernelContext_3->p_0->headLength_0 - 1U);
value_0[56U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S107, _S107, k_1);
uint _S108 = k_1 + 1U;
value_0[57U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S108 * kernelContext_3->p_0->headLength_0 + _S107, _S107, _S108);
uint _S109 = k_1 + 2U;
value_0[58U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S109 * kernelContext_3->p_0->headLength_0 + _S107, _S107, _S109);
uint _S110 = k_1 + 3U;
value_0[59U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S110 * kernelContext_3->p_0->headLength_0 + _S107, _S107, _S110);
uint _S111 = k_1 + 4U;
value_0[60U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S111 * kernelContext_3->p_0->headLength_0 + _S107, _S107, _S111);
uint _S112 = k_1 + 5U;
value_0[61U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S112 * kernelContext_3->p_0->headLength_0 + _S107, _S107, _S112);
uint _S113 = k_1 + 6U;
value_0[62U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S113 * kernelContext_3->p_0->headLength_0 + _S107, _S107, _S113);
uint _S114 = k_1 + 7U;
value_0[63U] = Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, _S114 * kernelContext_3->p_0->headLength_0 + _S107, _S107, _S114);
}
if(0U < (kernelContext_3->p_0->headLength_0))
{
float _S115 = fma((*kernelContext_3->weights_0)[k_1], value_0[0U], (&found_0)->sums_0[0U]);
(&found_0)->sums_0[0U] = _S115;
float _S116 = fma((*kernelContext_3->weights_0)[k_1 + 1U], value_0[1U], _S115);
(&found_0)->sums_0[0U] = _S116;
float _S117 = fma((*kernelContext_3->weights_0)[k_1 + 2U], value_0[2U], _S116);
(&found_0)->sums_0[0U] = _S117;
float _S118 = fma((*kernelContext_3->weights_0)[k_1 + 3U], value_0[3U], _S117);
(&found_0)->sums_0[0U] = _S118;
float _S119 = fma((*kernelContext_3->weights_0)[k_1 + 4U], value_0[4U], _S118);
(&found_0)->sums_0[0U] = _S119;
float _S120 = fma((*kernelContext_3->weights_0)[k_1 + 5U], value_0[5U], _S119);
(&found_0)->sums_0[0U] = _S120;
float _S121 = fma((*kernelContext_3->weights_0)[k_1 + 6U], value_0[6U], _S120);
(&found_0)->sums_0[0U] = _S121;
(&found_0)->sums_0[0U] = fma((*kernelContext_3->weights_0)[k_1 + 7U], value_0[7U], _S121);
}
if(64U < (kernelContext_3->p_0->headLength_0))
{
float _S122 = fma((*kernelContext_3->weights_0)[k_1], value_0[8U], (&found_0)->sums_0[1U]);
(&found_0)->sums_0[1U] = _S122;
float _S123 = fma((*kernelContext_3->weights_0)[k_1 + 1U], value_0[9U], _S122);
(&found_0)->sums_0[1U] = _S123;
float _S124 = fma((*kernelContext_3->weights_0)[k_1 + 2U], value_0[10U], _S123);
(&found_0)->sums_0[1U] = _S124;
float _S125 = fma((*kernelContext_3->weights_0)[k_1 + 3U], value_0[11U], _S124);
(&found_0)->sums_0[1U] = _S125;
float _S126 = fma((*kernelContext_3->weights_0)[k_1 + 4U], value_0[12U], _S125);
(&found_0)->sums_0[1U] = _S126;
float _S127 = fma((*kernelContext_3->weights_0)[k_1 + 5U], value_0[13U], _S126);
(&found_0)->sums_0[1U] = _S127;
float _S128 = fma((*kernelContext_3->weights_0)[k_1 + 6U], value_0[14U], _S127);
(&found_0)->sums_0[1U] = _S128;
(&found_0)->sums_0[1U] = fma((*kernelContext_3->weights_0)[k_1 + 7U], value_0[15U], _S128);
}
if(128U < (kernelContext_3->p_0->headLength_0))
{
float _S129 = fma((*kernelContext_3->weights_0)[k_1], value_0[16U], (&found_0)->sums_0[2U]);
(&found_0)->sums_0[2U] = _S129;
float _S130 = fma((*kernelContext_3->weights_0)[k_1 + 1U], value_0[17U], _S129);
(&found_0)->sums_0[2U] = _S130;
float _S131 = fma((*kernelContext_3->weights_0)[k_1 + 2U], value_0[18U], _S130);
(&found_0)->sums_0[2U] = _S131;
float _S132 = fma((*kernelContext_3->weights_0)[k_1 + 3U], value_0[19U], _S131);
(&found_0)->sums_0[2U] = _S132;
float _S133 = fma((*kernelContext_3->weights_0)[k_1 + 4U], value_0[20U], _S132);
(&found_0)->sums_0[2U] = _S133;
float _S134 = fma((*kernelContext_3->weights_0)[k_1 + 5U], value_0[21U], _S133);
(&found_0)->sums_0[2U] = _S134;
float _S135 = fma((*kernelContext_3->weights_0)[k_1 + 6U], value_0[22U], _S134);
(&found_0)->sums_0[2U] = _S135;
(&found_0)->sums_0[2U] = fma((*kernelContext_3->weights_0)[k_1 + 7U], value_0[23U], _S135);
}
if(192U < (kernelContext_3->p_0->headLength_0))
{
float _S136 = fma((*kernelContext_3->weights_0)[k_1], value_0[24U], (&found_0)->sums_0[3U]);
(&found_0)->sums_0[3U] = _S136;
float _S137 = fma((*kernelContext_3->weights_0)[k_1 + 1U], value_0[25U], _S136);
(&found_0)->sums_0[3U] = _S137;
float _S138 = fma((*kernelContext_3->weights_0)[k_1 + 2U], value_0[26U], _S137);
(&found_0)->sums_0[3U] = _S138;
float _S139 = fma((*kernelContext_3->weights_0)[k_1 + 3U], value_0[27U], _S138);
(&found_0)->sums_0[3U] = _S139;
float _S140 = fma((*kernelContext_3->weights_0)[k_1 + 4U], value_0[28U], _S139);
(&found_0)->sums_0[3U] = _S140;
float _S141 = fma((*kernelContext_3->weights_0)[k_1 + 5U], value_0[29U], _S140);
(&found_0)->sums_0[3U] = _S141;
float _S142 = fma((*kernelContext_3->weights_0)[k_1 + 6U], value_0[30U], _S141);
(&found_0)->sums_0[3U] = _S142;
(&found_0)->sums_0[3U] = fma((*kernelContext_3->weights_0)[k_1 + 7U], value_0[31U], _S142);
}
if(256U < (kernelContext_3->p_0->headLength_0))
{
float _S143 = fma((*kernelContext_3->weights_0)[k_1], value_0[32U], (&found_0)->sums_0[4U]);
(&found_0)->sums_0[4U] = _S143;
float _S144 = fma((*kernelContext_3->weights_0)[k_1 + 1U], value_0[33U], _S143);
(&found_0)->sums_0[4U] = _S144;
float _S145 = fma((*kernelContext_3->weights_0)[k_1 + 2U], value_0[34U], _S144);
(&found_0)->sums_0[4U] = _S145;
float _S146 = fma((*kernelContext_3->weights_0)[k_1 + 3U], value_0[35U], _S145);
(&found_0)->sums_0[4U] = _S146;
float _S147 = fma((*kernelContext_3->weights_0)[k_1 + 4U], value_0[36U], _S146);
(&found_0)->sums_0[4U] = _S147;
float _S148 = fma((*kernelContext_3->weights_0)[k_1 + 5U], value_0[37U], _S147);
(&found_0)->sums_0[4U] = _S148;
float _S149 = fma((*kernelContext_3->weights_0)[k_1 + 6U], value_0[38U], _S148);
(&found_0)->sums_0[4U] = _S149;
(&found_0)->sums_0[4U] = fma((*kernelContext_3->weights_0)[k_1 + 7U], value_0[39U], _S149);
}
if(320U < (kernelContext_3->p_0->headLength_0))
{
float _S150 = fma((*kernelContext_3->weights_0)[k_1], value_0[40U], (&found_0)->sums_0[5U]);
(&found_0)->sums_0[5U] = _S150;
float _S151 = fma((*kernelContext_3->weights_0)[k_1 + 1U], value_0[41U], _S150);
(&found_0)->sums_0[5U] = _S151;
float _S152 = fma((*kernelContext_3->weights_0)[k_1 + 2U], value_0[42U], _S151);
(&found_0)->sums_0[5U] = _S152;
float _S153 = fma((*kernelContext_3->weights_0)[k_1 + 3U], value_0[43U], _S152);
(&found_0)->sums_0[5U] = _S153;
float _S154 = fma((*kernelContext_3->weights_0)[k_1 + 4U], value_0[44U], _S153);
(&found_0)->sums_0[5U] = _S154;
float _S155 = fma((*kernelContext_3->weights_0)[k_1 + 5U], value_0[45U], _S154);
(&found_0)->sums_0[5U] = _S155;
float _S156 = fma((*kernelContext_3->weights_0)[k_1 + 6U], value_0[46U], _S155);
(&found_0)->sums_0[5U] = _S156;
(&found_0)->sums_0[5U] = fma((*kernelContext_3->weights_0)[k_1 + 7U], value_0[47U], _S156);
}
if(384U < (kernelContext_3->p_0->headLength_0))
{
float _S157 = fma((*kernelContext_3->weights_0)[k_1], value_0[48U], (&found_0)->sums_0[6U]);
(&found_0)->sums_0[6U] = _S157;
float _S158 = fma((*kernelContext_3->weights_0)[k_1 + 1U], value_0[49U], _S157);
(&found_0)->sums_0[6U] = _S158;
float _S159 = fma((*kernelContext_3->weights_0)[k_1 + 2U], value_0[50U], _S158);
(&found_0)->sums_0[6U] = _S159;
float _S160 = fma((*kernelContext_3->weights_0)[k_1 + 3U], value_0[51U], _S159);
(&found_0)->sums_0[6U] = _S160;
float _S161 = fma((*kernelContext_3->weights_0)[k_1 + 4U], value_0[52U], _S160);
(&found_0)->sums_0[6U] = _S161;
float _S162 = fma((*kernelContext_3->weights_0)[k_1 + 5U], value_0[53U], _S161);
(&found_0)->sums_0[6U] = _S162;
float _S163 = fma((*kernelContext_3->weights_0)[k_1 + 6U], value_0[54U], _S162);
(&found_0)->sums_0[6U] = _S163;
(&found_0)->sums_0[6U] = fma((*kernelContext_3->weights_0)[k_1 + 7U], value_0[55U], _S163);
}
if(448U < (kernelContext_3->p_0->headLength_0))
{
float _S164 = fma((*kernelContext_3->weights_0)[k_1], value_0[56U], (&found_0)->sums_0[7U]);
(&found_0)->sums_0[7U] = _S164;
float _S165 = fma((*kernelContext_3->weights_0)[k_1 + 1U], value_0[57U], _S164);
(&found_0)->sums_0[7U] = _S165;
float _S166 = fma((*kernelContext_3->weights_0)[k_1 + 2U], value_0[58U], _S165);
(&found_0)->sums_0[7U] = _S166;
float _S167 = fma((*kernelContext_3->weights_0)[k_1 + 3U], value_0[59U], _S166);
(&found_0)->sums_0[7U] = _S167;
float _S168 = fma((*kernelContext_3->weights_0)[k_1 + 4U], value_0[60U], _S167);
(&found_0)->sums_0[7U] = _S168;
float _S169 = fma((*kernelContext_3->weights_0)[k_1 + 5U], value_0[61U], _S168);
(&found_0)->sums_0[7U] = _S169;
float _S170 = fma((*kernelContext_3->weights_0)[k_1 + 6U], value_0[62U], _S169);
(&found_0)->sums_0[7U] = _S170;
(&found_0)->sums_0[7U] = fma((*kernelContext_3->weights_0)[k_1 + 7U], value_0[63U], _S170);
}
k_1 = _S50;
}
for(;;)
{
if(k_1 < _S49)
{
}
else
{
break;
}
if(0U < (kernelContext_3->p_0->headLength_0))
{
uint _S171 = min(lane_1, kernelContext_3->p_0->headLength_0 - 1U);
(&found_0)->sums_0[0U] = fma((*kernelContext_3->weights_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S171, _S171, k_1), (&found_0)->sums_0[0U]);
}
if(64U < (kernelContext_3->p_0->headLength_0))
{
uint _S172 = min(lane_1 + 64U, kernelContext_3->p_0->headLength_0 - 1U);
(&found_0)->sums_0[1U] = fma((*kernelContext_3->weights_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S172, _S172, k_1), (&found_0)->sums_0[1U]);
}
if(128U < (kernelContext_3->p_0->headLength_0))
{
uint _S173 = min(lane_1 + 128U, kernelContext_3->p_0->headLength_0 - 1U);
(&found_0)->sums_0[2U] = fma((*kernelContext_3->weights_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S173, _S173, k_1), (&found_0)->sums_0[2U]);
}
if(192U < (kernelContext_3->p_0->headLength_0))
{
uint _S174 = min(lane_1 + 192U, kernelContext_3->p_0->headLength_0 - 1U);
(&found_0)->sums_0[3U] = fma((*kernelContext_3->weights_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S174, _S174, k_1), (&found_0)->sums_0[3U]);
}
if(256U < (kernelContext_3->p_0->headLength_0))
{
uint _S175 = min(lane_1 + 256U, kernelContext_3->p_0->headLength_0 - 1U);
(&found_0)->sums_0[4U] = fma((*kernelContext_3->weights_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S175, _S175, k_1), (&found_0)->sums_0[4U]);
}
if(320U < (kernelContext_3->p_0->headLength_0))
{
uint _S176 = min(lane_1 + 320U, kernelContext_3->p_0->headLength_0 - 1U);
(&found_0)->sums_0[5U] = fma((*kernelContext_3->weights_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S176, _S176, k_1), (&found_0)->sums_0[5U]);
}
if(384U < (kernelContext_3->p_0->headLength_0))
{
uint _S177 = min(lane_1 + 384U, kernelContext_3->p_0->headLength_0 - 1U);
(&found_0)->sums_0[6U] = fma((*kernelContext_3->weights_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S177, _S177, k_1), (&found_0)->sums_0[6U]);
}
if(448U < (kernelContext_3->p_0->headLength_0))
{
uint _S178 = min(lane_1 + 448U, kernelContext_3->p_0->headLength_0 - 1U);
(&found_0)->sums_0[7U] = fma((*kernelContext_3->weights_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S10, k_1 * kernelContext_3->p_0->headLength_0 + _S178, _S178, k_1), (&found_0)->sums_0[7U]);
}
k_1 = k_1 + 1U;
}
return found_0;
}
void loadQueries_0(uint head_2, uint token_0, uint lane_2, KernelContext_0 thread* kernelContext_4)
{
uint factor_0 = (uint4(*(kernelContext_4->tokens_0+token_0)) ).w;
float _S179;
if(factor_0 != 0U)
{
_S179 = kernelContext_4->p_0->scale_0 * (as_type<float>((factor_0)));
}
else
{
_S179 = kernelContext_4->p_0->scale_0;
}
for(;;)
{
for(;;)
{
for(;;)
{
uint _S180 = token_0 * kernelContext_4->p_0->queryStride_0 + head_2 * kernelContext_4->p_0->queryStep_0 * kernelContext_4->p_0->headLength_0;
uint i_1 = lane_2;
for(;;)
{
if(i_1 < (kernelContext_4->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_4->query_0)[i_1] = kernelContext_4->queries_0[_S180 + i_1] * _S179;
i_1 = i_1 + 64U;
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
void attentionPage_0(uint3 group_0, uint lane_3, KernelContext_0 thread* kernelContext_5)
{
uint head_3 = group_0.x;
uint token_1 = group_0.y;
uint page_1 = group_0.z;
uint4 _S181 = uint4(*(kernelContext_5->tokens_0+token_1)) ;
bool _S182;
if(page_1 < (_S181.y / 64U))
{
_S182 = true;
}
else
{
_S182 = (page_1 * 64U) >= (_S181.z);
}
if(_S182)
{
return;
}
loadQueries_0(head_3, token_1, lane_3, kernelContext_5);
Gathered_0 _S183 = gather_0(page_1, _S181, head_3, lane_3, kernelContext_5);
uint at_0 = ((token_1 * kernelContext_5->p_0->heads_0 + head_3) * kernelContext_5->p_0->pageCount_0 + page_1) * (2U + kernelContext_5->p_0->headLength_0);
if(lane_3 == 0U)
{
*(kernelContext_5->outputs_0+at_0) = _S183.top_0[int(0)];
*(kernelContext_5->outputs_0+(at_0 + 1U)) = _S183.total_0[int(0)];
}
if(lane_3 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_0 + 2U + lane_3)) = _S183.sums_0[0U];
}
uint i_2 = lane_3 + 64U;
if(i_2 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_0 + 2U + i_2)) = _S183.sums_0[1U];
}
uint i_3 = lane_3 + 128U;
if(i_3 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_0 + 2U + i_3)) = _S183.sums_0[2U];
}
uint i_4 = lane_3 + 192U;
if(i_4 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_0 + 2U + i_4)) = _S183.sums_0[3U];
}
uint i_5 = lane_3 + 256U;
if(i_5 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_0 + 2U + i_5)) = _S183.sums_0[4U];
}
uint i_6 = lane_3 + 320U;
if(i_6 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_0 + 2U + i_6)) = _S183.sums_0[5U];
}
uint i_7 = lane_3 + 384U;
if(i_7 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_0 + 2U + i_7)) = _S183.sums_0[6U];
}
uint i_8 = lane_3 + 448U;
if(i_8 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_0 + 2U + i_8)) = _S183.sums_0[7U];
}
return;
}
[[kernel]] void attention_page_f32(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], uint device* pages_1 [[buffer(3)]], Parameters_0 constant* p_1 [[buffer(7)]], ushort device* keys_1 [[buffer(1)]], ushort device* values_1 [[buffer(2)]], packed_uint4 device* tokens_1 [[buffer(4)]], float device* queries_1 [[buffer(0)]], float device* outputs_1 [[buffer(5)]])
{
thread KernelContext_0 kernelContext_6;
(&kernelContext_6)->pages_0 = pages_1;
(&kernelContext_6)->p_0 = p_1;
(&kernelContext_6)->keys_0 = keys_1;
(&kernelContext_6)->values_0 = values_1;
(&kernelContext_6)->tokens_0 = tokens_1;
(&kernelContext_6)->queries_0 = queries_1;
(&kernelContext_6)->outputs_0 = outputs_1;
threadgroup array<float, int(512)> query_1;
(&kernelContext_6)->query_0 = &query_1;
threadgroup array<float, int(128)> lanes_1;
(&kernelContext_6)->lanes_0 = &lanes_1;
threadgroup array<float, int(256)> weights_1;
(&kernelContext_6)->weights_0 = &weights_1;
attentionPage_0(group_1, local_0.x, &kernelContext_6);
return;
}
"""#)
}
#endif
