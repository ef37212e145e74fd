// The rule by which a call's indices are cut into pieces, and which piece a thread takes next.
//
// Every thread has a stretch of its own, so that it reads neighbouring memory, and takes pieces of the other stretches
// when its own is used up. A call ends with its last piece: on a core of half the speed that is one twice as long, and
// the other threads wait for it. So pieces get smaller towards the end of a stretch (guided self-scheduling,
// Polychronopoulos and Kuck 1987): a share of what is left of it. Two or three threads have stretches so long that
// pieces of one size do.
#include "internal/cut.h"

/// Threads from which pieces get smaller towards the end.
#define SHRINKING_THREADS 4
/// The parts of what is left of a stretch of which a piece takes one.
#define PARTS 4

/// What pieces are multiples of.
static int64_t step_of(const leap_cut *cut) { return cut->threads < SHRINKING_THREADS ? cut->grain : cut->least; }

int64_t leap_cut_begin(const leap_cut *cut, int thread) {
    const int64_t step = step_of(cut), steps = (cut->count + step - 1) / step;
    return leap_smaller(steps * thread / cut->threads * step, cut->count);
}

int leap_cut_stretch(const leap_cut *cut, int thread, int turn) { return (thread + turn) % cut->threads; }

int64_t leap_cut_piece(const leap_cut *cut, int64_t begin, int64_t end) {
    const int64_t left = end - begin;
    if (cut->threads < SHRINKING_THREADS || cut->least >= cut->grain) return leap_smaller(cut->grain, left);
    const int64_t share = left / PARTS / cut->least * cut->least;
    const int64_t piece = leap_smaller(share, cut->grain);
    return leap_smaller(piece < cut->least ? cut->least : piece, left);
}
