// The part of Vulkan 1.2 that computing needs, declared from the specification (registry.khronos.org/vulkan).
//
// Members that are not used here are kept as `unused`, in their place and size.
#ifndef LEAP_VULKAN_DECLARATIONS_H
#define LEAP_VULKAN_DECLARATIONS_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t VkBool32, VkFlags;
typedef uint64_t VkDeviceSize;
typedef int32_t VkResult;

#define HANDLE(name) typedef struct name##_T *name;
HANDLE(VkInstance)
HANDLE(VkPhysicalDevice)
HANDLE(VkDevice)
HANDLE(VkQueue)
HANDLE(VkCommandBuffer)
#undef HANDLE
typedef uint64_t VkBuffer, VkDeviceMemory, VkShaderModule, VkDescriptorSetLayout, VkPipelineLayout, VkPipeline, VkPipelineCache,
    VkDescriptorPool, VkDescriptorSet, VkCommandPool, VkFence, VkSampler, VkSemaphore, VkBufferView;

enum {
    VK_SUCCESS = 0,
    VK_TIMEOUT = 2,
    VK_INCOMPLETE = 5,
    VK_ERROR_OUT_OF_POOL_MEMORY = -1000069000,
};

enum {
    VK_TYPE_APPLICATION = 0,
    VK_TYPE_INSTANCE = 1,
    VK_TYPE_DEVICE_QUEUE = 2,
    VK_TYPE_DEVICE = 3,
    VK_TYPE_SUBMIT = 4,
    VK_TYPE_MEMORY_ALLOCATE = 5,
    VK_TYPE_FENCE = 8,
    VK_TYPE_BUFFER = 12,
    VK_TYPE_SHADER_MODULE = 16,
    VK_TYPE_SHADER_STAGE = 18,
    VK_TYPE_COMPUTE_PIPELINE = 29,
    VK_TYPE_PIPELINE_LAYOUT = 30,
    VK_TYPE_DESCRIPTOR_SET_LAYOUT = 32,
    VK_TYPE_DESCRIPTOR_POOL = 33,
    VK_TYPE_DESCRIPTOR_SET_ALLOCATE = 34,
    VK_TYPE_WRITE_DESCRIPTOR_SET = 35,
    VK_TYPE_COMMAND_POOL = 39,
    VK_TYPE_COMMAND_BUFFER_ALLOCATE = 40,
    VK_TYPE_COMMAND_BUFFER_BEGIN = 42,
    VK_TYPE_MEMORY_BARRIER = 46,
    VK_TYPE_FEATURES_2 = 1000059000,
    VK_TYPE_PROPERTIES_2 = 1000059001,
    VK_TYPE_EXTERNAL_MEMORY_BUFFER = 1000072000,
    VK_TYPE_FLOAT_16_FEATURES = 1000082000,
    VK_TYPE_STORAGE_16_FEATURES = 1000083000,
    VK_TYPE_SUBGROUP_PROPERTIES = 1000094000,
    VK_TYPE_MAINTENANCE_3_PROPERTIES = 1000168000,
    VK_TYPE_IMPORT_HOST_POINTER = 1000178000,
    VK_TYPE_HOST_POINTER_PROPERTIES = 1000178001,
    VK_TYPE_EXTERNAL_HOST_PROPERTIES = 1000178002,
    VK_TYPE_MEMORY_MODEL_FEATURES = 1000211000,
    VK_TYPE_SUBGROUP_SIZE_PROPERTIES = 1000225000,
    VK_TYPE_REQUIRED_SUBGROUP_SIZE = 1000225001,
    VK_TYPE_SUBGROUP_SIZE_FEATURES = 1000225002,
    VK_TYPE_COOPERATIVE_MATRIX_FEATURES = 1000506000,
    VK_TYPE_COOPERATIVE_MATRIX_PROPERTIES = 1000506001,
    VK_TYPE_DRIVER_PROPERTIES = 1000196000,
};

enum {
    VK_QUEUE_COMPUTE = 2,
    VK_MEMORY_DEVICE_LOCAL = 1,
    VK_MEMORY_HOST_VISIBLE = 2,
    VK_MEMORY_HOST_COHERENT = 4,
    VK_MEMORY_HOST_CACHED = 8,
    VK_HEAP_DEVICE_LOCAL = 1,
    VK_BUFFER_USAGE_TRANSFER_SOURCE = 1,
    VK_BUFFER_USAGE_TRANSFER_TARGET = 2,
    VK_BUFFER_USAGE_STORAGE = 0x20,
    VK_DESCRIPTOR_STORAGE_BUFFER = 7,
    VK_STAGE_COMPUTE = 0x20,
    VK_BIND_POINT_COMPUTE = 1,
    VK_PIPELINE_STAGE_COMPUTE = 0x800,
    VK_PIPELINE_STAGE_TRANSFER = 0x1000,
    VK_PIPELINE_STAGE_HOST = 0x4000,
    VK_ACCESS_SHADER_READ = 0x20,
    VK_ACCESS_SHADER_WRITE = 0x40,
    VK_ACCESS_TRANSFER_WRITE = 0x1000,
    VK_ACCESS_HOST_READ = 0x2000,
    VK_COMMAND_BUFFER_ONE_TIME = 1,
    VK_SUBGROUP_SHUFFLE = 0x10,
    VK_STAGE_FULL_SUBGROUPS = 2,
    VK_EXTERNAL_HOST_ALLOCATION = 0x80,
    VK_DEVICE_TYPE_INTEGRATED = 1,
    VK_DEVICE_TYPE_CPU = 4,
};
#define VK_WHOLE_SIZE UINT64_MAX
#define VK_VERSION_1_2 ((1u << 22) | (2u << 12))

// MARK: What a device is

typedef struct {
    uint32_t unused1[7];
    uint32_t maxStorageBufferRange;
    uint32_t maxPushConstantsSize;
    uint32_t unused2[2];
    VkDeviceSize unused3[2];
    uint32_t unused4[38];
    uint32_t maxComputeSharedMemorySize;
    uint32_t maxComputeWorkGroupCount[3];
    uint32_t maxComputeWorkGroupInvocations;
    uint32_t maxComputeWorkGroupSize[3];
    uint32_t unused5[13];
    size_t minMemoryMapAlignment;
    VkDeviceSize unused6[2];
    VkDeviceSize minStorageBufferOffsetAlignment;
    uint32_t unused7[36];
    VkDeviceSize unused8[3];
} VkPhysicalDeviceLimits;

typedef struct {
    uint32_t apiVersion, driverVersion, vendorID, deviceID, deviceType;
    char deviceName[256];
    uint8_t pipelineCacheUUID[16];
    VkPhysicalDeviceLimits limits;
    VkBool32 sparse[5];
} VkPhysicalDeviceProperties;

typedef struct {
    int32_t sType;
    void *pNext;
    VkPhysicalDeviceProperties properties;
} VkPhysicalDeviceProperties2;

typedef struct {
    int32_t sType;
    void *pNext;
    uint32_t subgroupSize;
    VkFlags supportedStages, supportedOperations;
    VkBool32 quadOperationsInAllStages;
} VkPhysicalDeviceSubgroupProperties;

typedef struct {
    int32_t sType;
    void *pNext;
    uint32_t minSubgroupSize, maxSubgroupSize, maxComputeWorkgroupSubgroups;
    VkFlags requiredSubgroupSizeStages;
} VkPhysicalDeviceSubgroupSizeControlProperties;

typedef struct {
    int32_t sType;
    void *pNext;
    VkBool32 subgroupSizeControl, computeFullSubgroups;
} VkPhysicalDeviceSubgroupSizeControlFeatures;

typedef struct {
    int32_t sType;
    void *pNext;
    uint32_t maxPerSetDescriptors;
    VkDeviceSize maxMemoryAllocationSize;
} VkPhysicalDeviceMaintenance3Properties;

typedef struct {
    int32_t sType;
    void *pNext;
    VkDeviceSize minImportedHostPointerAlignment;
} VkPhysicalDeviceExternalMemoryHostPropertiesEXT;

typedef struct {
    int32_t sType;
    void *pNext;
    uint32_t driverID;
    char driverName[256], driverInfo[256];
    uint8_t conformanceVersion[4];
} VkPhysicalDeviceDriverProperties;

typedef struct {
    VkBool32 unused1[41];
    VkBool32 shaderInt16;
    VkBool32 unused2[13];
} VkPhysicalDeviceFeatures;

typedef struct {
    int32_t sType;
    void *pNext;
    VkPhysicalDeviceFeatures features;
} VkPhysicalDeviceFeatures2;

typedef struct {
    int32_t sType;
    void *pNext;
    VkBool32 storageBuffer16BitAccess, unused[3];
} VkPhysicalDevice16BitStorageFeatures;

typedef struct {
    int32_t sType;
    void *pNext;
    VkBool32 shaderFloat16, unused;
} VkPhysicalDeviceShaderFloat16Int8Features;

typedef struct {
    int32_t sType;
    void *pNext;
    VkBool32 vulkanMemoryModel, vulkanMemoryModelDeviceScope, unused;
} VkPhysicalDeviceVulkanMemoryModelFeatures;

typedef struct {
    int32_t sType;
    void *pNext;
    VkBool32 cooperativeMatrix, unused;
} VkPhysicalDeviceCooperativeMatrixFeaturesKHR;

/// Sizes and types of products of matrices by a subgroup; types are 0 for 16-bit floats and 1 for 32-bit ones, the
/// subgroup's scope is 3.
typedef struct {
    int32_t sType;
    void *pNext;
    uint32_t MSize, NSize, KSize;
    int32_t AType, BType, CType, ResultType;
    VkBool32 unused;
    int32_t scope;
} VkCooperativeMatrixPropertiesKHR;

typedef struct {
    VkFlags queueFlags;
    uint32_t queueCount, timestampValidBits, minImageTransferGranularity[3];
} VkQueueFamilyProperties;

typedef struct {
    VkFlags propertyFlags;
    uint32_t heapIndex;
} VkMemoryType;

typedef struct {
    VkDeviceSize size;
    VkFlags flags;
} VkMemoryHeap;

typedef struct {
    uint32_t memoryTypeCount;
    VkMemoryType memoryTypes[32];
    uint32_t memoryHeapCount;
    VkMemoryHeap memoryHeaps[16];
} VkPhysicalDeviceMemoryProperties;

typedef struct {
    char extensionName[256];
    uint32_t specVersion;
} VkExtensionProperties;

// MARK: What makes an instance and a device

typedef struct {
    int32_t sType;
    const void *pNext;
    const char *pApplicationName;
    uint32_t applicationVersion;
    const char *pEngineName;
    uint32_t engineVersion, apiVersion;
} VkApplicationInfo;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags flags;
    const VkApplicationInfo *pApplicationInfo;
    uint32_t enabledLayerCount;
    const char *const *ppEnabledLayerNames;
    uint32_t enabledExtensionCount;
    const char *const *ppEnabledExtensionNames;
} VkInstanceCreateInfo;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags flags;
    uint32_t queueFamilyIndex, queueCount;
    const float *pQueuePriorities;
} VkDeviceQueueCreateInfo;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags flags;
    uint32_t queueCreateInfoCount;
    const VkDeviceQueueCreateInfo *pQueueCreateInfos;
    uint32_t enabledLayerCount;
    const char *const *ppEnabledLayerNames;
    uint32_t enabledExtensionCount;
    const char *const *ppEnabledExtensionNames;
    const VkPhysicalDeviceFeatures *pEnabledFeatures;
} VkDeviceCreateInfo;

// MARK: Memory

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags flags;
    VkDeviceSize size;
    VkFlags usage;
    int32_t sharingMode;
    uint32_t queueFamilyIndexCount;
    const uint32_t *pQueueFamilyIndices;
} VkBufferCreateInfo;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags handleTypes;
} VkExternalMemoryBufferCreateInfo;

typedef struct {
    VkDeviceSize size, alignment;
    uint32_t memoryTypeBits;
} VkMemoryRequirements;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkDeviceSize allocationSize;
    uint32_t memoryTypeIndex;
} VkMemoryAllocateInfo;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags handleType;
    void *pHostPointer;
} VkImportMemoryHostPointerInfoEXT;

typedef struct {
    int32_t sType;
    void *pNext;
    uint32_t memoryTypeBits;
} VkMemoryHostPointerPropertiesEXT;

// MARK: Kernels

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags flags;
    size_t codeSize;
    const uint32_t *pCode;
} VkShaderModuleCreateInfo;

typedef struct {
    uint32_t constantID, offset;
    size_t size;
} VkSpecializationMapEntry;

typedef struct {
    uint32_t mapEntryCount;
    const VkSpecializationMapEntry *pMapEntries;
    size_t dataSize;
    const void *pData;
} VkSpecializationInfo;

typedef struct {
    int32_t sType;
    void *pNext;
    uint32_t requiredSubgroupSize;
} VkPipelineShaderStageRequiredSubgroupSizeCreateInfo;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags flags, stage;
    VkShaderModule module;
    const char *pName;
    const VkSpecializationInfo *pSpecializationInfo;
} VkPipelineShaderStageCreateInfo;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags flags;
    VkPipelineShaderStageCreateInfo stage;
    VkPipelineLayout layout;
    VkPipeline basePipelineHandle;
    int32_t basePipelineIndex;
} VkComputePipelineCreateInfo;

typedef struct {
    uint32_t binding;
    int32_t descriptorType;
    uint32_t descriptorCount;
    VkFlags stageFlags;
    const VkSampler *pImmutableSamplers;
} VkDescriptorSetLayoutBinding;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags flags;
    uint32_t bindingCount;
    const VkDescriptorSetLayoutBinding *pBindings;
} VkDescriptorSetLayoutCreateInfo;

typedef struct {
    VkFlags stageFlags;
    uint32_t offset, size;
} VkPushConstantRange;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags flags;
    uint32_t setLayoutCount;
    const VkDescriptorSetLayout *pSetLayouts;
    uint32_t pushConstantRangeCount;
    const VkPushConstantRange *pPushConstantRanges;
} VkPipelineLayoutCreateInfo;

// MARK: Bindings

typedef struct {
    int32_t type;
    uint32_t descriptorCount;
} VkDescriptorPoolSize;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags flags;
    uint32_t maxSets, poolSizeCount;
    const VkDescriptorPoolSize *pPoolSizes;
} VkDescriptorPoolCreateInfo;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkDescriptorPool descriptorPool;
    uint32_t descriptorSetCount;
    const VkDescriptorSetLayout *pSetLayouts;
} VkDescriptorSetAllocateInfo;

typedef struct {
    VkBuffer buffer;
    VkDeviceSize offset, range;
} VkDescriptorBufferInfo;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkDescriptorSet dstSet;
    uint32_t dstBinding, dstArrayElement, descriptorCount;
    int32_t descriptorType;
    const void *pImageInfo;
    const VkDescriptorBufferInfo *pBufferInfo;
    const VkBufferView *pTexelBufferView;
} VkWriteDescriptorSet;

// MARK: Commands

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags flags;
    uint32_t queueFamilyIndex;
} VkCommandPoolCreateInfo;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkCommandPool commandPool;
    int32_t level;
    uint32_t commandBufferCount;
} VkCommandBufferAllocateInfo;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags flags;
    const void *pInheritanceInfo;
} VkCommandBufferBeginInfo;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags srcAccessMask, dstAccessMask;
} VkMemoryBarrier;

typedef struct {
    int32_t sType;
    const void *pNext;
    uint32_t waitSemaphoreCount;
    const VkSemaphore *pWaitSemaphores;
    const VkFlags *pWaitDstStageMask;
    uint32_t commandBufferCount;
    const VkCommandBuffer *pCommandBuffers;
    uint32_t signalSemaphoreCount;
    const VkSemaphore *pSignalSemaphores;
} VkSubmitInfo;

typedef struct {
    int32_t sType;
    const void *pNext;
    VkFlags flags;
} VkFenceCreateInfo;

typedef struct {
    VkDeviceSize srcOffset, dstOffset, size;
} VkBufferCopy;

// MARK: Functions

typedef void (*VkFunction)(void);
typedef VkFunction (*VkGetInstanceProcAddr)(VkInstance, const char *);
typedef VkFunction (*VkGetDeviceProcAddr)(VkDevice, const char *);
typedef VkResult (*VkCreateInstance)(const VkInstanceCreateInfo *, const void *, VkInstance *);

/// X(result, name without vk, parameters): functions of an instance.
#define LEAP_VULKAN_INSTANCE_FUNCTIONS(X) \
    X(void, DestroyInstance, (VkInstance, const void *)) \
    X(VkResult, EnumeratePhysicalDevices, (VkInstance, uint32_t *, VkPhysicalDevice *)) \
    X(void, GetPhysicalDeviceProperties, (VkPhysicalDevice, VkPhysicalDeviceProperties *)) \
    X(void, GetPhysicalDeviceProperties2, (VkPhysicalDevice, VkPhysicalDeviceProperties2 *)) \
    X(void, GetPhysicalDeviceFeatures2, (VkPhysicalDevice, VkPhysicalDeviceFeatures2 *)) \
    X(void, GetPhysicalDeviceMemoryProperties, (VkPhysicalDevice, VkPhysicalDeviceMemoryProperties *)) \
    X(void, GetPhysicalDeviceQueueFamilyProperties, (VkPhysicalDevice, uint32_t *, VkQueueFamilyProperties *)) \
    X(VkResult, EnumerateDeviceExtensionProperties, (VkPhysicalDevice, const char *, uint32_t *, VkExtensionProperties *)) \
    X(VkResult, CreateDevice, (VkPhysicalDevice, const VkDeviceCreateInfo *, const void *, VkDevice *)) \
    X(VkFunction, GetDeviceProcAddr, (VkDevice, const char *))

/// The same for functions of a device.
#define LEAP_VULKAN_DEVICE_FUNCTIONS(X) \
    X(void, DestroyDevice, (VkDevice, const void *)) \
    X(VkResult, DeviceWaitIdle, (VkDevice)) \
    X(void, GetDeviceQueue, (VkDevice, uint32_t, uint32_t, VkQueue *)) \
    X(VkResult, CreateBuffer, (VkDevice, const VkBufferCreateInfo *, const void *, VkBuffer *)) \
    X(void, DestroyBuffer, (VkDevice, VkBuffer, const void *)) \
    X(void, GetBufferMemoryRequirements, (VkDevice, VkBuffer, VkMemoryRequirements *)) \
    X(VkResult, AllocateMemory, (VkDevice, const VkMemoryAllocateInfo *, const void *, VkDeviceMemory *)) \
    X(void, FreeMemory, (VkDevice, VkDeviceMemory, const void *)) \
    X(VkResult, BindBufferMemory, (VkDevice, VkBuffer, VkDeviceMemory, VkDeviceSize)) \
    X(VkResult, MapMemory, (VkDevice, VkDeviceMemory, VkDeviceSize, VkDeviceSize, VkFlags, void **)) \
    X(VkResult, CreateShaderModule, (VkDevice, const VkShaderModuleCreateInfo *, const void *, VkShaderModule *)) \
    X(void, DestroyShaderModule, (VkDevice, VkShaderModule, const void *)) \
    X(VkResult, CreateDescriptorSetLayout, \
      (VkDevice, const VkDescriptorSetLayoutCreateInfo *, const void *, VkDescriptorSetLayout *)) \
    X(void, DestroyDescriptorSetLayout, (VkDevice, VkDescriptorSetLayout, const void *)) \
    X(VkResult, CreatePipelineLayout, (VkDevice, const VkPipelineLayoutCreateInfo *, const void *, VkPipelineLayout *)) \
    X(void, DestroyPipelineLayout, (VkDevice, VkPipelineLayout, const void *)) \
    X(VkResult, CreateComputePipelines, \
      (VkDevice, VkPipelineCache, uint32_t, const VkComputePipelineCreateInfo *, const void *, VkPipeline *)) \
    X(void, DestroyPipeline, (VkDevice, VkPipeline, const void *)) \
    X(VkResult, CreateDescriptorPool, (VkDevice, const VkDescriptorPoolCreateInfo *, const void *, VkDescriptorPool *)) \
    X(void, DestroyDescriptorPool, (VkDevice, VkDescriptorPool, const void *)) \
    X(VkResult, AllocateDescriptorSets, (VkDevice, const VkDescriptorSetAllocateInfo *, VkDescriptorSet *)) \
    X(void, UpdateDescriptorSets, (VkDevice, uint32_t, const VkWriteDescriptorSet *, uint32_t, const void *)) \
    X(VkResult, CreateCommandPool, (VkDevice, const VkCommandPoolCreateInfo *, const void *, VkCommandPool *)) \
    X(void, DestroyCommandPool, (VkDevice, VkCommandPool, const void *)) \
    X(VkResult, AllocateCommandBuffers, (VkDevice, const VkCommandBufferAllocateInfo *, VkCommandBuffer *)) \
    X(VkResult, ResetCommandPool, (VkDevice, VkCommandPool, VkFlags)) \
    X(VkResult, ResetDescriptorPool, (VkDevice, VkDescriptorPool, VkFlags)) \
    X(VkResult, ResetFences, (VkDevice, uint32_t, const VkFence *)) \
    X(void, CmdCopyBuffer, (VkCommandBuffer, VkBuffer, VkBuffer, uint32_t, const VkBufferCopy *)) \
    X(VkResult, BeginCommandBuffer, (VkCommandBuffer, const VkCommandBufferBeginInfo *)) \
    X(VkResult, EndCommandBuffer, (VkCommandBuffer)) \
    X(void, CmdBindPipeline, (VkCommandBuffer, int32_t, VkPipeline)) \
    X(void, CmdBindDescriptorSets, (VkCommandBuffer, int32_t, VkPipelineLayout, uint32_t, uint32_t, const VkDescriptorSet *, \
                                    uint32_t, const uint32_t *)) \
    X(void, CmdPushConstants, (VkCommandBuffer, VkPipelineLayout, VkFlags, uint32_t, uint32_t, const void *)) \
    X(void, CmdDispatch, (VkCommandBuffer, uint32_t, uint32_t, uint32_t)) \
    X(void, CmdPipelineBarrier, (VkCommandBuffer, VkFlags, VkFlags, VkFlags, uint32_t, const VkMemoryBarrier *, uint32_t, \
                                 const void *, uint32_t, const void *)) \
    X(VkResult, QueueSubmit, (VkQueue, uint32_t, const VkSubmitInfo *, VkFence)) \
    X(VkResult, CreateFence, (VkDevice, const VkFenceCreateInfo *, const void *, VkFence *)) \
    X(void, DestroyFence, (VkDevice, VkFence, const void *)) \
    X(VkResult, WaitForFences, (VkDevice, uint32_t, const VkFence *, VkBool32, uint64_t))

/// Functions of extensions: a device may lack them.
typedef VkResult (*VkGetCooperativeMatrixProperties)(VkPhysicalDevice, uint32_t *, VkCooperativeMatrixPropertiesKHR *);
typedef VkResult (*VkGetMemoryHostPointerProperties)(VkDevice, VkFlags, const void *, VkMemoryHostPointerPropertiesEXT *);

#endif
