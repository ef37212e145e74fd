// attention_join of attention.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let attention_join = MetalKernelText(
        module: "attention", entry: "attention_join", sourcesSHA256: "1ce66d3ac72a760fb48d33c913977f599a98bd935ff58168da9b2fb94c8722e1",
        compiler: "slangc 2026.14.1", threads: [64, 1, 1], buffers: [0, nil, nil, nil, 4, 5, 6], constants: 7,
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
packed_uint4 device* tokens_0;
Parameters_0 constant* p_0;
float device* queries_0;
float device* sinks_0;
float device* outputs_0;
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
void join_0(Gathered_0 thread* all_1, const Gathered_0 thread* page_0)
{
float _S5 = max(all_1->top_0[0U], page_0->top_0[0U]);
float fade_2 = exp(all_1->top_0[0U] - _S5);
float weight_0 = exp(page_0->top_0[0U] - _S5);
all_1->total_0[0U] = fma(page_0->total_0[0U], weight_0, all_1->total_0[0U] * fade_2);
all_1->sums_0[0U] = fma(page_0->sums_0[0U], weight_0, all_1->sums_0[0U] * fade_2);
all_1->sums_0[1U] = fma(page_0->sums_0[1U], weight_0, all_1->sums_0[1U] * fade_2);
all_1->sums_0[2U] = fma(page_0->sums_0[2U], weight_0, all_1->sums_0[2U] * fade_2);
all_1->sums_0[3U] = fma(page_0->sums_0[3U], weight_0, all_1->sums_0[3U] * fade_2);
all_1->sums_0[4U] = fma(page_0->sums_0[4U], weight_0, all_1->sums_0[4U] * fade_2);
all_1->sums_0[5U] = fma(page_0->sums_0[5U], weight_0, all_1->sums_0[5U] * fade_2);
all_1->sums_0[6U] = fma(page_0->sums_0[6U], weight_0, all_1->sums_0[6U] * fade_2);
all_1->sums_0[7U] = fma(page_0->sums_0[7U], weight_0, all_1->sums_0[7U] * fade_2);
all_1->top_0[0U] = _S5;
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
void attentionJoin_0(uint3 group_0, uint lane_1, KernelContext_0 thread* kernelContext_1)
{
uint head_1 = group_0.x;
uint token_1 = group_0.y;
uint4 _S6 = uint4(*(kernelContext_1->tokens_0+token_1)) ;
thread Gathered_0 all_2 = nothing_0();
uint page_1 = _S6.y / 64U;
for(;;)
{
if((page_1 * 64U) < (_S6.z))
{
}
else
{
break;
}
uint at_0 = ((token_1 * kernelContext_1->p_0->heads_0 + head_1) * kernelContext_1->p_0->pageCount_0 + page_1) * (2U + kernelContext_1->p_0->headLength_0);
thread Gathered_0 found_0;
(&found_0)->top_0[int(0)] = kernelContext_1->queries_0[at_0];
(&found_0)->total_0[int(0)] = kernelContext_1->queries_0[at_0 + 1U];
float _S7;
if(lane_1 < (kernelContext_1->p_0->headLength_0))
{
_S7 = kernelContext_1->queries_0[at_0 + 2U + lane_1];
}
else
{
_S7 = 0.0f;
}
(&found_0)->sums_0[0U] = _S7;
uint i_7 = lane_1 + 64U;
float _S8;
if(i_7 < (kernelContext_1->p_0->headLength_0))
{
_S8 = kernelContext_1->queries_0[at_0 + 2U + i_7];
}
else
{
_S8 = 0.0f;
}
(&found_0)->sums_0[1U] = _S8;
uint i_8 = lane_1 + 128U;
float _S9;
if(i_8 < (kernelContext_1->p_0->headLength_0))
{
_S9 = kernelContext_1->queries_0[at_0 + 2U + i_8];
}
else
{
_S9 = 0.0f;
}
(&found_0)->sums_0[2U] = _S9;
uint i_9 = lane_1 + 192U;
float _S10;
if(i_9 < (kernelContext_1->p_0->headLength_0))
{
_S10 = kernelContext_1->queries_0[at_0 + 2U + i_9];
}
else
{
_S10 = 0.0f;
}
(&found_0)->sums_0[3U] = _S10;
uint i_10 = lane_1 + 256U;
float _S11;
if(i_10 < (kernelContext_1->p_0->headLength_0))
{
_S11 = kernelContext_1->queries_0[at_0 + 2U + i_10];
}
else
{
_S11 = 0.0f;
}
(&found_0)->sums_0[4U] = _S11;
uint i_11 = lane_1 + 320U;
float _S12;
if(i_11 < (kernelContext_1->p_0->headLength_0))
{
_S12 = kernelContext_1->queries_0[at_0 + 2U + i_11];
}
else
{
_S12 = 0.0f;
}
(&found_0)->sums_0[5U] = _S12;
uint i_12 = lane_1 + 384U;
float _S13;
if(i_12 < (kernelContext_1->p_0->headLength_0))
{
_S13 = kernelContext_1->queries_0[at_0 + 2U + i_12];
}
else
{
_S13 = 0.0f;
}
(&found_0)->sums_0[6U] = _S13;
uint i_13 = lane_1 + 448U;
float _S14;
if(i_13 < (kernelContext_1->p_0->headLength_0))
{
_S14 = kernelContext_1->queries_0[at_0 + 2U + i_13];
}
else
{
_S14 = 0.0f;
}
(&found_0)->sums_0[7U] = _S14;
thread Gathered_0 _S15 = found_0;
join_0(&all_2, &_S15);
page_1 = page_1 + 1U;
}
thread Gathered_0 _S16 = all_2;
write_0(&_S16, head_1, token_1, lane_1, kernelContext_1);
return;
}
[[kernel]] void attention_join(uint3 group_1 [[threadgroup_position_in_grid]], uint3 local_0 [[thread_position_in_threadgroup]], packed_uint4 device* tokens_1 [[buffer(4)]], Parameters_0 constant* p_1 [[buffer(7)]], float device* queries_1 [[buffer(0)]], float device* sinks_1 [[buffer(6)]], float device* outputs_1 [[buffer(5)]])
{
thread KernelContext_0 kernelContext_2;
(&kernelContext_2)->tokens_0 = tokens_1;
(&kernelContext_2)->p_0 = p_1;
(&kernelContext_2)->queries_0 = queries_1;
(&kernelContext_2)->sinks_0 = sinks_1;
(&kernelContext_2)->outputs_0 = outputs_1;
attentionJoin_0(group_1, local_0.x, &kernelContext_2);
return;
}
"""#)
}
#endif
