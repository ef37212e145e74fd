// What the handles of the interface are.
#ifndef LEAP_VULKAN_OBJECTS_H
#define LEAP_VULKAN_OBJECTS_H

#include "../include/CLeapVulkan.h"
#include "vulkan.h"

#define MEMBER(result, name, parameters) result(*name) parameters;

struct leap_vulkan_instance {
    void *library;
    VkInstance handle;
    uint32_t device_count;
    VkPhysicalDevice *devices;
    LEAP_VULKAN_INSTANCE_FUNCTIONS(MEMBER)
    VkGetCooperativeMatrixProperties GetCooperativeMatrixProperties;  // NULL: no matrix units
};

struct leap_vulkan_device {
    const leap_vulkan_instance *instance;
    VkDevice handle;
    VkQueue queue;
    uint32_t queue_family;
    VkPhysicalDeviceMemoryProperties memory;
    int requires_size;  ///< kernels are compiled for one size of subgroups, all of which are full
    int hides_own;      ///< memory of its own is not mapped, even where it could be
    leap_vulkan_recording *free_recordings;
    int free_recording_count;
    LEAP_VULKAN_DEVICE_FUNCTIONS(MEMBER)
    VkGetMemoryHostPointerProperties GetMemoryHostPointerProperties;  // NULL: no import
};

#undef MEMBER

struct leap_vulkan_buffer {
    leap_vulkan_device *device;
    VkBuffer handle;
    VkDeviceMemory memory;
    void *contents;  ///< NULL where the host does not see it
};

struct leap_vulkan_pipeline {
    leap_vulkan_device *device;
    VkShaderModule module;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline handle;
    int buffer_count, constant_bytes;
};

/// Descriptor sets are taken from pools of this many.
#define LEAP_VULKAN_POOL_SETS 256
/// Recordings that wait to be used again.
#define LEAP_VULKAN_FREE_RECORDINGS_MAX 16
#define LEAP_VULKAN_POOLS_MAX (LEAP_VULKAN_DISPATCHES_MAX / LEAP_VULKAN_POOL_SETS)

struct leap_vulkan_recording {
    leap_vulkan_device *device;
    leap_vulkan_recording *next;  ///< among those that are free
    VkCommandPool commands;
    VkCommandBuffer handle;
    VkFence fence;
    int dispatch_count, pool_count, is_ended, is_submitted;
    VkDescriptorPool pools[LEAP_VULKAN_POOLS_MAX];
};

/// Destroys the recordings that wait to be used again.
void leap_vulkan_free_recordings(leap_vulkan_device *device);

#endif
