// Commands for a device: written once, submitted once.
#include <stdlib.h>

#include "internal/objects.h"

static const VkCommandBufferBeginInfo start = {.sType = VK_TYPE_COMMAND_BUFFER_BEGIN};

static int32_t begin(leap_vulkan_recording *recording) {
    leap_vulkan_device *device = recording->device;
    const VkCommandPoolCreateInfo pool = {.sType = VK_TYPE_COMMAND_POOL, .queueFamilyIndex = device->queue_family};
    int32_t result = device->CreateCommandPool(device->handle, &pool, NULL, &recording->commands);
    if (result != VK_SUCCESS) return result;
    const VkCommandBufferAllocateInfo buffer = {
        .sType = VK_TYPE_COMMAND_BUFFER_ALLOCATE, .commandPool = recording->commands, .commandBufferCount = 1};
    result = device->AllocateCommandBuffers(device->handle, &buffer, &recording->handle);
    if (result != VK_SUCCESS) return result;
    const VkFenceCreateInfo fence = {.sType = VK_TYPE_FENCE};
    result = device->CreateFence(device->handle, &fence, NULL, &recording->fence);
    if (result != VK_SUCCESS) return result;
    return device->BeginCommandBuffer(recording->handle, &start);
}

/// Empties a recording that has been carried out, or was never submitted.
static int32_t begin_again(leap_vulkan_recording *recording) {
    leap_vulkan_device *device = recording->device;
    int32_t result = device->ResetCommandPool(device->handle, recording->commands, 0);
    for (int i = 0; i < recording->pool_count && result == VK_SUCCESS; i++)
        result = device->ResetDescriptorPool(device->handle, recording->pools[i], 0);
    if (result == VK_SUCCESS && recording->is_submitted) result = device->ResetFences(device->handle, 1, &recording->fence);
    recording->dispatch_count = 0;
    recording->is_submitted = recording->is_ended = 0;
    return result == VK_SUCCESS ? device->BeginCommandBuffer(recording->handle, &start) : result;
}

static void destroy(leap_vulkan_recording *recording) {
    leap_vulkan_device *device = recording->device;
    for (int i = 0; i < recording->pool_count; i++) device->DestroyDescriptorPool(device->handle, recording->pools[i], NULL);
    if (recording->fence) device->DestroyFence(device->handle, recording->fence, NULL);
    if (recording->commands) device->DestroyCommandPool(device->handle, recording->commands, NULL);
    free(recording);
}

void leap_vulkan_free_recordings(leap_vulkan_device *device) {
    while (device->free_recordings) {
        leap_vulkan_recording *recording = device->free_recordings;
        device->free_recordings = recording->next;
        destroy(recording);
    }
}

int32_t leap_vulkan_recording_create(leap_vulkan_device *device, leap_vulkan_recording **out) {
    *out = NULL;
    leap_vulkan_recording *recording = device->free_recordings;
    const int is_new = !recording;
    if (is_new) {
        recording = calloc(1, sizeof *recording);
        if (!recording) return LEAP_VULKAN_NO_HOST_MEMORY;
        recording->device = device;
    } else {
        device->free_recordings = recording->next;
        device->free_recording_count--;
    }
    const int32_t result = is_new ? begin(recording) : begin_again(recording);
    if (result == VK_SUCCESS) {
        *out = recording;
    } else {
        destroy(recording);
    }
    return result;
}

static int32_t add_pool(leap_vulkan_recording *recording) {
    leap_vulkan_device *device = recording->device;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_STORAGE_BUFFER, LEAP_VULKAN_POOL_SETS * LEAP_VULKAN_BUFFERS_MAX};
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_TYPE_DESCRIPTOR_POOL, .maxSets = LEAP_VULKAN_POOL_SETS, .poolSizeCount = 1, .pPoolSizes = &size};
    VkDescriptorPool *pool = &recording->pools[recording->pool_count];
    const int32_t result = device->CreateDescriptorPool(device->handle, &info, NULL, pool);
    if (result == VK_SUCCESS) recording->pool_count++;
    return result;
}

static int32_t bind(leap_vulkan_recording *recording, const leap_vulkan_pipeline *pipeline,
                    const leap_vulkan_binding *bindings) {
    leap_vulkan_device *device = recording->device;
    const int pool = recording->dispatch_count / LEAP_VULKAN_POOL_SETS;
    if (pool == recording->pool_count) {
        const int32_t result = add_pool(recording);
        if (result != VK_SUCCESS) return result;
    }
    const VkDescriptorSetAllocateInfo allocation = {
        .sType = VK_TYPE_DESCRIPTOR_SET_ALLOCATE, .descriptorPool = recording->pools[pool],
        .descriptorSetCount = 1, .pSetLayouts = &pipeline->set_layout};
    VkDescriptorSet set;
    const int32_t result = device->AllocateDescriptorSets(device->handle, &allocation, &set);
    if (result != VK_SUCCESS) return result;
    VkDescriptorBufferInfo parts[LEAP_VULKAN_BUFFERS_MAX];
    VkWriteDescriptorSet writes[LEAP_VULKAN_BUFFERS_MAX];
    for (int i = 0; i < pipeline->buffer_count; i++) {
        parts[i] = (VkDescriptorBufferInfo){bindings[i].buffer->handle, bindings[i].offset, bindings[i].byte_count};
        writes[i] = (VkWriteDescriptorSet){.sType = VK_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set, .dstBinding = (uint32_t)i,
                                           .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_STORAGE_BUFFER,
                                           .pBufferInfo = &parts[i]};
    }
    device->UpdateDescriptorSets(device->handle, (uint32_t)pipeline->buffer_count, writes, 0, NULL);
    device->CmdBindDescriptorSets(recording->handle, VK_BIND_POINT_COMPUTE, pipeline->layout, 0, 1, &set, 0, NULL);
    return VK_SUCCESS;
}

int32_t leap_vulkan_recording_dispatch(leap_vulkan_recording *recording, const leap_vulkan_pipeline *pipeline,
                                       const leap_vulkan_binding *bindings, const void *constants, uint32_t x, uint32_t y,
                                       uint32_t z) {
    leap_vulkan_device *device = recording->device;
    if (recording->dispatch_count >= LEAP_VULKAN_DISPATCHES_MAX) return LEAP_VULKAN_TOO_MANY;
    const int32_t result = bind(recording, pipeline, bindings);
    if (result != VK_SUCCESS) return result;
    recording->dispatch_count++;
    device->CmdBindPipeline(recording->handle, VK_BIND_POINT_COMPUTE, pipeline->handle);
    if (constants && pipeline->constant_bytes > 0)
        device->CmdPushConstants(recording->handle, pipeline->layout, VK_STAGE_COMPUTE, 0, (uint32_t)pipeline->constant_bytes,
                                 constants);
    device->CmdDispatch(recording->handle, x, y, z);
    return VK_SUCCESS;
}

static void add_barrier(leap_vulkan_recording *recording, VkFlags stage, VkFlags access) {
    const VkMemoryBarrier barrier = {
        .sType = VK_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_SHADER_WRITE | VK_ACCESS_TRANSFER_WRITE,
        .dstAccessMask = access};
    recording->device->CmdPipelineBarrier(recording->handle, VK_PIPELINE_STAGE_COMPUTE | VK_PIPELINE_STAGE_TRANSFER, stage, 0, 1,
                                          &barrier, 0, NULL, 0, NULL);
}

void leap_vulkan_recording_barrier(leap_vulkan_recording *recording) {
    add_barrier(recording, VK_PIPELINE_STAGE_COMPUTE, VK_ACCESS_SHADER_READ | VK_ACCESS_SHADER_WRITE);
}

int32_t leap_vulkan_recording_submit(leap_vulkan_recording *recording) {
    leap_vulkan_device *device = recording->device;
    int32_t result;
    if (recording->is_submitted) {
        result = leap_vulkan_recording_wait(recording, 0);
        if (result == LEAP_VULKAN_TIMEOUT) return LEAP_VULKAN_TOO_MANY;
        if (result == VK_SUCCESS) result = device->ResetFences(device->handle, 1, &recording->fence);
        recording->is_submitted = 0;
    } else if (!recording->is_ended) {
        // For the host, and for what the device is given next.
        add_barrier(recording, VK_PIPELINE_STAGE_HOST | VK_PIPELINE_STAGE_COMPUTE,
                    VK_ACCESS_HOST_READ | VK_ACCESS_SHADER_READ | VK_ACCESS_SHADER_WRITE);
        result = device->EndCommandBuffer(recording->handle);
        recording->is_ended = 1;
    } else {
        return LEAP_VULKAN_TOO_MANY;
    }
    if (result != VK_SUCCESS) return result;
    const VkSubmitInfo info = {.sType = VK_TYPE_SUBMIT, .commandBufferCount = 1, .pCommandBuffers = &recording->handle};
    result = device->QueueSubmit(device->queue, 1, &info, recording->fence);
    recording->is_submitted = result == VK_SUCCESS;
    return result;
}

int32_t leap_vulkan_recording_wait(leap_vulkan_recording *recording, uint64_t nanoseconds) {
    leap_vulkan_device *device = recording->device;
    const int32_t result = device->WaitForFences(device->handle, 1, &recording->fence, 1, nanoseconds);
    return result == VK_TIMEOUT ? LEAP_VULKAN_TIMEOUT : result;
}

void leap_vulkan_recording_destroy(leap_vulkan_recording *recording) {
    leap_vulkan_device *device = recording->device;
    int32_t result = VK_SUCCESS;
    if (recording->is_submitted) result = leap_vulkan_recording_wait(recording, UINT64_MAX);
    if (result != VK_SUCCESS || device->free_recording_count == LEAP_VULKAN_FREE_RECORDINGS_MAX) return destroy(recording);
    recording->next = device->free_recordings;
    device->free_recordings = recording;
    device->free_recording_count++;
}
