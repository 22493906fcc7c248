#include "solve/sequence.h"

#include <string.h>

void sequence_free(Sequence *sequence) {
  vector_free(&sequence->moves);
}

void sequence_copy(Sequence *to, const Sequence *from) {
  to->score = from->score;
  vector_resize(&to->moves, from->moves.count);
  if (from->moves.count)
    memcpy(to->moves.data, from->moves.data,
           from->moves.count * sizeof *from->moves.data);
}

bool sequence_better(const Sequence *sequence, const Sequence *than) {
  if (sequence->score != than->score) return sequence->score > than->score;
  return sequence->score >= 0 && sequence->moves.count < than->moves.count;
}
