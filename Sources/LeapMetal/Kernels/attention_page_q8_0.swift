// attention_page_q8_0 of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_page_q8_0 = MetalKernelText(
        module: "attention", entry: "attention_page_q8_0", sourcesSHA256: "6745f2fe4170a1c0bd5a6f69356929b38da17364eca4b3cd0f36b2acbf76cdf2",
        compiler: "slangc 2026.14.1", threads: [64, 1, 1], buffers: [0, 1, 2, 3, 4, 5, nil], constants: 7,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct Gathered_0
{
float top_0;
float total_0;
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
Gathered_0 gather_0(uint page_0, uint4 seen_0, uint keyHead_0, uint lane_1, KernelContext_0 thread* kernelContext_4)
{
uint _S5 = kernelContext_4->pages_0[seen_0.x + page_0];
uint _S6 = Code_headWords_0(kernelContext_4);
uint _S7 = _S5 + keyHead_0 * _S6;
uint _S8 = page_0 * 64U;
uint position_0 = _S8 + lane_1;
uint _S9 = seen_0.y;
bool sees_0;
if(position_0 >= _S9)
{
sees_0 = position_0 < (seen_0.z);
}
else
{
sees_0 = false;
}
uint k_1;
float score_1;
if(sees_0)
{
k_1 = 0U;
score_1 = 0.0f;
for(;;)
{
if(k_1 < (kernelContext_4->p_0->headLength_0))
{
}
else
{
break;
}
float _S10 = (*kernelContext_4->query_0)[k_1];
float _S11 = Code_read_0(kernelContext_4->keys_0, kernelContext_4->p_0->keyStart_0 + _S7, k_1 * 64U + lane_1, k_1, lane_1, kernelContext_4);
float _S12 = fma(_S10, _S11, score_1);
k_1 = k_1 + 1U;
score_1 = _S12;
}
float _S13 = capped_0(score_1, kernelContext_4);
score_1 = _S13;
}
else
{
score_1 = -3.4028234663852886e+38f;
}
thread Gathered_0 found_0;
float _S14 = largest_0(score_1, lane_1, kernelContext_4);
(&found_0)->top_0 = _S14;
if(sees_0)
{
score_1 = exp(score_1 - (&found_0)->top_0);
}
else
{
score_1 = 0.0f;
}
(*kernelContext_4->lanes_0)[lane_1] = score_1;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint first_0 = max(_S9, _S8) - _S8;
uint _S15 = min(seen_0.z - _S8, 64U);
(&found_0)->total_0 = 0.0f;
k_1 = first_0;
for(;;)
{
if(k_1 < _S15)
{
}
else
{
break;
}
(&found_0)->total_0 = (&found_0)->total_0 + (*kernelContext_4->lanes_0)[k_1];
k_1 = k_1 + 1U;
}
float sum_0;
if(lane_1 < (kernelContext_4->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S15)
{
}
else
{
break;
}
float _S16 = (*kernelContext_4->lanes_0)[k_1];
float _S17 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S7, k_1 * kernelContext_4->p_0->headLength_0 + lane_1, lane_1, k_1, kernelContext_4);
float _S18 = fma(_S16, _S17, sum_0);
k_1 = k_1 + 1U;
sum_0 = _S18;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[0U] = sum_0;
uint i_2 = lane_1 + 64U;
if(i_2 < (kernelContext_4->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S15)
{
}
else
{
break;
}
float _S19 = (*kernelContext_4->lanes_0)[k_1];
float _S20 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S7, k_1 * kernelContext_4->p_0->headLength_0 + i_2, i_2, k_1, kernelContext_4);
float _S21 = fma(_S19, _S20, sum_0);
k_1 = k_1 + 1U;
sum_0 = _S21;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[1U] = sum_0;
uint i_3 = lane_1 + 128U;
if(i_3 < (kernelContext_4->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S15)
{
}
else
{
break;
}
float _S22 = (*kernelContext_4->lanes_0)[k_1];
float _S23 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S7, k_1 * kernelContext_4->p_0->headLength_0 + i_3, i_3, k_1, kernelContext_4);
float _S24 = fma(_S22, _S23, sum_0);
k_1 = k_1 + 1U;
sum_0 = _S24;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[2U] = sum_0;
uint i_4 = lane_1 + 192U;
if(i_4 < (kernelContext_4->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S15)
{
}
else
{
break;
}
float _S25 = (*kernelContext_4->lanes_0)[k_1];
float _S26 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S7, k_1 * kernelContext_4->p_0->headLength_0 + i_4, i_4, k_1, kernelContext_4);
float _S27 = fma(_S25, _S26, sum_0);
k_1 = k_1 + 1U;
sum_0 = _S27;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[3U] = sum_0;
uint i_5 = lane_1 + 256U;
if(i_5 < (kernelContext_4->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S15)
{
}
else
{
break;
}
float _S28 = (*kernelContext_4->lanes_0)[k_1];
float _S29 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S7, k_1 * kernelContext_4->p_0->headLength_0 + i_5, i_5, k_1, kernelContext_4);
float _S30 = fma(_S28, _S29, sum_0);
k_1 = k_1 + 1U;
sum_0 = _S30;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[4U] = sum_0;
uint i_6 = lane_1 + 320U;
if(i_6 < (kernelContext_4->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S15)
{
}
else
{
break;
}
float _S31 = (*kernelContext_4->lanes_0)[k_1];
float _S32 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S7, k_1 * kernelContext_4->p_0->headLength_0 + i_6, i_6, k_1, kernelContext_4);
float _S33 = fma(_S31, _S32, sum_0);
k_1 = k_1 + 1U;
sum_0 = _S33;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[5U] = sum_0;
uint i_7 = lane_1 + 384U;
if(i_7 < (kernelContext_4->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S15)
{
}
else
{
break;
}
float _S34 = (*kernelContext_4->lanes_0)[k_1];
float _S35 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S7, k_1 * kernelContext_4->p_0->headLength_0 + i_7, i_7, k_1, kernelContext_4);
float _S36 = fma(_S34, _S35, sum_0);
k_1 = k_1 + 1U;
sum_0 = _S36;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[6U] = sum_0;
uint i_8 = lane_1 + 448U;
if(i_8 < (kernelContext_4->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S15)
{
}
else
{
break;
}
float _S37 = (*kernelContext_4->lanes_0)[k_1];
float _S38 = Code_read_0(kernelContext_4->values_0, kernelContext_4->p_0->valueStart_0 + _S7, k_1 * kernelContext_4->p_0->headLength_0 + i_8, i_8, k_1, kernelContext_4);
float _S39 = fma(_S37, _S38, sum_0);
k_1 = k_1 + 1U;
sum_0 = _S39;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[7U] = sum_0;
threadgroup_barrier(mem_flags::mem_threadgroup);
return found_0;
}
void loadQuery_0(uint head_1, uint token_0, uint lane_2, KernelContext_0 thread* kernelContext_5)
{
uint _S40 = token_0 * kernelContext_5->p_0->queryStride_0 + head_1 * kernelContext_5->p_0->queryStep_0 * kernelContext_5->p_0->headLength_0;
uint factor_0 = (uint4(*(kernelContext_5->tokens_0+token_0)) ).w;
float _S41;
if(factor_0 != 0U)
{
_S41 = kernelContext_5->p_0->scale_0 * (as_type<float>((factor_0)));
}
else
{
_S41 = kernelContext_5->p_0->scale_0;
}
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
(*kernelContext_5->query_0)[i_9] = kernelContext_5->queries_0[_S40 + i_9] * _S41;
i_9 = i_9 + 64U;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
return;
}
void attentionPage_0(uint3 group_0, uint lane_3, KernelContext_0 thread* kernelContext_6)
{
uint head_2 = group_0.x;
uint token_1 = group_0.y;
uint page_1 = group_0.z;
uint4 _S42 = uint4(*(kernelContext_6->tokens_0+token_1)) ;
bool _S43;
if(page_1 < (_S42.y / 64U))
{
_S43 = true;
}
else
{
_S43 = (page_1 * 64U) >= (_S42.z);
}
if(_S43)
{
return;
}
loadQuery_0(head_2, token_1, lane_3, kernelContext_6);
uint _S44 = kernelContext_6->p_0->heads_0 / kernelContext_6->p_0->keyHeads_0;
uint _S45 = head_2 / _S44;
Gathered_0 _S46 = gather_0(page_1, _S42, _S45, lane_3, kernelContext_6);
uint at_1 = ((token_1 * kernelContext_6->p_0->heads_0 + head_2) * kernelContext_6->p_0->pageCount_0 + page_1) * (2U + kernelContext_6->p_0->headLength_0);
if(lane_3 == 0U)
{
*(kernelContext_6->outputs_0+at_1) = _S46.top_0;
*(kernelContext_6->outputs_0+(at_1 + 1U)) = _S46.total_0;
}
if(lane_3 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + lane_3)) = _S46.sums_0[0U];
}
uint i_10 = lane_3 + 64U;
if(i_10 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_10)) = _S46.sums_0[1U];
}
uint i_11 = lane_3 + 128U;
if(i_11 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_11)) = _S46.sums_0[2U];
}
uint i_12 = lane_3 + 192U;
if(i_12 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_12)) = _S46.sums_0[3U];
}
uint i_13 = lane_3 + 256U;
if(i_13 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_13)) = _S46.sums_0[4U];
}
uint i_14 = lane_3 + 320U;
if(i_14 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_14)) = _S46.sums_0[5U];
}
uint i_15 = lane_3 + 384U;
if(i_15 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_15)) = _S46.sums_0[6U];
}
uint i_16 = lane_3 + 448U;
if(i_16 < (kernelContext_6->p_0->headLength_0))
{
*(kernelContext_6->outputs_0+(at_1 + 2U + i_16)) = _S46.sums_0[7U];
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
attentionPage_0(group_1, local_0.x, &kernelContext_7);
return;
}
"""#)
}
#endif
