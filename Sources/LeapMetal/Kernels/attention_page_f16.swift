// attention_page_f16 of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_page_f16 = MetalKernelText(
        module: "attention", entry: "attention_page_f16", sourcesSHA256: "a86a14943121f1a12314fa2739d30a18f5e7c30fe0d62522739f202bac40cf79",
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
uint Half_headWords_0(KernelContext_0 thread* kernelContext_0)
{
return kernelContext_0->p_0->headLength_0 * 64U;
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
float Half_read_0(ushort device* from_1, uint head_0, uint index_0, uint i_1, uint k_0)
{
return half16_0(from_1, head_0 + index_0);
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
(*kernelContext_2->lanes_0)[lane_0] = _S3;
threadgroup_barrier(mem_flags::mem_threadgroup);
float _S4 = max(_S3, (*kernelContext_2->lanes_0)[lane_0 ^ step_0]);
threadgroup_barrier(mem_flags::mem_threadgroup);
uint step_1 = step_0 >> 1U;
_S3 = _S4;
step_0 = step_1;
}
return _S3;
}
Gathered_0 gather_0(uint page_0, uint4 seen_0, uint head_1, uint lane_1, KernelContext_0 thread* kernelContext_3)
{
uint _S5 = kernelContext_3->pages_0[seen_0.x + page_0];
uint _S6 = kernelContext_3->p_0->heads_0 / kernelContext_3->p_0->keyHeads_0;
uint _S7 = head_1 / _S6;
uint _S8 = Half_headWords_0(kernelContext_3);
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
if(_S13 <= (kernelContext_3->p_0->headLength_0))
{
}
else
{
break;
}
thread array<float, int(8)> key_0;
key_0[0U] = Half_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S9, k_1 * 64U + lane_1, k_1, lane_1);
uint _S14 = k_1 + 1U;
key_0[1U] = Half_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S9, _S14 * 64U + lane_1, _S14, lane_1);
uint _S15 = k_1 + 2U;
key_0[2U] = Half_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S9, _S15 * 64U + lane_1, _S15, lane_1);
uint _S16 = k_1 + 3U;
key_0[3U] = Half_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S9, _S16 * 64U + lane_1, _S16, lane_1);
uint _S17 = k_1 + 4U;
key_0[4U] = Half_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S9, _S17 * 64U + lane_1, _S17, lane_1);
uint _S18 = k_1 + 5U;
key_0[5U] = Half_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S9, _S18 * 64U + lane_1, _S18, lane_1);
uint _S19 = k_1 + 6U;
key_0[6U] = Half_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S9, _S19 * 64U + lane_1, _S19, lane_1);
uint _S20 = k_1 + 7U;
float _S21 = Half_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S9, _S20 * 64U + lane_1, _S20, lane_1);
key_0[7U] = _S21;
float _S22 = fma((*kernelContext_3->query_0)[k_1], key_0[0U], scores_0[0U]);
scores_0[0U] = _S22;
float _S23 = fma((*kernelContext_3->query_0)[_S14], key_0[1U], _S22);
scores_0[0U] = _S23;
float _S24 = fma((*kernelContext_3->query_0)[_S15], key_0[2U], _S23);
scores_0[0U] = _S24;
float _S25 = fma((*kernelContext_3->query_0)[_S16], key_0[3U], _S24);
scores_0[0U] = _S25;
float _S26 = fma((*kernelContext_3->query_0)[_S17], key_0[4U], _S25);
scores_0[0U] = _S26;
float _S27 = fma((*kernelContext_3->query_0)[_S18], key_0[5U], _S26);
scores_0[0U] = _S27;
float _S28 = fma((*kernelContext_3->query_0)[_S19], key_0[6U], _S27);
scores_0[0U] = _S28;
scores_0[0U] = fma((*kernelContext_3->query_0)[_S20], _S21, _S28);
k_1 = _S13;
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
float _S29 = Half_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S9, k_1 * 64U + lane_1, k_1, lane_1);
scores_0[0U] = fma((*kernelContext_3->query_0)[k_1], _S29, scores_0[0U]);
k_1 = k_1 + 1U;
}
float _S30 = capped_0(scores_0[0U], kernelContext_3);
scores_0[0U] = _S30;
}
float _S31 = largest_0(scores_0[0U], lane_1, kernelContext_3);
(&found_0)->top_0[0U] = _S31;
if(sees_0)
{
_S12 = exp(scores_0[0U] - (&found_0)->top_0[0U]);
}
else
{
_S12 = 0.0f;
}
(*kernelContext_3->weights_0)[lane_1] = _S12;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint first_0 = max(_S11, _S10) - _S10;
uint _S32 = min(seen_0.z - _S10, 64U);
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
if(k_1 < _S32)
{
}
else
{
break;
}
(&found_0)->total_0[0U] = (&found_0)->total_0[0U] + (*kernelContext_3->weights_0)[k_1];
k_1 = k_1 + 1U;
}
for(;;)
{
for(;;)
{
for(;;)
{
if(lane_1 >= (kernelContext_3->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S33 = k_1 + 8U;
if(_S33 <= _S32)
{
}
else
{
break;
}
thread array<float, int(8)> value_1;
value_1[0U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + lane_1, lane_1, k_1);
uint _S34 = k_1 + 1U;
value_1[1U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S34 * kernelContext_3->p_0->headLength_0 + lane_1, lane_1, _S34);
uint _S35 = k_1 + 2U;
value_1[2U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S35 * kernelContext_3->p_0->headLength_0 + lane_1, lane_1, _S35);
uint _S36 = k_1 + 3U;
value_1[3U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S36 * kernelContext_3->p_0->headLength_0 + lane_1, lane_1, _S36);
uint _S37 = k_1 + 4U;
value_1[4U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S37 * kernelContext_3->p_0->headLength_0 + lane_1, lane_1, _S37);
uint _S38 = k_1 + 5U;
value_1[5U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S38 * kernelContext_3->p_0->headLength_0 + lane_1, lane_1, _S38);
uint _S39 = k_1 + 6U;
value_1[6U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S39 * kernelContext_3->p_0->headLength_0 + lane_1, lane_1, _S39);
uint _S40 = k_1 + 7U;
float _S41 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S40 * kernelContext_3->p_0->headLength_0 + lane_1, lane_1, _S40);
value_1[7U] = _S41;
float _S42 = fma((*kernelContext_3->weights_0)[k_1], value_1[0U], (&found_0)->sums_0[0U]);
(&found_0)->sums_0[0U] = _S42;
float _S43 = fma((*kernelContext_3->weights_0)[_S34], value_1[1U], _S42);
(&found_0)->sums_0[0U] = _S43;
float _S44 = fma((*kernelContext_3->weights_0)[_S35], value_1[2U], _S43);
(&found_0)->sums_0[0U] = _S44;
float _S45 = fma((*kernelContext_3->weights_0)[_S36], value_1[3U], _S44);
(&found_0)->sums_0[0U] = _S45;
float _S46 = fma((*kernelContext_3->weights_0)[_S37], value_1[4U], _S45);
(&found_0)->sums_0[0U] = _S46;
float _S47 = fma((*kernelContext_3->weights_0)[_S38], value_1[5U], _S46);
(&found_0)->sums_0[0U] = _S47;
float _S48 = fma((*kernelContext_3->weights_0)[_S39], value_1[6U], _S47);
(&found_0)->sums_0[0U] = _S48;
(&found_0)->sums_0[0U] = fma((*kernelContext_3->weights_0)[_S40], _S41, _S48);
k_1 = _S33;
}
for(;;)
{
if(k_1 < _S32)
{
}
else
{
break;
}
float _S49 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + lane_1, lane_1, k_1);
(&found_0)->sums_0[0U] = fma((*kernelContext_3->weights_0)[k_1], _S49, (&found_0)->sums_0[0U]);
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
if(i_2 >= (kernelContext_3->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S50 = k_1 + 8U;
if(_S50 <= _S32)
{
}
else
{
break;
}
thread array<float, int(8)> value_2;
value_2[0U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_2, i_2, k_1);
uint _S51 = k_1 + 1U;
value_2[1U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S51 * kernelContext_3->p_0->headLength_0 + i_2, i_2, _S51);
uint _S52 = k_1 + 2U;
value_2[2U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S52 * kernelContext_3->p_0->headLength_0 + i_2, i_2, _S52);
uint _S53 = k_1 + 3U;
value_2[3U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S53 * kernelContext_3->p_0->headLength_0 + i_2, i_2, _S53);
uint _S54 = k_1 + 4U;
value_2[4U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S54 * kernelContext_3->p_0->headLength_0 + i_2, i_2, _S54);
uint _S55 = k_1 + 5U;
value_2[5U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S55 * kernelContext_3->p_0->headLength_0 + i_2, i_2, _S55);
uint _S56 = k_1 + 6U;
value_2[6U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S56 * kernelContext_3->p_0->headLength_0 + i_2, i_2, _S56);
uint _S57 = k_1 + 7U;
float _S58 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S57 * kernelContext_3->p_0->headLength_0 + i_2, i_2, _S57);
value_2[7U] = _S58;
float _S59 = fma((*kernelContext_3->weights_0)[k_1], value_2[0U], (&found_0)->sums_0[1U]);
(&found_0)->sums_0[1U] = _S59;
float _S60 = fma((*kernelContext_3->weights_0)[_S51], value_2[1U], _S59);
(&found_0)->sums_0[1U] = _S60;
float _S61 = fma((*kernelContext_3->weights_0)[_S52], value_2[2U], _S60);
(&found_0)->sums_0[1U] = _S61;
float _S62 = fma((*kernelContext_3->weights_0)[_S53], value_2[3U], _S61);
(&found_0)->sums_0[1U] = _S62;
float _S63 = fma((*kernelContext_3->weights_0)[_S54], value_2[4U], _S62);
(&found_0)->sums_0[1U] = _S63;
float _S64 = fma((*kernelContext_3->weights_0)[_S55], value_2[5U], _S63);
(&found_0)->sums_0[1U] = _S64;
float _S65 = fma((*kernelContext_3->weights_0)[_S56], value_2[6U], _S64);
(&found_0)->sums_0[1U] = _S65;
(&found_0)->sums_0[1U] = fma((*kernelContext_3->weights_0)[_S57], _S58, _S65);
k_1 = _S50;
}
for(;;)
{
if(k_1 < _S32)
{
}
else
{
break;
}
float _S66 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_2, i_2, k_1);
(&found_0)->sums_0[1U] = fma((*kernelContext_3->weights_0)[k_1], _S66, (&found_0)->sums_0[1U]);
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
if(i_3 >= (kernelContext_3->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S67 = k_1 + 8U;
if(_S67 <= _S32)
{
}
else
{
break;
}
thread array<float, int(8)> value_3;
value_3[0U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_3, i_3, k_1);
uint _S68 = k_1 + 1U;
value_3[1U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S68 * kernelContext_3->p_0->headLength_0 + i_3, i_3, _S68);
uint _S69 = k_1 + 2U;
value_3[2U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S69 * kernelContext_3->p_0->headLength_0 + i_3, i_3, _S69);
uint _S70 = k_1 + 3U;
value_3[3U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S70 * kernelContext_3->p_0->headLength_0 + i_3, i_3, _S70);
uint _S71 = k_1 + 4U;
value_3[4U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S71 * kernelContext_3->p_0->headLength_0 + i_3, i_3, _S71);
uint _S72 = k_1 + 5U;
value_3[5U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S72 * kernelContext_3->p_0->headLength_0 + i_3, i_3, _S72);
uint _S73 = k_1 + 6U;
value_3[6U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S73 * kernelContext_3->p_0->headLength_0 + i_3, i_3, _S73);
uint _S74 = k_1 + 7U;
float _S75 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S74 * kernelContext_3->p_0->headLength_0 + i_3, i_3, _S74);
value_3[7U] = _S75;
float _S76 = fma((*kernelContext_3->weights_0)[k_1], value_3[0U], (&found_0)->sums_0[2U]);
(&found_0)->sums_0[2U] = _S76;
float _S77 = fma((*kernelContext_3->weights_0)[_S68], value_3[1U], _S76);
(&found_0)->sums_0[2U] = _S77;
float _S78 = fma((*kernelContext_3->weights_0)[_S69], value_3[2U], _S77);
(&found_0)->sums_0[2U] = _S78;
float _S79 = fma((*kernelContext_3->weights_0)[_S70], value_3[3U], _S78);
(&found_0)->sums_0[2U] = _S79;
float _S80 = fma((*kernelContext_3->weights_0)[_S71], value_3[4U], _S79);
(&found_0)->sums_0[2U] = _S80;
float _S81 = fma((*kernelContext_3->weights_0)[_S72], value_3[5U], _S80);
(&found_0)->sums_0[2U] = _S81;
float _S82 = fma((*kernelContext_3->weights_0)[_S73], value_3[6U], _S81);
(&found_0)->sums_0[2U] = _S82;
(&found_0)->sums_0[2U] = fma((*kernelContext_3->weights_0)[_S74], _S75, _S82);
k_1 = _S67;
}
for(;;)
{
if(k_1 < _S32)
{
}
else
{
break;
}
float _S83 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_3, i_3, k_1);
(&found_0)->sums_0[2U] = fma((*kernelContext_3->weights_0)[k_1], _S83, (&found_0)->sums_0[2U]);
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
if(i_4 >= (kernelContext_3->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S84 = k_1 + 8U;
if(_S84 <= _S32)
{
}
else
{
break;
}
thread array<float, int(8)> value_4;
value_4[0U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_4, i_4, k_1);
uint _S85 = k_1 + 1U;
value_4[1U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S85 * kernelContext_3->p_0->headLength_0 + i_4, i_4, _S85);
uint _S86 = k_1 + 2U;
value_4[2U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S86 * kernelContext_3->p_0->headLength_0 + i_4, i_4, _S86);
uint _S87 = k_1 + 3U;
value_4[3U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S87 * kernelContext_3->p_0->headLength_0 + i_4, i_4, _S87);
uint _S88 = k_1 + 4U;
value_4[4U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S88 * kernelContext_3->p_0->headLength_0 + i_4, i_4, _S88);
uint _S89 = k_1 + 5U;
value_4[5U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S89 * kernelContext_3->p_0->headLength_0 + i_4, i_4, _S89);
uint _S90 = k_1 + 6U;
value_4[6U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S90 * kernelContext_3->p_0->headLength_0 + i_4, i_4, _S90);
uint _S91 = k_1 + 7U;
float _S92 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S91 * kernelContext_3->p_0->headLength_0 + i_4, i_4, _S91);
value_4[7U] = _S92;
float _S93 = fma((*kernelContext_3->weights_0)[k_1], value_4[0U], (&found_0)->sums_0[3U]);
(&found_0)->sums_0[3U] = _S93;
float _S94 = fma((*kernelContext_3->weights_0)[_S85], value_4[1U], _S93);
(&found_0)->sums_0[3U] = _S94;
float _S95 = fma((*kernelContext_3->weights_0)[_S86], value_4[2U], _S94);
(&found_0)->sums_0[3U] = _S95;
float _S96 = fma((*kernelContext_3->weights_0)[_S87], value_4[3U], _S95);
(&found_0)->sums_0[3U] = _S96;
float _S97 = fma((*kernelContext_3->weights_0)[_S88], value_4[4U], _S96);
(&found_0)->sums_0[3U] = _S97;
float _S98 = fma((*kernelContext_3->weights_0)[_S89], value_4[5U], _S97);
(&found_0)->sums_0[3U] = _S98;
float _S99 = fma((*kernelContext_3->weights_0)[_S90], value_4[6U], _S98);
(&found_0)->sums_0[3U] = _S99;
(&found_0)->sums_0[3U] = fma((*kernelContext_3->weights_0)[_S91], _S92, _S99);
k_1 = _S84;
}
for(;;)
{
if(k_1 < _S32)
{
}
else
{
break;
}
float _S100 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_4, i_4, k_1);
(&found_0)->sums_0[3U] = fma((*kernelContext_3->weights_0)[k_1], _S100, (&found_0)->sums_0[3U]);
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
if(i_5 >= (kernelContext_3->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S101 = k_1 + 8U;
if(_S101 <= _S32)
{
}
else
{
break;
}
thread array<float, int(8)> value_5;
value_5[0U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_5, i_5, k_1);
uint _S102 = k_1 + 1U;
value_5[1U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S102 * kernelContext_3->p_0->headLength_0 + i_5, i_5, _S102);
uint _S103 = k_1 + 2U;
value_5[2U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S103 * kernelContext_3->p_0->headLength_0 + i_5, i_5, _S103);
uint _S104 = k_1 + 3U;
value_5[3U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S104 * kernelContext_3->p_0->headLength_0 + i_5, i_5, _S104);
uint _S105 = k_1 + 4U;
value_5[4U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S105 * kernelContext_3->p_0->headLength_0 + i_5, i_5, _S105);
uint _S106 = k_1 + 5U;
value_5[5U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S106 * kernelContext_3->p_0->headLength_0 + i_5, i_5, _S106);
uint _S107 = k_1 + 6U;
value_5[6U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S107 * kernelContext_3->p_0->headLength_0 + i_5, i_5, _S107);
uint _S108 = k_1 + 7U;
float _S109 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S108 * kernelContext_3->p_0->headLength_0 + i_5, i_5, _S108);
value_5[7U] = _S109;
float _S110 = fma((*kernelContext_3->weights_0)[k_1], value_5[0U], (&found_0)->sums_0[4U]);
(&found_0)->sums_0[4U] = _S110;
float _S111 = fma((*kernelContext_3->weights_0)[_S102], value_5[1U], _S110);
(&found_0)->sums_0[4U] = _S111;
float _S112 = fma((*kernelContext_3->weights_0)[_S103], value_5[2U], _S111);
(&found_0)->sums_0[4U] = _S112;
float _S113 = fma((*kernelContext_3->weights_0)[_S104], value_5[3U], _S112);
(&found_0)->sums_0[4U] = _S113;
float _S114 = fma((*kernelContext_3->weights_0)[_S105], value_5[4U], _S113);
(&found_0)->sums_0[4U] = _S114;
float _S115 = fma((*kernelContext_3->weights_0)[_S106], value_5[5U], _S114);
(&found_0)->sums_0[4U] = _S115;
float _S116 = fma((*kernelContext_3->weights_0)[_S107], value_5[6U], _S115);
(&found_0)->sums_0[4U] = _S116;
(&found_0)->sums_0[4U] = fma((*kernelContext_3->weights_0)[_S108], _S109, _S116);
k_1 = _S101;
}
for(;;)
{
if(k_1 < _S32)
{
}
else
{
break;
}
float _S117 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_5, i_5, k_1);
(&found_0)->sums_0[4U] = fma((*kernelContext_3->weights_0)[k_1], _S117, (&found_0)->sums_0[4U]);
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
if(i_6 >= (kernelContext_3->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S118 = k_1 + 8U;
if(_S118 <= _S32)
{
}
else
{
break;
}
thread array<float, int(8)> value_6;
value_6[0U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_6, i_6, k_1);
uint _S119 = k_1 + 1U;
value_6[1U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S119 * kernelContext_3->p_0->headLength_0 + i_6, i_6, _S119);
uint _S120 = k_1 + 2U;
value_6[2U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S120 * kernelContext_3->p_0->headLength_0 + i_6, i_6, _S120);
uint _S121 = k_1 + 3U;
value_6[3U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S121 * kernelContext_3->p_0->headLength_0 + i_6, i_6, _S121);
uint _S122 = k_1 + 4U;
value_6[4U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S122 * kernelContext_3->p_0->headLength_0 + i_6, i_6, _S122);
uint _S123 = k_1 + 5U;
value_6[5U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S123 * kernelContext_3->p_0->headLength_0 + i_6, i_6, _S123);
uint _S124 = k_1 + 6U;
value_6[6U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S124 * kernelContext_3->p_0->headLength_0 + i_6, i_6, _S124);
uint _S125 = k_1 + 7U;
float _S126 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S125 * kernelContext_3->p_0->headLength_0 + i_6, i_6, _S125);
value_6[7U] = _S126;
float _S127 = fma((*kernelContext_3->weights_0)[k_1], value_6[0U], (&found_0)->sums_0[5U]);
(&found_0)->sums_0[5U] = _S127;
float _S128 = fma((*kernelContext_3->weights_0)[_S119], value_6[1U], _S127);
(&found_0)->sums_0[5U] = _S128;
float _S129 = fma((*kernelContext_3->weights_0)[_S120], value_6[2U], _S128);
(&found_0)->sums_0[5U] = _S129;
float _S130 = fma((*kernelContext_3->weights_0)[_S121], value_6[3U], _S129);
(&found_0)->sums_0[5U] = _S130;
float _S131 = fma((*kernelContext_3->weights_0)[_S122], value_6[4U], _S130);
(&found_0)->sums_0[5U] = _S131;
float _S132 = fma((*kernelContext_3->weights_0)[_S123], value_6[5U], _S131);
(&found_0)->sums_0[5U] = _S132;
float _S133 = fma((*kernelContext_3->weights_0)[_S124], value_6[6U], _S132);
(&found_0)->sums_0[5U] = _S133;
(&found_0)->sums_0[5U] = fma((*kernelContext_3->weights_0)[_S125], _S126, _S133);
k_1 = _S118;
}
for(;;)
{
if(k_1 < _S32)
{
}
else
{
break;
}
float _S134 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_6, i_6, k_1);
(&found_0)->sums_0[5U] = fma((*kernelContext_3->weights_0)[k_1], _S134, (&found_0)->sums_0[5U]);
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
if(i_7 >= (kernelContext_3->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S135 = k_1 + 8U;
if(_S135 <= _S32)
{
}
else
{
break;
}
thread array<float, int(8)> value_7;
value_7[0U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_7, i_7, k_1);
uint _S136 = k_1 + 1U;
value_7[1U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S136 * kernelContext_3->p_0->headLength_0 + i_7, i_7, _S136);
uint _S137 = k_1 + 2U;
value_7[2U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S137 * kernelContext_3->p_0->headLength_0 + i_7, i_7, _S137);
uint _S138 = k_1 + 3U;
value_7[3U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S138 * kernelContext_3->p_0->headLength_0 + i_7, i_7, _S138);
uint _S139 = k_1 + 4U;
value_7[4U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S139 * kernelContext_3->p_0->headLength_0 + i_7, i_7, _S139);
uint _S140 = k_1 + 5U;
value_7[5U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S140 * kernelContext_3->p_0->headLength_0 + i_7, i_7, _S140);
uint _S141 = k_1 + 6U;
value_7[6U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S141 * kernelContext_3->p_0->headLength_0 + i_7, i_7, _S141);
uint _S142 = k_1 + 7U;
float _S143 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S142 * kernelContext_3->p_0->headLength_0 + i_7, i_7, _S142);
value_7[7U] = _S143;
float _S144 = fma((*kernelContext_3->weights_0)[k_1], value_7[0U], (&found_0)->sums_0[6U]);
(&found_0)->sums_0[6U] = _S144;
float _S145 = fma((*kernelContext_3->weights_0)[_S136], value_7[1U], _S144);
(&found_0)->sums_0[6U] = _S145;
float _S146 = fma((*kernelContext_3->weights_0)[_S137], value_7[2U], _S145);
(&found_0)->sums_0[6U] = _S146;
float _S147 = fma((*kernelContext_3->weights_0)[_S138], value_7[3U], _S146);
(&found_0)->sums_0[6U] = _S147;
float _S148 = fma((*kernelContext_3->weights_0)[_S139], value_7[4U], _S147);
(&found_0)->sums_0[6U] = _S148;
float _S149 = fma((*kernelContext_3->weights_0)[_S140], value_7[5U], _S148);
(&found_0)->sums_0[6U] = _S149;
float _S150 = fma((*kernelContext_3->weights_0)[_S141], value_7[6U], _S149);
(&found_0)->sums_0[6U] = _S150;
(&found_0)->sums_0[6U] = fma((*kernelContext_3->weights_0)[_S142], _S143, _S150);
k_1 = _S135;
}
for(;;)
{
if(k_1 < _S32)
{
}
else
{
break;
}
float _S151 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_7, i_7, k_1);
(&found_0)->sums_0[6U] = fma((*kernelContext_3->weights_0)[k_1], _S151, (&found_0)->sums_0[6U]);
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
if(i_8 >= (kernelContext_3->p_0->headLength_0))
{
break;
}
k_1 = first_0;
for(;;)
{
uint _S152 = k_1 + 8U;
if(_S152 <= _S32)
{
}
else
{
break;
}
thread array<float, int(8)> value_8;
value_8[0U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_8, i_8, k_1);
uint _S153 = k_1 + 1U;
value_8[1U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S153 * kernelContext_3->p_0->headLength_0 + i_8, i_8, _S153);
uint _S154 = k_1 + 2U;
value_8[2U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S154 * kernelContext_3->p_0->headLength_0 + i_8, i_8, _S154);
uint _S155 = k_1 + 3U;
value_8[3U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S155 * kernelContext_3->p_0->headLength_0 + i_8, i_8, _S155);
uint _S156 = k_1 + 4U;
value_8[4U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S156 * kernelContext_3->p_0->headLength_0 + i_8, i_8, _S156);
uint _S157 = k_1 + 5U;
value_8[5U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S157 * kernelContext_3->p_0->headLength_0 + i_8, i_8, _S157);
uint _S158 = k_1 + 6U;
value_8[6U] = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S158 * kernelContext_3->p_0->headLength_0 + i_8, i_8, _S158);
uint _S159 = k_1 + 7U;
float _S160 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, _S159 * kernelContext_3->p_0->headLength_0 + i_8, i_8, _S159);
value_8[7U] = _S160;
float _S161 = fma((*kernelContext_3->weights_0)[k_1], value_8[0U], (&found_0)->sums_0[7U]);
(&found_0)->sums_0[7U] = _S161;
float _S162 = fma((*kernelContext_3->weights_0)[_S153], value_8[1U], _S161);
(&found_0)->sums_0[7U] = _S162;
float _S163 = fma((*kernelContext_3->weights_0)[_S154], value_8[2U], _S162);
(&found_0)->sums_0[7U] = _S163;
float _S164 = fma((*kernelContext_3->weights_0)[_S155], value_8[3U], _S163);
(&found_0)->sums_0[7U] = _S164;
float _S165 = fma((*kernelContext_3->weights_0)[_S156], value_8[4U], _S164);
(&found_0)->sums_0[7U] = _S165;
float _S166 = fma((*kernelContext_3->weights_0)[_S157], value_8[5U], _S165);
(&found_0)->sums_0[7U] = _S166;
float _S167 = fma((*kernelContext_3->weights_0)[_S158], value_8[6U], _S166);
(&found_0)->sums_0[7U] = _S167;
(&found_0)->sums_0[7U] = fma((*kernelContext_3->weights_0)[_S159], _S160, _S167);
k_1 = _S152;
}
for(;;)
{
if(k_1 < _S32)
{
}
else
{
break;
}
float _S168 = Half_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S9, k_1 * kernelContext_3->p_0->headLength_0 + i_8, i_8, k_1);
(&found_0)->sums_0[7U] = fma((*kernelContext_3->weights_0)[k_1], _S168, (&found_0)->sums_0[7U]);
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
void loadQueries_0(uint head_2, uint token_0, uint lane_2, KernelContext_0 thread* kernelContext_4)
{
uint factor_0 = (uint4(*(kernelContext_4->tokens_0+token_0)) ).w;
float _S169;
if(factor_0 != 0U)
{
_S169 = kernelContext_4->p_0->scale_0 * (as_type<float>((factor_0)));
}
else
{
_S169 = kernelContext_4->p_0->scale_0;
}
for(;;)
{
for(;;)
{
for(;;)
{
uint _S170 = token_0 * kernelContext_4->p_0->queryStride_0 + head_2 * kernelContext_4->p_0->queryStep_0 * kernelContext_4->p_0->headLength_0;
uint i_9 = lane_2;
for(;;)
{
if(i_9 < (kernelContext_4->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_4->query_0)[i_9] = kernelContext_4->queries_0[_S170 + i_9] * _S169;
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
void attentionPage_0(uint3 group_0, uint lane_3, KernelContext_0 thread* kernelContext_5)
{
uint head_3 = group_0.x;
uint token_1 = group_0.y;
uint page_1 = group_0.z;
uint4 _S171 = uint4(*(kernelContext_5->tokens_0+token_1)) ;
bool _S172;
if(page_1 < (_S171.y / 64U))
{
_S172 = true;
}
else
{
_S172 = (page_1 * 64U) >= (_S171.z);
}
if(_S172)
{
return;
}
loadQueries_0(head_3, token_1, lane_3, kernelContext_5);
Gathered_0 _S173 = gather_0(page_1, _S171, head_3, lane_3, kernelContext_5);
uint at_1 = ((token_1 * kernelContext_5->p_0->heads_0 + head_3) * kernelContext_5->p_0->pageCount_0 + page_1) * (2U + kernelContext_5->p_0->headLength_0);
if(lane_3 == 0U)
{
*(kernelContext_5->outputs_0+at_1) = _S173.top_0[int(0)];
*(kernelContext_5->outputs_0+(at_1 + 1U)) = _S173.total_0[int(0)];
}
if(lane_3 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_1 + 2U + lane_3)) = _S173.sums_0[0U];
}
uint i_10 = lane_3 + 64U;
if(i_10 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_1 + 2U + i_10)) = _S173.sums_0[1U];
}
uint i_11 = lane_3 + 128U;
if(i_11 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_1 + 2U + i_11)) = _S173.sums_0[2U];
}
uint i_12 = lane_3 + 192U;
if(i_12 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_1 + 2U + i_12)) = _S173.sums_0[3U];
}
uint i_13 = lane_3 + 256U;
if(i_13 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_1 + 2U + i_13)) = _S173.sums_0[4U];
}
uint i_14 = lane_3 + 320U;
if(i_14 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_1 + 2U + i_14)) = _S173.sums_0[5U];
}
uint i_15 = lane_3 + 384U;
if(i_15 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_1 + 2U + i_15)) = _S173.sums_0[6U];
}
uint i_16 = lane_3 + 448U;
if(i_16 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(at_1 + 2U + i_16)) = _S173.sums_0[7U];
}
return;
}
[[kernel]] void attention_page_f16(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], uint device* pages_1 [[buffer(3)]], Parameters_0 constant* p_1 [[buffer(7)]], ushort device* keys_1 [[buffer(1)]], ushort device* values_1 [[buffer(2)]], packed_uint4 device* tokens_1 [[buffer(4)]], float device* queries_1 [[buffer(0)]], float device* outputs_1 [[buffer(5)]])
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
threadgroup array<float, int(64)> lanes_1;
(&kernelContext_6)->lanes_0 = &lanes_1;
threadgroup array<float, int(256)> weights_1;
(&kernelContext_6)->weights_0 = &weights_1;
attentionPage_0(group_1, local_0.x, &kernelContext_6);
return;
}
"""#)
}
#endif
