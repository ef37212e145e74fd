// Writing keys and values into pages (kv_page.h): a part of vector_attention.h.

VECTOR_INLINE void store_value(int half, char *target, vector value) {
    if (half) {
        vector_store_half(target, value);
    } else {
        vector_store(target, value);
    }
}

/// One head of values: its elements side by side.
VECTOR_INLINE void store_values(int half, const float *source, int dim, char *target) {
    int i = 0;
    for (; i + VECTOR_LANES <= dim; i += VECTOR_LANES) {
        store_value(half, target + i * (half ? 2 : 4), vector_load(source + i));
    }
    if (i == dim) return;
    const vector last = vector_load_first(source + i, dim - i);
    if (half) {
        vector_store_half_first(target + i * 2, last, dim - i);
    } else {
        vector_store_first(target + i * 4, last, dim - i);
    }
}

/// One head of keys: element i of the head at place i * LEAP_KV_PAGE.
VECTOR_INLINE void store_keys(int half, const float *source, int dim, char *target) {
    for (int i = 0; i < dim; i += VECTOR_LANES) {
        const int count = dim - i < VECTOR_LANES ? dim - i : VECTOR_LANES;
        const vector value = count < VECTOR_LANES ? vector_load_first(source + i, count) : vector_load(source + i);
        if (half) {
            uint16_t elements[VECTOR_LANES];
            vector_store_half(elements, value);
            for (int j = 0; j < count; j++) ((uint16_t *)target)[(int64_t)(i + j) * LEAP_KV_PAGE] = elements[j];
        } else {
            float elements[VECTOR_LANES];
            vector_store(elements, value);
            for (int j = 0; j < count; j++) ((float *)target)[(int64_t)(i + j) * LEAP_KV_PAGE] = elements[j];
        }
    }
}

#define BLOCK_VECTORS (LEAP_KV_BLOCK / VECTOR_LANES)

/// A block of q8_0: LEAP_KV_BLOCK codes, and the scale that is returned.
VECTOR_INLINE uint16_t quantize_block(const float *source, int8_t *codes) {
    vector x[BLOCK_VECTORS], largest = vector_zero(), check = vector_zero();
    for (int i = 0; i < BLOCK_VECTORS; i++) {
        x[i] = vector_load(source + i * VECTOR_LANES);
        largest = vector_at_least(largest, vector_absolute(x[i]));
        // 0 unless the element is infinite or no number: the maximum may pass over those.
        check = vector_fma(x[i], vector_zero(), check);
    }
    float lanes[VECTOR_LANES], factor;
    vector_store(lanes, check);
    int finite = 1;
    for (int i = 0; i < VECTOR_LANES; i++) finite &= lanes[i] == 0;
    const uint16_t scale = leap_kv_scale(vector_largest(largest), finite, &factor);
    if (factor == 0) {
        memset(codes, 0, LEAP_KV_BLOCK);
        return scale;
    }
    const vector by = vector_set(factor);
    const vector least = vector_set(-LEAP_KV_CODE_MAX), most = vector_set(LEAP_KV_CODE_MAX);
    for (int i = 0; i < BLOCK_VECTORS; i++) {
        x[i] = vector_at_most(most, vector_at_least(least, vector_round(vector_multiply(x[i], by))));
    }
    for (int i = 0; i < BLOCK_VECTORS; i += LANE_VECTORS) vector_store_int8(codes + i * VECTOR_LANES, x + i);
    return scale;
}

/// One head of one position in q8_0, whose codes are `step` apart.
VECTOR_INLINE void store_codes(const float *source, int dim, int8_t *target, int64_t step, uint16_t *scale) {
    for (int first = 0; first < dim; first += LEAP_KV_BLOCK, scale += LEAP_KV_PAGE) {
        const int count = (int)leap_smaller(dim - first, LEAP_KV_BLOCK);
        float padded[LEAP_KV_BLOCK] = {0};
        const float *block = source + first;
        if (count < LEAP_KV_BLOCK) block = memcpy(padded, block, (size_t)count * sizeof *block);
        int8_t codes[LEAP_KV_BLOCK];
        *scale = quantize_block(block, codes);
        if (step == 1) {
            memcpy(target + first, codes, (size_t)count);
        } else {
            for (int i = 0; i < count; i++) target[(first + i) * step] = codes[i];
        }
    }
}

VECTOR_FUNCTION static void kv_store(const leap_kv_store_args *args, int64_t begin, int64_t end) {
    const int dim = args->head_dim, half = args->kv_type == LEAP_KV_F16, element = leap_kv_element_bytes(args->kv_type);
    const size_t head_bytes = leap_kv_head_bytes(args->kv_type, dim);
    const size_t scales_at = leap_kv_elements_bytes(LEAP_KV_Q8_0, dim);
    for (int64_t t = begin; t < end; t++) {
        const leap_kv_slot *slot = &args->slots[t];
        for (int h = 0; h < args->kv_heads; h++) {
            const float *k = args->k + t * args->k_stride + (int64_t)h * dim;
            const float *v = args->v + t * args->v_stride + (int64_t)h * dim;
            char *k_head = (char *)slot->k_page + (size_t)h * head_bytes;
            char *v_head = (char *)slot->v_page + (size_t)h * head_bytes;
            char *k_place = k_head + (int64_t)slot->offset * element;
            char *v_place = v_head + (int64_t)slot->offset * dim * element;
            if (args->kv_type == LEAP_KV_Q8_0) {
                store_codes(k, dim, (int8_t *)k_place, LEAP_KV_PAGE, (uint16_t *)(void *)(k_head + scales_at) + slot->offset);
                store_codes(v, dim, (int8_t *)v_place, 1, (uint16_t *)(void *)(v_head + scales_at) + slot->offset);
            } else {
                store_keys(half, k, dim, k_place);
                store_values(half, v, dim, v_place);
            }
        }
    }
}
