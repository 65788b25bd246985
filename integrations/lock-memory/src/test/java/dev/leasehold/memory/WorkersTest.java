package dev.leasehold.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The threads of managers in manual time")
class WorkersTest {
  @Test
  @DisplayName("Pending notifications are delivered at a close, and none is refused")
  void afterTheClose() throws InterruptedException {
    Workers workers = new Workers();
    workers.close();
    CountDownLatch told = new CountDownLatch(1);
    workers.run(told::countDown);
    assertTrue(told.await(1, TimeUnit.MINUTES));
  }
}
