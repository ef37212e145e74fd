// attention_f32 of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_f32 = MetalKernelText(
        module: "attention", entry: "attention_f32", sourcesSHA256: "6745f2fe4170a1c0bd5a6f69356929b38da17364eca4b3cd0f36b2acbf76cdf2",
        compiler: "slangc 2026.14.1", threads: [64, 1, 1], buffers: [0, 1, 2, 3, 4, 5, 6], constants: 7,
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
Gathered_0 gather_0(uint page_0, uint4 seen_0, uint keyHead_0, uint lane_1, KernelContext_0 thread* kernelContext_3)
{
uint _S5 = kernelContext_3->pages_0[seen_0.x + page_0];
uint _S6 = Single_headWords_0(kernelContext_3);
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
if(k_1 < (kernelContext_3->p_0->headLength_0))
{
}
else
{
break;
}
float _S10 = fma((*kernelContext_3->query_0)[k_1], Single_read_0(kernelContext_3->keys_0, kernelContext_3->p_0->keyStart_0 + _S7, k_1 * 64U + lane_1, k_1, lane_1), score_1);
k_1 = k_1 + 1U;
score_1 = _S10;
}
float _S11 = capped_0(score_1, kernelContext_3);
score_1 = _S11;
}
else
{
score_1 = -3.4028234663852886e+38f;
}
thread Gathered_0 found_0;
float _S12 = largest_0(score_1, lane_1, kernelContext_3);
(&found_0)->top_0 = _S12;
if(sees_0)
{
score_1 = exp(score_1 - (&found_0)->top_0);
}
else
{
score_1 = 0.0f;
}
(*kernelContext_3->lanes_0)[lane_1] = score_1;
threadgroup_barrier(mem_flags::mem_threadgroup);
uint first_0 = max(_S9, _S8) - _S8;
uint _S13 = min(seen_0.z - _S8, 64U);
(&found_0)->total_0 = 0.0f;
k_1 = first_0;
for(;;)
{
if(k_1 < _S13)
{
}
else
{
break;
}
(&found_0)->total_0 = (&found_0)->total_0 + (*kernelContext_3->lanes_0)[k_1];
k_1 = k_1 + 1U;
}
float sum_0;
if(lane_1 < (kernelContext_3->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S13)
{
}
else
{
break;
}
float _S14 = fma((*kernelContext_3->lanes_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S7, k_1 * kernelContext_3->p_0->headLength_0 + lane_1, lane_1, k_1), sum_0);
k_1 = k_1 + 1U;
sum_0 = _S14;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[0U] = sum_0;
uint i_1 = lane_1 + 64U;
if(i_1 < (kernelContext_3->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S13)
{
}
else
{
break;
}
float _S15 = fma((*kernelContext_3->lanes_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S7, k_1 * kernelContext_3->p_0->headLength_0 + i_1, i_1, k_1), sum_0);
k_1 = k_1 + 1U;
sum_0 = _S15;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[1U] = sum_0;
uint i_2 = lane_1 + 128U;
if(i_2 < (kernelContext_3->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S13)
{
}
else
{
break;
}
float _S16 = fma((*kernelContext_3->lanes_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S7, k_1 * kernelContext_3->p_0->headLength_0 + i_2, i_2, k_1), sum_0);
k_1 = k_1 + 1U;
sum_0 = _S16;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[2U] = sum_0;
uint i_3 = lane_1 + 192U;
if(i_3 < (kernelContext_3->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S13)
{
}
else
{
break;
}
float _S17 = fma((*kernelContext_3->lanes_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S7, k_1 * kernelContext_3->p_0->headLength_0 + i_3, i_3, k_1), sum_0);
k_1 = k_1 + 1U;
sum_0 = _S17;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[3U] = sum_0;
uint i_4 = lane_1 + 256U;
if(i_4 < (kernelContext_3->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S13)
{
}
else
{
break;
}
float _S18 = fma((*kernelContext_3->lanes_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S7, k_1 * kernelContext_3->p_0->headLength_0 + i_4, i_4, k_1), sum_0);
k_1 = k_1 + 1U;
sum_0 = _S18;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[4U] = sum_0;
uint i_5 = lane_1 + 320U;
if(i_5 < (kernelContext_3->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S13)
{
}
else
{
break;
}
float _S19 = fma((*kernelContext_3->lanes_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S7, k_1 * kernelContext_3->p_0->headLength_0 + i_5, i_5, k_1), sum_0);
k_1 = k_1 + 1U;
sum_0 = _S19;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[5U] = sum_0;
uint i_6 = lane_1 + 384U;
if(i_6 < (kernelContext_3->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S13)
{
}
else
{
break;
}
float _S20 = fma((*kernelContext_3->lanes_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S7, k_1 * kernelContext_3->p_0->headLength_0 + i_6, i_6, k_1), sum_0);
k_1 = k_1 + 1U;
sum_0 = _S20;
}
}
else
{
sum_0 = 0.0f;
}
(&found_0)->sums_0[6U] = sum_0;
uint i_7 = lane_1 + 448U;
if(i_7 < (kernelContext_3->p_0->headLength_0))
{
k_1 = first_0;
sum_0 = 0.0f;
for(;;)
{
if(k_1 < _S13)
{
}
else
{
break;
}
float _S21 = fma((*kernelContext_3->lanes_0)[k_1], Single_read_0(kernelContext_3->values_0, kernelContext_3->p_0->valueStart_0 + _S7, k_1 * kernelContext_3->p_0->headLength_0 + i_7, i_7, k_1), sum_0);
k_1 = k_1 + 1U;
sum_0 = _S21;
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
void loadQuery_0(uint head_1, uint token_0, uint lane_2, KernelContext_0 thread* kernelContext_4)
{
uint _S22 = token_0 * kernelContext_4->p_0->queryStride_0 + head_1 * kernelContext_4->p_0->queryStep_0 * kernelContext_4->p_0->headLength_0;
uint factor_0 = (uint4(*(kernelContext_4->tokens_0+token_0)) ).w;
float _S23;
if(factor_0 != 0U)
{
_S23 = kernelContext_4->p_0->scale_0 * (as_type<float>((factor_0)));
}
else
{
_S23 = kernelContext_4->p_0->scale_0;
}
uint i_8 = lane_2;
for(;;)
{
if(i_8 < (kernelContext_4->p_0->headLength_0))
{
}
else
{
break;
}
(*kernelContext_4->query_0)[i_8] = kernelContext_4->queries_0[_S22 + i_8] * _S23;
i_8 = i_8 + 64U;
}
threadgroup_barrier(mem_flags::mem_threadgroup);
return;
}
Gathered_0 nothing_0()
{
thread Gathered_0 none_0;
(&none_0)->top_0 = -3.4028234663852886e+38f;
(&none_0)->total_0 = 0.0f;
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
void join_0(Gathered_0 thread* all_0, const Gathered_0 thread* page_1)
{
float _S24 = max(all_0->top_0, page_1->top_0);
float fade_0 = exp(all_0->top_0 - _S24);
float weight_0 = exp(page_1->top_0 - _S24);
all_0->total_0 = fma(page_1->total_0, weight_0, all_0->total_0 * fade_0);
all_0->sums_0[0U] = fma(page_1->sums_0[0U], weight_0, all_0->sums_0[0U] * fade_0);
all_0->sums_0[1U] = fma(page_1->sums_0[1U], weight_0, all_0->sums_0[1U] * fade_0);
all_0->sums_0[2U] = fma(page_1->sums_0[2U], weight_0, all_0->sums_0[2U] * fade_0);
all_0->sums_0[3U] = fma(page_1->sums_0[3U], weight_0, all_0->sums_0[3U] * fade_0);
all_0->sums_0[4U] = fma(page_1->sums_0[4U], weight_0, all_0->sums_0[4U] * fade_0);
all_0->sums_0[5U] = fma(page_1->sums_0[5U], weight_0, all_0->sums_0[5U] * fade_0);
all_0->sums_0[6U] = fma(page_1->sums_0[6U], weight_0, all_0->sums_0[6U] * fade_0);
all_0->sums_0[7U] = fma(page_1->sums_0[7U], weight_0, all_0->sums_0[7U] * fade_0);
all_0->top_0 = _S24;
return;
}
void write_0(const Gathered_0 thread* all_1, uint head_2, uint token_1, uint lane_3, KernelContext_0 thread* kernelContext_5)
{
float _S25 = all_1->total_0;
float fade_1;
float total_1;
if((kernelContext_5->p_0->hasSinks_0) != 0U)
{
float _S26 = max(all_1->top_0, kernelContext_5->sinks_0[head_2]);
float fade_2 = exp(all_1->top_0 - _S26);
float _S27 = fma(_S25, fade_2, exp(kernelContext_5->sinks_0[head_2] - _S26));
fade_1 = fade_2;
total_1 = _S27;
}
else
{
fade_1 = 1.0f;
total_1 = _S25;
}
uint _S28 = (token_1 * kernelContext_5->p_0->heads_0 + head_2) * kernelContext_5->p_0->headLength_0;
if(lane_3 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(_S28 + lane_3)) = all_1->sums_0[0U] * fade_1 / total_1;
}
uint i_9 = lane_3 + 64U;
if(i_9 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(_S28 + i_9)) = all_1->sums_0[1U] * fade_1 / total_1;
}
uint i_10 = lane_3 + 128U;
if(i_10 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(_S28 + i_10)) = all_1->sums_0[2U] * fade_1 / total_1;
}
uint i_11 = lane_3 + 192U;
if(i_11 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(_S28 + i_11)) = all_1->sums_0[3U] * fade_1 / total_1;
}
uint i_12 = lane_3 + 256U;
if(i_12 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(_S28 + i_12)) = all_1->sums_0[4U] * fade_1 / total_1;
}
uint i_13 = lane_3 + 320U;
if(i_13 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(_S28 + i_13)) = all_1->sums_0[5U] * fade_1 / total_1;
}
uint i_14 = lane_3 + 384U;
if(i_14 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(_S28 + i_14)) = all_1->sums_0[6U] * fade_1 / total_1;
}
uint i_15 = lane_3 + 448U;
if(i_15 < (kernelContext_5->p_0->headLength_0))
{
*(kernelContext_5->outputs_0+(_S28 + i_15)) = all_1->sums_0[7U] * fade_1 / total_1;
}
return;
}
void attention_0(uint3 group_0, uint lane_4, KernelContext_0 thread* kernelContext_6)
{
uint head_3 = group_0.x;
uint token_2 = group_0.y;
uint4 _S29 = uint4(*(kernelContext_6->tokens_0+token_2)) ;
loadQuery_0(head_3, token_2, lane_4, kernelContext_6);
thread Gathered_0 all_2 = nothing_0();
uint page_2 = _S29.y / 64U;
for(;;)
{
if((page_2 * 64U) < (_S29.z))
{
}
else
{
break;
}
uint _S30 = kernelContext_6->p_0->heads_0 / kernelContext_6->p_0->keyHeads_0;
uint _S31 = head_3 / _S30;
Gathered_0 _S32 = gather_0(page_2, _S29, _S31, lane_4, kernelContext_6);
thread Gathered_0 _S33 = _S32;
join_0(&all_2, &_S33);
page_2 = page_2 + 1U;
}
thread Gathered_0 _S34 = all_2;
write_0(&_S34, head_3, token_2, lane_4, kernelContext_6);
return;
}
[[kernel]] void attention_f32(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], uint device* pages_1 [[buffer(3)]], Parameters_0 constant* p_1 [[buffer(7)]], ushort device* keys_1 [[buffer(1)]], ushort device* values_1 [[buffer(2)]], packed_uint4 device* tokens_1 [[buffer(4)]], float device* queries_1 [[buffer(0)]], float device* sinks_1 [[buffer(6)]], float device* outputs_1 [[buffer(5)]])
{
thread KernelContext_0 kernelContext_7;
(&kernelContext_7)->pages_0 = pages_1;
(&kernelContext_7)->p_0 = p_1;
(&kernelContext_7)->keys_0 = keys_1;
(&kernelContext_7)->values_0 = values_1;
(&kernelContext_7)->tokens_0 = tokens_1;
(&kernelContext_7)->queries_0 = queries_1;
(&kernelContext_7)->sinks_0 = sinks_1;
(&kernelContext_7)->outputs_0 = outputs_1;
threadgroup array<float, int(512)> query_1;
(&kernelContext_7)->query_0 = &query_1;
threadgroup array<float, int(64)> lanes_1;
(&kernelContext_7)->lanes_0 = &lanes_1;
attention_0(group_1, local_0.x, &kernelContext_7);
return;
}
"""#)
}
#endif
