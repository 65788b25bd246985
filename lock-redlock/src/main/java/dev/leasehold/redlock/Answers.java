package dev.leasehold.redlock;

import dev.leasehold.lock.spi.quorum.NodeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the nodes have answered so far.
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

  /** The nodes that answered so. */
  NodeSet where(Predicate<? super T> answer) {
    return NodeSet.where(values.size(), i -> values.get(i).filter(answer).isPresent());
  }

  /** The nodes that neither answered nor failed. */
  NodeSet silent() {
    return NodeSet.where(values.size(), i -> values.get(i).isEmpty() && failures.get(i).isEmpty());
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
