package dev.leasehold.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the nodes have answered so far. Node i is bit i of a mask.
 *
 * @param values of each node, if it answered
 * @param failures of each node, if it failed
 * @param isLast whether no more will be waited for
 */
record Answers<T>(List<Optional<T>> values, List<Optional<Throwable>> failures, boolean isLast) {

  /** These, with no more to come. */
  Answers<T> last() {
    return new Answers<>(values, failures, true);
  }

  long all() {
    return -1L >>> (Long.SIZE - values.size());
  }

  /** The nodes that answered so. */
  long where(Predicate<? super T> answer) {
    long mask = 0;
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i).filter(answer).isPresent()) {
        mask |= 1L << i;
      }
    }
    return mask;
  }

  /** The nodes that neither answered nor failed. */
  long silent() {
    long mask = 0;
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i).isEmpty() && failures.get(i).isEmpty()) {
        mask |= 1L << i;
      }
    }
    return mask;
  }

  /** Why no quorum came together, node by node. */
  String words(List<?> nodes) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Optional<Throwable> failure = failures.get(i);
      if (failure.isPresent()) {
        words.add(nodes.get(i) + ": " + failure.get().getMessage());
      } else if (values.get(i).isEmpty()) {
        words.add(nodes.get(i) + ": no answer in time");
      }
    }
    return String.join("; ", words);
  }
}
