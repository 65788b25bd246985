package dev.leasehold.testkit.rules;

import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.CommandProxy;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Injects a fault into an operation after a given number of commands. Counting that number up from
 * zero covers every moment between two commands.
 */
final class Steps {
  /** No operation should send more commands than this. */
  static final int MOST = 16;

  private final Site site;
  private final CommandProxy proxy;

  Steps(Bench bench) {
    proxy = bench.proxy(bench.site());
    site = bench.site().by(proxy.uri());
  }

  /** The site behind the proxy. */
  Site site() {
    return site;
  }

  /** Applies to the single command after so many, not counting the client's housekeeping. */
  ActiveFault only(int commands, CommandFault fault) {
    return proxy.everyBy(
        () -> {
          AtomicInteger seen = new AtomicInteger();
          CommandMatch that = command -> seen.getAndIncrement() == commands;
          return CommandMatch.housekeeping().negate().and(that);
        },
        fault);
  }

  /** Applies from the first command after so many, not counting the client's housekeeping. */
  ActiveFault after(int commands, CommandFault fault) {
    return proxy.everyBy(
        () -> {
          AtomicInteger seen = new AtomicInteger();
          CommandMatch later = command -> seen.incrementAndGet() > commands;
          return CommandMatch.housekeeping().negate().and(later);
        },
        fault);
  }
}
