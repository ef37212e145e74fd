// attention_f32 of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_f32 = MetalKernelText(
        module: "attention", entry: "attention_f32", sourcesSHA256: "79083031b5d96d8321c14d8b5ad58e79e4ee11e01628a0f98dc94b042d07efb6",
        compiler: "slangc 2026.14.1", threads: [64, 1, 1], buffers: [0, 1, 2, 3, 4, 5, 6], constants: 7,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
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
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
packed_uint4 device* tokens_0;
float device* queries_0;
uint device* pages_0;
ushort device* keys_0;
ushort device* values_0;
float device* sinks_0;
float device* outputs_0;
array<float, int(512)> threadgroup* query_0;
array<float, int(64)> threadgroup* lanes_0;
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
void attention_0(uint3 group_0, uint lane_1, KernelContext_0 thread* kernelContext_3)
{
float score_1;
uint head_1 = group_0.x;
uint token_0 = group_0.y;
uint _S5 = kernelContext_3->p_0->heads_0 / kernelContext_3->p_0->keyHeads_0;
uint _S6 = head_1 / _S5;
uint _S7 = (token_0 * kernelContext_3->p_0->heads_0 + head_1) * kernelContext_3->p_0->headLength_0;
uint _S8 = token_0 * kernelContext_3->p_0->queryStride_0 + head_1 * kernelContext_3->p_0->queryStep_0 * kernelContext_3->p_0->headLength_0;
uint4 _S9 = uint4(*(kernelContext_3->tokens_0+token_0)) ;
uint _S10 = _S9.w;
float top_0;
if(_S10 != 0U)
{
top_0 = kernelContext_3->p_0->scale_0 * (as_type<float>((_S10)));
}
else
{
top_0 = kernelContext_3->p_0->scale_0;
}
uint i_1 = lane_1;
for(;;)
{
if(i_1 < (kernelContext_3->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_3->query_0)[i_1] = kernelContext_3->queries_0[_S8 + i_1] * top_0;
i_1 = i_1 + 64U;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
thread array<float, int(8)> sums_0;
sums_0[0U] = 0.0f;
sums_0[1U] = 0.0f;
sums_0[2U] = 0.0f;
sums_0[3U] = 0.0f;
sums_0[4U] = 0.0f;
sums_0[5U] = 0.0f;
sums_0[6U] = 0.0f;
sums_0[7U] = 0.0f;
uint _S11 = _S9.y;
uint page_0 = _S11 / 64U;
top_0 = -3.4028234663852886e+38f;
float total_0 = 0.0f;
for(;;)
{
uint _S12 = page_0 * 64U;
uint _S13 = _S9.z;
if(_S12 < _S13)
{
}
else
{
break;
}
uint _S14 = kernelContext_3->pages_0[_S9.x + page_0];
uint _S15 = Single_headWords_0(kernelContext_3);
uint _S16 = _S14 + _S6 * _S15;
uint position_0 = _S12 + lane_1;
bool sees_0;
if(position_0 >= _S11)
{
sees_0 = position_0 < _S13;
}
else
{
sees_0 = false;
}
if(sees_0)
{
i_1 = 0U;
score_1 = 0.0f;
for(;;)
{
if(i_1 < (kernelContext_3->p_0->headLength_0))
{
}
else
{
break;
}
float _S17 = fma((*kernelContext_3->query_0)[i_1], Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S16, i_1 * 64U + lane_1, i_1, lane_1), score_1);
i_1 = i_1 + 1U;
score_1 = _S17;
}
float _S18 = capped_0(score_1, kernelContext_3);
score_1 = _S18;
}
else
{
score_1 = -3.4028234663852886e+38f;
}
float _S19 = largest_0(score_1, lane_1, kernelContext_3);
float _S20 = max(top_0, _S19);
float fade_0 = exp(top_0 - _S20);
float _S21;
if(sees_0)
{
_S21 = exp(score_1 - _S20);
}
else
{
_S21 = 0.0f;
}
(*kernelContext_3->lanes_0)[lane_1] = _S21;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint first_0 = max(_S11, _S12) - _S12;
uint _S22 = min(_S13 - _S12, 64U);
uint k_1 = first_0;
float weight_0 = 0.0f;
for(;;)
{
if(k_1 < _S22)
{
}
else
{
break;
}
float weight_1 = weight_0 + (*kernelContext_3->lanes_0)[k_1];
k_1 = k_1 + 1U;
weight_0 = weight_1;
}
float _S23 = fma(total_0, fade_0, weight_0);
float sum_0;
uint k_2;
if(lane_1 < (kernelContext_3->p_0->headLength_0))
{
float _S24 = sums_0[0U] * fade_0;
k_2 = first_0;
sum_0 = _S24;
for(;;)
{
if(k_2 < _S22)
{
}
else
{
break;
}
float _S25 = fma((*kernelContext_3->lanes_0)[k_2], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S16, k_2 * kernelContext_3->p_0->headLength_0 + lane_1, lane_1, k_2), sum_0);
k_2 = k_2 + 1U;
sum_0 = _S25;
}
sums_0[0U] = sum_0;
}
uint i_2 = lane_1 + 64U;
if(i_2 < (kernelContext_3->p_0->headLength_0))
{
float _S26 = sums_0[1U] * fade_0;
k_2 = first_0;
sum_0 = _S26;
for(;;)
{
if(k_2 < _S22)
{
}
else
{
break;
}
float _S27 = fma((*kernelContext_3->lanes_0)[k_2], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S16, k_2 * kernelContext_3->p_0->headLength_0 + i_2, i_2, k_2), sum_0);
k_2 = k_2 + 1U;
sum_0 = _S27;
}
sums_0[1U] = sum_0;
}
uint i_3 = lane_1 + 128U;
if(i_3 < (kernelContext_3->p_0->headLength_0))
{
float _S28 = sums_0[2U] * fade_0;
k_2 = first_0;
sum_0 = _S28;
for(;;)
{
if(k_2 < _S22)
{
}
else
{
break;
}
float _S29 = fma((*kernelContext_3->lanes_0)[k_2], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S16, k_2 * kernelContext_3->p_0->headLength_0 + i_3, i_3, k_2), sum_0);
k_2 = k_2 + 1U;
sum_0 = _S29;
}
sums_0[2U] = sum_0;
}
uint i_4 = lane_1 + 192U;
if(i_4 < (kernelContext_3->p_0->headLength_0))
{
float _S30 = sums_0[3U] * fade_0;
k_2 = first_0;
sum_0 = _S30;
for(;;)
{
if(k_2 < _S22)
{
}
else
{
break;
}
float _S31 = fma((*kernelContext_3->lanes_0)[k_2], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S16, k_2 * kernelContext_3->p_0->headLength_0 + i_4, i_4, k_2), sum_0);
k_2 = k_2 + 1U;
sum_0 = _S31;
}
sums_0[3U] = sum_0;
}
uint i_5 = lane_1 + 256U;
if(i_5 < (kernelContext_3->p_0->headLength_0))
{
float _S32 = sums_0[4U] * fade_0;
k_2 = first_0;
sum_0 = _S32;
for(;;)
{
if(k_2 < _S22)
{
}
else
{
break;
}
float _S33 = fma((*kernelContext_3->lanes_0)[k_2], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S16, k_2 * kernelContext_3->p_0->headLength_0 + i_5, i_5, k_2), sum_0);
k_2 = k_2 + 1U;
sum_0 = _S33;
}
sums_0[4U] = sum_0;
}
uint i_6 = lane_1 + 320U;
if(i_6 < (kernelContext_3->p_0->headLength_0))
{
float _S34 = sums_0[5U] * fade_0;
k_2 = first_0;
sum_0 = _S34;
for(;;)
{
if(k_2 < _S22)
{
}
else
{
break;
}
float _S35 = fma((*kernelContext_3->lanes_0)[k_2], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S16, k_2 * kernelContext_3->p_0->headLength_0 + i_6, i_6, k_2), sum_0);
k_2 = k_2 + 1U;
sum_0 = _S35;
}
sums_0[5U] = sum_0;
}
uint i_7 = lane_1 + 384U;
if(i_7 < (kernelContext_3->p_0->headLength_0))
{
float _S36 = sums_0[6U] * fade_0;
k_2 = first_0;
sum_0 = _S36;
for(;;)
{
if(k_2 < _S22)
{
}
else
{
break;
}
float _S37 = fma((*kernelContext_3->lanes_0)[k_2], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S16, k_2 * kernelContext_3->p_0->headLength_0 + i_7, i_7, k_2), sum_0);
k_2 = k_2 + 1U;
sum_0 = _S37;
}
sums_0[6U] = sum_0;
}
uint i_8 = lane_1 + 448U;
if(i_8 < (kernelContext_3->p_0->headLength_0))
{
float _S38 = sums_0[7U] * fade_0;
k_2 = first_0;
sum_0 = _S38;
for(;;)
{
if(k_2 < _S22)
{
}
else
{
break;
}
float _S39 = fma((*kernelContext_3->lanes_0)[k_2], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S16, k_2 * kernelContext_3->p_0->headLength_0 + i_8, i_8, k_2), sum_0);
k_2 = k_2 + 1U;
sum_0 = _S39;
}
sums_0[7U] = sum_0;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
page_0 = page_0 + 1U;
top_0 = _S20;
total_0 = _S23;
}
if((kernelContext_3->p_0->hasSinks_0) != 0U)
{
float _S40 = max(top_0, kernelContext_3->sinks_0[head_1]);
float fade_1 = exp(top_0 - _S40);
float _S41 = fma(total_0, fade_1, exp(kernelContext_3->sinks_0[head_1] - _S40));
score_1 = fade_1;
total_0 = _S41;
}
else
{
score_1 = 1.0f;
}
if(lane_1 < (kernelContext_3->p_0->headLength_0))
{
*(kernelContext_3->outputs_0+(_S7 + lane_1)) = sums_0[0U] * score_1 / total_0;
}
uint i_9 = lane_1 + 64U;
if(i_9 < (kernelContext_3->p_0->headLength_0))
{
*(kernelContext_3->outputs_0+(_S7 + i_9)) = sums_0[1U] * score_1 / total_0;
}
uint i_10 = lane_1 + 128U;
if(i_10 < (kernelContext_3->p_0->headLength_0))
{
*(kernelContext_3->outputs_0+(_S7 + i_10)) = sums_0[2U] * score_1 / total_0;
}
uint i_11 = lane_1 + 192U;
if(i_11 < (kernelContext_3->p_0->headLength_0))
{
*(kernelContext_3->outputs_0+(_S7 + i_11)) = sums_0[3U] * score_1 / total_0;
}
uint i_12 = lane_1 + 256U;
if(i_12 < (kernelContext_3->p_0->headLength_0))
{
*(kernelContext_3->outputs_0+(_S7 + i_12)) = sums_0[4U] * score_1 / total_0;
}
uint i_13 = lane_1 + 320U;
if(i_13 < (kernelContext_3->p_0->headLength_0))
{
*(kernelContext_3->outputs_0+(_S7 + i_13)) = sums_0[5U] * score_1 / total_0;
}
uint i_14 = lane_1 + 384U;
if(i_14 < (kernelContext_3->p_0->headLength_0))
{
*(kernelContext_3->outputs_0+(_S7 + i_14)) = sums_0[6U] * score_1 / total_0;
}
uint i_15 = lane_1 + 448U;
if(i_15 < (kernelContext_3->p_0->headLength_0))
{
*(kernelContext_3->outputs_0+(_S7 + i_15)) = sums_0[7U] * score_1 / total_0;
}
return;
}
[[kernel]] void attention_f32(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], Parameters_0 constant* p_1 [[buffer(7)]], packed_uint4 device* tokens_1 [[buffer(4)]], float device* queries_1 [[buffer(0)]], uint device* pages_1 [[buffer(3)]], ushort device* keys_1 [[buffer(1)]], ushort device* values_1 [[buffer(2)]], float device* sinks_1 [[buffer(6)]], float device* outputs_1 [[buffer(5)]])
{
thread KernelContext_0 kernelContext_4;
(&kernelContext_4)->p_0 = p_1;
(&kernelContext_4)->tokens_0 = tokens_1;
(&kernelContext_4)->queries_0 = queries_1;
(&kernelContext_4)->pages_0 = pages_1;
(&kernelContext_4)->keys_0 = keys_1;
(&kernelContext_4)->values_0 = values_1;
(&kernelContext_4)->sinks_0 = sinks_1;
(&kernelContext_4)->outputs_0 = outputs_1;
threadgroup array<float, int(512)> query_1;
(&kernelContext_4)->query_0 = &query_1;
threadgroup array<float, int(64)> lanes_1;
(&kernelContext_4)->lanes_0 = &lanes_1;
attention_0(group_1, local_0.x, &kernelContext_4);
return;
}
"""#)
}
#endif
