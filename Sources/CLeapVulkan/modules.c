// The list of modules.
#include <string.h>

#include "include/CLeapVulkan.h"
#include "kernels/modules.h"

#if defined(__linux__)
static const leap_gpu_module *const modules[] = {
    &leap_gpu_activation, &leap_gpu_addition, &leap_gpu_attention, &leap_gpu_bias, &leap_gpu_choice,
    &leap_gpu_clamp, &leap_gpu_columns, &leap_gpu_combine, &leap_gpu_convolution, &leap_gpu_cutoff,
    &leap_gpu_elementwise, &leap_gpu_experts, &leap_gpu_filters, &leap_gpu_gatednorm, &leap_gpu_gather,
    &leap_gpu_gelu, &leap_gpu_gridconvolution, &leap_gpu_headgates, &leap_gpu_layernorm, &leap_gpu_lengths,
    &leap_gpu_match, &leap_gpu_norm, &leap_gpu_place, &leap_gpu_product, &leap_gpu_recurrence, &leap_gpu_store,
    &leap_gpu_streams, &leap_gpu_tiles, &leap_gpu_tokeninputs,
};
static const int module_count = sizeof modules / sizeof modules[0];

int leap_gpu_module_count(void) { return module_count; }
const leap_gpu_module *leap_gpu_module_at(int index) { return index >= 0 && index < module_count ? modules[index] : NULL; }
#else
int leap_gpu_module_count(void) { return 0; }
const leap_gpu_module *leap_gpu_module_at(int index) {
    (void)index;
    return NULL;
}
#endif
