package dev.leasehold.testkit.view;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.view.ServerView.Entry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Waiters on a quorum")
class QuorumViewTest {
  /** One server: whether the lock is taken, and how many stand in its line. */
  private record Server(boolean taken, long waiters) implements ServerView {
    @Override
    public Optional<Entry> look(String lockName) {
      return taken
          ? Optional.of(new Entry("me:x", Optional.of(Duration.ofSeconds(1))))
          : Optional.empty();
    }

    @Override
    public boolean hasWaiting(String lockName, long number) {
      return waiters == number;
    }

    @Override
    public void remove(String lockName) {}

    @Override
    public void put(String lockName, String holder, Duration ttl) {}

    @Override
    public OptionalLong changes() {
      return OptionalLong.empty();
    }

    @Override
    public void close() {}
  }

  private static final Server IN_LINE = new Server(true, 1);
  private static final Server ON_ITS_WAY = new Server(true, 0);
  private static final Server FREE = new Server(false, 0);

  private static boolean isThere(Server... servers) {
    return new QuorumView(Stream.<ServerView>of(servers).toList()).hasWaiting("a", 1);
  }

  @Test
  @DisplayName("it has arrived when no server that is taken lacks it")
  void arrived() {
    assertTrue(isThere(IN_LINE, IN_LINE, IN_LINE));
    assertTrue(isThere(IN_LINE, IN_LINE, FREE));
    assertFalse(isThere(IN_LINE, IN_LINE, ON_ITS_WAY));
  }

  @Test
  @DisplayName("a minority says nothing")
  void minority() {
    assertFalse(isThere(IN_LINE, FREE, FREE));
    assertFalse(isThere(IN_LINE, IN_LINE, FREE, FREE));
    assertTrue(isThere(IN_LINE, IN_LINE, IN_LINE, FREE, FREE));
  }

  @Test
  @DisplayName("there is no wait if no server has replicas")
  void nobody() {
    assertTrue(new QuorumView(List.of(FREE, ON_ITS_WAY, FREE)).hasWaiting("a", 0));
    assertFalse(new QuorumView(List.of(FREE, IN_LINE, FREE)).hasWaiting("a", 0));
  }
}
