// Memory of a device, and memory that it shares with the host.
#include <stdlib.h>
#include <string.h>

#include "internal/objects.h"

enum { wanted_max = 3 };

/// What memory may be for a use, the best first; 0 ends them.
static void wanted_flags(const leap_vulkan_device *device, uint32_t use, VkFlags out[wanted_max]) {
    const VkFlags visible = VK_MEMORY_HOST_VISIBLE | VK_MEMORY_HOST_COHERENT;
    memset(out, 0, wanted_max * sizeof *out);
    if (use == LEAP_VULKAN_MEMORY_OWN) {
        if (!device->hides_own) *out++ = visible | VK_MEMORY_DEVICE_LOCAL;
        *out++ = VK_MEMORY_DEVICE_LOCAL;
        *out = visible;
    } else {
        *out++ = visible | (use == LEAP_VULKAN_MEMORY_RESULTS ? VK_MEMORY_HOST_CACHED : VK_MEMORY_DEVICE_LOCAL);
        *out = visible;
    }
}

/// Whether a memory type is among `allowed` and has all of some flags.
static int fits(const leap_vulkan_device *device, uint32_t type, uint32_t allowed, VkFlags flags) {
    return allowed >> type & 1 && (device->memory.memoryTypes[type].propertyFlags & flags) == flags;
}

static int32_t allocate(leap_vulkan_buffer *buffer, uint64_t byte_count, uint32_t type, int maps) {
    leap_vulkan_device *device = buffer->device;
    const VkMemoryAllocateInfo memory = {.sType = VK_TYPE_MEMORY_ALLOCATE, .allocationSize = byte_count, .memoryTypeIndex = type};
    int32_t result = device->AllocateMemory(device->handle, &memory, NULL, &buffer->memory);
    if (result != VK_SUCCESS) {
        buffer->memory = 0;
        return result;
    }
    if (maps) result = device->MapMemory(device->handle, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->contents);
    if (result != VK_SUCCESS) {
        device->FreeMemory(device->handle, buffer->memory, NULL);
        buffer->memory = 0;
        buffer->contents = NULL;
    }
    return result;
}

static int32_t make_new(leap_vulkan_buffer *buffer, uint64_t byte_count, uint32_t use) {
    leap_vulkan_device *device = buffer->device;
    const VkBufferCreateInfo info = {
        .sType = VK_TYPE_BUFFER, .size = byte_count,
        .usage = VK_BUFFER_USAGE_STORAGE | VK_BUFFER_USAGE_TRANSFER_SOURCE | VK_BUFFER_USAGE_TRANSFER_TARGET};
    int32_t result = device->CreateBuffer(device->handle, &info, NULL, &buffer->handle);
    if (result != VK_SUCCESS) return result;
    VkMemoryRequirements needs;
    device->GetBufferMemoryRequirements(device->handle, buffer->handle, &needs);
    VkFlags wanted[wanted_max];
    wanted_flags(device, use, wanted);
    result = LEAP_VULKAN_NO_MEMORY_TYPE;
    // A heap that the host sees may be small: then the next kind of memory is tried.
    for (int k = 0; k < wanted_max && wanted[k] && !buffer->memory; k++) {
        const int maps = wanted[k] & VK_MEMORY_HOST_VISIBLE;
        for (uint32_t i = 0; i < device->memory.memoryTypeCount && !buffer->memory; i++)
            if (fits(device, i, needs.memoryTypeBits, wanted[k])) result = allocate(buffer, needs.size, i, maps);
    }
    return buffer->memory ? device->BindBufferMemory(device->handle, buffer->handle, buffer->memory, 0) : result;
}

/// A memory type among `allowed` that the host sees, on the device if there is such; UINT32_MAX without one.
static uint32_t shared_type(const leap_vulkan_device *device, uint32_t allowed) {
    VkFlags wanted[wanted_max];
    wanted_flags(device, LEAP_VULKAN_MEMORY_SHARED, wanted);
    for (int k = 0; k < wanted_max && wanted[k]; k++)
        for (uint32_t i = 0; i < device->memory.memoryTypeCount; i++)
            if (fits(device, i, allowed, wanted[k])) return i;
    return UINT32_MAX;
}

static int32_t make_import(leap_vulkan_buffer *buffer, void *contents, uint64_t byte_count) {
    leap_vulkan_device *device = buffer->device;
    if (!device->GetMemoryHostPointerProperties) return LEAP_VULKAN_NO_FUNCTION;
    buffer->contents = contents;
    VkMemoryHostPointerPropertiesEXT properties = {.sType = VK_TYPE_HOST_POINTER_PROPERTIES};
    int32_t result =
        device->GetMemoryHostPointerProperties(device->handle, VK_EXTERNAL_HOST_ALLOCATION, contents, &properties);
    if (result != VK_SUCCESS) return result;
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_TYPE_EXTERNAL_MEMORY_BUFFER, .handleTypes = VK_EXTERNAL_HOST_ALLOCATION};
    const VkBufferCreateInfo info = {
        .sType = VK_TYPE_BUFFER, .pNext = &external, .size = byte_count, .usage = VK_BUFFER_USAGE_STORAGE};
    result = device->CreateBuffer(device->handle, &info, NULL, &buffer->handle);
    if (result != VK_SUCCESS) return result;
    VkMemoryRequirements needs;
    device->GetBufferMemoryRequirements(device->handle, buffer->handle, &needs);
    // Memory that is not coherent would need flushes around everything that the host does with it.
    const uint32_t type = shared_type(device, properties.memoryTypeBits & needs.memoryTypeBits);
    if (type == UINT32_MAX || needs.size > byte_count) return LEAP_VULKAN_NO_MEMORY_TYPE;
    const VkImportMemoryHostPointerInfoEXT import = {
        .sType = VK_TYPE_IMPORT_HOST_POINTER, .handleType = VK_EXTERNAL_HOST_ALLOCATION, .pHostPointer = contents};
    const VkMemoryAllocateInfo memory = {
        .sType = VK_TYPE_MEMORY_ALLOCATE, .pNext = &import, .allocationSize = byte_count, .memoryTypeIndex = type};
    result = device->AllocateMemory(device->handle, &memory, NULL, &buffer->memory);
    return result == VK_SUCCESS ? device->BindBufferMemory(device->handle, buffer->handle, buffer->memory, 0) : result;
}

static int32_t make(leap_vulkan_device *device, void *contents, uint64_t byte_count, uint32_t use, leap_vulkan_buffer **out) {
    *out = NULL;
    leap_vulkan_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer) return LEAP_VULKAN_NO_HOST_MEMORY;
    buffer->device = device;
    const int32_t result = contents ? make_import(buffer, contents, byte_count) : make_new(buffer, byte_count, use);
    if (result == VK_SUCCESS) {
        *out = buffer;
    } else {
        leap_vulkan_buffer_destroy(buffer);
    }
    return result;
}

int32_t leap_vulkan_buffer_create(leap_vulkan_device *device, uint64_t byte_count, uint32_t memory, leap_vulkan_buffer **out) {
    return make(device, NULL, byte_count, memory, out);
}

int32_t leap_vulkan_buffer_import(leap_vulkan_device *device, void *memory, uint64_t byte_count, leap_vulkan_buffer **out) {
    return make(device, memory, byte_count, LEAP_VULKAN_MEMORY_SHARED, out);
}

/// Bytes that are copied at a time.
static const uint64_t stage_bytes = 64 << 20;

static int32_t write_part(leap_vulkan_buffer *buffer, leap_vulkan_buffer *stage, uint64_t offset, const void *bytes,
                          uint64_t byte_count) {
    memcpy(stage->contents, bytes, byte_count);
    leap_vulkan_recording *recording;
    int32_t result = leap_vulkan_recording_create(buffer->device, &recording);
    if (result != VK_SUCCESS) return result;
    const VkBufferCopy region = {.dstOffset = offset, .size = byte_count};
    buffer->device->CmdCopyBuffer(recording->handle, stage->handle, buffer->handle, 1, &region);
    result = leap_vulkan_recording_submit(recording);
    if (result == VK_SUCCESS) result = leap_vulkan_recording_wait(recording, UINT64_MAX);
    leap_vulkan_recording_destroy(recording);
    return result;
}

int32_t leap_vulkan_buffer_write(leap_vulkan_buffer *buffer, uint64_t offset, const void *bytes, uint64_t byte_count) {
    leap_vulkan_buffer *stage;
    int32_t result = leap_vulkan_buffer_create(
        buffer->device, byte_count < stage_bytes ? byte_count : stage_bytes, LEAP_VULKAN_MEMORY_RESULTS, &stage);
    for (uint64_t done = 0; done < byte_count && result == VK_SUCCESS; done += stage_bytes) {
        const uint64_t left = byte_count - done;
        result = write_part(buffer, stage, offset + done, (const char *)bytes + done, left < stage_bytes ? left : stage_bytes);
    }
    if (stage) leap_vulkan_buffer_destroy(stage);
    return result;
}

void *leap_vulkan_buffer_contents(const leap_vulkan_buffer *buffer) { return buffer->contents; }

void leap_vulkan_buffer_destroy(leap_vulkan_buffer *buffer) {
    leap_vulkan_device *device = buffer->device;
    if (buffer->handle) device->DestroyBuffer(device->handle, buffer->handle, NULL);
    if (buffer->memory) device->FreeMemory(device->handle, buffer->memory, NULL);
    free(buffer);
}
