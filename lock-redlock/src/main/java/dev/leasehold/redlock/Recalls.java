package dev.leasehold.redlock;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RecallStore;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Recalls of leases that a process keeps after a release. Each lease is recalled through one node,
 * which its token names: a second one would not make a lost message much rarer, since a node that
 * loses its connection recalls every lease itself. The holder listens there for the engine's token
 * and for every token that a round uses in its place. Thread-safe.
 */
final class Recalls {
  private final List<Member> members;
  private final StoreContext context;
  private final ConcurrentHashMap<String, Listener> listeners = new ConcurrentHashMap<>();

  Recalls(List<Member> members, StoreContext context) {
    this.members = members;
    this.context = context;
  }

  /** The nodes whose leases can be recalled. */
  private Stream<Member> nodes() {
    return members.stream().filter(member -> member.store instanceof RecallStore);
  }

  /** The node through which leases are recalled: the first that can be reached. */
  private Optional<Member> node() {
    return nodes().filter(Member::isUp).findFirst();
  }

  private static RecallStore store(Member node) {
    return (RecallStore) node.store;
  }

  /** The key with a token that names the node; the same key if there is none. */
  LeaseKey recallable(LeaseKey fresh) {
    return node().map(node -> store(node).recallable(fresh)).orElse(fresh);
  }

  /** Listens for recalls of the engine's token, and of those used in its place. */
  CompletionStage<Watch> listen(LeaseKey origin, Runnable recalled) {
    Optional<Member> node = node();
    if (node.isEmpty()) {
      return CompletableFuture.failedFuture(Member.noneIsUp());
    }
    Listener listener = new Listener(origin, node.get(), recalled);
    listeners.put(origin.token(), listener);
    return listener
        .add(origin)
        .thenApply(begun -> (Watch) listener)
        .whenComplete(
            (begun, failure) -> {
              if (failure != null) {
                listener.close();
              }
            });
  }

  /** The key for a token in place of the engine's: recallable if that one is. */
  LeaseKey inPlaceOf(LeaseKey origin, LeaseKey fresh) {
    Listener listener = listeners.get(origin.token());
    return listener == null ? fresh : store(listener.node).recallable(fresh);
  }

  /** Listens for recalls of a token that is used in place of the engine's from now on. */
  void follow(LeaseKey origin, LeaseKey used) {
    Listener listener = listeners.get(origin.token());
    if (listener != null && !used.equals(origin)) {
      listener.closeAliases(); // a token before this one was released, and is not used again
      listener.add(used);
    }
  }

  /**
   * Sends a recall through each node, since another client's token may name any of them. Fails if
   * it can't be sent through any.
   */
  CompletionStage<?> recall(LeaseKey lease) {
    List<CompletableFuture<LeaseKey>> sent =
        nodes()
            .map(node -> node.send(context, () -> store(node).recall(lease).thenApply(x -> lease)))
            .toList();
    return CompletableFuture.allOf(
            sent.stream()
                .map(each -> each.exceptionally(failure -> lease))
                .toArray(CompletableFuture<?>[]::new))
        .thenCompose(
            all ->
                sent.stream()
                    .filter(each -> !each.isCompletedExceptionally())
                    .findFirst()
                    .orElseGet(() -> sent.get(0)));
  }

  /** Listens for one lease, under all its tokens. */
  private final class Listener implements Watch {
    private final LeaseKey origin;
    final Member node;
    private final Runnable recalled;
    private final ReentrantLock mutex = new ReentrantLock();

    /** The watches that have begun, that of the engine's token first; null once it is closed. */
    private @Nullable List<Watch> open = new ArrayList<>(1);

    Listener(LeaseKey origin, Member node, Runnable recalled) {
      this.origin = origin;
      this.node = node;
      this.recalled = recalled;
    }

    CompletionStage<Watch> add(LeaseKey key) {
      return node.send(context, () -> store(node).onRecall(key, recalled))
          .thenApply(
              watch -> {
                if (!keep(watch)) {
                  watch.close();
                }
                return watch;
              });
    }

    private boolean keep(Watch watch) {
      mutex.lock();
      try {
        return open != null && open.add(watch);
      } finally {
        mutex.unlock();
      }
    }

    /** Ends listening for tokens but the first one. */
    void closeAliases() {
      taken(1, false).forEach(Watch::close);
    }

    @Override
    public void close() {
      listeners.remove(origin.token(), this);
      taken(0, true).forEach(Watch::close);
    }

    private List<Watch> taken(int from, boolean all) {
      mutex.lock();
      try {
        if (open == null || open.size() < from) {
          return List.of();
        }
        List<Watch> rest = open.subList(from, open.size());
        List<Watch> taken = List.copyOf(rest);
        rest.clear();
        open = all ? null : open;
        return taken;
      } finally {
        mutex.unlock();
      }
    }
  }
}
