package dev.leasehold.redisson;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.redisson.api.RedissonClient;

/** A client of ours, and a process with plain Redisson, on one server. */
abstract class BesidePlain {
  static Apps apps;
  static OtherProcess plain;
  static RedissonClient client;

  @BeforeAll
  static void start() {
    apps = new Apps();
    client = apps.redisson();
    plain = apps.closing(OtherProcess.start(apps.server().uri(), Duration.ofSeconds(30)));
  }

  @AfterAll
  static void stop() {
    apps.close();
  }

  static String call(String... words) {
    return String.valueOf(apps.server().call(words).orElse("none"));
  }
}
