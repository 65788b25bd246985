package dev.leasehold.testkit.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.RespConnection;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The proxies of a quorum")
class ProxyGroupTest {
  @Test
  @DisplayName("count later ones, on the server that got most of them")
  void counting() {
    try (RedisServer server = RedisServers.start();
        RespProxy one = RespProxy.inFrontOf(server);
        RespProxy other = RespProxy.inFrontOf(server)) {
      ProxyGroup group = new ProxyGroup(List.of(one, other));
      incr(one, 5);
      Supplier<CommandCounts> count = group.counting();
      incr(one, 1);
      incr(other, 3);
      assertEquals(3, count.get().of("INCR"));
      assertEquals(6, group.counts().of("INCR"));
    }
  }

  private static void incr(RespProxy proxy, int times) {
    try (RespConnection client =
        RespConnection.to(proxy.host(), proxy.port(), Duration.ofSeconds(10))) {
      for (int i = 0; i < times; i++) {
        client.number("INCR", "n");
      }
    }
  }
}
