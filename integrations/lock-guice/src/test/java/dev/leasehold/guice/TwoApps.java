package dev.leasehold.guice;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.name.Names;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;

/** An application, and another beside it: a manager of its own on the same server. */
final class TwoApps implements AutoCloseable {
  final RedisServer server = RedisServers.start();

  /** The application's, which has the others' manager by their name, "others". */
  final Injector injector;

  final LockManager others;

  /**
   * Starts them.
   *
   * @param settings the application's below {@code lock}, the others' below {@code other-lock};
   *     {@code %1$s} stands for the server's URI
   */
  TwoApps(String settings) {
    Config config = ConfigFactory.parseString(settings.formatted(server.uri()));
    injector =
        Guice.createInjector(
            LeaseholdModule.of(config),
            LeaseholdModule.of(ConfigSettings.of(config, "other-lock"))
                .annotatedWith(Names.named("others")));
    others = injector.getInstance(Key.get(LockManager.class, Names.named("others")));
  }

  @Override
  public void close() {
    injector.getInstance(LockManagers.class).close();
    server.close();
  }
}
