package dev.leasehold.testkit.rules;

import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.CommandProxy;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Takes an operation apart into the commands it sends: a fault befalls every command from a certain
 * one on. With that count going up from zero, each moment between two commands has its turn.
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

  /** The way through the proxy. */
  Site site() {
    return site;
  }

  /** The one command after so many, not counting a client's own housekeeping. */
  ActiveFault only(int commands, CommandFault fault) {
    return proxy.everyBy(
        () -> {
          AtomicInteger seen = new AtomicInteger();
          CommandMatch that = command -> seen.getAndIncrement() == commands;
          return CommandMatch.housekeeping().negate().and(that);
        },
        fault);
  }

  /** From the first command after so many, not counting a client's own housekeeping. */
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
