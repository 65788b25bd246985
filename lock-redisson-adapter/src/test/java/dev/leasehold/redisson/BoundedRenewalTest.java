package dev.leasehold.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Thousands of permits are renewed by several scripts, each of which ends soon")
class BoundedRenewalTest {
  private static final Duration TTL = Duration.ofSeconds(20);
  private static final Duration LATER = Duration.ofMinutes(2);

  private static LeaseKey key(String secret) {
    return new LeaseKey("x", "t:" + secret);
  }

  private static long scripts(Apps apps) {
    String statistics = String.valueOf(apps.server().call("INFO", "commandstats").orElseThrow());
    return statistics
        .lines()
        .filter(line -> line.startsWith("cmdstat_evalsha:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
        .sum();
  }

  private static List<RenewResult> renew(LeaseStore store, List<RenewRequest> batch) {
    return ((PermitStore) store).permits(1, 2400).renew(batch).stream().map(Await::value).toList();
  }

  @Test
  @DisplayName("the rest is sent again, and each lease gets its own result")
  void bounded() {
    try (Apps apps = new Apps();
        LeaseStore store = RedissonLocks.over(apps.redisson()).open()) {
      List<RenewRequest> batch = new ArrayList<>();
      for (String secret : List.of("a", "b", "c", "d")) {
        AcquireRequest request = new AcquireRequest(key(secret), TTL, IfHeld.REFUSE);
        LeaseStore permits = ((PermitStore) store).permits(600, 2400);
        assertInstanceOf(Granted.class, Await.value(permits.acquire(request)));
        batch.add(new RenewRequest(key(secret), LATER));
      }
      batch.add(new RenewRequest(key("nobody"), LATER));
      renew(store, batch.subList(4, 5)); // so that the server knows the script
      long before = scripts(apps);
      List<RenewResult> results = renew(store, batch);
      assertEquals(RenewResult.NOT_OWNER, results.get(4));
      assertEquals(
          List.of(RenewResult.RENEWED), results.subList(0, 4).stream().distinct().toList());
      assertEquals(3, scripts(apps) - before, "two of 600, two of 600, and the rest");
      String soonest = Long.toString(System.currentTimeMillis() + LATER.toMillis() / 2);
      assertEquals(
          2400L, apps.server().call("ZCOUNT", "{x}:timeout", soonest, "+inf").orElseThrow());
    }
  }
}
