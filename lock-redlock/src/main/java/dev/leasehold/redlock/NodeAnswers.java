package dev.leasehold.redlock;

import dev.leasehold.lock.spi.quorum.NodeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The nodes' answers so far.
 *
 * @param values each node's answer, if it answered
 * @param failures each node's failure, if it failed
 * @param isLast whether no further answers are awaited
 */
record NodeAnswers<T>(
    List<Optional<T>> values, List<Optional<Throwable>> failures, boolean isLast) {

  /** The same answers, marked as final. */
  NodeAnswers<T> last() {
    return new NodeAnswers<>(values, failures, true);
  }

  /** The nodes whose answer matches. */
  NodeSet where(Predicate<? super T> answer) {
    return NodeSet.where(values.size(), i -> values.get(i).filter(answer).isPresent());
  }

  /** The nodes that neither answered nor failed. */
  NodeSet silent() {
    return NodeSet.where(values.size(), i -> values.get(i).isEmpty() && failures.get(i).isEmpty());
  }

  /** Why no quorum was reached, node by node. */
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
