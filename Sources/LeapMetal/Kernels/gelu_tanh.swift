// gelu_tanh of gelu.slang in Metal's language. Written by Scripts/make-gpu-kernels.
// swift-format-ignore-file
#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
extension MetalKernelText {
    static let gelu_tanh = MetalKernelText(
        module: "gelu", entry: "gelu_tanh", sourcesSHA256: "7c9f57eaa6a06a9b3669443727cbd65143d242618b16f76162646de3d7b50d1e",
        compiler: "slangc 2026.14.1", threads: [128, 1, 1], buffers: [0, 1], constants: 2,
        source: #"""
#include <metal_stdlib>
#include <metal_math>
#include <metal_texture>
using namespace metal;
float exactForm_0(float x_0)
{
float _S1 = min(abs(x_0), 20.0f);
float t_0 = 1.0f / fma(_S1, 0.34999999403953552f, 1.0f);
float tail_0 = fma(fma(fma(fma(fma(fma(fma(fma(-0.02788500860333443f, t_0, 0.13761331140995026f), t_0, -0.24203835427761078f), t_0, 0.14282333850860596f), t_0, -0.01125192735344172f), t_0, 0.10017920285463333f), t_0, 0.12127862870693207f), t_0, 0.13964581489562988f), t_0, 0.13963499665260315f) * t_0 * exp(-0.5f * _S1 * _S1);
float _S2;
if(x_0 < 0.0f)
{
_S2 = tail_0;
}
else
{
_S2 = 1.0f - tail_0;
}
return x_0 * _S2;
}
float tanhForm_0(float x_1)
{
return x_1 / (1.0f + exp(min(-1.59576916694641113f * x_1 * fma(0.04471499845385551f * x_1, x_1, 1.0f), 80.0f)));
}
struct Parameters_0
{
uint rows_0;
uint length_0;
uint stride_0;
uint hasBias_0;
};
struct KernelContext_0
{
Parameters_0 constant* p_0;
float device* values_0;
float device* bias_0;
};
void activate_0(uint3 thread_0, bool isExact_0, KernelContext_0 thread* kernelContext_0)
{
uint _S3 = thread_0.x;
bool _S4;
if(_S3 >= (kernelContext_0->p_0->stride_0))
{
_S4 = true;
}
else
{
_S4 = (thread_0.y) >= (kernelContext_0->p_0->rows_0);
}
if(_S4)
{
return;
}
uint at_0 = thread_0.y * kernelContext_0->p_0->stride_0 + _S3;
if(_S3 >= (kernelContext_0->p_0->length_0))
{
*(kernelContext_0->values_0+at_0) = 0.0f;
return;
}
float x_2;
if((kernelContext_0->p_0->hasBias_0) != 0U)
{
x_2 = *(kernelContext_0->values_0+at_0) + kernelContext_0->bias_0[_S3];
}
else
{
x_2 = *(kernelContext_0->values_0+at_0);
}
float device* _S5 = kernelContext_0->values_0+at_0;
if(isExact_0)
{
x_2 = exactForm_0(x_2);
}
else
{
x_2 = tanhForm_0(x_2);
}
*_S5 = x_2;
return;
}
[[kernel]] void gelu_tanh(uint3 thread_1 [[thread_position_in_grid]], Parameters_0 constant* p_1 [[buffer(2)]], float device* values_1 [[buffer(0)]], float device* bias_1 [[buffer(1)]])
{
thread KernelContext_0 kernelContext_1;
(&kernelContext_1)->p_0 = p_1;
(&kernelContext_1)->values_0 = values_1;
(&kernelContext_1)->bias_0 = bias_1;
activate_0(thread_1, false, &kernelContext_1);
return;
}
"""#)
}
#endif
