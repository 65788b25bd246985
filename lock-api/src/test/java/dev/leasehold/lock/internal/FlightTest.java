package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.flight.Flight;
import dev.leasehold.lock.spi.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Locks in a flight recording")
@Timeout(60)
class FlightTest {
  private static final Duration BRIEF = Duration.ofMillis(30);

  @TempDir Path folder;
  private final MapStore store = new MapStore(Ticker.system());
  private List<RecordedEvent> events = List.of();

  @Test
  @DisplayName("Acquisitions, holds, losses, renewals that failed; and nothing when it is off")
  void recorded() throws Exception {
    assertNull(Flight.RECORDER.acquiring(LockKind.LOCK, "off"));
    assertNull(Flight.RECORDER.holding(LockKind.LOCK, "off"));
    LockManager locks = LockManager.over(store).closeGrace(BRIEF).build();
    try (Recording recording = new Recording();
        locks) {
      for (String event : List.of("Acquisition", "Hold", "LeaseLost", "RenewalFailed")) {
        recording.enable("dev.leasehold." + event).withThreshold(Duration.ZERO);
      }
      recording.start();
      useThem(locks);
      do { // the loss is signalled first, and written by the same thread then
        read(recording);
      } while (of("LeaseLost", "lost").isEmpty());
      recording.stop();
      read(recording);
    }
    check();
    assertNull(Flight.RECORDER.acquiring(LockKind.LOCK, "off"));
  }

  private void read(Recording recording) throws IOException {
    Path file = folder.resolve("locks.jfr");
    recording.dump(file);
    events = RecordingFile.readAllEvents(file);
  }

  private void useThem(LockManager locks) throws Exception {
    Lease plain = locks.lock("plain").acquire();
    assertTrue(locks.lock("plain").as(LockOwner.unique("other")).tryAcquire().isEmpty());
    assertTrue(locks.lock("plain").as(LockOwner.unique("other")).tryAcquire(BRIEF).isEmpty());
    store.goWrong(MapStore.Wrong.FAILED_WITH_ERROR);
    assertThrows(LockStoreException.class, () -> plain.extend(Duration.ofHours(1)));
    store.goWrong(null);
    plain.release();

    LockOptions handing =
        LockOptions.builder().handOver(new HandOver(10, Duration.ofMinutes(1))).build();
    Lease first = locks.lock("handed", handing).acquire();
    CompletableFuture<Lease> next =
        locks.lock("handed", handing).acquireAsync().toCompletableFuture();
    CompletableFuture<Lease> given =
        locks.lock("handed", handing).acquireAsync().toCompletableFuture();
    given.cancel(true);
    first.release();
    next.get(20, TimeUnit.SECONDS).release();

    Lease lost = locks.lock("lost", LockOptions.fixed(BRIEF)).acquire();
    lost.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertThrows(LeaseLostException.class, lost::release);

    MapStore steps = new TogetherStore(Ticker.system());
    try (LockManager several = LockManager.over(steps).closeGrace(BRIEF).build()) {
      several.all("both", "of them").acquire().release();
    }
  }

  private List<RecordedEvent> of(String event, String lock) {
    return events.stream()
        .filter(e -> e.getEventType().getName().equals("dev.leasehold." + event))
        .filter(e -> e.getString("lock").equals(lock))
        .toList();
  }

  private List<String> texts(String event, String lock, String field) {
    return of(event, lock).stream().map(e -> e.getString(field)).sorted().toList();
  }

  private void check() {
    assertEquals(
        List.of("granted", "refused", "refused"), texts("Acquisition", "plain", "outcome"));
    RecordedEvent waited =
        of("Acquisition", "plain").stream()
            .filter(e -> e.getString("outcome").equals("refused"))
            .max(Comparator.comparing(RecordedEvent::getDuration))
            .orElseThrow();
    assertTrue(waited.getDuration().compareTo(BRIEF) >= 0);
    assertTrue(waited.getBoolean("contended"));
    assertEquals(Thread.currentThread().getName(), waited.getThread().getJavaName());
    assertTrue(
        waited.getStackTrace().getFrames().stream()
            .anyMatch(frame -> frame.getMethod().getName().equals("useThem")),
        "its stack is its caller's");
    RecordedEvent held = of("Hold", "plain").get(0);
    assertEquals("released", held.getString("end"));
    assertTrue(held.getDuration().compareTo(BRIEF) >= 0);
    assertEquals(
        List.of("cancelled", "granted", "handed_over"), texts("Acquisition", "handed", "outcome"));
    assertEquals(List.of("released", "released"), texts("Hold", "handed", "end"));
    assertEquals(List.of("expired"), texts("Hold", "lost", "end"));
    for (String event : List.of("Acquisition", "Hold", "LeaseLost")) {
      assertEquals(List.of("lock"), texts(event, "lost", "kind"));
    }
    assertEquals(List.of("expired"), texts("LeaseLost", "lost", "reason"));
    for (String name : List.of("both", "of them")) {
      assertEquals(List.of("granted"), texts("Acquisition", name, "outcome"));
      assertEquals(List.of("released"), texts("Hold", name, "end"));
    }
    RecordedEvent renewal = of("RenewalFailed", "plain").get(0);
    assertTrue(renewal.getDuration("remaining").compareTo(Duration.ofSeconds(1)) > 0);
    assertEquals("lock", renewal.getString("kind"));
    assertFalse(renewal.getString("failure").isEmpty());
  }
}
