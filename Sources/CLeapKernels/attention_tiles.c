// Attention over pages, the part that is the same for every instruction set: what is computed together, in which order,
// by which thread.
//
// A span is a run of queries of one sequence with one key/value head: its rows (queries x the head's query heads) use a
// tile of keys and values together, expanded to float once if there are enough of them. Spans are the tasks of the
// pool. If there are too few (decoding with few heads and many threads), the segments of a span become tasks too, and a
// second round merges them. The arithmetic of a row is the same in every case (see internal/attention.h).
#include <math.h>
#include <string.h>

#include "internal/attention.h"
#include "internal/kv_page.h"

/// Tiles that are summed before they are merged with those before them: 512 positions.
#define SEGMENT_TILES 8
/// Rows of a span at most.
#define SPAN_ROWS 96
/// Floats of a span's sums at most.
#define SPAN_FLOATS 8192
/// Rows from which expanding a tile to float pays.
#define WIDEN_ROWS 13
/// Tasks wanted per thread.
#define TASKS_PER_THREAD 4

/// Lower part of a thread's scratch: the span it works on. The upper part holds results of segments.
typedef struct {
    float q[SPAN_FLOATS];
    float o[SPAN_FLOATS];
    float sum[SPAN_FLOATS];
    float s[SPAN_ROWS * LEAP_KV_PAGE];
    float k[LEAP_KV_PAGE * LEAP_HEAD_DIM_MAX];
    float v[LEAP_KV_PAGE * LEAP_HEAD_DIM_MAX];
    leap_softmax_state state[SPAN_ROWS];
    leap_softmax_part part[SPAN_ROWS];
    float shrink[SPAN_ROWS];
    int from[SPAN_ROWS], to[SPAN_ROWS];
} span_memory;

#define RESULT_OFFSET (LEAP_SCRATCH_BYTES / 2)
#define RESULT_BYTES (LEAP_SCRATCH_BYTES - RESULT_OFFSET)
_Static_assert(sizeof(span_memory) <= RESULT_OFFSET, "a span must leave room for results");

typedef struct {
    const leap_attention_kernels *kernels;
    leap_pool *pool;
    const leap_attention_shape *shape;
    const leap_attention_query *queries;
    int64_t count;
    int group;         ///< query heads of a key/value head
    int head_dim_16;   ///< head_dim rounded up to 16
    int chunk;         ///< query heads of a span
    int chunks;        ///< spans that a group is cut into
    int64_t block;     ///< queries of a task
    // Segments as tasks:
    int64_t spans;     ///< number of spans
    int64_t wave;      ///< segments computed before they are merged
    int64_t first_segment, last_segment;
    int64_t slot_floats, slots_per_thread;
} attention_call;

typedef struct {
    const attention_call *call;
    const leap_attention_query *queries;
    int query_count;
    int kv_head;
    int head_begin, heads;  ///< within the group
    span_memory *memory;
} span;

static int64_t first_position(const leap_attention_shape *shape, const leap_attention_query *query) {
    const int64_t seen = query->position + 1;
    const int64_t first = shape->window > 0 && shape->window < seen ? seen - shape->window : 0;
    return first > query->first ? first : query->first;
}

static int64_t segment_of(int64_t position) { return position / (LEAP_KV_PAGE * SEGMENT_TILES); }

static int clamp(int64_t value) { return value < 0 ? 0 : value > LEAP_KV_PAGE ? LEAP_KV_PAGE : (int)value; }

static int smaller(int a, int b) { return a < b ? a : b; }

/// Copies and scales the queries of a span.
static void load_queries(const span *work) {
    const leap_attention_shape *shape = work->call->shape;
    float *target = work->memory->q;
    for (int i = 0; i < work->query_count; i++) {
        const float *source = work->queries[i].q
            + ((int64_t)work->kv_head * work->call->group + work->head_begin) * shape->head_dim;
        for (int j = 0; j < work->heads * shape->head_dim; j++) *target++ = source[j] * shape->scale;
    }
}

/// The positions of a tile that each row sees; false if no row sees any.
static int tile_rows(const span *work, int64_t tile) {
    span_memory *memory = work->memory;
    int any = 0;
    for (int i = 0; i < work->query_count; i++) {
        const leap_attention_query *query = &work->queries[i];
        const int from = clamp(first_position(work->call->shape, query) - tile * LEAP_KV_PAGE);
        const int to = clamp(query->position + 1 - tile * LEAP_KV_PAGE);
        any |= from < to;
        for (int h = 0; h < work->heads; h++) {
            memory->from[i * work->heads + h] = from;
            memory->to[i * work->heads + h] = to;
        }
    }
    return any;
}

/// Smallest stretch of positions that covers what the rows see; empty if they see nothing.
static void cover(const span_memory *memory, int row, int rows, int *from, int *to) {
    *from = LEAP_KV_PAGE;
    *to = 0;
    for (int r = row; r < row + rows; r++) {
        if (memory->from[r] >= memory->to[r]) continue;
        if (memory->from[r] < *from) *from = memory->from[r];
        if (memory->to[r] > *to) *to = memory->to[r];
    }
}

static void add_tile(const span *work, int64_t tile, int64_t last_tile) {
    const attention_call *call = work->call;
    const leap_attention_shape *shape = call->shape;
    const leap_attention_kernels *kernels = call->kernels;
    span_memory *memory = work->memory;
    if (!tile_rows(work, tile)) return;

    const int dim = shape->head_dim, rows = work->query_count * work->heads;
    const size_t offset = (size_t)work->kv_head * leap_kv_head_bytes(shape->kv_type, dim);
    const leap_attention_query *query = work->queries;
    const int64_t next_tile = tile < last_tile ? tile + 1 : tile;
    const void *k = (const char *)query->k_pages[tile] + offset, *v = (const char *)query->v_pages[tile] + offset;
    const char *k_next = (const char *)query->k_pages[next_tile] + offset;
    const char *v_next = (const char *)query->v_pages[next_tile] + offset;
    int k_type = shape->kv_type, v_type = shape->kv_type;
    const uint16_t *k_scales = k_type == LEAP_KV_Q8_0 ? leap_kv_scales(k, dim) : NULL;
    const uint16_t *v_scales = v_type == LEAP_KV_Q8_0 ? leap_kv_scales(v, dim) : NULL;
    int64_t v_stride = dim;
    const int many = rows >= WIDEN_ROWS && shape->kv_type != LEAP_KV_F32;
    if (many) {
        kernels->widen(k, shape->kv_type, dim, LEAP_KV_PAGE, memory->k, LEAP_KV_PAGE);
        k = k_next = (const char *)memory->k;
        k_type = LEAP_KV_F32;
    }
    if (many || dim != call->head_dim_16) {
        // Only positions that are written: a page may end in anything.
        int from, to;
        cover(memory, 0, rows, &from, &to);
        kernels->widen(v, shape->kv_type, to, dim, memory->v, call->head_dim_16);
        v = v_next = (const char *)memory->v;
        v_type = LEAP_KV_F32;
        v_stride = call->head_dim_16;
    }

    const int blocks = (rows + kernels->rows_max - 1) / kernels->rows_max;
    for (int row = 0, n, left = blocks; row < rows; row += n, left--) {
        n = (rows - row + left - 1) / left;
        int from, to;
        cover(memory, row, n, &from, &to);
        if (from >= to) continue;
        float *s = memory->s + row * LEAP_KV_PAGE;
        kernels->scores(n, memory->q + row * dim, dim, k, k_type, k_scales, dim, s, k_next);
        for (int r = row; r < row + n; r++) {
            kernels->weigh(memory->s + r * LEAP_KV_PAGE, memory->from[r], memory->to[r], shape->softcap,
                           &memory->state[r], &memory->shrink[r]);
        }
    }
    for (int row = 0, n, left = blocks; row < rows; row += n, left--) {
        n = (rows - row + left - 1) / left;
        int from, to;
        cover(memory, row, n, &from, &to);
        if (from >= to) continue;
        kernels->accumulate(n, memory->s + row * LEAP_KV_PAGE, from, to, v, v_type, v_stride, v_scales, call->head_dim_16,
                            memory->shrink + row, memory->o + row * call->head_dim_16, call->head_dim_16, v_next);
    }
}

/// Sums one segment into memory->o and memory->state.
static void sum_segment(const span *work, int64_t segment) {
    const attention_call *call = work->call;
    const int rows = work->query_count * work->heads;
    memset(work->memory->o, 0, (size_t)rows * (size_t)call->head_dim_16 * sizeof(float));
    for (int r = 0; r < rows; r++) work->memory->state[r] = (leap_softmax_state){.largest = -INFINITY};
    const int64_t first = first_position(call->shape, work->queries) / LEAP_KV_PAGE;
    const int64_t last = work->queries[work->query_count - 1].position / LEAP_KV_PAGE;
    int64_t tile = segment * SEGMENT_TILES;
    if (tile < first) tile = first;
    for (; tile <= last && tile < (segment + 1) * SEGMENT_TILES; tile++) add_tile(work, tile, last);
}

/// Divides the sums by the weights' totals and hands them out.
static void finish(const span *work, const leap_softmax_part *part, const float *sum) {
    const attention_call *call = work->call;
    const int dim = call->shape->head_dim;
    for (int r = 0; r < work->query_count * work->heads; r++, sum += call->head_dim_16) {
        const int64_t head = (int64_t)work->kv_head * call->group + work->head_begin + r % work->heads;
        float *out = work->queries[r / work->heads].out + head * dim;
        for (int i = 0; i < dim; i++) out[i] = sum[i] / part[r].total;
    }
}

/// What rows have seen before the first segment: nothing, or their head's sink, a position whose value is zero.
static void begin_parts(const span *work, leap_softmax_part *part) {
    const float *sinks = work->call->shape->sinks;
    for (int r = 0; r < work->query_count * work->heads; r++) {
        const int64_t head = (int64_t)work->kv_head * work->call->group + work->head_begin + r % work->heads;
        part[r] = sinks ? (leap_softmax_part){sinks[head], 1} : (leap_softmax_part){-INFINITY, 0};
    }
}

static void attend(const span *work) {
    const attention_call *call = work->call;
    span_memory *memory = work->memory;
    const int rows = work->query_count * work->heads, dim = call->head_dim_16;
    load_queries(work);
    const int64_t first = segment_of(first_position(call->shape, work->queries));
    const int64_t last = segment_of(work->queries[work->query_count - 1].position);
    memset(memory->sum, 0, (size_t)rows * (size_t)dim * sizeof(float));
    begin_parts(work, memory->part);
    for (int64_t segment = first; segment <= last; segment++) {
        sum_segment(work, segment);
        for (int r = 0; r < rows; r++) {
            const leap_softmax_part part = call->kernels->total(&memory->state[r]);
            call->kernels->merge(&memory->part[r], memory->sum + r * dim, &part, memory->o + r * dim, dim);
        }
    }
    finish(work, memory->part, memory->sum);
}

/// The key/value head and the query heads of task `index` of a block of queries.
static span span_of_heads(const attention_call *call, int64_t index, int thread) {
    span work = {.call = call, .memory = leap_pool_scratch(call->pool, thread)};
    work.kv_head = (int)(index / call->chunks);
    work.head_begin = (int)(index % call->chunks) * call->chunk;
    work.heads = smaller(call->chunk, call->group - work.head_begin);
    return work;
}

/// Whether query b can share tiles with query a before it.
static int continues(const leap_attention_query *a, const leap_attention_query *b) {
    return a->k_pages == b->k_pages && a->v_pages == b->v_pages && (b->position == a->position || b->position == a->position + 1)
        && b->first >= a->first;
}

static void spans_piece(void *context, int thread, int64_t begin, int64_t end) {
    const attention_call *call = context;
    const int64_t head_tasks = (int64_t)call->shape->kv_heads * call->chunks;
    const int64_t blocks = (call->count + call->block - 1) / call->block;
    for (int64_t i = begin; i < end; i++) {
        span work = span_of_heads(call, i % head_tasks, thread);
        // Late queries see most, so they go first.
        int64_t query = (blocks - 1 - i / head_tasks) * call->block;
        const int64_t stop = query + call->block < call->count ? query + call->block : call->count;
        while (query < stop) {
            int64_t next = query + 1;
            while (next < stop && continues(&call->queries[next - 1], &call->queries[next])) next++;
            work.queries = call->queries + query;
            work.query_count = (int)(next - query);
            attend(&work);
            query = next;
        }
    }
}

// MARK: Segments as tasks

/// A slot holds the result of one segment of one span, or what has been merged of a span.
static float *slot_at(const attention_call *call, int64_t slot) {
    char *scratch = leap_pool_scratch(call->pool, (int)(slot / call->slots_per_thread));
    return (float *)(scratch + RESULT_OFFSET) + slot % call->slots_per_thread * call->slot_floats;
}

static leap_softmax_part *slot_parts(const attention_call *call, float *slot) {
    return (leap_softmax_part *)(slot + (int64_t)call->chunk * call->head_dim_16);
}

/// Span `index` when every query is a block of its own.
static span single_query_span(const attention_call *call, int64_t index, int thread) {
    const int64_t head_tasks = (int64_t)call->shape->kv_heads * call->chunks;
    span work = span_of_heads(call, index % head_tasks, thread);
    work.queries = call->queries + index / head_tasks;
    work.query_count = 1;
    return work;
}

static int sees_segment(const span *work, int64_t segment) {
    return segment >= segment_of(first_position(work->call->shape, work->queries))
        && segment <= segment_of(work->queries->position);
}

/// Task (segment of the wave, span).
static void segments_piece(void *context, int thread, int64_t begin, int64_t end) {
    const attention_call *call = context;
    for (int64_t i = begin; i < end; i++) {
        const span work = single_query_span(call, i % call->spans, thread);
        const int64_t segment = call->first_segment + i / call->spans;
        if (!sees_segment(&work, segment)) continue;
        load_queries(&work);
        sum_segment(&work, segment);
        float *slot = slot_at(call, call->spans + i);
        const size_t floats = (size_t)work.heads * (size_t)call->head_dim_16;
        memcpy(slot, work.memory->o, floats * sizeof(float));
        for (int r = 0; r < work.heads; r++) slot_parts(call, slot)[r] = call->kernels->total(&work.memory->state[r]);
    }
}

/// Merges the segments of the wave of each span, in order; the last wave finishes.
static void merge_piece(void *context, int thread, int64_t begin, int64_t end) {
    const attention_call *call = context;
    const int dim = call->head_dim_16;
    for (int64_t i = begin; i < end; i++) {
        const span work = single_query_span(call, i, thread);
        float *sum = slot_at(call, i);
        leap_softmax_part *part = slot_parts(call, sum);
        for (int64_t n = 0; n < call->wave; n++) {
            if (!sees_segment(&work, call->first_segment + n)) continue;
            float *slot = slot_at(call, call->spans + n * call->spans + i);
            for (int r = 0; r < work.heads; r++) {
                call->kernels->merge(&part[r], sum + r * dim, &slot_parts(call, slot)[r], slot + r * dim, dim);
            }
        }
        if (call->first_segment + call->wave > call->last_segment) finish(&work, part, sum);
    }
}

/// Computes all segments as tasks of their own; false if there is nothing to gain or no room.
static int run_segments(attention_call *call) {
    const int threads = leap_pool_threads(call->pool);
    call->spans = call->count * call->shape->kv_heads * call->chunks;
    if (call->spans >= (int64_t)threads * TASKS_PER_THREAD || threads == 1) return 0;
    call->first_segment = INT64_MAX;
    call->last_segment = 0;
    for (int64_t i = 0; i < call->count; i++) {
        const int64_t first = segment_of(first_position(call->shape, &call->queries[i]));
        const int64_t last = segment_of(call->queries[i].position);
        if (first < call->first_segment) call->first_segment = first;
        if (last > call->last_segment) call->last_segment = last;
    }
    if (call->first_segment == call->last_segment) return 0;
    call->slot_floats = (int64_t)call->chunk * (call->head_dim_16 + 2);
    call->slots_per_thread = (int64_t)RESULT_BYTES / 4 / call->slot_floats;
    const int64_t waves_fit = call->slots_per_thread * threads / call->spans - 1;
    if (waves_fit < 1) return 0;
    for (int64_t i = 0; i < call->spans; i++) {
        float *sum = slot_at(call, i);
        memset(sum, 0, (size_t)call->chunk * (size_t)call->head_dim_16 * sizeof(float));
        const span work = single_query_span(call, i, 0);
        begin_parts(&work, slot_parts(call, sum));
    }
    for (; call->first_segment <= call->last_segment; call->first_segment += call->wave) {
        const int64_t left = call->last_segment - call->first_segment + 1;
        call->wave = left < waves_fit ? left : waves_fit;
        leap_pool_run(call->pool, call->wave * call->spans, 1, segments_piece, call);
        leap_pool_run(call->pool, call->spans, 1, merge_piece, call);
    }
    return 1;
}

void leap_attention_tiled(const leap_attention_kernels *kernels, leap_pool *pool, const leap_attention_shape *shape,
                          const leap_attention_query *queries, int64_t count) {
    attention_call call = {.kernels = kernels, .pool = pool, .shape = shape, .queries = queries, .count = count};
    call.group = shape->q_heads / shape->kv_heads;
    call.head_dim_16 = (shape->head_dim + 15) / 16 * 16;
    const int rows = smaller(SPAN_ROWS, SPAN_FLOATS / call.head_dim_16);
    call.chunk = smaller(call.group, rows);
    call.chunks = (call.group + call.chunk - 1) / call.chunk;
    if (run_segments(&call)) return;
    // Enough tasks for all threads, and in them as many queries as fit.
    const int64_t head_tasks = (int64_t)shape->kv_heads * call.chunks;
    const int64_t wanted = (int64_t)leap_pool_threads(pool) * TASKS_PER_THREAD;
    call.block = count * head_tasks / wanted;
    const int64_t most = call.chunks > 1 ? 1 : rows / call.chunk;
    if (call.block > most) call.block = most;
    if (call.block < 1) call.block = 1;
    leap_pool_run(pool, (count + call.block - 1) / call.block * head_tasks, 1, spans_piece, &call);
}
