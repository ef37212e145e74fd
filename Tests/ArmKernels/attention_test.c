// Attention over the paged cache: near the scalar kernels, and equal to itself in every batch.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static double largest_difference(const float *a, const float *b, int64_t count) {
    double worst = 0;
    for (int64_t i = 0; i < count; i++) {
        const double delta = fabs((double)a[i] - b[i]) / (fabs((double)a[i]) + 1);
        if (!(delta <= worst)) worst = delta;
    }
    return worst;
}

static const char *kv_type_name(int kv_type) {
    return kv_type == LEAP_KV_F16 ? "f16" : kv_type == LEAP_KV_F32 ? "f32" : "q8_0";
}

typedef struct {
    int q_heads, kv_heads, head_dim, kv_type;
    int64_t window;
    float softcap;
    int64_t depth;
} attention_case;

typedef struct {
    void **k, **v;
    int64_t pages;
} cache;

static cache make_cache(leap_pool *pool, const attention_case *c, const float *k, const float *v) {
    cache result = {.pages = (c->depth + LEAP_KV_PAGE - 1) / LEAP_KV_PAGE};
    const size_t bytes = leap_kv_page_bytes(c->kv_type, c->kv_heads, c->head_dim);
    result.k = memory((size_t)result.pages * sizeof(void *));
    result.v = memory((size_t)result.pages * sizeof(void *));
    for (int64_t i = 0; i < result.pages; i++) {
        result.k[i] = memory(bytes);
        result.v[i] = memory(bytes);
        // What is not written must not matter.
        memset(result.k[i], 0xff, bytes);
        memset(result.v[i], 0xff, bytes);
    }
    leap_kv_slot *slots = memory((size_t)c->depth * sizeof *slots);
    for (int64_t i = 0; i < c->depth; i++) {
        slots[i] = (leap_kv_slot){result.k[i / LEAP_KV_PAGE], result.v[i / LEAP_KV_PAGE], (int32_t)(i % LEAP_KV_PAGE)};
    }
    const int64_t n = (int64_t)c->kv_heads * c->head_dim;
    leap_kv_store(pool, c->kv_type, c->kv_heads, c->head_dim, k, n, v, n, slots, c->depth);
    free(slots);
    return result;
}

static void free_cache(cache c) {
    for (int64_t i = 0; i < c.pages; i++) {
        free(c.k[i]);
        free(c.v[i]);
    }
    free(c.k);
    free(c.v);
}

/// Attention of the last `count` positions, `step` of them per call.
static float *attend(const attention_case *c, int threads, const float *q, const float *k, const float *v, int64_t count,
                     int64_t step) {
    leap_pool *pool = leap_pool_create(threads);
    const cache pages = make_cache(pool, c, k, v);
    const int64_t n = (int64_t)c->q_heads * c->head_dim;
    float *out = memory((size_t)(count * n) * sizeof *out);
    leap_attention_query *queries = memory((size_t)count * sizeof *queries);
    for (int64_t i = 0; i < count; i++) {
        queries[i] = (leap_attention_query){(const void *const *)pages.k, (const void *const *)pages.v,
                                            c->depth - count + i, q + i * n, out + i * n, 0};
    }
    const leap_attention_shape shape = {c->q_heads, c->kv_heads, c->head_dim, c->kv_type,
                                        1.0f / sqrtf((float)c->head_dim), c->softcap, c->window, NULL};
    for (int64_t i = 0; i < count; i += step) {
        leap_attention(pool, &shape, queries + i, count - i < step ? count - i : step);
    }
    free(queries);
    free_cache(pages);
    leap_pool_destroy(pool);
    return out;
}

static void check_case(attention_case c) {
    // Deep ones are about segments of the cache, the others about batches of tokens.
    const int64_t most = c.depth > 512 ? 4 : 66, count = c.depth < most ? c.depth : most;
    const int64_t n = (int64_t)c.kv_heads * c.head_dim;
    float *q = random_floats(count * c.q_heads * c.head_dim, 3), *k = random_floats(c.depth * n, 3);
    float *v = random_floats(c.depth * n, 1);
    const int64_t total = count * c.q_heads * c.head_dim;
    leap_isa_select("scalar");
    float *expected = attend(&c, 2, q, k, v, count, count);
    leap_isa_select(isa);
    float *found = attend(&c, 2, q, k, v, count, count);
    const double delta = largest_difference(expected, found, total);
    int differing = 0;
    static const struct { int threads; int64_t step; } ways[] = {{1, 64}, {2, 3}, {3, 1}, {5, 64}};
    for (int i = 0; i < 4; i++) {
        float *other = attend(&c, ways[i].threads, q, k, v, count, ways[i].step);
        differing += memcmp(found, other, (size_t)total * sizeof *other) != 0;
        free(other);
    }
    check(delta <= 3e-6 && differing == 0,
          "attention of %d/%d heads of %d, %s, depth %lld, window %lld, softcap %g: difference to scalar %.1e, bound 3e-06; "
          "%d of 4 combinations of batches and threads differ",
          c.q_heads, c.kv_heads, c.head_dim, kv_type_name(c.kv_type), (long long)c.depth,
          (long long)c.window, (double)c.softcap, delta, differing);
    free(q);
    free(k);
    free(v);
    free(expected);
    free(found);
}

/// The bytes of pages are those that the scalar kernels write.
static void check_pages(int kv_type) {
    static const int head_dims[] = {64, 5, 33, 80};
    for (int i = 0; i < 4; i++) {
        const attention_case c = {2, 2, head_dims[i], kv_type, 0, 0, 70};
        const int64_t n = c.depth * c.kv_heads * c.head_dim;
        float *k = random_floats(n, 3), *v = random_floats(n, 1);
        k[0] = INFINITY;
        k[n / 2] = -1e9f;
        v[n / 2] = 0x1p-24f;
        memset(v, 0, (size_t)c.head_dim * sizeof *v);
        leap_pool *pool = leap_pool_create(1);
        leap_isa_select("scalar");
        const cache expected = make_cache(pool, &c, k, v);
        leap_isa_select(isa);
        const cache found = make_cache(pool, &c, k, v);
        const size_t bytes = leap_kv_page_bytes(kv_type, c.kv_heads, c.head_dim);
        int differing = 0;
        for (int64_t page = 0; page < found.pages; page++) {
            differing += memcmp(expected.k[page], found.k[page], bytes) != 0;
            differing += memcmp(expected.v[page], found.v[page], bytes) != 0;
        }
        check(differing == 0, "pages of heads of %d in %s: %d of %lld differ from scalar", c.head_dim,
              kv_type_name(kv_type), differing, (long long)(2 * found.pages));
        free_cache(expected);
        free_cache(found);
        leap_pool_destroy(pool);
        free(k);
        free(v);
    }
}

void check_attention(void) {
    for (int kv_type = LEAP_KV_F32; kv_type <= LEAP_KV_Q8_0; kv_type++) {
        check_pages(kv_type);
        check_case((attention_case){8, 2, 64, kv_type, 0, 0, 150});
        check_case((attention_case){4, 4, 80, kv_type, 0, 0, 97});
        check_case((attention_case){6, 1, 40, kv_type, 50, 0, 200});
        check_case((attention_case){7, 1, 128, kv_type, 0, 20, 64});
        check_case((attention_case){2, 2, 5, kv_type, 0, 0, 1});
        check_case((attention_case){3, 1, 33, kv_type, 600, 0, 1400});
        check_case((attention_case){2, 1, 256, kv_type, 0, 30, 1100});
    }
}
