package dev.leasehold.admin;

import dev.leasehold.admin.Servers.Answer;
import dev.leasehold.lock.LockStoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The locks whose names match a pattern. They are fetched while they are consumed, a few hundred
 * keys at a time, so memory use does not depend on their number. Not thread-safe.
 */
public final class LockListing implements Iterable<ListedLock> {
  private final Servers nodes;
  private final Layout layout;
  private final Glob pattern;
  private final List<Omission> omissions;
  private final Set<Integer> reported = new HashSet<>();
  private boolean used;

  LockListing(Servers nodes, Layout layout, Glob pattern) {
    this.nodes = nodes;
    this.layout = layout.listing(pattern);
    this.pattern = pattern;
    this.omissions = new ArrayList<>(layout.omissions(pattern));
  }

  /**
   * Returns the entries in no particular order. The iterator blocks while it fetches.
   *
   * <p>It is not a snapshot. A lock that is in use during the whole iteration is listed; one that
   * is acquired or released meanwhile may be. A lock may be listed twice, as {@code SCAN} may
   * return a key twice while the server resizes its table.
   *
   * @throws IllegalStateException if this listing was iterated before
   * @throws LockStoreException from the iterator, if the server, or every node of a quorum, is
   *     unreachable
   */
  @Override
  public Iterator<ListedLock> iterator() {
    if (used) {
      throw new IllegalStateException("a listing can be iterated only once: call list again");
    }
    used = true;
    return new Entries();
  }

  /** Returns {@link #iterator()} as a sequential stream. */
  public Stream<ListedLock> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  /**
   * Returns what the listing lacks: other formats, kinds that can't be recognized, nodes that did
   * not answer. Complete once the iteration has ended.
   */
  public List<Omission> omissions() {
    return List.copyOf(omissions);
  }

  private void failed(int node, LockStoreException failure) {
    if (!nodes.isQuorum()) {
      throw failure;
    }
    if (reported.add(node)) {
      omissions.add(
          new Omission(
              Omission.Reason.NODE_UNREACHABLE,
              "A node of the quorum was left out: " + failure.getMessage()));
    }
    if (reported.size() == nodes.count()) {
      throw failure;
    }
  }

  private final class Entries implements Iterator<ListedLock> {
    private final Deque<ListedLock> ready = new ArrayDeque<>();
    private int node = -1;
    private Iterator<List<byte[]>> batches = List.<List<byte[]>>of().iterator();

    @Override
    public boolean hasNext() {
      while (ready.isEmpty() && advance()) {
        // until there is one
      }
      return !ready.isEmpty();
    }

    @Override
    public ListedLock next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return ready.remove();
    }

    /** Moves to the next batch; returns false after the last node. */
    private boolean advance() {
      try {
        if (batches.hasNext()) {
          batch(batches.next());
          return true;
        }
      } catch (LockStoreException e) {
        failed(node, e);
        batches = List.<List<byte[]>>of().iterator();
      }
      node++;
      if (node >= nodes.count() || layout.scan(pattern).isEmpty()) {
        return false;
      }
      try {
        batches =
            nodes
                .replying()
                .await(nodes.server(node), nodes.what("list locks of", node))
                .scan(layout.scan(pattern).orElseThrow());
      } catch (LockStoreException e) {
        failed(node, e);
      }
      return true;
    }

    private void batch(List<byte[]> keys) {
      List<Layout.Part> parts = new ArrayList<>();
      List<List<CompletableFuture<Object>>> looks = new ArrayList<>();
      for (byte[] key : keys) {
        layout
            .named(key)
            .filter(part -> pattern.matches(part.name()))
            .ifPresent(
                part -> {
                  parts.add(part);
                  looks.add(look(part.name()));
                });
      }
      for (int i = 0; i < parts.size(); i++) {
        entries(parts.get(i), looks.get(i));
      }
    }

    /** Asks all nodes at once, for all names of a batch. */
    private List<CompletableFuture<Object>> look(String name) {
      LuaCall call = layout.look(name, ListedLock.MOST_HOLDS, 1);
      List<CompletableFuture<Object>> sent = new ArrayList<>();
      for (int i = 0; i < nodes.count(); i++) {
        sent.add(
            reported.contains(i)
                ? CompletableFuture.completedFuture(null)
                : nodes.server(i).thenCompose(server -> server.run(call)));
      }
      return sent;
    }

    private void entries(Layout.Part part, List<CompletableFuture<Object>> sent) {
      List<Answer<List<Stored.Lock>>> answers = new ArrayList<>();
      for (int i = 0; i < sent.size(); i++) {
        try {
          Object reply = nodes.replying().await(sent.get(i), nodes.what("list locks of", i));
          List<Stored.Lock> locks =
              layout.stored(reply).stream().filter(lock -> lock.isInUse()).toList();
          answers.add(new Answer<>(i, locks, null));
        } catch (LockStoreException e) {
          failed(i, e);
          answers.add(new Answer<>(i, List.of(), e));
        }
      }
      if (standsFor(part, answers)) {
        Merge.of(nodes, part.name(), answers).forEach(whole -> ready.add(whole.entry()));
      }
    }

    /** Returns whether this key is the first one of its name on the first node that has any. */
    private boolean standsFor(Layout.Part part, List<Answer<List<Stored.Lock>>> answers) {
      for (Answer<List<Stored.Lock>> answer : answers) {
        List<Stored.Lock> locks = answer.value();
        if (locks != null && !locks.isEmpty()) {
          int first = locks.stream().mapToInt(Stored.Lock::part).min().orElse(-1);
          return answer.node() == node && first == part.part();
        }
      }
      return false;
    }
  }
}
