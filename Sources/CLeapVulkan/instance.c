// The loader, and the devices that it finds.
#include <stdlib.h>
#include <string.h>

#include "internal/objects.h"

#if defined(__linux__)
#include <dlfcn.h>

static void *open_loader(void) {
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    // Android's has no version in its name.
    return library ? library : dlopen("libvulkan.so", RTLD_NOW | RTLD_LOCAL);
}
static void close_loader(void *library) { dlclose(library); }
static VkGetInstanceProcAddr entry_of(void *library) {
    return (VkGetInstanceProcAddr)(uintptr_t)dlsym(library, "vkGetInstanceProcAddr");
}
#else
static void *open_loader(void) { return NULL; }
static void close_loader(void *library) { (void)library; }
static VkGetInstanceProcAddr entry_of(void *library) {
    (void)library;
    return NULL;
}
#endif

static int32_t load_functions(leap_vulkan_instance *instance, VkGetInstanceProcAddr lookup) {
#define LOAD(result, name, parameters) \
    instance->name = (result(*) parameters)lookup(instance->handle, "vk" #name); \
    if (!instance->name) return LEAP_VULKAN_NO_FUNCTION;
    LEAP_VULKAN_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
    instance->GetCooperativeMatrixProperties =
        (VkGetCooperativeMatrixProperties)lookup(instance->handle, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
    return VK_SUCCESS;
}

static int32_t find_devices(leap_vulkan_instance *instance) {
    uint32_t count = 0;
    int32_t result = instance->EnumeratePhysicalDevices(instance->handle, &count, NULL);
    if (result != VK_SUCCESS || count == 0) return result;
    instance->devices = calloc(count, sizeof *instance->devices);
    if (!instance->devices) return LEAP_VULKAN_NO_HOST_MEMORY;
    // One more may have come since: it is left out.
    result = instance->EnumeratePhysicalDevices(instance->handle, &count, instance->devices);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE) return result;
    instance->device_count = count;
    return VK_SUCCESS;
}

static int32_t open_instance(leap_vulkan_instance *instance) {
    instance->library = open_loader();
    if (!instance->library) return LEAP_VULKAN_NO_LOADER;
    const VkGetInstanceProcAddr lookup = entry_of(instance->library);
    const VkCreateInstance create = lookup ? (VkCreateInstance)lookup(NULL, "vkCreateInstance") : NULL;
    if (!create) return LEAP_VULKAN_NO_FUNCTION;
    const VkApplicationInfo application = {.sType = VK_TYPE_APPLICATION, .apiVersion = VK_VERSION_1_2};
    const VkInstanceCreateInfo info = {.sType = VK_TYPE_INSTANCE, .pApplicationInfo = &application};
    int32_t result = create(&info, NULL, &instance->handle);
    if (result == VK_SUCCESS) result = load_functions(instance, lookup);
    if (result == VK_SUCCESS) result = find_devices(instance);
    return result;
}

int32_t leap_vulkan_instance_create(leap_vulkan_instance **out) {
    *out = NULL;
    leap_vulkan_instance *instance = calloc(1, sizeof *instance);
    if (!instance) return LEAP_VULKAN_NO_HOST_MEMORY;
    const int32_t result = open_instance(instance);
    if (result == VK_SUCCESS) {
        *out = instance;
    } else {
        leap_vulkan_instance_destroy(instance);
    }
    return result;
}

void leap_vulkan_instance_destroy(leap_vulkan_instance *instance) {
    if (instance->handle && instance->DestroyInstance) instance->DestroyInstance(instance->handle, NULL);
    if (instance->library) close_loader(instance->library);
    free(instance->devices);
    free(instance);
}

int leap_vulkan_device_count(const leap_vulkan_instance *instance) { return (int)instance->device_count; }

/// The first queue family that computes; UINT32_MAX without one.
static uint32_t compute_family(const leap_vulkan_instance *instance, VkPhysicalDevice device) {
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    instance->GetPhysicalDeviceQueueFamilyProperties(device, &count, families);
    for (uint32_t i = 0; i < count; i++)
        if (families[i].queueFlags & VK_QUEUE_COMPUTE && families[i].queueCount) return i;
    return UINT32_MAX;
}

static int has_extension(const leap_vulkan_instance *instance, VkPhysicalDevice device, const char *name) {
    uint32_t count = 0;
    if (instance->EnumerateDeviceExtensionProperties(device, NULL, &count, NULL) != VK_SUCCESS || !count) return 0;
    VkExtensionProperties *list = calloc(count, sizeof *list);
    int found = 0;
    if (list && instance->EnumerateDeviceExtensionProperties(device, NULL, &count, list) >= VK_SUCCESS)
        for (uint32_t i = 0; i < count && !found; i++) found = strcmp(list[i].extensionName, name) == 0;
    free(list);
    return found;
}

static const char import_extension[] = "VK_EXT_external_memory_host";

static const char matrix_extension[] = "VK_KHR_cooperative_matrix";

/// Whether subgroups multiply matrices of 16 by 16 halves with sums of floats, and the kernel that does it can be
/// compiled.
static int has_matrix_units(const leap_vulkan_instance *instance, VkPhysicalDevice device) {
    if (!instance->GetCooperativeMatrixProperties || !has_extension(instance, device, matrix_extension)) return 0;
    VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices = {.sType = VK_TYPE_COOPERATIVE_MATRIX_FEATURES};
    VkPhysicalDeviceShaderFloat16Int8Features halves = {.sType = VK_TYPE_FLOAT_16_FEATURES, .pNext = &matrices};
    VkPhysicalDeviceVulkanMemoryModelFeatures model = {.sType = VK_TYPE_MEMORY_MODEL_FEATURES, .pNext = &halves};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_TYPE_FEATURES_2, .pNext = &model};
    instance->GetPhysicalDeviceFeatures2(device, &features);
    if (!matrices.cooperativeMatrix || !halves.shaderFloat16 || !model.vulkanMemoryModel || !model.vulkanMemoryModelDeviceScope)
        return 0;
    uint32_t count = 0;
    if (instance->GetCooperativeMatrixProperties(device, &count, NULL) != VK_SUCCESS || !count) return 0;
    VkCooperativeMatrixPropertiesKHR *list = calloc(count, sizeof *list);
    if (!list) return 0;
    for (uint32_t i = 0; i < count; i++) list[i].sType = VK_TYPE_COOPERATIVE_MATRIX_PROPERTIES;
    int found = 0;
    if (instance->GetCooperativeMatrixProperties(device, &count, list) >= VK_SUCCESS)
        for (uint32_t i = 0; i < count && !found; i++) {
            const VkCooperativeMatrixPropertiesKHR *p = &list[i];
            found = p->MSize == 16 && p->NSize == 16 && p->KSize == 16 && p->AType == 0 && p->BType == 0 && p->CType == 1 &&
                    p->ResultType == 1 && p->scope == 3;
        }
    free(list);
    return found;
}

static const char size_extension[] = "VK_EXT_subgroup_size_control";

/// The size of subgroups that kernels prefer: matrix units need it, and a row of a workgroup has as many threads.
#define LEAP_VULKAN_SUBGROUP_SIZE 32u
/// Threads of the largest workgroup of a kernel.
#define LEAP_VULKAN_GROUP_SIZE_MAX 256u

/// The size of subgroups that kernels are compiled for; 0 where none can be required.
///
/// Some drivers compile a kernel for another size than the one that they report, and leave subgroups partly empty.
///
/// - reported: the size that the driver reports.
static uint32_t required_size(const leap_vulkan_instance *instance, VkPhysicalDevice device, uint32_t reported) {
    if (!has_extension(instance, device, size_extension)) return 0;
    VkPhysicalDeviceSubgroupSizeControlFeatures control = {.sType = VK_TYPE_SUBGROUP_SIZE_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_TYPE_FEATURES_2, .pNext = &control};
    instance->GetPhysicalDeviceFeatures2(device, &features);
    if (!control.subgroupSizeControl || !control.computeFullSubgroups) return 0;
    VkPhysicalDeviceSubgroupSizeControlProperties sizes = {.sType = VK_TYPE_SUBGROUP_SIZE_PROPERTIES};
    VkPhysicalDeviceProperties2 all = {.sType = VK_TYPE_PROPERTIES_2, .pNext = &sizes};
    instance->GetPhysicalDeviceProperties2(device, &all);
    if (!(sizes.requiredSubgroupSizeStages & VK_STAGE_COMPUTE)) return 0;
    const uint32_t wanted[] = {LEAP_VULKAN_SUBGROUP_SIZE, reported};
    for (int i = 0; i < 2; i++) {
        const uint32_t size = wanted[i];
        // Full subgroups need rows of workgroups that are multiples of the size.
        if (size > 0 && size >= sizes.minSubgroupSize && size <= sizes.maxSubgroupSize &&
            LEAP_VULKAN_SUBGROUP_SIZE % size == 0 &&
            size * (uint64_t)sizes.maxComputeWorkgroupSubgroups >= LEAP_VULKAN_GROUP_SIZE_MAX)
            return size;
    }
    return 0;
}

static void describe_memory(const leap_vulkan_instance *instance, VkPhysicalDevice device, leap_vulkan_device_info *out) {
    VkPhysicalDeviceMemoryProperties memory;
    instance->GetPhysicalDeviceMemoryProperties(device, &memory);
    // Drivers of integrated GPUs list a heap of the device beside one of the host, both of which are the same memory.
    const int is_unified = out->kind == VK_DEVICE_TYPE_INTEGRATED || out->kind == VK_DEVICE_TYPE_CPU;
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++)
        if ((is_unified || memory.memoryHeaps[i].flags & VK_HEAP_DEVICE_LOCAL) &&
            memory.memoryHeaps[i].size > out->device_memory)
            out->device_memory = memory.memoryHeaps[i].size;
}

void leap_vulkan_device_describe(const leap_vulkan_instance *instance, int index, leap_vulkan_device_info *out) {
    memset(out, 0, sizeof *out);
    if (index < 0 || (uint32_t)index >= instance->device_count) return;
    const VkPhysicalDevice device = instance->devices[index];
    const int imports = has_extension(instance, device, import_extension);
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT host = {.sType = VK_TYPE_EXTERNAL_HOST_PROPERTIES};
    VkPhysicalDeviceDriverProperties driver = {.sType = VK_TYPE_DRIVER_PROPERTIES, .pNext = imports ? &host : NULL};
    VkPhysicalDeviceMaintenance3Properties allocation = {.sType = VK_TYPE_MAINTENANCE_3_PROPERTIES, .pNext = &driver};
    VkPhysicalDeviceSubgroupProperties subgroup = {.sType = VK_TYPE_SUBGROUP_PROPERTIES, .pNext = &allocation};
    VkPhysicalDeviceProperties2 all = {.sType = VK_TYPE_PROPERTIES_2};
    // The others are of Vulkan 1.2: an older driver is asked for what it knows.
    instance->GetPhysicalDeviceProperties(device, &all.properties);
    const int is_new = all.properties.apiVersion >= VK_VERSION_1_2;
    if (is_new) {
        all.pNext = &subgroup;
        instance->GetPhysicalDeviceProperties2(device, &all);
        VkPhysicalDevice16BitStorageFeatures storage = {.sType = VK_TYPE_STORAGE_16_FEATURES};
        VkPhysicalDeviceFeatures2 features = {.sType = VK_TYPE_FEATURES_2, .pNext = &storage};
        instance->GetPhysicalDeviceFeatures2(device, &features);
        out->has_matrix_units = (uint32_t)has_matrix_units(instance, device);
        out->has_storage16 = storage.storageBuffer16BitAccess && features.features.shaderInt16;
        out->subgroup_size = required_size(instance, device, subgroup.subgroupSize);
        out->requires_size = out->subgroup_size > 0;
    }
    const VkPhysicalDeviceProperties *p = &all.properties;
    memcpy(out->name, p->deviceName, sizeof out->name - 1);
    memcpy(out->driver, driver.driverName, sizeof out->driver - 1);
    memcpy(out->driver_version, driver.driverInfo, sizeof out->driver_version - 1);
    out->kind = p->deviceType;
    out->vendor = p->vendorID;
    out->identifier = p->deviceID;
    out->api_version = p->apiVersion;
    out->storage_buffer_bytes = p->limits.maxStorageBufferRange;
    out->allocation_bytes = allocation.maxMemoryAllocationSize;
    out->storage_buffer_alignment = (uint32_t)p->limits.minStorageBufferOffsetAlignment;
    out->constant_bytes = p->limits.maxPushConstantsSize;
    out->shared_bytes = p->limits.maxComputeSharedMemorySize;
    out->group_size = p->limits.maxComputeWorkGroupInvocations;
    memcpy(out->group_counts, p->limits.maxComputeWorkGroupCount, sizeof out->group_counts);
    if (!out->requires_size) out->subgroup_size = subgroup.subgroupSize;
    out->has_shuffle = subgroup.supportedOperations & VK_SUBGROUP_SHUFFLE && subgroup.supportedStages & VK_STAGE_COMPUTE;
    out->has_compute_queue = compute_family(instance, device) != UINT32_MAX;
    out->host_memory_alignment = (uint32_t)host.minImportedHostPointerAlignment;
    describe_memory(instance, device, out);
}

static int32_t load_device_functions(leap_vulkan_device *device) {
#define LOAD(result, name, parameters) \
    device->name = (result(*) parameters)device->instance->GetDeviceProcAddr(device->handle, "vk" #name); \
    if (!device->name) return LEAP_VULKAN_NO_FUNCTION;
    LEAP_VULKAN_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    return VK_SUCCESS;
}

int32_t leap_vulkan_device_create(leap_vulkan_instance *instance, int index, int hides_own, leap_vulkan_device **out) {
    *out = NULL;
    if (index < 0 || (uint32_t)index >= instance->device_count) return LEAP_VULKAN_NO_FUNCTION;
    const VkPhysicalDevice physical = instance->devices[index];
    const uint32_t family = compute_family(instance, physical);
    if (family == UINT32_MAX) return LEAP_VULKAN_NO_FUNCTION;
    leap_vulkan_device *device = calloc(1, sizeof *device);
    if (!device) return LEAP_VULKAN_NO_HOST_MEMORY;
    device->instance = instance;
    device->queue_family = family;
    device->hides_own = hides_own;
    instance->GetPhysicalDeviceMemoryProperties(physical, &device->memory);

    const float priority = 1;
    const char *extensions[3];
    uint32_t extension_count = 0;
    const int imports = has_extension(instance, physical, import_extension);
    if (imports) extensions[extension_count++] = import_extension;
    const int multiplies = has_matrix_units(instance, physical);
    if (multiplies) extensions[extension_count++] = matrix_extension;
    leap_vulkan_device_info description;
    leap_vulkan_device_describe(instance, index, &description);
    device->requires_size = description.requires_size != 0;
    if (device->requires_size) extensions[extension_count++] = size_extension;
    VkPhysicalDeviceSubgroupSizeControlFeatures control = {
        .sType = VK_TYPE_SUBGROUP_SIZE_FEATURES, .subgroupSizeControl = 1, .computeFullSubgroups = 1};
    void *const first = device->requires_size ? &control : NULL;
    VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices = {
        .sType = VK_TYPE_COOPERATIVE_MATRIX_FEATURES, .pNext = first, .cooperativeMatrix = 1};
    VkPhysicalDeviceShaderFloat16Int8Features halves = {.sType = VK_TYPE_FLOAT_16_FEATURES, .pNext = &matrices, .shaderFloat16 = 1};
    VkPhysicalDeviceVulkanMemoryModelFeatures model = {
        .sType = VK_TYPE_MEMORY_MODEL_FEATURES, .pNext = &halves, .vulkanMemoryModel = 1, .vulkanMemoryModelDeviceScope = 1};
    VkPhysicalDevice16BitStorageFeatures storage = {
        .sType = VK_TYPE_STORAGE_16_FEATURES, .pNext = multiplies ? &model : first, .storageBuffer16BitAccess = 1};
    const VkPhysicalDeviceFeatures2 features = {
        .sType = VK_TYPE_FEATURES_2, .pNext = &storage, .features = {.shaderInt16 = 1}};
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_TYPE_DEVICE_QUEUE, .queueFamilyIndex = family, .queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {
        .sType = VK_TYPE_DEVICE, .pNext = &features, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue,
        .enabledExtensionCount = extension_count, .ppEnabledExtensionNames = extensions};
    int32_t result = instance->CreateDevice(physical, &info, NULL, &device->handle);
    if (result != VK_SUCCESS) {
        free(device);
        return result;
    }
    result = load_device_functions(device);
    if (result != VK_SUCCESS) {
        if (device->DestroyDevice) device->DestroyDevice(device->handle, NULL);
        free(device);
        return result;
    }
    if (imports)
        device->GetMemoryHostPointerProperties = (VkGetMemoryHostPointerProperties)instance->GetDeviceProcAddr(
            device->handle, "vkGetMemoryHostPointerPropertiesEXT");
    device->GetDeviceQueue(device->handle, family, 0, &device->queue);
    *out = device;
    return VK_SUCCESS;
}

void leap_vulkan_device_destroy(leap_vulkan_device *device) {
    device->DeviceWaitIdle(device->handle);
    leap_vulkan_free_recordings(device);
    device->DestroyDevice(device->handle, NULL);
    free(device);
}
