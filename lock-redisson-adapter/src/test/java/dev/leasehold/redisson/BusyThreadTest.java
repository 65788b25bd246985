package dev.leasehold.redisson;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.Await;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.redisson.config.Config;
import org.redisson.config.EqualJitterDelay;

@DisplayName("A client whose only network thread is busy")
class BusyThreadTest {
  private static final Duration BUSY = Duration.ofMillis(400);

  @Test
  @DisplayName("INFO is requested again if Redisson gave up before it was sent")
  void info() {
    EventLoopGroup thread = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try (Apps apps = new Apps();
        Client client =
            new Client(
                apps.redisson(apps.server().uri(), config -> with(config, thread)), () -> {})) {
      for (int i = 0; i < 3; i++) {
        thread.execute(() -> Await.pass(BUSY));
        assertTrue(client.info("memory").get(0).contains("maxmemory"));
      }
    } finally {
      thread.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  /** With the pauses of a client of our own. */
  private static Config with(Config config, EventLoopGroup thread) {
    config.setEventLoopGroup(thread);
    config
        .useSingleServer()
        .setRetryAttempts(2)
        .setRetryDelay(new EqualJitterDelay(Duration.ofMillis(20), Duration.ofMillis(500)));
    return config;
  }
}
