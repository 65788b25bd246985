package dev.leasehold.benchmarks;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** Locks on Redis through Spring Data, which itself uses Lettuce here. */
final class SpringSubjects {
  private static final Duration LEASE = Duration.ofSeconds(30);

  private SpringSubjects() {}

  /** Spring Integration's registry with its defaults: waiters poll, nothing is renewed. */
  static Subject registry(String uri) {
    LettuceConnectionFactory connections = connections(uri);
    RedisLockRegistry registry = new RedisLockRegistry(connections, "peers", LEASE);
    return new Subject() {
      @Override
      public String name() {
        return "RedisLockRegistry";
      }

      @Override
      public Pair on(String key) {
        Lock lock = registry.obtain(key);
        return () -> {
          lock.lock();
          lock.unlock();
        };
      }

      @Override
      public void close() {
        registry.destroy();
        connections.destroy();
      }
    };
  }

  /** ShedLock's provider, which has no waiting at all. */
  static Subject shedLock(String uri) {
    LettuceConnectionFactory connections = connections(uri);
    LockProvider provider = new RedisLockProvider.Builder(connections).environment("peers").build();
    return new Subject() {
      @Override
      public String name() {
        return "ShedLock";
      }

      @Override
      public Pair on(String key) {
        return () ->
            provider
                .lock(new LockConfiguration(Instant.now(), key, LEASE, Duration.ZERO))
                .orElseThrow()
                .unlock();
      }

      @Override
      public void close() {
        connections.destroy();
      }
    };
  }

  /** With all that a URI says: also user, password, database and TLS. */
  static LettuceConnectionFactory connections(String uri) {
    RedisURI at = RedisURI.create(uri);
    LettuceConnectionFactory connections =
        new LettuceConnectionFactory(
            LettuceConnectionFactory.createRedisConfiguration(at),
            LettuceClientConfiguration.builder().apply(at).build());
    connections.afterPropertiesSet();
    connections.start();
    return connections;
  }
}
