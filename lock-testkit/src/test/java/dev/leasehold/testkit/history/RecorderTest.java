package dev.leasehold.testkit.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.testkit.history.Event.Kind;
import dev.leasehold.testkit.history.Event.Phase;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecorderTest {
  @Test
  void linesComeBackAsTheyWere() throws IOException {
    AtomicLong time = new AtomicLong(-5);
    HistoryRecorder recorder = new HistoryRecorder("p 1\n", time::incrementAndGet);
    OwnerLog log = recorder.owner("größe\t%", "a lock {with} Ünïcode");
    log.invoke(Kind.TRY_ACQUIRE);
    log.fail(Kind.TRY_ACQUIRE);
    log.writing(Long.MAX_VALUE);
    log.unknown(Kind.WRITE);
    recorder.died("q");
    History before = recorder.history();
    StringBuilder lines = new StringBuilder();
    before.write(lines);
    assertEquals(before.events(), History.read(new StringReader(lines.toString())).events());
    assertEquals(5, before.events().size());
  }

  @Test
  void aLastLineCutOffDoesNotCount() throws IOException {
    History read = History.read(new StringReader("7 lost ok p o l - -\n8 acquire ok p o l 1"));
    assertEquals(1, read.events().size());
  }

  @Test
  void aWrongLineIsShown() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> History.read(new StringReader("7 gain ok p o l - -\n")));
    assertTrue(e.getMessage().contains("7 gain ok"), e::getMessage);
  }

  @Test
  void manyThreadsLoseNothing() throws Exception {
    HistoryRecorder recorder = new HistoryRecorder("p");
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Future<?>> all = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      OwnerLog log = recorder.owner("t" + t, "l");
      all.add(
          pool.submit(
              () -> {
                for (int i = 0; i < 1000; i++) {
                  log.invoke(Kind.TRY_ACQUIRE);
                  log.fail(Kind.TRY_ACQUIRE);
                }
              }));
    }
    for (Future<?> one : all) {
      one.get();
    }
    pool.shutdown();
    Verdict verdict = HistoryChecker.check(recorder.history(), FaultModel.inside());
    assertEquals(4000, verdict.refusals());
    assertEquals(4000, verdict.of(Violation.Kind.SPURIOUS_REFUSAL).size());
  }

  @Test
  void aFencedResourceTakesNoSmallerToken() {
    FencedResource resource = FencedResource.fenced();
    assertEquals(FencedResource.Outcome.ACCEPTED, resource.write(5));
    assertEquals(FencedResource.Outcome.ACCEPTED, resource.write(5));
    assertEquals(FencedResource.Outcome.REJECTED, resource.write(4));
    assertEquals(FencedResource.Outcome.ACCEPTED, resource.write(6));
    FencedResource twin = FencedResource.unfenced();
    twin.write(5);
    assertEquals(FencedResource.Outcome.ACCEPTED, twin.write(4));
    assertEquals(2, twin.writes().size());
  }

  @Test
  @DisplayName("A hundred thousand holds are checked in a moment")
  void manyHolds() {
    int holds = 100_000;
    List<Event> events = new ArrayList<>(4 * holds);
    Ticker ticker = Ticker.system();
    for (int i = 0; i < holds; i++) {
      String process = "p" + i % 3;
      String owner = "o" + i % 16;
      String lock = "l" + i % 2;
      long t = i * 100L;
      OptionalLong token = OptionalLong.of(i);
      OptionalLong none = OptionalLong.empty();
      events.add(new Event(process, owner, lock, Kind.ACQUIRE, Phase.INVOKE, t, none, none));
      events.add(
          new Event(
              process,
              owner,
              lock,
              Kind.ACQUIRE,
              Phase.OK,
              t + 10,
              token,
              OptionalLong.of(t + 500)));
      events.add(new Event(process, owner, lock, Kind.RELEASE, Phase.INVOKE, t + 190, none, none));
      events.add(new Event(process, owner, lock, Kind.RELEASE, Phase.OK, t + 195, none, none));
    }
    History history = History.of(events);
    long begin = ticker.nanos();
    Verdict verdict = HistoryChecker.check(history, FaultModel.inside());
    System.out.println(
        "checked " + holds + " holds in " + (ticker.nanos() - begin) / 1_000_000 + " ms");
    assertEquals(holds, verdict.holds());
    assertEquals(List.of(), verdict.violations());
  }
}
