package dev.leasehold.cli.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.admin.HoldId;
import dev.leasehold.admin.HoldState;
import dev.leasehold.admin.KindOfLock;
import dev.leasehold.admin.ListedHold;
import dev.leasehold.admin.ListedLock;
import dev.leasehold.admin.Side;
import dev.leasehold.admin.Votes;
import dev.leasehold.cli.listing.ListingChanges.Change;
import dev.leasehold.cli.listing.ListingChanges.What;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A hold that is gone")
class ListingChangesTest {
  private long nanos;
  private final ListingChanges changes = new ListingChanges(() -> nanos);

  private static ListedHold hold(String holder, long leftMillis) {
    String id = String.format("%016x", holder.hashCode());
    return new ListedHold(
        new HoldId(id),
        Side.ALL,
        HoldState.HELD,
        holder,
        Optional.of(Duration.ofMillis(leftMillis)),
        Optional.empty(),
        OptionalLong.empty(),
        1,
        new Votes(List.of("node"), true),
        Optional.empty());
  }

  /** Looks after some time, and sees these holds. */
  private List<What> look(long afterMillis, ListedHold... holds) {
    nanos += Duration.ofMillis(afterMillis).toNanos();
    return changes.next(holds.length == 0 ? List.of() : List.of(job(holds))).stream()
        .map(Change::what)
        .toList();
  }

  private static ListedLock job(ListedHold... holds) {
    return new ListedLock(
        "job",
        KindOfLock.LOCK,
        List.of(holds),
        holds.length,
        0,
        OptionalInt.empty(),
        OptionalLong.empty(),
        Optional.empty());
  }

  @Test
  @DisplayName("was released if its lease had time left")
  void released() {
    look(0, hold("a", 3000));
    assertEquals(List.of(), look(1000, hold("a", 2900)));
    assertEquals(List.of(What.RELEASED), look(1000));
  }

  @Test
  @DisplayName("expired though it was read when a slow listing began")
  void slowListing() {
    changes.next(slow(hold("a", 3000)));
    changes.next(slow(hold("a", 900)));
    assertEquals(List.of(What.EXPIRED), look(800));
  }

  /** A listing that takes 100 ms after it has read this hold. */
  private Iterable<ListedLock> slow(ListedHold hold) {
    List<ListedLock> one = List.of(job(hold));
    return () -> {
      nanos += Duration.ofMillis(100).toNanos();
      return one.iterator();
    };
  }

  @Test
  @DisplayName("expired if it was not renewed and its time has passed")
  void expired() {
    look(0, hold("a", 3000));
    look(1000, hold("a", 2000));
    look(1000, hold("a", 900));
    assertEquals(List.of(What.EXPIRED), look(1000));
    assertEquals(List.of(), look(1000));
  }

  @Test
  @DisplayName("expired, too, if the lock has its next holder by then")
  void successor() {
    look(0, hold("a", 3000));
    look(2500, hold("a", 500));
    assertEquals(List.of(What.EXPIRED, What.PASSED_ON), look(1000, hold("b", 3000)));
  }

  @Test
  @DisplayName("one of several is notified alone")
  void oneOfTwo() {
    look(0, hold("a", 3000), hold("b", 3000));
    look(2500, hold("a", 500), hold("b", 2900));
    assertEquals(List.of(What.EXPIRED, What.PASSED_ON), look(1000, hold("b", 2900)));
  }

  @Test
  @DisplayName("with a lease as short as the looks are apart was released, as far as can be seen")
  void shorterThanLooks() {
    look(0, hold("a", 900));
    look(1000, hold("a", 700));
    assertEquals(List.of(What.RELEASED), look(1000));
  }
}
