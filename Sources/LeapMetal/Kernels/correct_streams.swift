// correct_streams of streams.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let correct_streams = MetalKernelText(
        module: "streams", entry: "correct_streams", sourcesSHA256: "200ee772f697da7cd8d1707f6f758ccec74697b99d3c070d77ee0c6af24d3588",
        compiler: "slangc 2026.14.1", threads: [128, 1, 1], buffers: [0, 1, nil, 3, 4], constants: 5,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
struct Parameters_0
{
uint rows_0;
uint length_0;
uint count_0;
float scale_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* logits_0;
float device* first_0;
float device* streams_0;
float device* coefficients_0;
};
float scoreOf_0(float logit_0, KernelContext_0 thread* kernelContext_0)
{
return 1.0f - 2.0f / (1.0f + exp(2.0f * kernelContext_0->p_0->scale_0 * logit_0));
}
float weigh_0(uint coefficientRow_0, const array<float, int(8)> thread* scores_0, KernelContext_0 thread* kernelContext_1)
{
float sum_0 = 0.0f;
uint i_0 = 0U;
for(;;)
{
if(i_0 < (kernelContext_1->p_0->count_0))
{
}
else
{
break;
}
float _S1 = fma(kernelContext_1->coefficients_0[coefficientRow_0 * kernelContext_1->p_0->count_0 + i_0], (*scores_0)[i_0], sum_0);
uint _S2 = i_0 + 1U;
sum_0 = _S1;
i_0 = _S2;
}
return sum_0;
}
[[kernel]] void correct_streams(uint3 thread_0 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(5)]], float device* logits_1 [[buffer(0)]], float device* first_1 [[buffer(4)]], float device* streams_1 [[buffer(3)]], float device* coefficients_1 [[buffer(1)]])
{
thread KernelContext_0 kernelContext_2;
(&kernelContext_2)->p_0 = p_1;
(&kernelContext_2)->logits_0 = logits_1;
(&kernelContext_2)->first_0 = first_1;
(&kernelContext_2)->streams_0 = streams_1;
(&kernelContext_2)->coefficients_0 = coefficients_1;
uint _S3 = thread_0.x;
bool _S4;
if(_S3 >= (p_1->length_0))
{
_S4 = true;
}
else
{
_S4 = (thread_0.y) >= ((&kernelContext_2)->p_0->rows_0);
}
if(_S4)
{
return;
}
thread array<float, int(8)> scores_1;
uint i_1 = 0U;
for(;;)
{
if(i_1 < ((&kernelContext_2)->p_0->count_0))
{
}
else
{
break;
}
float _S5 = scoreOf_0((&kernelContext_2)->logits_0[thread_0.y * (&kernelContext_2)->p_0->count_0 + i_1], &kernelContext_2);
scores_1[i_1] = _S5;
i_1 = i_1 + 1U;
}
uint _S6 = thread_0.y;
uint start_0 = _S6 * (&kernelContext_2)->p_0->count_0 * p_1->length_0 + _S3;
uint at_0 = _S6 * p_1->length_0 + _S3;
float _S7 = *((&kernelContext_2)->first_0+at_0) - *((&kernelContext_2)->streams_0+start_0);
uint to_0 = 0U;
for(;;)
{
if(to_0 < ((&kernelContext_2)->p_0->count_0))
{
}
else
{
break;
}
thread array<float, int(8)> _S8 = scores_1;
float _S9 = weigh_0(to_0, &_S8, &kernelContext_2);
float sum_1 = fma(1.0f + _S9, _S7, *((&kernelContext_2)->streams_0+(start_0 + to_0 * p_1->length_0)));
*((&kernelContext_2)->streams_0+(start_0 + to_0 * p_1->length_0)) = sum_1;
if(to_0 == 0U)
{
*((&kernelContext_2)->first_0+at_0) = sum_1;
}
to_0 = to_0 + 1U;
}
return;
}
"""#)
}
#endif
