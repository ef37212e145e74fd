// Vulkan for computing, as far as this package needs it. Nothing is linked: the loader is opened when an instance is
// made.
//
// An object is used by one thread at a time, and so is the device that it belongs to. Functions return 0 or why they
// failed: a VkResult, or one of the LEAP_VULKAN_… codes, which no VkResult has.
#ifndef CLEAPVULKAN_H
#define CLEAPVULKAN_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#define LEAP_VK_NULLABLE _Nullable
#else
#define LEAP_VK_NULLABLE
#endif

/// There is no libvulkan.so.1 here, and no libvulkan.so, as Android names it.
#define LEAP_VULKAN_NO_LOADER 1000001
/// The loader or the driver lacks a function of Vulkan 1.2.
#define LEAP_VULKAN_NO_FUNCTION 1000002
/// The host has no memory.
#define LEAP_VULKAN_NO_HOST_MEMORY 1000003
/// No memory type fits a buffer.
#define LEAP_VULKAN_NO_MEMORY_TYPE 1000004
/// The device has not finished in the time given.
#define LEAP_VULKAN_TIMEOUT 1000005
/// The recording is full, or a count is above what this interface takes.
#define LEAP_VULKAN_TOO_MANY 1000006

/// Storage buffers that a kernel can have.
#define LEAP_VULKAN_BUFFERS_MAX 8
/// Bytes of push constants that a kernel can have; every driver has as many.
#define LEAP_VULKAN_CONSTANTS_MAX 128
/// Dispatches in one recording.
#define LEAP_VULKAN_DISPATCHES_MAX 4096

typedef struct leap_vulkan_instance leap_vulkan_instance;
typedef struct leap_vulkan_device leap_vulkan_device;
typedef struct leap_vulkan_buffer leap_vulkan_buffer;
typedef struct leap_vulkan_pipeline leap_vulkan_pipeline;
typedef struct leap_vulkan_recording leap_vulkan_recording;

/// What a device is and can do.
typedef struct {
    char name[256];
    char driver[256];
    char driver_version[256];  ///< in the driver's own words
    uint32_t kind;  ///< VkPhysicalDeviceType: 1 integrated, 2 discrete, 3 virtual, 4 processor
    uint32_t vendor, identifier;
    uint32_t api_version;
    uint64_t device_memory;         ///< bytes of the largest heap on the device; of any where it shares the host's memory
    uint64_t storage_buffer_bytes;  ///< the most that a binding may cover
    uint64_t allocation_bytes;      ///< the most that one allocation may take
    uint32_t storage_buffer_alignment;
    uint32_t constant_bytes;
    uint32_t shared_bytes;
    uint32_t group_size;       ///< invocations of a workgroup
    uint32_t group_counts[3];  ///< workgroups of a dispatch
    uint32_t subgroup_size;     ///< of kernels: what they are compiled for if that can be required, else the usual one
    uint32_t requires_size;     ///< kernels are compiled for subgroup_size, and all of their subgroups are full
    uint32_t has_shuffle;       ///< subgroup shuffles in compute kernels
    uint32_t has_storage16;     ///< 16-bit elements in storage buffers, and 16-bit integers to hold them
    uint32_t has_compute_queue;
    uint32_t has_matrix_units;  ///< products of 16 by 16 halves by a subgroup, with sums of floats
    uint32_t host_memory_alignment;  ///< of host memory that becomes a buffer without a copy; 0 if it cannot
} leap_vulkan_device_info;

/// Opens the loader and makes an instance.
int32_t leap_vulkan_instance_create(leap_vulkan_instance *LEAP_VK_NULLABLE *LEAP_VK_NULLABLE out);
void leap_vulkan_instance_destroy(leap_vulkan_instance *instance);
/// The devices of all drivers; with none, 0.
int leap_vulkan_device_count(const leap_vulkan_instance *instance);
void leap_vulkan_device_describe(const leap_vulkan_instance *instance, int index, leap_vulkan_device_info *out);

/// Opens a device. Its instance must outlive it.
///
/// - hides_own: not to map memory of the device's own, even where it could be.
int32_t leap_vulkan_device_create(leap_vulkan_instance *instance, int index, int hides_own,
                                  leap_vulkan_device *LEAP_VK_NULLABLE *LEAP_VK_NULLABLE out);
/// Waits for what runs. All that was made of the device must be gone.
void leap_vulkan_device_destroy(leap_vulkan_device *device);

/// What a buffer's memory is for.
#define LEAP_VULKAN_MEMORY_SHARED 0   ///< host and device read and write it: the device's where the host sees that
#define LEAP_VULKAN_MEMORY_RESULTS 1  ///< the host reads what the device wrote: memory that the host's caches hold
#define LEAP_VULKAN_MEMORY_OWN 2      ///< the device's, which the host may not see

/// A buffer, which the host reads and writes at `leap_vulkan_buffer_contents` if its memory is not
/// `LEAP_VULKAN_MEMORY_OWN`.
int32_t leap_vulkan_buffer_create(leap_vulkan_device *device, uint64_t byte_count, uint32_t memory,
                                  leap_vulkan_buffer *LEAP_VK_NULLABLE *LEAP_VK_NULLABLE out);
/// A buffer over host memory, without a copy. Address and size must be multiples of `host_memory_alignment`, and the
/// memory must outlive the buffer.
int32_t leap_vulkan_buffer_import(leap_vulkan_device *device, void *memory, uint64_t byte_count,
                                  leap_vulkan_buffer *LEAP_VK_NULLABLE *LEAP_VK_NULLABLE out);
/// NULL where the host does not see the buffer.
void *LEAP_VK_NULLABLE leap_vulkan_buffer_contents(const leap_vulkan_buffer *buffer);
/// Copies bytes into a buffer that the host does not see, and waits for it.
int32_t leap_vulkan_buffer_write(leap_vulkan_buffer *buffer, uint64_t offset, const void *bytes, uint64_t byte_count);
void leap_vulkan_buffer_destroy(leap_vulkan_buffer *buffer);

/// Compiles a kernel, on any thread. `subgroup` is its constant 0.
int32_t leap_vulkan_pipeline_create(leap_vulkan_device *device, const uint32_t *code, size_t byte_count, const char *entry,
                                    int buffer_count, int constant_bytes, uint32_t subgroup,
                                    leap_vulkan_pipeline *LEAP_VK_NULLABLE *LEAP_VK_NULLABLE out);
void leap_vulkan_pipeline_destroy(leap_vulkan_pipeline *pipeline);

/// A part of a buffer, bound to a kernel.
typedef struct {
    const leap_vulkan_buffer *buffer;
    uint64_t offset, byte_count;
} leap_vulkan_binding;

/// Makes an empty recording.
int32_t leap_vulkan_recording_create(leap_vulkan_device *device,
                                     leap_vulkan_recording *LEAP_VK_NULLABLE *LEAP_VK_NULLABLE out);
/// Adds a run of a kernel, with as many bindings as it has buffers.
int32_t leap_vulkan_recording_dispatch(leap_vulkan_recording *recording, const leap_vulkan_pipeline *pipeline,
                                       const leap_vulkan_binding *bindings, const void *LEAP_VK_NULLABLE constants,
                                       uint32_t x, uint32_t y, uint32_t z);
/// What comes after sees what was written before.
void leap_vulkan_recording_barrier(leap_vulkan_recording *recording);
/// Ends the recording and gives it to the device; again once the device is done with it.
int32_t leap_vulkan_recording_submit(leap_vulkan_recording *recording);
/// Waits until the device is done with a recording.
int32_t leap_vulkan_recording_wait(leap_vulkan_recording *recording, uint64_t nanoseconds);
/// Waits for the device first if the recording runs.
void leap_vulkan_recording_destroy(leap_vulkan_recording *recording);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
#endif
