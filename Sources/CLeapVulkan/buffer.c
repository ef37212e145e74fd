// Memory that the device and the host share.
#include <stdlib.h>

#include "internal/objects.h"

/// A memory type among `allowed` that the host sees, on the device if there is such; UINT32_MAX without one.
static uint32_t shared_type(const leap_vulkan_device *device, uint32_t allowed) {
    const VkFlags visible = VK_MEMORY_HOST_VISIBLE | VK_MEMORY_HOST_COHERENT;
    const VkFlags wanted[] = {visible | VK_MEMORY_DEVICE_LOCAL, visible};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < device->memory.memoryTypeCount; i++)
            if (allowed >> i & 1 && (device->memory.memoryTypes[i].propertyFlags & wanted[k]) == wanted[k]) return i;
    return UINT32_MAX;
}

static int32_t make_shared(leap_vulkan_buffer *buffer, uint64_t byte_count) {
    leap_vulkan_device *device = buffer->device;
    const VkBufferCreateInfo info = {.sType = VK_TYPE_BUFFER, .size = byte_count, .usage = VK_BUFFER_USAGE_STORAGE};
    int32_t result = device->CreateBuffer(device->handle, &info, NULL, &buffer->handle);
    if (result != VK_SUCCESS) return result;
    VkMemoryRequirements needs;
    device->GetBufferMemoryRequirements(device->handle, buffer->handle, &needs);
    const uint32_t type = shared_type(device, needs.memoryTypeBits);
    if (type == UINT32_MAX) return LEAP_VULKAN_NO_MEMORY_TYPE;
    const VkMemoryAllocateInfo memory = {
        .sType = VK_TYPE_MEMORY_ALLOCATE, .allocationSize = needs.size, .memoryTypeIndex = type};
    result = device->AllocateMemory(device->handle, &memory, NULL, &buffer->memory);
    if (result == VK_SUCCESS) result = device->BindBufferMemory(device->handle, buffer->handle, buffer->memory, 0);
    if (result == VK_SUCCESS)
        result = device->MapMemory(device->handle, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->contents);
    return result;
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

static int32_t make(leap_vulkan_device *device, void *contents, uint64_t byte_count, leap_vulkan_buffer **out) {
    *out = NULL;
    leap_vulkan_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer) return LEAP_VULKAN_NO_HOST_MEMORY;
    buffer->device = device;
    const int32_t result = contents ? make_import(buffer, contents, byte_count) : make_shared(buffer, byte_count);
    if (result == VK_SUCCESS) {
        *out = buffer;
    } else {
        leap_vulkan_buffer_destroy(buffer);
    }
    return result;
}

int32_t leap_vulkan_buffer_create(leap_vulkan_device *device, uint64_t byte_count, leap_vulkan_buffer **out) {
    return make(device, NULL, byte_count, out);
}

int32_t leap_vulkan_buffer_import(leap_vulkan_device *device, void *memory, uint64_t byte_count, leap_vulkan_buffer **out) {
    return make(device, memory, byte_count, out);
}

void *leap_vulkan_buffer_contents(const leap_vulkan_buffer *buffer) { return buffer->contents; }

void leap_vulkan_buffer_destroy(leap_vulkan_buffer *buffer) {
    leap_vulkan_device *device = buffer->device;
    if (buffer->handle) device->DestroyBuffer(device->handle, buffer->handle, NULL);
    if (buffer->memory) device->FreeMemory(device->handle, buffer->memory, NULL);
    free(buffer);
}
