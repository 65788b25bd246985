package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.calls.CallerThreads;
import dev.leasehold.lock.spi.CallersCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A release whose thread may make the call to the store itself")
class ReleaseCallTest {
  private final ManualTime time = new ManualTime();
  private final CallerThreads callers = new CallerThreads(time, time, Duration.ofSeconds(1));
  private final List<String> made = new ArrayList<>();
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  private final CallersCall call =
      new CallersCall() {
        @Override
        public void run() {
          made.add("by its thread");
        }

        @Override
        public void runElsewhere() {
          made.add("elsewhere");
        }

        @Override
        public void cut() {
          made.add("cut");
        }
      };

  @BeforeEach
  void learnsWhatItMay() {
    assertFalse(callers.take(call), "no caller is offered");
  }

  private void leaveItTo(CallerThread caller) {
    CallerThread.offering(caller, () -> callers.take(call));
  }

  @Test
  @DisplayName("makes the call that was left to it when it waits")
  void makesIt() {
    CompletableFuture<Void> released =
        callers.releasing(
            caller -> {
              leaveItTo(caller);
              assertEquals(List.of(), made);
              return end;
            });
    assertSame(end, released);
    assertEquals(List.of("by its thread"), made);
  }

  @Test
  @DisplayName("leaves it to another thread if it never waits")
  void leavesIt() {
    assertThrows(
        MapStore.Trouble.class,
        () ->
            callers.releasing(
                caller -> {
                  leaveItTo(caller);
                  throw new MapStore.Trouble();
                }));
    assertEquals(List.of("elsewhere"), made);
  }
}
