// A kernel, compiled for a device.
#include <stdlib.h>

#include "internal/objects.h"

static int32_t make_layouts(leap_vulkan_pipeline *pipeline) {
    leap_vulkan_device *device = pipeline->device;
    VkDescriptorSetLayoutBinding bindings[LEAP_VULKAN_BUFFERS_MAX];
    for (int i = 0; i < pipeline->buffer_count; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = (uint32_t)i, .descriptorType = VK_DESCRIPTOR_STORAGE_BUFFER,
                                                     .descriptorCount = 1, .stageFlags = VK_STAGE_COMPUTE};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_TYPE_DESCRIPTOR_SET_LAYOUT, .bindingCount = (uint32_t)pipeline->buffer_count, .pBindings = bindings};
    const int32_t result = device->CreateDescriptorSetLayout(device->handle, &set, NULL, &pipeline->set_layout);
    if (result != VK_SUCCESS) return result;
    const VkPushConstantRange range = {.stageFlags = VK_STAGE_COMPUTE, .size = (uint32_t)pipeline->constant_bytes};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_TYPE_PIPELINE_LAYOUT, .setLayoutCount = 1, .pSetLayouts = &pipeline->set_layout,
        .pushConstantRangeCount = pipeline->constant_bytes > 0 ? 1 : 0, .pPushConstantRanges = &range};
    return device->CreatePipelineLayout(device->handle, &info, NULL, &pipeline->layout);
}

static int32_t compile(leap_vulkan_pipeline *pipeline, const uint32_t *code, size_t byte_count, const char *entry,
                       uint32_t subgroup) {
    leap_vulkan_device *device = pipeline->device;
    const VkShaderModuleCreateInfo module = {.sType = VK_TYPE_SHADER_MODULE, .codeSize = byte_count, .pCode = code};
    const int32_t result = device->CreateShaderModule(device->handle, &module, NULL, &pipeline->module);
    if (result != VK_SUCCESS) return result;
    const VkSpecializationMapEntry constant = {.size = sizeof subgroup};
    const VkSpecializationInfo constants = {
        .mapEntryCount = 1, .pMapEntries = &constant, .dataSize = sizeof subgroup, .pData = &subgroup};
    // Without it, a driver may compile for another size than `subgroup`, or leave subgroups partly empty.
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
        .sType = VK_TYPE_REQUIRED_SUBGROUP_SIZE, .requiredSubgroupSize = subgroup};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_TYPE_COMPUTE_PIPELINE,
        .stage = {.sType = VK_TYPE_SHADER_STAGE, .pNext = device->requires_size ? &size : NULL,
                  .flags = device->requires_size ? VK_STAGE_FULL_SUBGROUPS : 0, .stage = VK_STAGE_COMPUTE,
                  .module = pipeline->module, .pName = entry, .pSpecializationInfo = &constants},
        .layout = pipeline->layout};
    return device->CreateComputePipelines(device->handle, 0, 1, &info, NULL, &pipeline->handle);
}

int32_t leap_vulkan_pipeline_create(leap_vulkan_device *device, const uint32_t *code, size_t byte_count, const char *entry,
                                    int buffer_count, int constant_bytes, uint32_t subgroup, leap_vulkan_pipeline **out) {
    *out = NULL;
    if (buffer_count < 1 || buffer_count > LEAP_VULKAN_BUFFERS_MAX) return LEAP_VULKAN_TOO_MANY;
    if (constant_bytes < 0 || constant_bytes > LEAP_VULKAN_CONSTANTS_MAX) return LEAP_VULKAN_TOO_MANY;
    leap_vulkan_pipeline *pipeline = calloc(1, sizeof *pipeline);
    if (!pipeline) return LEAP_VULKAN_NO_HOST_MEMORY;
    pipeline->device = device;
    pipeline->buffer_count = buffer_count;
    pipeline->constant_bytes = constant_bytes;
    int32_t result = make_layouts(pipeline);
    if (result == VK_SUCCESS) result = compile(pipeline, code, byte_count, entry, subgroup);
    if (result == VK_SUCCESS) {
        *out = pipeline;
    } else {
        leap_vulkan_pipeline_destroy(pipeline);
    }
    return result;
}

void leap_vulkan_pipeline_destroy(leap_vulkan_pipeline *pipeline) {
    leap_vulkan_device *device = pipeline->device;
    if (pipeline->handle) device->DestroyPipeline(device->handle, pipeline->handle, NULL);
    if (pipeline->module) device->DestroyShaderModule(device->handle, pipeline->module, NULL);
    if (pipeline->layout) device->DestroyPipelineLayout(device->handle, pipeline->layout, NULL);
    if (pipeline->set_layout) device->DestroyDescriptorSetLayout(device->handle, pipeline->set_layout, NULL);
    free(pipeline);
}
